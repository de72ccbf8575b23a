"""What is read plainly in a row of cards is one, however hardly it was found; what the row does not speak for is asked
about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_in_gaps import LABELS, STEP, TOP, as_quad, card, quad, row

from vision.cards.promoted import sure_beside_others, without_answered
from vision.cards.settings import LIVE, Settings
from vision.sightings import JOKER, CardSighting


def unsure(label: str, x: float, confidence: float, y: float = TOP) -> CardSighting:
    guesses = {label: confidence}
    return replace(card(label, quad(x, y)), kind="unsure", confidence=confidence, probabilities=guesses)


def kinds(cards: list[CardSighting], settings: Settings | None = None) -> list[str]:
    return [s.kind for s in sure_beside_others(cards, settings or Settings())]


@pytest.mark.parametrize(("confidence", "kind"), [(0.97, "card"), (0.94, "card"), (0.9, "unsure")])
def test_a_card_in_a_gap_of_the_row_is_sure_once_it_is_read_plainly(confidence: float, kind: str) -> None:
    assert kinds([*row(4), unsure("KS", 4 * STEP, confidence)])[-1] == kind


def test_cards_hardly_found_speak_for_each_other() -> None:
    """Of eight large indices half under the next card four were found well enough to make a row."""
    some = [unsure(LABELS[k], k * STEP, 0.97) for k in (1, 3, 5, 6)]
    assert set(kinds([*row(1, 3, 5, 6), *some])) == {"card"}


def test_beside_an_even_row_and_for_a_name_that_stands_there_already_nothing_is_sure() -> None:
    assert kinds([*row(), unsure("4C", 2.5 * STEP, 0.97, TOP + 120)])[-1] == "unsure", "below the row"
    assert kinds([*row(4), unsure("9D", 4 * STEP, 0.97)])[-1] == "unsure", "the nine's other index, perhaps"
    assert kinds([*row(), unsure("4C", len(LABELS) * STEP, 0.97)])[-1] == "unsure", "at the end a pip may be one"


def test_half_an_index_in_a_gap_and_one_name_found_twice_stay_open() -> None:
    half = replace(unsure("KS", 4 * STEP, 0.97), indices=(as_quad(quad(4 * STEP) * [1, 0.5] + [0, 60]),))
    assert kinds([*row(4), half])[-1] == "unsure", "its pip is hidden: it may be another suit's"
    twice = [unsure("4S", x * STEP, 0.97) for x in (3, 5)]
    assert kinds([*row(3, 5), *twice])[-2:] == ["unsure", "unsure"]


def test_a_joker_at_the_rows_end_is_sure() -> None:
    assert kinds([*row(), unsure(JOKER, len(LABELS) * STEP, 0.95)])[-1] == "card"
    assert kinds([*row(), unsure(JOKER, (len(LABELS) + 1) * STEP, 0.95)])[-1] == "unsure"


def test_in_a_poor_picture_and_before_a_watched_camera_all_stays_as_it_is() -> None:
    asked = unsure("KS", 4 * STEP, 0.97)
    poor = [replace(s, confidence=0.88) for s in row(4)]
    assert kinds([*poor, asked])[-1] == kinds([*row(4), asked], LIVE)[-1] == "unsure"


def test_a_small_star_in_a_row_of_tall_letters_is_sure() -> None:
    star = np.array([[0, 0], [14, 4], [10, 18], [-4, 14]], np.float32) + np.array([4 * STEP + 3, TOP + 6], np.float32)
    asked = replace(unsure(JOKER, 4 * STEP, 0.92), indices=(as_quad(star),))
    assert kinds([*row(4), asked])[-1] == "card"


def test_a_joker_that_was_found_answers_what_was_asked_about_its_other_end() -> None:
    joker = card(JOKER, quad(4 * STEP))
    bare = CardSighting("unsure", joker.corners, None, 0.0)
    elsewhere = replace(bare, corners=tuple((x + 900, y) for x, y in bare.corners))
    assert without_answered([*row(4), bare, elsewhere, joker], row(4)) == [*row(4), elsewhere, joker]
    before = [*row(4), bare, joker]
    assert without_answered(before, before) == before, "known before, it was no answer"
