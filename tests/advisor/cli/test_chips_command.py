"""``tableside chips`` and ``chipset``: JSON as promised, exact totals, sentences for what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from advisor.cli import chipset, main
from advisor.cli.chip_sets import kept_set, sets_folder
from advisor.cli.chips import as_object, in_words, money
from advisor.money import DEFAULT_CHIPS
from vision.chips.appearance import Appearance, Shown, load_appearance
from vision.chips.crops import Image
from vision.chips.likeness import SAMPLES
from vision.chips.reader import ChipReader
from vision.chips.values import COLOURS, Box, ChipReading, ChipSize, ChipStack

CUP: Box = (20.0, 0.0, 60.0, 40.0)


class MadeUpReader:
    """A sure stack, a loose chip, a colour without value and two doubts in every picture; fails on very dark ones.

    In bright pictures another stack is likely, not sure; in those of 90 lies a rack of two rows.
    """

    def __init__(self, appearance: Appearance | None) -> None:
        self.appearance = appearance

    def read(self, image: np.ndarray) -> ChipReading:
        if image.mean() < 5:
            raise RuntimeError("odd")
        stacks = (
            ChipStack((10, 20, 60, 90), ("black", "red", "red"), 0.95),
            ChipStack((70, 20, 99, 40), ("yellow",), 0.9),
            ChipStack((100, 20, 150, 90), ("blue",) * 4, 0.9),
            ChipStack((160, 20, 199, 90), ("red",) * 8, 0.4, "something hides a part of it"),
            ChipStack((1, 1, 9, 9), (), 0.0, "round, but no chip that is known", "other"),
        )
        if image.mean() > 200:
            reason = "its chips could not be counted surely"
            stacks += (ChipStack((60, 50, 99, 99), ("red",) * 7, 0.7, reason, likely=True),)
        if int(image.mean()) == 90:
            mixed = ("white",) * 12 + ("red",) * 8
            stacks = (
                ChipStack((10, 10, 90, 40), ("green",) * 20, 0.98, shape="tube"),
                ChipStack((10, 50, 90, 80), mixed, 0.7, "its chips could not be counted surely", "tube", likely=True),
            )
        return ChipReading(image.shape[1], image.shape[0], stacks, {"find": 1.0, "total": 2.0})

    def round_things(self, image: np.ndarray) -> list[Box]:
        return [it.box for it in self.shown(image)]

    def shown(self, image: np.ndarray, there: Sequence[Box] = (), empty: np.ndarray | None = None) -> list[Shown]:
        """A chip that looks like the picture's grey, none on black and white; a wider cup where that is below 30."""
        grey = int(image[0, 0, 0])
        words = np.full((1, len(COLOURS)), -6.0, np.float32)
        words[0, grey % len(COLOURS)] = 3.0
        edges = np.full((1, SAMPLES, 3), grey, np.uint8)
        boxes = [CUP] * (grey < 30) + [(0.0, 0.0, 9.0, 9.0)] * (grey not in (0, 255))
        return [Shown(box, words, edges) for box in boxes if box not in there]


@pytest.fixture
def picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture, a home of its own, and a reader that needs no network."""

    def load(cls: type, *_a: object, appearance: Appearance | None = None, **_k: object) -> MadeUpReader:
        return MadeUpReader(appearance)

    monkeypatch.setattr(ChipReader, "load", classmethod(load))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return written(tmp_path / "pile.png", 99)


def shades(grey: int, colour: bool = True) -> Image:
    """A grey picture with a corner of some colour: a picture without any shows no chip's."""
    image = np.full((100, 200, 3), grey, np.int16)
    if colour:
        image[90:, 180:] += np.array([20, 0, -20])
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def written(path: Path, grey: int, colour: bool = True) -> Path:
    cv2.imwrite(str(path), shades(grey, colour))
    return path


def test_the_json_is_as_promised(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chips", str(picture), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["image"] == str(picture) and said["total"] == said["sure_total"] == "110.50"
    assert said["stacks"][0] == {
        "box": [10.0, 20.0, 60.0, 90.0],
        "shape": "stack",
        "count": 3,
        "colours": {"black": 1, "red": 2},
        "order": ["black", "red", "red"],
        "confidence": 0.95,
        "sure": True,
    }
    assert [s["count"] for s in said["stacks"]] == [3, 1, 4]
    assert [u["reason"] for u in said["unsure"]] == [
        "something hides a part of it",
        "round, but no chip that is known",
        "no value is known for blue",
    ]


def test_people_get_the_total_by_colour_and_the_doubts(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chips", str(picture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{picture}: at least 110.50", "a stack is half hidden, and of the blue ones no value is known"
    assert [line.split() for line in lines[1:5]] == [
        ["1", "black:", "100.00"],
        ["2", "red:", "10.00"],
        ["1", "yellow:", "0.50"],
        ["4", "blue:", "no", "value", "known"],
    ]
    assert "perhaps 8 red: something hides a part of it" in lines[5]


def test_what_is_likely_counts_and_is_said_not_to_be_sure(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bright = written(picture.parent / "bright.png", 220)
    assert main(["chips", str(bright), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["total"] == "145.50" and said["sure_total"] == "110.50"
    assert [s["sure"] for s in said["stacks"]] == [True, True, True, False]
    (doubt,) = [u for u in said["unsure"] if u["box"] == said["stacks"][3]["box"]]
    assert doubt["guess"] == {"count": 7, "colours": {"red": 7}} and "could not be counted surely" in doubt["reason"]
    assert main(["chips", str(bright)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{bright}: about 145.50"
    assert lines[2].split(maxsplit=2) == ["9", "red:", "45.00 (7 of them not sure)"]
    assert any("probably 7 red: its chips could not be counted surely" in line for line in lines)


@pytest.mark.parametrize(
    ("doubtful", "taken"),
    [
        (None, "exact"),
        (ChipStack((160, 20, 199, 90), ("red",) * 8, 0.4, "cut off by the picture's frame"), "at least"),
        (ChipStack((160, 20, 199, 90), ("red",) * 22, 0.9, "taller than 21 chips", found=0.6), "at least"),
        (ChipStack((160, 20, 199, 90), ("blue",) * 2, 0.9), "at least"),
        (ChipStack((160, 20, 199, 90), ("red",) * 2, 0.4, "something hides a part of it", found=0.4), "exact"),
        (ChipStack((160, 20, 199, 90), ("red",), 0.1, "round, but no chip that is known"), "exact"),
        (ChipStack((1, 1, 9, 9), (), 0.0, "round, but no chip that is known", "other"), "exact"),
        (ChipStack((160, 20, 199, 90), ("red",), 0.7, "not counted surely", likely=True), "about"),
    ],
)
def test_a_total_says_whether_it_is_all_that_lies_there(doubtful: ChipStack | None, taken: str) -> None:
    sure = ChipStack((10, 20, 60, 90), ("red",) * 3, 0.95)
    reading = ChipReading(200, 100, (sure,) if doubtful is None else (sure, doubtful), {"total": 1.0})
    said = as_object("a.jpg", reading, DEFAULT_CHIPS, 1.0)
    total = "20.00" if taken == "about" else "15.00"
    assert (said["total_is"], said["total"]) == (taken, total)
    first, *_ = in_words("a.jpg", reading, DEFAULT_CHIPS).splitlines()
    assert first == f"a.jpg: {total if taken == 'exact' else f'{taken} {total}'}"


def test_chips_of_which_none_has_a_value_come_to_no_amount() -> None:
    reading = ChipReading(200, 100, (ChipStack((10, 20, 60, 90), ("blue",) * 3, 0.95),), {"total": 1.0})
    assert in_words("a.jpg", reading, DEFAULT_CHIPS).splitlines() == [
        "a.jpg: no value known",
        "     3 blue: no value known",
    ]


def test_of_a_rack_each_row_is_said_beside_the_total(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rack = written(picture.parent / "rack.png", 90)
    assert main(["chips", str(rack)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{rack}: about 552.00"
    assert "  in a rack, row by row: 20 green; 12 white, 8 red" in lines
    assert main(["chips", str(rack), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [(s["shape"], s["count"], s["sure"]) for s in said["stacks"]] == [("row", 20, True), ("row", 20, False)]
    assert said["sure_total"] == "500.00"


def test_a_bad_picture_does_not_end_the_run(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dark, missing = written(picture.parent / "dark.png", 0), picture.parent / "none.png"
    assert main(["chips", str(dark), str(missing), str(picture), "--json"]) == 1
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert ["error" in row for row in rows] == [True, True, False]
    assert "it could not be read (RuntimeError: odd)" in err and "there is no such file" in err


def test_other_values_can_be_given(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = picture.parent / "own.toml"
    file.write_text("[chips]\nblack = 1\nred = 0.25\nyellow = 2\nblue = 10\n")
    assert main(["chips", str(picture), "--chips", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == "43.50"


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Fraction(35), "35.00"),
        (Fraction(1, 2), "0.50"),
        (Fraction(1, 8), "0.125"),
        (Fraction(1, 3), "1/3"),
        (Fraction(123456789012), "123456789012.00"),
    ],
)
def test_amounts_are_exact_and_have_two_places(amount: Fraction, text: str) -> None:
    assert money(amount) == text


def enrolled(folder: Path, name: str, chips: Sequence[tuple[int, str]]) -> list[str]:
    words = ["chipset", "enrol", name]
    for grey, chip in chips:
        words += ["--image", f"{written(folder / f'{grey}.png', grey)}={chip}"]
    return words


def test_a_set_is_learned_listed_used_and_forgotten(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(enrolled(picture.parent, "home", [(27, "red:5"), (30, "black:20"), (25, "yellow:1")])) == 0
    assert capsys.readouterr().out == "home: black 20.00, red 5.00, yellow 1.00. Use it with --set 'home'.\n"
    assert main(["chipset", "list", "--json"]) == 0
    values = {"red": "5", "black": "20", "yellow": "1"}
    assert json.loads(capsys.readouterr().out) == {"home": {"values": values, "size": None}}
    assert main(["chips", str(picture), "--set", "home", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == "31.00"
    assert main(["chipset", "delete", "home", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"deleted": "home"}
    assert main(["chipset", "list"]) == 0
    assert capsys.readouterr().out == "No set of chips has been learned yet.\n"


def test_what_a_set_loses_is_said_and_with_add_it_keeps_it(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*enrolled(picture.parent, "home", [(27, "red:5"), (30, "black:20")]), "--size", "40x3.3"]) == 0
    assert main([*enrolled(picture.parent, "home", [(25, "yellow:1"), (28, "red:6")]), "--add", "--json"]) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (said["values"], said["dropped"]) == ({"black": "20", "red": "6", "yellow": "1"}, [])
    learned, chipset = kept_set("home")
    assert learned.edges is not None
    assert dict(zip(learned.names, learned.edges[:, 0, 0], strict=True)) == {"black": 30, "yellow": 25, "red": 28}
    assert learned.size == ChipSize(40, 3.3) and chipset.value("red") == 6
    assert main(enrolled(picture.parent, "home", [(27, "red:5")])) == 0
    assert "Dropped, since they were not shown again: black, yellow. With --add" in capsys.readouterr().out
    assert kept_set("home")[0].names == ("red",)
    assert main([*enrolled(picture.parent, "away", [(27, "red:5")]), "--add"]) == 1
    assert "no set called 'away' to add to" in capsys.readouterr().err


def test_a_set_that_cannot_be_written_leaves_nothing_behind(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sets_folder() / "home.json").mkdir(parents=True)
    assert main(enrolled(picture.parent, "home", [(27, "red:5")])) == 1
    assert "could not be written" in capsys.readouterr().err
    assert [path.name for path in sets_folder().iterdir()] == ["home.json"]


def test_a_damaged_set_hides_no_other(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(enrolled(picture.parent, "home", [(27, "red:5")])) == 0
    (sets_folder() / "bad.json").write_text('{"values": {"red": "-5"}, "looks": []}')
    capsys.readouterr()
    assert main(["chipset", "list"]) == 1
    out, err = capsys.readouterr()
    assert out == "home: red 5.00\n" and err.endswith("bad.json: the file is damaged; enrol the set again.\n")
    assert main(["chipset", "list", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["home"]["values"] == {"red": "5"} and "is damaged" in said["bad"]["error"]
    assert main(["chips", str(picture), "--set", "bad"]) == 1
    assert "bad.json: the file is damaged; enrol the set again." in capsys.readouterr().err


def test_chips_that_look_alike_are_named(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(enrolled(picture.parent, "home", [(27, "red:5"), (39, "rust:20")])) == 0
    assert "red and rust look much alike" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["chips", "a.png", "--set", "x"], 1, "no set of chips called 'x'"),
        (["chips", "a.png", "--set", "x", "--chips", "y"], 2, "leave out --chips"),
        (["chips", "a.png", "--set", ""], 1, "no set of chips called ''"),
        (["chips", "a.png", "--chips", "none.toml"], 2, "cannot be read"),
        (["chipset", "enrol", "../x", "--image", "a.png=red:5"], 2, "no name for a set"),
        (["chipset", "enrol", "x"], 2, "either --image"),
        (["chipset", "enrol", "x", "--image", "a.png"], 2, "FILE=COLOUR:VALUE"),
        (["chipset", "enrol", "x", "--image", "a.png=Red:5"], 2, "small letters"),
        (["chipset", "enrol", "x", "--image", "a.png=red:-5"], 2, "must be worth more than 0"),
        (["chipset", "enrol", "x", "--image", "a=red:5", "--image", "b=red:6"], 2, "two values"),
        (["chipset", "enrol", "x", "--image", "none.png=red:5"], 1, "no such file"),
        (["chipset", "enrol", "x", "--image", "a.png=red:5", "--size", "39"], 2, "such as 39x66/20 for twenty stacked"),
        (
            ["chipset", "enrol", "x", "--image", "a.png=red:5", "--size", "39x66"],
            2,
            "1.5 to 5 mm thick, not 66; twenty stacked",
        ),
        (["chipset", "enrol", "x", "--image", "a.png=red:5", "--size", "9x3.3"], 2, "20 to 70 mm wide, not 9"),
        (["chipset", "delete", "x"], 1, "no set of chips called 'x'"),
    ],
)
def test_what_is_wrong_is_said(
    picture: Path, words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    out, err = capsys.readouterr()
    assert out == "" and said in err


def filmed(monkeypatch: pytest.MonkeyPatch, greys: Sequence[int], colour: bool = True) -> None:
    """A camera that shows a picture of each grey for two seconds, five times a second, on a clock of its own."""
    clock = [0.0]

    @contextmanager
    def watching(_source: str, _seconds: float) -> Iterator[Any]:
        class Film:
            message = "The film is over."

            def __iter__(self) -> Iterator[Any]:
                for grey in greys:
                    for _ in range(10):
                        clock[0] += 0.2
                        yield SimpleNamespace(image=shades(grey, colour))

        yield Film()

    monkeypatch.setattr(chipset, "watching", watching)
    monkeypatch.setattr(chipset, "time", SimpleNamespace(monotonic=lambda: clock[0]))


CAMERA = ["chipset", "enrol", "home", "--source", "0", "--chip", "red:5", "--chip", "blue:10"]


def test_chips_are_shown_to_a_camera_in_turn_and_a_cup_that_stands_there_is_none_of_them(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filmed(monkeypatch, [0, 27, 0, 18])
    assert main(CAMERA) == 0
    words = capsys.readouterr().err
    assert words.index("Show nothing") < words.index("Show red") < words.index("red learned")
    learned, kept = load_appearance("home", sets_folder())
    assert learned.names == ("red", "blue") and kept["values"] == {"red": "5", "blue": "10"}
    assert learned.edges is not None and learned.edges[:, 0, 0].tolist() == [27, 18], "the chips, not the cup"


def test_a_camera_that_shows_no_colour_teaches_none(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filmed(monkeypatch, [0, 27, 0, 18], colour=False)
    assert main(CAMERA) == 1
    words = capsys.readouterr().err
    assert words.count("the picture has no colour") == 1 and "Not shown: red, blue" in words


def test_chips_of_several_colours_before_the_camera_teach_none(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filmed(monkeypatch, [0, 27, 0, 18])
    two = looks((CUP, [3, 3]), ((100.0, 0.0, 120.0, 40.0), [5]))
    monkeypatch.setattr(MadeUpReader, "shown", lambda _self, image, *_: two if image[0, 0, 0] else [])
    assert main(CAMERA) == 1
    words = capsys.readouterr().err
    assert words.count("Chips of several colours are in view: show red alone.") == 1


def test_of_a_camera_without_a_picture_no_chip_is_asked_for(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filmed(monkeypatch, [])
    assert main(CAMERA) == 1
    assert capsys.readouterr().err == "tableside: The film is over. No picture came, and nothing was kept.\n"


def test_what_was_not_shown_to_the_camera_is_named_and_nothing_is_kept(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filmed(monkeypatch, [0, 27, 0])
    assert main(CAMERA) == 1
    assert "Not shown: blue" in capsys.readouterr().err
    assert main(["chipset", "list"]) == 0
    assert "No set of chips" in capsys.readouterr().out


@pytest.mark.parametrize(("told", "size"), [("40X3,4", ChipSize(40, 3.4)), ("43 x 67 / 20", ChipSize(43, 3.35, 20))])
def test_a_set_keeps_how_large_its_chips_are(
    picture: Path, told: str, size: ChipSize, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*enrolled(picture.parent, "home", [(27, "red:5")]), "--size", told]) == 0
    assert load_appearance("home", sets_folder())[0].size == size
    capsys.readouterr()
    assert main(["chipset", "list"]) == 0
    assert capsys.readouterr().out == f"home: red 5.00 ({size.width:g} mm wide, {size.thick:g} mm thick)\n"
    assert main([*enrolled(picture.parent, "home", [(27, "red:6")]), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["size"] == [size.width, size.thick, size.stacked], "measured once"


def test_a_picture_without_colour_teaches_none(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grey = written(picture.parent / "grey.png", 27, colour=False)
    assert main(["chipset", "enrol", "home", "--image", f"{grey}=red:5"]) == 1
    assert f"{grey}: the picture has no colour" in capsys.readouterr().err


def looks(*shown: tuple[Box, Sequence[int]]) -> list[Shown]:
    """Stacks in these boxes, of chips of these colours from the bottom up."""
    out = []
    for box, colours in shown:
        words = np.full((len(colours), len(COLOURS)), -6.0, np.float32)
        words[range(len(colours)), colours] = 3.0
        out.append(Shown(box, words, np.zeros((len(colours), SAMPLES, 3), np.uint8)))
    return out


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (looks((CUP, [3, 3]), ((100.0, 0.0, 120.0, 40.0), [3, 3])), ""),
        (looks((CUP, [3, 3]), ((100.0, 0.0, 120.0, 40.0), [5])), "(at 40,20 and 110,20)"),
        (looks((CUP, [3, 3, 5, 5])), "(at 40,20)"),
    ],
)
def test_chips_of_several_colours_teach_none(
    picture: Path,
    shown: list[Shown],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Else the wider of two stacks would be learned, whichever was meant."""
    monkeypatch.setattr(MadeUpReader, "shown", lambda *_: shown)
    assert main(["chipset", "enrol", "home", "--image", f"{picture}=red:5"]) == int(bool(said))
    assert said in capsys.readouterr().err


def test_a_picture_without_a_chip_teaches_nothing(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(enrolled(picture.parent, "home", [(255, "red:5")])) == 1
    assert "no chip was found" in capsys.readouterr().err
