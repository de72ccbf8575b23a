"""Questions about bets, each with its answers: a question stays until it is answered, or the chips are read surely.

An answer is a bet that somebody says. Saying again what was said before is one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from advisor.games.catalogue import game as game_named
from advisor.games.contract import Choice, Place, Question
from advisor.money import format_amount
from advisor.table.bets_memory import HANDS, Asked, Look, Spot, unsaid, with_one
from advisor.table.changes import ChangeError, Tell
from advisor.table.fold import check
from advisor.table.state import TableState

OTHER: Final = "It is another amount"


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


def open_questions(look: Look) -> Iterator[Question]:
    """What was asked about bets and nobody has answered; once cards lie there, only of seats that were dealt in."""
    for spot, asked in look.memory.asked.items():
        hands = [hand for hand in look.shown.hands if hand.place.seat == spot.seat and hand.bets]
        open_ = asked.lies is not None or any(unsaid(bet) for hand in hands for bet in hand.bets)
        plays = spot.bet != HANDS or (bool(hands) and open_)
        if not _answered(look.state, asked) and (plays or not look.dealt):
            yield asked.question


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
