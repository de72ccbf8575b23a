"""The feeds: what a webcam, a stream, a film, a picture and a folder each need."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any

import cv2
import numpy as np
from cv2.utils import logging as cv2_logging

from vision.pictures import PictureError, load_picture
from vision.sources.values import CanSkip, Capture, FeedEnded, FeedLost, Image, OpenCapture

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif"})
CAMERA_WIDTH, CAMERA_HEIGHT = 1920, 1080
CONNECT_MS, READ_MS = 6000, 5000
GLANCE = 0.1
"""Seconds between looks at whether a picture that lies still has changed."""
SELDOM = 0.09
"""While nothing moves a picture is decoded after so many seconds: every third of thirty a second, ten in all."""


def hush() -> None:
    """Keep OpenCV and ffmpeg from writing to stderr: what they have to say is said in a source's status."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    cv2_logging.setLogLevel(cv2_logging.LOG_LEVEL_SILENT)


def opencv_capture(target: int | str, backend: int, options: list[int]) -> Capture:
    """OpenCV's own capture, without its chatter."""
    hush()
    if isinstance(target, str):
        return cv2.VideoCapture(target, backend, options)
    return cv2.VideoCapture(target, backend)


class _Played:
    """Shared by everything that OpenCV plays."""

    still = False

    def __init__(self, name: str, capture: OpenCapture) -> None:
        self.name = name
        self.message = f"{name} is live."
        self.cancelled = Event()
        self.resting = False
        self._make = capture
        self._capture: Capture | None = None
        self._decoded_at = -1e9

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _passed_over(self) -> bool:
        """Whether the next picture was taken off the camera undecoded, which is most of its cost."""
        enough = self.resting and time.monotonic() - self._decoded_at < SELDOM
        if not enough or not isinstance(self._capture, CanSkip):
            return False
        try:
            return bool(self._capture.grab())
        except cv2.error:
            return False

    def _next(self) -> Image | None:
        try:
            there, image = self._capture.read() if self._capture is not None else (False, None)
        except cv2.error:
            return None
        self._decoded_at = time.monotonic()
        return as_bgr(image) if there and image is not None and image.size else None


class CameraFeed(_Played):
    """A webcam by number."""

    def __init__(self, number: int, capture: OpenCapture = opencv_capture) -> None:
        super().__init__(f"Camera {number}", capture)
        self.number = number

    def open(self, cancelled: Event) -> None:
        self.cancelled = cancelled
        capture = self._capture = self._make(self.number, cv2.CAP_ANY, [])
        if not capture.isOpened():
            raise FeedLost(f"{self.name} was not found; plug it in or choose another with --source.")
        # Uncompressed 1080p does not fit through USB 2 at a useful rate, so ask for JPEG first.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_HEIGHT)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def grab(self) -> Image | None:
        if self._passed_over():
            return None
        image = self._next()
        if image is None:
            raise FeedLost(f"{self.name} has stopped; check its cable.")
        return image


class StreamFeed(_Played):
    """A network camera: RTSP, or HTTP with MJPEG or anything else that ffmpeg plays."""

    def __init__(self, address: str, capture: OpenCapture = opencv_capture) -> None:
        super().__init__(f"The stream {without_password(address)}", capture)
        self.address = address

    def open(self, cancelled: Event) -> None:
        self.cancelled = cancelled
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, CONNECT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS]
        self._capture = self._make(self.address, cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            raise FeedLost(f"{self.name} does not answer; check the address and that the camera is on.")

    def grab(self) -> Image | None:
        if self._passed_over():
            return None
        image = self._next()
        if image is None:
            raise FeedLost(f"{self.name} has stopped; check that the camera is on.")
        return image


class FilmFeed(_Played):
    """A video file at its own pace, once or for ever."""

    def __init__(self, path: Path, loop: bool = False, capture: OpenCapture = opencv_capture) -> None:
        super().__init__(path.name, capture)
        self.path, self.loop = path, loop
        self.message = f"Playing {path.name}."
        self._shown = 0
        self._due = 0.0
        self._period = 0.04

    def open(self, cancelled: Event) -> None:
        self.cancelled = cancelled
        self._rewind()

    def _rewind(self) -> None:
        self.close()
        # ffmpeg also plays lists that name other files and addresses; a film must be the file itself.
        self._capture = self._make(str(self.path), cv2.CAP_FFMPEG, [])
        if not self._capture.isOpened():
            raise FeedLost(f"{self.name} is not a film that can be played; convert it to MP4 (H.264).")
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._period = 1 / rate if 1 <= rate <= 240 else 0.04
        self._shown = 0

    def grab(self) -> Image | None:
        passed = self._passed_over()
        image = None if passed else self._next_or_first()
        self._shown += 1
        self._due = max(self._due + self._period, time.monotonic() - self._period)
        self.cancelled.wait(max(0.0, self._due - time.monotonic()))
        return image

    def _next_or_first(self) -> Image:
        image = self._next()
        if image is None and self.loop and self._shown:
            self._rewind()
            image = self._next()
        if image is None:
            if not self._shown:
                raise FeedLost(f"{self.name} holds no picture; copy the film again.")
            raise FeedEnded(f"{self.name} has ended.")
        return image


class PictureFeed:
    """One picture, handed out once; again when the file changes."""

    still = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self.message = f"Showing {path.name}."
        self._cancelled = Event()
        self._stamp: tuple[int, int] | None = None

    def open(self, cancelled: Event) -> None:
        self._cancelled = cancelled

    def grab(self) -> Image | None:
        try:
            stat = self.path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            if stamp != self._stamp:
                image, self._stamp = load_picture(self.path), stamp
                return image
        except OSError as error:
            raise FeedLost(f"{self.path.name} is gone; put it back.") from error
        except PictureError as error:
            raise FeedLost(str(error)) from error
        self._cancelled.wait(GLANCE)
        return None

    def close(self) -> None:
        self._stamp = None


class FolderFeed:
    """The pictures of a folder in order, each for ``dwell`` seconds, over and over; bad files are passed over."""

    still = True

    def __init__(self, folder: Path, dwell: float = 3.0) -> None:
        self.folder, self.dwell = folder, dwell
        self.message = f"Showing {folder.name}."
        self._cancelled = Event()
        self._paths: list[Path] = []
        self._at = -1
        self._until = 0.0

    def open(self, cancelled: Event) -> None:
        self._cancelled = cancelled

    def grab(self) -> Image | None:
        left = self._until - time.monotonic()
        if left > 0:
            self._cancelled.wait(min(GLANCE, left))
            return None
        image = self._turn()
        self._until = time.monotonic() + self.dwell
        return image

    def _turn(self) -> Image:
        """The next picture that can be read; the folder is listed anew each time round."""
        bad = ""
        for _ in range(2):
            if self._at + 1 >= len(self._paths):
                self._paths, self._at = pictures_in(self.folder), -1
            while self._at + 1 < len(self._paths):
                self._at += 1
                path = self._paths[self._at]
                try:
                    image = load_picture(path)
                except PictureError as error:
                    bad = str(error)
                    continue
                passed = f" Passed over: {bad}" if bad else ""
                self.message = f"Showing {path.name}, {self._at + 1} of {len(self._paths)}.{passed}"
                return image
        raise FeedLost(bad or f"{self.folder.name} holds no pictures; put some there.")

    def close(self) -> None:
        self._until = 0.0


def pictures_in(folder: Path) -> list[Path]:
    """Its pictures by file ending, in the order people count in: 2 before 10."""
    try:
        names: Iterable[Path] = [p for p in folder.iterdir() if p.suffix.lower() in PICTURES and p.is_file()]
    except OSError:
        return []
    return sorted(names, key=lambda p: [int(t) if t.isdigit() else t.lower() for t in re.split(r"(\d+)", p.name)])


def without_password(address: str) -> str:
    """A stream's address fit to be shown: no name, no password, no query."""
    return re.sub(r"^(\w+://)(?:[^/@]*@)?([^?#]*).*$", r"\1\2", address)


def as_bgr(image: Any) -> Image:
    """Cameras may hand out grey pictures or ones with an alpha channel."""
    if image.ndim == 2 or image.shape[2] == 1:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 4:
        image = cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)
    return np.asarray(image, np.uint8)
