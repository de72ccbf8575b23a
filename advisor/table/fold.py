"""The fold: a state and a change give the next state, always the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from advisor.games.catalogue import game as game_named
from advisor.games.contract import HOUSE, Place, Played, Story, Told
from advisor.money import MoneyError, parse_amount
from advisor.table import changes as ch
from advisor.table.missed import missed
from advisor.table.state import NOTHING_LAID, FeltCard, RoundResult, Saying, TableState, story
from advisor.table.words import sentence

KEPT_RESULTS: Final = 50
"""Rounds that the state remembers; the log holds all."""
KEPT_LEFT_OVER: Final = 64


def begin(game: str, rules: Any, rules_name: str, layout: str = "", seats: int = 7) -> TableState:
    """A table before its first card."""
    return TableState(game, rules, rules_name, layout, seats)


def played(state: TableState, laid: Mapping[int, Fraction] = NOTHING_LAID) -> Played:
    """The round as it stands, worked out by its game; ``laid`` are bets that lie there before the first card."""
    return _played(state, story(state, laid=laid))


def _played(state: TableState, told: Story) -> Played:
    shown = game_named(state.game).play(state.rules, told)
    return replace(shown, faults=(*shown.faults, *missed(state)))


def fold(state: TableState, change: ch.Change) -> TableState:
    """The state after the change; raises `ChangeError` where it cannot be made."""
    if isinstance(change, ch.ChipsKept):
        return replace(state, chips=change)
    after = _FOLDS[type(change)](state, change)
    return replace(after, number=state.number + 1)


def check(state: TableState, change: ch.Change, laid: Mapping[int, Fraction] = NOTHING_LAID) -> None:
    """That a change that somebody makes is accepted by the round; raises `ChangeError` with the round's own sentence.

    `fold` takes what it is given, so that a log folds again under later rules; this is asked once, before.
    """
    after = fold(state, change)
    if isinstance(change, ch.UsualBet):
        _check_usual_bet(state, change)
    if not isinstance(change, ch.Tell):
        return
    game = game_named(state.game)
    try:
        game.check(state.rules, change.operation)
    except ValueError as error:
        raise ch.ChangeError(sentence(str(error))) from None
    before, now = played(state, laid), played(after, laid)
    known = {fault.words for fault in before.faults}
    new = [fault.words for fault in now.faults if fault.words not in known]
    if new:
        raise ch.ChangeError(sentence(new[0]))
    if now == before and not _bet_again(state, change):
        raise ch.ChangeError(f"That cannot be said now. Next: {now.step}")


def _bet_again(state: TableState, change: ch.Tell) -> bool:
    """Whether it is a bet that was said before: said again, it answers whether it is right."""
    seat, told = change.operation.get("seat"), _with_its_amount(change.operation)
    said = (it.change.operation for it in state.sayings if isinstance(it.change, ch.Tell))
    if not isinstance(seat, int) or all(_with_its_amount(it) != told for it in said):
        return False
    ways = game_named(state.game).betting(state.rules, seat)
    return any({**it.operation, "amount": ""} == {**change.operation, "amount": ""} for it in ways)


def _with_its_amount(operation: Mapping[str, Any]) -> dict[str, Any]:
    """The operation with its amount as a number: "10" and "10.00" are one bet."""
    try:
        return {**operation, "amount": parse_amount(operation.get("amount"))}
    except MoneyError:
        return dict(operation)


def _check_usual_bet(state: TableState, change: ch.UsualBet) -> None:
    """That the rules allow the bet: it is tried on a round of its own."""
    game = game_named(state.game)
    for choice in game.betting(state.rules, change.seat)[:1]:
        alone = replace(begin(state.game, state.rules, state.rules_name), seats=state.seats)
        said = ch.Tell(operation={**choice.operation, "amount": change.amount})
        faults = played(fold(alone, said)).faults
        if faults:
            raise ch.ChangeError(sentence(faults[0].words))


# What the camera reports.


def _came(state: TableState, change: ch.CardCame) -> TableState:
    if change.card < state.following:
        raise ch.ChangeError(f"Card {change.card} has been there before: numbers are not used again.")
    card = FeltCard(
        change.card,
        Place(change.seat, change.hand),
        change.face,
        bool(change.crosswise),
        at=(float(change.x), float(change.y)),
        came_at=state.number + 1,
    )
    return replace(state, cards=(*state.cards, card), following=change.card + 1)


def _shown(state: TableState, change: ch.CardShown) -> TableState:
    def shown(card: FeltCard) -> FeltCard:
        now = card.face == ch.BACK and change.face != ch.BACK
        turned_at = state.number + 1 if now else card.turned_at
        return replace(
            card,
            face=change.face,
            crosswise=bool(change.crosswise),
            turned=card.turned or now,
            turned_at=turned_at,
            gone=False,
            gone_at=0,
        )

    return _with_card(state, change.card, shown)


def _lies(state: TableState, change: ch.CardLies) -> TableState:
    return _with_card(state, change.card, lambda card: replace(card, place=Place(change.seat, change.hand)))


def _gone(state: TableState, change: ch.CardGone) -> TableState:
    if change.card in state.left_over:
        return replace(state, left_over=state.left_over - {change.card})
    return _with_card(state, change.card, lambda card: replace(card, gone=True, gone_at=state.number + 1))


def _with_card(state: TableState, number: int, make: Callable[[FeltCard], FeltCard]) -> TableState:
    if all(card.card != number for card in state.cards):
        raise ch.ChangeError(f"There is no card {number} in this round.")
    return replace(state, cards=tuple(make(card) if card.card == number else card for card in state.cards))


def _cleared(state: TableState, _: ch.CardsCleared | ch.EndRound) -> TableState:
    return _over(state, ())


# What people say.


def _said(state: TableState, change: ch.Said) -> TableState:
    number = 0
    if isinstance(change, ch.NameCard | ch.RemoveCard | ch.MoveCard) and state.card(change.card) is None:
        raise ch.ChangeError(f"There is no card {change.card} in this round: it may have been removed.")
    if isinstance(change, ch.MoveCard | ch.AddCard):
        _check_place(state, change.seat, change.hand)
    if isinstance(change, ch.AddCard):
        number = state.following
    saying = Saying(state.number + 1, change, len(state.cards), number)
    following = state.following + (1 if number else 0)
    # A payout of the round before may be said to be fine: that begins no new one.
    ended = state.ended if isinstance(change, ch.PayoutFine) else None
    return replace(state, sayings=(*state.sayings, saying), undone=(), following=following, ended=ended)


def _check_place(state: TableState, seat: int, hand: int) -> None:
    game = game_named(state.game)
    if seat == HOUSE:
        if hand > len(game.house):
            raise ch.ChangeError(f"The house has no hand {hand} in {game.title}.")
    elif not game.seats_hold_cards:
        raise ch.ChangeError(f"Seats hold no cards in {game.title}.")
    elif seat > game.seats:
        raise ch.ChangeError(f"{game.title} has no seat {seat} here: seats are numbered 1 to {game.seats}.")


def _undo(state: TableState, _: ch.Undo) -> TableState:
    if state.sayings:
        return _without_last(state)
    if state.ended is not None and not state.cards:
        back, still = state.ended, state.left_over
        cards = tuple(card if card.gone or card.card in still else replace(card, gone=True) for card in back.cards)
        return replace(back, cards=cards, following=state.following, left_over=back.left_over & still)
    raise ch.ChangeError("There is nothing to take back in this round.")


def _redo(state: TableState, _: ch.Redo) -> TableState:
    if not state.undone:
        raise ch.ChangeError("Nothing was taken back that could be said again.")
    return replace(state, sayings=(*state.sayings, state.undone[-1]), undone=state.undone[:-1])


def _usual_bet(state: TableState, change: ch.UsualBet) -> TableState:
    amount = ch.amount_of(change.amount)
    bets = {**state.usual_bets, change.seat: amount}
    laid = {**state.laid, change.seat: amount} if change.seat in state.laid else state.laid
    return replace(state, usual_bets=MappingProxyType(bets), laid=laid)


def _bets_laid(state: TableState, change: ch.BetsLaid) -> TableState:
    return replace(state, laid=MappingProxyType(ch.laid_by_seat(change)))


def _end(state: TableState, change: ch.EndRound | ch.VoidRound) -> TableState:
    if not state.cards and all(isinstance(saying.change, ch.PayoutFine) for saying in state.sayings):
        raise ch.ChangeError("There is no round to end: no card has come.")
    void = isinstance(change, ch.VoidRound)
    call_off = (Told(state.number + 1, MappingProxyType({"op": "call-off"}), len(state.cards)),) if void else ()
    after = _over(state, call_off, void=void)
    return replace(after, ended=replace(_before_the_end(state), ended=None))


def _before_the_end(state: TableState) -> TableState:
    """The round that undo brings back: without the words that ended it, where words did."""
    ends = bool(state.sayings) and isinstance(state.sayings[-1].change, ch.Tell) and played(state).phase == "over"
    return _without_last(state) if ends else state


def _without_last(state: TableState) -> TableState:
    """Without the last thing that was said, which can be said again."""
    return replace(state, sayings=state.sayings[:-1], undone=(*state.undone, state.sayings[-1]))


def _over(state: TableState, extra: tuple[Told, ...], void: bool = False) -> TableState:
    """The round is settled as far as it got, and what it leaves is carried to the next."""
    shown = _played(state, story(state, cleared=True, extra=extra))
    net = {seat: amount for seat, amount in shown.net.items() if not void}
    totals = dict(state.totals)
    for seat, amount in net.items():
        totals[seat] = totals.get(seat, Fraction(0)) + amount
    faults = tuple(fault.words for fault in shown.faults)
    result = RoundResult(state.round, state.game, MappingProxyType(net), faults, void)
    still = {card.card for card in state.cards if not card.gone}
    return replace(
        state,
        round=state.round + 1,
        cards=(),
        sayings=(),
        said_before=state.sayings,
        undone=(),
        left_over=frozenset(sorted(state.left_over | still)[-KEPT_LEFT_OVER:]),
        carried=shown.carried,
        results=(*state.results, result)[-KEPT_RESULTS:],
        totals=MappingProxyType(totals),
        ended=None,
        laid=NOTHING_LAID,
    )


def _shuffled(state: TableState, _: ch.Shuffled) -> TableState:
    carried = {name: value for name, value in state.carried.items() if name not in ("seen", "hidden")}
    return replace(state, carried=MappingProxyType({**carried, "shuffled": True}))


def _set_table(state: TableState, change: ch.SetTable) -> TableState:
    try:
        game = game_named(change.game)
        rules = game.restored(change.values)
    except ValueError as error:
        raise ch.ChangeError(sentence(str(error))) from None
    still = {card.card for card in state.cards if not card.gone}
    fresh = begin(change.game, rules, change.rules, change.layout, min(change.seats, game.seats))
    same_game = state.game == change.game and not change.anew
    same_shoe = same_game and state.rules == rules
    return replace(
        fresh,
        round=state.round + bool(state.cards),
        left_over=state.left_over | still,
        following=state.following,
        carried=state.carried if same_shoe else fresh.carried,
        usual_bets=state.usual_bets,
        results=() if change.anew else state.results,
        totals=state.totals if same_game else fresh.totals,
    )


_FOLDS: Final[Mapping[type[Any], Callable[[TableState, Any], TableState]]] = MappingProxyType(
    {
        ch.CardCame: _came,
        ch.CardShown: _shown,
        ch.CardLies: _lies,
        ch.CardGone: _gone,
        ch.CardsCleared: _cleared,
        **dict.fromkeys(ch.SAID, _said),
        ch.UsualBet: _usual_bet,
        ch.BetsLaid: _bets_laid,
        ch.EndRound: _end,
        ch.VoidRound: _end,
        ch.Shuffled: _shuffled,
        ch.SetTable: _set_table,
        ch.Undo: _undo,
        ch.Redo: _redo,
    }
)
