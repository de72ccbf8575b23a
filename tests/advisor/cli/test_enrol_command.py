"""``tableside deck enrol`` and what comes after it: list, use, delete; with the shipped networks."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from advisor.cli import main
from datasets.demo_clip import ROUND, last_picture

pytestmark = pytest.mark.slow


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one card called by its name and a spread of three, and a home of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    folder = tmp_path / "deck"
    folder.mkdir()
    cv2.imwrite(str(folder / f"{ROUND[0].label}.png"), last_picture(ROUND[:1]))
    cv2.imwrite(str(folder / "spread.png"), last_picture(ROUND[1:4]))
    return folder


def test_a_deck_is_learned_listed_used_and_forgotten(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "enrol", "mine", "--source", str(pictures), "--json"]) == 1, "48 cards were not shown"
    learned = json.loads(capsys.readouterr().out)
    assert learned["learned"] == 4 and not {m.label for m in ROUND[:4]} & set(learned["missing"])
    assert main(["deck", "list"]) == 0
    assert capsys.readouterr().out == "mine\n"
    assert main(["read", str(pictures / "spread.png"), "--deck", "mine", "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    assert {c["card"] for c in cards} == {m.label for m in ROUND[1:4]}
    assert main(["deck", "delete", "mine"]) == 0
    capsys.readouterr()
    assert main(["deck", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["deck", "enrol", "../x", "--source", "0"], 2, "no name for a deck"),
        (["deck", "enrol", "x", "--source", "nowhere.mp4"], 2, "no such file"),
        (["deck", "delete", "x"], 1, "no deck called 'x'"),
        (["read", "a.jpg", "--deck", "x"], 1, "no deck called 'x'"),
    ],
)
def test_what_is_wrong_is_said(
    pictures: Path, words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    out, err = capsys.readouterr()
    assert out == "" and said in err


def test_a_deck_that_earlier_networks_learned_is_refused_with_what_to_do(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["deck", "enrol", "mine", "--source", str(pictures)])
    (path,) = pictures.parent.rglob("mine.npz")
    with np.load(path) as kept:
        np.savez(path, **{**kept, "network": np.array("another")})
    capsys.readouterr()
    assert main(["read", str(pictures / "spread.png"), "--deck", "mine"]) == 1
    assert "teach it again" in capsys.readouterr().err


def test_nothing_is_kept_where_no_card_was_shown(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = pictures.parent / "empty"
    empty.mkdir()
    assert main(["deck", "enrol", "x", "--source", str(empty)]) == 2
    cv2.imwrite(str(empty / "table.png"), last_picture(()))
    assert main(["deck", "enrol", "x", "--source", str(empty)]) == 1
    assert "No card was shown" in capsys.readouterr().err
    assert main(["deck", "list"]) == 0
    assert "No deck" in capsys.readouterr().out


def test_a_broken_picture_is_said_and_the_others_are_learned(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pictures / "broken.jpg").write_bytes(b"no picture")
    assert main(["deck", "enrol", "mine", "--source", str(pictures), "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["learned"] == 4 and "broken.jpg" in err


def test_a_picture_called_after_another_card_than_it_shows_is_said_and_so_is_a_deck_that_is_replaced(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = ROUND[0].label
    other = "7S" if shown != "7S" else "8S"
    (pictures / f"{shown}.png").rename(pictures / f"{other}.png")
    main(["deck", "enrol", "mine", "--source", str(pictures)])
    said = capsys.readouterr().err
    assert f"learned as {other}, as it is called, but it looks like {shown}" in said and "replaced" not in said
    main(["deck", "enrol", "mine", "--source", str(pictures)])
    assert "What was learned of 'mine' before is replaced." in capsys.readouterr().err
