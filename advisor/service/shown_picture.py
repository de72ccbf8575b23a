"""The camera's picture as pages get it."""

from __future__ import annotations

from typing import Final

import cv2

from vision.sources.values import Image

JPEG_QUALITY: Final = 82
LONGEST_SHOWN: Final = 1600
"""Pixels of the longer side of pictures sent to the display; coordinates stay those of the camera's picture."""


def encoded(image: Image) -> bytes:
    """A picture (H x W x 3, BGR) as JPEG, made smaller where it is larger than a page needs."""
    scale = LONGEST_SHOWN / max(image.shape[:2])
    shown = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    _, data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()
