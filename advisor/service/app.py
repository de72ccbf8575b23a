"""The FastAPI application: the page, the WebSocket, the newest picture. Who may reach it is `access.Guard`'s."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from advisor.service.access import Guard, Lan
from advisor.service.camera_api import camera_router
from advisor.service.drills_api import drills_router
from advisor.service.live import LiveTable
from advisor.service.pairing_api import pairing_router
from advisor.service.table_api import refused, table_router
from advisor.service.wire import HealthWire, Role, StateWire

CHECK_EVERY = 1.0
"""Seconds after which the camera's health is looked at even if no picture came."""
_NOT_THERE: Final = {404: "There is no such page here.", 405: "This cannot be asked in this way."}


class Changes:
    """Wakes every open WebSocket when the watch's thread has something new."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Event] = set()
        self.count = 0
        """How many changes there were."""

    def attach(self) -> None:
        """Remember the running loop; call from it."""
        self._loop = asyncio.get_running_loop()

    def notify(self) -> None:
        """Wake the waiters; call from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self.count += 1
        for event in self._waiting:
            event.set()

    @contextlib.contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """An event that is set at every change while the block runs."""
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            yield event
        finally:
            self._waiting.discard(event)


class Texts:
    """The state as text for each role, made once for however many pages are open. For the event loop's thread."""

    def __init__(self, table: LiveTable, changes: Changes) -> None:
        self._table, self._changes = table, changes
        self._kept: dict[Role, tuple[int, float, str]] = {}
        self._locks: dict[Role, asyncio.Lock] = {"dealer": asyncio.Lock(), "viewer": asyncio.Lock()}

    async def of(self, role: Role) -> str:
        """The state now, or as it was a moment ago where nothing has changed since but perhaps the camera's health."""
        async with self._locks[role]:
            now = time.monotonic()
            kept = self._kept.get(role)
            if kept is not None and kept[0] == self._changes.count and now - kept[1] < CHECK_EVERY / 2:
                return kept[2]
            count = self._changes.count
            text = (await asyncio.to_thread(self._table.state, role)).model_dump_json()
            self._kept[role] = (count, now, text)
            return text


def create_app(table: LiveTable, routers: Sequence[APIRouter] = (), lan: Lan | None = None) -> FastAPI:
    """The application around a table, which it starts and stops with itself.

    ``routers`` are other pages' routes. With ``lan`` the network's devices are answered too, once they are paired.
    """
    changes = Changes()
    texts = Texts(table, changes)
    table.on_change = changes.notify

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        changes.attach()
        table.start()
        try:
            yield
        finally:
            await asyncio.to_thread(table.stop)

    app = FastAPI(title="Tableside", lifespan=lifespan, docs_url=None, redoc_url=None)
    pages = Path(str(files("advisor") / "display"))

    app.add_middleware(Guard, lan=lan)

    @app.get("/", include_in_schema=False)
    @app.get("/players", include_in_schema=False)
    @app.get("/setup", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(pages / "index.html")

    @app.get("/frame.jpg", responses={200: {"content": {"image/jpeg": {}}}, 404: {}}, response_class=Response)
    async def frame() -> Response:
        """The newest picture that was read."""
        data = await asyncio.to_thread(table.jpeg)
        if data is None:
            return JSONResponse({"error": "No picture has come yet."}, status_code=404)
        return Response(data, media_type="image/jpeg")

    @app.get("/api/state")
    async def state(request: Request) -> StateWire:
        """What the display shows."""
        return await asyncio.to_thread(table.state, _role(request, False))

    @app.get("/drills", include_in_schema=False)
    async def drills() -> FileResponse:
        return FileResponse(pages / "drills.html")

    @app.get("/hand", include_in_schema=False)
    async def hand() -> FileResponse:
        return FileResponse(pages / "hand.html")

    @app.get("/deck", include_in_schema=False)
    async def deck() -> FileResponse:
        return FileResponse(pages / "deck.html")

    @app.get("/handbook", include_in_schema=False)
    async def handbook() -> FileResponse:
        return FileResponse(pages / "handbook.html")

    @app.get("/api/health")
    async def health() -> HealthWire:
        """Whether the camera is live and pictures are being read."""
        camera = table.camera()
        return HealthWire(ok=camera.state in ("live", "ended"), camera=camera, pictures_read=table.pictures_read)

    @app.websocket("/ws")
    async def live(socket: WebSocket) -> None:
        await socket.accept()
        with changes.listening() as changed:
            role = _role(socket, socket.query_params.get("view") == "players")
            await _talk(socket, texts, changed, role)

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> JSONResponse:
        return refused(_said_wrongly(error), 422)

    @app.exception_handler(HTTPException)
    async def not_there(_: Request, error: HTTPException) -> JSONResponse:
        return refused(_NOT_THERE.get(error.status_code, f"{str(error.detail).rstrip('.')}."), error.status_code)

    app.include_router(table_router(table))
    app.include_router(pairing_router(lan))
    app.include_router(camera_router(table.pushed))
    app.include_router(drills_router(table.chips, lambda: table.table))
    for router in routers:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=pages), name="static")
    return app


def _said_wrongly(error: RequestValidationError) -> str:
    """The first thing that is wrong with a request, as a sentence."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    if first["type"] == "missing" and where:
        return f"The field {where[:60]!r} is missing."
    if first["type"] == "json_invalid" or not where:
        return "This cannot be read: an object in JSON is expected."
    return f"The field {where[:60]!r} cannot be read: {str(first['msg']).lower()}."


def _role(connection: HTTPConnection, players: bool) -> Role:
    """What the gate lets it see, or less where the players' view was asked for."""
    return "viewer" if players or connection.state.role == "viewer" else "dealer"


async def _talk(socket: WebSocket, texts: Texts, changed: asyncio.Event, role: Role) -> None:
    """Send the state at once, then at every change, and when the camera's health changes."""
    gone = asyncio.create_task(_until_closed(socket))
    sent = ""
    try:
        while not gone.done():
            changed.clear()
            text = await texts.of(role)
            if text != sent:
                await socket.send_text(text)
                sent = text
            waiter = asyncio.create_task(changed.wait())
            await asyncio.wait({gone, waiter}, timeout=CHECK_EVERY, return_when=asyncio.FIRST_COMPLETED)
            waiter.cancel()
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        gone.cancel()


async def _until_closed(socket: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, KeyError):  # KeyError: bytes came
        while True:
            await socket.receive_text()
