"""The one command, ``tableside``: a thin layer that turns words into calls and failures into sentences.

Every sub-command imports what it needs when it runs, so that reading one picture does not wait for a web server.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from advisor.cli import (
    bench,
    chips,
    chipset,
    deck,
    history,
    layout,
    odds,
    payout,
    pontoon,
    read,
    rules,
    rummy,
    serve,
    side_bets,
    simulate,
)
from advisor.cli.batch import Refused
from advisor.cli.terminal import FAILED, Failure, Misused, Parser, say

__all__ = ["main"]

DATASET = "dataset"
INTERRUPTED = 130
"""What shells expect of a command that Ctrl-C ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``tableside`` with ``argv`` (default: the command line). Returns 0 done, 1 failed, 2 wrong usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # a shell that closed it: what is said goes nowhere
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        # A file name that is no text in this terminal must not end the run.
        getattr(getattr(sys, name), "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output is gone (`| head`).
        _to_nowhere()
        return FAILED
    except OSError as error:
        if not _stuck():
            raise
        _to_nowhere()
        say(f"the answer could not be written to standard output ({error.strerror}); check where it goes.")
        return FAILED


def _run(words: Sequence[str]) -> int:
    try:
        arguments = _parser(words).parse_args(words)
        return int(arguments.run(arguments))
    except Misused as misused:
        print(misused.usage, end="", file=sys.stderr)
        print(misused.sentence, file=sys.stderr, flush=True)
        if "--json" in words:
            print(json.dumps({"error": misused.sentence}), flush=True)
        return misused.code
    except Failure as failure:
        say(failure.sentence)
        if getattr(arguments, "json", False) is True:
            refused = failure.__cause__
            found = refused.as_object if isinstance(refused, Refused) else {"error": failure.sentence}
            print(json.dumps(found), flush=True)
        return failure.code
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else int(ending.code is not None)


def _stuck() -> bool:
    """Whether it is standard output that cannot be written, not even the end of a line."""
    try:
        print(flush=True)
    except OSError:
        return True
    return False


def _to_nowhere() -> None:
    """Keep Python from complaining on the way out about what cannot be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    from importlib.metadata import PackageNotFoundError, version

    parser = Parser(
        prog="tableside",
        description="Watches a home card table through a camera and tells the dealer the right move.",
        epilog="example: tableside demo",
    )
    try:
        number = version("tableside")
    except PackageNotFoundError:
        number = "(not installed)"
    parser.add_argument("--version", action="version", version=f"tableside {number}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve.register(commands)
    read.register(commands)
    deck.register(commands)
    layout.register(commands)
    chips.register(commands)
    chipset.register(commands)
    odds.register(commands)
    rules.register(commands)
    payout.register(commands)
    side_bets.register(commands)
    rummy.register(commands)
    pontoon.register(commands)
    simulate.register(commands)
    history.register(commands)
    bench.register(commands)
    _register_dataset(commands, next((w for w in words if not w.startswith("-")), "") == DATASET)
    return parser


def _register_dataset(commands: argparse._SubParsersAction[Parser], wanted: bool) -> None:
    """The renderer's commands; their module is large, so it is opened only when they are asked for."""
    if wanted:
        import datasets.cli
        from advisor.cli import dataset_rounds

        dataset_rounds.register(datasets.cli.register(commands))
    else:
        commands.add_parser(DATASET, help="render labelled pictures of cards")
