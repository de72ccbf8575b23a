"""Whether the sheet allows an operation as it stands, and a sentence saying why where it does not."""

from __future__ import annotations

from typing import Final, assert_never

from advisor.games.operations import IllegalMove
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
from advisor.games.rummy.sheet.values import DealRecord, DealState, Player
from advisor.games.rummy.sheet.words import entry_words, listed, span_words

LONGEST_NAME: Final = 40
MOST_DEALS: Final = 99


def verify_start(operation: StartGame) -> None:
    """Raises `IllegalMove` with a sentence where a game cannot begin so."""
    variant = operation.variant
    for place, name in enumerate(operation.players):
        _check_name(name)
        if name.casefold() in [other.casefold() for other in operation.players[:place]]:
            raise IllegalMove(f"Two players are called {name}: give each a name of its own.")
    seated = {name.casefold() for name in operation.players}
    playing = operation.playing or operation.players
    for name in playing:
        if name.casefold() not in seated:
            raise IllegalMove(f"{name} cannot play: the players are {listed(operation.players)}.")
    number = len({name.casefold() for name in playing})
    if number < len(playing):
        raise IllegalMove(f"Somebody is named twice among those who play: {', '.join(playing)}.")
    low, high = variant.players
    if not low <= number <= high:
        raise IllegalMove(f"{variant.name} is not for {number} players: it is for {span_words(variant)}.")
    if operation.dealer.casefold() not in {name.casefold() for name in playing}:
        raise IllegalMove(f"{operation.dealer or 'Nobody'} cannot deal first: those who play are {listed(playing)}.")
    if operation.deals is not None and not 0 <= operation.deals <= MOST_DEALS:
        raise IllegalMove(
            f"A game of {operation.deals} deals cannot be: give 1 to {MOST_DEALS}, or 0 to play until it is ended."
        )


def verify(state: SheetState, operation: Operation, *, done: bool = True, undone: bool = True) -> None:
    """Raises `IllegalMove` with a sentence where the sheet does not allow the operation now.

    ``done`` and ``undone`` say whether there is something to undo and to redo.
    """
    match operation:
        case StartGame():
            raise IllegalMove("The game has begun already: begin another on a sheet of its own.")
        case RecordHand() | WentOut():
            _verify_record(state, operation)
        case CorrectScore(name, number):
            _verify_correct(state, operation, name, number)
        case TakeBackScore(name, number):
            player = _player(state, name)
            if _current(state, number, f"{player.name}, deal {number}").entry(player) is None:
                raise IllegalMove(f"{player.name}, deal {number}: there is no score to take back.")
        case EndDeal() | VoidDeal() | DealAgain():
            _verify_deal(state, operation)
        case SetDealer(name, number):
            _verify_dealer(state, name, number)
        case RenamePlayer(name, to):
            player = _player(state, name)
            _check_name(to)
            if to == player.name:
                raise IllegalMove(f"{player.name} is called so already.")
            if state.find(to) not in (None, player):
                raise IllegalMove(f"{player.name} cannot be renamed {to}: another player is called so.")
        case JoinPlayer():
            _verify_join(state, operation)
        case LeavePlayer(name, number):
            _verify_leave(state, name, number)
        case EndGame():
            if state.current is None:
                raise IllegalMove("The game is over already.")
            _nothing_recorded(state, state.current, "The game cannot be ended")
        case Undo():
            if not done:
                raise IllegalMove("There is nothing to undo: all that stands is that the game has begun.")
        case Redo():
            if not undone:
                raise IllegalMove("There is nothing to redo: something can be redone only right after it was undone.")
        case _:
            assert_never(operation)


def _check_name(name: str) -> None:
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise IllegalMove(f"{name!r} is no name for a player: give 1 to {LONGEST_NAME} letters, all of them printable.")


def _player(state: SheetState, name: str) -> Player:
    player = state.find(name)
    if player is None:
        raise IllegalMove(f"There is no player {name!r}: the players are {listed([p.name for p in state.players])}.")
    return player


def _current(state: SheetState, number: int, where: str) -> DealRecord:
    """The deal being played, which must have that number."""
    deal = state.current
    if deal is None:
        raise IllegalMove(f"{where}: the game is over; correct a score, or undo.")
    if number > deal.number:
        raise IllegalMove(f"{where}: that deal has not begun; deal {deal.number} is being played.")
    if number < 1:
        raise IllegalMove(f"{where}: deals are numbered from 1; deal {deal.number} is being played.")
    if number < deal.number:
        was = "is void" if state.deals[number - 1].state is DealState.VOID else "has ended"
        raise IllegalMove(f"{where}: that deal {was}; deal {deal.number} is being played.")
    return deal


def _verify_record(state: SheetState, operation: RecordHand | WentOut) -> None:
    player = _player(state, operation.player)
    where = f"{player.name}, deal {operation.deal}"
    # A score that stands is the first thing to say, even where the deal has ended.
    past = state.record(operation.deal)
    stands = past.entry(player) if past is not None and past.state is not DealState.VOID else None
    if stands is not None:
        raise IllegalMove(
            f"{where}: a score is recorded already, {entry_words(stands)}; correct it instead of recording another."
        )
    deal = _current(state, operation.deal, where)
    if not player.plays(deal.number):
        playing = [p.name for p in state.playing(deal.number)]
        raise IllegalMove(f"{where}: {player.name} does not play in this deal; those who do are {listed(playing)}.")
    entry_of(state, operation, player, deal)


def _verify_correct(state: SheetState, operation: CorrectScore, name: str, number: int) -> None:
    player = _player(state, name)
    where = f"{player.name}, deal {number}"
    deal = state.record(number)
    if deal is None:
        raise IllegalMove(f"{where}: there is no such deal yet; the deals so far are 1 to {len(state.deals)}.")
    if deal.state is DealState.VOID:
        raise IllegalMove(f"{where}: the deal is void and counts for nobody.")
    stands = deal.entry(player)
    if stands is None:
        raise IllegalMove(f"{where}: there is no score to correct; record it while the deal is being played.")
    if entry_of(state, operation, player, deal) == stands:
        raise IllegalMove(f"{where}: the score is {entry_words(stands)} already.")


def _verify_deal(state: SheetState, operation: EndDeal | VoidDeal | DealAgain) -> None:
    where = f"Deal {operation.deal}"
    if isinstance(operation, VoidDeal):
        past = state.record(operation.deal)
        if past is not None and past.state is DealState.VOID:
            raise IllegalMove(f"{where} is void already.")
        if past is None:
            raise IllegalMove(f"{where} cannot be void: the deals so far are 1 to {len(state.deals)}.")
        return
    deal = _current(state, operation.deal, where)
    if isinstance(operation, DealAgain):
        if not deal.entries:
            raise IllegalMove(f"{where} has no scores: it can be dealt again without telling the sheet.")
        return
    if state.missing:
        missing = listed(state.missing)
        raise IllegalMove(f"{where} cannot end: no score of {missing} is recorded; record it, or make the deal void.")


def _verify_dealer(state: SheetState, name: str, number: int) -> None:
    player = _player(state, name)
    deal = _current(state, number, f"{player.name}, deal {number}")
    if not player.plays(number):
        playing = listed([p.name for p in state.playing(number)])
        raise IllegalMove(f"{player.name} cannot deal in deal {number}: those who play are {playing}.")
    if deal.dealer == player.number:
        raise IllegalMove(f"{player.name} deals in deal {number} already.")


def _verify_join(state: SheetState, operation: JoinPlayer) -> None:
    where = f"{operation.player or 'A player'}, deal {operation.deal}"
    deal = _current(state, operation.deal, where)
    player = state.find(operation.player)
    if player is None:
        _check_name(operation.player)
        if operation.after is not None:
            _player(state, operation.after)
    else:
        if player.plays(deal.number):
            raise IllegalMove(f"{where}: {player.name} plays in this deal already.")
        if operation.after is not None:
            raise IllegalMove(f"{where}: {player.name} has a seat already; it cannot be given another.")
    number = len(state.playing(deal.number)) + 1
    if number > state.variant.players[1]:
        raise IllegalMove(
            f"{where}: {operation.player} cannot join; {state.variant.name} is for {span_words(state.variant)} "
            f"players, and {number} would play."
        )


def _verify_leave(state: SheetState, name: str, number: int) -> None:
    player = _player(state, name)
    where = f"{player.name}, deal {number}"
    deal = _current(state, number, where)
    if not player.plays(number):
        raise IllegalMove(f"{where}: {player.name} does not play now, so cannot leave.")
    if not player.playing and deal.entry(player) is not None:
        raise IllegalMove(f"{where}: {player.name} leaves after this deal already.")
    left = sum(other.playing for other in state.players if other is not player)
    if left < state.variant.players[0]:
        raise IllegalMove(
            f"{where}: {player.name} cannot leave; {state.variant.name} is for {span_words(state.variant)} players, "
            f"and {left} would be left. End the game instead."
        )


def _nothing_recorded(state: SheetState, deal: DealRecord, doing: str) -> None:
    if deal.entries:
        names = listed([state.by_number(number).name for number, _ in deal.entries])
        raise IllegalMove(f"{doing}: deal {deal.number} has scores of {names}; end that deal, or make it void, first.")
