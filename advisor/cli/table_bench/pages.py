"""Pages that are open while a film is played: so many sockets in a process of their own, each noting what it is sent.

    python -m advisor.cli.table_bench.pages ADDRESS NUMBER

connects, says "ready", and at the end of its input prints what each page was sent, and when.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from advisor.service.live import LiveTable

PATIENCE: Final = 30.0
"""Seconds for the server to be up, and for the pages to be connected or to tell what they saw."""

SETTLING: Final = 5.0
"""Seconds in which pages must come to show the same once nothing happens any more: each also asks after the camera's
health every second, in its own time, so that at any one moment some may be a second ahead."""


class PagesError(RuntimeError):
    """The pages could not be opened, or did not say what they saw."""


@dataclass(frozen=True)
class Sent:
    """What one page was sent: the moments (seconds of the monotonic clock), and the last text's number."""

    moments: tuple[float, ...]
    last: int


@dataclass(frozen=True)
class PagesSaw:
    """What the open pages were sent while the film played."""

    pages: int
    alike: bool
    """Whether all come to show the same at the end, within `SETTLING`."""
    delays: tuple[float, ...]
    """Seconds from each change that a page was sent back to the moment at which the table published it."""


class OpenPages:
    """Serves a table on a port of its own and keeps so many pages open on it. Starts and stops the table."""

    def __init__(self, table: LiveTable, number: int) -> None:
        self._table, self._number = table, number
        self._published: list[float] = []
        self._server: Any = None
        self._thread: Thread | None = None
        self._pages: subprocess.Popen[str] | None = None

    def start(self, published: Callable[[], None]) -> None:
        """Serve the table and open the pages; `published` is called too whenever there is something new."""
        import uvicorn

        from advisor.service.app import create_app

        app = create_app(self._table)
        to_pages = self._table.on_change

        def told() -> None:
            self._published.append(time.monotonic())
            published()
            if to_pages is not None:
                to_pages()

        self._table.on_change = told
        self._server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
        self._thread = Thread(target=self._server.run, daemon=True, name="pages' server")
        self._thread.start()
        until = time.monotonic() + PATIENCE
        while not self._server.started:
            if time.monotonic() > until or not self._thread.is_alive():
                raise PagesError("the table's server did not start")
            time.sleep(0.02)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self._pages = subprocess.Popen(
            [sys.executable, "-m", __name__, f"ws://127.0.0.1:{port}/ws", str(self._number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._pages.stdout is not None
        if self._pages.stdout.readline().strip() != "ready":
            raise PagesError("the pages could not be opened")

    def stop(self) -> PagesSaw:
        """Close the pages, then the server and with it the table. Raises `PagesError`."""
        try:
            return saw(self._told(), self._published)
        finally:
            if self._server is not None and self._thread is not None:
                self._server.should_exit = True
                self._thread.join(PATIENCE)

    def _told(self) -> list[Sent]:
        assert self._pages is not None
        try:
            out, _ = self._pages.communicate("", timeout=PATIENCE)
            return [Sent(tuple(one["moments"]), one["last"]) for one in json.loads(out)]
        except (subprocess.TimeoutExpired, ValueError) as error:
            self._pages.kill()
            raise PagesError("the pages did not say what they saw") from error


def saw(sent: Sequence[Sent], published: Sequence[float]) -> PagesSaw:
    """The delays of what pages were sent: from each publication, or the last of several, to what was sent next.

    What is sent without a publication (the camera's health, looked at every second) is no delay of anything.
    """
    delays = []
    for page in sent:
        for before, moment in pairwise(page.moments):  # the first is what is sent to whoever opens a page
            at = bisect_right(published, moment)
            if at and published[at - 1] > before:
                delays.append(moment - published[at - 1])
    return PagesSaw(len(sent), len({page.last for page in sent}) == 1, tuple(delays))


class _Page:
    """One page: what it was sent, and when."""

    def __init__(self) -> None:
        self.moments: list[float] = []
        self.last = ""

    async def follow(self, address: str, ready: asyncio.Semaphore) -> None:
        """Take in all that is sent, until the server hangs up or this is cancelled."""
        from websockets.asyncio.client import connect

        try:
            async with connect(address, max_size=None) as socket:
                async for text in socket:
                    self.last = str(text)
                    self.moments.append(time.monotonic())
                    if len(self.moments) == 1:
                        ready.release()
        finally:
            if not self.moments:  # nobody waits for ever for a page that could not be opened
                ready.release()


async def _pages(address: str, number: int) -> None:
    ready = asyncio.Semaphore(0)
    pages = [_Page() for _ in range(number)]
    tasks = [asyncio.create_task(page.follow(address, ready)) for page in pages]
    for _ in tasks:
        await ready.acquire()
    if not all(page.moments for page in pages):
        for task in tasks:
            task.cancel()
        why = [said for said in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(said, Exception)]
        sys.exit(f"not every page could be opened: {why[0] if why else 'the server hung up'}")
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    until = time.monotonic() + SETTLING
    while len({page.last for page in pages}) > 1 and time.monotonic() < until:
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps([{"moments": page.moments, "last": hash(page.last)} for page in pages]), flush=True)


if __name__ == "__main__":
    asyncio.run(_pages(sys.argv[1], int(sys.argv[2])))
