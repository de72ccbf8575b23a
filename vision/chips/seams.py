"""From row-wise evidence to a count: the best evenly spaced run of seams, for every possible number of chips.

A network says for each row of a column how likely a seam between two chips lies there. Chips are equally thick, so
seams come at an even step. The step tells how steeply the stack is looked down on, hence how high its upper face looks;
with the number of chips that foretells the whole stack's height over its width, which is seen. For each number of chips
the best run of seams is found by dynamic programming, exactly so where no calibrated felt foretells the step, and
weighed with that geometry; how far the best number stands out from the others says how sure the count is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import ACROSS, FOOT, HEIGHT, Floats
from vision.chips.values import MOST

THICKNESS = 3.3 / 39.0
"""A chip's thickness over its width, as sold."""
FULL = ACROSS * THICKNESS
"""Rows from seam to seam where a stack is seen level with the table."""
STEPS = np.geomspace(0.26, 1.45, 18) * FULL
"""Steps that are tried: from 75 degrees above down to level, thick chips and stretched pictures included."""
UNEVEN = 7.0
"""What a step costs that is off by its own length (it grows with the square)."""
KNOWN_UNEVEN, ASKEW = 1.0, 0.03
"""Where the step is foretold: by how many rows it may well be off, and by what share of the upper face's rows more,
since a chip that lies nearer to the camera than the one below shows that much lower."""
NEAREST = -0.45
"""Nearer than this, over the step, no two seams lie: a broad seam would be counted twice."""
ASTRAY = 0.004
"""What each pixel squared costs that the lowest seam lies off the foot."""
MISSHAPEN = 0.5
"""What it costs, times the square, where height over width is off by as much as it may well be (``spread``)."""
KNOWN_MISSHAPEN = 0.3
"""The same where the step is foretold; with less, half a plain stack, whose seams do not show, passes for the table."""
HOPELESS = 10.0
"""From such a cost of the shape on a count is out of the question."""
STRETCHES = np.geomspace(0.72, 1.38, 7)
STRETCHED = 14.0
"""Pictures that were stretched to another shape are about; what that costs, times the square of the logarithm."""
KNOWN = np.linspace(0.88, 1.18, 9)
"""Steps that are tried where the step is foretold, over that: chips are worn, and stacks rise towards the camera."""
KNOWN_WITHIN = 0.07
"""How far off a foretold step may well be: chips are not all as thick."""
MEASURED_WITHIN = 0.012
"""The same, at the least, where somebody measured the chips."""
ENDS_OFF = 2.5
"""How many rows the two ends of a stack may well be off together."""
LEANS = 0.015
"""By what share of the upper face's rows more, since stacks lean towards the camera or away."""
KEPT = 0.6
"""What share of how far a chip lies nearer or farther than the stack's line the next one up keeps: people stack chips
above the table, not above the last chip alone."""
FAR_OFF = 15.0
"""No span costs more."""
CLIP = 7.0
DOUBTED = 0.6
"""What is taken off what the network says for a seam where no step is foretold: it learned to rather see one too many
(``pos_weight``), and twice as many seams fit as well."""
KNOWN_DOUBTED = -0.3
"""The same where it is foretold."""
FAR = -1e6
PARTS = ("before", "side", "face", "beyond")
"""What a row may show: the table before the stack, its chips' edges, its upper face, what lies behind."""
PARTS_WEIGH, KNOWN_PARTS_WEIGH = 0.15, 0.2
"""How much a row's part counts beside a seam: neighbouring rows say the same over again. The second where the step is
foretold, which a network of its own reads."""
UNLIKELY = -5.0
"""No row speaks more strongly (logarithm) against what it might be a part of."""


Rows = tuple[NDArray[np.intp], ...]


@dataclass(frozen=True, eq=False)
class Runs:
    """For each number of chips from 1 up: the best run's score (-inf where not tried), and its seams' rows upwards.

    ``steps`` are the rows from seam to seam, ``misshapen`` what the stack's shape costs. The rows are followed down
    (``traced``) once somebody asks for them: of most stands that are tried only the scores matter.
    """

    scores: NDArray[np.float64]
    steps: NDArray[np.float64]
    misshapen: NDArray[np.float64]
    traced: Callable[[], Rows]

    @cached_property
    def rows(self) -> Rows:
        """For each number of chips that was tried, the rows of its seams."""
        return self.traced()


def steepness(step: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """The sine of how steeply a stack is looked down on whose seams come every ``step`` rows."""
    return np.sqrt(np.clip(1 - (np.asarray(step) / FULL) ** 2, 0.01, 1))


def heights(steps: NDArray[np.float64], most: int, stretch: float | NDArray[np.float64] = 1.0) -> NDArray[np.float64]:
    """A stack's height over its width, most x steps (under each ``stretch`` where those are N x 1 x 1): its chips'
    edges and its upper face.

    ``stretch`` is how much higher than wide the picture shows what is as high as wide.
    """
    numbers = np.arange(1, most + 1)[:, None]
    return np.asarray(numbers * steps / ACROSS + stretch * steepness(steps / stretch), np.float64)


def best_runs(
    logits: Floats,
    parts: Floats,
    aspect: float,
    most: int = MOST,
    step: float | None = None,
    squash: float | None = None,
    growth: float = 0.0,
    stretch: float = 1.0,
    within: float | None = None,
    footed: bool = False,
) -> Runs:
    """The best run of seams for each number of chips up to ``most``, but at least 2.

    ``logits`` is one value a row, from the top, ``parts`` 4 x rows / 2 (`PARTS`); ``aspect`` the stack's height over
    its width as it was found. Where ``step``, the rows from seam to seam, and ``squash``, the upper face's height over
    its width, are foretold (by a calibrated felt) only such steps are tried; ``growth`` says by what share of the step
    chips are thicker on average for each chip above the first, ``within`` by what share of it chips that were measured
    may be off, and ``footed`` that the lowest seam is known to lie where a stack's should. ``stretch`` is how much
    higher than it is the column shows all, where nothing is foretold; ``aspect`` is as the column shows it. Where the
    step is foretold the upper end is chosen as if the foot were where it should be.
    """
    seen = np.clip(logits - (DOUBTED if step is None else KNOWN_DOUBTED), -CLIP, CLIP).astype(np.float32)
    rows = len(seen)
    steps = STEPS if step is None else step * KNOWN
    gaps = np.arange(max(1, int(steps[0] * 0.7)), int(steps[-1] * 1.3) + 2)
    off = (gaps[:, None] - steps[None]) / steps[None]
    face = (squash or 0.0) * ACROSS
    near = (off < NEAREST) & (gaps[:, None] < np.round(steps)[None])
    foot, crown = ends(parts, PARTS_WEIGH if step is None else KNOWN_PARTS_WEIGH)
    start = seen + foot - ASTRAY * (np.arange(rows, dtype=np.float32) - (rows - HEIGHT) - FOOT[1]) ** 2
    most = max(most, 2)
    if step is None:
        shape, span = _shape(steps, aspect, most, stretch), None
    else:
        shape = _known_shape(steps, aspect, most, squash or 0.0)
        span = _Span(
            step,
            growth,
            face,
            KNOWN_WITHIN if within is None else float(np.clip(within, MEASURED_WITHIN, KNOWN_WITHIN)),
        )
    # Counts that no step could make of a stack of this shape are not tried at all.
    most = max(2, int(np.flatnonzero(shape.min(1) < HOPELESS).max(initial=1)) + 1)
    uneven: _Even | _Line
    if step is None:  # rows are whole: a step of two or three rows cannot be even
        cost = (UNEVEN * off**2 * np.minimum(steps / 3, 1.0)).astype(np.float32)
        uneven = _Even(cost + np.where(near, np.float32(-FAR), np.float32(0)))
    else:
        uneven = _Line(steps, gaps, near, most, rows, growth, face, KEPT if footed else 1.0)
    # The best score of each step whose uppermost seam so far is in a row; beyond the lowest row nothing is reached.
    reached = np.full((most + 1, len(steps), rows + int(gaps[-1])), FAR, np.float32)
    reached[0, :, :rows] = start
    below = np.lib.stride_tricks.sliding_window_view(reached, rows, axis=2)[:, :, gaps[0] :].transpose(0, 2, 1, 3)
    longer = np.empty((len(gaps), len(steps), rows), np.float32)
    for n in range(most):
        uneven.take_off(n, below[n], longer)
        np.add(longer.max(0), seen, out=reached[n + 1, :, :rows])
    topped = reached[1:, :, :rows] + crown
    numbers = np.arange(1, most + 1)
    if span is not None:  # the foot is about where it should be; where it is, is seen once runs are followed down
        far = span.costs(numbers[:, None], FOOT[1] + rows - HEIGHT - np.arange(rows, dtype=np.float64)[None])
        topped = topped - np.minimum(far, FAR_OFF)[:, None]
    whole = topped.max(2) - np.minimum(shape[:most], 40.0)
    chosen, every = whole.argmax(1), numbers - 1
    scores = np.full(MOST, -np.inf)
    taken, doubt = np.zeros(MOST), np.zeros(MOST)
    scores[:most], taken[:most], doubt[:most] = whole[every, chosen], steps[chosen], shape[every, chosen]
    tops = topped[every, chosen].argmax(1)
    runs = Runs(scores, taken, doubt, lambda: _traced(reached, uneven, gaps, chosen, tops))
    if span is not None:
        lowest, uppermost = (np.array([run[k] for run in runs.rows], np.float64) for k in (0, -1))
        told = np.stack([FOOT[1] + rows - HEIGHT - uppermost, lowest - uppermost], 1)
        begun = np.minimum(span.costs(numbers[:, None], told), FAR_OFF)
        scores[:most] += begun[:, 0] - begun[:, 1]
    return runs


def _traced(
    reached: Floats, uneven: _Even | _Line, gaps: NDArray[np.intp], steps: NDArray[np.intp], top: NDArray[np.intp]
) -> Rows:
    """For each number of chips the rows of its best run, upwards: all are followed down at once.

    ``reached`` is numbers x steps x rows; ``steps`` and ``top`` say where each run ends.
    """
    runs = [top]
    for back in range(1, len(reached)):
        # Runs that have reached their foot stay there, and are cut off below.
        level = np.maximum(np.arange(len(top)) + 1 - back, 0)
        ways = reached[level[:, None], steps[:, None], runs[-1][:, None] + gaps[None]]
        ways = ways - uneven.of(level, steps, runs[-1])
        runs.append(np.where(np.arange(len(top)) + 1 >= back, runs[-1] + gaps[ways.argmax(1)], runs[-1]))
    rows = np.stack(runs)
    return tuple(rows[n + 1 :: -1, n] for n in range(len(top)))


def ends(parts: Floats, weigh: float = PARTS_WEIGH) -> tuple[Floats, Floats]:
    """What speaks for the lowest seam in each row, and for the uppermost; a row's part counts ``weigh``.

    Only one stretch of rows can show the chips' edges: a stack ends where its edges do, however even the seams might
    go on. How high its face looks is not asked: a picture may be stretched.
    """
    logs = parts - parts.max(0)
    logs = logs - np.log(np.exp(logs).sum(0))
    three = np.stack([logs[0], logs[1], np.logaddexp(logs[2], logs[3])])
    before, side, above = np.cumsum(np.repeat(np.maximum(three, UNLIKELY), 2, axis=1) * weigh, 1)
    return (before[-1] - before + side).astype(np.float32), (above - side).astype(np.float32)


def _shape(steps: NDArray[np.float64], aspect: float, most: int, stretch: float) -> NDArray[np.float64]:
    """What it costs (most x steps) that a stack of such a step and number is not as high over its width as seen."""
    foretold = heights(steps, most, stretch * STRETCHES[:, None, None])
    misfit = MISSHAPEN * ((foretold - aspect) / (0.05 + 0.07 * foretold)) ** 2
    return np.asarray((misfit + STRETCHED * np.log(STRETCHES)[:, None, None] ** 2).min(0), np.float64)


def _known_shape(steps: NDArray[np.float64], aspect: float, most: int, squash: float) -> NDArray[np.float64]:
    """The same where the steepness is known."""
    foretold = np.arange(1, most + 1)[:, None] * steps[None] / ACROSS + squash
    return np.asarray(KNOWN_MISSHAPEN * ((foretold - aspect) / (0.05 + 0.07 * foretold)) ** 2, np.float64)


class _Even:
    """What it costs that seams are not evenly apart where nothing is foretold: gaps x steps."""

    def __init__(self, cost: Floats) -> None:
        self._cost = cost

    def take_off(self, number: int, scores: Floats, out: Floats) -> None:
        """``scores`` (gaps x steps x rows of the upper seam) less what it costs to come there from the seam of that
        number.
        """
        np.subtract(scores, self._cost[:, :, None], out=out)

    def of(self, numbers: NDArray[np.intp], steps: NDArray[np.intp], rows: NDArray[np.intp]) -> Floats:
        """The same for some steps alone: N x gaps."""
        return self._cost[:, steps].T


class _Line:
    """What it costs that seams are not where they are foretold, one step apart from the foot up.

    Chips lie a little nearer or farther than the stack's line, and steeply seen ones then lower or higher. How far the
    next one lies off it has to do with how far the last one does (``kept`` of it): where all of it was kept, a stack
    could stray ever further, and eight chips take the room of ten below twelve that take that of ten.

    The cost is the square of how far the gap from the seam of a number to the next is from what it should be, which
    changes by an even share with the row that is reached (``_by_row``), so that all but this is reckoned once.
    """

    def __init__(
        self,
        steps: NDArray[np.float64],
        gaps: NDArray[np.intp],
        near: NDArray[np.bool_],
        most: int,
        rows: int,
        growth: float,
        face: float,
        kept: float,
    ) -> None:
        """``near`` says which gaps x steps are out of the question, ``face`` how many rows the upper face takes."""
        number = np.arange(most)[:, None, None]
        foot = FOOT[1] + rows - HEIGHT
        place = foot - number * steps * (1 + growth * (number - 1))
        gap = gaps[None, :, None]
        off = gap - steps * (1 + 2 * growth * number) - (1 - kept) * (gap - place)
        weigh = np.sqrt(0.5 / (KNOWN_UNEVEN**2 + (ASKEW * face) ** 2))
        # What is out of the question costs more, squared, than any run can score.
        self._off = np.where(near, np.sqrt(-FAR) * 2, weigh * off).astype(np.float32)
        self._by_row = (weigh * (1 - kept) * np.arange(rows)).astype(np.float32)
        self._drifts = kept < 1
        self._room = np.empty((len(gaps), len(steps), rows if self._drifts else 1), np.float32)

    def take_off(self, number: int, scores: Floats, out: Floats) -> None:
        """``scores`` (gaps x steps x rows of the upper seam) less what it costs to come there from the seam of that
        number.
        """
        off = self._off[number][:, :, None]
        if self._drifts:
            off = np.subtract(off, self._by_row, out=self._room)
        np.subtract(scores, np.multiply(off, off, out=self._room), out=out)

    def of(self, numbers: NDArray[np.intp], steps: NDArray[np.intp], rows: NDArray[np.intp]) -> Floats:
        """The same for some numbers, steps and rows alone: N x gaps."""
        return np.asarray((self._off[numbers, :, steps] - self._by_row[rows, None]) ** 2, np.float32)


@dataclass(frozen=True)
class _Span:
    """How far it may be from the lowest seam to the uppermost where the step is foretold.

    Seams lie where they lie each by itself, but all of a stack's chips are equally thick: a stack as high as ten chips
    is not made of nine, however well nine seams are seen.
    """

    step: float
    growth: float
    face: float
    within: float

    def costs(self, count: NDArray[np.intp], spans: NDArray[np.float64]) -> NDArray[np.float64]:
        """What it costs that ``count`` chips span so many rows."""
        foretold = count * self.step * (1 + self.growth * (count - 1))
        pushed = (LEANS * self.face) ** 2
        return 0.5 * (spans - foretold) ** 2 / ((self.within * foretold) ** 2 + ENDS_OFF**2 + pushed)
