"""Drills: the questions can be answered, the verdicts are those of the odds and of the chips."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.games.blackjack import PRESETS, Action, advise
from advisor.games.blackjack.drills import answers, judge, question
from advisor.money import DEFAULT_CHIPS, format_amount
from advisor.money.drills import MOST, pile
from advisor.service.drills_api import drills_router


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
