"""What the house rules change in a round: splits, doubles, surrender, charlies, bonuses, late blackjacks, side bets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from round_driver import Driver, played, table

from advisor.games.blackjack import PRESETS, Action, HouseRules
from advisor.games.blackjack.round import IllegalMove, Outcome, Round, StepKind, actions
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import cards_text, parse_card
from advisor.money.amounts import format_amount

SIX = HouseRules()
EUROPEAN = PRESETS["european"]
OBO = replace(EUROPEAN, no_hole_card_loss="original")


def reasons(dealer: Driver) -> list[tuple[int, int | None, str, str]]:
    return [(entry.seat, entry.hand, str(entry.reason), format_amount(entry.amount)) for entry in dealer.state.ledger]


def hands(state: Round, seat: int) -> list[str]:
    there = state.seat(seat)
    assert there is not None
    return [cards_text(hand.cards) for hand in there.hands]


# Splits


def test_a_split_hand_gets_its_second_card_when_its_turn_comes() -> None:
    dealer = played(SIX, {3: 10}, "8C 10H 8D 7S 10D 3C KC", "split", "stand", "double")
    assert dealer.words[6:] == [
        "Seat 3: hit, stand, double or split?",
        "Deal the second card to seat 3, hand 1.",
        "Seat 3, hand 1: hit, stand or double?",
        "Deal the second card to seat 3, hand 2.",
        "Seat 3, hand 2: hit, stand or double?",
        "Seat 3, hand 2 doubles: deal one card at right angles.",
        "Reveal the hole card.",
        "Seat 3, hand 2 wins with 21 against 17: pay 20.",
        "Seat 3, hand 1 wins with 18 against 17: pay 10.",
        "Clear the cards.",
    ]
    assert reasons(dealer) == [(3, 2, "win", "20"), (3, 1, "win", "10")]


def test_pairs_split_again_to_the_most_hands_and_the_new_hand_comes_right_after() -> None:
    dealer = table(SIX, {1: 10}, "8C 10H 8D 7S 8H 8S 9C 9D 2C 10C", "split", "split", "split")
    dealer.until(StepKind.DECIDE)
    for _ in range(6):
        dealer.step()
    assert hands(dealer.state, 1) == ["8C 9C", "8S", "8H", "8D"]
    assert dealer.state.legal_actions(1, 1) == (Action.HIT, Action.STAND, Action.DOUBLE)
    assert dealer.state.net(1) == 0


def test_no_fifth_hand_and_no_resplit_where_the_rules_stop_before() -> None:
    two = replace(SIX, split_hands=2)
    state = table(two, {1: 10}, "8C 10H 8D 7S 8H", "split").until(StepKind.DECIDE)
    state = state.after(ops.Split(1)).after(ops.Deal(1, parse_card("8H"), 1))
    assert Action.SPLIT not in state.legal_actions(1, 1)
    with pytest.raises(IllegalMove, match="Seat 1, hand 1 cannot split: these rules do not allow it"):
        actions.split(state, 1, 1)


def test_split_aces_get_one_card_each_and_a_ten_makes_no_blackjack() -> None:
    dealer = played(SIX, {1: 10}, "AC 10H AD 7S KC 5D", "split")
    assert dealer.words[7:9] == [
        "Deal one card to seat 1, hand 1 at 45 degrees: split aces get no more.",
        "Deal one card to seat 1, hand 2 at 45 degrees: split aces get no more.",
    ]
    assert reasons(dealer) == [(1, 2, "lose", "-10"), (1, 1, "win", "10")]


def test_split_aces_may_split_again_or_be_hit_where_the_rules_say_so() -> None:
    again = replace(SIX, resplit_aces=True)
    dealer = table(again, {1: 10}, "AC 10H AD 7S AH", "split")
    dealer.until(StepKind.DECIDE)
    dealer.step()
    dealer.step()
    assert dealer.state.legal_actions(1, 1) == (Action.STAND, Action.SPLIT)
    hit = table(replace(SIX, hit_split_aces=True), {1: 10}, "AC 10H AD 7S 5H", "split")
    hit.until(StepKind.DECIDE)
    hit.step()
    hit.step()
    assert Action.HIT in hit.state.legal_actions(1, 1)


def test_a_bust_hand_of_a_split_is_collected_before_the_next_is_dealt() -> None:
    dealer = played(SIX, {1: 10}, "8C 10H 8D 7S 10D KD 3C", "split", "hit", "stand")
    said = dealer.words
    bust = said.index("Seat 1, hand 1 is bust: collect 10, then the cards.")
    assert said[bust + 1] == "Deal the second card to seat 1, hand 2."


# Doubles


def test_a_double_adds_the_bet_and_takes_one_card() -> None:
    dealer = played(SIX, {1: 10}, "6C 10H 5D 7S 2D", "double")
    assert "Seat 1 doubles: deal one card at right angles." in dealer.words
    assert reasons(dealer) == [(1, 1, "lose", "-20")]


def test_a_doubled_hand_that_busts_loses_both_bets_at_once() -> None:
    dealer = played(SIX, {1: 10}, "6C 10H 10D 7S KD", "double")
    assert "Seat 1 is bust: collect 20, then the cards." in dealer.words


def test_a_doubled_card_lies_face_down_until_settlement() -> None:
    dealer = played(PRESETS["home"], {1: 10}, "6C 9H 5D 8S 10D", "double")
    assert dealer.words[6:] == [
        "Seat 1 doubles: deal one card face down.",
        "Reveal the hole card.",
        "Turn the doubled card of seat 1.",
        "Seat 1 wins with 21 against 17: pay 20.",
        "Clear the cards.",
    ]
    state = table(PRESETS["home"], {1: 10}, "6C 9H 5D 8S").until(StepKind.DECIDE).after(ops.Double(1, Fraction(10)))
    assert state.next_step.face_down
    with pytest.raises(IllegalMove, match="The card of seat 1 must lie face down"):
        state.after(ops.Deal(1, parse_card("10D")))


def test_the_dealer_draws_against_a_doubled_card_that_lies_face_down() -> None:
    dealer = played(PRESETS["home"], {1: 10}, "6C 9H 5D 3S AD 10H", "double")
    assert dealer.words[8:10] == ["Draw: the dealer has hard 12.", "Turn the doubled card of seat 1."]


@pytest.mark.parametrize(
    ("for_less", "amount", "said"),
    [
        (False, 5, "Seat 1 cannot add 5 to its bet of 10: this table does not double for less, so add 10."),
        (True, 11, "Seat 1 cannot add 11 to its bet of 10: a double adds at most 10."),
        (True, "2.50", "Seat 1 cannot add 2.50 to its bet of 10: a double adds whole units of 1, one or more."),
        (True, 0, "Seat 1 cannot add 0 to its bet of 10: a double adds whole units of 1, one or more."),
    ],
)
def test_what_a_double_may_add(for_less: bool, amount: str, said: str) -> None:
    state = table(replace(SIX, double_for_less=for_less), {1: 10}, "6C 10H 5D 7S").until(StepKind.DECIDE)
    with pytest.raises(IllegalMove) as caught:
        actions.double(state, 1, amount)
    assert str(caught.value) == said
    assert actions.can_double(state, 1, 10)
    assert actions.can_double(state, 1, 3) == for_less


def test_a_double_for_less_plays_for_the_sum() -> None:
    dealer = played(replace(SIX, double_for_less=True), {1: 10}, "6C 10H 5D 7S 10D", "double 4")
    assert reasons(dealer) == [(1, 1, "win", "14")]


# Surrender


def test_late_surrender_comes_after_the_peek_and_halves_the_bet() -> None:
    dealer = played(PRESETS["six-deck-s17"], {1: 5}, "10C 10H 6D 7S", "surrender")
    assert dealer.words[5:8] == [
        "Peek: the upcard is a ten.",
        "Seat 1: hit, stand, double or surrender?",
        "Seat 1 surrenders: collect 2.50 and give back 2.50.",
    ]
    assert reasons(dealer) == [(1, 1, "surrender", "-2.50")]


def test_early_surrender_comes_before_the_peek_and_saves_half_from_a_blackjack() -> None:
    early = HouseRules(surrender="early")
    dealer = played(early, {1: 10, 2: 10}, "10C 9C KH 6D 9D AS", "surrender 1")
    assert dealer.words[7:] == [
        "Offer surrender to seats 1 and 2, before the peek.",
        "Seat 1 surrenders: collect 5 and give back 5.",
        "Offer surrender to seat 2, before the peek.",
        "Peek: the upcard is a ten.",
        "Reveal the blackjack.",
        "Seat 2 loses to the dealer's blackjack: collect 10.",
        "Clear the cards.",
    ]


def test_early_surrender_is_over_once_the_dealer_has_peeked() -> None:
    state = table(HouseRules(surrender="early"), {1: 10}, "10C KH 6D 7S").until(StepKind.OFFER_SURRENDER)
    assert state.legal_actions(1) == (Action.SURRENDER,)
    peeked = state.after(ops.CloseSurrender()).after(ops.Peek(False))
    assert Action.SURRENDER not in peeked.legal_actions(1)


def test_where_all_surrender_early_there_is_no_peek() -> None:
    dealer = played(HouseRules(surrender="early"), {1: 10}, "10C KH 6D AS", "surrender 1")
    assert dealer.words[-2] == "Reveal the hole card and draw no more: every hand is settled."


def test_early_against_a_ten_leaves_no_surrender_against_an_ace_and_the_usual_one_against_a_six() -> None:
    rules = HouseRules(surrender="early-ten", insurance="none", even_money=False)
    assert table(rules, {1: 10}, "10C KH 6D 7S").until(StepKind.OFFER_SURRENDER, StepKind.DECIDE).active is None
    ace = table(rules, {1: 10}, "10C AH 6D 7S").until(StepKind.DECIDE)
    assert Action.SURRENDER not in ace.legal_actions(1)
    six = table(rules, {1: 10}, "10C 6H 6D 7S").until(StepKind.DECIDE)
    assert Action.SURRENDER in six.legal_actions(1)


def test_late_surrender_without_a_hole_card_still_loses_all_to_a_blackjack() -> None:
    late = replace(EUROPEAN, surrender="late")
    assert reasons(played(late, {1: 10}, "10C KH 6D AS", "surrender")) == [(1, 1, "dealer blackjack", "-10")]
    assert reasons(played(late, {1: 10}, "10C KH 6D 2S", "surrender")) == [(1, 1, "surrender", "-5")]
    early = replace(EUROPEAN, surrender="early")
    assert reasons(played(early, {1: 10}, "10C KH 6D AS", "surrender")) == [(1, 1, "surrender", "-5")]


# Charlies and bonuses


@pytest.mark.parametrize(
    ("charlie", "cards", "hits", "said"),
    [
        ("five-card", "2C 10H 3D 7S 4H 2D 5S", 3, "Seat 1: 5 cards without a bust. Pay 20 now (2:1 on 10)."),
        ("six-card", "2C 10H 3D 7S 4H 2D 5S AD", 4, "Seat 1: 6 cards without a bust. Pay 40 now (4:1 on 10)."),
    ],
)
def test_a_charlie_is_paid_at_once(charlie: str, cards: str, hits: int, said: str) -> None:
    rules = SIX.with_values({"charlie": charlie})
    assert said in played(rules, {1: 10}, cards, *["hit"] * hits).words


@pytest.mark.parametrize(
    ("cards", "hit", "said"),
    [
        ("7C 10H 6D 7S", "8D", "Seat 1: 6-7-8. Pay 20 now (2:1 on 10)."),
        ("7C 10H 7D 7S", "7H", "Seat 1: 7-7-7. Pay 30 now (3:1 on 10)."),
    ],
)
def test_a_three_card_bonus_is_paid_at_once(cards: str, hit: str, said: str) -> None:
    rules = HouseRules(bonus_678="2:1", bonus_777="3:1")
    assert said in played(rules, {1: 10}, f"{cards} {hit}", "hit").words


def test_a_doubled_hand_is_paid_no_bonus() -> None:
    dealer = played(HouseRules(bonus_678="2:1"), {1: 10}, "7C 10H 6D 7S 8D", "double")
    assert reasons(dealer) == [(1, 1, "win", "20")]


# A dealer blackjack after the players


def test_a_late_blackjack_takes_all_bets_or_the_original_only() -> None:
    cards = "8C KH 8D 3D 10D 2S AS"
    play = ("split", "double", "stand")
    everything = played(EUROPEAN, {1: 10}, cards, *play)
    assert reasons(everything) == [(1, 2, "dealer blackjack", "-10"), (1, 1, "dealer blackjack", "-20")]
    original = played(OBO, {1: 10}, cards, *play)
    assert reasons(original) == [(1, 2, "returned", "0"), (1, 1, "dealer blackjack", "-10")]
    assert original.words[-3:-1] == [
        "Seat 1, hand 2: a blackjack takes the original bet only. Give back 10.",
        "Seat 1, hand 1 loses to the dealer's blackjack: collect 10. Give back the 10 added.",
    ]


def test_where_the_original_bet_went_with_a_bust_the_rest_is_returned() -> None:
    dealer = played(OBO, {1: 10}, "8C KH 8D 6D 10D 10S AS", "split", "hit", "stand")
    assert reasons(dealer) == [(1, 1, "bust", "-10"), (1, 2, "returned", "0")]


def test_insurance_pays_on_a_late_blackjack_after_the_main_bets() -> None:
    dealer = played(EUROPEAN, {1: 10}, "10C AH 9D KS", "insure 1 5", "stand")
    assert reasons(dealer) == [(1, 1, "dealer blackjack", "-10"), (1, None, "insurance won", "10")]


def test_an_insured_bust_hand_still_waits_for_the_dealers_second_card() -> None:
    dealer = played(EUROPEAN, {1: 10}, "10C AH 9D KS 9S", "insure 1 5", "hit")
    assert dealer.words[-4:] == [
        "Seat 1 is bust: collect 10, then the cards.",
        "Deal the dealer's second card.",
        "Collect the insurance of seat 1: 5.",
        "Clear the cards.",
    ]


# Over and under 13


@pytest.mark.parametrize(
    ("cards", "over", "under", "said"),
    [
        ("10C 4D", 5, 0, "Seat 1 has 14, over 13: pay 5 on over."),
        ("10C 3D", 5, 2, "Seat 1 has exactly 13: collect 5 on over and collect 2 on under."),
        ("AC KD", 5, 2, "Seat 1 has 11, under 13: collect 5 on over and pay 2 on under."),
    ],
)
def test_bets_on_over_and_under_13_are_settled_after_two_cards(cards: str, over: int, under: int, said: str) -> None:
    first, second = cards.split()
    sides = [ops.PlaceSideBet(1, Fraction(over), "over")]
    sides += [ops.PlaceSideBet(1, Fraction(under), "under")] if under else []
    rules = HouseRules(over_under_13=True)
    dealer = table(rules, {1: 10}, f"{first} 6H {second} 5S", sides=sides)
    assert dealer.until(StepKind.SETTLE_SIDE_BETS).next_step.words == said
    dealer.step()
    assert sum(entry.amount for entry in dealer.state.ledger) == dealer.steps[-1].amount


@pytest.mark.parametrize(
    ("offered", "seat", "amount", "said"),
    [
        (False, 1, 5, "this table has no over/under bet"),
        (True, 2, 5, "Seat 2 has no bet in this round"),
        (True, 1, "0.50", "is not in whole units of 1, one or more"),
        (True, 1, -1, "is not in whole units of 1, one or more"),
        (True, 1, 1000, "is over the maximum of 500"),
    ],
)
def test_a_side_bet_that_cannot_be_is_refused(offered: bool, seat: int, amount: str, said: str) -> None:
    state = table(HouseRules(over_under_13=offered), {1: 10}, "").state
    with pytest.raises(IllegalMove, match=said):
        actions.place_side_bet(state, seat, amount, "over")


@pytest.mark.parametrize(("pays", "amount"), [("3:2", Fraction(15, 2)), ("6:5", 6), ("1:1", 5), ("2:1", 10)])
def test_a_blackjack_pays_what_the_rules_say(pays: str, amount: Fraction) -> None:
    dealer = played(HouseRules(blackjack_pays=pays), {1: 5}, "AC 9H KD 7S")
    assert [(entry.reason, entry.amount) for entry in dealer.state.ledger] == [(Outcome.BLACKJACK, amount)]


def test_original_bets_only_gives_back_what_busts_lost_beyond_the_first_bet() -> None:
    # A double that busts, then a dealer blackjack: the second bet comes back, and the dealer draws to find out.
    doubled = played(OBO, {1: 10}, "10C AD 6C 10H KD", "double")
    assert doubled.words[-3:] == [
        "Deal the dealer's second card.",
        "Give 10 back to seat 1: a late blackjack takes the first bet only.",
        "Clear the cards.",
    ]
    assert doubled.state.net(1) == -10
    assert played(OBO, {1: 10}, "10C AD 6C 10H 9D", "double").state.net(1) == -20
    # One split hand busts and the other stands: one bet is lost in all, whichever it was.
    for lines in (("split", "hit", "stand"), ("split", "stand", "hit")):
        cards = "8C AD 8D 10H 10S 10D KD" if lines[1] == "hit" else "8C AD 8D 10H 10D 10S KD"
        assert played(OBO, {1: 10}, cards, *lines).state.net(1) == -10
