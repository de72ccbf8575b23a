"""What a camera read at one spot, as chips that amounts can be made of: surely read stacks, and doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from advisor.money import SpotSeen, StackSeen
from vision.chips.covered import UNREAD, Look, unread
from vision.chips.spots import PlacedStack, SpotReading
from vision.chips.twice import borne_out, pairs
from vision.chips.unmoved import found_once, overlooked, untouched
from vision.chips.values import Box, ChipReading, ChipStack

INSIDE, OUTSIDE = 0.7, 0.2
"""A stack is at a spot with this share of its box in it, and elsewhere with so little; between them nobody can say."""
ON = 20.0
"""A stack whose middle is at most so many millimetres outside a place still stands on it: half a chip."""

COVERED = "something that was not read lies over the spot in one of the pictures"
"""A hand mostly; a chip that was not found looks the same."""


def spot_seen(name: str, reading: ChipReading, area: Box | None = None) -> SpotSeen:
    """The chips of a picture that lie in ``area`` (x0, y0, x1, y1 in its pixels), or all of them.

    A stack that is half in it belongs to nobody for sure, so it is a doubt.
    """
    stacks = []
    for stack in reading.stacks:
        share = 1.0 if area is None else _share(stack.box, area)
        if share >= INSIDE:
            stacks.append(stack_seen(stack))
        elif share > OUTSIDE:
            stacks.append(StackSeen(stack.order, stack.reason or "a stack lies only half at the spot"))
    return SpotSeen(name, tuple(stacks))


def place_seen(name: str, reading: SpotReading, *, beside: bool = False) -> SpotSeen:
    """The chips at one place of a calibrated felt.

    With ``beside`` those near the place count too, as payouts and doubled bets are laid down beside a bet; without it
    they are a doubt.
    """
    if not reading.in_view:
        return SpotSeen(name, (StackSeen((), "the camera does not see all of the spot"),))
    return SpotSeen(name, tuple(_placed(stack, beside) for stack in reading.stacks))


class BothRead(NamedTuple):
    """One place in two pictures: what was read in each in sight of the other, how likely nobody touched each stack
    ``after`` that alone stands where one stood (None: nobody can say), and whether something that was not read changed.
    """

    before: SpotReading
    after: SpotReading
    kept: Mapping[int, float | None]
    covered: bool


def both_read(before: Look, after: Look) -> BothRead:
    """What two pictures of one place say together: each bears the other out."""
    covered = before.reading.in_view and after.reading.in_view and unread(before, after) > UNREAD
    before, after = (replace(one, reading=found_once(one, other)) for one, other in ((before, after), (after, before)))
    before, after = (replace(one, reading=overlooked(one, other)) for one, other in ((before, after), (after, before)))
    first, second = before.reading.stacks, after.reading.stacks
    same = pairs(before.reading, after.reading)
    kept = {n: untouched(before, after, first[k], second[n]) for n, k in same.items()}
    return BothRead(*borne_out(before.reading, after.reading, kept), kept, covered)


def both_seen(name: str, both: BothRead) -> tuple[SpotSeen, SpotSeen]:
    """The chips at one place before and after paying, those beside it too; where something else changed than chips that
    were read, the second is in doubt."""
    lay, lies = (place_seen(name, reading, beside=True) for reading in (both.before, both.after))
    if both.after.in_view:
        lies = replace(lies, stacks=tuple(replace(it, kept=both.kept.get(n)) for n, it in enumerate(lies.stacks)))
    if both.covered:
        lies = replace(lies, stacks=(*lies.stacks, StackSeen((), COVERED)))
    return lay, lies


def _placed(placed: PlacedStack, beside: bool) -> StackSeen:
    elsewhere = ""
    if placed.shared:
        elsewhere = "a stack lies midway between two spots"
    elif placed.outside > ON and not beside:
        elsewhere = "a stack lies beside the spot, not on it"
    doubt, open_ = placed.stack.reason or elsewhere, placed.stack.open and not elsewhere
    return StackSeen(placed.stack.order, doubt, open_, placed.stack.readings, placed.at)


def stack_seen(stack: ChipStack) -> StackSeen:
    """One stack with the reader's own doubt."""
    return StackSeen(stack.order, stack.reason, stack.open, stack.readings)


def _share(box: Box, area: Box) -> float:
    """How much of the box lies in the area, 0 to 1."""
    across = max(0.0, min(box[2], area[2]) - max(box[0], area[0]))
    along = max(0.0, min(box[3], area[3]) - max(box[1], area[1]))
    return across * along / ((box[2] - box[0]) * (box[3] - box[1]))
