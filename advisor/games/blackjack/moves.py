"""What the house rules let a hand do: double, split, surrender, insure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.rules import HouseRules, ratio
from advisor.games.blackjack.values import ACE, TEN, Counts, value_index


def may_double_total(rules: HouseRules, hard_total: int, *, soft: bool, from_split: bool) -> bool:
    """Whether two cards of this total may double; `hard_total` counts aces as one."""
    if (from_split and not rules.double_after_split) or (soft and not rules.double_soft):
        return False
    match rules.double_on:
        case "any":
            return True
        case "9-11":
            return 9 <= hard_total <= 11
        case "10-11":
            return 10 <= hard_total <= 11
        case "none":
            return False


def may_split_value(rules: HouseRules, value: int) -> bool:
    """Whether a pair of this value, of one rank, may split at all."""
    return rules.split_on != "not-4-5-10" or value + 1 not in (4, 5, 10)


def hits_after_split(rules: HouseRules, value: int) -> bool:
    """Whether a hand from splitting this value goes on after its second card; split aces may get one card only."""
    return value != ACE or rules.hit_split_aces


def most_hands(rules: HouseRules, value: int, hands_in_seat: int = 1) -> int:
    """The most hands that one hand may become by splitting this value, in a seat that already holds so many."""
    if value == ACE and not rules.resplit_aces:
        return 2 if hands_in_seat == 1 else 1
    return rules.split_hands - hands_in_seat + 1


def bonus_odds(rules: HouseRules, hand: Counts) -> Fraction | None:
    """What a three-card 6-7-8 or 7-7-7 (counts by value) is paid as a multiple of the bet; None without a bonus."""
    odds = {_THREE_678: rules.bonus_678, _THREE_777: rules.bonus_777}.get(hand, "none")
    return None if odds == "none" else ratio(odds)


_THREE_678: Final[Counts] = (0, 0, 0, 0, 0, 1, 1, 1, 0, 0)
_THREE_777: Final[Counts] = (0, 0, 0, 0, 0, 0, 3, 0, 0, 0)


def finished(rules: HouseRules, hand: Hand) -> bool:
    """Whether the hand has no move left: bust, 21, blackjack, or a bonus or charlie that is paid at once.

    A split ace with its one card is not finished while it may still be split again; see `may_split`.
    """
    if hand.total >= 21 or (rules.charlie_cards and len(hand.cards) >= rules.charlie_cards):
        return True
    return bool(hand.cards) and hand.from_split and not hits_after_split(rules, value_index(hand.cards[0]))


def may_double(rules: HouseRules, hand: Hand) -> bool:
    """Whether the hand may double its bet for one more card."""
    return (
        len(hand.cards) == 2
        and not finished(rules, hand)
        and may_double_total(rules, hand.hard_total, soft=hand.soft, from_split=hand.from_split)
    )


def may_split(rules: HouseRules, hand: Hand, hands_in_seat: int = 1) -> bool:
    """Whether the hand may be split in two, in a seat that holds so many hands already."""
    if not hand.pair:
        return False
    value = value_index(hand.cards[0])
    return (
        (hand.same_rank or rules.split_on == "ten-values")
        and may_split_value(rules, value)
        and most_hands(rules, value, hands_in_seat) >= 2
    )


def may_surrender(rules: HouseRules, hand: Hand, upcard: int) -> bool:
    """Whether the hand may be given up for half its bet against this upcard (a value index)."""
    if len(hand.cards) != 2 or hand.from_split or finished(rules, hand):
        return False
    return rules.surrender != "none" and not (rules.surrender == "early-ten" and upcard == ACE)


def surrenders_early(rules: HouseRules, upcard: int) -> bool:
    """Whether surrender comes before the dealer's blackjack is known, so that half the bet is always saved."""
    return rules.surrender == "early" or (rules.surrender == "early-ten" and upcard == TEN)


def may_insure(rules: HouseRules, hand: Hand, upcard: int) -> bool:
    """Whether the hand may insure against the dealer's ace."""
    if upcard != ACE or len(hand.cards) != 2 or hand.from_split:
        return False
    return rules.insurance == "any" or (rules.insurance == "blackjack-only" and hand.blackjack)


def may_take_even_money(rules: HouseRules, hand: Hand, upcard: int) -> bool:
    """Whether the hand, a blackjack against an ace, may be paid 1:1 at once."""
    return rules.even_money and upcard == ACE and hand.blackjack


@dataclass(frozen=True, slots=True)
class Moves:
    """Which actions beyond standing are open to a hand."""

    hit: bool = True
    double: bool = False
    surrender: bool = False
    hands: int = 1
    """How many hands splitting may make of it; fewer than two for no split."""
    like: float | None = None
    """How many unseen cards may split again, where that is not every card of the pair's value."""

    @property
    def none(self) -> bool:
        """Whether nothing is open, so that the hand is done."""
        return not (self.hit or self.double or self.surrender or self.hands >= 2)


def moves_for(rules: HouseRules, hand: Hand, upcard: int, hands_in_seat: int = 1, like: float | None = None) -> Moves:
    """The moves that the rules leave to a hand against an upcard (a value index) in a seat with so many hands.

    `like` counts the unseen cards of the hand's rank; it matters to a pair of ten-values where equal ranks alone split.
    """
    splits = may_split(rules, hand, hands_in_seat)
    return Moves(
        hit=not finished(rules, hand),
        double=may_double(rules, hand),
        surrender=may_surrender(rules, hand, upcard),
        hands=most_hands(rules, value_index(hand.cards[0]), hands_in_seat) if splits else 1,
        like=like if splits and splits_by_rank(rules, value_index(hand.cards[0])) else None,
    )


def splits_by_rank(rules: HouseRules, value: int) -> bool:
    """Whether a pair of this value splits only where both cards are of one rank, which tells king from queen."""
    return value == TEN and rules.split_on == "same-rank"
