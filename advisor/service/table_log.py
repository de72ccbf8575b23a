"""The table's state, kept: in the event store, or (the demo, a look at a video) in memory only."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, Protocol

from advisor.games.catalogue import game as game_named
from advisor.service.store import (
    Codec,
    EventStore,
    Journal,
    Session,
    SessionMovedOnError,
    StoreError,
    StoreUnreachableError,
    UnreadableEventError,
)
from advisor.service.store.values import Actor, utc_now
from advisor.table import Change, TableState, begin, fold, read_change

log = logging.getLogger(__name__)
SAME_EVENING: Final = timedelta(hours=12)
"""A sitting that is younger is gone on with after a restart; an older one is closed."""
TWO_SERVERS: Final = (
    "Another Tableside keeps this evening too, and it was first: close this one, or close the other one and start this "
    "one again."
)
CODEC: Final[Codec[Change]] = Codec(lambda change: change.data, read_change)


class AnotherServer(StoreError):  # noqa: N818 - it names what is the matter, as the callers say it
    """Somebody else adds to this evening as well; until a restart nothing more is kept here."""


class TableLog(Protocol):
    """Holds the state and makes it last; usable from any thread."""

    @property
    def state(self) -> TableState:
        """What all changes add up to."""

    @property
    def trouble(self) -> str:
        """Why changes cannot be kept at present, as a sentence; empty where they can."""

    def apply(self, changes: Sequence[Change], actor: Actor) -> TableState:
        """Make all of the changes or none; returns once they are safe.

        Raises `ChangeError` where one cannot be made, `StoreError` where they cannot be kept.
        """

    def snapshot(self, reason: str, jpeg: bytes) -> None:
        """Keep a picture of this moment."""

    def close(self) -> None:
        """Let go of what keeps it."""


class MemoryLog:
    """Changes that nobody needs tomorrow."""

    def __init__(self, state: TableState) -> None:
        self._state, self._lock = state, threading.Lock()
        self.trouble = ""

    @property
    def state(self) -> TableState:
        """What all changes add up to."""
        return self._state

    def apply(self, changes: Sequence[Change], actor: Actor) -> TableState:
        """Make all of the changes or none."""
        with self._lock:
            state = self._state
            for change in changes:
                state = fold(state, change)
            self._state = state
            return state

    def snapshot(self, reason: str, jpeg: bytes) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing to let go of."""


class StoredLog:
    """Changes in an event store: what has been acknowledged survives a crash, and a restart goes on from there."""

    def __init__(self, store: EventStore, session: Session) -> None:
        """Read the session again; raises `StoreError`, `UnreadableEventError` among them."""
        self._store = store
        self._journal: Journal[TableState, Change] = Journal(store, session.id, _start(session), fold, CODEC)
        self._trouble = ""
        self._unsure = False

    @classmethod
    def resume(cls, store: EventStore, state: TableState, *, anew: bool = False) -> StoredLog:
        """Go on with the sitting that was left open, or begin one with `state`.

        One that has lasted longer than an evening, or (`anew`) any, is closed first.
        """
        for session in store.open_sessions():
            age = utc_now() - session.started
            if not anew and age < SAME_EVENING and "values" in session.rules:
                return cls(store, session)
            store.end_session(session.id)
        return cls(store, store.start_session(state.game, _rules(state), _layout(state)))

    @property
    def session(self) -> str:
        """The sitting's name in the store."""
        return self._journal.session

    @property
    def state(self) -> TableState:
        """What all changes add up to."""
        return self._journal.state

    @property
    def trouble(self) -> str:
        """Why the last changes could not be kept; empty once some were."""
        return self._trouble

    def apply(self, changes: Sequence[Change], actor: Actor) -> TableState:
        """Make all of the changes or none; raises `ChangeError` or `StoreError` with nothing changed."""
        try:
            if self._unsure:
                # The line to the database broke while something was being stored: it may be there or not.
                self._journal.reload()
                self._unsure = False
            state = self._journal.apply_all(changes, actor)
        except SessionMovedOnError as error:
            self._trouble = TWO_SERVERS
            raise AnotherServer(TWO_SERVERS) from error
        except StoreError as error:
            self._unsure = self._unsure or isinstance(error, StoreUnreachableError)
            self._trouble = str(error)
            raise
        self._trouble = ""
        return state

    def snapshot(self, reason: str, jpeg: bytes) -> None:
        """Keep a picture of this moment; a fault is noted and goes no further, for the round matters more."""
        try:
            self._store.add_snapshot(self._journal.session, self._journal.sequence, reason[:200], jpeg)
        except StoreError as error:
            log.warning("a snapshot could not be kept: %s", error)

    def close(self) -> None:
        """Let go of the store; the sitting stays open, to be gone on with."""
        self._store.close()


def _rules(state: TableState) -> Mapping[str, Any]:
    return {"name": state.rules_name, "values": dict(game_named(state.game).plain(state.rules)), "seats": state.seats}


def _layout(state: TableState) -> Mapping[str, Any]:
    return {"name": state.layout}


def _start(session: Session) -> TableState:
    """The table as the sitting began; raises `UnreadableEventError`."""
    try:
        game = game_named(session.game)
        rules = game.restored(session.rules["values"])
        name, seats = str(session.rules.get("name", "")), int(session.rules.get("seats", game.seats))
        return begin(session.game, rules, name, str(session.layout.get("name", "")), seats)
    except (ValueError, TypeError, LookupError) as error:
        raise UnreadableEventError(
            f"The evening {session.id} cannot be gone on with by this version of Tableside ({error}); "
            "--new begins another."
        ) from error
