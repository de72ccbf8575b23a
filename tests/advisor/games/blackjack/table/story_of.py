"""What a camera would see of a round, and what it could not: a log of operations as a story that grows card by card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from advisor.games.blackjack.round import Operation, as_dict
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import Card
from advisor.games.contract import HOUSE, Carried, Lying, Place, Story, Told


class Felt:
    """The cards on the felt and what was said."""

    def __init__(self, carried: Carried) -> None:
        self.carried = carried
        self.bets: dict[int, Fraction] = {}
        self.cards: list[Lying] = []
        self.told: list[Told] = []
        self.cleared = False
        self.doubled: set[tuple[int, int]] = set()

    def story(self) -> Story:
        return Story(tuple(self.cards), tuple(self.told), self.carried, cleared=self.cleared)

    def say(self, operation: Operation) -> None:
        self.told.append(Told(len(self.told) + len(self.cards) + 1, as_dict(operation), len(self.cards)))

    def lay(self, place: Place, card: Card | None, crosswise: bool = False) -> None:
        label = None if card is None else str(card)
        number = len(self.cards) + 1
        self.cards.append(Lying(number, place, label, up=card is not None, crosswise=crosswise))

    def turn(self, place: Place, card: Card) -> None:
        for at, it in enumerate(self.cards):
            if it.place == place and not it.up:
                self.cards[at] = replace(it, up=True, label=str(card), turned=True)
                return
        raise AssertionError(f"nothing lies face down at {place}")

    def part(self, seat: int, hand: int) -> None:
        """Of the two cards of a hand the second goes to a new hand right of it."""
        self.cards = [
            replace(it, place=Place(seat, it.place.hand + 1)) if it.place.seat == seat and it.place.hand > hand else it
            for it in self.cards
        ]
        at = [n for n, it in enumerate(self.cards) if it.place == Place(seat, hand)][1]
        self.cards[at] = replace(self.cards[at], place=Place(seat, hand + 1))
        self.doubled = {(s, h + 1 if s == seat and h > hand else h) for s, h in self.doubled}

    def pick_up(self, seat: int, hand: int) -> None:
        self.cards = [replace(it, gone=True) if it.place == Place(seat, hand) else it for it in self.cards]

    def see(self, operation: Operation) -> bool:
        """Let one operation happen; whether a camera saw anything of it."""
        match operation:
            case ops.Deal(seat, card, hand):
                self.lay(Place(seat, hand), card, crosswise=(seat, hand) in self.doubled)
            case ops.Hit(seat, card, hand):
                self.lay(Place(seat, hand), card)
            case ops.DealDealer(card) | ops.DrawDealer(card):
                self.lay(Place(HOUSE), card)
            case ops.TurnUpcard(card) | ops.RevealHole(card):
                self.turn(Place(HOUSE), card)
            case ops.TurnDoubled(seat, card, hand):
                self.turn(Place(seat, hand), card)
            case ops.Split(seat, hand):
                self.part(seat, hand)
            case ops.Double(seat, amount, hand):
                self.doubled.add((seat, hand))
                if amount == self.bets[seat]:
                    return False
                self.say(operation)
            case ops.Settle(seat, hand):
                self.pick_up(seat, hand)
            case ops.ClearCards():
                self.cards = [replace(it, gone=True) for it in self.cards]
                self.cleared = True
            case ops.PlaceBet(seat, amount):
                self.bets[seat] = amount
                self.say(operation)
            case (
                ops.Surrender()
                | ops.PlaceSideBet()
                | ops.TakeBackBet()
                | ops.Insure()
                | ops.TakeEvenMoney()
                | ops.CutCard()
                | ops.CallOff()
            ):
                self.say(operation)
            case _:
                return False
        return True


def stories(operations: Iterable[Operation], carried: Carried) -> Iterator[Story]:
    """The story after each operation that leaves a trace."""
    felt = Felt(carried)
    for operation in operations:
        if felt.see(operation):
            yield felt.story()
