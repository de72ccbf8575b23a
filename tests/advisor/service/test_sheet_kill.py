"""Killed while recording, again and again: what was acknowledged is on the sheet, once, and none between is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from advisor.service.sheet_events import EventSheets
from advisor.service.store import EventStore

ROOT = Path(__file__).parents[3]
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
    place, random, last = tmp_path / "history.sqlite3", Random(5), 0
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as writers:
        assert writers.stdin is not None and writers.stdout is not None
        for kill in range(KILLS):
            writers.stdin.write("go\n")
            acknowledged, writer, wanted = [last], 0, 0 if kill < 3 else random.randint(1, 9)
            while (line := writers.stdout.readline()) != "killed\n":
                assert line, "the writers ended by themselves"
                if line.startswith("writer"):
                    writer = int(line.split()[1])
                else:
                    acknowledged.append(int(line))
                if writer and len(acknowledged) > wanted:
                    # Early kills meet the making of the sheet, later ones any moment of an append.
                    time.sleep(random.uniform(0, 0.02 if wanted == 0 else 0.006))
                    os.kill(writer, signal.SIGKILL)
                    writer = 0
            last = stored(place, acknowledged[-1])
        writers.stdin.close()
    assert last > KILLS


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
