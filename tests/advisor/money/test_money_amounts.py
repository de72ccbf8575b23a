"""Exact amounts and odds: what is read, what is refused, and the words for them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.money import MoneyError, amount_words, format_amount, odds_text, parse_amount, parse_odds, typed_amount


@pytest.mark.parametrize(
    ("given_as", "amount"),
    [
        ("15", Fraction(15)),
        (" 7.50 ", Fraction(15, 2)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("-3", Fraction(-3)),
        ("1/3", Fraction(1, 3)),
        (Decimal("0.05"), Fraction(1, 20)),
        (Fraction(2, 3), Fraction(2, 3)),
        (0, Fraction(0)),
    ],
)
def test_an_exact_amount_is_read(given_as: object, amount: Fraction) -> None:
    assert parse_amount(given_as) == amount


@pytest.mark.parametrize(
    "given_as",
    [
        "",
        "seven",
        "7,50",
        "1e5",
        "nan",
        "inf",
        "1/0",
        "٣",
        "1_000",
        "--1",
        7.5,
        True,
        None,
        Decimal("NaN"),
        Decimal("inf"),
    ],
)
def test_what_is_no_exact_amount_is_refused_with_an_example(given_as: object) -> None:
    with pytest.raises(MoneyError, match=r"amount: write a whole number or an exact decimal, such as 15 or 7\.50"):
        parse_amount(given_as)


@pytest.mark.parametrize(
    ("given_as", "says"),
    [
        ("9" * 15, "too large: the largest amount is 1000000000000"),
        ("9" * 26, "too large"),
        ("-" + "9" * 4000 + ".50", "too large"),
        (10**40, "too large"),
        (Fraction(1, 10**20), "too fine"),
    ],
)
def test_amounts_beyond_counting_are_refused(given_as: object, says: str) -> None:
    with pytest.raises(MoneyError, match=says):
        parse_amount(given_as)


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Fraction(5), "5"),
        (Fraction(15, 2), "7.50"),
        (Fraction(6, 5), "1.20"),
        (Fraction(1, 8), "0.125"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-1, 2), "-0.50"),
        (Fraction(0), "0"),
        (Fraction(9653, 2), "4826.50"),
    ],
)
def test_amounts_are_written_with_two_places_or_as_many_as_are_exact(amount: Fraction, text: str) -> None:
    assert format_amount(amount) == text


@given(st.fractions(-(10**6), 10**6, max_denominator=10**4))
def test_an_amount_written_is_read_back(amount: Fraction) -> None:
    assert parse_amount(format_amount(amount)) == amount


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (Fraction(100), "one hundred"),
        (Fraction(149), "one hundred and forty-nine"),
        (Fraction(15, 2), "seven and a half"),
        (Fraction(1, 2), "a half"),
        (Fraction(6, 5), "1.20"),
        (Fraction(1033), "one thousand and thirty-three"),
        (Fraction(1446), "one thousand four hundred and forty-six"),
        (Fraction(0), "zero"),
        (Fraction(2_000_020), "two million and twenty"),
    ],
)
def test_amounts_in_words(amount: Fraction, words: str) -> None:
    assert amount_words(amount) == words


@pytest.mark.parametrize(
    ("given_as", "odds"), [("3:2", Fraction(3, 2)), (" 6:5 ", Fraction(6, 5)), (2, Fraction(2)), ("0:1", Fraction(0))]
)
def test_odds_are_read(given_as: object, odds: Fraction) -> None:
    assert parse_odds(given_as) == odds


@pytest.mark.parametrize("given_as", ["3:0", "a:b", "3:", "1.5:1", "-3:2", -1, 1.5, "three"])
def test_what_are_no_odds_is_refused(given_as: object) -> None:
    with pytest.raises(MoneyError):
        parse_odds(given_as)


def test_odds_are_written_in_lowest_terms() -> None:
    assert [odds_text(Fraction(n, d)) for n, d in ((3, 2), (10, 5), (12, 10))] == ["3:2", "2:1", "6:5"]


@pytest.mark.parametrize(
    ("typed", "amount"),
    [
        ("15", Fraction(15)),
        (" 7.50 ", Fraction(15, 2)),
        ("7,50", Fraction(15, 2)),
        ("7,5", Fraction(15, 2)),
        (",5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1,000", Fraction(1000)),
        ("25,000", Fraction(25_000)),
        ("3,330.00", Fraction(3330)),
        ("1,234,567.5", Fraction(2_469_135, 2)),
        ("0.125", Fraction(1, 8)),
        ("12.1250", Fraction(97, 8)),
    ],
)
def test_an_amount_is_read_as_people_type_it(typed: str, amount: Fraction) -> None:
    assert typed_amount(typed) == amount


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "-5",
        "+5",
        "1/2",
        "5e3",
        "1 000",
        "1,",
        "1,0000",
        "0,125",
        "1234,567",
        "12,34,567",
        "1.000,50",
        "1.000.000",
        "٣",
    ],
)
def test_what_is_typed_otherwise_is_refused_as_it_was_typed_with_the_way_to_write_it(typed: str) -> None:
    with pytest.raises(MoneyError) as refused:
        typed_amount(typed)
    assert str(refused.value) == f"'{typed}' is no amount: write it like 15, 7.50 or 1,250"


@pytest.mark.parametrize(
    ("typed", "ways"), [("1.000", "1000 or 1"), ("1.250", "1250 or 1.25"), ("12.125", "12125 or 12.1250")]
)
def test_three_places_may_be_thousands_so_that_both_ways_are_said_and_can_be_typed(typed: str, ways: str) -> None:
    with pytest.raises(MoneyError, match=f"^'{typed}' may be {ways}: write the one that you mean$"):
        typed_amount(typed)
    more, less = (typed_amount(way) for way in ways.split(" or "))
    assert more == 1000 * less


def test_a_long_text_is_repeated_in_part() -> None:
    with pytest.raises(MoneyError) as refused:
        typed_amount("8" * 3000)
    assert "'8888" in str(refused.value) and "8…'" in str(refused.value) and len(str(refused.value)) < 100
