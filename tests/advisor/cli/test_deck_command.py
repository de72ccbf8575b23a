"""``tableside deck check``: what it prints, its exit codes, and its sentences."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from advisor.cli import main
from advisor.cli.deck import in_words
from vision.cards.deck_check import DeckCheck
from vision.cards.reader import CardReader
from vision.sightings import CARDS, CardSighting, Reading

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class BrightnessReader:
    """Sees the first cards of a new pack, as many as the picture is bright."""

    def read(self, image: np.ndarray) -> Reading:
        seen = CARDS[: round(float(image.mean()))]
        return Reading(image.shape[1], image.shape[0], tuple(CardSighting("card", QUAD, c, 0.99) for c in seen))


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(CardReader, "load", classmethod(lambda cls, *a, **k: BrightnessReader()))
    for bright in (2, 50, 52):
        cv2.imwrite(str(tmp_path / f"{bright}.png"), np.full((40, 60, 3), bright, np.uint8))
    return tmp_path


def test_a_whole_deck_ends_with_0_and_one_that_is_not_with_1(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deck", "check", str(pictures / "52.png")]) == 0
    assert capsys.readouterr().out == "52 of 52 cards read.\nThe deck is whole.\n"
    assert main(["deck", "check", str(pictures / "50.png")]) == 1
    assert capsys.readouterr().out == "50 of 52 cards read.\nMissing: QS KS\n"


def test_cards_that_may_be_among_those_not_read_surely_are_not_called_missing() -> None:
    said = "\n".join(in_words(DeckCheck(1, 51, ("QS",), (), 0, 1)))
    assert "Missing, or not read surely: QS" in said and "Not read surely: 1." in said
    assert "Missing: QS" in "\n".join(in_words(DeckCheck(1, 51, ("QS",), (), 0, 0)))


def test_pictures_add_up_unless_they_show_the_same_cards(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = [str(pictures / "52.png"), str(pictures / "2.png")]
    assert main(["deck", "check", "--json", *both]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["double"] == ["AC", "2C"] and found["missing"] == [] and not found["complete"]
    assert main(["deck", "check", "--same", *both]) == 0


def test_a_camera_is_looked_through_until_the_deck_is_whole(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "check", "--source", str(pictures / "52.png"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["complete"]
    assert main(["deck", "check", "--source", str(pictures / "50.png"), "--seconds", "1"]) == 1
    assert "Missing: QS KS" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["x.png", "--source", "0"]])
def test_neither_and_both_of_pictures_and_source_are_refused(
    pictures: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deck", "check", *words]) == 2
    assert "--source" in capsys.readouterr().err


def test_a_picture_that_cannot_be_read_ends_the_check(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "check", str(pictures / "52.png"), str(pictures / "none.png")]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "none.png: there is no such file" in err
    assert main(["deck", "check", str(pictures / "none.png"), "--json"]) == 1
    out, err = capsys.readouterr()
    assert "none.png: there is no such file" in json.loads(out)["error"] and json.loads(out)["error"] in err
    assert main(["deck", "check", "--source", str(pictures / "none.png")]) == 2
