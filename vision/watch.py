"""The live loop: take the newest frame, read what changed once it rests, publish the cards on the table.

Every frame is shrunk and compared. Where it differs from the frame before, something moves, and what moves is not
worth reading; where it differs from what was read last and rests, that part is read. A part that never rests (a hand
that stays) is read every so often all the same: what lies calm in it is believed, what moves only once two readings
agree. Every few seconds of rest all is read again, to heal errors.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event, Lock, Thread

import numpy as np

from vision.bumps import STILL, Bumps, Homography, Push, widely
from vision.identity import Memory, follow, only, shifted, shown
from vision.light import Grey, light_between
from vision.looks import Looks, in_mirror
from vision.motion import Box, Mask, Part, changes, compared, grey_of, grown, in_light_of, parts, shrunk, stirred
from vision.settling import believed, let_go, typical_area, widened
from vision.sightings import Reading, TableView
from vision.sources.values import Frame
from vision.trouble import SENTENCES, Health, Limits, Trouble, examined
from vision.watch_values import (
    CanLook,
    CanRead,
    CanRest,
    Frames,
    Observation,
    Settings,
    Shot,
    WatchStatus,
    agree,
)

__all__ = ["CanLook", "CanRead", "Frames", "Observation", "Settings", "Watch", "WatchStatus", "agree"]

log = logging.getLogger(__name__)
STOPPING = 1.5
"""Seconds that stopping waits for a reading under way; the thread is a daemon."""


class Watch:
    """The loop; ``on_view`` gets every reading, ``show`` (optional) every frame that looks new, read or not.

    ``first_card`` is the number of the first card. While the camera itself moves nothing is believed; where it was
    pushed, the cards are carried along, and the observation says how.
    """

    def __init__(
        self,
        source: Frames,
        reader: CanRead,
        on_view: Callable[[Observation], None],
        show: Callable[[Frame], None] | None = None,
        settings: Settings | None = None,
        limits: Limits | None = None,
        first_card: int = 1,
    ) -> None:
        self._source, self._on_view = source, on_view
        self._show = show or (lambda _: None)
        self.settings = settings or Settings()
        self._limits = limits or Limits()
        self._lock = Lock()
        self._status = WatchStatus()
        self._memory = Memory(following=first_card)
        self._bumps = Bumps()
        self.without_printed: Callable[[Reading], Reading] = lambda reading: reading
        """What is left of a reading without what is printed on the felt and looks like a card."""
        self.looks = Looks(reader, self.settings.whole)
        self._look_anew = Event()
        self._health = Health()
        self._trouble: Trouble | None = None
        self._forget()
        self._stop = Event()
        self._thread: Thread | None = None

    def _forget(self) -> None:
        """Compare with nothing: the next frame is read whole."""
        self._before: Shot | None = None
        self._last: Observation | None = None
        self.looks.forget()
        self._read_grey: Grey | None = None
        self._moved_at = np.zeros((0, 0))
        self._unsettled = np.zeros((0, 0), np.bool_)
        self._passed_over = self._looked_again = False
        self._read_at = self._whole_at = self._restless_at = self._followed_at = self._busy_at = -1e9
        self._moving_since = self._let_go_at = self._settled_at = self._doubted_at = -1e9
        self._seen_at = np.zeros((0, 0))
        self._heal = self.settings.heal

    def start(self) -> None:
        """Run the loop in a thread of its own."""
        if self._thread is None:
            self._thread = Thread(target=self.run, args=(self._stop,), name="watch", daemon=True)
            self._thread.start()

    def stop(self, timeout: float = STOPPING) -> None:
        """End that thread, for good; waits ``timeout`` seconds at most for the picture that is being read."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def look_anew(self) -> None:
        """What is printed on the felt is known better now: at the next picture, cards that it was taken for go.

        Safe to call from another thread.
        """
        self._look_anew.set()

    @property
    def read_count(self) -> int:
        """How many pictures, or parts of them, were read."""
        return self.status().read

    @property
    def errors(self) -> int:
        """How many pictures could not be read."""
        return self.status().failures

    @property
    def last_error(self) -> str:
        """The last failure as a sentence; empty once a picture was read again."""
        return self.status().failure

    def status(self) -> WatchStatus:
        """Safe to ask from another thread."""
        with self._lock:
            return self._status

    def run(self, stop: Event) -> None:
        """Loop until ``stop`` is set; a failure in one frame is counted and logged, never the end."""
        sequence = 0
        while not stop.is_set():
            try:
                frame = self._source.newest(sequence, self.settings.wait)
                if frame is None:
                    self.pause()
                    continue
                sequence = frame.sequence
                seen = self.turn(frame)
                if isinstance(self._source, CanRest):
                    self._source.rest(self._rests(frame, seen))
            except Exception as error:
                log.exception("frame %d could not be read", sequence)
                self._forget()
                self._count(failures=1, failure=f"A picture could not be read ({type(error).__name__}: {error}).")
                # A fault that repeats must not become a busy loop.
                stop.wait(self.settings.wait)

    def _rests(self, frame: Frame, seen: Observation | None) -> bool:
        """Whether nothing has moved for a while and nothing waits to be read."""
        if seen is not None or self._passed_over or (self._before is not None and self._before.moving):
            self._busy_at = frame.at
        return frame.at - self._busy_at >= self.settings.idle

    def turn(self, frame: Frame) -> Observation | None:
        """One turn of the loop with ``frame``; what it published, if anything."""
        self._count(taken=1)
        return self._turn(self.looks.upright(frame))

    def _turn(self, frame: Frame) -> Observation | None:
        shot = self._shot(frame)
        self._before = shot
        self._passed_over = self._looked_again = False
        if (trouble := self._fault(shot)) is not None or not self._health.believable:
            return self._in_trouble(shot, trouble)
        anew = self._last is None or self._read_grey is None or self._trouble is not None
        if self._look_anew.is_set():
            self._look_anew.clear()
            self._memory, anew = only(self._memory, self.without_printed), True
        islands = [] if anew else self._islands(shot)
        push = self._push(shot, anew, islands)
        if push.state == "shaking":
            return self._in_trouble(shot, Trouble("moved", SENTENCES["moved"], frame.at))
        if anew or push.state == "pushed":
            self._trouble = None
            self._show(frame)
            return self._read(shot, None, pushed=push.matrix)
        if islands:
            self._show(frame)
            if calm := shot.calm(islands):
                return self._read(shot, shot.boxes(calm))
            if put_down := self._let_go(shot):
                self._let_go_at = frame.at
                restless = self._stirred(shot, self.settings.rested)
                return self._read(shot, shot.boxes(put_down), restless, twice=False)
            if frame.at - max(self._restless_at, self._moving_since) >= self.settings.restless:
                self._restless_at = frame.at
                return self._read(shot, shot.boxes(islands), self._stirred(shot, self.settings.calm))
            self._passed_over = True
            if doubts := self._doubtful_meanwhile(shot):
                return self._read(shot, doubts, self._stirred(shot, self.settings.rested), twice=False)
            self._count(skipped=1)
            return self._settled_meanwhile(shot, islands)
        return self._at_rest(shot)

    def pause(self) -> Observation | None:
        """No frame came: the last one may stay for long, so what was left to the next is done with it.

        One passed over while it moved is read; in one at rest what is in doubt gets its second look.
        """
        shot = self._before
        if shot is None:
            return None
        if self._look_anew.is_set() and shot.frame.still:
            return self._turn(shot.frame)
        if self._passed_over:
            self._passed_over = False
            return self._read(shot, shot.boxes(self._islands(shot)))
        if shot.moving or self._trouble is not None or self._last is None:
            return None
        shot = self._before = replace(shot, frame=replace(shot.frame, at=shot.frame.at + self.settings.wait))
        if not self._looked_again and shot.frame.at - self._read_at >= self.settings.again:
            # One more look and no third: the same picture over and over proves nothing.
            self._looked_again = True
            if doubts := self._doubtful(shot):
                return self._read(shot, doubts)
        return self._asked(shot, self._last) if shot.frame.still else None

    def _shot(self, frame: Frame) -> Shot:
        before = self._before
        if before is not None and frame.image is before.frame.image:
            nothing = np.zeros_like(before.motion)
            return Shot(frame, before.small, before.grey, nothing, False)
        small = shrunk(frame.image, self.settings.width)
        grey = grey_of(small)
        if before is None or before.grey.shape != grey.shape or before.frame.image.shape != frame.image.shape:
            if before is not None:
                self._forget()
            self._moved_at = np.full(grey.shape, -1e9 if frame.still else frame.at)
            self._unsettled = np.zeros(grey.shape, np.bool_)
            self._moving_since = frame.at
            everything = np.full(grey.shape, not frame.still)
            return Shot(frame, small, grey, everything, not frame.still)
        motion = changes(before.grey, grey, self.settings.step)
        moving = not frame.still and int(np.count_nonzero(motion)) >= self.settings.least
        if not moving:
            motion = np.zeros_like(motion)
        else:
            if not before.moving:
                self._moving_since = frame.at
            self._moved_at[motion] = frame.at
        return Shot(frame, small, grey, motion, moving)

    def _fault(self, shot: Shot) -> Trouble | None:
        frame, identical = shot.frame, False if shot.moving else None
        self._health = examined(self._health, shot.small, frame.at, frame.still, identical, self._limits)
        return self._health.trouble

    def _push(self, shot: Shot, anew: bool, islands: Sequence[Part]) -> Push:
        """What became of the camera since the picture was read."""
        frame = shot.frame
        if frame.still:
            return STILL
        if anew or self._bumps.asks or widely([part.mask for part in islands]):
            return self._bumps.look(frame.image, frame.at, shot.motion)
        if not islands and not shot.moving:
            self._bumps.rests(frame.image, frame.at)
        return STILL

    def _in_trouble(self, shot: Shot, trouble: Trouble | None) -> Observation | None:
        """Nothing is read; a new trouble is published with what was seen last."""
        self._count(skipped=1)
        if trouble is None or (self._trouble is not None and trouble.kind == self._trouble.kind):
            return None
        self._trouble = trouble
        self._show(shot.frame)
        image, last = shot.frame.image, self._last
        reading = Reading(image.shape[1], image.shape[0]) if last is None else last.view.reading
        view = TableView(shot.frame.sequence, shot.frame.at, reading)
        return self._send(Observation(view, image, False, shot.moving, shown(self._memory), trouble))

    def _islands(self, shot: Shot) -> list[Part]:
        """What changed since it was read."""
        assert self._read_grey is not None
        changed, bands = compared(self._read_grey, shot.grey, self.settings.step)
        light = 0 if bands is not None else light_between(self._read_grey, shot.grey)
        if abs(light) > 2:
            # All of it in today's light, or a part read now would seem changed beside the rest.
            self._read_grey = np.clip(self._read_grey.astype(np.int16) + light, 0, 255).astype(np.uint8)
        return parts(changed, self.settings.least)

    def _stirred(self, shot: Shot, calm: float) -> Mask:
        """Where something moves or moved in the last so many seconds."""
        return stirred(shot.motion, shot.frame.at - self._moved_at < calm)

    def _let_go(self, shot: Shot) -> list[Part]:
        """What was put down just now by something that still moves beside it."""
        s, at = self.settings, shot.frame.at
        assert self._read_grey is not None
        if at - self._let_go_at < s.let_go_apart:
            return []
        changed = changes(self._read_grey, shot.grey, s.step)
        card = typical_area([t.sighting.corners for t in self._memory.tracks], shot.scale) or s.usual_card
        least = max(s.least, round(s.let_go * card))
        found = let_go(changed, shot.motion, self._moved_at, self._seen_at, at, s.rested, least)
        return [widened(part, s.around) for part in found]

    def _at_rest(self, shot: Shot) -> Observation | None:
        """Nothing changed since it was read: settle what was read while it moved, heal, and settle doubts."""
        s, at, last = self.settings, shot.frame.at, self._last
        assert last is not None
        if (seen := self._settled(shot, replace(last, settled=True), ~grown(shot.motion, 2), 1)) is not None:
            return seen
        if not shot.frame.still:
            resting = not shot.moving and at - max(self._whole_at, self._moving_since) >= self._heal
            if resting or at - self._whole_at >= s.heal_longest:
                seen = self._read(shot, None)
                same = agree(last.view.reading, seen.view.reading)
                self._heal = min(2 * self._heal, s.heal_longest) if same else s.heal
                return seen
            if doubts := self._doubtful(shot):
                return self._read(shot, doubts)
        asked = self._asked(shot, last)
        self._count(skipped=int(asked is None))
        return asked

    def _settled_meanwhile(self, shot: Shot, islands: Sequence[Part]) -> Observation | None:
        """What was read while it moved is believed once its place has rested as it was read, whatever moves elsewhere.

        Hands are over a busy table all the time: a card must not wait for the last of them to leave.
        """
        last, at = self._last, shot.frame.at
        if last is None or at - self._settled_at < self.settings.settling or not self._unsettled.any():
            return None
        self._settled_at = at
        restless = (at - self._moved_at < self.settings.rested) | shot.motion
        for part in islands:
            restless |= part.mask
        return self._settled(shot, replace(last, settled=False), ~grown(restless, 2), self.settings.least)

    def _settled(self, shot: Shot, last: Observation, rests: Mask, least: int) -> Observation | None:
        """Believe what was read while it moved and ``rests`` now; None where that is less than ``least`` pixels.

        ``last`` says whether the picture is settled but for what was read while it moved.
        """
        if not (self._unsettled & rests).any():
            return None
        quads = [s.corners for s in last.view.reading.sightings] + [t.sighting.corners for t in self._memory.tracks]
        now, told = believed(self._unsettled, rests, quads, shot.scale)
        if np.count_nonzero(now) < least:
            return None
        self._unsettled = self._unsettled & ~now
        settled = last.settled and not self._unsettled.any()
        return self._send(self._fused(shot, replace(last, settled=settled, moving=shot.moving), told))

    def _asked(self, shot: Shot, last: Observation) -> Observation | None:
        """What time alone has settled, such as whether a card is covered or gone."""
        if not self._memory.waiting or shot.frame.at - self._followed_at < self.settings.ask:
            return None
        was = shown(self._memory)
        seen = self._fused(shot, last, np.zeros(shot.grey.shape, np.bool_))
        return self._send(seen) if seen.tracked != was else None

    def _doubtful(self, shot: Shot) -> list[Box]:
        """Places in the frame that another reading would settle, that rest, and that were not read just now."""
        soon = shot.frame.at - self._read_at < self.settings.again
        return [] if soon else shot.resting(self._memory.doubts)

    def _doubtful_meanwhile(self, shot: Shot) -> list[Box]:
        """The same while something moves elsewhere: hands are over a busy table all the time."""
        s, at = self.settings, shot.frame.at
        if at - self._doubted_at < s.again or self._seen_at.shape != shot.grey.shape:
            return []
        self._doubted_at = at
        return shot.resting(self._memory.doubts, (at - self._seen_at >= s.again) & ~self._stirred(shot, s.calm))

    def _read(
        self,
        shot: Shot,
        boxes: Sequence[Box] | None,
        restless: Mask | None = None,
        pushed: Homography | None = None,
        twice: bool = True,
        turned: Homography | None = None,
    ) -> Observation:
        """Read these boxes of the frame (None: all of it), and publish.

        ``restless`` is what moves (None: just now); ``pushed`` how the camera was moved before this frame; ``twice``
        is whether what moves is believed where this reading says the same as the last.
        """
        began = time.perf_counter()
        frame, before = shot.frame, self._last
        self._read_at = frame.at
        reading, looked = self.looks.read(shot, boxes)
        if self.looks.mirrored(frame):
            return self._turned_back(frame)
        reading = self.without_printed(reading)
        whole = bool(looked.all())
        if whole:
            self._whole_at = frame.at
        if boxes is not None:
            self._heal = self.settings.heal
        old = shot.grey if self._read_grey is None else self._read_grey
        now = shot.grey if whole else in_light_of(old, shot.grey, self.settings.step)
        self._read_grey = np.where(looked, now, old)
        same = twice and before is not None and agree(before.view.reading, reading)
        self._unsettled = self._unsettled & ~looked
        if self._seen_at.shape != looked.shape:
            self._seen_at = np.full(looked.shape, -1e9)
        self._seen_at[looked] = frame.at
        if restless is None:
            restless = grown(shot.motion, 2)
        if shot.moving:
            # What moves is believed once two readings agree.
            self._unsettled |= looked & restless & (not same)
            restless = restless & ~looked if same else restless
        self._count(read=1, whole=int(whole), read_ms=(time.perf_counter() - began) * 1000)
        view = TableView(frame.sequence, frame.at, reading)
        if pushed is not None:
            self._memory = shifted(self._memory, pushed, shot.scale)
        seen = Observation(view, frame.image, not self._unsettled.any(), shot.moving, pushed=pushed, turned=turned)
        return self._send(self._fused(shot, seen, looked, restless))

    def _turned_back(self, frame: Frame) -> Observation:
        """Begin anew with ``frame`` the other way round: what was read before was no card's."""
        self._forget()
        self._memory = Memory(following=self._memory.following)
        self._before = shot = self._shot(self.looks.turn(frame))
        self._show(shot.frame)
        return self._read(shot, None, turned=in_mirror(frame.image.shape[1]))

    def _fused(self, shot: Shot, seen: Observation, looked: Mask, restless: Mask | None = None) -> Observation:
        """The observation with the cards that are on the table by it and all before it."""
        at = shot.frame.at
        moving = grown(shot.motion, 2) if restless is None else restless
        self._followed_at = at
        self._memory, tracked = follow(self._memory, seen.view.reading, shot.small, at, True, moving, looked)
        return replace(seen, tracked=tracked)

    def _send(self, seen: Observation) -> Observation:
        self._last = replace(seen, pushed=None, turned=None)
        self._on_view(seen)
        return seen

    def _count(self, failure: str | None = None, read_ms: float | None = None, **more: int) -> None:
        with self._lock:
            self._status = self._status.after(failure, read_ms, **more)
