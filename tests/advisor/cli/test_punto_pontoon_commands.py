"""`odds --game punto-banco` and `pontoon advise` as scripts and hosts meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.cli import main


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    sentence = capsys.readouterr().err
    assert sentence.startswith("tableside: ") and sentence.endswith(".\n")
    return sentence


def test_punto_bancos_odds_are_the_published_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--game", "punto-banco", "--set", "decks=8", "--json"]) == 0
    found = json.loads(said(capsys))
    assert [round(found[name], 6) for name in ("banker", "player", "tie")] == [0.458597, 0.446247, 0.095156]
    assert found["pair"] == pytest.approx(31 / 415)
    assert set(found["bets"]) == {"banker", "player", "tie", "player_pair", "banker_pair"}
    assert found["bets"]["banker"]["house_edge"] == pytest.approx(0.010579057842472012)
    assert found["combinations"]["banker"] == 2292252566437888
    assert found["cards"] == 416


def test_punto_bancos_rules_and_shoe_are_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('preset = "six-deck"\ncommission = 4\n')
    main(["odds", "--game", "punto-banco", "--rules", str(file), "--json"])
    assert json.loads(said(capsys))["bets"]["banker"]["house_edge"] == pytest.approx(0.005971959766565578)
    ranks = ",".join(f"{rank}:32" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K"))
    main(["odds", "--game", "punto-banco", "--shoe", ranks, "--json"])
    assert json.loads(said(capsys))["pair"] == pytest.approx(31 / 415)
    values = ",".join(f"{rank}:32" for rank in ("A", *map(str, range(2, 10)))) + ",10:128"
    main(["odds", "--game", "punto-banco", "--shoe", values, "--json"])
    found = json.loads(said(capsys))
    assert found["pair"] is None and found["bets"]["player_pair"] == {"house_edge": None}
    assert found["banker"] == pytest.approx(0.458597422632763)


def test_punto_bancos_odds_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--game", "punto-banco", "--shoe", "A:2,2:3,9:4,10:8"]) == 0
    text = said(capsys)
    assert "The next coup from 17 cards:" in text and "banker" in text
    assert "the Player pair not known: this shoe is given by value" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--shoe", "10:64,J:32"], "--shoe: the shoe names J but not Q and K"),
        (["--shoe", "A:5"], "5 cards are too few for a coup"),
        (["--rules", "six-deck-s17"], "unknown house rules 'six-deck-s17': use one of eight-deck"),
        (["--set", "decks=9"], "decks cannot be 9"),
        (["--set", "decks"], "is not FIELD=VALUE"),
        (["--set", "soft=1"], "unknown house rule 'soft'"),
    ],
)
def test_punto_banco_refuses_with_a_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert sentence in refused(capsys, "odds", "--game", "punto-banco", *words)


def test_blackjack_is_still_the_usual_game(capsys: pytest.CaptureFixture[str]) -> None:
    shoe = ",".join(f"{value}:4" for value in "A23456789") + ",10:16"
    assert main(["odds", "--shoe", shoe, "--json"]) == 0
    plain = json.loads(said(capsys))
    main(["odds", "--game", "blackjack", "--rules", "six-deck-s17", "--shoe", shoe, "--json"])
    assert json.loads(said(capsys)) == plain
    assert "unknown house rules 'eight-deck'" in refused(capsys, "odds", "--rules", "eight-deck")


def test_a_punter_is_advised(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pontoon", "advise", "--hand", "AH 6S", "--stakes", "2", "--json"]) == 0
    found = json.loads(said(capsys))
    assert (found["side"], found["best"], found["amount"]) == ("punter", "buy", "2")
    assert [(it["action"], it.get("amount")) for it in found["values"]] == [
        ("buy", "2"),
        ("buy", "1"),
        ("twist", None),
        ("stick", None),
    ]
    assert found["hand"] == "soft 17" and found["banker_stays_on"] == 17
    assert found["why"][0].startswith("Buy for 2 with soft 17")
    assert main(["pontoon", "advise", "--hand", "10H 9S"]) == 0
    assert said(capsys).startswith("Stick  (19)\n  stick")


def test_cards_beyond_the_stakes_were_twisted(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["pontoon", "advise", "--hand", "4H 5S 2D", "--json"]
    main([*ask, "--stakes", "2 2"])
    assert "buy" in {it["action"] for it in json.loads(said(capsys))["values"]}
    main([*ask, "--stakes", "2"])
    assert {it["action"] for it in json.loads(said(capsys))["values"]} == {"twist"}


def test_the_banker_is_advised(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["pontoon", "advise", "--banker", "10H 7S", "--open", "1: 2", "--open", "9: 0 10C 8C"]
    assert main([*ask, "--json"]) == 0
    found = json.loads(said(capsys))
    assert (found["side"], found["best"], found["exact"], found["hand"]) == ("banker", "draw", True, "17")
    assert list(found["values"]) == ["draw", "stay"]
    main(ask)
    assert said(capsys).startswith("Draw  (17)\n  draw")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--hand", "10H 7"], "--hand: '7' could be any of four cards"),
        (["--hand", "10H 7S", "--open", "2: 2"], "--open goes with --banker"),
        (["--banker", "10H 7S", "--stakes", "2", "--open", "2: 2"], "--stakes goes with --hand"),
        (["--banker", "10H 7S"], "--banker needs the open hands"),
        (["--banker", "10H 7S", "--open", "2"], 'is not "STAKE: HIDDEN [CARDS]"'),
        (["--banker", "10H 7S", "--open", "x: 2"], "'x' is not an amount"),
        (["--banker", "10H 7S", "--open", ": 2"], "give the stakes as amounts"),
        (["--hand", "10H 7S", "--seen", "10H"], "impossible position: 2 tens of hearts seen in 1 pack"),
        (["--hand", "10H 7S 9D"], "the hand is bust with 26"),
        (["--hand", "10H 7S", "--stakes", "99"], "over the most allowed, 10"),
        (["--hand", "10H 7S", "--banker-stays-on", "4"], "give 12 to 21"),
        (["--hand", "10H 7S", "--set", "split=tens"], "none, aces, not-aces or any"),
    ],
)
def test_pontoon_refuses_with_a_sentence(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    assert sentence in refused(capsys, "pontoon", "advise", *words)
