"""The dealer's results, exactly, for many shoes at once.

The dealer has no choices, so the multisets of cards that finish a dealer's hand are the same for every shoe: each
upcard has a few thousand of them, and each can be drawn in a known number of orders. A shoe only weighs them. The
probability of one multiset is its number of orders times the product, over the values, of the falling factorials of the
shoe's counts, over the falling factorial of the number of cards. That is worked out once per multiset and shoe, with
numpy over all shoes that a decision can lead to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.games.blackjack.rules import Soft17, dealer_draws
from advisor.games.blackjack.values import ACE, TEN, Counts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OUTCOMES: Final = ("bust", "17", "18", "19", "20", "21", "blackjack")
"""The dealer's results in column order. A two-card 21 is "blackjack", never "21"."""
BLACKJACK: Final = 6
"""Column of the dealer's blackjack."""

_SHOES_AT_ONCE: Final = 80  # keeps the working set of one pass within a processor's cache


def barred_hole_card(upcard: int) -> int | None:
    """The value index that would give the dealer a blackjack with this upcard; None when nothing would."""
    return {ACE: TEN, TEN: ACE}.get(upcard)


@dataclass(frozen=True, slots=True)
class _Step:
    """One value's part in the products: which earlier product each new one extends, and by how many cards."""

    value: int
    parent: Ints
    drawn: Ints
    most: int


@dataclass(frozen=True, slots=True)
class _Finishes:
    """The multisets that finish the dealer's hand: a chain of products, and for each number of cards the weights."""

    steps: tuple[_Step, ...]
    """Ten steps, tens first and aces last, so that the products stay few until the end."""
    weights: tuple[tuple[int, slice, Floats], ...]
    """(cards drawn, where the multisets of that many cards lie, orders by outcome and multiset)."""


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
def _finishes(upcard: int, soft_17: Soft17) -> _Finishes:
    """Every finishing multiset and its number of orders, arranged for evaluation."""
    orders: dict[Counts, int] = {(0,) * 10: 1}
    finished: dict[Counts, int] = {}
    while orders:
        longer: dict[Counts, int] = {}
        for drawn, ways in orders.items():
            for value in range(10):
                extended = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                into = longer if _outcome(upcard, extended, soft_17) is None else finished
                into[extended] = into.get(extended, 0) + ways
        orders = longer
    # Tens first: a multiset read backwards is its path through the chain of products.
    paths = sorted(finished, key=lambda drawn: (sum(drawn), drawn[::-1]))
    steps: list[_Step] = []
    places: dict[Counts, int] = {(): 0}
    for length in range(1, 11):
        reached = dict.fromkeys(path[::-1][:length] for path in paths)
        parent = [places[prefix[:-1]] for prefix in reached]
        drawn_here = [prefix[-1] for prefix in reached]
        steps.append(_Step(10 - length, np.array(parent), np.array(drawn_here), max(drawn_here)))
        places = {prefix: place for place, prefix in enumerate(reached)}
    weights: list[tuple[int, slice, Floats]] = []
    for cards in sorted({sum(path) for path in paths}):
        of_size = [place for place, path in enumerate(paths) if sum(path) == cards]
        by_outcome = np.zeros((len(OUTCOMES), len(of_size)))
        for column, place in enumerate(of_size):
            outcome = _outcome(upcard, paths[place], soft_17)
            assert outcome is not None
            by_outcome[outcome, column] = finished[paths[place]]
        weights.append((cards, slice(of_size[0], of_size[-1] + 1), by_outcome))
    return _Finishes(tuple(steps), tuple(weights))


def dealer_chances(shoes: Floats, upcard: int, soft_17: Soft17) -> Floats:
    """Chances of the dealer's results before any peek.

    `shoes` is (n, 10): the unseen cards by value, hole card among them; `upcard` is a value index. Returns (n, 7) in
    the order of `OUTCOMES`. A row sums to 1, or to less where the shoe may run out before the dealer's hand is
    finished.
    """
    finishes = _finishes(upcard, soft_17)
    falling = [_falling(shoes[:, step.value], step.most) for step in finishes.steps]
    sequences = _falling(shoes.sum(axis=1), finishes.weights[-1][0])
    chances: Floats = np.empty((len(OUTCOMES), len(shoes)))
    for start in range(0, len(shoes), _SHOES_AT_ONCE):
        part = slice(start, start + _SHOES_AT_ONCE)
        chances[:, part] = _chances(finishes, [table[:, part] for table in falling], sequences[:, part])
    return chances.T


def _chances(finishes: _Finishes, falling: list[Floats], sequences: Floats) -> Floats:
    """Chances (7, n) from the falling factorials of each value's counts and of the cards in all."""
    products: Floats = np.ones((1, sequences.shape[1]))
    for step, table in zip(finishes.steps, falling, strict=True):
        products = products[step.parent]
        products *= table[step.drawn]
    chances: Floats = np.zeros((len(OUTCOMES), sequences.shape[1]))
    for cards, place, weights in finishes.weights:
        drawn = weights @ products[place]
        # Too few cards for this many draws: every product is zero, and so is the chance.
        chances += np.divide(drawn, sequences[cards], out=np.zeros_like(drawn), where=sequences[cards] > 0)
    return chances


def _falling(counts: Floats, most: int) -> Floats:
    """Falling factorials of each count, to `most` factors: (most + 1, n). Zero from where the cards run out."""
    table: Floats = np.ones((most + 1, len(counts)))
    for factors in range(1, most + 1):
        np.multiply(table[factors - 1], np.maximum(counts - (factors - 1), 0.0), out=table[factors])
    return table


def after_peek(chances: Floats) -> Floats:
    """The chances given that the dealer has no blackjack; a row of certain blackjack becomes zeros."""
    rest = 1.0 - chances[:, BLACKJACK : BLACKJACK + 1]
    peeked: Floats = np.divide(chances, rest, out=np.zeros_like(chances), where=rest > 0)
    peeked[:, BLACKJACK] = 0.0
    return peeked


def draw_chances(shoes: Floats, barred: int | None) -> Floats:
    """Chance of each value as the next card, (n, 10), given that the hole card is not of value `barred`.

    The hole card is one of the unseen cards; knowing what it is not makes the barred value a little likelier to come. A
    row is zeros where no card is left to draw.
    """
    unseen = shoes.sum(axis=1, keepdims=True)
    if barred is None:
        anything: Floats = np.divide(shoes, unseen, out=np.zeros_like(shoes), where=unseen > 0)
        return anything
    others = unseen - shoes[:, barred : barred + 1]
    spare = unseen - 1
    possible = (spare > 0) & (others > 0)
    chances: Floats = np.zeros_like(shoes)
    np.divide(shoes * (others - 1), spare * others, out=chances, where=possible)
    chances[:, barred] = np.divide(shoes, spare, out=np.zeros_like(shoes), where=possible)[:, barred]
    return chances
