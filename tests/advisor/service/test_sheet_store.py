"""Score sheets as files: what is appended is kept, what a crash tears is dropped, and nobody writes between."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.service.sheet_store import Busy, SheetFiles, StoreError

FIRST = {"op": "start-game", "players": ["Zoë"]}
SECOND = {"op": "undo"}


@pytest.fixture
def files(tmp_path: Path) -> SheetFiles:
    return SheetFiles(tmp_path / "sheets", lambda: datetime(2026, 10, 3, 18, 22, 5, tzinfo=UTC))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sheets" / "friday.jsonl"


def append(files: SheetFiles, *operations: dict[str, object], name: str = "friday") -> None:
    with files.writing(name) as writer:
        for operation in operations:
            writer.append(operation)


def test_what_is_appended_is_kept_a_line_each(files: SheetFiles, path: Path) -> None:
    assert files.names() == ()
    files.create("friday", FIRST)
    append(files, SECOND, SECOND)
    append(files, SECOND)
    assert files.read("friday").operations == (FIRST, SECOND, SECOND, SECOND) and files.read("friday").dropped == ""
    first, second = path.read_text(encoding="utf-8").splitlines()[:2]
    assert json.loads(first) == {"n": 1, "at": "2026-10-03T18:22:05Z", "operation": FIRST} and "Zoë" in first
    assert json.loads(second)["n"] == 2
    files.create("An other-1", FIRST)
    assert files.names() == ("An other-1", "friday")


def test_a_sheet_is_begun_once_and_may_be_deleted(files: SheetFiles, path: Path) -> None:
    files.create("friday", FIRST)
    with pytest.raises(StoreError, match="There is a score sheet called 'friday' already"):
        files.create(" friday ", SECOND)
    files.delete("friday")
    assert files.names() == () and list(path.parent.iterdir()) == []
    for act in (files.read, files.delete, lambda name: append(files, SECOND, name=name)):
        with pytest.raises(StoreError, match="There is no score sheet called 'friday': there is none"):
            act("friday")
    files.create("friday", SECOND)
    assert files.read("friday").operations == (SECOND,)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a.", "x" * 51, "con", "a\nb\0", "COM1", "-a"])
def test_names_that_are_no_file_names_are_refused(files: SheetFiles, name: str) -> None:
    with pytest.raises(StoreError, match="is no name for a score sheet"):
        files.create(name, FIRST)


@pytest.mark.parametrize("torn", [b'{"n": 3, "op', b"\0\0\0\0", b'{"n": 3, "at": "", "operation": {"op": "undo"}}'])
def test_a_torn_last_line_is_said_dropped_and_written_over(files: SheetFiles, path: Path, torn: bytes) -> None:
    files.create("friday", FIRST)
    append(files, SECOND)
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    kept = files.read("friday")
    assert kept.operations == (FIRST, SECOND)
    assert kept.dropped.endswith(f"its last line was cut off ({len(torn)} bytes, after line 2) and is left out.")
    assert path.read_bytes() == whole + torn, "reading changes nothing"
    append(files, SECOND)
    assert path.read_bytes().startswith(whole) and files.read("friday") == type(kept)((FIRST, SECOND, SECOND))


def test_a_sheet_torn_at_its_first_line_can_be_begun_anew(files: SheetFiles, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b'{"n": 1, "at": "2026-10')
    assert files.names() == ()
    with pytest.raises(StoreError, match="nothing is in it"):
        files.read("friday")
    files.create("friday", FIRST)
    assert files.read("friday").operations == (FIRST,)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"nonsense", "line 2 is damaged"),
        (b"\xff\xfe", "line 2 is damaged"),
        (b"[" * 100_000, "line 2 is damaged"),
        (b'{"n": 2}', "line 2 has no operation"),
        (b'{"n": 1, "operation": {}}', "line 2 is numbered 1, so lines are lost or doubled"),
    ],
    ids=["no JSON", "no text", "deep", "no operation", "doubled"],
)
def test_damage_before_the_end_is_never_skipped(files: SheetFiles, path: Path, line: bytes, says: str) -> None:
    files.create("friday", FIRST)
    damaged = path.read_bytes() + line + b"\n"
    path.write_bytes(damaged)
    for act in (files.read, lambda name: append(files, SECOND, name=name)):
        with pytest.raises(StoreError, match=says):
            act("friday")
    assert path.read_bytes() == damaged


def test_two_writers_at_once_are_refused(files: SheetFiles, path: Path) -> None:
    files.create("friday", FIRST)
    files.create("saturday", FIRST)
    code = (
        "import sys; from pathlib import Path; from advisor.service.sheet_store import SheetFiles\n"
        "with SheetFiles(Path(sys.argv[1])).writing('friday') as writer:\n"
        "    print('in', flush=True); sys.stdin.readline(); writer.append({'op': 'redo'})\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path.parent)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None and other.stdout is not None and other.stdout.readline() == "in\n"
        with pytest.raises(Busy, match="'friday' is being written by another program: try again"):
            append(files, SECOND)
        with pytest.raises(Busy):
            files.delete("friday")
        append(files, SECOND, name="saturday")
        assert files.read("friday").operations == (FIRST,)
        other.communicate("go\n")
    append(files, SECOND)
    assert files.read("friday").operations == (FIRST, {"op": "redo"}, SECOND)


def test_the_lock_is_free_again_after_a_failure(files: SheetFiles) -> None:
    files.create("friday", FIRST)
    with pytest.raises(RuntimeError), files.writing("friday"):
        raise RuntimeError
    append(files, SECOND)


def test_a_write_that_fails_leaves_nothing_behind(
    files: SheetFiles, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.create("friday", FIRST)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("advisor.service.sheet_store.os.fsync", full)
        with pytest.raises(StoreError, match=r"could not be written \(No space left on device\); nothing was recorded"):
            append(files, SECOND)
    assert path.read_bytes() == before
    append(files, SECOND)
    assert files.read("friday").operations == (FIRST, SECOND)
