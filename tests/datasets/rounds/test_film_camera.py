"""The camera that sees a film: frames come in order, when they are due, and none is overwritten while it is shown."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from rounds_scripts import SMALL

from datasets.rounds.camera import FilmCamera, Shot
from datasets.rounds.film import Film
from datasets.rounds.script import Deal, Script

pytestmark = pytest.mark.slow

SHOT = Shot(Script((Deal(0.3, 1, "8S"),), 3, least=1.2), 3, SMALL)


@pytest.mark.parametrize("room", [None, 0])
def test_frames_come_when_they_are_due_and_the_film_ends(monkeypatch: pytest.MonkeyPatch, room: int | None) -> None:
    if room is not None:
        monkeypatch.setattr("datasets.rounds.camera.ROOM", room)
    film = Film(SHOT.script, SHOT.seed, SHOT.conditions)
    camera = FilmCamera(SHOT)
    try:
        camera.ready()
        began = camera.begin()
        came = []
        with pytest.raises(EOFError):
            while True:
                image = camera.newest(0.2)
                if image is not None:
                    came.append((time.monotonic() - began, image))
    finally:
        camera.close()
    numbers = [next(n for n in range(film.frames) if np.array_equal(film.frame(n), image)) for _, image in came]
    # On a crowded machine some are left out.
    assert numbers == sorted(set(numbers)) and 3 <= len(numbers) <= film.frames - camera.late
    assert all(at >= number / SMALL.fps - 0.001 for (at, _), number in zip(came, numbers, strict=True))


def test_who_asks_late_gets_the_newest_frame_and_no_queue() -> None:
    shot = replace(SHOT, script=replace(SHOT.script, least=3.0))
    film = Film(shot.script, shot.seed, shot.conditions)
    camera = FilmCamera(shot)
    try:
        camera.ready()
        began = camera.begin()
        time.sleep(max(0.0, began + 1.55 - time.monotonic()))
        image, asked = camera.newest(0.2), time.monotonic() - began
    finally:
        camera.close()
    assert image is not None
    newest = next(n for n in range(film.frames) if np.array_equal(film.frame(n), image))
    # On a crowded machine a frame may not be rendered yet; one from long ago must not come.
    assert newest >= int(asked * SMALL.fps) - 5


def test_nothing_comes_before_it_is_due() -> None:
    camera = FilmCamera(SHOT)
    try:
        camera.ready()
        camera.begin()
        while not camera._rendered:
            camera._collect(0.05)
        camera.began = time.monotonic() + 60
        began = time.monotonic()
        assert camera.newest(0.05) is None and 0.04 < time.monotonic() - began < 0.5, "it waits, and no longer"
    finally:
        camera.close()


def test_a_film_whose_process_was_killed_is_no_quiet_table() -> None:
    """An hour's bench went on without its film and called the rest of its rounds wrong."""
    camera = FilmCamera(SHOT)
    try:
        camera.ready()
        camera.check()
        camera._process.kill()
        camera._process.join(10)
        with pytest.raises(RuntimeError, match="broke off"):
            camera.check()
    finally:
        camera.close()
