"""Loading pictures from disk, with a sentence for everything that can be wrong with one."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

MAX_PIXELS = 200_000_000
"""Larger pictures are refused: nothing photographs a table with more, and a forged header could ask for any amount."""
MAX_BYTES = 400_000_000
SMALLEST_SIDE = 16
FORMATS = "JPEG, PNG, WebP, BMP or TIFF"


class PictureError(ValueError):
    """A picture could not be used; the text says which, why, and what to do."""


def load_picture(path: Path) -> NDArray[np.uint8]:
    """The picture as BGR, H x W x 3, turned upright as its EXIF data says.

    Raises :class:`PictureError` for a path that is missing, a folder, empty, cut short, too large or no picture.
    """
    if not path.exists():
        raise PictureError(f"{path}: there is no such file; check the name.")
    if path.is_dir():
        raise PictureError(f"{path}: this is a folder; name the pictures in it.")
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise PictureError(f"{path}: {size / 1e6:.0f} MB is too large for a picture; save it smaller.")
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise PictureError(f"{path}: it could not be opened ({error.strerror}); check that you may read it.") from error
    if not len(data):
        raise PictureError(f"{path}: the file is empty; copy or take the picture again.")
    return decode_picture(data, str(path))


def decode_picture(data: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """Decode a file's bytes; ``name`` is how errors call it. Raises :class:`PictureError`."""
    if cut_short(data):
        raise PictureError(f"{name}: the file is cut short; copy or take the picture again.")
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"{name}: it could not be decoded; it may be damaged or far too large.") from error
    if image is None:
        raise PictureError(f"{name}: this is not a picture that can be read; use {FORMATS}.")
    height, width = image.shape[:2]
    if height * width > MAX_PIXELS:
        raise PictureError(
            f"{name}: {width} x {height} pixels are too many; save it with at most {MAX_PIXELS // 10**6} megapixels."
        )
    return np.asarray(image, np.uint8)


def cut_short(data: NDArray[np.uint8]) -> bool:
    """Whether a JPEG or PNG lacks its end: decoders fill the rest with grey and say nothing."""
    raw = data.tobytes()
    if raw.startswith(b"\x89PNG"):
        return b"IEND" not in raw[-4096:]
    if not raw.startswith(b"\xff\xd8"):
        return False
    # Walk the segments to the picture itself: a thumbnail inside the EXIF segment has an end mark of its own, and
    # phones hang films and maps behind the picture's.
    at = 2
    while at + 4 <= len(raw) and raw[at] == 0xFF and raw[at + 1] != 0xDA:
        at += 2 + int.from_bytes(raw[at + 2 : at + 4], "big")
    return raw.find(b"\xff\xd9", at) < 0
