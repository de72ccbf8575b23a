"""Drills: a hand to decide, a pile to count. A question is its seed: nothing is kept between asking and answering."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from advisor.games.blackjack import PRESETS, Action, HouseRules, load_rules
from advisor.games.blackjack.drills import answers, judge, question
from advisor.games.cards import cards_text
from advisor.money import DEFAULT_CHIPS, ChipSet, MoneyError, format_amount, typed_amount
from advisor.money.drills import pile
from advisor.service.wire import ErrorWire, Wire
from advisor.table.words import sentence

LARGEST_SEED: Final = 2**31 - 1
Seed = Annotated[int, Query(ge=0, le=LARGEST_SEED)]


class HandDrillWire(Wire):
    """A hand to decide."""

    seed: int
    rules: str
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
    """A pile to count; `way` is how it lies."""

    seed: int
    level: int
    way: str
    stacks: list[StackWire]


class PileAnswerWire(Wire):
    """What somebody counted."""

    seed: int
    level: int
    total: str


class PileVerdictWire(Wire):
    """Whether that was it, the total, and each colour's part of it."""

    right: bool
    total: str
    parts: list[str]


def drills_router(chips: ChipSet = DEFAULT_CHIPS, new_seed: Callable[[], int] | None = None) -> APIRouter:
    """The routes of the drills."""
    router = APIRouter(prefix="/api/drills")
    seeds = new_seed or (lambda: secrets.randbelow(LARGEST_SEED))

    @router.get("/hand", response_model=HandDrillWire, responses={422: {"model": ErrorWire}})
    def ask_hand(rules: str = "six-deck-s17") -> HandDrillWire | JSONResponse:
        """A hand to decide under named house rules."""
        if (house := _rules(rules)) is None:
            return _refused(f"There are no house rules {rules[:40]!r}: use one of {', '.join(PRESETS)}.")
        seed = seeds()
        asked = question(house, Random(seed))
        return HandDrillWire(
            seed=seed,
            rules=rules,
            hand=cards_text(asked.cards).split(),
            upcard=str(asked.upcard),
            answers=[str(action) for action in answers(house, asked)],
        )

    @router.post("/hand", response_model=HandVerdictWire, responses={422: {"model": ErrorWire}})
    def answer_hand(said: HandAnswerWire) -> HandVerdictWire | JSONResponse:
        """Whether the answer is the best move."""
        house = _rules(said.rules)
        if house is None or not 0 <= said.seed <= LARGEST_SEED:
            return _refused("This question is not known: ask for another.")
        try:
            found = judge(house, question(house, Random(said.seed)), Action(said.answer))
        except ValueError as error:
            return _refused(sentence(str(error)))
        return HandVerdictWire(
            right=found.right, close=found.close, best=str(found.best), cost=round(found.cost, 4), why=list(found.why)
        )

    @router.get("/chips")
    def ask_chips(level: Annotated[int, Query(ge=1, le=5)] = 2) -> PileDrillWire:
        """A pile to count."""
        seed = seeds()
        asked = pile(Random(seed), chips, level)
        stacks = [StackWire(colour=c, value=format_amount(chips.value(c)), count=n) for c, n in asked.counts]
        return PileDrillWire(seed=seed, level=level, way=asked.way, stacks=stacks)

    @router.post("/chips", response_model=PileVerdictWire, responses={422: {"model": ErrorWire}})
    def answer_chips(said: PileAnswerWire) -> PileVerdictWire | JSONResponse:
        """Whether the total is right."""
        if not (0 <= said.seed <= LARGEST_SEED and 1 <= said.level <= 5):
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


def _rules(name: str) -> HouseRules | None:
    return load_rules(name) if name in PRESETS else None


def _refused(sentence: str) -> JSONResponse:
    return JSONResponse(ErrorWire(error=sentence).model_dump(), status_code=422)
