"""How every card, arm and stack of chips travels while a script is played: numbers only, nothing drawn.

A `Course` answers what lies where, and what moves, at any second. It depends on the script, the spots and a seed, which
gives each card the small errors of a hand that puts it down.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, pi, sin
from typing import Final

import numpy as np

from datasets.layouts import Place
from datasets.rounds import script as s
from datasets.rounds.script import HOUSE, Act, Colour, Script, Spot
from datasets.rounds.spots import Spots
from vision.sightings import Point

REACH_S: Final = 0.36
"""Seconds that a hand takes to what it picks up or touches."""
AWAY_S: Final = 0.5
"""Seconds that an arm takes to leave, and to come back."""
IDLE: Final = 1.3
"""An arm with nothing to do for so many seconds leaves the table."""
SLIP_MM: Final = 1.8
SLIP_RAD: Final = 0.028
"""Standard deviation of where and how a card is put down."""
CARRIED: Final = 34.0
"""Millimetres that a card is lifted at the middle of its way."""
SLID: Final = 3.0
AWAY_MM, BODY_MM = 420.0, 1000.0
"""From a player's bet to where his fingertips are while he does nothing, and to his shoulder."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One journey of a card. `up` says how it lies at the end; it is turned on the way where `turns`."""

    start: float
    end: float
    a: Place
    b: Place
    up: bool
    hand: tuple[int, int, int]
    """The seat, the hand and the number in it, from 1, that it leads to."""
    turns: bool = False
    lift: float = CARRIED
    last: bool = False
    """Whether the card is gone at the end."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A card at a moment: where, how high, and how much of its face shows (1 all, 0 edge on, -1 all of its back)."""

    place: Place
    lift: float
    face: float


@dataclass(frozen=True)
class Rest:
    """A card lying still from `start` to `end` as the `number`-th (from 1) of a hand; the later lie on the earlier."""

    card: int
    label: str
    up: bool
    place: Place
    start: float
    end: float
    seat: int
    hand: int
    number: int
    crosswise: bool


@dataclass
class CardTrack:
    """One card of the film."""

    card: int
    label: str
    crosswise: bool
    legs: list[Leg] = field(default_factory=list)

    def pose(self, t: float) -> Pose | None:
        """The card while it moves; None while it rests or is not there."""
        for leg in self.legs:
            if leg.start <= t < leg.end:
                way = eased((t - leg.start) / (leg.end - leg.start))
                face = 1.0 if leg.up else -1.0
                if leg.turns:
                    # Turned in the second half of the way.
                    face = -face * cos(pi * min(1.0, max(0.0, way * 2 - 0.9)))
                return Pose(between(leg.a, leg.b, way), leg.lift * sin(pi * way), face)
        return None

    def rests(self, length: float) -> list[Rest]:
        """When and where it lies still."""
        out = []
        for k, leg in enumerate(self.legs):
            end = self.legs[k + 1].start if k + 1 < len(self.legs) else length
            if not leg.last and end > leg.end:
                out.append(Rest(self.card, self.label, leg.up, leg.b, leg.end, end, *leg.hand, self.crosswise))
        return out


@dataclass(frozen=True, slots=True)
class StackTrack:
    """Chips, the lowest first, on a spot from `start` to `end`."""

    seat: int
    spot: Spot
    point: Point
    chips: tuple[Colour, ...]
    start: float
    end: float


@dataclass
class ArmTrack:
    """An arm: `seat` 0 is the dealer's. `keys` are seconds, the fingertips' place and height; None is off the table."""

    seat: int
    shoulder: Point
    """Where the fingertips are while the arm is away, off the felt."""
    body: Point
    """Where the arm comes from."""
    keys: list[tuple[float, Point, float]] = field(default_factory=list)

    def at(self, t: float) -> tuple[Point, float] | None:
        """The fingertips and their height; None where the arm is away."""
        if not self.keys:
            return None
        k = bisect_right(self.keys, t, key=lambda key: key[0])
        if k == 0 or k == len(self.keys):
            return None
        (t0, a, low), (t1, b, high) = self.keys[k - 1], self.keys[k]
        if a == b == self.shoulder:
            return None
        way = eased((t - t0) / max(t1 - t0, 1e-9))
        return (a[0] + (b[0] - a[0]) * way, a[1] + (b[1] - a[1]) * way), low + (high - low) * way


def eased(way: float) -> float:
    """From 0 to 1 with a soft start and a soft end."""
    way = min(1.0, max(0.0, way))
    return way * way * (3 - 2 * way)


def between(a: Place, b: Place, way: float) -> Place:
    """The place so far along the straight way, turned the shorter way round."""
    turn = (b.angle - a.angle + pi) % (2 * pi) - pi
    return Place(a.x + (b.x - a.x) * way, a.y + (b.y - a.y) * way, a.angle + turn * way)


@dataclass(frozen=True)
class Course:
    """Everything that moves in a film."""

    script: Script
    spots: Spots
    cards: tuple[CardTrack, ...]
    arms: tuple[ArmTrack, ...]
    stacks: tuple[StackTrack, ...]

    @cached_property
    def rests(self) -> tuple[Rest, ...]:
        """Every rest of every card, in the order in which they begin."""
        found = [rest for track in self.cards for rest in track.rests(self.script.length)]
        return tuple(sorted(found, key=lambda rest: (rest.start, rest.card)))

    def lying(self, t: float) -> tuple[Rest, ...]:
        """The cards that lie still, the lowest first."""
        return tuple(rest for rest in self.rests if rest.start <= t < rest.end)

    def standing(self, t: float) -> tuple[StackTrack, ...]:
        """The stacks of chips."""
        return tuple(stack for stack in self.stacks if stack.start <= t < stack.end)

    def discarded(self, t: float) -> int:
        """How many cards lie in the discards."""
        return sum(bool(track.legs) and track.legs[-1].last and track.legs[-1].end <= t for track in self.cards)

    def moving(self, t: float) -> list[tuple[CardTrack, Pose]]:
        """The cards on their way, the lowest first."""
        found = [(track, pose) for track in self.cards if (pose := track.pose(t)) is not None]
        return sorted(found, key=lambda it: it[0].card)


class _Writer:
    """Plays the acts in order and notes what each moves."""

    def __init__(self, script: Script, spots: Spots, seed: int) -> None:
        self.script, self.spots = script, spots
        self.rng = np.random.default_rng([seed, 31])
        self.cards: list[CardTrack] = []
        self.held: dict[tuple[int, int], list[CardTrack]] = {}
        self.stacks: list[StackTrack] = []
        self.touches: dict[int, list[tuple[float, Point, float]]] = {}

    def course(self) -> Course:
        before: s.Held = {}
        for act in self.script.acts:
            self.play(act, sum(map(bool, before.values())))
            before = s.after(before, act)
        arms = [self.arm(seat, touches) for seat, touches in sorted(self.touches.items())]
        return Course(self.script, self.spots, tuple(self.cards), tuple(arms), tuple(self.stacks))

    def play(self, act: Act, hands: int) -> None:
        match act:
            case s.Deal():
                self.deal(act)
            case s.Turn():
                track = self.held[act.seat, act.hand][act.card - 1]
                end = act.at + s.TURN_S
                last = track.legs[-1]
                track.legs.append(
                    Leg(act.at + REACH_S, end, last.b, self.slip(last.b), True, last.hand, True, CARRIED / 2)
                )
                self.touch(HOUSE, [(act.at + REACH_S, last.b), (end, last.b)])
            case s.Split():
                self.split(act)
            case s.PickUp():
                self.pick_up(act.at, [(act.seat, act.hand)], REACH_S, s.PICK_UP_S)
            case s.Clear():
                there = [place for place, tracks in sorted(self.held.items()) if tracks]
                # From the dealer's right, whose seats were paid first, the house's own cards last.
                there = [p for p in reversed(there) if p[0] != HOUSE] + [p for p in there if p[0] == HOUSE]
                self.pick_up(act.at, there, s.CLEARED_S, s.CLEARED_S * len(there) + s.LEAVE_S)
                self.held = {}
            case s.PutChips():
                self.put_chips(act)
            case s.TakeChips():
                self.take_chips(act)
            case s.RestHand():
                cards = [track.legs[-1].b for track in self.held[act.seat, act.hand]]
                x, y = sum(p.x for p in cards) / len(cards), sum(p.y for p in cards) / len(cards)
                near = min(AWAY_S, act.seconds / 3)
                rest = Place(x, y, 0)
                self.touch(act.seat, [(act.at + near, rest), (act.at + act.seconds - near, rest)])
            case s.Pause():
                pass

    def deal(self, act: s.Deal) -> None:
        track = CardTrack(len(self.cards), act.card, act.crosswise)
        self.cards.append(track)
        there = self.held.setdefault((act.seat, act.hand), [])
        there.append(track)
        spot = self.spots.card(act.seat, act.hand, len(there) - 1, self.hands(act.seat), act.crosswise)
        end = act.at + s.DEAL_S
        hand = (act.seat, act.hand, len(there))
        start = act.at + REACH_S
        track.legs.append(Leg(start, end, self.spots.shoe, self.slip(spot), act.up, hand, act.up))
        self.touch(HOUSE, [(start, self.spots.shoe), (end, track.legs[-1].b)])

    def split(self, act: s.Split) -> None:
        left, right = self.held[act.seat, act.hand]
        moved = {(seat, h + (seat == act.seat and h > act.hand)): tracks for (seat, h), tracks in self.held.items()}
        self.held = {**moved, (act.seat, act.hand): [left], (act.seat, act.hand + 1): [right]}
        start, end = act.at + REACH_S, act.at + s.SPLIT_S
        for (seat, hand), tracks in sorted(self.held.items()):
            if seat != act.seat:
                continue
            for number, track in enumerate(tracks):
                spot = self.spots.card(seat, hand, number, self.hands(seat), track.crosswise)
                last, to = track.legs[-1], self.slip(spot)
                track.legs.append(Leg(start, end, last.b, to, last.up, (seat, hand, number + 1), lift=SLID))
        self.touch(HOUSE, [(start, right.legs[-1].a), (end, right.legs[-1].b)])

    def pick_up(self, at: float, places: Sequence[tuple[int, int]], reach: float, whole: float) -> None:
        """Gather these hands one after another under the dealer's hand and put them on the discards."""
        stops = []
        for k, place in enumerate(places):
            tracks = self.held[place]
            middle = tracks[len(tracks) // 2].legs[-1].b
            stops.append((at + reach * (k + 1), middle, tracks))
        path = [(t, middle) for t, middle, _ in stops] + [(at + whole, self.spots.discards)]
        for k, (_, _, tracks) in enumerate(stops):
            for track in tracks:
                for (t0, _), (t1, b) in zip(path[k:], path[k + 1 :], strict=False):
                    last = t1 == path[-1][0]
                    to = replace(b, angle=b.angle + float(self.rng.normal(0, 0.05)))
                    before = track.legs[-1]
                    # Turned face down on the way to the pile.
                    turns = last and before.up
                    up = before.up and not last
                    track.legs.append(Leg(t0, t1, before.b, to, up, before.hand, turns, 12.0, last))
        for place in places:
            self.held[place] = []
        self.touch(HOUSE, path)

    def put_chips(self, act: s.PutChips) -> None:
        point = self.spots.chips(act.seat, act.spot)
        point = (point[0] + float(self.rng.normal(0, 4)), point[1] + float(self.rng.normal(0, 4)))
        at = act.at + s.CHIPS_S / 2
        lower = next((k for k, it in enumerate(self.stacks) if self.open(it, act.seat, act.spot)), None)
        chips = act.chips
        if lower is not None:
            there = self.stacks[lower]
            self.stacks[lower], point, chips = replace(there, end=at), there.point, (*there.chips, *chips)
        self.stacks.append(StackTrack(act.seat, act.spot, point, chips, at, float("inf")))
        self.visit(act.seat if act.by == "player" else HOUSE, act.at, point)

    def take_chips(self, act: s.TakeChips) -> None:
        at = act.at + s.CHIPS_S / 2
        for k, stack in enumerate(self.stacks):
            if self.open(stack, act.seat, act.spot):
                self.stacks[k] = replace(stack, end=at)
        self.visit(act.seat if act.by == "player" else HOUSE, act.at, self.spots.chips(act.seat, act.spot))

    @staticmethod
    def open(stack: StackTrack, seat: int, spot: Spot) -> bool:
        return (stack.seat, stack.spot) == (seat, spot) and stack.end == float("inf")

    def visit(self, arm: int, at: float, point: Point) -> None:
        place = Place(*point, 0)
        self.touch(arm, [(at + s.CHIPS_S / 2 - 0.06, place), (at + s.CHIPS_S / 2 + 0.06, place)])

    def hands(self, seat: int) -> int:
        return max((hand for there, hand in self.held if there == seat), default=1)

    def slip(self, place: Place) -> Place:
        dx, dy, turn = self.rng.normal(0, 1, 3) * [SLIP_MM, SLIP_MM, SLIP_RAD]
        return Place(place.x + float(dx), place.y + float(dy), place.angle + float(turn))

    def touch(self, arm: int, path: Sequence[tuple[float, Place]]) -> None:
        self.touches.setdefault(arm, []).extend((t, (place.x, place.y), 16.0) for t, place in path)

    def arm(self, seat: int, touches: list[tuple[float, Point, float]]) -> ArmTrack:
        """The arm goes from touch to touch, and away where there is time."""
        shoulder = self.spots.dealer if seat == HOUSE else self.spots.player(seat, AWAY_MM)
        body = self.spots.body if seat == HOUSE else self.spots.player(seat, BODY_MM)
        track = ArmTrack(seat, shoulder, body)
        touches = sorted(touches)
        for k, (t, point, high) in enumerate(touches):
            since = t - touches[k - 1][0] if k else float("inf")
            away = since > IDLE and (k == 0 or touches[k - 1][1] != point)
            if away:
                if k:
                    track.keys.append((touches[k - 1][0] + AWAY_S, shoulder, 60.0))
                track.keys.append((max(t - AWAY_S, 0.0), shoulder, 60.0))
            track.keys.append((t, point, high))
        if touches:
            track.keys.append((touches[-1][0] + AWAY_S, shoulder, 60.0))
        return track


def course(script: Script, spots: Spots, seed: int) -> Course:
    """What moves when, for this script on these spots."""
    return _Writer(script, spots, seed).course()
