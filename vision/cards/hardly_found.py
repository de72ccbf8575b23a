"""Cards of a row that were hardly found, or not at all: read where the row says that one stands, or asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, compress

import numpy as np

from vision.cards.detector import INDEX, Found
from vision.cards.gaps import beyond, end_steps, missing, onward
from vision.cards.geometry import axes, leaning, length, on_any
from vision.cards.groups import USUAL, IndexSize, corners_of
from vision.cards.indices import IndexReader, IndexReading
from vision.cards.naming import as_quad, named, with_likeliest_names
from vision.cards.odd_jokers import hopeful, joker_about
from vision.cards.patches import Floats, Image
from vision.cards.profile import NONE
from vision.cards.rows import in_row, likely, repeated, strayed
from vision.cards.settings import Settings
from vision.cards.short_rows import in_short_rows
from vision.cards.side_steps import WHOLE, LoneIndices
from vision.sightings import FACES, JOKER, CardSighting

TWIN = 0.4
"""Finds nearer to each other than so much of an index's diagonal are the same index,"""
BESIDE = (0.7, 0.25, 0.8, 0.25)
"""but for tall ones that stand side by side, as in a ribbon: another name is read so many of its widths aside, no more
of its heights up or down, as tall to so much, and so wide for its height. (Of one index found whole and by its pip, the
pip's find is half as tall and lies lower; slivers of what is between two are named too.)"""

OWN = 0.6
"""So near to a place in a row, in heights of an index, is the index that stands there."""
OTHER = 0.4
"""No farther from a joker's corner than this is that corner, read as another card."""
LONGER = 1.02
"""The way by a place between two points is no longer than so many straight ones."""
SHARED = 0.75
"""Of two places in one gap one is none where a card was read nearer to it than so much of the way between the two."""
LOOSE = 1.3
"""A step of so many usual ones may hold a joker of unknown corners, for which it is looked in other ways than for an
index: where an index should stand, a step is wider."""

JOKERS, NEXT = 3, 0.7
"""So many jokers may lie beyond a row's end, each in its place where its mark is so many index heights from it."""


def with_jokers_between(
    indices: IndexReader, levels: Sequence[Image], seen: Sequence[CardSighting], settings: Settings
) -> list[CardSighting]:
    """The sightings with the jokers of unknown corners that lie where a row's cards are a little too far apart, or at
    its ends, in place of what was asked about there."""
    out = list(seen)
    cards = [s for s in seen if s.kind == "card" and s.indices]
    marks, wide = marks_of(cards)
    # Jokers' marks stand as they like, and lie at a row's ends: the row is told by the others.
    others = [quads for s, quads in zip(cards, marks, strict=True) if s.label != JOKER]
    row = [*others, *([place] for place in missing(others, wide))]
    short = in_short_rows(others, wide, JOKERS)
    whole = [np.array(s.corners, np.float32) for s in cards if shows_both_ends(s)]
    size = _size_of_indices([s for s in cards if s.label != JOKER])

    def filled(place: Floats, in_gap: bool) -> bool:
        """Whether a joker lies at a place: listed already, or now."""
        high = length(axes(place)[1])
        if any(s.label == JOKER and _away(s, place.mean(0)) < NEXT * high for s in out):
            return True
        joker = joker_about(indices, levels, place, in_gap=in_gap)
        if joker is None or on_any(joker.centre, whole) or _its_own(joker, out):
            return False
        near = [OWN if s.label == JOKER or s.kind == "unsure" else OTHER for s in out]
        beside = [_away(s, joker.centre) > least * high for s, least in zip(out, near, strict=True)]
        if not all(free or s.kind == "unsure" for s, free in zip(out, beside, strict=True)):
            return False
        out[:] = [s for s, free in zip(out, beside, strict=True) if free]
        said = with_likeliest_names(hardly_found(joker, size, settings))
        # Its mark may be of any size; the card is as large as the others, and stands as the row says.
        out.append(replace(said, corners=as_quad(corners_of([replace(joker, quad=place)], None, size))))
        return True

    ends = [places for places in short.beyond if places]
    first = [*short.between, *(places[0] for places in ends)]
    worth = hopeful(indices, levels, first, [quad for quads in others for quad in quads])
    between = list(compress(short.between, worth))
    ends = list(compress(ends, worth[len(short.between) :]))
    for place in missing(marks, wide, least=LOOSE, mostly=0.0) + between:
        filled(place, True)
    for places in onward(row, wide, JOKERS) + ends:
        for place in places:
            if not filled(place, False):
                break
    return out


def _size_of_indices(cards: Sequence[CardSighting]) -> IndexSize:
    """How large indices are beside their cards: of those that show both their ends, or, where none does, of all."""
    shares = [
        [length(index) / max(length(side), 1.0) for index, side in zip(axes(mark), axes(corners), strict=True)]
        for s in ([s for s in cards if shows_both_ends(s)] or cards)
        for mark, corners in [(np.array(s.indices[0], np.float32), np.array(s.corners, np.float32))]
    ]
    return IndexSize(*np.median(shares, 0).tolist()) if shares else USUAL


def _away(s: CardSighting, point: Floats) -> float:
    """How far (pixels) a point is from the nearest of a card's indices."""
    return min((length(np.asarray(np.mean(q, 0) - point, np.float32)) for q in s.indices), default=np.inf)


def marks_of(cards: Sequence[CardSighting]) -> tuple[list[list[Floats]], float | None]:
    """Each card's indices, and how wide a card is."""
    wide = [length(np.subtract(s.corners[1], s.corners[0])) for s in cards]
    # Narrow letters make covered cards' outlines narrow; that of a card which shows both its ends was measured.
    whole = [width for width, s in zip(wide, cards, strict=True) if shows_both_ends(s)]
    known = max(float(np.median(wide)), float(np.median(whole)) if whole else 0.0) if cards else None
    return [[np.array(quad, np.float32) for quad in s.indices] for s in cards], known


def in_gaps(
    indices: IndexReader, levels: Sequence[Image], seen: Sequence[CardSighting], size: IndexSize, settings: Settings
) -> list[CardSighting]:
    """The cards that should stand in the gaps of a row; without a guess where nothing is read there."""
    cards = [s for s in seen if s.indices]
    marks, wide = marks_of(cards)
    gaps = missing(marks, wide)
    where = gaps + beyond([*marks, *([quad] for quad in gaps)], wide)
    if not where:
        return []
    known = [np.mean(quad, 0) for s in seen for quad in s.indices]
    out: list[CardSighting] = []
    whole = [np.array(s.corners, np.float32) for s in seen if not s.indices or shows_both_ends(s)]
    lone = LoneIndices.of((s.label, quads) for s, quads in zip(cards, marks, strict=True))
    read = indices.read(levels, [Found(INDEX, q, 0.0) for q in where])
    plain = [
        _plain_beyond(r, whole, settings) if k >= len(gaps) else r.sure >= settings.sure_in_gap
        for k, r in enumerate(read)
    ]
    read = [
        r if clear else joker_about(indices, levels, quad, in_gap=k < len(gaps)) or r
        for k, (quad, r, clear) in enumerate(zip(where, read, plain, strict=True))
    ]
    unread: list[tuple[Floats, CardSighting]] = []
    # A joker's word may stand anywhere on it: how far it is from the next card's index says nothing.
    loose = [step for number, *step in end_steps(marks) if cards[number].label == JOKER]
    for k, (quad, r) in enumerate(zip(where, read, strict=True)):
        if k >= len(gaps) and not _plain_beyond(r, whole, settings):
            continue
        if lone.have(FACES[r.best], r.quad) or _its_own(r, cards) or _again(r, out):
            continue
        if r.chances[NONE] < settings.guessed and not any(strayed(quad, r.centre, it) for it in known):
            said = hardly_found(r, size, settings, gap=k < len(gaps))
            # The other index on the same side of a card that is listed already looks like a card in a gap.
            out.append(replace(said, kind="unsure") if repeated(said, seen) else said)
        elif k < len(gaps) and not _lies_under(quad, seen) and not any(_between(quad, *step) for step in loose):
            corners = as_quad(corners_of([replace(r, quad=quad)], None, size))
            unread.append((quad, CardSighting("unsure", corners, None, 0.0)))
    return out + [none for quad, none in unread if not _filled(quad, gaps, out)]


def _again(reading: IndexReading, read: Sequence[CardSighting]) -> bool:
    """Whether the same index was read from another place of the same gap."""
    same = (s for s in read if s.label == FACES[reading.best])
    return any(
        length(np.mean(quad, 0) - reading.centre) < OWN * length(axes(reading.quad)[1])
        for s in same
        for quad in s.indices
    )


def _between(place: Floats, one: Floats, other: Floats) -> bool:
    """Whether a place lies in the step between two indices."""
    middle, a, b = place.mean(0), one.mean(0), other.mean(0)
    return length(middle - a) + length(middle - b) < LONGER * length(a - b)


def _filled(place: Floats, gaps: Sequence[Floats], read: Sequence[CardSighting]) -> bool:
    """Whether what was read in the same gap stands so near to a place that it is the card for which two places were
    worked out."""
    middle = place.mean(0)
    others = [length(other.mean(0) - middle) for other in gaps if other is not place]
    near = SHARED * min(others, default=0.0)
    return any(length(np.mean(quad, 0) - middle) < near for s in read for quad in s.indices)


def _its_own(reading: IndexReading, cards: Sequence[CardSighting]) -> bool:
    """Whether what is read in a gap lies on a card of its name that shows two indices or more, as another of its
    corners or a pip, or stands as the other end of one that shows one."""
    same = [s for s in cards if s.label == FACES[reading.best]]
    if any(len(s.indices) > 1 and _lies_on(reading.quad, s) for s in same):
        return True
    ends = (np.array(quad, np.float32) for s in same for quad in s.indices)
    return any(leaning(quad, reading.quad) > 0 for quad in ends)


def _lies_under(place: Floats, seen: Sequence[CardSighting]) -> bool:
    """Whether a place lies on a card that shows both its ends."""
    return any(shows_both_ends(s) and _lies_on(place, s) for s in seen)


def _lies_on(place: Floats, card: CardSighting) -> bool:
    """Whether an index's place lies on a card, and away from that card's indices unless it shows all of them: one that
    stands there in a row, although another of them does already, may be an equal card's, taken for the same one."""
    middle, near = place.mean(0), OWN * length(axes(place)[1])
    if not on_any(middle, [np.array(card.corners, np.float32)]):
        return False
    return len(card.indices) == WHOLE or all(length(np.mean(quad, 0) - middle) > near for quad in card.indices)


def shows_both_ends(card: CardSighting) -> bool:
    """Whether a card shows indices on a diagonal: nothing lies on it between them. Of one that shows a side alone the
    next card may cover the rest."""
    quads = [np.array(quad, np.float32) for quad in card.indices]
    return any(leaning(a, b) for a, b in combinations(quads, 2))


def _plain_beyond(reading: IndexReading, whole: Sequence[Floats], settings: Settings) -> bool:
    """Whether what is read beyond a row's end is plainly an index, and no part of a card that is seen whole, of a
    back, or of what is asked about for its outline alone."""
    plain = reading.sure > settings.guessed and reading.chances[NONE] < settings.none_beyond
    return plain and not on_any(reading.centre, whole)


def hardly_found(reading: IndexReading, size: IndexSize, settings: Settings, gap: bool = False) -> CardSighting:
    """A card that was hardly found, where a row of others says that one may stand, or, in a ``gap`` of it, must."""
    seen = named([reading], corners_of([reading], None, size))
    return replace(seen, kind="card") if sure_in_row(seen, settings, gap) else seen


def sure_in_row(seen: CardSighting, settings: Settings, gap: bool = False) -> bool:
    """Whether a card's name is sure where a row says that one stands: of a joker it is enough that it is likelier than
    not and that no other name is likely at all."""
    if seen.label != JOKER:
        return seen.confidence >= (settings.sure_in_gap if gap else settings.sure_in_row)
    least, rival = settings.unrivalled_joker
    unrivalled = all(chance < rival for name, chance in seen.probabilities.items() if name != JOKER)
    return seen.confidence >= settings.joker_in_row or (seen.confidence >= least and unrivalled)


def asked_about(
    faint: Sequence[IndexReading], row: Sequence[IndexReading], placed: Sequence[IndexReading]
) -> list[IndexReading]:
    """Faint indices that fit into a row and are named well; not a second find of one that is ``placed`` or asked about
    already."""
    asked: list[IndexReading] = []
    for r in sorted(faint, key=lambda r: -r.found):
        if any(twins(r, o) for o in (*placed, *asked)):
            continue
        if among(r, row) and likely(r, [*(o for o in row if o is not r), *asked]):
            asked.append(r)
    return asked


def row_of(readings: Sequence[IndexReading], settings: Settings) -> list[IndexReading]:
    """The indices whose row speaks for a faint one."""
    least_found, least_named = settings.in_a_row
    return [r for r in readings if r.found > least_found and r.sure > least_named]


def among(one: IndexReading, row: Sequence[IndexReading]) -> bool:
    """Whether an index stands in a row of others."""
    return in_row(one.quad, [o.quad for o in row if o is not one])


def twins(one: IndexReading, other: IndexReading) -> bool:
    """Whether two finds are of one index."""
    apart = other.centre - one.centre
    if length(apart) > length(one.quad[2] - one.quad[0]) * TWIN:
        return False
    return one.best == other.best or not (_beside(one, other) and _beside(other, one))


def _beside(one: IndexReading, other: IndexReading) -> bool:
    """Whether ``other`` stands beside ``one``, as tall and as upright."""
    aside, off, alike, wide = BESIDE
    (right, down), high = axes(one.quad), length(axes(other.quad)[1])
    across, along = length(right), length(down)
    if not (alike * along <= high <= along / alike and across >= wide * along):
        return False
    apart = other.centre - one.centre
    return abs(float(apart @ right)) >= aside * across**2 and abs(float(apart @ down)) <= off * along**2


def without_twins(readings: Sequence[IndexReading]) -> list[IndexReading]:
    """After placing, two finds can turn out to be the same index; the surer reading stays."""
    kept: list[IndexReading] = []
    for r in sorted(readings, key=lambda r: -r.sure * (0.5 + r.found)):
        if not any(twins(r, k) for k in kept):
            kept.append(r)
    return kept
