"""Faintly found backs: one without a border, on felt of its colour, is hardly found, but felt it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.identity_match import FAINT, diagonal, overlap
from vision.identity_places import Ground, judged, look_at, outline_mask
from vision.identity_values import Candidate, Scene, Track, shape_of
from vision.sightings import CardSighting, Quad

SAME, BARE = 0.5, 0.35
"""How much of the smaller one a faint back shares with a card to be that card; and how much of its place may look as
the table did before."""
HIDDEN = 0.4
"""So little of a face still looks as it did where a card came to lie on it."""
BEYOND = 0.08
"""So much of its place must lie beside the faces that it lies on."""
SIZES = 1.35
"""How much larger or smaller than the known cards it may be."""
ROUND = 0.6
"""How much of what is around it may look otherwise: another card beside it, not a hand."""


def without_clutter(
    sightings: Sequence[CardSighting], tracks: Sequence[Track], scene: Scene, candidates: Sequence[Candidate] = ()
) -> list[CardSighting]:
    """The sightings without those faint backs that nothing speaks for.

    A card that is held face down there does, or is about to be, and so does a table that is known to have looked
    otherwise. On a card that is held face up a faint back is that card's own picture, unless it reaches beyond it. One
    that looks like the table must hide what that card showed.
    """
    down = [t.sighting.corners for t in tracks if not t.up]
    down += [c.sighting.corners for c in candidates if c.sighting.kind == "back"]
    return [s for s in sightings if s.kind != "back" or s.confidence >= FAINT or _is_card(s, tracks, down, scene)]


def _is_card(seen: CardSighting, tracks: Sequence[Track], down: Sequence[Quad], scene: Scene) -> bool:
    if any(overlap(quad, seen.corners) > SAME for quad in down):
        return True
    usual = [diagonal(t.sighting.corners) for t in tracks]
    if usual and not 1 / SIZES < diagonal(seen.corners) / float(np.median(usual)) < SIZES:
        return False
    return _lies_on_the_table(seen, [t for t in tracks if t.up], scene)


def _lies_on_the_table(seen: CardSighting, up: Sequence[Track], scene: Scene) -> bool:
    """Whether its place beside the faces it lies on looks otherwise than the table did, or they do, and what is around
    it does not: a hand is larger."""
    if scene.picture is None or scene.ground is None:
        return False
    look = look_at(scene.picture, seen.corners, scene.scale, scene.ground.light)
    if look is None:
        return False
    faces = [t for t in up if overlap(t.sighting.corners, seen.corners) > SAME]
    over = outline_mask([t.sighting.corners for t in faces], scene.scale, shape_of(scene.picture), grow=1)
    # The table takes the part of how the place looked before, so that the ring around it is compared with it too.
    bare = replace(look, patch=scene.ground.table[look.window], light=1.0)
    there = judged(bare, scene.ground, scene.picture, over, np.zeros_like(over))
    around = there.ring_changed <= ROUND * max(there.ring, 1)
    if not around:
        return False
    # The face that it lies on may be outlined together with it, and nothing of it lie beyond that.
    if any(_hides(seen, face, scene, scene.ground) for face in faces):
        return True
    beyond = there.enough and there.free >= BEYOND
    return beyond and there.known >= 0.5 and there.table < BARE


def _hides(seen: CardSighting, face: Track, scene: Scene, ground: Ground) -> bool:
    """Whether the part of a face that would lie under this back looks otherwise than that face did."""
    if face.look is None or scene.picture is None:
        return False
    beside = ~outline_mask([seen.corners], scene.scale, shape_of(scene.picture))
    there = judged(face.look, ground, scene.picture, beside, np.zeros_like(beside))
    return there.enough and there.card < HIDDEN
