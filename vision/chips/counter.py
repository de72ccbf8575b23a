"""Counting one stack and naming its colours, from its column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.cards.runtime import open_network
from vision.chips.alike import alike, looks_of, tints
from vision.chips.crops import ACROSS, FOOT, Floats, Image, Stand, column, even, point, to_input, upright
from vision.chips.ground import Ground
from vision.chips.seams import PARTS, best_runs, steepness
from vision.chips.solid import ROOM, apart
from vision.chips.stands import moved, relaid
from vision.chips.values import COLOURS, MOST

TRIED = ({"wider": 0.08}, {"roll": 0.12}, {"wider": 0.04}, {"roll": 0.06})
"""By how much a stand is moved, either way, to see its seams better (`moved`)."""
FEW = 3
"""So many chips and fewer are read off felts in any case: what lies about may say later that there are (`company`)."""
WORTH_SAYING, OTHERS = 0.003, 3
"""How likely another number of chips must be to be read too, and how many such others are at most."""
PLAIN = 0.5
"""A count that is so likely at first sight is not looked at again (.97 once: what looked best of nine stands then was
more often surely wrong than what was seen first, EXPERIMENTS C119)."""
ALONE, SURPRISE = 2.5, 0.003
"""How much likelier one chip alone is than the glance says (a logarithm: it learned from stacks mostly), and how far
its word may at most be believed. Fitted, as `THICK`, to 900 rendered stacks and chips."""
STACKED = 0.05
"""What may be one chip alone with more than this chance is not stretched: an edge that is shown larger shows more seams
than it has."""
FACE_SHOWN = 0.3
"""So much of a stack's upper face must fit above it in a column that is stretched."""
FOOTED, LEAST_OFF = 3, 1.0
"""So often at most a stack on a felt is read again with its foot where the lowest seam was seen, as long as that is off
by more than so many pixels: a find that ends too high hides chips below the column."""
LOWERED, LOWER = 8, 0.5
"""So often, while the lowest seam lies that much of a step lower than it should: below there may be more."""
FARTHER, FOLLOWED = 6, 3
"""A find may end where a stack's colours change. So each is read once more from so many chips below its foot, where
more of what is below shows, and goes on from there where its seams fit better so, at most so often: of 191 stacks on
felts whose foot was right none did, and of five that were taken for their upper part all."""
ENDS = 0.9
"""Where the rows below its foot show the table for so certain, on average, no more of a stack is looked for there: of
838 stacks on felts the sixteen that fit better from below had .6 at most, and 590 have more than this."""
FIRMLY = 1.5
"""So much better, for each chip more, the seams of a stack must fit that goes on below (two that did: by 3.5); by less
(.3 where one did, .9 where one did not) it is only said that it may."""
THICK, BLURRED = (0.5, 2.5), 0.3
"""Seams count the less the thinner chips are in the picture (pixels, from the one to the other), but never less than
this share: where a chip is hardly a pixel thick, noise and grain look like seams."""
SELDOM = 2.5
"""How much less likely (a logarithm) more chips are than usually lie together: a rack's row holds twenty."""
SEAMS_WEIGH, KNOWN_WEIGH = 0.9, 0.8
"""How much a run's score counts, as a logarithm of chances; the second where a calibrated felt foretells the step."""


@dataclass(frozen=True, eq=False)
class Count:
    """One column's reading: ``chances`` of 0 (no chip) to ``MOST`` chips, the ``rows`` of the likeliest count's seams,
    ``words`` (count x 12) on each chip's colour, from the bottom up, how their edges look (``seen``, `alike.looks`),
    how ``alike`` neighbours look (`alike`), and the chance that the front ``shows``.

    All that is of the ``column`` of ``stand``, which may be a little off the one that was asked for. ``step`` is the
    rows from seam to seam, ``misshapen`` what it costs that the stack's shape is another than foretold, and ``face``
    the column's rows that the upper face takes.
    """

    chances: Floats
    rows: NDArray[np.intp]
    words: Floats
    seen: Floats
    alike: Floats
    shows: float
    step: float
    misshapen: float
    stand: Stand
    column: Image
    face: float
    others: tuple[Count, ...] = ()
    """What it would be with other numbers of chips that are likely too (`WORTH_SAYING`), the likeliest first; off felts
    then with those up to `FEW` that are not."""
    more_below: bool = False
    """Whether more of it may stand below what was read."""
    taken: int | None = None
    """How many chips this is a reading of, where that is not the likeliest number."""

    @property
    def count(self) -> int:
        """The number of chips: the likeliest one."""
        return int(self.chances.argmax()) if self.taken is None else self.taken

    @property
    def thickness(self) -> float | None:
        """How thick its chips are, over what the felt foretells of usual ones: what they span together says. None
        without a felt, or where somebody measured them.
        """
        stand, number = self.stand, self.count
        if stand.thick is None or stand.within is not None or number == 0:
            return None
        foretold = number * stand.stretch * stand.thick * ACROSS * (1 + stand.growth * (number - 1))
        return float(self.rows[0] - self.rows[-1]) / foretold


class Counter:
    """The trained network and what is made of its output."""

    _workers: ThreadPoolExecutor | None = None
    _usual: int = MOST

    def __init__(self, weights: Path, threads: int, even: Path | None = None, usual: int = MOST) -> None:
        """``even`` is the network that reads what stands on a calibrated felt (default: ``weights`` reads that too).
        More chips than are ``usual`` together are `SELDOM` there.
        """
        self._usual = usual
        if threads > 1:
            self._workers = ThreadPoolExecutor(threads, "seams")
        self._session = open_network(weights, threads)
        self._even = self._session if even is None else open_network(even, threads)
        self._input = self._session.get_inputs()[0].name

    def read(
        self,
        levels: Sequence[Image],
        stands: Sequence[Stand],
        ground: Ground | None = None,
        worth: Sequence[bool] | None = None,
    ) -> list[Count]:
        """A reading for each stand; ``levels`` is the picture's pyramid, ``ground`` what a calibrated felt foretells.

        Where no felt foretells how a stack stands and its count is not plain, a few stands round the given one are
        tried too, and that in which seams show best is read: chips are not all as thick, and pictures not all as wide,
        as they should be. ``worth`` says for which that may be done (default: all). On a felt each is read again with
        its foot where the lowest seam was seen, and where it is worth it it is asked whether the stack goes on below.
        """
        stands = [_stretched(s) for s in stands]
        best = self._seen(levels, stands)
        felt = [k for k, seen in enumerate(best) if seen.stand.thick is not None]
        self._put_on_their_feet(best, felt, levels, ground)
        self._follow_down(best, [k for k in felt if worth is None or worth[k]], levels, ground)
        best = [seen if seen.step is None else seen.footed() for seen in best]
        self._seen_better(best, [k for k, seen in enumerate(best) if worth is None or worth[k]], levels)
        return [seen.judged() for seen in best]

    def _seen_better(self, best: list[_Seen], worth: Sequence[int], levels: Sequence[Image]) -> None:
        """Try other stands for those of them that no felt foretells, while their counts are not plain."""
        for change in TRIED:
            free = [k for k in worth if best[k].step is None and best[k].open]
            near = [moved(best[k].stand, **change) for k in free]
            near += [moved(best[k].stand, **{how: -far for how, far in change.items()}) for k in free]
            for n, tried in enumerate(self._seen(levels, near)):
                k = free[n % len(free)]
                if tried.score > best[k].score:
                    best[k] = tried

    def _put_on_their_feet(
        self, best: list[_Seen], felt: Sequence[int], levels: Sequence[Image], ground: Ground | None
    ) -> None:
        """Read those of the ``felt`` again with their feet where their lowest seams are, until that stays."""
        for turn in range(LOWERED):
            footed = {k: best[k].on_its_foot(ground) for k in felt if turn < FOOTED or best[k].goes_on}
            felt = [k for k, stand in footed.items() if _apart(stand, best[k].stand) > LEAST_OFF]
            for k, seen in zip(felt, self._seen(levels, [footed[k] for k in felt]), strict=True):
                best[k] = seen

    def _follow_down(
        self, best: list[_Seen], felt: Sequence[int], levels: Sequence[Image], ground: Ground | None
    ) -> None:
        """Read those of the ``felt`` that go on below their feet from there, but not onto another that was found; those
        that hardly do are marked as doubtful."""
        found = list(best)
        felt = [k for k in felt if best[k].table_below < ENDS]
        for _ in range(FOLLOWED):
            lower = self._seen(levels, [best[k].from_below(ground) for k in felt])
            farther = dict(zip(felt, lower, strict=True))
            felt = [k for k, seen in farther.items() if seen.score > best[k].score]
            for k in felt:
                best[k] = farther[k]
            self._put_on_their_feet(best, felt, levels, ground)
        for k, was in enumerate(found):
            if best[k] is was:
                continue
            others = [it.stand for n, it in enumerate(found) if n != k]
            onto = any(apart(best[k].stand, it) < ROOM <= apart(was.stand, it) for it in others)
            more = best[k].likeliest - was.likeliest
            if onto or more <= 0 or best[k].score < was.score + FIRMLY * more:
                best[k] = was
                best[k].more_below = more > 0 and not onto

    def fits(
        self, levels: Sequence[Image], stands: Sequence[Stand], count: int
    ) -> list[tuple[float, NDArray[np.float64]]]:
        """How well just ``count`` chips fit each stand (``Runs.scores``), and their seams' rows in a column that is not
        stretched."""
        out = []
        whole = [replace(s, stretch=1.0 if count == 1 else upright(s.squash)) for s in stands]
        for stand, _, (seams, _, _, parts) in self._said(levels, whole):
            k = stand.stretch
            runs = best_runs(seams, parts, k * (stand.tall + stand.squash), most=count, stretch=k)
            tried = count <= len(runs.rows)
            rows = np.asarray(FOOT[1] + (runs.rows[count - 1 if tried else -1] - FOOT[1]) / k, np.float64)
            out.append((float(runs.scores[count - 1]) if tried else -np.inf, rows))
        return out

    def _seen(self, levels: Sequence[Image], stands: Sequence[Stand]) -> list[_Seen]:
        """Each stand's column with its runs of seams, which are looked for while the network looks at further ones."""
        said = self._said(levels, stands)
        if self._workers is None or len(stands) < 2:
            return [self._run(*it) for it in said]
        return list(self._workers.map(lambda it: self._run(*it), said))

    def _run(self, stand: Stand, column: Image, said: Sequence[Floats]) -> _Seen:
        return _Seen(stand, column, said, self._usual)

    def _said(self, levels: Sequence[Image], stands: Sequence[Stand]) -> Iterator[tuple[Stand, Image, list[Floats]]]:
        """What the network for such a stand says of its column, in the order of ``stands``."""
        for known, of_a_kind in groupby(stands, lambda s: s.thick is not None):
            same = list(of_a_kind)
            for begin in range(0, len(same), 16):
                part = same[begin : begin + 16]
                columns = np.stack([column(levels, s) for s in part])
                said = (self._even if known else self._session).run(None, {self._input: to_input(columns)})
                for k, stand in enumerate(part):
                    yield stand, columns[k], [it[k] for it in said]


class _Seen:
    """A column as one stand shows it, with what the network said of it and the best run of seams for each count.

    ``said``: ``seams`` a logit a row, ``colours`` 12 x rows / 2, ``whole`` the logits of "no chip" and "the front
    shows", ``parts`` 4 x rows / 2 (`seams.PARTS`).
    """

    def __init__(
        self, stand: Stand, column: Image, said: Sequence[Floats], usual: int = MOST, footed: bool = False
    ) -> None:
        self.said, self.usual = said, usual
        seams, self.colours, self.whole, parts = said
        self.stand, self.column = stand, column
        k = stand.stretch
        self.step = None if stand.thick is None else k * stand.thick * ACROSS
        self.runs = best_runs(
            seams, parts, k * (stand.tall + stand.squash), step=self.step, squash=k * stand.squash,
            growth=stand.growth, stretch=k, within=stand.within, footed=footed,
        )  # fmt: skip
        self.score = float(self.runs.scores.max())
        self.more_below = False

    @cached_property
    def tints(self) -> Floats:
        """The column's pixels as they are compared (`alike.tints`)."""
        return tints(self.column)

    @property
    def likeliest(self) -> int:
        """How many chips there are, if there is one, likelier than any other number."""
        return int(self.chances.argmax()) + 1

    @property
    def chances(self) -> NDArray[np.float64]:
        """How likely each count from 1 up is, if there is a chip."""
        scores, many = self.runs.scores, int(self.runs.scores[1:].argmax()) + 1
        thick = self.stand.across * self.runs.steps[many] / ACROSS / self.stand.stretch
        seen = float(np.clip((thick - THICK[0]) / (THICK[1] - THICK[0]), BLURRED, 1))
        logs = seen * (SEAMS_WEIGH if self.step is None else KNOWN_WEIGH) * scores
        alone = np.clip(self.stand.alone, SURPRISE, 1 - SURPRISE)
        logs[0] += np.log(alone / (1 - alone)) + ALONE
        logs[self.usual :] -= SELDOM
        chances = np.exp(logs - logs.max())
        return np.asarray(chances / chances.sum(), np.float64)

    @property
    def open(self) -> bool:
        """Whether other stands round this one may tell more: there is a chip, and its count is not plain."""
        return bool(self.whole[0] < 0 and self.chances.max() < PLAIN)

    @property
    def lowest(self) -> float:
        """The row of the likeliest run's lowest seam."""
        return float(self.runs.rows[self.likeliest - 1][0])

    @property
    def goes_on(self) -> bool:
        """Whether the stack may go on below what was its foot."""
        step = float(self.runs.steps[self.likeliest - 1])
        return self.lowest > FOOT[1] + LOWER * step

    @property
    def table_below(self) -> float:
        """How likely the rows below the likeliest run's lowest seam show the table, on average (1 where there are
        none).
        """
        below = self.said[3][:, int(self.lowest) // 2 + 1 :]
        if not below.shape[1]:
            return 1.0
        odds = np.exp(below - below.max(0))
        return float((odds[PARTS.index("before")] / odds.sum(0)).mean())

    def footed(self) -> _Seen:
        """The same, its lowest seam known to lie where a stack's should."""
        seen = _Seen(self.stand, self.column, self.said, self.usual, footed=True)
        seen.more_below = self.more_below
        return seen

    def on_its_foot(self, ground: Ground | None) -> Stand:
        """The stand with its foot at the likeliest run's lowest seam, as ``ground`` has it there; its upper end stays
        where it is.
        """
        return self._with_foot(self.lowest, ground)

    def from_below(self, ground: Ground | None) -> Stand:
        """The stand with its foot `FARTHER` chips below."""
        return self._with_foot(FOOT[1] + FARTHER * float(self.step or 0.0), ground)

    def _with_foot(self, row: float, ground: Ground | None) -> Stand:
        stand = self.stand
        foot = point(stand, row)
        raised = (foot[1] - stand.foot[1]) / max(np.cos(stand.roll), 0.1) / stand.across
        return relaid(replace(stand, foot=foot, tall=max(stand.tall + float(raised), 0.05)), stand.foot, ground)

    def judged(self) -> Count:
        chances = self.chances
        nothing, shows = (float(v) for v in 1 / (1 + np.exp(-self.whole)))
        best = int(chances.argmax())
        everything = np.concatenate([[nothing], chances * (1 - nothing)]).astype(np.float32)
        count = self._counted(best, everything, shows)
        others = [int(n) for n in np.argsort(-chances) if n != best and everything[n + 1] >= WORTH_SAYING][:OTHERS]
        if self.step is None:
            others += [n for n in range(min(FEW, len(self.runs.rows))) if n != best and n not in others]
        return replace(count, others=tuple(self._counted(n, everything, shows, n + 1) for n in others))

    def _counted(self, which: int, chances: Floats, shows: float, taken: int | None = None) -> Count:
        """As the run of ``which`` + 1 chips has it."""
        rows, step, k = self.runs.rows[which], float(self.runs.steps[which]), self.stand.stretch
        face = k * (float(steepness(step / k)) if self.step is None else self.stand.squash) * ACROSS
        words, seen = chip_words(self.colours, rows, face), looks_of(self.tints, rows)
        odd, same = float(self.runs.misshapen[which]), alike(seen)
        if which == 0:  # the front of a chip alone is a line: the glance sees more of it
            shows = self.stand.shows
        return Count(
            chances, rows, words, seen, same, shows, step / k, odd, self.stand, self.column, face,
            more_below=self.more_below, taken=taken,
        )  # fmt: skip


def _apart(one: Stand, other: Stand) -> float:
    """How far from each other their feet are, in pixels."""
    return float(np.hypot(one.foot[0] - other.foot[0], one.foot[1] - other.foot[1]))


def _stretched(stand: Stand) -> Stand:
    """The stand with how much its column is stretched: as `even` says on a calibrated felt; as `upright` says where a
    stack's step is not foretold, but so that the whole stack fits."""
    if stand.thick is not None:
        return replace(stand, stretch=even(stand.thick))
    if stand.alone > STACKED:
        return stand
    fits = FOOT[1] / (ACROSS * max(stand.tall + FACE_SHOWN * stand.squash, 0.1))
    return replace(stand, stretch=max(1.0, min(upright(stand.squash), fits)))


def chip_words(colours: Floats, rows: NDArray[np.intp], face: float) -> Floats:
    """What the network says of each chip between ``rows``: count x 12; the uppermost one's ``face`` rows count too."""
    logs = colours - colours.max(0)
    logs = logs - np.log(np.exp(logs).sum(0))
    out = np.zeros((len(rows) - 1, len(COLOURS)), np.float32)
    for k, (low, high) in enumerate(pairwise(rows)):
        first, last = int(high) // 2, max(int(low) // 2, int(high) // 2 + 1)
        trim = int(last - first > 3)
        out[k] = logs[:, first + trim : last - trim].mean(1) * min(last - first - 2 * trim, 2)
    top, room = int(rows[-1]) // 2, int(face) // 2
    above = logs[:, max(top - room, 0) : top]
    if above.shape[1] > 2:
        # The nearer and the farther rim have inserts and print: the middle of the face says most.
        out[-1] += 1.5 * above[:, above.shape[1] // 4 : -above.shape[1] // 8 or None].mean(1)
    return out
