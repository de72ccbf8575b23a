"""Exact chances of a coup from any shoe, and what each bet gives the house. Integers and fractions, no rounding.

Every coup is part of an order of six cards, so chances are numbers of such orders: of n cards there are
n (n - 1) ... (n - 5). Tens and courts count alike, so the orders are summed over the ten values, and over pairs of
cards without regard to their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import perm
from typing import Final

from advisor.games.punto_banco.bets import Bet
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.shoe import COUP, Shoe, ShoeError
from advisor.games.punto_banco.tableau import Result, banker_draws, natural, player_draws, points_total, winner
from advisor.games.rule_fields import ratio

_VALUES: Final = range(10)


@dataclass(frozen=True, slots=True)
class Chances:
    """How a coup from a shoe can end."""

    finals: tuple[tuple[int, ...], ...]
    """Orders of six cards that end with Player's total (row, 0 to 9) and Banker's total (column)."""
    total: int
    """Orders of six cards in all."""
    pair: Fraction | None
    """The chance that the first two cards of one side are of one rank; None where only values are known."""

    def orders(self, result: Result) -> int:
        """Orders of six cards with this result."""
        return sum(
            orders
            for player, row in enumerate(self.finals)
            for banker, orders in enumerate(row)
            if winner(player, banker) is result
        )

    def chance(self, result: Result) -> Fraction:
        """The chance of this result."""
        return Fraction(self.orders(result), self.total)

    def banker_wins(self, banker: int) -> Fraction:
        """The chance that Banker wins with this total."""
        return Fraction(sum(row[banker] for row in self.finals[:banker]), self.total)


@lru_cache(maxsize=256)
def chances(shoe: Shoe) -> Chances:
    """The chances of the next coup from this shoe; raises `ShoeError` where it holds fewer than six cards."""
    cards = shoe.cards
    if cards < COUP:
        raise ShoeError(f"{cards} cards are too few for a coup: give {COUP} or more")
    finals = [[0] * 10 for _ in _VALUES]
    left = list(shoe.points)
    for player, player_orders in _pairs(left):
        for banker, banker_orders in _pairs(left):
            _play(finals, left, player, banker, player_orders * banker_orders, cards - 4)
    pair = None
    if shoe.ranks is not None:
        pair = Fraction(sum(perm(count, 2) for count in shoe.ranks), perm(cards, 2))
    return Chances(tuple(map(tuple, finals)), perm(cards, COUP), pair)


def _pairs(left: list[int]) -> Iterator[tuple[int, int]]:
    """Totals of two cards and in how many orders they come; while one is in use its cards are out of `left`."""
    for first, second in combinations_with_replacement(_VALUES, 2):
        orders = left[first] * (left[second] - 1) if first == second else 2 * left[first] * left[second]
        if orders <= 0:
            continue
        left[first] -= 1
        left[second] -= 1
        yield points_total((first, second)), orders
        left[first] += 1
        left[second] += 1


def _play(finals: list[list[int]], left: list[int], player: int, banker: int, orders: int, cards: int) -> None:
    """Adds the orders of the two cards still to come, drawn or not, to where the coup ends."""
    if natural(player, banker):
        finals[player][banker] += orders * perm(cards, 2)
    elif not player_draws(player):
        if banker_draws(banker, None):
            _draw(finals[player], left, banker, orders * (cards - 1))
        else:
            finals[player][banker] += orders * perm(cards, 2)
    else:
        for third, count in enumerate(left):
            if not count:
                continue
            row = finals[(player + third) % 10]
            if banker_draws(banker, third):
                left[third] -= 1
                _draw(row, left, banker, orders * count)
                left[third] += 1
            else:
                row[banker] += orders * count * (cards - 1)


def _draw(row: list[int], left: list[int], banker: int, orders: int) -> None:
    """Adds the orders of Banker's third card by the total that it makes."""
    for third, count in enumerate(left):
        row[(banker + third) % 10] += orders * count


def house_edge(rules: PuntoBancoRules, found: Chances, bet: Bet) -> Fraction | None:
    """What the house keeps of a bet on average, as a share of it; None for a pair where only values are known.

    A tie returns bets on Player and Banker and counts as part of the average, as published figures have it.
    """
    win, lose = found.chance(Result.PLAYER), found.chance(Result.BANKER)
    match bet:
        case Bet.PLAYER:
            return lose - win * ratio(rules.player_pays)
        case Bet.BANKER:
            kept = 1 - rules.commission_rate
            return win - kept * sum((found.banker_wins(it) * rules.banker_odds(it) for it in _VALUES), Fraction(0))
        case Bet.TIE:
            return 1 - found.chance(Result.TIE) * (1 + ratio(rules.tie_pays))
        case Bet.PLAYER_PAIR | Bet.BANKER_PAIR:
            return None if found.pair is None else 1 - found.pair * (1 + ratio(rules.pair_pays))
