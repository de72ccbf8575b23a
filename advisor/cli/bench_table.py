"""``tableside bench table``: filmed rounds through the real pipeline in real time."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from advisor.cli.read import add_reader_options, load_reader
from advisor.cli.terminal import Failure, Progress, command, count

if TYPE_CHECKING:
    from advisor.cli.table_bench.judging import RoundVerdict, Verdict
    from advisor.cli.table_bench.pages import PagesSaw
    from advisor.cli.table_bench.watching import TableUnderTest, Watched
    from advisor.cli.table_films import Staged
    from datasets.rounds.film import Conditions
    from vision.sources import Source
    from vision.watch import CanRead

ROUNDS_A_FILM: Final = 2
SEATS: Final = (3, 7, 5)
"""Tables in turn, where no number of seats is asked for."""
IDLE_S: Final = 6.0
WARM_S: Final = 180.0
"""Seconds that a table has to get up to its usual memory, before growth is counted."""
BUMPED, LINED = 4, 3
"""In every so-many-th film somebody knocks the camera, or the felt has its areas printed on it; in every second one the
light changes."""
SIZES: Final = {"1080p": (1920, 1080), "720p": (1280, 720)}


def register(what: Any) -> None:
    """Add ``table`` to the benchmarks."""
    table = command(
        what,
        "table",
        "events, money and delay on filmed rounds, played in real time",
        "tableside bench table --rounds 12 --seats 7",
    )
    table.add_argument("--rounds", type=count, default=12, help="how many rounds (default 12)")
    table.add_argument("--seed", type=int, default=0, help="the first film's seed (default 0)")
    table.add_argument("--seats", type=_seats, help="seats at the table, 1 to 7 (default: 3, 7 and 5 in turn)")
    table.add_argument("--game", help="blackjack, punto-banco or pontoon (default: blackjack)", default="blackjack")
    table.add_argument("--camera", choices=("above", "players", "dealer"), default="above", help="where it hangs")
    table.add_argument("--size", choices=sorted(SIZES), default="1080p", help="of the camera's picture")
    table.add_argument("--nearness", action="store_true", help="without the felt's layout: hands are told by nearness")
    table.add_argument("--calm", action="store_true", help="a plain felt, steady light and a camera that nobody knocks")
    table.add_argument(
        "--unhurried",
        action="store_true",
        help="let the film wait for the table, and count time by the table's own work: for a machine that is busy",
    )
    table.add_argument(
        "--virtual",
        action="store_true",
        help="the same, with work counted at fixed prices: the same figures on every machine, to compare versions by",
    )
    table.add_argument(
        "--slower",
        type=_times,
        default=1.0,
        metavar="TIMES",
        help="with --virtual: as on a machine so many times slower, or so much busier (such as 3)",
    )
    table.add_argument(
        "--one-film",
        action="store_true",
        help="all rounds at one table, as on a long evening, to see whether its memory grows",
    )
    table.add_argument("--pages", type=count, default=0, help="pages that are open meanwhile (in real time only)")
    table.add_argument("--wrong", action="store_true", help="list what came out wrong")
    table.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(table, own_deck=False)
    table.set_defaults(run=run)


def _seats(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 7:
        raise argparse.ArgumentTypeError(f"{text}: a table has 1 to 7 seats")
    return int(text)


def _times(text: str) -> float:
    try:
        times = float(text)
    except ValueError:
        times = 0.0
    if not 0.1 <= times <= 20:
        raise argparse.ArgumentTypeError(f"{text}: a number of times from 0.1 to 20")
    return times


@dataclass
class Tally:
    """What all films together came to."""

    events: list[Verdict] = field(default_factory=list)
    rounds: list[RoundVerdict] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    """MB after each film."""
    pages: list[PagesSaw] = field(default_factory=list)
    """What open pages were sent, film by film."""

    def figures(self) -> dict[str, Any]:
        """Everything that was measured."""
        from advisor.cli.table_bench.judging import share

        latencies = [1000 * it.latency for it in self.events if it.latency is not None]
        ages = [1000 * age for it in self.watched for age in it.ages]
        wrong = [it for it in self.rounds if not it.right]
        memory = self.memories()
        return {
            "events": len(self.events),
            "events_right": _part(sum(it.right for it in self.events), len(self.events)),
            "rounds": len(self.rounds),
            "rounds_right": _part(len(self.rounds) - len(wrong), len(self.rounds)),
            "wrong_rounds_without_warning": sum(not it.warned for it in wrong),
            "latency_ms": {"median": round(share(latencies, 0.5)), "p95": round(share(latencies, 0.95))},
            "frame_age_ms": {"median": round(share(ages, 0.5), 1), "worst": round(max(ages, default=0.0), 1)},
            "frames": sum(it.frames for it in self.watched),
            "frames_dropped": sum(it.dropped for it in self.watched),
            "frames_late": sum(it.late for it in self.watched),
            "pictures_read": sum(it.reads for it in self.watched),
            "cores_idle": round(statistics.median(it.idle for it in self.watched), 3),
            "cores_busy": round(statistics.median(it.busy for it in self.watched), 3),
            "memory_mb": {"first": round(memory[0], 1), "last": round(memory[-1], 1), "samples": len(memory)},
            "memory_growth": round(memory[-1] / memory[0] - 1, 4),
            "told_refused": sum(len(it.refused) for it in self.watched),
            **({"pages": self._pages()} if self.pages else {}),
        }

    def memories(self) -> list[float]:
        """MB as time went by: within the only film once it is warm, where that is long enough, else film by film."""
        from advisor.cli.table_bench.watching import SAMPLED_S

        inside = [it.memory for it in self.watched][-1][int(WARM_S / SAMPLED_S) :] if len(self.watched) == 1 else []
        return inside if len(inside) > 1 else self.memory

    def _pages(self) -> dict[str, Any]:
        """How late open pages were after what was published, and whether they ended alike."""
        from advisor.cli.table_bench.judging import share

        delays = [1000 * delay for it in self.pages for delay in it.delays]
        return {
            "open": max(it.pages for it in self.pages),
            "alike": all(it.alike for it in self.pages),
            "sent": len(delays),
            "delay_ms": {"median": round(share(delays, 0.5), 1), "p95": round(share(delays, 0.95), 1)},
        }


def _part(some: int, all_: int) -> float:
    return round(some / all_, 4) if all_ else 0.0


REQUIRED: Final[tuple[tuple[str, str, str, float], ...]] = (
    ("events_right", "events right", ">=", 0.99),
    ("rounds_right", "rounds settled right", ">=", 0.98),
    ("wrong_rounds_without_warning", "wrong rounds without a warning", "<=", 0),
    ("latency_ms.median", "from rest to shown, median ms", "<=", 300),
    ("latency_ms.p95", "from rest to shown, 95 % ms", "<=", 600),
    ("frame_age_ms.worst", "oldest frame taken, ms", "<=", 250),
    ("cores_idle", "cores, idle table", "<=", 0.25),
    ("cores_busy", "cores, busy table", "<=", 1.2),
    ("memory_growth", "memory growth", "<=", 0.05),
)
"""What must be reached: the figure, its words, and the limit."""


def run(arguments: argparse.Namespace) -> int:
    """Film, watch, judge and print."""
    from advisor.cli.table_bench.judging import events, judged, settled
    from advisor.cli.table_bench.ledger import ChargedReader, Ledger
    from advisor.cli.table_bench.watching import memory_mb, shot_of, watch, watch_patiently
    from advisor.cli.table_films import GAMES

    if arguments.game not in GAMES:
        raise Failure(f"--game {arguments.game}: use one of {', '.join(GAMES)}.", 2)
    if arguments.pages and (arguments.virtual or arguments.unhurried):
        raise Failure("--pages: pages are opened in real time only; leave --virtual and --unhurried out.", 2)
    if arguments.one_film and (arguments.virtual or arguments.unhurried):
        raise Failure("--one-film: memory is watched in real time only; leave --virtual and --unhurried out.", 2)
    if arguments.slower != 1 and not arguments.virtual:
        raise Failure("--slower: only --virtual counts time by prices; say both.", 2)
    reader = load_reader(arguments, live=True)
    tally, films = Tally(), list(_films(arguments))
    progress = Progress(len(films), least=1)
    progress.draw()
    play = watch_patiently if arguments.unhurried else watch
    make = _maker(reader, arguments.nearness, arguments.pages, tally.pages)
    if arguments.virtual:
        ledger = Ledger(arguments.slower)
        play = partial(watch_patiently, ledger=ledger)
        make = _maker(ChargedReader(reader, ledger), arguments.nearness, 0, tally.pages)
    wrong: list[dict[str, Any]] = []
    for staged, conditions in films:
        try:
            watched = play(staged, shot_of(staged, conditions, IDLE_S), make)
        except (RuntimeError, OSError) as error:
            raise Failure(f"the film of {staged.game} {staged.seed} could not be played: {error}.") from error
        verdicts = [judged(event, watched.moments) for event in events(staged)]
        rounds = settled(staged, watched)
        tally.events += verdicts
        tally.rounds += rounds
        tally.watched.append(watched)
        tally.memory.append(memory_mb())
        wrong += _wrong(staged, verdicts, rounds, watched)
        progress.step()
    progress.clear()
    figures = tally.figures()
    if _clock(arguments) != "real" or len(films) > 1:
        # Where films of different lengths follow each other in one process, what it holds says nothing of an evening.
        figures |= {"memory_growth": None, "memory_mb": None}
    required = _required(figures)
    if arguments.json:
        print(json.dumps({**figures, "clock": _clock(arguments), "required": required, "wrong": wrong}))
        return 0
    if arguments.wrong:
        for one in wrong:
            print(f"{one['film']}: {one['what']}")
    _print(figures, required)
    return 0


def _clock(arguments: argparse.Namespace) -> str:
    """What time was counted by."""
    return "virtual" if arguments.virtual else "processor" if arguments.unhurried else "real"


def _films(arguments: argparse.Namespace) -> Iterator[tuple[Staged, Conditions]]:
    from advisor.cli.table_films import stage
    from datasets.rounds.film import Conditions

    width, height = SIZES[arguments.size]
    left, number = arguments.rounds, 0
    while left > 0:
        seats = arguments.seats or SEATS[number % len(SEATS)]
        rounds = left if arguments.one_film else min(ROUNDS_A_FILM, left)
        staged = stage(arguments.game, arguments.seed + number, rounds, seats)
        shot = Conditions(width=width, height=height, camera=arguments.camera, markers=not arguments.nearness)
        if not arguments.calm:
            bump = staged.rounds[0].decided * 0.6 if number % BUMPED == BUMPED - 1 else None
            light: Literal["steady", "changing"] = "changing" if number % 2 else "steady"
            shot = replace(shot, light=light, bump=bump, lines=number % LINED == LINED - 1)
        yield staged, shot
        left, number = left - rounds, number + 1


def _maker(reader: CanRead, nearness: bool, pages: int, saw: list[PagesSaw]) -> Any:
    """What sets a table up for a film; what its open pages were sent is added to `saw`."""

    def make(staged: Staged, source: Source) -> TableUnderTest:
        return LiveUnderTest(staged, source, reader, nearness, pages, saw)

    return make


class LiveUnderTest:
    """The service's own running table, as the benchmark asks for it."""

    def __init__(
        self,
        staged: Staged,
        source: Source,
        reader: CanRead,
        nearness: bool,
        pages: int = 0,
        saw: list[PagesSaw] | None = None,
    ) -> None:
        from advisor.cli.table_bench.pages import OpenPages
        from advisor.service.live import LiveTable
        from advisor.service.table_log import MemoryLog
        from advisor.table import begin
        from datasets.rounds.spots import layout_for

        layout = "" if nearness else layout_for(staged.script.seats).name
        state = begin(staged.game, staged.rules, staged.rules_name, layout, staged.script.seats)
        self._table = LiveTable(source, reader, MemoryLog(state))
        self._pages = OpenPages(self._table, pages) if pages else None
        self._saw = saw if saw is not None else []

    def start(self, published: Any) -> None:
        """As `TableUnderTest.start`."""
        if self._pages is not None:
            return self._pages.start(published)
        self._table.on_change = published
        self._table.start()

    def tell(self, operation: Mapping[str, Any]) -> str:
        """As `TableUnderTest.tell`."""
        from advisor.table import ChangeError, read_change

        change = {"op": "shuffled"} if operation == {"op": "shuffled"} else {"op": "tell", "operation": dict(operation)}
        try:
            self._table.change(read_change(change))
        except ChangeError as error:
            return f"{operation}: {error}"
        return ""

    def played(self) -> Any:
        """As `TableUnderTest.played`."""
        return self._table.table.round, self._table.played()

    def results(self) -> Any:
        """As `TableUnderTest.results`."""
        return self._table.table.results

    def reads(self) -> int:
        """As `TableUnderTest.reads`."""
        return self._table.pictures_read

    def stop(self) -> None:
        """As `TableUnderTest.stop`."""
        if self._pages is not None:
            self._saw.append(self._pages.stop())
        else:
            self._table.stop()


def _wrong(
    staged: Staged, verdicts: list[Verdict], rounds: tuple[RoundVerdict, ...], watched: Watched
) -> list[dict[str, Any]]:
    film = f"{staged.game} {staged.seed} ({staged.script.seats} seats)"
    found = []
    for verdict in verdicts:
        if not verdict.right:
            rest = verdict.event.rest
            where = f"hand {rest.hand} of {f'seat {rest.seat}' if rest.seat else 'the house'}"
            card = f"the {rest.label}{'' if rest.up else ', face down,'} {verdict.event.kind}"
            said = f"{rest.start:.1f} s: {card} at {where}"
            there = ", ".join(f"{label or 'a card'} {lies}" for label, lies in verdict.shown) or "nothing"
            found.append({"film": film, "what": f"{said} was not shown; there: {there}"})
    for number, one in enumerate(rounds, 1):
        if not one.right:
            said = "with a warning" if one.warned else "without a warning"
            found.append({"film": film, "what": f"round {number} settled wrongly, {said}: {one.words}"})
    return found + [{"film": film, "what": f"not accepted: {it}"} for it in watched.refused]


def _required(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each requirement with what was reached and whether that is enough, but for what was not measured (None)."""
    out = []
    for name, words, way, limit in REQUIRED:
        value: Any = figures
        for part in name.split("."):
            value = value[part]
        if value is None:
            continue
        good = value >= limit if way == ">=" else value <= limit
        out.append({"figure": name, "words": words, "required": f"{way} {limit:g}", "reached": value, "met": good})
    return out


def _print(figures: Mapping[str, Any], required: list[dict[str, Any]]) -> None:
    print(f"{'':34s} {'required':>10s} {'reached':>10s}")
    for row in required:
        print(f"{row['words']:34s} {row['required']:>10s} {row['reached']:>10g}   {'' if row['met'] else 'not met'}")
    print(
        f"{figures['events']} events in {figures['rounds']} rounds; {figures['frames']} frames, "
        f"{figures['frames_dropped']} passed over, {figures['frames_late']} not filmed in time, "
        f"{figures['pictures_read']} read"
    )
    if pages := figures.get("pages"):
        print(
            f"{pages['open']} pages open: sent {pages['sent']} changes, {pages['delay_ms']['median']:g} ms after the "
            f"table in the middle, {pages['delay_ms']['p95']:g} at the 95th; at the end they show "
            f"{'the same' if pages['alike'] else 'NOT the same'}"
        )
