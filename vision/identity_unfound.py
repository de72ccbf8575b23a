"""Cards that no reader found: where the table looks otherwise, in a card's shape and size, something lies.

A back without a border in the felt's colours, or printed like nothing that was ever learned from, is passed over by the
finder however long it lies there. The bare table was seen before, though, and so were other cards: what differs from
the one and is as large as the others, with straight sides, is taken for a card that lies face down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.identity_faint import HIDDEN, ROUND, SAME
from vision.identity_match import FAINT, overlap
from vision.identity_places import ALIKE, Mask, differs, judged, outline_mask, scaled
from vision.identity_values import Scene, Track, shape_of
from vision.sightings import CardSighting, Quad

Floats = NDArray[np.float64]

LEAST = 0.14
"""How much of a card must show beside the others."""
RIM = 0.75
"""Pixels by which what looks otherwise may reach beyond the card: those that it covers in part."""
ALONE = 0.7
"""So much of a card must show where no card that it could lie on is near."""
WITHIN, FILLED = 0.9, 0.85
"""So much of what looks otherwise must lie within a card's outline, and so much of what it shows must look so."""
TURNS = 24
"""Directions that are tried, over half a turn."""
PAPER = 0.75
"""What is so bright, beside the cards that lie face up, is no back: paper, or a face that was not read."""
CONFIDENCE = FAINT - 0.1
BELIEVED = 2
"""See `identity_places.Ground.known`."""


def unfound(sightings: Sequence[CardSighting], tracks: Sequence[Track], scene: Scene) -> list[CardSighting]:
    """Backs where the table looks otherwise than it did, as far as no card that is known or seen lies there.

    Their size is that of the nearest known card; without one there are none.
    """
    if scene.picture is None or scene.ground is None or not scene.settled or not tracks:
        return []
    shape = shape_of(scene.picture)
    found = [s.corners for s in sightings if s.kind == "back"]
    backs = [t for t in tracks if not t.up and not any(overlap(t.sighting.corners, it) > SAME for it in found)]
    quads = [t.sighting.corners for t in tracks if t not in backs] + [s.corners for s in sightings]
    cards = outline_mask(quads, scene.scale, shape, grow=1)
    moving = _grown(scene.restless, 3) if scene.restless is not None else np.zeros_like(cards)
    table = scaled(scene.ground.table, scene.ground.light)
    strange = differs(table, scene.picture) & (scene.ground.known >= BELIEVED) & ~cards
    closed = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    closed[cards] = 0
    out: list[CardSighting] = []
    for t in backs:
        place = outline_mask([t.sighting.corners], scene.scale, shape)
        free = place & ~cards
        shows = np.count_nonzero(closed[free]) >= FILLED * max(int(np.count_nonzero(free)), 1)
        round_it = _grown(place, 3) & ~_grown(place, 1) & ~cards
        larger = np.count_nonzero(closed[round_it]) > ROUND * max(int(np.count_nonzero(round_it)), 1)
        if shows and not larger and np.count_nonzero(free) >= LEAST * np.count_nonzero(place):
            out.append(CardSighting("back", t.sighting.corners, None, CONFIDENCE))
        closed[_grown(place, 1)] = 0
    count, labels, stats, middles = cv2.connectedComponentsWithStats(closed, connectivity=4)
    for k in range(1, count):
        card = _card_near((float(middles[k][0]), float(middles[k][1])), tracks, scene.scale)
        area = float(stats[k][cv2.CC_STAT_AREA])
        size = abs(float(np.linalg.det(card)))
        most = size + 2 * RIM * float(np.linalg.norm(card, axis=0).sum() + 2 * RIM)
        if not LEAST * size <= area <= most:
            continue
        here = np.asarray(labels == k, np.bool_)
        if (here & moving).any() or (area < ALONE * size and not (_grown(here, 2) & cards).any()):
            continue
        best = _laid(here, cards, card)
        if best is None or _is_paper(scene, here, tracks) or _went(scene, here, cards | moving):
            continue
        if _is_part(best, here, tracks, scene):
            continue
        out.append(CardSighting("back", _in_picture(best, scene), None, CONFIDENCE))
    return out


def _in_picture(corners: Floats, scene: Scene) -> Quad:
    a, b, c, d = (((float(x) + 0.5) / scene.scale, (float(y) + 0.5) / scene.scale) for x, y in corners)
    return a, b, c, d


def _card_near(place: tuple[float, float], tracks: Sequence[Track], scale: float) -> Floats:
    """Width and height of the nearest card, as the columns of a 2 x 2 matrix, in the shrunken picture's pixels."""
    nearest = min(tracks, key=lambda t: float(np.hypot(*(np.multiply(t.sighting.centre, scale) - place))))
    a, b, c, d = (np.array(p) * scale for p in nearest.sighting.corners)
    return np.column_stack([(b - a + c - d) / 2, (d - a + c - b) / 2])


@dataclass(frozen=True)
class _Window:
    left: int
    top: int
    here: NDArray[np.float32]
    cards: NDArray[np.float32]


def _around(here: Mask, cards: Mask, room: int) -> _Window:
    """What lies round the strange place, so wide that a card fits on any side."""
    rows, columns = np.flatnonzero(here.any(1)), np.flatnonzero(here.any(0))
    top, left = max(int(rows[0]) - room, 0), max(int(columns[0]) - room, 0)
    part = np.s_[top : int(rows[-1]) + room + 1, left : int(columns[-1]) + room + 1]
    return _Window(left, top, here[part].astype(np.float32), cards[part].astype(np.float32))


def _laid(here: Mask, cards: Mask, card: Floats) -> Floats | None:
    """The outline (4 x 2) of the card that explains what looks otherwise ``here``, or None.

    What of it does not show there must lie on other cards, not on the bare table.
    """
    reach = int(np.ceil(np.hypot(*np.abs(card).sum(1)) / 2 + RIM)) + 1
    window = _around(here, cards, reach)
    total = float(window.here.sum())
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    # In millimetres of any size: what is turned is the card on the table, not its picture.
    aspect = np.diag([63.0, 88.0])
    best: tuple[float, Floats] | None = None
    for turn in np.arange(TURNS) * np.pi / TURNS:
        c, s = np.cos(turn), np.sin(turn)
        corners = unit @ aspect @ np.array([[c, s], [-s, c]]) @ np.linalg.inv(aspect) @ card.T
        kernel = _soft(corners, reach)
        whole = float(kernel.sum())
        shown = cv2.filter2D(window.here, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        rimmed = cv2.filter2D(window.here, -1, _soft(corners, reach, rim=RIM), borderType=cv2.BORDER_CONSTANT)
        covered = cv2.filter2D(window.cards, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        within = rimmed / total
        filled = shown / np.maximum(whole - covered, 1.0)
        fits = (within >= WITHIN) & (filled >= FILLED) & (shown >= LEAST * whole)
        worth = np.where(fits, within + np.minimum(filled, 1.0), 0.0)
        y, x = np.unravel_index(int(worth.argmax()), worth.shape)
        if worth[y, x] > (best[0] if best else 0.0):
            best = float(worth[y, x]), corners + np.array([x + window.left, y + window.top])
    return best[1] if best else None


def _soft(corners: Floats, reach: int, rim: float = 0.0, fine: int = 4) -> NDArray[np.float32]:
    """An outline's inside, its rim in parts of pixels; its middle is the middle pixel. ``rim`` is added all round."""
    side = 2 * reach + 1
    drawn = np.zeros((side * fine, side * fine), np.float32)
    points = np.round((corners + reach + 0.5) * fine - 0.5).astype(np.int32)
    cv2.fillConvexPoly(drawn, points, 1.0)
    if rim > 0:
        cv2.polylines(drawn, [points], True, 1.0, 2 * round(rim * fine))
    return np.asarray(cv2.resize(drawn, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def _is_paper(scene: Scene, here: Mask, tracks: Sequence[Track]) -> bool:
    """Whether it is about as bright as the cards that lie face up."""
    assert scene.picture is not None
    faces = [t.sighting.corners for t in tracks if t.up]
    if not faces:
        return False
    least = scene.picture.min(2)
    paper = float(np.percentile(least[outline_mask(faces, scene.scale, shape_of(scene.picture))], 75))
    return float(np.median(least[here])) >= PAPER * paper


def _went(scene: Scene, here: Mask, besides: Mask) -> bool:
    """Whether what looks otherwise than it did looks as what is around it does: something went that had been taken for
    the table, such as two piles of chips side by side."""
    assert scene.picture is not None
    around = _grown(here, 4) & ~_grown(here, 2) & ~besides
    if not around.any():
        return False
    felt = np.median(scene.picture[around], axis=0)
    return float(np.mean(np.abs(scene.picture[here] - felt).max(1) <= ALIKE)) > FILLED


def _is_part(card: Floats, here: Mask, tracks: Sequence[Track], scene: Scene) -> bool:
    """Whether a card that it adjoins is hidden where this one would not lie on it: a hand reaches over both."""
    assert scene.picture is not None and scene.ground is not None
    beside = _grown(here, 3)  # The cards' outlines were left out by a pixel more than they take.
    for t in tracks:
        if t.look is None or not (beside[t.look.window] & t.look.place).any():
            continue
        later = [o.sighting.corners for o in tracks if o is not t and o.here_at > t.here_at]
        over = outline_mask([_in_picture(card, scene), *later], scene.scale, shape_of(scene.picture), grow=1)
        there = judged(t.look, scene.ground, scene.picture, over, np.zeros_like(over))
        if there.enough and there.card < HIDDEN:
            return True
    return False


def _grown(mask: Mask, by: int) -> Mask:
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel), np.uint8).astype(np.bool_)
