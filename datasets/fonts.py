"""Fonts, opened once and kept open."""

from __future__ import annotations

from functools import cache

import cv2


@cache
def font_face(font: str) -> cv2.FontFace:
    """The opened font: a file's path, or one of OpenCV's own names.

    It is never closed: OpenCV keeps the shapes that it has drawn by the font's place in memory, so a font opened where
    a closed one was is drawn with the closed one's letters (OpenCV 5.0: other digits in a fifth of the fonts).
    """
    return cv2.FontFace(font)
