"""A person's sets of chips: two of one name joined, and whatever is damaged is said to be that."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from advisor.cli.chip_sets import joined, kept_set, sets_folder
from vision.chips.appearance import Appearance, ChipSetError, save_appearance
from vision.chips.likeness import SAMPLES
from vision.chips.portraits import HIGH, WIDE, Portrayed
from vision.chips.values import COLOURS


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, with the folder of the sets."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    sets_folder().mkdir(parents=True)
    return sets_folder()


def a_set(*names: str, grey: int = 0, edges: bool = True, shown: bool = False) -> Appearance:
    words = np.zeros((1, len(COLOURS)), np.float32)
    portrait = Portrayed(words, np.zeros((2, HIGH, WIDE, 3), np.uint8))
    return Appearance(
        names,
        np.full((len(names), len(COLOURS)), grey, np.float32),
        np.full((len(names), SAMPLES, 3), grey, np.uint8) if edges else None,
        shown=tuple((name, portrait) for name in names) if shown else (),
    )


def test_what_is_shown_anew_takes_the_place_of_what_was_known() -> None:
    both = joined(a_set("red", "red", "blue", shown=True), a_set("red", "green", grey=9, shown=True))
    assert both.names == ("blue", "red", "green") and both.looks[:, 0].tolist() == [0, 9, 9]
    assert both.edges is not None and both.edges[:, 0, 0].tolist() == [0, 9, 9]
    assert [name for name, _ in both.shown] == ["blue", "red", "green"]
    new = a_set("red", "blue", grey=9)
    assert joined(a_set("red"), new) is new


def test_pictures_of_chips_are_kept_for_all_of_a_set_or_for_none() -> None:
    assert joined(a_set("blue"), a_set("red", shown=True)).shown == ()


def test_a_set_without_edges_cannot_be_added_to() -> None:
    with pytest.raises(ChipSetError, match="enrol all of its colours again"):
        joined(a_set("blue", edges=False), a_set("red"))


LOOK = [0.0] * len(COLOURS)


@pytest.mark.parametrize(
    "content",
    [
        {"values": {"red": "-5"}, "looks": []},
        {"values": {"red": "5"}, "looks": []},
        {"values": {"red": "-5"}, "looks": [{"name": "red", "look": LOOK}]},
        {"values": {"red": 0.5}, "looks": [{"name": "red", "look": LOOK}]},
        {"values": ["red"], "looks": [{"name": "red", "look": LOOK}]},
        {"values": {"red": "5"}, "looks": [{"name": "red", "look": [1, 2]}]},
        {"values": {"red": "5"}, "looks": [{"name": "Red!", "look": LOOK}]},
        {"values": {"red": "5"}, "looks": [{"name": "blue", "look": LOOK}]},
        {"looks": [{"name": "red", "look": LOOK}]},
        [],
        None,
    ],
)
def test_whatever_is_damaged_is_one_sentence_with_the_file(home: Path, content: object) -> None:
    (home / "bad.json").write_text(json.dumps(content))
    with pytest.raises(ChipSetError) as said:
        kept_set("bad")
    assert str(said.value) == f"{home / 'bad.json'}: the file is damaged; enrol the set again."


def test_a_folder_in_place_of_a_set_is_no_set(home: Path) -> None:
    (home / "folder.json").mkdir()
    with pytest.raises(ChipSetError, match=r"folder\.json: the file is damaged: it is a folder"):
        kept_set("folder")
    with pytest.raises(ChipSetError, match="no set of chips called 'other'"):
        kept_set("other")


def test_a_set_that_was_kept_is_the_same_again(home: Path) -> None:
    path = save_appearance("mine", a_set("red", "blue"), {"values": {"red": "5", "blue": "0.50"}}, home)
    assert path == home / "mine.json"
    appearance, chipset = kept_set("mine")
    assert appearance.names == ("red", "blue") and chipset.colours == ("red", "blue")


def test_a_draft_that_could_not_be_finished_is_taken_away(home: Path) -> None:
    (home / "mine.json").mkdir()
    with pytest.raises(ChipSetError, match="could not be written"):
        save_appearance("mine", a_set("red"), {"values": {"red": "5"}}, home)
    assert [path.name for path in home.iterdir()] == ["mine.json"]
