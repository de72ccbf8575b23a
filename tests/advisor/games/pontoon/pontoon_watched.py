"""Whole deals of pontoon as a camera sees them: cards that lie there, and a few words."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st
from pontoon_driver import Anybody, Table, pontoon_rules
from table_scenes import Scene

from advisor.games.cards import FULL_PACK
from advisor.games.contract import HOUSE, Lying, Place
from advisor.games.pontoon.round import LOG, Operation, Round
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.table import GAME
from advisor.games.pontoon.table.drive import drive
from advisor.games.pontoon.table.start import DEALER


class Watched:
    """A deal of `Table`'s as it lies on the table, told of all that cards cannot show and of some that they can."""

    def __init__(self, table: Table, carried: dict[str, Any], random: Random) -> None:
        self.table, self.random = table, random
        self.scene = Scene(GAME, table.state.rules).now(carried=carried)
        self.cards: dict[tuple[int, int], list[int]] = {}

    def play(self) -> Watched:
        while not self.table.state.finished:
            before = len(self.table.operations)
            self.table.step()
            for operation in self.table.operations[before:]:
                self.see(operation)
                self.peek()
                assert not drive(self.scene.rules, self.scene.story).faults, operation
        return self

    def see(self, operation: Operation) -> None:
        table, plain = self.table, LOG.as_dict(operation)
        match operation:
            case ops.Deal(seat, _, hand):
                self.lay(seat, hand, up=False)
            case ops.Stake():
                self.scene.tell(plain)
            case ops.Buy(seat, _, _, hand):
                self.scene.tell({**plain, "card": "back"})
                self.lay(seat, hand, up=False)
            case ops.Twist(seat, _, hand):
                self.lay(seat, hand, up=True)
            case ops.Stick() | ops.Stay():
                if self.random.random() < 0.5:
                    self.scene.tell(plain)
            case ops.ShowPontoon(seat, _, hand) | ops.Show(seat, _, hand):
                self.turn(seat, hand)
            case ops.Split(seat, _, hand):
                self.turn(seat, hand, *(str(it[0]) for it in table.hands[seat][hand - 1 : hand + 1]))
                for number in range(len(table.hands[seat]), hand + 1, -1):
                    self.cards[seat, number] = self.cards.get((seat, number - 1), [])
                one, other = self.cards[seat, hand]
                self.cards[seat, hand], self.cards[seat, hand + 1] = [one], [other]
                self.put_down(seat)
            case ops.GoBust(seat, cards, hand):
                self.turn(seat, hand, *map(str, cards))
                self.pick_up(seat, hand)
            case ops.TurnBanker():
                self.turn(table.state.banker, 1)
            case ops.DrawBanker():
                self.lay(table.state.banker, 1, up=True)
            case ops.Settle(seat, hand):
                shown = all(self.scene.story.cards[it].up for it in self.cards[seat, hand])
                if self.random.random() < 0.5 or not shown:
                    self.scene.tell(plain)
                else:
                    self.pick_up(seat, hand)
            case ops.CallOff():
                self.scene.tell(plain)
            case ops.ClearCards():
                self.scene.clear()

    def peek(self) -> None:
        """Now and then a punter picks his hand up, looks at it and puts it back."""
        lies = self.scene.story.cards
        down = [
            there
            for (seat, _), there in self.cards.items()
            if seat != self.table.state.banker and there and all(not (lies[it].up or lies[it].gone) for it in there)
        ]
        if not down or self.random.random() > 0.15:
            return
        there = self.random.choice(down)
        self.change(there, gone=True)
        for at, number in enumerate(tuple(there)):
            there[at] = len(self.scene.story.cards)
            back = replace(self.scene.story.cards[number], card=100 + there[at], gone=False)
            self.scene.now(cards=(*self.scene.story.cards, back))

    def place(self, seat: int, hand: int) -> Place:
        return Place(HOUSE if seat == self.table.state.banker else seat, hand)

    def lay(self, seat: int, hand: int, *, up: bool) -> None:
        number = len(self.scene.story.cards)
        card = str(self.table.hands[seat][hand - 1][len(self.cards.get((seat, hand), []))])
        self.cards.setdefault((seat, hand), []).append(number)
        lying = Lying(number, self.place(seat, hand), card if up else None, up)
        self.scene.now(cards=(*self.scene.story.cards, lying))

    def change(self, numbers: list[int], **changes: Any) -> None:
        cards = list(self.scene.story.cards)
        for number in numbers:
            cards[number] = replace(cards[number], **changes)
        self.scene.now(cards=tuple(cards))

    def turn(self, seat: int, hand: int, *labels: str) -> None:
        there = self.cards[seat, hand]
        for number, label in zip(there, labels or map(str, self.table.hands[seat][hand - 1]), strict=True):
            if not self.scene.story.cards[number].up:
                self.change([number], up=True, label=label, turned=True)

    def pick_up(self, seat: int, hand: int) -> None:
        self.change(self.cards[seat, hand], gone=True)

    def put_down(self, seat: int) -> None:
        for (there, hand), numbers in self.cards.items():
            if there == seat:
                self.change(numbers, place=self.place(seat, hand))


@st.composite
def watched_tables(draw: st.DrawFn) -> tuple[Table, Random]:
    """A table of up to seven, the bank at the dealer's place or at a seat, and what is left to chance."""
    rules, random = draw(pontoon_rules()), Random(draw(st.integers(0, 2**32 - 1)))
    cards = [card for card in FULL_PACK for _ in range(rules.decks)]
    random.shuffle(cards)
    if draw(st.booleans()):
        cards.sort(key=lambda card: card.rank not in ("A", "K", "7", "8"))
        front = cards[:20]
        random.shuffle(front)
        cards = front + cards[20:]
    seats = random.sample(range(1, 8), draw(st.integers(2, 6)))
    banker = draw(st.sampled_from([seats[0], DEALER]))
    start = Round.start(rules, sorted({*seats, banker}), banker)
    return Table(start, cards, Anybody(random)), random
