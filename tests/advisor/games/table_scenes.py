"""A table that deals a round card by card and keeps every moment of it as a story; one round written down per game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from advisor.games.contract import HOUSE, Choice, Lying, Place, Played, Story, TableGame, Told


@dataclass
class Scene:
    """A round as it goes on; `moments` are the stories after each thing that happened."""

    game: TableGame
    rules: Any
    story: Story = field(default_factory=Story)
    moments: list[Story] = field(default_factory=list)

    @property
    def played(self) -> Played:
        return self.game.play(self.rules, self.story)

    def now(self, **changes: Any) -> Scene:
        self.story = replace(self.story, **changes)
        self.moments.append(self.story)
        return self

    def deal(self, seat: int, *labels: str, hand: int = 1, **how: Any) -> Scene:
        """Cards face up, or face down where the label is "back"."""
        for label in labels:
            face = None if label == "back" else label
            card = Lying(len(self.story.cards) + 1, Place(seat, hand), face, up=face is not None, **how)
            self.now(cards=(*self.story.cards, card))
        return self

    def change(self, seat: int, *changes: Mapping[str, Any], hand: int = 1) -> Scene:
        """Changes of a hand's cards, from the first on."""
        cards, left = list(self.story.cards), list(changes)
        for at, card in enumerate(cards):
            if card.place == Place(seat, hand) and left:
                cards[at] = replace(card, **left.pop(0))
        return self.now(cards=tuple(cards))

    def turn(self, seat: int, *labels: str, hand: int = 1) -> Scene:
        """Turns a hand's cards up, from the first on; "" leaves one as it lies."""
        turned = [{"label": it, "up": True, "turned": True} if it else {} for it in labels]
        return self.change(seat, *turned, hand=hand)

    def pick_up(self, seat: int, hand: int = 1) -> Scene:
        return self.change(seat, *[{"gone": True}] * len(self.story.cards), hand=hand)

    def tell(self, operation: Mapping[str, Any]) -> Scene:
        said = Told(len(self.story.told) + len(self.story.cards), operation, len(self.story.cards))
        return self.now(told=(*self.story.told, said))

    def say(self, op: str, **values: Any) -> Scene:
        """Says the choice offered now with this operation; an amount that is open is filled in."""
        for choice in self.played.choices:
            if choice.operation["op"] == op and all(choice.operation.get(k) in (v, "") for k, v in values.items()):
                return self.tell(filled(choice, values.get("amount", "")))
        offered = [dict(it.operation) for it in self.played.choices]
        raise AssertionError(f"{op} {values} is not offered, but {offered}")

    def settle(self) -> Scene:
        """Says what usually follows until there is nothing but to clear the cards."""
        for _ in range(50):
            if self.played.phase == "clear":
                return self
            main = next(it for it in self.played.choices if it.main)
            self.tell(main.operation)
        raise AssertionError("the round does not come to an end")

    def clear(self) -> Scene:
        cards = tuple(replace(it, gone=True) for it in self.story.cards)
        return self.now(cards=cards, cleared=True)


def filled(choice: Choice, amount: str = "") -> dict[str, Any]:
    """A choice's operation with the amount that it asks for."""
    operation = dict(choice.operation)
    return operation | {"amount": amount or "5"} if operation.get("amount") == "" else operation


def blackjack(scene: Scene) -> dict[int, Fraction]:
    """Two seats against a dealer who goes bust; one of them is bust before."""
    scene.tell(filled(scene.game.betting(scene.rules, 1)[0], "10"))
    scene.tell(filled(scene.game.betting(scene.rules, 2)[0], "20"))
    scene.deal(1, "10H").deal(2, "10S").deal(HOUSE, "6H").deal(1, "9S").deal(2, "6S").deal(HOUSE, "back")
    scene.say("stand", seat=1).deal(2, "KC")
    scene.turn(HOUSE, "", "10C").deal(HOUSE, "KD")
    return {1: Fraction(10), 2: Fraction(-20)}


def pontoon(scene: Scene) -> dict[int, Fraction]:
    """The dealer's bank: seat 1 buys and wins with 21 against 17, seat 4 twists and is bust."""
    scene.deal(1, "back").deal(4, "back").deal(HOUSE, "back")
    scene.say("stake", seat=1, amount="4").say("stake", seat=4, amount="2")
    scene.deal(1, "back").deal(4, "back").deal(HOUSE, "back")
    scene.say("buy", seat=1, amount="4").deal(1, "back").say("stick", seat=1)
    scene.say("ask-twist", seat=4).deal(4, "9D")
    scene.turn(4, "5D", "KH").say("go-bust", seat=4).pick_up(4)
    scene.turn(HOUSE, "9H", "8S").say("stay")
    scene.turn(1, "10C", "2C", "9C")
    return {1: Fraction(8), 4: Fraction(-2), HOUSE: Fraction(-6)}


def punto_banco(scene: Scene) -> dict[int, Fraction]:
    """Both sides draw, and Banker wins with 9 against 1."""
    scene.say("place-bet", seat=1, bet="player", amount="10").say("place-bet", seat=2, bet="banker", amount="20")
    scene.say("place-bet", seat=2, bet="tie", amount="1").say("close-bets")
    for player, banker in (("2C", "6H"), ("3C", "KD"), ("6D", "3S")):
        scene.deal(HOUSE, player, hand=1).deal(HOUSE, banker, hand=2)
    return {1: Fraction(-10), 2: Fraction(19), HOUSE: Fraction(-9)}


ROUNDS = {"blackjack": blackjack, "pontoon": pontoon, "punto-banco": punto_banco}
"""By game, what deals a round up to its payments and says what each seat gains by it."""
