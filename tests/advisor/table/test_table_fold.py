"""The state is the fold of the changes: corrections, undo, the ends of rounds, and what cannot be said."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_stand_ins import Card, Watched
from test_seeing import dealt

from advisor.games.catalogue import game as game_named
from advisor.table import ChangeError, TableState, begin, check, fold, played, read_change, see
from advisor.table import changes as ch
from advisor.table.seeing import with_laid
from advisor.table.words import redo_words, undo_words


@pytest.fixture
def table() -> Watched:
    watched = Watched(rules="home")
    watched.deal(*dealt())
    return watched


def total(state: TableState, seat: int) -> str:
    return next(hand.total for hand in played(state).hands if hand.place.seat == seat)


def test_a_correction_is_undone_and_redone(table: Watched) -> None:
    table.make(ch.NameCard(card=1, label="9H"))
    assert (total(table.state, 1), undo_words(table.state)) == ("hard 16", "naming the nine of hearts")
    table.make(ch.Undo())
    assert (total(table.state, 1), undo_words(table.state)) == ("hard 17", None)
    assert redo_words(table.state) == "naming the nine of hearts"
    table.make(ch.Redo())
    assert total(table.state, 1) == "hard 16"


def test_what_the_camera_saw_is_not_undone(table: Watched) -> None:
    with pytest.raises(ChangeError, match="nothing to take back"):
        table.make(ch.Undo())
    assert len(table.state.cards) == 6


def test_saying_something_new_forgets_what_was_taken_back(table: Watched) -> None:
    table.make(ch.NameCard(card=1, label="9H"))
    table.make(ch.Undo())
    table.make(ch.NameCard(card=1, label="8H"))
    with pytest.raises(ChangeError, match="Nothing was taken back"):
        table.make(ch.Redo())


def test_the_end_of_a_round_is_taken_back(table: Watched) -> None:
    before = played(table.state)
    table.make(ch.EndRound())
    assert (table.state.round, undo_words(table.state)) == (2, "the end of the round")
    table.see(*dealt()[1:])
    table.make(ch.Undo())
    assert table.state.round == 1
    assert played(table.state).step == before.step
    assert table.state.cards[0].gone


def test_a_void_round_moves_no_money_but_its_cards_are_gone_from_the_shoe(table: Watched) -> None:
    table.make(ch.VoidRound())
    assert table.state.results[-1].void
    assert dict(table.state.totals) == {}
    assert "10H" in str(table.state.carried["seen"])


def test_a_round_played_to_its_end_is_added_up() -> None:
    table = Watched(rules="home")
    table.deal(*dealt()[:5], Card(6, "back", 720, 120))
    cards = [*dealt()[:5], Card(6, "10C", 720, 120), Card(7, "KD", 800, 120)]
    table.see(*cards[:6])
    table.see(*cards)
    table.see()
    assert dict(table.state.totals) == {1: 5, 2: 5}
    assert table.state.results[-1].faults == ()


def test_the_usual_bet_stays_from_round_to_round(table: Watched) -> None:
    table.make(ch.UsualBet(seat=2, amount="25"))
    table.see()
    table.deal(*(Card(c.card + 10, c.face.replace("10H", "9H"), c.x, c.y) for c in dealt()))
    assert [hand.bets[0].amount for hand in table.played.hands] == [5, 25]


def test_a_shuffle_forgets_the_cards_seen(table: Watched) -> None:
    table.see()
    table.make(ch.Shuffled())
    assert "seen" not in table.state.carried
    assert table.played.step


def test_another_game_begins_a_new_round_and_leaves_the_cards_to_nobody(table: Watched) -> None:
    table.make(ch.SetTable(game="pontoon", rules="home"))
    assert (table.state.game, table.state.cards, table.state.left_over) == ("pontoon", (), {1, 2, 3, 4, 5, 6})
    assert table.see(*dealt()) == ()


def test_rules_that_cannot_be_are_refused_in_a_sentence(table: Watched) -> None:
    with pytest.raises(ChangeError, match="decks cannot be 99"):
        table.make(ch.SetTable(game="blackjack", rules="x", values={"decks": 99}))
    with pytest.raises(ChangeError, match="There is no game"):
        table.make(ch.SetTable(game="whist", rules="x"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"op": "name-card", "card": 1, "label": "11H"}, "no card"),
        ({"op": "name-card", "card": 0, "label": "10H"}, "greater than or equal to 1"),
        ({"op": "name-card", "card": 1}, "field required"),
        ({"op": "fly"}, "not known"),
        ({}, "not known"),
        ([], "valid dictionary"),
        ({"op": "undo", "card": 1}, "extra"),
        ({"op": "add-card", "label": "10H", "seat": 9}, "less than or equal to 7"),
        ({"op": "usual-bet", "seat": 1, "amount": "-5"}, "more than 0"),
        ({"op": "usual-bet", "seat": 1, "amount": "a lot"}, "a lot"),
        ({"op": "tell", "operation": {"op": ["stand"]}}, "operation"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(data: object, words: str) -> None:
    with pytest.raises(ChangeError) as refused:
        read_change(data)
    assert words in str(refused.value).lower() or words in str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (ch.NameCard(card=99, label="9H"), "There is no card 99"),
        (ch.MoveCard(card=1, seat=0, hand=2), "no hand 2"),
        (ch.Tell(operation={"op": "settle", "seat": 2, "hand": 1}), "cannot be said now"),
        (ch.Tell(operation={"op": "dance"}), "is not an operation"),
        (ch.Tell(operation={"op": "place-bet", "seat": 1, "amount": "3"}), "minimum"),
    ],
)
def test_what_the_round_does_not_allow_is_refused(table: Watched, change: ch.Change, words: str) -> None:
    with pytest.raises(ChangeError, match=words):
        check(table.state, change)


def test_what_the_round_offers_is_accepted(table: Watched) -> None:
    for choice in played(table.state).choices:
        check(table.state, ch.Tell(operation=dict(choice.operation)))


def test_the_log_folds_to_the_same_state(table: Watched) -> None:
    table.make(ch.NameCard(card=1, label="9H"))
    table.make(ch.Tell(operation={"op": "stand", "seat": 1}))
    table.see()
    table.make(ch.UsualBet(seat=3, amount="7.50"))
    state = begin("blackjack", table.state.rules, "home")
    for change in table.log:
        state = fold(state, read_change(json.loads(json.dumps(change.data))))
    assert state == table.state
    assert state.usual_bets[3] == Fraction("7.50")


CARDS = st.builds(
    Card,
    st.integers(1, 9),
    st.sampled_from(["10H", "8S", "?8S", "?", "back", "AD", "JOKER"]),
    st.sampled_from([200.0, 260.0, 640.0, 1000.0, 1020.0]),
    st.sampled_from([100.0, 130.0, 500.0, 540.0]),
)
SIGHTS = st.lists(CARDS, max_size=9, unique_by=lambda card: card.card)
SAYINGS = st.one_of(
    st.builds(ch.NameCard, card=st.integers(1, 12), label=st.sampled_from(["9H", "back", "JOKER"])),
    st.builds(ch.RemoveCard, card=st.integers(1, 12)),
    st.builds(ch.MoveCard, card=st.integers(1, 12), seat=st.integers(0, 3), hand=st.integers(1, 2)),
    st.builds(ch.AddCard, label=st.sampled_from(["9H", "back"]), seat=st.integers(0, 3)),
    st.sampled_from([ch.Undo(), ch.Redo(), ch.EndRound(), ch.VoidRound(), ch.Shuffled()]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(SIGHTS | SAYINGS, max_size=10), st.sampled_from(["blackjack", "pontoon", "punto-banco"]))
def test_whatever_is_seen_and_said_every_card_is_somewhere_and_the_log_folds_again(
    script: list[list[Card] | ch.Change], game: str
) -> None:
    rules = next(iter(game_named(game).presets()))
    table = Watched(game, rules)
    numbers = count(1)
    there: dict[tuple[int, float, float], int] = {}
    for step in script:
        if isinstance(step, list):
            # As vision does: a number is kept while a card lies there, and never used again.
            there = {key: there.get(key) or next(numbers) for key in ((card.card, card.x, card.y) for card in step)}
            cards = [replace(card, card=there[card.card, card.x, card.y]) for card in step]
            table.see(*cards)
            assert table.see(*cards) == ()  # what has been taken in is not reported again
        else:
            try:
                table.make(step)
            except ChangeError:
                continue
        assert played(table.state).step
    state = begin(game, table.state.rules, rules)
    for change in table.log:
        state = fold(state, read_change(change.data))
    assert state == table.state


@pytest.mark.parametrize("rules", ["home", "six-deck-s17"])
def test_a_hand_taken_away_before_the_dealers_turn_is_asked_about_to_the_end_of_the_round(rules: str) -> None:
    """Bust by a card that nobody saw, it would otherwise be settled as it stood: wrongly, and without a word."""
    table = Watched(rules=rules)
    table.deal(*dealt())
    left = [card for card in dealt() if card.card not in (2, 5)]
    table.make(ch.Tell(operation={"op": "stand", "seat": 1, "hand": 1}))
    table.see(*left)
    words = [fault.words for fault in table.played.faults]
    assert len(words) == 1 and "the cards were taken away, but the hand is not over: hard 16" in words[0]
    assert "If it was bust, add the card that was not seen" in words[0]
    turned = [card if card.card != 6 else Card(6, "10C", card.x, card.y) for card in left]
    table.see(*turned)
    table.see(*turned, Card(7, "KD", 800, 120))
    assert [fault.words for fault in table.played.faults] == words, "play has gone on, and nobody has answered"
    (stands,) = [c for c in table.played.faults[0].choices if c.words == "It stands"]
    answered = fold(table.state, ch.Tell(operation=stands.operation))
    assert played(answered).faults == ()
    table.see()
    assert table.state.results[-1].faults == tuple(words)


def test_hands_picked_up_after_the_dealer_has_drawn_are_simply_settled() -> None:
    table = Watched(rules="home")
    table.deal(*dealt())
    for seat in (1, 2):
        table.make(ch.Tell(operation={"op": "stand", "seat": seat, "hand": 1}))
    turned = [card if card.card != 6 else Card(6, "10C", card.x, card.y) for card in dealt()]
    table.see(*turned)
    table.see(*turned, Card(7, "KD", 800, 120))
    table.see(*[card for card in turned if card.card not in (2, 5)], Card(7, "KD", 800, 120))
    assert table.played.faults == ()
    table.see()
    assert table.state.results[-1].faults == ()


def test_what_lay_there_before_the_first_card_is_bet_until_the_round_is_over() -> None:
    """Its chips tell the round who plays, and the log keeps that: an undo, or another look, takes nothing back."""
    table = Watched(rules="home")
    laid = {1: Fraction(30), 2: Fraction(20)}
    first = dealt()[0]
    changes = see(table.memory, [first], table.state, table.table)[1]
    for change in with_laid(table.state, changes, laid):
        table.make(read_change(change.data))
    assert played(table.state).step == "Deal to seat 2."
    assert [hand.bets[0].amount for hand in played(table.state).hands] == [30, 20]
    table.make(ch.NameCard(card=1, label="9H"))
    table.make(ch.Undo())
    table.make(ch.UsualBet(seat=2, amount="25"))
    assert [hand.bets[0].amount for hand in played(table.state).hands] == [30, 25]
    table.make(ch.EndRound())
    assert not table.state.laid
    table.make(ch.Undo())
    assert table.state.laid == {1: 30, 2: 25}


def test_a_card_of_a_round_that_goes_on_keeps_no_bets() -> None:
    table = Watched(rules="home")
    came = ch.CardCame(card=1, seat=1, hand=1, face="10H")
    assert with_laid(table.state, [came], {}) == [came]
    assert with_laid(table.state, [ch.Shuffled()], {1: Fraction(30)}) == [ch.Shuffled()]
    assert len(with_laid(table.state, [ch.AddCard(label="10H", seat=1)], {1: Fraction(30)})) == 2


def test_bets_that_lie_nowhere_cannot_be_kept() -> None:
    for bets in ({"8": "5"}, {"": "5"}, {"12": "5"}, {"1": "-5"}):
        with pytest.raises(ChangeError):
            read_change({"op": "bets-laid", "bets": bets})


def test_the_cut_card_is_said_once_and_the_shoe_is_shuffled_after_the_round(table: Watched) -> None:
    table.make(ch.Tell(operation={"op": "stand", "seat": 1, "hand": 1}))
    table.make(ch.Tell(operation={"op": "stand", "seat": 2, "hand": 1}))
    table.make(ch.CardShown(card=6, face="5C"))
    (cut,) = [it for it in played(table.state).choices if it.words == "Cut card"]
    said = ch.Tell(operation=dict(cut.operation))
    check(table.state, said)
    table.make(said)
    now = played(table.state)
    assert now.faults == () and all(it.words != "Cut card" for it in now.choices)
    with pytest.raises(ChangeError, match="The cut card appears once"):
        check(table.state, said)
    table.make(ch.EndRound())
    assert table.state.carried["shuffled"]
