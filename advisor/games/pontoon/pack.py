"""The running pack: dealt from the top, played cards put underneath, and shuffled only when the rules say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from advisor.games.cards import FULL_PACK, Card
from advisor.games.operations import IllegalMove
from advisor.games.pontoon.hand import Counts, count_values, full_pack


class NotInPack(IllegalMove):
    """A card that this pack cannot hold, as far as is known of it."""


@dataclass(frozen=True, slots=True)
class RunningPack:
    """A pack as far as the table can know it. A pack never changes: every move gives the next one.

    Since the last shuffle a card is either in unknown order on the top, out on the table, or underneath where it was
    put. Once the top is used up the cards underneath come round.
    """

    decks: int
    top: int
    """How many cards have not left the pack since the shuffle."""
    under: tuple[Card | None, ...] = ()
    """The cards underneath, the next to come first; None where the face was never seen."""
    seen: tuple[Card, ...] = ()
    """Every face seen since the shuffle."""

    @classmethod
    def shuffled(cls, decks: int) -> RunningPack:
        """So many packs of 52, freshly shuffled."""
        return cls(decks, len(FULL_PACK) * decks)

    @property
    def cards(self) -> int:
        """How many cards the pack holds."""
        return self.top + len(self.under)

    def dealt(self, card: Card | None = None) -> tuple[RunningPack, bool]:
        """The pack without its next card (None where its face is hidden), and whether the card was not seen before.

        A card that comes round is taken from where it lies underneath, wherever that is: nobody stacks a pack in
        perfect order. Raises `NotInPack` where the pack cannot hold the card, `IllegalMove` where it is empty.
        """
        if self.top:
            return replace(self, top=self.top - 1)._with_seen(card), True
        if not self.under:
            raise IllegalMove("No card is left in the pack.")
        place = 0
        if card is not None:
            places = [at for at, it in enumerate(self.under) if it == card] or [
                at for at, it in enumerate(self.under) if it is None
            ]
            if not places:
                raise NotInPack(f"The {card.name} cannot be dealt: it is not among the cards left in the pack.")
            place = places[0]
        fresh = self.under[place] is None
        left = replace(self, under=(*self.under[:place], *self.under[place + 1 :]))
        return (left._with_seen(card) if fresh else left), fresh

    def revealed(self, card: Card) -> RunningPack:
        """The pack after a card dealt face down, and not seen before, is turned; raises `NotInPack`."""
        return self._with_seen(card)

    def buried(self, cards: Iterable[Card | None]) -> RunningPack:
        """The pack with these cards put underneath, in order."""
        return replace(self, under=(*self.under, *cards))

    @property
    def unseen(self) -> Counts:
        """The cards by value whose faces have not been seen since the shuffle, hidden ones on the table among them."""
        out = count_values(self.seen)
        return tuple(all_ - gone for all_, gone in zip(full_pack(self.decks), out, strict=True))

    def pool(self, least: int) -> Counts:
        """The cards by value among which the next ones are reckoned: the unseen ones.

        Where those are fewer than `least`, the cards underneath are reckoned with them, as if in no known order.
        """
        unseen = self.unseen
        if sum(unseen) >= least:
            return unseen
        under = count_values(card for card in self.under if card is not None)
        return tuple(a + b for a, b in zip(unseen, under, strict=True))

    def _with_seen(self, card: Card | None) -> RunningPack:
        if card is None:
            return self
        seen = (*self.seen, card)
        times = Counter(seen)[card]
        if times > self.decks:
            packs = "1 pack" if self.decks == 1 else f"{self.decks} packs"
            before = "once" if times == 2 else f"{times - 1} times"
            raise NotInPack(f"The {card.name} cannot come again: it was seen {before} since the shuffle of {packs}.")
        return replace(self, seen=seen)
