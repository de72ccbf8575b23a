"""Drills: a hand to decide, a pile to count, by the table's own rules and chips.

A question is its seed: nothing is kept between asking and answering. What else it hangs on, the rules or the chips,
goes along as a mark, so that an answer is never judged by others than those by which it was asked.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from advisor.games.blackjack import PRESETS, Action, HouseRules, load_rules
from advisor.games.blackjack.drills import answers, judge, question
from advisor.games.cards import cards_text
from advisor.games.catalogue import game as game_named
from advisor.money import DEFAULT_CHIPS, ChipSet, MoneyError, format_amount, typed_amount
from advisor.money.drills import pile
from advisor.service.wire import ErrorWire, Wire
from advisor.table import TableState
from advisor.table.words import sentence

GAME: Final = "blackjack"
"""The game of which the right move is practised."""
USUAL: Final = "six-deck-s17"
"""The house rules where the table plays another game."""
OF_TABLE: Final = "table-"
"""Begins the name of the table's own rules, which ends with their mark."""
MOST_LEVEL: Final = 5
LARGEST_SEED: Final = 2**31 - 1
Seed = Annotated[int, Query(ge=0, le=LARGEST_SEED)]


class HandDrillWire(Wire):
    """A hand to decide; `house` says by which rules."""

    seed: int
    rules: str
    house: str
    hand: list[str]
    upcard: str
    answers: list[str]


class HandAnswerWire(Wire):
    """What somebody would do."""

    seed: int
    rules: str
    answer: str


class HandVerdictWire(Wire):
    """Whether it was the best move, what it costs (units of the bet), and why."""

    right: bool
    close: bool
    best: str
    cost: float
    why: list[str]


class StackWire(Wire):
    """Chips of one colour."""

    colour: str
    value: str
    count: int


class PileDrillWire(Wire):
    """A pile to count; `way` is how it lies, `colours` are all of the set, `chips` is its mark."""

    seed: int
    level: int
    levels: int
    chips: str
    colours: list[str]
    way: str
    stacks: list[StackWire]


class PileAnswerWire(Wire):
    """What somebody counted."""

    seed: int
    level: int
    chips: str = ""
    total: str


class PileVerdictWire(Wire):
    """Whether that was it, the total, and each colour's part of it."""

    right: bool
    total: str
    parts: list[str]


_REFUSALS: Final[dict[int | str, dict[str, Any]]] = {409: {"model": ErrorWire}, 422: {"model": ErrorWire}}


def drills_router(
    chips: ChipSet = DEFAULT_CHIPS,
    table: Callable[[], TableState] | None = None,
    new_seed: Callable[[], int] | None = None,
) -> APIRouter:
    """The routes of the drills; `table` tells the rules by which hands are asked where none are named."""
    router = APIRouter(prefix="/api/drills")
    seeds = new_seed or (lambda: secrets.randbelow(LARGEST_SEED))
    levels = min(MOST_LEVEL, max(1, len(chips.colours) - 1))
    chips_mark = _mark(chips.values)

    @router.get("/hand", response_model=HandDrillWire, responses={422: {"model": ErrorWire}})
    def ask_hand(rules: str = "") -> HandDrillWire | JSONResponse:
        """A hand to decide under named house rules, or the table's."""
        own = _own_rules(table)
        asked_by = rules or (own[0] if own else USUAL)
        if (house := _rules(asked_by, own)) is None:
            return _refused(f"There are no house rules {rules[:40]!r}: use one of {', '.join(PRESETS)}.")
        seed = seeds()
        asked = question(house, Random(seed))
        name = own[1] if own and asked_by == own[0] else asked_by
        return HandDrillWire(
            seed=seed,
            rules=asked_by,
            house=f"{name}: {game_named(GAME).summary(house)}",
            hand=cards_text(asked.cards).split(),
            upcard=str(asked.upcard),
            answers=[str(action) for action in answers(house, asked)],
        )

    @router.post("/hand", response_model=HandVerdictWire, responses=_REFUSALS)
    def answer_hand(said: HandAnswerWire) -> HandVerdictWire | JSONResponse:
        """Whether the answer is the best move."""
        house = _rules(said.rules, _own_rules(table))
        if house is None and said.rules.startswith(OF_TABLE):
            return _refused("The table's rules have changed since this hand was asked: take the next one.", 409)
        if house is None or not 0 <= said.seed <= LARGEST_SEED:
            return _refused("This question is not known: ask for another.")
        if said.answer not in list(Action):
            return _refused(f"{said.answer[:20]!r} is no move: use one of {', '.join(Action)}.")
        try:
            found = judge(house, question(house, Random(said.seed)), Action(said.answer))
        except ValueError as error:
            return _refused(sentence(str(error)))
        return HandVerdictWire(
            right=found.right, close=found.close, best=str(found.best), cost=round(found.cost, 4), why=list(found.why)
        )

    @router.get("/chips")
    def ask_chips(level: Annotated[int, Query(ge=1, le=MOST_LEVEL)] = 2) -> PileDrillWire:
        """A pile of the table's chips to count."""
        seed = seeds()
        asked = pile(Random(seed), chips, level)
        return PileDrillWire(
            seed=seed,
            level=min(level, levels),
            levels=levels,
            chips=chips_mark,
            colours=list(chips.colours),
            way=asked.way,
            stacks=[StackWire(colour=c, value=format_amount(chips.value(c)), count=n) for c, n in asked.counts],
        )

    @router.post("/chips", response_model=PileVerdictWire, responses=_REFUSALS)
    def answer_chips(said: PileAnswerWire) -> PileVerdictWire | JSONResponse:
        """Whether the total is right; what is no amount is refused, so that nobody takes it for a miscount."""
        if said.chips not in ("", chips_mark):
            return _refused("The table's chips have changed since this pile was asked: take the next one.", 409)
        if not (0 <= said.seed <= LARGEST_SEED and 1 <= said.level <= MOST_LEVEL):
            return _refused("This question is not known: ask for another.")
        try:
            counted = typed_amount(said.total)
        except MoneyError as error:
            return _refused(sentence(str(error)))
        asked = pile(Random(said.seed), chips, said.level)
        parts = [_part(colour, count, chips.value(colour)) for colour, count in asked.counts]
        return PileVerdictWire(right=counted == asked.total, total=format_amount(asked.total), parts=parts)

    return router


def _part(colour: str, count: int, value: Fraction) -> str:
    return f"{count} {colour} at {format_amount(value)}: {format_amount(count * value)}"


def _own_rules(table: Callable[[], TableState] | None) -> tuple[str, str, HouseRules] | None:
    """The name by which a question has the table's rules, what people call them, and the rules themselves."""
    now = table() if table else None
    if now is None or now.game != GAME:
        return None
    return OF_TABLE + _mark(now.rules), now.rules_name, now.rules


def _rules(name: str, own: tuple[str, str, HouseRules] | None) -> HouseRules | None:
    if own and name == own[0]:
        return own[2]
    return load_rules(name) if name in PRESETS else None


def _mark(value: object) -> str:
    """The same for equal rules or chips in every run of the server, another for others."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def _refused(sentence: str, status: int = 422) -> JSONResponse:
    return JSONResponse(ErrorWire(error=sentence).model_dump(), status_code=status)
