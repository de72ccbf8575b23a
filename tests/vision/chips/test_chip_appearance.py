"""Sets of one's own chips: kept, named by likeness, and refused in sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.chips.appearance import (
    Appearance,
    ChipSetError,
    appearance_names,
    delete_appearance,
    described,
    load_appearance,
    save_appearance,
    standard,
)
from vision.chips.crops import Floats
from vision.chips.values import COLOURS


def word(**logits: float) -> Floats:
    """The network's word where it names these colours."""
    out = np.full((1, len(COLOURS)), -8.0, np.float32)
    for colour, logit in logits.items():
        out[0, COLOURS.index(colour.replace("_", "-"))] = logit
    return out


OWN = Appearance(
    ("five", "ten", "ten"),
    described(np.concatenate([word(red=3, orange=0), word(orange=3, red=1), word(orange=3, yellow=1)])),
)


def test_the_nearest_of_the_set_names_a_chip() -> None:
    names, chances, strange = OWN.chances(np.concatenate([word(red=3, orange=0.5), word(orange=2.8, red=0.6)]))
    assert [names[k] for k in chances.argmax(1)] == ["five", "ten"]
    assert not strange.any() and np.allclose(chances.sum(1), 1)


def test_a_chip_that_is_like_none_of_the_set_is_a_stranger() -> None:
    assert OWN.chances(word(green=4))[2].all()


def test_without_a_set_the_likeliest_colour_is_taken() -> None:
    names, chances = standard(word(blue=2, black=0.5))
    assert names[int(chances.argmax())] == "blue"


def test_a_set_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    save_appearance("home", OWN, {"values": {"five": "5", "ten": "10"}}, tmp_path)
    again, extra = load_appearance("home", tmp_path)
    assert again.names == OWN.names and np.allclose(again.looks, OWN.looks, atol=1e-3)
    assert extra == {"values": {"five": "5", "ten": "10"}}
    assert appearance_names(tmp_path) == ["home"]
    delete_appearance("home", tmp_path)
    assert appearance_names(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "damaged"),
        ("{}", "damaged"),
        ('{"looks": [{"name": "red", "look": [1, 2]}]}', "one row of 12"),
        ('{"looks": [{"name": "Red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}]}', "no name for a chip"),
    ],
)
def test_a_damaged_file_gets_a_sentence(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "home.json").write_text(content)
    with pytest.raises(ChipSetError, match=said):
        load_appearance("home", tmp_path)


def test_names_are_checked(tmp_path: Path) -> None:
    with pytest.raises(ChipSetError, match="no name for a set"):
        save_appearance("../x", OWN, {}, tmp_path)
    for act in (load_appearance, delete_appearance):
        with pytest.raises(ChipSetError, match="no set of chips called 'x'"):
            act("x", tmp_path)
