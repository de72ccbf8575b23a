"""From the bets to the peek: what the evidence says of the steps before the players act."""

from __future__ import annotations

from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.round import IllegalMove, Step
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.words import inline, spot
from advisor.games.blackjack.table.core import Drive, about
from advisor.games.contract import HOUSE, Fault, Lying, Place
from advisor.games.contract.driving import card_name, move_to

_WITH_HOLE_CARD = (ops.Insure, ops.TakeEvenMoney, ops.CloseInsurance, ops.Surrender, ops.CloseSurrender, ops.Peek)
"""What is said only after the dealer has his hole card."""


def take_bets(drive: Drive, _: Step) -> bool:
    """Bets as they were said; else a seat that laid chips bets these, and one that got cards what it usually does."""
    evidence, rules = drive.evidence, drive.state.rules
    out: set[int] = set()
    while (gone := evidence.said(ops.TakeBackBet)) is not None:
        out.add(gone.seat)
    laid = {seat: bet for seat, bet in drive.story.laid.items() if not _left_out(drive, seat)}
    for seat in sorted({*evidence.betting_seats(), *drive.story.seats(), *laid} - (out - set(drive.story.seats()))):
        told = evidence.last_said(ops.PlaceBet, about(seat, 1))
        if told is not None and drive.done(told):
            continue
        usual = laid.get(seat) or drive.story.usual_bets.get(seat, rules.minimum)
        drive.out.assumed.add(seat)
        # A bet that cannot be is said once; the round goes on with one that can.
        if not drive.done(ops.PlaceBet(seat, usual)) and usual != rules.minimum:
            drive.done(ops.PlaceBet(seat, rules.minimum))
    for seated in drive.state.seats:
        drive.covers[seated.number, 1] = evidence.places(seated.number) or (1,)
    return bool(drive.state.seats)


def _left_out(drive: Drive, seat: int) -> bool:
    """Whether the deal went past the seat's chips: a later seat or the dealer got a card, or somebody a second."""
    if drive.evidence.of_seat(seat):
        return False
    dealt = [it.place.seat for it in drive.story.cards]
    return any(other == HOUSE or other > seat or dealt.count(other) > 1 for other in dealt)


def sweep_bets(drive: Drive, _: Step) -> bool:
    """Side bets that were said, then no more once a card lies there."""
    side = drive.evidence.said(ops.PlaceSideBet)
    if side is not None:
        return drive.said(side)
    return drive.passed(ops.SweepBets, drive.story.cards) and drive.done(ops.SweepBets())


def burn(drive: Drive, _: Step) -> bool:
    """A burned card leaves the felt at once."""
    told = drive.evidence.last_said(ops.Burn)
    return (told is not None or bool(drive.story.cards)) and drive.done(told or ops.Burn(None))


def deal(drive: Drive, step: Step) -> bool:
    """A first or second card, the second of a split hand, or the one card of a double."""
    seat, hand = step.seat or 0, step.hand or 1
    held, card = drive.held(seat, hand), drive.next_card(seat, hand)
    if card is None:
        return False
    if held.added is not None and step.face_down:
        drive.hidden[seat, hand] = card
        return drive.laid(ops.Deal(seat, None, hand), card, drive.lying(seat, hand))
    if not held.cards and not held.from_split:
        card = _left_of_pair(drive, seat, card)
    if len(held.cards) == 1 and not held.from_split:
        _ask_about_early(drive, seat, card)
    if card.face is None:
        return drive.unread(spot(drive.state, seat, hand), card)
    return drive.laid(ops.Deal(seat, card.face, hand), card, drive.lying(seat, hand))


def _ask_about_early(drive: Drive, seat: int, second: Lying) -> None:
    """Ask about third cards that others had before this second card came: nobody draws before all have two.

    More likely such a card is this seat's, and lies too near to another.
    """
    for other in drive.story.seats():
        for third in drive.evidence.of_seat(other)[2:3]:
            told = third.place_said or second.place_said
            asked = any(fault.card == third.card for fault in drive.out.faults)
            if other == seat or told or asked or not 0 < third.came_at < second.came_at:
                continue
            whose = inline(spot(drive.state, seat))
            words = f"{spot(drive.state, other)}: {card_name(third)} came before {whose} had a second card."
            choices = (move_to(third, Place(seat), f"It went to {whose}"), move_to(third, third.place, "It lies right"))
            drive.out.faults.append(Fault(words, third.place, third.card, choices))


def _left_of_pair(drive: Drive, seat: int, first: Lying) -> Lying:
    """Of two cards that were parted by a split, the round's first is the one in the left hand."""
    two = drive.evidence.of_seat(seat)[:2]
    parted = len(two) == 2 and two[0].place > two[1].place
    return two[1] if parted and two[1].face is not None else first


def deal_dealer(drive: Drive, step: Step) -> bool:
    """The upcard and the hole card, in whichever order they came.

    A hole card that was not seen, for the dealer's hand rests on it, lies there once that was said, or something that
    comes after it.
    """
    card = drive.next_house_card()
    told = step.face_down and drive.evidence.last_said(ops.DealDealer) is not None
    if card is None:
        lies = told or (step.face_down and any(drive.evidence.is_said(kind) for kind in _WITH_HOLE_CARD))
        return lies and drive.done(ops.DealDealer(None))
    if drive.state.rules.hole_card == "none":
        if not card.up:
            drive.refuse("The dealer's card lies face down: this table plays without a hole card.", card)
            return True
        down = False
    else:
        down = not card.up or card.turned or step.face_down
    if not down and card.face is None:
        return drive.unread("The dealer", card)
    if step.face_down and card.up and not card.turned:
        drive.out.notices.append("The dealer's hole card lies face up.")
    return drive.laid(ops.DealDealer(None if down else card.face), card, drive.out.house)


def turn_upcard(drive: Drive, _: Step) -> bool:
    """Where both cards were dealt face down, the first that is turned is the upcard."""
    shown = next((it for it in drive.out.house if it.face is not None), None)
    if shown is None or shown.face is None:
        return False
    return drive.done(ops.TurnUpcard(shown.face))


def settle_side_bets(drive: Drive, step: Step) -> bool:
    """Paid before the players act."""
    done = drive.passed(ops.SettleSideBets, _opening_over(drive))
    return done and drive.done(ops.SettleSideBets(step.seat or 0))


def insurance(drive: Drive, _: Step) -> bool:
    """Insurance and even money as they were said; closed once play goes on."""
    said = drive.evidence.said(ops.Insure) or drive.evidence.said(ops.TakeEvenMoney)
    if said is not None:
        return drive.said(said)
    return drive.passed(ops.CloseInsurance, _opening_over(drive)) and drive.done(ops.CloseInsurance())


def surrender(drive: Drive, step: Step) -> bool:
    """Surrender before the peek."""
    given_up = drive.evidence.said(ops.Surrender, lambda op: op.seat in step.seats)
    if given_up is not None:
        return drive.said(given_up)
    return drive.passed(ops.CloseSurrender, _opening_over(drive)) and drive.done(ops.CloseSurrender())


def peek(drive: Drive, _: Step) -> bool:
    """A dealer who goes on has found no blackjack; one who turns his card before anybody acts may have found one."""
    told = drive.evidence.last_said(ops.Peek)
    if told is not None:
        return drive.said(told)
    if not _opening_over(drive):
        return False
    found = _blackjack_shows(drive)
    try:
        drive.state.after(ops.Peek(found))
    except IllegalMove:
        # The cards left allow only the other finding.
        found = not found
    return drive.done(ops.Peek(found))


def _opening_over(drive: Drive) -> bool:
    """Whether the players' turns have begun, or never will."""
    plain = all(it.sure or it.suit_open for it in drive.out.house[:2])
    return drive.evidence.playing or (plain and _blackjack_shows(drive))


def _blackjack_shows(drive: Drive) -> bool:
    """Whether the dealer's two faces are a blackjack, turned up before anybody acted, where he looks for one.

    That the second was never seen face down is no matter: a hand may have lain on it until it was turned.
    """
    card, upcard = hole(drive), drive.state.dealer.upcard
    if drive.state.rules.hole_card != "peek" or card is None or card.face is None or upcard is None:
        return False
    acted = any(drive.evidence.acted(seat.number) for seat in drive.state.seats)
    return not acted and Hand((upcard, card.face)).blackjack


def hole(drive: Drive) -> Lying | None:
    """The dealer's card that the round holds face down, once there is an upcard."""
    upcard = drive.state.dealer.upcard
    if upcard is None or len(drive.out.house) < 2:
        return None
    first, second = drive.out.house[:2]
    first_down, second_down = (not it.up or it.turned for it in (first, second))
    if first_down and second_down:
        return second if first.face == upcard else first
    return first if first_down else second
