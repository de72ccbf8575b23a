"""A deck taught from pages: what is read surely is learned, the rest asked; nothing learned is lost or stays wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest
from deck_stand_ins import FakeReader
from fastapi import FastAPI
from fastapi.testclient import TestClient

from advisor.service.decks_api import decks_router
from advisor.service.own_decks import KEPT, OwnDecks
from vision.cards.profile import ProfileError, load_profile
from vision.sightings import FACES

IMAGE = np.full((480, 640, 3), 90, np.uint8)
JPEG = cv2.imencode(".jpg", IMAGE)[1].tobytes()


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def decks(tmp_path: Path, reader: FakeReader) -> OwnDecks:
    return OwnDecks(tmp_path, cast(Any, reader))


def faces_of(folder: Path, name: str = "mine") -> set[str]:
    return set(load_profile(name, folder).faces)


def test_sure_cards_are_learned_at_once_and_the_others_when_they_are_named(
    decks: OwnDecks, reader: FakeReader, tmp_path: Path
) -> None:
    reader.lies = [("AS", True), ("9H", False)]
    shown = decks.show("mine", IMAGE)
    assert [(c.label, c.sure) for c in shown.cards] == reader.lies and faces_of(tmp_path) == {"AS"}
    assert decks.named("mine", shown.key, 1, "6H").learned == tuple(f for f in FACES if f in ("AS", "6H"))
    assert faces_of(tmp_path) == {"AS", "6H"}


def test_a_card_that_was_learned_wrongly_is_unlearned_when_it_is_put_right(
    decks: OwnDecks, reader: FakeReader, tmp_path: Path
) -> None:
    reader.lies = [("AS", True)]
    shown = decks.show("mine", IMAGE)
    decks.named("mine", shown.key, 0, "AC")
    assert faces_of(tmp_path) == {"AC"}


def test_a_deck_grows_over_pictures_and_over_a_restart(decks: OwnDecks, reader: FakeReader, tmp_path: Path) -> None:
    reader.lies = [("AS", True)]
    decks.show("mine", IMAGE)
    again = OwnDecks(tmp_path, cast(Any, reader))
    reader.lies = [("2S", True)]
    again.show("mine", IMAGE)
    assert faces_of(tmp_path) == {"AS", "2S"}
    assert [(k.name, len(k.missing)) for k in again.known()] == [("mine", 50)]


def test_before_a_camera_a_card_counts_once_it_rests_and_only_once(
    decks: OwnDecks, reader: FakeReader, tmp_path: Path
) -> None:
    reader.lies = [("AS", True), ("KD", True)]
    assert decks.show("mine", IMAGE.copy(), one_of_many=True).cards == ()
    reader.moved = 40.0
    assert decks.show("mine", IMAGE.copy(), one_of_many=True).cards == ()
    assert [c.label for c in decks.show("mine", IMAGE.copy(), one_of_many=True).cards] == ["AS"]
    assert decks.show("mine", IMAGE.copy(), one_of_many=True).cards == ()
    reader.lies = [("QD", False)]
    assert decks.show("mine", IMAGE.copy(), one_of_many=True).cards == ()
    assert [(c.label, c.sure) for c in decks.show("mine", IMAGE.copy(), one_of_many=True).cards] == [("QD", False)]
    assert faces_of(tmp_path) == {"AS"}


def test_two_cards_that_are_taken_for_the_same_one_are_both_asked_about(decks: OwnDecks, reader: FakeReader) -> None:
    reader.lies = [("9H", False)]
    for moved in (0.0, 40.0):
        reader.moved = moved
        assert decks.show("mine", IMAGE.copy(), one_of_many=True).cards == ()
        assert [c.label for c in decks.show("mine", IMAGE.copy(), one_of_many=True).cards] == ["9H"]
        assert decks.show("mine", IMAGE.copy(), one_of_many=True).cards == ()


def test_the_same_picture_seen_twice_is_no_proof_that_its_card_rests(decks: OwnDecks, reader: FakeReader) -> None:
    reader.lies = [("AS", True)]
    first, second = IMAGE.copy(), IMAGE.copy()
    assert [len(decks.show("mine", it, one_of_many=True).cards) for it in (first, first, second)] == [0, 0, 1]


def test_what_was_changed_elsewhere_meanwhile_is_neither_overwritten_nor_revived(
    decks: OwnDecks, reader: FakeReader, tmp_path: Path
) -> None:
    reader.lies = [("AS", True)]
    decks.show("mine", IMAGE)
    (tmp_path / "mine.npz").unlink()
    reader.lies = [("2S", True)]
    assert decks.show("mine", IMAGE).deck.learned == ("2S",)
    other = OwnDecks(tmp_path, cast(Any, reader))
    reader.lies = [("3S", True)]
    other.show("mine", IMAGE)
    reader.lies = [("4S", True)]
    decks.show("Mine", IMAGE)
    assert faces_of(tmp_path) == {"2S", "3S", "4S"}, "a name in capitals is the same deck"


def test_a_picture_of_one_deck_names_nothing_in_another_nor_in_one_that_is_deleted(
    decks: OwnDecks, reader: FakeReader
) -> None:
    reader.lies = [("AS", True)]
    shown = decks.show("mine", IMAGE)
    with pytest.raises(ProfileError, match="take it again"):
        decks.named("other", shown.key, 0, "AC")
    decks.delete("mine")
    with pytest.raises(ProfileError, match="take it again"):
        decks.named("mine", shown.key, 0, "AC")


def test_a_damaged_deck_is_listed_so_that_it_can_be_deleted(
    decks: OwnDecks, reader: FakeReader, tmp_path: Path
) -> None:
    reader.lies = [("AS", True)]
    decks.show("mine", IMAGE)
    whole = bytearray((tmp_path / "mine.npz").read_bytes())
    for k in range(60, len(whole) - 60):
        whole[k] ^= 0x55
    (tmp_path / "mine.npz").write_bytes(bytes(whole))
    assert [k.learned for k in decks.known()] == [()]
    decks.delete("mine")
    assert decks.known() == []


def test_the_table_looks_anew_when_another_deck_is_used(reader: FakeReader, tmp_path: Path) -> None:
    looks: list[int] = []
    decks = OwnDecks(tmp_path, cast(Any, reader), on_use=lambda: looks.append(1))
    reader.lies = [("AS", True)]
    decks.show("mine", IMAGE)
    assert looks == []
    decks.use("mine")
    decks.delete("mine")
    assert len(looks) == 2
    reader.indices.network = "two"
    with pytest.raises(ProfileError, match="no deck"):
        decks.use("mine")
    assert len(looks) == 2


def test_the_table_reads_by_the_deck_in_use_as_it_grows_until_it_is_deleted(
    decks: OwnDecks, reader: FakeReader
) -> None:
    reader.lies = [("AS", True)]
    decks.show("mine", IMAGE)
    assert reader.indices.profile is None
    decks.use("mine")
    reader.lies = [("2S", True)]
    decks.show("mine", IMAGE)
    assert reader.indices.profile is not None and reader.indices.profile.faces == {"AS", "2S"}
    decks.delete("mine")
    assert reader.indices.profile is None and decks.used == "" and decks.known() == []


def test_a_deck_that_another_network_learned_is_not_mixed_with_what_this_one_says(
    decks: OwnDecks, reader: FakeReader, tmp_path: Path
) -> None:
    reader.lies = [("AS", True)]
    decks.show("mine", IMAGE)
    reader.indices.network = "two"
    with pytest.raises(ProfileError, match="teach it again"):
        OwnDecks(tmp_path, cast(Any, reader)).show("mine", IMAGE)
    assert faces_of(tmp_path) == {"AS"}


def test_pictures_that_wait_for_answers_do_not_pile_up(decks: OwnDecks, reader: FakeReader) -> None:
    reader.lies = [("AS", False)]
    first = decks.show("mine", IMAGE)
    for _ in range(KEPT):
        decks.show("mine", IMAGE)
    with pytest.raises(ProfileError, match="take it again"):
        decks.named("mine", first.key, 0, "AS")


@pytest.fixture
def client(decks: OwnDecks) -> TestClient:
    app = FastAPI()
    app.include_router(decks_router(decks, lambda: None))
    return TestClient(app)


def test_over_the_routes_a_deck_is_taught_used_and_deleted(client: TestClient, reader: FakeReader) -> None:
    reader.lies = [("AS", True), ("9H", False)]
    shown = client.post("/api/decks/my%20deck/picture", content=JPEG).json()
    assert [c["sure"] for c in shown["cards"]] == [True, False]
    assert all(c["picture"].startswith("data:image/jpeg;base64,") for c in shown["cards"])
    said = {"key": shown["key"], "number": 1, "label": "9H"}
    assert client.post("/api/decks/my%20deck/named", json=said).json()["learned"] == ["9H", "AS"]
    assert client.put("/api/decks/used", json={"name": "my deck"}).json()["used"] == "my deck"
    assert client.delete("/api/decks/my%20deck").json() == {"decks": [], "used": ""}


@pytest.mark.parametrize(
    ("method", "path", "more", "said"),
    [
        ("POST", "/mine/picture", {"content": b""}, "came empty"),
        ("POST", "/mine/picture", {"content": b"no picture"}, "JPEG, PNG, WebP and HEIC"),
        ("POST", "/..%21/picture", {"content": JPEG}, "no name for a deck"),
        ("POST", "/mine/camera", {}, "shows nothing now"),
        ("POST", "/mine/named", {"json": {"key": "7", "number": 0, "label": "AS"}}, "take it again"),
        ("PUT", "/used", {"json": {"name": "other"}}, "no deck called 'other'"),
        ("DELETE", "/other", {}, "no deck called 'other'"),
    ],
)
def test_what_cannot_be_done_is_said(
    client: TestClient, method: str, path: str, more: dict[str, Any], said: str
) -> None:
    answer = client.request(method, f"/api/decks{path}", **more)
    assert answer.status_code == 422 and said in answer.json()["error"]


def test_what_is_no_card_is_not_learned(client: TestClient, reader: FakeReader) -> None:
    reader.lies = [("9H", False)]
    key = client.post("/api/decks/mine/picture", content=JPEG).json()["key"]
    answer = client.post("/api/decks/mine/named", json={"key": key, "number": 0, "label": "1X"})
    assert answer.status_code == 422 and "'1X' is no card" in answer.json()["error"]
