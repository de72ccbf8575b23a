"""One identity per physical card over time: from readings, and from what their places look like in between.

``follow`` is pure: what it knows comes in as a :class:`Memory` and goes out as another. Only settled readings at
places where nothing moves are believed; what is believed and how fast is written at each step. A card is gone when its
place was *seen* empty, or another card lies there instead; what covers a card removes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.identity_evidence import altered, as_turned, lies_free, paired, seen_again, unseen
from vision.identity_faint import without_clutter
from vision.identity_new import candidates_after, disputed, doubts, published
from vision.identity_places import Mask, Picture, learned, outline_mask, with_light
from vision.identity_pushed import in_shrunken, moved_ground, moved_look
from vision.identity_tens import with_tens_for_ones
from vision.identity_unfound import unfound
from vision.identity_values import CARRIED, Memory, Scene, Track, Tracked, shape_of
from vision.sightings import CardSighting, Quad, Reading

__all__ = ["Memory", "Tracked", "follow", "only", "shifted", "shown"]


def follow(
    memory: Memory,
    reading: Reading,
    picture: Picture | None,
    at: float,
    settled: bool = True,
    restless: Mask | None = None,
    looked: Mask | None = None,
) -> tuple[Memory, tuple[Tracked, ...]]:
    """The memory after ``reading`` at ``at`` seconds, and the cards on the table, in the order of their numbers.

    ``picture`` is the frame shrunk (H x W x 3, BGR), or None: then nothing is known of the places. Where ``restless``
    (H x W) something moves, and what is read there is not believed; where ``settled`` is False nothing is. ``looked``
    marks what was read just now (None: all of it); the rest of the reading is repeated from before and proves nothing
    anew.
    """
    memory = _resized(memory, reading.width, reading.height)
    scale = picture.shape[1] / max(reading.width, 1) if picture is not None else 1.0
    scene = Scene(at, settled, picture, scale, restless, looked, memory.ground, reading.outlines)
    if picture is not None and memory.ground is not None and memory.ground.latest.shape == picture.shape:
        quads = [t.sighting.corners for t in memory.tracks] + [s.corners for s in reading.sightings]
        free = ~outline_mask(quads, scale, shape_of(picture), grow=2)
        scene = replace(scene, ground=with_light(memory.ground, picture, free))
    elif picture is not None:
        scene = replace(scene, ground=None)

    read = with_tens_for_ones(reading.sightings, memory.tracks)
    sightings = without_clutter(read, memory.tracks, scene, memory.candidates)
    sightings += unfound(sightings, memory.tracks, scene)
    pairs = paired(memory.tracks, sightings, scene)
    partner = {row: sightings[column] for row, column in pairs}
    taken = {column for _, column in pairs}
    spare = [s for column, s in enumerate(sightings) if column not in taken]
    kept: list[Track] = []
    left: list[Track] = []
    strange: set[int] = set()
    for row, track in enumerate(memory.tracks):
        if row in partner:
            others = [t for t in memory.tracks if t is not track]
            if altered(track, partner[row], [s.corners for s in sightings if s is not partner[row]], scene):
                strange.add(track.card)
            on_top = lies_free(partner[row].corners, track.here_at, others, spare)
            kept.append(seen_again(track, as_turned(track, partner[row], sightings), scene, on_top))
            continue
        after = unseen(track, memory.tracks, sightings, partner, scene)
        (left if after.left else kept).append(after)
    kept = disputed(kept, spare, scene, strange)
    candidates = candidates_after(memory.candidates, spare, kept, scene, list(partner.values()))
    gone = (*(g for g in memory.gone if at - (g.empty_at or at) <= CARRIED), *left)
    backs = [s.corners for s in sightings if s.kind == "back"]
    kept, candidates, gone, following = published(kept, candidates, gone, memory.following, scene, backs)
    kept.sort(key=lambda t: t.card)

    ground = memory.ground
    if picture is not None and settled:
        quads = [t.sighting.corners for t in kept] + [s.corners for s in sightings]
        free = ~outline_mask(quads, scale, shape_of(picture), grow=2)
        if restless is not None:
            free &= ~restless
        ground = learned(scene.ground, picture, at, free)
    waiting = any(t.covered for t in kept) or bool(candidates)
    result = Memory(
        following,
        tuple(kept),
        tuple(candidates),
        gone,
        ground,
        tuple(doubts(kept, candidates)),
        waiting,
        (reading.width, reading.height),
    )
    return result, shown(result)


def shown(memory: Memory) -> tuple[Tracked, ...]:
    """The cards of a memory."""
    return tuple(_tracked(t) for t in memory.tracks)


def only(memory: Memory, left: Callable[[Reading], Reading]) -> Memory:
    """The memory with those cards alone, known or about to be, that ``left`` leaves of a reading of them all."""
    tracks, candidates, size = memory.tracks, memory.candidates, memory.size
    known = Reading(*size, (*(it.sighting for it in tracks), *(it.sighting for it in candidates)))
    stays = {id(sighting) for sighting in left(known).sightings}
    return replace(
        memory,
        tracks=tuple(it for it in tracks if id(it.sighting) in stays),
        candidates=tuple(it for it in candidates if id(it.sighting) in stays),
    )


def shifted(memory: Memory, matrix: ArrayLike, scale: float | None = None) -> Memory:
    """The memory after the camera moved: ``matrix`` (3 x 3) takes old pixels to new ones.

    With ``scale``, the shrunken picture's over the frame's, what is known of the table goes along; without, it is
    learned anew.
    """
    m = np.array(matrix, np.float64)
    small = m if scale is None else in_shrunken(m, scale)
    ground = None if scale is None or memory.ground is None else moved_ground(memory.ground, small)

    def carried(quad: Quad) -> Quad:
        points = cv2.perspectiveTransform(np.array([quad], np.float64), m)[0]
        a, b, c, d = ((float(x), float(y)) for x, y in points)
        return (a, b, c, d)

    def along(s: CardSighting) -> CardSighting:
        return replace(s, corners=carried(s.corners), indices=tuple(carried(q) for q in s.indices))

    def kept(track: Track) -> Track:
        look, sighting = None, along(track.sighting)
        if track.look is not None and scale is not None and memory.ground is not None:
            look = moved_look(track.look, memory.ground, small, sighting.corners, scale)
        marks = tuple(carried(q) for q in track.marks)
        return replace(track, look=look, sighting=sighting, marks=marks, slid_from=None)

    return replace(
        memory,
        tracks=tuple(kept(t) for t in memory.tracks),
        candidates=tuple(replace(c, sighting=along(c.sighting)) for c in memory.candidates),
        gone=tuple(kept(t) for t in memory.gone),
        ground=ground,
        doubts=tuple(carried(q) for q in memory.doubts),
    )


def _resized(memory: Memory, width: int, height: int) -> Memory:
    """A camera that changed its resolution shows the same table."""
    was = memory.size
    if was in ((0, 0), (width, height)) or not all(was):
        return memory
    return shifted(memory, np.diag([width / was[0], height / was[1], 1.0]))


def _tracked(t: Track) -> Tracked:
    label = t.name.label if t.up else None
    sure = t.name.sure or not t.up
    s = t.sighting
    fused = CardSighting(
        ("card" if t.name.sure else "unsure") if t.up else "back",
        s.corners,
        label,
        t.name.confidence if t.up else s.confidence,
        s.probabilities if t.up else {},
        s.indices,
    )
    rank_sure = t.name.rank_sure or not t.up
    given_up = t.up and t.name.given_up
    return Tracked(t.card, fused, label, sure, t.up, t.covered, t.since, t.last_seen, t.moved_at, rank_sure, given_up)
