"""The side display's page in a real browser, fed by a small server of this test's own."""

from __future__ import annotations

import asyncio
import contextlib
import copy
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
from fastapi import FastAPI, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

import advisor.display

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("no Chromium on this machine", allow_module_level=True)

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

PAGE = Path(next(iter(advisor.display.__path__)))
POLICY = "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; connect-src 'self' ws:"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PATIENCE = 15_000
WIDTH, HEIGHT = 1280, 720

State = dict[str, Any]


def sighting(kind: str, label: str | None, x: float, y: float, turn: float = 0.0) -> State:
    half = np.array([[-50, -70], [50, -70], [50, 70], [-50, 70]], dtype=float)
    c, s = np.cos(turn), np.sin(turn)
    corners = half @ np.array([[c, s], [-s, c]]) + [x, y]
    return {"kind": kind, "label": label, "confidence": 0.98, "corners": corners.round(1).tolist()}


def empty_state() -> State:
    return {
        "version": 1,
        "sequence": 1,
        "camera": {"state": "live", "message": "", "frames": 100, "dropped": 3, "reconnects": 0, "errors": 0},
        "picture": {"url": "/frame.jpg?seq=1", "width": WIDTH, "height": HEIGHT},
        "settled": True,
        "sightings": [],
        "rules": {"name": "home", "summary": "1 deck, dealer stands on soft 17, blackjack pays 3:2"},
        "dealer": None,
        "hands": [],
        "problems": [],
        "ms": {"total": 84.2},
    }


def hand(number: int, labels: list[str | None], total: str, action: str | None, **more: Any) -> State:
    cards = [{"kind": "card" if label else "unsure", "label": label} for label in labels]
    blank = {"soft": False, "values": {}, "margin": None, "why": "", "insurance": None, "problems": [], "centre": None}
    return {"id": f"hand-{number}", "cards": cards, "total": total, "action": action} | blank | more


def table_state() -> State:
    state = empty_state()
    state["sightings"] = [
        sighting("card", "10H", 600, 150),
        sighting("back", None, 720, 150, 0.1),
        sighting("card", "8S", 420, 470, -0.25),
        sighting("card", "8D", 530, 480, -0.1),
        sighting("card", "5C", 860, 480, 0.2),
        sighting("unsure", None, 980, 500, 0.35),
    ]
    state["dealer"] = {
        "cards": [{"kind": "card", "label": "10H"}, {"kind": "back", "label": None}],
        "upcard": "10H",
        "total": "10",
        "next_step": "Turn the face-down card.",
        "centre": [660, 150],
    }
    state["hands"] = [
        hand(
            1,
            ["8S", "8D"],
            "hard 16",
            "split",
            values={"stand": -0.5401, "split": -0.4806, "hit": -0.5353, "surrender": -0.5},
            margin=0.0194,
            why="Two eights make a poor 16; each alone is a better start.",
            centre=[475, 475],
        ),
        hand(
            2,
            ["5C", None],
            "at least 5",
            None,
            insurance="Insurance loses 7.4 % here.",
            problems=["One card is not read surely; check it."],
            centre=[920, 490],
        ),
    ]
    return state


class Stub:
    """Serves the page as it lies in the tree and sends whatever `push` was given last."""

    def __init__(self) -> None:
        self.state = empty_state()
        self.down = False
        self.sequence = 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        _, jpeg = cv2.imencode(".jpg", np.full((HEIGHT, WIDTH, 3), (54, 84, 40), np.uint8))
        self.jpeg = jpeg.tobytes()
        config = uvicorn.Config(self.app(), host="127.0.0.1", port=self.port, log_level="error")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def push(self, state: State) -> None:
        state = copy.deepcopy(state)
        state["sequence"] = self.sequence + 1
        if state["picture"]:
            state["picture"]["url"] = f"/frame.jpg?seq={self.sequence + 1}"
        self.state = state
        self.sequence += 1

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.get("/")
        def index() -> Response:
            return FileResponse(PAGE / "index.html", headers={"Content-Security-Policy": POLICY})

        @app.get("/frame.jpg")
        def frame() -> Response:
            return Response(self.jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

        @app.websocket("/ws")
        async def line(ws: WebSocket) -> None:
            if self.down:
                await ws.close()
                return
            await ws.accept()
            sent = -1
            with contextlib.suppress(WebSocketDisconnect):
                while not (self.down or self.server.should_exit):
                    if sent != self.sequence:
                        sent = self.sequence
                        await ws.send_json(self.state)
                    await asyncio.sleep(0.03)
                await ws.close()

        app.mount("/static", StaticFiles(directory=PAGE))
        return app

    def start(self) -> None:
        self.thread.start()
        limit = time.monotonic() + 15
        while not self.server.started:
            assert time.monotonic() < limit, "the test's own server did not start"
            time.sleep(0.02)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS, timeout=60_000)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Stub]:
    stub = Stub()
    stub.start()
    yield stub
    stub.stop()


@pytest.fixture
def stub(server: Stub) -> Stub:
    server.down = False
    server.push(empty_state())
    return server


@pytest.fixture
def page(browser: Browser, stub: Stub) -> Iterator[Page]:
    expect.set_options(timeout=PATIENCE)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(stub.url)
    yield page
    context.close()
    # A refused WebSocket is reported by the browser itself; everything else is a fault of the page.
    assert [fault for fault in faults if "WebSocket connection to" not in fault] == []


def test_table_is_shown_as_it_was_sent(page: Page, stub: Stub) -> None:
    expect(page.get_by_test_id("empty")).to_have_text("Waiting for cards.")
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open")
    stub.push(table_state())
    expect(page.get_by_test_id("hand")).to_have_count(2)
    expect(page.get_by_test_id("empty")).to_be_hidden()

    first = page.locator('[data-testid=hand][data-hand-id="hand-1"]')
    expect(first.get_by_test_id("hand-action")).to_have_text("Split")
    expect(first.get_by_test_id("hand-total")).to_have_text("hard 16")
    expect(first.get_by_test_id("hand-why")).to_contain_text("Two eights")
    rows = first.locator(".value")
    assert [row.get_attribute("data-action") for row in rows.all()] == ["split", "surrender", "hit", "stand"]
    expect(rows.first).to_contain_text("−0.481")
    expect(first.get_by_role("img", name="eight of spades")).to_be_visible()

    second = page.locator('[data-testid=hand][data-hand-id="hand-2"]')
    expect(second.get_by_test_id("hand-action")).to_have_text("No advice")
    expect(second.get_by_test_id("hand-problems")).to_contain_text("not read surely")
    expect(second.get_by_test_id("hand-insurance")).to_contain_text("Insurance loses 7.4 % here.")

    expect(page.get_by_test_id("dealer-upcard")).to_have_attribute("data-label", "10H")
    expect(page.get_by_test_id("dealer-total")).to_have_text("10")
    expect(page.get_by_test_id("dealer-step")).to_have_text("Turn the face-down card.")
    expect(page.get_by_test_id("rules")).to_contain_text("dealer stands on soft 17")
    expect(page.get_by_test_id("read-time")).to_have_text("Read in 84 ms")
    spoken = page.get_by_test_id("spoken")
    expect(spoken).to_have_attribute("aria-live", "polite")
    expect(spoken).to_contain_text("Hand 1: Split, hard 16.")
    size = first.get_by_test_id("hand-action").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= 90


def test_overlay_lies_on_the_picture(page: Page, stub: Stub) -> None:
    stub.push(table_state())
    overlay = page.get_by_test_id("overlay")
    expect(overlay.locator("polygon.seen-card")).to_have_count(4)
    expect(overlay.locator("polygon.seen-back")).to_have_count(1)
    expect(overlay.locator("polygon.seen-unsure")).to_have_count(1)
    picture = page.get_by_test_id("picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("node => node.naturalWidth") == WIDTH

    photo, card = picture.bounding_box(), overlay.locator('[data-label="10H"]').bounding_box()
    assert photo and card
    scale = photo["width"] / WIDTH
    assert photo["height"] == pytest.approx(HEIGHT * scale, abs=1.5)
    middle = (card["x"] + card["width"] / 2 - photo["x"], card["y"] + card["height"] / 2 - photo["y"])
    assert middle == pytest.approx((600 * scale, 150 * scale), abs=3)


def test_a_card_less_is_a_card_less(page: Page, stub: Stub) -> None:
    state = table_state()
    stub.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(2)
    del state["hands"][1]
    del state["sightings"][4:]
    state["hands"][0] |= {"action": "hit", "total": "hard 12"}
    stub.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(1)
    expect(page.get_by_test_id("hand-action")).to_have_text("Hit")
    expect(page.get_by_test_id("overlay").locator("polygon")).to_have_count(4)
    stub.push(empty_state())
    expect(page.get_by_test_id("hand")).to_have_count(0)
    expect(page.get_by_test_id("empty")).to_be_visible()
    expect(page.get_by_test_id("overlay").locator("polygon")).to_have_count(0)


def test_lost_server_is_said_and_heals(page: Page, stub: Stub) -> None:
    stub.push(table_state())
    connection = page.get_by_test_id("connection")
    expect(connection).to_have_attribute("data-state", "open")
    expect(page.get_by_test_id("hand")).to_have_count(2)
    stub.down = True
    expect(connection).to_have_text("The display lost the server; trying again…")
    expect(page.locator(".board")).to_have_attribute("data-state", "stale")
    time.sleep(1.2)  # long enough that it is also refused at least once
    state = table_state()
    state["hands"][0] |= {"action": "stand", "total": "hard 18"}
    stub.push(state)
    stub.down = False
    expect(page.get_by_test_id("hand-action").first).to_have_text("Stand")
    expect(connection).to_have_attribute("data-state", "open")
    expect(page.locator(".board")).to_have_attribute("data-state", "live")


def test_camera_troubles_are_said(page: Page, stub: Stub) -> None:
    camera = page.get_by_test_id("camera")
    state = table_state()
    stub.push(state)
    expect(camera).to_have_text("Camera live")
    state["settled"] = False
    stub.push(state)
    expect(camera).to_have_text("Cards moving")
    state["camera"] |= {"state": "lost", "message": "The camera was unplugged. Plug it in again."}
    stub.push(state)
    expect(camera).to_have_text("The camera was unplugged. Plug it in again.")
    expect(page.locator(".board")).to_have_attribute("data-state", "stale")
    state["camera"] |= {"state": "ended", "message": "The video has ended."}
    state["picture"] = None
    stub.push(state)
    expect(camera).to_have_attribute("data-state", "ended")
    expect(camera).to_have_text("The video has ended.")
    expect(page.get_by_test_id("picture")).to_be_hidden()
    expect(page.get_by_test_id("picture-note")).to_be_visible()


def test_fits_a_narrow_phone_and_seven_seats(page: Page, stub: Stub) -> None:
    state = table_state()
    actions = ["stand", "hit", "double", "split", "surrender", "done", None]
    state["hands"] = [
        hand(seat, ["KC", "6D", "AH", "2S", "3C"], "hard 22", action, why="W" * 60, values={"stand": -0.5, "hit": 2.0})
        for seat, action in enumerate(actions, 1)
    ]
    state["problems"] = ["<b>Two cards</b> lie between hands."]
    stub.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(7)
    expect(page.get_by_test_id("problems")).to_have_text("<b>Two cards</b> lie between hands.")
    for width, height in ((360, 740), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width
        for word in page.get_by_test_id("hand-action").all():
            over = word.evaluate("node => node.scrollWidth - node.clientWidth")
            assert over <= 1, f"{word.inner_text()} does not fit at {width}"
            box = word.bounding_box()
            assert width == 360 or (box and box["y"] + box["height"] <= height), "an action lies below the screen"


def test_another_version_of_the_server_is_said(page: Page, stub: Stub) -> None:
    stub.push(table_state() | {"version": 2})
    expect(page.get_by_test_id("connection")).to_have_text("This page does not match the server. Reload the page.")


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_home_table_fits_one_screen(page: Page, stub: Stub, seats: int) -> None:
    state = table_state()
    values = {"split": -0.48, "surrender": -0.5, "hit": -0.54, "stand": -0.54, "double": -1.08}
    why = "Split: a pair of 8s (hard 16) against a 10 loses 0.48 bets on average. The dealer busts 23% of the time."
    state["hands"] = [
        hand(seat, ["8S", "8D"], "hard 16", "split", why=why, values=values) for seat in range(1, seats + 1)
    ]
    stub.push(state)
    expect(page.get_by_test_id("hand")).to_have_count(seats)
    for width, height in ((1280, 720), (1440, 810), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for word in page.get_by_test_id("hand-action").all():
            box = word.bounding_box()
            assert box and box["y"] + box["height"] <= height, f"an action lies below the screen at {width}x{height}"
