"""A short script that uses every act, for the tests of rounds."""

from __future__ import annotations

from datasets.deck import Deck
from datasets.rounds.film import Conditions, own_deck
from datasets.rounds.script import Clear, Deal, Pause, PickUp, PutChips, RestHand, Script, Split, TakeChips, Turn

DECK: Deck = own_deck()
SMALL = Conditions(width=480, height=270, fps=10)
SCRIPT = Script(
    (
        PutChips(0.2, 1, ("red", "red")),
        Deal(1.0, 1, "8S"),
        Deal(2.0, 2, "KD"),
        Deal(3.0, 0, "AH"),
        Deal(4.0, 1, "8D"),
        Deal(5.0, 2, "2C"),
        Deal(6.0, 0, "KC", up=False),
        PutChips(6.2, 1, ("red",), "double"),
        Split(7.2, 1),
        Deal(8.5, 1, "3C"),
        Deal(9.5, 1, "10C", 2, crosswise=True),
        RestHand(9.6, 2, 1.6),
        PickUp(11.0, 1, 2),
        Turn(12.5, 0, 2),
        Pause(13.4, 0.6),
        TakeChips(14.0, 1, "double"),
        Clear(15.0),
    ),
    seats=3,
    title="every act",
)
