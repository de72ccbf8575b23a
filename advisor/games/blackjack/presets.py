"""The named house rules of rules/blackjack.md.

What that page leaves open for a preset is taken from the default rules, and said here beside the preset.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.games.blackjack.rules import HouseRules

PRESETS: Final[Mapping[str, HouseRules]] = MappingProxyType(
    {
        "vegas-strip": HouseRules(decks=4),
        "six-deck-s17": HouseRules(surrender="late"),
        "six-deck-h17": HouseRules(dealer_soft_17="hit", surrender="late"),
        "single-deck": HouseRules(decks=1, dealer_soft_17="hit", double_after_split=False),
        # "Double 9-11" leaves out soft hands and, as at the sources' home tables, doubling after a split.
        "home": HouseRules(
            decks=1,
            double_on="9-11",
            double_soft=False,
            double_after_split=False,
            doubled_card_face_down=True,
        ),
        # Insurance belongs to a blackjack only, so even money does too. All bets are lost to a dealer blackjack.
        "british": HouseRules(
            hole_card="none",
            double_on="9-11",
            double_soft=False,
            split_on="not-4-5-10",
            split_hands=2,
            insurance="blackjack-only",
        ),
        # Named on the page without further detail: the six-deck game without a hole card, all bets lost.
        "european": HouseRules(hole_card="none"),
    }
)
"""House rules by name."""
