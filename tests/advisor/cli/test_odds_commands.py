"""`advise`, `odds`, `chart` and `bench odds` as scripts and hosts meet them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from advisor.cli import main


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_advise_answers_with_values_in_full_precision(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "--player", "10H 6S", "--dealer", "10C", "--set", "surrender=none", "--json"]) == 0
    found = json.loads(said(capsys))
    assert found["best"] == "hit"
    assert set(found["values"]) == {"hit", "stand", "double"}  # no surrender, no split: absent, not null
    assert found["values"]["hit"] == pytest.approx(-0.5347, abs=5e-5)
    assert set(found["dealer"]) == {"bust", "17", "18", "19", "20", "21"}
    assert sum(found["dealer"].values()) == pytest.approx(1, abs=1e-12)
    assert isinstance(found["why"], list) and found["why"][0].startswith("Hit: hard 16 against a 10")


def test_cards_seen_and_an_own_shoe_change_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["advise", "--player", "10H 6S", "--dealer", "10C", "--set", "surrender=none", "--json"]
    main([*ask, "--seen", "5C 5D 4C 4D 5H 5S"])
    assert json.loads(said(capsys))["best"] == "stand"
    main([*ask, "--shoe", "5:40,10:20,6:4"])
    small = json.loads(said(capsys))
    assert small["best"] == "double" and small["count"]["unseen"] == 61


def test_a_full_shoe_given_by_value_is_the_full_shoe(capsys: pytest.CaptureFixture[str]) -> None:
    shoe = ",".join(f"{value}:24" for value in "A23456789") + ",10:96"
    main(["advise", "--player", "9H 9S", "--dealer", "7C", "--json"])
    without = json.loads(said(capsys))
    main(["advise", "--player", "9H 9S", "--dealer", "7C", "--shoe", shoe, "--json"])
    assert json.loads(said(capsys)) == without


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--player", "1H 6S", "--dealer", "10C"], "player: '1H' is not a card"),
        (["--player", "10H 6S", "--dealer", "Z9"], "dealer: 'Z9' is not a card"),
        (["--player", "10H 6", "--dealer", "10C"], "player: '6' could be any of four cards"),
        (["--player", "10H 6S", "--dealer", "10C 5D"], "which of 10C and 5D is the upcard"),
        (["--player", "10H 6S", "--dealer", "10H", "--rules", "home"], "2 tens of hearts seen in 1 deck"),
        (
            ["--player", "10H 6S", "--dealer", "10C", "--shoe", "6:1,10:1"],
            "2 ten-values seen, but the shoe held only 1",
        ),
        (["--player", "10H 6S", "--dealer", "10C", "--shoe", "6:-1"], "there cannot be -1 cards"),
        (["--player", "10H 6S", "--dealer", "10C", "--shoe", "J:4"], "'J:4' in the shoe is not"),
        (["--player", "10H 6S", "--dealer", "10C", "--shoe", "6:1,6:2"], "names 6 twice"),
        (["--player", "10H 6S", "--dealer", "10C", "--set", "decks=9"], "house rule decks cannot be 9"),
        (["--player", "10H 6S", "--dealer", "10C", "--set", "deck"], "is not FIELD=VALUE"),
        (["--player", "10H 6S"], "give --player and --dealer"),
        (["--batch", "-", "--player", "10H 6S"], "leave out --player"),
        (["--batch", "-", "--seen", "10H"], "leave out --player"),
    ],
)
def test_bad_positions_get_a_sentence_and_exit_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["advise", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and sentence in err and err.count("\n") == 1


def test_a_batch_answers_every_line_and_names_what_is_wrong_with_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        '{"player": "8H 8S", "dealer": "10C"}',
        '{"player": "8H", "dealer": "10C"}',
        '{"player": "8H 8S", "dealer": "10"}',
        '{"player": "8H 8X", "dealer": "10C"}',
        '{"player": 8, "dealer": "10C"}',
        "[]",
        "{",
        "[" * 100_000,
        '{"player": "8H 8S", "dealer": "6C", "hands": ' + "1" * 5000 + "}",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert main(["advise", "--batch", "-"]) == 1
    first, *others = [json.loads(line) for line in said(capsys).splitlines()]
    assert first["best"] == "split"
    assert [(line["error"]["kind"], line["error"]["part"]) for line in others] == [
        ("impossible", "position"),
        ("ambiguous", "dealer"),
        ("malformed", "player"),
        ("malformed", "player"),
        *[("malformed", "line")] * 4,
    ]


def test_a_batch_file_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "--batch", str(tmp_path / "none")]) == 1
    assert "could not be read" in capsys.readouterr().err


def test_odds_hold_every_hand_against_every_upcard(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--set", "surrender=none", "--json"]) == 0
    found = json.loads(said(capsys))
    assert 100 * found["ev"] == pytest.approx(-0.40287, abs=5e-6)
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    assert list(found["ev_by_upcard"]) == list(found["dealer"]) == ranks
    assert len(found["hands"]) == 55 and all(set(by) == set(ranks) for by in found["hands"].values())
    chances = [4 / 52] * 9 + [16 / 52]
    assert sum(c * v for c, v in zip(chances, found["ev_by_upcard"].values(), strict=True)) == pytest.approx(
        found["ev"]
    )
    assert found["dealer"]["A"]["blackjack"] == pytest.approx(0.308681672026, abs=1e-12)
    assert found["hands"]["A,10"]["A"] == {"stand": 1.5}
    assert found["hands"]["6,10"]["10"]["hit"] == pytest.approx(-0.5347, abs=5e-5)
    assert "split" in found["hands"]["8,8"]["10"] and "split" not in found["hands"]["6,10"]["10"]


def test_odds_of_any_shoe_and_of_one_too_small(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--shoe", "2:4,5:4,10:8,A:2", "--json"]) == 0
    assert set(json.loads(said(capsys))["ev_by_upcard"]) == {"A", "2", "5", "10"}
    assert main(["odds", "--shoe", "10:3"]) == 2
    assert "too few to play a round" in capsys.readouterr().err


def test_a_shoe_that_may_run_out_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--shoe", "2:6", "--json"]) == 0
    assert "may run out" in capsys.readouterr().err


def test_doubling_for_less_is_told_where_it_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["advise", "--player", "6H 5S", "--dealer", "6C", "--json"]
    main(ask)
    assert "one_card" not in json.loads(said(capsys))
    main([*ask, "--set", "double_for_less=yes"])
    found = json.loads(said(capsys))
    assert found["one_card"] == pytest.approx(found["values"]["double"] / 2)


def test_the_chart_comes_as_text_data_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chart"]) == 0
    assert "hard 16    S   S   S   S   S   H   H  Rh  Rh  Rh" in said(capsys)
    assert main(["chart", "--format", "json"]) == 0
    chart = json.loads(said(capsys))
    assert chart["rows"]["8,8"]["10"] == "P" and chart["codes"]["P"] == "split"
    page = tmp_path / "chart.html"
    assert main(["chart", "--format", "html", "--out", str(page)]) == 0
    text = page.read_text()
    assert text.startswith("<!doctype html>") and text.count("<rect") > 330 and "surrender, else hit" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # nothing is fetched
    assert main(["chart", "--format", "svg", "--out", str(tmp_path)]) == 1
    assert "could not be written" in capsys.readouterr().err


def test_the_benchmark_prints_what_it_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "odds", "--decisions", "2", "--rounds", "1", "--json"]) == 0
    figures = json.loads(said(capsys))
    blackjack = {"whole_game_ms", "live_decision_ms", "start_to_first_decision_ms"}
    assert set(figures) == blackjack | {
        "pontoon_punter_ms",
        "pontoon_banker_ms",
        "punto_banco_shoe_ms",
        "all_side_bets_ms",
    }
    assert all(figure["median"] > 0 for figure in figures.values())
