"""The sentences in which a score sheet speaks of players, deals and what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from advisor.games.rummy.sheet.operations import (
    CorrectScore,
    DealAgain,
    EndDeal,
    EndGame,
    JoinPlayer,
    LeavePlayer,
    Opening,
    Operation,
    RecordHand,
    Redo,
    RenamePlayer,
    SetDealer,
    StartGame,
    TakeBackScore,
    Undo,
    VoidDeal,
    WentOut,
)
from advisor.games.rummy.sheet.state import SheetState
from advisor.games.rummy.sheet.values import Entry
from advisor.games.rummy.variant import Variant


def listed(names: Sequence[str], last: str = "and") -> str:
    """ "Ann, Bob and Cy"; nothing is "nobody"."""
    if len(names) < 2:
        return names[0] if names else "nobody"
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def points_words(number: int) -> str:
    """Such as "1 point" or "43 points"."""
    return f"{number} point{'' if abs(number) == 1 else 's'}"


def span_words(variant: Variant) -> str:
    """How many players a variant is for: "3 to 8"."""
    low, high = variant.players
    return f"{low} to {high}" if low < high else f"{low}"


def entry_words(entry: Entry) -> str:
    """A score: "43 points (10H 9S)", "out", "out, -25 points (gin)"."""
    why = [*([" ".join(map(str, entry.cards))] if entry.cards else []), *entry.bonuses]
    note = f" ({', '.join(why)})" if why else ""
    if entry.out:
        return f"out, {points_words(entry.points)}{note}" if entry.bonuses else "out"
    return f"{points_words(entry.points)}{note}"


def deal_words(state: SheetState, deal: int) -> str:
    """The deal's contract in words, or, where the players are on several, who is on which."""
    if state.variant.carry_over_contract:
        numbers = {p.name: state.contract_number(deal, p) for p in state.playing(deal)}
        if len(set(numbers.values())) > 1:
            return "contracts " + ", ".join(f"{name} {number}" for name, number in numbers.items())
        return state.variant.deal(next(iter(numbers.values()))).contract.words
    return state.contract(deal).words


def next_words(state: SheetState) -> str:
    """Where the game stands and what comes next, in a sentence."""
    deal = state.current
    if deal is None:
        if not state.winners:
            return "The game is over; no score counts, so nobody has won."
        total = points_words(state.ranking[0][1])
        if len(state.winners) > 1:
            return f"The game is over: {listed(state.winners)} share the win with {total}."
        return f"The game is over: {state.winners[0]} wins with {total}."
    where = f"Deal {deal.number}: {state.dealer} deals, {deal_words(state, deal.number)}."
    missing = state.missing
    if missing:
        return f"{where} No score yet: {listed(missing)}."
    return f"{where} Every score is in: end the deal."


def operation_words(operation: Operation) -> str:
    """What happened, in a few words."""
    match operation:
        case StartGame(variant=variant, players=players):
            return f"{variant.name} began with {listed(players)}"
        case RecordHand(player, deal, cards, points) | CorrectScore(player, deal, cards, points):
            what = "out" if isinstance(operation, CorrectScore) and operation.out else ""
            what = what or (f"{points} points" if cards is None else " ".join(map(str, cards)))
            doing = "recorded" if isinstance(operation, RecordHand) else "corrected"
            return f"{player}, deal {deal}: {doing} {what}"
        case WentOut(player, deal):
            return f"{player}, deal {deal}: went out"
        case TakeBackScore(player, deal):
            return f"{player}, deal {deal}: score taken back"
        case EndDeal(deal):
            return f"deal {deal} ended"
        case VoidDeal(deal):
            return f"deal {deal} void"
        case DealAgain(deal):
            return f"deal {deal} dealt again"
        case SetDealer(player, deal):
            return f"{player} deals deal {deal}"
        case RenamePlayer(player, to):
            return f"{player} renamed {to}"
        case JoinPlayer(player, deal, opening):
            start = "the highest total" if opening is Opening.HIGHEST else "no points"
            return f"{player} joined in deal {deal} with {start}"
        case LeavePlayer(player, deal):
            return f"{player} left in deal {deal}"
        case EndGame():
            return "the game was ended"
        case Undo():
            return "undone"
        case Redo():
            return "redone"
        case _:
            assert_never(operation)
