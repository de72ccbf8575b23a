"""The page on which a deck of one's own is taught, as a host uses it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest
from deck_stand_ins import FakeReader
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, Route, expect
from serving import served

from advisor.service.decks_api import decks_router
from advisor.service.own_decks import OwnDecks
from vision.cards.profile import load_profile

pytestmark = pytest.mark.slow

IMAGE = np.full((480, 640, 3), 90, np.uint8)


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def page(browser: Browser, reader: FakeReader, tmp_path: Path) -> Iterator[Page]:
    app = FastAPI()
    app.include_router(decks_router(OwnDecks(tmp_path, cast(Any, reader)), lambda: IMAGE.copy()))
    with served(app, "deck") as address:
        opened = browser.new_page(viewport={"width": 390, "height": 844})
        wrong: list[str] = []
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.goto(address)
        opened.get_by_test_id("name").fill("mine")
        yield opened
        opened.close()
        assert wrong == []


def photograph(page: Page) -> None:
    picture = cv2.imencode(".jpg", IMAGE)[1].tobytes()
    page.get_by_test_id("picture").set_input_files({"name": "deck.jpg", "mimeType": "image/jpeg", "buffer": picture})


def test_a_picture_teaches_what_is_plain_and_asks_about_the_rest(
    page: Page, reader: FakeReader, tmp_path: Path
) -> None:
    reader.lies = [("AS", True), ("9H", False)]
    photograph(page)
    expect(page.get_by_test_id("progress")).to_contain_text("1 of 52")
    expect(page.get_by_test_id("question")).to_contain_text("nine of hearts")
    page.get_by_test_id("yes").click()
    expect(page.get_by_test_id("progress")).to_contain_text("2 of 52")
    expect(page.get_by_test_id("question")).to_have_count(0)
    assert load_profile("mine", tmp_path).faces == {"AS", "9H"}


def test_a_wrong_name_is_put_right_by_a_tap(page: Page, reader: FakeReader, tmp_path: Path) -> None:
    reader.lies = [("AS", True)]
    photograph(page)
    page.get_by_test_id("thumb").click()
    page.get_by_test_id("suit-C").click()
    expect(page.get_by_test_id("thumb")).to_contain_text("AC")
    assert load_profile("mine", tmp_path).faces == {"AC"}


def test_what_can_be_tapped_does_not_move_when_the_list_of_decks_comes_late(page: Page, reader: FakeReader) -> None:
    def late(route: Route) -> None:
        time.sleep(0.3)
        route.continue_()

    page.route("**/api/decks", late)
    reader.lies = [("AS", True)]
    photograph(page)
    where = page.get_by_test_id("thumb").bounding_box()
    expect(page.get_by_test_id("decks")).to_contain_text("mine")
    page.wait_for_timeout(200)
    assert page.get_by_test_id("thumb").bounding_box() == where


def test_cards_held_before_the_tables_camera_are_learned_one_after_another(page: Page, reader: FakeReader) -> None:
    reader.lies = [("AS", True)]
    page.get_by_test_id("watch").click()
    expect(page.get_by_test_id("progress")).to_contain_text("1 of 52")
    reader.lies = [("2S", True)]
    expect(page.get_by_test_id("progress")).to_contain_text("2 of 52")
    page.get_by_test_id("watch").click()
    expect(page.get_by_test_id("watch")).to_have_attribute("aria-pressed", "false")


def test_a_deck_is_used_and_deleted_by_name(page: Page, reader: FakeReader) -> None:
    reader.lies = [("AS", True)]
    photograph(page)
    page.get_by_test_id("use-mine").click()
    expect(page.get_by_test_id("decks")).to_contain_text("in use")
    page.get_by_test_id("delete-mine").click()
    page.get_by_test_id("dialog").get_by_test_id("yes").click()
    expect(page.get_by_test_id("decks")).to_contain_text("None yet")


def test_a_button_is_not_made_anew_while_a_finger_is_on_it(page: Page, reader: FakeReader) -> None:
    """Pressing it takes the focus from the name's field, whereupon the list is asked for again."""
    reader.lies = [("AS", True)]
    photograph(page)
    where = page.get_by_test_id("use-mine").bounding_box()
    assert where is not None
    page.mouse.move(where["x"] + 5, where["y"] + 5)
    with page.expect_response("**/api/decks"):
        page.mouse.down()
    page.wait_for_timeout(100)
    page.mouse.up()
    expect(page.get_by_test_id("decks")).to_contain_text("in use")


def test_an_earlier_list_that_comes_late_does_not_undo_what_was_chosen_since(page: Page, reader: FakeReader) -> None:
    reader.lies = [("AS", True)]
    photograph(page)
    expect(page.get_by_test_id("decks")).to_contain_text("mine")
    before = page.request.get(page.url.replace("/deck", "/api/decks")).body()

    def late(route: Route) -> None:
        time.sleep(0.3)
        route.fulfill(body=before, content_type="application/json")

    page.route("**/api/decks", late)
    page.get_by_test_id("use-mine").click()
    page.wait_for_timeout(1000)
    expect(page.get_by_test_id("decks")).to_contain_text("in use")


def test_what_lies_before_the_tables_camera_is_taken_at_once_and_the_deck_listed(
    page: Page, reader: FakeReader
) -> None:
    reader.lies = [("AS", True), ("2S", True)]
    page.get_by_test_id("spread").click()
    expect(page.get_by_test_id("progress")).to_contain_text("2 of 52")
    expect(page.get_by_test_id("decks")).to_contain_text("mine")


def test_a_refusal_is_said(page: Page, reader: FakeReader) -> None:
    page.get_by_test_id("name").fill("../x")
    page.get_by_test_id("spread").click()
    expect(page.get_by_test_id("problem")).to_contain_text("no name for a deck")


def test_what_the_server_refuses_stays_to_be_read(page: Page, reader: FakeReader) -> None:
    page.get_by_test_id("picture").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    expect(page.get_by_test_id("decks")).to_contain_text("None yet")
    expect(page.get_by_test_id("problem")).to_contain_text("JPEG, PNG, WebP and HEIC")


def test_the_name_outlives_the_page_and_an_empty_one_teaches_nothing(
    page: Page, reader: FakeReader, tmp_path: Path
) -> None:
    page.get_by_test_id("name").blur()
    page.reload()
    expect(page.get_by_test_id("name")).to_have_value("mine")
    page.get_by_test_id("name").fill("")
    reader.lies = [("AS", True)]
    photograph(page)
    expect(page.get_by_test_id("problem")).to_contain_text("name first")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_wider_than_a_phone(page: Page, reader: FakeReader) -> None:
    reader.lies = [("AS", True), ("9H", False), ("KD", True), ("QC", True)]
    photograph(page)
    expect(page.get_by_test_id("thumb")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
