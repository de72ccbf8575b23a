"""A deal of pontoon as a frozen value that operations carry on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, assert_never

from advisor.games.cards import Card
from advisor.games.operations import IllegalMove
from advisor.games.pontoon.bank import Bank, dealing_order
from advisor.games.pontoon.pack import RunningPack
from advisor.games.pontoon.round.operations import (
    SEATS,
    Buy,
    CallOff,
    ClearCards,
    Deal,
    DrawBanker,
    GiveUp,
    GoBust,
    Operation,
    Settle,
    Show,
    ShowPontoon,
    Split,
    Stake,
    Stay,
    Stick,
    TurnBanker,
    Twist,
)
from advisor.games.pontoon.round.state import Entry, Held, PunterHand, RoundState, Seat
from advisor.games.pontoon.round.steps import Step, next_step, owed
from advisor.games.pontoon.round.verify import hand_at, newly_seen, verify
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.settlement import Outcome, Settlement


@dataclass(frozen=True, slots=True)
class Round(RoundState):
    """One deal, from the first card to the clearing of the cards. It never changes: `after` gives the next one."""

    @classmethod
    def start(cls, rules: PontoonRules, seats: Sequence[int], banker: int, pack: RunningPack | None = None) -> Round:
        """A deal among these seats before its first card, from this pack (default: freshly shuffled).

        Raises `IllegalMove` for seats that cannot be.
        """
        for seat in seats:
            if seat not in SEATS or list(seats).count(seat) > 1:
                raise IllegalMove(f"Seat {seat} cannot be: each seat is named once, {SEATS[0]} to {SEATS[-1]}.")
        if banker not in seats or len(seats) < 2:
            raise IllegalMove(f"The banker at seat {banker} must be one of two seats or more, not of {list(seats)}.")
        punters = tuple(Seat(number) for number in dealing_order(banker, seats))
        return cls(rules, banker, punters, pack or RunningPack.shuffled(rules.decks))

    def after(self, operation: Operation) -> Round:
        """The round after the operation; raises `IllegalMove` where it is not allowed now."""
        verify(self, operation)
        return _applied(self, operation)

    @property
    def next_step(self) -> Step:
        """What happens next."""
        return next_step(self)

    @property
    def finished(self) -> bool:
        """Whether the cards are cleared, so that nothing is left to do."""
        return self.cleared

    @property
    def next_pack(self) -> RunningPack:
        """The pack for the next deal: as it lies, or shuffled where that is due."""
        return RunningPack.shuffled(self.rules.decks) if self.shuffle_due else self.pack

    def bank_after(self, bank: Bank) -> Bank:
        """The bank after this deal; raises `IllegalMove` while it is not over, or where another seat holds the bank."""
        if not self.cleared:
            raise IllegalMove(f"The bank cannot pass now. Next: {self.next_step.words}")
        if bank.holder != self.banker:
            raise IllegalMove(f"Seat {self.banker} dealt, but seat {bank.holder} is said to hold the bank.")
        if self.called_off:
            return bank
        return bank.after_deal(self.rules, self.order, self.pontoons, self.banker_pontoon)


def replay(
    rules: PontoonRules,
    seats: Sequence[int],
    banker: int,
    operations: Iterable[Operation],
    pack: RunningPack | None = None,
) -> Round:
    """The round that a log of operations leads to; raises `IllegalMove` at the first that is not allowed."""
    state = Round.start(rules, seats, banker, pack)
    for operation in operations:
        state = state.after(operation)
    return state


def _applied(state: Round, operation: Operation) -> Round:
    """The round after the operation, which must have been verified."""
    match operation:
        case Deal(seat, card, hand):
            if seat == state.banker:
                pack, fresh = state.pack.dealt(card)
                return replace(state, pack=pack, banker_held=(*state.banker_held, Held(card, False, fresh)))
            return _with_card(state, seat, hand, card, up=False)
        case Stake(seat, amount):
            return _hand(state, seat, 1, lambda it: replace(it, stake=amount))
        case Stick(seat, hand):
            return _hand(state, seat, hand, lambda it: replace(it, stuck=True))
        case Buy(seat, amount, card, hand):
            bought = _hand(state, seat, hand, lambda it: replace(it, buys=(*it.buys, amount)))
            return _with_card(bought, seat, hand, card, up=False)
        case Twist(seat, card, hand):
            return _with_card(state, seat, hand, card, up=True)
        case ShowPontoon(seat, cards, hand):
            return _hand(_shown(state, seat, hand, cards), seat, hand, lambda it: replace(it, stuck=True))
        case Show(seat, cards, hand):
            return _shown(state, seat, hand, cards)
        case Split(seat, cards, hand):
            return _split(_shown(state, seat, hand, cards), seat, hand)
        case GoBust(seat, cards, hand):
            shown = _shown(state, seat, hand, cards)
            lost = Settlement(Outcome.BUST, -hand_at(shown, seat, hand).total_stake)
            return replace(_settled(shown, seat, hand, lost), pack=shown.pack.buried(cards))
        case GiveUp(seat, hand):
            held = hand_at(state, seat, hand)
            given = _settled(state, seat, hand, Settlement(Outcome.GIVEN_UP, -held.total_stake))
            return replace(given, pack=state.pack.buried(it.card for it in held.held))
        case TurnBanker(cards):
            pack = state.pack
            for card in newly_seen(state.banker_held, cards):
                pack = pack.revealed(card)
            return replace(state, pack=pack, banker_held=tuple(Held(card, True) for card in cards))
        case DrawBanker(card):
            pack, fresh = state.pack.dealt(card)
            return replace(state, pack=pack, banker_held=(*state.banker_held, Held(card, True, fresh)))
        case Stay():
            return replace(state, stayed=True)
        case Settle(seat, hand):
            return _settled(state, seat, hand, owed(state, hand_at(state, seat, hand)))
        case CallOff():
            for there, number, held in tuple(state.hands()):
                if held.settlement is None:
                    state = _settled(state, there.number, number, Settlement(Outcome.CALLED_OFF, Fraction(0)))
            return replace(state, called_off=True)
        case ClearCards():
            return _cleared(state)
        case _:
            assert_never(operation)


def _hand(state: Round, seat: int, number: int, change: Callable[[PunterHand], PunterHand]) -> Round:
    def changed(it: Seat) -> Seat:
        hands = tuple(change(hand) if place == number else hand for place, hand in enumerate(it.hands, 1))
        return replace(it, hands=hands)

    return replace(state, seats=tuple(changed(it) if it.number == seat else it for it in state.seats))


def _with_card(state: Round, seat: int, hand: int, card: Card | None, *, up: bool) -> Round:
    pack, fresh = state.pack.dealt(card)
    dealt = _hand(state, seat, hand, lambda it: replace(it, held=(*it.held, Held(card, up, fresh))))
    return replace(dealt, pack=pack)


def _shown(state: Round, seat: int, hand: int, cards: Sequence[Card]) -> Round:
    pack = state.pack
    for card in newly_seen(hand_at(state, seat, hand).held, cards):
        pack = pack.revealed(card)
    turned = tuple(Held(card, True) for card in cards)
    return replace(_hand(state, seat, hand, lambda it: replace(it, held=turned)), pack=pack)


def _split(state: Round, number: int, hand: int) -> Round:
    def split(it: Seat) -> Seat:
        pair = it.hands[hand - 1]
        halves = tuple(PunterHand(pair.stake, held=(card,), from_split=True) for card in pair.held)
        return replace(it, hands=(*it.hands[: hand - 1], *halves, *it.hands[hand:]))

    return replace(state, seats=tuple(split(it) if it.number == number else it for it in state.seats))


def _settled(state: Round, seat: int, hand: int, settled: Settlement) -> Round:
    entered = replace(state, ledger=(*state.ledger, Entry(seat, hand, settled.outcome, settled.amount)))
    return _hand(entered, seat, hand, lambda it: replace(it, settlement=settled))


_THROWN_IN: Final = (Outcome.BUST, Outcome.GIVEN_UP)
"""How hands end whose cards have gone to the bottom of the pack before the others."""


def _cleared(state: Round) -> Round:
    """Every card that still lies there goes underneath: punters in order, the banker's last."""
    pack = state.pack
    for _, _, held in state.hands():
        if held.settlement is None or held.settlement.outcome not in _THROWN_IN:
            pack = pack.buried(it.card for it in held.held)
    return replace(state, pack=pack.buried(it.card for it in state.banker_held), cleared=True)
