"""The dealer's next step. The order of a round is the order of the questions in `_ORDER`, and stands nowhere else.

Each question looks at the table and names the step that its part of the round still needs, or nothing. The order is
that of rules/blackjack.md, "Order of a round".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from advisor.games.blackjack.decision import Action
from advisor.games.blackjack.moves import hits_after_split
from advisor.games.blackjack.round import words
from advisor.games.blackjack.round.hands import (
    actions,
    dealer_must_play,
    due_on_turn,
    even_money_offered,
    insurance_limit,
    may_surrender_now,
    owed,
    peek_due,
)
from advisor.games.blackjack.round.settlement import Outcome, settle_insurance
from advisor.games.blackjack.round.state import PlayerHand, RoundState, Seat
from advisor.games.blackjack.rules import dealer_draws
from advisor.games.blackjack.values import value_index
from advisor.money.amounts import format_amount


class StepKind(StrEnum):
    """What the dealer does next."""

    TAKE_BETS = "take bets"
    SWEEP_BETS = "sweep bets"
    BURN = "burn"
    DEAL = "deal"
    DEAL_DEALER = "deal dealer"
    TURN_UPCARD = "turn upcard"
    SETTLE_SIDE_BETS = "settle side bets"
    OFFER_INSURANCE = "offer insurance"
    CHECK_INSURANCE = "check insurance"
    OFFER_SURRENDER = "offer surrender"
    PEEK = "peek"
    COLLECT_INSURANCE = "collect insurance"
    PAY_INSURANCE = "pay insurance"
    DECIDE = "decide"
    """A player's decision: `Step.actions` says what is allowed."""
    REVEAL = "reveal"
    DRAW = "draw"
    TURN_DOUBLED = "turn doubled"
    PAY_BLACKJACK = "pay blackjack"
    PAY_EVEN_MONEY = "pay even money"
    PAY_CHARLIE = "pay charlie"
    PAY_BONUS = "pay bonus"
    PAY = "pay"
    COLLECT_BUST = "collect bust"
    COLLECT_SURRENDER = "collect surrender"
    COLLECT = "collect"
    PUSH = "push"
    RETURN = "return"
    GIVE_BACK = "give back"
    OUT_OF_CARDS = "out of cards"
    CLEAR_CARDS = "clear cards"
    OVER = "over"


SETTLES: Final = {
    Outcome.BLACKJACK: StepKind.PAY_BLACKJACK,
    Outcome.EVEN_MONEY: StepKind.PAY_EVEN_MONEY,
    Outcome.CHARLIE: StepKind.PAY_CHARLIE,
    Outcome.BONUS: StepKind.PAY_BONUS,
    Outcome.WIN: StepKind.PAY,
    Outcome.DEALER_BUST: StepKind.PAY,
    Outcome.PUSH: StepKind.PUSH,
    Outcome.BOTH_BLACKJACK: StepKind.PUSH,
    Outcome.RETURNED: StepKind.RETURN,
    Outcome.LOSE: StepKind.COLLECT,
    Outcome.BUST: StepKind.COLLECT_BUST,
    Outcome.DEALER_BLACKJACK: StepKind.COLLECT,
    Outcome.SURRENDER: StepKind.COLLECT_SURRENDER,
}
"""The step that settles a hand, by how the hand ended."""
_TAKES_A_CARD: Final = (StepKind.DEAL, StepKind.DEAL_DEALER, StepKind.DRAW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The dealer's next step, in words and as data. A field that does not apply is None or empty."""

    kind: StepKind
    words: str
    """One or two short English sentences."""
    seat: int | None = None
    hand: int | None = None
    """The hand in its seat, from 1."""
    amount: Fraction | None = None
    """What the player gains by the step: negative where chips are collected, 0 at a push."""
    outcome: Outcome | None = None
    """Why a hand or an insurance bet is settled so."""
    actions: tuple[Action, ...] = ()
    """What the player may do."""
    seats: tuple[int, ...] = ()
    """The seats that are offered even money beside insurance, or surrender before the peek."""
    limits: tuple[tuple[int, Fraction], ...] = ()
    """The seats that may insure, and for how much at most."""
    face_down: bool = False
    """Whether the card must lie face down."""


def next_step(state: RoundState) -> Step:
    """What the dealer does next; there is always something until the round is over."""
    step = next(step for step in (question(state) for question in _ORDER) if step is not None)
    if step.kind in _TAKES_A_CARD and state.cards_left <= 0:
        said = "The shoe is empty, so the round cannot go on: call it off and give the open bets back."
        return Step(kind=StepKind.OUT_OF_CARDS, words=said, seat=step.seat, hand=step.hand)
    return step


def _over(state: RoundState) -> Step | None:
    if not state.cleared:
        return None
    return Step(kind=StepKind.OVER, words=f"The round is over{': shuffle' if state.cut_card else ''}.")


def _called_off(state: RoundState) -> Step | None:
    return _clear(state) if state.called_off else None


def _bets(state: RoundState) -> Step | None:
    if state.swept:
        return None
    if not state.seats:
        low, high, unit = (format_amount(it) for it in (state.rules.minimum, state.rules.maximum, state.rules.unit))
        return Step(kind=StepKind.TAKE_BETS, words=f"Take the bets: {low} to {high}, in whole units of {unit}.")
    return Step(kind=StepKind.SWEEP_BETS, words=words.bets_words(state))


def _burn(state: RoundState) -> Step | None:
    if not state.new_shuffle or state.burned or state.cards_out:
        return None
    return Step(kind=StepKind.BURN, words="Burn one card: the shoe is freshly shuffled.")


def _deal(state: RoundState) -> Step | None:
    dealers = 1 if state.rules.hole_card == "none" else 2
    for cards in (1, 2):
        for seat in state.seats:
            if len(seat.hands) == 1 and len(seat.hands[0].cards) < cards:
                said = f"Deal {'a second card ' if cards == 2 else ''}to seat {seat.number}."
                return Step(kind=StepKind.DEAL, words=said, seat=seat.number, hand=1)
        if state.dealer.first_cards < min(cards, dealers):
            return _deal_dealer(state)
    return None


def _deal_dealer(state: RoundState) -> Step:
    if state.rules.hole_card == "none":
        return Step(kind=StepKind.DEAL_DEALER, words="Deal the dealer one card, face up.")
    if state.dealer.upcard is not None:
        return Step(kind=StepKind.DEAL_DEALER, words="Deal the dealer's hole card, face down.", face_down=True)
    said = f"Deal the dealer {'a second' if state.dealer.face_down else 'one'} card."
    return Step(kind=StepKind.DEAL_DEALER, words=said)


def _upcard(state: RoundState) -> Step | None:
    if state.dealer.upcard is not None:
        return None
    return Step(kind=StepKind.TURN_UPCARD, words="Turn the dealer's first card up: it is the upcard.")


def _side_bets(state: RoundState) -> Step | None:
    for seat in reversed(state.seats):
        if seat.side_bets:
            amount = sum((settled.amount for settled in words.side_bets(seat)), Fraction(0))
            said = words.side_bet_words(seat)
            return Step(kind=StepKind.SETTLE_SIDE_BETS, words=said, seat=seat.number, amount=amount)
    return None


def _insurance(state: RoundState) -> Step | None:
    if state.insurance_closed:
        return None
    limits = tuple((seat.number, limit) for seat in state.seats if (limit := insurance_limit(state, seat)) is not None)
    blackjacks = [seat for seat in state.seats if even_money_offered(state, seat)]
    if not limits and not blackjacks:
        return None
    even = tuple(seat.number for seat in blackjacks if not seat.hands[0].even_money and not seat.insured)
    said = words.insurance_words(state, limits, even)
    placed = any(seat.insured for seat in state.seats)
    kind = StepKind.CHECK_INSURANCE if placed else StepKind.OFFER_INSURANCE
    return Step(kind=kind, words=said, seats=even, limits=limits)


def _even_money(state: RoundState) -> Step | None:
    for seat, number, held in _right_to_left(state):
        if held.even_money:
            return _settle_step(state, seat, number, now=True)
    return None


def _early_surrender(state: RoundState) -> Step | None:
    if state.surrender_closed or state.peeked is not None:
        return None
    for seat, number, held in state.hands():
        if held.surrendered and held.settlement is None and peek_due(state):
            return _settle_step(state, seat, number, now=True)
    seats = tuple(seat.number for seat in state.seats if may_surrender_now(state, seat))
    if not seats:
        return None
    said = f"Offer surrender to {words.seats_words(seats)}, before the peek."
    return Step(kind=StepKind.OFFER_SURRENDER, words=said, seats=seats, actions=(Action.SURRENDER,))


def _peek(state: RoundState) -> Step | None:
    if state.peeked is not None or not peek_due(state) or state.dealer.hole is not None or not state.at_stake:
        return None
    return Step(kind=StepKind.PEEK, words=words.peek_words(state))


def _reveal_blackjack(state: RoundState) -> Step | None:
    if not state.peeked or state.dealer.hole is not None:
        return None
    return Step(kind=StepKind.REVEAL, words=words.reveal_words(state))


def _lost_insurance(state: RoundState) -> Step | None:
    return _insurance_step(state) if state.dealer_blackjack is False else None


def _players(state: RoundState) -> Step | None:
    if state.dealer_blackjack:
        return None
    for seat, number, held in state.hands():
        step = None if held.settlement is not None else _turn(state, seat, number, held)
        if step is not None:
            return step
    return None


def _turn(state: RoundState, seat: Seat, number: int, held: PlayerHand) -> Step | None:
    place = words.spot(state, seat.number, number)
    if len(held.cards) < 2:
        said = f"Deal the second card to {words.inline(place)}."
        if not hits_after_split(state.rules, value_index(held.cards[0])):
            said = f"Deal one card to {words.inline(place)} at 45 degrees: split aces get no more."
        return Step(kind=StepKind.DEAL, words=said, seat=seat.number, hand=number)
    if held.added is not None and len(held.cards) == 2 and not held.face_down:
        down = state.rules.doubled_card_face_down
        said = f"{place} doubles: deal one card {'face down' if down else 'at right angles'}."
        return Step(kind=StepKind.DEAL, words=said, seat=seat.number, hand=number, face_down=down)
    if due_on_turn(state, held):
        return _settle_step(state, seat, number, now=True)
    allowed = actions(state, seat, held)
    if not allowed:
        return None
    said = f"{place}: {words.one_of(allowed)}?"
    return Step(kind=StepKind.DECIDE, words=said, seat=seat.number, hand=number, actions=allowed)


def _dealer(state: RoundState) -> Step | None:
    peeks = state.rules.hole_card == "peek"
    if peeks and state.dealer.hole is None:
        return Step(kind=StepKind.REVEAL, words=words.reveal_words(state))
    hand = state.dealer.hand
    second = not peeks and len(hand.cards) == 1 and state.at_stake
    draws = len(hand.cards) > 1 and dealer_draws(hand.total, hand.soft, state.rules.dealer_soft_17)
    if second or (draws and dealer_must_play(state)):
        return Step(kind=StepKind.DRAW, words=words.draw_words(state))
    return None


def _settlement(state: RoundState) -> Step | None:
    for seat, number, held in _right_to_left(state):
        if held.face_down:
            said = f"Turn the doubled card of {words.inline(words.spot(state, seat.number, number))}."
            return Step(kind=StepKind.TURN_DOUBLED, words=said, seat=seat.number, hand=number)
        return _settle_step(state, seat, number, now=False)
    return None


def _give_back(state: RoundState) -> Step | None:
    for seat in reversed(state.seats):
        amount = state.beyond_first_bet(seat)
        if amount and state.dealer_blackjack:
            said = (
                f"Give {format_amount(amount)} back to seat {seat.number}: a late blackjack takes the first bet only."
            )
            return Step(kind=StepKind.GIVE_BACK, words=said, seat=seat.number, amount=amount, outcome=Outcome.RETURNED)
    return None


def _won_insurance(state: RoundState) -> Step | None:
    return _insurance_step(state)


def _clear(state: RoundState) -> Step | None:
    shuffle = " The cut card is out: shuffle before the next round." if state.cut_card else ""
    return Step(kind=StepKind.CLEAR_CARDS, words=f"Clear the cards.{shuffle}")


_ORDER: Final[tuple[Callable[[RoundState], Step | None], ...]] = (
    _over,
    _called_off,
    _bets,
    _burn,
    _deal,
    _upcard,
    _side_bets,
    _insurance,
    _even_money,
    _early_surrender,
    _peek,
    _reveal_blackjack,
    _lost_insurance,
    _players,
    _dealer,
    _settlement,
    _give_back,
    _won_insurance,
    _clear,
)


def _right_to_left(state: RoundState) -> Iterator[tuple[Seat, int, PlayerHand]]:
    """The hands not settled yet, in the order of settlement."""
    return (place for place in reversed(tuple(state.hands())) if place[2].settlement is None)


def _settle_step(state: RoundState, seat: Seat, number: int, *, now: bool) -> Step:
    settled = owed(state, seat, number)
    return Step(
        kind=SETTLES[settled.outcome],
        words=words.settle_words(state, seat, number, settled, " now" if now else ""),
        seat=seat.number,
        hand=number,
        amount=settled.amount,
        outcome=settled.outcome,
    )


def _insurance_step(state: RoundState) -> Step | None:
    """The next insurance bet to collect or, after the main bets, to pay."""
    for seat in reversed(state.seats):
        if seat.insured:
            settled = settle_insurance(seat.insurance, dealer_blackjack=bool(state.dealer_blackjack))
            pays = settled.amount > 0
            kind = StepKind.PAY_INSURANCE if pays else StepKind.COLLECT_INSURANCE
            amount = format_amount(abs(settled.amount))
            said = f"{'Pay' if pays else 'Collect'} the insurance of seat {seat.number}: {amount}."
            return Step(kind=kind, words=said, seat=seat.number, amount=settled.amount, outcome=settled.outcome)
    return None
