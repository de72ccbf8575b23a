"""``tableside serve`` as a person runs it: a process of its own, a real browser, Ctrl-C."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from service_stand_ins import ABSENT, MarkReader, put_picture, until

from advisor.cli import main
from advisor.cli import serve as serve_command
from advisor.table import TableState
from advisor.table.changes import UsualBet
from vision.felt import layout_names, load_layout

pytestmark = pytest.mark.slow

PATIENCE = 15_000
SERVE = """
import sys
sys.path.insert(0, {here!r})
from service_stand_ins import Filmed, MarkReader
from vision.cards.reader import CardReader
import vision.sources.opening
from advisor.cli import main
CardReader.load = classmethod(lambda cls, *a, **k: MarkReader())
vision.sources.opening.PictureFeed = Filmed
sys.exit(main(sys.argv[1:]))
"""
"""The command with a reader that needs no networks, and a picture file as its camera; everything else is real."""
ROOT = Path(__file__).parents[3]


class Server:
    """``tableside serve`` on one port, with an evening of its own, to be ended and started again."""

    def __init__(self, source: str, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}/"
        self.source, self.store = source, folder / "history.sqlite3"
        self.environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
        self.process: subprocess.Popen[str] | None = None

    def start(self, *words: str) -> Server:
        code = SERVE.format(here=str(Path(__file__).parent))
        asked = ["serve", "--source", self.source, "--port", str(self.port), "--no-browser"]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *asked, "--store", str(self.store), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment,
        )
        assert until(self.up, 60), self.stop()
        return self

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=5) as answer:
            return json.loads(answer.read())

    def post(self, change: Any) -> int:
        """The number of the change that was acknowledged; raises `OSError` where none was."""
        request = urllib.request.Request(
            f"{self.address}api/table", json.dumps(change).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(json.loads(answer.read())["sequence"])

    def up(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}api/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """As a power cut would end it."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> tuple[int, str, str]:
        """Ctrl-C; the exit code and what was printed."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
            err += "\nit had to be killed"
        return self.process.returncode, out, err


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def one(source: str = ABSENT, *words: str) -> Server:
        servers.append(Server(source, tmp_path))
        return servers[-1].start(*words)

    yield one
    for server in servers:
        if server.process is not None and server.process.poll() is None:
            server.process.kill()
            server.process.communicate()


@pytest.mark.parametrize("source", [ABSENT, "rtsp://127.0.0.1:9/none"])
def test_ctrl_c_ends_it_cleanly_even_without_a_camera(serve: Callable[..., Server], source: str) -> None:
    server = serve(source)
    code, out, err = server.stop()
    said_before = "tableside: getting the odds ready"
    assert code in (0, 130) and [line for line in err.splitlines() if not line.startswith(said_before)] == []
    assert server.address in out


@pytest.fixture
def no_networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("vision.cards.reader.CardReader.load", lambda *a, **k: MarkReader())
    monkeypatch.setattr("advisor.cli.serve.prepare_odds", lambda: None)


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and what was written to stderr."""
    code = main(["serve", "--source", ABSENT, "--no-browser", *words])
    return code, capsys.readouterr().err


@pytest.mark.usefixtures("no_networks")
def test_a_port_in_use_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, err = said(["--port", str(taken.getsockname()[1])], capsys)
    assert code == 1 and len(err.splitlines()) == 1 and "in use" in err


@pytest.mark.usefixtures("no_networks")
def test_a_store_that_cannot_be_used_is_one_sentence_with_the_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "history.sqlite3"
    wrong.write_text("no database " * 100)
    code, err = said(["--port", "18765", "--store", str(wrong)], capsys)
    assert code == 1 and len(err.splitlines()) == 1 and "--forget" in err


@pytest.mark.parametrize(
    "words",
    [
        ["--game", "poker"],
        ["--layout", "no-such-felt"],
        ["--rules", "no-such-rules"],
        ["--set", "decks"],
        ["--set", "decks=0"],
        ["--seats", "9"],
        ["--port", "0"],
        ["--host", "192.168.1.9"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("no_networks")
def test_a_wrong_option_is_one_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, err = said(words, capsys)
    assert code == 2 and len(err.splitlines()) == 1 and err.rstrip().endswith(".")


def test_the_codes_for_the_network_are_printed_whenever_there_are_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    lan = serve_command._lan(argparse.Namespace(host="192.168.1.9", port=8765, forget=False))
    assert lan.url == "http://192.168.1.9:8765/"
    lan.codes.on_new()
    first = lan.codes.code("viewer")
    lan.codes.use(first, "viewer", "192.168.1.20")
    before, after = capsys.readouterr().out.splitlines()
    assert first in before and first not in after and lan.codes.code("viewer") in after
    lan.devices.add("viewer", "a phone")
    assert (tmp_path / "tableside" / "devices.json").exists()


def test_what_was_chosen_on_the_page_outlives_a_restart_and_what_is_asked_for_is_taken_over(tmp_path: Path) -> None:
    def begun(*words: str) -> TableState:
        parser = argparse.ArgumentParser()
        serve_command.register(parser.add_subparsers())
        asked = ["serve", "--source", ABSENT, "--store", str(tmp_path / "history.sqlite3"), *words]
        arguments = parser.parse_args(asked)
        log = serve_command._stored(arguments, serve_command._begin(arguments))
        log.apply([UsualBet(seat=1, amount="3")], "dealer")
        log.close()
        return log.state

    assert (begun().game, begun().rules_name) == ("blackjack", "six-deck-s17")
    assert begun("--set", "minimum=2").rules_name == "six-deck-s17, changed"
    changed = begun()
    assert (changed.rules.minimum, changed.number, changed.usual_bets[1]) == (2, 5, 3), "it goes on as it was"
    state = begun("--game", "pontoon", "--layout", "kitchen-table", "--seats", "4")
    assert (state.game, state.layout, state.seats) == ("pontoon", "kitchen-table", 4)
    state = begun("--seats", "5")
    assert (state.game, state.layout, state.seats, state.round) == ("pontoon", "kitchen-table", 5, 1)
    state = begun("--new")
    assert (state.game, state.layout, state.seats, state.number) == ("blackjack", "", 7, 1)


def begun_with(words: list[str], now: TableState | None = None) -> TableState:
    """The table that `tableside serve` or `tableside demo` with these words begins with."""
    parser = argparse.ArgumentParser()
    serve_command.register(parser.add_subparsers())
    return serve_command._begin(parser.parse_args(words), now)


SERVED = ["serve", "--source", ABSENT]


@pytest.mark.parametrize("command", [SERVED, ["demo"]], ids=["serve", "demo"])
@pytest.mark.parametrize(
    ("words", "seats"),
    [
        ([], 7),
        *((["--layout", name], len(load_layout(name).seats)) for name in layout_names()),
        (["--layout", "three-seats", "--seats", "2"], 2),
        (["--layout", "three-seats", "--seats", "5"], 5),
        (["--layout", "five-seats", "--game", "pontoon"], 5),
    ],
    ids=str,
)
def test_a_felt_brings_its_seats_unless_their_number_is_said(command: list[str], words: list[str], seats: int) -> None:
    assert begun_with([*command, *words]).seats == seats


def test_an_evening_that_goes_on_keeps_its_seats_unless_another_felt_is_asked_for() -> None:
    felt = [*SERVED, "--layout", "five-seats"]
    now = replace(begun_with(felt), seats=4)
    assert begun_with(felt, now).seats == begun_with(SERVED, now).seats == 4
    assert begun_with([*SERVED, "--layout", "one-seat"], now).seats == 1


def test_a_clip_on_its_own_felt_has_that_felts_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[TableState] = []
    monkeypatch.setattr(serve_command, "_clip_of", lambda game: "")

    def begin(asked: argparse.Namespace, *_: object, **__: object) -> int:
        tables.append(serve_command._begin(asked))
        return 0

    monkeypatch.setattr(serve_command, "_serve", begin)
    main(["demo", "--game", "pontoon"])
    main(["demo", "--game", "pontoon", "--layout", "one-seat"])
    assert [(it.layout, it.seats) for it in tables] == [("three-seats", 3), ("one-seat", 1)]


def test_what_is_asked_for_is_taken_over_too_where_the_evening_was_only_begun(tmp_path: Path) -> None:
    def begun(*words: str) -> TableState:
        parser = argparse.ArgumentParser()
        serve_command.register(parser.add_subparsers())
        arguments = parser.parse_args([*SERVED, "--store", str(tmp_path / "history.sqlite3"), *words])
        log = serve_command._stored(arguments, serve_command._begin(arguments))
        log.close()
        return log.state

    for words in (["--rules", "home"], ["--rules", "home"], []):
        state = begun(*words)
        assert (state.rules_name, state.layout, state.seats, state.number) == ("home", "", 7, 0)
    state = begun("--layout", "five-seats")
    assert (state.rules_name, state.layout, state.seats) == ("home", "five-seats", 5)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_what_was_acknowledged_survives_kill_9(serve: Callable[..., Server]) -> None:
    server, random, acknowledged = serve(ABSENT), Random(5), 0
    labels = [f"{rank}{suit}" for rank in "23456789" for suit in "CDHS"]
    last = ""
    for _ in range(2):
        stop = Event()

        def kill(after: float, stop: Event = stop) -> None:
            stop.wait(after)
            server.kill()

        killer = Thread(target=kill, args=(random.uniform(0.05, 0.6),))
        killer.start()
        sent = ""
        try:
            while True:
                sent = random.choice(labels)
                acknowledged = server.post({"op": "add-card", "label": sent, "seat": 1 + acknowledged % 7, "hand": 1})
                last = sent
        except (OSError, HTTPException):
            killer.join()
        server.start()
        played = server.get("api/state")["played"]
        cards = {card["card"]: card["label"] for hand in played["hands"] for card in hand["cards"]}
        assert acknowledged <= len(cards) <= acknowledged + 1, "none lost; the last may be kept though nobody heard"
        assert not last or cards[acknowledged] == last
        if len(cards) > acknowledged:
            assert cards[max(cards)] == sent
            acknowledged, last = len(cards), sent
    assert acknowledged > 8


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium on this machine")
def test_a_browser_shows_the_action_and_heals_after_a_restart(serve: Callable[..., Server], tmp_path: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    picture = tmp_path / "table.png"
    put_picture(picture, 80)
    server = serve(str(picture), "--rules", "home")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(server.address)
        action = page.get_by_test_id("hand-action")
        expect(action).to_have_text("Double")
        expect(page.get_by_test_id("hand-total")).to_have_text("hard 11")
        put_picture(picture, 120)
        expect(action).to_have_text("Hit")
        picture.unlink()
        expect(page.get_by_test_id("camera")).to_have_attribute("data-state", "lost")
        put_picture(picture, 120)
        expect(page.get_by_test_id("camera")).to_have_attribute("data-state", "live")
        server.stop()
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
        server.start()
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open")
        expect(action).to_have_text("Hit")
        assert troubles == []
        browser.close()
