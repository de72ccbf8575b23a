"""House rules: presets, checks, files."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from blackjack_strategies import house_rules
from hypothesis import given

from advisor.games.blackjack import PRESETS, HouseRules, RulesError, load_rules
from advisor.games.blackjack.rules import FIELDS


def test_fields_have_the_names_that_scripts_rely_on() -> None:
    assert FIELDS == (
        "decks",
        "dealer_soft_17",
        "hole_card",
        "no_hole_card_loss",
        "blackjack_pays",
        "double_on",
        "double_soft",
        "double_after_split",
        "double_for_less",
        "doubled_card_face_down",
        "split_on",
        "split_hands",
        "resplit_aces",
        "hit_split_aces",
        "surrender",
        "insurance",
        "even_money",
        "charlie",
        "bonus_678",
        "bonus_777",
        "over_under_13",
        "minimum",
        "maximum",
        "unit",
    )


PRESET_FACTS: list[tuple[str, dict[str, Any]]] = [
    (
        "vegas-strip",
        {
            "decks": 4,
            "dealer_soft_17": "stand",
            "double_on": "any",
            "double_after_split": True,
            "split_hands": 4,
            "hole_card": "peek",
            "surrender": "none",
        },
    ),
    (
        "six-deck-s17",
        {
            "decks": 6,
            "dealer_soft_17": "stand",
            "blackjack_pays": "3:2",
            "double_after_split": True,
            "surrender": "late",
        },
    ),
    (
        "six-deck-h17",
        {
            "decks": 6,
            "dealer_soft_17": "hit",
            "blackjack_pays": "3:2",
            "double_after_split": True,
            "surrender": "late",
        },
    ),
    ("single-deck", {"decks": 1, "dealer_soft_17": "hit", "double_on": "any", "double_after_split": False}),
    (
        "home",
        {
            "decks": 1,
            "dealer_soft_17": "stand",
            "double_on": "9-11",
            "doubled_card_face_down": True,
            "insurance": "any",
        },
    ),
    (
        "british",
        {
            "decks": 6,
            "hole_card": "none",
            "double_on": "9-11",
            "split_on": "not-4-5-10",
            "split_hands": 2,
            "hit_split_aces": False,
            "insurance": "blackjack-only",
        },
    ),
    ("european", {"hole_card": "none", "no_hole_card_loss": "all"}),
]


@pytest.mark.parametrize(("name", "facts"), PRESET_FACTS)
def test_presets_are_what_the_rules_page_states(name: str, facts: dict[str, Any]) -> None:
    assert {field: getattr(load_rules(name), field) for field in facts} == facts


def test_every_preset_is_covered() -> None:
    assert list(PRESETS) == [name for name, _ in PRESET_FACTS]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("decks", 9, "1, 2, 3, 4, 5, 6, 7 or 8"),
        ("decks", 0, "decks cannot be 0"),
        ("decks", 6.0, "decks cannot be 6.0"),
        ("decks", True, "decks cannot be True"),
        ("dealer_soft_17", "draw", "stand or hit"),
        ("hole_card", "up", "peek or none"),
        ("blackjack_pays", "3/2", '"A:B"'),
        ("blackjack_pays", "none", '"A:B"'),
        ("blackjack_pays", "3:0", '"A:B"'),
        ("double_on", "8-11", "any, 9-11, 10-11 or none"),
        ("double_soft", 1, "true or false"),
        ("split_hands", 5, "2, 3 or 4"),
        ("surrender", "yes", "none, late, early-ten or early"),
        ("charlie", "seven", "none, five-card or six-card"),
        ("bonus_678", "lots", "or none"),
        ("minimum", 2.5, "exact amount"),
        ("minimum", -5, "positive"),
        ("minimum", "five", "exact amount"),
        ("minimum", Fraction(1, 2), "whole number of units of 1"),
        ("unit", 0, "positive"),
        ("unit", "1/0", "exact amount"),
        ("maximum", 4, "at least the minimum 5"),
        ("minimum", float("nan"), "exact amount"),
        ("minimum", Decimal("Infinity"), "exact amount"),
    ],
)
def test_a_bad_value_is_refused_with_field_value_and_what_is_allowed(field: str, value: Any, said: str) -> None:
    with pytest.raises(RulesError) as caught:
        HouseRules(**{field: value})
    assert f"house rule {field} cannot be" in str(caught.value)
    assert said in str(caught.value)


def test_amounts_are_exact() -> None:
    rules = HouseRules(minimum="2.50", maximum=Decimal("100"), unit=Fraction(1, 2))  # type: ignore[arg-type]
    assert (rules.minimum, rules.maximum, rules.unit) == (Fraction(5, 2), Fraction(100), Fraction(1, 2))
    assert HouseRules(blackjack_pays="6:5").blackjack_odds == Fraction(6, 5)


def test_fields_can_be_replaced_from_text() -> None:
    rules = PRESETS["six-deck-s17"].with_values(
        {"surrender": "none", "decks": "2", "double_soft": "no", "unit": "0.50"}
    )
    assert (rules.surrender, rules.decks, rules.double_soft, rules.unit) == ("none", 2, False, Fraction(1, 2))
    with pytest.raises(RulesError, match="unknown house rule 'deck': the fields are decks, "):
        rules.with_values({"deck": 1})
    with pytest.raises(RulesError, match="decks cannot be 'many'"):
        rules.with_values({"decks": "many"})


@given(house_rules())
def test_any_rules_survive_being_written_as_text(rules: HouseRules) -> None:
    assert HouseRules().with_values({field: str(getattr(rules, field)) for field in FIELDS}) == rules


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(RulesError) as caught:
        load_rules("vegas")
    message = str(caught.value)
    assert "'vegas'" in message
    assert all(name in message for name in PRESETS)
    assert "\n" not in message


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "friday.toml"
    file.write_text('preset = "home"\ndecks = 2\nminimum = 0.50\nunit = 0.50\nblackjack_pays = "2:1"\n')
    rules = load_rules(file)
    assert rules == PRESETS["home"].with_values({"decks": 2, "minimum": "0.5", "unit": "0.5", "blackjack_pays": "2:1"})
    assert rules == load_rules(str(file))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("decks = 9", "decks cannot be 9"),
        ("deks = 1", "unknown house rule 'deks'"),
        ("decks = [1]", "decks cannot be"),
        ('preset = "vegas"', "unknown preset 'vegas': use one of vegas-strip"),
        ("preset = [1]", "unknown preset"),
        ("decks 1", "not valid TOML"),
    ],
)
def test_a_bad_file_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(RulesError) as caught:
        load_rules(str(file))
    assert str(file) in str(caught.value)
    assert said in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(str(tmp_path / "none.toml"))
    for name in (str(tmp_path), "", "x" * 5000, "a\0b"):
        with pytest.raises(RulesError, match="unknown house rules"):
            load_rules(name)
