"""After the lay-down: cards laid off on melds that lie on the table, and jokers taken from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.games.cards import Card
from advisor.games.rummy.cards import Joker, RummyCard
from advisor.games.rummy.melds import Meld, fault, stand_ins
from advisor.games.rummy.pieces import weight_of
from advisor.games.rummy.sequences import Window, card_at, windows
from advisor.games.rummy.variant import Variant


@dataclass(frozen=True, slots=True)
class LaidOff:
    """One card put on one meld."""

    card: RummyCard
    stands: Card
    """What it is there: itself, or what it stands for."""
    meld: int
    """The meld's place in the list that was given."""


@dataclass(frozen=True, slots=True)
class LayOffs:
    """The best laying-off of a hand."""

    cards: tuple[LaidOff, ...]
    """In an order in which each can be laid."""
    melds: tuple[Meld, ...]
    """The table's melds with the cards on them."""
    left: tuple[RummyCard, ...]
    points_left: int


@dataclass(frozen=True, slots=True)
class Swap:
    """A natural card of a hand that may take a joker's (or other wild card's) place on the table."""

    card: Card
    wild: RummyCard
    """The card that it frees."""
    meld: int
    """The meld's place in the list that was given."""
    after: Meld
    """The meld with the natural card in it."""


def lay_offs(variant: Variant, cards: Sequence[RummyCard], melds: Sequence[Meld]) -> LayOffs:
    """The laying-off that leaves the fewest points in hand: natural and wild cards on any of the melds.

    A set takes cards of its rank, a sequence cards at its ends as far as the ace allows; the limits on wild cards hold
    for the longer melds too. Whether it may be done in the turn of laying down is ``variant.lay_off``, and for the
    caller to ask; with "none" nothing is laid off. Exact: tried card by card, equal positions once.
    """
    search = _Search(variant)
    weight, steps = (0, ()) if variant.lay_off == "none" else search.best(_sorted(cards), tuple(melds))
    table, left = list(melds), list(cards)
    for step, meld in steps:
        table[step.meld] = meld
        left.remove(step.card)
    assert weight == sum(weight_of(variant, step.card) for step, _ in steps)
    return LayOffs(tuple(s for s, _ in steps), tuple(table), tuple(left), sum(map(variant.points_of, left)))


def swaps(variant: Variant, cards: Sequence[RummyCard], melds: Sequence[Meld], own: Sequence[int] = ()) -> list[Swap]:
    """Which natural cards of the hand may take a wild card's place, by the card that it stands for.

    ``own``: the places of the player's own melds, where the variant lets only others' wild cards be taken. Whose turn
    it must be, and whether the contract must be met, is for the caller; ``variant.joker_swap`` "none" gives none.
    """
    if variant.joker_swap == "none":
        return []
    hand = [card for card in dict.fromkeys(cards) if isinstance(card, Card)]
    found = []
    for number, meld in enumerate(melds):
        if variant.joker_swap == "others_only" and number in own:
            continue
        for k, (wild, stood) in enumerate(zip(meld.cards, meld.stands, strict=True)):
            if wild != stood and stood in hand:
                after = replace(meld, cards=(*meld.cards[:k], stood, *meld.cards[k + 1 :]))
                swap = Swap(stood, wild, number, after)
                if swap not in found:
                    found.append(swap)
    return found


def lay_offs_with_swap(
    variant: Variant, cards: Sequence[RummyCard], melds: Sequence[Meld]
) -> tuple[Swap | None, LayOffs]:
    """The swap, if any helps, and the laying-off after it with the wild card that it freed, that leave the fewest
    points.

    One wild card is taken: each more would multiply the ways to lay off. Where it must be played at once
    (``variant.joker_taken``) it is laid off. Exact up to that.
    """
    best: tuple[Swap | None, LayOffs] = None, lay_offs(variant, cards, melds)
    wild = sum(map(variant.is_wild, cards))
    for swap in swaps(variant, cards, melds):
        rest = list(cards)
        rest.remove(swap.card)
        off = lay_offs(variant, [*rest, swap.wild], [*melds[: swap.meld], swap.after, *melds[swap.meld + 1 :]])
        kept = variant.joker_taken == "at_once" and sum(map(variant.is_wild, off.left)) > wild
        if not kept and off.points_left < best[1].points_left:
            best = swap, off
    return best


_Move = tuple[LaidOff, Meld]
"""A card laid off, and the meld that it makes."""


class _Search:
    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self._known: dict[tuple[tuple[RummyCard, ...], tuple[Meld, ...]], tuple[int, tuple[_Move, ...]]] = {}

    def best(self, cards: tuple[RummyCard, ...], melds: tuple[Meld, ...]) -> tuple[int, tuple[_Move, ...]]:
        """The most that can be laid off, and how."""
        key = (cards, melds)
        if key not in self._known:
            self._known[key] = self._try(cards, melds)
        return self._known[key]

    def _try(self, cards: tuple[RummyCard, ...], melds: tuple[Meld, ...]) -> tuple[int, tuple[_Move, ...]]:
        moves = [
            (LaidOff(card, stood, number), longer)
            for card in dict.fromkeys(cards)
            for number, meld in enumerate(melds)
            for stood, longer in self._longer(meld, card)
        ]
        best: tuple[int, tuple[_Move, ...]] = (0, ())
        if not self.variant.limits_wilds:
            sure = next((move for move in moves if self._harmless(move, moves, melds)), None)
            if sure is not None:
                moves = [sure]
            elif any(meld.kind == "set" for meld in melds):
                # A set has room for every wild card: before that they are of use only where they lead a sequence on.
                best = self._rest_on_a_set(cards, melds)
                moves = [move for move in moves if self._leads_on(move, cards)]
        for step, longer in moves:
            rest = list(cards)
            rest.remove(step.card)
            after = (*melds[: step.meld], longer, *melds[step.meld + 1 :])
            weight, steps = self.best(tuple(rest), after)
            weight += weight_of(self.variant, step.card)
            if weight > best[0]:
                best = (weight, ((step, longer), *steps))
        return best

    def _rest_on_a_set(self, cards: Sequence[RummyCard], melds: Sequence[Meld]) -> tuple[int, tuple[_Move, ...]]:
        number, meld = next((k, meld) for k, meld in enumerate(melds) if meld.kind == "set")
        moves, weight = [], 0
        for card in cards:
            if self.variant.is_wild(card):
                stood, meld = self._longer(meld, card)[0]
                moves.append((LaidOff(card, stood, number), meld))
                weight += weight_of(self.variant, card)
        return weight, tuple(moves)

    def _leads_on(self, move: _Move, cards: Sequence[RummyCard]) -> bool:
        """Whether the move lays off a natural card, or makes a sequence longer that natural cards could still join."""
        step, longer = move
        if not self.variant.is_wild(step.card):
            return True
        suit = longer.stands[0].suit
        return longer.kind == "sequence" and any(
            isinstance(card, Card) and card.suit == suit and not self.variant.is_wild(card) for card in cards
        )

    def _harmless(self, move: _Move, moves: Sequence[_Move], melds: Sequence[Meld]) -> bool:
        """Whether nothing can be lost by making the move at once, since the card can go nowhere else."""
        step, longer = move
        card = step.card
        if not isinstance(card, Card) or self.variant.is_wild(card) or card.rank == "A":
            return False
        if any(other != move for other in moves if other[0].card == card):
            return False
        if longer.kind == "sequence":
            return sum(meld.kind == "sequence" and meld.stands[0].suit == card.suit for meld in melds) == 1
        # A sequence that takes no card now never will: then none can come to want this one.
        return not any(m.kind == "sequence" and m.stands[0].suit == card.suit for _, m in moves)

    def _longer(self, meld: Meld, card: RummyCard) -> list[tuple[Card, Meld]]:
        """The melds that the card makes of this one, with what it is in them."""
        wild = self.variant.is_wild(card)
        found = []
        if meld.kind == "set":
            rank = meld.stands[0].rank
            if isinstance(card, Card) and card.rank == rank:
                found.append((card, Meld("set", (*meld.cards, card), (*meld.stands, card))))
            elif wild:
                stood = stand_ins(rank, meld.stands, 1)[0]
                found.append((stood, Meld("set", (*meld.cards, card), (*meld.stands, stood))))
        else:
            for window, at_top in _extended(self.variant, meld.window):
                stood = card_at(window[-1 if at_top else 0], meld.stands[0].suit)
                if wild or card == stood:
                    cards = (*meld.cards, card) if at_top else (card, *meld.cards)
                    stands = (*meld.stands, stood) if at_top else (stood, *meld.stands)
                    found.append((stood, Meld("sequence", cards, stands, window)))
        return [(stood, longer) for stood, longer in found if fault(self.variant, longer) is None]


def _extended(variant: Variant, window: Window) -> list[tuple[Window, bool]]:
    """The windows of one place more, and whether it is the upper end that grew."""
    longer = windows(variant.ace, len(window) + 1)
    if variant.ace == "wrap" and len(longer) == 1:  # the whole ring begins where this sequence does
        missing = (set(longer[0]) - set(window)).pop()
        return [((*window, missing), True)]
    up = [(w, True) for w in longer if w[:-1] == window]
    return up + [(w, False) for w in longer if w[1:] == window]


def _sorted(cards: Sequence[RummyCard]) -> tuple[RummyCard, ...]:
    return tuple(sorted(cards, key=lambda card: (isinstance(card, Joker), str(card))))
