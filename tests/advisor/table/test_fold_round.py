"""From readings to hands, the dealer and advice: cards laid in millimetres and seen by a slanted camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.games.blackjack import HouseRules, load_rules
from advisor.table import TableMemory, TableState, fold
from advisor.table.nearness import REACH, clusters, gap
from datasets.scene import View, camera_view
from vision.sightings import CardSighting, Quad, Reading

SIX_DECKS = load_rules("six-deck-s17")
OBLIQUE = camera_view(1280, 720, 128, np.radians(62), -np.pi / 2, 0.0, np.radians(50))
FLAT = camera_view(1280, 720, 90, np.radians(32), -np.pi / 2, 0.1, np.radians(60))


@dataclass(frozen=True)
class Lying:
    """A card on the table: centre in millimetres, angle in radians; ``label`` None lies face down, "9H?" is unsure."""

    label: str | None
    x: float
    y: float
    angle: float = 0.0

    def seen(self, view: View) -> CardSighting:
        c, s = np.cos(self.angle), np.sin(self.angle)
        own = np.array([(-31.75, -44.45), (31.75, -44.45), (31.75, 44.45), (-31.75, 44.45)])
        placed = own @ np.array([[c, s], [-s, c]]) + (self.x, self.y)
        a, b, d, e = ((float(x), float(y)) for x, y in view.project(placed))
        corners: Quad = (a, b, d, e)
        if self.label is None:
            return CardSighting("back", corners)
        if self.label.endswith("?"):
            name = self.label[:-1]
            return CardSighting("unsure", corners, name, 0.5, {name: 0.5})
        return CardSighting("card", corners, self.label, 0.95)


def reading(cards: Sequence[Lying], view: View = OBLIQUE) -> Reading:
    return Reading(view.width, view.height, tuple(c.seen(view) for c in cards))


def hand(x: float, y: float, *labels: str | None) -> list[Lying]:
    """Each card stepped right and up from the one before."""
    return [Lying(label, x + 19 * k, y - 15 * k) for k, label in enumerate(labels)]


def row(x: float, y: float, *labels: str | None) -> list[Lying]:
    """Side by side with a small gap."""
    return [Lying(label, x + 76 * k, y) for k, label in enumerate(labels)]


def play(
    *views: Sequence[Lying], rules: HouseRules = SIX_DECKS, view: View = OBLIQUE, side: str = "top"
) -> list[TableState]:
    """The state after each view of one round."""
    memory, states = TableMemory(), []
    for cards in views:
        memory, state = fold(memory, reading(cards, view), rules, side)  # type: ignore[arg-type]
        states.append(state)
    return states


def labels(state: TableState) -> list[list[str | None]]:
    return [[c.label for c in h.cards] for h in state.hands]


LEFT, RIGHT = (-270.0, 90.0), (200.0, 90.0)
DEALER = (-40.0, -165.0)


def test_hands_are_told_apart_and_advised_from_left_to_right() -> None:
    (state,) = play([*row(*DEALER, "10H", None), *hand(*RIGHT, "5C", "6D"), *hand(*LEFT, "AD", "6C")])
    assert labels(state) == [["AD", "6C"], ["5C", "6D"]]
    assert state.dealer is not None and state.dealer.upcard == "10H"
    assert [(h.total, h.soft, h.action) for h in state.hands] == [
        ("soft 17", True, "hit"),
        ("hard 11", False, "double"),
    ]
    assert [h.id for h in state.hands] == ["hand-1", "hand-2"]
    assert state.hands[0].why.startswith("Hit") and next(iter(state.hands[0].values)) == "hit"


def test_a_round_from_the_first_card_to_the_last() -> None:
    table: list[Lying] = []
    views = []
    for more in (
        hand(*LEFT, "8S"),
        hand(*RIGHT, "5C"),
        row(*DEALER, "10H"),
        hand(*LEFT, "8S", "3H")[1:],
        hand(*RIGHT, "5C", "6D")[1:],
        row(*DEALER, "10H", None)[1:],
        hand(*LEFT, "8S", "3H", "KC")[2:],
    ):
        table = [*table, *more]
        views.append(table)
    turned = [replace(c, label="6S") if c.label is None else c for c in table]
    views += [turned, [*turned, Lying("QC", DEALER[0] + 152, DEALER[1])], []]
    states = play(*views)
    upcards = [s.dealer.upcard if s.dealer else None for s in states]
    assert upcards == [None, None, *["10H"] * 7, None]
    actions = [[h.action for h in s.hands] for s in states[5:8]]
    assert actions == [["double", "double"], ["done", "double"], ["done", None]]
    assert "dealer is playing" in states[7].hands[1].why
    assert states[8].dealer is not None
    assert [c.label for c in states[8].dealer.cards] == ["10H", "6S", "QC"], "the upcard stays the first"
    assert "bust" in states[8].dealer.next_step
    assert states[9] == TableState()


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_without_a_face_down_card_the_dealer_sits_at_his_side(side: str) -> None:
    x, y = {"top": (0, -160), "bottom": (0, 160), "left": (-260, 0), "right": (260, 0)}[side]
    (state,) = play([*hand(x, y, "7D"), *hand(-x, -y, "10C", "6C")], side=side)
    assert state.dealer is not None and state.dealer.upcard == "7D"
    assert [h.action for h in state.hands] == ["hit"]


def test_a_lone_hand_of_two_cards_is_a_players() -> None:
    (state,) = play(hand(0, -100, "10C", "6C"))
    assert state.dealer is None
    assert state.hands[0].action is None and "upcard" in state.hands[0].problems[0]


def test_the_dealer_keeps_his_hand_when_a_doubled_card_lies_face_down() -> None:
    home = load_rules("home")
    before = [*row(*DEALER, "9H", None), *hand(*LEFT, "5C", "6D")]
    doubled = [*before, *hand(*LEFT, "5C", "6D", None)[2:]]
    turned = [replace(c, label="8S") if c.y == DEALER[1] and c.label is None else c for c in doubled]
    states = play(before, doubled, turned, rules=home)
    assert [s.dealer.upcard for s in states if s.dealer] == ["9H"] * 3
    assert states[1].hands[0].action is None and "doubled card" in states[1].hands[0].why
    assert states[1].hands[0].problems == ()
    usual = play(before, doubled)[1].hands[0]
    assert "face down" in usual.problems[0]


def test_a_new_round_forgets_the_old_dealer() -> None:
    old = [*row(*DEALER, "9H", None), *hand(*LEFT, "5C", "6D")]
    new = [*hand(-40, -150, "10S", "7S"), *row(0, 120, "4D", None)]
    states = play(old, new)
    assert states[1].dealer is not None and states[1].dealer.upcard == "4D"
    assert labels(states[1]) == [["10S", "7S"]]


def test_an_unsure_card_means_no_advice_and_says_which() -> None:
    (state,) = play([*row(*DEALER, "10H", None), *hand(*LEFT, "AD", "9C?"), *hand(*RIGHT, "5C", "6D")])
    doubtful, sure = state.hands
    assert doubtful.action is None and doubtful.values == {}
    assert "nine of clubs" in doubtful.problems[0]
    assert sure.action == "double"


def test_an_unsure_upcard_means_no_advice() -> None:
    (state,) = play([*row(*DEALER, "10H?", None), *hand(*RIGHT, "5C", "6D")])
    assert state.dealer is not None and state.dealer.upcard is None
    assert state.hands[0].action is None and "surely" in state.hands[0].problems[0]


def test_what_cannot_be_is_said_as_data() -> None:
    cards = [*row(*DEALER, "10H", None), *hand(*LEFT, "10H", "6C"), *hand(*RIGHT, "5C", "JOKER")]
    (state,) = play(cards, rules=load_rules("single-deck"))
    assert any("tens of hearts" in p for p in state.problems), state.problems
    assert all(h.action is None and h.problems for h in state.hands)
    (allowed,) = play(cards)
    assert allowed.problems == () and allowed.hands[0].action is not None


def test_the_pack_face_down_is_nobodys_hand() -> None:
    (state,) = play([*row(*DEALER, "10H", None), *hand(*LEFT, "5C", "6D"), Lying(None, 300, -150)])
    assert labels(state) == [["5C", "6D"]]


def test_a_card_taken_away_is_a_card_less() -> None:
    full = [*row(*DEALER, "10H", None), *hand(*LEFT, "5C", "2D", "3C")]
    states = play(full, full[:-1])
    assert labels(states[1]) == [["5C", "2D"]] and states[1].hands[0].total == "hard 7"


@pytest.mark.parametrize("view", [OBLIQUE, FLAT], ids=["steep", "shallow"])
@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (Lying("5C", 0, 0), Lying("6D", 19, -15), True),
        (Lying("5C", 0, 0), Lying("6D", 76, 0), True),
        (Lying("5C", 0, 0), Lying("6D", 20, 40, np.pi / 2), True),
        (Lying("5C", 0, 0), Lying("6D", 5, -30, 0.3), True),
        (Lying("5C", 0, 0), Lying("6D", 125, 0), False),
        (Lying("5C", 0, 0), Lying("6D", 0, 150), False),
        (Lying("5C", -200, -200), Lying("6D", -75, -200), False),
        (Lying("5C", 200, 200), Lying("6D", 276, 200), True),
    ],
)
def test_nearness_is_measured_on_the_table_not_in_the_picture(
    one: Lying, other: Lying, together: bool, view: View
) -> None:
    assert len(clusters(reading([one, other], view).sightings)) == (1 if together else 2)


def test_a_flat_outline_can_still_be_measured() -> None:
    line: Quad = ((0, 0), (50, 0), (50, 0), (0, 0))
    flat = CardSighting("unsure", line)
    assert gap(flat, Lying("5C", 0, 0).seen(OBLIQUE)) > REACH


def test_a_joker_as_upcard_is_said_and_nothing_is_advised() -> None:
    cards = [*row(*DEALER, "JOKER", None), *hand(*LEFT, "10H", "6C"), *hand(*RIGHT, "10S", "AC")]
    (state,) = play(cards)
    assert not any(h.action for h in state.hands if h.total == "hard 16")
    assert any("upcard is a joker" in p for h in state.hands for p in h.problems)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(-250, 250), st.floats(-180, 180), st.floats(-3, 3)), max_size=9), st.randoms())
def test_every_card_is_in_exactly_one_hand_whatever_the_order(places: list[tuple[float, float, float]], chance) -> None:  # type: ignore[no-untyped-def]
    cards = [Lying(f"{2 + k}C", x, y, a) for k, (x, y, a) in enumerate(places)]
    groups = clusters(reading(cards).sightings)
    assert sorted(s.label or "" for g in groups for s in g) == sorted(c.label or "" for c in cards)
    chance.shuffle(cards)
    assert {frozenset(s.label for s in g) for g in groups} == {
        frozenset(s.label for s in g) for g in clusters(reading(cards).sightings)
    }


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "AS", "10H", "10H?", "JOKER", "5C", "6D", "9S"]),
            st.floats(-280, 280),
            st.floats(-200, 200),
        ),
        max_size=6,
    )
)
def test_no_table_however_odd_raises(cards: list[tuple[str | None, float, float]]) -> None:
    lying = [Lying(label, x, y) for label, x, y in cards]
    for state in play(lying, lying[::-1], lying[:1], rules=load_rules("home")):
        assert all(h.action or h.why or h.problems for h in state.hands)
