"""The server: what it says, whom it answers, and that nothing on the table or in the camera brings it down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from service_stand_ins import (
    ABSENT,
    BROKEN,
    HEIGHT,
    LINE,
    TWO_SEATS,
    WIDTH,
    actions,
    put_picture,
    serving,
    state_of,
    table_of,
    until,
)
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from advisor.service.live import LiveTable
from advisor.service.table_log import MemoryLog

pytestmark = pytest.mark.slow


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    put_picture(path, 40)
    return path


@pytest.fixture
def client(picture: Path) -> Iterator[TestClient]:
    with serving(str(picture)) as running:
        assert until(lambda: state_of(running)["settled"])
        yield running


def shows(client: TestClient, *wanted: str | None) -> bool:
    """Whether the hands get this advice before long."""
    return until(lambda: actions(state_of(client)) == list(wanted))


def test_the_state_says_what_lies_there_and_what_to_do(client: TestClient, picture: Path) -> None:
    put_picture(picture, 80)
    assert shows(client, "double")
    assert until(lambda: len(state_of(client)["played"]["house"][0]["cards"]) == 2)
    state = state_of(client)
    (hand,), (house,) = state["played"]["hands"], state["played"]["house"]
    assert state["version"] == 2 and state["role"] == "dealer" and state["store"]["ok"] is True
    assert state["camera"]["state"] == "live" and state["settled"] is True
    assert [(card["label"], card["lies"]) for card in house["cards"]] == [("10H", "up"), (None, "down")]
    assert hand["total"] == "hard 11" and sorted(card["label"] for card in hand["cards"]) == ["5C", "6D"]
    assert state["played"]["step"].startswith("Peek")
    assert (state["picture"]["width"], state["picture"]["height"]) == (WIDTH, HEIGHT)
    assert sorted(s["kind"] for s in state["sightings"]) == ["back", "card", "card", "card"]
    in_hands = {card["card"] for hand in (hand, house) for card in hand["cards"]}
    assert {s["card"] for s in state["sightings"]} == in_hands
    assert client.get("/api/health").json()["ok"] is True


def test_another_picture_is_another_state(client: TestClient, picture: Path) -> None:
    put_picture(picture, 80)
    assert shows(client, "double")
    put_picture(picture, 120)
    assert shows(client, "hit")
    put_picture(picture, 40)
    assert until(lambda: state_of(client)["round"] == 2)
    assert shows(client)


def test_a_doubtful_card_is_asked_about_and_naming_it_puts_it_right(client: TestClient, picture: Path) -> None:
    put_picture(picture, 160)
    assert until(lambda: any(len(hand["cards"]) == 3 for hand in state_of(client)["played"]["hands"]))
    (hand,) = state_of(client)["played"]["hands"]
    (doubtful,) = [card for card in hand["cards"] if card["lies"] == "unsure"]
    assert hand["action"] is None and "two of hearts" in hand["problems"][0]
    answer = client.post("/api/table", json={"op": "name-card", "card": doubtful["card"], "label": "3H"})
    assert answer.status_code == 200
    (hand,) = state_of(client)["played"]["hands"]
    assert hand["total"] == "hard 14" and hand["action"] is not None


def test_the_newest_picture_comes_as_jpeg(client: TestClient) -> None:
    answer = client.get(state_of(client)["picture"]["url"])
    assert answer.headers["content-type"] == "image/jpeg" and answer.headers["cache-control"] == "no-store"
    image = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape == (HEIGHT, WIDTH, 3)


def wait_for(socket: WebSocketTestSession, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Take messages until one is as wanted; a state is only sent when it changed, so none may be missed."""
    for _ in range(80):
        state: dict[str, Any] = socket.receive_json()
        if wanted(state):
            return state
    raise AssertionError("no state was as wanted")


def advises(*wanted: str | None) -> Callable[[dict[str, Any]], bool]:
    return lambda state: actions(state) == list(wanted)


def test_the_websocket_sends_the_state_at_once_and_at_every_change(client: TestClient, picture: Path) -> None:
    with client.websocket_connect("/ws", headers=LINE) as socket:
        assert actions(socket.receive_json()) == []
        put_picture(picture, 80)
        wait_for(socket, advises("double"))
        put_picture(picture, 120)
        wait_for(socket, advises("hit"))


def test_what_one_page_says_every_page_is_shown() -> None:
    log = MemoryLog(table_of())
    log.apply(TWO_SEATS, "camera")
    with (
        serving(ABSENT, log) as client,
        client.websocket_connect("/ws", headers=LINE) as dealer,
        client.websocket_connect("/ws?view=players", headers=LINE) as player,
    ):
        client.post("/api/table", json={"op": "tell", "operation": {"op": "stand", "seat": 1, "hand": 1}})
        done = [wait_for(line, lambda state: "Seat 2" in state["played"]["step"]) for line in (dealer, player)]
    assert [state["role"] for state in done] == ["dealer", "viewer"]


def test_twenty_pages_are_told_the_same_and_the_state_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog(table_of())
    log.apply(TWO_SEATS, "camera")
    asked: list[str] = []
    state = LiveTable.state
    monkeypatch.setattr(LiveTable, "state", lambda self, role="dealer": asked.append(role) or state(self, role))
    with serving(ABSENT, log) as client, ExitStack() as open_lines:
        lines = [open_lines.enter_context(client.websocket_connect("/ws", headers=LINE)) for _ in range(20)]
        for line in lines:
            line.receive_json()
        asked.clear()
        client.post("/api/table", json={"op": "usual-bet", "seat": 2, "amount": "15"})
        said = [wait_for(line, lambda it: it["played"]["hands"][1]["bets"][0]["amount"] == "15") for line in lines]
    assert len({it["sequence"] for it in said}) == 1
    assert asked.count("dealer") <= 8, "once a change, and when the camera's health is looked at"


def test_nonsense_over_the_websocket_changes_nothing(client: TestClient, picture: Path) -> None:
    with client.websocket_connect("/ws", headers=LINE) as socket:
        for text in ("", "{", '{"action": "pay"}', '{"op": "void-round"}', "x" * 5000):
            socket.send_text(text)
        put_picture(picture, 120)
        assert wait_for(socket, advises("hit"))["round"] == 1


def test_bytes_over_the_websocket_end_only_that_line(client: TestClient, picture: Path) -> None:
    with client.websocket_connect("/ws", headers=LINE) as socket:
        socket.receive_json()
        socket.send_bytes(b"\x00\xff")
    put_picture(picture, 120)
    assert shows(client, "hit")


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


def test_a_source_that_goes_away_is_said_and_the_round_goes_on_when_it_comes_back(
    client: TestClient, picture: Path
) -> None:
    put_picture(picture, 80)
    assert shows(client, "double")
    picture.unlink()
    assert until(lambda: client.get("/api/health").json()["camera"]["state"] == "lost")
    assert client.get("/api/health").json()["ok"] is False
    assert actions(state_of(client)) == ["double"], "what lies there is still known"
    put_picture(picture, 120)
    assert shows(client, "hit")
    camera = state_of(client)["camera"]
    assert camera["state"] == "live" and camera["reconnects"] == 1


def test_an_absent_camera_leaves_the_server_up() -> None:
    with serving(ABSENT) as client:
        assert until(lambda: state_of(client)["camera"]["state"] == "lost")
        state = state_of(client)
        assert "not found" in state["camera"]["message"] and state["picture"] is None
        assert state["played"]["phase"] == "bets" and state["played"]["hands"] == []
        assert client.get("/frame.jpg").status_code == 404


def test_a_picture_that_cannot_be_read_is_said_and_survived(client: TestClient, picture: Path) -> None:
    put_picture(picture, BROKEN)
    assert until(lambda: state_of(client)["camera"]["errors"] >= 1)
    assert any("could not be read" in p for p in state_of(client)["problems"])
    put_picture(picture, 120)
    assert shows(client, "hit")
    assert state_of(client)["problems"] == []
