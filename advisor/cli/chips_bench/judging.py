"""What the live table and ``payout verify`` say of the chips at a table's places, against what truly lies there."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from advisor.cli.chips_bench.settlements import RULES, SettledSpot
from advisor.money import ChipSet, Verdict, format_amount, likely_worth, sweep_bet, verify_spot
from advisor.table.spots_seen import both_read, both_seen, place_seen
from datasets.chips.tables import ChipTable, Laid
from vision.chips.covered import Look
from vision.chips.crops import Image
from vision.chips.spots import ReadsChips, SpotReading, chip_zones, read_spots
from vision.felt import Zone

BetResult = Literal["exact", "unsure", "wrong", "missed"]
"""Missed is wrong without a warning too: nothing at all was seen where a bet lies."""
PayoutResult = Literal["right", "right with a warning", "unsure", "wrong with a warning", "wrong"]
"""With a warning: not every chip was read surely, so that the verdict is said to be no more than likely."""
_LISTED: Final = 20


@dataclass
class Measured:
    """What came of some hundred spots, and how long reading one took."""

    results: Counter[str] = field(default_factory=Counter)
    by_kind: dict[str, Counter[str]] = field(default_factory=dict)
    """The same for each felt, or for each thing that a dealer may do."""
    wrong: list[str] = field(default_factory=list)
    """What was said wrongly without a warning: enough to make the picture again."""
    spans: list[float] = field(default_factory=list)
    """Milliseconds, each for one place in one picture."""
    pictures: int = 0
    empty: int = 0
    """Places without chips that were read too."""
    phantoms: int = 0
    """Those of them at which chips were surely seen."""
    likely: int = 0
    """Bets of which nothing sure was said, but which are worth what they most likely are."""

    @property
    def spots(self) -> int:
        """How many were judged."""
        return self.results.total()

    def add(self, result: str, kind: str) -> None:
        """One more spot."""
        self.results[result] += 1
        self.by_kind.setdefault(kind, Counter())[result] += 1

    def as_data(self, names: Sequence[str], right: int = 1) -> dict[str, Any]:
        """As JSON: counts of the results in ``names``, the first ``right`` of them also as a share of all."""
        return {
            "spots": self.spots,
            "pictures": self.pictures,
            **{name: self.results[name] for name in names},
            "share": round(sum(self.results[name] for name in names[:right]) / max(self.spots, 1), 4),
            "likely right": self.likely,
            "ms_per_spot": round(statistics.median(self.spans), 1) if self.spans else None,
            "by_kind": {kind: {n: results[n] for n in names} for kind, results in sorted(self.by_kind.items())},
            "wrong ones": self.wrong[:_LISTED],
        }


def judge_bets(
    measured: Measured,
    table: ChipTable,
    bets: Sequence[tuple[Zone, Laid]],
    image: Image,
    reader: ReadsChips,
    chipset: ChipSet,
    most: int,
) -> None:
    """Read every place of the table before the deal, as the live table does, until ``most`` bets are judged."""
    measured.pictures += 1
    laid = {zone.name: stack for zone, stack in bets}
    for reading in _read(measured, table, image, reader, chip_zones(table.layout)):
        if measured.spots == most:
            return
        zone = reading.zone
        seen = place_seen(zone.name, reading)
        swept = sweep_bet(seen, RULES, chipset)
        stack = laid.get(zone.name)
        if stack is None:
            measured.empty += 1
            measured.phantoms += bool(swept.amount)
            continue
        truth = sum(chipset.value(colour) for colour in stack.order)
        result: BetResult = "wrong"
        if swept.amount is None:
            result = "unsure"
            probably = likely_worth(seen, chipset)
            measured.likely += probably is not None and probably[0] == truth
        elif swept.amount == truth:
            result = "exact"
        elif not swept.amount:
            result = "missed"
        measured.add(result, table.layout.name)
        if result in ("wrong", "missed"):
            said = format_amount(swept.amount) if swept.amount else "nothing"
            measured.wrong.append(f"table {table.number}, {zone.name}: {said}, not {format_amount(truth)}")


def judge_payouts(
    measured: Measured,
    table: ChipTable,
    spots: Sequence[SettledSpot],
    before: Image,
    after: Image,
    reader: ReadsChips,
    chipset: ChipSet,
    most: int,
) -> None:
    """Check every spot as ``payout verify`` does, until ``most`` are judged."""
    measured.pictures += 2
    for spot in spots:
        if measured.spots == most:
            return
        looks = [
            Look(image, table.calibration, _read(measured, table, image, reader, [spot.zone])[0])
            for image in (before, after)
        ]
        lay, lies = both_seen(spot.zone.name, both_read(*looks))
        said = verify_spot(lay, lies, spot.ended, RULES, chipset)
        result: PayoutResult = "wrong with a warning" if said.notices else "wrong"
        if said.verdict is Verdict.UNSURE:
            result = "unsure"
        elif (said.verdict, said.difference) == (spot.verdict, spot.difference):
            result = "right" if said.chance is None else "right with a warning"
        measured.add(result, spot.deed)
        if result == "wrong":
            truth = f"{spot.verdict} by {format_amount(spot.difference)}"
            measured.wrong.append(f"table {table.number}, {spot.deed} ({truth}): {said.words[0]}")


def _read(
    measured: Measured, table: ChipTable, image: Image, reader: ReadsChips, zones: Sequence[Zone]
) -> tuple[SpotReading, ...]:
    began = time.perf_counter()
    readings = read_spots(image, reader, table.layout, table.calibration, zones)
    measured.spans += [1000 * (time.perf_counter() - began) / max(len(zones), 1)] * len(zones)
    return readings
