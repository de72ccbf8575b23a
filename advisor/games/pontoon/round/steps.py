"""The next step of a deal, in words and as data. The order of a deal is the order of `_ORDER`, and stands nowhere else.

The order is that of rules/pontoon.md; hands are settled in the order in which they were played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from advisor.games.pontoon.hand import (
    FIVE_CARDS,
    TWENTY_ONE,
    best_total,
    count_values,
    hand_words,
    hard_total,
    total_words,
)
from advisor.games.pontoon.round.state import PunterHand, RoundState, Seat
from advisor.games.pontoon.settlement import Outcome, Settlement, settle_hand
from advisor.games.pontoon.turns import Action, actions, buy_limits
from advisor.money.amounts import format_amount, odds_text


class StepKind(StrEnum):
    """What kind of thing happens next."""

    DEAL = "deal"
    TAKE_STAKE = "take stake"
    DECIDE = "decide"
    COLLECT_BUST = "collect bust"
    TURN_BANKER = "turn banker"
    BANKER_DECIDES = "banker decides"
    SHOW = "show"
    PAY = "pay"
    COLLECT = "collect"
    OUT_OF_CARDS = "out of cards"
    CLEAR_CARDS = "clear cards"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The next step. A field that does not apply is None or empty."""

    kind: StepKind
    words: str
    """One or two short English sentences."""
    seat: int | None = None
    hand: int | None = None
    """The hand in its seat, from 1."""
    actions: tuple[Action, ...] = ()
    """What the punter may do."""
    least: Fraction | None = None
    """The least that may be staked or bought for."""
    most: Fraction | None = None
    amount: Fraction | None = None
    """What the punter gains by the step: negative where chips are collected."""
    outcome: Outcome | None = None


SETTLES: Final = (StepKind.PAY, StepKind.COLLECT)
"""The steps that settle a hand."""


def spot(state: RoundState, seat: int, hand: int = 1) -> str:
    """The place: "Seat 3", or "Seat 3, hand 2" where the seat has several hands."""
    there = state.seat(seat)
    several = hand > 1 or (there is not None and len(there.hands) > 1)
    return f"Seat {seat}, hand {hand}" if several else f"Seat {seat}"


def owed(state: RoundState, held: PunterHand) -> Settlement:
    """What a hand comes to against the banker's cards as they lie; a hand never shown loses to a pontoon."""
    if held.cards is None:
        return Settlement(Outcome.BANKER_PONTOON, -held.total_stake)
    return settle_hand(state.rules, held.cards, held.total_stake, state.banker_cards, from_split=held.from_split)


def next_step(state: RoundState) -> Step:
    """What happens next; there is always something until the deal is over."""
    step = next(step for step in (question(state) for question in _ORDER) if step is not None)
    if step.kind is StepKind.DEAL and not state.pack.cards:
        said = "The pack is empty, so the deal cannot go on: call it off and give the stakes back."
        return Step(kind=StepKind.OUT_OF_CARDS, words=said, seat=step.seat, hand=step.hand)
    return step


def _over(state: RoundState) -> Step | None:
    if not state.cleared:
        return None
    shuffle = ": shuffle" if state.shuffle_due else ", and the pack is not shuffled"
    return Step(kind=StepKind.OVER, words=f"The deal is over{shuffle}.")


def _called_off(state: RoundState) -> Step | None:
    return _clear(state) if state.called_off else None


def _first_cards(state: RoundState) -> Step | None:
    return _deal_round(state, 1)


def _stakes(state: RoundState) -> Step | None:
    least, most = state.rules.minimum, state.rules.maximum
    for seat in state.seats:
        if not seat.hands[0].stake:
            said = f"Seat {seat.number} looks at its card and stakes {format_amount(least)} to {format_amount(most)}."
            return Step(kind=StepKind.TAKE_STAKE, words=said, seat=seat.number, hand=1, least=least, most=most)
    return None


def _second_cards(state: RoundState) -> Step | None:
    return _deal_round(state, 2)


def _deal_round(state: RoundState, cards: int) -> Step | None:
    which = "first" if cards == 1 else "second"
    for seat in state.seats:
        if len(seat.hands) == 1 and len(seat.hands[0].held) < cards:
            said = f"Deal seat {seat.number} a {which} card, face down."
            return Step(kind=StepKind.DEAL, words=said, seat=seat.number, hand=1)
    if len(state.banker_held) < cards:
        words = f"Deal the banker a {which} card, face down; the banker does not look."
        return Step(kind=StepKind.DEAL, words=words, seat=state.banker, hand=1)
    return None


def _punters(state: RoundState) -> Step | None:
    for seat, number, held in state.hands():
        if held.settlement is None and not held.stuck:
            return _turn(state, seat, number, held)
    return None


def _turn(state: RoundState, seat: Seat, number: int, held: PunterHand) -> Step:
    place = spot(state, seat.number, number)
    if len(held.held) < 2:
        said = f"{place}: deal the second card, face down."
        return Step(kind=StepKind.DEAL, words=said, seat=seat.number, hand=number)
    if held.cards is not None and hard_total(count_values(held.cards)) > TWENTY_ONE:
        said = (
            f"{place} is bust: collect {format_amount(held.total_stake)}, and the cards go to the bottom of the pack."
        )
        return Step(
            kind=StepKind.COLLECT_BUST,
            words=said,
            seat=seat.number,
            hand=number,
            actions=(Action.BUST,),
            amount=-held.total_stake,
            outcome=Outcome.BUST,
        )
    allowed = actions(
        state.rules,
        len(held.held),
        held.cards,
        twisted=held.twisted,
        from_split=held.from_split,
        hands=len(seat.hands),
        cards_left=state.pack.cards > 0,
    )
    least, most = buy_limits(state.rules, (held.stake, *held.buys))
    buys = Action.BUY in allowed
    range_ = format_amount(least) if least == most else f"{format_amount(least)} to {format_amount(most)}"
    choice = [f"buy for {range_}" if it is Action.BUY else str(it) for it in allowed]
    if Action.STICK in allowed and held.cards is None and not _five_cards(state, held):
        choice[allowed.index(Action.STICK)] = f"stick on {state.rules.stick_at} or more"
    joined = choice[0] if len(choice) == 1 else f"{', '.join(choice[:-1])} or {choice[-1]}"
    return Step(
        kind=StepKind.DECIDE,
        words=f"{place}: {joined}?",
        seat=seat.number,
        hand=number,
        actions=allowed,
        least=least if buys else None,
        most=most if buys else None,
    )


def _five_cards(state: RoundState, held: PunterHand) -> bool:
    return state.rules.five_card_trick and len(held.held) >= FIVE_CARDS


def _banker(state: RoundState) -> Step | None:
    if not state.open_hands or state.stayed:
        return None
    if len(state.banker_cards) < 2:
        return Step(kind=StepKind.TURN_BANKER, words="The banker turns up two cards.", seat=state.banker)
    counts = count_values(state.banker_cards)
    if state.banker_pontoon or hard_total(counts) > TWENTY_ONE or not state.pack.cards:
        return None
    said = f"The banker has {total_words(counts)}: draw or stay?"
    return Step(kind=StepKind.BANKER_DECIDES, words=said, seat=state.banker)


def _settlement(state: RoundState) -> Step | None:
    for seat, number, held in state.hands():
        if held.settlement is not None:
            continue
        place = spot(state, seat.number, number)
        if not state.banker_pontoon and not held.shown:
            return Step(kind=StepKind.SHOW, words=f"{place}: turn the cards up.", seat=seat.number, hand=number)
        settled = owed(state, held)
        return Step(
            kind=StepKind.PAY if settled.amount > 0 else StepKind.COLLECT,
            words=f"{place}{_settle_words(state, held, settled)}",
            seat=seat.number,
            hand=number,
            amount=settled.amount,
            outcome=settled.outcome,
        )
    return None


def _settle_words(state: RoundState, held: PunterHand, settled: Settlement) -> str:
    amount, his = format_amount(abs(settled.amount)), best_total(count_values(state.banker_cards))
    mine = "" if held.counts is None else hand_words(state.rules, held.counts, held.from_split)
    match settled.outcome:
        case Outcome.BANKER_PONTOON:
            return f" loses to the banker's pontoon: collect {amount}."
        case Outcome.PONTOON | Outcome.ROYAL | Outcome.FIVE_CARDS:
            odds = odds_text(settled.amount / held.total_stake)
            return f" has {mine}: pay {amount} ({odds} on {format_amount(held.total_stake)})."
        case Outcome.WIN:
            return f" wins with {mine} against {his}: pay {amount}."
        case Outcome.BANKER_BUST:
            return f" wins, for the banker is bust: pay {amount}."
        case Outcome.TOO_LOW:
            return f" has {mine}, less than {state.rules.stick_at}, and loses even to a bust banker: collect {amount}."
        case _:
            return f" loses with {mine} against {his}: collect {amount}."


def _clear(state: RoundState) -> Step | None:
    said = "Put the cards to the bottom of the pack."
    if state.shuffle_due and not state.called_off:
        why = "somebody had a pontoon" if state.rules.shuffle == "after-pontoon" else "this table shuffles every deal"
        said += f" Then shuffle: {why}."
    return Step(kind=StepKind.CLEAR_CARDS, words=said)


_ORDER: Final[tuple[Callable[[RoundState], Step | None], ...]] = (
    _over,
    _called_off,
    _first_cards,
    _stakes,
    _second_cards,
    _punters,
    _banker,
    _settlement,
    _clear,
)
