"""Whatever is dealt, covered, turned, carried and cleared: at rest the tracked cards are the cards on the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import Phase, event, given, note, settings
from hypothesis import strategies as st
from scripted_table import Faults, Follower, Table

pytestmark = pytest.mark.slow

HANDS = [(120 + 240 * k, 400 if k % 2 else 380) for k in range(4)]
"""Where the first card of each hand lies; the next ones are stepped right and up."""
FREE = [(100 + 150 * k, 70) for k in range(6)]
"""Places of single cards."""
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""A failing script is short as it is; making it shorter would play for minutes."""
LABELS = ["7D", "7D", "KS", "2C", "QH", "AS", "10H", "5C"]


@dataclass(frozen=True)
class Step:
    """One thing that happens; ``which`` picks the hand, place or card it happens to."""

    what: str
    which: int
    label: str
    hidden: bool
    """Whether a hand is over it, still moving, while it happens."""


STEPS = st.builds(
    Step,
    st.sampled_from(
        ["hit", "place", "face down", "turn", "take", "clear hand", "clear all", "nudge", "cover", "carry"]
    ),
    st.integers(0, 23),
    st.sampled_from(LABELS),
    st.booleans(),
)


class Play:
    """Plays steps on a table and keeps which number each physical card got."""

    def __init__(self, seed: int, faults: Faults) -> None:
        self.table = Table(seed)
        self.follower = Follower(self.table)
        self.faults = faults
        self.hands: list[list[int]] = [[] for _ in HANDS]
        self.places: dict[int, int] = {}
        self.numbers: dict[int, int] = {}
        self.follower.look(4)

    def cards(self) -> dict[int, object]:
        return {c.uid: c for c in self.table.cards}

    def play(self, step: Step) -> None:
        t = self.table
        box = self.happen(step)
        if box is None:
            return
        event(f"{step.what}, hidden: {step.hidden}")
        t.faults = Faults()
        if step.hidden:
            t.hands = [box]
            self.follower.look(2, step=0.2, moving=box)
            t.hands = []
        if step.what == "carry":
            # What is not surely read within a second and a half of its way is a new card.
            self.follower.look()
        t.faults = self.faults
        self.rest()

    def rest(self) -> None:
        """Look until the table is surely known, and compare."""
        self.follower.look(8)
        # What the faults left open is settled by readings without them.
        self.table.faults = Faults()
        self.follower.look(2)
        tracked = self.follower.tracked
        note(f"{[(t.card, t.label, t.up, t.covered) for t in tracked]} for {self.table.cards}")
        truth = Counter(c.label if c.up else "back" for c in self.table.cards)
        assert Counter(self.follower.named()) == truth
        for card in self.table.cards:
            number = self.follower.number(card)
            assert number is not None
            if card.uid in self.numbers:
                assert self.numbers[card.uid] == number, "a card keeps its number"
            else:
                assert number not in self.numbers.values(), "a number is never used again"
            self.numbers[card.uid] = number

    def happen(self, step: Step) -> tuple[int, int, int, int] | None:
        """Do it; the box of pixels where a hand was for it, None where it cannot be done."""
        t, n = self.table, step.which
        if step.what == "hit":
            k = n % len(HANDS)
            if len(self.hands[k]) >= 4:
                return None
            x, y = HANDS[k][0] + 18 * len(self.hands[k]), HANDS[k][1] - 15 * len(self.hands[k])
            self.hands[k].append(t.deal(step.label, x, y).uid)
            return x - 60, y - 70, x + 80, y + 80
        if step.what in ("place", "face down"):
            k = n % len(FREE)
            if k in self.places:
                return None
            x, y = FREE[k]
            self.places[k] = t.deal(step.label, x, y, up=step.what == "place").uid
            return x - 60, 0, x + 60, y + 70
        if step.what == "clear all":
            t.cards.clear()
            self.hands = [[] for _ in HANDS]
            self.places.clear()
            return 400, 100, 700, 500
        if step.what == "clear hand":
            k = n % len(HANDS)
            mine = self.hands[k]
            if not mine:
                return None
            t.cards = [c for c in t.cards if c.uid not in mine]
            self.hands[k] = []
            x, y = HANDS[k]
            return x - 60, y - 120, x + 130, y + 70
        if not self.places:
            return None
        k = sorted(self.places)[n % len(self.places)]
        card = next(c for c in t.cards if c.uid == self.places[k])
        x, y = FREE[k]
        box = (x - 60, 0, x + 60, y + 70)
        if step.what == "take":
            t.cards.remove(card)
            del self.places[k]
        elif step.what == "turn":
            t.change(card, up=True, x=card.x + 4)
        elif step.what == "nudge":
            t.change(card, x=x + (n % 5) * 3, y=y + (n % 3) * 4)
        elif step.what == "cover":
            t.hands = [box]
            self.follower.look(1 + n % 6, step=4.0)
            assert {c.uid for c in t.cards} == set(self.numbers) & {c.uid for c in t.cards}
            t.hands = []
        else:
            return self.carry(k, card.uid, n)
        return box

    def carry(self, k: int, uid: int, n: int) -> tuple[int, int, int, int] | None:
        t = self.table
        free = [j for j in range(len(FREE)) if j not in self.places]
        card = next(c for c in t.cards if c.uid == uid)
        if not free or not card.up or sum(c.label == card.label for c in t.cards) > 1:
            return None
        j = free[n % len(free)]
        t.change(card, x=FREE[j][0], y=FREE[j][1])
        self.places[j] = self.places.pop(k)
        x = FREE[j][0]
        return x - 60, 0, x + 60, 140


@settings(max_examples=12, deadline=None, phases=PHASES)
@given(st.integers(0, 1000), st.lists(STEPS, max_size=10))
def test_at_rest_the_tracked_cards_are_the_cards_on_the_table(seed: int, steps: list[Step]) -> None:
    play = Play(seed, Faults(missed=0.15, unsure=0.2, jitter=0.7))
    for step in steps:
        play.play(step)


@settings(max_examples=5, deadline=None, phases=PHASES)
@given(st.integers(0, 1000), st.lists(STEPS, max_size=8))
def test_now_and_then_a_wrong_name_changes_nothing_that_stands(seed: int, steps: list[Step]) -> None:
    play = Play(seed, Faults())
    for step in steps:
        play.play(step)
    before = [(t.card, t.label) for t in play.follower.tracked]
    play.table.faults = Faults(wrong=0.1, missed=0.1)
    for _ in range(15):
        play.follower.look()
        assert [(t.card, t.label) for t in play.follower.tracked] == before
