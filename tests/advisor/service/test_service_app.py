"""The server: what it says, whom it answers, and that nothing on the table or in the camera brings it down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from service_stand_ins import BROKEN, HEIGHT, QUICK, WIDTH, BarReader, put_picture, until
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from advisor.games.blackjack import load_rules
from advisor.service.app import create_app
from advisor.service.live import LiveTable
from vision.sources import open_source

HERE = "http://127.0.0.1:8765"
LINE = {"host": "127.0.0.1:8765", "origin": HERE}


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    put_picture(path, 80)
    return path


@pytest.fixture
def client(picture: Path) -> Iterator[TestClient]:
    with serving(str(picture)) as running:
        yield running


def serving(spec: str) -> TestClient:
    source = open_source(spec, pacing=QUICK)
    return TestClient(create_app(LiveTable(source, BarReader(), load_rules("home"), "home")), base_url=HERE)


def actions(client: TestClient) -> list[str | None]:
    return [hand["action"] for hand in client.get("/api/state").json()["hands"]]


def test_the_state_says_what_lies_there_and_what_to_do(client: TestClient) -> None:
    assert until(lambda: actions(client) == ["double"])
    state = client.get("/api/state").json()
    assert state["camera"]["state"] == "live" and state["settled"] is True
    assert state["dealer"]["upcard"] == "10H"
    assert state["hands"][0]["total"] == "hard 11" and "Double" in state["hands"][0]["why"]
    assert (state["picture"]["width"], state["picture"]["height"]) == (WIDTH, HEIGHT)
    assert sorted(s["kind"] for s in state["sightings"]) == ["back", "card", "card", "card"]
    assert client.get("/api/health").json()["ok"] is True


def test_another_picture_is_another_state(client: TestClient, picture: Path) -> None:
    assert until(lambda: actions(client) == ["double"])
    put_picture(picture, 120)
    assert until(lambda: actions(client) == ["hit"])
    put_picture(picture, 160)
    assert until(lambda: actions(client) == [None])
    assert "six of clubs" in client.get("/api/state").json()["hands"][0]["problems"][0]
    put_picture(picture, 40)
    assert until(lambda: actions(client) == [])


def test_the_newest_picture_comes_as_jpeg(client: TestClient) -> None:
    assert until(lambda: actions(client) == ["double"])
    answer = client.get(client.get("/api/state").json()["picture"]["url"])
    assert answer.headers["content-type"] == "image/jpeg" and answer.headers["cache-control"] == "no-store"
    image = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape == (HEIGHT, WIDTH, 3)


def wait_for(socket: WebSocketTestSession, wanted: list[str | None]) -> None:
    """Take messages until one has these actions; a state is only sent when it changed, so none may be missed."""
    for _ in range(50):
        if [hand["action"] for hand in socket.receive_json()["hands"]] == wanted:
            return
    raise AssertionError(f"no state had the actions {wanted}")


def test_the_websocket_sends_the_state_at_once_and_at_every_change(client: TestClient, picture: Path) -> None:
    with client.websocket_connect("/ws", headers=LINE) as socket:
        wait_for(socket, ["double"])
        put_picture(picture, 120)
        wait_for(socket, ["hit"])


def test_nonsense_over_the_websocket_changes_nothing(client: TestClient, picture: Path) -> None:
    with client.websocket_connect("/ws", headers=LINE) as socket:
        wait_for(socket, ["double"])
        for text in ("", "{", '{"action": "pay"}', "x" * 5000):
            socket.send_text(text)
        put_picture(picture, 120)
        wait_for(socket, ["hit"])


def test_bytes_over_the_websocket_end_only_that_line(client: TestClient, picture: Path) -> None:
    with client.websocket_connect("/ws", headers=LINE) as socket:
        wait_for(socket, ["double"])
        socket.send_bytes(b"\x00\xff")
    put_picture(picture, 120)
    assert until(lambda: actions(client) == ["hit"])


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "192.168.1.9:8765"])
def test_only_this_machine_is_answered(client: TestClient, host: str) -> None:
    for path in ("/", "/api/state", "/frame.jpg", "/static/main.js"):
        assert client.get(path, headers={"host": host}).status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws", headers={"host": host}):
        pass


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "[::1]:8765"])
def test_this_machine_has_several_names(client: TestClient, host: str) -> None:
    assert client.get("/api/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1.evil.example", "null"])
def test_pages_from_elsewhere_get_no_line(client: TestClient, origin: str) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws", headers={**LINE, "origin": origin}):
        pass


def test_the_page_runs_nothing_from_outside(client: TestClient) -> None:
    page = client.get("/")
    policy = page.headers["content-security-policy"]
    assert page.status_code == 200 and "<html" in page.text
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert client.get("/docs").status_code == 404
    assert client.get("/static/../app.py").status_code == 404


def test_a_source_that_goes_away_is_said_and_comes_back(client: TestClient, picture: Path) -> None:
    assert until(lambda: actions(client) == ["double"])
    picture.unlink()
    assert until(lambda: client.get("/api/health").json()["camera"]["state"] == "lost")
    assert client.get("/api/health").json()["ok"] is False
    put_picture(picture, 120)
    assert until(lambda: actions(client) == ["hit"])
    camera = client.get("/api/state").json()["camera"]
    assert camera["state"] == "live" and camera["reconnects"] == 1


def test_an_absent_camera_leaves_the_server_up() -> None:
    with serving("97") as client:
        assert until(lambda: client.get("/api/state").json()["camera"]["state"] == "lost")
        state = client.get("/api/state").json()
        assert "not found" in state["camera"]["message"] and state["picture"] is None and state["hands"] == []
        assert client.get("/frame.jpg").status_code == 404


def test_a_picture_that_cannot_be_read_is_said_and_survived(client: TestClient, picture: Path) -> None:
    assert until(lambda: actions(client) == ["double"])
    put_picture(picture, BROKEN)
    assert until(lambda: client.get("/api/state").json()["camera"]["errors"] >= 1)
    assert any("could not be read" in p for p in client.get("/api/state").json()["problems"])
    put_picture(picture, 120)
    assert until(lambda: actions(client) == ["hit"])
    assert client.get("/api/state").json()["problems"] == []
