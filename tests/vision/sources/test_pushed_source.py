"""Pictures that are pushed: the newest wins, one sender at a time, and bad data is a sentence."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Thread

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.sources import CameraTaken, PushedSource, open_source
from vision.sources import pushed as pushed_module
from vision.sources.pushed import LARGEST, Sender, jpeg_size


def jpeg(grey: int = 90, width: int = 320, height: int = 200) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


@pytest.fixture
def source() -> Iterator[PushedSource]:
    found = open_source("browser")
    assert isinstance(found, PushedSource)
    with found:
        yield found


def until(condition: object, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():  # type: ignore[operator]
        time.sleep(0.01)
    return bool(condition())  # type: ignore[operator]


def test_a_pushed_picture_is_the_newest_and_the_source_is_live(source: PushedSource) -> None:
    assert source.status().state == "starting"
    sender = source.begin("A phone")
    assert source.push(sender, jpeg(40)) == ""
    assert source.push(sender, jpeg(200)) == ""
    frame = source.newest(0, 2.0)
    assert frame is not None and frame.image.shape == (200, 320, 3) and not frame.still
    assert until(lambda: source.newest(0) is not None and source.newest(0).image.mean() > 190)  # type: ignore[union-attr]
    status = source.status()
    assert status.state == "live" and status.frames == 2 and "320 x 200" in status.message


def test_pictures_that_nobody_took_are_counted(source: PushedSource) -> None:
    sender = source.begin("A phone")
    for grey in range(0, 200, 20):
        source.push(sender, jpeg(grey))
    assert until(lambda: source.status().frames == 10)
    assert source.status().dropped == 9


def test_a_sender_that_does_not_wait_loses_pictures_not_the_newest(source: PushedSource) -> None:
    sender = source.begin("A phone")
    pushing = [Thread(target=source.push, args=(sender, jpeg(n))) for n in range(0, 160, 4)]
    for thread in pushing:
        thread.start()
    for thread in pushing:
        thread.join()
    assert source.push(sender, jpeg(250)) == ""
    assert until(lambda: source.newest(0).image.mean() > 245)  # type: ignore[union-attr]
    assert source.status().frames + source.passed_over == 41


def test_only_one_sends_and_one_that_went_quiet_gives_way(
    source: PushedSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = source.begin("Anna’s phone")
    source.push(first, jpeg())
    with pytest.raises(CameraTaken, match="Anna’s phone is the camera already: stop it there first"):
        source.begin("Ben’s phone")
    monkeypatch.setattr(pushed_module, "QUIET", 0.05)
    time.sleep(0.1)
    second = source.begin("Ben’s phone")
    with pytest.raises(CameraTaken, match="Ben’s phone took over"):
        source.push(first, jpeg())
    source.end(first)
    assert source.push(second, jpeg()) == "", "the one that is gone ends nothing"
    assert until(lambda: "Ben’s phone is live" in source.status().message)


def test_a_sender_that_stops_is_said_and_may_come_back(source: PushedSource) -> None:
    sender = source.begin("A phone")
    source.push(sender, jpeg())
    source.end(sender)
    assert until(lambda: source.status().state == "lost")
    assert until(lambda: "/camera" in source.status().message), "what to do is said"
    sender = source.begin("A phone")
    assert source.push(sender, jpeg()) == ""
    assert until(lambda: source.status().state == "live") and source.status().reconnects == 1


def test_without_a_sender_it_is_said_what_to_do(source: PushedSource, monkeypatch: pytest.MonkeyPatch) -> None:
    assert until(lambda: source.status().state == "lost")
    assert "open the page /camera" in source.status().message


def test_a_sender_that_hangs_is_said(source: PushedSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushed_module, "STALLED", 0.2)
    sender = source.begin("A phone")
    source.push(sender, jpeg())
    assert until(lambda: source.status().state == "lost")
    assert "A phone has sent no picture" in source.status().message
    assert source.push(sender, jpeg()) == "" and until(lambda: source.status().state == "live"), "and it may go on"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no JPEG picture"),
        (b"GIF89a" + b"x" * 100, "no JPEG picture"),
        (b"\xff\xd8" + b"x" * 100, "no JPEG picture"),
        (jpeg()[:30], "no JPEG picture"),
        (jpeg(width=64, height=64), "too small"),
        (b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03" + b"x" * 50, "too large"),
        (b"\xff\xd8" + b"x" * LARGEST, "MB: at most 4"),
        (jpeg()[:-300], "cut short"),
        (jpeg()[:200] + b"\xff\xd9", "The picture"),
    ],
    ids=range(9),
)
def test_what_is_no_usable_picture_is_a_sentence_and_the_next_one_is_taken(
    source: PushedSource, data: bytes, words: str
) -> None:
    sender = source.begin("A phone")
    fault = source.push(sender, data)
    assert words in fault and fault.endswith(".")
    assert source.push(sender, jpeg()) == "" and until(lambda: source.status().frames == 1)


def test_closing_lets_go_of_everybody(source: PushedSource) -> None:
    sender = source.begin("A phone")
    source.close()
    with pytest.raises(CameraTaken, match="ended"):
        source.push(sender, jpeg())


@given(width=st.integers(1, 400), height=st.integers(1, 300), cut=st.integers(0, 40))
def test_a_jpegs_size_is_read_from_its_header(width: int, height: int, cut: int) -> None:
    data = jpeg(90, width, height)
    assert jpeg_size(data) == (width, height)
    assert jpeg_size(data[:cut]) is None


@given(st.binary(max_size=300))
def test_any_bytes_have_a_size_or_none(data: bytes) -> None:
    for start in (b"", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x00"):
        size = jpeg_size(start + data)
        assert size is None or (0 <= size[0] < 65536 and 0 <= size[1] < 65536)


def test_a_senders_names_are_its_own() -> None:
    assert Sender("a", 0.0) != Sender("a", 0.0)
