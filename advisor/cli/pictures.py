"""Commands that read one picture after another: a bad one is said, and the others are read all the same."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from advisor.cli.terminal import FAILED, Failure, Progress, say

if TYPE_CHECKING:
    from vision.cards.patches import Image

R = TypeVar("R")
T = TypeVar("T")


class UnreadableError(Exception):
    """A picture could not be read; the text is a sentence."""


def each_picture(names: Sequence[str], as_json: bool, tell: Callable[[str], str]) -> int:
    """Print what ``tell`` says of each picture. Returns 0, or 1 if it raised `UnreadableError` for some."""
    progress, failed = Progress(len(names)), False
    progress.draw()
    for name in names:
        trouble: str | None = None
        line: str | None
        try:
            line = tell(name)
        except UnreadableError as error:
            failed, trouble = True, str(error)
            line = json.dumps({"image": name, "error": trouble}) if as_json else None
        progress.clear()
        if trouble:
            say(trouble)
        if line is not None:
            print(line, flush=True)
        progress.step()
    progress.clear()
    return FAILED if failed else 0


def read_picture(name: str, read: Callable[[Image], R]) -> tuple[R, float]:
    """What ``read`` makes of that picture, and how many milliseconds it took to open; raises `UnreadableError`."""
    began = time.perf_counter()
    image = open_picture(name)
    opened = (time.perf_counter() - began) * 1000
    return read_opened(name, image, read), opened


def open_picture(name: str) -> Image:
    """The picture; raises `UnreadableError`."""
    from vision.pictures import load_picture

    return read_opened(name, Path(name), load_picture)


def read_opened(name: str, opened: T, read: Callable[[T], R]) -> R:
    """What ``read`` makes of what was ``opened``; whatever is wrong with it raises `UnreadableError`."""
    from vision.pictures import PictureError

    try:
        return read(opened)
    except PictureError as error:
        raise UnreadableError(str(error)) from error
    except Failure:
        raise
    except Exception as error:  # one bad picture among many must not end the run
        reason = "not enough memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}".strip()
        reason = " ".join(reason.split())[:200]
        raise UnreadableError(f"{name}: it could not be read ({reason}); save it again, smaller.") from error
