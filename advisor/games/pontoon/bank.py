"""Who holds the bank, and when it passes: in turn after so many deals, to the first pontoon, or by sale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from advisor.games.operations import IllegalMove, exact
from advisor.games.pontoon.rules import PontoonRules
from advisor.money.amounts import AmountLike, format_amount


@dataclass(frozen=True, slots=True)
class BankSale:
    """The bank was sold: the buyer paid the price to the seller."""

    seller: int
    buyer: int
    price: Fraction

    def net(self, seat: int) -> Fraction:
        """What a seat gained by the sale."""
        return self.price * ((seat == self.seller) - (seat == self.buyer))


@dataclass(frozen=True, slots=True)
class Bank:
    """The bank between deals."""

    holder: int
    """The seat of the banker."""
    deals: int = 0
    """How many deals this banker has finished."""

    def after_deal(
        self, rules: PontoonRules, seats: Sequence[int], pontoons: Sequence[int], banker_pontoon: bool
    ) -> Bank:
        """The bank after a deal among these seats.

        `pontoons` are the seats of punters with a pontoon that can win the bank, in the order dealt.
        """
        dealt = self.deals + 1
        if rules.bank_passes == "after-deals" and dealt >= rules.bank_deals:
            return Bank(left_of(self.holder, seats))
        kept = banker_pontoon and rules.banker_pontoon_keeps_bank
        if rules.bank_passes == "first-pontoon" and pontoons and not kept:
            return Bank(pontoons[0])
        return replace(self, deals=dealt)

    def verify_sell(self, rules: PontoonRules, seats: Sequence[int], buyer: int, price: AmountLike) -> None:
        """Raises `IllegalMove` with a sentence where the bank cannot be sold so."""
        self.sell(rules, seats, buyer, price)

    def can_sell(self, rules: PontoonRules, seats: Sequence[int], buyer: int, price: AmountLike) -> bool:
        """Whether the bank can be sold so."""
        try:
            self.sell(rules, seats, buyer, price)
        except IllegalMove:
            return False
        return True

    def sell(self, rules: PontoonRules, seats: Sequence[int], buyer: int, price: AmountLike) -> tuple[Bank, BankSale]:
        """The bank after a sale between deals, and what was paid; raises `IllegalMove`."""
        amount = exact(price, f"Seat {buyer}")
        if rules.bank_passes != "sale":
            raise IllegalMove(f"The bank is not for sale: at this table it passes by bank_passes={rules.bank_passes}.")
        if buyer == self.holder:
            raise IllegalMove(f"Seat {buyer} holds the bank already.")
        if buyer not in seats:
            raise IllegalMove(f"Seat {buyer} cannot buy the bank: the seats are {', '.join(map(str, sorted(seats)))}.")
        if amount < 0 or amount % rules.unit:
            said = f"A price of {format_amount(amount)} for the bank"
            raise IllegalMove(f"{said} is not in whole units of {format_amount(rules.unit)}, 0 or more.")
        return Bank(buyer), BankSale(self.holder, buyer, amount)


def left_of(seat: int, seats: Sequence[int]) -> int:
    """The next seat round the table; raises `IllegalMove` where there is no other."""
    others = sorted(it for it in seats if it != seat)
    if not others:
        raise IllegalMove(f"There is nobody beside seat {seat}.")
    return next((it for it in others if it > seat), others[0])


def dealing_order(banker: int, seats: Sequence[int]) -> tuple[int, ...]:
    """The punters from the banker's left, in the order in which they are dealt to and play."""
    punters = sorted(it for it in seats if it != banker)
    return tuple([it for it in punters if it > banker] + [it for it in punters if it < banker])
