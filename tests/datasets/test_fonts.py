"""A glyph is that of its font, whatever was drawn before it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from datasets.pool import fonts

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
