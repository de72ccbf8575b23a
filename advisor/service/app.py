"""The FastAPI application: the page, the WebSocket, the newest picture. Loopback only."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from advisor.service.drills_api import drills_router
from advisor.service.live import LiveTable
from advisor.service.table_api import refused, table_router
from advisor.service.wire import HealthWire, Role, StateWire

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})
CHECK_EVERY = 1.0
"""Seconds after which the camera's health is looked at even if no picture came."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; connect-src 'self' ws:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

_NOT_THERE: Final = {404: "There is no such page here.", 405: "This cannot be asked in this way."}


def host_of(header: str) -> str:
    """The host's name in a Host header or an origin, without scheme and port."""
    bare = header.split("://", 1)[-1].split("/", 1)[0]
    if bare.startswith("["):
        return bare.split("]", 1)[0] + "]"
    return bare.rsplit(":", 1)[0] if ":" in bare else bare


class Changes:
    """Wakes every open WebSocket when the watch's thread has something new."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Event] = set()

    def attach(self) -> None:
        """Remember the running loop; call from it."""
        self._loop = asyncio.get_running_loop()

    def notify(self) -> None:
        """Wake the waiters; call from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
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


def create_app(table: LiveTable, routers: Sequence[APIRouter] = ()) -> FastAPI:
    """The application around a table, which it starts and stops with itself; ``routers`` are other pages' routes."""
    changes = Changes()
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

    @app.middleware("http")
    async def guard(request: Request, call: Callable[[Request], Awaitable[Response]]) -> Response:
        # A page elsewhere can point its own name at 127.0.0.1; only requests that ask for this machine are served.
        if host_of(request.headers.get("host", "")) not in LOOPBACK:
            return JSONResponse({"error": "This display answers only to this machine."}, status_code=403)
        response = await call(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.get("/", include_in_schema=False)
    @app.get("/players", include_in_schema=False)
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
    async def state() -> StateWire:
        """What the display shows."""
        return await asyncio.to_thread(table.state)

    @app.get("/drills", include_in_schema=False)
    async def drills() -> FileResponse:
        return FileResponse(pages / "drills.html")

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
        if not _same_site(socket):
            await socket.close(code=4403)
            return
        await socket.accept()
        with changes.listening() as changed:
            role: Role = "viewer" if socket.query_params.get("view") == "players" else "dealer"
            await _talk(socket, table, changed, role)

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> JSONResponse:
        return refused(_said_wrongly(error), 422)

    @app.exception_handler(HTTPException)
    async def not_there(_: Request, error: HTTPException) -> JSONResponse:
        return refused(_NOT_THERE.get(error.status_code, f"{str(error.detail).rstrip('.')}."), error.status_code)

    app.include_router(table_router(table))
    app.include_router(drills_router())
    for router in routers:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=pages), name="static")
    return app


def _said_wrongly(error: RequestValidationError) -> str:
    """The first thing that is wrong with a request, as a sentence."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    if first["type"] in ("json_invalid", "missing") or not where:
        return "This cannot be read: an object in JSON is expected."
    return f"The field {where[:60]!r} cannot be read: {str(first['msg']).lower()}."


def _same_site(socket: WebSocket) -> bool:
    """Browsers say which page opens a line: only this server's own may. Programs that say nothing are let in."""
    host, origin = socket.headers.get("host", ""), socket.headers.get("origin")
    return host_of(host) in LOOPBACK and (origin is None or origin.split("://", 1)[-1] == host)


async def _talk(socket: WebSocket, table: LiveTable, changed: asyncio.Event, role: Role) -> None:
    """Send the state at once, then at every change, and when the camera's health changes."""
    gone = asyncio.create_task(_until_closed(socket))
    sent = ""
    try:
        while not gone.done():
            changed.clear()
            text = (await asyncio.to_thread(table.state, role)).model_dump_json()
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
