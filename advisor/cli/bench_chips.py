"""``tableside bench chips``: how well chips are counted and named, and how fast; what is required beside it."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.chips import add_reader_options, load_reader, worth
from advisor.cli.terminal import USAGE, Failure, Progress, coloured, command, count

if TYPE_CHECKING:
    from advisor.cli.chips_bench.tables import Takes
    from advisor.money import ChipSet
    from datasets.chips.tables import ChipTable
    from vision.chips.reader import ChipReader

PARTS = ("bets", "payouts", "strays", "single", "loose", "splashed", "racks", "speed")
BETS, PAYOUTS, STRAYS, SINGLE, LOOSE, SPLASHED, RACKS = 200, 200, 60, 100, 60, 60, 60
NEEDED = {"found": 0.95, "exact": 0.80, "within one": 0.97, "colour": 0.97}
NEEDED_BETS, NEEDED_PAYOUTS, NEEDED_LOOSE = 0.95, 0.97, 0.95
BET_RESULTS = ("exact", "unsure", "wrong", "missed")
PAYOUT_RESULTS = ("right", "right with a warning", "unsure", "wrong with a warning", "wrong")
SPOT_MS, PILE_MS = 40.0, 1500.0
SPEED_ROUNDS = 15
TRACED = ("bets", "payouts", "strays", "single", "loose", "splashed")
"""What can be rendered in light that is followed."""


def register(what: Any) -> None:
    """Add ``chips`` to the benchmarks."""
    parser = command(
        what, "chips", "counts, colours and amounts of rendered and photographed chips", "tableside bench chips"
    )
    parser.add_argument(
        "manifests",
        nargs="*",
        type=Path,
        metavar="MANIFEST",
        help="JSON that lists photographs and their stacks; without any, rendered chips are read",
    )
    parser.add_argument("--rendered", action="store_true", help="read the rendered ones besides the manifests")
    parser.add_argument(
        "--only", choices=PARTS, action="append", help="only this part of what is rendered; may be given again"
    )
    parser.add_argument("--bets", type=count, default=BETS, help=f"bets at calibrated tables (default {BETS})")
    parser.add_argument("--payouts", type=count, default=PAYOUTS, help=f"payouts there to be checked ({PAYOUTS})")
    parser.add_argument("--strays", type=count, default=STRAYS, help=f"coins, caps and lids there ({STRAYS})")
    parser.add_argument("--single", type=count, default=SINGLE, help=f"pictures of one bet and nothing else ({SINGLE})")
    parser.add_argument("--loose", type=count, default=LOOSE, help=f"pictures of loose chips ({LOOSE})")
    parser.add_argument(
        "--splashed", type=count, default=SPLASHED, help=f"pictures of chips half over each other ({SPLASHED})"
    )
    parser.add_argument("--racks", type=count, default=RACKS, help=f"pictures of racks of chips on edge ({RACKS})")
    parser.add_argument(
        "--traced",
        action="store_true",
        help="chips in light that is followed from lamp to camera (slow; needs the traced extra and LLVM)",
    )
    parser.add_argument("--own-set", action="store_true", help="teach each table's chips first (chipset enrol)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the tables' pictures there, with the truth")
    parser.add_argument("--no-speed", action="store_true", help="leave the timing out")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(parser, own_set=False)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print. Returns 0; what is required is printed beside what was reached, for people to judge."""
    rendered = arguments.only or arguments.rendered or arguments.traced or not arguments.manifests
    parts = set(arguments.only or (TRACED if arguments.traced else PARTS)) if rendered else set()
    if arguments.keep and not parts & {"bets", "payouts"}:
        raise Failure("--keep keeps the pictures of bets and payouts, and neither is measured here.", USAGE)
    if arguments.own_set and not parts & {"bets", "payouts", "strays"}:
        raise Failure("--own-set teaches the chips of tables (bets, payouts, strays), and none is measured.", USAGE)
    if arguments.traced:
        if untraced := sorted(parts - set(TRACED)):
            raise Failure(f"--traced: {', '.join(untraced)} can only be drawn, not traced.", USAGE)
        _traceable()
    reader, chipset = load_reader(arguments)
    said: dict[str, Any] = {}
    for path in arguments.manifests:
        said[str(path)] = _photographs(path, reader)
    reader.usual = chipset.colours  # what is rendered is played with
    if parts & {"bets", "payouts"}:
        bets, payouts = (getattr(arguments, part) if part in parts else 0 for part in ("bets", "payouts"))
        said |= _tables(bets, payouts, reader, chipset, arguments)
    if "strays" in parts:
        said["strays"] = _strays(arguments.strays, reader, chipset, arguments.own_set, arguments.traced)
    if "single" in parts:
        said["single"] = _single(arguments.single, reader, chipset, arguments.traced)
    if "loose" in parts:
        said["loose"] = _loose(arguments.loose, reader, chipset, arguments.traced)
    if "splashed" in parts:
        said["splashed"] = _loose(arguments.splashed, reader, chipset, arguments.traced, splashed=True)
    if "racks" in parts:
        said["racks"] = _racks(arguments.racks, reader, chipset)
    if not (arguments.no_speed or arguments.traced) and (not arguments.only or "speed" in parts):
        said["speed"] = _speed(reader, chipset)
    print(json.dumps(said) if arguments.json else "\n".join(_in_words(said)))
    return 0


def _photographs(path: Path, reader: ChipReader) -> dict[str, Any]:
    from datasets.bench import ManifestError
    from datasets.chips.bench import load_manifest, score_photographs
    from vision.pictures import PictureError

    try:
        items = load_manifest(path)
        progress = Progress(len(items))
        progress.draw()
        score = score_photographs(items, reader, progress.step)
    except (ManifestError, PictureError) as error:
        raise Failure(str(error)) from error
    progress.clear()
    return {**vars(score), "shares": {k: round(v, 4) for k, v in score.shares().items()}}


def _traceable() -> None:
    """Raises `Failure` where nothing can be traced, before anything is read."""
    from datasets.chips.traced import TracerError, tracer

    try:
        tracer()
    except TracerError as error:
        raise Failure(str(error)) from error


def _tables(
    bets: int, payouts: int, reader: ChipReader, chipset: ChipSet, arguments: argparse.Namespace
) -> dict[str, Any]:
    """Bets before the deal, and payouts of which some are wrong, on whole felts seen by a webcam."""
    from advisor.cli.chips_bench.tables import measure
    from datasets.chips.tables import photographed, traced

    progress = Progress(bets + payouts)
    progress.draw()
    takes, keep = traced if arguments.traced else photographed, arguments.keep
    try:
        teach = _teaching(reader, chipset, takes) if arguments.own_set else None
        found = measure(reader, chipset, bets, payouts, step=progress.step, keep=keep, takes=takes, teach=teach)
    except OSError as error:
        raise Failure(f"{keep}: the pictures could not be written there ({error.strerror}).") from error
    finally:
        progress.clear()
    said: dict[str, Any] = {}
    if bets:
        empty = {"empty places": found.bets.empty, "taken for bets": found.bets.phantoms}
        said["bets"] = {**found.bets.as_data(BET_RESULTS), **empty}
    if payouts:
        said["payouts"] = found.payouts.as_data(PAYOUT_RESULTS, right=2)
    return said


def _teaching(reader: ChipReader, chipset: ChipSet, takes: Takes) -> Callable[[ChipTable], ChipReader]:
    """What teaches a table's own chips."""
    from advisor.cli.chips_bench.taught import taught

    return lambda table: taught(reader, table, chipset, takes)


def _strays(number: int, reader: ChipReader, chipset: ChipSet, own_set: bool, followed: bool) -> dict[str, Any]:
    """Round things that are no chips, at places for bets."""
    from advisor.cli.chips_bench.strays import measure_strays
    from datasets.chips.strays import photographed_strays, traced_strays
    from datasets.chips.tables import photographed, traced

    progress = Progress(number)
    progress.draw()
    try:
        teach = _teaching(reader, chipset, traced if followed else photographed) if own_set else None
        takes = traced_strays if followed else photographed_strays
        return measure_strays(reader, chipset, number, step=progress.step, takes=takes, teach=teach).as_data()
    finally:
        progress.clear()


def _single(number: int, reader: ChipReader, chipset: ChipSet, followed: bool) -> dict[str, Any]:
    """A bet's amount is right, unsure, or wrong though listed as sure: the last must not be."""
    from datasets.chips.bench import rendered_bet

    tally: Counter[str] = Counter()
    wrong: list[int] = []
    progress = Progress(number)
    for k in range(number):
        scene = rendered_bet(k, chipset.colours, followed=followed)
        reading = reader.read(scene.image)
        owed = sum((chipset.value(c) for c in scene.stacks[0].order), 0)
        doubt = [s for s in reading.unsure if s.shape == "stack"]
        unknown = any(c not in chipset for s in reading.sure for c in s.order)
        right = worth(reading.sure, chipset) == owed and not doubt and not unknown
        kind = "exact" if right else "unsure" if doubt or unknown or not reading.sure else "wrong"
        tally[kind] += 1
        wrong += [k] if kind == "wrong" else []
        progress.step()
    progress.clear()
    return {"pictures": number, **{key: tally[key] for key in ("exact", "unsure", "wrong")}, "wrong numbers": wrong}


def _loose(number: int, reader: ChipReader, chipset: ChipSet, followed: bool, splashed: bool = False) -> dict[str, Any]:
    """For each colour in each picture: is the count of the chips listed exact, and that of the sure ones?"""
    from datasets.chips.bench import rendered_loose, rendered_splash

    rendered = rendered_splash if splashed else rendered_loose
    slots = exact = surely = 0
    progress = Progress(number)
    for k in range(number):
        scene = rendered(k, chipset.colours, followed=followed)
        want = Counter(c for s in scene.stacks for c in s.order)
        reading = reader.read(scene.image)
        have, sure = (Counter(c for s in stacks for c in s.order) for stacks in (reading.listed, reading.sure))
        slots += len(want)
        exact += sum(have[c] == n for c, n in want.items())
        surely += sum(sure[c] == n for c, n in want.items())
        progress.step()
    progress.clear()
    return {"pictures": number, "colour counts": slots, "exact": exact, "surely exact": surely}


def _racks(number: int, reader: ChipReader, chipset: ChipSet) -> dict[str, Any]:
    """Rows of chips on edge: is each row's number right, are all its colours, and is all of the rack?"""
    from datasets.chips.bench import RackScore, rendered_rack, tally_rack

    score = RackScore()
    progress = Progress(number)
    for k in range(number):
        scene = rendered_rack(k, chipset.colours)
        tally_rack(score, scene, reader.read(scene.image))
        progress.step()
    progress.clear()
    return vars(score)


def _speed(reader: ChipReader, chipset: ChipSet) -> dict[str, float]:
    from datasets.chips.bench import rendered_bet, rendered_pile

    spot, pile = rendered_bet(0, chipset.colours).image, rendered_pile()

    def median_ms(image: Any, rounds: int) -> float:
        spans = []
        for _ in range(rounds + 1):
            began = time.perf_counter()
            reader.read(image)
            spans.append(1000 * (time.perf_counter() - began))
        return round(statistics.median(spans[1:]), 1)

    return {"spot_ms": median_ms(spot, SPEED_ROUNDS), "pile_12mp_ms": median_ms(pile, 3)}


def _in_words(said: dict[str, Any]) -> list[str]:
    lines = []
    for name, found in said.items():
        if name == "bets":
            lines.append(f"{found['spots']} bets of 1 to 20 chips in up to three colours, on calibrated 1080p tables:")
            lines.append(_line("amount exact", found["share"], NEEDED_BETS))
            wrong = found["wrong"] + found["missed"]
            lines.append(
                f"  unsure {found['unsure']} ({found['likely right']} are what they most likely are), wrong without a "
                f"warning {wrong}, of those {found['missed']} not seen at all (required: 0)"
            )
            lines.append(f"  of {found['empty places']} empty places {found['taken for bets']} taken for bets")
            lines += _in_detail(found, BET_RESULTS)
        elif name == "payouts":
            lines.append(f"{found['spots']} payouts and other settlements there, about half of them wrong:")
            lines.append(_line("verdict right", found["share"], NEEDED_PAYOUTS))
            lines.append(
                f"  of these with a warning {found['right with a warning']}; unsure {found['unsure']}, "
                f"wrong with a warning {found['wrong with a warning']}, without {found['wrong']} (required: 0)"
            )
            lines += _in_detail(found, PAYOUT_RESULTS)
        elif name == "strays":
            lines.append(
                f"{found['things']} coins, caps and lids where bets are laid there: taken for a bet "
                f"{found['taken for bets']} (required: 0), unsure {found['unsure']}, nothing {found['nothing']}"
            )
            lines += [coloured(f"    {it}", "red") for it in found["wrong ones"]]
        elif name == "single":
            lines.append(f"{found['pictures']} pictures of one bet and nothing else:")
            lines.append(_line("amount exact", found["exact"] / found["pictures"], NEEDED_BETS))
            lines.append(f"  unsure {found['unsure']}, wrong without a warning {found['wrong']} (required: 0)")
        elif name in ("loose", "splashed"):
            lie = "loose chips" if name == "loose" else "chips half over each other"
            lines.append(f"{found['pictures']} rendered pictures of {lie}:")
            lines.append(_line("colour counts exact", found["exact"] / max(found["colour counts"], 1), NEEDED_LOOSE))
            lines.append(f"  of sure chips alone {found['surely exact']} of {found['colour counts']}")
        elif name == "racks":
            lines.append(f"{found['racks']} rendered pictures of racks, {found['rows']} rows of 1 to 20 chips on edge:")
            lines.append(
                f"  counted exactly {found['counted'] / max(found['rows'], 1):.1%}, listed {found['found']}, "
                f"right in every colour {found['right']}; listed where none lies {found['extra']}"
            )
            lines.append(f"  sure {found['sure']}, of those wrong {found['wrong']} (required: 0)")
            lines.append(f"  whole racks right {found['totals']}, surely {found['surely']}")
        elif name == "speed":
            lines.append(f"one spot {found['spot_ms']} ms (required: {SPOT_MS:.0f} or less)")
            lines.append(f"12-megapixel pile {found['pile_12mp_ms']} ms (required: {PILE_MS:.0f} or less)")
        else:
            lines.append(f"{name}: {found['stacks']} stacks")
            lines += [_line(what, found["shares"][what], least) for what, least in NEEDED.items()]
            lines.append(
                f"  sure {found['sure']}, of those miscounted {found['wrong']}; not listed {found['unsure']}; "
                f"extra {found['extra']}"
            )
    return lines


def _in_detail(found: dict[str, Any], results: tuple[str, ...]) -> list[str]:
    """The time, a line for each kind, and what was wrong."""
    lines = [f"  one place {found['ms_per_spot']} ms (median)"]
    for kind, counts in found["by_kind"].items():
        lines.append(f"    {kind:16s} {', '.join(f'{name} {counts[name]}' for name in results if counts[name])}")
    return [*lines, *(coloured(f"    {it}", "red") for it in found["wrong ones"])]


def _line(what: str, share: float, least: float) -> str:
    text = f"  {what:20s} {share:6.1%}  (required: {least:.0%} or more)"
    return coloured(text, "green" if share >= least else "red")
