"""Getting the odds ready: their loops are compiled on first use, and kept on disk from then on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from advisor.cli.terminal import say

PATIENCE_S = 3.0
"""A wait longer than this is explained."""


@contextmanager
def explained_wait() -> Iterator[None]:
    """Around the first use of the odds: says why where it takes a while, which is once on a machine."""
    words = "getting the odds ready; the first time on a machine this may take half a minute."
    explain = threading.Timer(PATIENCE_S, say, [words])
    explain.daemon = True
    explain.start()
    try:
        yield
    finally:
        explain.cancel()


def prepare_odds() -> None:
    """Load the compiled odds, or compile them, before anybody waits for advice."""
    with explained_wait():
        from advisor.games.blackjack import HouseRules, advise
        from advisor.games.cards import parse_card, parse_cards

        # A pair needs all of it: dealer, hitting, doubling, splitting.
        advise(HouseRules(), parse_cards("8C 8D"), parse_card("10C"))
