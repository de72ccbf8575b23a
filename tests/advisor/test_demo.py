"""``tableside demo`` end to end: the shipped clip, the shipped networks, a real browser, nothing scripted."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from datasets.demo_clip import ROUND, Move, last_picture
from vision.cards.reader import CardReader

PATIENCE = 40.0


@contextmanager
def running(*words: str) -> Iterator[str]:
    """The command on a free port; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "advisor.cli", *words, "--port", str(port), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.communicate(timeout=15)


def state(address: str) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"{address}api/state", timeout=2) as answer:
            return dict(json.load(answer))
    except OSError:
        return {}


def states_until(address: str, wanted: Any) -> dict[str, Any]:
    """The first state that ``wanted`` accepts."""
    end = time.monotonic() + PATIENCE
    seen: dict[str, Any] = {}
    while time.monotonic() < end:
        seen = state(address)
        if seen and wanted(seen):
            return seen
        time.sleep(0.1)
    raise AssertionError(f"not seen within {PATIENCE} s; last: {json.dumps(seen)[:1500]}")


def labels(hand: dict[str, Any]) -> set[str]:
    return {c["label"] for c in hand["cards"] if c["kind"] == "card"}


def all_dealt(s: dict[str, Any]) -> bool:
    return len(s["hands"]) == 3 and all(len(h["cards"]) == 2 for h in s["hands"]) and bool(s["dealer"])


def test_the_demo_advises_three_hands_against_the_upcard_it_read() -> None:
    with running("demo") as address:
        s = states_until(address, lambda s: all_dealt(s) and all(h["action"] for h in s["hands"]))
    assert s["dealer"]["upcard"] == "10H"
    assert [labels(h) for h in s["hands"]] == [{"8S", "3H"}, {"AD", "6C"}, {"5C", "6D"}]
    assert [h["total"] for h in s["hands"]] == ["hard 11", "soft 17", "hard 11"]
    assert [h["action"] for h in s["hands"]] == ["double", "hit", "double"]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium on this machine")
def test_the_demos_page_shows_the_action_in_a_browser() -> None:
    from playwright.sync_api import expect, sync_playwright

    with running("demo") as address, sync_playwright() as play:
        states_until(address, lambda s: s["picture"])
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(address)
        middle = page.locator('[data-testid=hand][data-hand-id="hand-2"]')
        expect(middle.get_by_test_id("hand-action")).to_have_text("Hit", timeout=PATIENCE * 1000)
        expect(middle.get_by_test_id("hand-total")).to_have_text("soft 17")
        expect(page.get_by_test_id("dealer-upcard")).to_have_attribute("data-label", "10H")
        browser.close()


def test_a_card_deleted_from_the_clip_is_missing_from_what_is_read(tmp_path: Path) -> None:
    """Nothing is scripted: without the six of clubs the same round shows one card less."""
    reader = CardReader.load()
    dealt = ROUND[:8]
    without = tuple(m for m in dealt if m.label != "6C")
    full, short = (seen(reader, moves) for moves in (dealt, without))
    assert full - short == {"6C"} and short < full
    assert len(full) == 7


def seen(reader: CardReader, moves: tuple[Move, ...]) -> set[str]:
    return {s.label or "" for s in reader.read(last_picture(moves)).cards}
