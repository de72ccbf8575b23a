"""The table as it stands: what the changes add up to. Frozen values; nothing here knows a game's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from advisor.games.contract import Carried, Lying, Place, Story, Told
from advisor.table.changes import (
    BACK,
    SUIT_OPEN,
    UNREAD,
    AddCard,
    ChipsKept,
    MoveCard,
    NameCard,
    RemoveCard,
    Said,
    Tell,
    label_in,
)
from vision.sightings import Point

DealerSide = Literal["top", "bottom", "left", "right"]
"""Where in the picture the dealer's cards lie."""


@dataclass(frozen=True, slots=True)
class FeltCard:
    """A card of the round as the camera reported it."""

    card: int
    place: Place
    face: str
    crosswise: bool = False
    turned: bool = False
    gone: bool = False
    at: Point = (0.0, 0.0)
    came_at: int = 0
    turned_at: int = 0
    gone_at: int = 0
    """The numbers of the changes by which it came, was turned up and went; 0 where none did."""

    @property
    def lying(self) -> Lying:
        """The card as a game is told of it."""
        up = self.face != BACK
        label = label_in(self.face) if up else ""
        return Lying(
            self.card,
            self.place,
            label or None,
            up=up,
            sure=up and not self.face.startswith(UNREAD),
            suit_open=up and self.face.startswith(SUIT_OPEN),
            crosswise=self.crosswise,
            turned=self.turned,
            gone=self.gone,
            came_at=self.came_at,
            turned_at=self.turned_at,
            gone_at=self.gone_at,
        )


@dataclass(frozen=True, slots=True)
class Saying:
    """Something said in this round: what, its number among all changes, and how many cards had come by then."""

    number: int
    change: Said
    after: int
    card: int = 0
    """The number given to a card that was added."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A round that is over."""

    number: int
    game: str
    net: Mapping[int, Fraction]
    faults: tuple[str, ...] = ()
    """What was wrong with it at its end."""
    void: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """What the changes so far add up to."""

    game: str
    rules: Any
    """The game's rules object."""
    rules_name: str
    layout: str = ""
    """A felt layout's name; empty where hands are found by nearness."""
    seats: int = 7
    round: int = 1
    number: int = 0
    """How many changes there were."""
    cards: tuple[FeltCard, ...] = ()
    """The round's cards as the camera reported them, in the order in which they came."""
    sayings: tuple[Saying, ...] = ()
    """What was said in this round and not taken back."""
    undone: tuple[Saying, ...] = ()
    """What was taken back, the last one last; saying anything new forgets it."""
    left_over: frozenset[int] = frozenset()
    """Cards of earlier rounds that still lie there: they are nobody's."""
    following: int = 1
    """The number that the next card gets."""
    carried: Carried = field(default_factory=lambda: MappingProxyType({}))
    usual_bets: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    results: tuple[RoundResult, ...] = ()
    """The last rounds, newest last."""
    totals: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    """What each seat has gained since this game was begun."""
    chips: ChipsKept | None = None
    """What the chips told last of the payouts."""
    said_before: tuple[Saying, ...] = ()
    """What was said in the round before."""
    laid: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    """What surely lay at the seats' places when the first card came."""
    ended: TableState | None = None
    """The table before the last round was ended by hand, so that it can be taken back."""

    def card(self, number: int) -> Lying | None:
        """A card of this round as it is now taken to be; None where there is none of that number."""
        return next((it for it in lying(self) if it.card == number), None)


NOTHING_LAID: Final[Mapping[int, Fraction]] = MappingProxyType({})


def story(
    state: TableState,
    *,
    laid: Mapping[int, Fraction] = NOTHING_LAID,
    cleared: bool = False,
    extra: tuple[Told, ...] = (),
) -> Story:
    """The round as its game is told of it: what the camera saw, with what was said put in its place.

    ``laid`` are bets that lie there before the first card; from then on those count that lay there when it came.
    """
    phantoms = _phantoms(state.cards)
    never = [at for at, card in enumerate(state.cards) if card.card in phantoms]
    told = tuple(
        Told(it.number, MappingProxyType(dict(it.change.operation)), it.after - sum(at < it.after for at in never))
        for it in state.sayings
        if isinstance(it.change, Tell)
    )
    cards = tuple(lying(state))
    laid = state.laid if cards or state.cards else laid
    return Story(cards, (*told, *extra), state.carried, state.usual_bets, cleared, laid)


def lying(state: TableState) -> Iterator[Lying]:
    """The round's cards in the order in which they came, with every correction made."""
    added = [it for it in state.sayings if isinstance(it.change, AddCard)]
    order: list[tuple[float, Lying]] = [(float(at), it.lying) for at, it in enumerate(state.cards)]
    for it in added:
        assert isinstance(it.change, AddCard)
        place = Place(it.change.seat, it.change.hand)
        order.append((it.after - 0.5, replace(FeltCard(it.card, place, it.change.label).lying, named=True)))
    corrections: dict[int, list[Said]] = {}
    for it in state.sayings:
        if isinstance(it.change, NameCard | RemoveCard | MoveCard):
            corrections.setdefault(it.change.card, []).append(it.change)
    phantoms = _phantoms(state.cards)
    for _, card in sorted(order, key=lambda pair: pair[0]):
        if card.card in phantoms and card.card not in corrections:
            continue
        corrected: Lying | None = card
        for change in corrections.get(card.card, ()):
            corrected = None if corrected is None else _corrected(corrected, change)
        if corrected is not None:
            yield corrected


def _phantoms(cards: tuple[FeltCard, ...]) -> frozenset[int]:
    """What never was a card: it was not read surely once, or was its neighbour seen twice, and went alone. Else what
    was read surely counts although it is not seen any more."""
    return frozenset(it.card for it in went_alone(cards) if it.face.startswith(UNREAD) or _seen_twice(it, cards))


def _seen_twice(one: FeltCard, cards: tuple[FeltCard, ...]) -> bool:
    """Whether a card of the same name that came to the hand with this one, nothing else in between, still lies there:
    large indices at both sides of one card were two cards' for half a second. Cards face down have no name."""
    if one.face == BACK:
        return False
    like = (it for it in cards if it.card != one.card and (it.place, it.face) == (one.place, one.face))
    return any(abs(it.came_at - one.came_at) == 1 and (it.gone_at == 0 or it.gone_at > one.gone_at) for it in like)


def went_alone(cards: tuple[FeltCard, ...]) -> list[FeltCard]:
    """What was gone while the rest of its hand stayed and the deal went on: a dealer takes a hand up as a whole.

    Another card that came shows that it went on; so does one turned elsewhere, unless the rest of the hand is gone
    next: what hides a hand that is being taken up may let one of its cards go first.
    """
    last = max((it.came_at for it in cards), default=0)

    def stayed(it: FeltCard) -> bool:
        others = [other for other in cards if other.place == it.place and other.card != it.card]
        if it.gone_at < last:
            came = min(other.came_at for other in cards if other.came_at > it.gone_at)
            if any(other.gone_at == 0 or other.gone_at > came for other in others):
                return True
        next_gone = _rest_gone(it, cards)
        away = [other for other in cards if other.place != it.place]
        turned = min((other.turned_at for other in away if other.turned_at > it.gone_at), default=next_gone)
        between = any(turned < at < next_gone for o in away for at in (o.came_at, o.turned_at, o.gone_at))
        return turned < next_gone and (next_gone == float("inf") or between)

    return [it for it in cards if it.gone_at > 0 and stayed(it)]


def _rest_gone(it: FeltCard, cards: tuple[FeltCard, ...]) -> float:
    """At which change the first of the hand's cards that lay there still when `it` went is gone: infinity while all of
    them lie there, 0 where none did."""
    rest = [o.gone_at for o in cards if o.place == it.place and (o.gone_at == 0 or o.gone_at > it.gone_at)]
    return min((at or float("inf") for at in rest), default=0)


def went_late(cards: tuple[FeltCard, ...]) -> list[FeltCard]:
    """What was not read surely and was gone after the last card had come, while something happened elsewhere before the
    rest of its hand went: taken up as a whole, a hand's cards mostly go one upon the other."""
    last = max((it.came_at for it in cards), default=0)
    found = []
    for it in cards:
        following = _rest_gone(it, cards)
        if it.gone_at <= last or not following or not it.face.startswith(UNREAD):
            continue
        elsewhere = [at for o in cards if o.place != it.place for at in (o.turned_at, o.gone_at)]
        if any(it.gone_at < at < following for at in elsewhere):
            found.append(it)
    return found


def _corrected(card: Lying, change: Said) -> Lying | None:
    if isinstance(change, RemoveCard):
        return None
    if isinstance(change, MoveCard):
        return replace(card, place=Place(change.seat, change.hand), place_said=True)
    assert isinstance(change, NameCard)
    if change.label == BACK:
        return replace(card, label=None, up=False, sure=False, suit_open=False, turned=False)
    return replace(card, label=change.label, up=True, sure=True, suit_open=False, named=True)
