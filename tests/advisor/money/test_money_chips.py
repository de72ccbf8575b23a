"""Chips, sets of chips, racks, and the file that describes a table's own."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from advisor.money import DEFAULT_CHIPS, UNLIMITED, Chips, ChipSet, MoneyError, Rack, chips_words, load_chips

WORKED = [
    ("black:8 green:8 red:6 white:3", "1033"),
    ("purple:2 black:6 green:1 red:4", "1645"),
    ("black:3 red:2 white:2 yellow:3", "313.50"),
    ("green:5 red:3 white:9", "149"),
    ("black:13 green:5 red:4 white:1", "1446"),
    ("purple:6 black:11 green:16 red:60 white:25 yellow:3", "4826.50"),
    ("purple:2 black:28 green:26 red:84 white:32 yellow:9", "4906.50"),
    ("purple:3 black:11 green:20 red:19 white:21", "3216"),
    ("black:4 green:3 red:16 yellow:2", "556"),
    ("purple:5 black:12 green:15 red:46 white:17 yellow:7", "4325.50"),
]
"""rules/chips-and-payouts.md, "Counting"."""


@pytest.mark.parametrize(("text", "total"), WORKED)
def test_worked_totals(text: str, total: str) -> None:
    chips = Chips.parse(text)
    assert chips.total() == Fraction(total)
    assert chips.text() == text


@pytest.mark.parametrize(
    "text", ["red:1 green:2", "red:1,green:2", " GREEN : 2 ;Red: 1 ", "green:1 red:1 green:1", "red:1 green:2 white:0"]
)
def test_chips_are_read_leniently(text: str) -> None:
    assert Chips.parse(text) == Chips({"red": 1, "green": 2})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("red", r"'red' are no chips: write colour:count"),
        ("red:1:2", r"'red:1:2' are no chips"),
        ("5", r"'5' are no chips"),
        ("pink:1", r"there is no pink chip: the colours are purple, black, green, red, white, yellow"),
        ("red:-1", r"'red:-1': a count of chips is never negative"),
        ("red:1.5", r"'red:1.5': a count of chips is a whole number"),
        ("red:one", r"'red:one': a count of chips is a whole number"),
        ("red:999999", r"999999 red chips are more than can be counted"),
        ("red:" + "9" * 5000, r"a count of chips is a whole number"),
    ],
)
def test_each_mistake_has_its_own_sentence(text: str, says: str) -> None:
    with pytest.raises(MoneyError, match=says):
        Chips.parse(text)


@pytest.mark.parametrize("count", [-1, 1.0, "2", True])
def test_counts_are_checked(count: Any) -> None:
    with pytest.raises(MoneyError, match="a count of chips"):
        Chips({"red": count})


def test_chips_are_counted_added_and_taken_away() -> None:
    chips = Chips.parse("red:2 white:1")
    assert chips["red"] == 2 and chips["green"] == 0 and chips.size == 3
    assert chips + Chips({"red": 1}) == Chips({"red": 3, "white": 1})
    assert chips - Chips({"white": 1}) == Chips({"red": 2})
    assert chips.times(3) == Chips({"red": 6, "white": 3})
    assert not Chips() and hash(Chips({"red": 0})) == hash(Chips())
    with pytest.raises(MoneyError, match="3 red cannot be taken from 2 red"):
        chips - Chips({"red": 3})


def test_the_highest_is_at_the_bottom_of_a_stack() -> None:
    assert Chips.parse("white:1 red:2 black:1").stack() == ("black", "red", "red", "white")


def test_chips_in_words() -> None:
    assert chips_words(Chips.parse("yellow:1 red:1 white:2")) == "one red, two white and one yellow"
    assert [chips_words(Chips.parse(text)) for text in ("", "red:1")] == ["no chips", "one red"]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, "cannot have 0 colours"),
        ({"red": 0}, "chip red cannot be 0"),
        ({"red": -5}, "chip red cannot be -5"),
        ({"red": 0.5}, "chip red cannot be 0.5"),
        ({"red": "five"}, "chip red cannot be 'five'"),
        ({"red": True}, "chip red cannot be true"),
        ({"Red": 5}, "'Red' is no name"),
        ({"a:b": 5}, "'a:b' is no name"),
        ([("red", 5), ("red", 6)], "chip colour red is given twice"),
        ({f"c{i}": 1 + i for i in range(21)}, "cannot have 21 colours"),
    ],
)
def test_a_set_of_chips_checks_itself(values: Any, says: str) -> None:
    with pytest.raises(MoneyError, match=says):
        ChipSet(values)


def test_a_set_of_chips_is_a_value() -> None:
    same = ChipSet([("white", 1), ("yellow", Decimal("0.5")), *(list(DEFAULT_CHIPS.values)[:4])])
    assert same == DEFAULT_CHIPS and hash(same) == hash(DEFAULT_CHIPS)
    assert copy.deepcopy(same) == pickle.loads(pickle.dumps(same)) == same
    assert DEFAULT_CHIPS.colours == ("purple", "black", "green", "red", "white", "yellow")
    assert "red" in DEFAULT_CHIPS and "pink" not in DEFAULT_CHIPS


def test_a_rack_holds_what_it_holds() -> None:
    rack = Rack.of({"red": 3})
    assert rack.supply("red") == 3 and rack.supply("white") == 0 and UNLIMITED.supply("red") is None
    assert rack - Chips({"red": 2}) == Rack.of({"red": 1}) and rack + Chips({"red": 1}) == Rack.of({"red": 4})
    assert UNLIMITED - Chips({"red": 9}) == UNLIMITED + Chips({"red": 9}) == UNLIMITED
    with pytest.raises(MoneyError, match="the rack is short of 2 red"):
        rack - Chips({"red": 5})


def test_a_table_describes_its_chips_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "chips.toml"
    path.write_text('[chips]\nblue = 2.50\nred = 20\npink = "0.25"\n[rack]\nblue = 40\n', encoding="utf-8")
    chipset, rack = load_chips(path)
    assert chipset == ChipSet({"blue": Fraction(5, 2), "red": 20, "pink": Fraction(1, 4)})
    assert rack == Rack.of({"blue": 40})
    path.write_text("[chips]\nred = 5\n", encoding="utf-8")
    assert load_chips(path) == (ChipSet({"red": 5}), UNLIMITED)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", r"\[chips\] is missing"),
        ("chips = 5", r"chips cannot be 5: it must be a table"),
        ("[chip]\nred = 5", "unknown field 'chip'"),
        ("[chips]\nred = -5", "chip red cannot be -5"),
        ("[chips]\nred = nan", "chip red cannot be NaN: "),
        ("[chips]\nred = 5\n[rack]\nblue = 1", "there is no blue chip"),
        ("[chips]\nred = 5\n[rack]\nred = -1", "-1 red chips cannot be"),
        ("[chips]\nred = 5\n[rack]\nred = 1.5", "1.5 red chips cannot be: "),
        ("chips", "is not valid TOML"),
    ],
)
def test_a_bad_file_is_a_sentence_with_field_and_value(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "chips.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MoneyError, match=says) as raised:
        load_chips(path)
    assert "chips.toml" in str(raised.value)


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(MoneyError, match="cannot be read: No such file"):
        load_chips(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(MoneyError, match="is not valid TOML"):
        load_chips(tmp_path / "odd.toml")
