"""Reading one picture: find at low resolution, read at native resolution, and count each physical card once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.cards.backs import repeats_a_back, repeats_a_card
from vision.cards.borrowed import with_borrowed_suits_open
from vision.cards.colourless import WithoutColour, colourless
from vision.cards.company import less_sure_in_a_poor_picture
from vision.cards.detector import BACK, CARD, INDEX, Detector, Found, merged
from vision.cards.doubles import with_doubles_open
from vision.cards.each_corner import each_corner_once, each_jumbo_once
from vision.cards.ends import at_both_ends, spoken_for
from vision.cards.faces import SMALLEST, FaceReader
from vision.cards.geometry import length
from vision.cards.glare import with_inkless_jokers_open
from vision.cards.groups import Group, IndexSize, combined, corners_of, covered, heard, lies_on
from vision.cards.hardly_found import (
    among,
    asked_about,
    hardly_found,
    in_gaps,
    row_of,
    sure_in_row,
    with_jokers_between,
    without_twins,
)
from vision.cards.indices import IndexReader, IndexReading, where_jokers_are_rare
from vision.cards.likes import beside_their_like
from vision.cards.look import Look
from vision.cards.mirrors import MirrorWitness
from vision.cards.naming import as_quad, named, with_likeliest_names
from vision.cards.odd_jokers import each_once, with_stray_ones_open
from vision.cards.one_joker import without_words_between
from vision.cards.one_pack import as_one_pack
from vision.cards.one_pip import prints_one_pip
from vision.cards.other_ends import with_doubtful_ends, without_measured_ends, without_other_ends
from vision.cards.parts import Box, around, found_in, grown_to, within, work_share
from vision.cards.patches import Floats, Image, pyramid
from vision.cards.physical import as_cards
from vision.cards.profile import NONE, DeckProfile
from vision.cards.promoted import sure_beside_others, without_answered
from vision.cards.rows import in_row, too_short
from vision.cards.runtime import SHIPPED, ModelError
from vision.cards.scraps import without_scraps
from vision.cards.second_look import doubted, found_anew, of_their_own, overlooked, passed_over
from vision.cards.settings import LIVE, Settings
from vision.cards.side_steps import LoneIndices
from vision.sightings import FACES, CardSighting, Reading

__all__ = ["LIVE", "CardReader", "Look", "ModelError", "Settings"]
DETECTOR_FILE, READER_FILE, FACES_FILE, MIRRORS_FILE = "detector.onnx", "reader.onnx", "faces.onnx", "mirrors.onnx"


class CardReader:
    """Reads the cards of one picture after another; nothing of one reading is kept for the next."""

    def __init__(
        self,
        detector: Detector,
        indices: IndexReader,
        settings: Settings,
        faces: FaceReader | None = None,
        mirrors: MirrorWitness | None = None,
    ) -> None:
        self._detector, self.indices, self.settings = detector, indices, settings
        self._faces, self._mirrors = faces, mirrors

    @classmethod
    def load(
        cls,
        weights: Path | None = None,
        threads: int = 2,
        settings: Settings | None = None,
        profile: DeckProfile | None = None,
    ) -> CardReader:
        """Open the networks in ``weights`` (default: those shipped), for a person's own deck if ``profile`` is given.

        Raises :class:`ModelError`, and `ProfileError` for a deck that another network learned.
        """
        chosen = settings or Settings()
        folder = weights or SHIPPED
        return cls(
            Detector(folder / DETECTOR_FILE, threads),
            IndexReader(folder / READER_FILE, threads, chosen.temperature, profile),
            chosen,
            None if weights and not (folder / FACES_FILE).exists() else FaceReader(folder / FACES_FILE, threads),
            None if weights and not (folder / MIRRORS_FILE).exists() else MirrorWitness(folder / MIRRORS_FILE, threads),
        )

    def with_settings(self, settings: Settings) -> CardReader:
        """The same networks, going by the same deck now and later, with other settings."""
        return CardReader(self._detector, self.indices, settings, self._faces, self._mirrors)

    def read(self, image: Image) -> Reading:
        """Everything seen in ``image`` (H x W x 3, BGR). Times in ``ms``: find, read, group, total.

        What shows all as a mirror does is turned back and read again; coordinates are those of ``image`` all the same.
        """
        seen = self.look(image)
        turned = self.turned_back(image, seen)
        return seen.reading if turned is None else replace(turned.reading.in_mirror(), mirrored=True)

    def turned_back(self, image: Image, seen: Look) -> Look | None:
        """A look at the mirror image of ``image``, which ``seen`` was a look at, where that is the right way round.

        Small letters in a mirror are mostly found to be none: few of them say anything, but all do the right way round.
        """
        if not seen.may_be_mirrored:
            return None
        turned = self.look(np.ascontiguousarray(image[:, ::-1]))
        return turned if turned.mirror_odds <= self.settings.upright else None

    def look(self, image: Image, before: Look | None = None, boxes: Sequence[Box] | None = None) -> Look:
        """As :meth:`read`, but a mirror's picture is read as it is; with ``boxes`` (pixels) only there, what a look
        ``before`` gave is kept elsewhere.

        The boxes grow to hold whole what was found in part. Without a look before at a picture of this size, or
        without boxes, all of it is read.
        """
        height, width = image.shape[:2]
        began = time.perf_counter()
        everything = ((0, 0, width, height),)
        if min(height, width) < 8:
            return Look(Reading(width, height, (), {"total": 0.0}), everything, (), (), ())
        if colourless(image) and not isinstance(self.indices, WithoutColour):
            grey = replace(self.settings, one_pack=False)
            return CardReader(self._detector, WithoutColour(self.indices), grey, None, self._mirrors).look(
                image, before, boxes
            )
        levels = pyramid(image)
        partly = before is not None and boxes is not None and before.scales
        if partly and before is not None and (before.reading.width, before.reading.height) == (width, height):
            read_now = tuple(grown_to(boxes or (), before.found, width, height))
            scales, besides = before.scales, self._besides(before, read_now)
            kept, found = self._find_again(levels, before, read_now, (*scales, *besides))
        else:
            read_now, besides, kept = everything, (), []
            scales, found = self._find_all(levels)
        found = self._supported(found, [f for f, _ in kept])
        searched = time.perf_counter()
        marks = self.indices.read(levels, [f for f in found if f.kind == INDEX])
        marks = where_jokers_are_rare(marks, self.settings.jokers_rarer)
        marks = beside_their_like(levels, marks, [r for _, r in kept if r is not None])
        marks = marks if self._mirrors is None else self._mirrors.asked(levels, marks)
        named = time.perf_counter()
        found, marks = [*(f for f, _ in kept), *found], [*(r for _, r in kept if r is not None), *marks]
        known = before.faces if before is not None and kept else ()
        sightings, faces, one = self._sightings(levels, found, marks, known, before is not None and before.one_pip)
        faintly = doubted(sightings, marks, self.settings) if self.settings.again else []
        if faintly:
            again = [f for z in self.settings.again for f in self._detector.at_scale(levels, z, self.settings.noticed)]
            marks = found_anew(found, marks, faintly, again)
            sightings, faces, one = self._sightings(levels, found, marks, faces, one)
        if self.settings.again and len(scales) == 1:
            sightings = without_scraps(sightings + self._overlooked(levels, scales[0], found, marks, sightings))
        if self.settings.gaps:
            asked = sightings
            sightings = sure_beside_others(sightings, self.settings)
            sightings = with_jokers_between(self.indices, levels, sightings, self.settings)
            outlined = [f for f in found if f.kind == CARD]
            sightings = with_doubtful_ends(without_measured_ends(without_other_ends(sightings)), outlined)
            sightings = without_answered(without_words_between(each_once(sightings, outlined)), asked)
        plain = [f for f in found if f.kind == CARD and f.confidence > self.settings.least_outline]
        sightings = with_stray_ones_open(with_inkless_jokers_open(levels, with_doubles_open(sightings)), plain)
        ended = time.perf_counter()
        spans = {"find": searched - began, "read": named - searched, "group": ended - named, "total": ended - began}
        outlines = tuple(as_quad(f.quad) for f in found if f.kind == CARD and f.confidence >= self.settings.outlined)
        times = {k: round(v * 1000, 1) for k, v in spans.items()}
        reading = Reading(width, height, tuple(sightings), times, outlines)
        return Look(reading, read_now, scales, tuple(found), tuple(marks), faces, besides, one)

    def _overlooked(
        self,
        levels: Sequence[Image],
        scale: int,
        found: Sequence[Found],
        marks: Sequence[IndexReading],
        seen: Sequence[CardSighting],
    ) -> list[CardSighting]:
        """Unsure cards for what is plainly read but was too faint to be read at first, where indices are large."""
        s = self.settings
        if not marks or np.median([length(r.quad[2] - r.quad[0]) for r in marks]) < s.large * max(levels[0].shape[:2]):
            return []
        left = passed_over(found, self._detector.at_scale(levels, scale, s.least_in_row))
        anew = overlooked(left, self.indices.read(levels, left), seen)
        if anew:
            outlines = [f for f in found if f.kind == CARD and f.confidence > s.least_outline]
            anew = of_their_own(anew, [r for r in marks if r.sure > s.sure and r.found > s.least_found], outlines)
        return [with_likeliest_names(named([r], corners_of([r], None))) for r in anew]

    def find(self, levels: Sequence[Image]) -> list[Found]:
        """Indices, cards and backs in a picture, given as its pyramid."""
        return self._surely(self._find_all(levels)[1])

    def _surely(self, found: Sequence[Found]) -> list[Found]:
        s = self.settings
        backs = min(s.least_found, s.least_back)
        return [f for f in found if f.confidence > (backs if f.kind == BACK else s.least_found)]

    def _supported(self, found: Sequence[Found], kept: Sequence[Found] = ()) -> list[Found]:
        """What was found surely enough, and the faint indices that stand in a row of such ones or at both ends of a
        card."""
        enough = self.settings.in_a_row[0]
        row = [f.quad for f in (*found, *kept) if f.kind == INDEX and f.confidence > enough]
        out = self._surely(found)
        rest = [f for f in found if f.kind == INDEX and f.confidence <= self.settings.least_found]
        outlines = [f for f in found if f.kind == CARD and f.confidence > self.settings.least_outline] if rest else []
        ends = {id(f) for pair in at_both_ends(rest, outlines) for f in pair}
        return out + [f for f in rest if id(f) in ends or in_row(f.quad, row)]

    def _find_all(self, levels: Sequence[Image]) -> tuple[tuple[int, ...], list[Found]]:
        """The scales of the passes, and what they found."""
        s = self.settings
        native = max(levels[0].shape[:2])
        sizes = [max(z, 32) for z in sorted({min(z, int(native * s.largest_growth)) for z in s.scales})]
        passes = [self._detector.at_scale(levels, z, s.least_in_row) for z in sizes]
        indices = [self._indices(one) for one in passes]
        seen = [f for one in indices for f in one]
        # A closer look costs more than all else: only where what was found is mostly too small to be found surely, or
        # where the last look found so many more than the one before that a closer one will find more again.
        typical = float(np.median([f.size for f in seen])) * 2 * sizes[-1] / native if seen else 0.0
        largest = max(int(native * s.largest_growth), 32)
        closer = sorted({min(z, largest) for z in s.closer})
        if typical < s.small_index:
            wanted = sizes[-1] * s.good_index / max(typical, 1.0)
            sizes.append(next((z for z in closer if z >= wanted), closer[-1]))
            passes.append(self._closer(levels, sizes[-1], self._surely(passes[-1]), typical))
            indices.append(self._indices(passes[-1]))
        if len(passes) > 1 and len(indices[-1]) > s.growing * len(indices[-2]) + 3 and closer[-1] > 1.2 * sizes[-1]:
            sizes.append(closer[-1])
            passes.append(self._detector.at_scale(levels, closer[-1], s.least_in_row))
        return tuple(sizes), merged([self._supported(one) for one in passes])

    def _indices(self, found: Sequence[Found]) -> list[Found]:
        return [f for f in self._surely(found) if f.kind == INDEX]

    def _closer(self, levels: Sequence[Image], size: int, seen: Sequence[Found], typical: float) -> list[Found]:
        """A pass at ``size``: all over the picture, or, which is less work, only about what the pass before saw.

        So where that one saw the indices well enough (``typical`` pixels across) that none can have been overlooked.
        """
        s = self.settings
        height, width = levels[0].shape[:2]
        if typical >= s.seen_index:
            boxes = around(seen, s.beside, width, height)
            if work_share(boxes, size, width, height) < s.worth_parting:
                return found_in(self._detector, levels, boxes, size, s.least_in_row)
        return self._detector.at_scale(levels, size, s.least_in_row)

    def _besides(self, before: Look, boxes: Sequence[Box]) -> tuple[int, ...]:
        """The scale at which the boxes are looked at more closely than the picture was, where that is worth it."""
        s = self.settings
        width, height = before.reading.width, before.reading.height
        last, closest = before.scales[-1], min(s.closest, max(width, height))
        indices = self._indices(before.found)
        typical = float(np.median([f.size for f in indices])) * 2 * last / max(width, height) if indices else 0.0
        share = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes) / (width * height)
        worth = typical < s.small_index and share <= s.closest_share and closest > last
        return (closest,) if worth else ()

    def _find_again(
        self, levels: Sequence[Image], before: Look, boxes: Sequence[Box], scales: Sequence[int]
    ) -> tuple[list[tuple[Found, IndexReading | None]], list[Found]]:
        """What is kept of a look before (with the readings of indices), and what is found in the boxes now."""
        marks = iter(before.named)
        everything = [(f, next(marks) if f.kind == INDEX else None) for f in before.found]
        kept = [(f, r) for f, r in everything if not within(f.centre, boxes)]
        passes = [found_in(self._detector, levels, boxes, z, self.settings.least_in_row) for z in scales]
        # What stands on a box's edge may be found on this side now and have been found on that side before.
        rim = [f for f, _ in kept if any(_near(f, box) for box in boxes)]
        together = merged([rim, *(self._supported(one, rim) for one in passes)])
        stays, beside = {id(f) for f in together}, {id(f) for f in rim}
        kept = [(f, r) for f, r in kept if id(f) in stays or id(f) not in beside]
        return kept, [f for f in together if id(f) not in beside]

    def _sightings(
        self,
        levels: Sequence[Image],
        found: list[Found],
        readings: list[IndexReading],
        known: Sequence[tuple[Found, Floats]],
        one_pip: bool,
    ) -> tuple[list[CardSighting], tuple[tuple[Found, Floats], ...], bool]:
        """The physical cards, and what whole faces said, of which some are ``known`` from the look before, and whether
        the deck has ``one_pip`` a number."""
        s = self.settings
        readings = [r for r in readings if r.chances[NONE] < max(r.sure, s.least_named)]
        outlines = [f for f in found if f.kind == CARD and f.confidence > s.least_outline]
        readings = with_borrowed_suits_open(readings, outlines)
        faint = [r for r in readings if r.found <= s.least_found]
        both = [replace(r, found=s.noticed) for r in spoken_for(faint, outlines)]
        readings = without_twins([*(r for r in readings if r.found > s.least_found), *both])
        clear = [r for r in readings if r.found > s.faint and r.sure > s.sure]
        out: list[CardSighting] = []
        shown: list[Floats] = []
        placed: list[IndexReading] = []
        lonely: list[Group] = []
        groups, size = as_cards(readings, outlines, [f for f in found if f.kind == CARD])
        cards = [([readings[k] for k in g.members], g.outline) for g in groups]
        faces = self._faces_of(levels, cards, known)
        asked = [(m, faces[id(o)]) for m, o in cards if m and o is not None and id(o) in faces]
        one_pip = prints_one_pip(((combined(heard(m)), face) for m, face in asked), one_pip)
        row = row_of(readings, s)
        lightly = [f for f in found if f.kind == CARD and f.confidence <= s.least_outline]
        for g in groups:
            if not g.members:
                lonely.append(g)
                continue
            members = [readings[k] for k in g.members]
            sighting, corners = self._card(members, g.outline, size, faces.get(id(g.outline)), one_pip, lightly)
            if sighting is not None and sure_in_row(sighting, s) and any(among(m, row) for m in members):
                # One that was found too faintly to be sure by itself: fainter ones are sure beside such a row.
                sighting = replace(sighting, kind="card")
            if sighting is not None and len(members) == 1 and too_short(members[0], clear):
                sighting = replace(sighting, kind="unsure")
            if sighting is not None:
                out.append(sighting)
                shown.append(corners)
                placed += members
            else:
                faint += members
                if g.outline is not None:
                    lonely.append(Group([], g.outline))
        out = each_jumbo_once(each_corner_once(out, s.sure), outlines)
        backs: list[Floats] = []
        up = list(shown)
        for f in sorted(found, key=lambda f: -f.confidence):
            if f.kind == BACK and f.confidence > s.least_back and not repeats_a_card(f, shown, readings):
                if repeats_a_back(f.quad, backs, up):
                    continue
                backs.append(f.quad)
                out.append(CardSighting("back", as_quad(f.quad), None, min(1.0, f.confidence)))
                if f.confidence > s.faint:  # a fainter one must not hide an outline: it may be that card's
                    shown.append(f.quad)
        lone = LoneIndices.of((FACES[m[0].best], [r.quad for r in m]) for m, _ in cards if m)
        for r in asked_about([r for r in faint if not lone.have(FACES[r.best], r.quad)], row, placed):
            out.append(hardly_found(r, size, s))
        for g in lonely:
            o = g.outline
            if o is None or o.confidence < s.least_lonely or covered(o, shown):
                continue
            out.append(CardSighting("unsure", as_quad(o.quad), None, 0.0))
            shown.append(o.quad)
        if s.gaps:
            out = without_scraps(out)
            out += in_gaps(self.indices, levels, out, size, s)
        out, pack = as_one_pack(out, s.sure, s.sure_in_pack) if s.one_pack else (out, False)
        out = out if pack else less_sure_in_a_poor_picture(out, s.poor, s.sure_in_poor)
        told = tuple((f, faces[id(f)]) for f in found if id(f) in faces)
        return [with_likeliest_names(s) for s in out], told, one_pip

    def _faces_of(
        self,
        levels: Sequence[Image],
        cards: Sequence[tuple[list[IndexReading], Found | None]],
        known: Sequence[tuple[Found, Floats]],
    ) -> dict[int, Floats]:
        """What the whole face says of each card whose name is open and whose outline was found, by the outline's id."""
        # Of a deck with faces of its own the indices are known by the profile, the pictures by nobody.
        if self._faces is None or self.indices.profile is not None:
            return {}
        before, s = {id(f): said for f, said in known}, self.settings
        out, asked = {}, []
        for members, outline in cards:
            if outline is None or not members:
                continue
            if id(outline) in before:
                out[id(outline)] = before[id(outline)]
                continue
            corners = corners_of(members, outline)
            others = (r for card, _ in cards if card is not members for r in card if r.sure > s.sure)
            if len(members) == 1 and any(lies_on(corners, r) for r in others):
                continue  # of a covered card the other's face shows
            chances = combined(heard(members))
            large = min(length(corners[3] - corners[0]), length(corners[2] - corners[1])) >= SMALLEST
            plain = max(length(m.quad[2] - m.quad[0]) for m in members) >= s.plain
            if large and not (plain and chances[:NONE].max() >= s.beyond_doubt):
                asked.append((id(outline), corners))
        said = self._faces.read(levels, [corners for _, corners in asked])
        return out | {number: face for (number, _), face in zip(asked, said, strict=True)}

    def _card(
        self,
        members: list[IndexReading],
        outline: Found | None,
        size: IndexSize,
        face: Floats | None,
        one_pip: bool,
        faint: Sequence[Found] = (),
    ) -> tuple[CardSighting | None, Floats]:
        """One physical card: sure, unsure or (None) nothing worth showing."""
        s = self.settings
        weight = max(r.found for r in members)
        corners = corners_of(members, outline, size, faint)
        seen = named(members, corners, face, one_pip)
        clear = seen.confidence >= s.sure and weight >= s.noticed
        if clear:
            return replace(seen, kind="card"), corners
        vague = weight < s.vague[0] and seen.confidence < s.vague[1]
        if vague or (weight < s.faint and seen.confidence < (s.likely if outline is None else s.guessed)):
            return None, corners
        return seen, corners


def _near(f: Found, box: Box) -> bool:
    x, y = float(f.centre[0]), float(f.centre[1])
    return box[0] - f.size < x < box[2] + f.size and box[1] - f.size < y < box[3] + f.size
