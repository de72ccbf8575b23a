"""Killed while appending, again and again: every acknowledged event is there, and none is missing between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from advisor.service.store import EventStore

ROOT = Path(__file__).parents[3]
KILLS = 14
BATCH = 3
"""The most events that the writer appends at once."""
WRITER = """
import os, sys
from advisor.service.store import EventStore, NewEvent

def write(place):
    with EventStore.open(place) as store:
        session = (store.open_sessions() or [store.start_session("blackjack")])[0].id
        last = store.last_sequence(session)
        while True:
            many = last % 3 + 1
            events = [NewEvent("change", {"n": last + i, "of": many}) for i in range(1, many + 1)]
            last = store.append(session, last, events)
            os.write(1, b"%d\\n" % last)

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        write(sys.argv[1])
    os.write(1, b"writer %d\\n" % child)
    os.waitpid(child, 0)
    os.write(1, b"killed\\n")
"""
"""For every line it reads, a new process that appends until it is killed and says the last number acknowledged."""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_every_acknowledged_event_survives_kill_9(tmp_path: Path) -> None:
    place, random, most = tmp_path / "history.sqlite3", Random(7), 0
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
            acknowledged, writer, wanted = [most], 0, 0 if kill < 4 else random.randint(1, 12)
            while (line := writers.stdout.readline()) != "killed\n":
                assert line, "the writers ended by themselves"
                if line.startswith("writer"):
                    writer = int(line.split()[1])
                else:
                    acknowledged.append(int(line))
                if writer and len(acknowledged) > wanted:
                    # Early kills meet the making of the file, later ones any moment of an append.
                    time.sleep(random.uniform(0, 0.02 if wanted == 0 else 0.006))
                    os.kill(writer, signal.SIGKILL)
                    writer = 0
            most = stored(place, acknowledged[-1])
        writers.stdin.close()
    assert most > KILLS


def stored(place: Path, acknowledged: int) -> int:
    """How many events there are, having checked them."""
    with EventStore.open(place) as store:
        sessions = store.open_sessions()
        assert len(sessions) <= 1
        if not sessions:
            assert acknowledged == 0
            return 0
        events = store.events(sessions[0].id)
    last = len(events)
    assert [event.sequence for event in events] == list(range(1, last + 1))
    assert [event.data["n"] for event in events] == list(range(1, last + 1))
    assert acknowledged <= last <= acknowledged + BATCH
    batches = [event.data["of"] for event in events]
    while batches:
        # A batch is there whole or not at all.
        assert batches[: batches[0]] == [batches[0]] * batches[0]
        batches = batches[batches[0] :]
    return last
