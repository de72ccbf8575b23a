"""The demo's camera: a clip of the chosen game, again and again; another game brings its own clip.

The clips are opened to be played once: their ends are known then, and the table can be told to begin again as well.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace

from advisor.cli.terminal import Failure
from vision.sources import Source, SourceStatus, open_source
from vision.sources.values import Frame

log = logging.getLogger(__name__)


class DemoSource:
    """A source whose clip can be changed while it runs. Frames are numbered on from clip to clip."""

    def __init__(self, game: str, clip: Callable[[str], str], again: Callable[[str], None] = lambda _: None) -> None:
        """`clip` gives the file of a game's clip, which may take its time; raises `Failure` with a sentence.

        `again` is called with the game before its clip starts over.
        """
        self._source, self._game, self._clip, self.again = open_source(clip(game)), game, clip, again
        self._lock = threading.Lock()
        self._before = 0
        """Frames of the clips before this one."""
        self._wanted = ""
        self._said = ""
        self._closed = False

    def start(self) -> None:
        """Begin playing."""
        self._source.start()

    def newest(self, after: int, timeout: float) -> Frame | None:
        """The newest frame above `after`."""
        with self._lock:
            source, before = self._source, self._before
        frame = source.newest(max(0, after - before), timeout)
        if frame is None and source.status().state == "ended":
            self._start_over(source)
        return None if frame is None else replace(frame, sequence=frame.sequence + before)

    def _start_over(self, ended: Source) -> None:
        try:
            fresh = open_source(self._clip(self._game)).start()
        except (Failure, ValueError, OSError) as error:
            log.warning("the clip cannot be played again: %s", error)
            with self._lock:
                self._said = f"The clip cannot be played again: {error}"
            return
        with self._lock:
            replaced = not self._closed and self._source is ended
            old = self._replace(fresh) if replaced else fresh
        old.close()
        if replaced:
            self.again(self._game)

    def _replace(self, fresh: Source) -> Source:
        """The source before. The loop asks for frames above the last it had: the new clip's must all count higher."""
        old, self._source = self._source, fresh
        self._before += old.status().frames + 1
        return old

    def status(self) -> SourceStatus:
        """How the clip's source is doing; while another clip is being made, that is said."""
        with self._lock:
            status, said = self._source.status(), self._said
        return replace(status, message=said) if said else status

    def close(self) -> None:
        """Stop playing."""
        with self._lock:
            self._closed = True
            source = self._source
        source.close()

    def play(self, game: str) -> None:
        """Change to the clip of a game, as soon as there is one; returns at once."""
        with self._lock:
            self._wanted = game
            self._said = f"Getting the clip of {game} ready; the first time this takes up to a minute."
        threading.Thread(target=self._change, args=(game,), name="demo clip", daemon=True).start()

    def _change(self, game: str) -> None:
        try:
            fresh = open_source(self._clip(game)).start()
        except (Failure, ValueError, OSError) as error:
            log.warning("no clip of %s: %s", game, error)
            with self._lock:
                self._said = f"There is no clip of {game}: {error}"
            return
        with self._lock:
            if self._closed or self._wanted != game:
                old = fresh
            else:
                old, self._game, self._said = self._replace(fresh), game, ""
        old.close()
