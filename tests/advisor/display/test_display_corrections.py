"""What people say on the display: choices, amounts, corrections, undo; by touch, mouse and keyboard."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import fake_states as states
import pytest
from fake_table import FakeTable

pytest.importorskip("playwright")
from playwright.sync_api import Locator, Page, expect

from advisor.money import MoneyError, parse_amount, typed_amount

pytestmark = pytest.mark.slow

Open = Callable[..., Page]


def hand(page: Page, seat: int, number: int = 1) -> Locator:
    return page.locator(f'[data-testid=hand][data-seat="{seat}"][data-hand="{number}"]')


def told(table: FakeTable, count: int = 1) -> list[Any]:
    """What the page posted, once there are so many."""
    limit = time.monotonic() + 15
    while len(table.changes()) < count:
        assert time.monotonic() < limit, f"only {table.changes()} was posted"
        time.sleep(0.02)
    return table.changes()


def show(page: Page, table: FakeTable, state: states.State) -> states.State:
    table.push(state)
    expect(page.get_by_test_id("step")).to_have_text(state["played"]["step"])
    return state


def third_card(state: states.State) -> int:
    number = state["played"]["hands"][2]["cards"][1]["card"]
    assert isinstance(number, int)
    return number


def open_unsure(page: Page, table: FakeTable, state: states.State) -> Locator:
    show(page, table, state)
    hand(page, 3).get_by_role("button", name="card not read surely").click()
    return page.get_by_test_id("card-sheet")


def test_the_main_choice_is_the_big_button_and_sends_its_operation_as_it_came(page: Page, table: FakeTable) -> None:
    state = show(page, table, states.three_seats())
    buttons = page.get_by_test_id("choices").get_by_role("button")
    assert buttons.all_inner_texts() == ["Split", "Stand", "Hit", "Double", "Surrender"]
    sizes = [box["width"] * box["height"] for it in buttons.all() if (box := it.bounding_box())]
    assert sizes[0] == max(sizes) and sizes[0] > 1.3 * sizes[1]
    buttons.first.click()
    wanted = next(it["operation"] for it in state["played"]["choices"] if it["main"])
    assert told(table) == [{"op": "tell", "operation": wanted}]


def test_choices_about_another_hand_stand_at_that_hand(page: Page, table: FakeTable) -> None:
    show(page, table, states.insurance())
    assert page.get_by_test_id("choices").get_by_role("button").all_inner_texts() == ["Nobody insures"]
    hand(page, 2).get_by_role("button", name="Even money").click()
    assert told(table) == [{"op": "tell", "operation": {"op": "even-money", "seat": 2}}]


def test_a_doubt_about_a_bet_is_answered_with_one_tap_or_with_another_amount(page: Page, table: FakeTable) -> None:
    show(page, table, states.asking())
    unsure, either = page.get_by_test_id("question").all()
    expect(unsure).to_contain_text("It is probably 30: count it by hand.")
    assert either.get_by_role("button").all_inner_texts() == ["10", "25", "It is another amount"]
    either.get_by_role("button", name="25", exact=True).click()
    unsure.get_by_role("button", name="It is another amount").click()
    page.get_by_test_id("amount").press_sequentially("35")
    page.get_by_test_id("send-amount").click()
    amounts = [(it["operation"]["seat"], it["operation"]["amount"]) for it in told(table, 2)]
    assert amounts[0] == (2, "25") and amounts[1][0] == 1 and amounts[1][1].endswith("35")
    show(page, table, states.three_seats())
    expect(page.get_by_test_id("question")).to_have_count(0)


def test_a_wrong_payout_is_said_to_be_fine_by_a_correction_of_the_table(page: Page, table: FakeTable) -> None:
    state, said = states.three_seats(), {"op": "found-fine", "seat": 2, "bet": "insurance"}
    fault = {"words": "The insurance of seat 2: over by 5.", "place": {"seat": 2, "hand": 1}, "card": None}
    state["played"]["faults"] = [fault | {"choices": [states.choice("It is fine as it lies", said, (2, 1))]}]
    show(page, table, state)
    page.get_by_role("button", name="It is fine as it lies").click()
    assert told(table) == [said]


def test_many_choices_at_a_hand_are_one_tap_away(page: Page, table: FakeTable) -> None:
    state = states.punto_banco()
    state["played"] |= {"phase": "bets", "step": "Take the bets."}
    state["played"]["choices"] += [
        states.choice(f"Bet {name}", {"op": "bet", "seat": 4, "bet": name, "amount": "5"}, (4, 1))
        for name in ("banker", "player", "tie")
    ]
    show(page, table, state)
    hand(page, 4).get_by_role("button", name="Bet…").click()
    page.get_by_test_id("hand-sheet").get_by_role("button", name="Bet tie").click()
    assert told(table)[0]["operation"]["bet"] == "tie"
    expect(page.get_by_test_id("hand-sheet")).to_have_count(0)


def test_an_amount_is_typed_or_tapped_in_chips_and_stays_exact(page: Page, table: FakeTable) -> None:
    show(page, table, states.taking_bets())
    hand(page, 3).get_by_role("button", name="Bet").click()
    pad = page.get_by_test_id("keypad")
    expect(pad.get_by_test_id("send-amount")).to_have_attribute("aria-disabled", "true")
    for chip in ("Add 25 (green)", "Add 0.50 (yellow)", "Add 0.50 (yellow)", "Add 5 (red)", "Add 0.50 (yellow)"):
        pad.get_by_role("button", name=chip, exact=True).click()
    expect(pad.get_by_test_id("amount")).to_have_value("31.50")
    pad.get_by_role("button", name="Clear").click()
    for figure in ("1", "2", "Decimal point", "5"):
        pad.get_by_role("button", name=figure, exact=True).click()
    pad.get_by_test_id("send-amount").click()
    assert told(table) == [{"op": "tell", "operation": {"op": "bet", "seat": 3, "amount": "12.5"}}]
    expect(pad).to_have_count(0)
    hand(page, 1).get_by_role("button", name="Bet").click()
    expect(page.get_by_test_id("amount")).to_have_value("10")
    page.get_by_test_id("amount").press_sequentially("40")
    page.keyboard.press("Enter")
    assert told(table, 2)[1]["operation"]["amount"] in ("40", "1040")


@pytest.mark.parametrize(
    ("one", "other", "sum_"),
    [
        ("0", "5", "5"),
        ("0.50", "0.50", "1.00"),
        ("0.1", "0.2", "0.3"),
        ("7.50", "5", "12.50"),
        ("999999999", "1", "1000000000"),
    ],
)
def test_amounts_add_exactly(page: Page, one: str, other: str, sum_: str) -> None:
    found = page.evaluate(
        "async ([one, other]) => (await import('/static/keypad.js')).together(one, other)", [one, other]
    )
    assert found == sum_


def test_a_typed_amount_means_on_the_page_what_it_means_to_the_server(page: Page) -> None:
    chance = Random(5)
    texts = ["1,000", "25,000", "3,330.00", "7,5", ",5", "5.", "0,125", "1.250", "-5", "1/2", "8" * 3000, "007.50"]
    texts += ["".join(chance.choice("0012589.,,") for _ in range(chance.randint(0, 9))) for _ in range(4000)]
    read = (
        "async (texts) => { const { readAmount } = await import('/static/amounts.js'); return texts.map(readAmount); }"
    )
    meant = 0
    for text, found in zip(texts, page.evaluate(read, texts), strict=True):
        try:
            amount = typed_amount(text)
        except MoneyError as error:
            assert found == {"error": f"{error}."}, text
        else:
            meant += 1
            assert parse_amount(found["amount"]) == amount, text
    assert meant > 400


def test_a_doubtful_amount_is_told_while_it_is_typed_and_is_not_sent(page: Page, table: FakeTable) -> None:
    show(page, table, states.taking_bets())
    hand(page, 3).get_by_role("button", name="Bet").click()
    field, doubt, send = (page.get_by_test_id(it) for it in ("amount", "amount-doubt", "send-amount"))
    field.fill("1.000")
    expect(doubt).to_have_text("'1.000' may be 1000 or 1: write the one that you mean.")
    expect(send).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Add 25 (green)").click()
    expect(field).to_have_value("1.000")
    field.fill("25,")
    expect(doubt).to_be_empty()
    field.fill("25,000")
    expect(doubt).to_be_empty()
    expect(send).to_have_text("Say 25000")
    send.click()
    assert told(table) == [{"op": "tell", "operation": {"op": "bet", "seat": 3, "amount": "25000"}}]


def test_what_a_seat_usually_bets_can_be_said(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    hand(page, 3).get_by_test_id("hand-name").click()
    page.get_by_role("button", name="Usual bet…").click()
    page.get_by_test_id("keypad").get_by_role("button", name="Add 25 (green)").click()
    page.get_by_test_id("send-amount").click()
    assert told(table) == [{"op": "usual-bet", "seat": 3, "amount": "25"}]


def test_a_guess_is_confirmed_with_two_taps(page: Page, table: FakeTable) -> None:
    state = states.faulty()
    sheet = open_unsure(page, table, state)
    guesses = sheet.get_by_test_id("guesses").get_by_role("button")
    assert [it.get_attribute("data-label") for it in guesses.all()] == ["6D", "9D"]
    expect(guesses.first).to_be_focused()
    guesses.nth(1).click()
    assert told(table) == [{"op": "name-card", "card": third_card(state), "label": "9D"}]
    expect(sheet).to_have_count(0)


def test_a_card_is_renamed_by_rank_and_suit_joker_or_face_down(page: Page, table: FakeTable) -> None:
    state = states.three_seats()
    number = third_card(state)
    for taps, label in ((("Ten", "Spades"), "10S"), (("Joker",), "JOKER"), (("Face down",), "back"), (("Ace",), "AD")):
        sheet = open_unsure(page, table, state)
        for tap in taps:
            sheet.get_by_role("button", name=tap, exact=True).click()
        sheet.get_by_test_id("save-name").click()
        expect(sheet).to_have_count(0)
        assert table.changes()[-1] == {"op": "name-card", "card": number, "label": label}


def test_a_card_is_taken_off_and_moved(page: Page, table: FakeTable) -> None:
    state = states.three_seats()
    sheet = open_unsure(page, table, state)
    expect(sheet.get_by_test_id("move-card")).to_have_attribute("aria-disabled", "true")
    sheet.get_by_role("button", name="Seat 2", exact=True).click()
    sheet.get_by_role("button", name="Hand 2", exact=True).click()
    expect(sheet.get_by_test_id("move-card")).to_have_text("Move to Seat 2, hand 2")
    sheet.get_by_test_id("move-card").click()
    expect(sheet).to_have_count(0)
    open_unsure(page, table, state).get_by_test_id("remove-card").click()
    number = third_card(state)
    assert told(table, 2) == [
        {"op": "move-card", "card": number, "seat": 2, "hand": 2},
        {"op": "remove-card", "card": number},
    ]


def test_a_card_is_found_by_its_outline_in_the_picture_too(page: Page, table: FakeTable) -> None:
    state = show(page, table, states.three_seats())
    number = third_card(state)
    page.get_by_test_id("enlarge").click()
    page.get_by_test_id("large-overlay").locator(f'[data-card="{number}"]').click()
    expect(page.get_by_test_id("card-sheet")).to_contain_text("six of diamonds – Seat 3")
    page.keyboard.press("Escape")
    page.get_by_test_id("enlarge").click()
    page.get_by_test_id("large-overlay").locator(f'[data-card="{number}"]').focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("card-sheet")).to_be_visible()


def test_a_card_is_added_to_a_hand(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    hand(page, 1).get_by_test_id("hand-name").click()
    page.get_by_role("button", name="Add a card…").click()
    sheet = page.get_by_test_id("add-sheet")
    expect(sheet.get_by_test_id("save-add")).to_have_attribute("aria-disabled", "true")
    sheet.get_by_role("button", name="Queen", exact=True).click()
    sheet.get_by_role("button", name="Hearts", exact=True).click()
    expect(sheet.get_by_test_id("save-add")).to_have_text("Add the queen of hearts to Seat 1, hand 1")
    sheet.get_by_role("button", name="House", exact=True).click()
    sheet.get_by_test_id("save-add").click()
    assert told(table) == [{"op": "add-card", "label": "QH", "seat": 0, "hand": 1}]


def test_a_card_that_is_only_taken_to_lie_there_is_added(page: Page, table: FakeTable) -> None:
    """Under another card, where no camera sees it: its number is below 0, and no change can name it."""
    state = states.three_seats()
    state["played"]["hands"][1]["cards"].append({**states.card("?"), "card": -3, "label": None, "lies": "down"})
    show(page, table, state)
    hand(page, 2).locator('[data-card="-3"]').click()
    sheet = page.get_by_test_id("add-sheet")
    expect(sheet).to_contain_text("taken to lie under another")
    expect(sheet.get_by_role("button", name="Face down", exact=True)).to_be_focused()
    sheet.get_by_role("button", name="Add a face-down card to Seat 2, hand 1").click()
    assert told(table) == [{"op": "add-card", "label": "back", "seat": 2, "hand": 1}]
    expect(sheet).to_have_count(0)


def test_a_fault_is_put_right_with_one_tap(page: Page, table: FakeTable) -> None:
    state = show(page, table, states.faulty())
    page.get_by_test_id("fault").nth(1).get_by_role("button", name="It is no card").click()
    assert told(table) == [{"op": "remove-card", "card": third_card(state)}]
    page.get_by_test_id("fault").first.get_by_role("button", name="What is this card?").click()
    expect(page.get_by_test_id("card-sheet")).to_contain_text("Eight of clubs – Seat 2")


def test_undo_and_redo_say_what_they_take_back_and_have_their_usual_keys(page: Page, table: FakeTable) -> None:
    show(page, table, states.seven_seats())
    expect(page.get_by_test_id("undo")).to_have_accessible_name("Undo: seat 5 splits")
    expect(page.get_by_test_id("redo")).to_contain_text("seat 4 hits")
    page.get_by_test_id("undo").click()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+Z")
    page.keyboard.press("Control+y")
    assert [it["op"] for it in told(table, 4)] == ["undo", "undo", "redo", "redo"]
    show(page, table, states.empty_table())
    expect(page.get_by_test_id("undo")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Control+z")
    page.get_by_test_id("undo").click(force=True)
    assert len(table.changes()) == 4


def test_rounds_are_ended_voided_after_a_question_and_the_shoe_renewed(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    for op in ("end-round", "shuffled"):
        page.get_by_test_id("open-menu").click()
        page.get_by_test_id(op).click()
        expect(page.get_by_test_id("menu")).to_have_count(0)
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("void-round").click()
    expect(page.get_by_text("Void the round? All of its bets go back.")).to_be_visible()
    assert [it["op"] for it in told(table, 2)] == ["end-round", "shuffled"]
    page.get_by_test_id("sure").click()
    assert told(table, 3)[2] == {"op": "void-round"}


def test_a_refusal_is_shown_as_the_sentence_the_server_gave(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    table.refusal = "Seat 2 cannot split: it has split three times already."
    page.get_by_role("button", name="Split", exact=True).click()
    trouble = page.get_by_test_id("trouble")
    expect(trouble).to_contain_text("Seat 2 cannot split: it has split three times already.")
    expect(trouble).to_have_attribute("role", "alert")
    table.refusal = None
    page.get_by_role("button", name="Hit", exact=True).click()
    expect(trouble).to_be_hidden()


def test_a_refusal_in_a_sheet_is_shown_there_and_the_sheet_stays(page: Page, table: FakeTable) -> None:
    sheet = open_unsure(page, table, states.three_seats())
    table.refusal = "The five of hearts lies on the table already."
    sheet.get_by_role("button", name="Five", exact=True).click()
    sheet.get_by_role("button", name="Hearts", exact=True).click()
    sheet.get_by_test_id("save-name").click()
    expect(sheet.get_by_role("alert")).to_contain_text("The five of hearts lies on the table already.")
    expect(sheet).to_be_visible()


def test_an_answer_that_is_no_json_is_still_a_sentence(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    page.route("**/api/table", lambda route: route.fulfill(status=500, body="<h1>oops</h1>"))
    page.get_by_role("button", name="Split", exact=True).click()
    expect(page.get_by_test_id("trouble")).to_contain_text("The server refused this (500) without saying why.")
    page.unroute("**/api/table")


def test_a_tap_that_was_not_answered_is_said_never_lost_in_silence(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    page.route("**/api/table", lambda route: route.abort())
    page.get_by_role("button", name="Split", exact=True).click()
    expect(page.get_by_test_id("trouble")).to_contain_text("“Split” was not answered")
    page.unroute("**/api/table")


def test_quick_taps_go_out_in_order_one_at_a_time(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    table.answer_after = 0.15
    for word in ("Stand", "Hit", "Double"):
        page.get_by_role("button", name=word, exact=True).click()
    assert [it["operation"]["op"] for it in told(table, 3)] == ["stand", "hit", "double"]


def test_the_second_half_of_a_double_tap_hits_nothing_new(page: Page, table: FakeTable) -> None:
    """A button that comes under the finger between two quick taps was not meant."""
    state = show(page, table, states.three_seats())
    with_timing = """async () => {
        const at = (clientX) => ({bubbles: true, detail: 1, clientX});
        const button = document.querySelector('.choice[data-main]');
        button.dispatchEvent(new MouseEvent('click', at(600)));
        const { teller } = await import('/static/actions.js');
        let hits = 0;
        const fresh = teller('', 'new', () => { hits += 1; });
        document.body.append(fresh);
        fresh.dispatchEvent(new MouseEvent('click', at(600)));
        const early = hits;
        await new Promise((done) => setTimeout(done, 400));
        fresh.dispatchEvent(new MouseEvent('click', at(600)));
        const late = hits;
        const aside = teller('', 'aside', () => { hits += 1; });
        document.body.append(aside);
        aside.dispatchEvent(new MouseEvent('click', at(900)));
        fresh.remove();
        aside.remove();
        return [early, late, hits];
    }"""
    assert page.evaluate(with_timing) == [0, 1, 2]
    assert told(table)[0]["operation"] == next(it["operation"] for it in state["played"]["choices"] if it["main"])


def test_a_card_is_corrected_with_the_keyboard_alone(page: Page, table: FakeTable) -> None:
    state = show(page, table, states.three_seats())
    hand(page, 3).get_by_role("button", name="card not read surely").focus()
    page.keyboard.press("Enter")
    sheet = page.get_by_test_id("card-sheet")
    expect(sheet.get_by_test_id("guesses").get_by_role("button")).to_be_focused()
    sheet.get_by_role("button", name="Five", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(sheet.get_by_role("button", name="Six", exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(sheet.get_by_role("button", name="King", exact=True)).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.suit") in set("SHDC")
    sheet.get_by_role("button", name="Clubs", exact=True).focus()
    page.keyboard.press("Enter")
    sheet.get_by_test_id("save-name").focus()
    page.keyboard.press("Enter")
    assert told(table) == [{"op": "name-card", "card": third_card(state), "label": "KC"}]
    expect(sheet).to_have_count(0)


def test_escape_closes_a_sheet_and_the_focus_returns(page: Page, table: FakeTable) -> None:
    show(page, table, states.three_seats())
    for opener in (
        page.get_by_test_id("open-menu"),
        page.get_by_test_id("enlarge"),
        hand(page, 2).locator(".card-button").first,
    ):
        opener.click()
        expect(page.locator("dialog[open]")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        expect(opener).to_be_focused()


def test_a_new_state_keeps_the_focus_where_it_was(page: Page, table: FakeTable) -> None:
    state = show(page, table, states.three_seats())
    card = hand(page, 2).locator(".card-button").first
    card.focus()
    state["played"]["hands"][1] |= {"total": "hard 15"}
    table.push(state)
    expect(hand(page, 2).get_by_test_id("hand-total")).to_have_text("hard 15")
    expect(card).to_be_focused()


def test_the_whole_page_is_worked_by_touch(open_page: Open, table: FakeTable) -> None:
    page = open_page(width=390, height=844, has_touch=True, is_mobile=True)
    state = show(page, table, states.three_seats())
    page.get_by_role("button", name="Split", exact=True).tap()
    hand(page, 3).get_by_role("button", name="card not read surely").tap()
    sheet = page.get_by_test_id("card-sheet")
    sheet.get_by_test_id("guesses").get_by_role("button").tap()
    assert told(table, 2)[1] == {"op": "name-card", "card": third_card(state), "label": "6D"}


def test_a_refused_amount_is_said_until_another_is_typed(page: Page, table: FakeTable) -> None:
    show(page, table, states.taking_bets())
    table.refusal = "A bet of 1000 is over the maximum of 500."
    hand(page, 3).get_by_role("button", name="Bet").click()
    page.get_by_test_id("amount").fill("1000")
    page.get_by_test_id("send-amount").click()
    said = page.get_by_test_id("keypad").locator(".sheet-trouble")
    expect(said).to_contain_text("over the maximum of 500")
    page.get_by_test_id("amount").fill("100")
    expect(said).to_be_hidden()
