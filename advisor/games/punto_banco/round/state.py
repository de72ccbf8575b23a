"""What lies on the table in a coup: bets, cards, commission owed. Frozen values that know no procedure."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from advisor.games.cards import FULL_PACK, Card
from advisor.games.punto_banco.bets import Bet, Outcome, Settlement
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.tableau import Coup


@dataclass(frozen=True, slots=True)
class PlacedBet:
    """Chips on one bet."""

    seat: int
    bet: Bet
    amount: Fraction
    settlement: Settlement | None = None
    """How the bet ended; None while its chips lie there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One amount that moved between a seat and the house."""

    seat: int
    bet: Bet | None
    """None for commission."""
    reason: Outcome | None
    """None for commission."""
    amount: Fraction
    """What the seat gained: negative where the house did."""


@dataclass(frozen=True, slots=True)
class RoundState:
    """A coup as it stands."""

    rules: PuntoBancoRules
    seen: tuple[Card, ...] = ()
    """Cards gone from this shoe before the coup."""
    brought: tuple[tuple[int, Fraction], ...] = ()
    """Commission owed from earlier coups, by seat."""
    bets: tuple[PlacedBet, ...] = ()
    """The bets in order of seats, and of kinds within a seat."""
    closed: bool = False
    coup: Coup = field(default_factory=Coup)
    called_off: bool = False
    cleared: bool = False
    ledger: tuple[Entry, ...] = ()
    """Every amount that moved, in order."""

    def bet(self, seat: int, bet: Bet) -> PlacedBet | None:
        """The seat's bet of this kind, if it has one."""
        return next((it for it in self.bets if (it.seat, it.bet) == (seat, bet)), None)

    @property
    def known_cards(self) -> tuple[Card, ...]:
        """Every card seen from this shoe, those gone before among them."""
        return (*self.seen, *self.coup.player, *self.coup.banker)

    @property
    def cards_left(self) -> int:
        """How many cards the shoe still holds."""
        return len(FULL_PACK) * self.rules.decks - len(self.known_cards)

    @property
    def open_bets(self) -> tuple[PlacedBet, ...]:
        """The bets that are not settled."""
        return tuple(it for it in self.bets if it.settlement is None)

    @property
    def commission(self) -> dict[int, Fraction]:
        """The commission that each seat owes now, by seat; seats that owe nothing are left out."""
        owed = dict(self.brought)
        for it in self.bets:
            if it.settlement is not None:
                owed[it.seat] = owed.get(it.seat, Fraction(0)) + it.settlement.commission
        for entry in self.ledger:
            if entry.bet is None:
                owed[entry.seat] += entry.amount
        return {seat: amount for seat, amount in sorted(owed.items()) if amount}

    def net(self, seat: int) -> Fraction:
        """What a seat has gained in chips in this coup; commission it still owes is not taken off."""
        return sum((entry.amount for entry in self.ledger if entry.seat == seat), Fraction(0))

    @property
    def house_net(self) -> Fraction:
        """What the house has gained in chips in this coup."""
        return -sum((entry.amount for entry in self.ledger), Fraction(0))
