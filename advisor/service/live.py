"""The running table: what the camera follows becomes changes, and the changes add up to what everybody is shown."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from advisor.games.catalogue import game as game_named
from advisor.games.contract import Played
from advisor.money import DEFAULT_CHIPS, ChipSet, format_amount
from advisor.service.chip_view import ChipView, LiveBets
from advisor.service.felt_view import FeltView, LayoutError
from advisor.service.plain_played import plain_played
from advisor.service.said_once import SaidOnce
from advisor.service.shown_picture import encoded
from advisor.service.store import StoreError
from advisor.service.table_log import TableLog
from advisor.service.wire import (
    CameraWire,
    ChipWire,
    GameWire,
    PictureWire,
    Role,
    RulesWire,
    SightingWire,
    StateWire,
    StoreWire,
    TableWire,
    camera_wire,
    sightings_wire,
)
from advisor.table import Change, ChangeError, DealerSide, SeeingMemory, Table, TableState, check, fold, played, see
from advisor.table.changes import CardGone, CardsCleared, EndRound, Redo, Seen, SetTable, Tell
from advisor.table.seeing import moved, pushed, with_laid
from advisor.table.words import redo_words, undo_words
from vision.chips.spots import ReadsChips, SpotReading
from vision.printed import without_jokers
from vision.sources import PushedSource, SourceStatus
from vision.sources.values import Frame
from vision.watch import CanRead, Observation, Watch

logger = logging.getLogger(__name__)
NOT_KEPT: Final = "what was seen could not be kept"
NOT_FITTING: Final = "what was seen does not fit the log"
BET_NOT_KEPT: Final = "a bet that was seen could not be kept"
RECOGNISED: Final = 4.0
"""Seconds within which every card that lies there has been found again after a restart; a back takes the longest."""
AGAIN: Final = 1.0
"""Seconds after which what was seen and could not be kept is tried again, though nothing moves at the table."""


@dataclass(frozen=True)
class _Shown:
    """What was last worked out from a state."""

    state: TableState
    played: Played


class Pictures(Protocol):
    """What gives the frames: :class:`vision.sources.Source`, or what plays several of them."""

    def start(self) -> Any:
        """Begin."""

    def newest(self, after: int, timeout: float) -> Frame | None:
        """The newest frame above `after`."""

    def status(self) -> SourceStatus:
        """How it is doing."""

    def close(self) -> None:
        """Let go."""


class LiveTable:
    """Owns the source and the watch loop; thread-safe. ``on_change`` may be called from any thread.

    Changes are made one at a time, and keeping one may take as long as the store waits for its lock. What everybody is
    shown (`state`, `jpeg`) never waits for that.
    """

    def __init__(
        self,
        source: Pictures,
        reader: CanRead,
        log: TableLog,
        dealer_side: DealerSide = "top",
        chips: ChipSet = DEFAULT_CHIPS,
        felt: FeltView | None = None,
        chip_reader: ReadsChips | None = None,
    ) -> None:
        self._source, self._table_log, self._side, self.chips = source, log, dealer_side, chips
        self.felt = felt or FeltView()
        self._bets = LiveBets()
        self._chip_view = ChipView(chip_reader, self.felt, self._chips_lie) if chip_reader else None
        self._changing = threading.RLock()
        self._lock = threading.RLock()
        self._figuring = threading.Lock()
        self._retry: threading.Timer | None = None
        self._recognising_since: float | None = None
        self._stopped = False
        self._memory = SeeingMemory()
        self._shown: _Shown | None = None
        self._seen: Observation | None = None
        self._sequence = 0
        self._jpeg: tuple[int, bytes] | None = None
        self._kept_faults: frozenset[str] = frozenset()
        self._warnings = SaidOnce(logger)
        self._watch = Watch(source, reader, self._take)
        # No game of this table is dealt with jokers.
        self._watch.without_printed = lambda reading: without_jokers(self.felt.without_printed(reading))
        self.on_change: Callable[[], None] = lambda: None
        self.on_game: Callable[[str], None] = lambda _: None
        """Told the game's name when another one is chosen."""
        self._use_layout(log.state.layout)

    def start(self) -> None:
        """Begin watching."""
        self._source.start()
        self._watch.start()
        if self._chip_view is not None:
            self._chip_view.start()

    def stop(self) -> None:
        """Stop watching and let go of camera and store; returns within a few seconds whatever the camera does."""
        self._watch.stop()
        if self._chip_view is not None:
            self._chip_view.stop()
        with self._lock:
            self._stopped = True
            if self._retry is not None:
                self._retry.cancel()
        self._source.close()
        self._table_log.close()

    # What the camera sees.

    def _take(self, seen: Observation) -> None:
        with self._changing:
            if seen.pushed is not None:
                # Cards keep their seats: vision carries their numbers over, and here their places go along.
                self.felt.pushed(seen.pushed, seen.image)
                self._memory = pushed(self._memory, seen.pushed)
            if seen.turned is not None:
                self._memory = moved(pushed(self._memory, seen.turned))
            if known_better := self.felt.look(seen.image, seen.view.at):
                # What is printed may have been taken for cards just now: it is looked at anew, and none of it kept.
                self._watch.look_anew()
            if seen.trouble is None and not known_better:
                self._follow(seen)
            with self._lock:
                self._seen = seen
        if self._chip_view is not None:
            if seen.trouble is None and seen.settled:
                self._chip_view.look(seen.image)
            else:
                self._chip_view.stirs()
        self._news()

    def _chips_lie(self, readings: Sequence[SpotReading], at: float) -> None:
        """Take what lies at the betting places; a bet that cannot be kept is tried again at the next look."""
        with self._changing:
            if self._stopped:
                return
            now, before = self._now(), self._bets.said
            try:
                for change in self._bets.take(readings, at, now.state, now.played, self.chips):
                    check(self._table_log.state, change)
                    self._table_log.apply([change], "camera")
                self._warnings.well(BET_NOT_KEPT)
            except (ChangeError, StoreError) as error:
                self._warnings.warn(BET_NOT_KEPT, error)
            if self._bets.said == before:
                return
            with self._figuring:
                self._shown = None
            if self._seen is not None:
                self._dispute(self._seen)
        self._news()

    def _follow(self, seen: Observation) -> None:
        """Turn what is followed into changes. What cannot be kept has not happened, and is tried again."""
        if not (self._memory.begun or seen.settled):
            return
        state = self._table_log.state
        memory, seen_changes = see(self._memory, seen.tracked, state, self._table(state, seen))
        changes: Sequence[Seen] = seen_changes
        if not self._memory.begun:
            memory, changes = self._recognising(memory, changes)
        if changes:
            try:
                self._table_log.apply(with_laid(state, changes, self._bets.laid(state)), "camera")
            except StoreError as error:
                self._warnings.warn(NOT_KEPT, error)
                self._try_again()
                return
            except ChangeError as error:
                # The log holds what this memory does not know of: the cards that lie there are recognised anew.
                self._warnings.warn(NOT_FITTING, error)
                self._memory = moved(self._memory)
                self._try_again()
                return
            self._warnings.well(NOT_KEPT, NOT_FITTING)
            self._dispute(seen)
        self._memory = memory

    def _recognising(self, memory: SeeingMemory, changes: Sequence[Seen]) -> tuple[SeeingMemory, Sequence[Seen]]:
        """After a restart cards are found again one by one: one that is not found yet is not gone for that."""
        found = [it for it in changes if not isinstance(it, CardGone | CardsCleared)]
        now = time.monotonic()
        if len(found) == len(changes) or now - (self._recognising_since or now) >= RECOGNISED:
            self._recognising_since = None
            return memory, changes
        self._recognising_since = self._recognising_since or now
        self._try_again(RECOGNISED)
        return replace(memory, begun=False), found

    def _try_again(self, after: float = AGAIN) -> None:
        with self._lock:
            if self._stopped or self._retry is not None:
                return
            self._retry = threading.Timer(after, self._follow_again)
            self._retry.daemon = True
            self._retry.start()

    def _follow_again(self) -> None:
        """A table at rest gives no new picture, so what it showed last is followed again."""
        with self._changing:
            with self._lock:
                self._retry = None
                seen = self._seen
                if self._stopped or seen is None:
                    return
            if seen.trouble is None:
                self._follow(seen)
        self._news()

    def _table(self, state: TableState, seen: Observation) -> Table:
        game = game_named(state.game)
        reading = seen.view.reading
        return Table(
            width=reading.width,
            height=reading.height,
            seats=state.seats,
            house_hands=len(game.house),
            seats_hold_cards=game.seats_hold_cards,
            face_down=game.cards_face_down,
            side=self._side,
            layout=self.felt.layout,
            calibration=self.felt.scaled(reading.width, reading.height),
        )

    def _dispute(self, seen: Observation) -> None:
        """A picture of every moment at which something new went wrong, for whoever looks back."""
        faults = frozenset(fault.words for fault in self.played().faults)
        new = faults - self._kept_faults
        self._kept_faults = faults
        if new:
            self._table_log.snapshot(sorted(new)[0], encoded(seen.image))

    # What people say.

    def change(self, change: Change) -> int:
        """Make a change that somebody asked for; the number of changes so far.

        Raises `ChangeError` where it cannot be made, `StoreError` where it cannot be kept.
        """
        with self._changing:
            state = self._table_log.state
            check(state, change, self._bets.laid(state))
            if isinstance(change, SetTable):
                self._use_layout(change.layout, strict=True)
            try:
                self._table_log.apply(self._with_what_follows(state, change), "dealer")
            except StoreError:
                self._use_layout(state.layout)
                self._news()
                raise
            if isinstance(change, SetTable) or self._table_log.state.round > state.round:
                self._kept_faults = frozenset()
            number = self._table_log.state.number
        self._news()
        if self._table_log.state.game != state.game:
            self.on_game(self._table_log.state.game)
        return number

    def _with_what_follows(self, state: TableState, change: Change) -> Sequence[Change]:
        """A round that is over by what was said is ended with it, in one go; undo takes back both."""
        over = isinstance(change, Tell | Redo) and played(fold(state, change)).phase == "over"
        return with_laid(state, [change, EndRound()] if over else [change], self._bets.laid(state))

    def drag(self, corners: list[tuple[float, float]] | None) -> None:
        """Calibrate by corners in the camera's picture; raises `CalibrationError`, `ChangeError` before a picture."""
        with self._changing:
            seen = self._seen
            if seen is None:
                raise ChangeError("No picture has come yet: wait for the camera.")
            reading = seen.view.reading
            self.felt.drag(corners, reading.width, reading.height)
            self._watch.look_anew()
        self._news()

    def corners(self) -> list[tuple[float, float]] | None:
        """Where the felt's handles are in the camera's picture."""
        seen = self._seen
        if seen is None:
            return None
        return self.felt.corners(seen.view.reading.width, seen.view.reading.height)

    def _news(self) -> None:
        with self._lock:
            self._sequence += 1
        self.on_change()

    def _use_layout(self, name: str, strict: bool = False) -> None:
        try:
            self.felt.use(name)
        except LayoutError as error:
            if strict:
                raise ChangeError(f"{error}.") from None
            logger.warning("the layout of the log cannot be used: %s", error)
            self.felt.use("")
        self._watch.look_anew()

    # What everybody is shown.

    @property
    def pushed(self) -> PushedSource | None:
        """The source, where it is one that pictures are sent to."""
        return self._source if isinstance(self._source, PushedSource) else None

    @property
    def pictures_read(self) -> int:
        """How many pictures the reader was given."""
        return self._watch.read_count

    @property
    def table(self) -> TableState:
        """What all changes add up to."""
        return self._table_log.state

    def played(self) -> Played:
        """The round as it stands."""
        return self._now().played

    def _now(self) -> _Shown:
        with self._figuring:
            state = self._table_log.state
            if self._shown is None or self._shown.state is not state:
                shown = self._bets.shown(state, _at_this_table(played(state, self._bets.laid(state)), state.seats))
                self._shown = _Shown(state, shown)
            return self._shown

    def camera(self) -> CameraWire:
        """The source's health now."""
        seen, status = self._seen, self._source.status()
        if self._watch.looks.turned and status.state == "live":
            status = replace(status, message=f"{status.message} Its picture is mirrored, and turned back here.")
        return camera_wire(status, self._watch.errors, seen.trouble if seen else None)

    def state(self, role: Role = "dealer") -> StateWire:
        """Everything the display shows, now."""
        with self._lock:
            seen, sequence = self._seen, self._sequence
        now = self._now()
        state, shown = now.state, now.played
        if role == "dealer" and (notice := self.felt.notice):
            shown = replace(shown, notices=(*shown.notices, notice))
        game, camera = game_named(state.game), self.camera()
        shown = self._bets.seen_last(shown) if camera.state == "lost" or camera.trouble else shown
        reading = seen.view.reading if seen else None
        picture = None
        if reading is not None:
            picture = PictureWire(url=f"/frame.jpg?seq={sequence}", width=reading.width, height=reading.height)
        return StateWire(
            sequence=sequence,
            camera=camera,
            picture=picture,
            settled=seen.settled if seen else False,
            sightings=self._sightings(seen),
            game=GameWire(name=game.name, title=game.title),
            rules=RulesWire(name=state.rules_name, summary=game.summary(state.rules)),
            table=self._table_wire(state),
            round=state.round,
            played=plain_played(shown, self.chips, viewer=role == "viewer"),
            undo=undo_words(state) if role == "dealer" else None,
            redo=redo_words(state) if role == "dealer" else None,
            role=role,
            store=StoreWire(ok=not self._table_log.trouble, message=self._table_log.trouble),
            problems=[text for text in self._troubles() if text],
            ms=dict(reading.ms) if reading else {},
        )

    def _troubles(self) -> tuple[str, ...]:
        chips = self._chip_view.trouble if self._chip_view else ""
        return self._watch.last_error, self._watch.looks.message, self.felt.message, chips

    def _sightings(self, seen: Observation | None) -> list[SightingWire]:
        """What was read, each followed card with its number at the table; a covered one is not outlined."""
        if seen is None:
            return []
        cards: dict[int, int] = {}
        for it in seen.tracked:
            number = self._memory.bound.get(it.card)
            if number is not None and not it.covered:
                cards[id(it.sighting)] = number
        return sightings_wire([it.sighting for it in seen.tracked if not it.covered], cards)

    def _table_wire(self, state: TableState) -> TableWire:
        return TableWire(
            layout=state.layout or None,
            seats=state.seats,
            calibrated=self.felt.calibration is not None,
            chips=[ChipWire(colour=c, value=format_amount(self.chips.value(c))) for c in self.chips.colours],
        )

    def picture(self) -> Any:
        """The newest picture that was read (H x W x 3, BGR), the right way round; None while it shows nothing."""
        with self._lock:
            seen = self._seen
        live = self._source.status().state in ("live", "ended")
        return None if seen is None or seen.trouble is not None or not live else seen.image

    def look_anew(self) -> None:
        """Read all that lies there once more: it may be read otherwise now."""
        self._watch.look_anew()

    def jpeg(self) -> bytes | None:
        """The newest picture that was read, as JPEG; None before the first."""
        with self._lock:
            seen, sequence, kept = self._seen, self._sequence, self._jpeg
        if seen is None:
            return None
        if kept and kept[0] == sequence:
            return kept[1]
        made = encoded(seen.image)
        with self._lock:
            self._jpeg = (sequence, made)
        return made


def _at_this_table(shown: Played, seats: int) -> Played:
    """Without what may be said of seats that this table has not."""
    choices = tuple(it for it in shown.choices if it.place is None or it.place.seat <= seats)
    return replace(shown, choices=choices)
