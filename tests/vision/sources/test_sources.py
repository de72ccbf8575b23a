"""Sources stay alive: cameras may be absent, die, hang and come back; films end; bad files are passed over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest

from vision.sources import Frame, Pacing, Source, SourceError, SourceStatus, open_source
from vision.sources.feeds import hush, pictures_in, without_password

QUICK = Pacing(opening=2.0, stalled=2.0, first_pause=0.01, longest_pause=0.02, closing=0.5)
IMPATIENT = replace(QUICK, stalled=0.1)
PICTURE = np.full((48, 64, 3), 90, np.uint8)


class FakeCapture:
    """Plays ``frames`` pictures, then fails; ``hang`` blocks in ``read`` instead, as a stuck driver does."""

    def __init__(self, frames: int = 0, there: bool = True, hang: Event | None = None) -> None:
        self.left, self.there, self.hang = frames, there, hang
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.left <= 0:
            if self.hang is not None:
                self.hang.wait(5)
            return False, None
        self.left -= 1
        time.sleep(0.001)
        return True, PICTURE.copy()

    def get(self, prop: int, /) -> float:
        return 200.0 if prop == cv2.CAP_PROP_FPS else 0.0

    def set(self, prop: int, value: float, /) -> bool:
        return True

    def release(self) -> None:
        self.released = True


class Skipping(FakeCapture):
    """A camera of a hundred pictures a second whose pictures may be left undecoded."""

    decoded = 0

    def grab(self) -> bool:
        time.sleep(0.01)
        self.left -= 1
        return self.left >= 0

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.decoded += 1
        return (True, PICTURE.copy()) if self.grab() else (False, None)


class Captures:
    """Hands out captures in turn, the last one's like for ever, and remembers what was asked for."""

    def __init__(self, *make: Callable[[], FakeCapture]) -> None:
        self.make = list(make)
        self.made: list[FakeCapture] = []
        self.asked: list[tuple[int | str, int, list[int]]] = []

    def __call__(self, target: int | str, backend: int, options: list[int], /) -> FakeCapture:
        self.asked.append((target, backend, options))
        capture = self.make[min(len(self.made), len(self.make) - 1)]()
        self.made.append(capture)
        return capture


def absent() -> FakeCapture:
    return FakeCapture(there=False)


def lively() -> FakeCapture:
    return FakeCapture(frames=100_000)


def until(source: Source, wanted: Callable[[SourceStatus], bool], patience: float = 3.0) -> SourceStatus:
    end = time.monotonic() + patience
    while not wanted(status := source.status()):
        assert time.monotonic() < end, status
        time.sleep(0.002)
    return status


@pytest.fixture
def opened() -> Iterator[Callable[..., Source]]:
    sources: list[Source] = []

    def make(spec: str | Path, captures: Captures | None = None, **options: object) -> Source:
        if captures is not None:
            options["capture"] = captures
        source = open_source(str(spec), **{"pacing": QUICK, **options})  # type: ignore[arg-type]
        sources.append(source)
        return source.start()

    yield make
    for source in sources:
        source.close()


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six frames at 60 a second, each lighter than the one before."""
    hush()
    path = tmp_path_factory.mktemp("film") / "round.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 60.0, (64, 48))
    for k in range(6):
        writer.write(np.full((48, 64, 3), 40 * k, np.uint8))
    writer.release()
    return path


def picture(path: Path, grey: int) -> Path:
    cv2.imwrite(str(path), np.full((48, 64, 3), grey, np.uint8))
    return path


def test_an_absent_camera_is_lost_with_a_sentence_and_tried_again(opened: Callable[..., Source]) -> None:
    captures = Captures(absent)
    status = until(opened("0", captures), lambda s: s.state == "lost" and len(captures.made) >= 3)
    assert status.message.startswith("Camera 0 was not found; plug it in or choose another with --source.")
    assert status.frames == status.reconnects == 0
    assert captures.asked[0][0] == 0


def test_a_camera_plugged_in_later_comes_alive(opened: Callable[..., Source]) -> None:
    source = opened("2", Captures(absent, absent, lively))
    frame = source.newest(0, 2.0)
    assert frame is not None and frame.sequence >= 1 and frame.image.shape == (48, 64, 3) and not frame.still
    status = source.status()
    assert (status.state, status.message, status.reconnects) == ("live", "Camera 2 is live.", 0)


def test_a_camera_that_dies_recovers_by_itself_and_is_counted(opened: Callable[..., Source]) -> None:
    captures = Captures(lambda: FakeCapture(frames=3), absent, lively)
    status = until(opened("0", captures), lambda s: s.reconnects == 1)
    assert status.state == "live" and status.frames >= 4
    assert captures.made[0].released and captures.made[1].released


def test_a_dead_camera_keeps_its_last_frame(opened: Callable[..., Source]) -> None:
    source = opened("0", Captures(lambda: FakeCapture(frames=3), absent))
    until(source, lambda s: s.state == "lost" and "not found" in s.message)
    frame = source.newest(0, 0.0)
    assert frame is not None and frame.sequence == 3


def test_a_stream_that_hangs_is_lost_and_replaced(opened: Callable[..., Source]) -> None:
    hang = Event()
    captures = Captures(lambda: FakeCapture(frames=2, hang=hang), lively)
    source = opened("rtsp://camera.example/live", captures, pacing=IMPATIENT)
    until(source, lambda s: s.reconnects >= 1 and s.state == "live")
    options = captures.asked[0][2]
    assert cv2.CAP_PROP_OPEN_TIMEOUT_MSEC in options[::2] and cv2.CAP_PROP_READ_TIMEOUT_MSEC in options[::2]
    hang.set()


def test_closing_does_not_wait_for_a_hung_driver() -> None:
    hang = Event()
    patient = Pacing(stalled=60.0, closing=0.05)
    source = open_source("0", pacing=patient, capture=Captures(lambda: FakeCapture(frames=1, hang=hang))).start()
    assert source.newest(0, 2.0) is not None
    began = time.monotonic()
    source.close()
    assert time.monotonic() - began < 3
    hang.set()


def test_closing_wakes_whoever_waits_for_a_frame(opened: Callable[..., Source]) -> None:
    source = opened("0", Captures(absent))
    source.close()
    began = time.monotonic()
    assert source.newest(0, 30.0) is None
    assert time.monotonic() - began < 3


def test_frames_nobody_took_are_counted_as_dropped_and_the_newest_wins(opened: Callable[..., Source]) -> None:
    source = opened("0", Captures(lambda: FakeCapture(frames=10), absent))
    until(source, lambda s: s.frames == 10 and s.state == "lost")
    frame = source.newest(0, 0.0)
    assert frame is not None and frame.sequence == 10
    assert source.status().dropped == 9
    assert source.newest(10, 0.0) is None


def test_a_password_in_an_address_is_never_shown(opened: Callable[..., Source]) -> None:
    source = opened("rtsp://me:secret@camera.example:554/live?token=abc", Captures(absent))
    status = until(source, lambda s: s.state == "lost")
    assert "rtsp://camera.example:554/live" in status.message
    assert "secret" not in status.message and "abc" not in status.message
    assert without_password("http://10.0.0.2/a") == "http://10.0.0.2/a"


def test_a_film_ends_and_keeps_its_last_frame(opened: Callable[..., Source], film: Path) -> None:
    source = opened(film)
    status = until(source, lambda s: s.state == "ended")
    assert status.frames == 6 and "ended" in status.message
    frame = source.newest(0, 0.0)
    assert frame is not None and frame.sequence == 6 and abs(float(frame.image.mean()) - 200) < 12


def test_a_film_plays_at_its_own_rate(opened: Callable[..., Source], film: Path) -> None:
    began = time.monotonic()
    until(opened(film), lambda s: s.frames == 6)
    assert time.monotonic() - began >= 4 / 60


def test_a_looped_film_starts_again(opened: Callable[..., Source], film: Path) -> None:
    source = opened(film, loop=True)
    status = until(source, lambda s: s.frames >= 14)
    assert (status.state, status.reconnects) == ("live", 0)


def test_a_folder_is_shown_in_order_and_again_passing_over_bad_files(
    opened: Callable[..., Source], tmp_path: Path
) -> None:
    picture(tmp_path / "2.png", 50)
    (tmp_path / "3.jpg").write_bytes(b"no picture")
    picture(tmp_path / "10.png", 200)
    (tmp_path / "notes.txt").write_text("not for showing")
    assert [p.name for p in pictures_in(tmp_path)] == ["2.png", "3.jpg", "10.png"]
    source = opened(tmp_path, dwell=0.03)
    shown: list[Frame] = []
    told: set[str] = set()
    while len(shown) < 4:
        frame = source.newest(shown[-1].sequence if shown else 0, 2.0)
        assert frame is not None
        shown.append(frame)
        told.add(source.status().message)
    # A busy machine may miss a picture that was shown, but never sees one out of its turn.
    assert [int(f.image[0, 0, 0]) for f in shown] == [(50, 200)[(f.sequence - 1) % 2] for f in shown]
    assert all(f.still for f in shown)
    assert any("3.jpg" in message and "not a picture" in message for message in told)


def test_a_single_picture_is_one_frame_and_stays_live(opened: Callable[..., Source], tmp_path: Path) -> None:
    source = opened(picture(tmp_path / "a.png", 70))
    frame = source.newest(0, 2.0)
    assert frame is not None and frame.still and source.newest(frame.sequence, 0.2) is None
    status = source.status()
    assert (status.state, status.frames, status.dropped) == ("live", 1, 0)


def test_a_picture_that_is_replaced_is_shown_anew(opened: Callable[..., Source], tmp_path: Path) -> None:
    path = picture(tmp_path / "a.bmp", 70)
    source = opened(path)
    assert source.newest(0, 2.0) is not None
    cv2.imwrite(str(path), np.full((30, 40, 3), 170, np.uint8))
    frame = source.newest(1, 2.0)
    assert frame is not None and frame.image[0, 0, 0] == 170


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("nowhere.mp4", None, "no such file"),
        ("empty.mp4", b"", "empty"),
        ("broken.jpg", b"this is no picture", "not a picture"),
        ("broken.mp4", b"this is no film", "not a film"),
        ("list.m3u8", b"#EXTM3U\nhttp://example.org/a.mp4\n", "play list"),
    ],
)
def test_files_that_can_never_work_are_refused_by_name(
    tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SourceError, match=said) as error:
        open_source(str(path))
    assert name in str(error.value)
    assert str(error.value).endswith(".")


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing to see")
    with pytest.raises(SourceError, match="holds no pictures"):
        open_source(str(tmp_path))


@pytest.mark.parametrize("spec", ["", "  ", "ftp://example.org/a.mp4", "rtsp://", "a\0b"])
def test_words_that_name_no_source_say_what_does(spec: str) -> None:
    with pytest.raises(SourceError, match="a webcam number, a film, a picture"):
        open_source(spec)


def test_the_pause_between_attempts_doubles_up_to_five_seconds() -> None:
    pacing = Pacing()
    assert (pacing.first_pause, pacing.growth, pacing.longest_pause) == (0.5, 2.0, 5.0)


@pytest.mark.parametrize("spec", ["0", "rtsp://camera/live", "film"])
def test_a_source_at_rest_decodes_ten_pictures_a_second_and_hurries_when_told(
    opened: Callable[..., Source], film: Path, spec: str
) -> None:
    captures = Captures(lambda: Skipping(frames=100_000))
    source = opened(film if spec == "film" else spec, captures)
    until(source, lambda status: status.frames >= 5)

    def decoded(given: int) -> tuple[int, int, float]:
        """Pictures decoded, and pictures the camera gave (so many or a few more), and in how many seconds."""
        camera, began = captures.made[-1], time.monotonic()
        before = camera.decoded, camera.left
        while before[1] - camera.left < given:
            assert time.monotonic() - began < 20, "the camera is not read"
            time.sleep(0.01)
        return camera.decoded - before[0], before[1] - camera.left, time.monotonic() - began

    source.rest(True)
    time.sleep(0.05)
    few, gave, seconds = decoded(24)
    assert 1 <= few <= 10 * seconds + 1 and gave > few, "the others are taken off the camera, so that none is old"
    source.rest(False)
    assert source.status().state == "live"
    decoded(3)
    many, gave, _ = decoded(12)
    assert many == pytest.approx(gave, abs=1)


def test_a_camera_that_stops_while_it_rests_is_lost(opened: Callable[..., Source]) -> None:
    looked = Event()

    def looked_for_again() -> FakeCapture:
        looked.wait(30)  # else what is said then may come before anybody read what was said first
        return absent()

    source = opened("0", Captures(lambda: Skipping(frames=12), looked_for_again))
    source.rest(True)
    status = until(source, lambda status: status.state == "lost")
    looked.set()
    assert "stopped" in status.message
