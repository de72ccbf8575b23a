"""The cards as they were dealt, worked out from what can be seen of cards that people pick up.

Punters look at their cards and may keep them in their hands, and cards face down that lie squarely on one another look
like one. So a card face down that is picked up is still its punter's; one that comes after it is most likely the same
put back, face down or, at the end, face up. What is said to be bought or twisted settles what cards alone leave open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from advisor.games.contract.driving import Said
from advisor.games.contract.story import HOUSE, Lying, Place, Story
from advisor.games.pontoon.hand import TWENTY_ONE, count_values, hard_total, is_pontoon
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.table.piles import up_faces
from advisor.games.pontoon.table.told import PLAYING, AskTwist, ToldOperation

_FIRST: Final = 2
"""Cards that everybody is dealt."""


def as_dealt(story: Story, said: Said[ToldOperation], holder: int) -> Story:
    """The story with each card once, where it first came, and with those that lie under others.

    `holder` is the banker's own seat, `HOUSE` where he has none. Cards under others have numbers below zero.
    """
    cards: list[Lying | None] = list(story.cards)
    banks = {HOUSE} if any(it.place.seat == HOUSE for it in story.cards) else {HOUSE, holder}
    banker = [at for at, it in enumerate(story.cards) if it.place.seat in banks]
    _banker(cards, banker)
    his = [it for at in banker if (it := cards[at]) is not None]
    turned = up_faces(his)[:_FIRST]
    # The banker has turned his cards, and the punters have to show theirs unless his are a pontoon.
    ended = len(turned) >= _FIRST and not is_pontoon(count_values(turned))
    played = said.first(*PLAYING) is not None
    # The banker's second card ends the dealing; until it comes, a card put back is no second one.
    first = _FIRST if len(his) >= _FIRST or played else 1
    for place in dict.fromkeys(it.place for it in story.cards):
        if place.seat not in banks:
            there = [at for at, it in enumerate(story.cards) if it.place == place]
            split = any(it.place.seat == place.seat and it.place.hand != place.hand for it in story.cards)
            _put_back(cards, there, _Words.of(said, place, first, split), ended)
    covered = _covered(cards, banks, played)
    apart = {at: cards[later] for at, later in covered.items() if later is not None}
    for later in covered.values():
        if later is not None:
            cards[later] = None
    found: list[Lying] = []
    kept: list[int] = []
    """How many cards there are now where there were so many."""
    for at, it in enumerate(cards):
        kept.append(len(found))
        if it is not None:
            found.append(it)
        if it is not None and at in covered:
            found.append(apart.get(at) or Lying(-len(found), it.place, None, up=False, gone=it.gone))
    kept.append(len(found))
    told = tuple(replace(it, after=kept[min(max(it.after, 0), len(cards))]) for it in story.told)
    return replace(story, cards=tuple(found), told=told)


@dataclass(frozen=True, slots=True)
class _Words:
    """What was said about one hand."""

    dealt: int
    """How many cards it has face down by what was said: those dealt, and those bought."""
    twists: int
    split: bool
    """Whether the seat has several hands."""

    @classmethod
    def of(cls, said: Said[ToldOperation], place: Place, first: int, split: bool) -> _Words:
        where = {"seat": place.seat, "hand": place.hand}
        buys, twists = len(list(said.each(ops.Buy, **where))), len(list(said.each(AskTwist, **where)))
        return cls(first + buys, twists, split)


def _banker(cards: list[Lying | None], places: Sequence[int]) -> None:
    """Leaves out cards of the banker's that were picked up to be turned."""
    there = [(at, it) for at in places if (it := cards[at]) is not None]
    taken = [at for at, it in there if it.gone and not it.up]
    for at in taken[max(0, _FIRST - (len(there) - len(taken))) :]:
        cards[at] = None


def _put_back(cards: list[Lying | None], places: Sequence[int], words: _Words, ended: bool) -> None:
    """Takes cards that were picked up face down and those put back for the same."""
    there = [(at, it) for at in places if (it := cards[at]) is not None]
    if words.split:  # what was looked at before the pair was turned up lies there as the pair
        root = next((at for at, it in there if it.up and it.turned), 0)
        for at, it in there:
            if at < root and it.gone and not it.up:
                cards[at] = None
        there = [it for it in there if cards[it[0]] is not None]
    taken = [(at, it) for at, it in there if it.gone and not it.up]
    down = [(at, it) for at, it in there if not it.up and not it.gone]
    turned = sum(it.up and it.turned for _, it in there)
    if not taken:
        return
    size = max(len(down), min(len(taken) + len(down), max(0, words.dealt - turned)))
    hidden = sorted(at for at, _ in (*taken, *down))
    still = [it for _, it in (*taken[len(taken) + len(down) - size :], *down)]
    for at in hidden:
        cards[at] = None
    for at, it in zip(hidden, still, strict=False):
        cards[at] = it
    up = [(at, it) for at, it in there if it.up and not it.turned]
    if not down and size and _shown([it for _, it in up], size, words, ended):
        for at, (other, it) in zip(hidden, up[len(up) - size :], strict=False):
            cards[at], cards[other] = replace(it, turned=True), None


def _shown(up: Sequence[Lying], size: int, words: _Words, ended: bool) -> bool:
    """Whether the last of these cards are a hand of so many that its punter held and put down face up."""
    if len(up) - words.twists < size:
        return False
    counts = count_values(up_faces(up))
    return ended or is_pontoon(counts) or hard_total(counts) > TWENTY_ONE


def _covered(cards: Sequence[Lying | None], banks: Iterable[int], said: bool) -> dict[int, int | None]:
    """The single cards face down that hide another, where the play shows that everybody has two.

    With each the card that it hid, where one came out from under it since, or somebody added it: nothing is bought
    after a twist, so a card face down that comes then is no new one.
    """
    hands: dict[Place, list[int]] = {}
    for at, it in enumerate(cards):
        if it is not None:
            place = Place(HOUSE) if it.place.seat in banks else it.place
            hands.setdefault(place, []).append(at)
    split = {place.seat for place in hands if place.hand > 1}
    found: dict[int, int | None] = {}
    underway = said
    for place, places in hands.items():
        first, *others = [it for at in places if (it := cards[at]) is not None]
        alone = not first.up and (not others or (place.seat != HOUSE and others[0].up and not others[0].turned))
        if alone and place.hand == 1 and place.seat not in split:
            later = [at for at in places[1:] if (it := cards[at]) is not None and not it.up]
            found[places[0]] = later[0] if len(later) == 1 else None
        underway = underway or len(places) > _FIRST or (alone and bool(others))
    return found if underway else {}
