"""``tableside side-bets``: exact prices for the cards still unseen."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import main
from advisor.games.blackjack.side_bets import BETS
from advisor.games.cards import FULL_PACK, cards_text


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["side-bets", *words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    said: dict[str, Any] = json.loads(out)
    return said


def test_all_bets_are_listed_with_their_edge(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["side-bets"]) == 0
    out = capsys.readouterr().out
    assert all(bet.title in out for bet in BETS.values())
    assert "24.7089 %" in out and "312 unseen cards" in out
    said = as_json(capsys)
    assert said["decks"] == 6 and said["cards"] == 312
    assert [bet["bet"] for bet in said["bets"]] == list(BETS)
    over = next(bet for bet in said["bets"] if bet["bet"] == "over-13")
    assert over["house_edge"] == pytest.approx(0.06554538708879545, abs=1e-12)
    assert float(Fraction(over["house_edge_exact"])) == over["house_edge"]


def test_one_bet_shows_all_its_paytables_and_outcomes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["side-bets", "Perfect Pairs", "--decks", "8"]) == 0
    out = capsys.readouterr().out
    assert "25-12-6" in out and "30-10-5" in out and "commonly printed" in out and "mixed pair" in out


@pytest.mark.parametrize(
    ("name", "bets"),
    [
        ("King's Bounty", {"kings-bounty"}),
        ("LUCKY_LADIES", {"lucky-ladies"}),
        ("21+3", {"21+3"}),
        ("over/under 13", {"over-13", "under-13"}),
    ],
)
def test_names_are_read_leniently(capsys: pytest.CaptureFixture[str], name: str, bets: set[str]) -> None:
    assert {bet["bet"] for bet in as_json(capsys, name)["bets"]} == bets


def test_cards_seen_are_out_of_the_shoe(capsys: pytest.CaptureFixture[str]) -> None:
    said = as_json(capsys, "lucky-ladies", "--decks", "1", "--seen", "QH qs, 10♥")
    assert said["cards"] == 49
    chances = {outcome["outcome"]: outcome["probability"] for outcome in said["bets"][0]["outcomes"]}
    assert chances["queen-of-hearts-pair"] == 0


def test_a_table_of_one_s_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'bet = "over-13"\n[[table]]\nname = "ours"\nsource = "us"\n[table.pays]\nover = "6:5"\n', encoding="utf-8"
    )
    (bet,) = as_json(capsys, "--table", str(path))["bets"]
    assert bet["table"] == "ours" and bet["outcomes"][0]["pays"] == "6:5"
    assert main(["side-bets", "under-13", "--table", str(path)]) == 2
    assert "its paytables are for over-13, not for under-13" in capsys.readouterr().err
    path.write_text("bet = 5", encoding="utf-8")
    assert main(["side-bets", "--table", str(path)]) == 2
    assert "own.toml: the file: bet cannot be 5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["luck"], "there is no side bet 'luck': use one of perfect-pairs"),
        (["--seen", "1X"], "'1X' is not a card"),
        (["--decks", "1", "--seen", "QH QH"], "2 queens of hearts seen in 1 deck, which holds only 1"),
        (["--decks", "0"], "choose from 1, 2"),
        (["--table", "none.toml"], "none.toml: it cannot be read"),
    ],
)
def test_mistakes_are_sentences(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["side-bets", *words]) == 2
    out, err = capsys.readouterr()
    assert says in err and out == "" and "Traceback" not in err


def test_a_shoe_too_small_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    seen = cards_text(FULL_PACK)
    assert main(["side-bets", "21+3", "--decks", "1", "--seen", seen]) == 2
    assert "21+3 needs 3 more cards here, and the shoe holds 0." in capsys.readouterr().err


def test_help_ends_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["side-bets", "--help"]) == 0
    assert "example: tableside side-bets" in capsys.readouterr().out
