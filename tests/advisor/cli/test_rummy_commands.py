"""`rummy variants`, `score`, `laydown`, `check` and `bench rummy-solver` as scripts and hosts meet them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from advisor.cli import main
from vision.cards.reader import CardReader
from vision.sightings import CardSighting, Quad, Reading


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def quad(x: float, y: float) -> Quad:
    return ((x, y), (x + 63, y), (x + 63, y + 89), (x, y + 89))


def seen(text: str, y: float = 0, x: float = 0) -> list[CardSighting]:
    """Cards in a row; "9H?" is unsure, "#" lies face down."""
    found = []
    for k, name in enumerate(text.split()):
        place = quad(x + 25 * k, y)
        if name == "#":
            found.append(CardSighting("back", place))
        elif name.endswith("?"):
            found.append(CardSighting("unsure", place, name[:-1], 0.5, {"6H": 0.4, name[:-1]: 0.5}))
        else:
            found.append(CardSighting("card", place, name, 0.98))
    return found


@pytest.fixture
def picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture whose cards are what the test puts into `Shown.cards`."""
    monkeypatch.setattr(CardReader, "load", classmethod(lambda cls, *a, **k: Shown()))
    path = tmp_path / "hand.png"
    cv2.imwrite(str(path), np.full((80, 120, 3), 90, np.uint8))
    Shown.cards = []
    return path


class Shown:
    cards: list[CardSighting] = []  # noqa: RUF012 - set by each test
    mirrored = False

    def read(self, image: np.ndarray) -> Reading:
        return Reading(image.shape[1], image.shape[0], tuple(self.cards), {"total": 1.0}, mirrored=self.mirrored)


def test_score_says_points_card_by_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rummy", "score", "--cards", "10H 9S JOKER 10H", "--variant", "contract-a", "--json"]) == 0
    assert json.loads(said(capsys)) == {
        "image": None,
        "cards": ["10H", "9S", "JOKER", "10H"],
        "unsure": [],
        "points": 54,
        "by_card": {"10H": 20, "9S": 9, "JOKER": 25},
    }
    assert main(["rummy", "score", "--cards", "10H 9S JOKER", "--set", "points.joker=50"]) == 0
    assert said(capsys) == "69 points: 10H 9S JOKER\n"


def test_score_of_pictures_lists_unsure_cards_and_does_not_count_them(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Shown.cards = seen("10H 9H? KD #")
    assert main(["rummy", "score", str(picture), str(picture), "--json"]) == 0
    out, err = capsys.readouterr()
    first, second = [json.loads(line) for line in out.splitlines()]
    assert first == second and first["image"] == str(picture)
    assert first["cards"] == ["10H", "KD"] and first["points"] == 20
    assert [list(each["guesses"]) for each in first["unsure"]] == [["9H", "6H"]] and len(
        first["unsure"][0]["corners"]
    ) == 4
    assert "1 face-down card is not counted" in err and "1 face-down card is not counted" in first["notes"][0]
    Shown.cards = seen("10H KD")
    assert main(["rummy", "score", str(picture), "--json"]) == 0
    assert "notes" not in json.loads(said(capsys)), "nothing is wrong"


def test_of_a_mirrored_picture_it_is_said_that_it_was_turned_back(
    picture: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Shown.cards = seen("10H KD")
    monkeypatch.setattr(Shown, "mirrored", True)
    assert main(["rummy", "score", str(picture), "--json"]) == 0
    out, err = capsys.readouterr()
    assert "the picture is mirrored" in err and json.loads(out)["points"] == 20 and "notes" not in json.loads(out)


@pytest.mark.parametrize(
    ("typed", "cards", "unsure"),
    [
        ("9h\n", "10H 9H KD", 0),
        ("\n", "10H KD", 1),
        ("", "10H KD", 1),
        ("-\n", "10H KD", 0),
        ("nine\njoker\n", "10H JOKER KD", 0),
    ],
    ids=["named", "left out", "no answer", "no card", "asked again"],
)
def test_unsure_cards_are_asked_about_on_a_terminal(
    typed: str,
    cards: str,
    unsure: int,
    picture: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Shown.cards = seen("10H 9H? KD")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["rummy", "score", str(picture)]) == 0
    out, err = capsys.readouterr()
    assert f": {cards}\n" in out and ("\n  unsure" in out) == bool(unsure)
    assert "card 2 of 3, as they lie, may be 9H or 6H. Which is it?" in err


def test_pictures_that_give_no_score_are_said_and_the_others_go_on(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Shown.cards = seen("10H KD")
    assert main(["rummy", "score", str(tmp_path / "none.jpg"), str(picture), "--json"]) == 1
    out, err = capsys.readouterr()
    first, second = [json.loads(line) for line in out.splitlines()]
    assert first["error"]["kind"] == "unreadable" and first["image"].endswith("none.jpg") and "points" in second
    assert err.count("\n") == 1
    Shown.cards = []
    assert main(["rummy", "score", str(picture)]) == 1
    assert "no card was found" in capsys.readouterr().err
    Shown.cards = [*seen("10H KD 9C"), *seen("2H 3H 4H", y=600)]
    assert main(["rummy", "score", str(picture)]) == 2
    assert "it shows 2 hands far apart" in capsys.readouterr().err
    Shown.cards = seen("10H 10H 10H 10H")
    assert main(["rummy", "score", str(picture)]) == 2
    assert "hand.png: 10H is there 4 times" in capsys.readouterr().err


def test_laydown_says_melds_wild_cards_and_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    hand = ["--deal", "1", "--cards", "9S 9D JOKER 4C 4D 4H KS QH 2C 7D"]
    assert main(["rummy", "laydown", "--variant", "contract-b", *hand, "--json"]) == 0
    assert json.loads(said(capsys)) == {
        "possible": True,
        "melds": [
            {"kind": "set", "cards": ["9D", "9S", "JOKER"], "wilds": {"JOKER": "9C"}},
            {"kind": "set", "cards": ["4C", "4D", "4H"], "wilds": {}},
        ],
        "left": ["KS", "QH", "2C", "7D"],
        "points_left": 29,
    }
    assert main(["rummy", "laydown", *hand]) == 0
    assert "can be laid down" in said(capsys)


def test_laydown_that_is_not_possible_leaves_the_whole_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rummy", "laydown", "--deal", "7", "--cards", "9S 9D KH", "--json"]) == 0
    found = json.loads(said(capsys))
    assert found == {"possible": False, "melds": [], "left": ["9S", "9D", "KH"], "points_left": 28}


def test_two_jokers_of_a_meld_have_keys_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    cards = "9S JOKER JOKER 4C 4D 4H"
    assert main(["rummy", "laydown", "--deal", "1", "--cards", cards, "--set", "meld_size=at_least", "--json"]) == 0
    melds = json.loads(said(capsys))["melds"]
    assert {"JOKER": "9C", "JOKER#2": "9D"} in [meld["wilds"] for meld in melds]


def test_set_changes_what_can_be_laid_down(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["rummy", "laydown", "--deal", "3", "--cards", "3H 4H 5H 6H 7H 8H 9H 10H KC 2C", "--json"]
    main(ask)
    assert not json.loads(said(capsys))["possible"]
    main([*ask, "--set", "same_suit_runs=free"])
    assert json.loads(said(capsys))["points_left"] == 12


def test_laydown_of_a_picture_names_it_and_what_is_unsure(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Shown.cards = seen("9S 9D 9C 4C 4D 4H 8H? KD")
    assert main(["rummy", "laydown", str(picture), "--deal", "1", "--json"]) == 0
    found = json.loads(said(capsys))
    assert found["image"] == str(picture) and len(found["unsure"]) == 1
    assert found["possible"] and found["left"] == ["KD"]


def test_the_discard_is_said_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["rummy", "laydown", "--deal", "2", "--players", "4", "--cards", "10H JH QH 5C 5D 5S 9S 2C 7D", "--discard"]
    assert main([*ask, "--json"]) == 0
    best = json.loads(said(capsys))["discards"][0]
    assert (best["card"], best["useful"], best["unseen"], best["short"]) == ("9S", 5, 96, 1)
    assert main(ask) == 0
    assert "discard 9S: 1 short of it, 5 of 96 unseen cards help" in said(capsys)


def test_check_judges_melds_contract_and_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["rummy", "check", "--melds", "9S 9D JOKER / 4H 5H 7H 8H / 4C 5C 6C 7C", "--deal", "2", "--hand", "9C 8C KD"]
    assert main([*ask, "--json"]) == 0
    found = json.loads(said(capsys))
    assert [meld["legal"] for meld in found["melds"]] == [True, False, True]
    assert found["melds"][0] == {
        "kind": "set",
        "cards": ["9S", "9D", "JOKER"],
        "wilds": {"JOKER": "9C"},
        "legal": True,
        "why": None,
        "sentence": "",
    }
    assert found["melds"][1]["why"] == "gap" and "six of hearts is missing" in found["melds"][1]["sentence"]
    assert found["contract"]["met"] is False and found["contract"]["deal"] == 2
    assert {(each["card"], each["meld"]) for each in found["lay_offs"]} == {("8C", 3), ("9C", 1)}
    assert found["left"] == ["KD"] and found["points_left"] == 10
    assert found["swaps"] == [{"card": "9C", "for": "JOKER", "meld": 1}] and "best" not in found
    swapped = ["rummy", "check", "--melds", "3H 4H 5H JOKER / 9S 9D 9C", "--hand", "6H KS"]
    assert main([*swapped, "--json"]) == 0
    better = json.loads(said(capsys))["best"]
    assert better["swap"] == {"card": "6H", "for": "JOKER", "meld": 1} and better["points_left"] == 10
    assert main(swapped) == 0
    assert "better: swap 6H for the JOKER in 1, then" in said(capsys)
    assert main(ask) == 0
    assert "no meld" in said(capsys)


def test_check_groups_the_cards_of_a_picture(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Shown.cards = [*seen("9S 9D JOKER"), *seen("4H 5H 6H 7H", y=150), *seen("2C 2D", x=300)]
    assert main(["rummy", "check", str(picture), "--deal", "2", "--json"]) == 0
    found = json.loads(said(capsys))
    assert [meld["cards"] for meld in found["melds"]] == [["9S", "9D", "JOKER"], ["2C", "2D"], ["4H", "5H", "6H", "7H"]]
    assert [meld["why"] for meld in found["melds"]] == [None, "too_few", None]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["score", "--cards", "1Z"], "cards: '1Z' is not a card"),
        (["score", "--cards", "10"], "cards: '10' could be any of four cards"),
        (["score", "--cards", "10H 10H 10H 10H"], "the packs of contract-b hold 3 tens of hearts"),
        (["score", "--cards", "10H 10H 10H", "--players", "4"], "for 4 players hold 2 tens of hearts"),
        (["score", "--cards", "JOKER", "--variant", "gin"], "the packs of gin hold no jokers"),
        (["score", "--cards", "2C " * 3 + "3C 4C 5C " * 7, "--deal", "1"], "24 cards are too many"),
        (["score", "--cards", "2C", "--variant", "nix"], "unknown variant 'nix': use one of contract-a"),
        (["score", "--cards", "2C", "--set", "meld_size"], "is not FIELD=VALUE"),
        (["score", "--cards", "2C", "--set", "meld_size=most"], "it must be exact or at_least"),
        (["score", "--cards", "2C", "--deal", "9"], "contract-b has no deal 9"),
        (["score", "--cards", "2C", "--players", "9"], "contract-b is not for 9 players"),
        (["score"], "give one of these: pictures, --cards, or --batch FILE"),
        (["score", "x.jpg", "--cards", "2C"], "give one of these"),
        (["laydown", "--cards", "2C"], "say which of the 7 deals it is"),
        (["check", "--melds", "2C 2D 2H / 9X"], "melds: '9X' is not a card"),
        (["check", "--melds", "2C 2D 2H", "--deal", "12"], "contract-b has no deal 12"),
        (["check", "--melds", "2C 2D 2H", "--hand", "9"], "hand: '9' could be any"),
        (["check", "--melds", "2C 2C 2C / 2C 2D 2H"], "2C is there 4 times"),
        (["variants", "nix"], "unknown variant 'nix'"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rummy", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and sentence in err and err.count("\n") == 1


def test_what_is_refused_with_json_is_said_as_in_a_batch(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rummy", "score", "--cards", "9X", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["kind"], error["part"]) == ("malformed", "cards") and "9X" in error["message"]
    assert main(["rummy", "score", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"].startswith("give one of these")


def test_a_batch_answers_every_line_and_names_what_is_wrong_with_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        '{"cards": "9S 9D JOKER 4C 4D 4H KS QH 2C 7D", "deal": 1}',
        '{"cards": "9S 9D", "deal": 7}',
        "",
        '{"cards": "9", "deal": 1}',
        '{"cards": "9Z", "deal": 1}',
        '{"cards": "9S 9S 9S 9S", "deal": 1}',
        '{"cards": [9], "deal": 1}',
        '{"cards": "9S"}',
        '{"cards": "9S", "deal": "1"}',
        '{"cards": "9S", "deal": 8}',
        "[]",
        "{",
        '{"cards": "9S", "deal": 1, "variant": "nix"}',
        '{"cards": "9S", "deal": 1, "variant": 3}',
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert main(["rummy", "laydown", "--batch", "-"]) == 1
    first, second, *others = [json.loads(line) for line in said(capsys).splitlines()]
    assert first["possible"] and first["points_left"] == 29 and not second["possible"]
    assert [(line["error"]["kind"], line["error"]["part"]) for line in others] == [
        ("ambiguous", "cards"),
        ("malformed", "cards"),
        ("impossible", "cards"),
        ("malformed", "cards"),
        ("malformed", "deal"),
        ("malformed", "deal"),
        ("impossible", "deal"),
        ("malformed", "line"),
        ("malformed", "line"),
        ("malformed", "variant"),
        ("malformed", "variant"),
    ]
    assert [line["error"]["line"] for line in others] == list(range(4, 15))


def test_a_batch_without_fault_ends_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text('{"cards": "9S 9D"}\n{"cards": "KS"}\n')
    assert main(["rummy", "score", "--batch", str(path)]) == 0
    assert [json.loads(line)["points"] for line in said(capsys).splitlines()] == [18, 10]
    path.write_text('{"melds": "9S 9D 9C", "deal": 1}\n')
    assert main(["rummy", "check", "--batch", str(path)]) == 0
    assert json.loads(said(capsys))["melds"][0]["legal"]
    assert main(["rummy", "score", "--batch", str(tmp_path / "none")]) == 1
    assert "could not be read" in capsys.readouterr().err


def test_a_line_of_a_batch_may_have_a_list_of_cards_a_variant_and_a_hand_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text('{"cards": ["10H", "9S", "JOKER"]}\n{"cards": "10H 9S JOKER", "variant": "contract-a"}\n')
    assert main(["rummy", "score", "--batch", str(path)]) == 0
    assert [json.loads(line)["points"] for line in said(capsys).splitlines()] == [34, 44]
    path.write_text('{"melds": "9S 9D 9C", "hand": "9H KS"}\n{"melds": "9S 9D 9C"}\n')
    assert main(["rummy", "check", "--hand", "KD", "--batch", str(path)]) == 0
    assert [json.loads(line)["left"] for line in said(capsys).splitlines()] == [["KS"], ["KD"]]


def test_variants_are_listed_and_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rummy", "variants"]) == 0
    listed = said(capsys)
    assert "shanghai: Shanghai rummy, 3-8 players, 10 deals" in listed and "not certain" in listed
    assert main(["rummy", "variants", "shanghai"]) == 0
    words = said(capsys)
    assert "deal 8: 11 cards, 1 set of 3 + 1 sequence of 10" in words and "? not certain" in words
    assert "3 sequences of 5, 4 buys" in words
    assert main(["rummy", "variants", "--json"]) == 0
    assert json.loads(said(capsys))["contract-b"]["points"]["joker"] == 15
    own = tmp_path / "friday.toml"
    own.write_text('variant = "contract-b"\n[points]\njoker = 30\n')
    assert main(["rummy", "score", "--cards", "JOKER", "--variant", str(own), "--json"]) == 0
    assert json.loads(said(capsys))["points"] == 30


def test_the_benchmark_prints_what_it_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rummy-solver", "--hands", "14", "--json"]) == 0
    figures = json.loads(said(capsys))
    assert figures["hands"] == 14 and set(figures["by_deal"]) == set("1234567")
    assert 0 < figures["lay_down_ms"]["median"] <= figures["lay_down_ms"]["worst"]
    assert main(["bench", "rummy-solver", "--cards", "30"]) == 2


@pytest.mark.parametrize("words", [["score"], ["laydown"], ["check"], ["variants"]])
def test_every_command_helps_with_an_example(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rummy", *words, "--help"]) == 0
    assert f"example: tableside rummy {words[0]}" in " ".join(said(capsys).split())
