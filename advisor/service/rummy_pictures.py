"""Photographs of hands, by a name that the phone made: read once, and kept with what was read.

A phone on a bad line sends a picture again until it hears an answer. The name makes that harmless: what was read
already is answered from what is kept. A picture is kept small, only to be looked at; it is read in full.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from advisor.service.sheet_store import SheetError
from vision.cards.glare import burnt_ends
from vision.cards.patches import Image
from vision.cards.sharpness import index_edges
from vision.pictures import PictureError, decode_picture, heif_size, is_heif
from vision.sightings import CardSighting, Quad, Reading

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{6,48})[a-z0-9]")
"""What a phone may call a picture: a UUID, say."""
LARGEST_BYTES: Final = 25_000_000
LARGEST_PIXELS: Final = 110_000_000
"""Phones take up to 108 megapixels; what claims more is not decoded."""
LONGEST_KEPT: Final = 1600
JPEG_QUALITY: Final = 82
DRAFT_DAYS: Final = 3
"""A picture that no sheet names is deleted after so many days."""


class CanRead(Protocol):
    """Whatever reads a picture's cards."""

    def read(self, image: Image, /) -> Reading:
        """Everything seen in ``image`` (H x W x 3, BGR)."""
        ...


class OneAtATime:
    """A reader that several threads may share: each waits for the one before."""

    def __init__(self, reader: CanRead) -> None:
        self._reader, self._lock = reader, threading.Lock()

    def read(self, image: Image, /) -> Reading:
        """See `CanRead.read`."""
        with self._lock:
            return self._reader.read(image)


@dataclass(frozen=True)
class ReadPicture:
    """A picture that was read; coordinates are pixels of the picture as it came."""

    name: str
    reading: Reading
    edge: float | None
    """How wide the edges of its indices are; see `vision.cards.sharpness`."""
    burnt: tuple[Quad, ...] = ()
    """Where a lamp burns it out at the hand's ends; see `vision.cards.glare`."""


class HandPictures:
    """The pictures in one folder, which is made when the first is kept; thread-safe."""

    def __init__(self, folder: Path, reader: CanRead, now: Callable[[], float] = time.time) -> None:
        self._folder, self._reader, self._now = folder, reader, now
        self._one = threading.Lock()

    def put(self, name: str, data: bytes) -> ReadPicture:
        """Read the picture in ``data`` and keep it; what was kept under that name before, if anything, is the answer.

        Raises `PictureError` for what is no picture that can be read, `SheetError` where it cannot be kept.
        """
        with self._one:  # the second of two at once must find what the first kept
            kept = self.get(name)
            if kept is not None:
                return kept
            image = decoded(data)
            reading = self._reader.read(image)
            found = ReadPicture(name, reading, index_edges(image, reading), burnt_ends(image, reading))
            self._keep(found, image)
            return found

    def get(self, name: str) -> ReadPicture | None:
        """What was read in the picture of that name; None where none is kept."""
        try:
            data = json.loads(self._path(name, "json").read_text(encoding="utf-8"))
            return ReadPicture(name, _reading(data), data["edge"], tuple(map(_quad, data.get("burnt", ()))))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SheetError(f"The picture {name} could not be opened ({error.strerror}).") from error
        except (ValueError, KeyError, TypeError):
            return None  # torn by a crash: the phone still has it and sends it again

    def jpeg(self, name: str) -> Path | None:
        """The picture's file; None where none is kept."""
        path = self._path(name, "jpg")
        return path if path.is_file() else None

    def delete(self, names: Collection[str]) -> None:
        """Take these pictures away; those that are not there are passed over."""
        for name in filter(NAME.fullmatch, names):
            for ending in ("json", "jpg"):
                with contextlib.suppress(OSError):
                    self._path(name, ending).unlink(missing_ok=True)

    def tidy(self, named: Collection[str]) -> None:
        """Delete what is older than `DRAFT_DAYS` and not among those ``named`` on some sheet."""
        oldest = self._now() - DRAFT_DAYS * 86_400
        with contextlib.suppress(OSError):
            for path in self._folder.iterdir():
                if path.stem not in named and path.stat().st_mtime < oldest:
                    path.unlink(missing_ok=True)

    def _path(self, name: str, ending: str) -> Path:
        if not NAME.fullmatch(name):
            raise SheetError(f"{name[:60]!r} is no name for a picture.")
        return self._folder / f"{name}.{ending}"

    def _keep(self, found: ReadPicture, image: Image) -> None:
        scale = LONGEST_KEPT / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
        _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # What was read comes last: where it is, the picture is whole.
            _write(self._path(found.name, "jpg"), jpeg.tobytes())
            _write(self._path(found.name, "json"), json.dumps(_data(found)).encode())
        except OSError as error:
            raise SheetError(f"The picture could not be kept ({error.strerror}); check the disk.") from error


def _write(path: Path, data: bytes) -> None:
    """The whole file or nothing, on disk when this returns."""
    part = path.with_suffix(f"{path.suffix}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _data(found: ReadPicture) -> dict[str, Any]:
    reading = found.reading
    return {
        "width": reading.width,
        "height": reading.height,
        "edge": found.edge,
        "burnt": [_rounded(quad) for quad in found.burnt],
        "ms": dict(reading.ms),
        "sightings": [
            {
                "kind": s.kind,
                "corners": _rounded(s.corners),
                "label": s.label,
                "confidence": s.confidence,
                "probabilities": dict(s.probabilities),
                "indices": [_rounded(quad) for quad in s.indices],
            }
            for s in reading.sightings
        ],
    }


def _reading(data: dict[str, Any]) -> Reading:
    sightings = tuple(
        CardSighting(
            s["kind"],
            _quad(s["corners"]),
            s["label"],
            s["confidence"],
            s["probabilities"],
            tuple(map(_quad, s["indices"])),
        )
        for s in data["sightings"]
    )
    return Reading(data["width"], data["height"], sightings, data["ms"])


def _rounded(quad: Quad) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in quad]


def _quad(points: list[list[float]]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def decoded(data: bytes) -> Image:
    """The picture in a file that came from a page (JPEG, PNG, WebP or HEIC). Raises `PictureError`."""
    if not data:
        raise PictureError("The picture came empty; take it again.")
    size = pixels_claimed(data)
    if not size and not is_heif(data[:12]):  # of a damaged one the decoder says more
        raise PictureError("This is not a picture that can be read: JPEG, PNG, WebP and HEIC can.")
    if size > LARGEST_PIXELS:
        raise PictureError(f"The picture has {size / 1e6:.0f} megapixels, and {LARGEST_PIXELS // 10**6} are the most.")
    return decode_picture(np.frombuffer(data, np.uint8), "The picture")


def pixels_claimed(data: bytes) -> int:
    """How many pixels a JPEG, PNG, WebP or HEIC says it has, before anything is decoded; 0 where that cannot be told.

    A file of a few kilobytes can claim a picture that fills the memory.
    """
    if data.startswith(b"\x89PNG") and data[12:16] == b"IHDR":
        return int.from_bytes(data[16:20], "big") * int.from_bytes(data[20:24], "big")
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp_pixels(data)
    if is_heif(data[:12]):
        width, height = heif_size(data)
        return width * height
    at = 2
    while data.startswith(b"\xff\xd8") and at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):  # a frame header: height, then width
            return int.from_bytes(data[at + 5 : at + 7], "big") * int.from_bytes(data[at + 7 : at + 9], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0


def _webp_pixels(data: bytes) -> int:
    kind = data[12:16]
    if kind == b"VP8X":
        return (int.from_bytes(data[24:27], "little") + 1) * (int.from_bytes(data[27:30], "little") + 1)
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return ((bits & 0x3FFF) + 1) * (((bits >> 14) & 0x3FFF) + 1)
    sides = int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return sides[0] * sides[1]
