"""The pairing page in a real browser: a code typed, a wrong one, a host that does not answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from fake_table import PAGE, POLICY

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request, Route

HOST = "http://host.test/"
Answers = Callable[[dict[str, Any]], tuple[int, dict[str, Any]] | None]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[[Answers], tuple[Page, list[dict[str, Any]]]]]:
    """Opens the page; what it asks is answered as given, None for a host that is gone."""
    contexts, faults = [], []

    def open_page(answers: Answers) -> tuple[Page, list[dict[str, Any]]]:
        context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        contexts.append(context)
        page, asked = context.new_page(), list[dict[str, Any]]()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(str(error)))

        def answer(route: Route, request: Request) -> None:
            path = request.url.removeprefix(HOST)
            if path == "api/pair":
                asked.append(json.loads(request.post_data or ""))
                said = answers(asked[-1])
                if said is None:
                    route.abort()
                else:
                    route.fulfill(status=said[0], json=said[1])
            elif path == "pair":
                route.fulfill(path=PAGE / "pair.html", headers={"Content-Security-Policy": POLICY})
            elif path.startswith("static/"):
                route.fulfill(path=PAGE / path.removeprefix("static/"))
            else:
                route.fulfill(body=f"<title>{path or 'dealer'}</title>", content_type="text/html")

        page.route("**/*", answer)
        page.goto(f"{HOST}pair")
        return page, asked

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def test_a_code_pairs_the_device_and_opens_its_page(opened: Any) -> None:
    page, asked = opened(lambda said: (200, {"ok": True, "role": said["role"], "go": "/players"}))
    assert page.get_by_test_id("pair-code").evaluate("it => it === document.activeElement")
    page.get_by_test_id("pair-code").fill("402 817")
    page.get_by_test_id("pair-name").fill("Anna’s phone")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{HOST}players")
    assert asked == [{"code": "402817", "role": "viewer", "name": "Anna’s phone"}]


def test_a_dealers_device_says_so(opened: Any) -> None:
    page, asked = opened(lambda said: (200, {"ok": True, "role": said["role"], "go": "/"}))
    page.get_by_test_id("pair-code").fill("402817")
    page.get_by_test_id("pair-dealer").check()
    page.get_by_test_id("pair-go").click()
    page.wait_for_url(HOST)
    assert asked[0]["role"] == "dealer"


def test_what_goes_wrong_is_said_and_the_code_can_be_typed_again(opened: Any) -> None:
    answers: list[tuple[int, dict[str, Any]] | None] = [None, (403, {"error": "That is not the code."})]
    page, asked = opened(lambda said: answers.pop(0))
    trouble, code, go = (page.get_by_test_id(f"pair-{name}") for name in ("trouble", "code", "go"))
    code.fill("12")
    go.click()
    assert trouble.inner_text() == "The code has 6 digits." and asked == []
    code.fill("123456")
    for words in ("does not answer", "That is not the code."):
        go.click()
        end = time.monotonic() + 10
        while words not in trouble.inner_text() and time.monotonic() < end:
            page.wait_for_timeout(50)
        assert words in trouble.inner_text()
        assert go.is_enabled() and code.get_attribute("aria-invalid") == "true"
    assert len(asked) == 2


def test_everything_on_it_can_be_reached_and_touched(opened: Any) -> None:
    page, _ = opened(lambda said: None)
    for name in ("code", "name", "go"):
        box = page.get_by_test_id(f"pair-{name}").bounding_box()
        assert box is not None and box["height"] >= 44
    reached = []
    for _press in range(4):
        reached.append(page.evaluate("document.activeElement.dataset.testid"))
        page.keyboard.press("Tab")
    assert reached == ["pair-code", "pair-viewer", "pair-name", "pair-go"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
