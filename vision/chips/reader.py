"""Reading the chips of one picture: find at low resolution, place, then count and name colours from native pixels."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import numpy as np

from vision.cards.patches import pyramid
from vision.cards.runtime import SHIPPED, ModelError
from vision.chips.anew import ALL_NEW, CHANGED, share_in, shown_anew
from vision.chips.appearance import USUAL, Appearance, Shown, standard
from vision.chips.colourless import colourless, unnamed
from vision.chips.company import Company
from vision.chips.counter import Count, Counter
from vision.chips.crops import Image
from vision.chips.finder import Find, Finder, merged, shared
from vision.chips.ground import Ground, of_size
from vision.chips.judging import (
    NO_CHIP,
    STILL,
    Colours,
    Settings,
    a_shadow,
    count_says,
    judged,
    nothing_plain,
    there,
    worth_counting,
)
from vision.chips.likeness import edges
from vision.chips.naming import Named, Naming
from vision.chips.portraits import Portrayed, portraits
from vision.chips.racks import RackReader, beside
from vision.chips.readings import readings
from vision.chips.solid import each_once
from vision.chips.stands import Placer, grounded
from vision.chips.values import Box, ChipReading, ChipStack

__all__ = ["ChipReader", "ModelError", "Settings"]
FINDER_FILE, PLACER_FILE, COUNTER_FILE = "chips_finder.onnx", "chips_placer.onnx", "chips_counter.onnx"
FELT_FINDER_FILE, FELT_COUNTER_FILE = "chips_felt_finder.onnx", "chips_felt_counter.onnx"
"""They find and count what stands on a calibrated felt; the finder also what is shown there to be learned."""
NAMING_FILE = "chips_naming.onnx"
COMPANY_FILE = "chips_company.onnx"

PLAINLY = 0.75
"""So plain, over what is plainest, is a chip that somebody shows."""
PLAIN_ALONE = 0.3
"""So plain it is in a picture to which there is none without it: of 13 photographs of cards and felts one shows
something plainer that is no chip."""
NOT_FOREIGN = 0.5
"""How likely a stack is of the set, at least, though all of it seems foreign: of ten such at 1140 settled places eight
were, and two were a card."""
SAME = 0.3
"""Two boxes that share so much of their union are of one thing."""


@dataclass(frozen=True)
class Networks:
    """All that read chips: what finds them, what says how each stands, how many they are, what their colours are, and
    what they are in sight of each other; and what reads racks."""

    finder: Finder
    placer: Placer
    counter: Counter
    naming: Naming
    company: Company
    racks: RackReader
    felt_finder: Finder


class ChipReader:
    """Reads the chips of one picture after another; not for use from several threads at once."""

    def __init__(
        self,
        networks: Networks,
        settings: Settings,
        appearance: Appearance | None,
        usual: Collection[str] = USUAL,
    ) -> None:
        self._networks = networks
        self._finder, self._placer, self._counter = networks.finder, networks.placer, networks.counter
        self._naming, self._company = networks.naming, networks.company
        self.settings, self.appearance, self.usual = settings, appearance, usual

    @classmethod
    def load(
        cls,
        weights: Path | None = None,
        threads: int = 2,
        settings: Settings | None = None,
        appearance: Appearance | None = None,
        usual: Collection[str] = USUAL,
    ) -> ChipReader:
        """Open the networks in ``weights`` (default: those shipped), for one's own set if ``appearance`` is given.

        Without one, ``usual`` names the colours that are played with, if that is known. Raises :class:`ModelError`.
        """
        folder = weights or SHIPPED
        networks = Networks(
            Finder(folder / FINDER_FILE, threads),
            Placer(folder / PLACER_FILE, threads),
            Counter(folder / COUNTER_FILE, threads, folder / FELT_COUNTER_FILE),
            Naming(folder / NAMING_FILE, threads),
            Company(folder / COMPANY_FILE, threads),
            RackReader.load(folder, threads),
            Finder(folder / FELT_FINDER_FILE, threads),
        )
        return cls(networks, settings or Settings(), appearance, usual)

    def for_set(self, appearance: Appearance) -> ChipReader:
        """The same networks, reading the chips of that set."""
        return ChipReader(self._networks, self.settings, appearance, self.usual)

    def read(self, image: Image, /, ground: Ground | None = None) -> ChipReading:
        """All chips in ``image`` (H x W x 3, BGR), sure and unsure. Times in ``ms``: find, count, total.

        ``ground`` says how chips look that stand on a calibrated felt, by their lowest point in ``image``.
        """
        height, width = image.shape[:2]
        began = time.perf_counter()
        if min(height, width) < 16:
            return ChipReading(width, height, (), {"total": 0.0})
        levels = pyramid(image)
        if ground is not None and self.appearance is not None and self.appearance.size is not None:
            ground = of_size(ground, self.appearance.size)
        finds = self.find(levels) if ground is None else self.find_on(levels, ground)
        # Where a felt is calibrated bets are read; racks stand aside of it.
        rows = self._networks.racks.find(levels, finds) if ground is None else []
        searched = time.perf_counter()
        stacks = self.stacks(levels, beside(finds, rows), ground) + self._in_racks(levels, rows)
        if ground is None:
            stacks = nothing_plain(self.settings, stacks)
            if colourless(image):  # of what is seen on a felt all of the picture is asked (`spots`)
                stacks = unnamed(stacks)
        ended = time.perf_counter()
        spans = {"find": searched - began, "count": ended - searched, "total": ended - began}
        return ChipReading(width, height, tuple(stacks), {k: round(v * 1000, 1) for k, v in spans.items()})

    def find(self, levels: Sequence[Image], by: Finder | None = None) -> list[Find]:
        """Everything round, from coarse to fine: until all that is there is large, and farther where all is small.

        ``by`` is the finder to look with (default: the one for pictures without a calibrated felt).
        """
        s, finder = self.settings, by or self._finder
        native = max(levels[0].shape[:2])
        sizes = sorted({max(32, min(z, int(native * s.largest_growth))) for z in s.scales})
        passes: list[list[Find]] = []
        for z in sizes:
            passes.append(finder.at_scale(levels, z, s.least_found))
            widths = [(f.box[2] - f.box[0]) * z / native for f in passes[-1] if f.confidence > s.noticed]
            if widths and min(widths) > s.large and max(f.confidence for f in passes[-1]) > s.plainly:
                break
        widths = [(f.box[2] - f.box[0]) * sizes[-1] / native for one in passes for f in one]
        fine = min(s.fine_scale, int(native * s.largest_growth))
        if fine > 1.2 * sizes[-1] and widths and float(np.median(widths)) < s.small:
            passes.append(finder.at_scale(levels, fine, s.least_found))
        return merged(passes)

    def find_on(self, levels: Sequence[Image], ground: Ground) -> list[Find]:
        """The same on a calibrated felt: looked for in the size that chips have there, and what has another is none.

        Where the felt says nothing of this part of the picture it is searched as any other.
        """
        s = self.settings
        h, w = levels[0].shape[:2]
        lie = ground((w / 2, 0.6 * h))
        if lie is None or lie.across < 4:
            return self.find(levels)
        native = max(h, w)
        sizes = {max(32, min(round(native * width / lie.across), int(native * 1.5))) for width in s.best_widths}
        finder = self._networks.felt_finder
        passes = [finder.at_scale(levels, z, s.least_found) for z in sorted(sizes)]
        return merged([[f for f in one if _sized(f, ground, s.other_size)] for one in passes])

    def stacks(self, levels: Sequence[Image], finds: Sequence[Find], ground: Ground | None = None) -> list[ChipStack]:
        """What each find is."""
        h, w = levels[0].shape[:2]
        upright, counts = self.counted(levels, finds, ground)
        upright, counts = self._in_company(levels, upright, counts)
        seen = [(f, c) for f, c in zip(upright, counts, strict=True) if there(self.settings, f, c)]
        named = self._named([c for _, c in seen])
        clear = [not a_shadow(self.settings, f, c, it) for (f, c), it in zip(seen, named, strict=True)]
        seen, named = list(compress(seen, clear)), list(compress(named, clear))
        once = each_once([c.stand for _, c in seen], [f.confidence for f, _ in seen])
        seen, named = [seen[k] for k in once], [named[k] for k in once]
        out = [self._judged(f, c, it, (w, h)) for (f, c), it in zip(seen, named, strict=True)]
        out = self._with_readings(out, [c for _, c in seen], named)
        if ground is None:
            out += [
                ChipStack(f.box, (), 0.0, NO_CHIP, "other", found=f.confidence)
                for f in finds
                if f.shape == "other" and not self._seen_round(f)
            ]
        return out

    def counted(
        self, levels: Sequence[Image], finds: Sequence[Find], ground: Ground | None = None
    ) -> tuple[list[Find], list[Count]]:
        """Those of the finds that may be chips that stand or lie, and what is read of each by itself."""
        upright = [f for f in finds if f.shape == "stack" or self._seen_round(f)]
        stands = self._placer.place(levels, [f.box for f in upright])
        if ground is not None:
            lies = [ground(s.foot) for s in stands]
            stands = [
                s if lie is None else grounded(s, f.box, lie) for s, f, lie in zip(stands, upright, lies, strict=True)
            ]
        worth = [worth_counting(self.settings, f, stand) for f, stand in zip(upright, stands, strict=True)]
        upright, stands = list(compress(upright, worth)), list(compress(stands, worth))
        plain = self.settings.tried if ground is None else self.settings.noticed
        plainly = [f.confidence >= plain for f in upright]
        return upright, self._counter.read(levels, stands, ground, plainly)

    def _in_company(
        self, levels: Sequence[Image], finds: Sequence[Find], counts: Sequence[Count]
    ) -> tuple[list[Find], list[Count]]:
        """What no felt foretells, in sight of each other: coins and lids that are chips among them."""
        finds, counts = list(finds), list(counts)
        free = [k for k, count in enumerate(counts) if count.stand.thick is None]
        together = [finds[k] for k in free], [counts[k] for k in free]
        told = self._company.told(levels, *together, self.usual, self.appearance is not None)
        for k, count in zip(free, told, strict=True):
            counts[k] = count
            if count.chances[0] < self.settings.chip:
                finds[k] = replace(finds[k], shape="stack")
        return finds, counts

    def _seen_round(self, find: Find) -> bool:
        """Whether something round is counted too: plain chips look like it, and, faintly, shadows do."""
        return find.shape == "other" and find.confidence >= self.settings.noticed

    def _judged(self, find: Find, count: Count, colours: Colours, size: tuple[int, int]) -> ChipStack:
        return judged(self.settings, find, count, colours, size, self.appearance is not None)

    def round_things(self, image: Image) -> list[Box]:
        """For enrolment: whatever might be taken for a chip, before one is shown."""
        return [f.box for f in self._looked_for(pyramid(image)) if f.shape == "stack"]

    def shown(self, image: Image, there: Sequence[Box] = (), empty: Image | None = None) -> list[Shown]:
        """For enrolment: what the stacks in ``image`` look like that are plainly some, the largest first.

        What lies where something was ``there`` before, when no chip was shown yet, is none; nor is what looks as it did
        in the ``empty`` picture, nor what is not about as plain as the plainest, nor, without an ``empty`` picture,
        what is hardly plain at all. A plain disc looks like a lid: it is taken where it is all there is, and, with an
        ``empty`` picture, all of it is new.
        """
        levels = pyramid(image)
        new = None if empty is None or empty.shape != image.shape else shown_anew(image, empty)
        able = [
            f
            for f in self._looked_for(levels)
            if f.confidence >= self.settings.noticed
            and all(shared(f.box, box)[0] < SAME for box in there)
            and (new is None or share_in(new, f.box) > CHANGED)
        ]
        finds = [f for f in able if f.shape == "stack"]
        if not finds:
            discs = [f for f in able if f.shape == "other" and (new is None or share_in(new, f.box) > ALL_NEW)]
            finds = discs if len(discs) == 1 else []
        stands = self._placer.place(levels, [f.box for f in finds])
        counts = self._counter.read(levels, stands)
        plain = [f.confidence * count_says(c) * c.shows for f, c in zip(finds, counts, strict=True)]
        least = max(PLAINLY * max(plain, default=0.0), 0.0 if new is not None else PLAIN_ALONE)
        return sorted(
            (
                Shown(f.box, c.words, edges(c.column, c.rows), portraits(c.column, c.rows, c.face))
                for f, c, worth in zip(finds, counts, plain, strict=True)
                if (c.count or (new is not None and share_in(new, f.box) > ALL_NEW)) and worth > least
            ),
            key=lambda it: it.box[0] - it.box[2],
        )

    def _looked_for(self, levels: Sequence[Image]) -> list[Find]:
        """A chip under a camera that sees all of a table is small: a closer look is taken than at a bet."""
        closer, finder = min(self.settings.fine_scale, max(levels[0].shape[:2])), self._networks.felt_finder
        return merged([self.find(levels, finder), finder.at_scale(levels, closer, self.settings.least_found)])

    def _named(self, counts: Sequence[Count]) -> list[Colours]:
        """Each stack's colours: those of the chips of one's own set are named in sight of each other, where the set
        keeps what its chips look like."""
        own = self.appearance
        guesses, odd = [], []
        for count in counts:
            if own is None:
                names, chances, strange = *standard(count.words, self.usual), 0.0
            else:
                names, chances, strangers = own.chances(count.words, count.seen)
                strange = float(strangers.mean())
            guesses.append(Named(names, chances, count.alike))
            odd.append(strange)
        if own is not None and own.shown:
            stacks = [Portrayed(c.words, portraits(c.column, c.rows, c.face)) for c in counts]
            guesses = self._naming.named(stacks, guesses, self.usual, own)
        return [Colours(guess, strange) for guess, strange in zip(guesses, odd, strict=True)]

    def _with_readings(
        self, stacks: Sequence[ChipStack], counts: Sequence[Count], named: Sequence[Colours]
    ) -> list[ChipStack]:
        """The stacks, with what else they may be; less likely all that where a chip is none of the set."""
        able = [stack.sure or stack.open for stack in stacks]
        others = [(k, other) for k, count in enumerate(counts) if able[k] for other in count.others]
        ways = [
            [(it.named, max(1 - it.strange, NOT_FOREIGN) * float(count.chances[count.count]))]
            for it, count in zip(named, counts, strict=True)
        ]
        for (k, other), it in zip(others, self._named([other for _, other in others]), strict=True):
            ways[k].append((it.named, max(1 - it.strange, NOT_FOREIGN) * float(other.chances[other.count])))
        return [
            replace(stack, readings=readings([(n, c * STILL.get(stack.reason, 1.0)) for n, c in way])) if it else stack
            for stack, way, it in zip(stacks, ways, able, strict=True)
        ]

    def _in_racks(self, levels: Sequence[Image], finds: Sequence[Find]) -> list[ChipStack]:
        """What the rows are that were found in racks: chips on edge, from the far or left end on."""
        rows = self._networks.racks.read(levels, finds)
        out = []
        for row, colours in zip(rows, self._named([row.count for row in rows]), strict=True):
            find = Find("tube", row.inner, row.found)
            stack = self._judged(find, row.count, colours, row.size)
            order = stack.order[::-1] if row.backwards else stack.order
            out.append(replace(stack, box=row.box, order=order))
        return out


def _sized(find: Find, ground: Ground, factor: float) -> bool:
    """Whether it is about as wide as a chip is that stands there; tubes lie on their side."""
    lie = ground(((find.box[0] + find.box[2]) / 2, find.box[3]))
    if lie is None or find.shape == "tube":
        return True
    # What a coin is may be smaller.
    least = 1 / factor if find.shape == "stack" else 0.4
    return least < (find.box[2] - find.box[0]) / lie.across < factor
