"""The round being driven: its state, what the evidence has given it, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from advisor.games.blackjack.round import IllegalMove, Operation, Round, Step, as_dict
from advisor.games.blackjack.round.state import PlayerHand
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.table.evidence import (
    Evidence,
    with_late_turned,
    with_possible_guesses,
    with_split_pairs,
    without_passing_backs,
)
from advisor.games.cards import Card
from advisor.games.contract import Choice, Fault, Lying, Place, Story
from advisor.games.contract.driving import take_out


@dataclass
class Driven:
    """Where the evidence leads."""

    state: Round
    step: Step
    faults: list[Fault] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    operations: list[Mapping[str, Any]] = field(default_factory=list)
    lies: dict[tuple[int, int], list[Lying]] = field(default_factory=dict)
    """The cards of each hand of the round, by seat and number, as they lie."""
    house: list[Lying] = field(default_factory=list)
    assumed: set[int] = field(default_factory=set)
    """Seats whose bet nobody said or showed."""
    waiting: list[Lying] = field(default_factory=list)
    """Cards that the round has not come to."""
    refused: list[Lying] = field(default_factory=list)
    """Cards that cannot be where they lie."""


class Drive:
    """What the answers to a round's steps work on."""

    def __init__(self, rules: HouseRules, story: Story, seen: tuple[Card, ...], new_shuffle: bool) -> None:
        # A hole card that was exposed by mistake does not end the players' turns; a third card does.
        first_faces = 1 if rules.hole_card == "none" else 2
        story = with_split_pairs(without_passing_backs(with_late_turned(story, first_faces)))
        self.story = story = with_possible_guesses(story, rules.decks, seen)
        self.evidence = Evidence(story, first_faces)
        state = Round.start(rules, seen=seen, new_shuffle=new_shuffle)
        self.out = Driven(state, state.next_step)
        self.covers: dict[tuple[int, int], tuple[int, ...]] = {}
        """Which hands on the felt a hand of the round will become: more than one where it is yet to be split."""
        self.hidden: dict[tuple[int, int], Lying] = {}
        """Doubled cards that the round holds face down."""

    @property
    def state(self) -> Round:
        """The round so far."""
        return self.out.state

    def held(self, seat: int, hand: int) -> PlayerHand:
        """A hand of the round; the seat must have bet."""
        there = self.state.seat(seat)
        assert there is not None
        return there.hands[hand - 1]

    def covered(self, seat: int, hand: int) -> tuple[int, ...]:
        """The hands on the felt that this hand of the round is, or will become."""
        return self.covers.get((seat, hand), (hand,))

    def next_card(self, seat: int, hand: int) -> Lying | None:
        """The next card that came to this hand."""
        covers = self.covered(seat, hand)
        left = [it for it in self.evidence.unused(self.evidence.of_seat(seat)) if it.place.hand in covers]
        return left[0] if left else None

    def next_house_card(self) -> Lying | None:
        """The next card that came to the house."""
        left = self.evidence.unused(self.evidence.house)
        return left[0] if left else None

    def done(self, operation: Operation) -> bool:
        """Whether the round could be carried on; where it refuses, that becomes a fault."""
        try:
            self.out.state = self.state.after(operation)
        except IllegalMove as refused:
            self.out.faults.append(Fault(str(refused)))
            return False
        self.out.operations.append(as_dict(operation))
        return True

    def said(self, operation: Operation) -> bool:
        """Do what somebody said, or say why it cannot be; it is used up either way."""
        self.done(operation)
        return True

    def laid(self, operation: Operation, card: Lying, hand: list[Lying]) -> bool:
        """Take a card into a hand, or say why it cannot be there; it is used up either way."""
        self.evidence.used.add(card.card)
        try:
            self.out.state = self.state.after(operation)
        except IllegalMove as refused:
            self.refuse(str(refused), card)
            return True
        self.out.operations.append(as_dict(operation))
        hand.append(card)
        return True

    def lying(self, seat: int, hand: int) -> list[Lying]:
        """The cards of a hand of the round, as they lie; to be added to."""
        return self.out.lies.setdefault((seat, hand), [])

    def blame(self, words: str, card: Lying, *otherwise: Choice) -> None:
        """Say once what is wrong with a card; what it may be besides not being there is to choose."""
        if all(fault.card != card.card for fault in self.out.faults):
            choices = (take_out(card, "It is not there"), *otherwise)
            self.out.faults.append(Fault(words, card.place, card.card, choices))

    def refuse(self, words: str, card: Lying, *otherwise: Choice) -> None:
        """Leave a card out of the round, and say why."""
        self.evidence.used.add(card.card)
        self.out.refused.append(card)
        self.blame(words, card, *otherwise)

    def unread(self, whose: str, card: Lying) -> bool:
        """Say that the round waits for a card's face. False, for the step stays open."""
        what = "could not be read: say what it is" if card.up else "lies face down: turn it up"
        self.blame(f"{whose}: a card {what}.", card)
        return False

    def passed(self, kind: type[Any], happened: object) -> bool:
        """Whether somebody said that the step is done, or something has happened that can only come later."""
        return self.evidence.last_said(kind) is not None or bool(happened)

    def moved_on(self, seat: int, hand: int) -> bool:
        """Whether play has gone past this hand: to a later hand, a later seat, or the dealer."""
        if self.evidence.hole_turned or self.evidence.cleared:
            return True
        if any(self.evidence.acted(it.number) for it in self.state.seats if it.number > seat):
            return True
        there = self.state.seat(seat)
        later = range(hand + 1, len(there.hands) + 1) if there else ()
        return any(self.next_card(seat, number) is not None for number in later)

    @property
    def before_dealer(self) -> bool:
        """Whether the dealer has neither turned his hole card nor drawn."""
        dealer = self.state.dealer
        return dealer.hole is None and not dealer.drawn


Answer = Callable[[Drive, Step], bool]
"""Answers a step: whether it was done, or any evidence used, so that it is worth asking for the next."""


def about(seat: int, hand: int) -> Callable[[Any], bool]:
    """Whether an operation is about this hand."""
    return lambda op: bool(op.seat == seat and getattr(op, "hand", 1) == hand)


def place_of(step: Step) -> Place | None:
    """The hand that a step is about; None where it is the dealer's."""
    return None if step.seat is None else Place(step.seat, step.hand or 1)
