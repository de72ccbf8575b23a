"""The rummy page by itself, without a camera: the same routes as in the whole server, behind the same gate."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles

from advisor.service.access import Guard, Lan
from advisor.service.pairing_api import pairing_router


def create_rummy_app(router: APIRouter, lan: Lan | None = None) -> FastAPI:
    """An application of `rummy_api.rummy_router` alone; with ``lan`` the network's devices are answered once paired."""
    app = FastAPI(title="Tableside rummy", docs_url=None, redoc_url=None)

    app.add_middleware(Guard, lan=lan)

    @app.get("/players", include_in_schema=False)
    @app.get("/", include_in_schema=False)
    async def start() -> RedirectResponse:
        return RedirectResponse("/rummy")

    app.include_router(pairing_router(lan))
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=Path(str(files("advisor") / "display"))), name="static")
    return app
