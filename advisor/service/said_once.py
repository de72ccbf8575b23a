"""Warnings that are said when they are new, however often what they tell of is tried again."""

from __future__ import annotations

import logging


class SaidOnce:
    """A logger's warnings about things that go on failing. For one thread at a time."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._said: dict[str, str] = {}

    def warn(self, what: str, why: object) -> None:
        """Warn that `what` failed, and why; silent while it fails for the same reason as the last time."""
        if self._said.get(what) != str(why):
            self._said[what] = str(why)
            self._log.warning("%s: %s", what, why)

    def well(self, *what: str) -> None:
        """These do not fail any more: the next failure is news."""
        for it in what:
            self._said.pop(it, None)
