"""The rummy page on a phone in a real browser: from the picture to the total, over bad lines and a server that dies."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import uvicorn

from advisor.games.rummy import parse_rummy_cards, score, shipped_variant
from advisor.service.rummy_api import rummy_router
from advisor.service.rummy_app import create_rummy_app
from advisor.service.rummy_pictures import CanRead
from advisor.service.sheet_events import EventSheets
from advisor.service.store import EventStore
from datasets.drawn import drawn_deck
from datasets.layouts import Place
from datasets.scene import camera_view, compose
from vision.cards.reader import CardReader
from vision.sightings import CardSighting, Quad, Reading

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("no Chromium on this machine", allow_module_level=True)

from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright  # noqa: E402

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PATIENCE = 20_000
PHONE = {"width": 390, "height": 844}
HEIC = Path(__file__).parents[2] / "vision" / "heic" / "turned.heic"
LEAST_TARGET = 40
"""Pixels: nothing to be tapped is smaller."""


class Telling:
    """Reads what it is told lies in the picture; "9S?" is unsure, "/" parts hands far from each other."""

    def __init__(self) -> None:
        self.shows, self.read_count = "", 0

    def read(self, image: Any, /) -> Reading:
        self.read_count += 1
        seen = []
        for row, hand in enumerate(self.shows.split("/")):
            for k, text in enumerate(hand.split()):
                x, y, label = 40.0 + 28 * k, 40.0 + 700 * row, text.rstrip("?")
                place: Quad = ((x, y), (x + 63, y), (x + 63, y + 89), (x, y + 89))
                index: Quad = ((x + 4, y + 4), (x + 14, y + 4), (x + 14, y + 20), (x + 4, y + 20))
                kind, sure = ("unsure", 0.5) if text.endswith("?") else ("card", 0.99)
                seen.append(CardSighting(kind, place, label, sure, {label: sure}, (index,)))  # type: ignore[arg-type]
        return Reading(image.shape[1], image.shape[0], tuple(seen), {"total": 1.0})


class House:
    """A server on a folder that can be stopped and started again on the same port."""

    def __init__(self, folder: Path, reader: CanRead) -> None:
        self.folder, self.reader = folder, reader
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    def start(self) -> None:
        self.sheets = EventSheets(EventStore.open(self.folder / "history.sqlite3"))
        router = rummy_router(self.sheets, self.folder / "pictures", self.reader)
        config = uvicorn.Config(create_rummy_app(router), port=self.port, log_level="critical")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        end = time.monotonic() + 10
        while not self.server.started and time.monotonic() < end:
            time.sleep(0.02)

    def stop(self) -> None:
        self.server.should_exit = self.server.force_exit = True
        self.thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/rummy"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def reader() -> Telling:
    return Telling()


@pytest.fixture
def house(tmp_path: Path, reader: Telling) -> Iterator[House]:
    running = House(tmp_path, reader)
    yield running
    running.stop()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(phone: BrowserContext, house: House) -> Iterator[Page]:
    opened = phone.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    outside: list[str] = []
    opened.on("request", lambda request: outside.append(request.url) if not _own(request.url, house) else None)
    opened.goto(house.url)
    yield opened
    assert wrong == [] and outside == [], "no script failed, and nothing came from elsewhere"


def _own(url: str, house: House) -> bool:
    return url.startswith((f"http://127.0.0.1:{house.port}/", "data:", "blob:"))


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "hand.jpg"
    cv2.imwrite(str(path), np.full((900, 1200, 3), 90, np.uint8))
    return str(path)


def begin(page: Page, name: str = "friday") -> None:
    page.get_by_test_id("new-game").click()
    page.get_by_test_id("game-name").fill(name)
    for place, player in enumerate(("Ann", "Bob", "Cy")):
        page.get_by_test_id("player").nth(place).fill(player)
    page.get_by_test_id("begin").click()
    expect(page.get_by_test_id("next")).to_contain_text("Deal 1: Ann deals")


def row(page: Page, player: str) -> Any:
    return page.locator(f'[data-player="{player}"]')


def take(page: Page, player: str, file: str) -> None:
    row(page, player).get_by_test_id("picture").click()
    page.get_by_test_id("take").set_input_files(file)


def strip(page: Page) -> list[str]:
    expect(page.get_by_test_id("strip")).to_be_visible(timeout=PATIENCE)
    return [card.get_attribute("data-label") or "" for card in page.locator("[data-card]").all()]


def pick(page: Page, card: Any, label: str) -> None:
    card.click()
    page.get_by_test_id(f"rank-{label[:-1]}").click()
    page.get_by_test_id(f"suit-{label[-1]}").click()
    expect(page.get_by_test_id("picker")).to_have_count(0)


def lines(house: House, name: str = "friday") -> int:
    return len(house.sheets.read(name).operations)


def test_a_deal_from_the_picture_to_the_totals_and_back(
    page: Page, house: House, reader: Telling, picture: str
) -> None:
    begin(page)
    reader.shows = "10H 9S? JOKER 4C"
    take(page, "Ann", picture)
    assert strip(page) == ["10H", "", "JOKER", "4C"]
    expect(page.get_by_test_id("ask-unsure")).to_be_visible()
    expect(page.get_by_test_id("accept")).to_be_disabled()
    page.locator('[data-card="1"]').click()
    page.get_by_test_id("guess-9S").click()
    pick(page, page.locator('[data-card="3"]'), "5C")
    expect(page.get_by_test_id("hand-points")).to_have_text("39 points")
    page.locator('[data-card="2"]').click()
    page.get_by_test_id("pick-remove").click()
    expect(page.get_by_test_id("hand-points")).to_have_text("24 points")
    page.get_by_test_id("undo-change").click()
    page.get_by_test_id("add-card").click()
    page.get_by_test_id("pick-joker").click()
    expect(page.get_by_test_id("count-problem")).to_contain_text("JOKER is there 2 times")
    page.get_by_test_id("undo-change").click()
    expect(page.get_by_test_id("accept")).to_have_text("Accept 39 points")
    page.get_by_test_id("accept").click()
    expect(row(page, "Ann").get_by_test_id("total")).to_have_text("39")
    row(page, "Bob").get_by_test_id("out").click()
    row(page, "Cy").get_by_test_id("points").click()
    page.get_by_test_id("points-field").fill("12")
    page.get_by_test_id("record").click()
    page.get_by_test_id("end-deal").click()
    expect(page.get_by_test_id("next")).to_contain_text("Deal 2: Bob deals, 1 set of 3 + 1 sequence of 4")
    expect(page.get_by_test_id("ahead")).to_have_text("Bob is ahead with 0 points. Cy deals next.")
    assert page.get_by_test_id("deals").locator("tfoot").inner_text().split() == ["Total", "39", "0", "12"]
    for _ in range(4):
        # The button says what it would take back: it is pressed again once that has changed.
        undo = page.get_by_test_id("undo")
        said = undo.get_attribute("aria-label") or ""
        undo.click()
        expect(undo).not_to_have_attribute("aria-label", said)
    expect(row(page, "Ann").get_by_test_id("total")).to_have_text("0")
    expect(page.get_by_test_id("undo")).to_be_disabled()
    page.get_by_test_id("redo").click()
    expect(row(page, "Ann").get_by_test_id("total")).to_have_text("39")
    assert lines(house) == 10


def test_a_recorded_hand_is_corrected_with_its_picture(page: Page, reader: Telling, picture: str) -> None:
    begin(page)
    reader.shows = "10H 9S"
    take(page, "Ann", picture)
    strip(page)
    page.get_by_test_id("accept").click()
    row(page, "Ann").get_by_test_id("score").click()
    assert strip(page) == ["10H", "9S"]
    expect(page.get_by_test_id("photo")).to_be_visible()
    marks = page.get_by_test_id("marks").locator(".tag")
    expect(marks).to_have_count(2)
    pick(page, page.locator('[data-card="0"]'), "2H")
    expect(page.get_by_test_id("hand-points")).to_have_text("11 points")
    page.get_by_test_id("accept").click()
    expect(row(page, "Ann").get_by_test_id("total")).to_have_text("11")
    row(page, "Ann").get_by_test_id("score").click()
    expect(marks).to_have_count(2)
    assert sorted(mark.get_attribute("data-label") or "" for mark in marks.all()) == ["2H", "9S"], "corrected, in place"
    page.go_back()
    page.get_by_test_id("undo").click()
    expect(row(page, "Ann").get_by_test_id("total")).to_have_text("19")


def test_answers_lost_on_a_bad_line_record_nothing_twice(
    page: Page, house: House, reader: Telling, picture: str
) -> None:
    begin(page)
    reader.shows = "10H 9S"
    lost: list[str] = []

    def losing(route: Route) -> None:
        """The server does it, but its first answer to everything that changes something is lost."""
        request = route.request
        if request.method in ("PUT", "POST") and "/count" not in request.url and request.url not in lost:
            lost.append(request.url)
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/api/rummy/**", losing)
    take(page, "Ann", picture)
    assert strip(page) == ["10H", "9S"]
    page.get_by_test_id("accept").click()
    expect(row(page, "Ann").get_by_test_id("total")).to_have_text("19", timeout=PATIENCE)
    assert len(lost) == 2 and reader.read_count == 1 and lines(house) == 2


def test_a_server_that_dies_is_waited_for_and_nothing_is_lost(
    page: Page, house: House, reader: Telling, picture: str
) -> None:
    begin(page)
    reader.shows = "10H 9S?"
    take(page, "Ann", picture)
    strip(page)
    page.locator('[data-card="1"]').click()
    page.get_by_test_id("guess-9S").click()
    expect(page.get_by_test_id("hand-points")).to_have_text("19 points")
    house.stop()
    page.get_by_test_id("accept").click()
    expect(page.get_by_test_id("line")).to_contain_text("nothing is lost")
    house.start()
    expect(row(page, "Ann").get_by_test_id("total")).to_have_text("19", timeout=PATIENCE)
    expect(page.get_by_test_id("line")).to_have_text("Connected")
    assert lines(house) == 2


def test_what_was_entered_is_there_after_the_page_was_closed(
    page: Page, phone: BrowserContext, house: House, reader: Telling, picture: str
) -> None:
    begin(page)
    reader.shows = "10H 9S?"
    take(page, "Ann", picture)
    strip(page)
    pick(page, page.locator('[data-card="1"]'), "3D")
    page.close()
    again = phone.new_page()
    again.goto(house.url)
    again.get_by_test_id("draft").get_by_role("link").click()
    assert strip(again) == ["10H", "3D"]
    again.get_by_test_id("accept").click()
    expect(row(again, "Ann").get_by_test_id("total")).to_have_text("13")
    again.goto(house.url)
    expect(again.get_by_test_id("game")).to_have_count(1)
    expect(again.get_by_test_id("draft")).to_have_count(0)


def test_a_picture_not_yet_sent_goes_on_after_a_reload(page: Page, house: House, reader: Telling, picture: str) -> None:
    begin(page)
    reader.shows = "10H"
    row(page, "Ann").get_by_test_id("picture").click()
    expect(page.get_by_test_id("take")).to_be_attached()
    house.stop()
    page.get_by_test_id("take").set_input_files(picture)
    expect(page.get_by_test_id("line")).to_contain_text("nothing is lost")
    house.start()
    page.reload()
    assert strip(page) == ["10H"] and reader.read_count == 1


def test_pictures_that_will_not_do_are_said(page: Page, reader: Telling, picture: str, tmp_path: Path) -> None:
    begin(page)
    (tmp_path / "note.txt").write_text("hello")
    (tmp_path / "torn.jpg").write_bytes(Path(picture).read_bytes()[:900])
    take(page, "Ann", str(tmp_path / "note.txt"))
    expect(page.get_by_test_id("problem")).to_contain_text("not a picture")
    page.get_by_test_id("take").set_input_files(str(tmp_path / "torn.jpg"))
    expect(page.get_by_test_id("problem")).to_contain_text("cut short")
    reader.shows = ""
    page.get_by_test_id("take").set_input_files(picture)
    expect(page.get_by_test_id("trouble-no-cards")).to_contain_text("No card was found")
    reader.shows = "10H 9H 8H/4C 5C 6C"
    page.get_by_test_id("take").set_input_files(picture)
    expect(page.get_by_test_id("trouble-several-hands")).to_contain_text("2 hands far apart")
    expect(page.get_by_test_id("hand-points")).to_have_text("42 points")
    expect(page.get_by_test_id("accept")).to_be_disabled()
    page.get_by_test_id("one-hand").check()
    expect(page.get_by_test_id("accept")).to_be_enabled()


def test_an_iphones_picture_is_read_though_this_browser_cannot_show_it(
    page: Page, reader: Telling, tmp_path: Path
) -> None:
    begin(page)
    reader.shows = "10H 9H"
    shutil.copy(HEIC, tmp_path / "IMG_0001.HEIC")
    take(page, "Ann", str(tmp_path / "IMG_0001.HEIC"))
    assert strip(page) == ["10H", "9H"]
    expect(page.get_by_test_id("photo")).to_have_js_property("naturalWidth", 64)


def test_another_phone_sees_what_this_one_records(page: Page, phone: BrowserContext, house: House) -> None:
    begin(page)
    other = phone.new_page()
    other.goto(f"{house.url}#/sheet/friday")
    expect(row(other, "Bob").get_by_test_id("out")).to_be_visible()
    row(page, "Bob").get_by_test_id("out").click()
    expect(row(other, "Bob").get_by_test_id("score")).to_have_text("out", timeout=PATIENCE)


def test_the_sheet_is_printed_and_exported(page: Page) -> None:
    begin(page)
    page.locator("details.share summary").click()
    with page.expect_download() as download:
        page.get_by_test_id("csv").click()
    assert Path(download.value.path()).read_text().startswith("deal,state,contract,dealer,Ann,Bob,Cy")
    with page.expect_popup() as popup:
        page.get_by_test_id("printable").click()
    expect(popup.value.get_by_role("table")).to_be_visible()
    popup.value.emulate_media(media="print")
    assert popup.value.evaluate("getComputedStyle(document.querySelector('table')).borderCollapse") == "collapse"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_fits_a_phone_and_can_be_tapped_and_heard(
    page: Page, reader: Telling, picture: str, scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    fits(page)
    begin(page)
    fits(page)
    reader.shows = "10H 9S? JOKER 4C 5C 6C 7C 8C 9C KD"
    take(page, "Ann", picture)
    strip(page)
    expect(page.get_by_test_id("hand-points")).to_have_text("74 points")
    fits(page)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, dark.strip("rgb()").split(","))) < 200) == (scheme == "dark")
    # By keyboard alone: to an unsure card, into the picker, a rank and a suit.
    page.locator('[data-card="1"]').focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("picker")).to_be_visible()
    fits(page)
    page.get_by_test_id("rank-9").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("suit-S").focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-card="1"]')).to_have_attribute("aria-label", "nine of spades: change or remove")
    expect(page.locator('[data-card="1"]')).to_be_focused()


def fits(page: Page) -> None:
    """Nothing sticks out sideways; every control is large enough and has a name."""
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.evaluate(
        """least => [...document.querySelectorAll('button, a.button, a.game, summary, select, label.file')]
        .map(node => [node, node.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < least || box.width < least))
        .map(([node, box]) => `${node.textContent} ${box.width} x ${box.height}`)""",
        LEAST_TARGET,
    )
    assert small == []
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select')]
        .filter(node => node.getClientRects().length)
        .filter(node => !(node.textContent.trim() || node.getAttribute('aria-label') || node.labels?.length))
        .map(node => node.outerHTML)"""
    )
    assert nameless == []


def fan_of(cards: list[str]) -> np.ndarray:
    """A fan of the project's own deck on plain felt, quick to draw."""
    deck, rng = drawn_deck(), np.random.default_rng(4)
    view = camera_view(1600, 1200, 330, np.pi / 2, -np.pi / 2, 0.0, np.radians(50))
    angles = [0.17 * (k - (len(cards) - 1) / 2) for k in range(len(cards))]
    places = [Place(120 * np.sin(a), 80 - 120 * np.cos(a), a) for a in angles]
    felt = np.full((1200, 1600, 3), (60, 110, 40), np.uint8)
    laid = [(place, deck, card) for place, card in zip(places, cards, strict=True)]
    return compose(felt, view, laid, rng, clutter=False)[0]


def test_a_rendered_fan_is_read_corrected_and_accepted(browser: Browser, tmp_path: Path) -> None:
    """The real reader on a real render; whatever it reads, what is accepted is what counts."""
    file = tmp_path / "fan.jpg"
    fan = fan_of(["9H", "KD", "4C", "10S", "QH", "7D", "AC", "3S", "JOKER"])
    cv2.imwrite(str(file), fan, [cv2.IMWRITE_JPEG_QUALITY, 92])
    house = House(tmp_path, CardReader.load(threads=2))
    try:
        page = browser.new_page(viewport=PHONE)
        page.set_default_timeout(PATIENCE)
        page.goto(house.url)
        begin(page)
        take(page, "Ann", str(file))
        cards = strip(page)
        assert len(cards) >= 7 and page.locator(".tag").count() == len(cards)
        for place, label in enumerate(cards):
            if not label:
                pick(page, page.locator("[data-card]").nth(place), "3C")
        pick(page, page.locator("[data-card]").nth(0), "2D")
        final = strip(page)
        points = score(shipped_variant("contract-b"), parse_rummy_cards(" ".join(final))).points
        expect(page.get_by_test_id("accept")).to_have_text(f"Accept {points} points")
        page.get_by_test_id("accept").click()
        expect(row(page, "Ann").get_by_test_id("total")).to_have_text(str(points))
    finally:
        house.stop()
