"""A coup step by step, its settlement, and what holds in every coup."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from punto_driver import Table, played, tables

from advisor.games.cards import FULL_PACK, Card, parse_card, parse_cards
from advisor.games.punto_banco import PRESETS, Bet, Coup, Outcome, PuntoBancoRules, Result, Side, settle_bet
from advisor.games.punto_banco.bets import UnfinishedCoup
from advisor.games.punto_banco.payouts import bet_payout, commission_chips, unpayable_bets
from advisor.games.punto_banco.round import LOG, IllegalMove, MalformedOperation, Round, StepKind, actions, replay
from advisor.games.punto_banco.round import operations as ops
from advisor.games.punto_banco.tableau import banker_draws, player_draws
from advisor.money import Chips

USUAL = PuntoBancoRules()
FREE = PRESETS["no-commission"]


def coup(player: str, banker: str) -> Coup:
    return Coup(parse_cards(player), parse_cards(banker))


# The third-card rules


@pytest.mark.parametrize("total", range(8))
def test_player_draws_on_nought_to_five(total: int) -> None:
    assert player_draws(total) is (total <= 5)


@pytest.mark.parametrize(
    ("banker", "thirds"),
    [
        (0, {*range(10)}),
        (1, {*range(10)}),
        (2, {*range(10)}),
        (3, {*range(10)} - {8}),
        (4, {2, 3, 4, 5, 6, 7}),
        (5, {4, 5, 6, 7}),
        (6, {6, 7}),
        (7, set()),
    ],
)
def test_banker_draws_by_the_tableau(banker: int, thirds: set[int]) -> None:
    assert {third for third in range(10) if banker_draws(banker, third)} == thirds
    assert banker_draws(banker, None) is (banker <= 5)


@pytest.mark.parametrize(
    ("player", "banker", "result", "natural"),
    [
        ("9C KC", "2C 3D", Result.PLAYER, True),  # a natural stops Banker's draw
        ("2C 3C", "8C KD", Result.BANKER, True),  # and Player's
        ("9C KC", "5C 4D", Result.TIE, True),
        ("9C KC", "5C 3D", Result.PLAYER, True),
        ("6C KC", "7C KD", Result.BANKER, False),
        ("7C KC", "5C KD 2H", Result.TIE, False),
        ("2C 3C 8D", "3D KD", Result.TIE, False),  # Banker's 3 stands on an 8
        ("2C 3C 6D", "6H KD 3S", Result.BANKER, False),
        ("2C 3C 5D", "6H KD", Result.BANKER, False),
    ],
)
def test_who_wins(player: str, banker: str, result: Result, natural: bool) -> None:
    found = coup(player, banker)
    assert (found.result, found.natural) == (result, natural)


def test_a_coup_says_who_draws_and_why() -> None:
    turn = coup("2C 3C", "6H KD").next_card
    assert turn is not None and (turn.side, turn.third, turn.why) == (
        Side.PLAYER,
        True,
        "it has 5, and draws on 0 to 5",
    )
    turn = coup("2C 3C 6D", "6H KD").next_card
    assert turn is not None and (turn.side, turn.why) == (Side.BANKER, "it has 6, and Player drew a card of 6")
    turn = coup("7C KC", "5H KD").next_card
    assert turn is not None and turn.why == "it has 5, and Player stood on 7"


# Settlement: each bet, each end

NATURAL_EIGHT = coup("2C 6C", "3C KD")
BANKER_SEVEN = coup("6C KC", "7C KD")
BANKER_SIX = coup("2C 3C KD", "6H KD")
TIED = coup("7C KC", "7H KD")
PAIRS = coup("4C 4D", "7H 7D")


@pytest.mark.parametrize(
    ("rules", "bet", "end", "outcome", "amount", "commission"),
    [
        (USUAL, Bet.PLAYER, NATURAL_EIGHT, Outcome.WIN, 20, 0),
        (USUAL, Bet.PLAYER, BANKER_SEVEN, Outcome.LOSE, -20, 0),
        (USUAL, Bet.PLAYER, TIED, Outcome.PUSH, 0, 0),
        (USUAL, Bet.BANKER, NATURAL_EIGHT, Outcome.LOSE, -20, 0),
        (USUAL, Bet.BANKER, BANKER_SEVEN, Outcome.WIN, 20, 1),
        (USUAL, Bet.BANKER, BANKER_SIX, Outcome.WIN, 20, 1),
        (USUAL, Bet.BANKER, TIED, Outcome.PUSH, 0, 0),
        (USUAL.with_values({"commission": 4}), Bet.BANKER, BANKER_SEVEN, Outcome.WIN, 20, "4/5"),
        (USUAL.with_values({"commission_taken": "at-once"}), Bet.BANKER, BANKER_SEVEN, Outcome.WIN, 19, 0),
        (FREE, Bet.BANKER, BANKER_SEVEN, Outcome.WIN, 20, 0),
        (FREE, Bet.BANKER, BANKER_SIX, Outcome.BANKER_SIX, 10, 0),
        (USUAL, Bet.TIE, TIED, Outcome.WIN, 160, 0),
        (PRESETS["tie-nine"], Bet.TIE, TIED, Outcome.WIN, 180, 0),
        (USUAL, Bet.TIE, BANKER_SIX, Outcome.LOSE, -20, 0),
        (USUAL, Bet.PLAYER_PAIR, PAIRS, Outcome.WIN, 220, 0),
        (USUAL, Bet.BANKER_PAIR, PAIRS, Outcome.LOSE, -20, 0),
        (USUAL, Bet.BANKER_PAIR, TIED, Outcome.LOSE, -20, 0),
    ],
)
def test_a_bet_ends_for_a_reason(
    rules: PuntoBancoRules, bet: Bet, end: Coup, outcome: Outcome, amount: int, commission: Any
) -> None:
    if end is PAIRS and bet is Bet.BANKER_PAIR:
        end = coup("4C 4D", "7H 2D")
    settled = settle_bet(rules, bet, Fraction(20), end)
    assert (settled.outcome, settled.amount, settled.commission) == (outcome, amount, Fraction(commission))


def test_kings_and_queens_are_no_pair() -> None:
    assert not coup("KC QC", "7H 7D").pair(Side.PLAYER)
    assert coup("KC KD", "7H 7D").pair(Side.PLAYER)


def test_nothing_is_settled_while_cards_are_to_come() -> None:
    with pytest.raises(UnfinishedCoup):
        settle_bet(USUAL, Bet.TIE, Fraction(5), coup("2C 3C", "6H KD"))


# The round


def test_a_coup_from_the_bets_to_the_clearing_of_the_cards() -> None:
    bets = [(1, 10, Bet.PLAYER), (2, "7", Bet.BANKER), (2, 1, Bet.TIE), (9, 5, Bet.BANKER_PAIR)]
    table = played(USUAL, bets, "2C 6H 3C KD 6D 3S")
    assert table.words == [
        "No more bets: seat 1 10 on Player, seat 2 7 on Banker, seat 2 1 on the tie, seat 9 5 on the Banker pair.",
        "Deal Player's first card, face up.",
        "Deal Banker's first card, face up.",
        "Deal Player's second card, face up.",
        "Deal Banker's second card, face up.",
        "Player draws a third card: it has 5, and draws on 0 to 5.",
        "Banker draws a third card: it has 6, and Player drew a card of 6.",
        "Banker wins, 9 against 1. Seat 9 loses on the Banker pair: collect 5.",
        "Seat 2 loses on the tie: collect 1.",
        "Seat 1 loses on Player: collect 10.",
        "Seat 2 wins on Banker: pay 7, and mark 0.35 commission.",
        "Banker wins, 9 against 1. Clear the cards.",
    ]
    state = table.state
    assert [state.net(seat) for seat in (1, 2, 9)] == [-10, 6, -5]
    assert state.house_net == 9
    assert state.commission == {2: Fraction("0.35")}
    assert state.next_step.words == "The coup is over. Commission owed: seat 2 0.35."


def test_steps_are_data_too() -> None:
    table = played(USUAL, [(4, 10, Bet.BANKER)], "2C 6H 3C KD 6D 3S")
    draw = next(step for step in table.steps if step.kind is StepKind.DRAW)
    assert (draw.side, draw.why) == (Side.PLAYER, "it has 5, and draws on 0 to 5")
    pay = next(step for step in table.steps if step.kind is StepKind.PAY)
    assert (pay.seat, pay.bet, pay.amount, pay.commission) == (4, Bet.BANKER, 10, Fraction(1, 2))
    assert (pay.outcome, pay.result) == (Outcome.WIN, Result.BANKER)


@pytest.mark.parametrize(
    ("rules", "cards", "said"),
    [
        (FREE, "2C 6H 3C KD KH", "pay 5 (1:2 on 10)."),
        (USUAL.with_values({"commission_taken": "at-once"}), "6C 7H KC KD", "pay 9.50, which is less 0.50 commission."),
        (USUAL, "7C 7H KC KD", "Tie, both have 7. Seat 3: a tie, Banker stays. Knock."),
        (USUAL, "9C 7H KC KD", "Player wins with a natural, 9 against 7. Seat 3 loses on Banker: collect 10."),
    ],
)
def test_the_words_of_a_settlement(rules: PuntoBancoRules, cards: str, said: str) -> None:
    table = played(rules, [(3, 10, Bet.BANKER)], cards)
    assert any(words.endswith(said) for words in table.words), table.words


def test_commission_is_carried_to_the_next_coup_and_collected_between_coups() -> None:
    first = played(USUAL, [(2, 20, Bet.BANKER)], "6C 7H KC KD").state
    second = first.following()
    assert second.commission == {2: 1}
    assert second.seen == first.known_cards
    betting = second.after(ops.PlaceBet(2, Fraction(40), Bet.BANKER)).after(ops.CloseBets())
    dealt = betting.after(ops.Deal(Side.PLAYER, parse_card("6D")))
    with pytest.raises(IllegalMove, match="pays its commission of 1 between coups"):
        actions.collect_commission(dealt, 2)
    for side, card in (("banker", "7D"), ("player", "KC"), ("banker", "QC")):
        dealt = dealt.after(ops.Deal(Side(side), parse_card(card)))
    settled = dealt.after(ops.Settle(2, Bet.BANKER))
    assert settled.commission == {2: 3}
    paid = settled.after(actions.collect_commission(settled, 2))
    assert paid.commission == {}
    assert paid.net(2) == 40 - 3
    with pytest.raises(IllegalMove, match="Seat 2 owes no commission"):
        actions.collect_commission(paid, 2)
    assert paid.after(ops.ClearCards()).following(new_shoe=True).cards_left == 416


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (ops.PlaceBet(15, Fraction(5), Bet.PLAYER), "the seats are 1 to 14"),
        (ops.PlaceBet(1, Fraction(4), Bet.PLAYER), "a bet on Player of 4 is under the least allowed, 5."),
        (ops.PlaceBet(1, Fraction(501), Bet.BANKER), "over the most allowed, 500"),
        (ops.PlaceBet(1, Fraction("5.50"), Bet.BANKER), "is not in whole units of 1"),
        (ops.PlaceBet(1, Fraction(0), Bet.TIE), "must be more than 0"),
        (ops.TakeBackBets(1), "Seat 1 has no bet to take back"),
        (ops.Deal(Side.PLAYER, FULL_PACK[0]), "Player cannot deal a card now"),
        (ops.Settle(1, Bet.TIE), "Seat 1's bet on the tie cannot be settled now"),
        (ops.CallOff(), "nothing to call off"),
        (ops.ClearCards(), "The cards cannot be cleared now"),
    ],
)
def test_what_is_not_allowed_is_refused_with_a_sentence(operation: ops.Operation, said: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        Round.start(USUAL).after(operation)
    assert said in str(caught.value)


def test_a_coup_may_be_dealt_without_bets_and_called_off() -> None:
    closed = Round.start(USUAL).after(ops.CloseBets())
    assert closed.next_step.words == "Deal Player's first card, face up."
    with pytest.raises(IllegalMove, match="The bets cannot be closed now"):
        actions.close_bets(closed)
    over = closed.after(ops.CallOff()).after(ops.ClearCards())
    assert over.finished and over.house_net == 0


def test_the_wrong_side_and_a_card_too_many_are_refused() -> None:
    rules = PuntoBancoRules(decks=1)
    state = replay(rules, [ops.PlaceBet(1, Fraction(5), Bet.TIE), ops.CloseBets()], seen=parse_cards("7H"))
    with pytest.raises(IllegalMove, match="The card is not Banker's"):
        actions.deal(state, Side.BANKER, parse_card("8H"))
    assert not actions.can_draw(state, Side.PLAYER, parse_card("8H"))
    with pytest.raises(IllegalMove, match="Player cannot have the seven of hearts: 2 sevens of hearts seen in 1 deck"):
        actions.verify_deal(state, Side.PLAYER, parse_card("7H"))
    with pytest.raises(IllegalMove, match="cannot be: 2 sevens"):
        Round.start(rules, seen=parse_cards("7H 7H"))


def test_a_small_bet_may_lie_on_the_tie_and_pairs() -> None:
    assert actions.can_place_bet(Round.start(USUAL), 1, 1, Bet.TIE)
    assert actions.can_place_bet(Round.start(USUAL), 1, 1, Bet.PLAYER_PAIR)
    with pytest.raises(IllegalMove, match="not an exact amount"):
        actions.place_bet(Round.start(USUAL), 1, 5.5, Bet.TIE)  # type: ignore[arg-type]


def test_bets_are_corrected_and_taken_back_until_the_first_card() -> None:
    state = replay(USUAL, [ops.PlaceBet(1, Fraction(5), Bet.TIE), ops.CloseBets()])
    state = state.after(ops.PlaceBet(1, Fraction(7), Bet.TIE))
    assert state.next_step.kind is StepKind.CLOSE_BETS
    assert [it.amount for it in state.bets] == [7]
    assert state.after(ops.TakeBackBets(1)).bets == ()
    dealt = state.after(ops.CloseBets()).after(ops.Deal(Side.PLAYER, parse_card("7H")))
    with pytest.raises(IllegalMove, match="only before the first card"):
        dealt.after(ops.TakeBackBets(1))


def test_a_shoe_too_short_for_a_coup_is_shuffled() -> None:
    rules = PuntoBancoRules(decks=1)
    state = Round.start(rules, seen=FULL_PACK[:47])
    assert state.next_step.words == "The shoe holds 5 cards, too few for a coup: shuffle."
    assert state.next_step.kind is StepKind.OUT_OF_CARDS


def test_a_coup_called_off_gives_back_what_is_not_settled() -> None:
    state = replay(USUAL, [ops.PlaceBet(1, Fraction(5), Bet.TIE), ops.CloseBets()])
    state = state.after(ops.Deal(Side.PLAYER, parse_card("7H"))).after(ops.CallOff())
    assert state.house_net == 0
    assert state.ledger[0].reason is Outcome.CALLED_OFF
    assert state.after(ops.ClearCards()).finished
    with pytest.raises(IllegalMove, match="The next coup cannot begin"):
        state.following()


# What always holds

MANY = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(tables())
def test_every_coup_ends_conserves_money_and_cards_and_replays(table: Table) -> None:
    start = Round.start(table.state.rules, seen=table.state.seen, commission=dict(table.state.brought))
    before = len(table.shoe)
    final = table.play().state
    assert final.next_step.kind is StepKind.OVER
    assert sum(final.net(seat) for seat in range(1, 15)) == -final.house_net
    for seat in range(1, 15):
        chips_back = sum(it.amount + it.settlement.amount for it in final.bets if it.seat == seat and it.settlement)
        assert chips_back - sum(it.amount for it in final.bets if it.seat == seat) == final.net(seat)
        assert chips_back >= 0
    owed = sum(final.commission.values(), Fraction(0)) - sum((it for _, it in start.brought), Fraction(0))
    assert owed == sum((it.settlement.commission for it in final.bets if it.settlement), Fraction(0))
    assert final.cards_left == len(table.shoe)
    assert before - len(table.shoe) == final.coup.dealt
    logged = [LOG.as_dict(operation) for operation in table.operations]
    again = replay(start.rules, map(LOG.from_dict, logged), seen=start.seen, commission=dict(start.brought))
    assert again == final
    assert all(step.words.endswith(".") for step in table.steps)


CARDS = st.sampled_from(FULL_PACK)
SEATS = st.integers(0, 15)
ANYTHING: st.SearchStrategy[ops.Operation] = st.one_of(
    st.builds(ops.PlaceBet, SEATS, st.sampled_from(["-5", "0", "1/3", "5", "501"]).map(Fraction), st.sampled_from(Bet)),
    st.builds(ops.TakeBackBets, SEATS),
    st.builds(ops.CollectCommission, SEATS),
    st.builds(ops.Deal, st.sampled_from(Side), CARDS),
    st.builds(ops.Draw, st.sampled_from(Side), CARDS),
    st.builds(ops.Settle, SEATS, st.sampled_from(Bet)),
    st.sampled_from([ops.CloseBets(), ops.CallOff(), ops.ClearCards()]),
)


@MANY
@given(tables(), st.lists(ANYTHING, max_size=12), st.integers(0, 12))
def test_anything_at_all_is_done_or_refused_with_a_sentence(
    table: Table, wild: list[ops.Operation], steps: int
) -> None:
    for _ in range(steps):
        if not table.state.finished:
            table.step()
    state = table.state
    for operation in wild:
        try:
            state = state.after(operation)
        except IllegalMove as refused:
            assert str(refused).endswith(".")
        assert state.next_step.words


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"op": "place-bet", "seat": 1, "amount": "5", "bet": "draw"}, "bet cannot be 'draw': player or banker or tie"),
        ({"op": "place-bet", "seat": 1, "amount": 5.5, "bet": "tie"}, "amount cannot be 5.5"),
        ({"op": "place-bet", "seat": True, "amount": "5", "bet": "tie"}, "seat cannot be True"),
        ({"op": "deal", "side": "player", "card": "1H"}, "deal: card: '1H' is not a card"),
        ({"op": "deal", "side": "player", "card": 7}, "card cannot be 7"),
        ({"op": "deal", "side": "player"}, "deal needs the field 'card'"),
        ({"op": "close-bets", "seat": 1}, "close-bets has no field 'seat': its fields are none"),
        ({"op": "hit"}, "'hit' is not an operation: use one of place-bet"),
        ([], "is not an operation: a dictionary"),
    ],
)
def test_a_log_that_cannot_be_read_says_why(data: Any, said: str) -> None:
    with pytest.raises(MalformedOperation) as caught:
        LOG.from_dict(data)
    assert said in str(caught.value)


# Chips


def test_a_win_is_paid_in_chips_and_its_commission_marked() -> None:
    paid = bet_payout(USUAL, Bet.BANKER, Chips({"red": 2}), BANKER_SEVEN)
    assert (paid.plan.owed, paid.plan.chips) == (10, Chips({"red": 2}))
    assert paid.words[-1] == "Mark 0.50 commission for the seat."
    chips, said = commission_chips(Fraction("1.50"))
    assert chips == Chips({"white": 1, "yellow": 1})
    assert said == "Collect the commission of 1.50: one white and one yellow."


def test_commission_at_once_is_taken_off_in_chips() -> None:
    rules = USUAL.with_values({"commission_taken": "at-once"})
    paid = bet_payout(rules, Bet.BANKER, Chips({"red": 2}), BANKER_SEVEN)
    assert paid.plan.owed == Fraction("9.50")
    assert bet_payout(rules, Bet.BANKER, Chips({"red": 2}), TIED).plan.owed == 0
    assert bet_payout(rules, Bet.PLAYER, Chips({"red": 2}), BANKER_SEVEN).plan.method == "take"


def test_a_bet_whose_win_cannot_be_paid_is_told_before_the_deal() -> None:
    rules = USUAL.with_values({"commission_taken": "at-once"})
    found = unpayable_bets(rules, [(1, Bet.BANKER, Fraction(5)), (2, Bet.BANKER, Fraction(10))])
    assert found == (
        "Seat 1: 5 on Banker could be owed 4.75, which these chips cannot make: "
        "change the bet before the cards are dealt.",
    )
    assert unpayable_bets(USUAL, [(1, Bet.BANKER, Fraction(5)), (1, Bet.TIE, Fraction(1))]) == ()


def test_cards_are_values() -> None:
    assert LOG.as_dict(ops.Deal(Side.PLAYER, Card("10", "H"))) == {"op": "deal", "side": "player", "card": "10H"}
