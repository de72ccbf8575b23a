"""Stand-ins for the store's tests: a clock that is set by hand, a picture, a counter kept by a journal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from advisor.service.store import Codec, NewEvent

JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"
NOBODY = 65534
ROOT = Path(__file__).parents[3]


class Clock:
    """Shows what it is set to."""

    def __init__(self, now: datetime | None = None) -> None:
        self.now = now or datetime(2026, 3, 1, 19, 2, 11, 250, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def go_on(self, days: float) -> None:
        self.now += timedelta(days=days)


@dataclass(frozen=True)
class Add:
    """A change of a whole number."""

    amount: int


def add(total: int, change: Add) -> int:
    """Refuses to go below nothing, as a rule would."""
    if total + change.amount < 0:
        raise ValueError(f"{total} and {change.amount} is less than nothing.")
    return total + change.amount


def _add_from(data: Mapping[str, Any]) -> Add:
    return Add(int(data["amount"]))


ADDING: Codec[Add] = Codec(lambda change: {"amount": change.amount}, _add_from)


def numbered(count: int, start: int = 1) -> list[NewEvent]:
    return [NewEvent("change", {"n": number}, "camera") for number in range(start, start + count)]


def data() -> st.SearchStrategy[dict[str, Any]]:
    """Anything that an event may hold."""
    text = st.text(max_size=12)
    leaves = text | st.integers(-(2**63) + 1, 2**63 - 1) | st.booleans()
    values = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3), max_leaves=6
    )
    return st.dictionaries(text, values, max_size=4)


def new_events() -> st.SearchStrategy[NewEvent]:
    kinds = st.from_regex(r"[a-z][a-z0-9-]{0,63}", fullmatch=True)
    return st.builds(NewEvent, kinds, data(), st.sampled_from(["camera", "dealer", "server"]))


@contextmanager
def public_folder() -> Iterator[Path]:
    """A new folder that every user may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def without_write(path: Path) -> Iterator[None]:
    """The file or folder, in a `public_folder`, cannot be written, not even where the tests run as root."""
    if sys.platform == "win32":
        pytest.skip("Windows keeps permissions elsewhere")
    root, mode = os.geteuid() == 0, path.stat().st_mode
    path.chmod(0o555 if path.is_dir() else 0o444)
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        path.chmod(mode)


def killed_again_and_again(
    script: str, place: Path, stored: Callable[[Path, int], int], kills: int, random: Random, early: int = 4
) -> int:
    """Kill -9 the process that ``script`` starts for every line it reads, at any moment; the last number stored.

    The script says "writer" with the process's number, then each number that the store acknowledged, and "killed" once
    that process is gone. ``stored`` checks what is there against the last number acknowledged. The first ``early``
    kills meet the making of the file, later ones any moment of an append.
    """
    last = 0
    with subprocess.Popen(
        [sys.executable, "-c", script, str(place)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as writers:
        assert writers.stdin is not None and writers.stdout is not None
        for kill in range(kills):
            writers.stdin.write("go\n")
            acknowledged, writer, wanted = [last], 0, 0 if kill < early else random.randint(1, 12)
            while (line := writers.stdout.readline()) != "killed\n":
                assert line, "the writers ended by themselves"
                if line.startswith("writer"):
                    writer = int(line.split()[1])
                else:
                    acknowledged.append(int(line))
                if writer and len(acknowledged) > wanted:
                    time.sleep(random.uniform(0, 0.02 if wanted == 0 else 0.006))
                    os.kill(writer, signal.SIGKILL)
                    writer = 0
            last = stored(place, acknowledged[-1])
        writers.stdin.close()
    return last
