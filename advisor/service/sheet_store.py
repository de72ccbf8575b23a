"""What keeps score sheets by name, and what can go wrong with that.

A sheet is a list of operations, only ever added to. What they mean is no concern of a store.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from advisor.service.store import StoreError

LONGEST_NAME: Final = 50
_NAME: Final = re.compile(r"\w(?:[\w -]*\w)?")
_RESERVED: Final = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)")
"""Names that one operating system keeps for itself: a sheet's exports are files called after it."""

Data = Mapping[str, Any]
"""An operation as plain data."""


class SheetError(StoreError):
    """A sheet cannot be read or written: a sentence that names it and says what to do."""


class NoSheet(SheetError):  # noqa: N818 - it names what is wrong
    """There is no sheet of that name."""


class Taken(SheetError):  # noqa: N818 - it names what is wrong
    """There is a sheet of that name already."""


class Busy(SheetError):  # noqa: N818 - it names what the sheet is
    """Another program has added to the sheet since it was read."""


@dataclass(frozen=True)
class Kept:
    """A sheet's operations, oldest first."""

    operations: tuple[Data, ...]
    keys: tuple[str, ...] = field(default=(), compare=False)
    """What each operation was named by whoever sent it; empty text where nobody did."""


class Writer(Protocol):
    """A sheet to be added to as it was read."""

    @property
    def kept(self) -> Kept:
        """What stood there when it was read, and what was appended since."""

    def append(self, operation: Data, key: str = "") -> None:
        """Add an operation and return once it is safe; raises `StoreError` with nothing added.

        `Busy` where anybody else has added something since it was read: no operation ever follows one that whoever made
        it had not seen.
        """


class SheetStore(Protocol):
    """What keeps score sheets by name. Every method may raise `StoreError`."""

    def names(self) -> tuple[str, ...]:
        """The sheets there are, sorted."""

    def read(self, name: str) -> Kept:
        """A sheet's operations."""

    def create(self, name: str, operation: Data, key: str = "") -> None:
        """Begin a sheet with its first operation; `Taken` where there is one of that name."""

    def writing(self, name: str) -> AbstractContextManager[Writer]:
        """The sheet to be added to."""

    def delete(self, name: str) -> None:
        """Take a sheet away for good."""


def checked_name(name: str) -> str:
    """A sheet's name as it is kept; raises `SheetError` where it cannot be one."""
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    if len(kept) > LONGEST_NAME or not _NAME.fullmatch(kept) or _RESERVED.fullmatch(kept):
        raise SheetError(
            f"{name!r} is no name for a score sheet: use up to {LONGEST_NAME} letters, digits, spaces, - and _, "
            "a letter or digit first and last."
        )
    return kept
