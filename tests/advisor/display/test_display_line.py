"""The line between page and server: lost is said within two seconds, it heals, and nothing is sent meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

import fake_states as states
import pytest
from fake_table import FakeTable

pytest.importorskip("playwright")
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.slow

Open = Callable[..., Page]
LATE = 1.5
"""Seconds that a crowded machine may add to what the page itself takes."""


def test_a_lost_line_is_said_nothing_is_sent_and_it_heals(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats())
    split = page.get_by_role("button", name="Split", exact=True)
    expect(split).to_be_enabled()
    connection = page.get_by_test_id("connection")
    table.down = True
    expect(connection).to_have_text("The display lost the server; trying again…")
    expect(page.locator(".board")).to_have_attribute("data-state", "stale")
    expect(split).to_have_attribute("aria-disabled", "true")
    split.click(force=True)
    expect(page.get_by_test_id("trouble")).to_contain_text("Not sent: the display has lost the server.")
    assert table.changes() == []
    time.sleep(0.6)  # long enough that it is also refused at least once
    state = states.three_seats()
    state["played"]["hands"][1] |= {"action": "stand", "total": "hard 18"}
    table.push(state)
    table.down = False
    expect(page.locator('[data-seat="2"]').get_by_test_id("hand-action")).to_have_text("Stand")
    expect(connection).to_have_attribute("data-state", "open")
    expect(page.locator(".board")).to_have_attribute("data-state", "live")
    expect(split).to_have_attribute("aria-disabled", "false")


def test_a_line_that_dies_without_a_word_is_found_out_within_two_seconds(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats())
    expect(page.get_by_test_id("hand")).to_have_count(3)
    page.evaluate(
        """() => {
            window.lostAfter = null;
            const node = document.querySelector('[data-testid=connection]');
            window.start = () => {
                const from = performance.now();
                new MutationObserver(() => {
                    if (node.dataset.state === 'lost') window.lostAfter ??= performance.now() - from;
                }).observe(node, {attributes: true});
            };
        }"""
    )
    table.deaf = True
    page.evaluate("window.start()")
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    assert page.evaluate("window.lostAfter") < 1000 * (2 + LATE)
    table.deaf = False
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open")


def test_a_quiet_table_is_not_a_lost_one(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats())
    expect(page.get_by_test_id("hand")).to_have_count(3)
    time.sleep(3)
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open")


def test_camera_troubles_are_said(page: Page, table: FakeTable) -> None:
    camera = page.get_by_test_id("camera")
    state = states.three_seats()
    table.push(state)
    expect(camera).to_have_text("Camera live")
    state["settled"] = False
    table.push(state)
    expect(camera).to_have_text("Cards moving")
    for trouble, words in (
        ("dark", "too dark"),
        ("covered", "covers"),
        ("frozen", "stands still"),
        ("moved", "was moved"),
    ):
        state["camera"]["trouble"] = trouble
        table.push(state)
        expect(camera).to_contain_text(words)
        expect(camera).to_have_attribute("data-state", "trouble")
    state["camera"] |= {"trouble": None, "state": "lost", "message": "The camera was unplugged. Plug it in again."}
    table.push(state)
    expect(camera).to_have_text("The camera was unplugged. Plug it in again.")
    expect(page.locator(".board")).to_have_attribute("data-state", "stale")
    state["camera"] |= {"state": "ended", "message": "The video has ended."}
    state["picture"] = None
    table.push(state)
    expect(camera).to_have_text("The video has ended.")
    expect(page.get_by_test_id("picture")).to_be_hidden()
    expect(page.get_by_test_id("picture-note")).to_be_visible()


def test_ten_states_a_second_redraw_only_what_changed(page: Page, table: FakeTable) -> None:
    state = states.seven_seats()
    table.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(11)
    page.wait_for_timeout(300)
    page.evaluate(
        """() => {
            window.touched = 0;
            new MutationObserver((all) => { window.touched += all.length; })
                .observe(document.querySelector('[data-testid=hands]'), {subtree: true, childList: true});
        }"""
    )
    for number in range(20):
        state["ms"] = {"total": 80 + number}
        table.push(state)
        time.sleep(0.1)
    expect(page.get_by_test_id("read-time")).to_have_text("Read in 99 ms")
    assert page.evaluate("window.touched") == 0
    state["played"]["hands"][0]["total"] = "hard 20"
    table.push(state)
    expect(page.locator('[data-seat="1"]').get_by_test_id("hand-total")).to_have_text("hard 20")
    assert page.evaluate("window.touched") < 20


def test_drawing_a_full_table_takes_less_than_a_picture_lasts(page: Page, table: FakeTable) -> None:
    """Processor time of the page for states that change every hand; measured by the browser, not by the wall."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = client.send("Performance.getMetrics")["metrics"]
        return float(next(it["value"] for it in metrics if it["name"] == "TaskDuration"))

    state = states.seven_seats()
    table.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(11)
    before = busy()
    for number in range(20):
        for it in state["played"]["hands"]:
            it["total"] = f"hard {number}"
        table.push(state)
        time.sleep(0.1)
    expect(page.locator('[data-seat="1"]').get_by_test_id("hand-total")).to_have_text("hard 19")
    assert (busy() - before) / 20 < 0.1
    client.detach()


def test_several_pages_show_the_same_table(browser: Browser, table: FakeTable) -> None:
    context = browser.new_context(viewport={"width": 800, "height": 600}, reduced_motion="reduce")
    try:
        pages = [context.new_page() for _ in range(6)]
        for page in pages:
            page.goto(table.url + "players", wait_until="commit")
        table.push(states.three_seats())
        for page in pages:
            expect(page.get_by_test_id("hand")).to_have_count(3)
    finally:
        context.close()


@pytest.mark.parametrize("nonsense", [{}, {"version": 2}, {"version": 2, "played": None}, {"version": 2, "played": {}}])
def test_a_state_that_lacks_things_does_not_break_the_page(
    page: Page, table: FakeTable, nonsense: states.State
) -> None:
    table.push({"picture": None} | nonsense)
    page.wait_for_timeout(150)
    table.push(states.three_seats())
    expect(page.get_by_test_id("hand")).to_have_count(3)
