"""Frames for a while: what keeps a camera from sending any is said at once, and once."""

from __future__ import annotations

import threading

import pytest

from advisor.cli import frames
from advisor.cli.frames import watching
from vision.sources import Source
from vision.sources.source import Pacing
from vision.sources.values import FeedLost, Image


class Unplugged:
    """A camera that is not there."""

    message, still = "", False

    def open(self, cancelled: threading.Event) -> None:
        raise FeedLost("Camera 7 was not found; plug it in.")

    def grab(self) -> Image | None:
        raise AssertionError

    def close(self) -> None:
        pass


def test_a_camera_that_is_missing_is_said_at_once_and_not_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pacing = Pacing(first_pause=0.01, longest_pause=0.01)
    monkeypatch.setattr("vision.sources.open_source", lambda spec: Source(spec, Unplugged, pacing))
    monkeypatch.setattr(frames, "WAIT_S", 0.05)
    with watching("7", 0.5) as watch:
        assert list(watch) == []
        assert watch.message == "Camera 7 was not found; plug it in.", "nobody tries any more"
    assert capsys.readouterr().err == "tableside: Camera 7 was not found; plug it in. Trying again.\n"
