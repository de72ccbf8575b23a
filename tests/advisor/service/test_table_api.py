"""What a page may say to the table, each change and each refusal, and what players do not get to see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from service_stand_ins import TWO_SEATS, came, put_picture, serving, state_of, table_of, until

from advisor.games.catalogue import game, games
from advisor.service.felt_view import FeltView
from advisor.service.table_log import MemoryLog
from advisor.table.changes import CardShown
from vision.felt import layout_names

Data = dict[str, Any]


@pytest.fixture
def log() -> MemoryLog:
    log = MemoryLog(table_of())
    log.apply(TWO_SEATS, "camera")
    return log


@pytest.fixture
def client(log: MemoryLog) -> Iterator[TestClient]:
    with serving(log=log) as running:
        yield running


@pytest.fixture(scope="module")
def steady() -> Iterator[TestClient]:
    """For what changes nothing."""
    log = MemoryLog(table_of())
    log.apply(TWO_SEATS, "camera")
    with serving(log=log) as running:
        yield running


def done(client: TestClient, **change: Any) -> Data:
    """Make a change that is accepted; the state after it."""
    answer = client.post("/api/table", json=change)
    assert answer.status_code == 200, answer.text
    assert answer.json()["ok"] is True
    return state_of(client)


def refused(client: TestClient, status: int, change: Any) -> str:
    """Make a change that is refused and leaves everything as it was; the sentence."""
    before = state_of(client)["played"]
    answer = client.post("/api/table", json=change)
    assert answer.status_code == status, answer.text
    sentence = answer.json()["error"]
    assert list(answer.json()) == ["error"] and is_sentence(sentence), sentence
    assert state_of(client)["played"] == before
    return str(sentence)


def is_sentence(text: str) -> bool:
    return len(text) > 8 and (text[0].isupper() or text[0] in "'‘“(") and text[-1] in ".?!" and "Traceback" not in text


def hand(state: Data, seat: int, number: int = 1) -> Data:
    wanted = {"seat": seat, "hand": number}
    found: Data = next(it for it in (*state["played"]["house"], *state["played"]["hands"]) if it["place"] == wanted)
    return found


def labels(state: Data, seat: int, number: int = 1) -> list[str]:
    return [card["label"] for card in hand(state, seat, number)["cards"]]


def told(client: TestClient, op: str, **fields: Any) -> Data:
    """Say the choice that is offered with this operation."""
    offered = [it["operation"] for it in state_of(client)["played"]["choices"]]
    chosen = next(it for it in offered if it["op"] == op and all(it.get(k) in (v, "") for k, v in fields.items()))
    return done(client, op="tell", operation={**chosen, **fields})


def test_naming_a_card_puts_it_right_and_undo_takes_that_back(client: TestClient) -> None:
    assert hand(state_of(client), 1)["total"] == "hard 15"
    state = done(client, op="name-card", card=4, label="6S")
    assert labels(state, 1) == ["10H", "6S"] and hand(state, 1)["total"] == "hard 16"
    assert state["undo"] == "naming the six of spades" and state["redo"] is None
    state = done(client, op="undo")
    assert labels(state, 1) == ["10H", "5S"] and state["redo"] == "naming the six of spades"
    assert labels(done(client, op="redo"), 1) == ["10H", "6S"]


def test_a_card_is_removed_moved_and_added(client: TestClient) -> None:
    state = done(client, op="remove-card", card=5)
    assert labels(state, 2) == ["10S"]
    state = done(client, op="move-card", card=2, seat=3, hand=1)
    assert labels(state, 3) == ["10S"]
    state = done(client, op="add-card", label="back", seat=3, hand=1)
    assert [card["lies"] for card in hand(state, 3)["cards"]] == ["up", "down"]
    for _ in range(3):
        state = done(client, op="undo")
    assert labels(state, 2) == ["10S", "6S"] and state["undo"] is None


def test_a_usual_bet_is_taken_over_and_shown_in_chips(client: TestClient) -> None:
    state = done(client, op="usual-bet", seat=1, amount="21")
    (bet,) = hand(state, 1)["bets"]
    assert (bet["amount"], bet["assumed"]) == ("21", True)
    assert bet["chips"] == [{"colour": "red", "count": 4}, {"colour": "white", "count": 1}]


def test_a_usual_bet_that_the_rules_forbid_is_refused(client: TestClient) -> None:
    refused(client, 409, {"op": "usual-bet", "seat": 1, "amount": "12.50"})


def test_a_round_is_played_to_its_payments_and_the_next_begins(client: TestClient, log: MemoryLog) -> None:
    told(client, "stand", seat=1)
    state = told(client, "stand", seat=2)
    assert state["played"]["phase"] == "house"
    log.apply([*came((0, "KD"), first=7)], "camera")
    log.apply([*came((0, "10C"), first=8)], "camera")
    state = done(client, op="end-round")
    assert state["round"] == 2 and state["undo"] == "the end of the round"
    state = done(client, op="undo")
    assert state["round"] == 1 and labels(state, 1) == ["10H", "5S"]


def test_words_that_end_a_round_are_taken_back_with_its_end_by_one_undo(client: TestClient, log: MemoryLog) -> None:
    told(client, "stand", seat=1)
    told(client, "stand", seat=2)
    log.apply([CardShown(card=6, face="KD"), *came((0, "10C"), first=7)], "camera")
    while (before := state_of(client))["played"]["phase"] == "settle":
        done(client, op="tell", operation=before["played"]["choices"][0]["operation"])
    assert before["played"]["phase"] == "clear"
    state = told(client, "clear-cards")
    assert (state["round"], state["undo"], state["played"]["hands"]) == (2, "the end of the round", [])
    assert log.state.totals
    state = done(client, op="undo")
    assert (state["round"], state["played"]) == (1, before["played"])
    assert state["undo"] == before["undo"] and state["redo"] == "“clear cards”"
    assert not log.state.totals and not log.state.results
    state = done(client, op="redo")
    assert (state["round"], state["undo"]) == (2, "the end of the round"), "said again, it ends the round again"
    assert done(client, op="undo")["played"] == before["played"]


def test_a_round_is_called_off(client: TestClient, log: MemoryLog) -> None:
    state = done(client, op="void-round")
    assert state["round"] == 2 and state["played"]["hands"] == []
    assert log.state.results[-1].void and not log.state.totals


def test_the_shoe_is_shuffled(client: TestClient) -> None:
    done(client, op="end-round")
    before = {fact["name"]: fact["value"] for fact in state_of(client)["played"]["facts"]}
    after = {fact["name"]: fact["value"] for fact in done(client, op="shuffled")["played"]["facts"]}
    assert int(before["cards-left"]) < int(after["cards-left"]) == 52


def test_another_game_with_other_rules_is_put_on_the_table(client: TestClient, log: MemoryLog) -> None:
    for name in games():
        for preset in game(name).presets():
            state = done(client, op="set-table", game=name, rules=preset, overrides={}, layout=None, seats=3)
            assert state["game"]["name"] == name and state["rules"]["name"] == preset and state["table"]["seats"] == 3
            assert log.state.rules == game(name).presets()[preset]
    state = done(client, op="set-table", game="blackjack", rules="home", overrides={"decks": "2"}, seats=7)
    assert state["rules"]["name"] == "home, changed" and state["rules"]["summary"].startswith("2 decks")
    state = done(client, op="set-table", game="blackjack", rules="home, changed", overrides={}, seats=5)
    assert state["rules"]["summary"].startswith("2 decks"), "the rules in force can be kept"


def test_limits_are_read_as_people_type_them(client: TestClient, log: MemoryLog) -> None:
    typed = {"minimum": "2,50", "maximum": "1,000", "unit": "2,5"}
    done(client, op="set-table", game="blackjack", rules="home", overrides=typed, seats=7)
    assert (log.state.rules.minimum, log.state.rules.maximum) == (Fraction(5, 2), 1000)
    said = {"op": "set-table", "game": "blackjack", "rules": "home", "overrides": {"maximum": "1.000"}, "seats": 7}
    answer = client.post("/api/table", json=said)
    assert answer.status_code == 422
    assert answer.json()["error"] == "House rule maximum: '1.000' may be 1000 or 1: write the one that you mean."


def test_a_commission_is_read_as_its_rules_read_it_not_as_an_amount(client: TestClient, log: MemoryLog) -> None:
    done(client, op="set-table", game="punto-banco", rules="eight-deck", overrides={"commission": "4%"}, seats=3)
    assert log.state.rules.commission == 4


def test_every_layout_can_be_chosen(client: TestClient) -> None:
    listed = client.get("/api/layouts").json()
    assert [it["name"] for it in listed] == list(layout_names()) and all(it["words"] for it in listed)
    for it in listed:
        state = done(client, op="set-table", game="blackjack", rules="home", layout=it["name"], seats=it["seats"])
        assert state["table"]["layout"] == it["name"] and state["table"]["calibrated"] is False
        assert len(client.get("/api/corners").json()["names"]) == 4
    assert done(client, op="set-table", game="blackjack", rules="home", layout=None, seats=7)["table"]["layout"] is None


def test_the_games_come_with_their_rules_as_forms(steady: TestClient) -> None:
    listed = steady.get("/api/games").json()
    assert [it["name"] for it in listed] == list(games())
    for it in listed:
        names = [field["name"] for field in it["fields"]]
        for preset in it["presets"]:
            assert sorted(preset["values"]) == sorted(names) and preset["summary"]
            loaded = game(it["name"]).restored(preset["values"])
            assert loaded == game(it["name"]).presets()[preset["name"]], "what a form holds is the rules themselves"
        for field in it["fields"]:
            assert field["words"] and (bool(field["choices"]) == (field["kind"] == "choice"))


UNREADABLE: list[Any] = [
    {},
    {"op": "dance"},
    {"op": 5},
    {"op": ["undo"]},
    {"op": None},
    {"op": "undo", "why": "because"},
    {"op": "name-card", "card": 1},
    {"op": "name-card", "card": "1", "label": "5H"},
    {"op": "name-card", "card": True, "label": "5H"},
    {"op": "name-card", "card": 1, "label": "11H"},
    {"op": "name-card", "card": 1, "label": "5h"},
    {"op": "name-card", "card": 1, "label": "?5H"},
    {"op": "name-card", "card": 0, "label": "5H"},
    {"op": "add-card", "label": "5H", "seat": 8},
    {"op": "add-card", "label": "5H", "seat": -1},
    {"op": "add-card", "label": "5H", "seat": 1, "hand": 9},
    {"op": "usual-bet", "seat": 1, "amount": "-5"},
    {"op": "usual-bet", "seat": 1, "amount": "0"},
    {"op": "usual-bet", "seat": 1, "amount": "five"},
    {"op": "usual-bet", "seat": 1, "amount": 5.5},
    {"op": "usual-bet", "seat": 1, "amount": "9" * 5000},
    {"op": "usual-bet", "seat": 0, "amount": "5"},
    {"op": "tell", "operation": "stand"},
    {"op": "tell", "operation": {"op": "stand", "seat": 1.5}},
    {"op": "tell", "operation": {"op": "stand", "seat": [1]}},
    {"op": "card-came", "card": 9, "seat": 1, "hand": 1, "face": "5H"},
    {"op": "cards-cleared"},
    {"op": "set-table"},
    {"op": "set-table", "game": "poker"},
    {"op": "set-table", "game": "blackjack", "rules": "/etc/passwd"},
    {"op": "set-table", "game": "blackjack", "rules": ["home"]},
    {"op": "set-table", "game": "blackjack", "rules": "home", "overrides": {"decks": "0"}},
    {"op": "set-table", "game": "blackjack", "rules": "home", "overrides": {"colour": "red"}},
    {"op": "set-table", "game": "blackjack", "rules": "home", "overrides": {"maximum": "1/2"}},
    {"op": "set-table", "game": "blackjack", "rules": "home", "overrides": ["decks"]},
    {"op": "set-table", "game": "blackjack", "rules": "home", "layout": "../loader"},
    {"op": "set-table", "game": "blackjack", "rules": "home", "layout": {"a": 1}},
    {"op": "set-table", "game": "blackjack", "rules": "home", "seats": 0},
    {"op": "set-table", "game": "blackjack", "rules": "home", "seats": "many"},
    {"op": "set-table", "game": "blackjack", "rules": "home", "extra": 1},
]


@pytest.mark.parametrize("change", UNREADABLE, ids=lambda it: json.dumps(it)[:60])
def test_what_cannot_be_read_is_refused_with_a_sentence(steady: TestClient, change: Any) -> None:
    refused(steady, 422, change)


@pytest.mark.parametrize(
    "change",
    [
        {"op": "name-card", "card": 99, "label": "5H"},
        {"op": "name-card", "card": 10**30, "label": "5H"},
        {"op": "remove-card", "card": 99},
        {"op": "move-card", "card": 99, "seat": 1, "hand": 1},
        {"op": "add-card", "label": "5H", "seat": 0, "hand": 2},
        {"op": "tell", "operation": {}},
        {"op": "tell", "operation": {"op": "dance"}},
        {"op": "tell", "operation": {"op": "stand", "seat": 5, "hand": 1}},
        {"op": "tell", "operation": {"op": "stand", "seat": 10**30, "hand": 1}},
        {"op": "undo"},
        {"op": "redo"},
    ],
    ids=lambda it: json.dumps(it)[:60],
)
def test_what_cannot_be_done_now_is_refused_with_a_sentence(steady: TestClient, change: Any) -> None:
    refused(steady, 409, change)


def test_there_is_no_round_to_end_before_a_card_came() -> None:
    with serving() as client:
        for op in ("end-round", "void-round"):
            assert "no round" in refused(client, 409, {"op": op})


def test_seats_that_hold_no_cards_get_none() -> None:
    with serving(log=MemoryLog(table_of("punto-banco", ""))) as client:
        assert "hold no cards" in refused(client, 409, {"op": "add-card", "label": "5H", "seat": 1, "hand": 1})


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"undo"', b"null", b"\xff\xfe", b'{"op": NaN}', b"[" * 10_000])
def test_a_body_that_is_no_object_is_refused_with_a_sentence(steady: TestClient, body: bytes) -> None:
    for path in ("/api/table", "/api/corners"):
        answer = steady.post(path, content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), answer.text
        assert is_sentence(answer.json()["error"]), answer.text


def test_players_get_nothing_private() -> None:
    log = MemoryLog(table_of("blackjack", "six-deck-s17"))
    log.apply(TWO_SEATS, "camera")
    with serving(log=log) as client, client.websocket_connect("/ws?view=players", headers={"host": "127.0.0.1"}) as ws:
        players, dealer = ws.receive_json(), state_of(client)
    assert players["role"] == "viewer" and players["undo"] is None and players["redo"] is None
    assert players["played"]["choices"] == [] and players["played"]["faults"] == []
    names = [fact["name"] for fact in players["played"]["facts"]]
    assert "cards-left" in names and not {"running-count", "true-count", "tens-left"} & set(names)
    assert any(fact["private"] for fact in dealer["played"]["facts"])


def test_players_get_no_advice_on_private_hands() -> None:
    log = MemoryLog(table_of("pontoon", ""))
    log.apply(came((1, "10H"), (0, "6H"), (1, "5S"), (0, "9C")), "camera")
    with serving(log=log) as client, client.websocket_connect("/ws?view=players", headers={"host": "127.0.0.1"}) as ws:
        players, dealer = ws.receive_json()["played"], state_of(client)["played"]
    hidden = 0
    for seen, whole in zip((*players["house"], *players["hands"]), (*dealer["house"], *dealer["hands"]), strict=True):
        assert seen["place"] == whole["place"]
        if whole["private"]:
            hidden += 1
            assert seen["action"] is None and seen["values"] == {} and seen["why"] == [] and seen["offer"] is None
    assert hidden


def test_the_corners_are_dragged_and_forgotten(tmp_path: Path) -> None:
    picture = tmp_path / "table.png"
    put_picture(picture, 40)
    layout = "kitchen-table"
    with serving(str(picture), MemoryLog(table_of(layout=layout))) as client:
        assert until(lambda: state_of(client)["picture"] is not None)
        assert client.get("/api/corners").json()["corners"] is None
        dragged = [[120.0, 60.0], [520.0, 60.0], [600.0, 330.0], [40.0, 330.0]]
        assert client.post("/api/corners", json={"corners": dragged}).status_code == 200
        assert state_of(client)["table"]["calibrated"] is True
        for found, wanted in zip(client.get("/api/corners").json()["corners"], dragged, strict=True):
            assert found == pytest.approx(wanted, abs=0.5)
        for wrong in ([[1.0, 2.0]] * 4, dragged[:3], [*dragged, [1.0, 1.0]], [[1.0]] * 4, [], [[1e308, 0]] * 4):
            answer = client.post("/api/corners", json={"corners": wrong})
            assert answer.status_code == 422 and is_sentence(answer.json()["error"]), answer.text
        for wrong in (b'{"corners": [[NaN, 1], [2, 3], [4, 5], [6, 7]]}', b'{"corners": "x"}', b'{"corner": null}'):
            answer = client.post("/api/corners", content=wrong, headers={"content-type": "application/json"})
            assert answer.status_code == 422 and is_sentence(answer.json()["error"]), answer.text
        assert state_of(client)["table"]["calibrated"] is True
        assert client.post("/api/corners", json={"corners": None}).status_code == 200
        assert state_of(client)["table"]["calibrated"] is False


def test_a_back_that_covers_more_than_a_card_goes_once_the_felt_is_calibrated(tmp_path: Path) -> None:
    picture = tmp_path / "table.png"
    put_picture(picture, 80)
    with serving(str(picture), MemoryLog(table_of(layout="kitchen-table"))) as client:
        assert until(lambda: sorted(s["kind"] for s in state_of(client)["sightings"]) == ["back", *["card"] * 3])
        small_felt = [[20.0, 20.0], [620.0, 20.0], [620.0, 340.0], [20.0, 340.0]]
        assert client.post("/api/corners", json={"corners": small_felt}).status_code == 200
        assert until(lambda: [s["kind"] for s in state_of(client)["sightings"]] == ["card"] * 3)


class FoundAtFirstSight(FeltView):
    """A felt that calibrates itself by the first picture, as one with markers does."""

    def look(self, image: np.ndarray, at: float) -> bool:
        if self.calibration is not None:
            return False
        self.drag([(20.0, 20.0), (620.0, 20.0), (620.0, 340.0), (20.0, 340.0)], image.shape[1], image.shape[0])
        return True


def test_what_was_taken_for_a_back_in_the_picture_that_calibrates_the_felt_goes_at_once(tmp_path: Path) -> None:
    picture = tmp_path / "table.png"
    put_picture(picture, 80)
    with serving(str(picture), MemoryLog(table_of(layout="kitchen-table")), FoundAtFirstSight()) as client:
        assert until(lambda: [s["kind"] for s in state_of(client)["sightings"]] == ["card"] * 3)


def test_corners_before_the_first_picture_or_without_a_felt_are_refused(tmp_path: Path) -> None:
    corners = {"corners": [[120, 60], [520, 60], [600, 330], [40, 330]]}
    with serving(log=MemoryLog(table_of(layout="kitchen-table"))) as client:
        answer = client.post("/api/corners", json=corners)
        assert answer.status_code == 409 and "wait for the camera" in answer.json()["error"]
    picture = tmp_path / "table.png"
    put_picture(picture, 40)
    with serving(str(picture)) as client:
        assert until(lambda: state_of(client)["picture"] is not None)
        answer = client.post("/api/corners", json=corners)
        assert answer.status_code == 422 and "choose one first" in answer.json()["error"]


OPS = ("tell", "name-card", "remove-card", "move-card", "add-card", "usual-bet", "undo", "redo", "end-round")
OPS = (*OPS, "void-round", "shuffled", "set-table", "card-came", "")
NAMES = ("op", "card", "label", "seat", "hand", "amount", "operation", "game", "rules", "overrides", "layout", "seats")
LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-2, 10)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["5H", "back", "JOKER", "10", "7.50", "blackjack", "pontoon", "home", "stand", "bet"])
)
VALUE = st.recursive(
    LEAF,
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), v),
    max_leaves=5,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(op=st.sampled_from(OPS), rest=st.dictionaries(st.sampled_from(NAMES), VALUE, max_size=5))
def test_whatever_a_page_sends_is_done_or_refused_with_a_sentence(client: TestClient, op: str, rest: Data) -> None:
    answer = client.post("/api/table", json={**rest, "op": op})
    assert answer.status_code in (200, 409, 422), answer.text
    if answer.status_code != 200:
        assert is_sentence(answer.json()["error"]), answer.text
