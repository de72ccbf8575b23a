"""The score sheets that ``tableside rummy sheet`` keeps: read, carried on by one operation, and told."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from advisor.cli.batch import Refused
from advisor.cli.terminal import USAGE, Failure, say

if TYPE_CHECKING:
    from advisor.games.rummy.sheet import Operation, Sheet
    from advisor.service.sheet_store import SheetStore


STORE_WAITS: Final = 3.0
"""Seconds to wait for another program's lock on the store."""


def add_store_option(parser: argparse.ArgumentParser) -> None:
    """The option that says where the score sheets are kept."""
    parser.add_argument(
        "--store", metavar="URL|FILE", help="another file, or postgresql://… (default: in your own data folder)"
    )


def own_store(where: str | None) -> bool:
    """Whether this is the store in the person's own data folder, by default or by its name."""
    from advisor.service.store.address import address, default_path

    return where is None or address(where) == address(default_path())


@contextmanager
def sheet_store(where: str | None) -> Iterator[SheetStore]:
    """The score sheets in a store; into this person's own one (None) those of an earlier version are moved.

    What is wrong with a store or a sheet, here or where it is used, ends the command with its sentence.
    """
    from platformdirs import user_data_path

    from advisor.service.sheet_events import EventSheets
    from advisor.service.sheet_takeover import take_over
    from advisor.service.store import EventStore, StoreReadOnlyError

    with sentences():
        try:
            store = EventStore.open(where, wait=STORE_WAITS)
        except StoreReadOnlyError:
            store = EventStore.open(where, existing=True, wait=STORE_WAITS)  # it can still be looked at
        with store:
            if not own_store(where):
                yield EventSheets(store)
                return
            found = take_over(store, user_data_path("tableside", appauthor=False) / "rummy-sheets")
            for sentence in found.said:
                say(sentence)
            yield EventSheets(store, found.left)


@contextmanager
def sentences() -> Iterator[None]:
    """What a sheet or its store refuses ends the command with its sentence."""
    from advisor.games.rummy.sheet import IllegalMove
    from advisor.service.store import StoreAddressError, StoreError

    try:
        yield
    except StoreAddressError as error:
        raise Failure(str(error), USAGE) from error
    except StoreError as error:
        raise Failure(str(error)) from error
    except IllegalMove as error:
        raise Failure(str(error), USAGE) from error
    except Refused as refused:
        raise Failure(f"{refused.sentence.rstrip('.')}.", refused.code) from refused


def kept_sheet(arguments: argparse.Namespace) -> Sheet:
    """The sheet that is named, as it stands."""
    with sheet_store(arguments.store) as store:
        return read_sheet(store, arguments.name)


def read_sheet(store: SheetStore, name: str) -> Sheet:
    """A sheet as it stands; raises `StoreError`."""
    from advisor.service.rummy_sheets import replayed

    return replayed(name, store.read(name))


def done(
    arguments: argparse.Namespace,
    make: Callable[[Sheet], Operation],
    words: Callable[[Sheet, Sheet], str] | None = None,
) -> int:
    """Add the operation that ``make`` builds from the sheet as it stands; where it is refused nothing is written.

    ``words`` says what happened, from the sheet before and after.
    """
    from advisor.games.rummy.sheet import as_dict, next_words, operation_words
    from advisor.service.rummy_sheets import replayed

    with sheet_store(arguments.store) as store, store.writing(arguments.name) as writer:
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
