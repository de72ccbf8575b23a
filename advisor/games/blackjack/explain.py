"""Advice in words: short plain sentences a dealer can read at a glance."""

from __future__ import annotations

from typing import Final

from advisor.games.blackjack.decision import Action, Values
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.moves import bonus_odds
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.values import VALUES, count_values, value_index

_DOING: Final = {
    Action.STAND: "standing",
    Action.HIT: "hitting",
    Action.DOUBLE: "doubling",
    Action.SPLIT: "splitting",
    Action.SURRENDER: "surrendering",
}

_CLOSE: Final = 0.005
"""Margins under half a hundredth of a bet are called close."""


def why(hand: Hand, upcard: int, values: Values, dealer_bust: float, fresh: Action | None) -> str:
    """Why the best action is best; `fresh` is what would be best had no other card been seen, if that was looked at."""
    best, *others = values.items()
    action, value = best
    head = f"{str(action).capitalize()}: {_held(hand)} against {_upcard(upcard)} {_result(value)} on average"
    if others:
        second, runner_up = others[0]
        head += f"; {_DOING[second]} {'also ' if value - runner_up < _CLOSE else ''}{_result(runner_up)}"
        if value - runner_up < _CLOSE:
            head += ", so it is close"
    said = [head + ".", f"The dealer busts {dealer_bust:.0%} of the time."]
    if fresh is not None and fresh is not action:
        said.append(f"The cards seen so far change this: from a fresh shoe {_DOING[fresh]} would be best.")
    return " ".join(said)


def why_done(rules: HouseRules, hand: Hand) -> str:
    """Why a hand has no move."""
    if hand.bust:
        return f"Bust with {hand.total}: the hand has lost."
    if hand.blackjack:
        return f"Blackjack: it pays {rules.blackjack_pays} unless the dealer has one too."
    bonus = bonus_odds(rules, count_values(hand.cards))
    if bonus is not None:
        return f"A three-card bonus hand: it pays {bonus.numerator}:{bonus.denominator}."
    if hand.total == 21:
        return "The hand has 21: no card can better it."
    if rules.charlie_cards and len(hand.cards) >= rules.charlie_cards:
        odds = rules.charlie_odds
        return f"{len(hand.cards)} cards without a bust are a charlie: it pays {odds.numerator}:{odds.denominator}."
    return "A split ace gets one card only."


def why_insurance(value: float, tens: int, unseen: int) -> str:
    """Whether insurance is worth taking, and why."""
    share = f"{tens} of {unseen} unseen cards are ten-values"
    if value > 0:
        return f"Insurance is worth taking: {share}, more than one in three."
    return f"No insurance: {share}, not more than one in three."


def why_even_money(gain: float) -> str:
    """Whether even money beats waiting for the dealer."""
    waiting = f"waiting wins {1.0 - gain:.2f} bets on average"
    return f"Take even money: {waiting}." if gain > 0 else f"No even money: {waiting}."


def _held(hand: Hand) -> str:
    if not hand.pair:
        return hand.text
    value = VALUES[value_index(hand.cards[0])]
    return f"a pair of {'aces' if value == 'A' else value + 's'} ({hand.text})"


def _upcard(upcard: int) -> str:
    value = VALUES[upcard]
    return {"A": "an ace", "8": "an 8"}.get(value, f"a {value}")


def _result(value: float) -> str:
    return f"{'wins' if value >= 0 else 'loses'} {abs(value):.2f} bets"
