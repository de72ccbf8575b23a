"""The exact price of a side bet: every way the deciding cards can fall, counted in whole numbers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from advisor.games.blackjack.side_bets.bets import BETS, Draw, SideBet
from advisor.games.blackjack.side_bets.paytable import Paytable
from advisor.games.blackjack.side_bets.shoe import FaceShoe
from advisor.games.cards import FULL_PACK, Card


class ShoeTooSmall(ValueError):  # noqa: N818 - it is a state of the shoe, not a fault in the program
    """The bet takes more cards than the shoe holds; the message says how many."""


@dataclass(frozen=True, slots=True)
class OutcomePrice:
    """One paid outcome of a priced bet."""

    name: str
    pays: Fraction
    """The multiple of the bet paid on top of it."""
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Price:
    """What a side bet is worth on one shoe, exactly."""

    bet: str
    table: Paytable
    cards: int
    """How many cards the shoe held."""
    outcomes: tuple[OutcomePrice, ...]
    """Every outcome of the bet, best first; those that pay 0 lose the bet."""

    @property
    def win_probability(self) -> Fraction:
        """How likely the bet is paid at all."""
        return sum((o.probability for o in self.outcomes if o.pays), Fraction(0))

    @property
    def expected(self) -> Fraction:
        """The expected gain of the player for a bet of 1."""
        paid = sum((o.probability * (o.pays + 1) for o in self.outcomes if o.pays), Fraction(0))
        return paid - 1

    @property
    def house_edge(self) -> Fraction:
        """The share of the bet that the house keeps on average; negative where the shoe favours the player."""
        return -self.expected


def price(bet: SideBet | str, table: Paytable, shoe: FaceShoe) -> Price:
    """The exact price of the bet on the shoe's cards, dealt from a fair shuffle.

    Raises `ShoeTooSmall` where the deal may take more cards than the shoe holds, `ValueError` for a paytable of
    another bet, `KeyError` for no such bet.
    """
    known = BETS[bet] if isinstance(bet, str) else bet
    if table.bet != known.name:
        raise ValueError(f"the paytable {table.name!r} is for {table.bet}, not for {known.name}")
    tally: defaultdict[tuple[str, int], int] = defaultdict(int)
    _deal(known, (), shoe.counts, 1, 1, tally)
    chances: defaultdict[str, Fraction] = defaultdict(Fraction)
    for (outcome, of), ways in tally.items():
        chances[outcome] += Fraction(ways, of)
    outcomes = tuple(OutcomePrice(name, pays, chances[name]) for name, pays in table.pays)
    return Price(known.name, table, shoe.size, outcomes)


def _deal(
    bet: SideBet,
    seen: tuple[Card, ...],
    counts: Sequence[int],
    ways: int,
    of: int,
    tally: defaultdict[tuple[str, int], int],
) -> None:
    """Add to the tally, by outcome and number of equally likely deals, the deals that follow the cards seen."""
    step = bet.look(seen)
    if isinstance(step, Draw):
        cards = sum(counts)
        if cards < step.size:
            raise ShoeTooSmall(f"{bet.title} needs {step.size} more cards here, and the shoe holds {cards}")
        deals = of * math.comb(cards, step.size)
        for places, of_these in _hands(counts, step.size):
            drawn = tuple(FULL_PACK[place] for place in places)
            left = list(counts)
            for place in places:
                left[place] -= 1
            _deal(bet, seen + drawn, left, ways * of_these, deals, tally)
    elif step is not None:
        tally[step, of] += ways


def _hands(counts: Sequence[int], size: int, start: int = 0) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every hand of so many cards without regard to order, as places in the pack, and in how many ways it is dealt."""
    if size == 0:
        yield (), 1
        return
    for place in range(start, len(counts)):
        for same in range(1, min(size, counts[place]) + 1):
            ways = math.comb(counts[place], same)
            for rest, of_rest in _hands(counts, size - same, place + 1):
                yield (place,) * same + rest, ways * of_rest
