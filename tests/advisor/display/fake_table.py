"""The display's test bench: a small server that sends scripted states and keeps what the page says.

`python tests/advisor/display/fake_table.py seven` serves one scene of `fake_states` to look at in a browser.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import uvicorn
from fake_states import GAMES, HEIGHT, LAYOUTS, SCENES, WIDTH, State, empty_table
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

import advisor.display

PAGE = Path(next(iter(advisor.display.__path__)))
POLICY = (
    "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; connect-src 'self' ws:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


def felt() -> bytes:
    """A plain green picture."""
    rows = np.linspace(0.8, 1.1, HEIGHT)[:, None, None]
    picture = np.clip(np.full((HEIGHT, WIDTH, 3), (54, 84, 40)) * rows, 0, 255).astype(np.uint8)
    _, jpeg = cv2.imencode(".jpg", picture)
    return jpeg.tobytes()


class FakeTable:
    """Serves the page as it lies in the tree, sends whatever `push` was given last, and records every POST."""

    def __init__(self, port: int = 0) -> None:
        self.state = empty_table()
        self.sequence = 0
        self.jpeg = felt()
        self.reset()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            self.port = probe.getsockname()[1]
        config = uvicorn.Config(self.app(), host="127.0.0.1", port=self.port, log_level="error")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def reset(self) -> None:
        """As a server that has just started: nothing told, nothing refused, an empty table."""
        self.down = False
        self.deaf = False
        self.said: list[tuple[str, Any]] = []
        self.refusal: str | None = None
        self.answer_after = 0.0
        self.corners: Any = None
        self.places: list[str] = []
        self.lan: State = {"url": None, "code": None}
        self.devices: list[State] = []
        self.push(empty_table())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def push(self, state: State) -> None:
        state = copy.deepcopy(state)
        state["sequence"] = self.sequence + 1
        if state["picture"]:
            state["picture"]["url"] = f"/frame.jpg?seq={self.sequence + 1}"
        self.state = state
        self.sequence += 1

    def changes(self) -> list[Any]:
        """What was posted to the table, in order."""
        return [body for path, body in self.said if path == "/api/table"]

    def app(self) -> FastAPI:
        app = FastAPI()

        async def page() -> Response:
            return FileResponse(PAGE / "index.html", headers={"Content-Security-Policy": POLICY})

        for path in ("/", "/players", "/setup"):
            app.get(path)(page)

        @app.get("/frame.jpg")
        async def frame() -> Response:
            return Response(self.jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

        @app.get("/api/health")
        async def health() -> Response:
            while self.deaf and not self.server.should_exit:
                await asyncio.sleep(0.05)
            return JSONResponse({"ok": True})

        @app.get("/api/games")
        async def games() -> Response:
            return JSONResponse(GAMES)

        @app.get("/api/layouts")
        async def layouts() -> Response:
            return JSONResponse(LAYOUTS)

        @app.get("/api/lan")
        async def lan() -> Response:
            return JSONResponse(self.lan)

        @app.get("/api/devices")
        async def devices() -> Response:
            return JSONResponse(self.devices)

        @app.delete("/api/devices/{name}")
        async def send_away(name: str) -> Response:
            self.said.append((f"/api/devices/{name}", None))
            if self.refusal is not None:
                return JSONResponse({"error": self.refusal}, status_code=404)
            self.devices = [it for it in self.devices if it["id"] != name]
            return JSONResponse({"ok": True})

        @app.get("/api/corners")
        async def corners() -> Response:
            return JSONResponse({"corners": self.corners, "names": self.places})

        async def told(request: Request) -> Response:
            self.said.append((request.url.path, await request.json()))
            await asyncio.sleep(self.answer_after)
            if self.refusal is not None:
                return JSONResponse({"error": self.refusal}, status_code=409)
            return JSONResponse({"ok": True, "sequence": self.sequence})

        for path in ("/api/table", "/api/corners"):
            app.post(path)(told)

        @app.websocket("/ws")
        async def line(ws: WebSocket) -> None:
            if self.down:
                await ws.close()
                return
            await ws.accept()
            sent = -1
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                while not (self.down or self.server.should_exit):
                    if sent != self.sequence and not self.deaf:
                        sent = self.sequence
                        await ws.send_json(self.state)
                    await asyncio.sleep(0.02)
                await ws.close()

        app.mount("/static", StaticFiles(directory=PAGE))
        return app

    def start(self) -> None:
        self.thread.start()
        limit = time.monotonic() + 15
        while not self.server.started:
            assert time.monotonic() < limit, "the test's own server did not start"
            time.sleep(0.02)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)


if __name__ == "__main__":
    table = FakeTable(8800)
    table.push(SCENES[sys.argv[1] if len(sys.argv) > 1 else "three"]())
    print(table.url, "shows", "one of", ", ".join(SCENES))
    table.server.run()
