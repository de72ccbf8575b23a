"""The camera page in a real browser, its line played by the test: lost and mended, refused, slow, not secure."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from fake_table import PAGE, POLICY

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route, WebSocketRoute

SECURE, PLAIN = "http://localhost/", "http://host.test/"
PATIENCE = 15_000
CAMERA = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]


@pytest.fixture(scope="module")
def with_camera() -> Iterator[Any]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu", *CAMERA])
        yield browser
        browser.close()


@pytest.fixture
def opened(with_camera: Any) -> Iterator[Callable[..., Page]]:
    """Opens the page; `line` plays the server's side of its line."""
    contexts, faults = [], []

    def open_page(line: Callable[[WebSocketRoute], None], base: str = SECURE) -> Page:
        context = with_camera.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        contexts.append(context)
        page: Page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: faults.append(str(error)))

        def answer(route: Route) -> None:
            path = route.request.url.removeprefix(base)
            if path == "camera":
                route.fulfill(path=PAGE / "camera.html", headers={"Content-Security-Policy": POLICY})
            else:
                route.fulfill(path=PAGE / path.removeprefix("static/"))

        page.route("**/*", answer)
        page.route_web_socket("**/ws/camera", line)
        page.goto(f"{base}camera")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def taking(socket: WebSocketRoute, pictures: list[bytes], fault: str = "") -> None:
    """A server that takes every picture."""

    def took(data: str | bytes) -> None:
        assert isinstance(data, bytes)
        pictures.append(data)
        socket.send(f'{{"taken": {len(pictures)}, "fault": "{fault}"}}')

    socket.on_message(took)
    socket.send('{"taken": 0, "fault": ""}')


def until(page: Page, condition: Callable[[], bool]) -> None:
    for _ in range(PATIENCE // 50):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to that")


def test_a_lost_line_is_said_and_mends_itself(opened: Callable[..., Page]) -> None:
    from playwright.sync_api import expect

    pictures: list[bytes] = []
    lines: list[WebSocketRoute] = []

    def line(socket: WebSocketRoute) -> None:
        lines.append(socket)
        taking(socket, pictures)

    page = opened(line)
    state = page.get_by_test_id("camera-state")
    page.get_by_test_id("camera-go").click()
    expect(state).to_have_attribute("data-state", "live")
    until(page, lambda: len(pictures) > 3)
    assert pictures[-1][:2] == b"\xff\xd8"
    lines[0].close()
    until(page, lambda: len(lines) == 2)
    before = len(pictures)
    until(page, lambda: len(pictures) > before + 2)
    expect(state).to_have_attribute("data-state", "live")
    page.get_by_test_id("camera-go").click()
    expect(state).to_have_attribute("data-state", "off")
    sent = len(pictures)
    page.wait_for_timeout(400)
    assert len(pictures) == sent, "nothing is sent after stopping"


def test_no_second_picture_is_sent_before_the_first_was_taken(opened: Callable[..., Page]) -> None:
    came: list[Any] = []

    def line(socket: WebSocketRoute) -> None:
        socket.on_message(lambda data: came.append(data))
        socket.send('{"taken": 0, "fault": ""}')

    page = opened(line)
    page.get_by_test_id("camera-go").click()
    until(page, lambda: len(came) == 1)
    page.wait_for_timeout(600)
    assert len(came) == 1


def test_a_refusal_is_said_and_ends_the_sending(opened: Callable[..., Page]) -> None:
    from playwright.sync_api import expect

    page = opened(lambda socket: socket.send('{"refused": "Another phone is the camera already."}'))
    page.get_by_test_id("camera-go").click()
    expect(page.get_by_test_id("camera-trouble")).to_have_text("Another phone is the camera already.")
    expect(page.get_by_test_id("camera-state")).to_have_attribute("data-state", "off")


def test_a_fault_of_the_picture_is_shown(opened: Callable[..., Page]) -> None:
    from playwright.sync_api import expect

    page = opened(lambda socket: taking(socket, [], "The picture is too small to read cards in."))
    page.get_by_test_id("camera-go").click()
    expect(page.get_by_test_id("camera-trouble")).to_contain_text("too small")


def test_a_slow_line_gets_smaller_pictures_and_a_quick_one_larger_again(opened: Callable[..., Page]) -> None:
    page = opened(lambda socket: None)
    steps = page.evaluate(
        """async () => {
          const { STEPS, stepAfter } = await import("/static/camera-line.js");
          const seen = [];
          let now = { step: 0, quick: 0 };
          const go = (delay, times) => {
            for (let n = 0; n < times; n += 1) now = stepAfter(now.step, now.quick, delay);
            seen.push(now.step);
          };
          go(900, 1); go(900, 20); go(200, 50); go(50, 19); go(50, 1); go(50, 200);
          return [STEPS.length, ...seen];
        }"""
    )
    assert steps == [5, 1, 4, 4, 4, 3, 0]


def test_over_plain_http_the_page_says_why_it_cannot_and_what_does(opened: Callable[..., Page]) -> None:
    page = opened(lambda socket: None, PLAIN)
    section = page.get_by_test_id("camera-insecure")
    section.wait_for()
    assert "https" in section.inner_text() and "--source rtsp://" in section.inner_text()
    assert page.get_by_test_id("camera-go").is_hidden()
