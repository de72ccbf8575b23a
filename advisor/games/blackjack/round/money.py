"""Amounts given for an operation: read exactly, and refused as any other illegal move is."""

from __future__ import annotations

from fractions import Fraction

from advisor.games.blackjack.round.errors import IllegalMove
from advisor.money.amounts import AmountLike, MoneyError, parse_amount


def exact(amount: AmountLike, what: str) -> Fraction:
    """The amount as a fraction; raises `IllegalMove`, naming `what`, for a float or for text that is no amount."""
    try:
        return parse_amount(amount)
    except MoneyError as error:
        raise IllegalMove(f"{what}: {error}.") from None
