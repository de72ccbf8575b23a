"""Pairing over HTTP: the page where a device types its code, and what the host sees of codes and devices."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse
from pydantic import Field

from advisor.service.access import COOKIE, Lan
from advisor.service.pairing import UNUSED, Device, PairingError
from advisor.service.wire import ErrorWire, Role, Wire


class LanWire(Wire):
    """How others open the display; all None while it is open to this machine only."""

    url: str | None = None
    code: str | None = None
    """For a device that is to be a dealer's."""
    viewer_code: str | None = None


class DeviceWire(Wire):
    """A device that was let in; times are seconds since 1970."""

    id: str
    name: str
    role: Role
    paired: int
    seen: int


class PairWire(Wire):
    """What a device says of itself."""

    code: str = Field(max_length=20)
    role: Role
    name: str = Field("", max_length=200)


class PairedWire(Wire):
    """The device is in; `go` is the page to open."""

    ok: bool = True
    role: Role
    go: str


class SentAwayWire(Wire):
    """The device is out."""

    ok: bool = True


def pairing_router(lan: Lan | None) -> APIRouter:
    """The routes; who may reach which is the gate's business (`access.Guard`)."""
    router = APIRouter()
    page = Path(str(files("advisor") / "display")) / "pair.html"

    @router.get("/api/lan")
    async def how_to_open() -> LanWire:
        """The address for other devices, and the codes in force."""
        if lan is None:
            return LanWire()
        return LanWire(url=lan.url, code=lan.codes.code("dealer"), viewer_code=lan.codes.code("viewer"))

    @router.get("/api/devices")
    async def devices() -> list[DeviceWire]:
        """The devices that were let in."""
        return [_wire(it) for it in lan.devices.list()] if lan else []

    @router.delete("/api/devices/{name}", responses={404: {"model": ErrorWire}}, response_model=SentAwayWire)
    async def send_away(name: str) -> SentAwayWire | JSONResponse:
        """Send a device away, at once."""
        if lan is None or not lan.devices.send_away(name):
            return JSONResponse({"error": "There is no such device any more."}, status_code=404)
        return SentAwayWire()

    if lan is None:
        return router

    @router.get("/pair", include_in_schema=False)
    async def pair_page() -> FileResponse:
        return FileResponse(page)

    refusals: dict[int | str, dict[str, type[ErrorWire]]] = {403: {"model": ErrorWire}, 429: {"model": ErrorWire}}

    @router.post("/api/pair", responses=dict(refusals), response_model=PairedWire)
    async def pair(data: PairWire, request: Request) -> JSONResponse:
        """Let a device in that has the code; it gets a token as a cookie that no script can read."""
        address = request.client.host if request.client else ""
        try:
            lan.codes.use(data.code.replace(" ", ""), data.role, address)
        except PairingError as error:
            return JSONResponse({"error": str(error)}, status_code=429 if error.tried_too_often else 403)
        _, token = lan.devices.add(data.role, data.name)
        go = "/" if data.role == "dealer" else "/players"
        answer = JSONResponse(PairedWire(role=data.role, go=go).model_dump())
        answer.set_cookie(COOKIE, token, max_age=int(UNUSED), path="/", httponly=True, samesite="strict")
        return answer

    return router


def _wire(device: Device) -> DeviceWire:
    return DeviceWire(
        id=device.id, name=device.name, role=device.role, paired=int(device.paired), seen=int(device.seen)
    )
