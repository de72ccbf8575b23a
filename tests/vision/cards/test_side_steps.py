"""Cards that show both indices of one side tell where a lone index's other one is."""

from __future__ import annotations

import numpy as np
from laid_cards import INDEX_MM, reading, seen

from vision.cards.grouping import group
from vision.cards.indices import IndexReading
from vision.cards.naming import named
from vision.cards.side_steps import LoneIndices, lie_so, side_steps
from vision.sightings import FACES

LOWER = np.array([[9, 84.9], [3, 84.9], [3, 73.9], [9, 73.9]], np.float32)
"""The lower index on a four-index card's left side, on its head."""


def place(k: int) -> tuple[float, float, float]:
    """The turn and the corner of card ``k`` of a fan."""
    return 0.1 * k, 200.0 + 46 * k, 200.0 + 5 * k


def side(label: str, k: int) -> list[IndexReading]:
    return [reading(label, seen(quad, *place(k))) for quad in (INDEX_MM, LOWER)]


def half_seen(reading_: IndexReading, share: float) -> IndexReading:
    """As it is found where a neighbour covers its foot: so much of its height."""
    a, b, c, d = reading_.quad
    quad = np.array([a, b, b + (c - b) * share, a + (d - a) * share], np.float32)
    return IndexReading(quad, reading_.chances, reading_.found)


FAN = [*side("QD", 0), *side("2S", 1), *side("5H", 2), *side("10C", 3)]


def test_two_ends_of_one_name_are_one_card_though_one_was_found_half_as_tall() -> None:
    upper, lower = side("6C", 4)
    short = half_seen(lower, 0.55)
    together = [*FAN, upper, short]
    assert sorted(sorted(g.members) for g in group(together, [])) == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    alone = sorted(sorted(g.members) for g in group([*FAN[:4], upper, short], []))
    assert [4] in alone and [5] not in alone, "of two cards' word it is no card of its own, though not joined"


def test_what_is_found_taller_than_an_index_where_a_cards_other_one_stands_is_that_cards() -> None:
    """Half a king with the picture beside it was a seven, surely; a whole index that is read otherwise is a doubt."""
    upper, _ = side("KD", 4)
    _, lower = side("7D", 4)
    a, b, c, d = lower.quad
    tall = IndexReading(np.array([a, b, c + (c - b) * 0.2, d + (d - a) * 0.2], np.float32), lower.chances, lower.found)
    fan = FAN[:4]
    found = sorted(sorted(g.members) for g in group([*fan, upper, tall], []))
    assert found == [[0, 1], [2, 3], [4]]
    other = IndexReading(tall.quad, reading("7S", tall.quad).chances, 0.9)
    assert [5] in [sorted(g.members) for g in group([*fan, upper, other], [])], "another suit's is another card's"


def test_two_ends_of_different_names_are_one_card_that_is_unsure() -> None:
    upper, _ = side("6D", 4)
    _, lower = side("5D", 4)
    groups = group([*FAN, upper, lower], [])
    assert [8, 9] in [sorted(g.members) for g in groups]
    card = named([upper, lower], upper.quad)
    assert card.confidence < 0.85 and {"5D", "6D"} <= set(card.probabilities)


def test_the_step_is_the_same_from_either_end_and_turns_with_the_card() -> None:
    steps = side_steps([[r.quad for r in FAN[k : k + 2]] for k in range(0, 8, 2)])
    assert len(steps) == 4
    upper, lower = side("6C", 5)
    assert lie_so(steps, upper.quad, lower.quad) and lie_so(steps, lower.quad, upper.quad)
    _, next_lower = side("6C", 6)
    assert not lie_so(steps, upper.quad, next_lower.quad), "the next card's"
    assert not lie_so(steps, upper.quad, upper.quad + np.array([0, 150], np.float32)), "both upright"


def test_a_faint_find_of_a_lone_cards_other_end_is_no_card_more() -> None:
    upper, lower = side("6C", 4)
    cards = [(FACES[FAN[k].best], [FAN[k].quad, FAN[k + 1].quad]) for k in range(0, 8, 2)]
    lone = LoneIndices.of([*cards, ("6C", [upper.quad])])
    assert lone.have("6C", lower.quad)
    assert not lone.have("7C", lower.quad) and not lone.have("10C", lower.quad)
    assert lone.have("6C", lower.quad - np.array([0, 20], np.float32)), "half covered, its middle is off"
    assert not lone.have("6C", lower.quad + np.array([50, 0], np.float32))


LARGE = [(4, 2), (18, 2), (18, 42), (4, 42)]
"""A large index, millimetres: a rank as wide as a fifth of the card, over its suit."""


def large(label: str, x: float, turn: float, corners: str) -> list[IndexReading]:
    """Large indices of a card at ``x``, in the corners named: a, b, c, d clockwise from its own top-left."""
    w, h = 63.0, 88.0
    upper = np.array(LARGE, np.float32)
    places = {
        "a": upper,
        "b": upper + np.array([w - 22, 0]),
        "c": np.array([w, h]) - upper,
        "d": np.array([22, h]) - upper,
    }
    return [reading(label, seen(places[k].astype(np.float32), turn, x, 200.0)) for k in corners]


def test_two_large_ends_side_by_side_are_one_card_where_a_whole_card_says_so() -> None:
    """What a hand leaves of a card that is being turned: both its lower indices, too near for any usual deck."""
    whole, half = large("5H", 200, 0.0, "abcd"), large("4C", 360, 0.05, "cd")
    assert [4, 5] in [sorted(g.members) for g in group([*whole, *half], [])]
    assert sorted(len(g.members) for g in group([whole[0], *half], [])) == [1, 1, 1], "nothing says how wide a card is"
    apart = [*large("4C", 360, 0.0, "d"), *large("4C", 420, 0.0, "d")]
    assert sorted(len(g.members) for g in group([*whole, *apart], [])) == [1, 1, 4]
