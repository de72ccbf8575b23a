"""``tableside serve`` and ``tableside demo``: the side display."""

from __future__ import annotations

import argparse
import errno
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.game_rules import chosen_rules
from advisor.cli.prepare import prepare_odds
from advisor.cli.read import add_reader_options, decks_folder, load_reader
from advisor.cli.terminal import USAGE, Failure, command, say

if TYPE_CHECKING:
    from fastapi import APIRouter

    from advisor.cli.demo_source import DemoSource
    from advisor.money import ChipSet
    from advisor.service.access import Lan
    from advisor.service.live import LiveTable
    from advisor.service.pairing import Codes
    from advisor.service.table_log import TableLog
    from advisor.table import TableState
    from vision.chips.reader import ChipReader

PORT = 8765
LONGEST_NAME = 80
"""Characters of a layout's name that the evening's log keeps."""
STORE_WAITS = 2.0
"""Seconds to wait for another program's lock on the store: a page waits as long for its answer."""
LARGEST_MESSAGE = 4 * 1024 * 1024
"""Bytes of a camera's picture; every other message is limited by `advisor.service.access`."""
EVERYWHERE = "0.0.0.0"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def register(commands: Any) -> None:
    """Add ``demo`` and ``serve``."""
    demo = command(commands, "demo", "the side display with a rendered round, no camera needed", "tableside demo")
    _shared(demo, None)
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
        help="a webcam number, a video file, a folder, a picture, an rtsp:// or http:// stream, or browser (a phone or "
        "laptop that opens the page /camera)",
    )
    serve.add_argument("--loop", action="store_true", help="start a video again when it ends")
    _shared(serve, None)
    serve.add_argument(
        "--store",
        metavar="URL|FILE",
        help="where evening and sheets are kept: another file, or postgresql://… (default: in your own data folder)",
    )
    serve.add_argument("--forget", action="store_true", help="keep nothing of this evening")
    serve.add_argument("--new", action="store_true", help="begin a new evening instead of going on with the last one")
    serve.add_argument(
        "--lan",
        action="store_true",
        help="open the display to your network: other devices type a code that is shown here",
    )
    serve.set_defaults(run=run_serve)


def _shared(parser: argparse.ArgumentParser, rules: str | None) -> None:
    parser.add_argument("--game", metavar="G", help="blackjack, pontoon or punto-banco (default blackjack)")
    parser.add_argument(
        "--rules", default=rules, metavar="R", help="house rules: a preset's name or a TOML file (default: the game's)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="FIELD=VALUE",
        help="change one house rule, such as minimum=2; may be given more than once",
    )
    parser.add_argument("--layout", metavar="L", help="the felt: a name from `tableside layout list`, or a file")
    parser.add_argument(
        "--chips",
        nargs="?",
        const="",
        metavar="NAME",
        help="watch the bets and the payouts too, on a calibrated --layout; with your own chips of that name",
    )
    parser.add_argument("--seats", type=int, help="how many seats are dealt in, 1 to 7 (default: the layout's, or 7)")
    parser.add_argument("--port", type=int, default=PORT, help=f"the display's port (default {PORT})")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on; another one needs --lan")
    parser.add_argument(
        "--dealer-side",
        choices=("top", "bottom", "left", "right"),
        default="top",
        help="where in the picture the dealer's cards lie while no face-down card tells (default top)",
    )
    add_reader_options(parser)
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")


def run_demo(arguments: argparse.Namespace) -> int:
    """A clip of the game, again and again, through the same pipeline as a camera's picture. Nothing of it is kept."""
    from advisor.cli.demo_clips import LAYOUT, RULES

    game = arguments.game or "blackjack"
    clip = _clip_of(game)
    arguments.lan, arguments.demo = False, game
    arguments.rules = arguments.rules or RULES.get(game)
    if game != "blackjack":
        arguments.layout = arguments.layout or LAYOUT
    return _serve(arguments, clip, loop=True, kept=False)


def _demo_source(game: str) -> DemoSource:
    from advisor.cli.demo_source import DemoSource
    from vision.sources import SourceError

    try:
        return DemoSource(game, _clip_of)
    except SourceError as error:
        raise Failure(f"the demo's clip cannot be played; install tableside again ({error})") from error


def _follow_the_clips(table: LiveTable, demo: DemoSource) -> None:
    """Another game on the table brings its clip, and the table begins again where its clip does."""
    from advisor.cli.demo_clips import BEGINS_ANEW
    from advisor.games.contract.plain import plain_rules
    from advisor.table.changes import SetTable, plain_values

    def again(game: str) -> None:
        now = table.table
        if game in BEGINS_ANEW and game == now.game:
            values = plain_values(plain_rules(now.rules))
            table.change(
                SetTable(game=game, rules=now.rules_name, values=values, layout=now.layout, seats=now.seats, anew=True)
            )

    table.on_game, demo.again = demo.play, again


def _clip_of(game: str) -> str:
    """The file of a game's clip. Blackjack's comes with the program; others are rendered when first asked for."""
    from advisor.cli.demo_clips import demo_clip

    return str(files("advisor") / "demo" / "round.mp4") if game == "blackjack" else str(demo_clip(game))


def run_serve(arguments: argparse.Namespace) -> int:
    """``tableside serve``."""
    return _serve(arguments, arguments.source, loop=arguments.loop, kept=not arguments.forget)


def _serve(arguments: argparse.Namespace, spec: str, loop: bool, kept: bool) -> int:
    if arguments.host not in LOOPBACK and not arguments.lan:
        raise Failure(
            f"--host {arguments.host}: the display answers only to this machine; leave --host out, or open it to your "
            "network with tableside serve --lan.",
            USAGE,
        )
    if arguments.lan and arguments.host in LOOPBACK:
        arguments.host = EVERYWHERE
    if not 0 < arguments.port < 65536:
        raise Failure(f"--port {arguments.port}: a port is a number from 1 to 65535.", USAGE)
    if arguments.seats is not None and not 1 <= arguments.seats <= 7:
        raise Failure(f"--seats {arguments.seats}: a table has 1 to 7 seats.", USAGE)
    state = _begin(arguments)
    listener = _listener(arguments.host, arguments.port)
    if listener is None:
        raise Failure(
            f"port {arguments.port} on {arguments.host} is in use; close the other program or choose another "
            f"with --port {arguments.port % 65535 + 1}."
        )
    with listener:
        return _run(arguments, state, spec, loop, kept, listener)


def _begin(arguments: argparse.Namespace, now: TableState | None = None) -> TableState:
    """The table that the options ask for, and otherwise as it is `now`; wrong names end the command with a sentence."""
    from advisor.games.catalogue import UnknownGame
    from advisor.games.catalogue import game as game_named
    from advisor.table import begin
    from vision.felt import LayoutError, load_layout

    layout = (now.layout if now else "") if arguments.layout is None else arguments.layout
    try:
        game = game_named(arguments.game or (now.game if now else "blackjack"))
        places = len(load_layout(layout).seats) if arguments.layout else 0
    except (UnknownGame, LayoutError) as error:
        raise Failure(str(error).rstrip(".") + ".", USAGE) from error
    if len(layout) > LONGEST_NAME:
        raise Failure(f"--layout {layout}: the name is too long; copy the file nearer.", USAGE)
    # Another felt brings its seats, as it does on the page; on the same one their number may have been chosen there.
    brought = places if not now or layout != now.layout else 0
    seats = arguments.seats or brought or (now.seats if now else game.seats)
    if now and game.name == now.game and not (arguments.rules or arguments.overrides):
        return begin(game.name, now.rules, now.rules_name, layout, min(seats, game.seats))
    name = arguments.rules or next(iter(game.presets()))
    rules = chosen_rules(game.load, name, arguments.overrides)
    said = Path(name).name[:60] + (", changed" if arguments.overrides else "")
    return begin(game.name, rules, said, layout, min(seats, game.seats))


def _run(
    arguments: argparse.Namespace, state: TableState, spec: str, loop: bool, kept: bool, listener: socket.socket
) -> int:
    from platformdirs import user_data_path

    from advisor.cli.rummy_page import make_router
    from advisor.cli.rummy_sheet_kept import sheet_store
    from advisor.service.decks_api import decks_router
    from advisor.service.felt_view import FeltView
    from advisor.service.live import LiveTable
    from advisor.service.own_decks import OwnDecks
    from advisor.service.private_api import private_router
    from advisor.service.rummy_pictures import OneAtATime
    from advisor.service.table_log import MemoryLog
    from vision.cards.reader import Settings
    from vision.sources import SourceError, open_source

    demo = _demo_source(arguments.demo) if getattr(arguments, "demo", "") else None
    try:
        source = demo or open_source(spec, loop=loop)
    except SourceError as error:
        raise Failure(str(error), USAGE) from error
    reader = load_reader(arguments, live=True)
    chip_reader, chips = _chips(arguments)
    prepare_odds()
    log = _stored(arguments, state) if kept else MemoryLog(state)
    if chip_reader is not None and not log.state.layout:
        say("no chips are watched before a felt is chosen and calibrated: name it with --layout, or on the display.")
    felt = FeltView(user_data_path("tableside", appauthor=False) / "calibrations.json" if kept else None)
    table = LiveTable(source, reader, log, arguments.dealer_side, chips, felt=felt, chip_reader=chip_reader)
    if demo is not None:
        _follow_the_clips(table, demo)
    photographs = reader.with_settings(Settings())  # one picture must say what many frames say of the table
    decks = OwnDecks(decks_folder(), photographs, getattr(arguments, "deck", None) or "", table.look_anew)
    routers = [private_router(table, OneAtATime(photographs)), decks_router(decks, table.picture)]
    if not kept:
        return _listen(arguments, table, routers, listener)
    with sheet_store(arguments.store) as sheets:
        return _listen(arguments, table, [*routers, make_router(photographs, sheets, arguments.store)], listener)


def _chips(arguments: argparse.Namespace) -> tuple[ChipReader | None, ChipSet]:
    """What reads the chips, where that was asked for, and what they are worth."""
    from advisor.cli.chips import load_reader as load_chip_reader
    from advisor.money import DEFAULT_CHIPS

    if arguments.chips is None:
        return None, DEFAULT_CHIPS
    return load_chip_reader(argparse.Namespace(set=arguments.chips or None, weights=None, threads=1), played=True)


def _stored(arguments: argparse.Namespace, state: TableState) -> TableLog:
    """The evening in the store; its faults end the command with their sentences."""
    from advisor.service.store import EventStore, StoreError
    from advisor.service.table_log import StoredLog

    try:
        log = StoredLog.resume(EventStore.open(arguments.store, wait=STORE_WAITS), state, anew=arguments.new)
        if log.state.number:
            say(f"going on with the evening {log.session}, round {log.state.round} (--new begins another)")
        _as_asked(arguments, log)  # also where the evening that goes on was only begun
    except StoreError as error:
        raise Failure(f"{error} (With --forget the table runs without keeping anything.)") from error
    return log


def _as_asked(arguments: argparse.Namespace, log: TableLog) -> None:
    """Take over what the options ask for where the evening that goes on was played otherwise.

    What they leave open stays as it was: the game and the rules may have been chosen on the page.
    """
    from advisor.games.contract.plain import plain_rules
    from advisor.table.changes import SetTable, plain_values

    now = log.state
    asked = _begin(arguments, now)
    if (now.game, now.rules, now.layout, now.seats) == (asked.game, asked.rules, asked.layout, asked.seats):
        return
    values = plain_values(plain_rules(asked.rules))
    change = SetTable(game=asked.game, rules=asked.rules_name, values=values, layout=asked.layout, seats=asked.seats)
    log.apply([change], "server")


def _listen(
    arguments: argparse.Namespace, table: LiveTable, routers: Sequence[APIRouter], listener: socket.socket
) -> int:
    import uvicorn

    from advisor.service.app import create_app

    lan = _lan(arguments) if arguments.lan else None
    name = "127.0.0.1" if arguments.host == EVERYWHERE else arguments.host
    host = f"[{name}]" if ":" in name else name
    address = f"http://{host}:{arguments.port}/"
    config = uvicorn.Config(
        create_app(table, routers, lan),
        log_level="warning",
        ws_max_size=LARGEST_MESSAGE,
        timeout_graceful_shutdown=2,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    print(f"The side display is on {address}   (Ctrl-C ends it)", flush=True)
    if lan is not None:
        print(f"On other devices of your network open {lan.url}", flush=True)
        lan.codes.on_new()
    if not arguments.no_browser:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    server.run(sockets=[listener])
    return 0 if server.started else 1


def _lan(arguments: argparse.Namespace) -> Lan:
    def codes(now: Codes) -> str:
        return f"code for a dealer's device {now.code('dealer')}, for a player's {now.code('viewer')}"

    return opened(arguments.host, arguments.port, not arguments.forget, codes)


def opened(host: str, port: int, kept: bool, words: Callable[[Codes], str]) -> Lan:
    """A server's opening to the network; paired devices are remembered where ``kept``.

    Its codes are printed as ``words`` says them, and again whenever there are new ones.
    """
    from platformdirs import user_data_path

    from advisor.service.access import Lan
    from advisor.service.pairing import Codes, Devices

    codes = Codes(time.monotonic)

    def tell() -> None:
        print(f"  {words(codes)}", flush=True)

    codes.on_new = tell
    devices = user_data_path("tableside", appauthor=False) / "devices.json" if kept else None
    own = own_address() if host == EVERYWHERE else host
    return Lan(codes, Devices(devices, time.time), f"http://{own}:{port}/")


def own_address() -> str:
    """This machine's address in the network; its name where it has none at present."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this asks which address packets to the outside would bear.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


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
