"""Runs a table in front of a film and notes everything that it published, with the moment of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Protocol

from advisor.cli.table_bench.ledger import PUBLISHED, Ledger
from advisor.cli.table_bench.patient import PatientSource
from advisor.cli.table_films import Staged
from advisor.games.contract import Played
from advisor.table.state import RoundResult
from datasets.rounds.camera import FilmCamera, FilmSource, Shot
from datasets.rounds.film import Conditions
from vision.sources import Source

SAMPLED_S: Final = 10.0
"""How often the memory is looked at while a film is played in real time."""
SETTLING: Final = 2.5
"""Seconds after the last act before the table is taken to be idle."""


class TableUnderTest(Protocol):
    """What the benchmark needs of a running table."""

    def start(self, published: Callable[[], None]) -> None:
        """Begin to watch; `published` is called whenever something new is shown."""

    def tell(self, operation: Mapping[str, Any]) -> str:
        """Say what no camera can see; why it was refused, or nothing."""

    def played(self) -> tuple[int, Played]:
        """The number of the round, and the round as it stands."""

    def results(self) -> Sequence[RoundResult]:
        """The rounds that are over."""

    def reads(self) -> int:
        """How many pictures were read."""

    def stop(self) -> None:
        """End it."""


ABANDONED: Final = 3600.0
"""Seconds after which a table that takes no more frames is given up."""
Make = Callable[[Staged, Source], TableUnderTest]
"""Sets a table up for a film's game, rules and seats, in front of a source."""
Hand = tuple[tuple[str, str], ...]
"""Each card's label (empty where unknown) and how it lies: up, down or unsure."""


@dataclass(frozen=True)
class Moment:
    """What was shown from `at` (seconds of the film) on."""

    at: float
    round: int
    hands: Mapping[tuple[int, int], Hand]
    warned: bool
    """Whether anything was said to be wrong."""


@dataclass
class Watched:
    """All that was noted of one film."""

    moments: list[Moment] = field(default_factory=list)
    results: tuple[RoundResult, ...] = ()
    refused: list[str] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)
    frames: int = 0
    dropped: int = 0
    late: int = 0
    reads: int = 0
    busy: float = 0.0
    """Share of one core that the table's own process took while the round was played."""
    idle: float = 0.0
    """The same while nothing moved."""
    memory: list[float] = field(default_factory=list)
    """MB that the process held, every `SAMPLED_S` seconds of a film in real time."""


def shot_of(staged: Staged, conditions: Conditions, idle: float) -> Shot:
    """The film with so many seconds of rest at its end."""
    script = replace(staged.script, least=staged.script.length + SETTLING + idle)
    return Shot(script, staged.seed, replace(conditions, house_hands=staged.house_hands))


def watch(staged: Staged, shot: Shot, make: Make) -> Watched:
    """Play the film to a table in real time. Raises `RuntimeError` where the film cannot be set up, or breaks off."""
    camera = FilmCamera(shot)
    try:
        camera.ready()
        source = FilmSource(camera)
        table = make(staged, source)
        try:
            return _watched(staged, shot, camera, source, table)
        finally:
            table.stop()
    finally:
        camera.close()


def _watched(staged: Staged, shot: Shot, camera: FilmCamera, source: FilmSource, table: TableUnderTest) -> Watched:
    out = Watched()
    began = camera.begin()

    table.start(lambda: _note(out, table, time.monotonic() - began))
    ends = staged.script.length
    busy, sampler = _Meter(), _Sampler(out.memory)
    for at, operation in sorted((told for it in staged.rounds for told in it.told), key=lambda told: told[0]):
        sampler.sleep_until(began + at)
        camera.check()
        refused = table.tell(operation)
        if refused:
            out.refused.append(refused)
    sampler.sleep_until(began + ends)
    out.busy = busy.share()
    sampler.sleep_until(began + ends + SETTLING)
    idle = _Meter()
    sampler.sleep_until(began + shot.script.length - 0.2)
    out.idle = idle.share()
    camera.check()
    status = source.status()
    out.frames, out.dropped, out.late, out.ages = status.frames, status.dropped, camera.late, source.ages
    out.results, out.reads = kept(out.results, table.results()), table.reads()
    return out


def watch_patiently(staged: Staged, shot: Shot, make: Make, ledger: Ledger | None = None) -> Watched:
    """The same where the film waits for the table: its delays are those of a machine with nothing else to do.

    With a `ledger` they are those of what is charged to it, the same on every machine.
    """
    out = Watched()

    def saying(operation: Mapping[str, Any]) -> Callable[[], None]:
        def say() -> None:
            refused = table.tell(operation)
            if refused:
                out.refused.append(refused)

        return say

    told = sorted((told for it in staged.rounds for told in it.told), key=lambda told: told[0])
    source = PatientSource(shot, [(at, saying(operation)) for at, operation in told], ledger)

    def published() -> None:
        if ledger is not None:
            ledger.charge(PUBLISHED)
        _note(out, table, source.now)

    table = make(staged, source)
    try:
        table.start(published)
        source.over.wait(ABANDONED)
        ends = staged.script.length
        out.busy, out.idle = source.share(0.0, ends), source.share(ends + SETTLING, shot.script.length)
        status = source.status()
        out.frames, out.dropped, out.ages = status.frames, status.dropped, source.ages
        out.results, out.reads = kept(out.results, table.results()), table.reads()
    finally:
        table.stop()
    return out


def _note(out: Watched, table: TableUnderTest, at: float) -> None:
    """Note what is shown, where it is something new, and the rounds that are over."""
    out.results = kept(out.results, table.results())
    number, played = table.played()
    moment = Moment(at, number, hands_of(played), warned(played))
    last = out.moments[-1] if out.moments else None
    if last is None or (last.round, last.hands, last.warned) != (moment.round, moment.hands, moment.warned):
        out.moments.append(moment)


def kept(before: Sequence[RoundResult], now: Sequence[RoundResult]) -> tuple[RoundResult, ...]:
    """All rounds that are over, as last said of each: a table itself remembers the last ones alone."""
    return tuple(({it.number: it for it in before} | {it.number: it for it in now}).values())


def hands_of(played: Played) -> dict[tuple[int, int], Hand]:
    """The hands that hold cards; what was picked up is not among them."""
    hands: dict[tuple[int, int], Hand] = {}
    for view in (*played.house, *played.hands):
        cards = tuple((card.label or "", card.lies) for card in view.cards if not card.gone)
        if cards:
            hands[view.place.seat, view.place.hand] = cards
    return hands


def warned(played: Played) -> bool:
    """Whether the table says that something is wrong, or that it is not sure of a card."""
    return bool(played.faults) or any(view.problems for view in (*played.house, *played.hands))


def memory_mb() -> float:
    """The memory that this process alone holds, MB; its most where the system does not say how much it holds now."""
    import resource

    try:
        resident, shared = (int(it) for it in Path("/proc/self/statm").read_text().split()[1:3])
        pages = resident - shared
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * resource.getpagesize() / 1e6


class _Meter:
    """The share of one core that this process takes."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def share(self) -> float:
        """Since the meter was made."""
        return (time.process_time() - self._cpu) / max(1e-6, time.perf_counter() - self._wall)


class _Sampler:
    """Sleeps, and notes every `SAMPLED_S` seconds what memory the process holds."""

    def __init__(self, memory: list[float]) -> None:
        self._memory, self._next = memory, time.monotonic() + SAMPLED_S

    def sleep_until(self, moment: float) -> None:
        """Until a moment of the monotonic clock."""
        while (now := time.monotonic()) < moment:
            time.sleep(max(0.0, min(moment, self._next) - now))
            if time.monotonic() >= self._next:
                self._memory.append(memory_mb())
                self._next += SAMPLED_S
