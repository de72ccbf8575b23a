"""Chips with truth to measure the reader on: rendered bets and loose chips by seed, and photographs by manifest."""

from __future__ import annotations

import json
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.bench import ManifestError
from datasets.camera import Rng
from datasets.chips.backdrop import backdrop, drawn_top
from datasets.chips.layouts import splashed, spread
from datasets.chips.orders import bet_order
from datasets.chips.racks import rack_scene
from datasets.chips.scene import ChipScene, Plan, SeenStack, chips_camera, compose, finished, random_light
from datasets.chips.styles import random_family
from datasets.chips.tables import ChipTable, Laid
from datasets.chips.traced import random_finish
from datasets.deck import Image
from vision.chips.finder import shared
from vision.chips.reader import ChipReader
from vision.chips.values import Box, ChipReading
from vision.felt import Zone
from vision.pictures import load_picture

SPOT = 448
"""Side of the picture around one betting spot, in pixels."""
WEBCAM = (51.0, 82.0)
"""A chip's width where 1920 pixels cover 1.5 m down to 0.9 m of table."""
RACK_PICTURE, SPLASH_PICTURE = (1280, 960), (640, 480)
SEED = 61_000_000
FOUND = 0.4
"""A labelled stack is found where a stack that was read shares this much of their union."""


def rendered_bet(number: int, colours: Sequence[str], most: int = 20, followed: bool = False) -> ChipScene:
    """One bet (`bet_order`), as a webcam over the table sees its spot; ``followed``: in light that is (`trace`)."""
    rng = np.random.default_rng([SEED, number])
    camera = chips_camera(rng, SPOT, SPOT, WEBCAM, float(np.radians(rng.uniform(20, 50))))
    order = bet_order(rng, colours, most)
    foot = np.array([*rng.uniform(-15, 15, 2), 0.0])
    # Kept low enough in the picture that a full column fits.
    foot[1] += 30.0
    plan = Plan("stack", foot, order, random_family(rng), float(rng.uniform(0.1, 1.2)))
    return _scene(number, rng, camera, [plan], followed)


def laid_bets(table: ChipTable, colours: Sequence[str]) -> tuple[tuple[Zone, Laid], ...]:
    """Bets on most of a table's places, one stack each, as players put them down before the deal."""
    rng = np.random.default_rng([SEED + 3, table.number])
    places = [zone for zone in table.layout.zones if zone.kind == "seat-bet"]
    bets = []
    for k in sorted(rng.choice(len(places), int(rng.integers((len(places) + 1) // 2, len(places) + 1)), replace=False)):
        (x, y), (dx, dy) = places[k].shape.centre, rng.uniform(-15, 15, 2).tolist()
        bets.append((places[k], Laid(int(k), (x + dx, y + dy), bet_order(rng, colours))))
    return tuple(bets)


def rendered_loose(number: int, colours: Sequence[str], followed: bool = False) -> ChipScene:
    """Three to twelve chips lying singly, seen from 35° to 75° above the table."""
    rng = np.random.default_rng([SEED + 1, number])
    camera = chips_camera(rng, SPOT, SPOT, WEBCAM, float(np.radians(rng.uniform(35, 75))))
    family = random_family(rng)
    places = spread(rng, camera, int(rng.integers(3, 13)), 2 * family.radius + 3)
    plans = [Plan("stack", at, (str(rng.choice(list(colours))),), family) for at in places if _inside(camera, at)]
    return _scene(number, rng, camera, plans, followed)


def rendered_splash(number: int, colours: Sequence[str], followed: bool = False) -> ChipScene:
    """Chips splashed as a dealer proves a payment: rows of them half over each other, seen from 35° to 75° above."""
    rng = np.random.default_rng([SEED + 4, number])
    camera = chips_camera(rng, *SPLASH_PICTURE, WEBCAM, float(np.radians(rng.uniform(35, 75))))
    family = random_family(rng)
    plans: list[Plan] = []
    while not plans:
        laid = splashed(rng, camera, family, colours)
        plans = [plan for plan in laid if _inside(camera, plan.foot)]
    return _scene(number, rng, camera, plans, followed)


def rendered_rack(number: int, colours: Sequence[str]) -> ChipScene:
    """A rack of one to eight rows of up to twenty chips, as a phone held over it sees it."""
    return rack_scene(number, RACK_PICTURE, colours, everywhere=True)


def _inside(camera: Any, at: Any) -> bool:
    x, y = camera.project(at[None])[0]
    w, h = camera.width, camera.height
    return bool(0.12 * w < x < 0.88 * w and 0.12 * h < y < 0.88 * h)


def _scene(number: int, rng: Rng, camera: Any, plans: list[Plan], followed: bool) -> ChipScene:
    top = backdrop(0, rng, camera, drawn_top(number % 24))
    finish = random_finish(np.random.default_rng([SEED + 5, number])) if followed else None
    image, stacks = compose(top, camera, plans, rng, random_light(rng), clutter=False, finish=finish)
    return ChipScene(finished(image, rng, harsh=False), stacks, number)


def rendered_pile(megapixels: float = 12.0) -> Image:
    """A pile as a phone photographs it, for timing: 4 to 3, so many million pixels."""
    rng = np.random.default_rng(SEED + 2)
    camera = chips_camera(rng, 1000, 750, (62.0, 64.0), float(np.radians(35)))
    family = random_family(rng)
    feet = [np.array([x, y, 0.0]) for y in (-90, -40, 10, 60) for x in range(-200, 201, 50)]
    plans = [Plan("stack", at, (str(rng.choice(["red", "green", "black"])),) * int(rng.integers(1, 15)), family)
             for at in feet]  # fmt: skip
    image, _ = compose(backdrop(0, rng, camera, drawn_top(0)), camera, plans, rng, random_light(rng), clutter=False)
    grow = float(np.sqrt(megapixels * 1e6 / (1000 * 750)))
    return np.asarray(
        cv2.resize(finished(image, rng, harsh=False), None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC), np.uint8
    )


@dataclass(frozen=True)
class Counted:
    """A labelled stack of a photograph; ``count`` None where nobody could count it."""

    box: Box
    count: int | None
    colour: str


@dataclass(frozen=True)
class Photograph:
    """One item of a manifest; ``complete`` says that every stack in it is labelled."""

    image: Path
    stacks: tuple[Counted, ...]
    complete: bool


@dataclass
class StackScore:
    """Sums over photographs; shares are of ``stacks``, colours of ``found``.

    ``found`` are the stacks that are listed; ``sure`` of them are listed as sure, and ``wrong`` of those miscounted.
    ``unsure`` are not listed, with no more than a hint.
    """

    stacks: int = 0
    found: int = 0
    exact: int = 0
    near: int = 0
    colour: int = 0
    sure: int = 0
    unsure: int = 0
    wrong: int = 0
    extra: int = 0

    def shares(self) -> dict[str, float]:
        """What the requirements are about."""
        n = max(self.stacks, 1)
        return {
            "found": self.found / n,
            "exact": self.exact / n,
            "within one": self.near / n,
            "colour": self.colour / max(self.found, 1),
        }


@dataclass
class RackScore:
    """Sums over pictures of racks: of all ``rows`` those ``found`` and listed, those whose number of chips is
    ``counted`` right, and those that are ``right`` in every colour's number; ``sure`` ones and how many of them are
    ``wrong``. ``extra`` is what is listed where nothing lies. ``totals`` are the racks all of whose rows are right with
    nothing extra, ``surely`` those of them all of whose rows are sure.
    """

    racks: int = 0
    rows: int = 0
    found: int = 0
    counted: int = 0
    right: int = 0
    sure: int = 0
    wrong: int = 0
    extra: int = 0
    totals: int = 0
    surely: int = 0


def tally_rack(score: RackScore, scene: ChipScene, reading: ChipReading) -> None:
    """Add one picture's reading: the rows that overlap most first, each once. Rows that are listed beside them are
    extra, and so are stacks that are listed where none stands.
    """
    rows = [s for s in scene.stacks if s.shape == "tube"]
    standing = [_box_of(s) for s in scene.stacks if s.shape == "stack"]
    listed = [s for s in reading.listed if s.shape == "tube"]
    others = [s for s in reading.listed if s.shape != "tube"]
    matched = _matched([_box_of(w) for w in rows], [g.box for g in listed])
    right = 0
    for i, k in matched.items():
        got, truth = listed[k], rows[i].order
        good = Tally(got.order) == Tally(truth)
        score.counted += got.count == len(truth)
        score.sure += got.sure
        score.wrong += got.sure and not good
        right += good
    extra = len(listed) - len(matched)
    extra += sum(all(shared(s.box, box)[0] < FOUND for box in standing) for s in others)
    score.racks += 1
    score.rows += len(rows)
    score.found += len(matched)
    score.right += right
    score.extra += extra
    whole = right == len(rows) and not extra
    score.totals += whole
    score.surely += whole and all(listed[k].sure for k in matched.values())


def _matched(want: Sequence[Box], got: Sequence[Box]) -> dict[int, int]:
    """Which of the boxes that were read is which of those that are there: best overlap first, each once."""
    pairs = ((shared(w, g)[0], i, k) for i, w in enumerate(want) for k, g in enumerate(got))
    matched: dict[int, int] = {}
    for overlap, i, k in sorted(pairs, reverse=True):
        if overlap >= FOUND and i not in matched and k not in matched.values():
            matched[i] = k
    return matched


def _box_of(stack: SeenStack) -> Box:
    x0, y0, x1, y1 = (float(v) for v in stack.box)
    return x0, y0, x1, y1


def load_manifest(path: Path) -> list[Photograph]:
    """The photographs that a manifest lists. Raises `ManifestError` that says what is wrong and where."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        root = Path(content.get("root") or path.parent)
        out = []
        for item in content["items"]:
            stacks = []
            for s in item.get("stacks", []):
                x0, y0, x1, y1 = (float(v) for v in s["box"])
                count = int(s["count"]) if s.get("sure", True) else None
                stacks.append(Counted((x0, y0, x1, y1), count, str(s.get("colour"))))
            out.append(Photograph(root / item["image"], tuple(stacks), bool(item.get("complete"))))
        return out
    except OSError as error:
        raise ManifestError(f"{path}: it cannot be read ({error.strerror}).") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ManifestError(f"{path}: it is no manifest of chips ({type(error).__name__}: {error}).") from error


def score_photographs(
    items: Iterable[Photograph], reader: ChipReader, step: Callable[[], None] | None = None
) -> StackScore:
    """Read every photograph; only stacks that are listed count as found. Raises `PictureError` for a bad file."""
    score = StackScore()
    for item in items:
        tally(score, item, reader.read(load_picture(item.image)))
        if step:
            step()
    return score


def tally(score: StackScore, item: Photograph, reading: ChipReading) -> None:
    """Add one photograph's reading: best overlap first, each stack once."""
    want, listed = [s for s in item.stacks if s.count is not None], reading.listed
    matched = _matched([w.box for w in want], [g.box for g in listed])
    for i, k in matched.items():
        got, truth = listed[k], want[i]
        off = abs(got.count - int(truth.count or 0))
        score.exact += off == 0
        score.near += off <= 1
        score.colour += max(got.colours, key=lambda c: got.colours[c]) == truth.colour
        score.sure += got.sure
        score.wrong += got.sure and off != 0
    score.stacks += len(want)
    score.found += len(matched)
    for i, w in enumerate(want):
        hints = (u for u in reading.unsure if not u.likely)
        if i not in matched and any(shared(w.box, u.box)[0] >= FOUND for u in hints):
            score.unsure += 1
    score.extra += len(listed) - len(matched) if item.complete else 0
