"""The demo's camera: a clip that starts over says so, and the frames of clip after clip count upwards."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from advisor.cli.demo_source import DemoSource
from advisor.cli.terminal import Failure

pytestmark = pytest.mark.slow


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.mp4"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 25, (64, 48))
    for shade in range(0, 200, 40):
        film.write(np.full((48, 64, 3), shade, np.uint8))
    film.release()
    return path


def frames(source: DemoSource, count: int, patience: float = 15.0) -> list[int]:
    seen, after, until = [], 0, time.monotonic() + patience
    while len(seen) < count and time.monotonic() < until:
        frame = source.newest(after, 0.1)
        if frame is not None:
            after = frame.sequence
            seen.append(after)
    return seen


def test_a_clip_that_ends_starts_over_and_says_so_each_time(clip: Path) -> None:
    began: list[str] = []
    source = DemoSource("pontoon", lambda _: str(clip), began.append)
    source.start()
    numbers = frames(source, 14)
    source.close()
    assert len(numbers) == 14
    assert numbers == sorted(set(numbers))
    assert len(began) >= 2
    assert set(began) == {"pontoon"}


def test_another_games_clip_is_the_one_that_starts_over(clip: Path) -> None:
    asked: list[str] = []

    def clip_of(game: str) -> str:
        asked.append(game)
        return str(clip)

    began: list[str] = []
    source = DemoSource("pontoon", clip_of, began.append)
    source.start()
    frames(source, 2)
    source.play("punto-banco")
    until = time.monotonic() + 15
    while "punto-banco" not in began and time.monotonic() < until:
        frames(source, 2)
    source.close()
    assert began[-1] == asked[-1] == "punto-banco"


def test_a_clip_that_is_gone_when_it_should_start_over_is_said(clip: Path) -> None:
    there = [str(clip)]

    def clip_of(_: str) -> str:
        if not there:
            raise Failure("the clip is gone; start the demo again.")
        return there.pop()

    source = DemoSource("blackjack", clip_of)
    source.start()
    frames(source, 20, patience=3)
    said = source.status().message
    source.close()
    assert said == "The clip cannot be played again: the clip is gone; start the demo again."
