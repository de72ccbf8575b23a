"""Every game's own answers on the page: what a game says of a round is what the dealer reads."""

from __future__ import annotations

import re
from collections.abc import Callable

import fake_states as states
import game_states
import pytest
from fake_table import FakeTable

pytest.importorskip("playwright")
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

SCENES: dict[str, Callable[[], states.State]] = {
    "blackjack": game_states.blackjack,
    "blackjack-paid": game_states.blackjack_paid,
    "pontoon": game_states.pontoon,
    "punto-banco": game_states.punto_banco,
}


def show(page: Page, table: FakeTable, state: states.State) -> states.State:
    table.push(state)
    expect(page.get_by_test_id("step")).to_have_text(state["played"]["step"])
    return state


@pytest.mark.parametrize("name", SCENES)
def test_a_game_s_answer_is_shown_whole(page: Page, table: FakeTable, name: str) -> None:
    state = show(page, table, SCENES[name]())
    played = state["played"]
    assert not played["faults"], "the bench's own scene is wrong"
    expect(page.get_by_test_id("hand")).to_have_count(len(played["hands"]))
    expect(page.get_by_test_id("house-hand")).to_have_count(len(played["house"]))
    for it in played["hands"]:
        root = page.locator(f'.hand[data-seat="{it["place"]["seat"]}"][data-hand="{it["place"]["hand"]}"]')
        expect(root.locator(".hand-title")).to_have_text(it["title"])
        expect(root.locator(".card")).to_have_count(len(it["cards"]))
        expect(root.get_by_test_id("hand-total")).to_have_text(it["total"])
        if it["action"] and not it["payment"]:
            expect(root.get_by_test_id("hand-action")).to_have_text(re.compile(f"^{it['action']}$", re.IGNORECASE))
        for bet in it["bets"]:
            expect(root.get_by_test_id("hand-bets")).to_contain_text(bet["amount"])
    for it in played["choices"]:
        expect(page.get_by_role("button", name=it["words"], exact=True).first).to_be_attached()
    expect(page.locator(".fact")).to_have_count(len(played["facts"]))
    expect(page.get_by_test_id("net")).to_have_text("" if played["phase"] != "settle" else re.compile("Seat 5 "))


def test_the_scoreboard_and_the_chances_of_the_shoe_stand_beside_the_seats(page: Page, table: FakeTable) -> None:
    state = show(page, table, game_states.punto_banco())
    plate, road = state["played"]["grids"]
    expect(page.locator('.grid[data-name="bead-plate"] .mark')).to_have_count(len(plate["cells"]))
    expect(page.locator('.grid[data-name="big-road"] .mark')).to_have_count(len(road["cells"]))
    expect(page.locator('.grid[data-name="big-road"] .mark-tie')).to_have_count(
        sum(any(mark.startswith("ties-") for mark in cell["marks"]) for cell in road["cells"])
    )
    expect(page.get_by_test_id("low").locator(".fact").first).to_be_visible()
    expect(page.locator('.low .fact[data-name="chance-banker"]')).to_contain_text("45.")


def test_no_choice_is_out_of_reach_even_about_a_hand_that_is_not_there_yet(page: Page, table: FakeTable) -> None:
    state = show(page, table, game_states.fourteen_seats())
    wanted = [it["words"] for it in state["played"]["choices"] if it["place"] == {"seat": 1, "hand": 2}]
    assert wanted, "the bench's own scene is wrong"
    page.locator('.hand[data-seat="1"] .hand-tells button:visible').click()
    for words in wanted:
        expect(page.get_by_test_id("hand-sheet").get_by_role("button", name=words, exact=True)).to_be_visible()


@pytest.mark.parametrize("name", SCENES)
def test_players_get_no_choices_no_faults_and_nothing_private(page: Page, table: FakeTable, name: str) -> None:
    state = SCENES[name]()
    shown = show(page, table, state | {"role": "viewer"})
    open_facts = [fact for fact in shown["played"]["facts"] if not fact["private"]]
    expect(page.locator(".fact")).to_have_count(len(open_facts))
    expect(page.get_by_test_id("choices").locator("button")).to_have_count(0)
    expect(page.locator("button.card-button")).to_have_count(0)
