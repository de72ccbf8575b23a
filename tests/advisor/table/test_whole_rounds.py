"""Whole rounds at random, followed from nothing but where cards lie: the money is right and nothing is called wrong."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import MappingProxyType

from evening import deal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from round_strategies import random_table, round_rules
from table_stand_ins import Watched

from advisor.games.blackjack import HouseRules
from advisor.games.cards import cards_text
from advisor.table import Table, begin


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(round_rules(), st.integers(0, 2**32 - 1), st.integers(1, 4), st.booleans())
def test_the_money_of_a_round_is_right(rules: HouseRules, seed: int, seats: int, hole_first: bool) -> None:
    dealer = random_table(rules, Random(seed), seats=seats, rich=True, hole_first=hole_first)
    final = dealer.finish()
    table = Watched(table=Table(3200, 1100))
    table.state = replace(
        begin("blackjack", rules, "drawn"), carried=MappingProxyType({"seen": cards_text(final.seen)})
    )
    deal(table, dealer.operations, [seat.number for seat in final.seats])
    result = table.state.results[-1]
    assert result.faults == ()
    nets = [final.net(seat) for seat in sorted(seat.number for seat in final.seats)]
    assert [result.net[number] for number in range(1, seats + 1)] == nets
