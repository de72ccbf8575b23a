"""A script: what physically happens at the table, act by act, each with the second at which it begins.

A script knows cards, seats and hands; it knows no game. Seat 0 is the house; its hands are numbered too. A script
raises `ScriptError` with everything in it that cannot be: a card turned that was never dealt, two things done by the
dealer at once, an unknown card. `script_file` keeps scripts as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Final, Literal, get_args

from vision.sightings import CARDS

HOUSE: Final = 0
SEATS: Final = range(1, 8)
MOST_HANDS: Final = 4
MOST_CARDS: Final = 12
"""Cards of one hand."""
MOST_CHIPS: Final = 40
"""Chips put down at once."""
TAIL: Final = 1.0
"""Seconds that a film goes on after its last act, where the script does not say how long it is."""
LONGEST: Final = 3600.0

Spot = Literal["bet", "double", "insurance", "side"]
"""Where chips lie before a seat: its bet, what a double or split added, insurance, and one more bet beside."""
Colour = Literal["white", "red", "blue", "green", "black", "purple", "yellow"]
SPOTS: Final[tuple[Spot, ...]] = get_args(Spot)
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)


class ScriptError(ValueError):
    """A script that cannot be filmed; `problems` holds a sentence for each thing that is wrong."""

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        self.where, self.problems = where, tuple(problems)
        super().__init__(f"{where}: {' '.join(self.problems)}")


@dataclass(frozen=True, slots=True)
class Deal:
    """A card comes from the shoe to a hand. `card` is its true face, also where it lies face down."""

    at: float
    seat: int
    card: str
    hand: int = 1
    up: bool = True
    crosswise: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """The `card`-th card of a hand, counted from 1, is turned up."""

    at: float
    seat: int
    card: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Split:
    """The second card of a hand of two is moved aside and becomes a hand of its own, right after it."""

    at: float
    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class PickUp:
    """A hand's cards go to the discards."""

    at: float
    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Clear:
    """All cards go to the discards, hand by hand."""

    at: float


@dataclass(frozen=True, slots=True)
class PutChips:
    """Chips, the lowest first, come to a seat: from its player, or from the dealer."""

    at: float
    seat: int
    chips: tuple[Colour, ...]
    spot: Spot = "bet"
    by: Literal["player", "dealer"] = "player"


@dataclass(frozen=True, slots=True)
class TakeChips:
    """All chips of a spot are taken away."""

    at: float
    seat: int
    spot: Spot = "bet"
    by: Literal["player", "dealer"] = "dealer"


@dataclass(frozen=True, slots=True)
class RestHand:
    """A player's hand lies over the cards of a hand for so many seconds."""

    at: float
    seat: int
    seconds: float
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Pause:
    """Nobody moves for so many seconds."""

    at: float
    seconds: float


Act = Deal | Turn | Split | PickUp | Clear | PutChips | TakeChips | RestHand | Pause
WORDS: Final[Mapping[str, type[Act]]] = {
    "deal": Deal,
    "turn": Turn,
    "split": Split,
    "pick-up": PickUp,
    "clear": Clear,
    "put-chips": PutChips,
    "take-chips": TakeChips,
    "rest-hand": RestHand,
    "pause": Pause,
}
"""How each act is written."""
NAMES: Final = {kind: word for word, kind in WORDS.items()}
"""The word for each act."""

DEAL_S: Final = 0.95
TURN_S: Final = 0.9
SPLIT_S: Final = 1.2
PICK_UP_S: Final = 1.05
CHIPS_S: Final = 0.85
CLEARED_S: Final = 0.4
"""Seconds that each act takes, the reach of the arm among them; a clearing takes so many for each hand, and
`LEAVE_S` to end."""
LEAVE_S: Final = 0.9


@dataclass(frozen=True)
class Script:
    """What happens at one table. Checked when it is made; raises `ScriptError`."""

    acts: tuple[Act, ...]
    seats: int = 3
    title: str = ""
    least: float = 0.0
    """Seconds that the film lasts at least."""

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        if problems:
            raise ScriptError(f"script {self.title!r}" if self.title else "script", problems)

    @cached_property
    def length(self) -> float:
        """Seconds."""
        hands = hands_before(self.acts)
        ends = [act.at + seconds(act, hands[k]) for k, act in enumerate(self.acts)]
        return max([self.least, *(end + TAIL for end in ends)])


Held = dict[tuple[int, int], tuple[bool, ...]]
"""By seat and hand, whether each of its cards lies face up; no cards where the hand was picked up."""


def seconds(act: Act, hands: int = 0) -> float:
    """How long an act takes, where so many hands lie on the table."""
    match act:
        case Deal():
            return DEAL_S
        case Turn():
            return TURN_S
        case Split():
            return SPLIT_S
        case PickUp():
            return PICK_UP_S
        case Clear():
            return CLEARED_S * hands + LEAVE_S
        case PutChips() | TakeChips():
            return CHIPS_S
        case RestHand() | Pause():
            return act.seconds


def by_dealer(act: Act) -> bool:
    """Whether the dealer does it, who can do one thing at a time."""
    if isinstance(act, PutChips | TakeChips):
        return act.by == "dealer"
    return not isinstance(act, RestHand)


def after(held: Held, act: Act) -> Held:
    """The hands on the table once the act, which must be possible, is done."""
    now = dict(held)
    match act:
        case Deal():
            now[act.seat, act.hand] = (*now.get((act.seat, act.hand), ()), act.up)
        case Turn():
            there = now[act.seat, act.hand]
            now[act.seat, act.hand] = (*there[: act.card - 1], True, *there[act.card :])
        case Split():
            left, right = now[act.seat, act.hand]
            moved = {(s, h + (s == act.seat and h > act.hand)): up for (s, h), up in now.items()}
            now = {**moved, (act.seat, act.hand): (left,), (act.seat, act.hand + 1): (right,)}
        case PickUp():
            now[act.seat, act.hand] = ()
        case Clear():
            now = {}
        case _:
            pass
    return now


def hands_before(acts: Sequence[Act]) -> list[int]:
    """For each act, how many hands with cards lie on the table when it begins."""
    held: Held = {}
    out = []
    for act in acts:
        out.append(sum(map(bool, held.values())))
        held = after(held, act)
    return out


def _problems(script: Script) -> Iterator[str]:
    if script.seats not in SEATS:
        yield f"The seats cannot be {script.seats!r}: a table has 1 to {SEATS[-1]}."
        return
    if not isfinite(script.least) or not 0 <= script.least <= LONGEST:
        yield f"The length cannot be {script.least!r}: it is 0 to {LONGEST:.0f} seconds."
    held: Held = {}
    free, before = 0.0, ""
    last = 0.0
    for number, act in enumerate(script.acts, 1):
        where = f"Act {number} ({NAMES[type(act)]}"
        if not isfinite(act.at) or not 0 <= act.at <= LONGEST:
            yield f"{where}) cannot begin at {act.at!r}: write a second from 0 to {LONGEST:.0f}."
            return
        where += f" at {act.at:.2f} s)"
        if act.at < last:
            yield f"{where} comes after one that begins at {last:.2f} s: put the acts in order of time."
        last = max(last, act.at)
        wrong = list(_impossible(act, held, script.seats))
        yield from (f"{where}: {sentence}" for sentence in wrong)
        if wrong:
            return
        if by_dealer(act):
            if act.at < free - 1e-6:
                yield f"{where} begins before {before} is over: start it at {free:.2f} s or later."
            free, before = act.at + seconds(act, sum(map(bool, held.values()))), where[0].lower() + where[1:]
        held = after(held, act)


def _impossible(act: Act, held: Held, seats: int) -> Iterator[str]:
    """Why the act cannot be done on a table with these hands."""
    seat, hand = getattr(act, "seat", HOUSE), getattr(act, "hand", 1)
    if not isinstance(seat, int) or not HOUSE <= seat <= seats:
        yield f"there is no seat {seat!r}: seats are 1 to {seats}, and 0 is the house."
        return
    if not isinstance(hand, int) or not 1 <= hand <= MOST_HANDS:
        yield f"there is no hand {hand!r}: hands are 1 to {MOST_HANDS}."
        return
    there = held.get((seat, hand), ())
    place = f"hand {hand} of {'the house' if seat == HOUSE else f'seat {seat}'}"
    match act:
        case Deal():
            if act.card not in CARDS:
                yield f"{act.card!r} is no card: write a rank and a suit, such as 10H."
            if len(there) >= MOST_CARDS:
                yield f"{place} holds {len(there)} cards already, the most that there is room for."
            if held.get((seat, hand)) == ():
                yield f"{place} was picked up."
            if hand > 1 and seat != HOUSE and (seat, hand - 1) not in held:
                yield f"{place} cannot be dealt to: the seat has no hand {hand - 1}."
        case Turn():
            if not 1 <= act.card <= len(there):
                yield f"card {act.card} of {place} cannot be turned: {len(there)} lie there."
            elif there[act.card - 1]:
                yield f"card {act.card} of {place} lies face up already."
        case Split():
            hands = max((h for s, h in held if s == seat), default=0)
            if len(there) != 2:
                yield f"{place} cannot be split: {len(there)} cards lie there, not 2."
            if hands >= MOST_HANDS:
                yield f"seat {seat} has {hands} hands already, the most that there is room for."
        case PickUp() | RestHand():
            if not there:
                yield f"{place} has no cards."
        case Clear():
            if not any(held.values()):
                yield "there are no cards to clear."
        case PutChips():
            if not act.chips or len(act.chips) > MOST_CHIPS:
                yield f"{len(act.chips)} chips cannot be put down: give 1 to {MOST_CHIPS}."
            yield from (f"{c!r} is no chip: use {', '.join(COLOURS)}." for c in act.chips if c not in COLOURS)
        case _:
            pass
    if isinstance(act, PutChips | TakeChips | RestHand | Split) and seat == HOUSE:
        yield "only seats have chips, split cards or lay a hand over them; seat 0 is the house."
    if isinstance(act, RestHand | Pause) and not (isfinite(act.seconds) and 0 < act.seconds <= LONGEST):
        yield f"{act.seconds!r} seconds cannot be: write a number above 0."
