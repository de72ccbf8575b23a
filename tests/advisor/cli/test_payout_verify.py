"""``tableside payout verify``: two pictures, a verdict, exact chips to put it right; sentences for what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from advisor.cli import main
from advisor.cli.payout_verify import ENDINGS
from advisor.money import ENDINGS as KNOWN
from vision.chips.reader import ChipReader
from vision.chips.values import ChipReading, ChipStack
from vision.felt import load_layout
from vision.felt.drawing import draw, printed

Picture = Callable[..., Path]


class MadeUpReader:
    """Reads from a picture's grey level what was laid down for it."""

    def __init__(self) -> None:
        self.laid: dict[int, tuple[ChipStack, ...]] = {}

    def read(self, image: np.ndarray, /, ground: object = None) -> ChipReading:
        return ChipReading(image.shape[1], image.shape[0], self.laid[int(image[0, 0, 0])], {"total": 1.0})


@pytest.fixture
def picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Picture:
    """Makes pictures of stacks from left to right, 50 pixels apart, each written from the bottom ("? red": unsure)."""
    reader = MadeUpReader()
    monkeypatch.setattr(ChipReader, "load", classmethod(lambda cls, *_, **__: reader))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))

    def make(*stacks: str) -> Path:
        grey = 10 + len(reader.laid)
        reader.laid[grey] = tuple(
            ChipStack(
                (50 * at + 5, 20, 50 * at + 45, 90),
                tuple(word for word in text.split() if word != "?"),
                0.9,
                "something hides a part of it" if "?" in text else "",
            )
            for at, text in enumerate(stacks)
        )
        path = tmp_path / f"{grey}.png"
        cv2.imwrite(str(path), np.full((100, 200, 3), grey, np.uint8))
        return path

    return make


def words(before: Path, after: Path, outcome: str, *more: str) -> list[str]:
    return ["payout", "verify", "--before", str(before), "--after", str(after), "--outcome", outcome, *more]


def as_json(capsys: pytest.CaptureFixture[str], code: int, asked: list[str]) -> dict[str, Any]:
    assert main([*asked, "--json"]) == code
    out, err = capsys.readouterr()
    assert err == ""
    said: dict[str, Any] = json.loads(out)
    return said


def test_a_short_payout_is_said_with_the_chips_to_add(picture: Picture, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = picture("red"), picture("red", "red")
    said = as_json(capsys, 1, words(before, after, "blackjack", "--rules", "home"))
    told = said.pop("words")
    assert said == {
        "before": str(before),
        "after": str(after),
        "outcome": "blackjack",
        "verdict": "short",
        "by": "2.50",
        "bet": "5",
        "owed": "7.50",
        "should_lie": "12.50",
        "lies": "10",
        "chance": None,
        "add": {"white": 2, "yellow": 1},
        "take_back": {},
        "reason": "",
        "notices": [],
    }
    assert told[0] == "The spot: short by 2.50. Blackjack on 5 pays 7.50 at 3:2: 12.50 should lie there and 10 does."
    assert told[1:] == [
        "Pull the whole payout back before the rack, add two white and one yellow, and pay again: "
        "never leave it half corrected."
    ]


@pytest.mark.parametrize(
    ("before", "after", "asked", "verdict", "by"),
    [
        (["red"], ["red", "red white white yellow"], ["blackjack"], "correct", "0"),
        (["red"], ["red", "red white"], ["blackjack", "--set", "blackjack_pays=6:5"], "correct", "0"),
        (["red red"], ["red red", "red"], ["push"], "over", "5"),
        (["red red"], [], ["lose"], "correct", "0"),
        (["red", "red"], ["red red red red"], ["double-win"], "correct", "0"),
        (["red"], ["red red red red"], ["double-win", "--first-bet"], "correct", "0"),
        (["red", "red red"], ["red red"], ["win=5,lose=10"], "correct", "0"),
        (["red", "red", "? black"], ["red red", "red red", "black"], ["win", "--spot", "0,0,100,100"], "correct", "0"),
        (["red", "red", "black"], ["red red", "red", "? black"], ["win", "--spot=0,0,100,100"], "short", "5"),
        (["red", "black"], ["red", "red"], ["win", "--spot", "0,0,70,100"], "unsure", None),
        (["? red"], ["red", "red"], ["win"], "unsure", None),
        (["red"], ["red", "? red"], ["win"], "unsure", None),
        ([], ["red"], ["win"], "unsure", None),
    ],
)
def test_the_exit_code_is_0_only_where_all_is_right(
    picture: Picture,
    capsys: pytest.CaptureFixture[str],
    before: list[str],
    after: list[str],
    asked: list[str],
    verdict: str,
    by: str | None,
) -> None:
    said = as_json(capsys, int(verdict != "correct"), words(picture(*before), picture(*after), *asked))
    assert (said["verdict"], said["by"]) == (verdict, by)
    assert (said["reason"] != "") == (verdict == "unsure")


def test_people_get_sentences_and_a_hint(picture: Picture, capsys: pytest.CaptureFixture[str]) -> None:
    empty, one, paid = picture(), picture("red"), picture("red", "red")
    assert main(words(empty, paid, "win")) == 1
    out = capsys.readouterr().out
    assert out.startswith("The spot: not sure, because no chips are seen there before paying.\nCount it by hand.\n")
    assert f"{empty} shows no chips: is it the right picture?" in out
    assert main(words(one, paid, "double-win")) == 1
    assert "Say --first-bet, or what lay on each bet" in capsys.readouterr().out
    assert main(words(picture("? red", "red"), paid, "win")) == 1
    assert "name the spot with --spot" in capsys.readouterr().out
    assert main(words(one, paid, "win")) == 0
    assert capsys.readouterr().out.startswith("The spot: correct.")


def test_the_table_s_own_chips_and_rack(picture: Picture, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.toml"
    file.write_text("[chips]\nblue = 10\nred = 5\n[rack]\nblue = 0\nred = 9\n")
    said = as_json(capsys, 1, words(picture("blue"), picture("blue"), "win", "--chips", str(file)))
    assert said["add"] == {"red": 2}


@pytest.mark.parametrize(
    ("more", "code", "says"),
    [
        (["--outcome", "luck"], 2, "no bet ends with 'luck': say one of win, blackjack"),
        (["--outcome", "surrender", "--rules", "home"], 2, "these house rules pay no surrender"),
        (["--outcome", "win", "--rules", "nonsense"], 2, "unknown house rules 'nonsense'"),
        (["--outcome", "win", "--before", "none.png"], 1, "none.png: there is no such file"),
        (["--outcome", "win", "--chips", "none.toml"], 2, "chips file 'none.toml' cannot be read"),
        (["--outcome", "win", "--chipset", "x"], 1, "no set of chips called 'x'"),
        (["--outcome", "win", "--chipset", "x", "--chips", "y"], 2, "leave out --chips"),
        (["--outcome", "win", "--spot", "1,2,3"], 2, "write X0,Y0,X1,Y1 in pixels"),
        (["--outcome", "win", "--spot", "nan,2,3,4"], 2, "is empty"),
        (["--outcome", "win", "--spot", "9,0,1,4"], 2, "X0 must be less than X1"),
        (["--outcome", "win", "--spot", "900,0,999,4"], 1, "which is 200 x 100 pixels"),
        (["--outcome", "win", "--spot", "3"], 2, "or give --layout for a seat's number"),
        (["--outcome", "win", "--layout", "three-seats"], 2, "--layout needs --spot"),
        (["--outcome", "win", "--layout", "three-seats", "--spot", "9"], 2, "its seats are 1, 2, 3"),
        (["--outcome", "win", "--layout", "three-seats", "--spot", "rack-1"], 2, "is no place of layout three-seats"),
        (["--outcome", "win", "--layout", "nowhere", "--spot", "1"], 2, "nowhere"),
        (
            ["--outcome", "win", "--layout", "three-seats", "--spot", "2"],
            1,
            "none of the markers of layout three-seats",
        ),
    ],
)
def test_mistakes_are_sentences(
    picture: Picture, more: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = picture("red"), picture("red", "red")
    assert main(["payout", "verify", "--before", str(before), "--after", str(after), *more]) == code
    out, err = capsys.readouterr()
    assert says in err and out == "" and "Traceback" not in err


def test_what_stands_before_the_word_verify_is_not_lost(picture: Picture, capsys: pytest.CaptureFixture[str]) -> None:
    _, verify, *rest = words(picture("red"), picture("red", "red white"), "blackjack")
    assert main(["payout", "--set", "blackjack_pays=6:5", "--json", verify, *rest]) == 0
    assert json.loads(capsys.readouterr().out)["owed"] == "6"
    assert main(["payout", "--bet", "red:1", verify, *rest]) == 2
    assert "--bet does not go with payout verify" in capsys.readouterr().err


def test_help_has_an_example_and_names_every_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    assert KNOWN == ENDINGS
    assert main(["payout", "verify", "--help"]) == 0
    out = capsys.readouterr().out
    assert "example: tableside payout verify" in out and all(name.split("-")[0] in out for name in ENDINGS)


class MagentaReader:
    """Takes every magenta patch for a red chip."""

    def read(self, image: np.ndarray, /, ground: object = None) -> ChipReading:
        magenta = (image[..., 0] > 200) & (image[..., 1] < 60) & (image[..., 2] > 200)
        _, _, stats, _ = cv2.connectedComponentsWithStats(magenta.astype(np.uint8))
        stacks = (
            ChipStack((float(x), float(y), float(x + w), float(y + h)), ("red",), 0.9) for x, y, w, h, _ in stats[1:]
        )
        return ChipReading(image.shape[1], image.shape[0], tuple(stacks))


def felt_from_above(path: Path, *chips: tuple[float, float]) -> Path:
    """A pixel a millimetre of the three seats' felt, with its markers and chips at those millimetres."""
    layout, fine = load_layout("three-seats"), 1.0
    width, depth = layout.size
    image = np.full((round(depth * fine), round(width * fine), 3), 110, np.uint8)
    for mark in printed(layout, markers=True):
        draw(image, mark, (-width / 2, 0.0), fine)
    for x, y in chips:
        cv2.circle(image, (round((x + width / 2) * fine), round(y * fine)), 19, (255, 0, 255), cv2.FILLED)
    cv2.imwrite(str(path), image)
    return path


def test_a_seat_is_found_by_its_number_on_a_marked_felt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ChipReader, "load", classmethod(lambda cls, *_, **__: MagentaReader()))
    (x, y), others = (0.0, 640.0), ((400.0, 640.0), (-400.0, 640.0), (0.0, 325.0))
    before = felt_from_above(tmp_path / "before.png", (x, y), *others)
    after = felt_from_above(tmp_path / "after.png", (x, y), (x - 20, y - 100), *others)
    at = ["--layout", "three-seats"]
    assert main(words(before, after, "win", *at, "--spot", "2")) == 0
    assert capsys.readouterr().out.startswith("The bet of seat 2: correct.")
    assert main(words(before, after, "insurance-lose", *at, "--spot", "insurance-2")) == 1
    assert "The insurance of seat 2: over by 5. " in capsys.readouterr().out
    assert main(words(before, after, "win", *at, "--spot", "1")) == 1
    assert "The bet of seat 1: short by 5. " in capsys.readouterr().out
