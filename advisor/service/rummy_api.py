"""The rummy page and what it asks the server: score sheets, photographs of hands, and what cards count.

`rummy_router` gives the routes for whichever application; who may reach them (this machine, paired phones) is the
application's business. Every refusal is ``{"error": "a sentence"}``. What changes something carries a key made by the
page, so that sending it again after a lost answer changes nothing more.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import Callable, Coroutine, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from advisor.games.cards import CardError
from advisor.games.operations import IllegalMove, MalformedOperation
from advisor.games.rummy import Variant, VariantError, parse_rummy_card, score, shipped_variant, variant_names
from advisor.games.rummy.sheet import (
    CorrectScore,
    RecordHand,
    Sheet,
    StartGame,
    as_csv,
    as_json,
    html,
    operation_from_dict,
)
from advisor.games.rummy.sheet.play import check
from advisor.service.rummy_pictures import LARGEST_BYTES, CanRead, HandPictures, ReadPicture
from advisor.service.rummy_sheets import Outdated, SheetBook
from advisor.service.rummy_wire import (
    CountedWire,
    ErrorWire,
    HandWire,
    NewOperation,
    NewSheet,
    Question,
    SheetsWire,
    SheetWire,
    VariantWire,
    hand_wire,
    line_wire,
    sheet_wire,
    variant_wire,
)
from advisor.service.sheet_store import Busy, NoSheet, SheetStore, Taken
from advisor.service.store import StoreError, StoreLockedError
from advisor.table.hand_seen import hand_seen
from vision.pictures import PictureError

USUAL_VARIANT: Final = "contract-b"
PREFIX: Final = "/api/rummy"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


class Refused(Exception):  # noqa: N818 - it names what happened to the request
    """A request that is answered with a sentence and a status."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class _Sentences(APIRoute):
    """Answers everything that can go wrong with a sentence."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(request)
            except Exception as error:
                status, sentence = _said(error)
                return JSONResponse({"error": sentence}, status_code=status)

        return answer


def _said(error: Exception) -> tuple[int, str]:
    """Status and sentence of an error; raised again where it is a fault of this program."""
    match error:
        case Refused(status=status, sentence=sentence):
            return status, sentence
        case RequestValidationError():
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
            return 422, f"{where}: {first['msg']}."
        case Busy() | StoreLockedError():
            return 503, str(error)
        case NoSheet():
            return 404, str(error)
        case Taken() | Outdated():
            return 409, str(error)
        case StoreError():
            return 400, str(error)
        case PictureError():
            return 415, str(error)
        case IllegalMove() | MalformedOperation():
            return 422, str(error)
        case CardError() | VariantError():
            return 422, f"{str(error).rstrip('.')}."
        case ClientDisconnect():
            return 400, "The line broke while the picture came; send it again."
        case _:
            raise error


def rummy_router(
    sheets: SheetStore, pictures: Path, reader: CanRead, variants: Sequence[Variant] = (), usual: str = USUAL_VARIANT
) -> APIRouter:
    """The routes. ``pictures`` is the folder where photographs are kept, ``variants`` some of your own besides."""
    book, photographs = SheetBook(sheets), HandPictures(pictures, reader)
    known = {name: shipped_variant(name) for name in variant_names()} | {each.name: each for each in variants}
    router = APIRouter(route_class=_Sentences, dependencies=[Depends(_same_site)])
    _pages(router)
    _sheets(router, book, photographs, known, usual)
    _pictures(router, photographs)
    _exports(router, book)
    _tidy(book, photographs)
    return router


def _same_site(request: Request) -> None:
    """Browsers say which page sends something: a page from elsewhere may change nothing here."""
    origin = request.headers.get("origin")
    here = origin is None or origin.split("://", 1)[-1] == request.headers.get("host", "")
    if request.method not in ("GET", "HEAD") and not here:
        raise Refused(403, "Only the page of this server itself may do this.")


def _tidy(book: SheetBook, photographs: HandPictures) -> None:
    """Photographs of hands that were never accepted go; where a sheet cannot be read, all stay."""
    try:
        named = [picture for name in book.names() for picture in pictures_named(book.read(name).sheet)]
    except StoreError:
        return
    photographs.tidy(set(named))


def pictures_named(sheet: Sheet) -> list[str]:
    """The photographs that a sheet's operations name, undone ones too."""
    return [operation.image for operation in sheet.log if isinstance(operation, RecordHand | CorrectScore)]


def _pages(router: APIRouter) -> None:
    page = Path(str(files("advisor") / "display")) / "rummy.html"

    @router.get("/rummy", include_in_schema=False)
    def rummy_page() -> FileResponse:
        return FileResponse(page)


def _sheets(
    router: APIRouter, book: SheetBook, photographs: HandPictures, known: dict[str, Variant], usual: str
) -> None:
    errors: dict[int | str, dict[str, Any]] = {422: {"model": ErrorWire}, 409: {"model": ErrorWire}}

    @router.get(f"{PREFIX}/variants")
    def variants() -> list[VariantWire]:
        """The variants that a game can be begun with, the usual one first."""
        names = sorted(known, key=lambda name: name != usual)
        return [variant_wire(known[name], name == usual) for name in names]

    @router.get(f"{PREFIX}/sheets")
    def every_sheet() -> SheetsWire:
        """Where every game stands; a sheet that is damaged is a sentence among the problems."""
        lines, problems = [], []
        for name in book.names():
            try:
                lines.append(line_wire(book.read(name)))
            except StoreError as error:
                problems.append(str(error))
        return SheetsWire(sheets=lines, problems=problems)

    @router.post(f"{PREFIX}/sheets", responses=errors)
    def begin(new: NewSheet) -> SheetWire:
        """Begin a game."""
        if new.variant not in known:
            raise Refused(422, f"There is no variant {new.variant!r}: there are {', '.join(known)}.")
        start = StartGame(known[new.variant], tuple(new.players), new.dealer, (), new.deals)
        return sheet_wire(book.begin(new.name, start, new.key))

    @router.get(f"{PREFIX}/sheets/{{name}}", responses={404: {"model": ErrorWire}})
    def one_sheet(name: str) -> SheetWire:
        """A game as it stands."""
        return sheet_wire(book.read(name))

    @router.post(f"{PREFIX}/sheets/{{name}}/operations", responses=errors)
    def carry_out(name: str, new: NewOperation) -> SheetWire:
        """Record something; it is safe when the answer comes."""
        return sheet_wire(book.carry_out(name, operation_from_dict(new.operation), new.key, new.seen))

    @router.delete(f"{PREFIX}/sheets/{{name}}", status_code=204)
    def delete(name: str) -> None:
        """Delete a game and its photographs for good."""
        try:
            named = pictures_named(book.read(name).sheet)
        except StoreError:
            named = []  # a damaged sheet can be deleted too
        book.delete(name)
        photographs.delete(named)

    @router.post(f"{PREFIX}/sheets/{{name}}/count", responses=errors)
    def count(name: str, question: Question) -> CountedWire:
        """What cards would count, and why the sheet would not take them."""
        return counted(book.read(name).sheet, question)


def counted(sheet: Sheet, question: Question) -> CountedWire:
    """What the cards would count for the player; raises `CardError` for text that is no card."""
    cards = tuple(parse_rummy_card(text) for text in question.cards)
    player, deal = sheet.find(question.player), sheet.record(question.deal)
    if player is None or deal is None:
        raise Refused(422, f"{question.player}, deal {question.deal}: there is no such player or deal on this sheet.")
    found = score(sheet.variant, cards, sheet.contract_number(deal.number, player))
    problem = ""
    stands = deal.entry(player)
    bonuses = tuple(question.bonuses)
    make = RecordHand if stands is None else CorrectScore
    try:
        check(sheet, make(player.name, deal.number, cards=cards, bonuses=bonuses, met=question.met))
    except IllegalMove as error:
        problem = "" if stands is not None and stands.cards == cards else str(error)
    by_card = [(str(card), points) for card, points in found.by_card.items()]
    return CountedWire(points=found.points, by_card=by_card, problem=problem)


def _pictures(router: APIRouter, photographs: HandPictures) -> None:
    def answered(picture: ReadPicture) -> HandWire:
        return hand_wire(picture, hand_seen(picture.reading, picture.edge, picture.burnt))

    @router.put(f"{PREFIX}/pictures/{{name}}", responses={413: {"model": ErrorWire}, 415: {"model": ErrorWire}})
    async def put(name: str, request: Request) -> HandWire:
        """Read a photograph: the file's bytes as the body. The same name again gives the same answer."""
        kept = await asyncio.to_thread(photographs.get, name)
        if kept is None:
            data = await _body(request)
            kept = await asyncio.to_thread(photographs.put, name, data)
        return answered(kept)

    @router.get(f"{PREFIX}/pictures/{{name}}.jpg", response_class=FileResponse)
    def jpeg(name: str) -> FileResponse:
        """The photograph, small enough to look at on a phone."""
        path = photographs.jpeg(name)
        if path is None:
            raise Refused(404, "This photograph is not kept any more.")
        return FileResponse(path, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})

    @router.get(f"{PREFIX}/pictures/{{name}}")
    def again(name: str) -> HandWire:
        """What was read in a photograph before."""
        found = photographs.get(name)
        if found is None:
            raise Refused(404, "This photograph is not kept any more; take it again.")
        return answered(found)


async def _body(request: Request) -> bytes:
    """The request's bytes; refused as soon as they are too many."""
    too_large = Refused(
        413,
        f"The picture is larger than {LARGEST_BYTES // 10**6} MB; take it with fewer megapixels, or save it smaller.",
    )
    claimed = request.headers.get("content-length", "")
    if claimed.isdigit() and int(claimed) > LARGEST_BYTES:
        raise too_large
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > LARGEST_BYTES:
            raise too_large
    return bytes(data)


def _exports(router: APIRouter, book: SheetBook) -> None:
    @router.get(f"{PREFIX}/sheets/{{name}}/export.csv")
    def csv(name: str) -> Response:
        """A table for a spreadsheet."""
        return _download(as_csv(book.read(name).sheet), "text/csv", f"{name}.csv")

    @router.get(f"{PREFIX}/sheets/{{name}}/export.json")
    def everything(name: str) -> Response:
        """The sheet with every operation, for programs."""
        text = json.dumps(as_json(book.read(name).sheet, operations=True), indent=2, ensure_ascii=False)
        return _download(f"{text}\n", "application/json", f"{name}.json")

    @router.get(f"{PREFIX}/sheets/{{name}}/print")
    def printable(name: str) -> Response:
        """A page to print."""
        page = html(book.read(name).sheet, name)
        # The page brings its own style sheet along; nothing else may run or load in it.
        hashes = (hashlib.sha256(style.encode()).digest() for style in _STYLE.findall(page))
        styles = " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in hashes)
        policy = f"default-src 'none'; style-src {styles}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})


def _download(text: str, media: str, name: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(text.encode(), media_type=f"{media}; charset=utf-8", headers={"Content-Disposition": disposition})
