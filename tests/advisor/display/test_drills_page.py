"""The drills' page: a hand decided, a pile counted, the score kept, a server that fails said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from random import Random

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, expect
from serving import served

from advisor.games.blackjack import PRESETS, advise
from advisor.games.blackjack.drills import question
from advisor.money import DEFAULT_CHIPS, ChipSet, format_amount
from advisor.money.drills import pile
from advisor.service.drills_api import drills_router

pytestmark = pytest.mark.slow


@pytest.fixture
def drills() -> Iterator[str]:
    """A server of the drills alone, whose questions are those of the seeds 0, 1, 2 and so on."""
    with serving() as address:
        yield address


@contextmanager
def serving(chips: ChipSet = DEFAULT_CHIPS, first: int = 0) -> Iterator[str]:
    app = FastAPI()
    numbers = count(first)
    app.include_router(drills_router(chips, new_seed=lambda: next(numbers)))
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


LOST = "The server does not answer, so nothing was counted. The question stays: answer again when it is back."


def test_a_total_with_a_comma_for_thousands_is_right(page: Page) -> None:
    first = next(seed for seed in count() if (it := pile(Random(seed), level=2)).total >= 1000)
    with serving(first=first) as address:
        page.goto(f"{address}#chips")
        page.get_by_test_id("total").fill(f"{float(it.total):,.2f}")
        page.get_by_test_id("answer").click()
        expect(page.get_by_test_id("verdict")).to_contain_text("Right.")


@pytest.mark.parametrize("typed", ["-5", "1/2", "3.330.00", "1.000"])
def test_what_is_no_total_is_told_and_not_counted(page: Page, drills: str, typed: str) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{drills}#chips")
    page.get_by_test_id("total").fill(typed)
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("verdict")).to_contain_text(f"'{typed}'")
    expect(page.get_by_test_id("score")).to_be_empty()
    expect(page.get_by_test_id("total")).to_have_value(typed)
    assert said == [], "the browser has nothing to complain of"
    page.get_by_test_id("total").fill("1")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("score")).to_contain_text("0 of 1 right")


def test_while_the_line_is_gone_the_hand_stays_and_can_be_answered_after(page: Page, drills: str) -> None:
    page.goto(drills)
    question_before = page.get_by_test_id("question").get_attribute("aria-label")
    page.route("**/api/**", lambda route: route.abort())
    page.click(f"[data-answer={_best(0)}]")
    expect(page.get_by_test_id("verdict")).to_have_text(LOST)
    expect(page.get_by_test_id("score")).to_be_empty()
    assert page.get_by_test_id("question").get_attribute("aria-label") == question_before
    page.unroute("**/api/**")
    page.click(f"[data-answer={_best(0)}]")
    expect(page.get_by_test_id("verdict")).to_contain_text("Right.")
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("verdict")).to_have_text("The server does not answer. Try again when it is back.")
    page.unroute("**/api/**")
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("verdict")).to_be_empty()
    expect(page.get_by_test_id("score")).to_contain_text("1 of 1 right")


def test_while_the_line_is_gone_what_was_typed_stays(page: Page, drills: str) -> None:
    page.goto(f"{drills}#chips")
    total = format_amount(pile(Random(0), level=2).total)
    page.get_by_test_id("total").fill(total)
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("verdict")).to_have_text(LOST)
    expect(page.get_by_test_id("total")).to_have_value(total)
    page.unroute("**/api/**")
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("Right.")


def test_a_question_that_can_be_answered_no_more_makes_way_for_the_next(page: Page, drills: str) -> None:
    page.goto(drills)
    words = json.dumps({"error": "The table's rules have changed."})
    page.route("**/api/**", lambda route: route.fulfill(status=409, body=words))
    page.locator("[data-answer]").first.click()
    expect(page.get_by_test_id("verdict")).to_have_text("The table's rules have changed.")
    page.unroute("**/api/**")
    page.get_by_test_id("next").click()
    page.click(f"[data-answer={_best(1)}]")
    expect(page.get_by_test_id("score")).to_contain_text("1 of 1 right")


def test_a_long_text_does_not_widen_a_phone_s_page(page: Page, drills: str) -> None:
    page.goto(f"{drills}#chips")
    field = page.get_by_test_id("total")
    expect(field).to_be_focused()
    page.keyboard.insert_text("8" * 3000)
    assert len(field.input_value()) == 24
    field.evaluate("it => { it.value = '8'.repeat(3000); }")
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("…'")
    long = json.dumps({"error": "8" * 3000})
    page.route("**/api/**", lambda route: route.fulfill(status=503, body=long))
    field.fill("1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("888")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_reload_keeps_the_score_and_the_open_question_with_its_time(page: Page, drills: str) -> None:
    page.clock.install()
    page.goto(drills)
    page.click(f"[data-answer={_best(0)}]")
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("verdict")).to_be_empty()
    asked = page.get_by_test_id("question").get_attribute("aria-label")
    page.clock.fast_forward(70_000)
    page.reload()
    expect(page.get_by_test_id("score")).to_have_text("1 of 1 right · 1 in a row")
    assert page.get_by_test_id("question").get_attribute("aria-label") == asked
    page.click(f"[data-answer={_best(1)}]")
    expect(page.get_by_test_id("score")).to_have_text("2 of 2 right · 2 in a row")
    seconds = page.get_by_test_id("verdict").inner_text().removeprefix("Right. ").removesuffix(" s")
    assert float(seconds) >= 70
    page.reload()
    expect(page.get_by_test_id("score")).to_have_text("2 of 2 right · 2 in a row")
    assert page.get_by_test_id("question").get_attribute("aria-label") != asked


def test_what_a_tab_kept_and_cannot_be_used_is_left(page: Page, drills: str) -> None:
    for kept in ("{", "[]", '{"hand": {"score": {"right": -1}, "open": {"asked": {"seed": 1}, "began": 5}}}'):
        page.goto(drills)
        page.evaluate("(kept) => sessionStorage.setItem('tableside-drills', kept)", kept)
        page.reload()
        page.wait_for_selector("[data-answer]")
        expect(page.get_by_test_id("score")).to_be_empty()


def test_by_keyboard_the_next_question_has_the_focus(page: Page, drills: str) -> None:
    page.goto(drills)
    page.locator("[data-answer]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement === document.querySelectorAll('[data-answer]')[1]")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("verdict")).to_be_empty()
    expect(page.get_by_test_id("question")).to_be_focused()
    assert (page.get_by_test_id("question").get_attribute("aria-label") or "").startswith("The dealer shows ")
    page.keyboard.press("Tab")
    expect(page.locator("[data-answer]").first).to_be_focused()


def test_own_chips_keep_their_names_and_are_drawn_apart(page: Page) -> None:
    own = ChipSet({"dragon": 100, "koi": 25, "old-red": 5, "transparent": "0.50"})
    first = next(seed for seed in count() if pile(Random(seed), own, 3).way == "stacks")
    with serving(own, first) as address:
        page.goto(address)
        page.evaluate("localStorage.setItem('tableside-drills', '5')")
        page.goto("about:blank")
        page.goto(f"{address}#chips")
        expect(page.get_by_test_id("total")).to_be_focused()
        names = page.locator(".tube .value").all_inner_texts()
        assert names == ["dragon 100", "koi 25", "old red 5", "transparent 0.50"]
        drawn = [
            tube.locator("path.chip-edge").first.evaluate("it => getComputedStyle(it).fill")
            for tube in page.locator(".tube").all()
        ]
        assert len(set(drawn)) == 4 and drawn[2] == "rgb(181, 38, 30)"
        assert all(fill.startswith("rgb(") for fill in drawn), "none can be seen through"
        expect(page.get_by_role("button", name="More colours")).to_be_disabled()
