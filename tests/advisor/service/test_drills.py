"""Drills: the questions can be answered, the verdicts are those of the odds and of the chips."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from service_stand_ins import ABSENT, HERE, live_table

from advisor.games.blackjack import PRESETS, Action, advise
from advisor.games.blackjack.drills import answers, judge, question
from advisor.games.catalogue import game
from advisor.money import DEFAULT_CHIPS, ChipSet, format_amount
from advisor.money.drills import MOST, pile
from advisor.service.app import create_app
from advisor.service.drills_api import drills_router
from advisor.service.live import LiveTable
from advisor.service.table_log import MemoryLog
from advisor.table import TableState, begin


@pytest.fixture
def client() -> Iterator[TestClient]:
    app = FastAPI()
    numbers = iter(range(100))
    app.include_router(drills_router(new_seed=lambda: next(numbers)))
    with TestClient(app) as running:
        yield running


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(PRESETS)))
def test_every_question_has_a_best_answer_and_the_others_cost_something(seed: int, name: str) -> None:
    rules = PRESETS[name]
    asked = question(rules, Random(seed))
    best = advise(rules, asked.cards, asked.upcard)
    for answer in answers(rules, asked):
        found = judge(rules, asked, answer)
        assert found.best is best.action
        assert found.right == (answer is best.action)
        assert found.cost == pytest.approx(best.values[best.action] - best.values[answer])
    assert len(answers(rules, asked)) >= 2


def test_an_answer_that_the_hand_cannot_give_is_refused() -> None:
    rules = PRESETS["six-deck-s17"]
    asked = next(
        asked for seed in range(100) if Action.SPLIT not in answers(rules, asked := question(rules, Random(seed)))
    )
    with pytest.raises(ValueError, match="cannot split"):
        judge(rules, asked, Action.SPLIT)


@given(st.integers(), st.integers(1, 5))
def test_a_pile_is_worth_what_its_chips_are(seed: int, level: int) -> None:
    asked = pile(Random(seed), level=level)
    assert asked.total == sum(DEFAULT_CHIPS.value(colour) * count for colour, count in asked.counts)
    assert all(1 <= count <= MOST[asked.way] for _, count in asked.counts)
    assert len(asked.counts) == level + 1


def test_a_hand_is_asked_and_judged(client: TestClient) -> None:
    asked = client.get("/api/drills/hand?rules=home").json()
    verdicts = [
        client.post("/api/drills/hand", json={"seed": asked["seed"], "rules": "home", "answer": answer}).json()
        for answer in asked["answers"]
    ]
    assert [verdict["right"] for verdict in verdicts].count(True) == 1
    assert all(verdict["why"] for verdict in verdicts)


def test_a_pile_is_asked_and_judged(client: TestClient) -> None:
    asked = client.get("/api/drills/chips?level=3").json()
    total = sum(float(stack["value"]) * stack["count"] for stack in asked["stacks"])
    said = {"seed": asked["seed"], "level": 3, "total": f"{total:.2f}"}
    assert client.post("/api/drills/chips", json=said).json()["right"] is True
    wrong = client.post("/api/drills/chips", json={**said, "total": "1"}).json()
    assert wrong["right"] is False and float(wrong["total"]) == total and len(wrong["parts"]) == 4


def test_a_total_with_a_comma_is_judged_by_what_it_means(client: TestClient) -> None:
    seed = next(seed for seed in range(99) if (it := pile(Random(seed), level=5)).total >= 1000)
    said = {"seed": seed, "level": 5, "total": f"{float(it.total):,.2f}"}
    assert "," in said["total"] and client.post("/api/drills/chips", json=said).json()["right"] is True
    half = next(seed for seed in range(99) if (it := pile(Random(seed), level=5)).total.denominator == 2)
    said = {"seed": half, "level": 5, "total": format_amount(it.total).replace(".", ",")}
    assert client.post("/api/drills/chips", json=said).json()["right"] is True


@pytest.mark.parametrize("total", ["-5", "1/2", "1.000", "1,0000", "3.330.00"])
def test_what_is_no_total_is_refused_as_it_was_typed_and_not_judged(client: TestClient, total: str) -> None:
    answer = client.post("/api/drills/chips", json={"seed": 1, "level": 2, "total": total})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(f"'{total}' ") and "write" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "said", "words"),
    [
        ("hand", {"seed": 1, "rules": "whist", "answer": "hit"}, "not known"),
        ("hand", {"seed": -1, "rules": "home", "answer": "hit"}, "not known"),
        ("hand", {"seed": 1, "rules": "home", "answer": "dance"}, "dance"),
        ("chips", {"seed": 1, "level": 9, "total": "5"}, "not known"),
        ("chips", {"seed": 1, "level": 2, "total": "a lot"}, "a lot"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(client: TestClient, path: str, said: dict[str, object], words: str) -> None:
    answer = client.post(f"/api/drills/{path}", json=said)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def test_unknown_rules_are_refused_with_those_there_are(client: TestClient) -> None:
    answer = client.get("/api/drills/hand?rules=whist")
    assert answer.status_code == 422 and "six-deck-s17" in answer.json()["error"]


OWN = ChipSet({"dragon": 25, "koi": "2.50"})


def own_table(name: str = "blackjack", **values: object) -> TableState:
    """A table with house rules of its own."""
    rules = next(iter(game(name).presets().values())).with_values(values)
    return begin(name, rules, "ours, changed", "", 5)


def asked_at(state: TableState, chips: ChipSet = OWN) -> TestClient:
    app = FastAPI()
    app.include_router(drills_router(chips, lambda: state, iter(range(100)).__next__))
    return TestClient(app)


def test_a_hand_is_asked_and_judged_by_the_rules_of_the_table() -> None:
    state = own_table(decks=1, surrender="early", double_on="9-11")
    client = asked_at(state)
    for seed in range(20):
        asked = client.get("/api/drills/hand").json()
        assert asked["house"].startswith("ours, changed: 1 deck, ")
        hand = question(state.rules, Random(seed))
        assert asked["answers"] == [str(action) for action in answers(state.rules, hand)]
        best = str(advise(state.rules, hand.cards, hand.upcard).action)
        said = {"seed": asked["seed"], "rules": asked["rules"], "answer": best}
        assert client.post("/api/drills/hand", json=said).json()["right"] is True


def test_a_hand_is_not_judged_by_other_rules_than_it_was_asked_by() -> None:
    asked = asked_at(own_table(decks=1)).get("/api/drills/hand").json()
    said = {"seed": asked["seed"], "rules": asked["rules"], "answer": asked["answers"][0]}
    assert asked_at(own_table(decks=1)).post("/api/drills/hand", json=said).status_code == 200
    for changed in (own_table(decks=2), own_table("punto-banco")):
        answer = asked_at(changed).post("/api/drills/hand", json=said)
        assert answer.status_code == 409
        assert answer.json()["error"] == (
            "The table's rules have changed since this hand was asked: take the next one."
        )


def test_where_the_table_plays_another_game_hands_are_asked_by_the_usual_rules() -> None:
    asked = asked_at(own_table("punto-banco")).get("/api/drills/hand").json()
    assert asked["rules"] == "six-deck-s17" and asked["house"].startswith("six-deck-s17: 6 decks, ")


def test_a_pile_is_of_the_chips_of_the_table() -> None:
    client = asked_at(own_table())
    asked = client.get("/api/drills/chips?level=5").json()
    assert (asked["level"], asked["levels"], asked["colours"]) == (1, 1, ["dragon", "koi"])
    assert [(it["colour"], it["value"]) for it in asked["stacks"]] == [("dragon", "25"), ("koi", "2.50")]
    total = format_amount(sum(OWN.value(it["colour"]) * it["count"] for it in asked["stacks"]))
    said = {"seed": asked["seed"], "level": asked["level"], "chips": asked["chips"], "total": total}
    found = client.post("/api/drills/chips", json=said).json()
    assert found["right"] is True and any("dragon at 25" in part for part in found["parts"])
    other = asked_at(own_table(), DEFAULT_CHIPS).post("/api/drills/chips", json=said)
    assert other.status_code == 409 and "chips have changed" in other.json()["error"]


def test_a_served_table_lends_the_drills_its_rules_and_its_chips() -> None:
    log = MemoryLog(own_table(decks=2))
    table: LiveTable = live_table(ABSENT, log)
    table.chips = OWN
    with TestClient(create_app(table), base_url=HERE) as client:
        assert client.get("/api/drills/hand").json()["house"].startswith("ours, changed: 2 decks, ")
        assert client.get("/api/drills/chips").json()["colours"] == ["dragon", "koi"]


def test_what_is_repeated_of_a_long_answer_is_cut(client: TestClient) -> None:
    for path, said in (
        ("hand", {"seed": 1, "rules": "home", "answer": "x" * 3000}),
        ("chips", {"seed": 1, "level": 2, "total": "8" * 3000}),
    ):
        assert len(client.post(f"/api/drills/{path}", json=said).json()["error"]) < 150
