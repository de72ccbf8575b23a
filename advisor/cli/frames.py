"""Frames from a camera for commands that look for a while and then end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from advisor.cli.terminal import USAGE, Failure, say

if TYPE_CHECKING:
    from vision.sources.source import Source
    from vision.sources.values import Frame

WAIT_S = 0.5
"""How long one wait for a frame lasts before the clock is looked at again."""


AGAIN = " Trying again."
"""What a source says while it has no pictures, and does no more once nobody waits for them."""


class Watch:
    """The newest frames of an open source, until its film ends or the time is over; while none come it is said why."""

    def __init__(self, source: Source, seconds: float) -> None:
        self._source = source
        self._end = time.monotonic() + seconds

    def __iter__(self) -> Iterator[Frame]:
        sequence, told = 0, ""
        while time.monotonic() < self._end:
            frame = self._source.newest(after=sequence, timeout=WAIT_S)
            if frame is not None:
                sequence, told = frame.sequence, ""
                yield frame
                continue
            status = self._source.status()
            if status.state == "ended":
                return
            if status.state == "lost" and status.message != told:
                told = status.message
                say(told)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is done in here, such as waiting for an answer, uses up no time."""
        began = time.monotonic()
        yield
        self._end += time.monotonic() - began

    @property
    def message(self) -> str:
        """The source's own words for how it is, now that it is looked at no more."""
        return self._source.status().message.removesuffix(AGAIN)


@contextmanager
def watching(spec: str, seconds: float) -> Iterator[Watch]:
    """Open the camera, stream or film that ``spec`` names; one that cannot be is a `Failure` with a sentence."""
    from vision.sources import SourceError, open_source

    try:
        source = open_source(spec)
    except SourceError as error:
        raise Failure(str(error), USAGE) from error
    with source:
        yield Watch(source, seconds)
