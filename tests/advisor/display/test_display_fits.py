"""Nothing is cut, every target can be hit, every word can be read: at each size, in dark and in light."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fake_states as states
import game_states
import pytest
from fake_table import FakeTable

pytest.importorskip("playwright")
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

Open = Callable[..., Page]
SIZES = [(1920, 1080), (1280, 720), (1024, 768), (390, 844), (360, 640)]

CUT = """() => {
    const wrong = [];
    const scrolls = (node) => {
        for (let at = node.parentElement; at; at = at.parentElement) {
            if (at.matches('.grid-scroll, .faults, .low')) return true;
        }
        return false;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        const node = text.parentElement;
        if (!text.textContent.trim() || !node.checkVisibility() || scrolls(node)) continue;
        if (node.closest('.unseen, noscript, svg') || getComputedStyle(node).fontSize === '0px') continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) {
            for (let at = node; at && at !== document.documentElement; at = at.parentElement) {
                const style = getComputedStyle(at);
                const edge = at.getBoundingClientRect();
                if (style.textOverflow === 'ellipsis') wrong.push(`ellipsis: ${text.textContent}`);
                if (style.overflowX !== 'visible' && (box.right > edge.right + 1.5 || box.left < edge.left - 1.5)) {
                    wrong.push(`across: ${text.textContent} in ${at.className || at.tagName}`);
                }
                const below = box.bottom > edge.bottom + 3 || box.top < edge.top - 3;
                if (style.overflowY !== 'visible' && at !== document.body && below) {
                    wrong.push(`down: ${text.textContent} in ${at.className || at.tagName}`);
                }
            }
            if (box.right > innerWidth + 1 || box.left < -1) wrong.push(`beside the screen: ${text.textContent}`);
        }
    }
    return [...new Set(wrong)];
}"""

SMALL = """() => [...document.querySelectorAll('button, a[href], input, select, summary, .corner')].filter((node) => {
    if (!node.checkVisibility() || node.closest('label')) return false;
    // A fan of cards where there is little room is one target: every card of it opens the hand.
    const box = (node.closest('.hand-cards[data-tiny]') ?? node).getBoundingClientRect();
    return box.width < 43.5 || box.height < 43.5;
}).map((node) => `${node.className}: ${node.textContent} ${Math.round(node.getBoundingClientRect().width)} by ${
    Math.round(node.getBoundingClientRect().height)}`)"""

UNNAMED = """() => [...document.querySelectorAll(
    'button, a[href], input, select, [role=button], [role=slider], [role=img]')]
    .filter((node) => node.checkVisibility() && !node.closest('[aria-hidden=true]'))
    .filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim() || node.closest('label')))
    .map((node) => node.outerHTML.slice(0, 120))"""

FRAMES = """async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
}"""

FAINT = """() => {
    const parse = (text) => {
        const found = text.match(/[\\d.]+/g).map(Number);
        return found.length > 3 ? found : [...found, 1];
    };
    const over = (top, below) => top.slice(0, 3).map((it, i) => it * top[3] + below[i] * (1 - top[3]));
    const light = (rgb) => {
        const [r, g, b] = rgb.map((it) => (it /= 255) <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (node) => {
        const layers = [];
        for (let at = node; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour[3] > 0) layers.push(colour);
            if (colour[3] === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
    };
    const wrong = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || !node.checkVisibility()) continue;
        if (node.closest('.unseen, noscript, svg, [aria-disabled=true]')) continue;
        let faint = 1;
        for (let at = node; at; at = at.parentElement) faint *= Number(getComputedStyle(at).opacity);
        const style = getComputedStyle(node);
        const back = ground(node);
        const colour = parse(style.color);
        const seen = over([...colour.slice(0, 3), colour[3] * faint], back);
        const [a, b] = [light(seen), light(back)].sort((x, y) => y - x);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const ratio = (a + 0.05) / (b + 0.05);
        const words = node.textContent.slice(0, 30);
        if (ratio < (large ? 3 : 4.5)) wrong.add(`${node.className} "${words}" ${ratio.toFixed(2)}`);
    }
    return [...wrong];
}"""


def widest() -> states.State:
    """Seven seats, all split to four hands, with long words everywhere."""
    shown = states.seven_seats()
    hands = []
    for seat in range(1, 8):
        for number in range(1, 5):
            hands.append(
                states.hand(
                    seat, number, "10S 6H 2C 3D/" if number == 1 else "KS ?5D", "hard 16", action="surrender",
                    title=f"Seat {seat}, hand {number}", bets=[states.bet("1250.50")], active=(seat, number) == (4, 2),
                    values={"surrender": -0.5, "hit": -0.53}, why=["Surrender: " + "word " * 20],
                    problems=["One card is not read surely; check it."] if number == 3 else [],
                )
            )  # fmt: skip
    shown["played"]["hands"] = hands
    shown["sightings"] = states.seen(shown["played"])
    return shown


SCENES: dict[str, Callable[[], states.State]] = {
    **states.SCENES,
    "widest": widest,
    "game-blackjack": game_states.blackjack,
    "game-pontoon": game_states.pontoon,
    "game-punto-banco": game_states.punto_banco,
    "fourteen": game_states.fourteen_seats,
}


def settled(page: Page, table: FakeTable, state: states.State, width: int, height: int) -> None:
    """Show a state at a size and wait until it is drawn and fitted."""
    page.set_viewport_size({"width": width, "height": height})
    table.push(state)
    expect(page.get_by_test_id("round")).to_have_text(f"Round {state['round']}")
    page.evaluate(FRAMES)


@pytest.fixture(params=["dark", "light"])
def themed(page: Page, request: pytest.FixtureRequest) -> Page:
    page.emulate_media(color_scheme=request.param, reduced_motion="reduce")
    return page


@pytest.mark.parametrize("name", SCENES)
def test_no_word_is_cut_at_any_size(page: Page, table: FakeTable, name: str) -> None:
    for number, (width, height) in enumerate(SIZES):
        state = SCENES[name]() | {"round": 100 + number}
        settled(page, table, state, width, height)
        assert page.evaluate(CUT) == [], f"{name} at {width} by {height}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["seven", "widest", "punto", "settlement"])
def test_the_whole_table_stands_on_one_screen(page: Page, table: FakeTable, name: str) -> None:
    for number, (width, height) in enumerate(((1920, 1080), (1280, 720))):
        settled(page, table, SCENES[name]() | {"round": 200 + number}, width, height)
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        for it in page.locator(".hand").all():
            over = it.evaluate("node => node.scrollHeight - node.clientHeight")
            assert over <= 1, f"{it.get_attribute('data-seat')} is {over} pixels too high at {width} by {height}"


@pytest.mark.parametrize("name", ["three", "widest", "faults", "asking", "bets", "insurance", "punto"])
def test_every_target_is_large_enough_for_a_finger_and_has_a_name(page: Page, table: FakeTable, name: str) -> None:
    for number, (width, height) in enumerate(SIZES):
        settled(page, table, SCENES[name]() | {"round": 300 + number}, width, height)
        assert page.evaluate(SMALL) == [], f"{name} at {width} by {height}"
        assert page.evaluate(UNNAMED) == []


@pytest.mark.parametrize("name", ["three", "seven", "faults", "asking", "settlement", "punto"])
def test_every_word_stands_out_from_its_ground(themed: Page, table: FakeTable, name: str) -> None:
    settled(themed, table, SCENES[name]() | {"round": 400}, 1280, 720)
    assert themed.evaluate(FAINT) == []


def open_sheets(page: Page) -> list[tuple[str, Callable[[], Any]]]:
    def from_menu(name: str) -> Callable[[], Any]:
        def act() -> None:
            page.get_by_test_id("open-menu").click()
            page.get_by_test_id(f"open-{name}").click()

        return act

    return [
        ("menu", page.get_by_test_id("open-menu").click),
        ("card-sheet", page.locator('[data-seat="3"] .card-button').last.click),
        ("hand-sheet", page.locator('[data-seat="3"] .hand-name').click),
        ("add-sheet", from_menu("add")),
        ("setup", from_menu("setup")),
        ("corners", from_menu("corners")),
        ("share", from_menu("share")),
        ("picture-sheet", page.get_by_test_id("enlarge").click),
    ]


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_sheets_fit_and_can_be_read_and_hit(themed: Page, table: FakeTable, width: int, height: int) -> None:
    table.lan = {"url": "http://192.168.178.23:8765/", "code": "K7QF-29XM"}
    settled(themed, table, states.three_seats() | {"round": 500}, width, height)
    for name, act in open_sheets(themed):
        act()
        sheet = themed.get_by_test_id(name)
        expect(sheet.locator(".sheet-body > *").first).to_be_visible()
        box = sheet.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5, name
        assert box["y"] >= 0 and box["y"] + box["height"] <= height + 0.5, name
        assert sheet.evaluate("node => node.querySelector('.sheet-body').scrollWidth - node.clientWidth") <= 0, name
        assert [it for it in themed.evaluate(SMALL) if "chip" not in it] == [], name
        assert themed.evaluate(FAINT) == [], name
        assert themed.evaluate(UNNAMED) == [], name
        themed.keyboard.press("Escape")
        expect(themed.locator("dialog")).to_have_count(0)


def test_a_fan_too_small_for_a_finger_opens_the_hand_where_its_cards_are_large(page: Page, table: FakeTable) -> None:
    settled(page, table, widest() | {"round": 550}, 1280, 720)
    page.locator('[data-seat="2"][data-hand="1"] .card-button').nth(1).click()
    sheet = page.get_by_test_id("hand-sheet")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="six of hearts").click()
    expect(page.get_by_test_id("card-sheet")).to_contain_text("Six of hearts – Seat 2, hand 1")


def test_reasons_that_do_not_fit_are_left_out_whole_and_marked(page: Page, table: FakeTable) -> None:
    settled(page, table, states.seven_seats() | {"round": 600}, 1280, 720)
    third = page.locator('[data-seat="6"]')
    shown = third.locator(".reason:not(.left-out)").all_inner_texts()
    sent = states.seven_seats()["played"]["hands"]
    assert set(shown) <= {reason for it in sent for reason in it["why"]}
    expect(page.locator(".hand[data-more] .hand-more").first).to_have_text("more")


def test_motion_is_left_out_where_it_is_not_wanted(page: Page, table: FakeTable) -> None:
    settled(page, table, states.three_seats() | {"round": 700}, 1280, 720)
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter((node) => {
            const style = getComputedStyle(node);
            const moves = style.transitionDuration.split(',').some((it) => parseFloat(it) > 0);
            return (moves && style.transitionProperty !== 'none') || style.animationName !== 'none';
        }).map((node) => node.className)"""
    )
    assert moving == []
