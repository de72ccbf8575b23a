"""Puts acts one after another at a person's pace, and keeps the round's truth beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Final

from advisor.money import CannotPay, ChipSet, breakdown
from datasets.rounds import script as film
from datasets.rounds.script import Act, Colour, Held, Script, Spot

CHIPS: Final = ChipSet({"yellow": "0.50", "white": 1, "red": 5, "green": 25, "black": 100})
PAUSE: Final = (0.06, 0.3)
"""Seconds between two acts of a dealer who knows what comes next."""
THOUGHT: Final = (0.5, 1.6)
"""Seconds that a player thinks."""
LOOK: Final = (0.8, 1.3)
"""Seconds that everybody looks at a lost hand before it is picked up."""
SETTLED: Final = 1.6
"""Seconds that the cards lie still before they are cleared, so that the money can be looked at."""


@dataclass(frozen=True)
class StagedRound:
    """One round of a film: what a table that sees it should come to know."""

    begins: float
    decided: float
    """The second from which every card of the round lies where it ends."""
    clears: float
    """The second at which the clearing begins."""
    told: tuple[tuple[float, Mapping[str, Any]], ...]
    """What no camera can see, as the game's own operations, and when it may be said."""
    operations: tuple[Mapping[str, Any], ...]
    """The whole round as the game's own log."""
    net: Mapping[int, Fraction]
    """What each seat has gained at the end."""


@dataclass
class Pace:
    """The clock of a script that is being written; `now` is when the dealer is free."""

    random: Random
    chips: bool = True
    now: float = 0.6
    acts: list[Act] = field(default_factory=list)
    told: list[tuple[float, Mapping[str, Any]]] = field(default_factory=list)
    held: Held = field(default_factory=dict)
    stacks: dict[tuple[int, Spot], None] = field(default_factory=dict)
    """Where chips lie, in the order in which they came."""

    def dealer(self, make: Callable[[float], Act], pause: tuple[float, float] = PAUSE) -> None:
        """The dealer's next act, which `make` builds for a second."""
        at = round(self.now + self.random.uniform(*pause), 2)
        act = make(at)
        self.now = at + film.seconds(act, sum(map(bool, self.held.values())))
        self.held = film.after(self.held, act)
        self.acts.append(act)

    def think(self) -> None:
        """A player takes a moment."""
        self.now += self.random.uniform(*THOUGHT)

    def tell(self, operation: Mapping[str, Any]) -> None:
        """Somebody says what the camera cannot see, now."""
        self.told.append((round(self.now, 2), operation))

    def put(self, seat: int, amount: Fraction, spot: Spot = "bet", by: str = "player") -> None:
        """Chips worth the amount come to a seat; nothing happens where it cannot be made, or no chips are wanted."""
        stack = colours(amount) if self.chips else ()
        if not stack:
            return
        self.stacks[seat, spot] = None
        if by == "dealer":
            self.dealer(lambda at: film.PutChips(at, seat, stack, spot, "dealer"))
        else:
            # Players put their chips down beside what the dealer does.
            self.acts.append(film.PutChips(round(self.now + self.random.uniform(0.0, 0.25), 2), seat, stack, spot))

    def take(self, seat: int, spot: Spot = "bet") -> None:
        """The dealer collects a spot's chips."""
        if (seat, spot) in self.stacks:
            del self.stacks[seat, spot]
            self.dealer(lambda at: film.TakeChips(at, seat, spot))

    def take_back(self) -> None:
        """Every player takes what lies before him, one spot after another."""
        times: dict[int, int] = {}
        for seat, spot in self.stacks:
            wait = film.CHIPS_S * times.get(seat, 0) + self.random.uniform(0.0, 0.2)
            times[seat] = times.get(seat, 0) + 1
            self.acts.append(film.TakeChips(round(self.now + wait, 2), seat, spot, "player"))
        self.wait((film.CHIPS_S + 0.2) * max(times.values(), default=0))
        self.stacks.clear()

    def wait(self, seconds: float) -> None:
        """Nothing happens for a while."""
        self.now += seconds

    def rest_hand(self, seat: int) -> None:
        """Now and then a player lays a hand over his cards, while the dealer goes on."""
        if self.held.get((seat, 1)) and self.random.random() < 0.12:
            self.acts.append(film.RestHand(round(self.now, 2), seat, round(self.random.uniform(1.2, 2.6), 2)))

    def script(self, seats: int, title: str) -> Script:
        """The acts so far, in order of time."""
        ordered = sorted(self.acts, key=lambda act: act.at)
        return Script(tuple(ordered), seats, title, round(self.now + 1.0, 2))


def colours(amount: Fraction) -> tuple[Colour, ...]:
    """The fewest chips, the most valuable at the bottom; none where the chips cannot make the amount, or too many."""
    try:
        chips = breakdown(amount, CHIPS)
    except CannotPay:
        return ()
    stack = [colour for colour, count in chips.counts for _ in range(count)]
    return tuple(stack) if len(stack) <= film.MOST_CHIPS else ()  # type: ignore[arg-type]


def shuffled(cards: Iterable[Any], random: Random) -> list[Any]:
    """The cards in an order drawn by chance, the next one last."""
    shoe = list(cards)
    random.shuffle(shoe)
    return shoe


def closed(
    pace: Pace, begins: float, operations: Iterable[Mapping[str, Any]], net: Mapping[int, Fraction]
) -> StagedRound:
    """The round that ends with the clearing of its cards, which is the dealer's next act."""
    decided = pace.now
    pace.wait(SETTLED)
    pace.dealer(film.Clear)
    clears = pace.acts[-1].at
    pace.take_back()
    told, pace.told = tuple(pace.told), []
    return StagedRound(begins, decided, clears, told, tuple(operations), dict(net))
