"""Decks for measuring are printed in letters that could stand on a card."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from datasets import card_fonts as module
from datasets.card_fonts import card_fonts
from datasets.drawn import BUILT_IN_FONT, glyph

Drawing = Callable[[np.ndarray], np.ndarray]


def outlined(mask: np.ndarray) -> np.ndarray:
    wide = cv2.copyMakeBorder(mask, 12, 12, 12, 12, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.dilate(wide, np.ones((13, 13), np.uint8)) - cv2.dilate(wide, np.ones((7, 7), np.uint8)))


def boxed(mask: np.ndarray) -> np.ndarray:
    around = cv2.copyMakeBorder(mask, 20, 20, 20, 20, cv2.BORDER_CONSTANT)
    return cv2.copyMakeBorder(around, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=255)


def hairline(mask: np.ndarray) -> np.ndarray:
    middle = mask.copy()
    middle[:, 3:] = 0
    return middle


@pytest.mark.parametrize("drawing", [outlined, boxed, hairline])
def test_no_deck_is_printed_in(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(font: str, text: str, weight: int) -> np.ndarray:
        mask = glyph(BUILT_IN_FONT, text, weight)
        return drawing(mask) if font == "odd" else mask

    card_fonts.cache_clear()
    monkeypatch.setattr(module, "glyph", drawn)
    monkeypatch.setattr(module, "fonts", lambda: (BUILT_IN_FONT, "odd", "/fonts/SomeScript-Bold.otf"))
    assert card_fonts() == (BUILT_IN_FONT,)
    card_fonts.cache_clear()


def test_other_signs_than_letters_are_printed_in_the_font_before(monkeypatch: pytest.MonkeyPatch) -> None:
    card_fonts.cache_clear()
    monkeypatch.setattr(module, "_printable", lambda font: True)
    monkeypatch.setattr(
        module, "fonts", lambda: ("/a/Abel.ttf", "/a/FutharkAdapted.ttf", "/a/Fira.otf", "/a/msam10.ttf")
    )
    assert card_fonts() == ("/a/Abel.ttf", "/a/Abel.ttf", "/a/Fira.otf", "/a/Fira.otf")
    card_fonts.cache_clear()


def test_nearly_every_font_of_a_machine_could_be_a_decks() -> None:
    assert BUILT_IN_FONT in card_fonts()
    assert len(card_fonts()) >= 0.8 * len(module.fonts())
