"""Advice on one hand: the best action, what every action is worth, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from advisor.games.blackjack.decision import Action, action_values, best_action, dealer_results
from advisor.games.blackjack.explain import why, why_done, why_even_money, why_insurance
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.moves import may_insure, may_take_even_money, moves_for
from advisor.games.blackjack.play import Matchup
from advisor.games.blackjack.position import ImpossiblePosition, status
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import full_shoe, left_of, remaining, shoe_problems
from advisor.games.blackjack.values import TEN, Counts, count_values, value_index
from advisor.games.cards import Card

__all__ = ["Action", "Advice", "ImpossiblePosition", "advise", "status"]


@dataclass(frozen=True, slots=True)
class Advice:
    """The best action for one hand, and why."""

    action: Action
    """The best action; `Action.DONE` where the hand has no move."""
    values: Mapping[Action, float]
    """Expected winnings of every allowed action, in units of the hand's bet, best first; empty when done.

    Where the dealer peeks they are given that the dealer has no blackjack.
    """
    margin: float
    """How much better the best action is than the second best, in units of the bet; 0 when there is no other."""
    reasons: tuple[str, ...]
    """Why: a few short English sentences."""
    hand: str
    """The hand in words, such as "soft 17"."""
    dealer: Mapping[str, float]
    """Chances of the dealer's results: "bust", "17" to "21", and "blackjack" where the dealer has not peeked."""
    insurance_value: float | None
    """Expected winnings of insurance in units of the insurance bet; None where it is not offered."""
    even_money_value: float | None
    """What even money gains over waiting, in units of the bet; None where it is not offered."""

    @property
    def why(self) -> str:
        """The reasons as one text."""
        return " ".join(self.reasons)

    @property
    def take_insurance(self) -> bool:
        """Whether insurance is offered and worth taking."""
        return self.insurance_value is not None and self.insurance_value > 0

    @property
    def take_even_money(self) -> bool:
        """Whether even money is offered and worth taking."""
        return self.even_money_value is not None and self.even_money_value > 0


def advise(
    rules: HouseRules,
    hand_cards: Sequence[Card],
    upcard: Card | None,
    seen_cards: Sequence[Card] = (),
    *,
    from_split: bool = False,
    hands_in_seat: int = 1,
    shoe: Counts | None = None,
) -> Advice:
    """The best move for a hand against the dealer's upcard, for these rules and the cards left in the shoe.

    `seen_cards` are the other cards seen from this shoe, without the hand and the upcard. `shoe` is what it held by
    value before any of these cards left it; full packs if not given. `hands_in_seat` counts the
    hands that the seat holds after its splits, this one included; the first card of a hand `from_split` is the one that
    was split. The value of splitting such a hand again leaves out what the seat's other hands may still become. Raises
    `ImpossiblePosition` with the problems that `status` reports.
    """
    problems = status(
        rules, hand_cards, upcard, seen_cards, from_split=from_split, hands_in_seat=hands_in_seat, shoe=shoe
    )
    if problems or upcard is None:
        raise ImpossiblePosition(problems)
    hand = Hand(tuple(hand_cards), from_split)
    shown = value_index(upcard)
    whole = full_shoe(rules.decks) if shoe is None else shoe
    unseen = left_of(whole, (*hand_cards, upcard, *seen_cards))
    matchup = Matchup(rules, shown)
    insurance = 3.0 * unseen[TEN] / sum(unseen) - 1.0 if may_insure(rules, hand, shown) else None
    even_money = None
    if may_take_even_money(rules, hand, shown):
        even_money = 1.0 - (1.0 - matchup.blackjack_chance(unseen)) * float(rules.blackjack_odds)
    extra = [] if insurance is None or even_money is not None else [why_insurance(insurance, unseen[TEN], sum(unseen))]
    extra += [] if even_money is None else [why_even_money(even_money)]
    # A shoe given by value does not tell kings from queens: a quarter of its tens is the nearest.
    of_rank = 4 * rules.decks if shoe is None else whole[TEN] / 4
    like = of_rank - sum(card.rank == hand_cards[0].rank for card in (*hand_cards, upcard, *seen_cards))
    moves = moves_for(rules, hand, shown, hands_in_seat, max(like, 0))
    if moves.none:
        return Advice(
            action=Action.DONE,
            values=MappingProxyType({}),
            margin=0.0,
            reasons=(*why_done(rules, hand), *extra),
            hand=hand.text,
            dealer=dealer_results(matchup, unseen),
            insurance_value=insurance,
            even_money_value=even_money,
        )
    counts = count_values(hand.cards)
    values = action_values(matchup, counts, unseen, moves)
    fresh = None
    full = remaining(rules.decks, (*hand_cards, upcard))
    if unseen != full and not shoe_problems(rules.decks, (*hand_cards, upcard)):
        before = replace(moves, like=None if moves.like is None else 4 * rules.decks - 2)
        fresh = best_action(action_values(matchup, counts, full, before))
    dealer = dealer_results(matchup, unseen)
    ranked = list(values.values())
    return Advice(
        action=best_action(values),
        values=values,
        margin=ranked[0] - ranked[1] if len(ranked) > 1 else 0.0,
        reasons=(*why(rules, hand, shown, values, dealer["bust"], fresh), *extra),
        hand=hand.text,
        dealer=dealer,
        insurance_value=insurance,
        even_money_value=even_money,
    )
