"""What a player's hand may still do in the round as it stands, and what it is owed."""

from __future__ import annotations

from fractions import Fraction

from advisor.games.blackjack.decision import Action
from advisor.games.blackjack.moves import may_insure, may_surrender, may_take_even_money, moves_for, surrenders_early
from advisor.games.blackjack.round.settlement import (
    INSURANCE_SHARE,
    Outcome,
    Settlement,
    blackjack_waits,
    odds_at_once,
    settle_hand,
    surrender_waits,
)
from advisor.games.blackjack.round.state import PlayerHand, RoundState, Seat
from advisor.games.blackjack.values import value_index
from advisor.games.cards import Card


def upcard_of(state: RoundState) -> Card:
    """The dealer's upcard, in a part of the round where he has one."""
    assert state.dealer.upcard is not None, "asked before the dealer's upcard was dealt"
    return state.dealer.upcard


def actions(state: RoundState, seat: Seat, held: PlayerHand) -> tuple[Action, ...]:
    """What the player may do with the hand on its turn; nothing where it has no choice."""
    over = held.settlement is not None or held.stood or held.added is not None or held.surrendered
    if over or len(held.cards) < 2:
        return ()
    moves = moves_for(state.rules, held.hand, value_index(upcard_of(state)), len(seat.hands))
    # An empty shoe leaves only what takes no card.
    cards = state.cards_left > 0
    may = {
        Action.HIT: moves.hit and cards,
        Action.STAND: not moves.none,
        Action.DOUBLE: moves.double and cards,
        Action.SPLIT: moves.hands >= 2 and cards,
        Action.SURRENDER: moves.surrender and not surrender_before_peek(state),
    }
    return tuple(action for action, allowed in may.items() if allowed)


def due_on_turn(state: RoundState, held: PlayerHand) -> bool:
    """Whether the hand is paid or collected as soon as its turn comes, without waiting for the dealer."""
    if held.face_down:
        return False
    upcard = upcard_of(state)
    if held.surrendered:
        return not surrender_waits(state.rules, upcard)
    if held.hand.bust or (held.added is None and odds_at_once(state.rules, held.hand) is not None):
        return True
    return held.hand.blackjack and not blackjack_waits(state.rules, upcard)


def owed(state: RoundState, seat: Seat, number: int) -> Settlement:
    """What the seat's hand of this number comes to; raises `UnfinishedDealer` where that is still open."""
    held = seat.hands[number - 1]
    return settle_hand(
        state.rules,
        held.hand,
        held.bet,
        state.dealer.cards,
        added=held.added,
        surrendered=held.surrendered,
        even_money=held.even_money,
        carries_original=carries_original(seat, number),
    )


def carries_original(seat: Seat, number: int) -> bool:
    """Whether this hand is the one that loses its seat's original bet to a late dealer blackjack.

    It is the seat's first hand that was not paid out before. Where any hand of the seat has bust, the original bet has
    gone with that one, and the other hands' bets are returned.
    """
    ended = [None if hand.settlement is None else hand.settlement.outcome for hand in seat.hands]
    return Outcome.BUST not in ended and all(end in (Outcome.CHARLIE, Outcome.BONUS) for end in ended[: number - 1])


def insurance_limit(state: RoundState, seat: Seat) -> Fraction | None:
    """The most that the seat may insure for; None where it may not insure at all."""
    held = seat.hands[0]
    if held.even_money or not may_insure(state.rules, held.hand, value_index(upcard_of(state))):
        return None
    return held.bet * INSURANCE_SHARE


def even_money_offered(state: RoundState, seat: Seat) -> bool:
    """Whether the seat's hand, a blackjack, may take even money, or has taken it."""
    return may_take_even_money(state.rules, seat.hands[0].hand, value_index(upcard_of(state)))


def peek_due(state: RoundState) -> bool:
    """Whether the dealer looks at the hole card under this upcard."""
    return state.rules.hole_card == "peek" and state.blackjack_card is not None


def surrender_before_peek(state: RoundState) -> bool:
    """Whether surrender comes before the peek, and not on the hands' turns."""
    return peek_due(state) and surrenders_early(state.rules, value_index(upcard_of(state)))


def may_surrender_now(state: RoundState, seat: Seat) -> bool:
    """Whether the seat's hand may be given up before the peek."""
    held = seat.hands[0]
    if not surrender_before_peek(state) or held.settlement is not None or held.surrendered:
        return False
    return may_surrender(state.rules, held.hand, value_index(upcard_of(state)))


def dealer_must_play(state: RoundState) -> bool:
    """Whether a hand is left that the dealer's total decides, and not only whether he has a blackjack."""
    return any(hand.face_down or not (hand.surrendered or hand.hand.blackjack) for hand in state.open_hands)
