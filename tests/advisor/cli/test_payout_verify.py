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
from advisor.cli.payout_pictures import shows_nothing
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
        grey = 100 + len(reader.laid)
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
        image = np.full((100, 200, 3), grey, np.uint8)
        image[60:, 150:] = 200  # something to see
        cv2.imwrite(str(path), image)
        return path

    return make


def remade(path: Path, *, size: tuple[int, int] | None = None, all_of_it: int | None = None) -> Path:
    """That picture in another size, or with nothing to see in it but one grey."""
    image = cv2.imread(str(path))
    assert image is not None
    if all_of_it is not None:
        corner = image[0, 0].copy()
        image[:] = all_of_it
        image[0, 0] = corner  # which the reader goes by
    cv2.imwrite(str(path), image if size is None else cv2.resize(image, size))
    return path


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
        "doubts": [],
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


def test_a_hint_never_says_to_do_what_was_done(picture: Picture, capsys: pytest.CaptureFixture[str]) -> None:
    pair, won = picture("red", "red red"), picture("red", "red red", "red")
    for more, hint in {
        ("win=5,lose=15",): "Look at the amounts in --outcome again, or say --first-bet.",
        ("win=5", "--first-bet"): "Look at the amounts in --outcome again, or leave out --first-bet.",
        ("double-win", "--first-bet"): "Leave out --first-bet, or say what lay on each bet, such as --outcome win=10",
    }.items():
        assert main(words(pair, picture(*["red"] * 6) if "double-win" in more else won, *more)) == 1
        assert hint in capsys.readouterr().out, more


def test_a_doubt_says_where(picture: Picture, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = picture("red", "? green green"), picture("red")
    assert main(words(before, after, "win")) == 1
    where = f"{before} at 75,55, perhaps 2 green: something hides a part of it"
    assert where in capsys.readouterr().out
    said = as_json(capsys, 1, words(before, after, "win", "--spot", "0,0,70,100"))
    assert [(it["image"], it["reason"]) for it in said["doubts"]] == [(str(before), "something hides a part of it")]
    said = as_json(capsys, 1, words(before, after, "win"))
    assert said["doubts"] == [
        {
            "image": str(before),
            "box": [55.0, 20.0, 95.0, 90.0],
            "reason": "something hides a part of it",
            "guess": {"count": 2, "colours": {"green": 2}},
        }
    ]


@pytest.mark.parametrize(
    ("before", "after", "outcome", "swapped"),
    [
        (["red red"], ["red"], "win", True),
        ([], ["red red"], "lose", True),
        (["red red"], ["red"], "lose", False),
        (["red red"], ["red red", "red"], "win", False),
        (["red"], ["red red"], "win", False),
    ],
)
def test_pictures_that_were_swapped_are_noticed(
    picture: Picture,
    capsys: pytest.CaptureFixture[str],
    before: list[str],
    after: list[str],
    outcome: str,
    swapped: bool,
) -> None:
    main([*words(picture(*before), picture(*after), outcome), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert any("if the two pictures were swapped" in line for line in said["notices"]) == swapped


def test_one_picture_as_both_is_noticed(picture: Picture, capsys: pytest.CaptureFixture[str]) -> None:
    one, like_it = picture("red"), picture("red")
    said = as_json(capsys, 0, words(one, one, "push"))
    assert said["notices"] == ["Both pictures are the same: was --after taken once it was paid?"]
    assert as_json(capsys, 0, words(one, like_it, "push"))["notices"] == []


def test_a_rectangle_needs_two_pictures_of_one_size(picture: Picture, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = picture("red"), remade(picture("red", "red"), size=(400, 200))
    assert main(words(before, after, "win", "--spot", "0,0,200,100")) == 2
    out, err = capsys.readouterr()
    assert out == "" and f"not of one size ({before} 200 x 100 and {after} 400 x 200)" in err
    assert main(words(before, after, "win")) == 0, "every chip in the pictures"


@pytest.mark.parametrize(
    ("level", "size", "says"),
    [(3, None, "almost black"), (100, None, "shows nothing"), (252, None, "almost white"), (None, (1, 1), "too small")],
)
def test_a_picture_that_shows_nothing_is_no_empty_spot(
    picture: Picture,
    capsys: pytest.CaptureFixture[str],
    level: int | None,
    size: tuple[int, int] | None,
    says: str,
) -> None:
    before, after = picture("red"), picture()
    assert main(words(before, after, "lose")) == 0
    capsys.readouterr()
    assert main(words(before, remade(after, size=size, all_of_it=level), "lose")) == 1
    out, err = capsys.readouterr()
    assert out == "" and str(after) in err and says in err and "Take it again." in err


def test_bare_felt_shows_that_nothing_lies_there_and_another_place_does_not() -> None:
    light, noise = np.linspace(-8, 8, 320), np.random.default_rng(0)
    felt = np.clip(110 + light + noise.normal(0, 4, (240, 320)), 0, 255).astype(np.uint8)
    bare = np.repeat(felt[..., None], 3, axis=2)
    bet = bare.copy()
    cv2.circle(bet, (160, 120), 60, (30, 30, 200), cv2.FILLED)
    assert shows_nothing(bare, bet) == ""
    assert "something covers the lens" in shows_nothing(bare, 255 - bare // 2)


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
        (
            ["--outcome", "win", "--layout", "three-seats", "--spot", "9"],
            2,
            "its seats are 1, 2, 3, its insurance places insurance-1,",
        ),
        (["--outcome", "win", "--layout", "five-bets", "--spot", "1"], 2, "no place on it can be named"),
        (["--outcome", "win", "--chipset", ""], 1, "no set of chips called ''"),
        (["--outcome", "win", "--layout", "three-seats", "--spot", "rack-1"], 2, "is no place of layout three-seats"),
        (["--outcome", "win", "--layout", "nowhere", "--spot", "1"], 2, "nowhere"),
        (
            ["--outcome", "win", "--layout", "three-seats", "--spot", "2"],
            1,
            "with all of its white rim showing.",
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
