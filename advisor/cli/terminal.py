"""What the command line says, and how: sentences on stderr, colours and progress only where a person looks."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import Any, NoReturn, TextIO

Commands = argparse._SubParsersAction
"""The list of sub-commands, as ``add_subparsers`` returns it."""

FAILED, USAGE = 1, 2
COLOURS = {"amber": "33", "red": "31", "green": "32", "dim": "2", "bold": "1"}


class Failure(Exception):  # noqa: N818 - it is how a command ends, not a fault in it
    """A command cannot go on: ``sentence`` says what is wrong and what to do; ``code`` is the exit code."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.sentence, self.code = sentence, code


class Misused(Failure):
    """The command was not written right: ``usage`` is how it is written."""

    def __init__(self, sentence: str, usage: str) -> None:
        super().__init__(sentence, USAGE)
        self.usage = usage


class Parser(argparse.ArgumentParser):
    """Raises `Misused` rather than to end the program, and names no type of Python's."""

    def error(self, message: str) -> NoReturn:
        """A mistake in the words of the command."""
        told = re.sub(r"invalid int value: (.+)", r"\1 is no whole number", message)
        raise Misused(f"{self.prog}: error: {told}", self.format_usage())


def say(sentence: str) -> None:
    """One line on stderr."""
    print(f"tableside: {sentence}", file=sys.stderr, flush=True)


def coloured(text: str, colour: str, stream: TextIO | None = None) -> str:
    """``text`` in a colour if ``stream`` (default stdout) is a terminal and NO_COLOR is not set."""
    out = stream or sys.stdout
    if not out.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def count(text: str) -> int:
    """An argparse type: a whole number of at least one."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number: give 1 or more") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small: give 1 or more")
    return number


def command(commands: Any, name: str, help: str, example: str) -> argparse.ArgumentParser:
    """Add a sub-command whose ``--help`` ends with an example."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help,
        description=help[:1].upper() + help[1:] + ".",
        epilog=f"example: {example}",
    )
    return parser


class Progress:
    """A bar on stderr for long work; silent where nobody looks or there is little to do."""

    WIDTH = 28

    def __init__(self, total: int, least: int = 4) -> None:
        self.total, self.done = total, 0
        self.shown = total >= least and sys.stderr.isatty()

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        self.draw()

    def draw(self) -> None:
        """Draw the bar over itself."""
        if self.shown:
            filled = round(self.WIDTH * self.done / max(1, self.total))
            bar = "█" * filled + "·" * (self.WIDTH - filled)
            sys.stderr.write(f"\r{bar} {self.done}/{self.total}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar away, so that a line can be printed in its place."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
