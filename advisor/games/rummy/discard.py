"""Which card to discard to go out soonest: counted exactly over the cards that are still unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from advisor.games.cards import FULL_PACK
from advisor.games.rummy.cards import JOKER, RummyCard, by_rank
from advisor.games.rummy.solver import LayDown, lay_down, short_of
from advisor.games.rummy.variant import Variant


@dataclass(frozen=True, slots=True)
class Discard:
    """What one discard leads to."""

    card: RummyCard
    useful: int
    """How many of the unseen cards are useful to the hand that is kept."""
    unseen: int
    """How many cards are unseen."""
    short: int
    """How many cards the hand that is kept lacks for the contract; 0 where it can be met."""
    points_left: int
    """What would be left in the kept hand after its best lay-down."""

    @property
    def chance(self) -> Fraction:
        """The expected number of useful cards in one draw: the chance that it is one."""
        return Fraction(self.useful, self.unseen) if self.unseen else Fraction(0)


def discards(
    variant: Variant,
    cards: Sequence[RummyCard],
    deal: int = 1,
    players: int | None = None,
    seen: Sequence[RummyCard] = (),
) -> tuple[Discard, ...]:
    """Every discard from a hand after drawing, the best for going out soonest first.

    A hand is *short* by the fewest cards of any kind that, added to it, would let it meet the contract (limits on wild
    cards set aside, but at least one where it cannot be met). A card is *useful* to the kept hand when together with
    it the hand meets a contract that it did not meet; or, where no single card does that for any discard, when it
    makes the hand less short; or, where the kept hand meets the contract already, when fewer points are left after the
    best lay-down of hand and card than after that of the hand alone. The unseen cards are all cards of the packs but
    the hand and ``seen``; each copy counts.

    The order: least short, most useful cards, fewest points left after the best lay-down, highest card. Exact: every
    discard is tried with every different unseen card.
    """
    unseen = _unseen(variant, cards, players, seen)
    search = _Search(variant, deal, tuple(cards), unseen)
    kept = {card: _without(cards, card) for card in dict.fromkeys(cards)}
    finishing = {card: search.finishing(card, rest) for card, rest in kept.items()}
    short = {card: search.short(rest) for card, rest in kept.items()}
    found = []
    for card, rest in kept.items():
        useful = finishing[card]
        if not any(finishing.values()):
            useful = search.nearing(card, rest) if 0 < short[card] == min(short.values()) else 0
        points = search.lay_down(rest).points_left
        found.append(Discard(card, useful, sum(unseen.values()), short[card], points))
    return tuple(sorted(found, key=lambda d: (d.short, -d.useful, d.points_left, *(-k for k in by_rank(d.card)))))


def _without(cards: Sequence[RummyCard], card: RummyCard) -> tuple[RummyCard, ...]:
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def _unseen(
    variant: Variant, cards: Sequence[RummyCard], players: int | None, seen: Sequence[RummyCard]
) -> Counter[RummyCard]:
    """The copies of each card that are not seen; without the number of players, for the fewest packs of the variant."""
    row = next(p for p in variant.packs if players is None or p.players[0] <= players <= p.players[1])
    whole: Counter[RummyCard] = Counter(dict.fromkeys(FULL_PACK, row.decks))
    whole[JOKER] = row.jokers
    return whole - Counter(cards) - Counter(seen)


class _Search:
    """Lay-downs of hands that differ by a card or two, each solved once."""

    def __init__(self, variant: Variant, deal: int, whole: tuple[RummyCard, ...], unseen: Counter[RummyCard]) -> None:
        self.variant, self.deal, self.whole, self.unseen = variant, deal, whole, unseen
        self._laid: dict[tuple[RummyCard, ...], LayDown] = {}
        self._short: dict[tuple[RummyCard, ...], tuple[int, tuple[RummyCard, ...]]] = {}

    def lay_down(self, cards: Sequence[RummyCard]) -> LayDown:
        key = tuple(sorted(cards, key=by_rank))
        if key not in self._laid:
            self._laid[key] = lay_down(self.variant, key, self.deal)
        return self._laid[key]

    def short(self, cards: Sequence[RummyCard]) -> int:
        """How many cards are lacking; 0 only where the contract can be met."""
        return 0 if self.lay_down(cards).possible else max(1, self._lacking(cards)[0])

    def _lacking(self, cards: Sequence[RummyCard]) -> tuple[int, tuple[RummyCard, ...]]:
        key = tuple(sorted(cards, key=by_rank))
        if key not in self._short:
            self._short[key] = short_of(self.variant, key, self.deal)
        return self._short[key]

    def finishing(self, out: RummyCard, rest: tuple[RummyCard, ...]) -> int:
        """How many unseen cards let ``rest`` meet the contract, or leave fewer points where it meets it already."""
        now, useful = self.lay_down(rest), 0
        for card, copies in self.unseen.items():
            # What the hand cannot do with the discard too it cannot do without it.
            larger = self.lay_down((*self.whole, card))
            if not larger.possible:
                continue
            if not now.possible and out in larger.left:
                useful += copies
                continue
            after = self.lay_down((*rest, card))
            if after.possible and (not now.possible or after.points_left < now.points_left):
                useful += copies
        return useful

    def nearing(self, out: RummyCard, rest: tuple[RummyCard, ...]) -> int:
        """How many unseen cards make ``rest`` less short."""
        lacking, useful = self._lacking(rest)[0], 0
        for card, copies in self.unseen.items():
            larger, over = self._lacking((*self.whole, card))
            if larger < lacking and (out in over or self._lacking((*rest, card))[0] < lacking):
                useful += copies
        return useful
