"""Scenes: cards laid out on a table in millimetres, seen by a camera, with exact labels.

Everything is drawn from one :class:`numpy.random.Generator`, so a seed gives the same scene again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.backgrounds import table_seen, table_top
from datasets.bend import FLAT, Bend, random_bend, strips, warped
from datasets.camera import Rng, lit, seen_by_camera
from datasets.clutter import add_clutter
from datasets.deck import Deck, Face, Floats, Image
from datasets.layouts import CARD_HEIGHT, Place, lay_out

BACK = "back"


@dataclass(frozen=True)
class SeenIndex:
    """An index as it lies in the picture: 4 x 2 pixels in the index's own order, and how much of it shows (0..1)."""

    quad: Floats
    visible: float


@dataclass(frozen=True)
class SeenCard:
    """A card as it lies in the picture; ``label`` is a face or ``back``."""

    label: str
    corners: Floats
    visible: float
    indices: tuple[SeenIndex, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A rendered picture and everything in it."""

    image: Image
    cards: tuple[SeenCard, ...]
    seed: int = 0


@dataclass(frozen=True)
class View:
    """Camera: ``homography`` takes table millimetres to pixels of a ``width`` x ``height`` picture."""

    homography: NDArray[np.float64]
    width: int
    height: int
    rise: NDArray[np.float64] | None = None
    """What a millimetre off the table adds to the homography's result; None where everything is flat."""

    def sees(self, points: NDArray[np.floating]) -> bool:
        """Whether all the points lie well before the camera and not far outside the picture."""
        p = np.column_stack([np.asarray(points, np.float64), np.ones(len(points))]) @ self.homography.T
        if (p[:, 2] < 0.12).any():
            return False
        xy = p[:, :2] / p[:, 2:]
        reach = 1.5 * max(self.width, self.height)
        return bool((xy > -reach).all() and (xy < [self.width + reach, self.height + reach]).all())

    def project(self, points: NDArray[np.floating]) -> Floats:
        """Millimetres (N x 2) to pixels (N x 2)."""
        p = np.asarray(points, np.float64).reshape(1, -1, 2)
        return np.asarray(cv2.perspectiveTransform(p, self.homography)[0], np.float32)

    def project_lifted(self, points: NDArray[np.floating], lift: NDArray[np.floating]) -> Floats:
        """The same for points that stand ``lift`` (N,) millimetres off the table."""
        if self.rise is None:
            return self.project(points)
        flat = np.column_stack([np.asarray(points, np.float64).reshape(-1, 2), np.ones(len(lift))])
        p = flat @ self.homography.T + np.asarray(lift, np.float64)[:, None] * self.rise
        return np.asarray(p[:, :2] / p[:, 2:], np.float32)


def camera_view(
    width: int, height: int, card_px: float, elevation: float, azimuth: float, roll: float, fov: float
) -> View:
    """A pinhole camera looking at the table's origin.

    ``card_px`` is how tall a card at the origin would stand in the picture if it faced the camera; angles are radians,
    ``elevation`` pi/2 looks straight down; ``fov`` is across the longer side.
    """
    f = 0.5 * max(width, height) / np.tan(fov / 2)
    distance = f * CARD_HEIGHT / card_px
    ce, se, ca, sa = np.cos(elevation), np.sin(elevation), np.cos(azimuth), np.sin(azimuth)
    eye = distance * np.array([ca * ce, sa * ce, se])
    forward = -eye / distance
    right = np.array([-sa, ca, 0.0])
    down = np.cross(forward, right)
    cr, sr = np.cos(roll), np.sin(roll)
    rotation = np.stack([cr * right + sr * down, -sr * right + cr * down, forward])
    translation = -rotation @ eye
    k = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1]])
    h = k @ np.column_stack([rotation[:, 0], rotation[:, 1], translation])
    # Table y runs away from the viewer; pictures run down. A flip here would mirror the cards, so check the sign.
    if np.linalg.det(h) < 0:
        h = h @ np.diag([1.0, -1.0, 1.0])
    return View(h / h[2, 2], width, height, k @ rotation[:, 2] / h[2, 2])


def random_view(rng: Rng, width: int, height: int, card_px: tuple[float, float]) -> View:
    """Log-uniform card size; from straight above to low over the table."""
    size = float(np.exp(rng.uniform(*np.log(card_px))))
    low = rng.random() < 0.45
    elevation = rng.uniform(np.radians(25), np.radians(65)) if low else rng.uniform(np.radians(60), np.pi / 2)
    roll = rng.uniform(-np.pi, np.pi) if rng.random() < 0.4 else rng.normal(0, 0.12)
    fov = np.radians(rng.uniform(30, 75))
    return camera_view(width, height, size, elevation, rng.uniform(-np.pi, np.pi), roll, fov)


@dataclass
class _Canvas:
    """The picture being built, and which object owns each pixel (-1: the table)."""

    image: NDArray[np.float32]
    owner: NDArray[np.int16]
    shadows: bool = True
    light: tuple[float, float] = (0.0, 0.0)
    areas: dict[int, float] = field(default_factory=dict)


def _paste(
    canvas: _Canvas, face: Face, corners: Floats, owner: int, rng: Rng, bend: Bend = FLAT, seen: Floats | None = None
) -> None:
    """Warp a card into the picture with its shadow, shading and rim; ``seen`` are a bent card's strips' corners."""
    h, w = canvas.owner.shape
    outline = corners if seen is None else seen.reshape(-1, 2)
    x0, y0 = np.floor(outline.min(0)).astype(int) - 6
    x1, y1 = np.ceil(outline.max(0)).astype(int) + 7
    x0, y0, x1, y1 = max(int(x0), 0), max(int(y0), 0), min(int(x1), w), min(int(y1), h)
    if x1 <= x0 or y1 <= y0:
        return
    longest = max(float(np.linalg.norm(corners[3] - corners[0])), float(np.linalg.norm(corners[2] - corners[1])), 1.0)
    level = int(np.clip(np.floor(np.log2(face.texture.shape[0] / longest)), 0, len(face.mips) - 1))
    texture = face.mips[level]
    th, tw = texture.shape[:2]
    size = (x1 - x0, y1 - y0)
    if seen is None:
        source = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32)
        m = cv2.getPerspectiveTransform(source, (corners - [x0, y0]).astype(np.float32))
        drawn = np.asarray(cv2.warpPerspective(texture, m, size, flags=cv2.INTER_LINEAR), np.float32)
    else:
        drawn = warped(texture, strips(bend), seen - np.array([x0, y0], np.float32), size)
    alpha = drawn[..., 3:] / 255
    region = canvas.image[y0:y1, x0:x1]
    if canvas.shadows:
        spread = max(0.6, (0.012 + 0.004 * bend.height) * longest * float(rng.uniform(0.5, 2.0)))
        shift = np.array([[1, 0, canvas.light[0] * spread * 2], [0, 1, canvas.light[1] * spread * 2]], np.float32)
        shade = cv2.warpAffine(np.ascontiguousarray(alpha[..., 0]), shift, size)
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), spread), np.float32)
        region *= 1 - (0.45 * shade * (1 - alpha[..., 0]))[..., None]
    # A card is never quite flat: its brightness runs across it, and some shine.
    gy, gx = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32) / max(size)
    slope = rng.normal(0, 0.12 + 0.03 * bend.height, 2)
    tone = float(rng.normal(1.0, 0.05)) + slope[0] * (gx - 0.5) + slope[1] * (gy - 0.5)
    colour = drawn[..., :3] * np.clip(tone, 0.5, 1.2)[..., None]
    if bend.height > 0.5 and rng.random() < 0.3:  # varnish shines in a band along the bend
        axis = np.array([corners[3] - corners[0], corners[1] - corners[0]][int(bend.along)], np.float64)
        normal = np.array([-axis[1], axis[0]]) / max(float(np.linalg.norm(axis)), 1.0)
        off = (gx * max(size) + x0 - corners.mean(0)[0]) * normal[0] + (
            gy * max(size) + y0 - corners.mean(0)[1]
        ) * normal[1]
        width = float(rng.uniform(0.05, 0.2)) * longest
        colour += (np.exp(-(((off - rng.normal(0, 0.2) * longest) / width) ** 2)) * rng.uniform(20, 120))[..., None]
    if rng.random() < 0.12:
        centre = (float(rng.uniform(0, size[0])), float(rng.uniform(0, size[1])))
        reach = float(rng.uniform(0.1, 0.5)) * longest
        d2 = ((gx * max(size) - centre[0]) ** 2 + (gy * max(size) - centre[1]) ** 2) / max(reach**2, 1)
        colour += (np.exp(-d2) * rng.uniform(30, 150))[..., None]
    region[:] = region * (1 - alpha) + colour * alpha
    canvas.owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = owner


def _visible(owner: NDArray[np.int16], quad: Floats, number: int) -> float:
    """Share of the quad's own area (also what lies outside the picture counts) that ``number`` owns."""
    h, w = owner.shape
    area = abs(float(cv2.contourArea(quad.astype(np.float32))))
    x0, y0 = np.floor(quad.min(0)).astype(int)
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 1
    cx0, cy0, cx1, cy1 = max(int(x0), 0), max(int(y0), 0), min(int(x1), w), min(int(y1), h)
    if cx1 <= cx0 or cy1 <= cy0 or area < 1:
        return 0.0
    mask = np.zeros((cy1 - cy0, cx1 - cx0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - [cx0, cy0]).astype(np.int32), 1)
    whole = np.zeros((int(y1 - y0), int(x1 - x0)), np.uint8)
    cv2.fillConvexPoly(whole, np.round(quad - [x0, y0]).astype(np.int32), 1)
    return float(((owner[cy0:cy1, cx0:cx1] == number) & (mask > 0)).sum() / max(int(whole.sum()), 1))


def card_corners(place: Place, aspect: float) -> NDArray[np.float64]:
    """A card's corners on the table in millimetres, from its top-left, clockwise seen from above."""
    hw, hh = CARD_HEIGHT * aspect / 2, CARD_HEIGHT / 2
    c, s = np.cos(place.angle), np.sin(place.angle)
    local = np.array([[-hw, -hh], [hw, -hh], [hw, hh], [-hw, hh]])
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + [place.x, place.y], np.float64)


def _seen_at(view: View, flat: NDArray[np.float64], face: Face, bend: Bend) -> tuple[Floats, Floats, Floats | None]:
    """Where a card's corners, its indices (N x 4 x 2) and, where it is bent, its strips lie in the picture."""
    th, tw = face.texture.shape[:2]

    def seen(shares: NDArray[np.floating]) -> Floats:
        across, down = shares[:, 0], shares[:, 1]
        ends = [(1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down]
        points = sum(end[:, None] * corner for end, corner in zip(ends, flat, strict=True))
        return view.project_lifted(np.asarray(points), bend.lift(across, down))

    corners = seen(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64))
    indices = face.indices
    if len(indices):
        indices = seen(indices.reshape(-1, 2) / np.array([tw, th])).reshape(-1, 4, 2)
    pieces = seen(strips(bend).reshape(-1, 2)).reshape(-1, 4, 2) if bend.height else None
    return corners, indices, pieces


def compose(
    background: Image,
    view: View,
    placed: Sequence[tuple[Place, Deck, str]],
    rng: Rng,
    clutter: bool = True,
    shadows: bool = True,
    worn: bool = False,
) -> tuple[Image, tuple[SeenCard, ...]]:
    """Lay the cards on the background as ``view`` sees them, before the room's light and the camera's faults.

    Where ``worn``, some of them are bent.
    """
    canvas = _Canvas(background.astype(np.float32), np.full(background.shape[:2], -1, np.int16), shadows)
    canvas.light = (float(rng.normal(0, 1)), float(rng.normal(0, 1)))
    if clutter:
        add_clutter(canvas.image, canvas.owner, rng, under=True)
    quads: list[tuple[str, Floats, Floats]] = []
    for place, deck, label in placed:
        face = deck.back() if label == BACK else deck.face(label)
        flat = card_corners(place, deck.aspect)
        if not view.sees(flat):
            continue
        bend = random_bend(rng) if worn else FLAT
        corners, indices, pieces = _seen_at(view, flat, face, bend)
        _paste(canvas, face, corners, len(quads), rng, bend, pieces)
        quads.append((label, corners, indices))
    if clutter:
        add_clutter(canvas.image, canvas.owner, rng, under=False)
    seen = []
    for number, (label, corners, indices) in enumerate(quads):
        marks = tuple(SeenIndex(q, _visible(canvas.owner, q, number)) for q in indices)
        seen.append(SeenCard(label, corners, _visible(canvas.owner, corners, number), marks))
    return np.clip(canvas.image, 0, 255).astype(np.uint8), tuple(seen)


def random_scene(
    seed: int, width: int, height: int, card_px: tuple[float, float], decks: Sequence[Deck], backs: Sequence[Deck] = ()
) -> Scene:
    """One random picture: table, camera, layout, decks, clutter, light and camera faults, all from ``seed``.

    ``decks`` are chosen from; a scene uses one deck, now and then two. ``backs`` lend their backs to other decks.
    """
    rng = np.random.default_rng(seed)
    view = random_view(rng, width, height, card_px)
    main = decks[int(rng.integers(len(decks)))]
    other = decks[int(rng.integers(len(decks)))] if rng.random() < 0.15 else main
    places = lay_out(rng, view.homography, width, height)
    placed: list[tuple[Place, Deck, str]] = []
    pack: dict[int, list[str]] = {}
    for place in places:
        deck = main if rng.random() < 0.6 else other
        pool = pack.setdefault(id(deck), [])
        if not pool:
            pool += [str(x) for x in rng.permutation(list(deck.labels))]
        label = BACK if place.face_down else pool.pop()
        if label == BACK and backs and rng.random() < 0.3:
            deck = backs[int(rng.integers(len(backs)))]
        placed.append((place, deck, label))
    top = table_seen(rng, view.homography, height, width) if rng.random() < 0.55 else table_top(rng, height, width)
    image, cards = compose(top, view, placed, rng, worn=True)
    image = seen_by_camera(lit(image, rng), rng, blur=min(width, height) / 640 + 0.3)
    return Scene(image, cards, seed)
