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
FORMATS = "JPEG, PNG, WebP, HEIC, BMP or TIFF"
_HEIF_BRANDS = (b"hei", b"hev", b"mif1", b"msf1")
"""How the kind of a file begins that holds a HEIC picture, as iPhones save them (ISO/IEC 23008-12, annex B)."""
_HEIF_TROUBLE = (ValueError, EOFError, SyntaxError, RuntimeError, OSError)
"""What the decoder raises for a file that is damaged or of a kind that it does not know."""


class PictureError(ValueError):
    """A picture could not be used; the text says which, why, and what to do."""


def load_picture(path: Path) -> NDArray[np.uint8]:
    """The picture as BGR, H x W x 3, turned upright as its EXIF data says.

    Raises :class:`PictureError` for a path that is missing, no file, empty, cut short, too large or no picture.
    """
    if not path.exists():
        raise PictureError(f"{path}: there is no such file; check the name.")
    if path.is_dir():
        raise PictureError(f"{path}: this is a folder; name the pictures in it.")
    if not path.is_file():  # a pipe or a device may never end
        raise PictureError(f"{path}: this is no file but a pipe or a device; save the picture and name its file.")
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
        image = _heif(data, name) if is_heif(data.tobytes()[:12]) else cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"{name}: it could not be decoded; it may be damaged or far too large.") from error
    if image is None:
        raise PictureError(f"{name}: this is not a picture that can be read; use {FORMATS}.")
    height, width = image.shape[:2]
    _not_too_large(width, height, name)
    return np.asarray(image, np.uint8)


def is_heif(begin: bytes) -> bool:
    """Whether a file that begins so (12 bytes and more) is a HEIC picture."""
    return begin[4:8] == b"ftyp" and begin[8:12].startswith(_HEIF_BRANDS)


def heif_size(data: bytes) -> tuple[int, int]:
    """Width and height that a HEIC picture says it has, before it is decoded; (0, 0) where that cannot be told."""
    import pi_heif

    try:
        width, height = pi_heif.open_heif(data).size
    except _HEIF_TROUBLE:
        return 0, 0
    return int(width), int(height)


def _heif(data: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """A HEIC picture as BGR, turned as the file says; one with more than eight bits a colour is brought to eight."""
    import pi_heif

    try:
        held = pi_heif.open_heif(data.tobytes(), bgr_mode=True)
        width, height = held.size
        _not_too_large(width, height, name)
        # A copy, since the decoder's own memory goes with it; its rows may be longer than the picture's.
        image = np.asarray(held)[:height, :width].copy()
    except _HEIF_TROUBLE as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError(
            f"{name}: this HEIC picture could not be decoded; it may be damaged. Copy it again, or save it as JPEG."
        ) from error
    if image.dtype == np.uint16:  # grey pictures stay as fine as they are
        image = (image >> 8).astype(np.uint8)
    if image.ndim == 3 and image.shape[2] >= 3:
        return np.asarray(image[:, :, :3].copy(), np.uint8)
    grey = image if image.ndim == 2 else image[:, :, 0].copy()
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _not_too_large(width: int, height: int, name: str) -> None:
    if height * width > MAX_PIXELS:
        raise PictureError(
            f"{name}: {width} x {height} pixels are too many; save it with at most {MAX_PIXELS // 10**6} megapixels."
        )


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
