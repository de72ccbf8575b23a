"""What the games' drivers share: reading what was said, cards as the display shows them, and what puts a card right.

A driver carries a game's round on with what a story shows: for each next step it asks whether a card that lies there,
something that was said, or something that can only have come later shows that the step is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from advisor.games.cards import Card, CardError, parse_card
from advisor.games.contract.played import CardView, Choice, Fault
from advisor.games.contract.story import Carried, Lying, Place, Story, Told
from advisor.games.operations import MalformedOperation, OperationLog
from advisor.money.amounts import MoneyError, parse_amount

Op = TypeVar("Op")


class Said(Generic[Op]):
    """What was said in a round and has not been used yet, in order; what cannot be read is a fault."""

    def __init__(self, log: OperationLog[Op], story: Story) -> None:
        self.waiting: list[tuple[Told, Op]] = []
        self.faults: list[Fault] = []
        for told in story.told:
            try:
                self.waiting.append((told, log.from_dict(told.operation)))
            except MalformedOperation as error:
                self.faults.append(Fault(str(error)))

    def each(self, *kinds: type[Op], **where: int) -> Iterator[tuple[Told, Op]]:
        """What waits of these kinds with these fields, such as seat=2, in order."""
        for told, operation in tuple(self.waiting):
            here = all(getattr(operation, name, None) == value for name, value in where.items())
            if isinstance(operation, kinds) and here:
                yield told, operation

    def first(self, *kinds: type[Op], **where: int) -> tuple[Told, Op] | None:
        """The first that waits of these kinds with these fields."""
        return next(self.each(*kinds, **where), None)

    def use(self, told: Told) -> None:
        """Takes it out of what waits."""
        self.waiting = [it for it in self.waiting if it[0] is not told]

    def use_like(self, operation: Op) -> None:
        """Takes the first that says just this out of what waits: what happened has been seen."""
        told = next((told for told, it in self.waiting if it == operation), None)
        if told is not None:
            self.use(told)


def said_of(operation: object) -> Place | None:
    """The place that what was said is about, for its fault; None where it names no seat."""
    seat, hand = getattr(operation, "seat", None), getattr(operation, "hand", 1)
    return Place(seat, hand) if isinstance(seat, int) and isinstance(hand, int) else None


def is_over(story: Story) -> bool:
    """Whether the cards are cleared: somebody said so, or every card has been picked up."""
    return story.cleared or (bool(story.cards) and all(it.gone for it in story.cards))


def card_view(lying: Lying) -> CardView:
    """The card as the display shows it."""
    doubtful = lying.up and (lying.label is None or not lying.sure)
    lies = "unsure" if doubtful else "up" if lying.up else "down"
    return CardView(lying.card, lying.label if lying.up else None, lies, lying.crosswise, lying.gone)  # type: ignore[arg-type]


def card_name(lying: Lying) -> str:
    """The card in a sentence: "the ten of hearts", or what is known of it."""
    if lying.face is not None:
        return f"the {lying.face.name}"
    return "a card face down" if not lying.up else "a card that cannot be read" if lying.label is None else lying.label


def doubts(cards: Sequence[Lying]) -> tuple[str, ...]:
    """What to check about a hand's cards before its advice can be trusted; empty where all that lies up is sure."""
    found = []
    for lying in cards:
        if lying.up and lying.label is None:
            found.append("Name the card that cannot be read.")
        elif lying.up and not lying.sure:
            found.append(doubt(lying))
    return tuple(found)


def doubt(lying: Lying) -> str:
    """What to check about a card that shows a guess."""
    if lying.suit_open:
        return f"Check {card_name(lying)}: its suit may be misread."
    return f"Check {card_name(lying)}: it may be misread."


def hinders(lying: Lying) -> bool:
    """Whether the card keeps a game in which suits are nothing from saying what to do: its rank is not certain."""
    return lying.up and (lying.face is None or not (lying.sure or lying.suit_open))


def take_out(lying: Lying, words: str = "Take the card out") -> Choice:
    """The correction that takes a card out of the round."""
    return Choice(words, {"op": "remove-card", "card": lying.card}, lying.place)


def move_to(lying: Lying, place: Place, words: str) -> Choice:
    """The correction that gives a card to another hand."""
    return Choice(words, {"op": "move-card", "card": lying.card, "seat": place.seat, "hand": place.hand}, lying.place)


def no_card(lying: Lying) -> Fault:
    """The fault of a card that no pack of 52 holds, such as a joker."""
    return Fault(
        f"{lying.label!r} is not a card of this game: take it out, or name it.",
        lying.place,
        lying.card,
        (take_out(lying),),
    )


def carried_number(carried: Carried, key: str, least: int, most: int) -> int | None:
    """A whole number that an earlier round left; None where there is none that can be."""
    value = carried.get(key)
    fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    return value if fits and isinstance(value, int) else None


def carried_texts(carried: Carried, key: str) -> tuple[str, ...]:
    """A list of texts that an earlier round left; empty where it is no such list."""
    value = carried.get(key)
    if not isinstance(value, list | tuple) or not all(isinstance(it, str) for it in value):
        return ()
    return tuple(value)


def carried_cards(carried: Carried, key: str) -> tuple[Card, ...] | None:
    """A list of cards that an earlier round left; None where it is no such list."""
    texts = carried_texts(carried, key)
    try:
        return tuple(parse_card(text) for text in texts)
    except CardError:
        return None


def carried_amounts(carried: Carried, key: str) -> dict[int, Fraction]:
    """Positive amounts by seat that earlier rounds left; what cannot be read is left out."""
    found: dict[int, Fraction] = {}
    value = carried.get(key)
    for seat, amount in value.items() if isinstance(value, Mapping) else ():
        try:
            number, exact = int(str(seat)), parse_amount(amount)
        except (MoneyError, ValueError):
            continue
        if exact > 0:
            found[number] = exact
    return found
