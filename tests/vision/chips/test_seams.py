"""Counting by even seams: exact on clean evidence, and not led astray by a lost or a false seam."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.chips.crops import ACROSS, FOOT, HEIGHT, Floats
from vision.chips.seams import FULL, best_runs, heights, steepness
from vision.chips.values import MOST, ChipSize


def evidence(count: int, step: float, foot: float = FOOT[1]) -> Floats:
    """Logits with a clear seam at every ``step`` rows upwards."""
    y = np.arange(HEIGHT)
    seams = foot - step * np.arange(count + 1)
    near = np.exp(-((y[:, None] - seams) ** 2) / 1.3).max(1)
    return (-5 + 9 * near).astype(np.float32)


def parts(count: int, step: float, squash: float, foot: float = FOOT[1]) -> Floats:
    """Logits of a table, then chips' edges, a face and what lies behind, from the bottom up."""
    y = np.arange(0.5, HEIGHT, 2)
    top = foot - count * step
    which = np.select([y > foot, y > top, y > top - squash * ACROSS], [0, 1, 2], 3)
    return np.where(np.arange(4)[:, None] == which, 3.0, -1.0).astype(np.float32)


NO_WORD = np.zeros((4, HEIGHT // 2), np.float32)
"""Parts that say nothing."""


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.floats(0.15, 0.8), st.floats(0.93, 1.07), st.floats(0.95, 1.05), st.floats(-4, 4))
def test_even_seams_are_counted_whatever_the_view(
    count: int, squash: float, thick: float, off: float, shift: float
) -> None:
    step = FULL * float(np.sqrt(1 - squash**2)) * thick
    aspect = (count * step / ACROSS + squash) * off
    told = parts(count, step, squash, FOOT[1] + shift)
    runs = best_runs(evidence(count, step, FOOT[1] + shift), told, aspect)
    assert int(runs.scores.argmax()) + 1 == count
    rows = runs.rows[count - 1]
    assert len(rows) == count + 1 and (np.diff(rows) < 0).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 18), st.floats(0.15, 0.8), st.floats(0.95, 1.05))
def test_even_seams_are_counted_in_a_column_that_shows_them_stretched(count: int, squash: float, thick: float) -> None:
    stretch = 1 / float(np.sqrt(1 - squash**2))
    step = FULL * thick
    told = parts(count, step, squash * stretch)
    aspect = count * step / ACROSS + squash * stretch
    runs = best_runs(evidence(count, step), told, aspect, stretch=stretch)
    assert int(runs.scores.argmax()) + 1 == count
    assert runs.misshapen[count - 1] < 0.8, "as high over its width as foretold"


@pytest.mark.parametrize("change", [-4.0, 3.0])
def test_one_seam_lost_or_made_up_does_not_change_the_count(change: float) -> None:
    squash, count = 0.4, 9
    step = FULL * float(np.sqrt(1 - squash**2))
    logits = evidence(count, step)
    at = round(FOOT[1] - step * (4 if change < 0 else 4.5))
    logits[at - 1 : at + 2] = change
    assert (
        int(best_runs(logits, parts(count, step, squash), count * step / ACROSS + squash).scores.argmax()) + 1 == count
    )


def test_a_broad_seam_is_not_counted_twice() -> None:
    squash, count = 0.4, 5
    step = FULL * float(np.sqrt(1 - squash**2))
    y = np.arange(HEIGHT)
    seams = FOOT[1] - step * np.arange(count + 1)
    broad = (-6 + 12 * np.exp(-((y[:, None] - seams) ** 2) / 4).max(1)).astype(np.float32)
    runs = best_runs(broad, parts(count, step, squash), count * step / ACROSS + squash)
    assert int(runs.scores.argmax()) + 1 == count
    assert all((-np.diff(rows) > 0.5 * taken - 1).all() for rows, taken in zip(runs.rows, runs.steps, strict=False))


def test_a_stack_ends_where_its_edges_do_however_even_the_seams_go_on() -> None:
    squash, count = 0.4, 9
    step = FULL * float(np.sqrt(1 - squash**2))
    logits = evidence(count + 3, step, FOOT[1] + step)
    told = parts(count, step, squash)
    aspect = (count + 2) * step / ACROSS + squash
    assert int(best_runs(logits, NO_WORD, aspect).scores.argmax()) + 1 > count
    assert int(best_runs(logits, told, aspect).scores.argmax()) + 1 == count


def test_a_stack_of_another_shape_than_its_seams_foretell_scores_less() -> None:
    logits = evidence(9, 7.0)
    fits = 9 * 7.0 / ACROSS + float(steepness(7.0))
    assert best_runs(logits, NO_WORD, fits).scores.max() > best_runs(logits, NO_WORD, 2.4 * fits).scores.max() + 3


def test_counts_beyond_what_is_asked_for_or_possible_are_not_tried() -> None:
    for runs in (best_runs(evidence(9, 7.0), NO_WORD, 1.2, most=6), best_runs(evidence(1, 7.0), NO_WORD, 0.3)):
        tried = len(runs.rows)
        assert tried < MOST and np.isinf(runs.scores[tried:]).all() and len(runs.scores) == MOST


def test_a_known_step_counts_where_half_the_seams_cannot_be_told_from_edges_between() -> None:
    squash, count = 0.5, 6
    step = FULL * float(np.sqrt(1 - squash**2))
    logits = evidence(2 * count, step / 2)
    aspect = count * step / ACROSS + squash
    runs = best_runs(logits, parts(count, step, squash), aspect, step=step, squash=squash)
    assert int(runs.scores.argmax()) + 1 == count
    assert abs(runs.steps[count - 1] / step - 1) < 0.15


def test_steeper_views_foretell_thinner_chips_and_rounder_faces() -> None:
    assert (np.diff(steepness(np.array([8.0, 6.0, 4.0, 2.0]))) > 0).all()
    # A single chip from straight above is about as high as wide; a column of 20 seen level twice that.
    assert 0.98 < heights(np.array([1.0]), 1)[0, 0] < 1.05
    assert 1.6 < heights(np.array([FULL]), 20)[19, 0] < 1.9


def test_chips_that_were_measured_are_counted_by_their_height_where_no_seam_shows() -> None:
    count, step, squash = 12, 9.0, 0.5
    top = int(FOOT[1] - count * step)
    parts = np.full((4, HEIGHT // 2), -4.0, np.float32)
    row = np.arange(HEIGHT // 2) * 2
    parts[0, row > FOOT[1]] = parts[1, (row <= FOOT[1]) & (row > top)] = parts[2, row <= top] = 4.0
    aspect = count * step / ACROSS + squash
    chances = []
    for within in (None, ChipSize(39.0, 3.3).off, ChipSize(39.0, 3.3, 20).off):
        runs = best_runs(np.zeros(HEIGHT, np.float32), parts, aspect, step=step, squash=squash, within=within)
        chances.append(
            np.exp(runs.scores - runs.scores.max())[count - 1] / np.exp(runs.scores - runs.scores.max()).sum()
        )
    assert chances[2] > 0.95 > 1.5 * chances[0]
    assert chances[1] == pytest.approx(chances[0], abs=0.05), "one chip alone is hardly measured"


def test_chips_of_a_steeply_seen_stack_keep_to_its_line_where_their_foot_is_known() -> None:
    step, squash, count = 9.5, 1.37, 20
    y = np.arange(HEIGHT)[:, None]
    shown = FOOT[1] - step * count * np.array([0.0, 0.5, 1.0])
    told = 8.0 * np.exp(-((y - shown) ** 2) / 1.3).max(1)
    # Hints of seams, too far apart below the middle and too near each other above it.
    astray = np.concatenate([np.linspace(shown[0], shown[1], 9), np.linspace(shown[1], shown[2], 13)])
    logits = (-4 + np.maximum(told, 0.3 * np.exp(-((y - astray) ** 2) / 1.3).max(1))).astype(np.float32)
    ends = parts(count, step, squash)

    def tenth(footed: bool) -> float:
        runs = best_runs(logits, ends, count * step / ACROSS + squash, step=step, squash=squash, footed=footed)
        return float(abs(runs.rows[count - 1][10] - shown[1]))

    assert tenth(footed=True) < step / 4, "ten chips below the change of colour and ten above it"
    assert tenth(footed=False) > step / 2, "each chip kept to the one below alone: eight and twelve"
