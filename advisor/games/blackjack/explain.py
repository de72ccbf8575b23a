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


def why(
    rules: HouseRules, hand: Hand, upcard: int, values: Values, dealer_bust: float, fresh: Action | None
) -> tuple[str, ...]:
    """Why the best action is best; `fresh` is what would be best in a full shoe, if this one is not full."""
    best, *others = values.items()
    action, value = best
    head = f"{str(action).capitalize()}: {_held(hand)} against {_upcard(upcard)} {_result(value)} on average"
    if others:
        second, runner_up = others[0]
        head += f"; {_DOING[second]} {'also ' if value - runner_up < _CLOSE else ''}{_result(runner_up)}"
        if value - runner_up < _CLOSE:
            head += ", so it is close"
    said = [head + ".", f"The dealer busts {dealer_bust:.0%} of the time."]
    if fresh is action:
        said.append("That is basic play for these cards, and the cards that are gone do not change it.")
    elif fresh is not None:
        said.append(f"The cards that are gone change this: from a fresh shoe {_DOING[fresh]} would be best.")
    rule = rule_of_nine(rules, hand, upcard)
    if rule is not None and Action.DOUBLE in values:
        says = f'The "Rule of 9" says {"double" if rule else "do not double"}'
        right = rule is (action is Action.DOUBLE)
        said.append(f"{says}, which is right here." if right else f"{says}, which is wrong here.")
    return tuple(said)


def rule_of_nine(rules: HouseRules, hand: Hand, upcard: int) -> bool | None:
    """What the memory aid says about doubling two soft cards; None where it says nothing.

    Soft 13 to 18 doubles against 5 and 6 always, against 2 never, against 3 and 4 when the upcard and the card beside
    the ace make 9 or more (rules/blackjack.md, which also says where it slips: it is an aid, not the exact play).
    """
    if len(hand.cards) != 2 or not hand.soft or not 13 <= hand.total <= 18 or not 2 <= upcard + 1 <= 6:
        return None
    if not rules.double_soft or rules.double_on != "any":
        return None
    shown = upcard + 1
    return shown >= 5 or (shown != 2 and shown + hand.total - 11 >= 9)


def why_done(rules: HouseRules, hand: Hand) -> tuple[str, ...]:
    """Why a hand has no move."""
    if hand.bust:
        return (f"Bust with {hand.total}: the hand has lost.",)
    if hand.blackjack:
        return (f"Blackjack: it pays {rules.blackjack_pays} unless the dealer has one too.",)
    bonus = bonus_odds(rules, count_values(hand.cards))
    if bonus is not None:
        return (f"A three-card bonus hand: it pays {bonus.numerator}:{bonus.denominator}.",)
    if hand.total == 21:
        return ("The hand has 21: no card can better it.",)
    if rules.charlie_cards and len(hand.cards) >= rules.charlie_cards:
        odds = rules.charlie_odds
        return (f"{len(hand.cards)} cards without a bust are a charlie: it pays {odds.numerator}:{odds.denominator}.",)
    return ("A split ace gets one card only.",)


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
