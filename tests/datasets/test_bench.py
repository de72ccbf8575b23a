"""The benchmark counts as the manifest's rule says: multisets of cards, unsure ones not counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from datasets.bench import Item, ManifestError, bench_cards, load_manifest, table
from vision.cards.reader import CardReader
from vision.sightings import CardSighting, Quad, Reading

SQUARE: Quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))


class Told:
    """A reader that answers what it was told, picture after picture."""

    def __init__(self, *answers: list[CardSighting]) -> None:
        self._answers = list(answers)

    def read(self, image: Any) -> Reading:
        return Reading(10, 10, tuple(self._answers.pop(0)), {"total": 5.0})


def card(label: str, sure: bool = True) -> CardSighting:
    return CardSighting("card" if sure else "unsure", SQUARE, label, 0.9)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.zeros((10, 10, 3), np.uint8))
    return path


def test_counts_are_of_multisets_and_unsure_cards_do_not_count(picture: Path) -> None:
    items = [
        Item(picture, "one", Counter(["2C", "2C", "9H"])),
        Item(picture, "two", Counter(["KD"])),
    ]
    reader = Told([card("2C"), card("9H"), card("6H"), card("2C", sure=False)], [card("KD")])
    scores, wrong = bench_cards(items, cast(CardReader, reader))
    one = scores["one"]
    assert (one.hits, one.extra, one.missed, one.exact, one.unsure) == (2, 1, 1, 0, 1)
    assert scores["two"].exact == 1
    assert scores["all"].f1 == pytest.approx(2 * 3 / (4 + 4))
    assert [m.missed for m in wrong] == [("2C",)] and [m.extra for m in wrong] == [("6H",)]
    assert "one" in table(scores) and "all" in table(scores)


def test_a_picture_that_cannot_be_opened_counts_as_unread(tmp_path: Path) -> None:
    scores, _ = bench_cards([Item(tmp_path / "no.jpg", "s", Counter(["2C"]))], cast(CardReader, Told()))
    assert scores["all"].missed == 1


def test_manifest_reads_both_ways_of_writing_a_card(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"items": [{"image": "a.jpg", "source": "s", "cards": ["TH", {"card": "2C"}]}]}))
    assert load_manifest(path)[0].cards == Counter(["10H", "2C"])
    assert load_manifest(path, "other") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not json", "not JSON"),
        ("[]", "items"),
        ('{"items": [{"image": "a"}]}', "item 0"),
        ('{"items": [{"image": "a", "source": "s", "cards": ["1X"]}]}', "1X"),
    ],
)
def test_a_bad_manifest_is_explained(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(ManifestError, match=said):
        load_manifest(path)
