"""What a hand, points typed in, or going out makes in a deal, and why it cannot be where it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.games.cards import FULL_PACK
from advisor.games.operations import IllegalMove
from advisor.games.rummy.cards import JOKER, RummyCard
from advisor.games.rummy.limits import hand_problems, most_cards, pack_problems
from advisor.games.rummy.score import score
from advisor.games.rummy.sheet.operations import Scoring, Source, WentOut
from advisor.games.rummy.sheet.state import SheetState
from advisor.games.rummy.sheet.values import DealRecord, Entry, Player

GOING_OUT: Final = "going_out"
"""The bonus that everybody who goes out gets, where a variant has one of that name; others are named when earned."""
LONGEST_IMAGE: Final = 200


def entry_of(state: SheetState, operation: Scoring, player: Player, deal: DealRecord) -> Entry:
    """The score that the operation gives the player; raises `IllegalMove` naming player, deal and what is allowed."""
    where = f"{player.name}, deal {deal.number}"
    out = isinstance(operation, WentOut) or getattr(operation, "out", False)
    if out:
        return _out(state, operation, player, deal, where)
    assert not isinstance(operation, WentOut)
    _check_image(where, operation.source, operation.image)
    met = operation.met
    if state.variant.carry_over_contract and met is None:
        contract = state.contract(deal.number, player).words
        raise IllegalMove(
            f"{where}: say whether the contract was met ({contract}); in {state.variant.name} one not met stays."
        )
    bonus, bonuses = _bonuses(state, operation.bonuses, where, out=False)
    if operation.cards is None and operation.points is not None:
        _check_points(state, operation.points, player, deal, where)
        return Entry(operation.points, bonus, None, False, bonuses, met, operation.source, operation.image)
    if operation.cards is None or operation.points is not None:
        raise IllegalMove(f"{where}: give the cards left in hand or their points, one of the two.")
    _check_cards(state, operation.cards, player, deal, where)
    hand = score(state.variant, operation.cards, state.contract_number(deal.number, player)).points
    return Entry(hand, bonus, operation.cards, False, bonuses, met, operation.source, operation.image)


def _out(state: SheetState, operation: Scoring, player: Player, deal: DealRecord, where: str) -> Entry:
    if not isinstance(operation, WentOut):
        if operation.cards is not None or operation.points is not None or operation.image:
            raise IllegalMove(f"{where}: who went out has no cards: give neither cards, points nor a photograph.")
        if operation.met is False:
            raise IllegalMove(f"{where}: who went out has met the contract: say so, or give the cards left in hand.")
    other = next((number for number, entry in deal.entries if entry.out and number != player.number), None)
    if other is not None:
        name = state.by_number(other).name
        raise IllegalMove(
            f"{where}: {name} went out in this deal, and only one player can; correct {name}'s score first."
        )
    bonus, bonuses = _bonuses(state, operation.bonuses, where, out=True)
    return Entry(0, bonus, None, True, bonuses, True)


def _bonuses(state: SheetState, named: tuple[str, ...], where: str, out: bool) -> tuple[int, tuple[str, ...]]:
    """Points taken off, and for what."""
    known = state.variant.bonuses
    for name in named:
        if name not in known:
            allowed = f"its bonuses are {', '.join(known)}" if known else "it has no bonuses"
            raise IllegalMove(f"{where}: {state.variant.name} has no bonus {name!r}: {allowed}.")
        if named.count(name) > 1:
            raise IllegalMove(f"{where}: the bonus {name} is named twice; it counts once.")
    if GOING_OUT in named and not out:
        raise IllegalMove(f"{where}: the bonus {GOING_OUT} is for the player who went out.")
    earned = tuple(name for name in known if name in named or (out and name == GOING_OUT))
    return sum(known[name] for name in earned), earned


def _check_image(where: str, source: Source, image: str) -> None:
    if image and source is not Source.PHOTO:
        raise IllegalMove(f"{where}: {image!r} cannot be its photograph where the hand was typed in.")
    if len(image) > LONGEST_IMAGE or (image and not image.isprintable()):
        raise IllegalMove(f"{where}: a photograph's name has at most {LONGEST_IMAGE} letters, all of them printable.")


def _check_points(state: SheetState, points: int, player: Player, deal: DealRecord, where: str) -> None:
    variant = state.variant
    cards: tuple[RummyCard, ...] = (*FULL_PACK, JOKER)
    dearest = max(variant.points_of(card) for card in cards if variant.most_of(card))
    most = dearest * most_cards(variant, _dealt(state, deal), len(state.playing(deal.number)))
    if not 0 <= points <= most:
        raise IllegalMove(f"{where}: {points} points cannot be: a hand counts from 0 to {most} in this deal.")


def _check_cards(state: SheetState, cards: Sequence[RummyCard], player: Player, deal: DealRecord, where: str) -> None:
    if not cards:
        raise IllegalMove(f"{where}: a hand without cards has gone out: record that instead.")
    number = len(state.playing(deal.number))
    problems = list(hand_problems(state.variant, cards, _dealt(state, deal), number))
    if not problems:
        # Each hand may be possible by itself and the hands of the deal together still hold a card too often.
        others = [card for n, entry in deal.entries if n != player.number for card in entry.cards or ()]
        before = pack_problems(state.variant, others, number)
        after = pack_problems(state.variant, (*others, *cards), number)
        problems = [f"with the other hands of the deal, {each}" for each in after if each not in before]
    if problems:
        raise IllegalMove(
            f"{where}: {'; '.join(problems)}. Correct the hand that was misread, or give the points without cards."
        )


def _dealt(state: SheetState, deal: DealRecord) -> int | None:
    """The deal whose number of cards limits a hand; None (any) where the players are on contracts of their own."""
    return None if state.variant.carry_over_contract else state.contract_number(deal.number)
