"""What was seen of chips that nobody touched since still holds: one camera looks at one place again and again."""

from __future__ import annotations

from typing import Final, NamedTuple

from vision.chips.spots import SpotReading
from vision.chips.twice import borne_out, pairs
from vision.chips.unmoved import SAME, TOUCHED, UNTOUCHED, alike_since

PLAINLY_OTHER: Final = 0.9
"""So little is a stack alike that surely was touched: of 207 rendered ones that nobody touched the least alike is more
so. A shadow, or a camera that looks for its focus, makes less of a difference."""


class Since(NamedTuple):
    """A place, compared with how it was seen earlier."""

    reading: SpotReading
    """What lies there, borne out by what was surely read before."""
    same: bool | None = None
    """Whether the same stacks stand there untouched; False where one plainly is another, None where nobody can say."""


def since(earlier: SpotReading | None, reading: SpotReading) -> Since:
    """The reading, in sight of the ``earlier`` one of the same place."""
    if earlier is None:
        return Since(reading)
    same = pairs(earlier, reading)
    likeness = {n: alike_since(earlier, reading, earlier.stacks[k], reading.stacks[n]) for n, k in same.items()}
    kept: dict[int, float | None] = {
        n: UNTOUCHED if it is not None and it >= SAME else TOUCHED for n, it in likeness.items()
    }
    _, now = borne_out(earlier, reading, kept)
    if any(it is not None and it < PLAINLY_OTHER for it in likeness.values()):
        return Since(now, same=False)
    all_there = bool(same) and len(same) == len(earlier.stacks) == len(reading.stacks)
    return Since(now, same=True if all_there and set(kept.values()) == {UNTOUCHED} else None)


def surer(earlier: SpotReading | None, now: Since) -> SpotReading:
    """Which of the two a later look is compared with: the earlier one while it says more of the same chips."""
    if earlier is not None and now.same and all(it.stack.sure for it in earlier.stacks):
        return earlier
    return now.reading
