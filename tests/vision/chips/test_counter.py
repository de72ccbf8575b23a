"""How a stack is looked at: once where its count is plain, a few ways round where it is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from vision.cards.runtime import ModelError
from vision.chips.counter import FEW, OTHERS, SELDOM, WORTH_SAYING, Counter
from vision.chips.crops import ACROSS, EVEN, FOOT, HEIGHT, MOST_STRETCHED, WIDTH, Floats, Image, Stand, column
from vision.chips.seams import FULL
from vision.chips.stands import Placer, moved
from vision.chips.values import COLOURS

TRUE = Stand((200.0, 300.0), 100.0, 0.0, 0.4, 0.4)
COUNT = 5
STEEP = FULL / ACROSS * float(np.sqrt(1 - TRUE.squash**2))
"""A chip's thickness over its width, as `TRUE` is looked at."""


class Watched(Counter):
    """A network that sees the seams of so many chips the better, the nearer a stand is to the true one."""

    def __init__(self, count: int = COUNT, thicker: float = 1.0, table: float = 3.0) -> None:
        self.looks: list[Stand] = []
        self.stack = count, thicker
        self.table = table

    def _said(self, levels: Sequence[Image], stands: Sequence[Stand]) -> Iterator[tuple[Stand, Image, list[Floats]]]:
        for stand in stands:
            self.looks.append(stand)
            yield stand, np.zeros((HEIGHT, WIDTH, 3), np.uint8), words(stand, *self.stack, table=self.table)


def words(stand: Stand, count: int, thicker: float, end: float = TRUE.foot[1], table: float = 3.0) -> list[Floats]:
    """Seams, colours, whole and parts for one stand; chips are ``thicker`` than usual; it ends in row ``end``, with so
    plainly the ``table`` below (a logit).
    """
    off = abs(np.log(stand.across / TRUE.across)) / 0.08 + abs(stand.roll - TRUE.roll) / 0.12
    step = thicker * stand.stretch * FULL * float(np.sqrt(1 - TRUE.squash**2))
    foot = FOOT[1] + (end - stand.foot[1]) * stand.stretch * ACROSS / stand.across
    y = np.arange(HEIGHT)
    near = np.exp(-((y[:, None] - (foot - step * np.arange(count + 1))) ** 2) / 1.3).max(1)
    seams = (-7 + (14 - 12 * min(1.5 * off, 1.0)) * near).astype(np.float32)
    colours = np.full((len(COLOURS), HEIGHT // 2), -6.0, np.float32)
    colours[COLOURS.index("red")] = 3
    middles, top = np.arange(0.5, HEIGHT, 2), foot - count * step
    which = np.select([middles > foot, middles > top, middles > top - 0.4 * ACROSS * stand.stretch], [0, 1, 2], 3)
    parts = np.where(np.arange(4)[:, None] == which, np.where(which == 0, table, 3.0), -1.0).astype(np.float32)
    return [seams, colours, np.array([-6.0, 4.0], np.float32), parts]


@pytest.fixture
def hard_to_please(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts are plain only where they are nearly certain: these stacks' seams show well from anywhere."""
    monkeypatch.setattr("vision.chips.counter.PLAIN", 0.97)


@pytest.mark.usefixtures("hard_to_please")
@pytest.mark.parametrize("change", [{"wider": 0.08}, {"wider": -0.08}, {"roll": 0.06}, {"roll": -0.06}])
def test_a_stand_that_is_a_little_off_is_put_right(change: dict[str, float]) -> None:
    counter = Watched()
    (count,) = counter.read([], [moved(TRUE, **change)])
    assert count.count == COUNT and len(counter.looks) > 1
    assert count.chances[COUNT] > 0.9


def test_a_plain_count_is_looked_at_once() -> None:
    counter = Watched()
    (count,) = counter.read([], [TRUE])
    assert count.count == COUNT and counter.looks == [TRUE]
    assert count.step == pytest.approx(FULL * np.sqrt(1 - TRUE.squash**2), rel=0.05), "as in the picture, not stretched"


@pytest.mark.usefixtures("hard_to_please")
def test_what_is_not_worth_it_is_looked_at_once_too() -> None:
    counter, off = Watched(), moved(TRUE, wider=0.08)
    first, second = counter.read([], [off, off], worth=[False, True])
    assert second.count == COUNT and second.chances[COUNT] > first.chances[COUNT]
    assert first.stand == counter.looks[0]


def test_a_steeply_seen_stacks_column_is_stretched_so_that_its_chips_are_as_thick_as_from_the_side() -> None:
    counter, steep = Watched(), replace(TRUE, squash=0.8, alone=0.0)
    on_felt = replace(steep, thick=0.05)
    counter.read(
        [], [steep, replace(steep, alone=0.5), replace(steep, squash=0.999), replace(steep, tall=1.8), on_felt]
    )
    stack, alone, above, tall, felt = (stand.stretch for stand in counter.looks[:5])
    assert (stack, alone, above) == (pytest.approx(1 / 0.6), 1.0, MOST_STRETCHED)
    assert felt * 0.05 * ACROSS == pytest.approx(EVEN), "on a felt, as all chips there"
    assert 1 < tall < stack and tall * 1.8 * ACROSS < FOOT[1], "it must fit"
    image = np.zeros((600, 600, 3), np.uint8)
    image[310 - 60 : 310] = 255  # from the foot up
    shown = [int((column([image], replace(steep, foot=(300.0, 310.0), stretch=k))[:, WIDTH // 2] > 127).sum() / 3)
             for k in (1.0, 1.5)]  # fmt: skip
    assert shown[1] == pytest.approx(1.5 * shown[0], abs=2)


def test_where_a_felt_foretells_how_chips_look_a_stack_is_read_once_more_on_its_lowest_seam() -> None:
    counter = Watched()
    high = replace(TRUE, foot=(200.0, 292.0), tall=0.32, thick=STEEP)
    (count,) = counter.read([], [high])
    first, again = counter.looks
    assert (first.foot, count.stand, count.count) == (high.foot, again, COUNT)
    assert again.foot == pytest.approx(TRUE.foot, abs=0.6)
    head, still = (it.foot[1] - it.tall * it.across for it in (first, again))
    assert head == pytest.approx(still), "its upper end stays where it is"


@pytest.mark.parametrize("thicker", [0.9, 0.95, 1.0, 1.05, 1.1])
@pytest.mark.parametrize("hidden", [1, 4, 9])
def test_a_stack_on_a_felt_is_followed_down_below_the_column(hidden: int, thicker: float) -> None:
    count, thick = 16, STEEP
    counter = Watched(count, thicker)
    up = hidden * thick * thicker
    high = replace(TRUE, foot=(200.0, 300.0 - 100 * up), tall=count * thick * thicker - up, thick=thick)
    (read,) = counter.read([], [high])
    assert read.count == count and read.stand.foot == pytest.approx(TRUE.foot, abs=0.6)


def test_where_a_felt_foretells_how_chips_look_no_other_stand_is_tried() -> None:
    counter = Watched()
    off = moved(TRUE, wider=0.08)
    counter.read([], [replace(off, thick=STEEP)])
    assert len(counter.looks) == 1, "it is not read again on the foot that it stands on"


@pytest.mark.parametrize(("table", "asked"), [(3.0, False), (0.5, True)])
def test_whether_a_stack_on_a_felt_goes_on_below_is_asked_where_the_table_is_not_plain_there(
    table: float, asked: bool
) -> None:
    counter = Watched(table=table)
    counter.read([], [replace(TRUE, thick=STEEP)])
    first, *farther = counter.looks
    assert len(farther) == asked and all(it.foot[1] > first.foot[1] for it in farther)


class Misled(Watched):
    """A network that rather takes what lies below a change of colours for the table, unless most of it shows."""

    def _said(self, levels: Sequence[Image], stands: Sequence[Stand]) -> Iterator[tuple[Stand, Image, list[Floats]]]:
        count, thicker = self.stack
        for stand in stands:
            self.looks.append(stand)
            blind = TRUE.foot[1] - stand.foot[1] > 3 * STEEP * TRUE.across
            end = TRUE.foot[1] - (7 * STEEP * TRUE.across if blind else 0.0)
            said = words(stand, count - 7 * blind, thicker, end, 1.0 if blind else 3.0)
            yield stand, np.zeros((HEIGHT, WIDTH, 3), np.uint8), said


@pytest.mark.parametrize("worth", [True, False])
def test_a_stack_whose_find_ends_where_its_colours_change_is_followed_to_its_foot(worth: bool) -> None:
    high = replace(TRUE, foot=(200.0, 300.0 - 700 * STEEP), tall=6 * STEEP, thick=STEEP)
    (read,) = Misled(13).read([], [high], worth=[worth])
    assert read.count == (13 if worth else 6)
    assert read.stand.foot == pytest.approx(TRUE.foot if worth else high.foot, abs=0.6)


def test_a_stack_that_fits_hardly_better_from_below_stays_as_it_was_and_is_said_to_be_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    high = replace(TRUE, foot=(200.0, 300.0 - 700 * STEEP), tall=6 * STEEP, thick=STEEP)
    (firm,) = Misled(13).read([], [high])
    monkeypatch.setattr("vision.chips.counter.FIRMLY", 1000.0)
    (doubtful,) = Misled(13).read([], [high])
    assert (firm.count, firm.more_below, doubtful.count, doubtful.more_below) == (13, False, 6, True)


def test_a_stack_is_not_followed_down_onto_another_that_was_found_before_it() -> None:
    behind = replace(TRUE, foot=(200.0, 300.0 - 700 * STEEP), tall=6 * STEEP, thick=STEEP)
    before = replace(TRUE, tall=13 * STEEP, thick=STEEP)
    first, second = Misled(13).read([], [behind, before])
    assert (first.count, first.stand.foot) == (6, pytest.approx(behind.foot, abs=0.6))
    assert second.stand.foot == pytest.approx(TRUE.foot, abs=0.6)


def test_how_well_a_count_fits_says_how_well_a_stand_is_chosen() -> None:
    (right, rows), (wrong, _) = Watched().fits([], [TRUE, moved(TRUE, wider=0.08)], COUNT)
    assert right > wrong + 5 and len(rows) == COUNT + 1


def test_what_a_glance_says_of_a_chip_alone_counts() -> None:
    (stack,), (alone,) = (Watched().read([], [replace(TRUE, alone=chance, shows=0.2)]) for chance in (0.02, 0.99))
    assert stack.count == COUNT and stack.shows > 0.9
    assert alone.chances[1] > 1e3 * stack.chances[1] and alone.shows > 0.9, (
        "five seams are plain, whatever a glance says"
    )


def test_more_chips_than_usually_lie_together_are_seldom() -> None:
    class Rows(Watched):
        _usual = COUNT - 1

    narrow = replace(TRUE, across=12.0)
    (free,), (row,) = (kind().read([], [narrow]) for kind in (Watched, Rows))
    ratio = (row.chances[COUNT] / row.chances[COUNT - 1]) / (free.chances[COUNT] / free.chances[COUNT - 1])
    assert ratio == pytest.approx(np.exp(-SELDOM), rel=1e-3)


def test_seams_of_chips_hardly_a_pixel_thick_count_for_less() -> None:
    class Same(Watched):
        def _said(
            self, levels: Sequence[Image], stands: Sequence[Stand]
        ) -> Iterator[tuple[Stand, Image, list[Floats]]]:
            for stand in stands:
                yield (
                    stand,
                    np.zeros((HEIGHT, WIDTH, 3), np.uint8),
                    words(replace(TRUE, stretch=stand.stretch), COUNT, 1.0),
                )

    wide, narrow = (Same().read([], [replace(TRUE, across=across)])[0] for across in (100.0, 12.0))
    assert wide.count == narrow.count == COUNT
    assert narrow.chances[1] > 1e3 * wide.chances[1]


def test_a_placer_of_another_version_is_refused_with_a_sentence() -> None:
    with pytest.raises(ModelError, match="of another version"):
        Placer(Path(str(files("models") / "weights" / "chips_counter.onnx")), 1)


def test_what_is_far_too_tall_for_any_stack_is_read_all_the_same() -> None:
    """A bottle that was found as one: no number of chips is so high."""
    (count,) = Watched().read([], [replace(TRUE, squash=0.3, tall=5.5, alone=0.01)])
    assert all(len(it.rows) == it.count + 1 for it in count.others)


def test_other_counts_that_are_likely_too_are_read_as_well() -> None:
    class Doubtful(Watched):
        """Hardly sees the highest seam."""

        def _said(
            self, levels: Sequence[Image], stands: Sequence[Stand]
        ) -> Iterator[tuple[Stand, Image, list[Floats]]]:
            for stand, image, said in super()._said(levels, stands):
                said[0][: int(FOOT[1] - 4.5 * FULL * stand.stretch * float(np.sqrt(1 - TRUE.squash**2)))] *= 0.3
                said[3][:] = 0
                yield stand, image, said

    (count,) = Doubtful().read([], [TRUE])
    told = [other.count for other in count.others]
    assert told and count.count not in told and len(told) == len(set(told))
    assert set(range(1, FEW + 1)) <= set(told), "what lies about may say that so few are there"
    likely = [float(count.chances[n]) for n in told if n > FEW or count.chances[n] >= WORTH_SAYING]
    assert likely == sorted(likely, reverse=True) and min(likely) >= WORTH_SAYING and 1 < len(likely) <= OTHERS
    for other in count.others:
        assert len(other.words) == len(other.rows) - 1 == other.count and not other.others
    (plain,) = Watched().read([], [TRUE])
    assert [other.count for other in plain.others] == list(range(1, FEW + 1)) and plain.count == COUNT
