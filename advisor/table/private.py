"""One player's private view of a hand that lies face down: advice for the one who holds it, and for nobody else.

The table's state is not touched, and nothing of the hand's faces is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from advisor.games.catalogue import game as game_named
from advisor.games.contract import HandView, Lying, Place
from advisor.table.changes import ChangeError, check_label
from advisor.table.state import TableState, story


def private_hand(state: TableState, place: Place, labels: Sequence[str]) -> HandView:
    """The hand as its holder sees it, with advice where it is its turn.

    `labels` are all its cards, in any order, those that lie face up among them. Raises `ChangeError` where they are
    not the cards that lie there.
    """
    for label in labels:
        check_label(label, back=False)
    told = story(state)
    lies = [it for it in told.at(place) if not it.gone]
    _check(lies, labels, place)
    shown = [it.label for it in lies if it.up and it.label is not None]
    hidden = iter((Counter(labels) - Counter(shown)).elements())
    known = {
        it.card: it if it.up and it.label is not None else replace(it, label=next(hidden), up=True, sure=True)
        for it in lies
    }
    # Only this hand is answered: what the others' advice would make of its faces is nobody's business.
    opened = replace(told, cards=tuple(known.get(it.card, it) for it in told.cards))
    played = game_named(state.game).play(state.rules, opened)
    found = next((hand for hand in played.hands if hand.place == place), None)
    if found is None:
        raise ChangeError(f"Seat {place.seat} is not in this round.")
    return found


def _check(lies: Sequence[Lying], labels: Sequence[str], place: Place) -> None:
    if not lies:
        raise ChangeError(f"No cards lie at seat {place.seat}: choose your own seat.")
    if len(labels) != len(lies):
        yours = "1 card" if len(labels) == 1 else f"{len(labels)} cards"
        theirs = "1 lies" if len(lies) == 1 else f"{len(lies)} lie"
        raise ChangeError(
            f"The picture shows {yours}, but {theirs} at seat {place.seat}: show them all, and no others."
        )
    shown = Counter(it.label for it in lies if it.up and it.sure and it.label is not None)
    missing = list((shown - Counter(labels)).elements())
    if missing:
        raise ChangeError(
            f"The {missing[0]} lies open at seat {place.seat}, but not in the picture: choose your own seat."
        )
