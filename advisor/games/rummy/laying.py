"""From the solver's pieces to melds of real cards, wild cards put where they stand."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.games.cards import RANKS, SUITS, Card
from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.contract import Slot
from advisor.games.rummy.melds import Meld, as_set
from advisor.games.rummy.pieces import RING, Hand, Piece
from advisor.games.rummy.sequences import Window, apart, card_at, windows

Chosen = list[tuple[Slot, Piece]]


def lay(hand: Hand, chosen: Sequence[tuple[Slot, Piece]]) -> list[Meld]:
    """The melds, in the order given; the wild cards with the most points are laid down first.

    A wild deuce and the like goes where its own card is wanted, if anywhere.
    """
    wild = list(hand.wild[: sum(piece.wilds for _, piece in chosen)])
    laid = [_places(piece, wild) for _, piece in chosen]
    melds = []
    for (_, piece), places in zip(chosen, laid, strict=True):
        cards = tuple(card if card is not None else wild.pop(0) for card in places)
        if piece.window:
            stands = tuple(card_at(place, SUITS[piece.suit]) for place in piece.window)
            melds.append(Meld("sequence", cards, stands, piece.window))
        else:
            meld = as_set(hand.variant, cards)
            assert meld is not None, f"{cards} were put together as a set"
            melds.append(meld)
    return melds


def _places(piece: Piece, wild: list[RummyCard]) -> list[RummyCard | None]:
    """The meld's cards in order, None where any wild card will do; takes wild cards that belong there from ``wild``."""
    if not piece.window:
        return [*(Card(RANKS[p % RING], SUITS[p // RING]) for p in piece.natural), *[None] * piece.wilds]
    cards: list[RummyCard | None] = []
    for place in piece.window:
        card = card_at(place, SUITS[piece.suit])
        own = place in piece.natural
        if not own and card in wild:
            wild.remove(card)
            own = True
        cards.append(card if own else None)
    return cards


def with_spare(hand: Hand, chosen: Chosen) -> Chosen | None:
    """The pieces with every wild card that is left put into the open ones; None where there is no room for all.

    A set has room for any number; a sequence grows at its ends as far as the ace and the sequences beside it allow.
    """
    spare = hand.wilds - sum(piece.wilds for _, piece in chosen)
    grown = list(chosen)
    for k, (slot, piece) in enumerate(chosen):
        if slot.open and slot.kind == "set":
            grown[k] = (slot, piece._replace(wilds=piece.wilds + spare))
            return grown
    while spare:
        longer = next((each for k in range(len(grown)) if (each := _longer(hand, grown, k)) is not None), None)
        if longer is None:
            return None
        grown, spare = longer, spare - 1
    return grown


def _longer(hand: Hand, chosen: Chosen, k: int) -> Chosen | None:
    """The pieces with one wild card more at an end of the k-th, where it has room."""
    slot, piece = chosen[k]
    if not slot.open or slot.kind == "set":
        return None
    gap = hand.variant.same_suit_runs == "gap"
    others = [p.window for n, (_, p) in enumerate(chosen) if n != k and p.window and p.suit == piece.suit and gap]
    for window in _extended(hand, piece.window):
        if all(apart(window, other, hand.variant.ace) for other in others):
            return [*chosen[:k], (slot, piece._replace(window=window, wilds=piece.wilds + 1)), *chosen[k + 1 :]]
    return None


def _extended(hand: Hand, window: Window) -> list[Window]:
    """The windows of one place more that hold this one, upwards first."""
    longer = windows(hand.variant.ace, len(window) + 1)
    return [w for w in longer if w[:-1] == window] + [w for w in longer if w[1:] == window]
