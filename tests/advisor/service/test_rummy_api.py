"""What the rummy page can ask: everything recorded once and kept, every refusal a sentence."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rummy_stand_ins import TellingReader, encoded

from advisor.games.cards import FULL_PACK
from advisor.games.rummy import parse_rummy_cards, score, shipped_variant
from advisor.games.rummy.sheet import CorrectScore, Operation, RecordHand, StartGame, Undo
from advisor.service import rummy_pictures
from advisor.service.rummy_api import counted, rummy_router
from advisor.service.rummy_app import create_rummy_app
from advisor.service.rummy_sheets import SheetBook
from advisor.service.rummy_wire import Question
from advisor.service.sheet_events import EventSheets
from advisor.service.store import EventStore, NewEvent

HEIC = Path(__file__).parents[2] / "vision" / "heic"
HERE = "http://127.0.0.1:8765"


class Table:
    """A server on a folder, and the reader behind it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.reader = folder, TellingReader()
        self.open(folder / "history.sqlite3")

    def open(self, path: Path) -> None:
        """Start the server, or another, with the sheets kept there."""
        self.store = EventStore.open(path)
        self.sheets = EventSheets(self.store)
        self.start()

    def start(self) -> None:
        """Start the server, or another on the same folder."""
        router = rummy_router(self.sheets, self.folder / "pictures", self.reader)
        self.client = TestClient(create_rummy_app(router), base_url=HERE)

    def get(self, path: str, code: int = 200) -> Any:
        answer = self.client.get(f"/api/rummy/{path}")
        assert answer.status_code == code, answer.text
        return answer.json()

    def post(self, path: str, data: Any, code: int = 200) -> Any:
        answer = self.client.post(f"/api/rummy/{path}", json=data)
        assert answer.status_code == code, answer.text
        return answer.json()

    def begin(self, name: str = "friday", code: int = 200, **more: Any) -> Any:
        game = {"name": name, "variant": "contract-b", "players": ["Ann", "Bob", "Cy"], "dealer": "Bob"}
        return self.post("sheets", {"key": str(uuid4()), **game, **more}, code)

    def do(self, op: str, code: int = 200, key: str = "", seen: int | None = None, **fields: Any) -> Any:
        new = {"key": key or str(uuid4()), "seen": seen, "operation": {"op": op, **fields}}
        return self.post("sheets/friday/operations", new, code)

    def put(self, shows: str, data: bytes | None = None, name: str = "", code: int = 200) -> Any:
        self.reader.shows = shows
        body = encoded() if data is None else data
        answer = self.client.put(f"/api/rummy/pictures/{name or uuid4()}", content=body)
        assert answer.status_code == code, answer.text
        return answer.json()

    def sent(self) -> tuple[str, ...]:
        """What the operations on the sheet were named."""
        return self.sheets.read("friday").keys


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    yield Table(tmp_path)


# Games


def test_variants_are_explained_and_the_usual_one_comes_first(table: Table) -> None:
    variants = table.get("variants")
    assert len(variants) == 13 and variants[0]["name"] == "contract-b" and variants[0]["usual"]
    assert variants[0]["about"].startswith("For 3 to 8 players, 7 deals") and "joker counts 15" in variants[0]["about"]
    assert variants[0]["deals"][1]["contract"] == "1 set of 3 + 1 sequence of 4"


def test_a_game_is_begun_once_however_often_it_is_sent(table: Table) -> None:
    key = str(uuid4())
    first = table.begin(key=key)
    assert (first["name"], first["dealer"], first["missing"]) == ("friday", "Bob", ["Ann", "Bob", "Cy"])
    assert table.begin(key=key)["seen"] == 1 and table.sent() == (key,)
    assert "already: choose another name" in table.begin(code=409)["error"]
    assert [line["name"] for line in table.get("sheets")["sheets"]] == ["friday"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"variant": "whist"}, "There is no variant 'whist'"),
        ({"players": ["Ann", "Bob"]}, "contract-b is not for 2 players"),
        ({"players": ["Ann", "ann", "Cy"]}, "Two players are called"),
        ({"dealer": "Zoe"}, "Zoe cannot deal first"),
        ({"name": "../../etc"}, "is no name for a score sheet"),
        ({"players": ["x" * 100, "Bob", "Cy"]}, "is no name for a player"),
        ({"hat": 1}, "Extra inputs are not permitted"),
        ({"key": "k"}, "key"),
    ],
)
def test_a_game_that_cannot_be_begun_is_refused_with_a_sentence(table: Table, change: Any, says: str) -> None:
    answer = table.client.post(
        "/api/rummy/sheets",
        json={
            **{"key": str(uuid4()), "name": "friday", "variant": "contract-b"},
            **{"players": ["Ann", "Bob", "Cy"], "dealer": "Ann"},
            **change,
        },
    )
    assert answer.status_code in (400, 422) and says in answer.json()["error"]
    assert table.get("sheets")["sheets"] == []


def test_a_whole_deal_from_pictures_to_totals_and_back(table: Table) -> None:
    table.begin()
    hand = table.put("10H 9S? JOKER")
    assert [card["label"] for card in hand["cards"]] == ["10H", None, "JOKER"]
    assert hand["cards"][1]["guesses"] == ["9S", "6H"] and hand["cards"][1]["at"] == [34.0, 12.0]
    assert [trouble["kind"] for trouble in hand["troubles"]] == ["unsure"]
    photo = {"source": "photo", "image": hand["picture"]}
    sheet = table.do("record-hand", player="Ann", deal=1, cards="10H 9S JOKER", **photo)
    assert sheet["said"].startswith("Ann, deal 1: recorded") and sheet["players"][0]["total"] == 34
    table.do("went-out", player="Bob", deal=1)
    table.do("record-hand", player="Cy", deal=1, points=7)
    sheet = table.do("end-deal", deal=1)
    assert (sheet["deal"], sheet["dealer"], sheet["ahead"]) == (2, "Cy", "Bob is ahead with 0 points.")
    assert sheet["deals"][0]["scores"][0]["picture"] == hand["picture"]
    sheet = table.do("undo", seen=sheet["seen"])
    assert sheet["deal"] == 1 and sheet["redo"] == "deal 1 ended" and sheet["said"] == "Undone: deal 1 ended."
    sheet = table.do("redo", seen=sheet["seen"])
    assert sheet["deal"] == 2 and [player["total"] for player in sheet["players"]] == [34, 0, 7]


def test_what_is_sent_twice_is_recorded_once(table: Table) -> None:
    table.begin()
    key = str(uuid4())
    for _ in range(3):
        sheet = table.do("record-hand", key=key, player="Ann", deal=1, points=12)
        assert sheet["seen"] == 2 and sheet["players"][0]["total"] == 12
    assert [kept == key for kept in table.sent()] == [False, True]
    assert "in another form" in table.do("record-hand", 409, key=key, player="Ann", deal=1, points=13)["error"]
    # A second one, not a repeated one, is refused as ever.
    assert "is recorded already" in table.do("record-hand", 422, player="Ann", deal=1, points=12)["error"]


def test_two_phones_cannot_undo_twice_by_one_wish(table: Table) -> None:
    table.begin()
    table.do("record-hand", player="Ann", deal=1, points=12)
    seen = table.do("record-hand", player="Cy", deal=1, points=3)["seen"]
    assert table.do("undo", seen=seen)["missing"] == ["Bob", "Cy"]
    assert "recorded meanwhile" in table.do("undo", 409, seen=seen)["error"]
    assert "recorded meanwhile" in table.do("redo", 409)["error"]
    assert table.get("sheets/friday")["missing"] == ["Bob", "Cy"]


def test_a_server_that_was_killed_goes_on_where_it_was(table: Table) -> None:
    table.begin()
    key, name = str(uuid4()), str(uuid4())
    hand = table.put("10H 9S", name=name)
    table.do("record-hand", key=key, player="Ann", deal=1, cards="10H 9S", source="photo", image=name)
    table.open(table.folder / "history.sqlite3")  # as if the first had been killed: it never closed the store
    assert table.put("4C", name=name) == hand and table.reader.read_count == 1
    sheet = table.do("record-hand", key=key, player="Ann", deal=1, cards="10H 9S", source="photo", image=name)
    assert sheet["seen"] == 2 and sheet["players"][0]["total"] == 19
    table.do("went-out", player="Bob", deal=1)
    assert len(table.sent()) == 3


def test_the_page_and_the_command_line_show_the_same_games(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from advisor.cli import main

    monkeypatch.setenv("XDG_DATA_HOME", str(table.folder / "home"))
    table.open(table.folder / "home" / "tableside" / "history.sqlite3")
    table.begin()
    assert main(["rummy", "sheet", "add", "friday", "--player", "Ann", "--points", "31"]) == 0
    assert table.get("sheets/friday")["players"][0]["total"] == 31
    table.do("went-out", player="Bob", deal=1)
    capsys.readouterr()
    assert main(["rummy", "sheet", "show", "friday", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["missing"] == ["Cy"]


def test_a_damaged_sheet_is_said_and_the_others_go_on(table: Table) -> None:
    table.begin()
    table.store.begin_sheet("broken", NewEvent("operation", {}))
    found = table.get("sheets")
    assert [line["name"] for line in found["sheets"]] == ["friday"] and "broken" in found["problems"][0]
    assert "line 1" in table.get("sheets/broken", 400)["error"]
    assert "There is no score sheet called 'monday'" in table.get("sheets/monday", 404)["error"]
    assert table.client.delete("/api/rummy/sheets/broken").status_code == 204


@pytest.mark.parametrize(
    ("operation", "says"),
    [
        ({"op": "steal"}, "'steal' is not an operation"),
        ({}, "None is not an operation"),
        ({"op": "record-hand", "player": "Ann", "deal": 1, "cards": "11H"}, "'11H' is not a card"),
        ({"op": "record-hand", "player": "Zoe", "deal": 1, "points": 1}, "There is no player 'Zoe'"),
        ({"op": "record-hand", "player": "Ann", "deal": 2, "points": 1}, "that deal has not begun"),
        ({"op": "record-hand", "player": "Ann", "deal": 1, "cards": " ".join(["10H"] * 4)}, "10H is there 4 times"),
        ({"op": "record-hand", "player": "Ann", "deal": 1, "cards": " ".join(map(str, FULL_PACK[:21]))}, "too many"),
        ({"op": "end-deal", "deal": 1}, "no score of Ann, Bob and Cy is recorded"),
        ({"op": "undo"}, "There is nothing to undo"),
    ],
)
def test_what_the_sheet_cannot_take_is_refused_and_changes_nothing(table: Table, operation: Any, says: str) -> None:
    table.begin()
    answer = table.post("sheets/friday/operations", {"key": str(uuid4()), "seen": 1, "operation": operation}, 422)
    assert says in answer["error"] and len(table.sent()) == 1


# Pictures


def test_a_picture_is_read_once_and_kept_small(table: Table) -> None:
    name = str(uuid4())
    first = table.put("10H", encoded(width=4032, height=3024), name)
    assert (first["width"], first["height"]) == (4032, 3024)
    assert table.put("9C", b"another file", name) == first and table.reader.read_count == 1
    assert table.get(f"pictures/{name}") == first
    kept = table.client.get(first["url"])
    assert kept.headers["content-type"] == "image/jpeg" and len(kept.content) < 200_000
    assert "not kept any more" in table.get(f"pictures/{uuid4()}", 404)["error"]


def test_a_picture_torn_by_a_crash_is_read_anew(table: Table) -> None:
    name = str(uuid4())
    table.put("10H", name=name)
    (table.folder / "pictures" / f"{name}.json").write_text('{"width": 3')
    assert table.put("9C", name=name)["cards"][0]["label"] == "9C"


def bomb() -> bytes:
    """A PNG of a hundred bytes that claims 60 000 x 60 000 pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + b"IEND"


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (b"", 415, "came empty"),
        (b"%PDF-1.7 " + b"x" * 500, 415, "not a picture that can be read"),
        (encoded()[:300], 415, "cut short"),
        (encoded(".png")[:80], 415, "cut short"),
        (bomb(), 415, "3600 megapixels, and 110 are the most"),
        (b"\xff\xd8" + b"\0" * 41_000_000, 413, "25 MB"),
    ],
    ids=["empty", "no picture", "half a JPEG", "half a PNG", "bomb", "too large"],
)
def test_what_is_no_picture_is_refused_with_a_sentence(table: Table, data: bytes, code: int, says: str) -> None:
    assert says in table.put("10H", data, code=code)["error"]
    assert table.reader.read_count == 0 and not list((table.folder).glob("pictures/*"))


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_every_kind_of_picture_that_phones_take_is_read(table: Table, ending: str) -> None:
    assert table.put("10H", encoded(ending))["cards"][0]["label"] == "10H"


@pytest.mark.parametrize("name", ["upright", "turned", "ten_bits"])
def test_what_iphones_save_is_read_and_kept_as_a_jpeg(table: Table, name: str) -> None:
    seen = table.put("10H", (HEIC / f"{name}.heic").read_bytes())
    assert (seen["width"], seen["height"]) == (64, 48)
    assert table.client.get(seen["url"]).content.startswith(b"\xff\xd8")


def test_a_damaged_heic_picture_is_said_to_be_one(table: Table) -> None:
    half = (HEIC / "upright.heic").read_bytes()[:300]
    assert "this HEIC picture could not be decoded" in table.put("10H", half, code=415)["error"]


def test_a_heic_picture_of_too_many_pixels_is_refused(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rummy_pictures, "LARGEST_PIXELS", 1_000)
    assert "megapixels" in table.put("10H", (HEIC / "upright.heic").read_bytes(), code=415)["error"]
    assert table.reader.read_count == 0


def test_a_name_cannot_leave_the_folder(table: Table) -> None:
    for name in ("..%2F..%2Fsheets", "UPPER-CASE-NAME", "short", "a" * 60):
        assert table.client.put(f"/api/rummy/pictures/{name}", content=encoded()).status_code in (400, 404)


@pytest.mark.parametrize(
    ("shows", "kinds"),
    [
        ("", ["no-cards"]),
        ("10H 9H 8H/4C 5C 6C", ["several-hands"]),
        ("10H back", ["face-down"]),
        ("10H 9C?", ["unsure"]),
        ("10H 9C", []),
    ],
)
def test_what_is_wrong_with_a_picture_is_said(table: Table, shows: str, kinds: list[str]) -> None:
    assert [trouble["kind"] for trouble in table.put(shows)["troubles"]] == kinds


def test_a_lamp_that_burns_out_the_hands_end_is_said_now_and_later(table: Table) -> None:
    image = np.full((200, 320, 3), 90, np.uint8)
    image[:60, 190:250] = 255
    name = str(uuid4())
    seen = table.put("2C 5H 9S JD 3D 8C KH 6S", cv2.imencode(".png", image)[1].tobytes(), name)
    assert [trouble["kind"] for trouble in seen["troubles"]] == ["burnt"]
    assert seen["troubles"][0]["sentence"].startswith("Beside 6S a lamp burns")
    assert table.get(f"pictures/{name}") == seen


def test_pictures_go_with_their_sheet_and_drafts_after_some_days(table: Table) -> None:
    table.begin()
    accepted, draft = str(uuid4()), str(uuid4())
    table.put("10H 9S", name=accepted)
    table.put("10H 9S", name=draft)
    table.do("record-hand", player="Ann", deal=1, cards="10H 9S", source="photo", image=accepted)
    for path in (table.folder / "pictures").iterdir():
        os.utime(path, (1, 1))
    table.start()
    assert {path.stem for path in (table.folder / "pictures").iterdir()} == {accepted}
    assert table.client.delete("/api/rummy/sheets/friday").status_code == 204
    assert list((table.folder / "pictures").iterdir()) == []


# What cards count

HANDS = st.lists(st.sampled_from([str(card) for card in FULL_PACK] + ["JOKER"]), min_size=1, max_size=10).filter(
    lambda cards: all(n <= (1 if card == "JOKER" else 2) for card, n in Counter(cards).items())
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cards=HANDS, other=HANDS)
def test_corrected_cards_count_and_are_accepted_for_their_own_score(
    tmp_path: Path, cards: list[str], other: list[str]
) -> None:
    book, name = SheetBook(EventSheets(EventStore.open(tmp_path / "history.sqlite3"))), f"game {uuid4()}"
    variant = shipped_variant("contract-b")
    sheet = book.begin(name, StartGame(variant, ("Ann", "Bob", "Cy"), "Ann"), "begin-it").sheet

    def total(operation: Operation, seen: int = 0) -> int:
        return book.carry_out(name, operation, str(uuid4()), seen).sheet.totals["Ann"]

    hands = [parse_rummy_cards(" ".join(each)) for each in (cards, other)]
    own, corrected = (score(variant, hand).points for hand in hands)
    found = counted(sheet, Question(player="Ann", deal=1, cards=cards))
    assert found.points == own == sum(points for _, points in found.by_card) and found.problem == ""
    assert total(RecordHand("Ann", 1, hands[0])) == own
    if cards != other:
        assert total(CorrectScore("Ann", 1, hands[1])) == corrected
        assert total(Undo(), 3) == own


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (["10H"] * 4, "10H is there 4 times, but the packs of contract-b for 3 players hold 2 tens of hearts"),
        ([str(card) for card in FULL_PACK[:21]], "21 cards are too many"),
        ([], "has gone out"),
    ],
)
def test_cards_that_cannot_be_are_counted_and_said(table: Table, cards: list[str], says: str) -> None:
    table.begin()
    assert says in table.post("sheets/friday/count", {"player": "Ann", "deal": 1, "cards": cards})["problem"]


def test_a_question_about_nobody_or_no_card_is_refused(table: Table) -> None:
    table.begin()
    for player, deal, card, says in (("Zoe", 1, "AS", "no such"), ("Ann", 9, "AS", "no such"), ("Ann", 1, "1Z", "1Z")):
        answer = table.post("sheets/friday/count", {"player": player, "deal": deal, "cards": [card]}, 422)
        assert says in answer["error"]


# What leaves the server


def test_the_sheet_leaves_as_table_data_and_page(table: Table) -> None:
    table.begin("Zoë game")
    name = quote("Zoë game")
    csv = table.client.get(f"/api/rummy/sheets/{name}/export.csv")
    assert csv.text.startswith("deal,state,contract,dealer,Ann,Bob,Cy")
    assert "filename*=UTF-8''Zo%C3%AB%20game.csv" in csv.headers["content-disposition"]
    assert table.client.get(f"/api/rummy/sheets/{name}/export.json").json()["operations"][0]["op"] == "start-game"
    page = table.client.get(f"/api/rummy/sheets/{name}/print")
    policy = page.headers["content-security-policy"]
    assert "<table>" in page.text and "default-src 'none'" in policy and "'sha256-" in policy and "unsafe" not in policy


def test_only_this_machine_and_only_its_own_page_may_ask(table: Table) -> None:
    table.begin()
    assert table.client.get("/api/rummy/sheets", headers={"host": "evil.example"}).status_code == 403
    operation = {"key": str(uuid4()), "operation": {"op": "went-out", "player": "Ann", "deal": 1}}
    for origin in ("https://evil.example", "null"):
        answer = table.client.post("/api/rummy/sheets/friday/operations", json=operation, headers={"origin": origin})
        assert answer.status_code == 403 and "this server itself may do this" in answer.json()["error"]
    assert len(table.sent()) == 1
    same = table.client.post("/api/rummy/sheets/friday/operations", json=operation, headers={"origin": HERE})
    assert same.status_code == 200


def test_the_page_is_served_with_everything_it_needs(table: Table) -> None:
    page = table.client.get("/rummy")
    assert page.status_code == 200 and "default-src 'self'" in page.headers["content-security-policy"]
    assert table.client.get("/", follow_redirects=False).headers["location"] == "/rummy"
    for name in ("rummy.js", "rummy.css", "style.css", "strings-rummy.js"):
        assert table.client.get(f"/static/{name}").status_code == 200
