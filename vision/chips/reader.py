"""Reading the chips of one picture: find at low resolution, place, then count and name colours from native pixels."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from vision.cards.patches import pyramid
from vision.cards.runtime import ModelError
from vision.chips.anew import ALL_NEW, CHANGED, share_in, shown_anew
from vision.chips.appearance import USUAL, Appearance, Shown, standard
from vision.chips.counter import Count, Counter
from vision.chips.crops import ACROSS, Image, Stand
from vision.chips.finder import Find, Finder, merged, shared
from vision.chips.ground import Ground, of_size
from vision.chips.likeness import edges
from vision.chips.naming import Named, Naming, ordered
from vision.chips.portraits import Portrayed, portraits
from vision.chips.readings import readings
from vision.chips.solid import each_once
from vision.chips.stands import Placer, grounded
from vision.chips.values import MOST, Box, ChipReading, ChipStack

__all__ = ["ChipReader", "ModelError", "Settings"]
FINDER_FILE, PLACER_FILE, COUNTER_FILE = "chips_finder.onnx", "chips_placer.onnx", "chips_counter.onnx"
FELT_COUNTER_FILE = "chips_felt_counter.onnx"
"""Counts what stands on a calibrated felt."""
NAMING_FILE = "chips_naming.onnx"

Colours = tuple[Named, bool]
"""What a stack's chips are, and whether one is none of the set."""

PLAINLY = 0.75
"""So plain, over what is plainest, is a chip that somebody shows."""
SAME = 0.3
"""Two boxes that share so much of their union are of one thing."""


@dataclass(frozen=True)
class Settings:
    """Thresholds, all chances between 0 and 1; one set for every picture."""

    scales: tuple[int, ...] = (96, 160, 320, 640)
    fine_scale: int = 1280
    small: float = 22.0
    """Median width of finds, in pixels at the last of ``scales``, under which a closer look is taken."""
    largest_growth: float = 1.0
    least_found: float = 0.2
    best_widths: tuple[float, ...] = (22.0, 38.0)
    """How wide chips should be for the finder, in pixels, where a calibrated felt says how wide they are."""
    other_size: float = 1.5
    """Wider by this factor than a chip that stands there, or narrower, something on a calibrated felt is no stack."""
    noticed: float = 0.32
    """Fainter finds are shown only where what is read there is likely, and its front seen: most are folds, grain and
    shadows."""
    low: int = 4
    """Of so few chips none is shown that was found so faintly on a calibrated felt: shadows, markers and cards are."""
    noticed_hidden: float = 0.42
    """The same for one chip alone on a calibrated felt whose front is not seen: most are print on cards."""
    least_thick: float = 1.6
    """Chips thinner than so many pixels in the picture are not counted."""
    sure: float = 0.9
    """How likely count and colours must be for a stack to be listed as sure."""
    sure_on_felt: float = 0.975
    """The same on a calibrated felt, where what foretells a stack's shape also makes claims bolder;"""
    sure_unlearned: float = 0.94
    """and there without a set of one's own: of chips that are half inserts nobody can say which colour is theirs."""
    likely: float = 0.5
    """How likely a stack's guess must be for it to be listed as likely, where it is not sure;"""
    plainly: float = 0.5
    """and how surely it must have been found;"""
    thick: float = 5.0
    """and how many pixels thick its chips must be: of thinner ones' guesses too many are wrong that look likely."""
    sure_alone: float = 0.6
    """How surely one chip alone must have been found for it to be sure where no felt tells its size: pips and print are
    found more faintly, mostly."""
    sure_colour: float = 0.6
    shows: float = 0.3
    """How likely the stack's front must show all;"""
    from_above: float = 0.6
    """but not that of one chip, found as surely as one alone must be, whose face looks so round (high over wide)."""
    edge: float = 0.006
    """A box that comes so near the frame (share of the picture's side) may be cut by it."""
    misshapen: float = 6.0
    """What a stack's shape may cost (``seams.Runs``) for its height to fit its width;"""
    misshapen_on_felt: float = 2.5
    """and on a calibrated felt, where the same costs less."""


class ChipReader:
    """Reads the chips of one picture after another; not for use from several threads at once."""

    def __init__(
        self,
        finder: Finder,
        placer: Placer,
        counter: Counter,
        naming: Naming,
        settings: Settings,
        appearance: Appearance | None,
        usual: Collection[str] = USUAL,
    ) -> None:
        self._finder, self._placer, self._counter, self._naming = finder, placer, counter, naming
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
        folder = weights or Path(str(files("models") / "weights"))
        return cls(
            Finder(folder / FINDER_FILE, threads),
            Placer(folder / PLACER_FILE, threads),
            Counter(folder / COUNTER_FILE, threads, folder / FELT_COUNTER_FILE),
            Naming(folder / NAMING_FILE, threads),
            settings or Settings(),
            appearance,
            usual,
        )

    def for_set(self, appearance: Appearance) -> ChipReader:
        """The same networks, reading the chips of that set."""
        networks = self._finder, self._placer, self._counter, self._naming
        return ChipReader(*networks, self.settings, appearance, self.usual)

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
        searched = time.perf_counter()
        stacks = self.stacks(levels, finds, ground)
        ended = time.perf_counter()
        spans = {"find": searched - began, "count": ended - searched, "total": ended - began}
        return ChipReading(width, height, tuple(stacks), {k: round(v * 1000, 1) for k, v in spans.items()})

    def find(self, levels: Sequence[Image]) -> list[Find]:
        """Everything round, at two scales; at a third where all is small."""
        s = self.settings
        native = max(levels[0].shape[:2])
        sizes = sorted({max(32, min(z, int(native * s.largest_growth))) for z in s.scales})
        passes = [self._finder.at_scale(levels, z, s.least_found) for z in sizes]
        widths = [(f.box[2] - f.box[0]) * sizes[-1] / native for one in passes for f in one]
        fine = min(s.fine_scale, int(native * s.largest_growth))
        if fine > 1.2 * sizes[-1] and widths and float(np.median(widths)) < s.small:
            passes.append(self._finder.at_scale(levels, fine, s.least_found))
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
        passes = [self._finder.at_scale(levels, z, s.least_found) for z in sorted(sizes)]
        return merged([[f for f in one if _sized(f, ground, s.other_size)] for one in passes])

    def stacks(self, levels: Sequence[Image], finds: Sequence[Find], ground: Ground | None = None) -> list[ChipStack]:
        """What each find is."""
        h, w = levels[0].shape[:2]
        upright = [f for f in finds if f.shape == "stack"]
        stands = self._placer.place(levels, [f.box for f in upright])
        if ground is not None:
            lies = [ground(s.foot) for s in stands]
            stands = [
                s if lie is None else grounded(s, f.box, lie) for s, f, lie in zip(stands, upright, lies, strict=True)
            ]
        plainly = [f.confidence >= self.settings.noticed for f in upright]
        counts = self._counter.read(levels, stands, ground, plainly)
        there = [(f, c) for f, c in zip(upright, counts, strict=True) if self._there(f, c)]
        there = [there[k] for k in each_once([c.stand for _, c in there], [f.confidence for f, _ in there])]
        named = self._named([c for _, c in there])
        out = [self._judged(f, c, it, (w, h)) for (f, c), it in zip(there, named, strict=True)]
        out = self._with_readings(out, [c for _, c in there], named)
        out += [self._tube(levels, f) for f in finds if f.shape == "tube"]
        out += [
            ChipStack(f.box, (), 0.0, "round, but no chip that is known", "other") for f in finds if f.shape == "other"
        ]
        return out

    def round_things(self, image: Image) -> list[Box]:
        """For enrolment: whatever might be taken for a chip, before one is shown."""
        return [f.box for f in self._looked_for(pyramid(image)) if f.shape == "stack"]

    def shown(self, image: Image, there: Sequence[Box] = (), empty: Image | None = None) -> list[Shown]:
        """For enrolment: what the stacks in ``image`` look like that are plainly some, the largest first.

        What lies where something was ``there`` before, when no chip was shown yet, is none; nor is what looks as it did
        in the ``empty`` picture, nor what is not about as plain as the plainest.
        """
        levels = pyramid(image)
        new = None if empty is None or empty.shape != image.shape else shown_anew(image, empty)
        finds = [
            f
            for f in self._looked_for(levels)
            if f.shape == "stack"
            and f.confidence >= self.settings.noticed
            and all(shared(f.box, box)[0] < SAME for box in there)
            and (new is None or share_in(new, f.box) > CHANGED)
        ]
        stands = self._placer.place(levels, [f.box for f in finds])
        counts = self._counter.read(levels, stands)
        plain = [f.confidence * count_says(c) * c.shows for f, c in zip(finds, counts, strict=True)]
        return sorted(
            (
                Shown(f.box, c.words, edges(c.column, c.rows), portraits(c.column, c.rows, c.face))
                for f, c, worth in zip(finds, counts, plain, strict=True)
                if (c.count or (new is not None and share_in(new, f.box) > ALL_NEW)) and worth > PLAINLY * max(plain)
            ),
            key=lambda it: it.box[0] - it.box[2],
        )

    def _looked_for(self, levels: Sequence[Image]) -> list[Find]:
        """A chip under a camera that sees all of a table is small: a closer look is taken than at a bet."""
        closer = min(self.settings.fine_scale, max(levels[0].shape[:2]))
        return merged([self.find(levels), self._finder.at_scale(levels, closer, self.settings.least_found)])

    def _judged(
        self, find: Find, count: Count, colours: Colours, size: tuple[int, int], tube: bool = False
    ) -> ChipStack:
        s, stand = self.settings, count.stand
        order, tint = ordered(colours[0])
        strange = colours[1]
        chance = float(count.chances[count.count]) if count.count else 0.0
        confidence = float(np.clip(chance * tint, 0, 1))
        thick = stand.across * count.step / ACROSS
        reason, doubted, open_ = "", False, False
        if count.chances[0] > 0.5:
            reason = "round, but no chip that is known"
        elif self._cut(find.box, stand, size):
            reason = "cut off by the picture's frame"
        elif count.count > 1 and thick < s.least_thick:
            reason = f"too small to count: a chip is {thick:.1f} pixels thick here; come closer"
        elif count.shows < s.shows and not self._from_above(find, count):
            reason = "something hides a part of it"
        elif count.count >= MOST:
            reason = f"taller than {MOST - 1} chips"
        elif (
            not tube
            and count.count > 2
            and count.misshapen > (s.misshapen if stand.thick is None else s.misshapen_on_felt)
        ):
            reason = "its height does not fit its width"
        elif strange:
            reason = "a chip of a colour that is not in the set"
        elif tint < s.sure_colour:
            reason, open_ = "its colours could not be told apart surely", True
        elif find.confidence < s.noticed:
            reason = "too faint to be sure that chips are there"
        elif confidence < self._bar(stand):
            reason, doubted, open_ = "its chips could not be counted surely", True, True
        elif count.count == 1 and stand.thick is None and find.confidence < s.sure_alone:
            reason, doubted, open_ = "it may be one chip, or print that looks like one", True, True
        plain = not tube and find.confidence >= s.plainly and (count.count == 1 or thick >= s.thick)
        likely = doubted and plain and confidence >= s.likely
        return ChipStack(
            find.box, order, confidence, reason, "tube" if tube else "stack", likely, open_ and bool(order)
        )

    def _from_above(self, find: Find, count: Count) -> bool:
        """Whether it is one chip of whose front hardly anything can be seen, though nothing hides it."""
        s, stand = self.settings, count.stand
        alone = count.count == 1 and stand.thick is None
        return alone and stand.squash >= s.from_above and find.confidence >= s.sure_alone

    def _there(self, find: Find, count: Count) -> bool:
        """Whether anything is said of a find: folds, print and shadows are found too, mostly faintly."""
        s = self.settings
        shown = count.shows >= s.shows
        if count.stand.thick is not None:
            if count.count == 1 and not shown:
                return find.confidence >= s.noticed_hidden
            if count.count <= s.low:
                return find.confidence >= s.noticed
        return find.confidence >= s.noticed or (shown and count_says(count) >= s.sure)

    def _bar(self, stand: Stand) -> float:
        """How likely a stack that stands so must be right to be sure."""
        s = self.settings
        if stand.thick is None:
            return s.sure
        return s.sure_unlearned if self.appearance is None else s.sure_on_felt

    def _named(self, counts: Sequence[Count]) -> list[Colours]:
        """Each stack's colours: those of the chips of one's own set are named in sight of each other, where the set
        keeps what its chips look like."""
        own = self.appearance
        guesses, odd = [], []
        for count in counts:
            if own is None:
                names, chances, strange = *standard(count.words, self.usual), False
            else:
                names, chances, strangers = own.chances(count.words, count.seen)
                strange = bool(strangers.any())
            guesses.append(Named(names, chances, count.alike))
            odd.append(strange)
        if own is not None and own.shown:
            stacks = [Portrayed(c.words, portraits(c.column, c.rows, c.face)) for c in counts]
            guesses = self._naming.named(stacks, guesses, self.usual, own)
        return list(zip(guesses, odd, strict=True))

    def _with_readings(
        self, stacks: Sequence[ChipStack], counts: Sequence[Count], named: Sequence[Colours]
    ) -> list[ChipStack]:
        """The stacks, with what else they may be."""
        able = [stack.sure or stack.open for stack in stacks]
        others = [(k, other) for k, count in enumerate(counts) if able[k] for other in count.others]
        ways = [[(it, float(count.chances[count.count]))] for (it, _), count in zip(named, counts, strict=True)]
        for (k, other), (it, _) in zip(others, self._named([other for _, other in others]), strict=True):
            ways[k].append((it, float(other.chances[other.count])))
        return [
            replace(stack, readings=readings(way)) if it else stack
            for stack, way, it in zip(stacks, ways, able, strict=True)
        ]

    def _cut(self, box: Box, stand: Stand, size: tuple[int, int]) -> bool:
        """Whether the stack, as it stands, reaches beyond the frame that its box touches."""
        w, h = size
        near = self.settings.edge * max(w, h)
        half = stand.across / 2
        x0, x1 = stand.foot[0] - half, stand.foot[0] + half
        lower = stand.foot[1] > h - 1
        over = 0.08 * stand.across
        left = box[0] <= near and x0 < -over
        right = box[2] >= w - near and x1 > w + over
        upper = box[1] <= near and stand.foot[1] - (stand.tall + stand.squash) * stand.across < -over
        return lower or left or right or upper

    def _tube(self, levels: Sequence[Image], find: Find) -> ChipStack:
        """Chips on edge in a tube: turned upright, both ways round, whichever reads better."""
        h, w = levels[0].shape[:2]
        x0, y0, x1, y1 = find.box
        pad = 0.25 * min(x1 - x0, y1 - y0)
        a, b = max(int(x0 - pad), 0), max(int(y0 - pad), 0)
        piece = levels[0][b : min(int(y1 + pad), h), a : min(int(x1 + pad), w)]
        box = (x0 - a, y0 - b, x1 - a, y1 - b)
        best: ChipStack | None = None
        wide = x1 - x0 > 1.15 * (y1 - y0)
        for turn in (1, 3) if wide else (0, 2):
            turned = np.ascontiguousarray(np.rot90(piece, turn))
            inner = _turned(box, piece.shape[1], piece.shape[0], turn)
            view = pyramid(turned)
            stand = self._placer.place(view, [inner])
            count = self._counter.read(view, stand)[0]
            size = (turned.shape[1], turned.shape[0])
            colours = self._named([count])[0]
            stack = self._judged(Find("tube", inner, find.confidence), count, colours, size, tube=True)
            order = stack.order if turn in (0, 3) else stack.order[::-1]
            stack = replace(stack, box=find.box, order=order)
            if best is None or (stack.sure, stack.confidence) > (best.sure, best.confidence):
                best = stack
        assert best is not None
        return best


def _sized(find: Find, ground: Ground, factor: float) -> bool:
    """Whether it is about as wide as a chip is that stands there; tubes lie on their side."""
    lie = ground(((find.box[0] + find.box[2]) / 2, find.box[3]))
    if lie is None or find.shape == "tube":
        return True
    # What a coin is may be smaller.
    least = 1 / factor if find.shape == "stack" else 0.4
    return least < (find.box[2] - find.box[0]) / lie.across < factor


def count_says(count: Count) -> float:
    """How likely the likeliest count is, if there is a chip at all."""
    return float(count.chances[1:].max())


def _turned(box: Box, width: int, height: int, quarters: int) -> Box:
    """A box after ``numpy.rot90`` of its picture (anticlockwise quarters)."""
    x0, y0, x1, y1 = box
    for _ in range(quarters):
        x0, y0, x1, y1 = y0, width - x1, y1, width - x0
        width, height = height, width
    return x0, y0, x1, y1
