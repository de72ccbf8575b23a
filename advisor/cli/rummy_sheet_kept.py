"""The score sheets that ``tableside rummy sheet`` keeps: read, carried on by one operation, and told."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from advisor.cli.batch import Refused
from advisor.cli.terminal import USAGE, Failure, say

if TYPE_CHECKING:
    from advisor.games.rummy.sheet import Operation, Sheet
    from advisor.service.sheet_store import SheetStore


def sheet_store() -> SheetStore:
    """Where this person's score sheets are kept."""
    from platformdirs import user_data_path

    from advisor.service.sheet_store import SheetFiles

    return SheetFiles(user_data_path("tableside", appauthor=False) / "rummy-sheets")


@contextmanager
def sentences() -> Iterator[None]:
    """What a sheet or its store refuses ends the command with its sentence."""
    from advisor.games.rummy.sheet import IllegalMove
    from advisor.service.sheet_store import StoreError

    try:
        yield
    except StoreError as error:
        raise Failure(str(error)) from error
    except IllegalMove as error:
        raise Failure(str(error), USAGE) from error
    except Refused as refused:
        raise Failure(f"{refused.sentence.rstrip('.')}.", refused.code) from refused


def kept_sheet(name: str) -> Sheet:
    """A sheet as it stands."""
    from advisor.service.rummy_sheets import replayed

    kept = sheet_store().read(name)
    if kept.dropped:
        say(kept.dropped)
    return replayed(name, kept)


def done(
    arguments: argparse.Namespace,
    make: Callable[[Sheet], Operation],
    words: Callable[[Sheet, Sheet], str] | None = None,
    warned: bool = False,
) -> int:
    """Add the operation that ``make`` builds from the sheet as it stands; where it is refused nothing is written.

    ``words`` says what happened, from the sheet before and after; ``warned`` where a torn line was spoken of already.
    """
    from advisor.games.rummy.sheet import as_dict, next_words, operation_words
    from advisor.service.rummy_sheets import replayed

    with sentences(), sheet_store().writing(arguments.name) as writer:
        if writer.kept.dropped and not warned:
            say(writer.kept.dropped)
        before = replayed(arguments.name, writer.kept)
        operation = make(before)
        sheet = before.after(operation)
        writer.append(as_dict(operation))
    said = words(before, sheet) if words else f"{_first_capital(operation_words(operation))}."
    told(arguments, sheet, said, next_words(sheet))
    return 0


def _first_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def told(arguments: argparse.Namespace, sheet: Sheet, *sentences: str) -> None:
    """Say what happened, or with ``--json`` what now stands."""
    from advisor.games.rummy.sheet import as_json

    print(json.dumps(as_json(sheet)) if arguments.json else "\n".join(sentences), flush=True)


def last_deal(sheet: Sheet) -> int:
    """The deal being played, or the last one."""
    return max(1, len(sheet.deals))
