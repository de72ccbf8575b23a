"""Reading one picture: find at low resolution, read at native resolution, and count each physical card once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from vision.cards.detector import BACK, CARD, INDEX, Detector, Found, merged
from vision.cards.grouping import Group, combined, corners_of, covered, group
from vision.cards.indices import IndexReader, IndexReading
from vision.cards.parts import Box, found_in, grown_to, within
from vision.cards.patches import Floats, Image, pyramid
from vision.cards.profile import NONE, DeckProfile
from vision.cards.runtime import ModelError
from vision.sightings import FACES, CardSighting, Quad, Reading

__all__ = ["CardReader", "Look", "ModelError", "Settings"]
DETECTOR_FILE, READER_FILE = "detector.onnx", "reader.onnx"


@dataclass(frozen=True)
class Settings:
    """Thresholds, all chances between 0 and 1; one set for every source."""

    scales: tuple[int, ...] = (448,)
    """Longer sides of the pictures that are always searched."""
    closer: tuple[int, ...] = (640, 896, 1280)
    """Sides to choose from for a closer look; few, so that a table that changes little is looked at alike."""
    small_index: float = 24.0
    """Diagonal in pixels, at the last of ``scales``, under which indices call for a closer look."""
    good_index: float = 26.0
    """The diagonal that the closer look should give the typical index."""
    growing: float = 1.6
    largest_growth: float = 1.3
    least_found: float = 0.25
    least_outline: float = 0.4
    least_back: float = 0.5
    least_named: float = 0.3
    """An index whose likeliest face is less likely than "none", with "none" over this, is dropped: nothing is read
    there, and a card around it still shows as an outline."""
    least_lonely: float = 0.7
    """How sure an outline without a readable index must be to be shown."""
    sure: float = 0.9
    """How likely a card's name must be for it to be listed as sure, where one index says it."""
    sure_together: float = 0.95
    """The same where several do: two poor readings alike are less than they seem (of rendered cards of unseen decks
    between the two figures, two in three were wrong, against one in forty where a single index said it)."""
    noticed: float = 0.3
    """How surely an index must have been found. Over this, a faint find's name is as often right as a sure one's."""
    faint: float = 0.5
    """Finds fainter than this are shown only where their name is likely."""
    likely: float = 0.9
    guessed: float = 0.5
    """How likely a faint find's name must be for it to be shown as unsure: without an outline, and with one."""
    temperature: float = 1.0


@dataclass(frozen=True, eq=False)
class Look:
    """A reading and what it was made of, so that the next can keep what did not change.

    ``boxes`` (pixels) are what was read now; ``scales`` the detector's passes; ``named`` the readings of the indices
    among ``found``, in their order.
    """

    reading: Reading
    boxes: tuple[Box, ...]
    scales: tuple[int, ...]
    found: tuple[Found, ...]
    named: tuple[IndexReading, ...]


class CardReader:
    """Reads the cards of one picture after another; not for use from several threads at once."""

    def __init__(self, detector: Detector, indices: IndexReader, settings: Settings) -> None:
        self._detector, self.indices, self.settings = detector, indices, settings

    @classmethod
    def load(
        cls,
        weights: Path | None = None,
        threads: int = 2,
        settings: Settings | None = None,
        profile: DeckProfile | None = None,
    ) -> CardReader:
        """Open the networks in ``weights`` (default: those shipped), for a person's own deck if ``profile`` is given.

        Raises :class:`ModelError`.
        """
        chosen = settings or Settings()
        folder = weights or Path(str(files("models") / "weights"))
        return cls(
            Detector(folder / DETECTOR_FILE, threads),
            IndexReader(folder / READER_FILE, threads, chosen.temperature, profile),
            chosen,
        )

    def read(self, image: Image) -> Reading:
        """Everything seen in ``image`` (H x W x 3, BGR). Times in ``ms``: find, read, group, total."""
        return self.look(image).reading

    def look(self, image: Image, before: Look | None = None, boxes: Sequence[Box] | None = None) -> Look:
        """As :meth:`read`; with ``boxes`` (pixels) only there, what a look ``before`` gave is kept elsewhere.

        The boxes grow to hold whole what was found in part. Without a look before at a picture of this size, or
        without boxes, all of it is read.
        """
        height, width = image.shape[:2]
        began = time.perf_counter()
        everything = ((0, 0, width, height),)
        if min(height, width) < 8:
            return Look(Reading(width, height, (), {"total": 0.0}), everything, (), (), ())
        levels = pyramid(image)
        partly = before is not None and boxes is not None and before.scales
        if partly and before is not None and (before.reading.width, before.reading.height) == (width, height):
            read_now = tuple(grown_to(boxes or (), before.found, width, height))
            scales = before.scales
            kept, found = self._find_again(levels, before, read_now)
        else:
            read_now, kept = everything, []
            scales, found = self._find_all(levels)
        searched = time.perf_counter()
        marks = self.indices.read(levels, [f for f in found if f.kind == INDEX])
        named = time.perf_counter()
        found, marks = [*(f for f, _ in kept), *found], [*(r for _, r in kept if r is not None), *marks]
        sightings = self._sightings(found, marks)
        ended = time.perf_counter()
        spans = {"find": searched - began, "read": named - searched, "group": ended - named, "total": ended - began}
        reading = Reading(width, height, tuple(sightings), {k: round(v * 1000, 1) for k, v in spans.items()})
        return Look(reading, read_now, scales, tuple(found), tuple(marks))

    def find(self, levels: Sequence[Image]) -> list[Found]:
        """Indices, cards and backs in a picture, given as its pyramid."""
        return self._find_all(levels)[1]

    def _find_all(self, levels: Sequence[Image]) -> tuple[tuple[int, ...], list[Found]]:
        """The scales of the passes, and what they found."""
        s = self.settings
        native = max(levels[0].shape[:2])
        sizes = [max(z, 32) for z in sorted({min(z, int(native * s.largest_growth)) for z in s.scales})]
        passes = [self._detector.at_scale(levels, z, s.least_found) for z in sizes]
        indices = [[f for f in one if f.kind == INDEX] for one in passes]
        seen = [f for one in indices for f in one]
        # A closer look costs more than all else: only where what was found is mostly too small to be found surely, or
        # where the last look found so many more than the one before that a closer one will find more again.
        typical = float(np.median([f.size for f in seen])) * 2 * sizes[-1] / native if seen else 0.0
        largest = max(int(native * s.largest_growth), 32)
        closer = sorted({min(z, largest) for z in s.closer})
        if typical < s.small_index:
            wanted = sizes[-1] * s.good_index / max(typical, 1.0)
            sizes.append(next((z for z in closer if z >= wanted), closer[-1]))
            passes.append(self._detector.at_scale(levels, sizes[-1], s.least_found))
            indices.append([f for f in passes[-1] if f.kind == INDEX])
        if len(passes) > 1 and len(indices[-1]) > s.growing * len(indices[-2]) + 3 and closer[-1] > 1.2 * sizes[-1]:
            sizes.append(closer[-1])
            passes.append(self._detector.at_scale(levels, closer[-1], s.least_found))
        return tuple(sizes), merged(passes)

    def _find_again(
        self, levels: Sequence[Image], before: Look, boxes: Sequence[Box]
    ) -> tuple[list[tuple[Found, IndexReading | None]], list[Found]]:
        """What is kept of a look before (with the readings of indices), and what is found in the boxes now."""
        marks = iter(before.named)
        everything = [(f, next(marks) if f.kind == INDEX else None) for f in before.found]
        kept = [(f, r) for f, r in everything if not within(f.centre, boxes)]
        passes = [found_in(self._detector, levels, boxes, z, self.settings.least_found) for z in before.scales]
        # What stands on a box's edge may be found on this side now and have been found on that side before.
        rim = [f for f, _ in kept if any(_near(f, box) for box in boxes)]
        together = merged([rim, *passes])
        stays, beside = {id(f) for f in together}, {id(f) for f in rim}
        kept = [(f, r) for f, r in kept if id(f) in stays or id(f) not in beside]
        return kept, [f for f in together if id(f) not in beside]

    def _sightings(self, found: list[Found], readings: list[IndexReading]) -> list[CardSighting]:
        s = self.settings
        readings = [r for r in readings if r.chances[NONE] < max(r.sure, s.least_named)]
        readings = _without_twins(readings)
        outlines = [f for f in found if f.kind == CARD and f.confidence > s.least_outline]
        out: list[CardSighting] = []
        shown: list[Floats] = []
        lonely: list[Group] = []
        for g in group(readings, outlines):
            if not g.members:
                lonely.append(g)
                continue
            members = [readings[k] for k in g.members]
            sighting, corners = self._card(members, g.outline)
            if sighting is not None:
                out.append(sighting)
                shown.append(corners)
            elif g.outline is not None:
                lonely.append(Group([], g.outline))
        for f in found:
            if f.kind == BACK and f.confidence > s.least_back and not covered(f, shown):
                out.append(CardSighting("back", as_quad(f.quad), None, min(1.0, f.confidence)))
                shown.append(f.quad)
        for g in lonely:
            o = g.outline
            if o is None or o.confidence < s.least_lonely or covered(o, shown):
                continue
            out.append(CardSighting("unsure", as_quad(o.quad), None, 0.0))
            shown.append(o.quad)
        return out

    def _card(self, members: list[IndexReading], outline: Found | None) -> tuple[CardSighting | None, Floats]:
        """One physical card: sure, unsure or (None) nothing worth showing."""
        s = self.settings
        chances = combined(members)
        best = int(chances[:NONE].argmax())
        confidence = float(chances[best])
        weight = max(r.found for r in members)
        corners = corners_of(members, outline)
        top = sorted(range(NONE), key=lambda k: -chances[k])[:4]
        guesses = {FACES[k]: round(float(chances[k]), 4) for k in top if chances[k] > 0.02}
        quads = tuple(as_quad(r.quad) for r in members)
        if confidence >= (s.sure if len(members) == 1 else s.sure_together) and weight >= s.noticed:
            return CardSighting("card", as_quad(corners), FACES[best], confidence, guesses, quads), corners
        if weight < s.faint and confidence < (s.likely if outline is None else s.guessed):
            return None, corners
        return CardSighting("unsure", as_quad(corners), FACES[best], confidence, guesses, quads), corners


def as_quad(points: Floats) -> Quad:
    """A 4 x 2 array as plain floats."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def _near(f: Found, box: Box) -> bool:
    x, y = float(f.centre[0]), float(f.centre[1])
    return box[0] - f.size < x < box[2] + f.size and box[1] - f.size < y < box[3] + f.size


def _without_twins(readings: list[IndexReading]) -> list[IndexReading]:
    """After placing, two finds can turn out to be the same index; the surer reading stays."""
    kept: list[IndexReading] = []
    for r in sorted(readings, key=lambda r: -r.sure * (0.5 + r.found)):
        reach = float(np.linalg.norm(r.quad[2] - r.quad[0])) * 0.4
        if all(np.linalg.norm(r.centre - k.centre) > reach for k in kept):
            kept.append(r)
    return kept
