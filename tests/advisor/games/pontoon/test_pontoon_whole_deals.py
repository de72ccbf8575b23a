"""Whole deals at random, seen on the table: the log worked out from what is seen is the log of the deal."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pontoon_driver import Table
from pontoon_watched import Watched, watched_tables
from test_pontoon_round import cards_are_conserved

from advisor.games.cards import FULL_PACK
from advisor.games.contract import HOUSE
from advisor.games.pontoon import Bank
from advisor.games.pontoon.round import LOG, Round, replay
from advisor.games.pontoon.table.start import DEALER, read_start


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(watched_tables(), st.integers(1, 3))
def test_whole_deals_seen_on_the_table_come_to_what_was_played(drawn: tuple[Table, Random], deals: int) -> None:
    """The log worked out from cards and a few words is the log of the deal, deal after deal."""
    table, random = drawn
    bank = Bank(table.state.banker)
    carried: dict[str, Any] = {"bank": HOUSE if bank.holder == DEALER else bank.holder, "deals": 0}
    for _ in range(deals):
        start = table.state
        played = Watched(table, carried, random).play().scene.played
        final = table.state
        assert list(played.operations) == [LOG.as_dict(it) for it in table.operations]
        again = replay(start.rules, start.order, start.banker, map(LOG.from_dict, played.operations), start.pack)
        assert again == final
        assert played.phase == "over" and sum(played.net.values()) == 0
        assert not any("shuffled" in it for it in played.notices)
        cards_are_conserved(table)
        bank = final.bank_after(bank)
        carried = json.loads(json.dumps(dict(played.carried)))
        read = read_start(final.rules, carried)
        assert (read.bank, read.pack) == (bank, final.next_pack)
        cards = table.cards if not final.shuffle_due else [*FULL_PACK] * final.rules.decks
        # The dealer has no seat of his own, so he sits out where the bank is elsewhere.
        seats = [it for it in final.order if it in (bank.holder, *range(1, 8))]
        following = Round.start(final.rules, seats, bank.holder, final.next_pack)
        table = Table(following, cards, table.choose)
