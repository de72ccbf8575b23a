"""The drills' page: a hand decided, a pile counted, the score kept, a server that fails said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, expect
from serving import served

from advisor.games.blackjack import PRESETS, advise
from advisor.games.blackjack.drills import question
from advisor.money import format_amount
from advisor.money.drills import pile
from advisor.service.drills_api import drills_router

pytestmark = pytest.mark.slow


@pytest.fixture
def drills() -> Iterator[str]:
    """A server of the drills alone, whose questions are those of the seeds 0, 1, 2 and so on."""
    app = FastAPI()
    numbers = count()
    app.include_router(drills_router(new_seed=lambda: next(numbers)))
    with served(app, "drills") as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened
    opened.close()
    assert wrong == []


def test_the_best_move_is_right_and_is_counted(page: Page, drills: str) -> None:
    page.goto(drills)
    rules = PRESETS["six-deck-s17"]
    asked = question(rules, Random(0))
    best = advise(rules, asked.cards, asked.upcard).action
    page.click(f"[data-answer={best}]")
    expect(page.get_by_test_id("verdict")).to_contain_text("Right.")
    expect(page.get_by_test_id("score")).to_contain_text("1 of 1 right")
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("verdict")).to_be_empty()
    worse = next(b for b in page.query_selector_all("[data-answer]") if b.get_attribute("data-answer") != _best(1))
    worse.click()
    expect(page.get_by_test_id("score")).to_contain_text("1 of 2 right")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def _best(seed: int) -> str:
    rules = PRESETS["six-deck-s17"]
    asked = question(rules, Random(seed))
    return str(advise(rules, asked.cards, asked.upcard).action)


def test_a_total_is_judged_and_nobody_reads_the_count_out(page: Page, drills: str) -> None:
    page.goto(f"{drills}#chips")
    page.get_by_test_id("total").fill(format_amount(pile(Random(0), level=2).total))
    names = [node.get_attribute("aria-label") or "" for node in page.query_selector_all(".drill svg[role=img]")]
    assert not any(letter.isdigit() for name in names for letter in name)
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("Right.")


def test_a_server_that_fails_is_said_and_asked_again(page: Page, drills: str) -> None:
    page.route("**/api/**", lambda route: route.fulfill(status=500, body=json.dumps({"error": "The odds are away."})))
    page.goto(drills)
    expect(page.get_by_test_id("verdict").or_(page.locator(".verdict"))).to_contain_text("The odds are away.")
    page.unroute("**/api/**")
    page.get_by_text("Try again").click()
    page.wait_for_selector("[data-answer]")
