"""What is wrong with the camera's picture, told from shrunken frames: dark, covered, too bright, or frozen.

Each fault is given as a sentence. While there is one nothing read is believed: no card is new and none is gone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Fault = Literal["dark", "covered", "bright", "frozen", "moved"]
Picture = NDArray[np.uint8]

SENTENCES: dict[Fault, str] = {
    "dark": "The picture is almost black: the light is off or the lens is covered.",
    "covered": "The picture shows nothing: something covers the lens, or it is out of focus.",
    "bright": "The picture is almost white: the camera is dazzled. Turn it from the lamp or lower its exposure.",
    "frozen": "The camera repeats one picture. Unplug it and plug it in again, or restart the stream.",
    "moved": "The camera was moved.",
}


@dataclass(frozen=True)
class Trouble:
    """One fault: its kind, a sentence for people, and since when (the frames' seconds)."""

    kind: Fault
    text: str
    since: float


@dataclass(frozen=True)
class Limits:
    """Grey levels are 0 to 255, shares 0 to 1, seconds are seconds."""

    dark: float = 22.0
    """With 95 of 100 pixels below it nothing can be read."""
    bright: float = 250.0
    """A pixel above it is burnt out; so many of them dazzle:"""
    burnt: float = 0.6
    flat: float = 1.3
    """Mean difference of neighbouring pixels under which a picture is smooth, as a hand, a cap or a fogged lens is.
    So is a bare cloth: it counts as covered only where"""
    elsewhere: float = 0.8
    """so large a share of the pixels differs from the last good picture, by more than ``other`` levels."""
    other: int = 20
    kept: float = 1.0
    """Seconds between the pictures that are kept as good ones; the one before the newest is compared with."""
    frozen: float = 10.0
    """Identical pictures, to the last bit of noise, for longer are one picture. A camera's own noise differs from
    frame to frame; a video conference's still picture does not."""
    lasting: float = 0.4
    """A dark, covered or bright picture counts once it has lasted so long: a hand passes the lens in less."""


@dataclass(frozen=True, eq=False)
class Health:
    """What is remembered between frames; begin with ``Health()``."""

    trouble: Trouble | None = None
    good: tuple[Picture, ...] = ()
    """The last pictures without fault, in colour as they came, the newest first."""
    good_at: float = -1e9
    last: Picture | None = None
    same_since: float = 0.0
    suspect: Fault | None = None
    suspect_since: float = 0.0

    @property
    def believable(self) -> bool:
        """Whether what is read in this picture may be believed."""
        return self.trouble is None and self.suspect is None


def examined(
    health: Health,
    picture: Picture,
    at: float,
    still: bool = False,
    identical: bool | None = None,
    limits: Limits | None = None,
) -> Health:
    """The health after ``picture`` (the shrunken frame, H x W x 3 or H x W) at ``at`` seconds.

    ``still`` says that the source shows photographs, which do not freeze. ``identical`` may say that the full frame
    repeats the one before; without it the shrunken pictures are compared.
    """
    lim = limits or Limits()
    grey = picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    same = identical
    if same is None:
        same = health.last is not None and health.last.shape == picture.shape and np.array_equal(health.last, picture)
    same_since = health.same_since if same and health.last is not None else at
    fault = _seen_fault(grey, picture, health.good, lim)
    since = health.suspect_since if fault is not None and fault == health.suspect else at
    trouble: Trouble | None = None
    if fault is not None and (still or at - since >= lim.lasting or _is(health.trouble, fault)):
        trouble = Trouble(fault, SENTENCES[fault], since)
    elif not still and same and at - same_since >= lim.frozen:
        trouble = Trouble("frozen", SENTENCES["frozen"], same_since)
    good, good_at = health.good, health.good_at
    if fault is None and at - good_at >= lim.kept:
        good, good_at = (picture, *good[:1]), at
    kept = health.trouble
    if trouble is not None and kept is not None and kept.kind == trouble.kind:
        trouble = replace(trouble, since=kept.since)
    return Health(trouble, good, good_at, picture, same_since, fault, since)


def _is(trouble: Trouble | None, kind: Fault) -> bool:
    return trouble is not None and trouble.kind == kind


def _seen_fault(grey: Picture, picture: Picture, good: tuple[Picture, ...], lim: Limits) -> Fault | None:
    """What is wrong with one picture by itself."""
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel()
    total = max(float(counts.sum()), 1.0)
    if counts[: round(lim.dark)].sum() / total >= 0.95:
        return "dark"
    if counts[round(lim.bright) :].sum() / total >= lim.burnt:
        return "bright"
    if good and good[-1].shape == picture.shape:
        # Every second pixel of every second row tells as much; the dearer question comes last.
        difference = np.asarray(cv2.absdiff(good[-1][::2, ::2], picture[::2, ::2]), np.uint8)
        apart = difference if difference.ndim == 2 else _most(difference)
        if np.count_nonzero(apart > lim.other) >= lim.elsewhere * apart.size and _detail(grey) < lim.flat:
            return "covered"
    return None


def _detail(grey: Picture) -> float:
    """The mean difference of pixels two apart, sideways and downwards, after a light blur that takes the noise out."""
    soft = cv2.blur(grey, (3, 3)).astype(np.int16)
    if min(soft.shape) < 4:
        return 0.0
    across = np.abs(soft[:, 2:] - soft[:, :-2]).mean()
    down = np.abs(soft[2:] - soft[:-2]).mean()
    return float(across + down) / 2


def _most(difference: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The channel that differs most; numpy's own maximum over three takes ten times as long."""
    blue, green, red = cv2.split(difference)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
