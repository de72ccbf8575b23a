"""Choosing the game and its rules, the felt's corners, the phone's code, and this display's own settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import cv2
import fake_states as states
import numpy as np
import pytest
from fake_table import FakeTable

pytest.importorskip("playwright")
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

Open = Callable[..., Page]


def posted(table: FakeTable, path: str = "/api/table") -> Any:
    limit = time.monotonic() + 15
    while not (found := [body for at, body in table.said if at == path]):
        assert time.monotonic() < limit, "nothing was posted"
        time.sleep(0.02)
    return found[-1]


def open_from_menu(page: Page, name: str) -> None:
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id(f"open-{name}").click()


def test_the_table_is_set_with_only_the_rules_that_were_changed(page: Page, table: FakeTable) -> None:
    open_from_menu(page, "setup")
    sheet = page.get_by_test_id("setup")
    sheet.get_by_test_id("setup-preset").select_option("shoe")
    expect(sheet).to_contain_text("6 decks, dealer stands on soft 17")
    sheet.get_by_label("Minimum").fill("2.50")
    sheet.get_by_label("Decks").select_option("2")
    sheet.get_by_text("Every rule").click()
    sheet.get_by_label("Double soft").select_option("no")
    expect(sheet).to_contain_text("3 rules changed")
    sheet.get_by_test_id("setup-seats").fill("5")
    sheet.get_by_test_id("setup-layout").select_option("kitchen")
    sheet.get_by_test_id("setup-save").click()
    assert posted(table) == {
        "op": "set-table", "game": "blackjack", "rules": "shoe", "layout": "kitchen", "seats": 5,
        "overrides": {"decks": "2", "double_soft": "no", "minimum": "2.50"},
    }  # fmt: skip
    expect(sheet).to_have_count(0)


def test_the_chooser_opens_on_the_game_that_is_played(page: Page, table: FakeTable) -> None:
    table.push(states.pontoon())
    expect(page.get_by_test_id("game")).to_have_text("Pontoon")
    open_from_menu(page, "setup")
    sheet = page.get_by_test_id("setup")
    expect(sheet.get_by_role("radio", name="Pontoon")).to_be_checked()
    expect(sheet.get_by_label("Decks")).to_have_value("1")
    expect(sheet.get_by_test_id("setup-seats")).to_have_value("6")
    expect(sheet.get_by_test_id("setup-preset")).to_have_value(states.pontoon()["rules"]["name"])
    sheet.get_by_role("radio", name="Blackjack").check()
    expect(sheet.get_by_label("Decks")).to_be_visible()
    assert sheet.get_by_test_id("setup-preset").evaluate("it => it.selectedIndex") == 0
    sheet.get_by_test_id("setup-layout").select_option("")
    sheet.get_by_test_id("setup-save").click()
    assert posted(table)["layout"] is None
    assert posted(table)["overrides"] == {}


def test_rules_that_the_server_refuses_stay_open_with_its_sentence(page: Page, table: FakeTable) -> None:
    open_from_menu(page, "setup")
    sheet = page.get_by_test_id("setup")
    table.refusal = "house rule minimum cannot be -5: it must be a positive exact amount"
    sheet.get_by_label("Minimum").fill("-5")
    sheet.get_by_test_id("setup-save").click()
    expect(sheet.get_by_role("alert")).to_contain_text("house rule minimum cannot be -5")
    expect(sheet.get_by_label("Minimum")).to_have_value("-5")


def test_the_chooser_has_an_address_of_its_own(open_page: Open) -> None:
    expect(open_page("setup").get_by_test_id("setup")).to_be_visible()


def test_the_corners_of_the_felt_are_dragged_and_moved_by_keys(page: Page, table: FakeTable) -> None:
    open_from_menu(page, "corners")
    corners = page.get_by_test_id("corner")
    expect(corners).to_have_count(4)
    expect(corners.first).to_have_accessible_name("Far left corner")
    board = page.locator(".corner-board").bounding_box()
    start = corners.nth(2).bounding_box()
    assert board and start
    scale = board["width"] / states.WIDTH
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(board["x"] + 1000 * scale, board["y"] + 600 * scale, steps=4)
    page.mouse.up()
    corners.first.focus()
    for key in ("ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    page.get_by_test_id("save-corners").click()
    sent = posted(table, "/api/corners")["corners"]
    assert sent[0] == [129, 82] and sent[1] == [1152, 72] and sent[3] == [128, 648]
    assert sent[2] == pytest.approx([1000, 600], abs=3)


HALF_ROUND = [
    "the end of the straight edge at the dealer's right hand",
    "the end of the straight edge at the dealer's left hand",
    "the middle of the bet of seat 3",
    "the middle of the bet of seat 5",
]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_which_mark_goes_where_stands_beside_the_picture(
    open_page: Open, table: FakeTable, width: int, height: int
) -> None:
    table.places = HALF_ROUND
    page = open_page(width=width, height=height)
    open_from_menu(page, "corners")
    figures = page.locator(".corner-badge")
    expect(figures).to_have_text(["1", "2", "3", "4"])
    places = page.get_by_test_id("corner-legend").get_by_role("listitem")
    expect(places).to_have_text([f"{number}{name[0].upper()}{name[1:]}" for number, name in enumerate(HALF_ROUND, 1)])
    for shown in (*figures.all(), *places.all()):
        expect(shown).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("corners")).to_contain_text("onto its place on the felt")
    page.get_by_test_id("corner").nth(2).focus()
    expect(page.locator(".corner-place[data-active]")).to_contain_text("The middle of the bet of seat 3")


def test_the_menu_waits_for_the_first_word_of_the_table(open_page: Open, table: FakeTable) -> None:
    # Opened before, it would offer to place the corners and then say that there is no picture.
    table.deaf = True
    page = open_page()
    menu = page.get_by_test_id("open-menu")
    expect(menu).to_be_disabled()
    table.deaf = False
    expect(menu).to_be_enabled()
    open_from_menu(page, "corners")
    expect(page.get_by_test_id("corner")).to_have_count(4)


def test_an_open_menu_offers_what_the_table_is_now(page: Page, table: FakeTable) -> None:
    bare = states.empty_table()
    bare["picture"] = None
    table.push(bare)
    expect(page.get_by_test_id("picture")).to_be_hidden()
    page.get_by_test_id("open-menu").click()
    table.push(states.empty_table())
    expect(page.get_by_test_id("picture")).to_be_visible()
    page.get_by_test_id("open-corners").click()
    expect(page.get_by_test_id("corner")).to_have_count(4)


def test_marks_that_nobody_has_moved_are_not_kept(page: Page, table: FakeTable) -> None:
    open_from_menu(page, "corners")
    save = page.get_by_test_id("save-corners")
    expect(save).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_test_id("corner-first")).to_contain_text("Drag the marks onto the felt first")
    save.click(force=True)
    page.wait_for_timeout(200)
    assert table.said == []
    page.get_by_test_id("corner").first.click()
    expect(save).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowRight")
    expect(save).to_have_attribute("aria-disabled", "false")
    expect(page.get_by_test_id("corner-first")).to_be_empty()
    save.click()
    assert posted(table, "/api/corners")["corners"][0] == [129, 72]


def test_places_that_are_known_can_be_kept_as_they_are(page: Page, table: FakeTable) -> None:
    table.corners = [[200, 100], [1000, 110], [1100, 640], [150, 650]]
    open_from_menu(page, "corners")
    page.get_by_test_id("save-corners").click()
    assert posted(table, "/api/corners")["corners"] == table.corners


def test_known_corners_are_shown_and_can_be_forgotten(page: Page, table: FakeTable) -> None:
    table.corners = [[200.4, 100], [1000, 110], [1100, 640], [150, 650]]
    open_from_menu(page, "corners")
    expect(page.get_by_test_id("corner").first).to_have_attribute(
        "aria-valuetext", "Far left corner: 200 across, 100 down"
    )
    page.get_by_test_id("forget-corners").click()
    assert posted(table, "/api/corners") == {"corners": None}


def test_the_code_for_a_phone_can_be_read_by_a_phone(open_page: Open, table: FakeTable) -> None:
    """Read back with OpenCV's own reader, from the screen's pixels."""
    page = open_page()
    address = "http://192.168.178.23:8765/?pair=K7QF-29XM"
    table.lan = {"url": address, "code": "K7QF-29XM"}
    open_from_menu(page, "share")
    expect(page.get_by_test_id("share")).to_contain_text("K7QF-29XM")
    expect(page.get_by_test_id("share")).to_contain_text(address)
    shot = page.locator(".qr").screenshot()
    found, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR))
    assert found == address


def device(number: int, name: str, role: str, minutes: float = 0) -> dict[str, Any]:
    seen = int(time.time() - 60 * minutes)
    return {"id": f"d{number}", "name": name, "role": role, "paired": seen, "seen": seen}


def test_the_host_sees_both_codes_and_the_devices_and_sends_one_away(page: Page, table: FakeTable) -> None:
    table.lan = {"url": "http://192.168.178.23:8765/", "code": "402817", "viewer_code": "930154"}
    table.devices = [device(1, "Anna’s phone", "viewer", 200), device(2, "The tablet", "dealer")]
    open_from_menu(page, "share")
    expect(page.get_by_test_id("viewer-code")).to_have_text("930154")
    expect(page.get_by_test_id("dealer-code")).to_have_text("402817")
    entries = page.locator(".device")
    expect(entries).to_have_count(2)
    expect(entries.first).to_contain_text("players’ view · seen 3 hours ago")
    expect(entries.last).to_contain_text("dealer’s · seen just now")
    table.refusal = "There is no such device any more."
    page.get_by_role("button", name="Send away: Anna’s phone (players’ view)").click()
    expect(page.get_by_test_id("share").get_by_role("alert")).to_contain_text("no such device")
    table.refusal = None
    page.get_by_role("button", name="Send away: The tablet (dealer’s)").click()
    expect(entries).to_have_count(1)
    assert [path for path, _ in table.said] == ["/api/devices/d1", "/api/devices/d2"]
    # A device comes in by the players' code, which is spent with that: the sheet shows the next one by itself.
    table.lan = {**table.lan, "viewer_code": "118230"}
    table.devices = []
    expect(page.get_by_test_id("viewer-code")).to_have_text("118230")
    expect(page.get_by_test_id("share")).to_contain_text("None yet")


def test_a_paired_dealers_device_is_told_that_only_the_host_shows_codes(page: Page, table: FakeTable) -> None:
    sentence = "Only the machine that runs Tableside may do this."
    page.route("**/api/lan", lambda route: route.fulfill(status=403, json={"error": sentence}))
    open_from_menu(page, "share")
    expect(page.get_by_test_id("share")).to_contain_text(sentence)


def test_a_server_of_this_machine_only_says_so(page: Page, table: FakeTable) -> None:
    open_from_menu(page, "share")
    expect(page.get_by_test_id("share")).to_contain_text("Start it with --lan")
    expect(page.locator(".qr")).to_have_count(0)


VOICE = """
window.saidAloud = [];
Object.defineProperty(window, 'speechSynthesis', {value: {
    cancel() {}, speak(it) { window.saidAloud.push(it.text); },
}});
"""


def test_the_voice_is_off_until_it_is_switched_on_and_stays_so(open_page: Open, table: FakeTable) -> None:
    page = open_page(script=VOICE)
    table.push(states.three_seats())
    expect(page.get_by_test_id("hand")).to_have_count(3)
    page.wait_for_timeout(700)
    assert page.evaluate("window.saidAloud") == []
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("set-voice").check()
    page.wait_for_function("() => window.saidAloud.length === 1")
    page.reload()
    table.push(states.insurance())
    step = states.insurance()["played"]["step"]
    page.wait_for_function("(step) => window.saidAloud.at(-1) === step", arg=step)
    page.get_by_test_id("open-menu").click()
    expect(page.get_by_test_id("set-voice")).to_be_checked()


def test_steps_that_pass_quickly_are_not_all_said(open_page: Open, table: FakeTable) -> None:
    page = open_page(script=VOICE + "localStorage.setItem('tableside.display', '{\"voice\": true}');")
    state = states.three_seats()
    for number in range(5):
        state["played"]["step"] = f"Step {number}."
        table.push(state)
        time.sleep(0.05)
    page.wait_for_function("() => window.saidAloud.includes('Step 4.')")
    assert page.evaluate("window.saidAloud.length") <= 2


def test_the_picture_and_the_odds_can_be_put_away(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats())
    expect(page.locator(".hand .value").first).to_be_visible()
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("set-picture").uncheck()
    page.get_by_test_id("set-figures").uncheck()
    expect(page.get_by_test_id("picture")).to_be_hidden()
    expect(page.locator(".hand .value")).to_have_count(0)
    page.get_by_test_id("set-picture").check()
    page.get_by_test_id("set-figures").check()
    expect(page.get_by_test_id("picture")).to_be_visible()


def test_the_count_and_the_shoes_depth_can_be_switched_off_and_stay_so(open_page: Open, table: FakeTable) -> None:
    page = open_page()
    shown = states.three_seats()
    shown["played"]["facts"].append({"name": "owed", "words": "Seat 1 owes", "value": "5", "private": False})
    table.push(shown)
    facts = page.get_by_test_id("facts")
    expect(facts).to_contain_text("Running count+4")
    page.get_by_test_id("open-menu").click()
    expect(page.get_by_role("switch", name="Show the count and what is left of the shoe")).to_be_checked()
    page.get_by_test_id("set-count").uncheck()
    expect(facts).to_have_text("Seat 1 owes5")
    page.reload()
    table.push(states.three_seats())
    expect(page.get_by_test_id("hand")).to_have_count(3)
    expect(facts).to_be_hidden()
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("set-count").check()
    expect(facts).to_have_text("Cards left231 of 312Running count+4True count+0.9")


def test_players_have_no_count_and_no_switch_for_it(open_page: Open, table: FakeTable) -> None:
    page = open_page("players", script="localStorage.setItem('tableside.display', '{\"count\": true}');")
    table.push(states.three_seats())
    expect(page.get_by_test_id("facts")).to_have_text("Cards left231 of 312")
    page.get_by_test_id("open-menu").click()
    expect(page.get_by_test_id("set-voice")).to_be_visible()
    expect(page.get_by_test_id("set-count")).to_have_count(0)


def test_kept_settings_that_are_nonsense_are_passed_over(open_page: Open, table: FakeTable) -> None:
    page = open_page(script="localStorage.setItem('tableside.display', '{\"voice\": 7, \"picture\"');")
    table.push(states.three_seats())
    expect(page.get_by_test_id("hand")).to_have_count(3)
