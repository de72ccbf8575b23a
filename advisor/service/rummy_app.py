"""The rummy page by itself, without a camera: the same routes as in the whole server, for this machine alone."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles

from advisor.service.access import Guard


def create_rummy_app(router: APIRouter) -> FastAPI:
    """An application of `rummy_api.rummy_router` alone."""
    app = FastAPI(title="Tableside rummy", docs_url=None, redoc_url=None)

    app.add_middleware(Guard)

    @app.get("/", include_in_schema=False)
    async def start() -> RedirectResponse:
        return RedirectResponse("/rummy")

    app.include_router(router)
    app.mount("/static", StaticFiles(directory=Path(str(files("advisor") / "display"))), name="static")
    return app
