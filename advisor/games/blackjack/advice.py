"""Advice on one hand: the best action, what every action is worth, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.position import ImpossiblePosition, status
from advisor.games.blackjack.rules import HouseRules
from advisor.games.cards import Card

__all__ = ["Action", "Advice", "ImpossiblePosition", "advise", "status"]


class Action(StrEnum):
    """What a player may do with a hand."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    DONE = "done"
    """No move: the hand is bust, a 21, a blackjack, or a split ace that has had its card."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The best action for one hand, and why."""

    action: Action
    """The best action; `Action.DONE` where the hand has no move."""
    values: Mapping[Action, float]
    """Expected winnings of every allowed action, in units of the first bet, best first; empty when done."""
    margin: float
    """How much better the best action is than the second best, in units of the first bet; 0 when there is no other."""
    why: str
    """One short English sentence or two."""
    hand: str
    """The hand in words, such as "soft 17"."""
    dealer: Mapping[str, float]
    """Chances of the dealer's results: "bust", "17" to "21" and, where the dealer has not peeked, "blackjack"."""
    insurance_value: float | None
    """Expected winnings of insurance in units of the insurance bet; None where it is not offered."""

    @property
    def take_insurance(self) -> bool:
        """Whether insurance is worth taking."""
        return self.insurance_value is not None and self.insurance_value > 0


def advise(
    rules: HouseRules,
    hand_cards: Sequence[Card],
    upcard: Card | None,
    seen_cards: Sequence[Card] = (),
    *,
    from_split: bool = False,
    hands_in_seat: int = 1,
) -> Advice:
    """The best move for a hand against the dealer's upcard, for these rules and the cards left in the shoe.

    `seen_cards` are the other cards seen from this shoe, without the hand and the upcard. `hands_in_seat` counts the
    hands the seat holds after its splits. Raises `ImpossiblePosition` with the problems that `status` reports.
    """
    problems = status(rules, hand_cards, upcard, seen_cards, from_split=from_split, hands_in_seat=hands_in_seat)
    if problems or upcard is None:
        raise ImpossiblePosition(problems)
    hand = Hand(tuple(hand_cards), from_split)
    # Rough until the odds are worked out: draw to 17, as the dealer does.
    action = Action.DONE if hand.total >= 21 else Action.HIT if hand.total < 17 else Action.STAND
    return Advice(action, {}, 0.0, f"{hand.text}: the odds are not worked out yet.", hand.text, {}, None)
