"""Faintly found backs: one without a border, on felt of its colour, is hardly found, but felt it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.identity_match import diagonal, overlap
from vision.identity_places import judged, look_at, outline_mask
from vision.identity_values import Scene, Track, shape_of
from vision.sightings import CardSighting, Quad

FAINT = 0.5
"""Backs found less surely than this are printed on the felt, or clutter, about as often as they are cards."""
SAME, BARE = 0.5, 0.35
"""How much of the smaller one a faint back shares with a card to be that card; and how much of its place may look as
the table did before."""
BEYOND = 0.08
"""So much of its place must lie beside the faces that it lies on."""
SIZES = 1.35
"""How much larger or smaller than the known cards it may be."""
ROUND = 0.6
"""How much of what is around it may look otherwise: another card beside it, not a hand."""


def without_clutter(sightings: Sequence[CardSighting], tracks: Sequence[Track], scene: Scene) -> list[CardSighting]:
    """The sightings without those faint backs that nothing speaks for.

    A card that is held face down there does, and so does a table that is known to have looked otherwise. On a card
    that is held face up a faint back is that card's own picture, unless it reaches beyond it.
    """
    return [s for s in sightings if s.kind != "back" or s.confidence >= FAINT or _is_card(s, tracks, scene)]


def _is_card(seen: CardSighting, tracks: Sequence[Track], scene: Scene) -> bool:
    shared = [(overlap(t.sighting.corners, seen.corners), t.up) for t in tracks]
    if any(share > SAME for share, up in shared if not up):
        return True
    usual = [diagonal(t.sighting.corners) for t in tracks]
    if usual and not 1 / SIZES < diagonal(seen.corners) / float(np.median(usual)) < SIZES:
        return False
    faces = [t.sighting.corners for t, (share, up) in zip(tracks, shared, strict=True) if up and share > SAME]
    return _lies_on_the_table(seen, faces, scene)


def _lies_on_the_table(seen: CardSighting, faces: Sequence[Quad], scene: Scene) -> bool:
    """Whether its place beside these ``faces`` looks otherwise than the table did, and what is around it does not: a
    hand is larger."""
    if scene.picture is None or scene.ground is None:
        return False
    look = look_at(scene.picture, seen.corners, scene.scale, scene.ground.light)
    if look is None:
        return False
    over = outline_mask(faces, scene.scale, shape_of(scene.picture), grow=1)
    # The table takes the part of how the place looked before, so that the ring around it is compared with it too.
    bare = replace(look, patch=scene.ground.table[look.window], light=1.0)
    there = judged(bare, scene.ground, scene.picture, over, np.zeros_like(over))
    around = there.ring_changed <= ROUND * max(there.ring, 1)
    beyond = there.enough and there.free >= BEYOND
    return beyond and there.known >= 0.5 and there.table < BARE and around
