"""What the store keeps, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from advisor.service.store.errors import RefusedError
from advisor.service.store.plain import check_name, check_text, decode, encode

Actor = Literal["camera", "dealer", "server"]
"""Who made an event: what the camera saw, what the dealer did on the display, what the server did by itself."""
ACTORS: Final[tuple[Actor, ...]] = get_args(Actor)

SCORE_SHEET: Final = "score-sheet"
"""What `Session.game` says of a score sheet. Its note is its name, which no other sheet has; it stays open until it is
deleted by that name, so that nothing that closes, lists or clears away evenings meets it."""

JPEG_START: Final = b"\xff\xd8\xff"
MAX_JPEG: Final = 4 * 1024 * 1024
"""Bytes of a snapshot."""


@dataclass(frozen=True)
class NewEvent:
    """An event to be stored: its data holds text, whole numbers, yes and no, in lists and objects where needed.

    Amounts are exact text ("7.50"). Raises `RefusedError` for data that cannot be stored as it is. The data are copied,
    tuples into lists, so that the event reads the same now and after a restart.
    """

    kind: str
    data: Mapping[str, Any]
    actor: Actor = "server"

    def __post_init__(self) -> None:
        check_name("An event's kind", self.kind)
        check_actor(self.actor)
        object.__setattr__(self, "data", decode(encode(f"The event {self.kind}", self.data)))


@dataclass(frozen=True)
class Event:
    """A stored event. Sequence numbers run from 1 without gaps and are the order; `time` is the clock's word (UTC)."""

    sequence: int
    time: datetime
    kind: str
    data: Mapping[str, Any]
    actor: Actor


@dataclass(frozen=True)
class Session:
    """A sitting, or a `SCORE_SHEET`. `ended` is None while it is open; `events` and `snapshots` are counts."""

    id: str
    game: str
    rules: Mapping[str, Any]
    layout: Mapping[str, Any]
    started: datetime
    ended: datetime | None
    note: str
    events: int
    snapshots: int


@dataclass(frozen=True)
class Snapshot:
    """What is known of a picture kept for a disputed moment: the moment after event `sequence`; its size in bytes."""

    id: int
    session: str
    sequence: int
    time: datetime
    reason: str
    size: int


@dataclass(frozen=True)
class NewSnapshot:
    """A picture to be stored with the moment it shows; raises `RefusedError` for bytes that are no JPEG or too many."""

    sequence: int
    time: datetime
    reason: str
    jpeg: bytes

    def __post_init__(self) -> None:
        check_text("A snapshot's reason", self.reason)
        if not self.jpeg.startswith(JPEG_START):
            raise RefusedError("A snapshot is kept as JPEG: these bytes are not one.")
        if len(self.jpeg) > MAX_JPEG:
            raise RefusedError(f"A snapshot of {len(self.jpeg)} bytes is too large: at most {MAX_JPEG} are kept.")


def check_actor(actor: object) -> Actor:
    """One of `ACTORS`; raises `RefusedError` for anything else."""
    for known in ACTORS:
        if actor == known:
            return known
    raise RefusedError(f"An event's actor cannot be {actor!r}: {', '.join(ACTORS)} are known.")


def utc_now() -> datetime:
    """The machine's clock."""
    return datetime.now(UTC)
