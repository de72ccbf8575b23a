"""What a story says happened, sorted for the questions that a round asks of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.log import operation_from_dict
from advisor.games.blackjack.round.operations import Operation
from advisor.games.blackjack.values import value_index
from advisor.games.cards import FULL_PACK, RED_SUITS, Card
from advisor.games.contract import HOUSE, Lying, Place, Story
from advisor.games.operations import MalformedOperation

Op = TypeVar("Op")

_PLAY = (ops.Hit, ops.Stand, ops.Double, ops.Split, ops.Surrender)


def without_passing_backs(story: Story) -> Story:
    """The story without the backs that went from a hand alone: a sleeve or a shadow was taken for a card face down.

    Nobody takes one card of a hand away and leaves the others; of a doubled hand all go together. Nor does a hand that
    was doubled face down get another card: what one came after, and what went before that one did, was none. A hole
    card is taken up as it lies where nobody plays on: of the dealer's only what another came after can be none.
    """

    def together(one: Lying, other: Lying) -> bool:
        first, last = sorted((one.gone_at, other.gone_at))
        return not any(first < at < last for it in story.cards for at in (it.came_at, it.turned_at))

    def passing(at: int, it: Lying) -> bool:
        if it.up or not it.gone or it.place_said:
            return False
        if it.place.seat == HOUSE and not any(o.place.seat == HOUSE for o in story.cards[at + 1 :]):
            return False
        others = [o for o in story.cards if o.place.seat == it.place.seat and o is not it]
        after = [o for o in story.cards[at + 1 :] if o.up and o.place == it.place]
        if any(not o.gone or it.gone_at < o.gone_at for o in after):
            return True
        return not any(o.gone and o.up and together(it, o) for o in others)

    left = tuple(it for at, it in enumerate(story.cards) if not passing(at, it))
    return story if len(left) == len(story.cards) else replace(story, cards=left)


def with_late_turned(story: Story, first_faces: int) -> Story:
    """The story, with a face that came to two cards of a seat after the dealer went on to his own hand taken for the
    doubled card that lay there face down, where such a one was seen and lost again before it was turned.

    ``first_faces`` is how many of the dealer's cards may show their faces while the players act.
    """
    on = Evidence(story, first_faces).went_on_at
    if on is None:
        return story
    cards = list(story.cards)
    for back in story.cards:
        if back.up or back.gone_at <= 0 or back.place.seat == HOUSE or back.place_said:
            continue
        hand = [it for it in cards if it.place == back.place and it is not back]
        if len(hand) != 3 or not all(it.up and it.came_at < back.came_at for it in hand[:2]):
            continue
        face = hand[2]
        lay = all(not it.gone or it.gone_at > face.came_at for it in hand[:2])
        if face.up and lay and face.came_at > max(on, back.gone_at) and not face.place_said:
            turned = replace(face, came_at=back.came_at, turned=True, turned_at=face.came_at)
            cards = [turned if it is back else it for it in cards if it is not face]
    return replace(story, cards=tuple(cards)) if cards != list(story.cards) else story


def with_split_pairs(story: Story) -> Story:
    """The story, with a doubtful card of a pair that was drawn apart taken for what makes it one.

    A dealer parts two cards only where they are alike: that says more of the one than a poor look at what shows of it
    under the next card. It stays as doubtful as it was; what was read surely stays as it was read.
    """
    named = {}
    for seat in story.seats():
        first = [it for it in story.cards if it.place.seat == seat][:2]
        if len(first) < 2 or first[0].place.hand == first[1].place.hand or not all(it.up for it in first):
            continue
        doubtful, other = sorted(first, key=lambda it: it.sure)
        if doubtful.sure or not other.sure or other.face is None:
            continue
        if doubtful.face is None or value_index(doubtful.face) != value_index(other.face):
            suit = other.face.suit if doubtful.face is None else doubtful.face.suit
            named[doubtful.card] = replace(doubtful, label=str(Card(other.face.rank, suit)))
    return replace(story, cards=tuple(named.get(it.card, it) for it in story.cards)) if named else story


def with_possible_guesses(story: Story, decks: int, seen: Sequence[Card]) -> Story:
    """The story, with each doubtful card that looks like one of which the packs hold no more (besides the cards that
    were ``seen`` before, and those that were read surely) taken for another of that value, the likest there is.

    So a poor look at one card refuses no other that was read well. It stays as doubtful as it was. Nor does a suit that
    was misread refuse a card, for it changes no total: see ``_with_possible_suits``.
    """
    story = _with_possible_suits(story, decks)
    gone = Counter(seen) + Counter(it.face for it in story.cards if it.face is not None and it.sure)
    named = {}
    for it in story.cards:
        if it.sure or it.face is None:
            continue
        likest = sorted(_like(it.face), key=lambda card: gone[card] >= decks)
        if likest[0] != it.face:
            named[it.card] = replace(it, label=str(likest[0]))
        gone[likest[0]] += 1
    return replace(story, cards=tuple(named.get(it.card, it) for it in story.cards)) if named else story


def _with_possible_suits(story: Story, decks: int) -> Story:
    """The story, with each card of which more lie at once than the packs hold taken for one of its rank in another
    suit, where the others lie at other seats: one of them was misread, and mostly it is the suit. It is doubtful.

    Two at one seat rather are one card that was seen twice; what somebody named stays what it is.
    """
    named: dict[int, Lying] = {}
    lay = [it for it in story.cards if it.sure and it.face is not None]
    held = Counter(it.face for it in lay)
    for at, it in enumerate(lay):
        alike = [o for o in lay[:at] if o.face == it.face and o.card not in named and _lay_at_once(o, it)]
        if it.face is None or len(alike) < decks or any(o.place.seat == it.place.seat for o in alike):
            continue
        doubtful = next((o for o in (it, *alike) if not o.named), None)
        free = [card for card in _like(it.face) if card.rank == it.face.rank and held[card] < decks]
        if doubtful is not None and free:
            named[doubtful.card] = replace(doubtful, label=str(free[0]), sure=False)
            held[free[0]] += 1
    return replace(story, cards=tuple(named.get(it.card, it) for it in story.cards)) if named else story


def _lay_at_once(one: Lying, other: Lying) -> bool:
    """Whether both lay on the felt together for some time."""
    return all(not a.gone or a.gone_at > b.came_at for a, b in ((one, other), (other, one)))


def _like(face: Card) -> list[Card]:
    """The cards of a face's value, those of its rank first, of these that of its colour."""
    of_value = [card for card in FULL_PACK if value_index(card) == value_index(face)]
    return sorted(
        of_value, key=lambda it: (it != face, it.rank != face.rank, (it.suit in RED_SUITS) != (face.suit in RED_SUITS))
    )


class Evidence:
    """The cards and sayings of a round that its operations have not used yet. Changes as the round is driven."""

    def __init__(self, story: Story, first_faces: int) -> None:
        """`first_faces` is how many of the dealer's cards may show their faces while the players act."""
        self.story, self._first_faces = story, first_faces
        self.used: set[int] = set()
        """Cards that the round has taken in, or refused."""
        self.unreadable: list[str] = []
        self._said: list[tuple[int, Operation]] = []
        for told in story.told:
            try:
                self._said.append((told.after, operation_from_dict(told.operation)))
            except MalformedOperation as error:
                self.unreadable.append(str(error))
        self._called_off = any(isinstance(operation, ops.CallOff) for _, operation in self._said)

    # What was said.

    def said(self, kind: type[Op], about: Callable[[Op], bool] = lambda _: True) -> Op | None:
        """The first thing said of this kind, which is taken out."""
        for number, (_, operation) in enumerate(self._said):
            if isinstance(operation, kind) and about(operation):
                del self._said[number]
                return operation
        return None

    def last_said(self, kind: type[Op], about: Callable[[Op], bool] = lambda _: True) -> Op | None:
        """The last thing said of this kind; all of them are taken out."""
        found: Op | None = None
        while (one := self.said(kind, about)) is not None:
            found = one
        return found

    def is_said(self, kind: type[Op], about: Callable[[Op], bool] = lambda _: True) -> bool:
        """Whether anything of this kind was said that is not used yet."""
        return any(isinstance(operation, kind) and about(operation) for _, operation in self._said)

    def betting_seats(self) -> tuple[int, ...]:
        """The seats that somebody gave a bet to."""
        return tuple(sorted({op.seat for _, op in self._said if isinstance(op, ops.PlaceBet)}))

    # What lies, and lay, on the felt.

    @property
    def house(self) -> tuple[Lying, ...]:
        """The house's cards, in order."""
        return tuple(it for it in self.story.cards if it.place.seat == HOUSE)

    def of_seat(self, seat: int) -> tuple[Lying, ...]:
        """All cards of a seat, in the order in which they came."""
        return tuple(it for it in self.story.cards if it.place.seat == seat)

    def unused(self, cards: Iterable[Lying]) -> tuple[Lying, ...]:
        """Those that the round has not taken in."""
        return tuple(it for it in cards if it.card not in self.used)

    def places(self, seat: int) -> tuple[int, ...]:
        """The numbers of the hands that lie at a seat."""
        return tuple(number for number, _ in self.story.hands(seat))

    def picked_up(self, seat: int, hands: Iterable[int]) -> bool:
        """Whether cards lay there and every one has been taken away."""
        lay = [it for hand in hands for it in self.story.at(Place(seat, hand))]
        if self.story.cleared:
            return not self._called_off
        return bool(lay) and all(it.gone for it in lay)

    def picked_up_early(self, seat: int, hands: Iterable[int]) -> bool:
        """Whether every card that lay there had been taken away before the dealer went on to his own hand."""
        lay = [it for hand in hands for it in self.story.at(Place(seat, hand))]
        if not lay or not all(it.gone for it in lay):
            return False
        on = self.went_on_at
        return all(0 < it.gone_at < on for it in lay) if on is not None else not self.cleared

    def came_late(self, card: Lying) -> bool:
        """Whether a card came after the dealer went on to his own hand, and nobody said that it lies right."""
        on = self.went_on_at
        return on is not None and 0 < on < card.came_at and not card.place_said

    @property
    def cleared(self) -> bool:
        """Whether clearing the cards shows that the round's steps were done: not where it was called off."""
        return self.story.cleared and not self._called_off

    # What has happened since.

    @property
    def hole_turned(self) -> bool:
        """Whether the dealer has gone on to his own hand: a card of his was turned up, or he drew."""
        faces = [it for it in self.house if it.up]
        return bool(self._turned_late) or len(faces) > self._first_faces

    @property
    def _turned_late(self) -> list[Lying]:
        """The house's cards that were turned up, but for the upcard: where both were dealt face down, the first."""
        turned = sorted((it for it in self.house if it.turned), key=lambda it: it.turned_at)
        both_down = len(self.house) > 1 and all(not it.up or it.turned for it in self.house[:2])
        return turned[1:] if both_down else turned

    @property
    def went_on_at(self) -> int | None:
        """When the dealer went on to his own hand, as a place among all that happened; None if he has not."""
        on = [it.turned_at for it in self._turned_late]
        on += [it.came_at for it in self.house[self._first_faces :]]
        return min(on, default=None)

    @property
    def playing(self) -> bool:
        """Whether the players' turns have begun: a third card, a split, or a decision said."""
        if self.hole_turned or self.cleared:
            return True
        if any(isinstance(operation, _PLAY) for _, operation in self._said):
            return True
        return any(
            len(self.of_seat(seat)) > 2 or len(self.places(seat)) > 1 or any(c.crosswise for c in self.of_seat(seat))
            for seat in self.story.seats()
        )

    def acted(self, seat: int) -> bool:
        """Whether a seat has done anything since its first two cards: said, split, or seen as a card not used yet."""
        told = any(isinstance(op, _PLAY) and op.seat == seat for _, op in self._said)
        return told or len(self.places(seat)) > 1 or bool(self.unused(self.of_seat(seat)))
