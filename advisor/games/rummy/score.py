"""What the cards left in a hand count, by variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.solver import lay_down
from advisor.games.rummy.variant import Variant


@dataclass(frozen=True)
class Score:
    """A hand's points, and each kind of card's share of them (all copies together), in the hand's order."""

    points: int
    by_card: Mapping[RummyCard, int]


def score(variant: Variant, cards: Sequence[RummyCard], deal: int = 1) -> Score:
    """The points of the cards left in hand.

    Where the variant does not count melds that are still in hand, only of what the best melding of the hand leaves; it
    is that of ``deal``. Raises `VariantError` for an unknown deal.
    """
    if variant.hand_melds == "free":
        cards = lay_down(variant, cards, deal).left
    by_card: dict[RummyCard, int] = {}
    for card in cards:
        by_card[card] = by_card.get(card, 0) + variant.points_of(card)
    return Score(sum(by_card.values()), MappingProxyType(by_card))
