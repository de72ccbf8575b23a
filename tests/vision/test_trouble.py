"""The camera's faults are told apart, and what is no fault is left alone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.trouble import SENTENCES, Health, Limits, examined

RNG = np.random.default_rng(4)


def scene(light: float = 1.0) -> np.ndarray:
    """A table with cards, shrunken."""
    image = np.full((90, 160, 3), (58, 92, 28), float)
    for k in range(5):
        image[30:50, 10 + 30 * k : 24 + 30 * k] = 235
        image[34:38, 14 + 30 * k : 20 + 30 * k] = 40
    return noisy(image * light)


def noisy(image: np.ndarray, amount: float = 1.0) -> np.ndarray:
    return np.clip(image + RNG.normal(0, amount, image.shape), 0, 255).astype(np.uint8)


def seen(health: Health, image: np.ndarray, seconds: float, at: float, fixed: bool = False) -> tuple[Health, float]:
    """The health after ``image`` for so many seconds at ten frames a second, with fresh noise unless ``fixed``."""
    for _ in range(round(seconds * 10)):
        at += 0.1
        health = examined(health, image if fixed else noisy(image.astype(float)), at)
    return health, at


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        (np.full((90, 160, 3), 6.0), "dark"),
        (np.full((90, 160, 3), 255.0), "bright"),
        (np.full((90, 160, 3), (70.0, 90.0, 170.0)), "covered"),
    ],
)
def test_a_lasting_fault_is_said_with_a_sentence_and_ends(image: np.ndarray, kind: str) -> None:
    health, at = seen(Health(), scene(), 3, 0.0)
    assert health.trouble is None and health.believable
    health, at = seen(health, image, 0.2, at)
    assert health.trouble is None, "a hand passes the lens in less"
    assert not health.believable, "but nothing is believed meanwhile"
    health, at = seen(health, image, 2, at)
    assert health.trouble is not None and health.trouble.kind == kind
    assert health.trouble.text == SENTENCES[health.trouble.kind] and health.trouble.text.endswith(".")
    assert health.trouble.since == pytest.approx(3.1)
    health, _ = seen(health, scene(), 0.1, at)
    assert health.trouble is None and health.believable


def test_a_cleared_bare_cloth_is_no_covered_lens() -> None:
    health, at = seen(Health(), scene(), 3, 0.0)
    health, _ = seen(health, np.full((90, 160, 3), (58.0, 92.0, 28.0)), 5, at)
    assert health.trouble is None and health.believable


def test_lights_turned_down_are_no_fault_while_something_shows() -> None:
    health, at = seen(Health(), scene(), 3, 0.0)
    health, _ = seen(health, scene(0.4), 3, at)
    assert health.trouble is None


def test_one_picture_again_and_again_is_a_frozen_camera() -> None:
    health, at = seen(Health(), scene(), 2, 0.0)
    stuck = scene()
    health, at = seen(health, stuck, 9, at, fixed=True)
    assert health.trouble is None
    health, at = seen(health, stuck, 3, at, fixed=True)
    assert health.trouble is not None and health.trouble.kind == "frozen"
    health, _ = seen(health, scene(), 0.1, at)
    assert health.trouble is None


def test_a_photograph_is_not_frozen_but_may_be_dark() -> None:
    health, picture = Health(), scene()
    for k in range(60):
        health = examined(health, picture, float(k), still=True)
    assert health.trouble is None
    health = examined(health, np.full((90, 160, 3), 5, np.uint8), 61.0, still=True)
    assert health.trouble is not None and health.trouble.kind == "dark"


def test_what_the_caller_knows_of_the_full_frame_counts() -> None:
    health, picture = Health(), scene()
    for k in range(60):
        health = examined(health, picture, float(k), identical=False)
    assert health.trouble is None


def test_limits_can_be_set() -> None:
    health = examined(Health(), scene(), 0.0, limits=Limits(dark=250.0, lasting=0.0))
    assert health.trouble is not None and health.trouble.kind == "dark"
