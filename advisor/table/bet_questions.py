"""Questions about bets, each with its answers: a question stays until it is answered, or the chips are read surely.

An answer is a bet that somebody says. Saying again what was said before is one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from advisor.games.catalogue import game as game_named
from advisor.games.contract import BetView, Choice, Place, Played, Question
from advisor.money import format_amount
from advisor.table.bets_memory import FIRST, HANDS, OF_THE_BET, Asked, Look, Spot, unsaid, with_one
from advisor.table.changes import ChangeError, Tell
from advisor.table.fold import check
from advisor.table.state import TableState

OTHER: Final = "It is another amount"
CALL_OFF: Final = "call-off"
"""What the games' operation is called by which a round does not count."""


def ask(
    look: Look,
    spot: Spot,
    words: str,
    amounts: Iterable[Fraction | None],
    lies: Fraction | None,
    lay: Mapping[str, Any] | None = None,
    place: Place | None = None,
    *,
    touched: bool = False,
) -> None:
    """Ask about the bet at a place, unless that was asked and answered while the same lay there.

    ``amounts`` may be the answer, ``lies`` surely lies there (None: it could not be read). ``lay`` is the operation
    that bets there and ``place`` where; without them those of a bet on the seat's hands. What was ``touched`` is not
    what lay there.
    """
    way = next(iter(game_named(look.state.game).betting(look.state.rules, spot.seat)), None)
    if lay is None and way is not None:
        lay = way.operation
    place, known = place or Place(spot.seat), look.memory.asked.get(spot)
    as_before = known is not None and known.lies == lies and not touched
    since = known.since if known is not None and as_before else look.state.number
    choices = () if lay is None else tuple(_answers(look, lay, place, amounts))
    asked = Asked(Question(words, place, choices), lies, since, lay or {})
    look.memory = replace(look.memory, asked=with_one(look.memory.asked, spot, asked))


def is_asked(look: Look, spot: Spot) -> bool:
    """Whether there is a question about what could not be read at this place, answered or not."""
    asked = look.memory.asked.get(spot)
    return asked is not None and asked.lies is None


def no_question(look: Look, spot: Spot) -> None:
    """Nothing is in question at this place any more."""
    look.memory = replace(look.memory, asked=with_one(look.memory.asked, spot, None))


def fits(look: Look, spot: Spot, lies: Fraction) -> None:
    """What ``lies`` there is right: nothing is in question, but an answer that made it so may be taken back."""
    asked = look.memory.asked.get(spot)
    if asked is None or asked.lies != lies or not _answered(look.state, asked):
        no_question(look, spot)


def has_cards(shown: Played) -> bool:
    """Whether a card of the round has come."""
    return any(hand.cards for hand in (*shown.hands, *shown.house))


def questions_now(
    doubts: Iterable[Question], asked: Mapping[Spot, Asked], state: TableState, shown: Played
) -> tuple[Question, ...]:
    """What is in question as the round stands now; nothing once it was called off, for all bets go back as they lie."""
    if any(it.get("op") == CALL_OFF for it in shown.operations):
        return ()
    return (*doubts, *_open_questions(asked, state, shown))


def _open_questions(asked: Mapping[Spot, Asked], state: TableState, shown: Played) -> Iterator[Question]:
    """What was asked about bets and nobody has answered; once cards lie there, only of seats that were dealt in."""
    dealt = has_cards(shown)
    for spot, one in asked.items():
        bets = [bet for hand in shown.hands if hand.place.seat == spot.seat for bet in hand.bets]
        plays = spot.bet != HANDS or (bool(bets) and (one.lies is not None or any(map(unsaid, bets))))
        if not _answered(state, one) and (plays or not dealt):
            yield one.question if spot.bet != HANDS else _of_one_bet(spot, one, bets, state)


def _of_one_bet(spot: Spot, asked: Asked, bets: Sequence[BetView], state: TableState) -> Question:
    """The question, with what the bet is taken to be where it names no amount.

    Where several bets lie together no other amount is asked for: what is counted there is their sum.
    """
    choices = asked.question.choices
    if choices and all(it.operation.get("amount") == "" for it in choices):
        taken = next((it.amount for it in bets if it.name in FIRST), state.usual_bets.get(spot.seat))
        if taken and not refused(state, filled(asked.lay, taken)):
            choices = (Choice(format_amount(taken), filled(asked.lay, taken), asked.question.place), *choices)
    if sum(it.name in OF_THE_BET for it in bets) > 1:
        choices = tuple(it for it in choices if it.operation.get("amount") != "")
    return replace(asked.question, choices=choices)


def _answers(look: Look, lay: Mapping[str, Any], place: Place, amounts: Iterable[Fraction | None]) -> Iterator[Choice]:
    """What the round would accept of the amounts, and any other."""
    for amount in dict.fromkeys(amounts):
        if amount and not refused(look.state, filled(lay, amount)):
            yield Choice(format_amount(amount), filled(lay, amount), place)
    yield Choice(OTHER, {**lay, "amount": ""}, place)


def _answered(state: TableState, asked: Asked) -> bool:
    bets = (it.change.operation for it in state.sayings if it.number > asked.since and isinstance(it.change, Tell))
    return any({**it, "amount": ""} == {**asked.lay, "amount": ""} for it in bets)


def filled(operation: Mapping[str, Any], amount: Fraction) -> dict[str, Any]:
    """The operation with its amount."""
    return {**operation, "amount": format_amount(amount)}


def refused(state: TableState, operation: Mapping[str, Any]) -> str:
    """The sentence with which the round refuses it; empty where it accepts it."""
    try:
        check(state, Tell(operation=dict(operation)))
    except ChangeError as error:
        return str(error)
    return ""
