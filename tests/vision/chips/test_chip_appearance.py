"""Sets of one's own chips: kept, named by likeness, and refused in sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.chips.appearance import (
    KEPT,
    Appearance,
    ChipSetError,
    Shown,
    appearance_names,
    delete_appearance,
    described,
    load_appearance,
    save_appearance,
    standard,
)
from vision.chips.crops import Floats
from vision.chips.likeness import LIGHTS, SAME, SAMPLES, Pixels, under_lights
from vision.chips.values import COLOURS, ChipSize


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


def edge(*colours: tuple[int, int, int]) -> Pixels:
    """The edges of chips of one colour each."""
    return np.repeat(np.array(colours, np.uint8)[:, None], SAMPLES, 1)


def seen(*colours: tuple[int, int, int]) -> Floats:
    """How chips of one colour each look in the light in which the set was shown."""
    return under_lights(edge(*colours))[:, LIGHTS.index(SAME)]


NO_EDGES = np.zeros((2, 5, 3), np.float32)
GREEN, NAVY, BLACK = (60, 140, 20), (90, 40, 20), (30, 28, 26)


def test_the_nearest_of_the_set_names_a_chip() -> None:
    words = np.concatenate([word(red=3, orange=0.5), word(orange=2.8, red=0.6)])
    names, chances, strange = OWN.chances(words, NO_EDGES)
    assert [names[k] for k in chances.argmax(1)] == ["five", "ten"]
    assert not strange.any() and np.allclose(chances.sum(1), 1)


def test_a_chip_that_is_like_none_of_the_set_is_a_stranger() -> None:
    assert OWN.chances(word(green=4), NO_EDGES[:1])[2].all()


def test_edges_tell_chips_apart_of_which_the_network_says_the_same() -> None:
    """Navy and black: one word for both, but not one look."""
    same = word(black=3, blue=2.5)
    own = Appearance(("navy", "coal"), described(np.concatenate([same, same])), edge(NAVY, BLACK))
    names, chances, strange = own.chances(np.repeat(same, 3, 0), seen(BLACK, NAVY, BLACK))
    assert [names[k] for k in chances.argmax(1)] == ["coal", "navy", "coal"]
    assert not strange.any()
    assert own.pairs_alike() == []
    assert Appearance(own.names, own.looks).pairs_alike() == [("navy", "coal")], "by the word alone"


def test_a_chip_that_neither_its_edge_nor_the_networks_word_explains_is_a_stranger() -> None:
    own = Appearance(("navy", "coal"), described(np.concatenate([word(blue=3), word(black=3)])), edge(NAVY, BLACK))
    words = np.concatenate([word(blue=3)] * 4 + [word(green=4), word(black=3)])
    assert own.chances(words, seen(*[NAVY] * 4, GREEN, BLACK))[2].tolist() == [False] * 4 + [True, False]
    assert own.chances(words[4:5], seen(GREEN))[2].all()


def test_a_taught_name_means_what_was_taught_unless_its_chip_looked_otherwise() -> None:
    """Somebody's blue looks grey to the network all the time: his word is kept, but not against what was seen."""
    own = Appearance(("blue", "red"), described(np.concatenate([word(grey=5), word(red=5)])), edge(NAVY, BLACK))
    names, chances, _ = own.chances(word(grey=5), seen(NAVY))
    assert names[int(chances.argmax())] == "blue"


def test_a_stack_that_is_shown_teaches_a_few_of_its_chips() -> None:
    tall = Shown((0, 0, 9, 9), np.repeat(word(red=3), 12, 0), np.repeat(edge(NAVY), 12, 0))
    lone = Shown((0, 0, 9, 9), word(blue=3), edge(BLACK))
    own = Appearance.learned([("five", tall), ("ten", lone)])
    assert own.names == ("five",) * KEPT + ("ten",) and own.edges is not None and len(own.edges) == KEPT + 1
    with pytest.raises(ChipSetError, match="at least one chip"):
        Appearance.learned([])


def test_without_a_set_the_likeliest_colour_is_taken() -> None:
    names, chances = standard(word(blue=2, black=0.5))
    assert names[int(chances.argmax())] == "blue"


@pytest.mark.parametrize("edges", [None, edge(NAVY, BLACK, GREEN)])
def test_a_set_comes_back_as_it_was_kept(tmp_path: Path, edges: Pixels | None) -> None:
    save_appearance("home", Appearance(OWN.names, OWN.looks, edges), {"values": {"five": "5", "ten": "10"}}, tmp_path)
    again, extra = load_appearance("home", tmp_path)
    assert again.names == OWN.names and np.allclose(again.looks, OWN.looks, atol=1e-3)
    assert (again.edges is None) if edges is None else np.array_equal(again.edges, edges)
    assert extra == {"values": {"five": "5", "ten": "10"}}
    assert appearance_names(tmp_path) == ["home"]
    delete_appearance("home", tmp_path)
    assert appearance_names(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "damaged"),
        ("{}", "damaged"),
        ('{"looks": []}', "damaged"),
        ('{"looks": [{"name": "red", "look": [0, 1]}]}', "damaged"),
        ('{"looks": [{"name": "red", "look": [1, 2]}]}', "one row of 12"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0], "edge": [[1, 2, 3]]}]}', "48 pixels"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0], "edge": [[1, 2, 999]]}]}', "damaged"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}], "size": [39]}', "damaged"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}], "size": [39, 33, 1]}', "damaged"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}], "size": "39"}', "damaged"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}], "size": null}', "damaged"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}], "size": [39, NaN, 1]}', "damaged"),
        ('{"looks": [{"name": "red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}], "size": ["39", "3.3", "1"]}', "damaged"),
        ('{"looks": [{"name": "Red", "look": [0,0,0,0,0,0,0,0,0,0,0,0]}]}', "no name for a chip"),
    ],
)
def test_a_damaged_file_gets_a_sentence(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "home.json").write_text(content)
    with pytest.raises(ChipSetError, match=said):
        load_appearance("home", tmp_path)


def test_the_size_of_a_set_s_chips_comes_back(tmp_path: Path) -> None:
    save_appearance("home", Appearance(OWN.names, OWN.looks, size=ChipSize(43.0, 3.35, 20)), {}, tmp_path)
    assert load_appearance("home", tmp_path)[0].size == ChipSize(43.0, 3.35, 20)


def test_names_are_checked(tmp_path: Path) -> None:
    with pytest.raises(ChipSetError, match="no name for a set"):
        save_appearance("../x", OWN, {}, tmp_path)
    for act in (load_appearance, delete_appearance):
        with pytest.raises(ChipSetError, match="no set of chips called 'x'"):
            act("x", tmp_path)
