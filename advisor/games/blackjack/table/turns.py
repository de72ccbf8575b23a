"""The players' turns: what the evidence says of a decision that is awaited."""

from __future__ import annotations

from advisor.games.blackjack.decision import Action
from advisor.games.blackjack.round import Step, as_dict
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.words import spot
from advisor.games.blackjack.table.core import Drive, about
from advisor.games.contract import Choice, Fault, Lying, Place
from advisor.games.contract.driving import card_name, move_to


def decide(drive: Drive, step: Step) -> bool:
    """What was said counts first, then what lies there, then that play has gone on without the hand."""
    seat, hand = step.seat or 0, step.hand or 1
    evidence, here = drive.evidence, about(seat, hand)
    given_up = evidence.said(ops.Surrender, here)
    if given_up is not None:
        return drive.said(given_up)
    parted = len(drive.covered(seat, hand)) > 1
    if evidence.said(ops.Split, here) is not None or (parted and Action.SPLIT in step.actions):
        return _split(drive, seat, hand)
    if parted:
        _no_pair(drive, seat, hand)
    card = drive.next_card(seat, hand)
    doubling = evidence.said(ops.Double, here)
    if doubling is not None:
        return drive.said(doubling)
    if card is not None and _lies_doubled(card) and Action.DOUBLE in step.actions:
        return drive.said(ops.Double(seat, drive.held(seat, hand).bet, hand))
    if card is not None:
        if evidence.came_late(card):
            return _refuse_late(drive, seat, hand, card)
        if card.face is None:
            return drive.unread(spot(drive.state, seat, hand), card)
        return drive.laid(ops.Hit(seat, card.face, hand), card, drive.lying(seat, hand))
    if evidence.said(ops.Stand, here) is not None:
        return drive.done(ops.Stand(seat, hand))
    if evidence.picked_up_early(seat, drive.covered(seat, hand)):
        return _taken_away(drive, step, seat, hand)
    return drive.moved_on(seat, hand) and drive.done(ops.Stand(seat, hand))


def _lies_doubled(card: Lying) -> bool:
    return card.crosswise or not card.up or card.turned


def _refuse_late(drive: Drive, seat: int, hand: int, card: Lying) -> bool:
    """A card that came when the players' turns were over is left out: more likely than not another was misread."""
    words = f"{spot(drive.state, seat, hand)}: {card_name(card)} came after the dealer had gone on to his own hand."
    drive.refuse(words, card, move_to(card, card.place, "It was dealt before"))
    return True


def _taken_away(drive: Drive, step: Step, seat: int, hand: int) -> bool:
    """Cards that leave before the hand is over: surrendered, where that is allowed, or bust by a card not seen.

    Nothing on the felt tells the two apart, and the money differs: it is asked, until somebody says.
    """
    here = Place(seat, hand)
    stands = Choice("It stands", as_dict(ops.Stand(seat, hand)), here)
    whose, holds = spot(drive.state, seat, hand), drive.held(seat, hand).hand.text
    said = f"{whose}: the cards were taken away, but the hand is not over: {holds}."
    on = drive.moved_on(seat, hand)
    if Action.SURRENDER in step.actions:
        gives_up = Choice("It surrendered", as_dict(ops.Surrender(seat)), here)
        said += " It is taken to be surrendered. If it was bust, add the card that was not seen."
        drive.out.faults.append(Fault(said, here, None, (gives_up, stands)))
        return drive.done(ops.Surrender(seat))
    said += " If it was bust, add the card that was not seen."
    drive.out.faults.append(Fault(said, here, None, (stands,)))
    return on and drive.done(ops.Stand(seat, hand))


def _split(drive: Drive, seat: int, hand: int) -> bool:
    """Two hands from one; those on the felt that each will become go to the side on which they lie."""
    covers, lay = drive.covered(seat, hand), drive.out.lies.get((seat, hand), [])
    there = drive.state.seat(seat)
    hands = len(there.hands) if there else 0
    if not drive.done(ops.Split(seat, hand)):
        # Asked once: the cards of the other hands are then left over, and said to be.
        drive.covers[seat, hand] = covers[:1]
        return True
    middle = lay[1].place.hand if len(lay) > 1 and lay[1].place.hand in covers[1:] else hand + 1
    left = tuple(it for it in covers if it < middle) or covers[:1]
    right = tuple(it for it in covers if it not in left) or (middle,)
    _renumber(drive, seat, hand, hands)
    drive.covers[seat, hand], drive.covers[seat, hand + 1] = left, right
    drive.out.lies[seat, hand], drive.out.lies[seat, hand + 1] = lay[:1], lay[1:]
    return True


def _no_pair(drive: Drive, seat: int, hand: int) -> None:
    """Two hands where the rules allow one: said once; all their cards are then taken as one hand's."""
    lies = drive.out.lies.get((seat, hand), [])
    astray = next((it for it in lies if it.place != lies[0].place), None)
    said = (
        f"{spot(drive.state, seat, hand)}: two hands lie here, but {drive.held(seat, hand).hand.text} cannot be split."
    )
    if astray is not None and all(fault.words != said for fault in drive.out.faults):
        choice = move_to(astray, lies[0].place, "It is one hand")
        drive.out.faults.append(Fault(said, astray.place, astray.card, (choice,)))


def _renumber(drive: Drive, seat: int, hand: int, hands: int) -> None:
    """The hands right of one that was split move up by one."""
    for number in range(hands, hand, -1):
        old, new = (seat, number), (seat, number + 1)
        if old in drive.covers:
            drive.covers[new] = drive.covers.pop(old)
        if old in drive.out.lies:
            drive.out.lies[new] = drive.out.lies.pop(old)
        if old in drive.hidden:
            drive.hidden[new] = drive.hidden.pop(old)
