"""``tableside payout``: amounts owed, in chips, with the dealer's words; mistakes are sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import main
from advisor.cli.payout import OUTCOMES
from advisor.money import Outcome


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["payout", *words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    said: dict[str, Any] = json.loads(out)
    return said


def test_a_blackjack_on_five(capsys: pytest.CaptureFixture[str]) -> None:
    said = as_json(capsys, "--bet", "red:1", "--outcome", "blackjack", "--rules", "home")
    words = said.pop("words")
    assert said == {
        "bet": "5",
        "owed": "7.50",
        "method": "splash and heel",
        "chips": {"red": 1, "white": 2, "yellow": 1},
        "order": ["red", "white", "white", "yellow"],
    }
    assert any("heel it beside the bet" in line for line in words)


@pytest.mark.parametrize(
    ("words", "bet", "owed", "method"),
    [
        (["--bet", "red:2", "--outcome", "blackjack"], "10", "15", "bridge"),
        (["--bet", "15", "--outcome", "win"], "15", "15", "size into"),
        (["--bet", "30", "--outcome", "win"], "30", "30", "by colour"),
        (["--bet", "15", "--outcome", "win", "--doubled"], "30", "30", "size into"),
        (["--bet", "7.50", "--outcome", "insurance"], "7.50", "15", "size in twice"),
        (["--bet", "15", "--outcome", "surrender"], "15", "7.50", "half back"),
        (["--bet", "15", "--outcome", "push"], "15", "0", "knock"),
        (["--bet", "15", "--outcome", "lose"], "15", "0", "take"),
        (["--bet", "5", "--outcome", "blackjack", "--set", "blackjack_pays=6:5"], "5", "6", "splash and heel"),
        (["--bet", "5", "--outcome", "7-7-7", "--set", "bonus_777=3:1"], "5", "15", "size in"),
        (["--bet", "5", "--outcome", "charlie", "--set", "charlie=six-card"], "5", "20", "size in"),
    ],
)
def test_what_is_owed(capsys: pytest.CaptureFixture[str], words: list[str], bet: str, owed: str, method: str) -> None:
    said = as_json(capsys, *words)
    assert (said["bet"], said["owed"], said["method"]) == (bet, owed, method)


def test_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["payout", "--bet", "red:1", "--outcome", "blackjack"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("5 blackjack: owed 7.50, red:1 white:2 yellow:1 (splash and heel)\n")


def test_colouring_up(capsys: pytest.CaptureFixture[str]) -> None:
    said = as_json(capsys, "--colour-up", "white:12 red:3")
    assert said["total"] == "27" and said["chips"] == {"green": 1, "white": 2}
    assert said["handed_in"] == {"red": 3, "white": 10} and said["given"] == {"green": 1}


def test_the_table_s_own_chips(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chips.toml"
    path.write_text("[chips]\nblue = 20\npink = 25\n", encoding="utf-8")
    said = as_json(capsys, "--bet", "40", "--outcome", "win", "--chips", str(path))
    assert said["chips"] == {"blue": 2}
    assert main(["payout", "--bet", "blue:1", "--outcome", "blackjack", "--chips", str(path)]) == 2
    assert "30 cannot be made exactly with these chips" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--bet", "-5", "--outcome", "win"], "a bet of -5 cannot be: a bet is more than 0."),
        (["--bet", "0", "--outcome", "win"], "a bet of 0 cannot be: a bet is more than 0."),
        (["--bet", "-5", "--outcome", "insurance"], "a bet of -5 cannot be"),
        (["--bet", "7.50", "--outcome", "win"], "a bet of 7.50 is not a whole number of units of 1."),
        (["--bet", "yellow:1", "--outcome", "win"], "a bet of 0.50 is not a whole number of units of 1."),
        (["--bet", "red:-1", "--outcome", "win"], "'red:-1': a count of chips is never negative."),
        (["--bet", "red:1.5", "--outcome", "win"], "a count of chips is a whole number"),
        (["--bet", "pink:1", "--outcome", "win"], "there is no pink chip"),
        (["--bet", "red", "--outcome", "win"], "'red' are no chips"),
        (["--bet", "", "--outcome", "win"], "'' is not an amount"),
        (["--bet", "red:1"], "--bet needs --outcome"),
        (["--bet", "red:1", "--outcome", "luck"], "invalid choice: 'luck'"),
        (["--outcome", "win"], "--bet"),
        (["--bet", "red:1", "--colour-up", "red:1"], "not allowed with"),
        (["--colour-up", "red:1", "--outcome", "win"], "--outcome and --doubled go with --bet"),
        (["--colour-up", ""], "nothing to colour up"),
        (["--bet", "red:1", "--outcome", "win", "--rules", "nonsense"], "unknown house rules 'nonsense'"),
        (["--bet", "red:1", "--outcome", "win", "--set", "decks=9"], "house rule decks cannot be 9"),
        (["--bet", "red:1", "--outcome", "win", "--set", "luck=9"], "unknown house rule 'luck'"),
        (["--bet", "red:1", "--outcome", "win", "--set", "decks"], "--set 'decks' is not FIELD=VALUE"),
        (["--bet", "red:1", "--outcome", "surrender", "--rules", "home"], "these house rules pay no surrender"),
        (["--bet", "red:1", "--outcome", "blackjack", "--doubled"], "a doubled bet has no blackjack"),
        (["--bet", "white:1", "--outcome", "blackjack", "--set", "blackjack_pays=6:5"], "1.20 cannot be made exactly"),
        (["--bet", "red:1", "--outcome", "win", "--chips", "none.toml"], "chips file 'none.toml' cannot be read"),
    ],
)
def test_mistakes_are_sentences(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["payout", *words]) == 2
    out, err = capsys.readouterr()
    assert says in err and out == "" and "Traceback" not in err


def test_help_names_every_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    assert tuple(Outcome) == OUTCOMES
    assert main(["payout", "--help"]) == 0
    out = capsys.readouterr().out
    assert "example: tableside payout" in out and all(outcome in out for outcome in OUTCOMES)


def test_change_is_announced_and_of_the_same_total(capsys: pytest.CaptureFixture[str]) -> None:
    said = as_json(capsys, "--change", "black:1", "--into", "red")
    assert (said["total"], said["incoming"], said["chips"]) == ("100", {"black": 1}, {"red": 20})
    assert said["announcement"] == "cheque change: one hundred"
    assert as_json(capsys, "--change", "40")["chips"] == {"green": 1, "red": 3}
    assert main(["payout", "--change", "black:1", "--into", "red:19"]) == 2
    assert "totals must match" in capsys.readouterr().err


def test_before_the_deal_unpayable_bets_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["payout", "--before-deal"]) == 0
    assert "Every allowed bet can be paid exactly." in capsys.readouterr().out
    assert main(["payout", "--before-deal", "--set", "blackjack_pays=6:5", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert not said["payable"] and said["problems"][0]["bets_in_multiples_of"] == "5"
    assert main(["payout", "--before-deal", "--into", "red"]) == 2
