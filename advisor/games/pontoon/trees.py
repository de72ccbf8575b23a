"""Lists of hands that the advice sums over. They depend on the rules alone, so they are made once and kept.

A hand is a multiset of the ten values. Whether the pack can still deal it is left to the sums: a hand of cards that are
gone has no weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.games.pontoon.hand import (
    FIVE_CARDS,
    TWENTY_ONE,
    VALUES,
    Counts,
    Kind,
    best_total,
    hard_total,
    is_pontoon,
    kind,
)
from advisor.games.pontoon.rules import PontoonRules

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NONE: Final = -1
"""In place of a hand's number: the drawn card passes 21."""
PONTOON: Final = TWENTY_ONE + 1
"""The banker's result after the totals 0 to 21."""


def drawn(counts: Counts, value: int) -> Counts:
    """The hand with one more card of this value."""
    return (*counts[:value], counts[value] + 1, *counts[value + 1 :])


@dataclass(frozen=True, slots=True)
class Tree:
    """Every hand that can grow from a first one without passing 21, in order of cards."""

    hands: tuple[Counts, ...]
    """The whole hands, the first included."""
    added: Ints
    """(n, 10): the cards of each that were added to the first."""
    children: Ints
    """(n, 10): the hand that drawing each value makes, by its place here, or `NONE`."""
    layers: tuple[slice, ...]
    """The hands with none, one, two ... cards added."""


@lru_cache(maxsize=512)
def tree(first: Counts, longest: int, most: Counts) -> Tree:
    """The hands that grow from `first` up to `longest` cards, with no more cards of a value than `most`."""
    hands, layers = [first], [slice(0, 1)]
    children: list[list[int]] = []
    layer = [first]
    while layer:
        places: dict[Counts, int] = {}
        for hand in layer:
            row = []
            for value in range(len(VALUES)):
                more = drawn(hand, value)
                if hard_total(more) > TWENTY_ONE or more[value] > most[value] or sum(more) > longest:
                    row.append(NONE)
                else:
                    row.append(places.setdefault(more, len(hands) + len(places)))
            children.append(row)
        layer = list(places)
        if layer:
            layers.append(slice(len(hands), len(hands) + len(layer)))
            hands += layer
    added = np.array(hands, dtype=np.int64) - np.array(first, dtype=np.int64)
    return Tree(tuple(hands), added, np.array(children, dtype=np.int64), tuple(layers))


@dataclass(frozen=True, slots=True)
class Ends:
    """The multisets with which a banker who stays on some total ends without a bust, as a trie over the ten values."""

    parents: tuple[Ints, ...]
    """For each value, every prefix up to it: its prefix without this value, by its place in the level before."""
    counts: tuple[Ints, ...]
    """For each value, every prefix up to it: how many cards of this value."""
    cards: Ints
    """(E,): how many cards each multiset has."""
    orders: Floats
    """(E,): in how many orders each is drawn."""
    results: Ints
    """The results that occur, ascending: totals up to 21, and `PONTOON`."""
    starts: Ints
    """Where the multisets of each result begin; the last level of the trie is in order of results."""


@lru_cache(maxsize=32)
def banker_ends(stays_on: int, most: Counts) -> Ends:
    """Every way for the banker's hand to end, drawing below `stays_on`, an ace as 11 where it fits."""
    layer: dict[Counts, int] = {(0,) * len(VALUES): 1}
    ended: dict[Counts, int] = {}
    cards = 0
    while layer:
        following: dict[Counts, int] = {}
        for hand, orders in layer.items():
            for value in range(len(VALUES)):
                more = drawn(hand, value)
                if hard_total(more) > TWENTY_ONE or more[value] > most[value]:
                    continue
                done = cards >= 1 and best_total(more) >= stays_on
                goes = ended if done else following
                goes[more] = goes.get(more, 0) + orders
        layer = following
        cards += 1
    result = {hand: PONTOON if is_pontoon(hand) else best_total(hand) for hand in ended}
    hands = sorted(ended, key=lambda hand: (result[hand], hand))
    parents, counts = [], []
    prefixes: dict[Counts, int] = {(): 0}
    for value in range(len(VALUES)):
        longer = list(dict.fromkeys(hand[: value + 1] for hand in hands))
        parents.append(np.array([prefixes[it[:value]] for it in longer], dtype=np.int64))
        counts.append(np.array([it[value] for it in longer], dtype=np.int64))
        prefixes = {it: place for place, it in enumerate(longer)}
    results, starts = np.unique([result[hand] for hand in hands], return_index=True)
    return Ends(
        parents=tuple(parents),
        counts=tuple(counts),
        cards=np.array([sum(hand) for hand in hands], dtype=np.int64),
        orders=np.array([ended[hand] for hand in hands], dtype=np.float64),
        results=results,
        starts=starts,
    )


@dataclass(frozen=True, slots=True)
class Hidden:
    """The hands that may lie behind cards face down (H of them)."""

    counts: Ints
    """(H, 10): the hidden cards."""
    orders: Floats
    """(H,): in how many orders they can have been dealt."""
    totals: Ints
    """(H,): the whole hand's total."""
    kinds: tuple[Kind, ...]
    """What the whole hand counts as."""


@lru_cache(maxsize=512)
def hidden_hands(rules: PontoonRules, cards: int, shown: Counts, from_split: bool = False) -> Hidden:
    """The hands that a punter who stuck can have with so many cards face down beside the ones shown.

    He is not bust, and has what may stick: the lowest total or more, or a five-card trick. Two cards that should have
    been turned up as a pontoon are none.
    """
    found: list[tuple[Counts, int, Kind]] = []
    for counts in _multisets(cards, TWENTY_ONE - hard_total(shown)):
        whole = tuple(a + b for a, b in zip(counts, shown, strict=True))
        what = kind(rules, whole, from_split)
        if what is Kind.POINTS and best_total(whole) < rules.stick_at:
            continue
        if what is Kind.PONTOON and rules.pontoons_shown and cards:
            continue
        found.append((counts, best_total(whole), what))
    return Hidden(
        np.array([counts for counts, _, _ in found], dtype=np.int64).reshape(-1, len(VALUES)),
        np.array([orders_of(counts) for counts, _, _ in found], dtype=np.float64),
        np.array([total for _, total, _ in found], dtype=np.int64),
        tuple(what for _, _, what in found),
    )


def orders_of(counts: Counts) -> int:
    """In how many orders the cards can be drawn, cards of a value alike."""
    orders, cards = 1, 0
    for count in counts:
        for place in range(1, count + 1):
            cards += 1
            orders = orders * cards // place
    return orders


def _multisets(cards: int, points: int, value: int = 0) -> Iterator[Counts]:
    """Every multiset of so many cards from `value` up whose hard total is at most `points`."""
    if value == len(VALUES):
        if cards == 0 and points >= 0:
            yield (0,) * len(VALUES)
        return
    # Built from the highest value down to keep each tuple whole: fill this value, then the rest.
    for count in range(cards + 1):
        left = points - count * (value + 1)
        if left < 0:
            break
        for rest in _multisets(cards - count, left, value + 1):
            yield (*rest[:value], count, *rest[value + 1 :])


def longest_hand(rules: PontoonRules) -> int:
    """How many cards a punter's hand may have."""
    return FIVE_CARDS if rules.five_card_trick else TWENTY_ONE
