"""From what a person writes to a source."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event

from vision.pictures import PictureError, load_picture
from vision.sources.feeds import (
    PICTURES,
    CameraFeed,
    FilmFeed,
    FolderFeed,
    PictureFeed,
    StreamFeed,
    opencv_capture,
    pictures_in,
)
from vision.sources.pushed import PushedSource
from vision.sources.source import Pacing, Source
from vision.sources.values import Feed, FeedEnded, FeedLost, OpenCapture, SourceError

BROWSER = "browser"
STREAMS = ("rtsp", "rtsps", "http", "https")
LISTS = (b"#EXTM3U", b"ffconcat", b"[playlist]")
KINDS = "a webcam number, a film, a picture, a folder of pictures, or an rtsp:// or http:// address"


class SpecError(SourceError):
    """The words name no source."""


def open_source(
    spec: str,
    *,
    loop: bool = False,
    dwell: float = 3.0,
    pacing: Pacing | None = None,
    capture: OpenCapture = opencv_capture,
) -> Source:
    """The source that ``spec`` names, not yet started.

    A webcam's number, a video file (played at its own rate; with ``loop`` for ever), a picture, a folder of pictures
    (each for ``dwell`` seconds), an ``rtsp://``, ``http://`` address, or "browser" for pictures that a page sends
    (:class:`PushedSource`). Cameras and streams may be absent: they are waited for. ``capture`` opens whatever moves,
    in place of OpenCV. Raises :class:`SourceError` for a file or folder that cannot be used, :class:`SpecError` for
    words that name no source.
    """
    spec = spec.strip()
    if not spec or "\0" in spec:
        raise SpecError(f"The source is empty; name {KINDS}.")
    if spec == BROWSER and not Path(spec).exists():
        return PushedSource()
    if re.fullmatch(r"[0-9]{1,3}", spec) and not Path(spec).exists():
        number = int(spec)
        return Source(f"Camera {number}", lambda: CameraFeed(number, capture), pacing)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", spec)
    if scheme:
        if scheme[1].lower() not in STREAMS or len(spec) == scheme.end():
            raise SpecError(f"{spec}: this kind of address cannot be watched; name {KINDS}.")
        feed = StreamFeed(spec)
        return Source(feed.name, lambda: StreamFeed(spec, capture), pacing)
    path = Path(spec).expanduser()
    return Source(path.name or str(path), _file(path, loop, dwell, capture), pacing)


def _file(path: Path, loop: bool, dwell: float, capture: OpenCapture) -> Callable[[], Feed]:
    """What opens a file or a folder, after a first look at it. Raises :class:`SourceError`."""
    try:
        if path.is_dir():
            if not pictures_in(path):
                kinds = ", ".join(sorted(PICTURES))
                raise SourceError(f"{path}: the folder holds no pictures ({kinds}); put some there.")
            return lambda: FolderFeed(path, dwell)
        if not path.exists():
            raise SourceError(f"{path}: there is no such file; name {KINDS}.")
        if path.is_file() and not path.stat().st_size:
            raise SourceError(f"{path}: the file is empty; copy it again.")
        with path.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        raise SourceError(f"{path}: it could not be opened ({error.strerror}); check that you may read it.") from error
    if path.suffix.lower() in PICTURES:
        try:
            load_picture(path)
        except PictureError as error:
            raise SourceError(str(error)) from error
        return lambda: PictureFeed(path)
    # ffmpeg would follow a play list to other files and addresses.
    if head.lstrip().startswith(LISTS):
        raise SourceError(f"{path}: this is a play list; name the film itself.")
    feed = FilmFeed(path, False, capture)
    try:
        feed.open(Event())
        feed.grab()
    except (FeedLost, FeedEnded) as error:
        raise SourceError(f"{path}: it {str(error).removeprefix(feed.name).strip()}") from error
    finally:
        feed.close()
    return lambda: FilmFeed(path, loop, capture)
