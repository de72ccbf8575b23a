"""Films of scripts: the same seed gives the same frames, and the truth lies where the picture shows it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from rounds_scripts import DECK, SCRIPT, SMALL

from datasets.deck import Image
from datasets.rounds.film import Conditions, Film
from datasets.rounds.script import Deal, Script
from datasets.rounds.stage import CAMERAS, Camera
from datasets.rounds.truth import truth, write_film
from vision.felt import calibrate_markers

pytestmark = pytest.mark.slow


@cache
def film(conditions: Conditions = SMALL, seed: int = 3) -> Film:
    return Film(SCRIPT, seed, conditions, DECK)


def difference(one: Image, other: Image) -> Image:
    return np.asarray(cv2.absdiff(one, other).max(2), np.uint8)


def test_a_seed_gives_the_same_frames_in_any_order() -> None:
    again = Film(SCRIPT, 3, SMALL, DECK)
    for number in (150, 12, 61, 99):
        assert np.array_equal(film().frame(number), again.frame(number))
    assert not np.array_equal(film().frame(61), Film(SCRIPT, 4, SMALL, DECK).frame(61))


def test_a_table_at_rest_changes_by_noise_alone() -> None:
    quiet = Script((Deal(0.5, 1, "8S"),), 3, least=6.0)
    noisy, clean = (Film(quiet, 1, replace(SMALL, noise=n), DECK) for n in (2.4, 0.0))
    assert np.array_equal(clean.frame(40), clean.frame(55))
    one, other = noisy.frame(40), noisy.frame(55)
    assert not np.array_equal(one, other)
    assert difference(one, other).max() < 24
    assert abs(float(one.mean()) - float(other.mean())) < 0.1


def test_acts_happen_in_order_and_each_card_rests_as_the_script_says() -> None:
    rests = film().course.rests
    dealt = [act for act in SCRIPT.acts if isinstance(act, Deal)]
    first = {rest.card: rest for rest in reversed(rests)}
    assert [first[k].label for k in sorted(first)] == [act.card for act in dealt]
    for k, act in enumerate(dealt):
        assert (first[k].seat, first[k].up, first[k].crosswise) == (act.seat, act.up, act.crosswise)
        assert act.at < first[k].start <= act.at + 1.0
    split = [rest for rest in rests if rest.label == "8D"]
    assert [(rest.hand, rest.number) for rest in split] == [(1, 2), (2, 1)]
    assert [rest.up for rest in rests if rest.label == "KC"] == [False, True]
    assert film().course.lying(SCRIPT.length - 0.5) == ()
    assert film().course.discarded(SCRIPT.length - 0.5) == len(dealt)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_card_is_drawn_where_the_truth_says(camera: Camera) -> None:
    """A card turned into another one changes the picture there and nowhere else."""
    shot = replace(SMALL, camera=camera, noise=0.0)
    other = Script(
        tuple(replace(a, card="AC") if isinstance(a, Deal) and a.card == "KD" else a for a in SCRIPT.acts), 3
    )
    at = 35
    changed = difference(Film(SCRIPT, 3, shot, DECK).frame(at), Film(other, 3, shot, DECK).frame(at)) > 20
    rest = next(r for r in truth(film(shot))["rests"] if r["label"] == "KD")
    assert rest["from"] <= at / shot.fps < rest["until"]
    corners = np.array(rest["corners"], np.float32)
    inside = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(inside, corners.round().astype(np.int32), 1)
    assert changed.sum() > 30
    assert changed[cv2.dilate(inside, np.ones((3, 3), np.uint8)) == 0].sum() == 0
    seen = np.column_stack(np.nonzero(changed))[:, ::-1].astype(np.float32)
    box = np.array([seen.min(0), seen.max(0)])
    assert np.linalg.norm(box.mean(0) - corners.mean(0)) < 0.15 * np.linalg.norm(corners[2] - corners[0])


def test_the_matrix_takes_millimetres_to_the_corners_before_and_after_a_knock() -> None:
    knocked = film(replace(SMALL, bump=5.5))
    told = truth(knocked)
    assert [view["from"] for view in told["views"]] == [0.0, 5.5]
    for rest in told["rests"]:
        view = [v for v in told["views"] if v["from"] <= rest["from"]][-1]
        x, y, w = np.array(view["matrix"]) @ [*rest["mm"], 1]
        assert np.allclose(np.array(rest["corners"]).mean(0), [x / w, y / w], atol=0.6)
    before, after = (np.array(view["matrix"]) for view in told["views"])
    assert not np.allclose(before, after, atol=1e-3)
    assert difference(knocked.frame(53), knocked.frame(66)).mean() > 2


def test_the_felts_own_markers_calibrate_the_film() -> None:
    shot = film(Conditions(width=1280, height=720, fps=10))
    frame = shot.frame(0)
    calibration = calibrate_markers(shot.spots.layout, frame)
    seen = calibration.to_picture([(0.0, 200.0), (300.0, 500.0)])
    assert np.allclose(seen, shot.stages[0].view.project(np.array([[0.0, 200.0], [300.0, 500.0]])), atol=1.5)


def test_a_hand_covers_cards_and_leaves_them_as_they_were() -> None:
    clean = film(replace(SMALL, noise=0.0))
    before, during, after = (clean.frame(n) for n in (80, 104, 116))
    corners = clean.corners(next(r.place for r in clean.course.rests if r.label == "2C"), 8.0)
    inside = np.zeros(before.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, corners.round().astype(np.int32), 1)
    assert difference(before, during)[inside > 0].mean() > 15
    assert difference(before, after)[inside > 0].max() == 0


def test_changing_light_changes_the_whole_picture() -> None:
    clean = film(replace(SMALL, noise=0.0, light="changing"))
    levels = [float(clean.frame(n).mean()) for n in range(0, clean.frames, 5)]
    assert max(levels) / min(levels) > 1.15


def test_the_lamp_may_be_dimmed_minutes_after_a_films_beginning() -> None:
    film = Film(SCRIPT, 4, replace(SMALL, light="changing"))
    film._lamp = (0.0, 300.0)
    assert film.at(0.0, 0).mean() > 1.1 * film.at(303.0, 9090).mean()


def test_the_clip_and_its_truth_are_written_side_by_side(tmp_path: Path) -> None:
    short = Film(Script((Deal(0.2, 1, "8S"),), 1, "one card"), 1, replace(SMALL, fps=5), DECK)
    beside = write_film(short, tmp_path / "clips" / "one.mp4", {"net": {"1": "5"}})
    told = json.loads(beside.read_text())
    assert told["game"] == {"net": {"1": "5"}} and told["title"] == "one card"
    clip = cv2.VideoCapture(str(tmp_path / "clips" / "one.mp4"))
    assert int(clip.get(cv2.CAP_PROP_FRAME_COUNT)) == short.frames
    assert sorted(p.name for p in (tmp_path / "clips").iterdir()) == ["one.json", "one.mp4"]


def test_a_clip_that_cannot_be_written_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    short = Film(Script((Deal(0.2, 1, "8S"),), 1), 1, replace(SMALL, fps=5), DECK)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        write_film(short, tmp_path / "file" / "one.mp4")
