"""The gate: this machine, paired devices, strangers; sizes, rates, and pages from elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from rummy_stand_ins import TellingReader
from service_stand_ins import ABSENT, HERE, TWO_SEATS, live_table, table_of, until
from starlette.responses import PlainTextResponse
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from advisor.service.access import BODY, LINES, MESSAGE, PICTURE, SAYING_HERE, Guard, Lan
from advisor.service.app import create_app
from advisor.service.pairing import Codes, Devices
from advisor.service.rummy_api import rummy_router
from advisor.service.rummy_app import create_rummy_app
from advisor.service.sheet_events import EventSheets
from advisor.service.store import EventStore
from advisor.service.table_log import MemoryLog

pytestmark = pytest.mark.slow

HOST = "192.168.1.9:8765"
THERE = f"http://{HOST}"
PHONE, OTHER = ("192.168.1.20", 4000), ("192.168.1.21", 4000)
PAGE = {"accept": "text/html,*/*"}
CHANGE = {"op": "usual-bet", "seat": 1, "amount": "10"}


class Place:
    """A server that is open to the network, and clients of it from here and there."""

    def __init__(self, app: Any, lan: Lan) -> None:
        self.app, self.lan = app, lan
        self.here = TestClient(app, base_url=HERE, client=("127.0.0.1", 50000))

    def device(self, client: tuple[str, int] = PHONE, role: str | None = None) -> TestClient:
        """A device of the network, paired where a role is given."""
        found = TestClient(self.app, base_url=THERE, client=client, follow_redirects=False)
        if role:
            code = self.lan.codes.code("dealer" if role == "dealer" else "viewer")
            answer = found.post("/api/pair", json={"code": code, "role": role, "name": "a phone"})
            assert answer.status_code == 200, answer.text
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table that nobody watches: what is asked and said does not need the camera."""
    log = MemoryLog(table_of())
    log.apply(TWO_SEATS, "camera")
    lan = Lan(Codes(time.monotonic), Devices(None, time.time), f"{THERE}/", frozenset({"den", "den.local"}))
    router = rummy_router(
        EventSheets(EventStore.open(tmp_path / "history.sqlite3")), tmp_path / "pictures", TellingReader()
    )
    return Place(create_app(live_table(ABSENT, log), [router], lan), lan)


def line_of(client: TestClient, path: str = "/ws", **headers: str) -> WebSocketTestSession:
    """A line, to be entered; the test client would otherwise open it to a machine of its own."""
    return client.websocket_connect(f"ws://{client.base_url.host}:8765{path}", headers=headers)


def assert_no_line(client: TestClient, path: str = "/ws", **headers: str) -> None:
    with pytest.raises(WebSocketDisconnect), line_of(client, path, **headers):
        pass


def test_a_stranger_gets_the_pairing_page_and_nothing_else(place: Place) -> None:
    phone = place.device()
    assert phone.get("/", headers=PAGE).headers["location"] == "/pair"
    assert phone.get("/pair").status_code == 200
    for name in ("pair.js", "pair.css", "strings-pair.js", "icon.svg"):
        assert phone.get(f"/static/{name}").status_code == 200, name
    paths = (
        "/api/state",
        "/frame.jpg",
        "/static/main.js",
        "/api/health",
        "/rummy",
        "/api/rummy/sheets",
        "/openapi.json",
    )
    for path in paths:
        answer = phone.get(path)
        assert answer.status_code == 401 and "not paired" in answer.json()["error"], path
    assert phone.post("/api/table", json=CHANGE).status_code == 401
    for path in ("/ws", "/ws/camera"):
        assert_no_line(phone, path)
    assert phone.cookies.get("tableside") is None


def test_a_players_device_sees_the_players_view_and_changes_nothing(place: Place) -> None:
    phone = place.device(role="viewer")
    state = phone.get("/api/state").json()
    assert state["role"] == "viewer" and state["played"]["choices"] == []
    with line_of(phone) as line:
        assert line.receive_json()["role"] == "viewer", "whatever the page asks for"
    assert phone.get("/", headers=PAGE).headers["location"] == "/players"
    assert phone.get("/players").status_code == 200 and phone.get("/static/main.js").status_code == 200
    for method, path in (("POST", "/api/table"), ("POST", "/api/corners"), ("POST", "/api/rummy/sheets")):
        answer = phone.request(method, path, json=CHANGE)
        assert answer.status_code == 403 and "player" in answer.json()["error"]
    assert phone.put("/api/rummy/pictures/a", content=b"x").status_code == 403
    for page in ("/camera", "/setup", "/deck", "/api/decks"):
        assert phone.get(page).status_code == 403, page
    assert_no_line(phone, "/ws/camera")


def test_a_dealers_device_may_do_all_but_what_is_the_hosts(place: Place) -> None:
    phone = place.device(role="dealer")
    assert phone.get("/").status_code == 200 and phone.get("/rummy").status_code == 200
    assert phone.post("/api/table", json=CHANGE).status_code == 200
    assert phone.get("/api/state").json()["role"] == "dealer"
    with line_of(phone, "/ws?view=players") as line:
        assert line.receive_json()["role"] == "viewer"
    for method, path in (("GET", "/api/lan"), ("GET", "/api/devices"), ("DELETE", "/api/devices/x")):
        assert phone.request(method, path).status_code == 403, path


def test_the_token_is_a_cookie_that_no_script_and_no_other_site_gets(place: Place) -> None:
    code = place.lan.codes.code("viewer")
    answer = place.device().post("/api/pair", json={"code": f"{code[:3]} {code[3:]}", "role": "viewer"})
    said = answer.headers["set-cookie"].lower()
    assert answer.json() == {"ok": True, "role": "viewer", "go": "/players"}
    assert "httponly" in said and "samesite=strict" in said and "path=/" in said
    assert place.lan.codes.code("viewer") != code


def test_a_wrong_code_is_a_sentence_and_many_are_too_many(place: Place) -> None:
    phone = place.device()
    said = [phone.post("/api/pair", json={"code": "x", "role": "dealer"}) for _ in range(6)]
    assert [it.status_code for it in said] == [403] * 5 + [429]
    assert all(it.json()["error"].endswith(".") for it in said)
    for wrong in (
        {},
        {"code": "1", "role": "king"},
        {"code": "1" * 30, "role": "dealer"},
        {"code": 5, "role": "dealer"},
    ):
        answer = phone.post("/api/pair", json=wrong)
        assert answer.status_code == 422 and answer.json()["error"].endswith("."), answer.text


def test_a_field_that_is_missing_is_named(place: Place) -> None:
    phone = place.device()
    for sent, missing in (({"code": "123456"}, "role"), ({"role": "viewer"}, "code")):
        answer = phone.post("/api/pair", json=sent)
        assert answer.status_code == 422 and answer.json() == {"error": f"The field '{missing}' is missing."}
    for nothing in (b"", b"{"):
        answer = phone.post("/api/pair", content=nothing, headers={"content-type": "application/json"})
        assert answer.json() == {"error": "This cannot be read: an object in JSON is expected."}


def test_the_host_sees_codes_and_devices_and_sends_one_away(place: Place) -> None:
    assert place.here.get("/api/lan").json() == {
        "url": f"{THERE}/",
        "code": place.lan.codes.code("dealer"),
        "viewer_code": place.lan.codes.code("viewer"),
    }
    phone = place.device(role="viewer")
    (device,) = place.here.get("/api/devices").json()
    assert (device["name"], device["role"]) == ("a phone", "viewer") and "hash" not in device
    with line_of(phone) as line:
        line.receive_json()
        assert place.here.delete(f"/api/devices/{device['id']}").json() == {"ok": True}
        assert place.here.delete(f"/api/devices/{device['id']}").status_code == 404
        place.here.post("/api/table", json={**CHANGE, "amount": "30"})
        with pytest.raises(WebSocketDisconnect):
            line.receive_json()
    assert phone.get("/api/state").status_code == 401


def test_a_device_that_is_sent_away_loses_its_line_though_nothing_is_said(place: Place) -> None:
    phone = place.device(role="viewer")
    with line_of(phone) as line:
        line.receive_json()
        (device,) = place.here.get("/api/devices").json()
        place.here.delete(f"/api/devices/{device['id']}")
        with pytest.raises(WebSocketDisconnect) as ended:
            while True:
                line.receive_json()
    assert ended.value.code == 4401 and "sent away" in ended.value.reason


def test_this_machine_by_its_own_address_is_the_dealer(place: Place) -> None:
    host = place.device(("192.168.1.9", 4000))
    assert host.get("/api/lan").json()["url"] == f"{THERE}/" and host.post("/api/table", json=CHANGE).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1:8765", "localhost", "192.168.1.10", ""]
)
def test_the_network_is_answered_by_the_servers_address_only(place: Place, host: str) -> None:
    phone = place.device(role="dealer")
    for path in ("/", "/api/state", "/pair", "/api/lan"):
        assert phone.get(path, headers={"host": host}).status_code == 403, path
    assert_no_line(phone, host=host)


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "den.local"},
        {"host": "den.local", "x-forwarded-for": "127.0.0.1"},
        {"host": "127.0.0.1:8765", "x-forwarded-for": "192.168.1.20"},
        {"host": "127.0.0.1:8765", "forwarded": "for=127.0.0.1"},
        {"host": "localhost", "via": "1.1 proxy"},
    ],
    ids=str,
)
def test_what_a_proxy_on_this_machine_hands_on_is_not_the_host(place: Place, headers: dict[str, str]) -> None:
    assert place.here.get("/api/state", headers=headers).status_code == 401
    assert place.here.get("/api/lan", headers=headers).status_code == 403
    code = place.lan.codes.code("viewer")
    answer = place.here.post("/api/pair", json={"code": code, "role": "viewer"}, headers=headers)
    assert answer.status_code == 200, "but its devices can be paired"
    assert place.here.get("/api/state", headers=headers).json()["role"] == "viewer"


@pytest.mark.parametrize("host", [HOST, "192.168.1.9", "den:8765", "den.local", "DEN.local:8765"])
def test_the_servers_address_has_several_forms(place: Place, host: str) -> None:
    assert place.device(role="dealer").get("/api/state", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://192.168.1.9.evil.example", "null", "http://192.168.1.9"]
)
def test_pages_from_elsewhere_change_nothing_and_get_no_line(place: Place, origin: str) -> None:
    for client in (place.device(role="dealer"), place.here):
        answer = client.post("/api/table", json=CHANGE, headers={"origin": origin})
        assert answer.status_code == 403 and answer.json()["error"].endswith(".")
        assert_no_line(client, origin=origin)
    assert place.here.post("/api/table", json=CHANGE, headers={"origin": HERE}).status_code == 200


def test_without_lan_the_network_gets_no_answer() -> None:
    app = create_app(live_table(ABSENT))
    with TestClient(app, base_url=HERE, client=("127.0.0.1", 1)) as here:
        assert here.get("/api/lan").json() == {"url": None, "code": None, "viewer_code": None}
        assert here.get("/api/devices").json() == [] and here.get("/pair").status_code == 404
        there = TestClient(app, base_url=THERE, client=PHONE)
        for path in ("/", "/pair", "/api/state"):
            assert there.get(path).status_code == 403, path
        assert there.get("/", headers={"host": "127.0.0.1:8765"}).status_code == 403
        assert_no_line(there)


def test_bodies_are_limited(place: Place) -> None:
    big = b"x" * (BODY + 1)
    for client in (place.here, place.device(role="dealer")):
        assert client.post("/api/table", content=big).status_code == 413

        def parts() -> Iterator[bytes]:
            yield from [b"x" * 4096] * 5

        answer = client.post("/api/table", content=parts(), headers={"content-type": "application/json"})
        assert answer.status_code == 413 and "16 kB" in answer.json()["error"]
        answer = client.put("/api/rummy/pictures/a.jpg", content=b"x", headers={"content-length": str(PICTURE + 1)})
        assert answer.status_code == 413 and "25 MB" in answer.json()["error"]
    assert place.here.post("/api/table", json={**CHANGE, "amount": " " * (BODY - 200) + "5"}).status_code in (200, 422)


def test_messages_over_a_line_are_limited(place: Place) -> None:
    with line_of(place.here, origin=HERE) as line:
        line.receive_json()
        line.send_text("x" * (MESSAGE + 1))
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                line.receive_json()
    assert closed.value.code == 1009
    assert place.here.get("/api/health").status_code == 200


def test_a_device_that_asks_too_often_waits_and_others_do_not(place: Place) -> None:
    phone, other = place.device(role="dealer"), place.device(OTHER, role="viewer")
    # A slow machine asks more slowly, so that it takes longer until it is too often.
    said: list[int] = []
    while 429 not in said and len(said) < 400:
        said.append(phone.post("/api/table", json=CHANGE).status_code)
    assert said[-1] == 429 and said.count(200) == len(said) - 1 >= 40
    assert other.get("/api/health").status_code == 200 and place.here.post("/api/table", json=CHANGE).status_code == 200


def test_a_script_gone_wild_on_this_machine_is_held_back_and_pages_are_still_shown() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("taken")(scope, receive, send)

    now = [0.0]
    here = TestClient(Guard(app, clock=lambda: now[0]), base_url=HERE, client=("127.0.0.1", 50000))
    said = [here.post("/api/table", json=CHANGE).status_code for _ in range(int(SAYING_HERE.burst) + 1)]
    assert said[-1] == 429 and said.count(200) == len(said) - 1
    assert here.get("/api/table").status_code == 200
    now[0] = 1.0
    assert here.post("/api/table", json=CHANGE).status_code == 200


def test_a_device_holds_only_so_many_lines(place: Place) -> None:
    phone = place.device(role="viewer")
    lines = [line_of(phone) for _ in range(LINES)]
    for line in lines:
        # Each of the test client's lines has an event loop of its own, and the lock on the state's text can be waited
        # for in one loop only: a line that has to wait for another's first state would end.
        line.__enter__().receive_text()
    assert_no_line(phone)
    for line in lines:
        line.__exit__(None, None, None)

    def free() -> bool:
        try:
            with line_of(phone):
                return True
        except WebSocketDisconnect:
            return False

    assert until(free)


def test_every_answer_bears_the_headers_that_keep_pages_safe(place: Place) -> None:
    phone = place.device()
    for answer in (
        phone.get("/pair"),
        phone.get("/api/state"),
        phone.get("/", headers=PAGE),
        place.here.get("/api/lan"),
    ):
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


def test_a_forged_or_broken_cookie_lets_nobody_in(place: Place) -> None:
    place.device(role="dealer")
    for cookie in ("tableside=x", "tableside=", "tableside", "=;=;\x00", "a" * 9000, 'tableside="' + "x" * 50):
        answer = place.device(OTHER).get("/api/state", headers={"cookie": cookie.encode("latin-1")})  # type: ignore[dict-item]
        assert answer.status_code == 401, cookie


def test_the_store_of_devices_is_in_the_persons_own_folder(tmp_path: Path) -> None:
    lan = Lan(Codes(time.monotonic), Devices(tmp_path / "devices.json", time.time), "http://192.168.1.9/")
    assert lan.names and all("." not in name or name.endswith(".local") for name in lan.names)


def test_the_rummy_page_alone_opens_to_a_paired_phone_and_to_nobody_else(tmp_path: Path) -> None:
    lan = Lan(Codes(time.monotonic), Devices(None, time.time), f"{THERE}/", frozenset())
    sheets = EventSheets(EventStore.open(tmp_path / "history.sqlite3"))
    router = rummy_router(sheets, tmp_path / "pictures", TellingReader())
    place = Place(create_rummy_app(router, lan), lan)
    game = {"key": str(uuid4()), "name": "friday", "variant": "contract-b", "players": ["Ann", "Bob", "Cy"]}
    stranger, phone, looker = place.device(), place.device(role="dealer"), place.device(OTHER, role="viewer")
    assert stranger.get("/rummy", headers=PAGE).headers["location"] == "/pair"
    assert stranger.post("/api/rummy/sheets", json={**game, "dealer": "Bob"}).status_code == 401
    assert phone.get("/", headers=PAGE).headers["location"] == "/rummy"
    assert phone.post("/api/rummy/sheets", json={**game, "dealer": "Bob"}).status_code == 200
    assert looker.get("/players", headers=PAGE).headers["location"] == "/rummy"
    assert looker.get("/api/rummy/sheets").status_code == 200
    assert looker.post("/api/rummy/sheets", json={**game, "dealer": "Bob"}).status_code == 403
    alone = TestClient(create_rummy_app(router), base_url=THERE, client=PHONE)
    assert alone.get("/rummy").status_code == 403, "not opened"
