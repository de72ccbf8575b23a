"""Whether a stack is the very same in two pictures of one place: nobody took a chip of it, added one, or stacked anew.

Counting tells it badly: a chip too many is easily read in one picture and not in the other. But a camera that stands
still sees chips that nobody touched on the same pixels, each turned as it was. What is compared is the upper part of
the stack, where one chip more or less shows most, by correlation: it does not ask how light it is, and little whether
a shadow falls there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.covered import Look
from vision.chips.crops import Floats, Image
from vision.chips.spots import APART, FEW, HARDLY, PlacedStack, SpotReading
from vision.chips.values import Box

SAME, OTHER = 0.98, 0.955
"""So much is what nobody touched at least alike, and other chips at most: of 207 rendered stacks that stayed as they
were 198 are, and three are less alike than the other; of 236 that were changed by one chip, or stacked anew, none is as
much alike, and 231 are at most the other."""
UNTOUCHED, TOUCHED = 0.99, 0.05
"""How likely a stack is the same, then."""
SHIFTED: Final = 1.5
"""Farther than so many pixels the felt must not lie from where it lay: the camera moved, and sees it from elsewhere."""
UPPER: Final = 0.75
"""So much of its width is the upper part high: the uppermost chip's face, and the first edges."""
AROUND: Final = 3
"""Pixels around it that are looked at too: where a chip more would show."""
FINE: Final = 0.5
"""The pictures are tried this far (pixels) off each other: calibrations are found anew in each."""
NOISE: Final = 0.8
"""Pixels over which noise is smoothed."""
FLAT: Final = 3.0
"""Levels of 255 by which what is seen must vary, in either picture: else noise alone is compared."""
STANDS_OUT: Final = 0.975
"""So much of how it varies must be no noise, for what is unlike to have been touched."""
SMOOTHED: Final = 0.13
"""How much of the noise's variance is left once it was smoothed by `NOISE`: 1 / (4 pi NOISE²), and a little more."""
FREE: Final = 0.4
"""So much of it nothing else may hide, for anything to be said,"""
LEAST: Final = 60
"""and so many pixels."""
NONE: Final = 0.9
"""How likely what is found in one picture alone, and not surely, is no chip if both show the same there: all three at
740 settled places were none (a card's corner twice, and a stack's shadow)."""
NO_CHIP_CAME: Final = 0.8
"""So much alike is what both pictures show there, then: where a chip came or went it is not nearly."""
ONCE: Final = "it was found in one picture, and the other shows the same"


def untouched(before: Look, after: Look, first: PlacedStack, second: PlacedStack) -> float | None:
    """How likely the stack ``second`` of the picture after is the ``first`` of the one before, as it was; None where
    that cannot be seen."""
    likeness = alike(before, after, first, second)
    if likeness is None or OTHER <= likeness < SAME:
        return None
    return UNTOUCHED if likeness >= SAME else TOUCHED


def alike(before: Look, after: Look, first: PlacedStack, second: PlacedStack) -> float | None:
    """The correlation (at most 1) of what both pictures show where the upper parts of these stacks are; None where the
    camera moved, other chips hide too much of it, or nothing is to be seen."""
    height, width = before.image.shape[:2]
    if after.image.shape[:2] != (height, width):
        return None
    here, there = (look.calibration.scaled(width, height).to_picture([first.at])[0] for look in (before, after))
    shift = there[0] - here[0], there[1] - here[1]
    if not hypot(*shift) <= SHIFTED:  # nowhere is not near either
        return None
    images, boxes = (before.image, after.image), (first.stack.box, second.stack.box)
    hidden = [*_others(before.reading, first), *_others(after.reading, second)]
    return _likeness(images, boxes, hidden, shift)


def alike_since(before: SpotReading, after: SpotReading, first: PlacedStack, second: PlacedStack) -> float | None:
    """The same for two readings of one place through one camera that stands still, which kept what they show
    (``SpotReading.part``); None also where they did not, or where the place was calibrated anew."""
    if before.part is None or after.part is None or before.box is None or before.box != after.box:
        return None
    x, y = before.box[:2]

    def moved(box: Box) -> Box:
        return box[0] - x, box[1] - y, box[2] - x, box[3] - y

    boxes = moved(first.stack.box), moved(second.stack.box)
    hidden = [moved(box) for box in (*_others(before, first), *_others(after, second))]
    return _likeness((before.part, after.part), boxes, hidden, (0.0, 0.0))


def _others(reading: SpotReading, mine: PlacedStack) -> list[Box]:
    return [*(it.stack.box for it in reading.stacks if it is not mine), *reading.beside]


def _likeness(
    images: tuple[Image, Image], boxes: tuple[Box, Box], hidden: Sequence[Box], shift: tuple[float, float]
) -> float | None:
    """`alike` for pictures of one size; ``shift`` is how much farther on (x, y) the second one shows the same."""
    height, width = images[0].shape[:2]
    both = np.array(boxes)
    left, top = both[:, :2].min(0) - AROUND
    right, low = both[:, 2].max() + AROUND, both[:, 3].max()
    low = min(low, top + AROUND + UPPER * (right - left - 2 * AROUND))
    x0, y0 = max(int(left), 0), max(int(top), 0)
    x1, y1 = min(int(np.ceil(right)), width), min(int(np.ceil(low)), height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    free = np.ones((y1 - y0, x1 - x0), np.bool_)
    for box in hidden:
        _cover(free, box, x0, y0)
    if free.sum() < max(LEAST, FREE * free.size):
        return None
    area = x0, y0, x1, y1
    one = _smooth(images[0], area, (0.0, 0.0))[free]
    tried = ((a * FINE, b * FINE) for a in (-1, 0, 1) for b in (-1, 0, 1))
    shifts = {(0.0, 0.0), *((shift[0] + a, shift[1] + b) for a, b in tried)}
    others = [_smooth(images[1], area, off)[free] for off in shifts]
    if max(float(it.std(axis=0).max()) for it in (one, others[0])) < FLAT:
        return None
    likeness = max(_correlation(one, other) for other in others)
    # Noise alone makes the same look unlike where hardly anything stands out: then nobody can say.
    still = min(_shown(one, images[0], area), _shown(others[0], images[1], area))
    return likeness if likeness >= SAME or still >= STANDS_OUT else None


def found_once(look: Look, other: Look) -> SpotReading:
    """The reading of ``look``; what is hardly a chip in it is most likely none where the ``other`` picture shows the
    same, and nothing was found."""
    stacks = tuple(
        _hardly(it)
        if _faint(it) and not _found_in(other, it) and (alike(look, other, it, it) or 0.0) >= NO_CHIP_CAME
        else it
        for it in look.reading.stacks
    )
    return replace(look.reading, stacks=stacks)


def overlooked(look: Look, other: Look) -> SpotReading:
    """The reading of ``look``, with the stacks that were found in the ``other`` picture alone though both show the same
    there: they stand there too."""
    if not look.reading.in_view or not other.reading.in_view:
        return look.reading
    more = tuple(
        it
        for it in other.reading.stacks
        if it.stack.order and not _faint(it) and not _found_in(look, it) and (alike(other, look, it, it) or 0.0) >= SAME
    )
    return replace(look.reading, stacks=(*look.reading.stacks, *more))


def _faint(placed: PlacedStack) -> bool:
    """Whether it is hardly a chip: few of them, neither surely read nor plainly found."""
    stack = placed.stack
    return not stack.sure and bool(stack.order) and stack.count < FEW and stack.found < HARDLY


def _found_in(look: Look, placed: PlacedStack) -> bool:
    return any(hypot(placed.at[0] - it.at[0], placed.at[1] - it.at[1]) <= APART for it in look.reading.stacks)


def _hardly(placed: PlacedStack) -> PlacedStack:
    stack = placed.stack
    read = stack.readings or ((stack.order, 1.0),)
    readings = (((), NONE), *((order, chance * (1 - NONE)) for order, chance in read if order))
    return replace(placed, stack=replace(stack, reason=ONCE, likely=False, open=True, readings=readings))


def _shown(seen: Floats, image: Image, area: tuple[int, int, int, int]) -> float:
    """Which share of how what is ``seen`` (pixels x channels, smoothed) varies is no noise: what two pictures of the
    same would correlate by.

    The noise is told by second differences, across and down, which hardly know edges (Immerkær, Fast Noise Variance
    Estimation, 1996), at their median, so that texture counts little.
    """
    x0, y0, x1, y1 = area
    part = image[y0:y1, x0:x1].astype(np.float64)
    if min(part.shape[:2]) < 3:
        return 0.0
    edges = cv2.filter2D(part, -1, np.array([[1.0, -2.0, 1.0], [-2.0, 4.0, -2.0], [1.0, -2.0, 1.0]]))[1:-1, 1:-1]
    noise = np.median(np.abs(edges), axis=(0, 1)) / (0.6745 * 6)
    power = float(seen.var(axis=0).sum())
    return max(0.0, 1 - float((noise**2).sum()) * SMOOTHED / power) if power else 0.0


def _cover(free: NDArray[np.bool_], box: Box, x: int, y: int) -> None:
    x0, y0, x1, y1 = (round(value) for value in (box[0] - x, box[1] - y, box[2] - x, box[3] - y))
    free[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = False


def _smooth(image: Image, area: tuple[int, int, int, int], shift: tuple[float, float]) -> Floats:
    """That part of the picture (x0, y0, x1, y1), ``shift`` (x, y) farther on."""
    x0, y0, x1, y1 = area
    centre = (x0 + x1 - 1) / 2 + shift[0], (y0 + y1 - 1) / 2 + shift[1]
    part = cv2.getRectSubPix(image, (x1 - x0, y1 - y0), centre)
    return np.asarray(cv2.GaussianBlur(part, (0, 0), NOISE), np.float64)


def _correlation(one: Floats, other: Floats) -> float:
    """Of pixels x channels, each channel about its mean."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    power = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return float((one * other).sum()) / power if power else 0.0
