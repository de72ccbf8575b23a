"""Questions in JSON lines, and their answers in lines: what the ``--batch`` of every command shares."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from advisor.cli.terminal import FAILED, USAGE, Failure


class Refused(Exception):  # noqa: N818 - it names what happened to the question
    """A question that gets no answer.

    ``kind`` is malformed, ambiguous, impossible or unreadable, ``part`` what it is about.
    """

    def __init__(self, kind: str, part: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind, self.part, self.sentence = kind, part, sentence

    @property
    def as_object(self) -> dict[str, Any]:
        """The error as the JSON that programs get."""
        return {"error": {"kind": self.kind, "part": self.part, "message": self.sentence}}

    @property
    def code(self) -> int:
        """The exit code of a command that ends so."""
        return FAILED if self.kind == "unreadable" else USAGE


def answer_lines(name: str, needs: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """Print an answer for each line of the file ``name`` (- for stdin); a `Refused` one says why and the rest go on.

    ``needs`` says what a line holds. An error has its line's number; empty lines are passed over. Returns 0, or 1 where
    a line could not be answered; ends with a sentence where the file cannot be read.
    """
    failed = False
    for number, line in enumerate(_lines(name), 1):
        if not line.strip():
            continue
        try:
            found = answer(_question(line, needs))
        except Refused as refused:
            found, failed = refused.as_object, True
            found["error"]["line"] = number
        print(json.dumps(found), flush=True)
    return FAILED if failed else 0


def _question(line: str, needs: str) -> dict[str, Any]:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError) as error:  # too long a number and too deep a nesting are not JSON errors
        raise Refused("malformed", "line", f"not JSON: {error}") from error
    if not isinstance(asked, dict):
        raise Refused("malformed", "line", f"a line must be a JSON object with {needs}")
    return asked


def _lines(name: str) -> Iterator[str]:
    if name == "-":
        yield from sys.stdin
        return
    try:
        with Path(name).open(encoding="utf-8") as lines:
            yield from lines
    except OSError as error:
        raise Failure(f"{name}: it could not be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise Failure(f"{name}: it is no text file: give one JSON object a line.") from error
