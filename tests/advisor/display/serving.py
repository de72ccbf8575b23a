"""A small app served for a page's tests."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from threading import Thread

import uvicorn
from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

DISPLAY = Path(str(files("advisor") / "display"))


@contextmanager
def served(app: FastAPI, name: str) -> Iterator[str]:
    """The address of the display's page of that name, beside what the app itself answers."""
    app.add_api_route(f"/{name}", lambda: FileResponse(DISPLAY / f"{name}.html"))
    app.mount("/static", StaticFiles(directory=DISPLAY))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/{name}"
        server.should_exit = True
        thread.join(10)
