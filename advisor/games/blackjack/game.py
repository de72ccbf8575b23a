"""The whole game off the top of a shoe: what every two-card hand is worth against every upcard, and the game itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from types import MappingProxyType

import numpy as np

from advisor.games.blackjack.decision import Action, Values, before_peek, weigh
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.kernel import Floats
from advisor.games.blackjack.moves import Moves, moves_for, splits_by_rank, surrenders_early
from advisor.games.blackjack.play import Matchup, Play, play
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import full_shoe
from advisor.games.blackjack.tree import EMPTY
from advisor.games.blackjack.values import ACE, TEN, VALUES, Counts, count_values
from advisor.games.cards import Card

Pair = tuple[int, int]
"""Two cards by value index, the lower first."""


@dataclass(frozen=True, slots=True)
class Column:
    """Every two-card hand against one upcard."""

    upcard: int
    """Value index."""
    chance: float
    """Of this upcard."""
    hands: Mapping[Pair, Values]
    """What each action is worth with each two cards; a blackjack is not among them, having no action."""
    chances: Mapping[Pair, float]
    """Of each two cards, blackjack included, given the upcard and before any peek."""
    value: float
    """The player's expected winnings against this upcard before any peek, in units of the first bet, with best play."""


def column(rules: HouseRules, upcard: int, shoe: Counts) -> Column:
    """All two-card hands against one upcard, from a shoe that still holds the upcard.

    Insurance and even money are left out of the value.
    """
    left = tuple(count - (value == upcard) for value, count in enumerate(shoe))
    pool = np.array(left, dtype=np.float64)
    matchup = Matchup(rules, upcard)
    played = play(matchup, pool, EMPTY)
    moves = _moves(rules, upcard)
    hands: dict[Pair, Values] = {}
    chances: dict[Pair, float] = {}
    total = 0.0
    for pair, chance in _deals(left):
        counts = tuple((value == pair[0]) + (value == pair[1]) for value in range(10))
        unseen = tuple(here - held for here, held in zip(left, counts, strict=True))
        dealer_blackjack = matchup.blackjack_chance(unseen)
        if pair == (ACE, TEN):
            worth = (1.0 - dealer_blackjack) * float(rules.blackjack_odds)
        elif splits_by_rank(rules, pair[0]) and pair[0] == pair[1]:
            hands[pair], best = _pair_of_one_rank(matchup, played, pool, shoe)
            worth = before_peek(matchup, best, dealer_blackjack)
        else:
            hands[pair] = weigh(matchup, played, pool, counts, moves[pair])
            worth = before_peek(matchup, max(hands[pair].values()), dealer_blackjack)
        if dealer_blackjack >= 1 and surrenders_early(rules, upcard) and Action.SURRENDER in hands.get(pair, {}):
            worth = -0.5
        chances[pair] = chance
        total += chance * worth
    return Column(upcard, shoe[upcard] / sum(shoe), MappingProxyType(hands), MappingProxyType(chances), total)


@lru_cache(maxsize=64)
def _moves(rules: HouseRules, upcard: int) -> Mapping[Pair, Moves]:
    """What the rules leave open to every two cards."""
    pairs = combinations_with_replacement(range(10), 2)
    return MappingProxyType({pair: moves_for(rules, two_cards(pair), upcard) for pair in pairs})


def _pair_of_one_rank(matchup: Matchup, played: Play, pool: Floats, shoe: Counts) -> tuple[Values, float]:
    """Ten-values where only equal ranks split: what a pair of one rank is worth, and the best play of any two tens.

    A shoe counted by value does not tell kings from queens; each of the four ranks is taken for a quarter of its tens.
    """
    hand = two_cards((TEN, TEN))
    of_rank = shoe[TEN] / 4
    like = max(of_rank - 2, 0.0)
    # The upcard, itself a ten, may be of the pair's rank.
    chance = min(like / (shoe[TEN] - 2), 1.0) if matchup.upcard == TEN and shoe[TEN] > 2 else 0.0
    values: dict[Action, float] = {}
    for share, left in ((chance, like - 1), (1 - chance, like)):
        if share:
            moves = moves_for(matchup.rules, hand, matchup.upcard, like=max(left, 0.0))
            for action, value in weigh(matchup, played, pool, count_values(hand.cards), moves).items():
                values[action] = values.get(action, 0.0) + share * value
    one_rank = min(max(of_rank - 1, 0.0) / max(shoe[TEN] - 1, 1), 1.0)
    unsplit = max(value for action, value in values.items() if action is not Action.SPLIT)
    ranked = MappingProxyType(dict(sorted(values.items(), key=lambda item: -item[1])))
    return ranked, one_rank * max(values.values()) + (1 - one_rank) * unsplit


@lru_cache(maxsize=16)
def whole_game(rules: HouseRules, shoe: Counts) -> tuple[Column, ...]:
    """The columns of every upcard that the shoe holds, ace first. Answers are kept; each takes a fifth of a second."""
    return tuple(column(rules, upcard, shoe) for upcard in range(10) if shoe[upcard])


def game_value(rules: HouseRules, shoe: Counts | None = None) -> float:
    """The player's expected winnings a round with best play, in units of the first bet, without insurance.

    Composition-dependent, split hands by CDZ-, from a full shoe unless another is given.
    """
    whole = full_shoe(rules.decks) if shoe is None else shoe
    return sum(each.chance * each.value for each in whole_game(rules, whole))


def blackjack_worth(rules: HouseRules, upcard: int, shoe: Counts) -> float:
    """What a player's blackjack is worth, on the scale of `Values`: a dealer's blackjack makes it a push."""
    left = [count - [upcard, ACE, TEN].count(value) for value, count in enumerate(shoe)]
    pays = float(rules.blackjack_odds)
    if rules.hole_card == "peek":
        return pays
    return (1.0 - Matchup(rules, upcard).blackjack_chance(tuple(left))) * pays


def two_cards(pair: Pair) -> Hand:
    """A hand of these values; a pair is of one rank."""
    first, second = pair
    return Hand((Card(VALUES[first], "C"), Card(VALUES[second], "D")))


def _deals(left: Counts) -> Iterator[tuple[Pair, float]]:
    """Every two cards that can be dealt from the cards left, with their chance."""
    cards = sum(left)
    for first, second in combinations_with_replacement(range(10), 2):
        ways = left[first] * (left[first] - 1) if first == second else 2 * left[first] * left[second]
        if ways > 0:
            yield (first, second), ways / (cards * (cards - 1))
