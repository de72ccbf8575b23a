"""House rules of punto banco: checks, presets, files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from punto_driver import punto_rules

from advisor.games.punto_banco import PRESETS, PuntoBancoRules, RulesError, load_rules
from advisor.games.punto_banco.rules import FIELDS


def test_fields_have_the_names_that_scripts_rely_on() -> None:
    money = "player_pays banker_pays banker_six_pays commission commission_taken tie_pays pair_pays"
    assert " ".join(FIELDS) == f"decks {money} seats minimum maximum unit"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("decks", 9, "1, 2, 3, 4, 5, 6, 7 or 8"),
        ("decks", True, "decks cannot be True"),
        ("commission", 100, "from 0 to below 100"),
        ("commission", -1, "from 0 to below 100"),
        ("commission", 0.5, "a percentage"),
        ("commission", "five", "commission cannot be 'five'"),
        ("commission_taken", "never", "later or at-once"),
        ("tie_pays", "8", '"A:B"'),
        ("pair_pays", "0:1", '"A:B"'),
        ("banker_six_pays", "1/2", '"A:B"'),
        ("seats", 15, "13 or 14"),
        ("minimum", 2.5, "exact amount"),
        ("minimum", -5, "positive"),
        ("minimum", Fraction(1, 2), "whole number of units of 1"),
        ("unit", 0, "positive"),
        ("maximum", 4, "at least the minimum 5"),
    ],
)
def test_a_bad_value_is_refused_with_field_value_and_what_is_allowed(field: str, value: Any, said: str) -> None:
    with pytest.raises(RulesError) as caught:
        PuntoBancoRules(**{field: value})
    assert f"house rule {field} cannot be" in str(caught.value)
    assert said in str(caught.value)


def test_presets_are_what_the_rules_page_states() -> None:
    assert PRESETS["eight-deck"] == PuntoBancoRules()
    assert PRESETS["six-deck"].decks == 6
    free = PRESETS["no-commission"]
    assert (free.commission_rate, free.banker_odds(6), free.banker_odds(7)) == (0, Fraction(1, 2), 1)
    assert PRESETS["tie-nine"].tie_pays == "9:1"


@pytest.mark.parametrize(("text", "rate"), [("5", "1/20"), ("5%", "1/20"), (" 2.5 % ", "1/40"), ("0", "0")])
def test_commission_is_a_percentage(text: str, rate: str) -> None:
    assert PuntoBancoRules().with_values({"commission": text}).commission_rate == Fraction(rate)


@given(punto_rules())
def test_any_rules_survive_being_written_as_text(rules: PuntoBancoRules) -> None:
    assert PuntoBancoRules().with_values({field: str(getattr(rules, field)) for field in FIELDS}) == rules


def test_unknown_fields_and_names_list_the_known_ones() -> None:
    with pytest.raises(RulesError, match="unknown house rule 'deck': the fields are decks, "):
        PuntoBancoRules().with_values({"deck": 1})
    with pytest.raises(RulesError, match="use one of eight-deck, six-deck, no-commission, tie-nine"):
        load_rules("macau")


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "saturday.toml"
    file.write_text('preset = "six-deck"\ncommission = 4.5\nminimum = 0.50\nunit = 0.50\n')
    assert load_rules(file) == PRESETS["six-deck"].with_values({"commission": "4.5", "minimum": "0.5", "unit": "0.5"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("decks = 9", "decks cannot be 9"),
        ("deks = 1", "unknown house rule 'deks'"),
        ('preset = "vegas"', "unknown preset 'vegas'"),
        ("decks 1", "not valid TOML"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(RulesError) as caught:
        load_rules(file)
    assert "bad.toml" in str(caught.value) and said in str(caught.value)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(tmp_path / "none.toml")
