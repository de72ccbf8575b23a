"""``tableside history``: sessions listed, shown, taken along and deleted; every mistake is a sentence."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import main
from advisor.service.store import EventStore, NewEvent

JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"
Words = Callable[..., tuple[int, str, str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


@pytest.fixture
def history(path: Path, capsys: pytest.CaptureFixture[str]) -> Words:
    """Runs the command on the store at ``path``; exit code, output, what was said."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["history", *words, "--store", str(path)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def sitting(path: Path, *, days_ago: float = 0, ended: bool = True) -> str:
    then = datetime.now(UTC) - timedelta(days=days_ago)
    with EventStore.open(path, clock=lambda: then) as store:
        session = store.start_session("blackjack", {"decks": 6}, note="Friday").id
        dealt = [
            NewEvent("change", {"op": "deal", "seat": 3, "card": "10H"}, "camera"),
            NewEvent("change", {"op": "note", "text": "two words\x1b[2J"}, "dealer"),
        ]
        store.append(session, 0, dealt)
        store.add_snapshot(session, 1, "which seat?", JPEG)
        if ended:
            store.end_session(session)
    return session


def test_sessions_are_listed_and_shown_for_people(path: Path, history: Words) -> None:
    session = sitting(path, ended=False)
    code, out, _ = history("list")
    assert code == 0 and out.startswith(f"{session}  blackjack  ")
    assert out.rstrip().endswith("open  2 events, 1 picture  Friday")
    code, out, _ = history("show", "last")
    first, one, two, picture = out.splitlines()
    assert first.startswith(session)
    assert one.split()[0] == "1" and one.endswith("camera  change  op=deal seat=3 card=10H")
    assert two.endswith(r'dealer  change  op=note text="two words\u001b[2J"')
    assert picture == "picture 1 after event 1: which seat?"


def test_sessions_are_listed_and_shown_for_programs(path: Path, history: Words, tmp_path: Path) -> None:
    session = sitting(path)
    listed = json.loads(history("list", "--json")[1])
    assert [(s["id"], s["game"], s["events"], s["snapshots"], s["rules"]) for s in listed] == [
        (session, "blackjack", 2, 1, {"decks": 6})
    ]
    shown = json.loads(history("show", session, "--json", "--after", "1", "--snapshots", str(tmp_path / "out"))[1])
    assert shown["session"] == listed[0]
    assert [(e["sequence"], e["actor"], e["kind"]) for e in shown["events"]] == [(2, "dealer", "change")]
    assert shown["snapshots"][0]["reason"] == "which seat?"
    assert Path(shown["snapshots"][0]["file"]).read_bytes() == JPEG


def test_before_the_first_game_the_list_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "nothing")
    assert main(["history", "list"]) == 0
    assert capsys.readouterr().out == "Nothing has been stored yet.\n"
    assert main(["history", "list", "--json"]) == 0
    assert capsys.readouterr().out == "[]\n"
    assert main(["history", "export"]) == 1
    assert "There is no history yet" in capsys.readouterr().err
    assert not (tmp_path / "nothing").exists()


def test_an_export_moves_to_another_machine(
    path: Path, history: Words, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = sitting(path)
    file, there = tmp_path / "evening.jsonl", str(tmp_path / "there.sqlite3")
    assert history("export", "--out", str(file))[:2] == (0, f"{file}\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["evening.jsonl", "history.sqlite3"]
    assert history("export", session)[1] == file.read_text()
    assert "snapshot" not in history("export", "last", "--no-snapshots")[1]
    for said in ("Added 1 session.\n", "Added 0 sessions; 1 session here already.\n"):
        assert main(["history", "import", str(file), "--store", there]) == 0
        assert capsys.readouterr().out == said
        with EventStore.open(there) as store, EventStore.open(path) as here:
            assert store.events(session) == here.events(session)
    code, out, _ = history("import", str(file), "--json")
    assert (code, json.loads(out)) == (0, {"added": [], "known": [session]})


def test_an_export_as_a_table(path: Path, history: Words) -> None:
    session = sitting(path)
    code, out, _ = history("export", "--format", "csv")
    rows = list(csv.DictReader(StringIO(out)))
    assert (code, [(row["session"], row["sequence"]) for row in rows]) == (0, [(session, "1"), (session, "2")])


def test_a_session_is_ended_and_deleted(path: Path, history: Words) -> None:
    session = sitting(path, ended=False)
    code, out, said = history("delete", session)
    assert (code, out) == (1, "") and "is still open: end it first" in said
    assert json.loads(history("end", session, "--json")[1])["ended"] is not None
    assert history("delete", session)[:2] == (0, f"Deleted {session}: 2 events, 1 picture.\n")
    assert history("list")[:2] == (0, "Nothing has been stored yet.\n")
    assert history("show", "last") == (2, "", "tableside: There is no session yet.\n")


def test_old_sessions_are_pruned(path: Path, history: Words) -> None:
    old, kept = sitting(path, days_ago=40), sitting(path, days_ago=20)
    sitting(path, days_ago=40, ended=False)
    code, out, _ = history("prune", "--days", "30", "--json")
    assert (code, json.loads(out)) == (0, {"deleted": [old], "events": 2, "snapshots": 2})
    assert json.loads(history("show", kept, "--json")[1])["snapshots"] == []
    assert history("prune", "--days", "30")[1] == "Deleted 0 sessions: 0 events, 0 pictures.\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["show", "yesterday"], 2, "There is no session 'yesterday': `tableside history list` shows"),
        (["export", "yesterday"], 2, "There is no session"),
        (["delete", "yesterday"], 2, "There is no session"),
        (["show"], 2, "required: SESSION"),
        (["prune"], 2, "required: --days"),
        (["prune", "--days", "0"], 2, "too small"),
        (["prune", "--days", "5", "--snapshot-days", "9"], 2, "snapshots are kept no longer than their session"),
        (["prune", "--days", "999999999"], 2, "at most 100000 days"),
        (["export", "--format", "xml"], 2, "invalid choice"),
        (["export", "--out", "/nowhere/at/all"], 1, "it could not be written"),
        (["import", "/nowhere/at/all"], 2, "it cannot be read"),
    ],
)
def test_mistakes_are_sentences(path: Path, history: Words, words: list[str], code: int, said: str) -> None:
    sitting(path)
    found, out, err = history(*words)
    assert (found, out) == (code, "")
    assert said in err


@pytest.mark.parametrize(
    ("where", "code", "said"),
    [
        ("mysql://me:secret@host/cards", 2, "of an unknown kind"),
        ("{folder}", 2, "is a folder"),
        ("{folder}/none.sqlite3", 1, "There is no history yet"),
        ("{folder}/garbage", 1, "is damaged"),
        ("{folder}/newer", 1, "written by a newer Tableside"),
    ],
)
def test_a_store_that_cannot_be_used_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, code: int, said: str
) -> None:
    (tmp_path / "garbage").write_bytes(b"this was never a database " * 100)
    sitting(tmp_path / "newer")
    with closing(sqlite3.connect(tmp_path / "newer")) as connection:
        connection.execute("UPDATE schema_version SET version = 9")
        connection.commit()
    for words in (["list"], ["prune", "--days", "9"]):
        assert main(["history", *words, "--store", where.format(folder=tmp_path)]) == code
        out, err = capsys.readouterr()
        assert out == "" and said in err and "secret" not in err


def test_a_file_to_import_that_is_not_right(path: Path, history: Words, tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    for text, said in ((b"no JSON", "Line 1: it cannot be read"), (b"\xff\xfe", "is not text that")):
        file.write_bytes(text)
        code, _, err = history("import", str(file))
        assert code == 1 and said in err


def test_an_export_does_not_overwrite_the_store_and_leaves_nothing_half_written(
    path: Path, history: Words, tmp_path: Path
) -> None:
    session = sitting(path)
    assert history("export", "--out", str(path))[0] == 2
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM events WHERE sequence = 1")
        connection.commit()
    assert history("export", session, "--out", str(tmp_path / "evening.jsonl"))[0] == 1
    assert [p.name for p in tmp_path.iterdir() if "sqlite3" not in p.name] == []


def test_the_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, Any] = {}
    for words in ([], ["list"], ["show"], ["end"], ["delete"], ["prune"], ["export"], ["import"]):
        assert main(["history", *words, "--help"]) == 0
        found[" ".join(words)] = capsys.readouterr().out
    assert all("example: tableside history" in text for text in found.values())
