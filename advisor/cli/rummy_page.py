"""``tableside rummy page``: the score sheets in a browser, photographs read, without a camera at the table."""

from __future__ import annotations

import argparse
import hashlib
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.read import add_reader_options, load_reader
from advisor.cli.rummy_sheet_kept import add_store_option, own_store, sheet_store
from advisor.cli.rummy_variants import DEFAULT_VARIANT, chosen_variant
from advisor.cli.serve import EVERYWHERE, LOOPBACK, PORT, _listener, opened
from advisor.cli.terminal import USAGE, Failure, command

if TYPE_CHECKING:
    from fastapi import APIRouter

    from advisor.service.pairing import Codes
    from advisor.service.sheet_store import SheetStore
    from vision.cards.reader import CardReader


def register(commands: Any) -> None:
    """Add the sub-command."""
    page = command(commands, "page", "the score sheets in a browser, no camera needed", "tableside rummy page")
    page.add_argument(
        "--variant",
        default=DEFAULT_VARIANT,
        metavar="NAME",
        help=f"the variant offered first: a name or your own TOML file (default {DEFAULT_VARIANT})",
    )
    page.add_argument("--port", type=int, default=PORT, help=f"the page's port (default {PORT})")
    page.add_argument("--host", default="127.0.0.1", help="the address to listen on; another one needs --lan")
    page.add_argument(
        "--lan", action="store_true", help="open the page to your network: a phone types a code that is shown here"
    )
    page.add_argument("--no-browser", action="store_true", help="do not open the browser")
    add_store_option(page)
    add_reader_options(page)
    page.set_defaults(run=run_page)


def pictures_folder(store: str | None) -> Path:
    """Where photographs of hands are kept: apart for each store, since what no sheet of the store names is deleted."""
    from platformdirs import user_data_path

    from advisor.service.store.address import address

    data = user_data_path("tableside", appauthor=False)
    if own_store(store):
        return data / "rummy-pictures"
    place = address(store)
    if place.path is not None:
        return place.path.with_name(f"{place.path.name}-pictures")
    return data / f"rummy-pictures-{hashlib.sha256(place.name.encode()).hexdigest()[:12]}"


def make_router(reader: CardReader, sheets: SheetStore, store: str | None, variant: str = DEFAULT_VARIANT) -> APIRouter:
    """The rummy page's routes on the score sheets of that store; also for other commands that serve pages."""
    from advisor.games.rummy import variant_names
    from advisor.service.rummy_api import rummy_router
    from advisor.service.rummy_pictures import OneAtATime

    chosen = chosen_variant(variant, [])
    own = () if chosen.name in variant_names() else (chosen,)
    return rummy_router(sheets, pictures_folder(store), OneAtATime(reader), own, chosen.name)


def _code(codes: Codes) -> str:
    scores, looks = codes.code("dealer"), codes.code("viewer")
    return f"code for a phone that scores {scores} (as Dealer), for one that looks on {looks} (as Players' view)"


def run_page(arguments: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    if arguments.host not in LOOPBACK and not arguments.lan:
        raise Failure(
            f"--host {arguments.host}: the page answers only to this machine; leave --host out, or open it to your "
            "network with tableside rummy page --lan.",
            USAGE,
        )
    if arguments.lan and arguments.host in LOOPBACK:
        arguments.host = EVERYWHERE
    if not 0 < arguments.port < 65536:
        raise Failure(f"--port {arguments.port}: a port is a number from 1 to 65535.", USAGE)
    chosen_variant(arguments.variant, [])  # a wrong name is said before the networks are loaded
    listener = _listener(arguments.host, arguments.port)
    if listener is None:
        raise Failure(
            f"port {arguments.port} on {arguments.host} is in use; close the other program or choose another "
            f"with --port {arguments.port % 65535 + 1}."
        )
    with listener, sheet_store(arguments.store) as sheets:
        import uvicorn

        from advisor.service.rummy_app import create_rummy_app

        lan = opened(arguments.host, arguments.port, True, _code) if arguments.lan else None
        app = create_rummy_app(make_router(load_reader(arguments), sheets, arguments.store, arguments.variant), lan)
        name = "127.0.0.1" if arguments.host == EVERYWHERE else arguments.host
        address = f"http://{f'[{name}]' if ':' in name else name}:{arguments.port}/rummy"
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2, proxy_headers=False)
        server = uvicorn.Server(config)
        print(f"The score sheets are on {address}   (Ctrl-C ends it)", flush=True)
        if lan is not None:
            print(f"On a phone of your network open {lan.url}", flush=True)
            lan.codes.on_new()
        if not arguments.no_browser:
            threading.Timer(1.0, webbrowser.open, [address]).start()
        server.run(sockets=[listener])
        return 0 if server.started else 1
