"""The side display in a real browser: what the server sends is what stands on the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import fake_states as states
import pytest
from fake_table import FakeTable

pytest.importorskip("playwright")
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.slow

Open = Callable[..., Page]


def hand(page: Page, seat: int, number: int = 1) -> Locator:
    return page.locator(f'[data-testid=hand][data-seat="{seat}"][data-hand="{number}"]')


def test_the_step_the_house_and_the_hands_are_shown_as_they_were_sent(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats())
    expect(page.get_by_test_id("step")).to_have_text("Seat 2: stand, hit, double, split or surrender?")
    expect(page.get_by_test_id("hand")).to_have_count(3)
    second = hand(page, 2)
    expect(second.get_by_test_id("hand-action")).to_have_text("Split")
    expect(second.get_by_test_id("hand-total")).to_have_text("hard 16")
    expect(second.get_by_role("img", name="eight of clubs")).to_be_visible()
    expect(second.get_by_role("button", name="eight of diamonds")).to_be_visible()
    rows = second.locator(".value")
    assert [row.get_attribute("data-action") for row in rows.all()] == ["split", "surrender", "hit", "stand", "double"]
    expect(rows.first).to_contain_text("−0.481")
    house = page.get_by_test_id("house")
    expect(house.get_by_test_id("house-total")).to_have_text("10")
    expect(house.get_by_role("img", name="ten of hearts")).to_be_visible()
    expect(house.get_by_role("img", name="face down")).to_be_visible()
    expect(page.get_by_test_id("rules")).to_contain_text("dealer stands on soft 17")
    expect(page.get_by_test_id("game")).to_have_text("Blackjack")
    expect(page.get_by_test_id("round")).to_have_text("Round 3")
    expect(page.get_by_test_id("notices")).to_contain_text("The shoe was taken as shuffled.")
    expect(page.get_by_test_id("facts")).to_contain_text("Running count+4")
    expect(page.get_by_test_id("spoken")).to_have_attribute("aria-live", "polite")
    expect(page.get_by_test_id("spoken")).to_have_text("Seat 2: stand, hit, double, split or surrender?")


def test_the_step_and_the_advice_can_be_read_across_the_room(open_page: Open, table: FakeTable) -> None:
    """On a 24-inch screen at 1080p a capital of 40 pixels is 11 mm high: about 13 minutes of arc at three metres."""
    page = open_page(width=1920, height=1080)
    table.push(states.three_seats())
    expect(page.get_by_test_id("hand")).to_have_count(3)
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    assert page.get_by_test_id("step").evaluate(size) >= 56
    assert hand(page, 2).get_by_test_id("hand-action").evaluate(size) >= 56
    table.push(states.seven_seats())
    expect(page.get_by_test_id("hand")).to_have_count(11)
    assert hand(page, 4).get_by_test_id("hand-action").evaluate(size) >= 56


def test_cards_lie_on_the_page_as_on_the_table(page: Page, table: FakeTable) -> None:
    table.push(states.seven_seats())
    across = hand(page, 2).locator(".card.crosswise")
    expect(across).to_have_count(1)
    box = across.bounding_box()
    assert box and box["width"] > box["height"]
    expect(hand(page, 2).get_by_role("button", name="two of clubs, laid across")).to_be_visible()
    expect(hand(page, 7).locator("[data-gone]")).to_have_count(1)
    expect(hand(page, 7).get_by_role("button", name="nine of clubs, picked up")).to_be_visible()
    table.push(states.three_seats())
    expect(hand(page, 3).locator(".card-unsure")).to_have_attribute(
        "aria-label", "card not read surely, perhaps the six of diamonds"
    )
    table.push(states.pontoon())
    expect(hand(page, 2).locator(".card-back")).to_have_count(3)
    expect(hand(page, 2).get_by_role("img", name="face down, five of clubs")).to_be_visible()


def test_the_hand_whose_turn_it_is_stands_out(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats())
    expect(page.locator(".hand[data-active]")).to_have_count(1)
    expect(hand(page, 2).get_by_test_id("hand-now")).to_have_text("now")
    lit, dark = (hand(page, seat).evaluate("n => getComputedStyle(n).backgroundColor") for seat in (2, 1))
    assert lit != dark


def test_bets_and_payments_are_drawn_in_chips_with_the_amount_in_figures(page: Page, table: FakeTable) -> None:
    table.push(states.settlement())
    third = hand(page, 3)
    expect(third.get_by_test_id("hand-action")).to_have_text("+22.50")
    expect(third.get_by_test_id("hand-outcome")).to_have_text("blackjack pays 3:2")
    bet = third.get_by_test_id("bet")
    expect(bet).to_contain_text("15")
    expect(bet.get_by_role("img", name="3 red chips")).to_be_visible()
    paid = third.get_by_test_id("paid-chips")
    for chips in ("4 red chips", "2 white chips", "1 yellow chip"):
        expect(paid.get_by_role("img", name=chips)).to_be_visible()
    assert bet.locator(".disc").count() == 3
    expect(hand(page, 1).get_by_test_id("hand-outcome")).to_have_text("wins · paid")
    expect(hand(page, 4).get_by_test_id("hand-action")).to_have_text("0")
    expect(hand(page, 5).get_by_test_id("hand-action")).to_have_text("−1033")
    expect(hand(page, 5).get_by_test_id("hand-outcome")).to_have_text("bust · collected")
    expect(hand(page, 5).get_by_test_id("paid-chips")).to_have_count(0)
    expect(page.get_by_test_id("net")).to_contain_text("Seat 3 +22.50")


def test_a_bet_that_nobody_named_is_marked_as_assumed(page: Page, table: FakeTable) -> None:
    table.push(states.taking_bets())
    expect(hand(page, 2).get_by_test_id("bet")).to_contain_text("assumed")
    expect(hand(page, 1).get_by_test_id("bet")).not_to_contain_text("assumed")
    expect(hand(page, 4).get_by_test_id("bet").nth(1)).to_contain_text("21+3")


def test_a_bet_read_from_its_chips_is_marked_as_seen_and_one_that_was_said_is_not(page: Page, table: FakeTable) -> None:
    bets = [states.bet("10", seen=True), states.bet("5", "insurance", seen=True)]
    seats = [states.hand(1, 1, bets=bets), states.hand(2, 1, bets=[states.bet("15")])]
    table.push(states.state(states.played(hands=seats)))
    seen, insurance = (hand(page, 1).get_by_test_id("bet").nth(number) for number in (0, 1))
    expect(seen).to_contain_text("seen")
    expect(insurance).to_contain_text("insurance, seen")
    expect(hand(page, 2).get_by_test_id("bet")).to_have_text(re.compile(r"15$"))
    expect(page.locator(".bet.assumed")).to_have_count(0)


def test_chips_of_any_colour_and_number_are_drawn(page: Page, table: FakeTable) -> None:
    state = states.settlement()
    colours = ["red", "light-blue", "teal", "no-such-colour"]
    state["played"]["hands"][0]["bets"] = [
        {"name": "bet", "amount": "1/3", "assumed": False, "chips": []},
        {"name": "side", "amount": "400", "assumed": False, "chips": [{"colour": it, "count": 40} for it in colours]},
    ]
    table.push(state)
    first = hand(page, 1)
    expect(first.get_by_test_id("bet").first).to_have_text("1/3")
    expect(first.get_by_role("img", name="40 light blue chips")).to_be_visible()
    expect(first.get_by_test_id("bet").nth(1).locator(".chip-count").first).to_have_text("×40")
    fills = first.locator(".stack .disc:first-child .chip-edge").evaluate_all(
        "it => it.map(n => getComputedStyle(n).fill)"
    )
    assert len(set(fills[:4])) == 4 and "none" not in fills


def test_offers_that_differ_stand_at_their_hands_and_one_for_all_is_said_once(page: Page, table: FakeTable) -> None:
    state = states.insurance()
    table.push(state)
    expect(hand(page, 1).get_by_test_id("hand-offer")).to_contain_text("No insurance: 94 of 306")
    expect(hand(page, 2).get_by_test_id("hand-offer")).to_contain_text("No even money")
    del state["played"]["hands"][1]
    table.push(state)
    expect(page.get_by_test_id("notices")).to_contain_text("No insurance: 94 of 306")
    expect(hand(page, 1).get_by_test_id("hand-offer")).to_be_hidden()


def test_faults_stand_out_with_what_would_put_them_right(page: Page, table: FakeTable) -> None:
    table.push(states.faulty())
    faults = page.get_by_test_id("fault")
    expect(faults).to_have_count(2)
    expect(faults.nth(1)).to_contain_text("Seat 3 This may be the 6 of diamonds or the 9 of diamonds.")
    expect(faults.nth(1).get_by_role("button")).to_have_count(4)
    expect(page.get_by_test_id("problems")).to_have_text("Two cards lie between seats 2 and 3.")
    table.push(states.three_seats())
    expect(page.get_by_test_id("fault")).to_have_count(0)


def test_scoreboards_are_drawn_mark_for_mark(page: Page, table: FakeTable) -> None:
    state = states.punto_banco()
    table.push(state)
    bead, road = (page.locator(f'.grid[data-name="{name}"]') for name in ("bead-plate", "big-road"))
    plate, big = state["played"]["grids"]
    expect(bead.locator(".mark")).to_have_count(len(plate["cells"]))
    expect(road.locator(".mark")).to_have_count(len(big["cells"]))
    for kind in ("banker", "player", "tie"):
        count = sum(cell["kind"] == kind for cell in plate["cells"])
        expect(bead.locator(f'.mark[data-kind="{kind}"]')).to_have_count(count)
    expect(road.locator(".mark-tie")).to_have_count(sum("ties-1" in cell["marks"] for cell in big["cells"]))
    pairs = sum(mark.endswith("-pair") for cell in plate["cells"] for mark in cell["marks"])
    expect(bead.locator(".mark-pair")).to_have_count(pairs)
    last = plate["cells"][-1]
    box, board = bead.locator(".mark > circle:first-of-type").last.bounding_box(), bead.locator("svg").bounding_box()
    assert box and board
    cell = board["height"] / 6
    assert (box["x"] - board["x"]) // cell == last["column"] and (box["y"] - board["y"]) // cell == last["row"]
    expect(page.get_by_test_id("house-hand")).to_have_count(2)
    expect(page.get_by_test_id("house-total").first).to_have_text("5")


def test_the_newest_marks_of_a_long_road_are_in_view(page: Page, table: FakeTable) -> None:
    state = states.punto_banco()
    cells = [(column, 0, "banker", ()) for column in range(70)]
    state["played"]["grids"] = [states.grid("big-road", "Big road", 70, cells)]
    table.push(state)
    road = page.locator('.grid[data-name="big-road"]')
    expect(road.locator(".mark")).to_have_count(70)
    box, frame = road.locator(".mark").last.bounding_box(), road.locator(".grid-scroll").bounding_box()
    assert box and frame and box["x"] + box["width"] <= frame["x"] + frame["width"] + 1


def test_an_empty_table_shows_its_betting_circles(page: Page, table: FakeTable) -> None:
    table.push(states.empty_table())
    expect(page.get_by_test_id("felt").locator("circle")).to_have_count(7)
    expect(page.get_by_test_id("step")).to_contain_text("Take the bets")
    table.push(states.taking_bets())
    expect(page.get_by_test_id("felt")).to_be_hidden()
    expect(page.get_by_test_id("hand")).to_have_count(5)


def test_a_card_less_is_a_card_less(page: Page, table: FakeTable) -> None:
    state = states.three_seats()
    table.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(3)
    del state["played"]["hands"][2]
    state["sightings"] = states.seen(state["played"])
    state["played"]["hands"][1] |= {"action": "hit", "total": "hard 12"}
    table.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(2)
    expect(hand(page, 2).get_by_test_id("hand-action")).to_have_text("Hit")
    expect(page.get_by_test_id("overlay").locator("polygon")).to_have_count(len(state["sightings"]))
    table.push(states.empty_table())
    expect(page.get_by_test_id("hand")).to_have_count(0)
    expect(page.get_by_test_id("overlay").locator("polygon")).to_have_count(0)


def test_outlines_lie_on_the_picture_and_can_be_enlarged(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats())
    overlay = page.get_by_test_id("overlay")
    expect(overlay.locator("polygon.seen-unsure")).to_have_count(1)
    picture = page.get_by_test_id("picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("node => node.naturalWidth") == states.WIDTH
    photo, card = picture.bounding_box(), overlay.locator('[data-label="10H"]').bounding_box()
    assert photo and card
    scale = photo["width"] / states.WIDTH
    assert photo["height"] == pytest.approx(states.HEIGHT * scale, abs=1.5)
    middle = (card["x"] + card["width"] / 2 - photo["x"], card["y"] + card["height"] / 2 - photo["y"])
    assert middle == pytest.approx((610 * scale, 160 * scale), abs=3)
    page.get_by_test_id("enlarge").click()
    large = page.get_by_test_id("large-picture").bounding_box()
    assert large and large["width"] > 3 * photo["width"]
    expect(page.get_by_test_id("large-overlay").locator("polygon")).to_have_count(9)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("picture-sheet")).to_have_count(0)


def test_what_players_should_not_see_is_not_on_their_view(open_page: Open, table: FakeTable) -> None:
    """Even where the server had sent it."""
    page = open_page("players")
    table.push(states.pontoon())
    expect(page.get_by_test_id("hand")).to_have_count(4)
    expect(hand(page, 2).get_by_test_id("hand-action")).to_be_hidden()
    expect(hand(page, 2).locator('[data-label="5C"]')).to_have_count(0)
    expect(hand(page, 4).get_by_test_id("hand-action")).to_have_text("Done")
    expect(page.get_by_test_id("choices").locator("button")).to_have_count(0)
    expect(page.locator("button.card-button")).to_have_count(0)
    expect(page.get_by_test_id("undo")).to_have_count(0)
    table.push(states.faulty())
    expect(page.get_by_test_id("hand")).to_have_count(3)
    expect(page.get_by_test_id("fault")).to_have_count(0)
    expect(page.get_by_test_id("facts")).to_have_text(re.compile("^Cards left231 of 312$"))
    page.get_by_test_id("open-menu").click()
    expect(page.get_by_test_id("void-round")).to_have_count(0)
    expect(page.get_by_role("link", name="My own hand")).to_have_attribute("href", "/hand")
    expect(page.get_by_test_id("set-voice")).to_be_visible()


def test_a_role_of_viewer_shows_the_players_view_on_any_page(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats() | {"role": "viewer"})
    expect(page.get_by_test_id("hand")).to_have_count(3)
    expect(page.get_by_test_id("choices").locator("button")).to_have_count(0)
    expect(page.locator("button.card-button")).to_have_count(0)
    expect(page.get_by_test_id("facts")).not_to_contain_text("Running count")


def test_a_hand_in_full_is_one_tap_away(page: Page, table: FakeTable) -> None:
    state = states.seven_seats()
    table.push(state)
    hand(page, 6).get_by_test_id("hand-name").click()
    sheet = page.get_by_test_id("hand-sheet")
    expect(sheet).to_contain_text("Surrender: hard 16 against a 10 loses half the bet; hitting loses 0.53 bets.")
    expect(sheet.locator(".value")).to_have_count(2)
    expect(sheet.get_by_role("img", name="1 black chip")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(hand(page, 6).get_by_test_id("hand-name")).to_be_focused()


def test_text_from_the_server_is_text(page: Page, table: FakeTable) -> None:
    state = states.three_seats()
    state["problems"] = ["<b>Two</b> cards"]
    state["played"]["step"] = "<img src=x onerror=alert(1)>"
    table.push(state)
    expect(page.get_by_test_id("problems")).to_have_text("<b>Two</b> cards")
    expect(page.get_by_test_id("step")).to_have_text("<img src=x onerror=alert(1)>")


def test_a_store_that_cannot_keep_the_session_is_said(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats() | {"store": {"ok": False, "message": "The disk is full: free some space."}})
    expect(page.get_by_test_id("problems")).to_have_text("The disk is full: free some space.")


def test_another_version_of_the_server_is_said(page: Page, table: FakeTable) -> None:
    table.push(states.three_seats() | {"version": 3})
    expect(page.get_by_test_id("connection")).to_have_text("This page does not match the server. Reload the page.")
