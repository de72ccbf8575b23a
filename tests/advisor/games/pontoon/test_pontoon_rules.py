"""Pontoon's house rules, its settlement case by case, the running pack and the bank."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from pontoon_driver import pontoon_rules

from advisor.games.cards import FULL_PACK, parse_card, parse_cards
from advisor.games.operations import IllegalMove
from advisor.games.pontoon import (
    PRESETS,
    Bank,
    Kind,
    Outcome,
    PontoonRules,
    RulesError,
    RunningPack,
    buy_limits,
    load_rules,
    settle_hand,
)
from advisor.games.pontoon.bank import dealing_order
from advisor.games.pontoon.hand import count_values, full_pack, hand_words, kind
from advisor.games.pontoon.rules import FIELDS
from advisor.money.amounts import parse_amount

HOME = PontoonRules()
PLAIN = PRESETS["plain"]
SPLIT_WINS = PontoonRules(split_pontoon=True)


def test_every_option_of_the_rules_page_is_a_field() -> None:
    assert " ".join(FIELDS) == (
        "decks stick_at buying pontoon_pays pontoons_shown five_card_trick five_card_pays royal_pontoon royal_pays "
        "split split_hands split_pontoon bank_passes bank_deals banker_pontoon_keeps_bank shuffle minimum maximum unit"
    )


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("decks", 5, "1, 2, 3 or 4"),
        ("stick_at", 14, "15, 16 or 17"),
        ("buying", "any", "at-least-previous or may-be-less"),
        ("pontoon_pays", "double", '"A:B"'),
        ("five_card_trick", 1, "true or false"),
        ("split", "tens", "none, aces, not-aces or any"),
        ("bank_passes", "never", "after-deals, first-pontoon or sale"),
        ("bank_deals", 0, "1, 2, 3"),
        ("shuffle", "never", "after-pontoon or every-deal"),
        ("minimum", 0.5, "exact amount"),
        ("maximum", 0, "positive"),
    ],
)
def test_a_bad_value_is_refused_with_field_value_and_what_is_allowed(field: str, value: Any, said: str) -> None:
    with pytest.raises(RulesError) as caught:
        PontoonRules(**{field: value})
    assert f"house rule {field} cannot be" in str(caught.value)
    assert said in str(caught.value)


@given(pontoon_rules())
def test_any_rules_survive_being_written_as_text(rules: PontoonRules) -> None:
    assert PontoonRules().with_values({field: str(getattr(rules, field)) for field in FIELDS}) == rules


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "christmas.toml"
    file.write_text('preset = "plain"\nmaximum = 2.50\nunit = 0.50\nminimum = 0.50\nsplit = "aces"\n')
    values = {"maximum": "2.5", "unit": "0.5", "minimum": "0.5", "split": "aces"}
    assert load_rules(file) == PLAIN.with_values(values)
    assert load_rules("home") == HOME
    with pytest.raises(RulesError, match="use one of home, plain, split-aces"):
        load_rules("away")
    with pytest.raises(RulesError, match="unknown house rule 'splits'"):
        HOME.with_values({"splits": "any"})


# Hands


@pytest.mark.parametrize(
    ("rules", "cards", "from_split", "found", "words"),
    [
        (HOME, "AC KD", False, Kind.PONTOON, "a pontoon"),
        (HOME, "AC KD", True, Kind.POINTS, "soft 21"),
        (SPLIT_WINS, "AC KD", True, Kind.PONTOON, "a pontoon"),
        (HOME, "7C 7D 7H", False, Kind.ROYAL, "a royal pontoon"),
        (PLAIN, "7C 7D 7H", False, Kind.POINTS, "21"),
        (HOME, "2C 2D 3H 4S AC", False, Kind.FIVE_CARDS, "a five-card trick"),
        (PLAIN, "2C 2D 3H 4S AC", False, Kind.POINTS, "12"),
        (PLAIN, "2C 2D 3H 2S AC", False, Kind.POINTS, "soft 20"),
        (HOME, "AC 6D", False, Kind.POINTS, "soft 17"),
        (HOME, "KC 6D 7H", False, Kind.BUST, "bust with 23"),
        (HOME, "AC AD 9H", False, Kind.POINTS, "soft 21"),
    ],
)
def test_what_a_hand_is(rules: PontoonRules, cards: str, from_split: bool, found: Kind, words: str) -> None:
    counts = count_values(parse_cards(cards))
    assert kind(rules, counts, from_split) is found
    assert hand_words(rules, counts, from_split) == words


# Settlement: each sentence of the rules page a case or several

PONTOON, TWENTY_ONE, NINETEEN, BUST = "AH KH", "KH 5H 6H", "KH 9H", "KH 6H 8H"
MINE = {
    "pontoon": "AC KC",
    "five": "2C 2D 3C 4C 5C",
    "royal": "7C 7D 7S",
    "21": "KC 5C 6C",
    "20": "KC KD",
    "19": "KC 9C",
    "16": "KC 6C",
    "15": "KC 5C",
    "bust": "KC 6C 9C",
}


@pytest.mark.parametrize(
    ("banker", "mine", "outcome", "amount"),
    [
        # Banker pontoon: wins everything.
        (PONTOON, "pontoon", Outcome.BANKER_PONTOON, -4),
        (PONTOON, "royal", Outcome.BANKER_PONTOON, -4),
        (PONTOON, "five", Outcome.BANKER_PONTOON, -4),
        (PONTOON, "21", Outcome.BANKER_PONTOON, -4),
        (PONTOON, "bust", Outcome.BUST, -4),
        # Banker 21 on three or more: pays pontoons double, wins the rest (but for the two hands that beat it).
        (TWENTY_ONE, "pontoon", Outcome.PONTOON, 8),
        (TWENTY_ONE, "royal", Outcome.ROYAL, 12),
        (TWENTY_ONE, "five", Outcome.FIVE_CARDS, 8),
        (TWENTY_ONE, "21", Outcome.BANKER_21, -4),
        (TWENTY_ONE, "20", Outcome.BANKER_21, -4),
        # Banker under 21: pays higher totals evens (pontoon double), wins equal or lower.
        (NINETEEN, "pontoon", Outcome.PONTOON, 8),
        (NINETEEN, "royal", Outcome.ROYAL, 12),
        (NINETEEN, "five", Outcome.FIVE_CARDS, 8),
        (NINETEEN, "21", Outcome.WIN, 4),
        (NINETEEN, "20", Outcome.WIN, 4),
        (NINETEEN, "19", Outcome.LOSE, -4),
        (NINETEEN, "16", Outcome.LOSE, -4),
        (NINETEEN, "bust", Outcome.BUST, -4),
        # Banker bust: pays hands of 16 to 21 evens (pontoon double), keeps stakes of those bust.
        (BUST, "pontoon", Outcome.PONTOON, 8),
        (BUST, "royal", Outcome.ROYAL, 12),
        (BUST, "five", Outcome.FIVE_CARDS, 8),
        (BUST, "21", Outcome.BANKER_BUST, 4),
        (BUST, "16", Outcome.BANKER_BUST, 4),
        (BUST, "15", Outcome.TOO_LOW, -4),
        (BUST, "bust", Outcome.BUST, -4),
    ],
)
def test_the_banker_settles_as_stated(banker: str, mine: str, outcome: Outcome, amount: int) -> None:
    settled = settle_hand(HOME, parse_cards(MINE[mine]), Fraction(4), parse_cards(banker))
    assert (settled.outcome, settled.amount) == (outcome, amount)


@pytest.mark.parametrize(
    ("rules", "banker", "mine", "outcome", "amount"),
    [
        # Without the options 7-7-7 is a 21, and five cards are their total.
        (PLAIN, TWENTY_ONE, "royal", Outcome.BANKER_21, -4),
        (PLAIN, NINETEEN, "royal", Outcome.WIN, 4),
        (PLAIN, NINETEEN, "five", Outcome.LOSE, -4),
        # The banker's own five cards and 7-7-7 are totals.
        (HOME, "2H 2S 3H 4H 5H", "16", Outcome.LOSE, -4),
        (HOME, "2H 2S 3H 4H 5H", "five", Outcome.FIVE_CARDS, 8),
        (HOME, "7H 7D 7S", "20", Outcome.BANKER_21, -4),
        (PontoonRules(pontoon_pays="3:2"), NINETEEN, "pontoon", Outcome.PONTOON, 6),
    ],
)
def test_options_change_what_is_paid(
    rules: PontoonRules, banker: str, mine: str, outcome: Outcome, amount: int
) -> None:
    settled = settle_hand(rules, parse_cards(MINE[mine]), Fraction(4), parse_cards(banker))
    assert (settled.outcome, settled.amount) == (outcome, amount)


@pytest.mark.parametrize(
    ("rules", "banker", "outcome", "amount"),
    [
        (HOME, NINETEEN, Outcome.WIN, 4),
        (HOME, TWENTY_ONE, Outcome.BANKER_21, -4),
        (SPLIT_WINS, NINETEEN, Outcome.PONTOON, 8),
        (SPLIT_WINS, TWENTY_ONE, Outcome.PONTOON, 8),
        (SPLIT_WINS, PONTOON, Outcome.BANKER_PONTOON, -4),
    ],
)
def test_a_split_ace_with_a_ten_is_what_the_rules_say(
    rules: PontoonRules, banker: str, outcome: Outcome, amount: int
) -> None:
    settled = settle_hand(rules, parse_cards("AC KC"), Fraction(4), parse_cards(banker), from_split=True)
    assert (settled.outcome, settled.amount) == (outcome, amount)


# Buying


@pytest.mark.parametrize(
    ("rules", "stakes", "limits"),
    [
        (HOME, ["4"], ("1", "4")),
        (HOME, ["4", "3"], ("3", "7")),
        (HOME, ["4", "3", "7"], ("7", "14")),
        (PontoonRules(buying="may-be-less"), ["4"], ("1", "4")),
        (PontoonRules(buying="may-be-less"), ["4", "3"], ("1", "3")),
    ],
)
def test_how_much_may_be_bought_for(rules: PontoonRules, stakes: list[str], limits: tuple[str, str]) -> None:
    assert buy_limits(rules, [Fraction(it) for it in stakes]) == tuple(map(parse_amount, limits))


# The running pack


def test_cards_go_underneath_and_come_round_in_order() -> None:
    pack = RunningPack(1, 2)
    pack, fresh = pack.dealt(parse_card("AC"))
    assert fresh and pack.unseen[0] == 3
    pack, fresh = pack.dealt()
    pack = pack.revealed(parse_card("KC")).buried(parse_cards("AC KC"))
    assert (pack.top, pack.cards) == (0, 2)
    again, fresh = pack.dealt(parse_card("AC"))
    assert not fresh and again.under == (parse_card("KC"),)
    # Nobody stacks a pack in perfect order.
    other, _ = pack.dealt(parse_card("KC"))
    assert other.under == (parse_card("AC"),)
    with pytest.raises(IllegalMove, match="two of clubs cannot be dealt: it is not among"):
        pack.dealt(parse_card("2C"))
    with pytest.raises(IllegalMove, match="No card is left"):
        RunningPack(1, 0).dealt()


def test_a_face_never_seen_comes_round_unseen() -> None:
    pack = RunningPack(1, 0).buried([None])
    dealt, fresh = pack.dealt(parse_card("AC"))
    assert fresh and dealt.unseen[0] == 3


def test_no_card_comes_twice_from_one_pack() -> None:
    pack, _ = RunningPack.shuffled(1).dealt(parse_card("7H"))
    with pytest.raises(IllegalMove, match="seven of hearts cannot come again: it was seen once since the shuffle"):
        pack.dealt(parse_card("7H"))
    assert RunningPack.shuffled(2).dealt(parse_card("7H"))[0].dealt(parse_card("7H"))[1]


def test_a_short_pool_takes_in_the_cards_underneath() -> None:
    pack = RunningPack(1, 4, tuple(FULL_PACK[:48]), tuple(FULL_PACK[:48]))
    assert sum(pack.pool(4)) == 4
    assert pack.pool(20) == full_pack(1)


# The bank


def after(rules: PontoonRules, bank: Bank, pontoons: list[int], banker: bool = False) -> Bank:
    return bank.after_deal(rules, [2, 3, 5], pontoons, banker)


def test_the_bank_passes_to_the_left_after_so_many_deals() -> None:
    rules = PontoonRules(bank_passes="after-deals", bank_deals=2)
    bank = after(rules, Bank(3), [5])
    assert bank == Bank(3, 1)
    assert after(rules, bank, []) == Bank(5)
    assert after(rules, Bank(5, 1), []) == Bank(2)


def test_the_bank_passes_to_the_first_pontoon_of_another() -> None:
    assert after(HOME, Bank(3), []) == Bank(3, 1)
    assert after(HOME, Bank(3), [5, 2]) == Bank(5)
    assert after(HOME, Bank(3), [5], banker=True) == Bank(5)
    keeps = PontoonRules(banker_pontoon_keeps_bank=True)
    assert after(keeps, Bank(3), [5], banker=True) == Bank(3, 1)
    assert after(keeps, Bank(3), [5]) == Bank(5)


def test_the_bank_passes_by_sale_only_where_the_rules_say_so() -> None:
    rules = PontoonRules(bank_passes="sale")
    assert after(rules, Bank(3), [5]) == Bank(3, 1)
    bank, sale = Bank(3, 4).sell(rules, [2, 3, 5], 5, "20")
    assert bank == Bank(5)
    assert [sale.net(seat) for seat in (2, 3, 5)] == [0, 20, -20]
    for buyer, price, said in [
        (3, 20, "holds the bank already"),
        (4, 20, "the seats are 2, 3, 5"),
        (5, "0.50", "whole units"),
        (5, 1.5, "not an exact amount"),
    ]:
        assert not Bank(3).can_sell(rules, [2, 3, 5], buyer, price)  # type: ignore[arg-type]
        with pytest.raises(IllegalMove, match=said):
            Bank(3).verify_sell(rules, [2, 3, 5], buyer, price)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match="not for sale"):
        Bank(3).sell(HOME, [2, 3, 5], 5, 20)
    assert Bank(3).can_sell(rules, [2, 3, 5], 2, 0)


def test_dealing_begins_on_the_bankers_left() -> None:
    assert dealing_order(3, [1, 5, 3, 4]) == (4, 5, 1)
