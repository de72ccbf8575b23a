"""``tableside serve`` as a person runs it: a process of its own, a real browser, Ctrl-C."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from service_stand_ins import put_picture, until

PATIENCE = 15_000
SERVE = """
import sys
sys.path.insert(0, {here!r})
from service_stand_ins import BarReader
from vision.cards.reader import CardReader
from advisor.cli import main
CardReader.load = classmethod(lambda cls, *a, **k: BarReader())
sys.exit(main(sys.argv[1:]))
"""
"""The command with a reader that needs no networks; everything else is real."""


class Server:
    """``tableside serve`` on one port, to be ended and started again."""

    def __init__(self, source: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}/"
        self.source = source
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Server:
        code = SERVE.format(here=str(Path(__file__).parent))
        words = ["serve", "--source", self.source, "--port", str(self.port), "--no-browser"]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert until(self.up, 20), self.stop()
        return self

    def up(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}api/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> tuple[int, str, str]:
        """Ctrl-C; the exit code and what was printed."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=8)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
            err += "\nit had to be killed"
        return self.process.returncode, out, err


@pytest.fixture
def serve() -> Iterator[Callable[[str], Server]]:
    servers: list[Server] = []

    def one(source: str) -> Server:
        servers.append(Server(source))
        return servers[-1].start()

    yield one
    for server in servers:
        if server.process is not None and server.process.poll() is None:
            server.process.kill()
            server.process.communicate()


@pytest.mark.parametrize("source", ["97", "rtsp://127.0.0.1:9/none"])
def test_ctrl_c_ends_it_cleanly_even_without_a_camera(serve: Callable[[str], Server], source: str) -> None:
    server = serve(source)
    code, out, err = server.stop()
    assert code in (0, 130) and err == ""
    assert server.address in out


def test_a_port_in_use_is_one_sentence(serve: Callable[[str], Server], tmp_path: Path) -> None:
    server = serve("97")
    words = ["serve", "--source", "97", "--port", str(server.port), "--no-browser"]
    done = subprocess.run(
        [sys.executable, "-m", "advisor.cli", *words], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and "in use" in done.stderr


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium on this machine")
def test_a_browser_shows_the_action_and_heals_after_a_restart(serve: Callable[[str], Server], tmp_path: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    picture = tmp_path / "table.png"
    put_picture(picture, 80)
    server = serve(str(picture))
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
        put_picture(picture, 80)
        expect(action).to_have_text("Double")
        server.stop()
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
        put_picture(picture, 120)
        server.start()
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open")
        expect(action).to_have_text("Hit")
        assert troubles == []
        browser.close()
