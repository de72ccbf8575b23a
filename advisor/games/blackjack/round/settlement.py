"""What a bet comes to, and why: pure functions of the rules, the cards and the bet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from advisor.games.blackjack.dealer import barred_hole_card
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.moves import bonus_odds, surrenders_early
from advisor.games.blackjack.round.operations import Side
from advisor.games.blackjack.rules import HouseRules, dealer_draws
from advisor.games.blackjack.values import count_values, value_index
from advisor.games.cards import Card
from advisor.money.outcomes import INSURANCE_ODDS

INSURANCE_SHARE: Final = Fraction(1, 2)
"""An insurance bet is at most this share of the bet (rules/blackjack.md, wherever it is offered)."""
SURRENDER_SHARE: Final = Fraction(1, 2)
"""What a hand given up loses of its bet (rules/chips-and-payouts.md, "Payouts")."""
SIDE_BET_TOTAL: Final = 13
"""What the over/under side bet is over or under (rules/blackjack.md)."""


class Outcome(StrEnum):
    """How a bet ended: why it is paid, collected or left alone."""

    BLACKJACK = "blackjack"
    EVEN_MONEY = "even money"
    CHARLIE = "charlie"
    BONUS = "bonus"
    WIN = "win"
    """The higher total."""
    DEALER_BUST = "dealer bust"
    PUSH = "push"
    BOTH_BLACKJACK = "both blackjack"
    """A push of two blackjacks."""
    RETURNED = "returned"
    """Given back, because only original bets are lost to a dealer blackjack that comes after the players."""
    LOSE = "lose"
    """The lower total."""
    BUST = "bust"
    DEALER_BLACKJACK = "dealer blackjack"
    SURRENDER = "surrender"
    INSURANCE_WON = "insurance won"
    INSURANCE_LOST = "insurance lost"
    OVER_WON = "over won"
    OVER_LOST = "over lost"
    UNDER_WON = "under won"
    UNDER_LOST = "under lost"
    CALLED_OFF = "called off"


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a bet ended and what it comes to."""

    outcome: Outcome
    amount: Fraction
    """What the player gains: negative where chips are collected, 0 where nothing moves."""


class UnfinishedDealer(ValueError):  # noqa: N818 - it names what is the matter, as the callers say it
    """A hand cannot be settled yet: the dealer's cards do not decide it."""


def settle_hand(
    rules: HouseRules,
    hand: Hand,
    bet: Fraction,
    dealer: Sequence[Card],
    *,
    added: Fraction | None = None,
    surrendered: bool = False,
    even_money: bool = False,
    carries_original: bool = True,
) -> Settlement:
    """What a hand that is played out comes to, and why.

    `dealer` are the dealer's known cards, upcard first; where the dealer peeks, a hole card not turned yet is known not
    to make a blackjack. `added` is what a double added, None for a hand not doubled. `carries_original` says whether
    this hand is the one that loses its seat's original bet where only that is lost to a late dealer blackjack.

    A charlie or bonus is paid whatever the dealer has, but not to a doubled hand: the odds are reckoned likewise.
    Raises `UnfinishedDealer` where the dealer's cards do not decide the hand yet.
    """
    stake = bet + (added or 0)
    if even_money:
        return Settlement(Outcome.EVEN_MONEY, bet)
    if hand.bust:
        return Settlement(Outcome.BUST, -stake)
    if added is None:
        paid = odds_at_once(rules, hand)
        if paid is not None:
            return Settlement(Outcome.BONUS if len(hand.cards) == 3 else Outcome.CHARLIE, paid * bet)
    if not dealer:
        raise UnfinishedDealer("the dealer has no upcard")
    against = Hand(tuple(dealer))
    if surrendered and (surrenders_early(rules, value_index(dealer[0])) or not against.blackjack):
        if len(dealer) < 2 and surrender_waits(rules, dealer[0]):
            raise UnfinishedDealer("the dealer's second card decides what a surrender costs")
        return Settlement(Outcome.SURRENDER, -SURRENDER_SHARE * bet)
    if against.blackjack:
        return _against_blackjack(rules, hand, bet, stake, carries_original)
    if hand.blackjack:
        if len(dealer) < 2 and blackjack_waits(rules, dealer[0]):
            raise UnfinishedDealer("the dealer's second card decides whether the blackjack is paid")
        return Settlement(Outcome.BLACKJACK, rules.blackjack_odds * bet)
    if len(dealer) < 2 or dealer_draws(against.total, against.soft, rules.dealer_soft_17):
        raise UnfinishedDealer(f"the dealer's hand is not finished: {against.text}")
    if against.bust:
        return Settlement(Outcome.DEALER_BUST, stake)
    if hand.total == against.total:
        return Settlement(Outcome.PUSH, Fraction(0))
    won = hand.total > against.total
    return Settlement(Outcome.WIN if won else Outcome.LOSE, stake if won else -stake)


def _against_blackjack(
    rules: HouseRules, hand: Hand, bet: Fraction, stake: Fraction, carries_original: bool
) -> Settlement:
    if hand.blackjack:
        return Settlement(Outcome.BOTH_BLACKJACK, Fraction(0))
    if rules.hole_card == "none" and rules.no_hole_card_loss == "original":
        if not carries_original:
            return Settlement(Outcome.RETURNED, Fraction(0))
        return Settlement(Outcome.DEALER_BLACKJACK, -bet)
    return Settlement(Outcome.DEALER_BLACKJACK, -stake)


def odds_at_once(rules: HouseRules, hand: Hand) -> Fraction | None:
    """What a charlie or a three-card bonus pays as a multiple of the bet, whatever the dealer has; else None."""
    if hand.bust:
        return None
    if rules.charlie_cards and len(hand.cards) >= rules.charlie_cards:
        return rules.charlie_odds
    return bonus_odds(rules, count_values(hand.cards))


def blackjack_waits(rules: HouseRules, upcard: Card) -> bool:
    """Whether a player's blackjack must wait for a second dealer's card that may make one too."""
    return rules.hole_card == "none" and barred_hole_card(value_index(upcard)) is not None


def surrender_waits(rules: HouseRules, upcard: Card) -> bool:
    """Whether a surrendered hand may still lose all to a dealer blackjack that comes after the players."""
    return blackjack_waits(rules, upcard) and not surrenders_early(rules, value_index(upcard))


def settle_insurance(amount: Fraction, *, dealer_blackjack: bool) -> Settlement:
    """What an insurance bet comes to."""
    if dealer_blackjack:
        return Settlement(Outcome.INSURANCE_WON, INSURANCE_ODDS * amount)
    return Settlement(Outcome.INSURANCE_LOST, -amount)


def settle_side_bet(side: Side, amount: Fraction, cards: Sequence[Card]) -> Settlement:
    """What a bet on two cards being over or under 13 comes to: 1:1, an ace counts one, exactly 13 loses both."""
    total = Hand(tuple(cards[:2])).hard_total
    if side == "over":
        won = total > SIDE_BET_TOTAL
        return Settlement(Outcome.OVER_WON if won else Outcome.OVER_LOST, amount if won else -amount)
    won = total < SIDE_BET_TOTAL
    return Settlement(Outcome.UNDER_WON if won else Outcome.UNDER_LOST, amount if won else -amount)
