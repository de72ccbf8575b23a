"""A whole calibrated felt as a webcam on a monitor or an arm sees it, with stacks of chips at its places; exact truth.

Two pictures of one table differ in the chips that were moved and in the sensor's noise, and in nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import pi, radians
from typing import Final, Literal

import numpy as np

from datasets.camera import Rng
from datasets.chips.draw import Camera, Canvas, Chip, Floats, Light, draw_chip, extent
from datasets.chips.orders import bet_order
from datasets.chips.others import draw_other, round_thing
from datasets.chips.room import Room, Webcam, random_room, random_webcam
from datasets.chips.scene import ChipScene, Plan, chips_of, random_light, seen, shadow
from datasets.chips.styles import Family, random_family
from datasets.chips.traced import Finish, random_finish, trace
from datasets.deck import Deck, Image
from datasets.layouts import Place
from datasets.rounds.film import own_deck
from datasets.rounds.layers import FULL, box_round, lay, premultiplied, shade, warped_into
from datasets.rounds.script import HOUSE
from datasets.rounds.spots import Spots
from datasets.rounds.stage import Stage, set_stage
from datasets.scene import View, camera_view, card_corners
from vision.chips.values import Box
from vision.felt import Calibration, Layout, load_layout
from vision.felt.calibration import matrix
from vision.sightings import CARDS, Point

WIDTH, HEIGHT = 1920, 1080
SEED: Final = 62_000_000
LAYOUTS: Final = ("three-seats", "seven-seats", "one-seat", "five-seats", "kitchen-table")
"""In turn, so that every few tables show all of them."""
SHARED: Final = 5
"""So many tables share a felt and a camera, since drawing those costs the most."""
CHIP_MM: Final = 39.0
NARROWEST: Final = 34.0
"""Pixels: where a chip at some place would be narrower the camera stands elsewhere. Seven seats allow little more."""
TALL: Final = 70.0
"""Millimetres: a full column of twenty."""
ROOM: Final = 60.0
"""Millimetres around a betting place that are in the picture too: payouts are laid down there."""
APART: Final = 58.0
"""Millimetres between the stacks of a crowded table."""
_FILLED: Final = 0.96

Side = Literal["dealer", "players"]


@dataclass(frozen=True)
class Laid:
    """A stack as somebody put it down: ``order`` names its colours from the bottom up, ``at`` is in felt millimetres.

    The same ``number`` is the same stack in every picture of the table, turned and shifted the same chip by chip.
    """

    number: int
    at: Point
    order: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SeenLaid:
    """The stack in the picture: ``box`` is all of it, ``visible`` the share that no other stack hides."""

    laid: Laid
    box: Box
    visible: float


@dataclass(frozen=True, eq=False)
class ChipTable:
    """One table without its chips: the felt, where the camera sees it, the light, and the kind of chips played with.

    ``hands`` are pairs of a seat and how many hands of cards lie before it; without any no cards are dealt yet.
    """

    number: int
    layout: Layout
    view: View
    calibration: Calibration
    family: Family
    sloppy: float
    light: Light
    shadows: float
    webcam: Webcam
    hands: tuple[tuple[int, int], ...] = ()

    @cached_property
    def camera(self) -> Camera:
        """The view as chips are drawn with it."""
        assert self.view.rise is not None
        h = self.view.homography
        return Camera(np.column_stack([h[:, 0], h[:, 1], self.view.rise, h[:, 2]]), WIDTH, HEIGHT)


@dataclass(frozen=True, eq=False)
class TablePicture:
    """A picture of 1920 x 1080 and all the stacks in it, in the order in which they were given."""

    image: Image
    stacks: tuple[SeenLaid, ...]


def chip_table(number: int) -> ChipTable:
    """The table of that number: the same number is always the same table."""
    layout, view = _seen_from(_felt(number))
    rng = np.random.default_rng([SEED, 1, number])
    return ChipTable(
        number, layout, view, Calibration(layout.name, matrix(view.homography), WIDTH, HEIGHT, "points"),
        random_family(rng), float(rng.uniform(0.1, 1.0)), random_light(rng), float(rng.uniform(0.15, 0.55)),
        random_webcam(rng),
    )  # fmt: skip


def _felt(number: int) -> int:
    """The number of the felt before its camera."""
    return number % len(LAYOUTS) + number // (len(LAYOUTS) * SHARED) * len(LAYOUTS)


@lru_cache(maxsize=2 * len(LAYOUTS))
def _seen_from(felt: int) -> tuple[Layout, View]:
    rng = np.random.default_rng([SEED, 0, felt])
    layout = load_layout(LAYOUTS[felt % len(LAYOUTS)])
    view = _view(rng, layout)
    while narrowest(view, layout) < NARROWEST:
        view = _view(rng, layout)
    return layout, view


@lru_cache(maxsize=len(LAYOUTS))
def _bare(felt: int) -> Stage:
    """The felt without anything on it but what is printed, and a shoe."""
    layout, view = _seen_from(felt)
    rng = np.random.default_rng([SEED, 5, felt])
    return set_stage(Spots(layout), view, SEED + felt, markers=bool(rng.random() < 0.5), lines=bool(rng.random() < 0.8))


@lru_cache(maxsize=2)
def _set(number: int, hands: tuple[tuple[int, int], ...]) -> tuple[Stage, Room]:
    """The table with its cards, and the room's light that the camera has set its exposure to."""
    stage = _bare(_felt(number))
    room = random_room(np.random.default_rng([SEED, 6, number]), stage.base)
    if not hands:
        return stage, room
    rng = np.random.default_rng([SEED, 2, number])
    spots, base = Spots(_seen_from(_felt(number))[0]), stage.base.copy()
    faces = iter(rng.permutation(CARDS))
    for seat, count in ((HOUSE, 1), *hands):
        for hand in range(1, count + 1):
            for k in range(int(rng.integers(2, 5))):
                place = spots.card(seat, hand, k, count)
                x, y, turn = rng.normal(0, [2.0, 2.0, 0.03])
                _lay_card(base, stage, str(next(faces)), Place(place.x + x, place.y + y, place.angle + turn))
    return replace(stage, base=base), room


def _view(rng: Rng, layout: Layout) -> View:
    """A camera 20 to 50 degrees above the table that sees all places for cards and chips as large as it can."""
    on_arm = bool(rng.random() < 0.5)
    elevation = radians(rng.uniform(34, 50) if on_arm else rng.uniform(20, 36))
    side: Side = "players" if on_arm and rng.random() < 0.6 else "dealer"
    azimuth = (pi / 2 if side == "dealer" else -pi / 2) + radians(rng.normal(0, 9 if on_arm else 5))
    roll, fov, filled = float(rng.normal(0, 0.012)), radians(rng.uniform(52, 76)), _FILLED * rng.uniform(0.94, 1.0)
    points = _wanted(layout)
    aim = (points[:, :2].min(0) + points[:, :2].max(0)) / 2

    def aimed(card_px: float) -> View:
        view = camera_view(WIDTH, HEIGHT, card_px, elevation, azimuth, roll, fov)
        move = np.array([[1, 0, -aim[0]], [0, 1, -aim[1]], [0, 0, 1]], np.float64)
        return replace(view, homography=np.asarray(view.homography @ move, np.float64))

    def fits(view: View) -> bool:
        off = np.abs(view.project_lifted(points[:, :2], points[:, 2]) - np.array([WIDTH, HEIGHT]) / 2)
        return view.sees(points[:, :2]) and bool((off <= filled * np.array([WIDTH, HEIGHT]) / 2).all())

    view = aimed(5.0)
    for _ in range(4):
        low, high = 5.0, 2.0 * HEIGHT
        for _ in range(18):
            size = (low + high) / 2
            low, high = (size, high) if fits(aimed(size)) else (low, size)
        view = aimed(low)
        # What is far is small: the camera is turned to the middle of what it sees, not of the felt.
        seen = view.project_lifted(points[:, :2], points[:, 2])
        p = np.linalg.inv(view.homography) @ [*((seen.min(0) + seen.max(0)) / 2), 1.0]
        aim = p[:2] / p[2]
    return view


def _wanted(layout: Layout) -> Floats:
    """What has to be in the picture, N x 3 millimetres: all places, and room for columns at and around each bet."""
    points: list[tuple[float, float, float]] = []
    for zone in layout.zones:
        outline = [(float(x), float(y)) for x, y in zone.shape.outline]
        if zone.kind in ("house", "seat-cards"):
            points += [(x, y, 0.0) for x, y in outline]
        if zone.kind in ("seat-bet", "insurance"):
            cx, cy = zone.shape.centre
            room = ROOM if zone.kind == "seat-bet" else ROOM / 2
            for x, y in outline:
                far = 1 + room / max(float(np.hypot(x - cx, y - cy)), 1.0)
                points += [(cx + (x - cx) * far, cy + (y - cy) * far, height) for height in (0.0, TALL)]
    return np.array(points, np.float64)


def narrowest(view: View, layout: Layout) -> float:
    """How many pixels wide a chip is where it is seen smallest among the places for bets."""
    widths = []
    for zone in layout.zones:
        if zone.kind == "seat-bet":
            (x0, y0), (x1, y1) = (
                view.project(np.array([[zone.shape.centre[0] + side * CHIP_MM / 2, zone.shape.centre[1]]]))[0]
                for side in (-1, 1)
            )
            widths.append(float(np.hypot(x1 - x0, y1 - y0)))
    return min(widths)


@lru_cache(maxsize=1)
def _deck() -> Deck:
    return own_deck()


def _lay_card(picture: Image, stage: Stage, label: str, place: Place) -> None:
    deck = _deck()
    quad = stage.view.project(card_corners(place, deck.aspect))
    longest = max(float(np.linalg.norm(quad[3] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])), 1.0)
    face = deck.face(label)
    level = int(np.clip(np.floor(np.log2(face.texture.shape[0] / longest)), 0, len(face.mips) - 1))
    box = box_round(quad, 12.0, stage.view.width, stage.view.height)
    if box.empty:
        return
    layer = warped_into(premultiplied(face.mips[level]), quad, box)
    shade(picture, box, layer[..., 3], 0.4, 0.012 * longest)
    lay(picture, box, layer, box.of(stage.light))


def photographed(table: ChipTable, stacks: Sequence[Laid], look: int) -> TablePicture:
    """The table with these stacks on it; ``look`` numbers the table's pictures, which differ in noise."""
    image, _, built, shows = drawn_on(table, stacks, look)
    boxes = [_box(table.camera, chips) for chips in built]
    return TablePicture(image, tuple(map(SeenLaid, stacks, boxes, shows)))


def drawn_on(
    table: ChipTable, stacks: Sequence[Laid], look: int, things: Sequence[Plan] = (), finish: Finish | None = None
) -> tuple[Image, Canvas, list[list[Chip]], list[float]]:
    """The picture, the canvas that knows whose each pixel is, each stack's chips, and the share of each that shows.

    ``things`` lie there too, round but no chips; they are numbered after the stacks. With a ``finish`` all of them are
    seen in light that is followed (`trace`, which see for what it raises).
    """
    stage, room = _set(table.number, table.hands)
    canvas = Canvas(stage.base.astype(np.float32), np.full((HEIGHT, WIDTH), -1, np.int16))
    odd = np.random.default_rng([SEED, 9, table.number])
    built = [_chips(table, it) for it in stacks] + [chips_of(it, odd) for it in things]
    if finish is not None:
        built[len(stacks) :] = [[round_thing(chips[0], odd)] for chips in built[len(stacks) :]]
    boxes = [_box(table.camera, chips) for chips in built]
    far_first = sorted(range(len(built)), key=lambda k: -table.camera.depth(built[k][0].centre))
    for k in far_first:
        shadow(canvas, table.camera, built[k], table.light, table.shadows)
    shine = replace(table.light, gloss=table.family.gloss)
    whole = [1] * len(built)
    for k in far_first:
        if k >= len(stacks) and finish is None:
            thing = things[k - len(stacks)]
            draw_other(canvas, table.camera, built[k][0], replace(shine, gloss=thing.family.gloss), k, odd)
            continue
        for chip, above in zip(built[k], [*built[k][1:], None], strict=True):
            draw_chip(canvas, table.camera, chip, shine, k, table.family.bevel, table.family.gap, above)
        whole[k] = _pixels(canvas, boxes[k], k)
    if finish is not None:
        seed = np.random.default_rng([SEED, 10, table.number, look])
        canvas.image = trace(stage.base.astype(np.float32), table.camera, built, table.light, finish, seed)
    chips = canvas.owner >= 0
    canvas.image[chips] *= stage.light[chips].astype(np.float32) / FULL
    lit = room.lights(canvas.image)
    image = table.webcam.takes(lit, np.random.default_rng([SEED, 4, table.number, look]))
    shows = [_pixels(canvas, box, k) / max(whole[k], 1) for k, box in enumerate(boxes[: len(stacks)])]
    return image, canvas, built[: len(stacks)], shows


def places_apart(table: ChipTable, rng: Rng, most: int) -> list[Point]:
    """Up to so many places anywhere around those for bets, in felt millimetres, `APART` from each other and in view."""
    spots = _wanted(table.layout)
    low, high = spots[:, :2].min(0), spots[:, :2].max(0)
    at: list[Floats] = []
    for _ in range(most * 12):
        place = rng.uniform(low, high)
        x, y = table.camera.project(np.array([[*place, 0.0]]))[0]
        inside = 20 < x < WIDTH - 20 and 60 < y < HEIGHT - 8
        if len(at) < most and inside and all(np.hypot(*(place - other)) > APART for other in at):
            at.append(place)
    return [(float(x), float(y)) for x, y in at]


def traced(table: ChipTable, stacks: Sequence[Laid], look: int) -> TablePicture:
    """`photographed` in light that is followed, the table's chips made and worn as its number says."""
    image, _, built, shows = drawn_on(table, stacks, look, finish=finish_of(table))
    boxes = [_box(table.camera, chips) for chips in built]
    return TablePicture(image, tuple(map(SeenLaid, stacks, boxes, shows)))


def finish_of(table: ChipTable) -> Finish:
    """How that table's chips are made and worn where light is followed."""
    return random_finish(np.random.default_rng([SEED, 11, table.number]))


def crowded(number: int, colours: Sequence[str], most: int = 16, followed: bool = False) -> ChipScene:
    """A table of that number with up to ``most`` stacks anywhere around its places, to learn from: all that is true.

    The places lie about `APART` millimetres from each other at least; stacks are put down as bets are (`bet_order`).
    ``followed``: as `traced` sees them.
    """
    table = chip_table(number)
    rng = np.random.default_rng([SEED, 7, number])
    laid = [
        Laid(k, at, bet_order(rng, [str(c) for c in rng.permutation(colours)[:4]]))
        for k, at in enumerate(places_apart(table, rng, most))
    ]
    image, canvas, built, _ = drawn_on(table, laid, 0, finish=finish_of(table) if followed else None)
    plans = [Plan("stack", np.array([*it.at, 0.0]), it.order, table.family, table.sloppy) for it in laid]
    return ChipScene(
        image, tuple(seen(canvas, table.camera, p, c, k) for k, (p, c) in enumerate(zip(plans, built, strict=True)))
    )


def box_of(table: ChipTable, laid: Laid) -> Box:
    """All of that stack in the table's pictures, whether or not something hides a part of it."""
    return _box(table.camera, _chips(table, laid))


def _chips(table: ChipTable, laid: Laid) -> list[Chip]:
    rng = np.random.default_rng([SEED, 3, table.number, laid.number])
    return chips_of(Plan("stack", np.array([*laid.at, 0.0]), laid.order, table.family, table.sloppy), rng)


def _box(camera: Camera, chips: Sequence[Chip]) -> Box:
    each = np.array([extent(camera, chip) for chip in chips])
    (x0, y0), (x1, y1) = each[:, :2].min(0), each[:, 2:].max(0)
    return float(x0), float(y0), float(x1), float(y1)


def _pixels(canvas: Canvas, box: Box, owner: int) -> int:
    """How many pixels of the picture show that stack."""
    x0, y0, x1, y1 = (max(round(v), 0) for v in box)
    return int(np.count_nonzero(canvas.owner[max(y0 - 2, 0) : y1 + 2, max(x0 - 2, 0) : x1 + 2] == owner))
