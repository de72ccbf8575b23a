"""The table's words: what somebody said, on the undo button; and sentences of what others only name."""

from __future__ import annotations

from advisor.games.cards import parse_card
from advisor.table import changes as ch
from advisor.table.state import TableState


def undo_words(state: TableState) -> str | None:
    """What undo takes back; None where there is nothing."""
    if state.sayings:
        return _words(state.sayings[-1].change)
    if state.ended is not None and not state.cards:
        return "the end of the round"
    return None


def redo_words(state: TableState) -> str | None:
    """What redo says again; None where there is nothing."""
    return _words(state.undone[-1].change) if state.undone else None


def sentence(text: str) -> str:
    """The text with a capital first and a full stop last."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _words(change: ch.Said) -> str:
    match change:
        case ch.NameCard(label=label):
            return f"naming the {_name(label)}"
        case ch.RemoveCard():
            return "removing a card"
        case ch.MoveCard(seat=seat):
            return f"moving a card to {_where(seat)}"
        case ch.AddCard(label=label, seat=seat):
            return f"adding the {_name(label)} at {_where(seat)}"
        case ch.PayoutFine(seat=seat):
            return f"that the payout of seat {seat} is fine"
        case ch.Tell(operation=operation):
            whose = operation.get("seat")
            said = str(operation.get("op", "")).replace("-", " ")
            return f"“{said}”" if whose is None else f"“{said}” of seat {whose}"


def _where(seat: int) -> str:
    return f"seat {seat}" if seat else "the house"


def _name(label: str) -> str:
    if label == ch.BACK:
        return "card face down"
    return "joker" if label == "JOKER" else parse_card(label).name
