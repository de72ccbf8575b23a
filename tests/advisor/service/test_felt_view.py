"""The camera's place over the felt: calibrated by markers by itself, by corners for good, and said when it changes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from advisor.service.felt_view import EVERY, FeltView, LayoutError
from vision.felt import CalibrationError, layout_names, load_layout
from vision.felt.drawing import as_picture
from vision.sightings import CardSighting, Reading

LAYOUT = "kitchen-table"
MARKED = next(name for name in layout_names() if load_layout(name).markers)
SIZE = (640, 360)
CORNERS = [(120.0, 60.0), (520.0, 60.0), (600.0, 330.0), (40.0, 330.0)]


@cache
def marked() -> np.ndarray:
    """The felt with its markers from straight above, in a room with things in it."""
    felt = as_picture(load_layout(MARKED), 0.8)
    room = cv2.resize(
        np.random.default_rng(3).integers(0, 255, (12, 20, 3), np.uint8),
        (felt.shape[1] + 240, felt.shape[0] + 240),
        interpolation=cv2.INTER_NEAREST,
    )
    room[120:-120, 120:-120] = felt
    return room


def test_without_a_felt_nothing_is_calibrated_and_nothing_is_said() -> None:
    view = FeltView()
    assert not view.look(marked(), 0.0)
    assert view.layout is None and view.calibration is None and view.corners(*SIZE) is None
    with pytest.raises(CalibrationError, match="choose one first"):
        view.drag(CORNERS, *SIZE)


def test_an_unknown_felt_leaves_the_one_before() -> None:
    view = FeltView()
    view.use(LAYOUT)
    with pytest.raises(LayoutError):
        view.use("no-such-felt")
    assert view.layout is not None and view.layout.name == LAYOUT


def test_dragged_corners_are_kept_for_the_next_evening_each_felts_own(tmp_path: Path) -> None:
    kept = tmp_path / "deeper" / "calibrations.json"
    view = FeltView(kept)
    view.use(LAYOUT)
    view.drag(CORNERS, *SIZE)
    view.use(MARKED)
    assert view.calibration is None, "another felt has another calibration"
    again = FeltView(kept)
    again.use(LAYOUT)
    assert np.allclose(again.corners(*SIZE), CORNERS, atol=0.5)
    assert np.allclose(again.corners(1280, 720), np.array(CORNERS) * 2, atol=1.0), "larger pictures of the same camera"
    again.drag(None, *SIZE)
    assert again.calibration is None
    third = FeltView(kept)
    third.use(LAYOUT)
    assert third.calibration is None, "forgotten for good"
    assert list(kept.parent.iterdir()) == [kept], "nothing half written is left"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kitchen-table": 5}', '{"kitchen-table": "{}"}', "\x00"])
def test_what_was_kept_and_cannot_be_read_is_made_anew(tmp_path: Path, text: str) -> None:
    kept = tmp_path / "calibrations.json"
    kept.write_text(text)
    view = FeltView(kept)
    view.use(LAYOUT)
    assert view.calibration is None
    view.drag(CORNERS, *SIZE)
    again = FeltView(kept)
    again.use(LAYOUT)
    assert again.calibration is not None


def test_a_calibration_that_cannot_be_kept_serves_for_tonight(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    view = FeltView(tmp_path / "file" / "calibrations.json")
    view.use(LAYOUT)
    view.drag(CORNERS, *SIZE)
    assert view.calibration is not None


def test_pictures_of_other_proportions_are_said_and_have_no_calibration() -> None:
    view = FeltView()
    view.use(LAYOUT)
    view.drag(CORNERS, *SIZE)
    assert view.scaled(640, 480) is None and view.message.endswith(".")
    assert view.corners(640, 480) is None
    assert view.scaled(*SIZE) is not None


def test_markers_in_view_calibrate_by_themselves_and_are_looked_for_now_and_then() -> None:
    view = FeltView()
    view.use(MARKED)
    empty = np.full_like(marked(), 90)
    assert not view.look(empty, 10.0) and view.message == "", "no markers is no fault"
    assert not view.look(marked(), 10.0 + EVERY / 2), "too soon"
    assert view.look(marked(), 10.0 + EVERY)
    assert view.calibration is not None and view.message == ""
    assert not view.look(marked(), 10.0 + 2 * EVERY), "nothing has changed since"


def test_a_mirrored_picture_is_said() -> None:
    view = FeltView()
    view.use(MARKED)
    assert not view.look(np.ascontiguousarray(marked()[:, ::-1]), 10.0)
    assert "mirrored" in view.message and view.message.endswith(".")


def test_a_pushed_camera_is_noticed_and_calibrated_again() -> None:
    view = FeltView()
    view.use(MARKED)
    height, width = marked().shape[:2]
    assert view.look(marked(), 0.0)
    view.look(marked(), EVERY)
    before = np.array(view.corners(width, height))
    pushed = np.roll(marked(), (25, 40), (0, 1))
    changed = [view.look(pushed, at * EVERY) for at in range(2, 12)]
    assert changed.count(True) == 1
    assert np.allclose(np.array(view.corners(width, height)) - before, (40, 25), atol=4)
    assert view.message == ""


def moved_by(right: float, down: float) -> np.ndarray:
    return np.array([[1, 0, right], [0, 1, down], [0, 0, 1]], float)


def test_a_pushed_camera_calibrates_at_once_from_the_markers() -> None:
    view = FeltView()
    view.use(MARKED)
    height, width = marked().shape[:2]
    view.look(marked(), 0.0)
    before = np.array(view.corners(width, height))
    # The background tells of a movement that is a little off; the markers know better.
    view.pushed(moved_by(46, 28), np.roll(marked(), (25, 40), (0, 1)))
    assert np.allclose(np.array(view.corners(width, height)) - before, (40, 25), atol=1.5)
    assert view.calibration is not None and view.calibration.made == "markers"
    assert view.message == "The camera was moved; the cards were followed."


def test_without_markers_the_felt_goes_along_with_the_picture_and_that_is_said_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "calibrations.json"
    view = FeltView(kept)
    view.use(LAYOUT)
    view.drag(CORNERS, *SIZE)
    view.pushed(moved_by(-30, 12), np.full((SIZE[1], SIZE[0], 3), 90, np.uint8))
    assert np.allclose(view.corners(*SIZE), np.add(CORNERS, (-30, 12)), atol=0.5)
    assert view.message == "The camera was moved; the cards were followed, and the felt with them: " + (
        "drag its corners if seats are mistaken."
    )
    again = FeltView(kept)
    again.use(LAYOUT)
    assert np.allclose(again.corners(*SIZE), np.add(CORNERS, (-30, 12)), atol=0.5), "as it stands the next evening"
    view.drag(CORNERS, *SIZE)
    assert view.message == ""


def test_a_felt_that_would_lie_behind_the_camera_is_asked_for() -> None:
    view = FeltView()
    view.use(LAYOUT)
    view.drag(CORNERS, *SIZE)
    view.pushed(np.diag([-1.0, 1.0, 1.0]), np.full((SIZE[1], SIZE[0], 3), 90, np.uint8))
    assert view.calibration is None and view.message.startswith("The camera was moved: drag the felt")


def test_a_pushed_camera_without_a_felt_is_said() -> None:
    view = FeltView()
    view.pushed(moved_by(5, 5), np.full((SIZE[1], SIZE[0], 3), 90, np.uint8))
    assert view.message == "The camera was moved; the cards were followed."


def test_where_the_markers_paper_lies_is_known_once_the_felt_is_calibrated() -> None:
    view = FeltView()
    view.use(MARKED)
    height, width = marked().shape[:2]
    assert view.markers(width, height) == []
    assert view.look(marked(), 10.0)
    places = view.markers(width, height)
    assert len(places) == len(load_layout(MARKED).markers)
    for quad in places:
        middle = np.mean(quad, axis=0)
        ahead = marked()[int(middle[1]) - 12 : int(middle[1]) + 12, int(middle[0]) - 12 : int(middle[0]) + 12]
        assert np.ptp(ahead) > 150, "black and white lie there"
        inside = np.array(quad)[0] * 0.97 + middle * 0.03
        assert marked()[int(inside[1]), int(inside[0])].min() > 150, "its paper is white to the corner"


def test_what_is_larger_on_the_calibrated_felt_than_any_card_is_taken_for_print() -> None:
    view = FeltView()
    view.use(MARKED)
    height, width = marked().shape[:2]

    def back(wide: float, high: float) -> CardSighting:
        """A back of so many millimetres in the felt's middle, as the camera sees it."""
        calibration = view.calibration
        assert calibration is not None
        x, y = (load_layout(MARKED).felt.outline.min(0) + load_layout(MARKED).felt.outline.max(0)) / 2
        half, tall = wide / 2, high / 2
        edges = [(x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall)]
        a, b, c, d = calibration.to_picture([(float(u), float(v)) for u, v in edges])
        return CardSighting("back", (a, b, c, d), None, 0.9)

    assert view.look(marked(), 10.0)
    card, area = back(63, 88), back(150, 150)
    reading = Reading(width, height, (card, area))
    assert view.without_printed(reading).sightings == (card,)
    assert FeltView().without_printed(reading) is reading, "nothing is known without a calibration"
