"""Faintly found backs: one without a border, on felt of its colour, is hardly found, but felt it is not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.identity_match import overlap
from vision.identity_places import judged, look_at
from vision.identity_values import Scene, Track, shape_of
from vision.sightings import CardSighting

FAINT = 0.5
"""Backs found less surely than this are printed on the felt, or clutter, about as often as they are cards."""
SAME, BARE = 0.5, 0.35
"""How much of the smaller one a faint back shares with a card to be that card; and how much of its place may look as
the table did before."""


def without_clutter(sightings: Sequence[CardSighting], tracks: Sequence[Track], scene: Scene) -> list[CardSighting]:
    """The sightings without those faint backs that nothing speaks for.

    A card that is held face down there does, and so does a table that is known to have looked otherwise. On a card
    that is held face up a faint back is that card's own picture.
    """
    return [s for s in sightings if s.kind != "back" or s.confidence >= FAINT or _is_card(s, tracks, scene)]


def _is_card(seen: CardSighting, tracks: Sequence[Track], scene: Scene) -> bool:
    shared = [(overlap(t.sighting.corners, seen.corners), t.up) for t in tracks]
    if any(share > SAME for share, up in shared if up):
        return False
    return any(share > SAME for share, up in shared if not up) or _lies_on_the_table(seen, scene)


def _lies_on_the_table(seen: CardSighting, scene: Scene) -> bool:
    if scene.picture is None or scene.ground is None:
        return False
    look = look_at(scene.picture, seen.corners, scene.scale, scene.ground.light)
    if look is None:
        return False
    none = np.zeros(shape_of(scene.picture), np.bool_)
    there = judged(look, scene.ground, scene.picture, none, none)
    return there.enough and there.known >= 0.5 and there.table < BARE
