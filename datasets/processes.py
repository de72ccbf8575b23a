"""Rendering in several processes at once, each begun anew after a while."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeVar

RENEWED: Final = 8
"""Pieces of work after which a process is begun anew, for a font that stays open keeps all it ever drew."""

In = TypeVar("In")
Out = TypeVar("Out")


def in_processes(job: Callable[[In], Out], items: Iterable[In], workers: int, at_once: int = 1) -> Iterator[Out]:
    """``job`` of each item, in order; ``at_once`` items are one piece of work.

    Not `concurrent.futures`, whose pool stands still once its processes have been renewed (CPython issue 115634, until
    3.13). Spawned, not forked: OpenCV's threads do not survive a fork.
    """
    with get_context("spawn").Pool(workers, maxtasksperchild=RENEWED) as pool:
        yield from pool.imap(job, items, at_once)


SHARD: Final = 64
"""Scenes whose pieces are kept in one file."""


def in_shards(
    job: Callable[[list[int]], int],
    folder: Path,
    seeds: Iterable[int],
    workers: int,
    done: Callable[[int], None] | None = None,
) -> None:
    """Make the folder and give ``job`` the seeds of one file after another; ``done`` gets what it answers."""
    folder.mkdir(parents=True, exist_ok=True)
    every = list(seeds)
    for count in in_processes(job, [every[k : k + SHARD] for k in range(0, len(every), SHARD)], workers):
        if done:
            done(count)
