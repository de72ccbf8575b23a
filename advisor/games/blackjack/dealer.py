"""The dealer's results, exactly.

The dealer has no choices, so the multisets of cards that finish a dealer's hand are the same for every shoe: each
upcard has up to two thousand of them, and each can be drawn in a known number of orders. A shoe only weighs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from advisor.games.blackjack import kernel
from advisor.games.blackjack.kernel import BLACKJACK, Dealer, Floats, Ints
from advisor.games.blackjack.rules import Soft17, dealer_draws
from advisor.games.blackjack.tree import EMPTY, cut
from advisor.games.blackjack.values import ACE, TEN, Counts

OUTCOMES: Final = ("bust", "17", "18", "19", "20", "21", "blackjack")
"""The dealer's results in column order. A two-card 21 is "blackjack", never "21"."""


def barred_hole_card(upcard: int) -> int | None:
    """The value index that would give the dealer a blackjack with this upcard; None when nothing would."""
    return {ACE: TEN, TEN: ACE}.get(upcard)


@dataclass(frozen=True, slots=True)
class Finishes:
    """The multisets that finish the dealer's hand from one upcard, and in how many orders each can be drawn."""

    drawn: Ints
    """(E, 10): cards by value, without the upcard."""
    orders: Floats
    """(E,)."""
    results: Ints
    """(E,): columns of `OUTCOMES`."""
    dealer: Dealer
    """The same for the kernel, with the upcard."""


def _outcome(upcard: int, drawn: Counts, soft_17: Soft17) -> int | None:
    """The column of the result that these drawn cards make, or None when the dealer draws on."""
    cards = sum(drawn)
    hard = upcard + 1 + sum((value + 1) * count for value, count in enumerate(drawn))
    soft = hard <= 11 and (upcard == ACE or drawn[ACE] > 0)
    total = hard + 10 if soft else hard
    if cards == 0 or dealer_draws(total, soft, soft_17):
        return None
    if total > 21:
        return 0
    return BLACKJACK if cards == 1 and total == 21 else total - 16


@lru_cache(maxsize=20)
def finishes(upcard: int, soft_17: Soft17) -> Finishes:
    """Every finishing multiset from this upcard (a value index)."""
    orders: dict[Counts, int] = {EMPTY: 1}
    finished: dict[Counts, tuple[int, int]] = {}
    while orders:
        longer: dict[Counts, int] = {}
        results: dict[Counts, int | None] = {}
        for drawn, ways in orders.items():
            for value in range(10):
                extended = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                if extended not in results:
                    results[extended] = _outcome(upcard, extended, soft_17)
                longer[extended] = longer.get(extended, 0) + ways
        orders = {drawn: ways for drawn, ways in longer.items() if results[drawn] is None}
        finished |= {drawn: (longer[drawn], result) for drawn, result in results.items() if result is not None}
    drawn_cards = np.array(list(finished), dtype=np.int64)
    ways_of = np.array([ways for ways, _ in finished.values()], dtype=np.float64)
    result_of = np.array([result for _, result in finished.values()], dtype=np.int64)
    whole = drawn_cards + (np.arange(10) == upcard)
    low_of, high_of, lows, highs = cut(whole)
    entries = np.stack([whole.sum(axis=1) * len(lows) + low_of, high_of])
    order = np.argsort(entries[0], kind="stable")
    player = np.arange(6)[:, None]
    beaten = (result_of == 0) | (result_of < player)
    weights = ways_of * np.where(beaten, 1.0, np.where(result_of == player, 0.0, -1.0))
    dealer = Dealer(*(np.ascontiguousarray(part) for part in (lows.T, highs.T, entries[:, order], weights[:, order])))
    return Finishes(drawn_cards, ways_of, result_of, dealer)


def dealer_chances(shoes: Floats, upcard: int, soft_17: Soft17) -> Floats:
    """Chances of the dealer's results before any peek.

    `shoes` is (n, 10): the unseen cards by value, hole card among them; `upcard` is a value index. Returns (n, 7) in
    the order of `OUTCOMES`. A row sums to 1, or to less where the shoe may run out before the dealer's hand is
    finished.
    """
    known = finishes(upcard, soft_17)
    return kernel.dealer_results(np.ascontiguousarray(shoes), known.drawn, known.orders, known.results)


def after_peek(chances: Floats) -> Floats:
    """The chances given that the dealer has no blackjack; a row of certain blackjack becomes zeros."""
    rest = 1.0 - chances[:, BLACKJACK : BLACKJACK + 1]
    peeked: Floats = np.divide(chances, rest, out=np.zeros_like(chances), where=rest > 0)
    peeked[:, BLACKJACK] = 0.0
    return peeked


def draw_chances(left: Counts, barred: int | None) -> Floats:
    """Chance of each value as the next card from `left`, (10,), given that the hole card is not of value `barred`.

    The hole card is one of the cards left. Zeros where no card is left to draw.
    """
    chances = np.zeros(10)
    kernel.draw_chances(np.array(left, dtype=np.float64), -1 if barred is None else barred, chances)
    return chances
