"""What the display's tests share: one browser for each module, one fake table, pages whose faults fail the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from fake_table import FakeTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PATIENCE = 15_000

USUAL = ("WebSocket connection to", "net::ERR_", "the server responded with a status of")
"""A refused line and a refused change are reported by the browser itself; everything else is a fault of the page."""

CLEAN = """async () => {
    localStorage.clear();
    for (const it of document.querySelectorAll('dialog')) it.close();
    (await import('/static/actions.js')).quiet();
}"""

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS, timeout=60_000)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def fake_server() -> Iterator[FakeTable]:
    table = FakeTable()
    table.start()
    yield table
    table.stop()


@pytest.fixture
def table(fake_server: FakeTable) -> FakeTable:
    fake_server.reset()
    return fake_server


@pytest.fixture
def open_page(browser: Browser, table: FakeTable) -> Iterator[Open]:
    """Opens pages of the fake table; a fault of any of them fails the test."""
    contexts = []
    faults: list[str] = []

    def opened(path: str = "", width: int = 1280, height: int = 800, script: str = "", **more: Any) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **more}
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        if script:
            page.add_init_script(script)
        page.goto(table.url + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [fault for fault in faults if not any(word in fault for word in USUAL)] == []


@pytest.fixture(scope="module")
def kept_page(browser: Browser, fake_server: FakeTable) -> Iterator[tuple[Page, list[str]]]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(fake_server.url)
    yield page, faults
    context.close()


@pytest.fixture
def page(kept_page: tuple[Page, list[str]], table: FakeTable) -> Iterator[Page]:
    """The dealer's page, the same one for all tests of a module, put back to an empty table before each."""
    page, faults = kept_page
    page.unroute_all()
    page.evaluate(CLEAN)
    page.mouse.click(3, 3)  # or a first tap where the last test's was would be taken for the half of a double one
    page.locator('[data-testid=connection][data-state="open"]').wait_for()
    page.locator("[data-testid=felt] circle").first.wait_for()
    del faults[:]
    yield page
    assert [fault for fault in faults if not any(word in fault for word in USUAL)] == []
