"""The exact lay-down: the melds that meet a contract and leave the fewest points in hand.

Sequences of different suits touch only through the sets, which take cards of a rank from all of them. So the sets are
tried first, heaviest first, and dropped as soon as even the best sequences that the whole hand allows could not make up
for what has been found already; for each choice of sets the best sequences of every suit come from lists made once, and
are added up over the suits by how many they are and how many wild cards they take.

Where melds may be longer than the contract asks and wild cards are not limited, wild cards that no meld needs can lie
in any open meld; they are left out of the search and put down afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from advisor.games.cards import RANKS, SUITS, Card
from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.contract import LONGEST, Slot
from advisor.games.rummy.free import free_melds
from advisor.games.rummy.laying import lay, with_spare
from advisor.games.rummy.melds import Meld
from advisor.games.rummy.pieces import (
    RING,
    Hand,
    Piece,
    endless_hand,
    fits,
    in_suits,
    make_hand,
    set_pieces,
    suits_aside,
)
from advisor.games.rummy.runs import Best, Runs
from advisor.games.rummy.variant import NO_LIMIT, Variant


@dataclass(frozen=True)
class LayDown:
    """The best lay-down of a hand."""

    possible: bool
    """Whether the contract can be met."""
    melds: tuple[Meld, ...]
    left: tuple[RummyCard, ...]
    """The cards that stay in hand, before the discard; the whole hand where nothing can be laid down."""
    points_left: int
    """What they count."""

    @property
    def wilds_laid(self) -> int:
        """How many wild cards lie in the melds for other cards."""
        return sum(meld.wild_count for meld in self.melds)


def lay_down(variant: Variant, cards: Sequence[RummyCard], deal: int = 1) -> LayDown:
    """The lay-down that meets the contract of a deal (from 1) and leaves the fewest points in hand.

    Of several with equal points one with the fewest cards left is taken. Only the lay-down itself: laying off on other
    melds and the discard come after it. With a free contract (plain rummy, gin) it is the melding that leaves the
    fewest points, and possible where there is a meld at all. Exact; raises `VariantError` for an unknown deal.
    """
    best: tuple[int, list[Meld]] | None = None
    for hand in hands(variant, cards):
        if variant.deal(deal).contract.free:
            found = free_melds(hand, best[0] if best else -1)
            best = found or best
            continue
        for slots in variant.slots(deal):
            best = _solve(hand, slots, best[0] if best else -1) or best
    return _outcome(variant, cards, best[1] if best else [])


def can_lay_down(variant: Variant, cards: Sequence[RummyCard], deal: int = 1) -> bool:
    """Whether the contract of a deal can be met at all; with a free contract, whether there is a meld."""
    return lay_down(variant, cards, deal).possible


def short_of(variant: Variant, cards: Sequence[RummyCard], deal: int = 1) -> tuple[int, tuple[RummyCard, ...]]:
    """The fewest cards, each of which may be any card, that the hand lacks for the contract of a deal, and the natural
    cards of the hand that such a lay-down leaves over.

    Limits on wild cards are set aside. 0 where nothing is lacking.
    """
    hand = endless_hand(
        replace(variant, max_wilds_per_meld=NO_LIMIT, naturals_majority=False, wilds_may_touch=True), cards
    )
    wilds = sum(map(variant.is_wild, cards))
    fewest, over = LONGEST * len(cards), tuple(cards)
    free = (Slot("set", variant.set_min),), (Slot("sequence", variant.run_min),)
    for choice in variant.slots(deal) or free:
        slots = tuple(Slot(slot.kind, slot.size) for slot in choice)
        found = _Search(hand, slots, False, -1).run()
        if found is not None:
            natural, pieces = found
            lacking = max(0, sum(slot.size for slot in slots) - natural - wilds)
            if lacking < fewest:
                used: Counter[RummyCard] = Counter(
                    Card(RANKS[p % RING], SUITS[p // RING]) for _, piece in pieces for p in piece.fields
                )
                fewest, over = lacking, tuple((Counter(cards) - used).elements())
    return fewest, over


def hands(variant: Variant, cards: Sequence[RummyCard]) -> Iterator[Hand]:
    """The hand; where wild cards are limited, once for each choice of wild deuces and the like to count as natural."""
    natural = [card for card in cards if isinstance(card, Card) and not variant.is_wild(card)]
    wild = [card for card in cards if variant.is_wild(card)]
    own = [card for card in dict.fromkeys(wild) if isinstance(card, Card)] if variant.limits_wilds else []
    for numbers in product(*(range(wild.count(card) + 1) for card in own)):
        as_natural = [card for card, number in zip(own, numbers, strict=True) for _ in range(number)]
        free = list(wild)
        for card in as_natural:
            free.remove(card)
        yield make_hand(variant, [*natural, *as_natural], free, bool(as_natural))


def _outcome(variant: Variant, cards: Sequence[RummyCard], melds: list[Meld]) -> LayDown:
    left = list(cards)
    for meld in melds:
        for card in meld.cards:
            left.remove(card)
    points = sum(map(variant.points_of, left))
    return LayDown(bool(melds), tuple(melds), tuple(left), points)


def _solve(hand: Hand, slots: tuple[Slot, ...], least: int) -> tuple[int, list[Meld]] | None:
    """The heaviest lay-down of the slots that weighs more than ``least``, with its weight."""
    if sum(slot.size for slot in slots) > sum(hand.counts) + hand.wilds:
        return None
    spare = any(slot.open for slot in slots) and not hand.limited
    found = _Search(hand, slots, spare, least).run()
    if found is None:
        return None
    weight, pieces = found
    if spare and sum(piece.wilds for _, piece in pieces) < hand.wilds:
        widened = with_spare(hand, pieces)
        if widened is None:  # no room for all of them: this once they must be in the search
            again = _Search(hand, slots, False, least).run()
            return None if again is None else (again[0], lay(hand, again[1]))
        pieces = widened
    return weight, lay(hand, pieces)


class _Search:
    """Sets by trying, sequences from `Runs`."""

    def __init__(self, hand: Hand, slots: tuple[Slot, ...], spare: bool, least: int) -> None:
        self.hand, self.best = hand, least
        self.found: list[tuple[Slot, Piece]] | None = None
        # With spare wild cards all of them are laid down in the end, however many a meld needs.
        self.worth = (hand.worth[-1],) * len(hand.worth) if spare else hand.worth
        self.sets = sorted(slot for slot in slots if slot.kind == "set")
        self.runs = Runs(hand, sorted(slot for slot in slots if slot.kind == "sequence"), spare)
        # Natural cards of one rank weigh the same, unless some of them are wild cards lying in their own place.
        aside = not self.runs.slots and not hand.own_places
        self.seen = suits_aside(hand) if aside else hand
        lists = {slot: set_pieces(self.seen, slot, spare) for slot in set(self.sets)}
        self.lists = [lists[slot] for slot in self.sets]

    def run(self) -> tuple[int, list[tuple[Slot, Piece]]] | None:
        whole = self.runs.best(self.seen.held)
        if not whole or not all(self.lists):
            return None
        # What the sets from the k-th on can weigh at most, and the fewest wild cards they take.
        self.most, self.fewest = [0], [0]
        for pieces in reversed(self.lists):
            self.most.insert(0, self.most[0] + pieces[0].weight)
            self.fewest.insert(0, self.fewest[0] + min(piece.wilds for piece in pieces))
        self.ceiling = _ceilings(whole, self.worth)
        if self.fewest[0] < len(self.ceiling):
            self._choose(0, 0, self.seen.held, 0, 0, [])
        if self.found is None:
            return None
        if self.seen is not self.hand and self.found:
            slots, sets = zip(*self.found, strict=True)
            self.found = list(zip(slots, in_suits(self.hand, sets), strict=True))
        return self.best, self.found

    def _choose(self, k: int, start: int, held: int, weight: int, wilds: int, chosen: list[Piece]) -> None:
        if k == len(self.lists):
            for used, (value, runs) in self.runs.best(held).items():
                total = wilds + used
                if total < len(self.worth) and weight + value + self.worth[total] > self.best:
                    self.best = weight + value + self.worth[total]
                    self.found = [*zip(self.sets, chosen, strict=True), *runs]
            return
        pieces = self.lists[k]
        again = k + 1 < len(self.sets) and self.sets[k + 1] == self.sets[k]
        highest = self.ceiling[wilds + self.fewest[k]]
        for number in range(start, len(pieces)):
            piece = pieces[number]
            rest = weight + piece.weight + self.most[k + 1]
            if rest + highest <= self.best:
                return  # every later piece is lighter still
            used = wilds + piece.wilds + self.fewest[k + 1]
            if used >= len(self.ceiling) or rest + self.ceiling[used] <= self.best or not fits(held, piece.cards):
                continue
            chosen.append(piece)
            after = held - piece.cards
            self._choose(k + 1, number if again else 0, after, weight + piece.weight, wilds + piece.wilds, chosen)
            chosen.pop()


def _ceilings(whole: Mapping[int, Best], worth: Sequence[int]) -> list[int]:
    """By wild cards that the sets take: the most that sequences and all wild cards together can weigh; cut off where
    too few are left for any sequences."""
    found = []
    for taken in range(len(worth)):
        values = [value for used, (value, _) in whole.items() if taken + used < len(worth)]
        if not values:
            break
        found.append(max(values) + worth[-1])
    return found
