"""Killed while appending, again and again: every acknowledged event is there, and none is missing between."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from store_stand_ins import killed_again_and_again

from advisor.service.store import EventStore

pytestmark = pytest.mark.slow

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
    place = tmp_path / "history.sqlite3"
    assert killed_again_and_again(WRITER, place, stored, KILLS, Random(7)) > KILLS


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
