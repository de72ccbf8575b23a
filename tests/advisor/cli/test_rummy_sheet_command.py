"""`rummy sheet` as a family at the table meets it: from the first hand to the printed page."""

from __future__ import annotations

import csv
import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from advisor.cli import main
from advisor.cli.rummy_page import pictures_folder
from advisor.service.sheet_events import EventSheets, new_event
from advisor.service.sheet_store import Kept
from advisor.service.store import EventStore, Session
from vision.cards.reader import CardReader
from vision.sightings import CardSighting, Reading


class Shown:
    cards: list[CardSighting] = []  # noqa: RUF012 - set by each test

    def read(self, image: np.ndarray) -> Reading:
        return Reading(image.shape[1], image.shape[0], tuple(self.cards), {"total": 1.0})


def show(text: str) -> None:
    """What the picture shows; "9H?" is unsure."""
    Shown.cards = []
    for k, name in enumerate(text.split()):
        x = 25.0 * k
        place = ((x, 0.0), (x + 63, 0.0), (x + 63, 89.0), (x, 89.0))
        unsure = name.endswith("?")
        label, found = name.rstrip("?"), 0.5 if unsure else 0.98
        more = ({"6H": 0.4, label: 0.5},) if unsure else ()
        Shown.cards.append(CardSighting("unsure" if unsure else "card", place, label, found, *more))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own; returns the folder of its data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(CardReader, "load", classmethod(lambda cls, *a, **k: Shown()))
    return tmp_path / "home" / "tableside"


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "hand.png"
    cv2.imwrite(str(path), np.full((80, 120, 3), 90, np.uint8))
    return str(path)


def sheet(*words: str, code: int = 0) -> None:
    assert main(["rummy", "sheet", *words]) == code


def kept(home: Path, where: str = "history.sqlite3") -> dict[str, Kept]:
    """Every sheet in the store."""
    with EventStore.open(home / where, existing=True) as store:
        sheets = EventSheets(store)
        return {name: sheets.read(name) for name in sheets.names()}


def begin(*words: str) -> None:
    sheet("new", "friday", "--players", "Ann, Bob,Cy", *words)


def state(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    sheet("show", "friday", "--json")
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def totals(capsys: pytest.CaptureFixture[str]) -> dict[str, int]:
    players = state(capsys)["players"]
    assert isinstance(players, list)
    return {player["name"]: player["total"] for player in players}


def test_an_evening_from_the_first_hand_to_the_page(
    home: Path, tmp_path: Path, picture: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begin("--variant", "contract-a", "--dealer", "Cy", "--set", "points.joker=20")
    assert capsys.readouterr().out == (
        "friday: Contract rummy, source A (contract-a).\n"
        "Deal 1: Cy deals, 2 sets of 3. No score yet: Ann, Bob and Cy.\n"
    )
    sheet("add", "friday", "--player", "ann", "--cards", "10H 9S JOKER")
    assert capsys.readouterr().out.startswith("Ann, deal 1: 39 points (10H 9S JOKER); total 39.\n")
    sheet("out", "friday", "--player", "Bob")
    assert capsys.readouterr().out.startswith("Bob, deal 1: out; total 0.\n")
    show("KD QD")
    sheet("add", "friday", "--player", "Cy", picture)
    assert capsys.readouterr().out.startswith("Cy, deal 1: 20 points (KD QD); total 20.\nDeal 1: Cy deals")
    sheet("end-deal", "friday")
    assert "Ahead: Bob with 0 points.\nDeal 2: Ann deals" in capsys.readouterr().out
    sheet("undo", "friday")
    assert capsys.readouterr().out.startswith("Undone: deal 1 ended.\nDeal 1")
    sheet("redo", "friday")
    assert capsys.readouterr().out.startswith("Redone: deal 1 ended.\nDeal 2")
    sheet("correct", "friday", "--player", "Ann", "--deal", "1", "--points", "34")
    assert capsys.readouterr().out.startswith("Ann, deal 1: 34 points; total 34.\n")
    assert totals(capsys) == {"Ann": 34, "Bob": 0, "Cy": 20}

    page, table = tmp_path / "sheet.html", tmp_path / "sheet.csv"
    sheet("print", "friday", "--out", str(page))
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    sheet("export", "friday", "--format", "csv", "--out", str(table))
    rows = list(csv.reader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert rows[-1] == ["total", "", "", "", "34", "0", "20"]
    capsys.readouterr()
    sheet("export", "friday", "--format", "json")
    data = json.loads(capsys.readouterr().out)
    assert len(data["operations"]) == 8 and data["deals"][0]["scores"][2]["image"] == "hand.png"
    assert list(kept(home)["friday"].operations) == data["operations"]


def test_players_come_go_and_are_renamed_and_deals_are_void(capsys: pytest.CaptureFixture[str]) -> None:
    sheet("new", "friday", "--players", "Ann,Bob,Cy,Dan", "--playing", "Ann,Bob,Cy", "--deals", "any")
    for words in (
        ["add", "friday", "--player", "Ann", "--points", "30"],
        ["take-back", "friday", "--player", "Ann"],
        ["add", "friday", "--player", "Bob", "--points", "30"],
        ["again", "friday"],
        ["add", "friday", "--player", "Cy", "--points", "7"],
        ["out", "friday", "--player", "Ann"],
        ["add", "friday", "--player", "Bob", "--points", "30"],
        ["end-deal", "friday"],
        ["dealer", "friday", "--player", "Cy"],
        ["join", "friday", "--player", "Dan", "--with", "highest"],
        ["join", "friday", "--player", "Eve", "--with", "zero", "--after", "Ann"],
        ["leave", "friday", "--player", "Bob"],
        ["rename", "friday", "--player", "Cy", "--to", "Cyrus"],
        ["void", "friday"],
    ):
        sheet(*words)
    assert totals(capsys) == {"Ann": 0, "Eve": 0, "Bob": 30, "Cyrus": 7, "Dan": 30}
    assert state(capsys)["dealer"] == "Dan"
    sheet("end-game", "friday")
    assert "The game is over: Ann wins with 0 points." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (
            ["add", "friday", "--player", "Ann", "--points", "3"],
            2,
            "Ann, deal 1: a score is recorded already, 9 points",
        ),
        (["add", "friday", "--player", "Bob", "--points", "-3"], 2, "-3 points cannot be"),
        (["add", "friday", "--player", "Bob", "--points", "x"], 2, "invalid int value"),
        (["add", "friday", "--player", "Eve", "--points", "3"], 2, "There is no player 'Eve'"),
        (["add", "friday", "--player", "Bob", "--cards", "9X"], 2, "cards: "),
        (["add", "friday", "--player", "Bob", "--cards", "J"], 2, "cards: "),
        (["add", "friday", "--player", "Bob"], 2, "give one of these: --cards"),
        (["add", "friday", "--player", "Bob", "--points", "3", "a.jpg"], 2, "give one of these: --cards"),
        (["add", "friday", "--player", "Bob", "nowhere.jpg"], 1, "nowhere.jpg: there is no such file"),
        (["add", "friday", "--player", "Ann", "nowhere.jpg"], 2, "a score is recorded already"),
        (["add", "--player", "Bob"], 2, "NAME"),
        (["correct", "friday", "--player", "Bob", "--out"], 2, "there is no score to correct"),
        (["correct", "friday", "--player", "Ann", "--out", "--points", "2"], 2, "--points 43, --out, or a picture"),
        (["end-deal", "friday"], 2, "Deal 1 cannot end: no score of Bob and Cy is recorded"),
        (["redo", "friday"], 2, "There is nothing to redo"),
        (["show", "saturday"], 1, "There is no score sheet called 'saturday': there are friday"),
        (["out", "saturday", "--player", "Bob"], 1, "There is no score sheet called 'saturday'"),
        (["show", "../friday"], 1, "is no name for a score sheet"),
        (["new", "friday", "--players", "A,B,C"], 1, "There is a score sheet called 'friday' already"),
        (["new", "x", "--players", "A,B"], 2, "contract-b is not for 2 players: it is for 3 to 8"),
        (["new", "x", "--players", "A,B,C", "--variant", "whist"], 2, "unknown variant 'whist'"),
        (["new", "x", "--players", " , "], 2, "contract-b is not for 0 players"),
        (["print", "friday", "--out", "/nowhere/x.html"], 1, "/nowhere/x.html: it could not be written"),
        (["delete", "friday"], 2, "would be deleted for good: say --yes"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_changes_nothing(
    home: Path, words: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begin()
    sheet("add", "friday", "--player", "Ann", "--points", "9")
    before = kept(home)
    capsys.readouterr()
    sheet(*words, code=code)
    out, err = capsys.readouterr()
    assert out == "" and says in err
    assert kept(home) == before and list(before) == ["friday"]


def test_unsure_cards_are_never_guessed(home: Path, picture: str, capsys: pytest.CaptureFixture[str]) -> None:
    begin()
    before = kept(home)
    show("10H 9H? KD")
    sheet("add", "friday", "--player", "Ann", picture, code=2)
    err = capsys.readouterr().err
    assert "hand.png: 1 card is not certain (sure are 10H KD), and nothing was recorded" in err
    assert kept(home) == before


@pytest.mark.parametrize(
    ("typed", "total"), [("9h\n", 29), ("-\n", 20), ("\n", None)], ids=["named", "no card", "left open"]
)
def test_on_a_terminal_unsure_cards_are_asked_about(
    typed: str, total: int | None, picture: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin()
    show("10H 9H? KD")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    sheet("add", "friday", picture, "--player", "Ann", code=0 if total else 2)
    assert "may be 9H or 6H. Which is it?" in capsys.readouterr().err
    assert totals(capsys)["Ann"] == (total or 0)


def test_a_photograph_of_what_the_packs_cannot_hold_is_refused(
    home: Path, picture: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begin()
    show("10H 10H 10H")
    sheet("add", "friday", "--player", "Ann", picture, code=2)
    assert "Ann, deal 1: 10H is there 3 times" in capsys.readouterr().err
    assert len(kept(home)["friday"].operations) == 1


def test_corrections_keep_what_they_do_not_name(capsys: pytest.CaptureFixture[str]) -> None:
    sheet("new", "friday", "--players", "Ann,Bob,Cy", "--variant", "liverpool", "--set", "carry_over_contract=yes")
    sheet("add", "friday", "--player", "Ann", "--points", "60", "--bonus", "exact_cut", code=2)
    assert "say whether the contract was met" in capsys.readouterr().err
    sheet("add", "friday", "--player", "Ann", "--points", "60", "--bonus", "exact_cut", "--met", "no")
    sheet("correct", "friday", "--player", "Ann", "--cards", "KD")
    assert totals(capsys)["Ann"] == -40
    sheet("correct", "friday", "--player", "Ann", "--cards", "KD", "--bonus", "none", "--met", "yes")
    found = state(capsys)["deals"]
    assert isinstance(found, list)
    score = found[0]["scores"][0]
    assert (score["points"], score["met"], score["bonuses"]) == (10, True, [])
    sheet("correct", "friday", "--player", "Ann", "--out", "--bonus", "exact_cut")
    assert totals(capsys)["Ann"] == -50


def test_sheets_are_listed_and_deleted(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet("list")
    assert "there are no score sheets; begin one" in capsys.readouterr().err
    begin()
    sheet("new", "saturday", "--players", "Ann,Bob", "--variant", "gin")
    with EventStore.open(home / "history.sqlite3") as store:
        store.begin_sheet("broken", new_event({"op": "undo"}, ""))
    capsys.readouterr()
    sheet("list", "--json", code=1)
    out, err = capsys.readouterr()
    assert [each["name"] for each in json.loads(out)] == ["friday", "saturday"]
    assert "The score sheet 'broken' is damaged" in err
    sheet("delete", "broken", "--yes")
    monkeypatch.setattr("sys.stdin", io.StringIO("\nyes\n"))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    sheet("delete", "friday")
    assert "friday" in kept(home)
    sheet("delete", "friday")
    capsys.readouterr()
    sheet("list")
    assert capsys.readouterr().out == "saturday: gin. Deal 1: Ann deals, any melds. No score yet: Ann and Bob.\n"


def test_a_sheet_that_does_not_replay_says_its_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin()
    with EventStore.open(home / "history.sqlite3") as store:
        friday = store.sheet("friday")
        assert isinstance(friday, Session)
        store.append(friday.id, 1, [new_event({"op": "dance"}, "")])
    sheet("show", "friday", code=1)
    assert "The score sheet 'friday' is damaged in its line 2: 'dance' is not an operation" in capsys.readouterr().err


def test_sheets_of_files_are_taken_over_and_that_is_said_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = home / "rummy-sheets"
    old.mkdir(parents=True)
    sheet("new", "away", "--players", "Ann,Bob,Cy", "--store", str(home / "another.sqlite3"))
    begun = kept(home, "another.sqlite3")["away"].operations[0]
    line = json.dumps({"n": 1, "at": "2026-10-03T18:22:05Z", "operation": begun})
    (old / "friday.jsonl").write_text(f'{line}\n{{"n": 2, "at": "2026-10-03T1', encoding="utf-8")
    (old / "saturday.jsonl").write_text(f"{line}\n", encoding="utf-8")
    (old / "broken.jsonl").write_text("{}\n", encoding="utf-8")
    sheet("list", "--store", str(home / "another.sqlite3"))
    assert (old / "friday.jsonl").exists(), "another store takes nothing over"
    capsys.readouterr()
    sheet("add", "friday", "--player", "Ann", "--points", "9")
    err = capsys.readouterr().err
    assert f"score sheets friday, saturday: moved into {home / 'history.sqlite3'}; their files are kept in" in err
    assert "its last line was cut off (28 bytes, after line 1): left out" in err
    assert totals(capsys) == {"Ann": 9, "Bob": 0, "Cy": 0}
    sheet("list", code=1)
    out, err = capsys.readouterr()
    assert out.count("\n") == 2 and "moved into" not in err
    assert "The score sheet 'broken' is still in" in err and "line 1 has no operation" in err
    for words in (("show",), ("undo",), ("delete", "--yes"), ("new", "--players", "A,B,C")):
        sheet(words[0], "broken", *words[1:], code=1)
        assert "line 1 has no operation" in capsys.readouterr().err
    assert sorted(path.name for path in old.glob("**/*.jsonl")) == ["broken.jsonl", "friday.jsonl", "saturday.jsonl"]


def test_sheets_are_kept_beside_the_evenings_and_are_none(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin()
    long_ago = datetime(2026, 1, 3, tzinfo=UTC)
    with EventStore.open(home / "history.sqlite3", clock=lambda: long_ago) as store:
        evening = store.end_session(store.start_session("blackjack").id).id
    capsys.readouterr()
    assert main(["history", "list"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(evening) and out.count("\n") == 1
    assert main(["history", "prune", "--days", "9"]) == 0
    assert main(["history", "list"]) == 0
    assert capsys.readouterr().out.endswith("Nothing has been stored yet.\n") and list(kept(home)) == ["friday"]
    assert main(["history", "export", "--out", str(home / "all.jsonl")]) == 0
    assert main(["history", "import", str(home / "all.jsonl"), "--store", str(home / "there.sqlite3")]) == 0
    assert kept(home, "there.sqlite3") == kept(home)


def test_a_store_that_cannot_be_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for where, code, says in (
        (str(tmp_path), 2, "is a folder: name a file in it"),
        ("mysql://host/name", 2, "a database of an unknown kind"),
        (__file__, 1, "is damaged (file is not a database)"),
    ):
        sheet("list", "--store", where, code=code)
        assert says in capsys.readouterr().err


def test_photographs_are_kept_apart_for_each_store(home: Path, tmp_path: Path) -> None:
    """What no sheet of a store names is deleted, so two stores cannot share a folder."""
    own = pictures_folder(None)
    assert own == pictures_folder(str(home / "history.sqlite3")) == home / "rummy-pictures"
    assert pictures_folder(str(tmp_path / "a.sqlite3")) == tmp_path / "a.sqlite3-pictures"
    one, other = (pictures_folder(f"postgresql://ann:{word}@host/cards") for word in ("secret", "changed"))
    assert one == other != own and one.parent == home
    assert pictures_folder("postgresql://ann:secret@host/other") != one
