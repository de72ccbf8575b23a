"""Variants: those that come with tableside, a person's own file, single fields set, and everything that is wrong."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from advisor.games.cards import Card
from advisor.games.rummy import (
    JOKER,
    Variant,
    VariantError,
    as_data,
    from_data,
    load_variant,
    parse_contract,
    shipped_variant,
    variant_names,
    with_values,
)
from advisor.games.rummy.contract import ContractError
from advisor.games.rummy.variant import FIELDS

B = shipped_variant("contract-b")


def shipped_text(name: str) -> str:
    return (files("advisor.games.rummy") / "variants" / f"{name}.toml").read_text(encoding="utf-8")


def test_the_variants_of_the_rules_page_are_there() -> None:
    assert set(variant_names()) == {
        *("contract-a", "contract-b", "shanghai", "liverpool", "carioca", "continental", "continental-seven"),
        *("king", "progressive", "twelve-step", "six-to-ten", "rummy", "gin"),
    }
    assert variant_names()[:2] == ("contract-a", "contract-b")


@pytest.mark.parametrize("name", variant_names())
def test_every_variant_names_its_source_and_reads_back(name: str) -> None:
    variant = shipped_variant(name)
    assert variant.name == name and variant.source
    assert from_data(name, as_data(variant)) == variant
    assert hash(variant) == hash(from_data(name, as_data(variant)))


def test_the_two_sources_of_contract_rummy_differ_where_the_page_says() -> None:
    a = shipped_variant("contract-a")
    assert (a.points.joker, B.points.joker) == (25, 15)
    assert (a.points.ace, B.points.ace) == (15, 15)
    assert (a.lay_off, B.lay_off) == ("next_turn", "same_turn")
    assert (a.discard_to_go_out, B.discard_to_go_out) == ("always", "not_in_last_deal")
    assert (a.ace, B.ace) == ("both", "both_ends")
    for variant in (a, B):
        assert [deal.dealt(None) for deal in variant.deals] == [10, 10, 10, 10, 12, 12, 12]
        contracts = [str(deal.contract) for deal in variant.deals]
        assert contracts == ["S3 S3", "S3 R4", "R4 R4", "S3 S3 S3", "S3 S3 R4", "S3 R4 R4", "R4 R4 R4"]
        assert variant.most_of(JOKER, 4) == 1 and variant.most_of(JOKER, 5) == 2
        assert variant.most_of(Card("7", "H"), 4) == 2 and variant.most_of(Card("7", "H"), 5) == 3


def test_what_was_not_seen_in_print_is_marked() -> None:
    assert "deals" in shipped_variant("twelve-step").uncertain
    assert "deals" in shipped_variant("six-to-ten").uncertain
    assert "points.joker" in shipped_variant("carioca").uncertain
    assert shipped_variant("gin").uncertain == ()


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("12-step", "twelve-step"),
        ("6 7 8 9 10", "six-to-ten"),
        ("Shanghai", "shanghai"),
        ("Gin rummy", "gin"),
        ("contract_B", "contract-b"),
        ("Plain rummy", "rummy"),
    ],
)
def test_a_variant_is_known_by_its_title_too_whatever_the_capitals(told: str, name: str) -> None:
    assert load_variant(told) == shipped_variant(name)


def test_points_by_rank_and_wild_cards() -> None:
    shanghai = shipped_variant("shanghai")
    counted = {"2C": 5, "9H": 5, "10S": 10, "KD": 10, "AC": 15}
    assert {text: shanghai.points_of(Card(text[:-1], text[-1])) for text in counted} == counted
    deuces = with_values(B, {"wild": "joker,deuces", "points.wild": "25"})
    assert deuces.points_of(Card("2", "C")) == 25 and deuces.points_of(JOKER) == 15
    assert with_values(deuces, {"points.wild": "joker"}).points_of(Card("2", "C")) == 15
    black = with_values(B, {"wild": "joker 2C 2S"})
    assert black.is_wild(Card("2", "C")) and not black.is_wild(Card("2", "H"))
    assert with_values(B, {"points.7": "3"}).points_of(Card("7", "D")) == 3


@pytest.mark.parametrize(
    ("kind", "length", "limit"),
    [("set", 3, 1), ("sequence", 4, 1), ("sequence", 5, 2), ("sequence", 6, 2), ("sequence", 12, 4), ("set", 7, 1)],
)
def test_wild_limits_go_by_the_longest_meld_named_that_is_reached(kind: str, length: int, limit: int) -> None:
    assert shipped_variant("shanghai").wild_limit(kind, length) == limit  # type: ignore[arg-type]


def test_any_field_can_be_set_from_text() -> None:
    changed = with_values(
        B,
        {
            "points.joker": "50",
            "meld_size": "at-least",
            "same_suit_runs": "free",
            "max_wilds_per_meld": "S3:1, R4:2",
            "packs": "3-4: 2+4; 5-8: 3+6",
            "deals": "11: S3 S3; 12: S3 R4+ / R7",
            "buys_per_deal": "3",
            "naturals_majority": "yes",
            "ace": "wrap",
        },
    )
    assert changed.points.joker == 50 and changed.points.ace == 15
    assert changed.meld_size == "at_least" and changed.same_suit_runs == "free"
    assert changed.wild_limit("sequence", 4) == 2
    assert changed.most_of(JOKER, 5) == 6
    assert [str(deal.contract) for deal in changed.deals] == ["S3 S3", "S3 R4+ / R7"]
    assert changed.deals[1].contract.words == "1 set of 3 + 1 sequence of 4 or more, or 1 sequence of 7"
    assert changed.naturals_majority and changed.ace == "wrap"


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("joker", "15", "unknown variant field 'joker'"),
        ("points.jokers", "15", "unknown field 'jokers' in the points"),
        ("points.joker", "-1", "points.joker cannot be '-1'"),
        ("points.joker", "x", "points.joker cannot be 'x'"),
        ("points", "15", "set one with points.joker=15"),
        ("meld_size", "most", "it must be exact or at_least"),
        ("ace", "middle", "it must be low, high, both, both_ends or wrap"),
        ("naturals_majority", "often", "it must be true or false"),
        ("set_min", "1", "a whole number from 2 to 8"),
        ("wild", "11", "joker, a rank such as 2"),
        ("packs", "3-4", "players: packs + jokers"),
        ("packs", "3-4: 2+1", "says nothing for 5 players"),
        ("deals", "10 S3", "cards: contract"),
        ("deals", "10: S3 X4", "'X4' is no meld of a contract"),
        ("deals", "10: R3", "deals.1.contract cannot be 'R3'"),
        ("deals", "10: any", "same_suit_runs cannot be 'gap'"),
        ("max_wilds_per_meld", "Q3:1", "'Q3' is no meld"),
        ("players", "many", 'a range such as "3-8"'),
        ("players", "8-3", "players cannot be 3"),
        ("uncertain", "colour", "uncertain cannot be 'colour'"),
        ("name", "other", "unknown variant field 'name'"),
    ],
)
def test_a_bad_value_is_named_with_what_is_allowed(field: str, value: str, says: str) -> None:
    with pytest.raises(VariantError) as caught:
        with_values(B, {field: value})
    assert says in str(caught.value)


@pytest.mark.parametrize("field", [f for f in FIELDS if f not in ("name", "note", "uncertain", "bonuses")])
def test_a_file_without_a_field_is_refused_by_the_fields_name(field: str, tmp_path: Path) -> None:
    data = tomllib.loads(shipped_text("contract-b"))
    del data[field]
    with pytest.raises(VariantError, match=f"has no {field}"):
        from_data("own", data)
    path = tmp_path / "own.toml"
    path.write_text('title = "Ours"\n')
    with pytest.raises(VariantError, match=r"own\.toml.*has no source"):
        load_variant(path)


def test_a_file_without_a_kind_of_points_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(shipped_text("contract-b").replace("ace = 15\n", ""))
    with pytest.raises(VariantError, match=r"has no points\.ace"):
        load_variant(path)


def test_a_file_of_ones_own_works_like_those_that_come_along(tmp_path: Path) -> None:
    path = tmp_path / "friday.toml"
    path.write_text(shipped_text("liverpool"))
    own = load_variant(path)
    assert own.name == "friday" and as_data(own) == as_data(shipped_variant("liverpool"))


def test_of_an_empty_file_not_every_missing_field_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("")
    with pytest.raises(VariantError, match=r"no title and no source .* and 19 fields more are not there"):
        load_variant(tmp_path / "empty.toml")


def test_a_file_may_start_from_a_variant(tmp_path: Path) -> None:
    path = tmp_path / "friday.toml"
    path.write_text('variant = "contract-a"\nmeld_size = "at_least"\n[points]\njoker = 30\n')
    own = load_variant(path)
    assert own.points.joker == 30 and own.points.ace == 15 and own.meld_size == "at_least"
    assert own.title == f"{shipped_variant('contract-a').title}, as friday has it"
    path.write_text('variant = "contract-z"\n')
    with pytest.raises(VariantError, match="unknown variant 'contract-z'"):
        load_variant(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour = 1\n", "unknown field 'colour'"),
        ("=", "not valid TOML"),
        ("variant = 3\n", "variant cannot be 3"),
        ('variant = "contract-b"\n[[deals]]\ncards = 10\n', "deals.1 has no contract"),
        ('variant = "contract-b"\npacks = [{ players = "3-8" }]\n', "packs has no decks"),
        ('variant = "contract-b"\nset_min = true\n', "set_min cannot be True"),
        ('variant = "contract-b"\nace = 3\n', "ace cannot be 3"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(VariantError) as caught:
        load_variant(path)
    assert "own.toml" in str(caught.value) and says in str(caught.value)


@pytest.mark.parametrize("name", ["nothing", "nothing.toml", "", "a\0b"])
def test_an_unknown_variant_is_a_sentence(name: str) -> None:
    with pytest.raises(VariantError):
        load_variant(name)


@pytest.mark.parametrize("text", ["", "S", "S3 /", "S99", "R4 " * 7, "any S3"])
def test_what_is_no_contract_is_refused(text: str) -> None:
    with pytest.raises(ContractError):
        parse_contract(text)


def test_an_unknown_deal_is_a_sentence() -> None:
    with pytest.raises(VariantError, match="no deal 8: its deals are 1 to 7"):
        B.deal(8)


def test_a_variant_made_in_code_checks_itself() -> None:
    values = {f: getattr(B, f) for f in FIELDS}
    with pytest.raises(VariantError, match="lay_off"):
        Variant(**{**values, "lay_off": "soon"})
    with pytest.raises(VariantError, match="source"):
        Variant(**{**values, "source": " "})
