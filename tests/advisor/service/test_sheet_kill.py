"""Killed while recording, again and again: what was acknowledged is on the sheet, once, and none between is lost."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from store_stand_ins import killed_again_and_again

from advisor.service.sheet_events import EventSheets
from advisor.service.store import EventStore

pytestmark = pytest.mark.slow

KILLS = 10
WRITER = """
import os, sys
from advisor.service.sheet_events import EventSheets
from advisor.service.store import EventStore

def write(place):
    with EventStore.open(place) as store:
        sheets = EventSheets(store)
        if not sheets.names():
            sheets.create("friday", {"op": "record-hand", "points": 1}, "key-1")
        with sheets.writing("friday") as writer:
            os.write(1, b"%d\\n" % len(writer.kept.operations))
            while True:
                number = len(writer.kept.operations) + 1
                writer.append({"op": "record-hand", "points": number}, f"key-{number}")
                os.write(1, b"%d\\n" % number)

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        write(sys.argv[1])
    os.write(1, b"writer %d\\n" % child)
    os.waitpid(child, 0)
    os.write(1, b"killed\\n")
"""
"""For every line it reads, a new process that adds to the sheet until it is killed and says what was acknowledged."""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_every_acknowledged_operation_survives_kill_9(tmp_path: Path) -> None:
    place = tmp_path / "history.sqlite3"
    assert killed_again_and_again(WRITER, place, stored, KILLS, Random(5), early=3) > KILLS


def stored(place: Path, acknowledged: int) -> int:
    """How many operations there are, having checked them."""
    with EventStore.open(place) as store:
        sheets = EventSheets(store)
        if not sheets.names():
            assert acknowledged == 0
            return 0
        kept = sheets.read("friday")
    last = len(kept.operations)
    assert [operation["points"] for operation in kept.operations] == list(range(1, last + 1))
    assert kept.keys == tuple(f"key-{number}" for number in range(1, last + 1))
    # At most the one that was under way when the kill came was stored without being acknowledged.
    assert acknowledged <= last <= acknowledged + 1
    return last
