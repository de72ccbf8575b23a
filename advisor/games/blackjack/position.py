"""A decision at the table, and everything that can be wrong with it.

A position is read by a camera, so it may be impossible. `status` says why in plain sentences instead of raising, and
nothing else in the package works on a position that it faults.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from advisor.games.blackjack.dealer import dealer_chances
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import composition_problems, full_shoe, left_of, shoe_problems
from advisor.games.blackjack.values import ACE, TEN, Counts, value_index
from advisor.games.cards import Card


class ImpossiblePosition(ValueError):  # noqa: N818 - it names what the position is, as the callers say it
    """A position that cannot arise at this table; `problems` says why, a sentence each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def status(
    rules: HouseRules,
    hand_cards: Sequence[Card],
    upcard: Card | None,
    seen_cards: Sequence[Card] = (),
    *,
    from_split: bool = False,
    hands_in_seat: int = 1,
    shoe: Counts | None = None,
) -> tuple[str, ...]:
    """Everything that makes a position impossible, in plain English; empty when advice can be given.

    `seen_cards` are the other cards seen from this shoe, without the hand and the upcard. An `upcard` of None is one
    not seen yet. `shoe` is what the shoe held before any of these cards left it; full packs if not given.
    """
    problems: list[str] = []
    if len(hand_cards) < 2:
        count = {0: "no cards", 1: "only one card"}[len(hand_cards)]
        problems.append(f"the hand has {count}: a decision needs at least two")
    if upcard is None:
        problems.append("the dealer's upcard has not been seen")
    shown = () if upcard is None else (upcard,)
    known = (*hand_cards, *shown, *seen_cards)
    impossible = shoe_problems(rules.decks, known) if shoe is None else composition_problems(shoe, known)
    problems += impossible
    problems += _drawing_problems(rules, hand_cards, from_split=from_split)
    problems += _seat_problems(rules, from_split=from_split, hands_in_seat=hands_in_seat)
    if not impossible and upcard is not None:
        whole = full_shoe(rules.decks) if shoe is None else shoe
        problems += _shoe_problems(rules, left_of(whole, known), upcard)
    return tuple(problems)


def _drawing_problems(rules: HouseRules, cards: Sequence[Card], *, from_split: bool) -> list[str]:
    """Cards drawn to a hand that was already finished."""
    if len(cards) < 3:
        return []
    if from_split and value_index(cards[0]) == ACE and not rules.hit_split_aces:
        return [f"a split ace takes one card only, but this hand has {len(cards)} cards"]
    # The order read by a camera is not to be relied on, so only what no order could explain is a problem.
    before_last = [Hand((*cards[:place], *cards[place + 1 :]), from_split) for place in range(len(cards))]
    if all(hand.bust or hand.total == 21 for hand in before_last):
        return [f"{len(cards)} cards making {Hand(tuple(cards)).total}: the hand was finished before its last card"]
    return []


def _seat_problems(rules: HouseRules, *, from_split: bool, hands_in_seat: int) -> list[str]:
    """A number of hands that splitting cannot have made."""
    if hands_in_seat < 1:
        return [f"a seat cannot hold {hands_in_seat} hands"]
    if hands_in_seat > rules.split_hands:
        return [f"{hands_in_seat} hands in one seat, but these rules split to {rules.split_hands} at most"]
    if from_split and hands_in_seat == 1:
        return ["a hand from a split cannot be the only hand in its seat"]
    if hands_in_seat > 1 and not from_split:
        return [f"{hands_in_seat} hands in one seat, but this hand is not from a split"]
    return []


def _shoe_problems(rules: HouseRules, unseen: Counts, upcard: Card) -> list[str]:
    """Too few unseen cards to finish the round, or a hole card that cannot be what the peek says."""
    count = sum(unseen)
    if not _dealer_can_finish(rules, unseen, upcard):
        cards = "1 card is" if count == 1 else f"{count} cards are"
        return [
            f"only {cards} unseen, which may not finish the dealer's hand: shuffle, or check the cards counted as seen"
        ]
    barred = {ACE: TEN, TEN: ACE}.get(value_index(upcard))
    if rules.hole_card == "peek" and barred is not None and count == unseen[barred]:
        return ["every unseen card would give the dealer a blackjack, so the round is over"]
    return []


def _dealer_can_finish(rules: HouseRules, unseen: Counts, upcard: Card) -> bool:
    """Whether the unseen cards are sure to be enough for the dealer, whatever order they come in."""
    if sum(unseen) >= _ALWAYS_ENOUGH:
        return True
    shoe = np.array([unseen], dtype=np.float64)
    return float(dealer_chances(shoe, value_index(upcard), rules.dealer_soft_17).sum()) > 1.0 - 1e-9


_ALWAYS_ENOUGH: Final = 22
"""So many cards finish any dealer's hand, for even aces alone pass 17 by then."""
