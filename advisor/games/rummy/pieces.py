"""What a hand could lay down as one meld of a contract: the pieces that the solver puts together.

A hand is one whole number: 52 fields of `WIDTH` bits, each the number of copies of one card, with a guard bit on top.
Whether some cards are in it is one subtraction (`fits`), so that pieces can be tried against each other by the
thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from typing import Final, NamedTuple

from advisor.games.cards import RANKS, SUITS, Card
from advisor.games.rummy.cards import RANK_AT, SUIT_AT, RummyCard
from advisor.games.rummy.contract import LONGEST, Slot
from advisor.games.rummy.sequences import Window, windows
from advisor.games.rummy.variant import NO_LIMIT, Variant

RING: Final = len(RANKS)
WIDTH: Final = 6
"""Bits of a card's field: up to 31 copies, and the guard."""
ONE: Final = tuple(1 << (WIDTH * k) for k in range(RING * len(SUITS)))
"""One copy of the card at each place (suit by suit, ace to king)."""
GUARD: Final = sum(one << (WIDTH - 1) for one in ONE)
SUIT_MASK: Final = tuple(((1 << (WIDTH * RING)) - 1) << (WIDTH * RING * s) for s in range(len(SUITS)))
CARD_WEIGHT: Final = 32
"""Weight of a point. Every card weighs one more, so that of lay-downs with equal points that with more cards wins."""


def fits(held: int, cards: int) -> bool:
    """Whether the hand holds all those cards; both are packed."""
    return ((held | GUARD) - cards) & GUARD == GUARD


def place_of(card: Card) -> int:
    """The card's field."""
    return RANK_AT[card.rank] + RING * SUIT_AT[card.suit]


class Piece(NamedTuple):
    """One meld that the hand can make, first in order of weight."""

    weight: int
    """Of the natural cards in it."""
    wilds: int
    cards: int
    """The natural cards, packed."""
    suit: int
    """A sequence's suit; -1 in a set."""
    window: Window
    """Where a sequence lies."""
    natural: tuple[int, ...]
    """A sequence's places that natural cards fill; a set's cards by their fields, each as often as it is used."""

    @property
    def fields(self) -> tuple[int, ...]:
        """The natural cards by their fields, each as often as it is used."""
        return tuple(RING * self.suit + place % RING for place in self.natural) if self.window else self.natural


@dataclass(frozen=True)
class Hand:
    """A hand as the solver sees it."""

    variant: Variant
    held: int
    """The natural cards, packed; wild cards are not among them unless they are to be natural."""
    counts: tuple[int, ...]
    """(52,): copies of each."""
    weights: tuple[int, ...]
    """(52,): what laying down a copy is worth."""
    wild: tuple[RummyCard, ...]
    """The wild cards, most points first."""
    own_places: bool
    """Whether wild cards are among the natural ones, to lie in their own place."""
    worth: tuple[int, ...]
    """What laying down 0, 1, 2, ... wild cards is worth."""
    endless: bool = False
    """Whether wild cards are without number and limit, and not counted: to see what a contract lacks."""

    @property
    def wilds(self) -> int:
        """How many wild cards there are."""
        return LONGEST if self.endless else len(self.wild)

    @property
    def limited(self) -> bool:
        """Whether a meld may be refused for its wild cards."""
        return self.variant.limits_wilds


def weight_of(variant: Variant, card: RummyCard) -> int:
    """What laying down the card is worth."""
    return variant.points_of(card) * CARD_WEIGHT + 1


def make_hand(variant: Variant, natural: Sequence[Card], wild: Sequence[RummyCard], own_places: bool) -> Hand:
    """The hand of those natural and those wild cards."""
    counts = [0] * len(ONE)
    for card in natural:
        counts[place_of(card)] += 1
    weights = tuple(weight_of(variant, Card(rank, suit)) for suit in SUITS for rank in RANKS)
    ordered = tuple(sorted(wild, key=lambda card: (-variant.points_of(card), str(card))))
    worth = [0]
    for each in ordered:
        worth.append(worth[-1] + weight_of(variant, each))
    held = sum(one * count for one, count in zip(ONE, counts, strict=True))
    return Hand(variant, held, tuple(counts), weights, ordered, own_places, tuple(worth))


def endless_hand(variant: Variant, cards: Sequence[RummyCard]) -> Hand:
    """The hand with wild cards without number, in which each natural card laid down weighs one."""
    natural = [card for card in cards if isinstance(card, Card) and not variant.is_wild(card)]
    return replace(make_hand(variant, natural, (), False), weights=(1,) * len(ONE), endless=True)


def set_pieces(hand: Hand, slot: Slot, spare: bool) -> list[Piece]:
    """Every set of a slot, heaviest first.

    ``spare``: wild cards that no meld needs are put into open melds later, so that only needed ones are counted.
    """
    found: list[Piece] = []
    least = slot.size - min(hand.wilds, NO_LIMIT if slot.open else hand.variant.wild_limit("set", slot.size))
    for rank in range(RING):
        places = [rank + RING * s for s in range(len(SUITS)) if hand.counts[rank + RING * s]]
        if sum(hand.counts[p] for p in places) < max(least, 1):
            continue
        for numbers in product(*(range(hand.counts[p] + 1) for p in places)):
            total = sum(numbers)
            if max(least, 1) <= total and (slot.open or total <= slot.size):
                taken = tuple(p for p, number in zip(places, numbers, strict=True) for _ in range(number))
                found.extend(_with_wilds(hand, slot, taken, spare))
    if least <= 0:
        found.extend(_with_wilds(hand, slot, (), spare))
    return sorted(found, key=lambda piece: (-piece.weight, piece.wilds))


def suits_aside(hand: Hand) -> Hand:
    """The hand as though all its natural cards were of one suit: enough for sets alone, and much less to try."""
    counts, weights = [], list(hand.weights)
    for rank in range(RING):
        places = [rank + RING * s for s in range(len(SUITS)) if hand.counts[rank + RING * s]]
        counts.append(sum(hand.counts[p] for p in places))
        if places:  # the first suit's own card may be wild, and weigh something else
            weights[rank] = hand.weights[places[0]]
    held = sum(one * count for one, count in zip(ONE, counts, strict=False))
    return replace(hand, held=held, counts=(*counts, *[0] * (len(ONE) - RING)), weights=tuple(weights))


def in_suits(hand: Hand, pieces: Sequence[Piece]) -> list[Piece]:
    """Sets found with `suits_aside`, with cards of the hand itself."""
    left = [
        [rank + RING * s for s in range(len(SUITS)) for _ in range(hand.counts[rank + RING * s])]
        for rank in range(RING)
    ]
    found = []
    for piece in pieces:
        natural = tuple(left[rank].pop(0) for rank in piece.natural)
        found.append(piece._replace(natural=natural, cards=sum(ONE[p] for p in natural)))
    return found


def _with_wilds(hand: Hand, slot: Slot, taken: tuple[int, ...], spare: bool) -> Iterator[Piece]:
    needed = max(0, slot.size - len(taken))
    weight, cards = sum(hand.weights[p] for p in taken), sum(ONE[p] for p in taken)
    for wilds in range(needed, (hand.wilds if slot.open and not spare else min(needed, hand.wilds)) + 1):
        if wilds <= hand.variant.wild_limit("set", len(taken) + wilds) and (
            len(taken) > wilds or not hand.variant.naturals_majority
        ):
            yield Piece(weight, 0 if hand.endless else wilds, cards, -1, (), taken)


def sequence_pieces(hand: Hand, slot: Slot, suit: int, spare: bool, windows_matter: bool) -> list[Piece]:
    """Every sequence of a slot in one suit, heaviest first; see `set_pieces` for ``spare``.

    ``windows_matter``: two pieces of the same cards in different places are different, since others must keep apart.
    """
    variant = hand.variant
    counts = hand.counts[RING * suit : RING * (suit + 1)]
    most = min(variant.longest_run, sum(counts) + hand.wilds) if slot.open else slot.size
    found: dict[tuple[int, int, Window], Piece] = {}
    for length in range(slot.size, most + 1):
        limit = min(hand.wilds, variant.wild_limit("sequence", length))
        if variant.naturals_majority:
            limit = min(limit, (length - 1) // 2)
        for window in windows(variant.ace, length):
            filled = [place for place in window if counts[place % RING]]
            extra = limit - (length - len(filled))
            if extra < 0:
                continue
            # An end that a wild card fills can be given up where wild cards may go elsewhere.
            bound = (window[0], window[-1]) if spare and length > slot.size else ()
            for left_out in range(min(extra, len(filled)) + 1):
                for out in combinations(filled, left_out):
                    natural = tuple(p for p in filled if p not in out) if out else tuple(filled)
                    if any(end not in natural for end in bound):
                        continue
                    if not variant.wilds_may_touch and _touching(window, natural):
                        continue
                    piece = _piece(hand, suit, window, natural)
                    if fits(hand.held, piece.cards):
                        found.setdefault((piece.cards, piece.wilds, window if windows_matter else ()), piece)
    return sorted(found.values(), key=lambda piece: (-piece.weight, piece.wilds))


def _touching(window: Window, natural: tuple[int, ...]) -> bool:
    return any(a not in natural and b not in natural for a, b in pairwise(window))


def _piece(hand: Hand, suit: int, window: Window, natural: tuple[int, ...]) -> Piece:
    base = RING * suit
    weight = cards = 0
    for place in natural:
        weight += hand.weights[base + place % RING]
        cards += ONE[base + place % RING]
    return Piece(weight, 0 if hand.endless else len(window) - len(natural), cards, suit, window, natural)
