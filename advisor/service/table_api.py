"""What the display may ask and say: changes of the table, the games and felts there are, the felt's corners."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body
from fastapi.responses import JSONResponse

from advisor.games.catalogue import UnknownGame, games
from advisor.games.catalogue import game as game_named
from advisor.games.contract import TableGame
from advisor.games.contract.plain import plain_rules
from advisor.service.live import LiveTable
from advisor.service.rule_forms import FieldWire, fields_of, typed_values
from advisor.service.store import RefusedError, StoreError
from advisor.service.table_log import AnotherServer
from advisor.service.wire import CornersWire, DoneWire, ErrorWire, Wire
from advisor.table import ChangeError, TableState, read_change
from advisor.table.changes import SEEN, plain_values
from advisor.table.words import sentence
from vision.felt import CalibrationError, layout_names, load_layout

Answers = dict[int | str, dict[str, Any]]
CHANGED: Final = ", changed"
"""Follows the name of a preset of which some rules were changed."""
_REFUSALS: Final[Answers] = {409: {"model": ErrorWire}, 422: {"model": ErrorWire}, 503: {"model": ErrorWire}}


class PresetWire(Wire):
    """Named house rules, each field as text or a whole number."""

    name: str
    summary: str
    values: dict[str, str | int]


class GameChoiceWire(Wire):
    """A game that the table deals."""

    name: str
    title: str
    seats: int
    seats_hold_cards: bool
    presets: list[PresetWire]
    fields: list[FieldWire]


class LayoutWire(Wire):
    """A felt."""

    name: str
    words: str
    seats: int


def table_router(table: LiveTable) -> APIRouter:
    """The routes around a table. Refusals are `{"error": sentence}`."""
    router = APIRouter(prefix="/api")

    @router.post("/table", response_model=DoneWire, responses=_REFUSALS)
    async def change(data: Annotated[dict[str, Any], Body()]) -> DoneWire | JSONResponse:
        """Make one change; `op` says which. 422: it cannot be read. 409: not now. 503: it cannot be kept."""
        try:
            asked = read_change(_complete(data, table.table))
            if isinstance(asked, SEEN):
                raise ChangeError("Only the camera reports that.")
        except ChangeError as error:
            return refused(str(error), 422)
        try:
            number = await asyncio.to_thread(table.change, asked)
        except (ChangeError, AnotherServer) as error:
            return refused(str(error), 409)
        except RefusedError as error:
            return refused(str(error), 422)
        except StoreError as error:
            return refused(str(error), 503)
        return DoneWire(sequence=number)

    @router.get("/games")
    async def every_game() -> list[GameChoiceWire]:
        """The games, their house rules, and what can be changed in them."""
        return await asyncio.to_thread(_games)

    @router.get("/layouts")
    async def layouts() -> list[LayoutWire]:
        """The felts that come with the program."""
        found = [load_layout(name) for name in layout_names()]
        return [LayoutWire(name=it.name, words=it.title, seats=len(it.seats)) for it in found]

    @router.get("/corners")
    async def corners() -> CornersWire:
        """Where the felt's four places are in the camera's picture, if that is known, and what they are called."""
        names = [handle.name for handle in table.felt.layout.handles] if table.felt.layout else []
        found = table.corners()
        return CornersWire(corners=[list(p) for p in found] if found else None, names=names)

    @router.post("/corners", response_model=DoneWire, responses=_REFUSALS)
    async def drag(data: CornersWire) -> DoneWire | JSONResponse:
        """Calibrate by four corners, or forget the calibration."""
        places = data.corners
        if places is not None and any(len(p) != 2 for p in places):
            return refused("Each corner needs two numbers, x and y.", 422)
        try:
            await asyncio.to_thread(table.drag, None if places is None else [(p[0], p[1]) for p in places])
        except CalibrationError as error:
            return refused(sentence(str(error)), 422)
        except ChangeError as error:
            return refused(str(error), 409)
        return DoneWire(sequence=table.table.number)

    return router


def refused(why: str, status: int) -> JSONResponse:
    """An answer that says why not, in a sentence."""
    return JSONResponse(ErrorWire(error=why).model_dump(), status_code=status)


def _complete(data: Mapping[str, Any], now: TableState) -> dict[str, Any]:
    """The change as the log holds it: the rules of a chosen preset are written out, so that it reads the same later.

    A page names presets and shipped felts, or what is in use already: files of this machine are for the command line.
    """
    if data.get("op") != "set-table":
        return dict(data)
    known = {"op", "game", "rules", "overrides", "layout", "seats"}
    if unknown := sorted(set(data) - known):
        raise ChangeError(f"The field {unknown[0][:20]!r} is not known: use {', '.join(sorted(known))}.")
    overrides = data.get("overrides") or {}
    if not isinstance(overrides, dict):
        raise ChangeError("The field 'overrides' cannot be read: house rules by their names are expected.")
    try:
        game = game_named(str(data.get("game", "")))
        name, rules = _chosen(game, data.get("rules"), now)
        rules = rules.with_values(typed_values(rules, overrides)) if overrides else rules
    except (UnknownGame, ValueError, TypeError) as error:
        raise ChangeError(sentence(str(error))) from None
    changed = overrides and not name.endswith(CHANGED)
    seats = data.get("seats", game.seats)
    return {
        "op": "set-table",
        "game": game.name,
        "rules": name + (CHANGED if changed else ""),
        "values": plain_values(plain_rules(rules)),
        "layout": _felt(data.get("layout"), now),
        "seats": min(seats, game.seats) if isinstance(seats, int) else seats,
    }


def _chosen(game: TableGame, name: Any, now: TableState) -> tuple[str, Any]:
    """House rules by name: a preset's, or those in force."""
    presets = game.presets()
    if name is None or name == "":
        return next(iter(presets.items()))
    if isinstance(name, str) and name in presets:
        return name, presets[name]
    if (game.name, name) == (now.game, now.rules_name):
        return now.rules_name, now.rules
    raise ChangeError(f"There are no house rules {str(name)[:40]!r} for {game.title}: use {', '.join(presets)}.")


def _felt(name: Any, now: TableState) -> str:
    if name is None or name == "":
        return ""
    if name not in layout_names() and name != now.layout:
        raise ChangeError(f"There is no felt {str(name)[:40]!r}: use {', '.join(layout_names())}, or none.")
    return str(name)


def _games() -> list[GameChoiceWire]:
    found = []
    for name in games():
        game = game_named(name)
        presets = game.presets()
        wires = [
            PresetWire(name=preset, summary=game.summary(rules), values=plain_values(plain_rules(rules)))
            for preset, rules in presets.items()
        ]
        usual = next(iter(presets.values()))
        found.append(
            GameChoiceWire(
                name=game.name,
                title=game.title,
                seats=game.seats,
                seats_hold_cards=game.seats_hold_cards,
                presets=wires,
                fields=fields_of(usual),
            )
        )
    return found
