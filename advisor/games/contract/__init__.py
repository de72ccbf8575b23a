"""What a game gives to be dealt on this table, written down once: `TableGame`, and the values that go in and come out.

A game is told a `Story` (the cards that came to each place, in order, and what somebody said) and answers with a
`Played`: the next step, every hand with its advice and what it is owed, what may be said next, and what is wrong. It
knows no camera and keeps nothing: a correction changes the story, and the whole round is worked out again.
"""

from advisor.games.contract.game import Rules, TableGame
from advisor.games.contract.played import (
    BetView,
    CardView,
    Choice,
    Fact,
    Fault,
    Grid,
    GridCell,
    HandView,
    Payment,
    Phase,
    Played,
    Question,
)
from advisor.games.contract.story import HOUSE, Carried, Lying, Place, Story, Told

__all__ = [
    "HOUSE",
    "BetView",
    "CardView",
    "Carried",
    "Choice",
    "Fact",
    "Fault",
    "Grid",
    "GridCell",
    "HandView",
    "Lying",
    "Payment",
    "Phase",
    "Place",
    "Played",
    "Question",
    "Rules",
    "Story",
    "TableGame",
    "Told",
]
