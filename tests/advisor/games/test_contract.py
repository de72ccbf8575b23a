"""Every game of the catalogue through the one contract: what the table, the server and the display rest on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_scenes import ROUNDS, Scene, filled

from advisor.games.catalogue import UnknownGame, game, games
from advisor.games.contract import HOUSE, Lying, Place, Played, Story, TableGame, Told
from advisor.games.rule_fields import RulesError

PHASES = ("bets", "deal", "play", "house", "settle", "clear", "over")

each_game = pytest.mark.parametrize("name", games())


def usual(name: str) -> tuple[TableGame, Any]:
    """The game and its usual rules."""
    found = game(name)
    return found, next(iter(found.presets().values()))


@cache
def dealt(name: str) -> tuple[Scene, dict[int, Fraction]]:
    """The game's written round, up to its payments."""
    scene = Scene(*usual(name))
    scene.now()
    return scene, ROUNDS[name](scene)


def words(played: Played) -> Iterator[str]:
    """Every text that the display shows."""
    yield played.step
    yield from played.notices
    for hand in (*played.house, *played.hands):
        yield hand.title
        yield from (*hand.why, *hand.problems)
        if hand.payment is not None:
            yield hand.payment.words
    for choice in (*played.choices, *(it for fault in played.faults for it in fault.choices)):
        yield choice.words
    yield from (it.words for it in played.faults)
    yield from (text for fact in played.facts for text in (fact.name, fact.words, fact.value))
    for grid in played.grids:
        yield from (grid.name, grid.words, *(it.words for it in grid.cells))


def holds(found: TableGame, rules: Any, story: Story) -> Played:
    """What the answer to any story must be."""
    played = found.play(rules, story)
    assert played == found.play(rules, story), "the same story is answered differently"
    assert played.phase in PHASES
    assert played.phase == "over" or not (story.cleared and played.operations), "cleared, and not over"
    assert all(isinstance(text, str) and text.strip() for text in words(played))
    assert len(played.house) == len(found.house)
    for hand in (*played.house, *played.hands):
        assert hand.action is None or hand.action == "done" or hand.action in hand.values
        assert list(hand.values.values()) == sorted(hand.values.values(), reverse=True)
        assert all(type(bet.amount) is Fraction for bet in hand.bets)
    for grid in played.grids:
        assert all(0 <= it.column < grid.columns and 0 <= it.row < grid.rows for it in grid.cells)
    assert all(type(amount) is Fraction for amount in played.net.values())
    if HOUSE in played.net:
        assert sum(played.net.values()) == 0, "money was made or lost"
    assert json.loads(json.dumps(dict(played.carried))) == played.carried
    assert json.loads(json.dumps(list(map(dict, played.operations)))) == list(played.operations)
    json.dumps([dict(it.operation) for it in played.choices])
    assert sum(it.main for it in played.choices) <= 1 + len({it.place for it in played.choices})
    return played


# The catalogue


def test_a_game_is_found_by_its_name_or_refused_with_those_there_are() -> None:
    assert games() == ("blackjack", "pontoon", "punto-banco")
    assert all(game(name).name == name for name in games())
    with pytest.raises(UnknownGame, match="use one of blackjack, pontoon, punto-banco"):
        game("whist")


def test_no_game_is_imported_before_it_is_asked_for() -> None:
    said = "import sys, advisor.games.catalogue; sys.exit(any(n.startswith('advisor.games.p') for n in sys.modules))"
    assert subprocess.run([sys.executable, "-c", said], check=False).returncode == 0


# The rules


@each_game
def test_rules_are_named_loaded_written_and_read_back(name: str) -> None:
    found = game(name)
    for preset, rules in found.presets().items():
        assert found.load(preset) == rules
        assert found.restored(json.loads(json.dumps(dict(found.plain(rules))))) == rules
        assert found.summary(rules).strip() and "\n" not in found.summary(rules)
    with pytest.raises(ValueError, match="no-such-rules"):
        found.load("no-such-rules")
    for wrong in ({"no-such-field": 1}, {"decks": 99}, {"minimum": 0.5}):
        with pytest.raises(RulesError):
            found.restored(wrong)


# A round


@each_game
def test_a_round_from_the_bets_to_the_next_round(name: str) -> None:
    scene, nets = dealt(name)
    scene = Scene(scene.game, scene.rules, scene.story, [])
    before = scene.played
    assert not before.faults and not before.notices
    owed = [it.payment for it in before.hands if it.payment is not None and not it.payment.done]
    assert owed, "nothing is owed"
    after = scene.settle().played
    assert all(it.payment is not None and it.payment.done for it in after.hands)
    final = scene.clear().played
    assert (final.phase, final.faults) == ("over", ())
    assert {seat: amount for seat, amount in final.net.items() if seat in nets} == nets
    for seat in {it.place.seat for it in final.hands}:
        paid = [it.payment.amount for it in final.hands if it.place.seat == seat and it.payment is not None]
        assert sum(paid, Fraction(0)) == final.net[seat]
    following = scene.game.play(scene.rules, Story(carried=json.loads(json.dumps(dict(final.carried)))))
    assert following.phase in ("bets", "deal") and not following.faults
    assert not any(following.net.values())


@each_game
def test_clearing_the_cards_settles_what_was_not_said_to_be(name: str) -> None:
    scene, nets = dealt(name)
    final = Scene(scene.game, scene.rules, scene.story, []).clear().played
    assert (final.phase, final.faults) == ("over", ())
    assert {seat: amount for seat, amount in final.net.items() if seat in nets} == nets


@pytest.mark.parametrize("name", games())
def test_a_round_that_is_called_off_gives_back_what_is_not_settled(name: str) -> None:
    scene, _ = dealt(name)
    scene = Scene(scene.game, scene.rules, scene.story, [])
    settled = {it.place: it.payment.amount for it in scene.played.hands if it.payment is not None and it.payment.done}
    final = scene.tell({"op": "call-off"}).clear().played
    assert (final.phase, final.faults) == ("over", ())
    gained = {it.place: it.payment.amount for it in final.hands if it.payment is not None}
    assert gained == {place: settled.get(place, Fraction(0)) for place in gained}


@each_game
def test_every_moment_of_a_round_can_be_shown(name: str) -> None:
    scene, _ = dealt(name)
    for story in scene.moments:
        assert not holds(scene.game, scene.rules, story).faults


@each_game
def test_whatever_may_be_said_can_be_read_and_is_done(name: str) -> None:
    """Each choice at each moment, told: no new fault; and what usually follows carries the round on."""
    scene, _ = dealt(name)
    paid = Scene(scene.game, scene.rules, scene.story, []).settle()
    for story in (*scene.moments, *paid.moments):
        before = scene.game.play(scene.rules, story)
        for choice in before.choices:
            if choice.place is not None and choice.place.seat > 4:
                continue  # as at the seats before
            amounts = ("1", "5", "10") if choice.operation.get("amount") == "" else ("",)
            told = [filled(choice, amount) for amount in amounts]
            after = [Scene(scene.game, scene.rules, story, []).tell(said).played for said in told]
            for said in told:
                scene.game.check(scene.rules, said)
            done = [it for it in after if [f.words for f in it.faults] == [f.words for f in before.faults]]
            assert done, choice.words
            assert not choice.main or before not in done, choice.words


@each_game
def test_what_a_seat_may_bet_can_be_said(name: str) -> None:
    found, rules = usual(name)
    for seat in range(1, found.seats + 1):
        choices = found.betting(rules, seat)
        assert choices
        for choice in choices:
            assert choice.operation["amount"] == "" and choice.place is not None and choice.place.seat == seat
            found.check(rules, filled(choice))


@each_game
def test_what_cannot_be_read_is_refused_with_a_sentence_and_is_a_fault_when_told(name: str) -> None:
    found, rules = usual(name)
    for wrong in ({}, {"op": "fold"}, {"op": None}, {"op": "settle", "seat": "two"}):
        with pytest.raises(ValueError, match=r"\.$"):
            found.check(rules, wrong)
        assert len(found.play(rules, Story(told=(Told(1, wrong),))).faults) == 1


# Any story

SEATS = st.sampled_from([HOUSE, HOUSE, HOUSE, 1, 1, 2, 4, 9, 15, -1])
LABELS = ["AC", "AD", "KC", "QD", "10H", "9S", "8C", "8D", "7C", "7D", "7H", "6S", "5S", "2H", "JOKER", "?", "", None]
PLACES = st.builds(Place, SEATS, st.sampled_from([1, 1, 1, 2, 3]))
YES_OR_NO = st.booleans()
CARDS = st.builds(
    Lying,
    st.integers(1, 99),
    PLACES,
    st.sampled_from(LABELS),
    up=YES_OR_NO,
    sure=st.sampled_from([True, True, False]),
    turned=YES_OR_NO,
    gone=st.sampled_from([False, False, False, True]),
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["5H", "back"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@cache
def said_in(name: str) -> list[dict[str, Any]]:
    """Everything that may be said at some moment of the written round."""
    scene, _ = dealt(name)
    all_ = [it for story in scene.moments for it in scene.game.play(scene.rules, story).choices]
    unlike = {json.dumps(filled(it), sort_keys=True) for it in all_}
    unlike |= {json.dumps(dict(it.operation)) for story in scene.moments for it in story.told}
    return [json.loads(it) for it in sorted(unlike)]


def stories(name: str) -> st.SearchStrategy[Story]:
    """Stories of nonsense, and of a round with some of its cards and words left out, changed or doubled."""
    keys = sorted(game(name).play(usual(name)[1], Story()).carried)
    told = st.lists(
        st.sampled_from(said_in(name)) | st.dictionaries(st.text(max_size=4), PLAIN, max_size=3), max_size=9
    )
    carried = st.just({}) | st.dictionaries(st.sampled_from(keys or ["seen"]), PLAIN)
    real = dealt(name)[0].story.cards
    cards = st.lists(CARDS, max_size=18) | st.lists(st.sampled_from(real) | CARDS, max_size=18)
    near = st.integers(0, len(real)).flatmap(lambda n: st.lists(CARDS, max_size=2).map(lambda some: [*real[:n], *some]))
    return st.builds(
        lambda cards, told, carried, usual_bets, cleared: Story(
            tuple(cards),
            tuple(Told(number, it, number % (len(cards) + 1)) for number, it in enumerate(told)),
            carried,
            usual_bets,
            cleared,
        ),
        cards | near,
        told,
        carried,
        st.dictionaries(
            st.integers(0, 9), st.sampled_from([Fraction(5), Fraction(0), Fraction(1, 3), Fraction(10**12)])
        ),
        YES_OR_NO,
    )


@each_game
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_any_story_at_all_is_answered(name: str, data: st.DataObject) -> None:
    found, rules = usual(name)
    story = data.draw(stories(name))
    played = holds(found, rules, story)
    following = found.play(rules, Story(carried=played.carried))
    assert following.phase in ("bets", "deal") and following.step
