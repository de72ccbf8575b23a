"""A film of a script: frames of the table as a webcam sees it, any frame by its number.

The table at rest is kept as one picture, to which a card that comes to rest is added; a frame is that picture, what
moves at that moment laid over it, and the sensor's noise. So frames asked for in order are quick, and a frame in which
nothing moves differs from the one before by noise alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, exp, pi, sin, tanh
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.card_fonts import card_fonts
from datasets.deck import Deck, Floats, Image
from datasets.drawn import Style, drawn_deck, random_style
from datasets.layouts import Place
from datasets.pool import suit_fonts
from datasets.rounds.arms import LENGTH, TIP, WIDTH, draw_arm
from datasets.rounds.chips import draw_stack
from datasets.rounds.layers import Layer, lay, premultiplied, shade, smeared, warped_into
from datasets.rounds.moves import ArmTrack, Course, Pose, Rest, StackTrack, course
from datasets.rounds.script import HOUSE, Script
from datasets.rounds.spots import Spots, layout_for
from datasets.rounds.stage import (
    FINER,
    NOISE_ZERO,
    SLACK,
    Camera,
    Stage,
    look,
    noise_tile,
    pixels_per_mm,
    set_stage,
    shifted,
)
from datasets.scene import card_corners
from vision.felt import Layout

SHUTTER: Final = 0.5
"""Share of a frame's time that the shutter is open."""
SHAKE_S: Final = 0.45
"""Seconds that a bumped camera shakes."""
DECK_SEED: Final = 920_000_000
"""Above every seed that the recipes train on."""


@dataclass(frozen=True)
class Conditions:
    """How a round is filmed."""

    width: int = 1920
    height: int = 1080
    fps: int = 30
    camera: Camera = "above"
    noise: float = 2.4
    """Standard deviation of the sensor's noise, grey levels."""
    light: Literal["steady", "changing"] = "steady"
    """changing: the lamp swells and sinks, and once goes down by a fifth for a while."""
    bump: float | None = None
    """The second at which somebody knocks the camera; None for never."""
    markers: bool = True
    """Whether printed markers lie on the felt."""
    lines: bool = False
    """Whether the felt is printed with its areas, as a casino's is; a home's cloth seldom is."""
    house_hands: int = 1
    """How many hands the house has, 1 or 2."""
    own_deck: bool = False
    """Whether the project's own deck is dealt, in place of one drawn anew for the seed."""


def own_deck() -> Deck:
    """The project's own deck, with indices as large as on a good standard deck."""
    return drawn_deck(Style(rank_height=0.1, suit_height=0.078, back_seed=4))


def unseen_deck(seed: int) -> Deck:
    """A deck drawn anew for this seed, of a look that no network was trained on."""
    rng = np.random.default_rng([DECK_SEED, seed])
    return drawn_deck(random_style(rng, card_fonts(), suit_fonts()))


@dataclass(frozen=True)
class _Lies:
    """All that lies still at a moment, the lowest cards first."""

    stage: Stage
    stacks: tuple[StackTrack, ...]
    discarded: int
    cards: tuple[Rest, ...]


class Film:
    """The frames of one script; `seed` decides all that chance decides."""

    def __init__(
        self,
        script: Script,
        seed: int = 0,
        conditions: Conditions | None = None,
        deck: Deck | None = None,
        layout: Layout | None = None,
    ) -> None:
        self.script, self.seed, self.conditions = script, seed, conditions or Conditions()
        c = self.conditions
        self.spots = Spots(layout or layout_for(script.seats), c.house_hands)
        self.course: Course = course(script, self.spots, seed)
        self.deck = deck or (own_deck() if c.own_deck else unseen_deck(seed))
        rng = np.random.default_rng([seed, 41])
        view = look(self.spots.layout, c.camera, c.width, c.height, float(rng.normal(0, 0.012)))
        self._bump = _knock(rng, c.width, c.height)
        views = [view] if c.bump is None else [view, shifted(view, self._bump)]
        self.stages = tuple(set_stage(self.spots, it, seed, c.markers, c.lines) for it in views)
        self._arms = self._dressed(rng)
        self._light_from = (float(rng.uniform(0, 2 * pi)), float(rng.uniform(1.2, 2.4)))
        self._lamp = (float(rng.uniform(0, 2 * pi)), float(rng.uniform(0.25, 0.6)) * script.length)
        self._noise = [noise_tile(seed + k, c.width, c.height, c.noise) for k in range(2)] if c.noise else []
        self._tones = np.clip(rng.normal(1.0, 0.03, len(self.course.cards) + 1), 0.92, 1.06)
        self._layers: dict[tuple[str, int], Layer] = {}
        self._still: tuple[_Lies, Image] | None = None

    @property
    def frames(self) -> int:
        """How many frames there are."""
        return int(self.script.length * self.conditions.fps)

    def __iter__(self) -> Iterator[Image]:
        return (self.frame(number) for number in range(self.frames))

    def stage_at(self, t: float) -> Stage:
        """The stage at this second: the camera stands elsewhere after it was knocked."""
        bump = self.conditions.bump
        return self.stages[1 if bump is not None and t >= bump else 0]

    def frame(self, number: int) -> Image:
        """The `number`-th frame, from 0: BGR, height x width x 3, the caller's own."""
        return self.at(number / self.conditions.fps, number)

    def at(self, t: float, number: int) -> Image:
        """The picture at a second, with the noise of the `number`-th frame."""
        c = self.conditions
        stage = self.stage_at(t)
        picture = self._resting(stage, t).copy()
        open_ = SHUTTER / c.fps
        for track, pose in self.course.moving(t):
            later = track.pose(t + open_) or pose
            self._fly(picture, stage, track.label, pose, later, float(self._tones[track.card]))
        for arm in self.course.arms:
            self._reach(picture, stage, arm, t, open_)
        if c.bump is not None and c.bump <= t < c.bump + SHAKE_S:
            picture = self._shaken(picture, t - c.bump)
        gain = self._gain(t)
        if not self._noise:
            return picture if gain == 1 else np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)
        rng = np.random.default_rng([self.seed, 61, number])
        which, dx, dy = (int(v) for v in rng.integers(0, [len(self._noise), SLACK, SLACK]))
        grain = self._noise[which][dy : dy + c.height, dx : dx + c.width]
        return np.asarray(cv2.addWeighted(picture, gain, grain, 1.0, -NOISE_ZERO, dst=picture), np.uint8)

    def corners(self, place: Place, t: float) -> Floats:
        """Where a card lying there is in the picture of that second: 4 x 2 pixels, clockwise from its own top-left."""
        return self.stage_at(t).view.project(card_corners(place, self.deck.aspect))

    def reached_over(self, t: float) -> NDArray[np.bool_]:
        """Which pixels show an arm at this second."""
        stage = self.stage_at(t)
        over = np.zeros((self.conditions.height, self.conditions.width), bool)
        for arm in self.course.arms:
            now = arm.at(t)
            quad, layer = (None, None) if now is None else self._arm_quad(stage, arm, *now)
            if quad is None or layer is None:
                continue
            box = stage.box(quad, 24)
            if not box.empty:
                box.of(over)[warped_into(layer, quad, box)[..., 3] > 100] = True
        return over

    def _resting(self, stage: Stage, t: float) -> Image:
        """The table with all that lies still; kept from frame to frame."""
        lying = self.course.lying(t)
        lies = _Lies(stage, self.course.standing(t), self.course.discarded(t), lying)
        if self._still is not None:
            before, picture = self._still
            if before == lies:
                return picture
            if replace(before, cards=lying) == lies and lying[: len(before.cards)] == before.cards:
                for rest in lying[len(before.cards) :]:
                    self._put(picture, stage, rest.label if rest.up else "", rest.place, rest.card)
                self._still = (lies, picture)
                return picture
        picture = stage.base.copy()
        for k in range(min(lies.discarded, 3)):
            pile = self.spots.discards
            self._put(picture, stage, "", Place(pile.x + 1.5 * k, pile.y - 2.0 * k, pile.angle + 0.05 * k), 0)
        for stack in lies.stacks:
            draw_stack(picture, stage, stack.point, stack.chips, self.seed)
        for rest in lying:
            self._put(picture, stage, rest.label if rest.up else "", rest.place, rest.card)
        self._still = (lies, picture)
        return picture

    def _put(self, picture: Image, stage: Stage, label: str, place: Place, card: int) -> None:
        quad = stage.view.project(card_corners(place, self.deck.aspect))
        self._card(picture, stage, label, quad, float(self._tones[card]), 0.0, (0.0, 0.0))

    def _fly(self, picture: Image, stage: Stage, label: str, pose: Pose, later: Pose, tone: float) -> None:
        quads = []
        for it in (pose, later):
            corners = card_corners(it.place, self.deck.aspect)
            middle = corners.mean(0)
            # A card that is being turned is seen narrower.
            across = (corners[1] - corners[0]) / np.linalg.norm(corners[1] - corners[0])
            off = (corners - middle) @ across
            corners = corners - np.outer(off * (1 - max(abs(it.face), 0.06)), across)
            quads.append(stage.view.project_lifted(corners, np.full(4, it.lift)))
        move = (quads[1] - quads[0]).mean(0)
        self._card(
            picture, stage, label if pose.face > 0 else "", quads[0], tone, pose.lift, (float(move[0]), float(move[1]))
        )

    def _card(
        self,
        picture: Image,
        stage: Stage,
        label: str,
        quad: Floats,
        tone: float,
        lift: float,
        move: tuple[float, float],
    ) -> None:
        """A card (no label: its back) at `quad`, `lift` millimetres up; `move` is its way while the shutter is open."""
        longest = max(float(np.linalg.norm(quad[3] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])), 1.0)
        spread = 0.011 * longest + 0.2 * lift * longest / 89
        box = stage.box(quad, 6 + 3 * spread + max(map(abs, move)))
        if box.empty:
            return
        layer = warped_into(self._layer(label, longest), quad, box)
        layer = np.asarray(cv2.GaussianBlur(layer, (3, 3), 0.55), np.uint8)
        if max(map(abs, move)) > 1:
            layer = smeared(layer, *move)
        angle, far = self._light_from
        off = spread * far
        shadow = cv2.warpAffine(
            layer[..., 3], np.array([[1, 0, cos(angle) * off], [0, 1, sin(angle) * off]], np.float32), box.size
        )
        shade(picture, box, np.asarray(shadow, np.uint8), 0.42, spread)
        lit = box.of(stage.light)
        lay(picture, box, layer, np.asarray(cv2.convertScaleAbs(lit, alpha=tone), np.uint8))

    def _layer(self, label: str, longest: float) -> Layer:
        """The card's face or back, at about twice the size that it is seen at, or less."""
        face = self.deck.face(label) if label else self.deck.back()
        level = int(np.clip(np.floor(np.log2(face.texture.shape[0] / longest)), 0, len(face.mips) - 1))
        if (label, level) not in self._layers:
            self._layers[label, level] = premultiplied(face.mips[level])
        return self._layers[label, level]

    def _dressed(self, rng: np.random.Generator) -> dict[int, Layer]:
        """An arm for each seat that moves one; the dealer's is in black or white."""
        dealer = (236, 234, 230) if rng.random() < 0.5 else (34, 32, 32)
        scale = FINER * pixels_per_mm(self.stages[0].view, self.spots.layout)
        return {arm.seat: draw_arm(rng, scale, dealer if arm.seat == HOUSE else None) for arm in self.course.arms}

    def _reach(self, picture: Image, stage: Stage, track: ArmTrack, t: float, open_: float) -> None:
        now, then = track.at(t), track.at(t + open_)
        if now is None:
            return
        quad, layer = self._arm_quad(stage, track, now[0], now[1])
        if quad is None:
            return
        move = np.zeros(2)
        if then is not None:
            both = stage.view.project(np.array([now[0], then[0]]))
            move = both[1] - both[0]
        box = stage.box(quad, 24)
        if box.empty:
            return
        drawn = warped_into(layer, quad, box)
        if np.abs(move).max() > 1:
            drawn = smeared(drawn, float(move[0]), float(move[1]))
        angle, far = self._light_from
        scale = float(np.linalg.norm(quad[1] - quad[0])) / WIDTH
        off = (16 + now[1]) * scale * 0.5 * far
        shadow = cv2.warpAffine(
            drawn[..., 3], np.array([[1, 0, cos(angle) * off], [0, 1, sin(angle) * off]], np.float32), box.size
        )
        shade(picture, box, np.asarray(shadow, np.uint8), 0.4, 9 * scale)
        lay(picture, box, drawn, box.of(stage.light))

    def _arm_quad(
        self, stage: Stage, track: ArmTrack, tip: tuple[float, float], lift: float
    ) -> tuple[Floats | None, Layer]:
        """Where the arm's drawing goes, cut where it comes too near to the camera or behind it."""
        layer = self._arms[track.seat]
        along = np.array(tip) - np.array(track.body)
        along = along / np.linalg.norm(along)
        right = np.array([-along[1], along[0]]) * WIDTH / 2
        for share in (1.0, 0.8, 0.6, 0.45, 0.3):
            top, end = np.array(tip) + along * TIP, np.array(tip) - along * (LENGTH * share - TIP)
            flat = np.array([top - right, top + right, end + right, end - right])
            if stage.view.sees(flat):
                heights = np.array([lift, lift, lift + 150 * share, lift + 150 * share])
                quad = stage.view.project_lifted(flat, heights)
                return quad, layer[: max(2, round(len(layer) * share))]
        return None, layer

    def _gain(self, t: float) -> float:
        if self.conditions.light == "steady":
            return 1.0
        phase, dark = self._lamp
        swell = 1 + 0.045 * sin(2 * pi * t / 7.3 + phase)
        # As two steps of 1 / (1 + exp(-9 t)), which overflows on a film of more than a minute before it.
        down = (tanh((t - dark) * 4.5) - tanh((t - dark - 6) * 4.5)) / 2
        return swell * (1 - 0.2 * down)

    def _shaken(self, picture: Image, since: float) -> Image:
        """The picture while the camera swings to where it ends up."""
        left = exp(-since * 9) * cos(since * 48)
        change = np.eye(3) + (np.linalg.inv(self._bump) - np.eye(3)) * left
        size = (picture.shape[1], picture.shape[0])
        moved = cv2.warpAffine(picture, change[:2].astype(np.float32), size, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(moved, np.uint8)


def _knock(rng: np.random.Generator, width: int, height: int) -> NDArray[np.float64]:
    """What a knock does to the camera's picture: a small turn about its middle, and a shift."""
    turn = float(rng.choice([-1, 1])) * float(rng.uniform(0.006, 0.014))
    dx, dy = rng.choice([-1, 1], 2) * rng.uniform(0.006, 0.014, 2) * width
    c, s = cos(turn), sin(turn)
    x, y = width / 2, height / 2
    return np.array([[c, -s, x - c * x + s * y + dx], [s, c, y - s * x - c * y + dy], [0, 0, 1]])
