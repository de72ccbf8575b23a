"""The dealer's next step in words: short plain sentences to be read at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from advisor.games.blackjack.round.operations import Side
from advisor.games.blackjack.round.settlement import SIDE_BET_TOTAL, Outcome, Settlement, settle_side_bet
from advisor.games.blackjack.round.state import RoundState, Seat
from advisor.games.blackjack.values import VALUES, value_index
from advisor.money.amounts import format_amount, odds_text


def spot(state: RoundState, seat: int, hand: int = 1) -> str:
    """The place: "Seat 3", or "Seat 3, hand 2" where the seat has several hands."""
    there = state.seat(seat)
    several = hand > 1 or (there is not None and len(there.hands) > 1)
    return f"Seat {seat}, hand {hand}" if several else f"Seat {seat}"


def inline(place: str) -> str:
    """A place within a sentence: "seat 3"."""
    return place[0].lower() + place[1:]


def one_of(words: Iterable[str]) -> str:
    """The words as a choice, such as "hit, stand or double"."""
    return _joined(list(words), "or")


def seats_words(seats: Sequence[int]) -> str:
    """The seats by number, such as "seats 1, 2 and 5"."""
    return f"seat{'s' if len(seats) > 1 else ''} {_joined([str(seat) for seat in seats], 'and')}"


def _joined(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def bets_words(state: RoundState) -> str:
    """Every bet, by seat."""
    bets = ", ".join(f"seat {seat.number} {format_amount(seat.hands[0].bet)}" for seat in state.seats)
    return f"Sweep the bets: {bets}."


def insurance_words(state: RoundState, limits: Sequence[tuple[int, Fraction]], even: Sequence[int]) -> str:
    """What is offered against the ace, or what was bet beside what is allowed."""
    most = dict(limits)
    placed = [seat for seat in state.seats if seat.insured]
    if placed:
        bets = ", ".join(
            f"seat {seat.number} has {format_amount(seat.insurance)} (at most {format_amount(most[seat.number])})"
            for seat in placed
        )
        return f"Check that each insurance bet is at most half: {bets}. Then close insurance."
    offers = []
    if even:
        offers.append(f"even money to {seats_words(even)}")
    if limits:
        offers.append(f"insurance to {seats_words([seat for seat, _ in limits])}, at most half the bet")
    return f"Offer {' and '.join(offers)}." if offers else "Close insurance."


def side_bet_words(seat: Seat) -> str:
    """How a seat's bets on over and under 13 are settled."""
    total = seat.hands[0].hand.hard_total
    cards = f"{total}, {'over' if total > SIDE_BET_TOTAL else 'under'} {SIDE_BET_TOTAL}"
    shown = f"exactly {SIDE_BET_TOTAL}" if total == SIDE_BET_TOTAL else cards
    moves = []
    for settled in side_bets(seat):
        side = settled.outcome.split()[0]
        moves.append(f"{'pay' if settled.amount > 0 else 'collect'} {format_amount(abs(settled.amount))} on {side}")
    return f"Seat {seat.number} has {shown}: {' and '.join(moves)}."


def side_bets(seat: Seat) -> tuple[Settlement, ...]:
    """What the seat's bets on over and under 13 come to."""
    bets: tuple[tuple[Side, Fraction], ...] = (("over", seat.over), ("under", seat.under))
    return tuple(settle_side_bet(side, bet, seat.hands[0].cards) for side, bet in bets if bet)


def draw_words(state: RoundState) -> str:
    """Why the dealer draws."""
    if state.rules.hole_card == "none" and len(state.dealer.cards) == 1:
        return "Deal the dealer's second card."
    return f"Draw: the dealer has {state.dealer.hand.text}."


def peek_words(state: RoundState) -> str:
    """Why the dealer peeks."""
    upcard = state.dealer.upcard
    assert upcard is not None
    value = VALUES[value_index(upcard)]
    return f"Peek: the upcard is {'an ace' if value == 'A' else 'a ten'}."


def reveal_words(state: RoundState) -> str:
    """Why the dealer turns the hole card, and whether he goes on."""
    if state.peeked:
        return "Reveal the blackjack."
    if not state.open_hands:
        return "Reveal the hole card and draw no more: every hand is settled."
    return "Reveal the hole card."


_ODDS: Final = (Outcome.BLACKJACK, Outcome.CHARLIE, Outcome.BONUS)
"""Outcomes whose odds are worth saying."""


def settle_words(state: RoundState, seat: Seat, number: int, settled: Settlement, now: str) -> str:
    """How a hand is settled and why; `now` is " now" where the dealer does not wait for the end of the round."""
    held = seat.hands[number - 1]
    place = spot(state, seat.number, number)
    amount = format_amount(abs(settled.amount))
    bet = format_amount(held.bet)
    mine, his = held.hand.total, state.dealer.hand.total
    pay = f"Pay {amount}{now}"
    if settled.outcome in _ODDS:
        pay += f" ({odds_text(settled.amount / held.bet)} on {bet})"
    match settled.outcome:
        case Outcome.BLACKJACK:
            return f"{place}: blackjack. {pay}."
        case Outcome.EVEN_MONEY:
            return f"{place}: even money. {pay}."
        case Outcome.CHARLIE:
            return f"{place}: {len(held.cards)} cards without a bust. {pay}."
        case Outcome.BONUS:
            ranks = "-".join(sorted(card.rank for card in held.cards))
            return f"{place}: {ranks}. {pay}."
        case Outcome.WIN:
            return f"{place} wins with {mine} against {his}: pay {amount}."
        case Outcome.DEALER_BUST:
            return f"{place} wins, for the dealer is bust: pay {amount}."
        case Outcome.PUSH:
            return f"Push on {inline(place)}: knock."
        case Outcome.BOTH_BLACKJACK:
            return f"Push on {inline(place)}, for both have a blackjack: knock."
        case Outcome.RETURNED:
            back = format_amount(held.stake)
            return f"{place}: a blackjack takes the original bet only. Give back {back}."
        case Outcome.LOSE:
            return f"{place} loses with {mine} against {his}: collect {amount}."
        case Outcome.BUST:
            return f"{place} is bust: collect {amount}, then the cards."
        case Outcome.SURRENDER:
            return f"{place} surrenders: collect {amount} and give back {format_amount(held.bet + settled.amount)}."
        case _:
            kept = held.stake + settled.amount
            back = f" Give back the {format_amount(kept)} added." if kept else ""
            return f"{place} loses to the dealer's blackjack: collect {amount}.{back}"
