"""The chips at the betting places, read beside the cards, in a thread of its own: cards never wait for chips."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from advisor.games.contract import Played
from advisor.money import ChipSet, Verdict
from advisor.service.felt_view import FeltView
from advisor.table import TableState
from advisor.table.bet_questions import questions_now
from advisor.table.bets_kept import kept, restored
from advisor.table.bets_memory import BetsMemory, BetsSeen
from advisor.table.bets_seen import REST, laid_now, marked, still_wrong, watch_bets
from advisor.table.changes import ChipsKept, Tell, UsualBet
from vision.chips.spots import ReadsChips, SpotReading, read_spots
from vision.felt import CalibrationError
from vision.sources.values import Image

log = logging.getLogger(__name__)
TROUBLE: Final = "The chips could not be read; the cards go on. The log says why."
SEEN_LAST: Final = "As it was seen last"
"""Begins what the chips say while the camera sees nothing that can be believed."""
WAITS: Final = 2.0
"""Seconds that stopping waits for a reading under way; the thread is a daemon."""

Told = Callable[[Sequence[SpotReading], float], None]


class ChipView:
    """Reads the newest picture given to it, at the places of the calibrated felt, and tells what lies there.

    A table at rest gives no new picture, so what was read is told once more after `REST` seconds: by then it has lain
    still. Without a calibrated felt nothing is read and nothing told.
    """

    def __init__(self, reader: ReadsChips, felt: FeltView, told: Told, clock: Callable[[], float] = time.monotonic):
        """`told` is called from this view's own thread, with the places and the time of `clock`."""
        self._reader, self._felt, self._told, self._clock = reader, felt, told, clock
        self._news = threading.Condition()
        self._image: Image | None = None
        self._stopped = False
        self._stirred = False
        self._thread = threading.Thread(target=self._run, name="chips", daemon=True)
        self.trouble = ""
        """Why chips are not read just now, as a sentence; empty where they are."""

    def start(self) -> None:
        """Begin reading what `look` gives."""
        self._thread.start()

    def stop(self) -> None:
        """End; a reading under way is waited for, but not for long."""
        with self._news:
            self._stopped = True
            self._news.notify()
        if self._thread.ident is not None:
            self._thread.join(WAITS)

    def look(self, image: Image) -> None:
        """Give a picture at rest; one that was not read yet is dropped for it."""
        with self._news:
            self._image = image
            self._news.notify()

    def stirs(self) -> None:
        """Something moves at the table: what was read before says no longer what lies there."""
        with self._news:
            self._stirred = True

    def _run(self) -> None:
        again: Sequence[SpotReading] | None = None
        while True:
            with self._news:
                came = self._news.wait_for(lambda: self._stopped or self._image is not None, REST if again else None)
                if self._stopped:
                    return
                image, self._image = self._image, None
                again, self._stirred = None if self._stirred else again, False
            try:
                if came and image is not None:
                    again = self._read(image)
                    if again:
                        self._told(again, self._clock())
                elif again:
                    self._told(again, self._clock())
                    again = None
                self.trouble = ""
            except Exception:  # one odd picture must not end the evening's chips
                log.exception("the chips could not be read")
                self.trouble, again = TROUBLE, None

    def _read(self, image: Image) -> Sequence[SpotReading]:
        height, width = image.shape[:2]
        layout, calibration = self._felt.layout, self._felt.scaled(width, height)
        if layout is None or calibration is None:
            return ()
        try:
            return read_spots(image, self._reader, layout, calibration)
        except CalibrationError:  # the camera changed its format between the two
            return ()


class LiveBets:
    """What the chips have told so far in a table's rounds, and what of it everybody is shown.

    `take` is for one thread at a time; `said` and `shown` for any.
    """

    def __init__(self) -> None:
        self._memory = BetsMemory()
        self.said = (0, BetsSeen())
        """The round, and what the chips said in it last."""

    def take(
        self, readings: Sequence[SpotReading], at: float, state: TableState, shown: Played, chips: ChipSet
    ) -> Sequence[UsualBet | Tell | ChipsKept]:
        """What lies at the places now; the bets that are to be kept, and what a restart needs."""
        if self._memory.round == 0 or (self._memory.before is None and self._memory.round > state.round):
            self._memory = restored(state.chips, chips, state.round)
        self._memory, seen = watch_bets(self._memory, readings, at, state, shown, chips)
        self.said = (state.round, seen)
        now = kept(self._memory, chips, dealt=bool(state.cards))
        before = state.chips.places if state.chips is not None else []
        return seen.changes if now.places == before else (*seen.changes, now)

    def laid(self, state: TableState) -> Mapping[int, Fraction]:
        """What surely lies at the seats' places before the first card."""
        return laid_now(*self.said, state)

    def shown(self, state: TableState, played: Played) -> Played:
        """The round with what the chips say of it.

        That is: faults, questions, as notices what is right, and which bets were seen. A payout of the round before
        that was left wrong is still told, until the first card comes. A question goes with its answer, and is there
        again once that is taken back.
        """
        number, seen = self.said
        wrong = still_wrong(number, seen, state, played)
        if state.round != number:
            return replace(played, faults=(*played.faults, *wrong))
        return replace(
            played,
            hands=tuple(marked(hand, seen.read) for hand in played.hands),
            faults=(*played.faults, *seen.faults, *wrong),
            notices=(*played.notices, *_right(seen)),
            questions=(*played.questions, *questions_now(seen.doubts, seen.asked, state, played)),
        )

    def seen_last(self, shown: Played) -> Played:
        """The round as it was `shown`, where the camera sees nothing now: what the chips say is told as of before."""
        _, seen = self.said
        ours = {
            *_right(seen),
            *(fault.words for fault in (*seen.faults, *(warned.fault for warned in seen.wrong))),
            *(question.words for question in seen.doubts),
            *(asked.question.words for asked in seen.asked.values()),
        }

        def told(words: str) -> str:
            return f"{SEEN_LAST}: {words}" if any(words.endswith(it) for it in ours) else words

        return replace(
            shown,
            faults=tuple(replace(fault, words=told(fault.words)) for fault in shown.faults),
            notices=tuple(map(told, shown.notices)),
            questions=tuple(replace(question, words=told(question.words)) for question in shown.questions),
        )


def _right(seen: BetsSeen) -> list[str]:
    """What was paid right. That a lost bet was collected is seen by everybody: where nothing should lie, nothing."""
    return [it.words[0] for it in seen.checks.values() if it.verdict is Verdict.CORRECT and it.expected]
