"""The order of a round, step by step as rules/blackjack.md numbers it, in words and as data."""

from __future__ import annotations

from fractions import Fraction

import pytest
from round_driver import played, table

from advisor.games.blackjack import PRESETS, Action, HouseRules
from advisor.games.blackjack.round import IllegalMove, Outcome, Round, StepKind, actions, replay
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import FULL_PACK, parse_card, parse_cards
from advisor.money.amounts import format_amount

SIX = HouseRules()
LATE = PRESETS["six-deck-s17"]
EUROPEAN = PRESETS["european"]


def nets(state: Round, *seats: int) -> list[str]:
    return [format_amount(state.net(seat)) for seat in seats]


def test_a_plain_round_from_the_bets_to_the_clearing_of_the_cards() -> None:
    dealer = played(SIX, {1: 10, 3: 20}, "10C 9C 7D 9D 8H 10S", "stand", "stand")
    assert dealer.words == [
        "Sweep the bets: seat 1 10, seat 3 20.",
        "Deal to seat 1.",
        "Deal to seat 3.",
        "Deal the dealer one card.",
        "Deal a second card to seat 1.",
        "Deal a second card to seat 3.",
        "Deal the dealer's hole card, face down.",
        "Seat 1: hit, stand or double?",
        "Seat 3: hit, stand or double?",
        "Reveal the hole card.",
        "Push on seat 3: knock.",
        "Seat 1 wins with 19 against 17: pay 10.",
        "Clear the cards.",
    ]
    assert nets(dealer.state, 1, 3) == ["10", "0"]
    assert dealer.state.house_net == -10
    assert dealer.state.finished
    assert dealer.state.next_step.words == "The round is over."


# Step 1: bets


def test_bets_are_asked_for_until_there_is_one() -> None:
    start = Round.start(SIX)
    assert (start.next_step.kind, start.next_step.words) == (
        StepKind.TAKE_BETS,
        "Take the bets: 5 to 500, in whole units of 1.",
    )
    with pytest.raises(IllegalMove, match=r"cannot be swept now. Next: Take the bets"):
        actions.sweep_bets(start)


@pytest.mark.parametrize(
    ("seat", "amount", "said"),
    [
        (3, "7.50", "Seat 3: a bet of 7.50 is not in whole units of 1."),
        (3, -5, "Seat 3: a bet of -5 cannot be: a bet is more than 0."),
        (3, 0, "Seat 3: a bet of 0 cannot be: a bet is more than 0."),
        (3, 4, "Seat 3: a bet of 4 is under the minimum of 5."),
        (3, 501, "Seat 3: a bet of 501 is over the maximum of 500."),
        (
            3,
            "3/2",
            "Seat 3: a bet of 1.50 is not in whole units of 1. Seat 3: a bet of 1.50 is under the minimum of 5.",
        ),
        (3, 10.0, "Seat 3: 10.0 is not an exact amount"),
        (3, "ten", "Seat 3: 'ten' is not an amount"),
        (0, 10, "Seat 0 cannot bet: the seats are 1 to 7."),
        (8, 10, "Seat 8 cannot bet: the seats are 1 to 7."),
    ],
)
def test_a_bet_that_cannot_be_is_refused_with_a_sentence_naming_the_seat(seat: int, amount: str, said: str) -> None:
    start = Round.start(SIX)
    with pytest.raises(IllegalMove) as caught:
        actions.place_bet(start, seat, amount)
    assert str(caught.value).startswith(said)
    assert not actions.can_place_bet(start, seat, amount)


def test_a_bet_may_be_corrected_until_the_first_card_and_is_then_swept_again() -> None:
    swept = replay(SIX, [ops.PlaceBet(2, Fraction(10)), ops.SweepBets()])
    corrected = swept.after(actions.place_bet(swept, 2, 15))
    assert corrected.next_step.kind is StepKind.SWEEP_BETS
    out = corrected.after(ops.SweepBets()).after(ops.Deal(2, parse_card("10H")))
    for operation in (ops.PlaceBet(2, Fraction(10)), ops.PlaceBet(4, Fraction(10)), ops.TakeBackBet(2)):
        with pytest.raises(IllegalMove, match="cannot change its bet now: only before the first card is dealt"):
            out.after(operation)


def test_a_bet_taken_back_leaves_the_round() -> None:
    two = replay(SIX, [ops.PlaceBet(2, Fraction(10)), ops.PlaceBet(1, Fraction(5))])
    assert [seat.number for seat in two.seats] == [1, 2]
    assert [seat.number for seat in two.after(ops.TakeBackBet(1)).seats] == [2]
    with pytest.raises(IllegalMove, match=r"Seat 6 has no bet in this round. Seats that have bet: 1, 2"):
        two.after(ops.TakeBackBet(6))


# Step 2: the deal


def test_a_card_is_burned_after_a_new_shuffle_and_before_the_first_card() -> None:
    dealer = table(SIX, {1: 10}, "2C 10C 9C 7D 8H", new_shuffle=True)
    swept = dealer.until(StepKind.BURN)
    assert swept.next_step.words == "Burn one card: the shoe is freshly shuffled."
    assert not actions.can_deal(swept, 1, parse_card("10C"))
    burned = swept.after(ops.Burn(None))
    assert (burned.cards_left, burned.next_step.kind) == (311, StepKind.DEAL)
    with pytest.raises(IllegalMove, match="burned once"):
        burned.after(ops.Burn(None))


def test_cards_go_out_in_order_and_another_seat_is_refused_with_whose_turn_it_is() -> None:
    dealt = table(SIX, {1: 10, 3: 10}, "10C").until(StepKind.DEAL).after(ops.Deal(1, parse_card("10C")))
    assert (dealt.next_step.seat, dealt.next_step.words) == (3, "Deal to seat 3.")
    with pytest.raises(IllegalMove, match=r"Seat 1 cannot be dealt a card now. Next: Deal to seat 3."):
        dealt.after(ops.Deal(1, parse_card("9C")))
    with pytest.raises(IllegalMove, match="The card of seat 3 must lie face up"):
        dealt.after(ops.Deal(3, None))


def test_the_hole_card_may_come_before_the_upcard() -> None:
    state = table(SIX, {1: 10}, "10C 7D 9C 8H", hole_first=True).until(StepKind.DECIDE)
    assert (state.dealer.upcard, state.dealer.face_down) == (parse_card("8H"), 1)


def test_where_both_of_the_dealers_cards_lie_face_down_the_first_is_turned_as_the_upcard() -> None:
    state = table(SIX, {1: 10}, "10C").until(StepKind.DEAL)
    for operation in (ops.Deal(1, parse_card("10C")), ops.DealDealer(None), ops.Deal(1, parse_card("9C"))):
        state = state.after(operation)
    state = state.after(ops.DealDealer(None))
    assert state.next_step.words == "Turn the dealer's first card up: it is the upcard."
    state = state.after(ops.TurnUpcard(parse_card("6D")))
    assert (state.dealer.upcard, state.dealer.face_down, state.active) == (parse_card("6D"), 1, (1, 1))


def test_the_dealer_never_shows_two_cards_before_the_players_act() -> None:
    state = table(SIX, {1: 10}, "10C 7D 9C").until(StepKind.DEAL_DEALER)
    state = state.after(ops.DealDealer(parse_card("7D"))).after(ops.Deal(1, parse_card("9C")))
    assert state.next_step.face_down
    with pytest.raises(IllegalMove, match="second card must lie face down"):
        state.after(ops.DealDealer(parse_card("8H")))


def test_without_a_hole_card_the_dealer_gets_one_card_face_up_and_the_second_after_the_players() -> None:
    dealer = table(EUROPEAN, {1: 10}, "10C 7D 9C 10D", "stand")
    state = dealer.until(StepKind.DEAL_DEALER)
    with pytest.raises(IllegalMove, match="must lie face up: this table plays without a hole card"):
        state.after(ops.DealDealer(None))
    dealer.until(StepKind.OVER)
    assert dealer.words[-5:] == [
        "Deal a second card to seat 1.",
        "Seat 1: hit, stand or double?",
        "Deal the dealer's second card.",
        "Seat 1 wins with 19 against 17: pay 10.",
        "Clear the cards.",
    ]


def test_the_cut_card_means_a_shuffle_after_the_round() -> None:
    dealer = table(SIX, {1: 10}, "10C 7D 9C 10D", "stand")
    dealer.until(StepKind.DECIDE)
    dealer.do(ops.CutCard())
    assert dealer.until(StepKind.CLEAR_CARDS).next_step.words.endswith("shuffle before the next round.")
    assert dealer.until(StepKind.OVER).next_step.words == "The round is over: shuffle."
    with pytest.raises(IllegalMove, match="cut card appears once"):
        dealer.do(ops.CutCard())


# Step 3: peek and insurance


def test_a_blackjack_found_under_a_ten_ends_the_round_and_player_blackjacks_push() -> None:
    dealer = played(SIX, {1: 10, 2: 10}, "10C AD KH 9C KD AS")
    assert dealer.words[7:] == [
        "Peek: the upcard is a ten.",
        "Reveal the blackjack.",
        "Push on seat 2, for both have a blackjack: knock.",
        "Seat 1 loses to the dealer's blackjack: collect 10.",
        "Clear the cards.",
    ]
    assert nets(dealer.state, 1, 2) == ["-10", "0"]


def test_insurance_is_offered_checked_and_closed_before_the_peek_and_paid_after_the_main_bets() -> None:
    dealer = table(SIX, {1: 10, 2: 15}, "10C 9D AH 9C 9S KS", "insure 1 5", "insure 2 7.50")
    offered = dealer.until(StepKind.OFFER_INSURANCE).next_step
    assert offered.words == "Offer insurance to seats 1 and 2, at most half the bet."
    assert offered.limits == ((1, Fraction(5)), (2, Fraction(15, 2)))
    dealer.until(StepKind.OVER)
    assert dealer.words[8:] == [
        "Check that each insurance bet is at most half: seat 1 has 5 (at most 5). Then close insurance.",
        "Check that each insurance bet is at most half: seat 1 has 5 (at most 5), seat 2 has 7.50 (at most 7.50). "
        "Then close insurance.",
        "Peek: the upcard is an ace.",
        "Reveal the blackjack.",
        "Seat 2 loses to the dealer's blackjack: collect 15.",
        "Seat 1 loses to the dealer's blackjack: collect 10.",
        "Pay the insurance of seat 2: 15.",
        "Pay the insurance of seat 1: 10.",
        "Clear the cards.",
    ]
    assert nets(dealer.state, 1, 2) == ["0", "0"]


def test_insurance_is_collected_after_a_peek_that_finds_nothing() -> None:
    dealer = played(SIX, {1: 10}, "10C AH 9C 6S", "insure 1 5", "stand")
    assert dealer.words[7:9] == ["Peek: the upcard is an ace.", "Collect the insurance of seat 1: 5."]
    assert [(entry.reason, str(entry.amount)) for entry in dealer.state.ledger] == [
        (Outcome.INSURANCE_LOST, "-5"),
        (Outcome.WIN, "10"),
    ]


@pytest.mark.parametrize(
    ("seat", "amount", "said"),
    [
        (1, 6, "Seat 1: an insurance bet of 6 is more than half the bet of 10: at most 5."),
        (1, -1, "Seat 1: an insurance bet of -1 is not in whole steps of 0.50, half a unit, one or more."),
        (1, "1/3", "Seat 1: an insurance bet of 1/3 is not in whole steps of 0.50, half a unit, one or more."),
        (5, 5, "Seat 5 has no bet in this round. Seats that have bet: 1."),
    ],
)
def test_an_insurance_bet_that_cannot_be_is_refused(seat: int, amount: str, said: str) -> None:
    state = table(SIX, {1: 10}, "10C AH 9C 6S").until(StepKind.OFFER_INSURANCE)
    with pytest.raises(IllegalMove) as caught:
        actions.insure(state, seat, amount)
    assert str(caught.value) == said


def test_british_insurance_is_for_a_blackjack_only_and_hangs_on_the_dealers_second_card() -> None:
    british = PRESETS["british"]
    dealer = table(british, {1: 10, 2: 10}, "10C AD AH 9C KD 6S", "insure 2 5", "stand")
    state = dealer.until(StepKind.OFFER_INSURANCE)
    assert (state.next_step.limits, state.next_step.seats) == (((2, Fraction(5)),), (2,))
    with pytest.raises(IllegalMove, match="Seat 1 cannot insure: these rules do not offer it to this hand"):
        actions.insure(state, 1, 5)
    dealer.until(StepKind.OVER)
    assert dealer.words[8:] == [
        "Seat 1: hit or stand?",
        "Deal the dealer's second card.",
        "Collect the insurance of seat 2: 5.",
        "Seat 2: blackjack. Pay 15 (3:2 on 10).",
        "Seat 1 wins with 19 against 17: pay 10.",
        "Clear the cards.",
    ]


def test_even_money_is_paid_before_the_peek_whatever_the_dealer_has() -> None:
    dealer = played(SIX, {1: 10, 2: 10}, "AC 9D AH KC 9S KS", "even 1")
    assert dealer.words[7:12] == [
        "Offer even money to seat 1 and insurance to seats 1 and 2, at most half the bet.",
        "Offer insurance to seat 2, at most half the bet.",
        "Seat 1: even money. Pay 10 now.",
        "Peek: the upcard is an ace.",
        "Reveal the blackjack.",
    ]
    assert nets(dealer.state, 1, 2) == ["10", "-10"]


def test_a_seat_takes_even_money_or_insures_but_not_both() -> None:
    state = table(SIX, {1: 10, 2: 10}, "AC 9D AH KC 9S KS").until(StepKind.OFFER_INSURANCE)
    taken = state.after(ops.TakeEvenMoney(1))
    with pytest.raises(IllegalMove, match="Seat 1 cannot insure: it has taken even money"):
        actions.insure(taken, 1, 5)
    with pytest.raises(IllegalMove, match="Seat 1 has insured or taken even money already"):
        actions.take_even_money(state.after(ops.Insure(1, Fraction(5))), 1)
    with pytest.raises(IllegalMove, match="Seat 2 cannot take even money: only a blackjack may"):
        actions.take_even_money(state, 2)


def test_no_insurance_and_no_even_money_go_straight_to_the_peek() -> None:
    rules = HouseRules(insurance="none", even_money=False)
    state = table(rules, {1: 10}, "AC AH KC 6S").until(StepKind.PEEK, StepKind.OFFER_INSURANCE)
    assert state.next_step.kind is StepKind.PEEK


def test_what_the_peek_found_must_fit_the_hole_card() -> None:
    state = table(SIX, {1: 10}, "10C KH 9C 6S").until(StepKind.PEEK)
    with pytest.raises(IllegalMove, match="cannot be the ten of hearts: the peek found a blackjack"):
        state.after(ops.Peek(True)).after(ops.RevealHole(parse_card("10H")))
    stood = state.after(ops.Peek(False)).after(ops.Stand(1))
    with pytest.raises(IllegalMove, match="cannot be the ace of hearts: the peek found no blackjack"):
        stood.after(ops.RevealHole(parse_card("AH")))


def test_a_peek_cannot_find_a_blackjack_when_every_ace_has_been_seen() -> None:
    aces = parse_cards("AC AD AH AS")
    state = Round.start(PRESETS["home"], seen=aces).after(ops.PlaceBet(1, Fraction(10))).after(ops.SweepBets())
    for operation in (ops.Deal(1, parse_card("2C")), ops.DealDealer(parse_card("KH")), ops.Deal(1, parse_card("3C"))):
        state = state.after(operation)
    state = state.after(ops.DealDealer(None))
    with pytest.raises(IllegalMove, match="cannot have a blackjack: no A is left unseen"):
        state.after(ops.Peek(True))


# Step 4: the players


def test_seats_act_left_to_right_and_another_seat_is_refused() -> None:
    state = table(SIX, {2: 10, 5: 10}, "10C 9D 6H 6C 2S KS").until(StepKind.DECIDE)
    assert state.active == (2, 1)
    assert state.legal_actions(2) == (Action.HIT, Action.STAND, Action.DOUBLE)
    assert state.legal_actions(5) == ()
    with pytest.raises(IllegalMove, match=r"Seat 5 cannot hit now. Next: Seat 2: hit, stand or double\?"):
        actions.hit(state, 5, parse_card("9H"))
    with pytest.raises(IllegalMove, match="Seat 2 cannot split: these rules do not allow it with hard 16 of 2 cards"):
        actions.split(state, 2)
    with pytest.raises(IllegalMove, match="Seat 2 has no hand 2"):
        actions.stand(state, 2, 2)


def test_a_blackjack_is_paid_at_once_on_its_turn() -> None:
    dealer = played(SIX, {1: 10, 2: 10}, "9C AD 7H 9D KD 10S", "stand")
    assert dealer.words[8] == "Seat 2: blackjack. Pay 15 now (3:2 on 10)."
    assert dealer.steps[8].kind is StepKind.PAY_BLACKJACK
    assert dealer.steps[8].amount == 15


def test_a_blackjack_waits_where_a_dealer_without_a_hole_card_may_still_have_one() -> None:
    waits = played(EUROPEAN, {1: 10}, "AD KH KD AS")
    assert waits.words[4:] == [
        "Deal the dealer's second card.",
        "Push on seat 1, for both have a blackjack: knock.",
        "Clear the cards.",
    ]
    at_once = played(EUROPEAN, {1: 10}, "AD 9H KD")
    assert at_once.words[4:] == ["Seat 1: blackjack. Pay 15 now (3:2 on 10).", "Clear the cards."]


def test_a_waiting_blackjack_alone_takes_one_card_of_the_dealer_and_no_more() -> None:
    dealer = played(EUROPEAN, {1: 10}, "AD KH KD 2S")
    assert dealer.words[4:6] == ["Deal the dealer's second card.", "Seat 1: blackjack. Pay 15 (3:2 on 10)."]


def test_a_bust_is_collected_at_once_and_stays_lost_when_the_dealer_busts() -> None:
    dealer = played(SIX, {1: 10, 2: 10}, "10C 10D 6H 6C 9S 10H KS KC", "hit", "stand")
    assert dealer.words[8] == "Seat 1 is bust: collect 10, then the cards."
    assert dealer.words[-2] == "Seat 2 wins, for the dealer is bust: pay 10."
    assert nets(dealer.state, 1, 2) == ["-10", "10"]


def test_a_total_of_21_asks_nothing_more() -> None:
    dealer = played(SIX, {1: 10}, "5C 10H 6C 7S 10D", "hit")
    assert dealer.words.count("Seat 1: hit, stand or double?") == 1
    assert dealer.state.net(1) == 10


# Step 5: the dealer


def test_where_every_seat_is_bust_the_dealer_reveals_and_draws_no_more() -> None:
    dealer = played(SIX, {1: 10}, "10C 6H 6C 9S KS", "hit")
    assert dealer.words[-2:] == [
        "Reveal the hole card and draw no more: every hand is settled.",
        "Clear the cards.",
    ]


def test_where_every_seat_is_bust_a_dealer_without_a_hole_card_takes_none() -> None:
    dealer = played(EUROPEAN, {1: 10}, "10C KH 6C KS", "hit")
    assert dealer.words[-2:] == ["Seat 1 is bust: collect 10, then the cards.", "Clear the cards."]


@pytest.mark.parametrize(("soft_17", "draws"), [("stand", []), ("hit", ["Draw: the dealer has soft 17."])])
def test_the_dealer_draws_on_a_soft_17_only_where_the_rules_say_so(soft_17: str, draws: list[str]) -> None:
    rules = HouseRules().with_values({"dealer_soft_17": soft_17})
    dealer = played(rules, {1: 10}, "10C 6H 9C AS 2C", "stand")
    assert [said for said in dealer.words if said.startswith("Draw")] == draws


def test_the_dealer_says_what_he_draws_to() -> None:
    dealer = played(SIX, {1: 10}, "10C 2H 9C 3S 4C 6D 7S", "stand")
    assert [said for said in dealer.words if said.startswith("Draw")] == [
        "Draw: the dealer has hard 5.",
        "Draw: the dealer has hard 9.",
        "Draw: the dealer has hard 15.",
    ]


# Step 6: settlement


def test_hands_are_settled_right_to_left_and_no_other_way() -> None:
    dealer = table(SIX, {1: 10, 4: 10, 7: 10}, "10C 9C 8C 7D 10D 9D 9H 10S", "stand", "stand", "stand")
    state = dealer.until(StepKind.PAY, StepKind.COLLECT, StepKind.PUSH)
    with pytest.raises(IllegalMove, match=r"Seat 1 cannot be settled now. Next: Push on seat 7: knock."):
        state.after(ops.Settle(1))
    dealer.until(StepKind.OVER)
    assert [entry.seat for entry in dealer.state.ledger] == [7, 4, 1]
    assert [entry.reason for entry in dealer.state.ledger] == [Outcome.PUSH, Outcome.WIN, Outcome.WIN]


def test_a_round_may_be_called_off_and_gives_the_open_bets_back() -> None:
    dealer = table(SIX, {1: 10, 2: 20}, "10C 9C 7D 9D 8H 10S KH", "hit")
    dealer.until(StepKind.DECIDE)
    dealer.step()
    dealer.step()
    dealer.do(ops.CallOff())
    assert dealer.until(StepKind.OVER).net(1) == -10
    assert dealer.state.net(2) == 0
    assert dealer.state.ledger[-1].reason is Outcome.CALLED_OFF
    with pytest.raises(IllegalMove, match="nothing to call off"):
        dealer.do(ops.CallOff())


def test_a_finished_round_allows_nothing_more() -> None:
    state = played(LATE, {1: 10}, "10C 9H 9C 10D", "stand").state
    with pytest.raises(IllegalMove, match=r"cannot be cleared now. Next: The round is over."):
        state.after(ops.ClearCards())
    with pytest.raises(IllegalMove, match="only before the first card"):
        state.after(ops.PlaceBet(1, Fraction(10)))


# Cards that cannot be


def test_a_card_that_the_packs_do_not_hold_is_refused() -> None:
    state = table(PRESETS["home"], {3: 10}, "").until(StepKind.DEAL).after(ops.Deal(3, parse_card("7H")))
    with pytest.raises(IllegalMove) as caught:
        state.after(ops.DealDealer(parse_card("7H")))
    assert str(caught.value) == (
        "The dealer cannot have the seven of hearts: 2 sevens of hearts seen in 1 deck, which holds only 1."
    )


def test_a_card_seen_before_the_round_is_refused_too() -> None:
    state = Round.start(PRESETS["home"], seen=parse_cards("7H"))
    state = state.after(ops.PlaceBet(3, Fraction(10))).after(ops.SweepBets())
    with pytest.raises(IllegalMove, match="Seat 3 cannot have the seven of hearts"):
        state.after(ops.Deal(3, parse_card("7H")))
    with pytest.raises(IllegalMove, match="cards seen before cannot be: 2 sevens"):
        Round.start(PRESETS["home"], seen=parse_cards("7H 7H"))


def test_an_empty_shoe_is_said_and_the_round_called_off() -> None:
    state = Round.start(PRESETS["home"], seen=FULL_PACK[:51])
    state = state.after(ops.PlaceBet(1, Fraction(10))).after(ops.SweepBets()).after(ops.Deal(1, FULL_PACK[51]))
    assert state.next_step.kind is StepKind.OUT_OF_CARDS
    assert not actions.can_deal_dealer(state, None)
    assert state.after(ops.CallOff()).next_step.kind is StepKind.CLEAR_CARDS
