"""Paytables are data: those that come along, and a table's own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from advisor.games.blackjack.side_bets import BETS, FaceShoe, Paytable, PaytableError, paytables, price, read_paytables
from advisor.games.cards import parse_cards

OWN = """
bet = "perfect-pairs"
[[table]]
name = "ours"
source = "the kitchen table"
[table.pays]
identical-pair = "51:2"
same-colour-pair = 12
mixed-pair = 0
"""


@pytest.mark.parametrize("bet", BETS)
def test_every_bet_comes_with_a_paytable_that_names_its_source(bet: str) -> None:
    assert paytables(bet)
    for table in paytables(bet):
        assert table.bet == bet and table.source
        odds = [paid for _, paid in table.pays]
        assert odds == sorted(odds, reverse=True), "best first"


def test_a_table_of_one_s_own_works_the_same_way() -> None:
    (table,) = read_paytables(OWN)
    assert table.odds("identical-pair") == Fraction(51, 2)
    priced = price("perfect-pairs", table, FaceShoe.from_cards(parse_cards("8H 8S")))
    assert priced.expected == -1 and priced.win_probability == 0, "an outcome that pays 0 loses"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"perfect-pairs"', '"pairs"', "there is no side bet 'pairs': use one of perfect-pairs"),
        ('bet = "perfect-pairs"', "", "the file has no bet"),
        ('name = "ours"', "", "table 1 has no name"),
        ('name = "ours"', 'name = " "', "name cannot be ' '"),
        ('name = "ours"', "name = 5", "name cannot be 5"),
        ('source = "the kitchen table"', "", "table 1 has no source"),
        ("mixed-pair = 0", "", "mixed-pair is missing: give 0 where it pays nothing"),
        ("mixed-pair = 0", "mixed = 0", "perfect-pairs has no outcome 'mixed'"),
        ("mixed-pair = 0", "mixed-pair = -1", "mixed-pair cannot pay -1"),
        ("mixed-pair = 0", 'mixed-pair = "lots"', "mixed-pair cannot pay 'lots'"),
        ("mixed-pair = 0", "mixed-pair = nan", "mixed-pair cannot pay"),
        ("mixed-pair = 0", "mixed-pair = true", "mixed-pair cannot pay True"),
        ("[table.pays]", "note = 1\n[table.pays]", "unknown field 'note'"),
        ("[[table]]", "[table]", "table cannot be"),
        ("[[table]]", "[[table", "not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_paytable_is_named(old: str, new: str, says: str) -> None:
    with pytest.raises(PaytableError, match=says):
        read_paytables(OWN.replace(old, new))


def test_two_tables_of_one_name_are_refused() -> None:
    with pytest.raises(PaytableError, match="two tables are named 'ours'"):
        read_paytables(OWN + OWN.partition("\n")[2].partition("\n")[2])
    with pytest.raises(PaytableError, match=r"no \[\[table\]\]"):
        read_paytables('bet = "21+3"\ntable = []')
    with pytest.raises(PaytableError, match=r"table 1 cannot be 5"):
        read_paytables('bet = "21+3"\ntable = [5]')


def test_a_float_is_no_price() -> None:
    pays: dict[str, Any] = {"over": 1.5}
    with pytest.raises(PaytableError, match=r"over cannot pay 1\.5"):
        Paytable("over-13", "x", "y", pays)


def test_an_unknown_bet_has_no_paytables() -> None:
    with pytest.raises(PaytableError, match=r"there is no side bet '\.\./secret'"):
        paytables("../secret")
