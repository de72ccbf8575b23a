"""The command line: sentences for what is wrong, exit codes for programs, JSON as promised."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from advisor.cli import main, read, serve
from vision.cards.reader import CardReader
from vision.chips.reader import ChipReader
from vision.sightings import CardSighting, Reading

QUAD = ((10.04, 20.0), (40.0, 20.0), (40.0, 60.0), (10.0, 60.06))


class MadeUpReader:
    """Reads one sure card, one back and one doubtful face in every picture; fails on very dark ones."""

    def read(self, image: np.ndarray) -> Reading:
        if image.mean() < 5:
            raise RuntimeError("odd")
        sightings = (
            CardSighting("card", QUAD, "10H", 0.98765),
            CardSighting("back", QUAD),
            CardSighting("unsure", QUAD, "9H", 0.5, {"6H": 0.4, "9H": 0.5}),
        )
        return Reading(image.shape[1], image.shape[0], sightings, {"find": 1.23, "total": 4.56})


@pytest.fixture
def picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture, and a reader that needs no network."""
    monkeypatch.setattr(CardReader, "load", classmethod(lambda cls, *a, **k: MadeUpReader()))
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((80, 120, 3), 90, np.uint8))
    return path


def test_read_prints_one_json_object_a_picture_as_promised(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(picture), str(picture), "--json"]) == 0
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 2 and err == ""
    corners = [[10.0, 20.0], [40.0, 20.0], [40.0, 60.0], [10.0, 60.1]]
    ms = lines[0].pop("ms")
    assert {"open", "find", "total"} <= set(ms)
    assert lines[0] == {
        "image": str(picture),
        "width": 120,
        "height": 80,
        "mirrored": False,
        "cards": [{"card": "10H", "confidence": 0.9877, "corners": corners}],
        "backs": [{"corners": corners}],
        "unsure": [{"guesses": {"9H": 0.5, "6H": 0.4}, "corners": corners}],
    }
    assert list(lines[0]["unsure"][0]["guesses"]) == ["9H", "6H"], "likeliest first"


def test_read_in_words_names_what_is_unsure_and_a_mirror(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(picture)]) == 0
    assert capsys.readouterr().out == f"{picture}: 10H, 1 face down, unsure: 9H?\n"
    shown = Reading(120, 80, (), mirrored=True)
    monkeypatch.setattr(read, "read_picture", lambda name, _: (shown, 0.0))
    assert main(["read", str(picture)]) == 0
    assert capsys.readouterr().out == f"{picture}: no cards, seen in a mirror\n"


def test_a_picture_that_cannot_be_read_is_said_and_the_others_are_read(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), np.zeros((80, 120, 3), np.uint8))
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "words.jpg").write_text("no picture " * 20)
    names = [str(tmp_path / n) for n in ("missing.jpg", "empty.jpg", "words.jpg", "dark.png")] + [str(picture)]
    assert main(["read", "--json", *names]) == 1
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["image"] for line in lines] == names
    assert [set(line) == {"image", "error"} for line in lines] == [True] * 4 + [False]
    assert len(err.splitlines()) == 4 and "Traceback" not in err
    for line, said in zip(lines, err.splitlines(), strict=False):
        assert said == f"tableside: {line['error']}"


def test_drawn_pictures_never_replace_the_photographs(picture: Path, tmp_path: Path) -> None:
    other = tmp_path / "sub" / "table.png"
    other.parent.mkdir()
    photograph = picture.with_suffix(".jpg")
    cv2.imwrite(str(other), np.full((80, 120, 3), 120, np.uint8))
    cv2.imwrite(str(photograph), np.full((80, 120, 3), 150, np.uint8))
    before = photograph.read_bytes()
    assert main(["read", str(picture), str(photograph), str(other), "--draw", str(tmp_path)]) == 0
    assert photograph.read_bytes() == before
    assert sorted(p.name for p in tmp_path.glob("*.jpg")) == [
        "table-2.jpg",
        "table-3.jpg",
        "table-4.jpg",
        "table.jpg",
    ]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], 2, "usage"),
        (["nonsense"], 2, "invalid choice"),
        (["read"], 2, "IMAGE"),
        (["read", "x.jpg", "--threads", "0"], 2, "1 or more"),
        (["read", "x.jpg", "--threads", "abc"], 2, "argument --threads: 'abc' is no whole number: give 1 or more"),
        (["serve", "--source", "0", "--seats", "x"], 2, "argument --seats: 'x' is no whole number"),
        (["rules", "nonsense"], 2, "unknown house rules 'nonsense'"),
        (["serve", "--source", "0", "--rules", "nonsense"], 2, "unknown house rules 'nonsense'"),
        (["serve", "--source", "0", "--host", "0.0.0.0"], 2, "only to this machine"),
        (["serve", "--source", "0", "--port", "99999"], 2, "1 to 65535"),
        (["bench", "cards", "missing.json"], 1, "missing.json"),
        (["read", "x.jpg", "--weights", "nowhere"], 1, "network file detector.onnx is missing"),
    ],
)
def test_what_is_wrong_is_a_sentence_and_an_exit_code(
    words: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    out, err = capsys.readouterr()
    assert says in err and out == "" and "Traceback" not in err


def test_a_damaged_network_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("detector.onnx", "reader.onnx"):
        (tmp_path / name).write_bytes(b"no network")
    assert main(["read", "x.jpg", "--weights", str(tmp_path)]) == 1
    assert "is damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["demo"], ["serve"], ["read"], ["rules"], ["bench", "cards"], ["dataset", "sheet"], ["dataset", "render"]]
)
def test_every_command_helps_with_an_example(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--help"]) == 0
    assert f"example: tableside {' '.join(words)}" in capsys.readouterr().out


def test_rules_are_listed_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert "home" in capsys.readouterr().out
    assert main(["rules", "home", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["home"]["decks"] == 1


def test_a_port_in_use_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--source", "0", "--port", str(port), "--no-browser"]) == 1
    assert f"port {port} on 127.0.0.1 is in use" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"), [(["--chips"], True), ([], False), (["--chips", "--layout", "three-seats"], False)]
)
def test_that_no_chips_are_watched_without_a_felt_is_said(
    more: list[str], said: bool, picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "_listener", lambda *_: nullcontext())
    monkeypatch.setattr(serve, "load_reader", lambda *_, **__: SimpleNamespace(with_settings=lambda _: None))
    monkeypatch.setattr(ChipReader, "load", classmethod(lambda cls, *_, **__: cls))
    monkeypatch.setattr(serve, "prepare_odds", lambda: None)
    monkeypatch.setattr(serve, "_listen", lambda *_: 0)
    monkeypatch.setattr("advisor.service.live.LiveTable", lambda *_, **__: SimpleNamespace(look_anew=0, picture=0))
    assert main(["serve", "--source", str(picture), "--forget", *more]) == 0
    assert ("no chips are watched before a felt is chosen" in capsys.readouterr().err) == said


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "advisor.cli", *words], capture_output=True, text=True, timeout=60, check=False
    )


def test_reading_starts_without_the_web_server() -> None:
    """A cold start must not wait for libraries that reading does not use."""
    code = (
        "import sys; from advisor.cli import main; main(['read', 'missing.jpg', '--weights', 'nowhere']);"
        "print(sorted({'fastapi', 'uvicorn', 'pydantic', 'datasets.scene', 'advisor.games'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_an_early_end_of_the_reader_of_our_output_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m advisor.cli rules --json | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "words", ["rules", "rules --json", "rules --help", "read missing.jpg --json", "read --json", "chipset list"]
)
@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_an_answer_that_cannot_be_written_is_a_sentence(words: str, unbuffered: str, tmp_path: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m advisor.cli {words} > /dev/full",
        shell=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if words.endswith("--help") and unbuffered:
        return  # what argparse writes at once it keeps quiet about
    last = "tableside: the answer could not be written to standard output (No space left on device); "
    assert "Traceback" not in done.stderr and done.stderr.splitlines()[-1].startswith(last)
    assert done.returncode == 1


def test_where_standard_output_is_closed_nothing_is_said_and_nothing_fails() -> None:
    done = subprocess.run(
        f"{sys.executable} -m advisor.cli rules >&-", shell=True, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_programs_are_told_of_wrong_usage_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["payout", "verify", "--json"]) == 2
    out, err = capsys.readouterr()
    said = "tableside payout verify: error: the following arguments are required: --before, --after, --outcome"
    assert json.loads(out) == {"error": said} and err.endswith(f"{said}\n") and err.startswith("usage: ")


def test_a_pipe_is_no_picture(tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    assert main(["read", str(tmp_path / "pipe.jpg"), str(picture)]) == 1
    out, err = capsys.readouterr()
    assert "pipe.jpg: this is no file but a pipe or a device" in err and out.startswith(str(picture))


def test_no_colours_where_nobody_looks() -> None:
    assert "\x1b" not in _run("rules").stdout


def test_a_name_that_is_no_text_does_not_end_the_run(picture: Path, tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jpg")
    assert main(["read", odd, str(picture)]) == 1


def test_the_usual_blackjack_rules_are_the_first_that_the_table_offers() -> None:
    from advisor.cli.rules import DEFAULT_RULES
    from advisor.games.catalogue import game

    assert next(iter(game("blackjack").presets())) == DEFAULT_RULES


def test_a_manifests_picture_that_is_missing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text('{"items": [{"image": "no.jpg", "source": "phone", "cards": ["2C"]}]}')
    assert main(["bench", "cards", str(manifest)]) == 1
    out, err = capsys.readouterr()
    assert "phone" in out and "no.jpg" in err and "1 of the manifest's pictures were not opened" in err
    assert main(["bench", "cards", str(manifest), "--json"]) == 1
    assert "no.jpg" in json.loads(capsys.readouterr().out)["misread"][0]["trouble"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["dataset", "sheet", "sheet.txt", "--count", "1"], 1, "could not be written; check the folder and the ending"),
        (["dataset", "sheet", "no/such/folder/sheet.jpg"], 1, "could not be written; check the folder and the ending"),
        (["dataset", "sheet", "sheet.jpg", "--count", "0"], 2, "give a whole number, 1 or more"),
        (["bench", "speed", "a.jpg", "--size", "99999x99999"], 2, "write width x height"),
    ],
)
def test_options_that_cannot_be_get_a_sentence(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        ended = main(words)
    except SystemExit as end:
        ended = int(str(end.code))
    assert ended == code and said in capsys.readouterr().err
