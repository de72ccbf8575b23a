"""A source that is sent its pictures, by a browser or anything else that has a camera: JPEG after JPEG, newest wins.

A sender pushes one picture and hears when it was taken before it pushes the next; one that pushes faster loses
pictures, which are counted. Only one sends at a time, but one that has gone quiet gives way to another.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Condition, Event
from typing import Final

import numpy as np

from vision.pictures import PictureError, decode_picture
from vision.sources.source import Pacing, Source
from vision.sources.values import FeedLost, Image

NAME: Final = "The browser’s camera"
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of one picture."""
MOST_PIXELS: Final = 12_000_000
LEAST_SIDE: Final = 120
QUIET: Final = 3.0
"""After so many seconds without a picture another sender may take over."""
STALLED: Final = 6.0
"""After so long the pictures are said to have stopped."""
GLANCE: Final = 0.25
WAITS: Final = 1.0
"""Seconds that opening waits for a sender before it says that there is none."""
PACING: Final = Pacing(first_pause=0.05, longest_pause=0.1)
NOBODY: Final = "No camera is sending: open the page /camera on the device whose camera watches the table."


class CameraTaken(Exception):  # noqa: N818 - it names what is the matter
    """Another device sends already; the text is a sentence."""


@dataclass(eq=False)
class Sender:
    """Somebody who sends pictures, between `PushedSource.begin` and `PushedSource.end`."""

    name: str
    at: float
    """When it began or last sent; monotonic seconds."""
    gone: str = ""
    """Why it does not send any more, as a sentence."""


class PushedSource(Source):
    """Pictures that are pushed. Every method may be called from any thread."""

    def __init__(self) -> None:
        super().__init__(NAME, lambda: _Feed(self), PACING)
        self._post_box = Condition()
        self._sender: Sender | None = None
        self._waiting: bytes | None = None
        self._pushed = self._taken_up = 0
        self._fault = ""
        self.passed_over = 0
        """Pictures that were pushed before the one before them had been taken."""

    def begin(self, name: str) -> Sender:
        """Be the camera; raises `CameraTaken` while another is, unless that has gone quiet."""
        with self._post_box:
            before, now = self._sender, time.monotonic()
            if before is not None:
                if now - before.at < QUIET:
                    raise CameraTaken(f"{before.name} is the camera already: stop it there first.")
                before.gone = f"{name} took over as the camera."
            self._sender = Sender(name, now)
            self._waiting, self._fault = None, ""
            self._post_box.notify_all()
            return self._sender

    def push(self, sender: Sender, jpeg: bytes, timeout: float = 2.0) -> str:
        """Send one picture and wait until it was taken; what is wrong with it, as a sentence, or nothing.

        Raises `CameraTaken` once another has taken over.
        """
        if fault := _unfit(jpeg):
            with self._post_box:
                sender.at = time.monotonic()
            return fault
        with self._post_box:
            if self._sender is not sender:
                raise CameraTaken(sender.gone or NOBODY)
            self.passed_over += self._waiting is not None
            self._waiting, sender.at = jpeg, time.monotonic()
            self._pushed += 1
            mine = self._pushed
            self._post_box.notify_all()
            self._post_box.wait_for(lambda: self._taken_up >= mine or self._sender is not sender, timeout)
            return self._fault if self._taken_up >= mine else ""

    def end(self, sender: Sender, why: str = "") -> None:
        """Stop being the camera."""
        with self._post_box:
            sender.gone = sender.gone or why or f"{sender.name} has stopped sending."
            if self._sender is sender:
                self._sender, self._waiting = None, None
            self._post_box.notify_all()

    def close(self) -> None:
        """Stop, for good."""
        with self._post_box:
            if self._sender is not None:
                self._sender.gone = "The table has ended."
                self._sender = None
            self._post_box.notify_all()
        super().close()

    # For the feed.

    def _await_sender(self, cancelled: Event, timeout: float) -> Sender | None:
        with self._post_box:
            self._post_box.wait_for(lambda: self._sender is not None or cancelled.is_set(), timeout)
            return self._sender

    def _take(self, sender: Sender, timeout: float) -> tuple[int, bytes] | None:
        """The newest picture, with its number; raises `FeedLost` where no more will come from this sender."""
        with self._post_box:
            self._post_box.wait_for(lambda: self._waiting is not None or self._sender is not sender, timeout)
            if self._sender is not sender:
                raise FeedLost(sender.gone or NOBODY)
            if self._waiting is None:
                quiet = time.monotonic() - sender.at
                if quiet > STALLED:
                    raise FeedLost(f"{sender.name} has sent no picture for {quiet:.0f} seconds.")
                return None
            jpeg, self._waiting = self._waiting, None
            return self._pushed, jpeg

    def _took(self, number: int, fault: str) -> None:
        with self._post_box:
            self._taken_up, self._fault = number, fault
            self._post_box.notify_all()


class _Feed:
    """One sender's pictures."""

    still = False

    def __init__(self, source: PushedSource) -> None:
        self.message = f"{NAME} is live."
        self._source = source
        self._sender: Sender | None = None
        self._cancelled = Event()

    def open(self, cancelled: Event) -> None:
        self._cancelled = cancelled
        self._sender = self._source._await_sender(cancelled, WAITS)
        if self._sender is None:
            raise FeedLost(NOBODY)

    def grab(self) -> Image | None:
        assert self._sender is not None
        came = self._source._take(self._sender, GLANCE)
        if came is None:
            return None
        number, jpeg = came
        try:
            image = decode_picture(np.frombuffer(jpeg, np.uint8), "The picture")
        except PictureError as error:
            self._source._took(number, str(error))
            return None
        self._source._took(number, "")
        self.message = f"{self._sender.name} is live, {image.shape[1]} x {image.shape[0]} pixels."
        return image

    def close(self) -> None:
        """Nothing to let go of: the sender belongs to whoever sends."""


def _unfit(jpeg: bytes) -> str:
    """Why these bytes are not decoded at all, as a sentence; empty where they are."""
    if len(jpeg) > LARGEST:
        return f"The picture has {len(jpeg) / 2**20:.1f} MB: at most {LARGEST // 2**20} are taken."
    size = jpeg_size(jpeg)
    if size is None:
        return "What came is no JPEG picture: reload the page on the camera’s device."
    width, height = size
    if min(size) < LEAST_SIDE:
        return f"The picture of {width} x {height} pixels is too small to read cards in."
    if width * height > MOST_PIXELS:
        return f"The picture of {width} x {height} pixels is too large: at most 12 megapixels are taken."
    return ""


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG file's header claims (ITU T.81, B.2.2); None for anything else.

    A forged header could make the decoder ask for gigabytes.
    """
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        kind = data[at + 1]
        if kind == 0xFF:
            at += 1
            continue
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        if kind in (0xD8, 0x01) or 0xD0 <= kind <= 0xD7:
            at += 2
            continue
        at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4], "big"))
    return None
