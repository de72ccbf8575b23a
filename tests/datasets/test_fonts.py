"""A glyph is that of its font, whatever was drawn before it."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from datasets.drawn import BUILT_IN_FONT, SUIT_GLYPHS, glyph
from datasets.pool import fonts, likest_suit, suit_fonts

SCRIPT = """
import hashlib, json, sys
from datasets.drawn import glyph
asked = json.loads(sys.stdin.read())
print(json.dumps({f: hashlib.sha256(glyph(f, "7", 400).tobytes()).hexdigest() for f in asked}))
"""


def drawn(asked: list[str]) -> dict[str, str]:
    done = subprocess.run([sys.executable, "-c", SCRIPT], input=json.dumps(asked), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_order_in_which_fonts_are_opened_changes_no_letter() -> None:
    some = list(fonts())[::4][:24]
    if len(some) < 3:
        pytest.skip("this machine has too few fonts")
    forwards, backwards = drawn(some), drawn(some[::-1])
    alone = drawn([some[-1]])
    assert forwards == backwards
    assert forwards[some[-1]] == alone[some[-1]]


def test_every_suit_of_every_suit_font_is_the_suit_it_is_called() -> None:
    for font in suit_fonts():
        assert {suit: likest_suit(font, suit) for suit in SUIT_GLYPHS} == {suit: suit for suit in SUIT_GLYPHS}


def test_a_font_that_prints_a_spade_for_a_club_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    swapped = {SUIT_GLYPHS["C"]: SUIT_GLYPHS["S"], SUIT_GLYPHS["S"]: SUIT_GLYPHS["C"]}

    def drawn_wrongly(font: str, text: str, weight: int) -> np.ndarray:
        return glyph(BUILT_IN_FONT, swapped.get(text, text) if font == "wrong" else text, weight)

    monkeypatch.setattr("datasets.pool.glyph", drawn_wrongly)
    assert {suit: likest_suit("wrong", suit) for suit in "CDHS"} == {"C": "S", "D": "D", "H": "H", "S": "C"}
