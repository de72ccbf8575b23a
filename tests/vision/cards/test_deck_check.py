"""A deck check names exactly what was taken out and put in."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.deck_check import check_deck
from vision.sightings import CARDS, JOKER, CardSighting, Reading

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def reading(*labels: str, unsure: int = 0, backs: int = 0) -> Reading:
    cards = tuple(CardSighting("card", QUAD, label, 0.99) for label in labels)
    doubts = (CardSighting("unsure", QUAD),) * unsure
    return Reading(100, 100, cards + doubts + (CardSighting("back", QUAD),) * backs)


@given(
    taken=st.sets(st.sampled_from(CARDS)),
    added=st.lists(st.sampled_from(CARDS), max_size=5),
    packs=st.integers(1, 3),
    cut=st.integers(0, 160),
)
def test_what_was_taken_out_is_missing_and_what_was_put_in_is_too_many(
    taken: set[str], added: list[str], packs: int, cut: int
) -> None:
    deck = list(CARDS * packs)
    for card in taken:
        deck.remove(card)
    deck += [c for c in added if c not in taken]
    found = check_deck([reading(*deck[:cut]), reading(*deck[cut:])], packs)
    assert set(found.missing) == taken and len(found.missing) == len(taken)
    assert Counter(found.extra) == Counter(c for c in added if c not in taken)
    assert found.seen == len(deck)
    assert found.complete == (not found.missing and not found.extra)


def test_several_pictures_of_one_spread_count_a_card_once() -> None:
    found = check_deck([reading(*CARDS[:40], unsure=3), reading(*CARDS[30:], unsure=1)], same_spread=True)
    assert found.missing == found.extra == () and found.unsure == 1
    twice = check_deck([reading(*CARDS), reading("2H", "2H")], same_spread=True)
    assert twice.extra == ("2H",)


def test_jokers_belong_to_no_pack_and_doubts_keep_a_deck_from_being_whole() -> None:
    assert check_deck([reading(*CARDS, JOKER, JOKER)]).jokers == 2
    assert check_deck([reading(*CARDS, JOKER)]).complete
    assert not check_deck([reading(*CARDS, unsure=1)]).complete
    assert not check_deck([reading(*CARDS, backs=1)]).complete
    assert check_deck([]).missing == CARDS
    with pytest.raises(ValueError, match="at least one pack"):
        check_deck([], packs=0)
