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
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread

import numpy as np

from vision.identity import Memory, follow, shifted, shown
from vision.motion import (
    Box,
    Grey,
    Mask,
    Part,
    Picture,
    area,
    changes,
    grey_of,
    grown,
    light_between,
    native,
    parts,
    shrunk,
)
from vision.sightings import Quad, Reading, TableView
from vision.sources.values import Frame, Image
from vision.trouble import Health, Limits, Trouble, examined
from vision.watch_values import CanLook, CanRead, Frames, Looked, Observation, Settings, WatchStatus, agree

__all__ = ["CanLook", "CanRead", "Frames", "Observation", "Settings", "Watch", "WatchStatus", "agree"]

log = logging.getLogger(__name__)
STOPPING = 1.5
"""Seconds that stopping waits for a reading under way; the thread is a daemon."""


@dataclass(frozen=True, eq=False)
class _Shot:
    """A frame and its shrunken copies; ``motion`` is where it differs from the one before."""

    frame: Frame
    small: Picture
    grey: Grey
    motion: Mask
    moving: bool

    @property
    def scale(self) -> float:
        return float(self.small.shape[1] / self.frame.image.shape[1])


class Watch:
    """The loop; ``on_view`` gets every reading, ``show`` (optional) every frame that looks new, read or not.

    ``first_card`` is the number of the first card. ``steady`` (optional) is asked about every frame whether the camera
    was moved: while it answers with a trouble, nothing is believed. ``carry`` tells how the picture moved.
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
        steady: Callable[[Frame], Trouble | None] | None = None,
    ) -> None:
        self._source, self._reader, self._on_view, self._show = source, reader, on_view, show
        self.settings = settings or Settings()
        self._limits, self._steady = limits or Limits(), steady
        self._lock = Lock()
        self._status = WatchStatus()
        self._memory = Memory(following=first_card)
        self._carry: Sequence[Sequence[float]] | None = None
        self._health = Health()
        self._trouble: Trouble | None = None
        self._forget()
        self._stop = Event()
        self._thread: Thread | None = None

    def _forget(self) -> None:
        """Compare with nothing: the next frame is read whole."""
        self._before: _Shot | None = None
        self._last: Observation | None = None
        self._look: Looked | None = None
        self._read_grey: Grey | None = None
        self._moved_at = np.zeros((0, 0))
        self._unsettled = np.zeros((0, 0), np.bool_)
        self._passed_over = False
        self._read_at = self._whole_at = self._followed_at = -1e9
        self._moving_since = -1e9
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

    def carry(self, matrix: Sequence[Sequence[float]]) -> None:
        """The camera was moved: ``matrix`` (3 x 3) takes pixels before to pixels now. Safe from another thread."""
        with self._lock:
            self._carry = matrix

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
                self.turn(frame)
            except Exception as error:
                log.exception("frame %d could not be read", sequence)
                self._forget()
                self._count(failures=1, failure=f"A picture could not be read ({type(error).__name__}: {error}).")
                # A fault that repeats must not become a busy loop.
                stop.wait(self.settings.wait)

    def turn(self, frame: Frame) -> Observation | None:
        """One turn of the loop with ``frame``; what it published, if anything."""
        self._count(taken=1)
        shot = self._shot(frame)
        self._before = shot
        self._passed_over = False
        if (trouble := self._fault(shot)) is not None or not self._health.believable:
            return self._in_trouble(shot, trouble)
        if self._last is None or self._read_grey is None:
            self._shown(frame)
            return self._read(shot, None)
        if self._trouble is not None:
            self._trouble = None
            self._shown(frame)
            return self._read(shot, None)
        islands = self._islands(shot)
        if islands:
            self._shown(frame)
            if calm := self._calm(shot, islands):
                return self._read(shot, self._native(shot, calm))
            if frame.at - max(self._read_at, self._moving_since) >= self.settings.restless:
                return self._read(shot, self._native(shot, islands), self._stirred(shot))
            self._passed_over = True
            self._count(skipped=1)
            return None
        return self._at_rest(shot)

    def pause(self) -> Observation | None:
        """No frame came: one passed over while it moved is read now, for it may be the last for long."""
        shot = self._before
        if not self._passed_over or shot is None:
            return None
        self._passed_over = False
        return self._read(shot, self._native(shot, self._islands(shot)))

    def _shot(self, frame: Frame) -> _Shot:
        before = self._before
        if before is not None and frame.image is before.frame.image:
            nothing = np.zeros_like(before.motion)
            return _Shot(frame, before.small, before.grey, nothing, False)
        small = shrunk(frame.image, self.settings.width)
        grey = grey_of(small)
        if before is None or before.grey.shape != grey.shape or before.frame.image.shape != frame.image.shape:
            if before is not None:
                self._forget()
            self._moved_at = np.full(grey.shape, -1e9 if frame.still else frame.at)
            self._unsettled = np.zeros(grey.shape, np.bool_)
            self._moving_since = frame.at
            everything = np.full(grey.shape, not frame.still)
            return _Shot(frame, small, grey, everything, not frame.still)
        motion = changes(before.grey, grey, self.settings.step)
        moving = not frame.still and int(np.count_nonzero(motion)) >= self.settings.least
        if not moving:
            motion = np.zeros_like(motion)
        else:
            if not before.moving:
                self._moving_since = frame.at
            self._moved_at[motion] = frame.at
        return _Shot(frame, small, grey, motion, moving)

    def _fault(self, shot: _Shot) -> Trouble | None:
        frame = shot.frame
        identical = False if shot.moving else None
        self._health = examined(self._health, shot.small, frame.at, frame.still, identical, self._limits)
        return self._health.trouble or (self._steady(frame) if self._steady is not None else None)

    def _in_trouble(self, shot: _Shot, trouble: Trouble | None) -> Observation | None:
        """Nothing is read; a new trouble is published with what was seen last."""
        self._count(skipped=1)
        if trouble is None or trouble == self._trouble:
            return None
        self._trouble = trouble
        self._shown(shot.frame)
        view = TableView(shot.frame.sequence, shot.frame.at, self._kept(shot.frame.image))
        return self._send(Observation(view, shot.frame.image, False, shot.moving, shown(self._memory), trouble))

    def _kept(self, image: Image) -> Reading:
        """The last reading; an empty one before any."""
        if self._last is not None:
            return self._last.view.reading
        return Reading(image.shape[1], image.shape[0])

    def _islands(self, shot: _Shot) -> list[Part]:
        """What changed since it was read."""
        assert self._read_grey is not None
        light = light_between(self._read_grey, shot.grey)
        if abs(light) > 2:
            # All of it in today's light, or a part read now would seem changed beside the rest.
            self._read_grey = np.clip(self._read_grey.astype(np.int16) + light, 0, 255).astype(np.uint8)
        return parts(changes(self._read_grey, shot.grey, self.settings.step), self.settings.least)

    def _calm(self, shot: _Shot, islands: Sequence[Part]) -> Sequence[Part]:
        """Which changed parts are at rest."""
        if not shot.moving:
            return islands
        near = grown(shot.motion, 2)
        return [p for p in islands if not (p.mask & near).any()]

    def _at_rest(self, shot: _Shot) -> Observation | None:
        """Nothing changed since it was read: settle what was read while it moved, heal, and settle doubts."""
        s, at, last = self.settings, shot.frame.at, self._last
        assert last is not None
        sure_now = self._unsettled & ~grown(shot.motion, 2)
        if sure_now.any():
            self._unsettled = self._unsettled & ~sure_now
            rests = replace(last, settled=not self._unsettled.any(), moving=shot.moving)
            return self._send(self._fused(shot, rests, sure_now))
        if not shot.frame.still:
            resting = not shot.moving and at - max(self._whole_at, self._moving_since) >= self._heal
            if resting or at - self._whole_at >= s.heal_longest:
                seen = self._read(shot, None)
                same = agree(last.view.reading, seen.view.reading)
                self._heal = min(2 * self._heal, s.heal_longest) if same else s.heal
                return seen
            if doubts := self._doubtful(shot):
                return self._read(shot, doubts)
        if self._memory.waiting and at - self._followed_at >= s.ask:
            was = shown(self._memory)
            seen = self._fused(shot, last, np.zeros(shot.grey.shape, np.bool_))
            if seen.tracked != was:
                return self._send(seen)
        self._count(skipped=1)
        return None

    def _doubtful(self, shot: _Shot) -> list[Box]:
        """Places in the frame that another reading would settle, that rest, and that were not read just now."""
        at, shape = shot.frame.at, (shot.grey.shape[0], shot.grey.shape[1])
        if at - self._read_at < self.settings.again:
            return []
        out = []
        for quad in self._memory.doubts:
            box = _box(quad, shot.frame.image)
            place = area([box], shot.scale, shape)
            if place.any() and not (place & shot.motion).any():
                out.append(box)
        return out

    def _native(self, shot: _Shot, islands: Sequence[Part]) -> list[Box]:
        """The islands' boxes in the frame."""
        high, wide = shot.frame.image.shape[:2]
        return [native(p.box, shot.scale, wide, high) for p in islands]

    def _read(self, shot: _Shot, boxes: Sequence[Box] | None, restless: Mask | None = None) -> Observation:
        """Read these boxes of the frame (None: all of it), and publish; ``restless`` is what moves (None: just now)."""
        began = time.perf_counter()
        frame, before = shot.frame, self._last
        self._read_at = frame.at
        reading, looked = self._looked(shot, boxes)
        whole = bool(looked.all())
        if whole:
            self._whole_at = frame.at
        if boxes is not None:
            self._heal = self.settings.heal
        old = shot.grey if self._read_grey is None else self._read_grey
        self._read_grey = np.where(looked, shot.grey, old)
        same = before is not None and agree(before.view.reading, reading)
        self._unsettled = self._unsettled & ~looked
        if restless is None:
            restless = grown(shot.motion, 2)
        if shot.moving:
            # What moves is believed once two readings agree.
            self._unsettled |= looked & restless & (not same)
            restless = restless & ~looked if same else restless
        self._count(read=1, whole=int(whole), read_ms=(time.perf_counter() - began) * 1000)
        view = TableView(frame.sequence, frame.at, reading)
        seen = Observation(view, frame.image, not self._unsettled.any(), shot.moving)
        return self._send(self._fused(shot, seen, looked, restless))

    def _looked(self, shot: _Shot, boxes: Sequence[Box] | None) -> tuple[Reading, Mask]:
        """A reading of these boxes with the rest kept from before, and what was read in it."""
        image, shape = shot.frame.image, (shot.grey.shape[0], shot.grey.shape[1])
        everything = np.ones(shape, np.bool_)
        if not isinstance(self._reader, CanLook):
            return self._reader.read(image), everything
        if boxes is None or shot.frame.still or area(boxes, shot.scale, shape).mean() >= self.settings.whole:
            self._look = self._reader.look(image)
            return self._look.reading, everything
        self._look = self._reader.look(image, self._look, boxes)
        return self._look.reading, area(self._look.boxes, shot.scale, shape)

    def _stirred(self, shot: _Shot) -> Mask:
        """Where something moves, or moved a moment ago in a part that still does."""
        out = grown(shot.motion, 2)
        for part in parts(shot.frame.at - self._moved_at < self.settings.calm, 1):
            if (part.mask & shot.motion).any():
                out |= part.mask
        return out

    def _fused(self, shot: _Shot, seen: Observation, looked: Mask, restless: Mask | None = None) -> Observation:
        """The observation with the cards that are on the table by it and all before it."""
        with self._lock:
            matrix, self._carry = self._carry, None
        if matrix is not None:
            self._memory = shifted(self._memory, matrix)
        at = shot.frame.at
        moving = grown(shot.motion, 2) if restless is None else restless
        self._followed_at = at
        self._memory, tracked = follow(self._memory, seen.view.reading, shot.small, at, True, moving, looked)
        return replace(seen, tracked=tracked)

    def _send(self, seen: Observation) -> Observation:
        self._last = seen
        self._on_view(seen)
        return seen

    def _shown(self, frame: Frame) -> None:
        if self._show is not None:
            self._show(frame)

    def _count(
        self,
        taken: int = 0,
        read: int = 0,
        skipped: int = 0,
        failures: int = 0,
        failure: str | None = None,
        read_ms: float | None = None,
        whole: int = 0,
    ) -> None:
        with self._lock:
            s = self._status
            self._status = WatchStatus(
                s.taken + taken,
                s.read + read,
                s.skipped + skipped,
                s.failures + failures,
                # A good reading ends what the last failure had to say.
                failure if failure is not None else ("" if read else s.failure),
                s.read_ms if read_ms is None else read_ms,
                s.whole + whole,
            )


def _box(quad: Quad, image: Image) -> Box:
    """The box around a quad, inside the image."""
    x, y = [p[0] for p in quad], [p[1] for p in quad]
    high, wide = image.shape[:2]
    return max(0, int(min(x))), max(0, int(min(y))), min(wide, int(max(x)) + 1), min(high, int(max(y)) + 1)
