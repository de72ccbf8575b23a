"""What an operation, already found to be allowed, makes of the round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar, assert_never

from advisor.games.blackjack.round import words
from advisor.games.blackjack.round.hands import owed
from advisor.games.blackjack.round.operations import (
    Burn,
    CallOff,
    ClearCards,
    CloseInsurance,
    CloseSurrender,
    CutCard,
    Deal,
    DealDealer,
    Double,
    DrawDealer,
    GiveBack,
    Hit,
    Insure,
    Operation,
    Peek,
    PlaceBet,
    PlaceSideBet,
    RevealHole,
    Settle,
    SettleInsurance,
    SettleSideBets,
    Split,
    Stand,
    Surrender,
    SweepBets,
    TakeBackBet,
    TakeEvenMoney,
    TurnDoubled,
    TurnUpcard,
)
from advisor.games.blackjack.round.settlement import Outcome, Settlement, settle_insurance
from advisor.games.blackjack.round.state import Entry, PlayerHand, RoundState, Seat
from advisor.games.cards import Card

State = TypeVar("State", bound=RoundState)


def applied(state: State, operation: Operation) -> State:
    """The round after the operation, which must have been verified."""
    match operation:
        case PlaceBet(seat, amount):
            return _with_bet(state, seat, amount)
        case TakeBackBet(seat):
            return replace(state, seats=tuple(it for it in state.seats if it.number != seat), swept=False)
        case PlaceSideBet(seat, amount, side):
            if side == "over":
                return replace(_seat(state, seat, lambda it: replace(it, over=amount)), swept=False)
            return replace(_seat(state, seat, lambda it: replace(it, under=amount)), swept=False)
        case SweepBets():
            return replace(state, swept=True)
        case Burn(card):
            return replace(state, burned=(*state.burned, card))
        case Deal(seat, card, hand):
            return _hand(state, seat, hand, lambda it: _with_card(it, card))
        case DealDealer(card):
            return _deal_dealer(state, card)
        case TurnUpcard(card):
            dealer = replace(state.dealer, upcard=card, face_down=state.dealer.face_down - 1)
            return replace(state, dealer=dealer)
        case SettleSideBets(seat):
            return _settle_side_bets(state, seat)
        case Insure(seat, amount):
            return _seat(state, seat, lambda it: replace(it, insurance=amount))
        case TakeEvenMoney(seat):
            return _hand(state, seat, 1, lambda it: replace(it, even_money=True))
        case CloseInsurance():
            return replace(state, insurance_closed=True)
        case CloseSurrender():
            return replace(state, surrender_closed=True)
        case Peek(blackjack):
            return replace(state, peeked=blackjack)
        case Hit(seat, card, hand):
            return _hand(state, seat, hand, lambda it: _with_card(it, card))
        case Stand(seat, hand):
            return _hand(state, seat, hand, lambda it: replace(it, stood=True))
        case Double(seat, amount, hand):
            return _hand(state, seat, hand, lambda it: replace(it, added=amount))
        case Split(seat, hand):
            return _seat(state, seat, lambda it: _split(it, hand))
        case Surrender(seat):
            return _hand(state, seat, 1, lambda it: replace(it, surrendered=True))
        case RevealHole(card):
            return replace(state, dealer=replace(state.dealer, hole=card, face_down=0))
        case DrawDealer(card):
            return replace(state, dealer=replace(state.dealer, drawn=(*state.dealer.drawn, card)))
        case TurnDoubled(seat, card, hand):
            return _hand(state, seat, hand, lambda it: replace(it, cards=(*it.cards, card), face_down=False))
        case Settle(seat, hand):
            return _settle(state, seat, hand, owed(state, _find(state, seat), hand))
        case SettleInsurance(seat):
            settled = settle_insurance(_find(state, seat).insurance, dealer_blackjack=bool(state.dealer_blackjack))
            entered = _enter(state, Entry(seat, None, settled.outcome, settled.amount))
            return _seat(entered, seat, lambda it: replace(it, insurance_settled=True))
        case GiveBack(seat):
            amount = state.beyond_first_bet(_find(state, seat))
            entered = _enter(state, Entry(seat, None, Outcome.RETURNED, amount))
            return _seat(entered, seat, lambda it: replace(it, given_back=True))
        case CutCard():
            return replace(state, cut_card=True)
        case CallOff():
            return _call_off(state)
        case ClearCards():
            return replace(state, cleared=True)
        case _:
            assert_never(operation)


def _find(state: RoundState, number: int) -> Seat:
    return next(seat for seat in state.seats if seat.number == number)


def _seat(state: State, number: int, change: Callable[[Seat], Seat]) -> State:
    return replace(state, seats=tuple(change(seat) if seat.number == number else seat for seat in state.seats))


def _hand(state: State, seat: int, number: int, change: Callable[[PlayerHand], PlayerHand]) -> State:
    def changed(it: Seat) -> Seat:
        return replace(
            it, hands=tuple(change(hand) if place == number else hand for place, hand in enumerate(it.hands, 1))
        )

    return _seat(state, seat, changed)


def _enter(state: State, entry: Entry) -> State:
    return replace(state, ledger=(*state.ledger, entry))


def _with_bet(state: State, number: int, amount: Fraction) -> State:
    """The round with a bet placed or corrected, to be swept again."""
    if state.seat(number) is None:
        seats = (*state.seats, Seat(number, (PlayerHand(amount),)))
        return replace(state, seats=tuple(sorted(seats, key=lambda it: it.number)), swept=False)
    return replace(_hand(state, number, 1, lambda it: replace(it, bet=amount)), swept=False)


def _with_card(held: PlayerHand, card: Card | None) -> PlayerHand:
    return replace(held, face_down=True) if card is None else replace(held, cards=(*held.cards, card))


def _deal_dealer(state: State, card: Card | None) -> State:
    if card is None:
        return replace(state, dealer=replace(state.dealer, face_down=state.dealer.face_down + 1))
    return replace(state, dealer=replace(state.dealer, upcard=card))


def _split(seat: Seat, number: int) -> Seat:
    held = seat.hands[number - 1]
    halves = tuple(PlayerHand(held.bet, (card,), from_split=True) for card in held.cards)
    return replace(seat, hands=(*seat.hands[: number - 1], *halves, *seat.hands[number:]))


def _settle(state: State, seat: int, number: int, settled: Settlement) -> State:
    entered = _enter(state, Entry(seat, number, settled.outcome, settled.amount))
    return _hand(entered, seat, number, lambda it: replace(it, settlement=settled))


def _settle_side_bets(state: State, number: int) -> State:
    for settled in words.side_bets(_find(state, number)):
        state = _enter(state, Entry(number, None, settled.outcome, settled.amount))
    return _seat(state, number, lambda it: replace(it, side_bets_settled=True))


def _call_off(state: State) -> State:
    """Every open bet given back; what was paid and collected before stands."""
    back = Settlement(Outcome.CALLED_OFF, Fraction(0))
    for seat, number, held in tuple(state.hands()):
        if held.settlement is None:
            state = _settle(state, seat.number, number, back)
    seats = tuple(replace(seat, insurance_settled=True, side_bets_settled=True) for seat in state.seats)
    return replace(state, seats=seats, called_off=True)
