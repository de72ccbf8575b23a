"""A browser as the camera: its line, what is refused on it, and a real browser with a camera that plays a clip."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest
from fastapi.testclient import TestClient
from service_stand_ins import ABSENT, HERE, LINE, MarkReader, actions, picture_of, serving, state_of, table_of, until
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from advisor.service.app import create_app
from advisor.service.live import LiveTable
from advisor.service.table_log import MemoryLog
from vision.sources import PushedSource

pytestmark = pytest.mark.slow


def jpeg(place: int) -> bytes:
    return cv2.imencode(".jpg", picture_of(place), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def table() -> LiveTable:
    return LiveTable(PushedSource(), MarkReader(), MemoryLog(table_of()))


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(create_app(table()), base_url=HERE) as running:
        yield running


def send(line: WebSocketTestSession, data: bytes) -> str:
    line.send_bytes(data)
    return str(line.receive_json()["fault"])


def test_a_browsers_pictures_become_the_table(client: TestClient) -> None:
    with client.websocket_connect("/ws/camera", headers=LINE) as line:
        assert line.receive_json() == {"taken": 0, "fault": ""}

        def dealt() -> bool:
            assert send(line, jpeg(80)) == ""
            return actions(state_of(client)) == ["double"]

        assert until(dealt)
        camera = state_of(client)["camera"]
        assert camera["state"] == "live" and "camera of this machine" in camera["message"]
    assert until(lambda: state_of(client)["camera"]["state"] == "lost")
    assert actions(state_of(client)) == ["double"], "the round outlives the line"
    with client.websocket_connect("/ws/camera", headers=LINE) as line:
        line.receive_json()
        assert send(line, jpeg(80)) == ""
        assert until(lambda: state_of(client)["camera"]["reconnects"] == 1)


def test_a_second_camera_is_told_that_there_is_one(client: TestClient) -> None:
    with client.websocket_connect("/ws/camera", headers=LINE) as line:
        line.receive_json()
        send(line, jpeg(40))
        with client.websocket_connect("/ws/camera", headers=LINE) as other:
            assert "is the camera already" in other.receive_json()["refused"]
            with pytest.raises(WebSocketDisconnect):
                other.receive_json()
        assert send(line, jpeg(40)) == "", "the first one goes on"


def test_nonsense_is_a_sentence_and_the_line_goes_on(client: TestClient) -> None:
    with client.websocket_connect("/ws/camera", headers=LINE) as line:
        line.receive_json()
        for nonsense in (b"", b"x" * 1000, jpeg(40)[:-500]):
            assert send(line, nonsense).endswith(".")
        line.send_text("{}")
        assert "no picture" in line.receive_json()["fault"]
        assert send(line, jpeg(40)) == ""


def test_a_table_with_another_camera_says_so() -> None:
    with serving(ABSENT) as client:
        assert client.get("/camera").status_code == 200
        with client.websocket_connect("/ws/camera", headers=LINE) as line:
            assert "--source browser" in line.receive_json()["refused"]


@contextmanager
def listening(running: LiveTable) -> Iterator[str]:
    """A real server; its address."""
    import uvicorn

    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = uvicorn.Config(create_app(running), log_level="error", ws_max_size=4 * 1024 * 1024)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        assert until(lambda: server.started, 20)
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/"
        server.should_exit = True
        thread.join(10)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium on this machine")
def test_a_real_browser_sends_its_camera_until_the_state_shows_the_cards(tmp_path: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    clip = tmp_path / "table.mjpeg"
    clip.write_bytes(jpeg(120) * 4)
    running = table()
    with listening(running) as address, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--use-fake-ui-for-media-stream",
                "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-video-capture={clip}",
            ],
        )
        page = browser.new_page()
        page.set_default_timeout(20_000)
        expect.set_options(timeout=20_000)
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{address}camera")
        shown = page.get_by_test_id("camera-state")
        expect(shown).to_have_attribute("data-state", "off")
        page.get_by_test_id("camera-go").click()
        expect(shown).to_have_attribute("data-state", "live")
        assert until(lambda: [h.action for h in running.played().hands] == ["hit"], 20)
        assert running.camera().state == "live" and running.camera().frames > 1
        expect(page.get_by_test_id("camera-figures")).to_contain_text("640 × 360")
        page.screenshot(path=tmp_path / "camera.png")
        page.get_by_test_id("camera-go").click()
        expect(shown).to_have_attribute("data-state", "off")
        assert until(lambda: running.camera().state == "lost")
        page.get_by_test_id("camera-go").click()
        expect(shown).to_have_attribute("data-state", "live")
        assert until(lambda: running.camera().state == "live")
        assert troubles == []
        browser.close()
