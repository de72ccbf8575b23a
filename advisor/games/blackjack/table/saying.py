"""What may be said now: each choice is an operation of the round, with words for its button."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from advisor.games.blackjack.decision import Action
from advisor.games.blackjack.round import Operation, Round, Step, StepKind, as_dict
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.steps import SETTLES
from advisor.games.blackjack.rules import HouseRules
from advisor.games.contract import Choice, Place
from advisor.money.amounts import format_amount

_SETTLING: Final = frozenset(SETTLES.values())


def choices(state: Round, step: Step) -> tuple[Choice, ...]:
    """What may be said at this step, the usual thing first."""
    found = list(_at(state, step))
    if state.cards_out and step.kind not in (StepKind.OVER, StepKind.CLEAR_CARDS):
        found.append(_say("Call the round off", ops.CallOff()))
    return tuple(found)


def bets(rules: HouseRules, seat: int) -> tuple[Choice, ...]:
    """The bets that a seat may put down, with the amount left open."""
    open_ = ops.PlaceBet(seat, Fraction(rules.minimum))
    found = [Choice("Bet", {**as_dict(open_), "amount": ""}, Place(seat))]
    if rules.over_under_13:
        for side in ("over", "under"):
            bet = {**as_dict(ops.PlaceSideBet(seat, rules.minimum, side)), "amount": ""}
            found.append(Choice(f"{side.capitalize()} 13", bet, Place(seat)))
    return tuple(found)


def _say(words: str, operation: Operation, place: Place | None = None, main: bool = False) -> Choice:
    return Choice(words, as_dict(operation), place, main)


def _at(state: Round, step: Step) -> Iterator[Choice]:
    seat, hand = step.seat or 0, step.hand or 1
    place = Place(seat, hand)
    if step.kind in _SETTLING:
        words = {StepKind.PUSH: "Pushed"}.get(step.kind, "Paid" if (step.amount or 0) > 0 else "Collected")
        yield _say(words, ops.Settle(seat, hand), place, main=True)
        return
    match step.kind:
        case StepKind.TAKE_BETS | StepKind.SWEEP_BETS:
            if step.kind is StepKind.SWEEP_BETS:
                yield _say("No more bets", ops.SweepBets(), main=True)
            for number in ops.SEATS:
                yield from bets(state.rules, number)
        case StepKind.BURN:
            yield _say("Burned", ops.Burn(None), main=True)
        case StepKind.SETTLE_SIDE_BETS:
            yield _say("Side bets settled", ops.SettleSideBets(seat), Place(seat), main=True)
        case StepKind.OFFER_INSURANCE | StepKind.CHECK_INSURANCE:
            yield _say("No more insurance", ops.CloseInsurance(), main=True)
            for number in step.seats:
                yield _say(f"Seat {number}: even money", ops.TakeEvenMoney(number), Place(number))
            for number, most in step.limits:
                there = state.seat(number)
                if there is not None and not there.insured:
                    words = f"Seat {number}: insure for {format_amount(most)}"
                    yield _say(words, ops.Insure(number, most), Place(number))
        case StepKind.OFFER_SURRENDER:
            yield _say("No surrender", ops.CloseSurrender(), main=True)
            for number in step.seats:
                yield _say(f"Seat {number} surrenders", ops.Surrender(number), Place(number))
        case StepKind.PEEK:
            yield _say("No blackjack", ops.Peek(False), main=True)
            yield _say("Blackjack", ops.Peek(True))
        case StepKind.COLLECT_INSURANCE | StepKind.PAY_INSURANCE:
            words = "Collected" if step.kind is StepKind.COLLECT_INSURANCE else "Paid"
            yield _say(words, ops.SettleInsurance(seat), Place(seat), main=True)
        case StepKind.GIVE_BACK:
            yield _say("Given back", ops.GiveBack(seat), Place(seat), main=True)
        case StepKind.DECIDE:
            yield from _decisions(state, step, place)
        case StepKind.CLEAR_CARDS:
            yield _say("Cards cleared", ops.ClearCards(), main=True)
        case StepKind.OUT_OF_CARDS:
            yield _say("Call the round off", ops.CallOff(), main=True)
        case StepKind.DEAL | StepKind.DEAL_DEALER | StepKind.DRAW:
            if step.face_down and step.kind is StepKind.DEAL_DEALER:
                yield _say("It lies there", ops.DealDealer(None))
            if not state.cut_card:
                yield _say("Cut card", ops.CutCard())


def _decisions(state: Round, step: Step, place: Place) -> Iterator[Choice]:
    """A hit is told by its card; the other decisions may be said before anything moves."""
    seat = state.seat(place.seat)
    assert seat is not None
    bet = seat.hands[place.hand - 1].bet
    if Action.STAND in step.actions:
        yield _say("Stands", ops.Stand(place.seat, place.hand), place, main=True)
    if Action.DOUBLE in step.actions:
        yield _say("Doubles", ops.Double(place.seat, bet, place.hand), place)
        if state.rules.double_for_less:
            operation = {**as_dict(ops.Double(place.seat, bet, place.hand)), "amount": ""}
            yield Choice("Doubles for less", operation, place)
    if Action.SPLIT in step.actions:
        yield _say("Splits", ops.Split(place.seat, place.hand), place)
    if Action.SURRENDER in step.actions:
        yield _say("Surrenders", ops.Surrender(place.seat), place)
