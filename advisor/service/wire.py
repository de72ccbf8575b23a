"""What the server says to the display: one complete state a message, newest wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from vision.sightings import CardSighting, Point
from vision.sources import SourceStatus

Role = Literal["dealer", "viewer"]


class Wire(BaseModel):
    """Unknown fields are an error: a typo must not vanish."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CameraWire(Wire):
    """The picture source's health; ``message`` is a sentence for people, ``trouble`` what is wrong with its picture."""

    state: Literal["starting", "live", "lost", "ended"]
    message: str
    frames: int
    dropped: int
    reconnects: int
    errors: int
    trouble: Literal["dark", "covered", "bright", "frozen", "moved"] | None = None


class PictureWire(Wire):
    """Where the newest picture is, and its size in pixels."""

    url: str
    width: int
    height: int


class SightingWire(Wire):
    """One card in the picture; corners clockwise from its own top-left, in pixels. ``card`` is its number in hands."""

    kind: Literal["card", "back", "unsure"]
    label: str | None
    confidence: float
    corners: list[list[float]]
    card: int | None = None


class GameWire(Wire):
    """The game on the table."""

    name: str
    title: str


class RulesWire(Wire):
    """The house rules in force."""

    name: str
    summary: str


class ChipWire(Wire):
    """A chip of the table's set and what it is worth."""

    colour: str
    value: str


class TableWire(Wire):
    """The felt and its chips."""

    layout: str | None
    seats: int
    calibrated: bool
    chips: list[ChipWire]


class StoreWire(Wire):
    """Whether what happens is being kept."""

    ok: bool
    message: str


class StateWire(Wire):
    """Everything the display shows. ``played`` is the round as `advisor.games.contract.Played`, in plain data."""

    version: Literal[2] = 2
    sequence: int
    camera: CameraWire
    picture: PictureWire | None
    settled: bool
    sightings: list[SightingWire]
    game: GameWire
    rules: RulesWire
    table: TableWire
    round: int
    played: dict[str, Any]
    undo: str | None
    redo: str | None
    role: Role
    store: StoreWire
    problems: list[str]
    ms: dict[str, float]


class HealthWire(Wire):
    """Whether the server and its camera are well."""

    ok: bool
    camera: CameraWire
    pictures_read: int


class DoneWire(Wire):
    """A change was made and kept."""

    ok: Literal[True] = True
    sequence: int


class ErrorWire(Wire):
    """Why not, in a sentence."""

    error: str


class CornersWire(Wire):
    """Four places of the felt in the camera's picture, pixels, in the order of ``names``; None to forget them."""

    corners: list[list[float]] | None
    names: list[str] = []


def camera_wire(status: SourceStatus, errors: int, trouble: Any = None) -> CameraWire:
    """The source's status on the wire."""
    return CameraWire(
        state=status.state,
        message=status.message if trouble is None else trouble.text,
        frames=status.frames,
        dropped=status.dropped,
        reconnects=status.reconnects,
        errors=errors,
        trouble=None if trouble is None else trouble.kind,
    )


def sightings_wire(sightings: Sequence[CardSighting], cards: Mapping[int, int]) -> list[SightingWire]:
    """What was read; ``cards`` gives the numbers of those that are in hands, by the sighting's identity."""
    return [_sighting(s, cards.get(id(s))) for s in sightings]


def _point(point: Point) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]


def _sighting(s: CardSighting, card: int | None) -> SightingWire:
    corners = [_point(p) for p in s.corners]
    return SightingWire(kind=s.kind, label=s.label, confidence=round(s.confidence, 4), corners=corners, card=card)
