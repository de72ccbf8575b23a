"""Cards of one pack are told apart by each other; doubles that are plain, and several packs, are left alone."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.one_pack import DOUBLE, FEWEST, as_one_pack, dealt
from vision.sightings import CARDS, FACES, JOKER, CardSighting, Quad

QUAD: Quad = ((0.0, 0.0), (6.0, 0.0), (6.0, 9.0), (0.0, 9.0))


def card(label: str, confidence: float = 0.97, also: str = "", kind: str = "card") -> CardSighting:
    """A card named so surely, the rest of the chance being another name's."""
    chances = {label: confidence, also: round(1 - confidence, 4)} if also else {label: confidence}
    return CardSighting("card" if kind == "card" else "unsure", QUAD, label, confidence, chances, (QUAD,))


def spread(count: int) -> list[CardSighting]:
    return [card(label) for label in CARDS[:count]]


def test_a_doubtful_card_is_what_no_plain_one_is() -> None:
    doubtful = card("6H", 0.6, "8H", kind="unsure")
    assert "6H" in CARDS[:40] and "8H" in CARDS[:40]
    seen = [s for s in spread(40) if s.label != "8H"]
    out, pack = as_one_pack([*seen, doubtful], 0.85, 0.98)
    assert pack and out[-1].kind == "card" and out[-1].label == "8H" and out[-1].confidence > 0.9
    assert [s.label for s in out[:-1]] == [s.label for s in seen]


def test_two_that_are_taken_for_each_other_stay_unsure() -> None:
    seen = [s for s in spread(40) if s.label not in ("6H", "8H")]
    twins = [card("6H", 0.55, "8H", kind="unsure"), card("6H", 0.55, "8H", kind="unsure")]
    out, pack = as_one_pack([*seen, *twins], 0.85, 0.98)
    assert pack and [s.kind for s in out[-2:]] == ["unsure", "unsure"]
    assert all(s.confidence < 0.7 for s in out[-2:])


def test_where_a_picture_takes_one_suit_for_another_all_over_no_name_is_sure() -> None:
    """Clubs read as spades more surely than the spades themselves: thirteen names twice, and none of them to be had by
    which of the two was read the more surely."""
    likest = {"C": "S", "D": "H"}
    seen = []
    for label in CARDS[:48]:
        rank, suit = label[:-1], label[-1]
        taken = rank + likest.get(suit, suit)
        other = rank + {"S": "C", "H": "D"}[taken[-1]]
        seen.append(card(taken, 0.95 if suit in likest else 0.8, other, kind="card" if suit in likest else "unsure"))
    out, _ = as_one_pack(seen, 0.85, 0.98)
    wrong = [s.label for s, label in zip(out, CARDS, strict=False) if s.kind == "card" and s.label != label]
    assert not wrong


def test_a_double_that_is_plain_is_still_two() -> None:
    out, pack = as_one_pack([*spread(52), card("7D")], 0.85, 0.98)
    assert pack and [s.label for s in out if s.kind == "card"].count("7D") == 2
    short = [s for s in spread(52) if s.label != "QH"]
    out, pack = as_one_pack([*short, card("7D")], 0.85, 0.98)
    assert pack and [s.label for s in out if s.kind == "card"].count("7D") == 2


def test_several_packs_and_few_cards_are_left_alone() -> None:
    both = [*spread(20), *spread(20)]
    assert as_one_pack(both, 0.85, 0.98) == (both, False)
    few = [*spread(FEWEST - 2), card("KS", 0.6, "QS", kind="unsure")]
    assert as_one_pack(few, 0.85, 0.98) == (few, False)


def test_what_was_found_faintly_is_listed_where_the_pack_leaves_it_hardly_another_name() -> None:
    hidden, back = card("KS", 0.95, kind="unsure"), CardSighting("back", QUAD, None, 0.9)
    out, pack = as_one_pack([*spread(40), hidden, back], 0.85, 0.98)
    assert pack and out[40].kind == "card" and out[40].label == "KS" and out[41] == back
    either = card("KS", 0.87, "QS", kind="unsure")
    out, pack = as_one_pack([*spread(40), either], 0.85, 0.98)
    assert pack and out[40].kind == "unsure" and out[40].label == "KS" and out[40].confidence > 0.85


def test_a_pack_makes_no_jokers_and_leaves_those_that_are_plain() -> None:
    """What every plain card has the name of could be a joker, or anything."""
    scrap, torn = card(JOKER, 0.3, kind="unsure"), card("8H", 0.9, JOKER)
    out, pack = as_one_pack([*spread(51), card(JOKER), card(JOKER), scrap, torn], 0.85, 0.98)
    assert pack and "8H" in CARDS[:51]
    assert out[51:54] == [card(JOKER), card(JOKER), scrap]
    assert out[54].kind == "unsure" and out[54].label == "8H"


def test_little_of_a_name_does_not_become_a_card() -> None:
    scrap = card("KS", 0.1, kind="unsure")
    out, _ = as_one_pack([*spread(40), scrap], 0.85, 0.98)
    assert out[-1].kind == "unsure"


@given(st.integers(0, 10_000))
def test_the_sum_over_all_ways_is_close_to_the_sum_itself(seed: int) -> None:
    """Against every way of giving four cards names of their own (or two of them one, at ``DOUBLE``)."""
    rng = np.random.default_rng(seed)
    chances = np.full((4, len(FACES)), 1e-12)
    chances[:, :5] = rng.dirichlet(np.full(5, 0.4), 4)
    chances[:, 20:24] = 0.02
    chances /= chances.sum(1, keepdims=True)
    names = np.array([*range(5), *range(20, 24)])
    ways = np.indices((9, 9, 9, 9)).reshape(4, -1)
    often = (ways == np.arange(9)[:, None, None]).sum(1)  # names x ways: to how many of the cards each way gives it
    ways, doubles = ways[:, often.max(0) < 3], (often == 2).sum(0)[often.max(0) < 3]
    weights = DOUBLE**doubles * np.prod([chances[k, names[ways[k]]] for k in range(4)], 0)
    exact, by_name = float(weights.sum()), np.zeros((4, len(FACES)))
    for k in range(4):
        np.add.at(by_name[k], names[ways[k]], weights)
    found, evidence = dealt(chances)
    once = log(np.prod([52 - k for k in range(4)]) / 52**4)
    assert evidence == pytest.approx(log(exact) - once, abs=0.25)
    assert np.abs(found - by_name / exact).max() < 0.12
    assert found.sum(1) == pytest.approx(np.ones(4))


def test_where_cards_leave_one_way_only_it_is_found() -> None:
    chances = np.full((3, len(FACES)), 1e-9)
    for row, labels in zip(chances, (("AC",), ("AC", "2C"), ("2C", "3C")), strict=True):
        row[[FACES.index(name) for name in labels]] = 1 / len(labels)
    found, _ = dealt(chances)
    assert [FACES[int(k)] for k in found.argmax(1)] == ["AC", "2C", "3C"]
    assert found.max(1).min() > 0.9
