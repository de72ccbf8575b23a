"""A player's private view: a picture of one's own hand, answered to the one who sent it and kept nowhere."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

import numpy as np
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse

from advisor.games.contract import Place
from advisor.money import DEFAULT_CHIPS
from advisor.service.live import LiveTable
from advisor.service.plain_played import plain_value
from advisor.service.wire import ErrorWire, Wire
from advisor.table import ChangeError
from advisor.table.private import private_hand
from vision.pictures import PictureError, decode_picture
from vision.watch import CanRead

LARGEST_BYTES: Final = 25_000_000


class SeenWire(Wire):
    """What was read in the picture: sure cards, and guesses to be confirmed."""

    cards: list[str]
    unsure: list[str]


class PrivateCardsWire(Wire):
    """All cards of a hand, as its holder says they are."""

    cards: list[str]


class PrivateHandWire(Wire):
    """The hand as `advisor.games.contract.HandView`, in plain data, and whether it is its turn."""

    hand: dict[str, Any]
    turn: bool


def private_router(table: LiveTable, reader: CanRead) -> APIRouter:
    """The routes; `reader` must be usable beside the table's own watching."""
    router = APIRouter(prefix="/api/private")
    refusals: dict[int | str, dict[str, Any]] = {413: {"model": ErrorWire}, 422: {"model": ErrorWire}}

    @router.post("/picture", response_model=SeenWire, responses=refusals)
    async def picture(request: Request) -> SeenWire | JSONResponse:
        """The cards in a picture (JPEG or PNG as the body). Nothing of it is kept."""
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > LARGEST_BYTES:
                return _refused("The picture is too large: at most 25 MB.", 413)
        try:
            seen = await asyncio.to_thread(_read, reader, bytes(data))
        except PictureError as error:
            return _refused(str(error), 422)
        return seen

    @router.post("/{seat}", response_model=PrivateHandWire, responses=refusals)
    async def hand(
        said: PrivateCardsWire,
        seat: Annotated[int, Path(ge=1, le=7)],
        number: Annotated[int, Query(alias="hand", ge=1, le=8)] = 1,
    ) -> PrivateHandWire | JSONResponse:
        """Advice on a seat's hand, for the one who holds it."""
        try:
            view = await asyncio.to_thread(private_hand, table.table, Place(seat, number), said.cards)
        except ChangeError as error:
            return _refused(str(error), 422)
        return PrivateHandWire(hand=plain_value(view, DEFAULT_CHIPS), turn=view.active)

    return router


def _read(reader: CanRead, data: bytes) -> SeenWire:
    if not data:
        raise PictureError("There is no picture: take one.")
    found = reader.read(decode_picture(np.frombuffer(data, np.uint8), "The picture"))
    return SeenWire(cards=[s.label for s in found.cards if s.label], unsure=[s.label or "" for s in found.unsure])


def _refused(sentence: str, status: int) -> JSONResponse:
    return JSONResponse(ErrorWire(error=sentence).model_dump(), status_code=status)
