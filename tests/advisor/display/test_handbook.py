"""The dealer's handbook: every chapter is there with its drawings, at a desk and on a phone."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow

DISPLAY = Path(str(files("advisor") / "display"))
CHAPTERS = ("cards", "blackjack", "punto-banco", "pontoon", "chips")


def answer(route: Route) -> None:
    path = route.request.url.split("tableside.test", 1)[1].split("#", 1)[0]
    file = DISPLAY / ("handbook.html" if path == "/handbook" else path.removeprefix("/static/"))
    route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0])


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    opened.wrong = []  # type: ignore[attr-defined]
    opened.on("pageerror", lambda error: opened.wrong.append(str(error)))  # type: ignore[attr-defined]
    opened.route("**/*", answer)
    yield opened
    opened.close()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_section_of_a_chapter_has_its_drawing_and_steps(page: Page, chapter: str) -> None:
    page.goto(f"http://tableside.test/handbook#{chapter}")
    page.wait_for_selector(".topic")
    topics = page.query_selector_all(".topic")
    assert len(topics) >= 2
    for topic in topics:
        drawn = topic.query_selector("svg.drawing")
        assert drawn is not None and drawn.get_attribute("aria-label")
        assert len(topic.query_selector_all(".step")) >= 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.get_attribute(".chapter[aria-current]", "href") == f"#{chapter}"
    assert page.wrong == []  # type: ignore[attr-defined]


def test_the_chapters_are_reached_by_their_links(page: Page) -> None:
    page.goto("http://tableside.test/handbook")
    page.get_by_role("link", name="Chips").click()
    page.wait_for_selector("h1:has-text('Chips')")
    assert "Chips" in page.title()


def test_a_chapter_that_is_not_there_is_the_first(page: Page) -> None:
    page.goto("http://tableside.test/handbook#whist")
    assert page.text_content("h1") == "Cards"
