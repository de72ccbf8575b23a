"""Goes from table to table: lays the chips, has the pictures taken, read and judged, and keeps them where asked to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import cv2

from advisor.cli.chips_bench.judging import Measured, judge_bets, judge_payouts
from advisor.cli.chips_bench.settlements import SettledSpot, settled_table
from advisor.money import ChipSet, format_amount
from datasets.chips.bench import laid_bets
from datasets.chips.tables import ChipTable, Laid, TablePicture, chip_table, photographed
from vision.chips.spots import ReadsChips

Takes = Callable[[ChipTable, Sequence[Laid], int], TablePicture]
"""Takes a table's picture: `photographed`, or a stand-in."""


@dataclass
class Tables:
    """What came of the bets and of the payouts."""

    bets: Measured = field(default_factory=Measured)
    payouts: Measured = field(default_factory=Measured)


def measure(
    reader: ReadsChips,
    chipset: ChipSet,
    bets: int,
    payouts: int,
    *,
    step: Callable[[], None] = lambda: None,
    keep: Path | None = None,
    takes: Takes = photographed,
    teach: Callable[[ChipTable], ReadsChips] | None = None,
) -> Tables:
    """Judge so many ``bets`` and ``payouts`` at the tables from number 0 on; the same numbers every time.

    ``teach`` gives the reader for one table's own chips, in place of ``reader``. ``step`` is called after each.
    ``keep`` is a folder for the pictures, each with its truth beside it. Raises `OSError` where they cannot be written.
    """
    done = Tables()
    for number in count():
        table = chip_table(number)
        reads = reader if teach is None else teach(table)
        before = done.bets.spots + done.payouts.spots
        if done.bets.spots < bets:
            laid = laid_bets(table, chipset.colours)
            picture = takes(table, [stack for _, stack in laid], 0)
            if keep is not None:
                _keep(keep, f"bets-{number:04d}", table, picture, [], chipset)
            judge_bets(done.bets, table, laid, picture.image, reads, chipset, bets)
        if done.payouts.spots < payouts:
            table, spots = settled_table(table, chipset)
            lay = takes(table, [stack for spot in spots for stack in spot.before], 1)
            lies = takes(table, [stack for spot in spots for stack in spot.after], 2)
            if keep is not None:
                _keep(keep, f"payouts-{number:04d}-before", table, lay, [], chipset)
                _keep(keep, f"payouts-{number:04d}-after", table, lies, spots, chipset)
            judge_payouts(done.payouts, table, spots, lay.image, lies.image, reads, chipset, payouts)
        for _ in range(done.bets.spots + done.payouts.spots - before):
            step()
        if done.bets.spots >= bets and done.payouts.spots >= payouts:
            return done
    raise AssertionError("tables never run out")


def _keep(
    folder: Path,
    name: str,
    table: ChipTable,
    picture: TablePicture,
    spots: Iterable[SettledSpot],
    chipset: ChipSet,
) -> None:
    """Write a picture and what is true of it, amounts as exact text."""
    folder.mkdir(parents=True, exist_ok=True)
    _, data = cv2.imencode(".png", picture.image)
    (folder / f"{name}.png").write_bytes(data.tobytes())
    truth = {
        "layout": table.layout.name,
        "calibration": json.loads(table.calibration.to_json()),
        "stacks": [
            {
                "at_mm": [round(v, 1) for v in it.laid.at],
                "box": [round(v, 1) for v in it.box],
                "order": list(it.laid.order),
                "worth": format_amount(sum(chipset.value(colour) for colour in it.laid.order)),
                "visible": round(it.visible, 3),
            }
            for it in picture.stacks
        ],
        "spots": [_spot(spot) for spot in spots],
    }
    (folder / f"{name}.json").write_text(json.dumps(truth, indent=1), encoding="utf-8")


def _spot(spot: SettledSpot) -> dict[str, Any]:
    return {
        "place": spot.zone.name,
        "outcome": ",".join(it.name for it in spot.ended),
        "dealer": spot.deed,
        "bet": format_amount(spot.bet),
        "should_lie": format_amount(spot.expected),
        "lies": format_amount(spot.lies),
        "verdict": str(spot.verdict),
        "by": format_amount(spot.difference),
    }
