"""The routes of the page on which a deck of one's own is taught. Pictures are looked at and kept nowhere."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from advisor.service.own_decks import Known, OwnDecks, Shown
from advisor.service.rummy_pictures import decoded
from advisor.service.table_api import refused
from advisor.service.wire import ErrorWire, Wire
from vision.cards.patches import Image
from vision.cards.profile import ProfileError
from vision.pictures import PictureError

Answer = TypeVar("Answer", bound=Wire)
Name = Annotated[str, Path(min_length=1, max_length=60)]
REFUSALS: Final[dict[int | str, dict[str, Any]]] = {code: {"model": ErrorWire} for code in (413, 422)}


class DeckWire(Wire):
    """A deck, and the cards that it was taught and that it still lacks."""

    name: str
    learned: list[str]
    missing: list[str]


class DecksWire(Wire):
    """All decks, and the name of the one that the table reads by ("": any deck's faces)."""

    decks: list[DeckWire]
    used: str


class FoundWire(Wire):
    """A card of a picture; ``picture`` is a data URL. One that is not ``sure`` was not learned yet."""

    number: int
    label: str
    sure: bool
    picture: str


class ShownWire(Wire):
    """What came of a picture; its cards can be named under ``key``."""

    deck: DeckWire
    key: str
    cards: list[FoundWire]


class NamedWire(Wire):
    """A card of a picture is this one."""

    key: str = Field(max_length=20)
    number: int = Field(ge=0, le=200)
    label: str = Field(max_length=20)


class UsedWire(Wire):
    """The deck to read by; "" for any deck's faces."""

    name: str = Field(max_length=60)


def decks_router(decks: OwnDecks, newest: Callable[[], Image | None]) -> APIRouter:
    """The routes; ``newest`` gives the table camera's newest picture, None while it shows nothing."""
    router = APIRouter(prefix="/api/decks")

    @router.get("", response_model=DecksWire)
    async def known() -> DecksWire:
        """All decks that were taught."""
        return await asyncio.to_thread(_all, decks)

    @router.put("/used", response_model=DecksWire, responses=REFUSALS)
    async def use(wanted: UsedWire) -> DecksWire | JSONResponse:
        """Read by this deck from now on."""
        return await _answered(lambda: _all(decks, decks.use, wanted.name))

    @router.delete("/{name}", response_model=DecksWire, responses=REFUSALS)
    async def delete(name: Name) -> DecksWire | JSONResponse:
        """Forget a deck."""
        return await _answered(lambda: _all(decks, decks.delete, name))

    @router.post("/{name}/picture", response_model=ShownWire, responses=REFUSALS)
    async def picture(name: Name, request: Request) -> ShownWire | JSONResponse:
        """Learn from a picture (JPEG, PNG, WebP or HEIC as the body) of one card or of many."""
        data = await request.body()
        return await _answered(lambda: _shown(decks.show(name, decoded(data))))

    @router.post("/{name}/camera", response_model=ShownWire, responses=REFUSALS)
    async def camera(name: Name, one: Annotated[bool, Query()] = False) -> ShownWire | JSONResponse:
        """Learn from what the table's camera sees now; with ``one``, the largest card alone, once it rests."""
        return await _answered(lambda: _shown(decks.show(name, _there(newest()), one)))

    @router.post("/{name}/named", response_model=DeckWire, responses=REFUSALS)
    async def named(name: Name, said: NamedWire) -> DeckWire | JSONResponse:
        """A card of a picture is what its shower says."""
        return await _answered(lambda: _deck(decks.named(name, said.key, said.number, said.label)))

    return router


async def _answered(act: Callable[[], Answer]) -> Answer | JSONResponse:
    """What ``act`` makes, in a thread of its own; its faults as sentences."""
    try:
        return await asyncio.to_thread(act)
    except (ProfileError, PictureError) as error:
        return refused(str(error), 422)


def _there(image: Image | None) -> Image:
    if image is None:
        raise PictureError("The table's camera shows nothing now: see that it is on and not covered.")
    return image


def _all(decks: OwnDecks, first: Callable[[str], None] | None = None, name: str = "") -> DecksWire:
    """All decks, after ``first`` was done with the one of that name."""
    if first is not None:
        first(name)
    return DecksWire(decks=[_deck(one) for one in decks.known()], used=decks.used)


def _deck(deck: Known) -> DeckWire:
    return DeckWire(name=deck.name, learned=list(deck.learned), missing=list(deck.missing))


def _shown(shown: Shown) -> ShownWire:
    cards = [
        FoundWire(
            number=c.number,
            label=c.label,
            sure=c.sure,
            picture=f"data:image/jpeg;base64,{base64.b64encode(c.jpeg).decode()}",
        )
        for c in shown.cards
    ]
    return ShownWire(deck=_deck(shown.deck), key=shown.key, cards=cards)
