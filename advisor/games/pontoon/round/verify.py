"""Whether an operation is allowed in the deal as it stands, and a sentence saying why where it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from advisor.games.cards import Card, cards_text
from advisor.games.operations import IllegalMove, bet_problems
from advisor.games.pontoon.hand import TWENTY_ONE, Kind, count_values, hard_total, kind
from advisor.games.pontoon.round.operations import (
    Buy,
    CallOff,
    ClearCards,
    Deal,
    DrawBanker,
    GiveUp,
    GoBust,
    Operation,
    Settle,
    Show,
    ShowPontoon,
    Split,
    Stake,
    Stay,
    Stick,
    TurnBanker,
    Twist,
)
from advisor.games.pontoon.round.state import Held, PunterHand, RoundState
from advisor.games.pontoon.round.steps import SETTLES, Step, StepKind, next_step, spot
from advisor.games.pontoon.turns import Action, buy_limits, may_split, may_stick


def verify(state: RoundState, operation: Operation) -> None:
    """Raises `IllegalMove` with a sentence where the deal does not allow the operation now."""
    match operation:
        case Deal(seat, card, hand):
            _next_is(state, f"{spot(state, seat, hand)} cannot be dealt a card", StepKind.DEAL, seat=seat, hand=hand)
            state.pack.dealt(card)
        case Stake():
            _verify_stake(state, operation)
        case ShowPontoon() | Stick() | Buy() | Twist() | Split() | GoBust():
            _verify_punter(state, operation)
        case GiveUp(seat, hand):
            kinds = (StepKind.DECIDE, StepKind.COLLECT_BUST, StepKind.SHOW)
            _next_is(state, f"{spot(state, seat, hand)} cannot be given up", *kinds, seat=seat, hand=hand)
        case TurnBanker() | DrawBanker() | Stay():
            _verify_banker(state, operation)
        case Show(seat, cards, hand):
            _next_is(state, f"{spot(state, seat, hand)} cannot be shown", StepKind.SHOW, seat=seat, hand=hand)
            check_shown(state, spot(state, seat, hand), hand_at(state, seat, hand).held, cards)
        case Settle(seat, hand):
            _next_is(state, f"{spot(state, seat, hand)} cannot be settled", *SETTLES, seat=seat, hand=hand)
        case CallOff():
            if state.called_off or state.cleared:
                raise IllegalMove("There is nothing to call off: the deal is over.")
        case ClearCards():
            _next_is(state, "The cards cannot be cleared", StepKind.CLEAR_CARDS)
        case _:
            assert_never(operation)


def hand_at(state: RoundState, number: int, hand: int) -> PunterHand:
    """The punter's hand; raises `IllegalMove` where there is none."""
    seat = state.seat(number)
    if seat is None:
        there = ", ".join(str(it.number) for it in state.seats)
        raise IllegalMove(f"Seat {number} is no punter in this deal. The punters sit at {there}.")
    if not 1 <= hand <= len(seat.hands):
        raise IllegalMove(f"Seat {number} has no hand {hand}: its hands are numbered 1 to {len(seat.hands)}.")
    return seat.hands[hand - 1]


def check_shown(state: RoundState, place: str, held: Sequence[Held], cards: Sequence[Card]) -> None:
    """That cards turned up fit the cards that lie there and what the pack can hold."""
    if len(cards) != len(held):
        raise IllegalMove(f"{place} has {len(held)} cards, not {len(cards)}: name them all.")
    known = Counter(it.card for it in held if it.card is not None)
    new = Counter(cards)
    if known - new:
        missing = cards_text(sorted((known - new).elements(), key=str))
        raise IllegalMove(f"{place} cannot be {cards_text(cards)}: {missing} lies there.")
    pack = state.pack
    for card in newly_seen(held, cards):
        pack = pack.revealed(card)


def newly_seen(held: Sequence[Held], cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards turned up that had not been seen since the shuffle.

    Where some of the hidden cards had come round from the bottom, it cannot be told which; the last count as those.
    """
    hidden = list((Counter(cards) - Counter(it.card for it in held if it.card is not None)).elements())
    fresh = sum(it.fresh for it in held if it.card is None)
    return tuple(hidden[:fresh])


def _verify_stake(state: RoundState, operation: Stake) -> None:
    held = hand_at(state, operation.seat, 1)
    step = next_step(state)
    correcting = held.stake > 0 and len(held.held) == 1 and step.kind in (StepKind.TAKE_STAKE, StepKind.DEAL)
    if len(held.held) != 1 or not (step.kind is StepKind.TAKE_STAKE or correcting):
        raise IllegalMove(f"Seat {operation.seat} cannot stake now. Next: {step.words}")
    rules = state.rules
    problems = bet_problems(
        f"Seat {operation.seat}: a stake", operation.amount, rules.minimum, rules.maximum, rules.unit
    )
    if problems:
        raise IllegalMove(" ".join(problems))


def _verify_punter(state: RoundState, operation: ShowPontoon | Stick | Buy | Twist | Split | GoBust) -> None:
    place, rules = spot(state, operation.seat, operation.hand), state.rules
    held = hand_at(state, operation.seat, operation.hand)
    match operation:
        case ShowPontoon(_, cards, _):
            _decides(state, operation, Action.PONTOON)
            check_shown(state, place, held.held, cards)
            if kind(rules, count_values(cards), held.from_split) is not Kind.PONTOON:
                raise IllegalMove(f"{place}: {cards_text(cards)} is no pontoon.")
        case Stick():
            _decides(state, operation, Action.STICK)
        case Buy(_, amount, card, _):
            _decides(state, operation, Action.BUY)
            least, most = buy_limits(rules, (held.stake, *held.buys))
            if problems := bet_problems(f"{place}: a buy", amount, least, most, rules.unit):
                raise IllegalMove(" ".join(problems))
            state.pack.dealt(card)
        case Twist(_, card, _):
            _decides(state, operation, Action.TWIST)
            state.pack.dealt(card)
        case Split(_, cards, _):
            _decides(state, operation, Action.SPLIT)
            check_shown(state, place, held.held, cards)
            seat = state.seat(operation.seat)
            if seat is None or not may_split(rules, cards, len(seat.hands)):
                raise IllegalMove(f"{place} cannot split {cards_text(cards)}: the rules say split={rules.split}.")
        case GoBust(_, cards, _):
            _decides(state, operation, Action.BUST)
            check_shown(state, place, held.held, cards)
            if hard_total(count_values(cards)) <= TWENTY_ONE:
                raise IllegalMove(f"{place} is not bust with {cards_text(cards)}.")
        case _:
            assert_never(operation)


def _decides(state: RoundState, operation: ShowPontoon | Stick | Buy | Twist | Split | GoBust, action: Action) -> None:
    """That it is this hand's turn and that it may do so."""
    place, held = spot(state, operation.seat, operation.hand), hand_at(state, operation.seat, operation.hand)
    kinds = (StepKind.DECIDE, StepKind.COLLECT_BUST)
    step = _next_is(state, f"{place} cannot {action}", *kinds, seat=operation.seat, hand=operation.hand)
    if action in step.actions:
        return
    why = "these rules do not allow it now"
    if action is Action.STICK and held.cards is not None and not may_stick(state.rules, held.cards):
        why = f"it needs {state.rules.stick_at} or more"
    elif action is Action.BUY and held.twisted:
        why = "it has twisted"
    elif not state.pack.cards:
        why = "no card is left in the pack"
    raise IllegalMove(f"{place} cannot {action}: {why}. Next: {step.words}")


def _verify_banker(state: RoundState, operation: TurnBanker | DrawBanker | Stay) -> None:
    match operation:
        case TurnBanker(cards):
            _next_is(state, "The banker's cards cannot be turned up", StepKind.TURN_BANKER)
            check_shown(state, "The banker", state.banker_held, cards)
        case DrawBanker(card):
            _next_is(state, "The banker cannot draw", StepKind.BANKER_DECIDES)
            state.pack.dealt(card)
        case Stay():
            _next_is(state, "The banker cannot stay", StepKind.BANKER_DECIDES)


def _next_is(state: RoundState, doing: str, *kinds: StepKind, seat: int | None = None, hand: int | None = None) -> Step:
    """The next step, which must be of one of these kinds and at this place."""
    step = next_step(state)
    here = (seat is None or step.seat == seat) and (hand is None or step.hand == hand)
    if step.kind not in kinds or not here:
        raise IllegalMove(f"{doing} now. Next: {step.words}")
    return step
