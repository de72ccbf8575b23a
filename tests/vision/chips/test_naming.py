"""What a network says of a picture's stacks beside each other, and what is made of it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.chips.appearance import Appearance, described
from vision.chips.likeness import SAMPLES
from vision.chips.naming import LEAST, SAID, Named, Naming
from vision.chips.portraits import HIGH, WIDE, Portrayed
from vision.chips.reader import NAMING_FILE
from vision.chips.values import COLOURS

RNG = np.random.default_rng(8)


def stack(count: int) -> Portrayed:
    """Some stack."""
    words = RNG.normal(0, 2, (count, len(COLOURS))).astype(np.float32)
    return Portrayed(words, RNG.integers(0, 256, (count + 1, HIGH, WIDE, 3)).astype(np.uint8))


def guess(count: int, names: tuple[str, ...] = COLOURS) -> Named:
    chances = RNG.dirichlet(np.ones(len(names)), count).astype(np.float32)
    return Named(names, chances, RNG.normal(0, 1, count - 1).astype(np.float32))


def own(*names: str) -> Appearance:
    """A set of which each chip was shown alone."""
    shown = tuple((name, stack(1)) for name in names)
    looks = described(np.concatenate([it.words for _, it in shown]))
    return Appearance(names, looks, np.zeros((len(names), SAMPLES, 3), np.uint8), shown=shown)


class Silent:
    """A network that says nothing, but that one picture is like another."""

    def __init__(self, alike: tuple[int, int, float] | None = None) -> None:
        self.alike = alike

    def get_inputs(self) -> list[Any]:
        names = ("pictures", "faces", "words", "labels", "shown", "usual", "before", "after")
        return [type("Input", (), {"name": name}) for name in names]

    def run(self, _: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        self.fed, total = feeds, len(feeds["pictures"])
        like = np.zeros((total, total), np.float32)
        if self.alike is not None:
            like[self.alike[0], self.alike[1]] = self.alike[2]
        none = np.zeros(total, np.float32)
        return [np.zeros((total, len(COLOURS)), np.float32), like, none]


def silent(alike: tuple[int, int, float] | None = None) -> Naming:
    naming = object.__new__(Naming)
    naming._session = Silent(alike)
    return naming


@pytest.fixture(scope="module")
def naming() -> Naming:
    return Naming(Path(str(files("models") / "weights")) / NAMING_FILE, 1)


def test_what_the_network_says_nothing_of_stays_as_it_was_guessed() -> None:
    guesses = [guess(3), guess(1)]
    for said, guessed in zip(silent().named([stack(3), stack(1)], guesses, ()), guesses, strict=True):
        assert said.names == COLOURS and np.allclose(said.alike, guessed.alike)
        assert np.allclose(said.chances, guessed.chances, atol=12 * LEAST)


def test_a_picture_that_is_like_one_of_the_set_speaks_for_its_name_alone() -> None:
    """Pictures 0 to 2 are two edges and the face above; 3 and 5 are the edges of the chips that were shown."""
    known, guessed = own("five", "ten"), guess(2, ("five", "ten"))
    for picture, learned, chip, name in ((0, 5, 0, 1), (1, 3, 1, 0), (2, 6, 1, 1)):
        said = silent((picture, learned, 3.0)).named([stack(2)], [guessed], (), known)[0]
        odds = np.log(said.chances[:, 1] / said.chances[:, 0]) - np.log(guessed.chances[:, 1] / guessed.chances[:, 0])
        want = np.zeros(2)
        want[chip] = 3.0 * SAID if name else -3.0 * SAID
        assert np.allclose(odds, want, atol=1e-2)
        assert said.chances.shape == (2, 2)


def test_what_is_fed_says_which_pictures_are_faces_which_are_shown_and_which_lie_beside_each_other() -> None:
    quiet, known = silent(), own("red", "five")
    quiet.named([stack(2), stack(1)], [guess(2, ("red", "five")), guess(1, ("red", "five"))], ("red", "blue"), known)
    fed = quiet._session.fed
    assert fed["faces"].tolist() == [0, 0, 1, 0, 1, 0, 1, 0, 1]
    assert fed["shown"].tolist() == [0] * 5 + [1] * 4
    assert fed["before"].tolist() == [9, 0, 1, 9, 3, 9, 5, 9, 7] and fed["after"].tolist() == [
        1,
        2,
        9,
        4,
        9,
        6,
        9,
        8,
        9,
    ]
    assert {COLOURS[k] for k in np.flatnonzero(fed["usual"])} == {"red", "blue"}
    assert not fed["labels"][:5].any() and not fed["labels"][7:].any(), "five is no colour"


def test_stacks_are_named_alike_in_whatever_order_they_come(naming: Naming) -> None:
    stacks, guesses = [stack(3), stack(5), stack(1)], [guess(3), guess(5), guess(1)]
    forth = naming.named(stacks, guesses, ("red", "white"))
    back = naming.named(stacks[::-1], guesses[::-1], ("red", "white"))[::-1]
    for one, other in zip(forth, back, strict=True):
        assert np.allclose(one.chances, other.chances, atol=1e-3) and np.allclose(one.alike, other.alike, atol=1e-2)
    assert naming.named([], [], ()) == []
