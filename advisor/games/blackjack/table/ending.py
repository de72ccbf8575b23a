"""The dealer's own hand, the settlement and the clearing: what the evidence says of the steps after the players."""

from __future__ import annotations

from typing import Final

from advisor.games.blackjack.round import IllegalMove, Step, StepKind, as_dict
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.table.core import Drive, about
from advisor.games.blackjack.table.opening import hole
from advisor.games.contract import Fault, Lying, Place

_STILL_DEALING: Final = (
    StepKind.TAKE_BETS,
    StepKind.SWEEP_BETS,
    StepKind.BURN,
    StepKind.DEAL_DEALER,
    StepKind.TURN_UPCARD,
)


def reveal(drive: Drive, _: Step) -> bool:
    """The hole card, once its face is seen."""
    card = hole(drive)
    if card is None or card.face is None:
        return False
    turned = ops.RevealHole(card.face)
    try:
        drive.out.state = drive.state.after(turned)
    except IllegalMove as refused:
        drive.blame(str(refused), card)
        return False
    drive.out.operations.append(as_dict(turned))
    return True


def draw(drive: Drive, _: Step) -> bool:
    """The dealer's next card."""
    card = drive.next_house_card()
    if card is None:
        return False
    if card.face is None:
        return drive.unread("The dealer", card)
    return drive.laid(ops.DrawDealer(card.face), card, drive.out.house)


def turn_doubled(drive: Drive, _: Step) -> bool:
    """Doubled cards that lay face down, those whose turn to be settled has not come among them."""
    turned = False
    for (seat, hand), card in tuple(drive.hidden.items()):
        if card.face is not None:
            del drive.hidden[seat, hand]
            turned = drive.done(ops.TurnDoubled(seat, card.face, hand)) or turned
    return turned


def settle(drive: Drive, step: Step) -> bool:
    """A hand is settled once somebody says so, its cards are picked up, or (on its turn) play has gone past it."""
    seat, hand = step.seat or 0, step.hand or 1
    if not drive.before_dealer and turn_doubled(drive, step):
        return True
    on_turn = drive.state.dealer_blackjack is not True and drive.before_dealer and drive.moved_on(seat, hand)
    said = drive.evidence.said(ops.Settle, about(seat, hand)) is not None
    gone = drive.evidence.picked_up(seat, drive.covered(seat, hand))
    return (said or on_turn or gone) and drive.done(ops.Settle(seat, hand))


def settle_insurance(drive: Drive, step: Step) -> bool:
    """Collected before the players act, or paid at the end."""
    said = drive.evidence.said(ops.SettleInsurance, lambda op: op.seat == step.seat) is not None
    past = drive.evidence.cleared or (step.kind is StepKind.COLLECT_INSURANCE and drive.evidence.playing)
    return (said or past) and drive.done(ops.SettleInsurance(step.seat or 0))


def give_back(drive: Drive, step: Step) -> bool:
    """What bust hands lost beyond the first bet."""
    return drive.passed(ops.GiveBack, drive.evidence.cleared) and drive.done(ops.GiveBack(step.seat or 0))


def clear(drive: Drive, _: Step) -> bool:
    """The cards are picked up."""
    return drive.passed(ops.ClearCards, drive.story.cleared) and drive.done(ops.ClearCards())


def close(drive: Drive) -> None:
    """Say what is left over, and give the round up where its cards were cleared before it was finished."""
    out = drive.out
    if drive.story.cleared and out.step.kind is not StepKind.OVER and drive.state.seats:
        _give_up(drive)
    out.waiting = [it for it in drive.story.cards if it.card not in drive.evidence.used]
    for card in out.waiting:
        if not _may_come_yet(drive, out.step, card):
            drive.blame(_too_many(card), card)
    short = out.step.kind is StepKind.DEAL and out.step.seat is not None
    if short and drive.evidence.playing and not drive.story.cleared:
        held = drive.held(out.step.seat or 0, out.step.hand or 1)
        if not held.from_split and held.added is None:
            said = f"Seat {out.step.seat} has too few cards, but play has gone on."
            out.faults.append(Fault(said, Place(out.step.seat or 0)))
    out.faults.extend(Fault(words) for words in drive.evidence.unreadable)


def _give_up(drive: Drive) -> None:
    if drive.state.at_stake:
        missing = drive.out.step.words.rstrip(".")
        drive.out.faults.append(
            Fault(
                f"The cards were cleared before the round was finished ({missing}). What was still open is given back."
            )
        )
    if drive.done(ops.CallOff()) and drive.state.next_step.kind is StepKind.CLEAR_CARDS:
        drive.done(ops.ClearCards())
    drive.out.step = drive.state.next_step


def _may_come_yet(drive: Drive, step: Step, card: Lying) -> bool:
    """Whether the round has simply not come to that card."""
    if step.kind in _STILL_DEALING or drive.story.cleared:
        return True
    if card.place.seat == 0:
        return drive.before_dealer or step.kind is StepKind.DRAW
    if step.kind is StepKind.DEAL and len(drive.held(step.seat or 0, step.hand or 1).cards) < 2:
        return True
    return step.kind in (StepKind.DECIDE, StepKind.DEAL) and (step.seat or 0) <= card.place.seat


def _too_many(card: Lying) -> str:
    name = "A card" if card.face is None else f"The {card.face.name}"
    if card.place.seat:
        return f"{name} at seat {card.place.seat} is one too many: that hand takes no more cards."
    return f"{name} is one too many: the dealer takes no more cards."
