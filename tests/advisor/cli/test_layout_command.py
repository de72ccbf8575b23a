"""``tableside layout``: lists, shows, draws, prints and checks felts; every failure is a sentence."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import cv2
import pytest

from advisor.cli import main

SEVEN = Path("vision/felt/layouts/seven-seats.toml").resolve()


def test_the_list_names_all_felts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layout", "list"]) == 0
    out = capsys.readouterr().out
    assert all(
        name in out for name in ("seven-seats", "five-seats", "three-seats", "one-seat", "kitchen-table", "five-bets")
    )
    assert "1830 x 920 mm, 7 seats, 6 markers" in out
    assert main(["layout", "list", "--json"]) == 0
    assert [len(one["seats"]) for one in json.loads(capsys.readouterr().out)] == [7, 5, 3, 1, 5, 4]


def test_show_says_where_everything_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layout", "show", "one-seat"]) == 0
    out = capsys.readouterr().out
    assert "the cards of seat 1" in out and "300 mm to the dealer's right, 50 mm from the dealer's edge" in out
    assert main(["layout", "show", "one-seat", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {zone["kind"] for zone in said["zones"]} >= {"house", "shoe", "seat-bet"} and len(said["handles"]) == 4


def test_show_draws_svg_and_png(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, png = tmp_path / "felt.svg", tmp_path / "felt.png"
    assert main(["layout", "show", str(SEVEN), "--out", str(svg)]) == 0
    assert main(["layout", "show", "seven-seats", "--out", str(png)]) == 0
    assert "drawn" in capsys.readouterr().out
    assert len(ElementTree.parse(svg).getroot().findall("{http://www.w3.org/2000/svg}polygon")) > 30
    drawn = cv2.imread(str(png))
    assert drawn is not None and drawn.shape[1] > drawn.shape[0] > 800


def test_print_writes_a_pdf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["layout", "print", "one-seat", "--pdf", "--paper", "letter"]) == 0
    assert (tmp_path / "one-seat-markers.pdf").read_bytes().startswith(b"%PDF")
    assert "a plan and 1 page with 4 markers. Print at 100 %" in capsys.readouterr().out
    assert main(["layout", "print", "one-seat", "--pdf", "mine.pdf"]) == 0
    assert (tmp_path / "mine.pdf").exists()


def test_check_says_fine_or_everything_that_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(SEVEN.read_text())
    assert main(["layout", "check", str(mine)]) == 0
    assert "fine. 7 seats, 25 zones, 6 markers." in capsys.readouterr().out
    mine.write_text(SEVEN.read_text().replace("id = 11", "id = 10").replace("seat = 7", "seat = 9", 1))
    assert main(["layout", "check", str(mine)]) == 1
    said = capsys.readouterr().err
    assert "marker 10 is there 2 times" in said and "seat cannot be 9" in said
    assert all(line.startswith("tableside: ") for line in said.splitlines()) and "Traceback" not in said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["show", "nine-seats"], 2, "there is no such layout: use one of seven-seats"),
        (["show", "gone.toml"], 2, "there is no such file"),
        (["print", "nine-seats"], 2, "there is no such layout"),
        (["show", "one-seat", "--out", "felt.gif"], 2, "must end in .svg or .png"),
        (["show", "one-seat", "--out", "no/such/folder/felt.svg"], 1, "it could not be written"),
        (["print", "one-seat", "--pdf", "no/such/folder/m.pdf"], 1, "it could not be written"),
        (["check", "gone.toml"], 1, "there is no such file"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["layout", *words]) == code
    err = capsys.readouterr().err
    assert said in err and "Traceback" not in err


def test_a_felt_without_markers_cannot_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = tmp_path / "bare.toml"
    bare.write_text("[felt]\nsize = [800, 600]\n")
    assert main(["layout", "print", str(bare), "--pdf", str(tmp_path / "m.pdf")]) == 2
    assert "has no markers to print: add [markers]" in capsys.readouterr().err
    bare.write_text("[felt]\nsize = [80, 60]\n")
    assert main(["layout", "show", str(bare)]) == 2
    assert "and 1 more: tableside layout check" in capsys.readouterr().err
