"""State as the fold of stored events, with undo and redo that are events themselves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from advisor.service.store.errors import (
    NothingToRedoError,
    NothingToUndoError,
    RefusedError,
    UnreadableEventError,
)
from advisor.service.store.store import EventStore
from advisor.service.store.values import Actor, Event, NewEvent

State = TypeVar("State")
Change = TypeVar("Change")

UNDO: Final = "undo"
REDO: Final = "redo"
"""Kinds of the events that take a change back and bring it back; their data name it: {"sequence": 12}."""
_UNREADABLE: Final = (ValueError, TypeError, LookupError)
"""What reading or folding data of another version may raise."""
KEPT_STATES: Final = 64
"""Undoing so many changes costs nothing; further back, the changes are folded again from the start."""


@dataclass(frozen=True)
class Codec(Generic[Change]):
    """How a change becomes an event's data and comes back.

    `kind` names the events that carry changes. `from_dict` raises a `ValueError` for data that it cannot read, and
    otherwise gives a change equal to the one that `to_dict` was given.
    """

    to_dict: Callable[[Change], Mapping[str, Any]]
    from_dict: Callable[[Mapping[str, Any]], Change]
    kind: str = "change"


class Journal(Generic[State, Change]):
    """A session's state, kept by a store: `fold(state, change)` gives the next state, frozen and always the same.

    A change that `fold` refuses by raising is not stored, and the error goes to the caller. One that cannot be stored
    (`StoreLockedError`, `StoreFullError`) has not happened: the state stays. Where another server added to the session,
    every change is refused with `SessionMovedOnError` until `reload`. Usable from any thread; `state` never waits.
    """

    def __init__(
        self,
        store: EventStore,
        session: str,
        start: State,
        fold: Callable[[State, Change], State],
        codec: Codec[Change],
    ) -> None:
        """Read the session, which must exist, and fold what it holds; raises as `reload` does."""
        if codec.kind in (UNDO, REDO):
            raise ValueError(f"{codec.kind} is the kind of another event: changes need their own.")
        self._store, self.session, self._start, self._fold, self._codec = store, session, start, fold, codec
        self._lock = threading.RLock()
        self._reset()
        self.reload()

    def _reset(self) -> None:
        self.sequence = 0
        """The number of the last event read or stored."""
        self._state = self._start
        self._done: list[tuple[int, Change]] = []
        self._undone: list[tuple[int, Change]] = []
        self._before: list[State] = []

    @property
    def state(self) -> State:
        """What the events add up to."""
        return self._state

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes in force, oldest first: those taken back are not among them."""
        with self._lock:
            return tuple(change for _, change in self._done)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a change was taken back and none was made since."""
        return bool(self._undone)

    def apply(self, change: Change, actor: Actor) -> State:
        """Make one change; the state after it."""
        return self.apply_all([change], actor)

    def apply_all(self, changes: Iterable[Change], actor: Actor) -> State:
        """Make all of these changes or, where one is refused or they cannot be stored, none."""
        with self._lock:
            made, states = list(changes), [self._state]
            events = []
            for change in made:
                states.append(self._fold(states[-1], change))
                events.append(NewEvent(self._codec.kind, self._codec.to_dict(change), actor))
            first = self.sequence + 1
            self._append(events)
            for number, (change, before) in enumerate(zip(made, states, strict=False), first):
                self._remember(number, change, before)
            self._state = states[-1]
            return self._state

    def undo(self, actor: Actor) -> State:
        """Take the last change in force back; raises `NothingToUndoError`."""
        with self._lock:
            if not self._done:
                raise NothingToUndoError("There is nothing left to undo.")
            number, change = self._done[-1]
            before = self._before[-1] if self._before else self._states(self._done[:-1])[-1]
            self._append([NewEvent(UNDO, {"sequence": number}, actor)])
            self._done.pop()
            if self._before:
                self._before.pop()
            self._undone.append((number, change))
            self._state = before
            return before

    def redo(self, actor: Actor) -> State:
        """Bring back the change that was taken back last; raises `NothingToRedoError`."""
        with self._lock:
            if not self._undone:
                raise NothingToRedoError("There is nothing to redo: nothing was undone since the last change.")
            number, change = self._undone[-1]
            after = self._fold(self._state, change)
            self._append([NewEvent(REDO, {"sequence": number}, actor)])
            self._undone.pop()
            before, self._state = self._state, after
            self._done.append((number, change))
            self._keep(before)
            return after

    def note(self, kind: str, data: Mapping[str, Any], actor: Actor) -> int:
        """Store an event that changes no state (the camera was lost, a device was paired); its number."""
        with self._lock:
            if kind in (UNDO, REDO, self._codec.kind):
                raise RefusedError(f"{kind} is the kind of events that change the state: a note needs another.")
            return self._append([NewEvent(kind, data, actor)])

    def reload(self) -> State:
        """Read the session from the store again, and fold it.

        Raises `UnreadableEventError` for an event that this program cannot read or that its rules forbid; the state
        then stays as it was.
        """
        with self._lock:
            events = self._store.events(self.session)
            done, undone = self._replay(events)
            states = self._states(done)
            self._done, self._undone, self._before, self._state = done, undone, states[:-1], states[-1]
            self.sequence = len(events)
            return self._state

    def _append(self, events: Sequence[NewEvent]) -> int:
        self.sequence = self._store.append(self.session, self.sequence, events)
        return self.sequence

    def _remember(self, number: int, change: Change, before: State) -> None:
        self._done.append((number, change))
        self._undone.clear()
        self._keep(before)

    def _keep(self, state: State) -> None:
        self._before.append(state)
        del self._before[:-KEPT_STATES]

    def _states(self, done: Sequence[tuple[int, Change]]) -> list[State]:
        """The last of the states that these changes lead through; the very last is the one after all of them."""
        states = [self._start]
        for number, change in done:
            try:
                states.append(self._fold(states[-1], change))
            except _UNREADABLE as error:
                raise self._unreadable(number, str(error)) from error
            del states[: -KEPT_STATES - 1]
        return states

    def _replay(self, events: Iterable[Event]) -> tuple[list[tuple[int, Change]], list[tuple[int, Change]]]:
        """The changes in force and those taken back that can still be brought back.

        Only the changes in force are folded afterwards: one that was taken back need not be allowed any more.
        """
        done: list[tuple[int, Change]] = []
        undone: list[tuple[int, Change]] = []
        for event in events:
            if event.kind == self._codec.kind:
                try:
                    done.append((event.sequence, self._codec.from_dict(event.data)))
                except _UNREADABLE as error:
                    raise self._unreadable(event.sequence, str(error)) from error
                undone.clear()
            elif event.kind in (UNDO, REDO):
                source, target = (done, undone) if event.kind == UNDO else (undone, done)
                if not source or event.data != {"sequence": source[-1][0]}:
                    raise self._unreadable(event.sequence, f"it cannot {event.kind} that")
                target.append(source.pop())
        return done, undone

    def _unreadable(self, number: int, reason: str) -> UnreadableEventError:
        return UnreadableEventError(
            f"Event {number} of session {self.session} cannot be carried out by this version of Tableside: {reason}"
        )
