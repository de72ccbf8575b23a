"""What a hand cannot be: a card more often than the packs hold it, or more cards than the deal could give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.variant import NO_LIMIT, Variant, VariantError

MOST_CARDS: Final = 20
"""The largest hand that is worked with where the rules set no limit to buying."""


def most_cards(variant: Variant, deal: int | None = None, players: int | None = None) -> int:
    """The most cards that a hand can have: those dealt, one drawn, and for each buy the card and its penalty cards.

    `MOST_CARDS` where buys are not limited. Without a deal, the most of all deals. Raises `VariantError`.
    """
    numbers = range(1, len(variant.deals) + 1) if deal is None else (deal,)
    most = 0
    for each in map(variant.deal, numbers):
        buys = variant.buys_per_deal if each.buys is None else each.buys
        held = each.dealt(players) + 1
        most = max(most, max(held, MOST_CARDS) if buys >= NO_LIMIT else held + buys * (1 + variant.buy_penalty))
    return most


def hand_problems(
    variant: Variant, cards: Sequence[RummyCard], deal: int | None = None, players: int | None = None
) -> tuple[str, ...]:
    """Sentences about everything that is impossible in a hand; none where it is possible.

    Without the number of players, only what no number of players could hold is impossible. Raises `VariantError` for a
    deal or a number of players that the variant does not have.
    """
    found = list(pack_problems(variant, cards, players))
    most = most_cards(variant, deal, players)
    if len(cards) > most:
        found.append(f"{len(cards)} cards are too many: {_most_words(variant, deal, players, most)}")
    return tuple(found)


def pack_problems(variant: Variant, cards: Sequence[RummyCard], players: int | None = None) -> tuple[str, ...]:
    """Sentences about cards that are there more often than the packs hold them; see `hand_problems`."""
    low, high = variant.players
    if players is not None and not low <= players <= high:
        span = f"{low} to {high}" if low < high else f"{low}"
        raise VariantError(f"{variant.name} is not for {players} players: it is for {span}")
    found = []
    who = "" if players is None else f" for {players} players"
    for card, number in Counter(cards).items():
        most = variant.most_of(card, players)
        if number > most:
            held = f"{most or 'no'} {card.name if most == 1 else card.plural}"
            times = f" {number} times" if number > 1 else ""
            found.append(f"{card} is there{times}, but the packs of {variant.name}{who} hold {held}")
    return tuple(found)


def _most_words(variant: Variant, deal: int | None, players: int | None, most: int) -> str:
    if deal is None:
        return f"no hand of {variant.name} has more than {most}"
    each = variant.deal(deal)
    buys = variant.buys_per_deal if each.buys is None else each.buys
    words = f"{each.dealt(players)} are dealt in deal {deal} of {variant.name}, and one drawn"
    if buys >= NO_LIMIT:
        return f"{words}; with cards taken out of turn {most} at most (--set buys_per_deal=N sets another limit)"
    return f"{words}; with {buys} buys {most} at most" if buys else words
