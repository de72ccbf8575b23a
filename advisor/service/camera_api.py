"""The page that makes a phone or a laptop the camera, and the line its pictures come over.

The page sends one JPEG and waits for the answer to it, {"taken": n, "fault": ""}, before it sends the next: no queue
grows on the way, and the answer's delay tells the page how much the line carries.
"""

from __future__ import annotations

import asyncio
import contextlib
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse

from vision.sources.pushed import CameraTaken, PushedSource, Sender

REFUSED: Final = 4409
NOT_ASKED: Final = (
    "This table is watched by another camera: start it with tableside serve --source browser to use this one."
)


def camera_router(source: PushedSource | None) -> APIRouter:
    """The routes; `source` is None where the table has another camera."""
    router = APIRouter()
    page = Path(str(files("advisor") / "display")) / "camera.html"

    @router.get("/camera", include_in_schema=False)
    async def camera_page() -> FileResponse:
        return FileResponse(page)

    @router.websocket("/ws/camera")
    async def pictures(socket: WebSocket) -> None:
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            if source is None:
                await _say(socket, NOT_ASKED)
                return
            address = socket.client.host if socket.client else ""
            here = bool(getattr(socket.state, "here", False))
            try:
                sender = source.begin("The camera of this machine" if here else f"The camera of {address}")
            except CameraTaken as taken:
                await _say(socket, str(taken))
                return
            try:
                await _take(socket, source, sender)
            except CameraTaken as taken:
                await _say(socket, str(taken))
            finally:
                source.end(sender)

    return router


async def _take(socket: WebSocket, source: PushedSource, sender: Sender) -> None:
    """Take pictures until the line ends; raises `CameraTaken` once another device has taken over."""
    number = 0
    await socket.send_json({"taken": 0, "fault": ""})
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        data = message.get("bytes")
        number += 1
        if data is None:
            fault = "What came is no picture: reload the page on the camera’s device."
        else:
            fault = await asyncio.to_thread(source.push, sender, data)
        await socket.send_json({"taken": number, "fault": fault})


async def _say(socket: WebSocket, sentence: str) -> None:
    await socket.send_json({"refused": sentence})
    await socket.close(code=REFUSED)
