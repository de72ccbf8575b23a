"""What each side of the table may know of a deal, and the advice on it: nobody's cards are used for anybody else."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.games.cards import Card
from advisor.games.operations import IllegalMove
from advisor.games.pontoon.advice import BankerAdvice, PunterAdvice, advise_banker, advise_punter
from advisor.games.pontoon.banker import OpenHand
from advisor.games.pontoon.chances import ENOUGH
from advisor.games.pontoon.hand import Counts, count_values
from advisor.games.pontoon.round.state import Held, RoundState
from advisor.games.pontoon.round.verify import check_shown, hand_at, newly_seen


def public_pool(state: RoundState) -> Counts:
    """The cards by value that lie face up nowhere and have not been seen since the shuffle.

    Cards face down are among them, even where the table was told what they are.
    """
    held: list[Held] = [it for _, _, hand in state.hands() for it in hand.held] + list(state.banker_held)
    private = count_values(it.card for it in held if it.card is not None and not it.up and it.fresh)
    return tuple(a + b for a, b in zip(state.pack.pool(ENOUGH), private, strict=True))


def open_hands(state: RoundState) -> tuple[OpenHand, ...]:
    """The hands that are not settled, as everybody sees them."""
    return tuple(
        OpenHand(hand.total_stake, sum(not it.up for it in hand.held), count_values(hand.up_cards), hand.from_split)
        for hand in state.open_hands
    )


def banker_advice(state: RoundState) -> BankerAdvice:
    """Whether the banker draws or stays; raises `ImpossiblePosition` where that is not his question now."""
    return advise_banker(state.rules, state.banker_cards, open_hands(state), public_pool(state))


def punter_advice(
    state: RoundState, seat: int, hand: int = 1, cards: Sequence[Card] | None = None, stays_on: int | None = None
) -> PunterAdvice:
    """What a punter does best with a hand.

    `cards` is his private view of it, in any order; without it the table must have been told all its cards. Raises
    `IllegalMove` where they do not fit what lies there, `ImpossiblePosition` where there is nothing to decide.
    """
    held = hand_at(state, seat, hand)
    own = held.cards if cards is None else tuple(cards)
    if own is None:
        raise IllegalMove(f"Seat {seat}'s cards lie face down: only its own view of them can be advised on.")
    check_shown(state, f"Seat {seat}", held.held, own)
    known = [it.card for it in held.held if it.card is not None and not it.up and it.fresh]
    mine = count_values((*known, *newly_seen(held.held, own)))
    pool = tuple(a - b for a, b in zip(public_pool(state), mine, strict=True))
    there = state.seat(seat)
    hands = 1 if there is None else len(there.hands)
    return advise_punter(state.rules, own, (held.stake, *held.buys), pool, hands=hands, stays_on=stays_on)
