"""A player's own page: a picture or typed cards become advice, a doubt is put right first, and refusals are said."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, expect
from serving import served

from advisor.games.catalogue import game
from advisor.service.live import LiveTable
from advisor.service.private_api import private_router
from advisor.table import begin, fold
from advisor.table.changes import CardCame
from vision.sightings import CardSighting, Reading

pytestmark = pytest.mark.slow

PHONE = {"width": 390, "height": 844}


class Reader:
    """Reads what the test says lies in the picture."""

    def __init__(self) -> None:
        self.lies: list[tuple[str, bool]] = []

    def read(self, image: Any, **_: Any) -> Reading:
        box = ((0.0, 0.0), (50.0, 0.0), (50.0, 70.0), (0.0, 70.0))
        return Reading(
            64,
            48,
            tuple(
                CardSighting("card" if sure else "unsure", box, label, 0.99 if sure else 0.5)
                for label, sure in self.lies
            ),
        )


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def address(reader: Reader) -> Iterator[str]:
    """A pontoon deal in which seats 1 and 2 hold two cards each, face down, and seat 1 is to act."""
    order = [(1, 1), (2, 1), (0, 1), (1, 1), (2, 1), (0, 1)]
    came = [
        CardCame(card=number, seat=seat, hand=hand, face="back", crosswise=0, x=number, y=seat)
        for number, (seat, hand) in enumerate(order, 1)
    ]
    state = reduce(fold, came, begin("pontoon", game("pontoon").presets()["home"], "home"))
    app = FastAPI()
    app.include_router(private_router(cast(LiveTable, SimpleNamespace(table=state)), cast(Any, reader)))
    with served(app, "hand") as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    opened = browser.new_page(viewport=PHONE)
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(address)
    yield opened
    opened.close()
    assert wrong == []


def photograph(page: Page) -> None:
    picture = cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1].tobytes()
    page.get_by_test_id("picture").set_input_files({"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": picture})


def test_a_picture_of_ones_cards_becomes_advice(page: Page, reader: Reader) -> None:
    reader.lies = [("6H", True), ("10S", True)]
    photograph(page)
    expect(page.get_by_test_id("verdict")).to_contain_text("16")
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-right", "yes")
    expect(page.get_by_test_id("own-cards").locator("svg")).to_have_count(2)


def test_a_doubtful_card_is_shown_to_be_put_right_before_any_advice(page: Page, reader: Reader) -> None:
    reader.lies = [("6H", True), ("9S", False)]
    photograph(page)
    typed = page.get_by_test_id("cards")
    expect(typed).to_have_value("6H 9S?")
    expect(page.get_by_test_id("verdict")).to_have_text("")
    typed.fill("6h 10s")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("16")


def test_the_field_for_the_cards_can_be_seen_and_typed_in_on_a_phone(page: Page) -> None:
    box = page.get_by_test_id("cards").bounding_box()
    assert box is not None and box["width"] > 200 and box["height"] >= 44
    page.get_by_test_id("cards").fill("6H 10S")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("verdict")).to_contain_text("16")


def test_cards_that_do_not_lie_there_are_refused_with_the_reason(page: Page) -> None:
    page.get_by_test_id("cards").fill("6H")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("1 card, but 2 lie")
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-right", "no")


def test_another_seat_waits_for_its_turn_and_is_remembered(page: Page) -> None:
    page.get_by_test_id("seat").select_option("2")
    page.get_by_test_id("cards").fill("6H 10S")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("not your turn yet")
    page.reload()
    expect(page.get_by_test_id("seat")).to_have_value("2")
