"""What an operation, already found to be allowed, makes of the sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, assert_never

from advisor.games.rummy.sheet.operations import (
    CorrectScore,
    DealAgain,
    EndDeal,
    EndGame,
    JoinPlayer,
    LeavePlayer,
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
from advisor.games.rummy.sheet.scoring import entry_of
from advisor.games.rummy.sheet.state import SheetState
from advisor.games.rummy.sheet.values import DealRecord, DealState, Entry, Player, Stint

State = TypeVar("State", bound=SheetState)


def started(operation: StartGame) -> tuple[tuple[Player, ...], tuple[DealRecord, ...]]:
    """The players and the first deal of a game that begins."""
    playing = {name.casefold() for name in operation.playing or operation.players}
    players = tuple(
        Player(number, name, (Stint(1),) if name.casefold() in playing else ())
        for number, name in enumerate(operation.players)
    )
    dealer = next(p.number for p in players if p.name.casefold() == operation.dealer.casefold())
    return players, (DealRecord(1, dealer),)


def applied(state: State, operation: Operation) -> State:
    """The sheet after the operation, which must have been verified."""
    match operation:
        case RecordHand() | WentOut() | CorrectScore():
            player, deal = _find(state, operation.player), state.deals[operation.deal - 1]
            return _going_on(_with_entry(state, deal, player, entry_of(state, operation, player, deal)))
        case TakeBackScore(name, number):
            return _with_entry(state, state.deals[number - 1], _find(state, name), None)
        case EndDeal(number):
            return _going_on(_with_deal(state, replace(state.deals[number - 1], state=DealState.ENDED)))
        case VoidDeal(number):
            return _going_on(_with_deal(state, replace(state.deals[number - 1], state=DealState.VOID)))
        case DealAgain(number):
            return _with_deal(state, replace(state.deals[number - 1], entries=()))
        case SetDealer(name, number):
            return _with_deal(state, replace(state.deals[number - 1], dealer=_find(state, name).number))
        case RenamePlayer(name, to):
            return _with_player(state, replace(_find(state, name), name=to))
        case JoinPlayer():
            return _joined(state, operation)
        case LeavePlayer(name, number):
            return _left(state, _find(state, name), number)
        case EndGame():
            return replace(state, deals=state.deals[:-1], closed=True)
        case StartGame() | Undo() | Redo():
            raise AssertionError("these are the sheet's own")
        case _:
            assert_never(operation)


def _find(state: SheetState, name: str) -> Player:
    player = state.find(name)
    assert player is not None
    return player


def _with_deal(state: State, deal: DealRecord) -> State:
    return replace(state, deals=tuple(deal if it.number == deal.number else it for it in state.deals))


def _with_player(state: State, player: Player) -> State:
    return replace(state, players=tuple(player if it.number == player.number else it for it in state.players))


def _with_entry(state: State, deal: DealRecord, player: Player, entry: Entry | None) -> State:
    """The sheet with a player's score set in its place, added, or (None) taken away."""
    entries = dict(deal.entries)
    if entry is None:
        del entries[player.number]
    else:
        entries[player.number] = entry
    return _with_deal(state, replace(deal, entries=tuple(entries.items())))


def _going_on(state: State) -> State:
    """The sheet with its next deal, where none is being played and the game is not at its end.

    It may go on after its end too: where the last contract turns out not to have been met after all.
    """
    if state.current is not None or state.finished:
        return state
    last = state.deals[-1]
    number = last.number + 1
    return replace(state, deals=(*state.deals, DealRecord(number, state.left_of(last.dealer, number))))


def _joined(state: State, operation: JoinPlayer) -> State:
    deal = operation.deal
    others = tuple(
        p.number for p in state.playing(deal) if any(stint.holds(deal) and stint.first < deal for stint in p.stints)
    )
    stint = Stint(deal, None, operation.opening, others)
    player = state.find(operation.player)
    if player is not None:
        return _with_player(state, replace(player, stints=(*player.stints, stint)))
    player = Player(len(state.players), operation.player, (stint,))
    if operation.after is None:
        return replace(state, players=(*state.players, player))
    seat = state.players.index(_find(state, operation.after)) + 1
    return replace(state, players=(*state.players[:seat], player, *state.players[seat:]))


def _left(state: State, player: Player, number: int) -> State:
    deal = state.deals[number - 1]
    last = number if deal.entry(player) is not None else number - 1
    stints = (*player.stints[:-1], replace(player.stints[-1], last=last))
    state = _with_player(state, replace(player, stints=stints))
    if deal.dealer == player.number and last < number:
        return _with_deal(state, replace(deal, dealer=state.left_of(player.number, number)))
    return state
