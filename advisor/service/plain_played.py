"""A game's answer as the display gets it: plain data, amounts as exact text with the chips that make them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from advisor.games.contract import BetView, HandView, Payment, Played
from advisor.money import CannotPay, ChipSet, breakdown, format_amount

_LEFT_OUT = ("operations", "carried")
"""What the display has no use for."""


def plain_played(played: Played, chips: ChipSet, *, viewer: bool = False) -> dict[str, Any]:
    """The answer as JSON holds it; a `viewer` gets only what players may see."""
    shown = _for_players(played) if viewer else played
    data: dict[str, Any] = {
        field.name: plain_value(getattr(shown, field.name), chips)
        for field in fields(shown)
        if field.name not in _LEFT_OUT
    }
    return data


def _for_players(played: Played) -> Played:
    return replace(
        played,
        choices=(),
        faults=(),
        questions=tuple(replace(question, choices=()) for question in played.questions),
        facts=tuple(fact for fact in played.facts if not fact.private),
        hands=tuple(_hidden(hand) if hand.private else hand for hand in played.hands),
        house=tuple(_hidden(hand) if hand.private else hand for hand in played.house),
    )


def _hidden(hand: HandView) -> HandView:
    return replace(hand, action=None, values=MappingProxyType({}), margin=0.0, why=(), offer=None)


def plain_value(value: Any, chips: ChipSet) -> Any:
    """A part of the answer as JSON holds it."""
    if isinstance(value, Fraction):
        return format_amount(value)
    if is_dataclass(value) and not isinstance(value, type):
        data = {field.name: plain_value(getattr(value, field.name), chips) for field in fields(value)}
        if isinstance(value, BetView | Payment):
            data["chips"] = list(_chips(abs(value.amount), chips))
        return data
    if isinstance(value, Mapping):
        return {str(name): plain_value(one, chips) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain_value(one, chips) for one in value]
    return value


@lru_cache(maxsize=512)
def _chips(amount: Fraction, chips: ChipSet) -> tuple[dict[str, Any], ...]:
    """The fewest chips that make an amount, highest first; none where they cannot make it exactly."""
    if not amount:
        return ()
    try:
        found = breakdown(amount, chips)
    except CannotPay:
        return ()
    counts = dict(found.counts)
    return tuple({"colour": colour, "count": counts[colour]} for colour in chips.colours if colour in counts)
