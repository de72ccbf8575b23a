"""Exact amounts and odds: what is read, what is refused, and the words for them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.money import MoneyError, amount_words, format_amount, odds_text, parse_amount, parse_odds


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
