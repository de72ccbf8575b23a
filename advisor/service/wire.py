"""What the server says to the display: one complete state a message, newest wins."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from advisor.table import CardShown, DealerState, HandState, TableState
from vision.sightings import CardSighting, Point, Reading
from vision.sources import SourceStatus


class Wire(BaseModel):
    """Unknown fields are an error: a typo must not vanish."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CameraWire(Wire):
    """The picture source's health; ``message`` is a sentence for people."""

    state: Literal["starting", "live", "lost", "ended"]
    message: str
    frames: int
    dropped: int
    reconnects: int
    errors: int


class PictureWire(Wire):
    """Where the newest picture is, and its size in pixels."""

    url: str
    width: int
    height: int


class SightingWire(Wire):
    """One card in the picture; corners clockwise from its own top-left, in pixels."""

    kind: Literal["card", "back", "unsure"]
    label: str | None
    confidence: float
    corners: list[list[float]]


class RulesWire(Wire):
    """The house rules in force."""

    name: str
    summary: str


class CardWire(Wire):
    """A card of a hand."""

    kind: Literal["card", "back", "unsure"]
    label: str | None


class DealerWire(Wire):
    """The dealer's hand."""

    cards: list[CardWire]
    upcard: str | None
    total: str
    centre: list[float]
    next_step: str


class HandWire(Wire):
    """A player's hand with its advice; expected values in units of the bet."""

    id: str
    cards: list[CardWire]
    total: str
    soft: bool
    action: Literal["stand", "hit", "double", "split", "surrender", "done"] | None
    values: dict[str, float]
    margin: float
    why: str
    insurance: str | None
    problems: list[str]
    centre: list[float]


class StateWire(Wire):
    """Everything the display shows."""

    version: Literal[1] = 1
    sequence: int
    camera: CameraWire
    picture: PictureWire | None
    settled: bool
    sightings: list[SightingWire]
    rules: RulesWire
    dealer: DealerWire | None
    hands: list[HandWire]
    problems: list[str]
    ms: dict[str, float]


class HealthWire(Wire):
    """Whether the server and its camera are well."""

    ok: bool
    camera: CameraWire
    pictures_read: int


def camera_wire(status: SourceStatus, errors: int) -> CameraWire:
    """The source's status on the wire."""
    return CameraWire(
        state=status.state,
        message=status.message,
        frames=status.frames,
        dropped=status.dropped,
        reconnects=status.reconnects,
        errors=errors,
    )


def state_wire(
    sequence: int, camera: CameraWire, rules: RulesWire, reading: Reading | None, settled: bool, table: TableState
) -> StateWire:
    """A complete state. ``reading`` is None before the first picture."""
    picture = None
    if reading is not None:
        picture = PictureWire(url=f"/frame.jpg?seq={sequence}", width=reading.width, height=reading.height)
    return StateWire(
        sequence=sequence,
        camera=camera,
        picture=picture,
        settled=settled,
        sightings=[_sighting(s) for s in reading.sightings] if reading else [],
        rules=rules,
        dealer=_dealer(table.dealer) if table.dealer else None,
        hands=[_hand(h) for h in table.hands],
        problems=list(table.problems),
        ms=dict(reading.ms) if reading else {},
    )


def _point(point: Point) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]


def _sighting(s: CardSighting) -> SightingWire:
    corners = [_point(p) for p in s.corners]
    return SightingWire(kind=s.kind, label=s.label, confidence=round(s.confidence, 4), corners=corners)


def _cards(cards: tuple[CardShown, ...]) -> list[CardWire]:
    return [CardWire(kind=c.kind, label=c.label) for c in cards]


def _dealer(d: DealerState) -> DealerWire:
    return DealerWire(
        cards=_cards(d.cards), upcard=d.upcard, total=d.total, centre=_point(d.centre), next_step=d.next_step
    )


def _hand(h: HandState) -> HandWire:
    return HandWire.model_validate(
        {
            "id": h.id,
            "cards": _cards(h.cards),
            "total": h.total,
            "soft": h.soft,
            "action": h.action,
            "values": dict(h.values),
            "margin": h.margin,
            "why": h.why,
            "insurance": h.insurance,
            "problems": list(h.problems),
            "centre": _point(h.centre),
        }
    )
