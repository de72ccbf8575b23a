"""Settled tables tell the truth of themselves, and whoever reads their chips right is told right verdicts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import hypot
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.cli import main
from advisor.cli.chips_bench.judging import Measured, judge_payouts
from advisor.cli.chips_bench.settlements import _DEEDS, _ENDINGS, _INSURANCE, SettledSpot, settled_table
from advisor.cli.chips_bench.strays import Strays
from advisor.cli.chips_bench.tables import measure
from advisor.money import DEFAULT_CHIPS, Verdict
from datasets.chips import strays, traced
from datasets.chips import tables as chip_tables
from datasets.chips.scene import Plan
from datasets.chips.strays import traced_strays
from datasets.chips.styles import EDGE_STEPS, FACE, Look
from datasets.chips.tables import HEIGHT, WIDTH, ChipTable, Laid, SeenLaid, TablePicture, box_of, chip_table
from datasets.chips.traced import TracerError
from vision.chips.crops import Image
from vision.chips.reader import ChipReader
from vision.chips.values import ChipReading, ChipStack
from vision.felt import Zone

pytestmark = pytest.mark.slow

ENOUGH = 10_000
TABLES = range(40)
LEAVES: dict[str, Fraction | int] = {
    **{"win": 2, "blackjack": Fraction(5, 2), "lose": 0, "push": 1, "surrender": Fraction(1, 2), "colour-up": 1},
    **{"double-win": 2, "double-lose": 0, "double-push": 1, "win,win": 2, "win,lose": 1, "push,lose": Fraction(1, 2)},
    **{"insurance": 3, "insurance-lose": 0},
}
"""What should lie there after, for one that lay there before: rules/blackjack.md, worked out by hand."""


PAINTED = 192
"""From this red on a pixel shows chips."""


def _painted(image: Image, seen: SeenLaid) -> None:
    """The stack's box in patches that no other stack has, nor this one with other chips."""
    x0, y0, x1, y1 = (max(0, round(v)) for v in seen.box)
    rng = np.random.default_rng([seen.laid.number, *(ord(colour[0]) for colour in seen.laid.order)])
    few = rng.integers(0, 256, ((y1 - y0) // 6 + 1, (x1 - x0) // 6 + 1, 3))
    few[..., 2] = PAINTED + few[..., 2] % (256 - PAINTED)
    patches = few.repeat(6, axis=0).repeat(6, axis=1)[: y1 - y0, : x1 - x0]
    high, wide = image[y0:y1, x0:x1].shape[:2]
    image[y0:y1, x0:x1] = patches[:high, :wide]


class Foreseeing:
    """Reads each stack as it was laid down, unless told to err.

    Every pixel of its pictures that shows no chips holds where it lies and of which look it is, so that a part of one
    tells its place.
    ``says`` may change what is said of a stack, by its look and number.
    """

    def __init__(self) -> None:
        x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
        self._looks = [np.dstack([x & 255, y & 255, x >> 8 | y >> 8 << 3 | k << 6]).astype(np.uint8) for k in range(3)]
        self._laid: dict[int, tuple[SeenLaid, ...]] = {}
        self.says: dict[tuple[int, int], tuple[tuple[str, ...], str]] = {}

    def takes(self, table: ChipTable, stacks: Sequence[Laid], look: int) -> TablePicture:
        """What `photographed` would, in no time."""
        self._laid[look] = tuple(SeenLaid(it, box_of(table, it), 1.0) for it in stacks)
        image = self._looks[look].copy()
        for it in self._laid[look]:
            _painted(image, it)
        return TablePicture(image, self._laid[look])

    def read(self, image: Image, /, ground: object = None) -> ChipReading:
        high, wide = image.shape[:2]
        down, across = (int(v) for v in np.argwhere(image[..., 2] < PAINTED)[0])
        b, g, r = (int(v) for v in image[down, across])
        left, top, look = (b | (r & 7) << 8) - across, (g | (r >> 3 & 7) << 8) - down, r >> 6
        found = []
        for it in self._laid[look]:
            x0, y0, x1, y1 = it.box[0] - left, it.box[1] - top, it.box[2] - left, it.box[3] - top
            seen = max(x0, 0.0), max(y0, 0.0), min(x1, float(wide)), min(y1, float(high))
            if seen[0] >= seen[2] or seen[1] >= seen[3]:
                continue
            order, doubt = self.says.get((look, it.laid.number), (it.laid.order, ""))
            cut = "" if seen == (x0, y0, x1, y1) else "cut off by the picture's frame"
            found.append(ChipStack(seen, order, 0.9, doubt or cut))
        return ChipReading(wide, high, tuple(found))


@pytest.fixture(scope="module", autouse=True)
def plain_chips() -> Iterator[None]:
    """No chip is drawn here: where they stand is enough."""
    plain = Look("plain", np.zeros((FACE, FACE, 3), np.float32), np.zeros((8, EDGE_STEPS, 3), np.float32))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("datasets.chips.styles._drawn", lambda *_: plain)
        yield


def worth(stacks: Sequence[Laid]) -> Fraction:
    return sum((DEFAULT_CHIPS.value(colour) for it in stacks for colour in it.order), Fraction(0))


def outcome(spot: SettledSpot) -> str:
    return ",".join(it.name for it in spot.ended)


Settled = list[tuple[ChipTable, tuple[SettledSpot, ...]]]


@pytest.fixture(scope="module")
def settled() -> Settled:
    return [settled_table(chip_table(number), DEFAULT_CHIPS) for number in TABLES]


def test_the_truth_adds_up_chip_by_chip(settled: Settled) -> None:
    for _, spots in settled:
        for spot in spots:
            assert worth(spot.before) == spot.bet
            assert worth(spot.after) == spot.lies
            assert spot.expected == spot.bet * LEAVES[outcome(spot)]
            assert (spot.verdict is Verdict.CORRECT) == (spot.lies == spot.expected) == (spot.difference == 0)
            if spot.deed in ("right", "coloured up"):
                assert spot.verdict is Verdict.CORRECT
            if spot.deed in ("short", "over", "touched"):
                assert spot.verdict is not Verdict.CORRECT


def test_every_outcome_and_everything_that_a_dealer_may_do_comes_and_about_half_is_right(settled: Settled) -> None:
    spots = [spot for _, found in settled for spot in found]
    assert {outcome(spot) for spot in spots} == {*_ENDINGS, *_INSURANCE} == set(LEAVES)
    assert {spot.deed for spot in spots} == {"right", *(deed for deeds in _DEEDS.values() for deed in deeds)}
    right = sum(spot.verdict is Verdict.CORRECT for spot in spots)
    assert 0.4 < right / len(spots) < 0.7
    assert {len({colour for it in spot.before for colour in it.order}) for spot in spots} == {1, 2, 3}


def test_payouts_stand_beside_the_bet_with_the_highest_chips_at_the_bottom(settled: Settled) -> None:
    for table, spots in settled:
        for spot in spots:
            lay = {it.number: it for it in spot.before}
            for it in spot.after:
                assert 1 <= len(it.order) <= 21
                if it.number in lay:
                    assert it.at == lay[it.number].at
                else:
                    values = [DEFAULT_CHIPS.value(colour) for colour in it.order]
                    assert values == sorted(values, reverse=True)
        for stacks in ([it for s in spots for it in s.before], [it for s in spots for it in s.after]):
            for k, one in enumerate(stacks):
                assert cv2.pointPolygonTest(table.layout.felt.outline, one.at, True) >= table.family.radius
                for other in stacks[:k]:
                    assert hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) >= 2 * table.family.radius
                x0, y0, x1, y1 = box_of(table, one)
                assert x0 > 0 and y0 > 0 and x1 < WIDTH and y1 < HEIGHT


def test_the_same_table_is_settled_the_same_every_time(settled: Settled) -> None:
    assert all(settled_table(chip_table(k), DEFAULT_CHIPS)[1] == settled[k][1] for k in TABLES[:5])


def test_a_reader_without_a_fault_gets_every_bet_and_every_verdict_right() -> None:
    reader, told = Foreseeing(), []
    done = measure(reader, DEFAULT_CHIPS, 50, 120, step=lambda: told.append(1), takes=reader.takes)
    assert done.bets.results == Counter(exact=50) and done.payouts.results == Counter(right=120)
    assert done.bets.phantoms == 0 < done.bets.empty and done.bets.wrong == done.payouts.wrong == []
    assert len(told) == 170 and len(done.payouts.spans) == 240
    assert done.payouts.as_data(("right", "unsure"))["share"] == 1.0


@pytest.fixture(scope="module")
def foreseeing() -> Foreseeing:
    return Foreseeing()


@settings(max_examples=40, deadline=None)
@given(data=st.data(), number=st.sampled_from(TABLES), sure=st.booleans())
def test_a_wrong_verdict_comes_only_from_chips_that_were_said_surely_and_wrongly(
    data: st.DataObject, number: int, sure: bool, foreseeing: Foreseeing, settled: Settled
) -> None:
    """What holds for one chip too few or too many in one stack of one picture.

    Where the reader says that it is not sure of that stack, no verdict is given on that spot. Where it says that it is
    sure, the verdict is unsure, or it is the right one for the chips as read (with a warning where a stack that stayed
    was read differently); all other spots are judged right.
    """
    table, spots = settled[number]
    hit = data.draw(st.sampled_from(spots))
    look, stack = data.draw(
        st.sampled_from([*((1, it) for it in hit.before), *((2, it) for it in hit.after)]), label="miscounted"
    )
    read = (*stack.order, stack.order[-1]) if data.draw(st.booleans(), label="over") else stack.order[:-1]
    doubt = "" if sure else "its chips could not be counted surely"
    if not read:
        read, doubt = stack.order, doubt or "too faint to be sure that chips are there"
    before = foreseeing.takes(table, [it for spot in spots for it in spot.before], 1)
    after = foreseeing.takes(table, [it for spot in spots for it in spot.after], 2)
    foreseeing.says = {(look, stack.number): (read, doubt)}
    for spot in spots:
        found, truth = Measured(), spot
        if spot is hit and not doubt:
            lay, lies = (
                worth([replace(it, order=read) if (k, it.number) == (look, stack.number) else it for it in stacks])
                for k, stacks in ((1, spot.before), (2, spot.after))
            )
            truth = replace(spot, bet=lay, expected=lay * LEAVES[outcome(spot)], lies=lies)
        judge_payouts(found, table, [truth], before.image, after.image, foreseeing, DEFAULT_CHIPS, ENOUGH)
        (result,) = found.results
        if spot is not hit:
            assert result == "right"
        elif doubt:
            assert result == "unsure"
        else:
            assert result in ("right", "right with a warning", "unsure"), found.wrong


def test_a_bet_that_is_overlooked_counts_as_wrong_and_chips_from_nowhere_are_counted() -> None:
    reader = Foreseeing()

    def blind(table: ChipTable, stacks: Sequence[Laid], look: int) -> TablePicture:
        return reader.takes(table, stacks[1:], look)

    found = measure(reader, DEFAULT_CHIPS, 20, 1, takes=blind).bets
    assert 0 < found.results["missed"] == len(found.wrong) and "nothing, not" in found.wrong[0]
    assert found.results["missed"] + found.results["exact"] == 20

    def crowded(table: ChipTable, stacks: Sequence[Laid], look: int) -> TablePicture:
        zones = [zone for zone in table.layout.zones if zone.kind in ("seat-bet", "insurance")]
        return reader.takes(table, [Laid(k, zone.shape.centre, ("red",)) for k, zone in enumerate(zones)], look)

    found = measure(reader, DEFAULT_CHIPS, 20, 1, takes=crowded).bets
    assert found.phantoms == found.empty > 0


def laid_as_chips(reader: Foreseeing, table: ChipTable, things: Sequence[tuple[Zone, Plan]]) -> Image:
    """A picture in which the first thing is taken for a chip, the second for something round, the others for none."""
    reader.says[0, 1] = (), "round, but no chip that is known"
    return reader.takes(
        table, [Laid(k, zone.shape.centre, ("red",)) for k, (zone, _) in enumerate(things[:2])], 0
    ).image


def bench(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    reader = Foreseeing()
    monkeypatch.setattr(ChipReader, "load", classmethod(lambda cls, *_, **__: reader))
    monkeypatch.setattr(chip_tables, "photographed", reader.takes)
    monkeypatch.setattr(strays, "photographed_strays", partial(laid_as_chips, reader))
    return main(["bench", "chips", *words])


def test_the_command_measures_only_what_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(monkeypatch, "--only", "payouts", "--payouts", "9", "--json") == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert set(said) == {"payouts"}
    payouts = said["payouts"]
    assert (payouts["spots"], payouts["right"], payouts["unsure"], payouts["wrong"]) == (9, 9, 0, 0)
    assert payouts["share"] == 1.0 and payouts["ms_per_spot"] > 0 and payouts["pictures"] % 2 == 0
    assert sum(kind["right"] for kind in payouts["by_kind"].values()) == 9


def test_people_get_the_figures_beside_what_is_required(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(monkeypatch, "--only", "payouts", "--only", "bets", "--payouts", "3", "--bets", "4") == 0
    out = capsys.readouterr().out
    assert "4 bets of 1 to 20 chips" in out and "3 payouts" in out
    assert "verdict right        100.0%  (required: 97% or more)" in out
    assert "amount exact         100.0%  (required: 95% or more)" in out
    assert "wrong without a warning 0" in out and "ms (median)" in out


def test_what_is_no_chip_counts_as_a_bet_a_doubt_or_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(monkeypatch, "--only", "strays", "--strays", "8", "--json") == 0
    found = json.loads(capsys.readouterr().out)["strays"]
    assert found["things"] == 8 == found["taken for bets"] + found["unsure"] + found["nothing"]
    assert len(found["wrong ones"]) == found["taken for bets"] > 0 and found["unsure"] > 0 and found["nothing"] > 0
    assert found["wrong ones"][0].startswith("table 0, ") and "mm wide" in found["wrong ones"][0]
    assert bench(monkeypatch, "--only", "strays", "--strays", "3") == 0
    assert "3 coins, caps and lids where bets are laid there: taken for a bet" in capsys.readouterr().out


def test_pictures_are_kept_with_their_truth(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    assert bench(monkeypatch, "--only", "payouts", "--payouts", "1", "--keep", str(keep), "--json") == 0
    assert sorted(path.name for path in keep.iterdir()) == [
        f"payouts-0000-{when}.{kind}" for when in ("after", "before") for kind in ("json", "png")
    ]
    table, spots = settled_table(chip_table(0), DEFAULT_CHIPS)
    truth = json.loads((keep / "payouts-0000-after.json").read_text())
    assert truth["layout"] == table.layout.name
    assert [it["verdict"] for it in truth["spots"]] == [str(spot.verdict) for spot in spots]
    assert sum(Fraction(it["worth"]) for it in truth["stacks"]) == sum(spot.lies for spot in spots)


def test_a_folder_that_cannot_be_written_gets_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert bench(monkeypatch, "--only", "bets", "--bets", "1", "--keep", str(tmp_path / "file")) == 1
    assert "could not be written there" in capsys.readouterr().err
    assert bench(monkeypatch, "--only", "loose", "--keep", str(tmp_path)) == 2
    assert "neither is measured here" in capsys.readouterr().err


def test_what_is_no_chip_is_traced_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken: list[object] = []

    def measured(*_: object, takes: object, **__: object) -> Strays:
        taken.append(takes)
        return Strays()

    monkeypatch.setattr(traced, "tracer", lambda: None)
    monkeypatch.setattr("advisor.cli.chips_bench.strays.measure_strays", measured)
    for words in (("--traced",), ()):
        assert bench(monkeypatch, *words, "--only", "strays", "--json") == 0
    assert taken == [traced_strays, strays.photographed_strays]
    assert json.loads(capsys.readouterr().out.split("\n", 1)[1])["strays"]["things"] == 0


def test_what_can_only_be_drawn_cannot_be_traced(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "chips", "--traced", "--only", "racks", "--only", "bets"]) == 2
    assert "racks can only be drawn, not traced" in capsys.readouterr().err


def test_without_the_tracer_the_command_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks() -> None:
        raise TracerError("it is not here: install it")

    monkeypatch.setattr(traced, "tracer", lacks)
    assert main(["bench", "chips", "--traced", "--only", "loose", "--loose", "1"]) == 1
    assert "it is not here: install it" in capsys.readouterr().err
