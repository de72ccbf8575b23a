"""Score sheets of files: taken over whole and once, whatever cuts it off; what cannot be stays where it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from store_stand_ins import public_folder, without_write

from advisor.service import sheet_takeover
from advisor.service.sheet_events import EventSheets
from advisor.service.sheet_store import Kept, SheetError
from advisor.service.sheet_takeover import take_over
from advisor.service.store import EventStore, StoreError

FIRST = {"op": "start-game", "players": ["Zoë"], "overrides": {"wilds_may_touch": True}}
SECOND = {"op": "undo"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    with EventStore.open(tmp_path / "history.sqlite3") as store:
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sheets").mkdir()
    return tmp_path / "sheets"


def line(number: int, operation: object, minute: int = 20, **more: object) -> bytes:
    data = {"n": number, "at": f"2026-10-03T18:{minute}:05Z", **more, "operation": operation}
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


FRIDAY = line(1, FIRST) + line(2, SECOND, 21, key="undo it")


def test_every_sheet_is_taken_over_with_its_times_and_keys(store: EventStore, folder: Path) -> None:
    (folder / "friday.jsonl").write_bytes(FRIDAY)
    (folder / "An other-1.jsonl").write_bytes(line(1, FIRST))
    (folder / ".friday.lock").touch()
    found = take_over(store, folder)
    assert found.left == {} and found.said == (
        f"score sheets An other-1, friday: moved into {store.name}; their files are kept in {folder / 'taken-over'}.",
    )
    kept = EventSheets(store).read("friday")
    assert kept == Kept((FIRST, SECOND)) and kept.keys == ("", "undo it")
    sheet = store.sheet("friday")
    assert sheet is not None and sheet.started == datetime(2026, 10, 3, 18, 20, 5, tzinfo=UTC)
    assert store.events(sheet.id)[1].time == datetime(2026, 10, 3, 18, 21, 5, tzinfo=UTC)
    assert (folder / "taken-over" / "friday.jsonl").read_bytes() == FRIDAY
    assert [path.name for path in folder.iterdir()] == ["taken-over"]
    assert take_over(store, folder) == sheet_takeover.TakenOver((), {})
    EventSheets(store).delete("friday")
    take_over(store, folder)
    assert EventSheets(store).names() == ("An other-1",), "what is deleted does not come back"


def test_without_files_nothing_is_done(store: EventStore, tmp_path: Path) -> None:
    assert take_over(store, tmp_path / "sheets") == sheet_takeover.TakenOver((), {})
    assert not (tmp_path / "sheets").exists()


@pytest.mark.parametrize("torn", [b'{"n": 3, "op', b"\0\0\0\0", b'{"n": 3, "at": "", "operation": {"op": "undo"}}'])
def test_a_torn_last_line_is_said_and_left_out(store: EventStore, folder: Path, torn: bytes) -> None:
    (folder / "friday.jsonl").write_bytes(FRIDAY + torn)
    said = take_over(store, folder).said[1]
    assert said.endswith(f"its last line was cut off ({len(torn)} bytes, after line 2): left out.")
    assert EventSheets(store).read("friday").operations == (FIRST, SECOND)
    assert (folder / "taken-over" / "friday.jsonl").read_bytes() == FRIDAY + torn


def test_a_sheet_torn_at_its_first_line_is_none(store: EventStore, folder: Path) -> None:
    (folder / "friday.jsonl").write_bytes(b'{"n": 1, "at": "2026-10')
    assert take_over(store, folder) == sheet_takeover.TakenOver((), {})
    EventSheets(store).create("friday", FIRST)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (b"nonsense\n", "line 2 is damaged"),
        (b"\xff\xfe\n", "line 2 is damaged"),
        (b"[" * 100_000 + b"\n", "line 2 is damaged"),
        (b'{"n": 2}\n', "line 2 has no operation"),
        (b'{"n": 1, "operation": {}}\n', "line 2 is numbered 1, so lines are lost or doubled"),
        (line(2, {"points": 7.5}), "points is of the type float"),
    ],
    ids=["no JSON", "no text", "deep", "no operation", "doubled", "no whole number"],
)
def test_a_damaged_sheet_stays_in_its_file_and_says_so(
    store: EventStore, folder: Path, wrong: bytes, says: str
) -> None:
    path = folder / "friday.jsonl"
    path.write_bytes(line(1, FIRST) + wrong)
    (folder / "saturday.jsonl").write_bytes(line(1, FIRST))
    found = take_over(store, folder)
    sheets = EventSheets(store, found.left)
    assert sheets.names() == ("friday", "saturday") and sheets.read("saturday").operations == (FIRST,)
    assert store.sheet("friday") is None and path.read_bytes() == line(1, FIRST) + wrong
    for act in (sheets.read, sheets.delete, lambda name: sheets.create(name, FIRST)):
        with pytest.raises(SheetError, match=f"'friday' is still in {path} and cannot be used: .*{says}"):
            act("friday")
    path.write_bytes(FRIDAY)  # mended
    assert take_over(store, folder).left == {} and store.sheet("friday") is not None


def test_cut_off_at_any_moment_it_is_done_once_in_the_end(
    store: EventStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a kill would: before the sheet is stored, after it, and after the file was moved."""
    (folder / "friday.jsonl").write_bytes(FRIDAY)

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    for where, whom, stored in ((store, "restore", 0), (sheet_takeover, "_move_aside", 1), (os, "close", 1)):
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr(where, whom, killed)
            take_over(store, folder)
        assert len(store.sheets()) == stored
    # Meanwhile the sheet went on in the store: that is no other one.
    (folder / "taken-over" / "friday.jsonl").rename(folder / "friday.jsonl")
    with EventSheets(store).writing("friday") as writer:
        writer.append(SECOND)
    assert take_over(store, folder).left == {}
    assert EventSheets(store).names() == ("friday",) and len(EventSheets(store).read("friday").operations) == 3


def test_another_sheet_of_the_same_name_keeps_it(store: EventStore, folder: Path) -> None:
    EventSheets(store).create("friday", FIRST)
    for operation in (FIRST, SECOND):
        (folder / "friday.jsonl").write_bytes(line(1, operation))
        said = take_over(store, folder).said
    assert said[1] == "The score sheet 'friday' is called 'friday 3' now, for there was another of its name."
    assert EventSheets(store).names() == ("friday", "friday 2", "friday 3")
    assert EventSheets(store).read("friday 3").operations == (SECOND,)
    assert sorted(path.name for path in (folder / "taken-over").iterdir()) == ["friday 2.jsonl", "friday.jsonl"]


def test_a_sheet_that_another_program_is_writing_is_left_for_now(store: EventStore, folder: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("needs fcntl")
    (folder / "friday.jsonl").write_bytes(FRIDAY)
    code = (
        "import fcntl, sys\nwith open(sys.argv[1], 'w') as file:\n"
        "    fcntl.flock(file, fcntl.LOCK_EX); print('in', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder / ".friday.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdin is not None and other.stdout is not None and other.stdout.readline() == "in\n"
        found = take_over(store, folder)
        assert "another program is writing it; try again" in found.left["friday"]
        other.stdin.close()
    assert (folder / "friday.jsonl").read_bytes() == FRIDAY
    # Somebody else took it over meanwhile: then it is to be used here too.
    take_over(store, folder)
    assert EventSheets(store, found.left).read("friday").operations == (FIRST, SECOND)


def test_where_the_folder_or_the_store_cannot_be_written_nothing_is_moved() -> None:
    with public_folder() as home:
        (home / "sheets").mkdir(mode=0o755)
        (home / "sheets" / "friday.jsonl").write_bytes(FRIDAY)
        with EventStore.open(home / "history.sqlite3") as store, without_write(home / "sheets"):
            found = take_over(store, home / "sheets")
            assert "cannot be taken out of" in found.left["friday"] and store.sheets() == []
        home.chmod(0o777)
        (home / "sheets").chmod(0o777)
        with (
            without_write(home / "history.sqlite3"),
            EventStore.open(home / "history.sqlite3", existing=True) as store,
        ):
            found = take_over(store, home / "sheets")
            assert "cannot be written" in found.left["friday"]
            with pytest.raises(StoreError, match="'friday' is still in"):
                EventSheets(store, found.left).read("friday")
        assert (home / "sheets" / "friday.jsonl").read_bytes() == FRIDAY
