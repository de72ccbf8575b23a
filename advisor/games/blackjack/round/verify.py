"""Whether an operation is allowed in the round as it stands, and a sentence saying why where it is not."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from advisor.games.blackjack.decision import Action
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.round.hands import even_money_offered, insurance_limit
from advisor.games.blackjack.round.operations import (
    SEATS,
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
from advisor.games.blackjack.round.settlement import INSURANCE_SHARE
from advisor.games.blackjack.round.state import PlayerHand, RoundState, Seat
from advisor.games.blackjack.round.steps import SETTLES, Step, StepKind, next_step
from advisor.games.blackjack.round.words import inline, one_of, spot
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import remaining, shoe_problems
from advisor.games.blackjack.values import VALUES
from advisor.games.cards import Card
from advisor.games.operations import IllegalMove
from advisor.money.amounts import format_amount


def bet_problems(rules: HouseRules, seat: int, amount: Fraction) -> tuple[str, ...]:
    """Everything wrong with a bet that lies before a seat, a sentence each; empty when it may stay."""
    bet = f"Seat {seat}: a bet of {format_amount(amount)}"
    if amount <= 0:
        return (f"{bet} cannot be: a bet is more than 0.",)
    problems = []
    if amount % rules.unit:
        problems.append(f"{bet} is not in whole units of {format_amount(rules.unit)}.")
    if amount < rules.minimum:
        problems.append(f"{bet} is under the minimum of {format_amount(rules.minimum)}.")
    if amount > rules.maximum:
        problems.append(f"{bet} is over the maximum of {format_amount(rules.maximum)}.")
    return tuple(problems)


def verify(state: RoundState, operation: Operation) -> None:
    """Raises `IllegalMove` with a sentence where the round does not allow the operation now."""
    match operation:
        case PlaceBet() | TakeBackBet() | PlaceSideBet() | SweepBets():
            _verify_betting(state, operation)
        case Burn() | Deal() | DealDealer() | TurnUpcard() | SettleSideBets():
            _verify_dealing(state, operation)
        case Insure() | TakeEvenMoney() | CloseInsurance() | CloseSurrender() | Peek():
            _verify_before_peek(state, operation)
        case Hit() | Stand() | Double() | Split() | Surrender():
            _verify_player(state, operation)
        case RevealHole() | DrawDealer() | TurnDoubled():
            _verify_dealer(state, operation)
        case Settle() | SettleInsurance() | GiveBack() | CutCard() | CallOff() | ClearCards():
            _verify_end(state, operation)
        case _:
            assert_never(operation)


def _verify_betting(state: RoundState, operation: PlaceBet | TakeBackBet | PlaceSideBet | SweepBets) -> None:
    if isinstance(operation, SweepBets):
        _next_is(state, "The bets cannot be swept", StepKind.SWEEP_BETS)
        return
    if operation.seat not in SEATS:
        raise IllegalMove(f"Seat {operation.seat} cannot bet: the seats are {SEATS[0]} to {SEATS[-1]}.")
    if state.cards_out or state.called_off or state.cleared:
        raise IllegalMove(f"Seat {operation.seat} cannot change its bet now: only before the first card is dealt.")
    if isinstance(operation, PlaceBet):
        problems = bet_problems(state.rules, operation.seat, operation.amount)
        if problems:
            raise IllegalMove(" ".join(problems))
        return
    _seat(state, operation.seat)
    if isinstance(operation, PlaceSideBet):
        _verify_side_bet(state.rules, operation)


def _verify_side_bet(rules: HouseRules, operation: PlaceSideBet) -> None:
    bet = f"Seat {operation.seat}: a bet of {format_amount(operation.amount)} on {operation.side}"
    if not rules.over_under_13:
        raise IllegalMove(f"{bet} cannot be: this table has no over/under bet.")
    if operation.side not in ("over", "under"):
        raise IllegalMove(f"{bet} cannot be: the bets are over and under.")
    if operation.amount <= 0 or operation.amount % rules.unit:
        raise IllegalMove(f"{bet} is not in whole units of {format_amount(rules.unit)}, one or more.")
    if operation.amount > rules.maximum:
        raise IllegalMove(f"{bet} is over the maximum of {format_amount(rules.maximum)}.")


def _verify_dealing(state: RoundState, operation: Burn | Deal | DealDealer | TurnUpcard | SettleSideBets) -> None:
    match operation:
        case Burn(card):
            if not state.swept or state.cards_out or state.burned:
                raise IllegalMove("A card is burned once, after the bets are swept and before the first card is dealt.")
            _card(state, "The burned card", card)
        case Deal(seat, card, hand):
            place = spot(state, seat, hand)
            step = _next_is(state, f"{place} cannot be dealt a card", StepKind.DEAL, seat=seat, hand=hand)
            if step.face_down != (card is None):
                lies = "face down" if step.face_down else "face up"
                raise IllegalMove(f"The card of {inline(place)} must lie {lies}.")
            _card(state, place, card)
        case DealDealer(card):
            step = _next_is(state, "The dealer cannot be dealt a card", StepKind.DEAL_DEALER)
            if step.face_down and card is not None:
                raise IllegalMove("The dealer's second card must lie face down, for the upcard lies there already.")
            if state.rules.hole_card == "none" and card is None:
                raise IllegalMove("The dealer's card must lie face up: this table plays without a hole card.")
            _card(state, "The dealer", card)
        case TurnUpcard(card):
            _next_is(state, "The upcard cannot be turned", StepKind.TURN_UPCARD)
            _card(state, "The dealer", card, turned=True)
        case SettleSideBets(seat):
            doing = f"The side bets of seat {seat} cannot be settled"
            _next_is(state, doing, StepKind.SETTLE_SIDE_BETS, seat=seat)


def _verify_before_peek(
    state: RoundState, operation: Insure | TakeEvenMoney | CloseInsurance | CloseSurrender | Peek
) -> None:
    open_ = (StepKind.OFFER_INSURANCE, StepKind.CHECK_INSURANCE)
    match operation:
        case Insure(seat, amount):
            place = _seat(state, seat)
            _next_is(state, f"Seat {seat} cannot insure", *open_)
            _verify_insurance(state, place, amount)
        case TakeEvenMoney(seat):
            place = _seat(state, seat)
            _next_is(state, f"Seat {seat} cannot take even money", *open_)
            if not even_money_offered(state, place):
                raise IllegalMove(
                    f"Seat {seat} cannot take even money: only a blackjack may, where the rules offer it."
                )
            if place.insured or place.hands[0].even_money:
                raise IllegalMove(f"Seat {seat} has insured or taken even money already.")
        case CloseInsurance():
            _next_is(state, "Insurance cannot be closed", *open_)
        case CloseSurrender():
            _next_is(state, "Surrender cannot be closed", StepKind.OFFER_SURRENDER)
        case Peek(blackjack):
            _next_is(state, "The dealer cannot peek", StepKind.PEEK)
            _verify_peek(state, blackjack)


def _verify_insurance(state: RoundState, seat: Seat, amount: Fraction) -> None:
    bet = f"Seat {seat.number}: an insurance bet of {format_amount(amount)}"
    most = insurance_limit(state, seat)
    if most is None:
        why = "it has taken even money" if seat.hands[0].even_money else "these rules do not offer it to this hand"
        raise IllegalMove(f"Seat {seat.number} cannot insure: {why}.")
    # Half of a bet of an odd number of units must be allowed, or the hand could not be insured in full.
    unit = state.rules.unit * INSURANCE_SHARE
    if amount <= 0 or amount % unit:
        raise IllegalMove(f"{bet} is not in whole steps of {format_amount(unit)}, half a unit, one or more.")
    if amount > most:
        said = f"{bet} is more than half the bet of {format_amount(seat.hands[0].bet)}"
        raise IllegalMove(f"{said}: at most {format_amount(most)}.")


def _verify_peek(state: RoundState, blackjack: bool) -> None:
    barred = state.blackjack_card
    assert barred is not None
    unseen = remaining(state.rules.decks, state.known_cards)
    if blackjack and not unseen[barred]:
        raise IllegalMove(f"The dealer cannot have a blackjack: no {VALUES[barred]} is left unseen.")
    if not blackjack and unseen[barred] == sum(unseen):
        raise IllegalMove(f"The dealer must have a blackjack: only cards of value {VALUES[barred]} are left unseen.")


def _verify_player(state: RoundState, operation: Hit | Stand | Double | Split | Surrender) -> None:
    match operation:
        case Hit(seat, card, hand):
            _decision(state, Action.HIT, seat, hand)
            _card(state, spot(state, seat, hand), card)
        case Stand(seat, hand):
            _decision(state, Action.STAND, seat, hand)
        case Double(seat, amount, hand):
            held = _decision(state, Action.DOUBLE, seat, hand)
            _verify_double(state.rules, spot(state, seat, hand), held.bet, amount)
        case Split(seat, hand):
            _decision(state, Action.SPLIT, seat, hand)
        case Surrender(seat):
            step = next_step(state)
            if step.kind is not StepKind.OFFER_SURRENDER or seat not in step.seats:
                _decision(state, Action.SURRENDER, seat, 1)


def _verify_double(rules: HouseRules, place: str, bet: Fraction, amount: Fraction) -> None:
    adding = f"{place} cannot add {format_amount(amount)} to its bet of {format_amount(bet)}"
    if amount <= 0 or amount % rules.unit:
        raise IllegalMove(f"{adding}: a double adds whole units of {format_amount(rules.unit)}, one or more.")
    if amount > bet:
        raise IllegalMove(f"{adding}: a double adds at most {format_amount(bet)}.")
    if amount < bet and not rules.double_for_less:
        raise IllegalMove(f"{adding}: this table does not double for less, so add {format_amount(bet)}.")


def _verify_dealer(state: RoundState, operation: RevealHole | DrawDealer | TurnDoubled) -> None:
    match operation:
        case RevealHole(card):
            _next_is(state, "The hole card cannot be turned", StepKind.REVEAL)
            _card(state, "The dealer", card, turned=True)
            upcard = state.dealer.upcard
            assert upcard is not None
            blackjack = Hand((upcard, card)).blackjack
            if state.peeked is not None and blackjack != state.peeked:
                found = "a blackjack" if state.peeked else "no blackjack"
                raise IllegalMove(f"The hole card cannot be the {card.name}: the peek found {found}.")
        case DrawDealer(card):
            _next_is(state, "The dealer cannot draw", StepKind.DRAW)
            _card(state, "The dealer", card)
        case TurnDoubled(seat, card, hand):
            place = spot(state, seat, hand)
            doing = f"The doubled card of {inline(place)} cannot be turned"
            if not _lies_down_at_the_end(state, seat, hand):
                _next_is(state, doing, StepKind.TURN_DOUBLED, seat=seat, hand=hand)
            _card(state, place, card, turned=True)


def _lies_down_at_the_end(state: RoundState, seat: int, hand: int) -> bool:
    """Whether the hand's doubled card may be turned whoever is settled first: all that the dealer does is done."""
    there = state.seat(seat)
    if there is None or not 0 < hand <= len(there.hands) or not there.hands[hand - 1].face_down:
        return False
    played = state.dealer.hole is not None or bool(state.dealer.drawn)
    return played and next_step(state).kind in (StepKind.TURN_DOUBLED, *SETTLES.values())


def _verify_end(
    state: RoundState, operation: Settle | SettleInsurance | GiveBack | CutCard | CallOff | ClearCards
) -> None:
    match operation:
        case Settle(seat, hand):
            place = spot(state, seat, hand)
            _next_is(state, f"{place} cannot be settled", *SETTLES.values(), seat=seat, hand=hand)
        case SettleInsurance(seat):
            kinds = (StepKind.COLLECT_INSURANCE, StepKind.PAY_INSURANCE)
            _next_is(state, f"The insurance of seat {seat} cannot be settled", *kinds, seat=seat)
        case GiveBack(seat):
            _next_is(state, f"Nothing can be given back to seat {seat}", StepKind.GIVE_BACK, seat=seat)
        case CutCard():
            if state.cut_card or not state.swept or state.cleared:
                raise IllegalMove("The cut card appears once, between the sweep of the bets and the end of the round.")
        case CallOff():
            if state.called_off or state.cleared or not state.seats:
                raise IllegalMove("There is nothing to call off: no bets are open in this round.")
        case ClearCards():
            _next_is(state, "The cards cannot be cleared", StepKind.CLEAR_CARDS)


def _next_is(state: RoundState, doing: str, *kinds: StepKind, seat: int | None = None, hand: int | None = None) -> Step:
    """The next step, which must be of one of these kinds and at this place."""
    step = next_step(state)
    here = (seat is None or step.seat == seat) and (hand is None or step.hand == hand)
    if step.kind not in kinds or not here:
        raise IllegalMove(f"{doing} now. Next: {step.words}")
    return step


def _decision(state: RoundState, action: Action, seat: int, hand: int) -> PlayerHand:
    """The hand whose decision it is, which must be allowed the action."""
    held = _hand(state, seat, hand)
    place = spot(state, seat, hand)
    step = _next_is(state, f"{place} cannot {action}", StepKind.DECIDE, seat=seat, hand=hand)
    if action not in step.actions:
        why = f"these rules do not allow it with {held.hand.text} of {len(held.cards)} cards now"
        if not state.cards_left:
            why = "no card is left in the shoe"
        raise IllegalMove(f"{place} cannot {action}: {why}. It may {one_of(step.actions)}.")
    return held


def _seat(state: RoundState, number: int) -> Seat:
    seat = state.seat(number)
    if seat is None:
        there = ", ".join(str(seat.number) for seat in state.seats) or "none"
        raise IllegalMove(f"Seat {number} has no bet in this round. Seats that have bet: {there}.")
    return seat


def _hand(state: RoundState, number: int, hand: int) -> PlayerHand:
    seat = _seat(state, number)
    if not 1 <= hand <= len(seat.hands):
        raise IllegalMove(f"Seat {number} has no hand {hand}: its hands are numbered 1 to {len(seat.hands)}.")
    return seat.hands[hand - 1]


def _card(state: RoundState, place: str, card: Card | None, *, turned: bool = False) -> None:
    """That the shoe can still hold the card; one that is turned has left the shoe already."""
    if not turned and state.cards_left <= 0:
        raise IllegalMove(f"{place}: no card is left in the shoe.")
    if card is None:
        return
    before = shoe_problems(state.rules.decks, state.known_cards)
    problems = [it for it in shoe_problems(state.rules.decks, (*state.known_cards, card)) if it not in before]
    if problems:
        raise IllegalMove(f"{place} cannot have the {card.name}: {problems[0]}.")
