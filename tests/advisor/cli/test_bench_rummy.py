"""`bench rummy` judges a picture honestly: exact only where it is, silent where nothing was said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from advisor.cli import bench_rummy_hands, main
from advisor.cli.bench_rummy_hands import Tally, judge
from advisor.games.rummy import shipped_variant
from datasets.hands import HandPicture
from vision.cards.reader import CardReader
from vision.sightings import CardSighting, Quad, Reading

BLANK = np.zeros((60, 80, 3), np.uint8)


def picture(text: str, kind: str = "fan") -> HandPicture:
    groups = tuple(tuple(group.split()) for group in text.split("/"))
    return HandPicture(kind, 0, BLANK, groups, ())


def seen(text: str) -> Reading:
    found = []
    for row, group in enumerate(text.split("/")):
        for k, word in enumerate(group.split()):
            x, y = 25.0 * k, 130.0 * row
            place: Quad = ((x, y), (x + 63, y), (x + 63, y + 89), (x, y + 89))
            label, unsure = word.rstrip("?!"), word.endswith("?")
            if word.endswith("!"):  # it stands on its head
                place = (*place[2:], *place[:2])
            found.append(CardSighting("unsure" if unsure else "card", place, label, 0.5 if unsure else 0.98))
    return Reading(80, 60, tuple(found), {"total": 1.0})


@pytest.mark.parametrize(
    ("truth", "read", "outcome", "missed", "extra"),
    [
        ("10H 9S", "10H 9S", "exact", (), ()),
        ("10H 9S", "9S 10H", "exact", (), ()),
        ("10H 9S", "10H 9S?", "flagged", ("9S",), ()),
        ("10H 9S", "10H 9S 4C?", "flagged", (), ()),
        ("10H 9S", "10H", "silent", ("9S",), ()),
        ("10H 9S", "10H 9C", "silent", ("9S",), ("9C",)),
        ("10H 9S", "10H 10H 9S", "silent", (), ("10H",)),
        ("10H 9S", "10H 10H 10H 10H 9S", "flagged", (), ("10H",) * 3),
        ("10H 9S", "", "flagged", ("10H", "9S"), ()),
    ],
)
def test_a_picture_is_exact_flagged_or_silently_wrong(
    truth: str, read: str, outcome: str, missed: tuple[str, ...], extra: tuple[str, ...]
) -> None:
    found = judge(shipped_variant("contract-b"), picture(truth), seen(read))
    assert (found.outcome, found.missed, found.extra) == (outcome, missed, extra)
    assert found.true_points == 19


@pytest.mark.parametrize(
    ("truth", "read", "outcome"),
    [
        ("10H 9S 8C", "10H 9S 9S! 8C", "flagged"),
        ("10H 9S 9S 8C 4C", "10H 9S 9S! 8C", "silent"),
        ("10H 9S 9S 8C", "10H 9S 9S! 8C", "exact"),
    ],
)
def test_a_doubt_about_something_else_is_no_flag(truth: str, read: str, outcome: str) -> None:
    assert judge(shipped_variant("contract-b"), picture(truth), seen(read)).outcome == outcome


def test_melds_are_also_judged_by_how_they_are_parted() -> None:
    variant, truth = shipped_variant("contract-b"), picture("9S 9D 9C/4H 5H 6H 7H", "melds")
    assert judge(variant, truth, seen("9S 9D 9C/4H 5H 6H 7H")).groups_right is True
    together = judge(variant, truth, seen("9S 9D 9C 4H 5H 6H 7H"))
    assert together.outcome == "exact" and together.groups_right is False


def test_a_tally_adds_up() -> None:
    tally, variant = Tally(), shipped_variant("contract-b")
    for truth, read in (("10H JOKER", "10H"), ("10H 9S", "10H 9S"), ("10H 9S", "10H 9S?")):
        shown = picture(truth)
        tally.add(judge(variant, shown, seen(read)), shown.cards)
    assert tally.as_dict() == {
        **{"pictures": 3, "exact": 1, "flagged": 1, "silent": 1, "exact_share": 0.3333},
        **{"cards": 6, "sure_right": 4, "sure_wrong": 0, "unsure": 1, "jokers": 1, "jokers_missed": 1},
        "doubted_for_nothing": 0,
    }


def test_the_command_prints_required_beside_reached_and_keeps_failures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = [picture("10H 9S"), picture("10H 4C"), picture("9S 9D 9C/4H 5H 6H 7H", "melds")]

    class Reads:
        def read(self, image: np.ndarray) -> Reading:
            return seen("10H 9S")

    def rendered(*_: Any) -> list[HandPicture]:
        return shown

    monkeypatch.setattr(bench_rummy_hands, "_rendered", rendered)
    monkeypatch.setattr(CardReader, "load", classmethod(lambda cls, *a, **k: Reads()))
    words = ["bench", "rummy", "--pictures", "2", "--kinds", "fan,melds"]
    assert main([*words, "--failures", str(tmp_path / "failures")]) == 0
    out = capsys.readouterr().out
    assert "scored exactly 1 = 50.0% (required 97%), flagged 0, wrong without a word 1 (required 0)" in out
    assert "(required 1.5 s;" in out and "(required 5)" in out and "(required 50)" in out
    kept = {path.name for path in (tmp_path / "failures").iterdir()}
    assert {"silent-fan-000.jpg", "silent-fan-000-read.jpg", "silent-fan-000.json"} <= kept
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hands"]["fan"]["exact"] == 1 and found["not_exact"][0]["missed"] == ["4C"]


def test_wrong_options_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rummy", "--kinds", "fan,pile"]) == 2
    assert "there is no kind 'pile'; there are fan, ribbon, heaps, melds" in capsys.readouterr().err
    assert main(["bench", "rummy", "--manifest", str(tmp_path / "none.json")]) == 1
    assert "could not be opened" in capsys.readouterr().err
