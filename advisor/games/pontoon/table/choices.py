"""What may be said of a deal now, as operations in its own plain form."""

from __future__ import annotations

from fractions import Fraction

from advisor.games.cards import Card
from advisor.games.contract.driving import is_over
from advisor.games.contract.played import Choice
from advisor.games.contract.story import HOUSE, Place, Story
from advisor.games.pontoon.round import Round, Step, StepKind, actions
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.table.drive import Driven
from advisor.games.pontoon.table.start import DEALER, MOST_SEATS, place_of
from advisor.games.pontoon.table.told import TOLD, AskTwist, NameBanker, SellBank, ToldOperation
from advisor.games.pontoon.table.views import turn
from advisor.games.pontoon.turns import Action
from advisor.money.amounts import format_amount


def betting(rules: PontoonRules, seat: int) -> tuple[Choice, ...]:
    """A seat's stake, the amount left open."""
    if not 1 <= seat <= MOST_SEATS:
        return ()
    return (_open(f"Seat {seat} stakes", ops.Stake(seat, rules.minimum), Place(seat)),)


def choices(rules: PontoonRules, driven: Driven, story: Story) -> tuple[Choice, ...]:
    """Everything that may be said now, what usually follows first."""
    state, step = driven.round, driven.step
    if state is None or step is None:
        return () if is_over(story) else _bank(rules, driven)
    if state.finished:
        return ()
    found: list[Choice] = []
    match step.kind:
        case StepKind.TAKE_STAKE:
            found += _stakes(state, story)
        case StepKind.DECIDE | StepKind.COLLECT_BUST:
            found += _turn(driven, state, step)
        case StepKind.BANKER_DECIDES:
            found.append(_choice("The banker stays", ops.Stay(), Place(HOUSE), main=True))
        case StepKind.SHOW:
            found += _shows(step)
        case StepKind.PAY | StepKind.COLLECT:
            assert step.seat is not None and step.hand is not None and step.amount is not None
            words = "Paid" if step.kind is StepKind.PAY else "Collected"
            settle = ops.Settle(step.seat, step.hand)
            found.append(
                _choice(f"{words} {format_amount(abs(step.amount))}", settle, Place(step.seat, step.hand), main=True)
            )
        case StepKind.CLEAR_CARDS:
            found.append(_choice("Cards cleared", ops.ClearCards(), main=True))
    if not story.cards:
        found += _bank(rules, driven)
    if actions.can_call_off(state):
        found.append(_choice("Call the deal off", ops.CallOff()))
    return tuple(found)


def _stakes(state: Round, story: Story) -> list[Choice]:
    """The stakes that nobody has said yet; the first as what the seat usually stakes."""
    found = []
    waiting = [seat.number for seat in state.seats if not seat.hands[0].stake]
    first, usual = waiting[0], story.usual_bets.get(waiting[0], state.rules.minimum)
    if actions.can_stake(state, first, usual):
        words = f"Seat {first} stakes {format_amount(usual)}"
        found.append(_choice(words, ops.Stake(first, usual), Place(first), main=True))
    for seat in waiting:
        found += betting(state.rules, seat)
    return found


def _turn(driven: Driven, state: Round, step: Step) -> list[Choice]:
    assert step.seat is not None and step.hand is not None
    seat, hand, place = step.seat, step.hand, Place(step.seat, step.hand)
    held, known, may = turn(driven, state, step)
    if step.kind is StepKind.COLLECT_BUST and known is not None:
        words = f"Collected {format_amount(held.total_stake)}"
        return [_choice(words, ops.GoBust(seat, known, hand), place, main=True)]
    found: list[Choice] = []
    if Action.STICK in may:
        found.append(_choice("Sticks", ops.Stick(seat, hand), place, main=not driven.awaits))
    if Action.BUY in may and step.least is not None and step.most is not None:
        found += _buys(state.rules, seat, hand, (step.least, held.stake, step.most))
    if Action.TWIST in may:
        found.append(_choice("Twists", AskTwist(seat, hand), place))
    if known is not None:
        found += _opened(may, seat, hand, known)
    if known is None:
        found.append(_choice("Throws the hand in", ops.GiveUp(seat, hand), place))
    return found


def _buys(rules: PontoonRules, seat: int, hand: int, amounts: tuple[Fraction, Fraction, Fraction]) -> list[Choice]:
    """Buying for the least, for as much as the stake, for the most, and for another amount."""
    least, stake, most = amounts
    place, shown = Place(seat, hand), sorted({least, most} | ({stake} if least <= stake <= most else set()))
    found = [_choice(f"Buys for {format_amount(it)}", ops.Buy(seat, it, None, hand), place) for it in shown]
    if most - least > rules.unit:
        found.append(_open("Buys for", ops.Buy(seat, least, None, hand), place))
    return found


def _opened(may: tuple[Action, ...], seat: int, hand: int, cards: tuple[Card, ...]) -> list[Choice]:
    found = []
    if Action.PONTOON in may:
        found.append(_choice("Has a pontoon", ops.ShowPontoon(seat, cards, hand), Place(seat, hand), main=True))
    if Action.SPLIT in may:
        found.append(_choice("Splits", ops.Split(seat, cards, hand), Place(seat, hand)))
    return found


def _shows(step: Step) -> list[Choice]:
    assert step.seat is not None and step.hand is not None
    return [_choice("Gives the hand up", ops.GiveUp(step.seat, step.hand), Place(step.seat, step.hand))]


def _bank(rules: PontoonRules, driven: Driven) -> tuple[Choice, ...]:
    """Who may take the bank before the cards: by name, or where these rules sell it, for a price."""
    holder = driven.start.bank.holder
    known = driven.start.seats or tuple(range(1, MOST_SEATS + 1))
    seats = [it for it in (*known, DEALER) if it != holder]
    named = [_choice(f"{_who(it)} holds the bank", NameBanker(place_of(it)), Place(place_of(it))) for it in seats]
    if driven.sale is not None or rules.bank_passes != "sale":
        return tuple(named)
    sold = [
        _open(f"{_who(it)} buys the bank", SellBank(place_of(it), Fraction(0)), Place(place_of(it))) for it in seats
    ]
    return (*named, *sold)


def _who(holder: int) -> str:
    return "The dealer" if holder == DEALER else f"Seat {holder}"


def _choice(words: str, operation: ToldOperation, place: Place | None = None, main: bool = False) -> Choice:
    return Choice(words, TOLD.as_dict(operation), place, main)


def _open(words: str, operation: ToldOperation, place: Place) -> Choice:
    """A choice whose amount is to be filled in."""
    return Choice(words, {**TOLD.as_dict(operation), "amount": ""}, place)
