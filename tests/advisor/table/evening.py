"""A round of the core, dealt onto a felt: where each card lies after each operation, as a camera would follow it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from table_stand_ins import Card, Watched

from advisor.games.blackjack.round import Operation, as_dict
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import Card as Face
from advisor.table.changes import Tell

ASIDE, STEP, APART = 150.0, 24.0, 700.0
"""Pixels between a seat's hands, from card to card of a hand, and between seats; a card is 60 x 84."""
FIRST = 2900.0
"""Where the first seat is. The dealer sits at the top of the picture, so his left, where play begins, is its right."""


@dataclass
class Felt:
    """What lies where; seats are numbered from 1 in the order of the deal."""

    table: Watched
    seats: Mapping[int, int]
    """The seat on this felt for each seat of the round; the deal goes to the left of the picture."""
    hands: dict[tuple[int, int], list[Card]] = field(default_factory=dict)
    """Cards by the round's seat and hand; the house is seat 0."""
    doubled: set[tuple[int, int]] = field(default_factory=set)
    bets: dict[int, Fraction] = field(default_factory=dict)
    number: int = 0

    def show(self) -> None:
        self.table.see(*sorted((c for hand in self.hands.values() for c in hand), key=lambda c: c.card))

    def tell(self, operation: Operation) -> None:
        data = as_dict(operation)
        if "seat" in data:
            data["seat"] = self.seats[int(data["seat"])]
        self.table.make(Tell(operation=data))

    def lay(self, seat: int, hand: int, face: Face | None, across: bool = False) -> None:
        self.number += 1
        lies = self.hands.setdefault((seat, hand), [])
        if seat == 0:
            x, y = 900.0 + 75 * len(lies), 120.0
        else:
            x = FIRST - APART * (self.seats[seat] - 1) - ASIDE * (hand - 1) - 4 * len(lies)
            y = 900.0 - STEP * len(lies)
        lies.append(Card(self.number, "back" if face is None else str(face), x, y, across))
        self.show()

    def turn(self, seat: int, hand: int, face: Face) -> None:
        lies = self.hands[seat, hand]
        at = next(n for n, card in enumerate(lies) if card.face == "back")
        lies[at] = replace(lies[at], face=str(face))
        self.show()

    def part(self, seat: int, hand: int) -> None:
        """The later hands make room, and the second card is drawn aside."""
        later = sorted((h for s, h in self.hands if s == seat and h > hand), reverse=True)
        for number in later:
            moved = self.hands.pop((seat, number))
            self.hands[seat, number + 1] = [replace(card, x=card.x - ASIDE) for card in moved]
        if later:
            self.show()
        first, second = self.hands[seat, hand]
        self.hands[seat, hand + 1] = [replace(second, x=first.x - ASIDE, y=first.y)]
        self.hands[seat, hand] = [first]
        self.doubled = {(s, h + 1 if s == seat and h > hand else h) for s, h in self.doubled}
        self.show()

    def see(self, operation: Operation) -> None:
        match operation:
            case ops.Deal(seat, card, hand):
                self.lay(seat, hand, card, across=(seat, hand) in self.doubled)
            case ops.Hit(seat, card, hand):
                self.lay(seat, hand, card)
            case ops.DealDealer(card) | ops.DrawDealer(card):
                self.lay(0, 1, card)
            case ops.TurnUpcard(card) | ops.RevealHole(card):
                self.turn(0, 1, card)
            case ops.TurnDoubled(seat, card, hand):
                self.turn(seat, hand, card)
            case ops.Split(seat, hand):
                self.part(seat, hand)
            case ops.Double(seat, amount, hand):
                self.doubled.add((seat, hand))
                if amount != self.bets[seat]:
                    self.tell(operation)
            case ops.Settle(seat, hand):
                self.hands.pop((seat, hand), None)
                self.show()
            case ops.ClearCards():
                self.hands.clear()
                self.show()
            case ops.PlaceBet(seat, amount):
                self.bets[seat] = amount
                self.tell(operation)
            case (
                ops.PlaceSideBet()
                | ops.Insure()
                | ops.TakeEvenMoney()
                | ops.Surrender()
                | ops.CutCard()
                | ops.CallOff()
            ):
                self.tell(operation)


def deal(table: Watched, operations: Iterable[Operation], seats: Iterable[int]) -> None:
    """All of a round's operations onto the felt of a table."""
    felt = Felt(table, {seat: number for number, seat in enumerate(sorted(seats), 1)})
    felt.number = table.state.following + 1000
    for operation in operations:
        felt.see(operation)
