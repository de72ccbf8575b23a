"""``tableside serve`` and ``tableside demo``: the side display."""

from __future__ import annotations

import argparse
import errno
import socket
import threading
import webbrowser
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.prepare import prepare_odds
from advisor.cli.read import add_reader_options, load_reader
from advisor.cli.rules import DEFAULT_RULES
from advisor.cli.rules import load as load_rules
from advisor.cli.terminal import USAGE, Failure, command

if TYPE_CHECKING:
    from advisor.games.blackjack import HouseRules
    from advisor.service.live import LiveTable

PORT = 8765
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def register(commands: Any) -> None:
    """Add ``demo`` and ``serve``."""
    demo = command(commands, "demo", "the side display with a rendered round, no camera needed", "tableside demo")
    _shared(demo, "home")
    demo.set_defaults(run=run_demo)
    serve = command(
        commands,
        "serve",
        "the side display for your camera, a stream, a video or pictures",
        "tableside serve --source 0 --rules six-deck-s17",
    )
    serve.add_argument(
        "--source",
        required=True,
        metavar="S",
        help="a webcam number, a video file, a folder, a picture, or an rtsp:// or http:// stream",
    )
    serve.add_argument("--loop", action="store_true", help="start a video again when it ends")
    _shared(serve, DEFAULT_RULES)
    serve.set_defaults(run=run_serve)


def _shared(parser: argparse.ArgumentParser, rules: str) -> None:
    parser.add_argument(
        "--rules", default=rules, metavar="R", help=f"a name from `tableside rules`, or a TOML file (default {rules})"
    )
    parser.add_argument("--port", type=int, default=PORT, help=f"the display's port (default {PORT})")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on; this machine only, for now")
    parser.add_argument(
        "--dealer-side",
        choices=("top", "bottom", "left", "right"),
        default="top",
        help="where in the picture the dealer's cards lie while no face-down card tells (default top)",
    )
    add_reader_options(parser)
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")


def run_demo(arguments: argparse.Namespace) -> int:
    """The shipped clip, again and again, through the same pipeline as a camera's picture."""
    clip = Path(str(files("advisor") / "demo" / "round.mp4"))
    return _serve(arguments, str(clip), loop=True)


def run_serve(arguments: argparse.Namespace) -> int:
    """``tableside serve``."""
    return _serve(arguments, arguments.source, loop=arguments.loop)


def _serve(arguments: argparse.Namespace, spec: str, loop: bool) -> int:
    if arguments.host not in LOOPBACK:
        raise Failure(
            f"--host {arguments.host}: this version answers only to this machine; leave --host out "
            "(opening the display to your network comes with the pairing code).",
            USAGE,
        )
    if not 0 < arguments.port < 65536:
        raise Failure(f"--port {arguments.port}: a port is a number from 1 to 65535.", USAGE)
    rules = load_rules(arguments.rules)
    listener = _listener(arguments.host, arguments.port)
    if listener is None:
        raise Failure(
            f"port {arguments.port} on {arguments.host} is in use; close the other program or choose another "
            f"with --port {arguments.port % 65535 + 1}."
        )
    with listener:
        return _run(arguments, rules, spec, loop, listener)


def _run(arguments: argparse.Namespace, rules: HouseRules, spec: str, loop: bool, listener: socket.socket) -> int:
    from advisor.service.live import LiveTable
    from vision.sources import SourceError, open_source

    try:
        source = open_source(spec, loop=loop)
    except SourceError as error:
        raise Failure(str(error), USAGE) from error
    reader = load_reader(arguments)
    prepare_odds()
    return _listen(arguments, LiveTable(source, reader, rules, arguments.rules, arguments.dealer_side), listener)


def _listen(arguments: argparse.Namespace, table: LiveTable, listener: socket.socket) -> int:
    import uvicorn

    from advisor.service.app import create_app

    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    address = f"http://{host}:{arguments.port}/"
    config = uvicorn.Config(create_app(table), log_level="warning", ws_max_size=65536, timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    print(f"The side display is on {address}   (Ctrl-C ends it)", flush=True)
    if not arguments.no_browser:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    server.run(sockets=[listener])
    return 0 if server.started else 1


def _listener(host: str, port: int) -> socket.socket | None:
    """A bound socket, or None where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            return None
        raise
    return listener
