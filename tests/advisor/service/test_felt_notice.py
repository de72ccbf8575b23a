"""A felt that nothing calibrates: it is said once that lasts, with what to do, and no longer than it lasts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from service_stand_ins import put_picture, serving, state_of, table_of, until

from advisor.service import felt_view
from advisor.service.felt_view import EVERY, PATIENCE, FeltView
from advisor.service.table_log import MemoryLog
from vision.felt import load_layout
from vision.felt.drawing import as_picture

pytestmark = pytest.mark.slow

LAYOUT, OTHER = "five-seats", "three-seats"
NOTHING = np.full((720, 1280, 3), 90, np.uint8)
CORNERS = [(120.0, 60.0), (520.0, 60.0), (600.0, 330.0), (40.0, 330.0)]
NONE_IN_VIEW = "None of the markers of layout five-seats is in view: print them (tableside layout print five-seats)"
FOREIGN = "belong to another layout than five-seats: choose that one. Or print its own"


@cache
def felt_of(name: str) -> np.ndarray:
    """The felt with its markers from straight above, with a plain rim."""
    felt = as_picture(load_layout(name), 0.8)
    room = np.full((felt.shape[0] + 200, felt.shape[1] + 200, 3), 90, np.uint8)
    room[100:-100, 100:-100] = felt
    return room


class Clock:
    """A clock that goes on when it is told to, and a look at a picture at that moment."""

    now = 100.0

    def look(self, view: FeltView, image: np.ndarray, after: float = EVERY) -> str:
        self.now += after
        view.look(image, self.now)
        return view.notice


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(felt_view, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def chosen(name: str = LAYOUT) -> FeltView:
    view = FeltView()
    view.use(name)
    return view


@pytest.mark.parametrize(
    ("image", "words"), [(lambda: NOTHING, NONE_IN_VIEW), (lambda: felt_of(OTHER), FOREIGN)], ids=["none", "foreign"]
)
def test_it_is_said_once_it_lasts_with_what_to_do(clock: Clock, image: Callable[[], np.ndarray], words: str) -> None:
    view = chosen()
    assert clock.look(view, image()) == ""
    assert clock.look(view, image(), PATIENCE - 0.5) == "", "not yet"
    assert words in clock.look(view, image())
    assert "corners" in view.notice and view.notice.endswith(".") and view.message == "", "no fault, but to be known"


def test_it_is_said_of_a_picture_that_is_looked_at_but_once(clock: Clock) -> None:
    view = chosen()
    clock.look(view, NOTHING)
    clock.now += PATIENCE
    assert view.notice.startswith(NONE_IN_VIEW)


def test_markers_that_come_into_view_end_it(clock: Clock) -> None:
    view = chosen()
    clock.look(view, NOTHING)
    assert clock.look(view, NOTHING, PATIENCE)
    assert clock.look(view, felt_of(LAYOUT)) == "" and view.calibration is not None


def test_corners_another_felt_and_none_end_it(clock: Clock) -> None:
    for end in (
        lambda view: view.drag(CORNERS, 640, 360),
        lambda view: view.use(OTHER),
        lambda view: view.use(""),
    ):
        view = chosen()
        clock.look(view, NOTHING)
        assert clock.look(view, NOTHING, PATIENCE)
        end(view)
        assert view.notice == ""
        clock.now += PATIENCE
        assert view.notice == "", "not before it was looked for anew"


def test_a_calibration_that_is_forgotten_is_missed_after_a_while(clock: Clock) -> None:
    view = chosen()
    view.drag(CORNERS, 640, 360)
    view.drag(None, 640, 360)
    assert clock.look(view, NOTHING) == ""
    assert clock.look(view, NOTHING, PATIENCE).startswith(NONE_IN_VIEW)


def test_markers_of_another_felt_that_are_covered_for_a_moment_are_still_those(clock: Clock) -> None:
    view = chosen()
    clock.look(view, felt_of(OTHER))
    said = clock.look(view, felt_of(OTHER), PATIENCE)
    assert clock.look(view, NOTHING) == said
    assert clock.look(view, NOTHING, PATIENCE).startswith(NONE_IN_VIEW)


def test_a_felt_without_markers_asks_for_its_corners(clock: Clock, tmp_path: Path) -> None:
    plain = tmp_path / "plain.toml"
    plain.write_text(
        '[felt]\nsize = [1500, 820]\nshape = "rectangle"\n[[zones]]\nkind = "house"\n'
        'box = { centre = [0, 200], size = [540, 160] }\n[[zones]]\nkind = "seat-cards"\nseat = 1\n'
        "box = { centre = [300, 480], size = [220, 180] }\n"
    )
    view = chosen(str(plain))
    clock.look(view, felt_of(OTHER))
    assert "Layout plain has no markers: drag the felt’s corners." in clock.look(view, felt_of(OTHER), PATIENCE)


def test_without_a_felt_nothing_is_said(clock: Clock) -> None:
    view = FeltView()
    clock.look(view, NOTHING)
    assert clock.look(view, NOTHING, PATIENCE) == ""


def notices(client: TestClient) -> list[str]:
    found: list[str] = state_of(client)["played"]["notices"]
    return [it for it in found if "markers" in it]


def test_the_dealer_sees_it_until_the_corners_are_dragged_and_players_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(felt_view, "PATIENCE", 0.2)
    picture = tmp_path / "table.png"
    put_picture(picture, 40)
    with serving(str(picture), MemoryLog(table_of(layout=LAYOUT))) as client:
        assert until(lambda: notices(client) != [])
        assert notices(client)[0].startswith(NONE_IN_VIEW) and state_of(client)["problems"] == []
        with client.websocket_connect("/ws?view=players", headers={"host": "127.0.0.1"}) as line:
            assert not any("markers" in it for it in line.receive_json()["played"]["notices"])
        assert client.post("/api/corners", json={"corners": CORNERS}).status_code == 200
        assert notices(client) == []
        assert client.post("/api/corners", json={"corners": None}).status_code == 200
        assert until(lambda: notices(client) != [])
        without = {"op": "set-table", "game": "blackjack", "layout": None}
        assert client.post("/api/table", json=without).status_code == 200
        assert notices(client) == []


def test_markers_of_another_felt_under_the_camera_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(felt_view, "PATIENCE", 0.2)
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), felt_of(OTHER))
    with serving(str(picture), MemoryLog(table_of(layout=LAYOUT))) as client:
        assert until(lambda: notices(client) != [])
        assert FOREIGN in notices(client)[0]
        other = {"op": "set-table", "game": "blackjack", "layout": OTHER}
        assert client.post("/api/table", json=other).status_code == 200
        assert until(lambda: state_of(client)["table"]["calibrated"])
        assert notices(client) == []
