"""A deal step by step, and what holds in every deal."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pontoon_driver import Table, deal, tables

from advisor.games.cards import FULL_PACK, parse_card, parse_cards
from advisor.games.pontoon import Action, Bank, Outcome, PontoonRules, RunningPack, settle_hand
from advisor.games.pontoon.round import LOG, IllegalMove, Round, StepKind, actions, replay
from advisor.games.pontoon.round import operations as ops

HOME = PontoonRules()


def nets(table: Table, *seats: int) -> list[Fraction]:
    return [table.state.net(seat) for seat in seats]


def test_a_deal_begins_with_a_card_each_the_stakes_and_a_second_card() -> None:
    table = deal(HOME, 3, {1: 2, 4: 4}, "10C 5D 9H  7C 4H 8S").until(StepKind.DECIDE)
    assert table.words == [
        "Deal seat 4 a first card, face down.",
        "Deal seat 1 a first card, face down.",
        "Deal the banker a first card, face down; the banker does not look.",
        "Seat 4 looks at its card and stakes 1 to 10.",
        "Seat 1 looks at its card and stakes 1 to 10.",
        "Deal seat 4 a second card, face down.",
        "Deal seat 1 a second card, face down.",
        "Deal the banker a second card, face down; the banker does not look.",
    ]


def test_a_bought_card_wins_with_the_stake_it_added() -> None:
    cards = "10C 5D 9H  2C KH 8S  9D"
    table = deal(HOME, 3, {1: 2, 4: 4}, f"{cards} KC", "buy 4", "stick", "twist", "stay").play()
    assert table.words[8:] == [
        "Seat 4: turn up a pontoon, stick on 16 or more, buy for 1 to 4, twist or split?",
        "Seat 4: stick on 16 or more, buy for 4 to 8, twist or throw in?",
        "Seat 1: turn up a pontoon, stick on 16 or more, buy for 1 to 2, twist or split?",
        "Seat 1: stick on 16 or more, twist or throw in?",
        "The banker turns up two cards.",
        "The banker has 17: draw or stay?",
        "Seat 4: turn the cards up.",
        "Seat 4 wins with 21 against 17: pay 8.",
        "Put the cards to the bottom of the pack.",
    ]
    assert nets(table, 1, 4, 3) == [-2, 8, -6]
    assert table.state.pack.top == 44
    # The bust hand lies above the others, which follow in order of play, the banker's last.
    assert table.state.pack.under == parse_cards("5D KH KC 10C 2C 9D 9H 8S")
    assert table.state.next_step.words == "The deal is over, and the pack is not shuffled."
    assert table.state.next_pack == table.state.pack
    assert table.state.bank_after(Bank(3)) == Bank(3, 1)


def test_a_pontoon_is_turned_up_paid_double_wins_the_bank_and_brings_a_shuffle() -> None:
    table = deal(HOME, 1, {2: 5, 3: 5}, "AC 10D 9H  KC 9S KS", "stick", "stay").play()
    assert [step.words for step in table.steps if step.kind is StepKind.PAY] == [
        "Seat 2 has a pontoon: pay 10 (2:1 on 5)."
    ]
    assert nets(table, 1, 2, 3) == [-5, 10, -5]
    assert table.words[-1] == "Put the cards to the bottom of the pack. Then shuffle: somebody had a pontoon."
    assert table.state.next_step.words == "The deal is over: shuffle."
    assert table.state.bank_after(Bank(1, 3)) == Bank(2)
    assert table.state.next_pack == RunningPack.shuffled(1)


def test_a_bankers_pontoon_takes_everything_unseen() -> None:
    table = deal(HOME, 1, {2: 5, 3: 5}, "AC 10D AH  KC 9S KS", "stick").play()
    assert nets(table, 1, 2, 3) == [10, -5, -5]
    assert not any(step.kind is StepKind.SHOW for step in table.steps)
    assert table.state.shuffle_due
    # The hand that was never turned lies in the pack with its faces unknown.
    assert table.state.pack.under.count(None) == 2


def test_five_cards_end_the_hand_and_are_paid_double() -> None:
    cards = "2C KH  3C 9H  4C 2D 3H"
    table = deal(HOME, 1, {2: 1}, cards, "buy 1", "buy 2", "buy 4", "stick", "stay").play()
    assert "Seat 2: stick or throw in?" in table.words
    assert nets(table, 2) == [16]
    assert table.words[-2] == "Seat 2 has a five-card trick: pay 16 (2:1 on 8)."


def test_a_royal_pontoon_is_paid_treble_and_brings_no_shuffle() -> None:
    table = deal(HOME, 1, {2: 2}, "7C KH  7D 9H  7H", "twist", "stick", "stay").play()
    assert nets(table, 2) == [6]
    assert not table.state.shuffle_due


def test_a_bust_hand_is_lost_at_once_and_goes_to_the_bottom() -> None:
    table = deal(HOME, 1, {2: 2, 3: 1}, "KC 9C KH  6C 8C 9H  KD", "twist", "stick", "stay")
    table.until(StepKind.TURN_BANKER)
    assert table.state.net(2) == -2
    assert table.state.pack.under == parse_cards("KC 6C KD")


def test_a_hand_given_up_unseen_is_lost_and_its_cards_go_to_the_bottom() -> None:
    table = deal(HOME, 1, {2: 2, 3: 1}, "KC 9C KH  6C 8C 9H", "stick", "stay").until(StepKind.DECIDE)
    table.do(ops.GiveUp(2))
    assert table.state.net(2) == -2 and table.state.pack.under == (None, None)
    final = table.until(StepKind.SHOW).state
    shown = final.after(ops.GiveUp(3)).after(ops.ClearCards())
    assert nets_of(shown) == [3, -2, -1] and shown.pack.cards == 52
    with pytest.raises(IllegalMove, match="Seat 2 cannot be given up now"):
        actions.give_up(final, 2)


def nets_of(state: Round) -> list[Fraction]:
    return [state.net(seat) for seat in sorted(state.order)]


def test_where_all_are_bust_the_banker_need_not_turn() -> None:
    table = deal(HOME, 1, {2: 2}, "KC KH  6C 9H  KD", "twist").play()
    assert not any(step.kind is StepKind.TURN_BANKER for step in table.steps)
    assert table.state.pack.under == (*parse_cards("KC 6C KD"), None, None)


def test_a_pair_is_split_into_hands_with_their_own_stakes() -> None:
    table = deal(HOME, 1, {2: 3}, "8C KH  8D 9H  KD 2C  9D", "split", "stick", "buy 3", "stick", "stay").play()
    assert [step.words for step in table.steps if step.kind is StepKind.DEAL][-2:] == [
        "Seat 2, hand 1: deal the second card, face down.",
        "Seat 2, hand 2: deal the second card, face down.",
    ]
    assert [entry.amount for entry in table.state.ledger] == [-3, -6]


@pytest.mark.parametrize(
    ("split", "cards", "allowed"),
    [
        ("none", "8C 8D", False),
        ("aces", "8C 8D", False),
        ("aces", "AC AD", True),
        ("not-aces", "AC AD", False),
        ("not-aces", "8C 8D", True),
        ("any", "AC AD", True),
        ("any", "KC QD", False),
    ],
)
def test_what_may_be_split(split: str, cards: str, allowed: bool) -> None:
    first, second = cards.split()
    rules = HOME.with_values({"split": split})
    told = deal(rules, 1, {2: 3}, f"{first} KH {second} 9H", private=True).until(StepKind.DECIDE)
    assert (Action.SPLIT in told.state.next_step.actions) is allowed
    hidden = deal(rules, 1, {2: 3}, f"{first} KH {second} 9H").until(StepKind.DECIDE)
    assert actions.can_split(hidden.state, 2, parse_cards(cards)) is allowed


def test_a_split_pontoon_wins_the_bank_only_where_the_rules_say_so() -> None:
    for counts in (False, True):
        rules = HOME.with_values({"split_pontoon": counts})
        table = deal(rules, 1, {2: 3}, "AC KH  AD 9H  KD 9C", "split", *["stick"] * (2 - counts), "stay").play()
        assert table.state.pontoons == ((2,) if counts else ())
        assert table.state.shuffle_due is counts
        assert table.state.bank_after(Bank(1)).holder == (2 if counts else 1)
        assert table.state.net(2) == (6 + 3 if counts else 3 + 3)


def test_shuffling_every_deal_is_a_rule_too() -> None:
    table = deal(HOME.with_values({"shuffle": "every-deal"}), 1, {2: 1}, "KC KH  9C 9H", "stick", "stay").play()
    assert table.words[-1].endswith("Then shuffle: this table shuffles every deal.")


# What is refused


def at_decision(cards: str = "KC KH 9C 9H", private: bool = False, *lines: str) -> Round:
    return deal(HOME, 1, {2: 3}, cards, *lines, private=private).until(StepKind.DECIDE).state


def test_a_hand_known_to_be_under_sixteen_may_not_stick() -> None:
    state = at_decision("KC KH 5C 9H", True)
    assert state.next_step.actions == (Action.BUY, Action.TWIST)
    with pytest.raises(IllegalMove, match=r"Seat 2 cannot stick: it needs 16 or more\. Next: Seat 2: buy for 1 to 3"):
        actions.stick(state, 2)
    # Face down, that is the punter's own affair until the cards are turned up.
    assert actions.can_stick(at_decision("KC KH 5C 9H"), 2)


def test_nothing_is_bought_after_a_twist() -> None:
    state = at_decision().after(ops.Twist(2, parse_card("2C")))
    with pytest.raises(IllegalMove, match="Seat 2 cannot buy: it has twisted"):
        actions.buy(state, 2, 3)


@pytest.mark.parametrize(
    ("amount", "said"),
    [("4", "over the most allowed, 3"), ("0", "must be more than 0"), ("1.5", "whole units of 1")],
)
def test_buys_keep_their_limits(amount: str, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        actions.buy(at_decision(), 2, amount)
    again = at_decision().after(actions.buy(at_decision(), 2, 2))
    with pytest.raises(IllegalMove, match="under the least allowed, 2"):
        actions.buy(again, 2, 1)


def test_cards_turned_up_must_fit() -> None:
    state = at_decision()
    twisted = state.after(ops.Twist(2, parse_card("2C")))
    for operation, said in [
        (ops.ShowPontoon(2, parse_cards("AC 9C")), "AC 9C is no pontoon"),
        (ops.ShowPontoon(2, parse_cards("AC KC QC")), "has 2 cards, not 3"),
        (ops.Split(2, parse_cards("KC QC")), "cannot split KC QC: the rules say split=any"),
    ]:
        with pytest.raises(IllegalMove, match=said):
            state.after(operation)
    with pytest.raises(IllegalMove, match="2C lies there"):
        twisted.after(ops.GoBust(2, parse_cards("KC 9C 3C")))
    with pytest.raises(IllegalMove, match="is not bust with KC 9C 2C"):
        twisted.after(ops.GoBust(2, parse_cards("KC 9C 2C")))
    with pytest.raises(IllegalMove, match="two of clubs cannot come again"):
        twisted.after(ops.Twist(2, parse_card("2C")))


def test_stakes_keep_their_limits_and_may_be_corrected_until_the_second_card() -> None:
    table = deal(HOME, 1, {2: 3, 3: 3}, "KC KH 9C 9H 2D 3D").until(StepKind.TAKE_STAKE)
    with pytest.raises(IllegalMove, match="a stake of 11 is over the most allowed, 10"):
        actions.stake(table.state, 2, 11)
    with pytest.raises(IllegalMove, match="not an exact amount"):
        actions.stake(table.state, 2, 1.5)  # type: ignore[arg-type]
    state = table.state.after(ops.Stake(2, Fraction(3))).after(ops.Stake(2, Fraction(4)))
    assert state.seats[0].hands[0].stake == 4
    later = state.after(ops.Stake(3, Fraction(1))).after(ops.Deal(2))
    with pytest.raises(IllegalMove, match="Seat 2 cannot stake now"):
        later.after(ops.Stake(2, Fraction(1)))


@pytest.mark.parametrize(
    ("seats", "banker", "said"),
    [
        ([1, 2], 3, "must be one of two seats"),
        ([1], 1, "two seats or more"),
        ([1, 1, 2], 2, "named once"),
        ([0, 1], 1, "1 to 12"),
    ],
)
def test_seats_that_cannot_be(seats: list[int], banker: int, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        Round.start(HOME, seats, banker)


def test_out_of_turn_is_refused_with_what_is_next() -> None:
    state = at_decision()
    for operation in (ops.Deal(2), ops.Stay(), ops.TurnBanker(()), ops.Settle(2), ops.ClearCards(), ops.Stick(9)):
        with pytest.raises(IllegalMove):
            state.after(operation)
    with pytest.raises(IllegalMove, match="Seat 2 has no hand 2"):
        actions.stick(state, 2, 2)
    with pytest.raises(IllegalMove, match="The bank cannot pass now"):
        state.bank_after(Bank(1))


def test_an_empty_pack_ends_the_deal() -> None:
    state = Round.start(HOME, [1, 2], 1, RunningPack(1, 1)).after(ops.Deal(2))
    assert state.next_step.kind is StepKind.OUT_OF_CARDS
    over = state.after(ops.CallOff()).after(ops.ClearCards())
    assert over.finished and over.net(2) == 0
    assert over.bank_after(Bank(1, 2)) == Bank(1, 2)


# What always holds

MANY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(tables(), st.integers(1, 3))
def test_every_deal_ends_conserves_money_and_cards_and_replays(table: Table, deals: int) -> None:
    bank = Bank(table.state.banker)
    for _ in range(deals):
        start = table.state
        table.operations.clear()
        final = table.play().state
        money_is_conserved(final)
        every_hand_is_owed_what_the_rules_say(final)
        logged = [LOG.as_dict(operation) for operation in table.operations]
        again = replay(start.rules, start.order, start.banker, map(LOG.from_dict, logged), start.pack)
        assert again == final
        cards_are_conserved(table)
        bank = final.bank_after(bank)
        assert bank.holder in final.order
        cards = table.cards if not final.shuffle_due else [*FULL_PACK] * final.rules.decks
        table = Table(
            Round.start(final.rules, final.order, bank.holder, final.next_pack), cards, table.choose, table.private
        )


def money_is_conserved(final: Round) -> None:
    """What punters gain the banker loses; each stake is settled once, and comes back or is lost."""
    assert sum(final.net(seat) for seat in final.order) == 0
    for seat in final.seats:
        back = [hand.total_stake + hand.settlement.amount for hand in seat.hands if hand.settlement is not None]
        assert len(back) == len(seat.hands) and min(back) >= 0
        assert sum(back) - sum(hand.total_stake for hand in seat.hands) == final.net(seat.number)
        for hand in seat.hands:
            assert all(isinstance(buy, Fraction) for buy in hand.buys)


def every_hand_is_owed_what_the_rules_say(final: Round) -> None:
    for _, _, hand in final.hands():
        assert hand.settlement is not None
        if hand.cards is None or hand.settlement.outcome in (Outcome.BUST, Outcome.CALLED_OFF):
            continue
        found = settle_hand(final.rules, hand.cards, hand.total_stake, final.banker_cards, from_split=hand.from_split)
        assert hand.settlement == found


def cards_are_conserved(table: Table) -> None:
    """Every card is in the pack again: on the top in unknown order, or underneath where it was put."""
    final = table.state
    cleared = [card for seat in final.order for hand in table.hands[seat] for card in hand]
    bust = [card for it in table.operations if isinstance(it, ops.GoBust) for card in it.cards]
    table.cards += list((Counter(cleared) - Counter(bust)).elements())
    assert Counter(table.cards) == Counter(FULL_PACK * final.rules.decks)
    assert final.pack.cards == len(table.cards)
    unknown = final.pack.top + final.pack.under.count(None)
    assert sum(final.pack.unseen) == unknown
    # What the pack believes to lie underneath is put in its own order, so that the driver deals the same cards.
    known = [card for card in final.pack.under if card is not None]
    rest = list((Counter(table.cards) - Counter(known)).elements())
    hidden = iter(rest[final.pack.top :])
    table.cards[:] = [*rest[: final.pack.top], *(card or next(hidden) for card in final.pack.under)]


CARDS = st.sampled_from(FULL_PACK)
SEATS = st.integers(0, 13)
HANDS = st.integers(0, 3)
SOME = st.lists(CARDS, max_size=4).map(tuple)
AMOUNTS = st.sampled_from(["-5", "0", "1/3", "1", "5", "501"]).map(Fraction)
ANYTHING: st.SearchStrategy[ops.Operation] = st.one_of(
    st.builds(ops.Deal, SEATS, st.none() | CARDS, HANDS),
    st.builds(ops.Stake, SEATS, AMOUNTS),
    st.builds(ops.ShowPontoon, SEATS, SOME, HANDS),
    st.builds(ops.Stick, SEATS, HANDS),
    st.builds(ops.Buy, SEATS, AMOUNTS, st.none() | CARDS, HANDS),
    st.builds(ops.Twist, SEATS, CARDS, HANDS),
    st.builds(ops.Split, SEATS, SOME, HANDS),
    st.builds(ops.GoBust, SEATS, SOME, HANDS),
    st.builds(ops.GiveUp, SEATS, HANDS),
    st.builds(ops.TurnBanker, SOME),
    st.builds(ops.DrawBanker, CARDS),
    st.builds(ops.Show, SEATS, SOME, HANDS),
    st.builds(ops.Settle, SEATS, HANDS),
    st.sampled_from([ops.Stay(), ops.CallOff(), ops.ClearCards()]),
)


@MANY
@given(tables(), st.lists(ANYTHING, max_size=12), st.integers(0, 30))
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
            assert str(refused).endswith((".", "?"))
        assert state.next_step.words
        assert LOG.from_dict(LOG.as_dict(operation)) == operation
