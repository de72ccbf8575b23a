"""Operations as plain dictionaries for a log, and what is wrong with one that cannot be read."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from advisor.games.blackjack.round import (
    OPERATIONS,
    IllegalMove,
    MalformedOperation,
    actions,
    as_dict,
    operation_from_dict,
)
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import parse_card

CARD = parse_card("10H")


@pytest.mark.parametrize(
    ("operation", "plain"),
    [
        (ops.PlaceBet(3, Fraction(10)), {"op": "place-bet", "seat": 3, "amount": "10"}),
        (ops.Insure(3, Fraction(15, 2)), {"op": "insure", "seat": 3, "amount": "7.50"}),
        (ops.Double(3, Fraction(10, 3), 2), {"op": "double", "seat": 3, "amount": "10/3", "hand": 2}),
        (
            ops.PlaceSideBet(1, Fraction(5), "over"),
            {"op": "place-side-bet", "seat": 1, "amount": "5", "side": "over"},
        ),
        (ops.Deal(1, CARD, 2), {"op": "deal", "seat": 1, "card": "10H", "hand": 2}),
        (ops.Deal(1, None), {"op": "deal", "seat": 1, "card": "back", "hand": 1}),
        (ops.DealDealer(None), {"op": "deal-dealer", "card": "back"}),
        (ops.Peek(True), {"op": "peek", "blackjack": "yes"}),
        (ops.Peek(False), {"op": "peek", "blackjack": "no"}),
        (ops.ClearCards(), {"op": "clear-cards"}),
    ],
)
def test_an_operation_is_text_and_whole_numbers_and_is_read_back(
    operation: ops.Operation, plain: dict[str, object]
) -> None:
    assert as_dict(operation) == plain
    assert operation_from_dict(json.loads(json.dumps(plain))) == operation


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({}, "None is not an operation: use one of place-bet, "),
        ({"op": "fold"}, "'fold' is not an operation: use one of place-bet, "),
        ({"op": ["hit"]}, "is not an operation"),
        ({"op": "place-bet", "seat": 3}, "place-bet needs the field 'amount'"),
        ({"op": "stand", "seat": 3, "hand": 1, "card": "10H"}, "stand has no field 'card': its fields are seat, hand"),
        ({"op": "sweep-bets", "seat": 3}, "sweep-bets has no field 'seat': its fields are none"),
        ({"op": "stand", "seat": "3", "hand": 1}, "stand: seat cannot be '3': a whole number is expected"),
        ({"op": "stand", "seat": True, "hand": 1}, "stand: seat cannot be True"),
        ({"op": "place-bet", "seat": 3, "amount": 7.5}, "place-bet: amount cannot be 7.5"),
        ({"op": "place-bet", "seat": 3, "amount": "lots"}, "place-bet: amount: 'lots' is not an amount"),
        ({"op": "hit", "seat": 3, "hand": 1, "card": "11H"}, "hit: card: '11H' is not a card"),
        ({"op": "hit", "seat": 3, "hand": 1, "card": "back"}, "hit: card: 'back' is not a card"),
        ({"op": "hit", "seat": 3, "hand": 1, "card": 10}, "hit: card cannot be 10"),
        ({"op": "peek", "blackjack": True}, "peek: blackjack cannot be True: yes or no is expected"),
        ({"op": "place-side-bet", "seat": 1, "amount": "5", "side": "tie"}, "over or under is expected"),
    ],
)
def test_a_log_that_cannot_be_read_is_refused_by_field(plain: dict[str, object], said: str) -> None:
    with pytest.raises(MalformedOperation) as caught:
        operation_from_dict(plain)
    assert said in str(caught.value)


def test_a_log_that_is_no_dictionary_is_refused() -> None:
    with pytest.raises(MalformedOperation, match="a dictionary"):
        operation_from_dict(["hit"])  # type: ignore[arg-type]


def test_an_operation_never_holds_a_float() -> None:
    with pytest.raises(IllegalMove, match=r"Seat 1: 2.5 is not an exact amount"):
        ops.Double(1, 2.5)  # type: ignore[arg-type]
    assert ops.PlaceBet(1, 10).amount == Fraction(10)  # type: ignore[arg-type]


def test_every_operation_has_a_triple() -> None:
    for operation in OPERATIONS:
        name = snake_case(operation)
        for prefix in ("verify_", "can_", ""):
            assert callable(getattr(actions, f"{prefix}{name}")), name


def snake_case(operation: type[ops.Operation]) -> str:
    return "".join(f"_{it.lower()}" if it.isupper() else it for it in operation.__name__).lstrip("_")
