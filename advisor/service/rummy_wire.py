"""What the server and the rummy page say to each other. Sentences for people are written here in the server."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from advisor.games.rummy import JOKER, Variant, parse_rummy_card
from advisor.games.rummy.sheet import Sheet
from advisor.games.rummy.sheet.tally import tally
from advisor.games.rummy.sheet.values import DealRecord, DealState, Entry
from advisor.games.rummy.sheet.views import joined
from advisor.games.rummy.sheet.words import (
    deal_words,
    entry_words,
    next_words,
    operation_words,
    points_words,
    span_words,
)
from advisor.service.rummy_pictures import ReadPicture
from advisor.service.rummy_sheets import Standing
from advisor.service.wire import Wire
from advisor.table.hand_seen import HandSeen, Trouble
from vision.sightings import Quad

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{8,50}$", description="made by whoever asks; the same when retried")]


# What the page sends


class NewSheet(Wire):
    """A game to begin; players in seating order to the left."""

    key: Key
    name: Annotated[str, Field(max_length=200)]
    variant: Annotated[str, Field(max_length=200)]
    players: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=30)]
    dealer: Annotated[str, Field(max_length=200)]
    deals: int | None = None


class NewOperation(Wire):
    """Something that happened, as the sheet's own files write it; see ``docs/rummy-score-sheet.md``."""

    key: Key
    seen: int | None = None
    """How many operations the page has seen; needed to undo and redo."""
    operation: Annotated[dict[str, Any], Field(max_length=12)]


class Question(Wire):
    """What would these cards count?"""

    player: Annotated[str, Field(max_length=200)]
    deal: int
    cards: Annotated[list[Annotated[str, Field(max_length=10)]], Field(max_length=60)]
    bonuses: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=12)] = Field(default_factory=list)
    met: bool | None = None


# What the server answers


class ErrorWire(Wire):
    """Why nothing was done, as a sentence."""

    error: str


class ContractWire(Wire):
    """One deal of a variant."""

    deal: int
    cards: str
    contract: str


class VariantWire(Wire):
    """A variant that a game can be begun with."""

    name: str
    title: str
    about: str
    note: str
    least_players: int
    most_players: int
    deals: list[ContractWire]
    uncertain: list[str]
    usual: bool


class SheetLineWire(Wire):
    """A sheet in the list of all."""

    name: str
    title: str
    players: list[str]
    ahead: list[str]
    next: str
    over: bool


class SheetsWire(Wire):
    """All sheets, and sentences about those that cannot be read."""

    sheets: list[SheetLineWire]
    problems: list[str]


class ScoreWire(Wire):
    """One player's score in one deal."""

    player: str
    points: int
    words: str
    cards: list[str] | None
    out: bool
    met: bool | None
    bonuses: list[str]
    picture: str | None
    total: int


class DealWire(Wire):
    """One deal."""

    deal: int
    state: Literal["playing", "ended", "void"]
    dealer: str
    contract: str
    joined: dict[str, int]
    scores: list[ScoreWire]


class PlayerWire(Wire):
    """Somebody at the table."""

    name: str
    playing: bool
    total: int
    ahead: bool
    contract: str
    """The player's own, where each is on one; else empty."""


class SheetWire(Wire):
    """A whole sheet as it stands."""

    name: str
    seen: int
    title: str
    variant: str
    span: str
    over: bool
    deal: int | None
    contract: str
    dealer: str | None
    next_dealer: str | None
    missing: list[str]
    next: str
    ahead: str
    bonuses: dict[str, int]
    asks_met: bool
    undo: str
    redo: str
    players: list[PlayerWire]
    deals: list[DealWire]
    said: str


class FaceWire(Wire):
    """A card in a picture; corners in pixels of ``width`` x ``height``, clockwise from its own top-left."""

    kind: Literal["card", "unsure"]
    label: str | None
    guesses: list[str]
    corners: list[list[float]]
    at: list[float]
    """The middle of an index that shows, or of the card where none does."""


class TroubleWire(Wire):
    """Something wrong with a picture."""

    kind: Trouble
    sentence: str


class HandWire(Wire):
    """A picture that was read; its cards as they lie."""

    picture: str
    url: str
    width: int
    height: int
    cards: list[FaceWire]
    troubles: list[TroubleWire]
    ms: float


class CountedWire(Wire):
    """What cards count, and a sentence where the sheet would not take them."""

    points: int
    by_card: list[tuple[str, int]]
    problem: str


def variant_wire(variant: Variant, usual: bool) -> VariantWire:
    """A variant with what a person needs in order to choose it."""
    low, high = variant.players
    deals = [
        ContractWire(deal=number, cards=_dealt_words(variant, number), contract=deal.contract.words)
        for number, deal in enumerate(variant.deals, 1)
    ]
    return VariantWire(
        name=variant.name,
        title=variant.title,
        about=variant_about(variant),
        note=" ".join(variant.note.split()),
        least_players=low,
        most_players=high,
        deals=deals,
        uncertain=list(variant.uncertain),
        usual=usual,
    )


def variant_about(variant: Variant) -> str:
    """A variant in a few sentences: players, deals, what is wild, what is dear."""
    number = len(variant.deals)
    deals = "one deal" if number == 1 else f"{number} deals, each with its own contract"
    points = variant.points_of
    dear = f"In hand a joker counts {points(JOKER)}, an ace {points(parse_rummy_card('AS'))}"
    wild = ", ".join(word for word in variant.wild if word != "joker")
    also = f" Wild besides jokers: {wild}." if wild else ""
    return f"For {span_words(variant)} players, {deals}. {dear}, a ten {points(parse_rummy_card('10S'))}.{also}"


def _dealt_words(variant: Variant, deal: int) -> str:
    low, high = variant.players
    dealt = sorted({variant.deal(deal).dealt(players) for players in range(low, high + 1)})
    return f"{dealt[0]}" if len(dealt) == 1 else f"{dealt[0]} to {dealt[-1]}"


def line_wire(standing: Standing) -> SheetLineWire:
    """A sheet in the list of all."""
    sheet = standing.sheet
    return SheetLineWire(
        name=standing.name,
        title=sheet.variant.title,
        players=[player.name for player in sheet.players],
        ahead=list(sheet.leaders),
        next=next_words(sheet),
        over=sheet.over,
    )


def sheet_wire(standing: Standing) -> SheetWire:
    """A whole sheet."""
    sheet = standing.sheet
    deal = sheet.current
    own = sheet.variant.carry_over_contract and deal is not None
    ahead = ""
    if sheet.leaders and not sheet.over:
        names = " and ".join(sheet.leaders)
        ahead = f"{names} {'is' if len(sheet.leaders) == 1 else 'are'} ahead with {points_words(sheet.ranking[0][1])}."
    return SheetWire(
        name=standing.name,
        seen=standing.seen,
        title=sheet.variant.title,
        variant=sheet.variant.name,
        span=span_words(sheet.variant),
        over=sheet.over,
        deal=None if deal is None else deal.number,
        contract="" if deal is None else deal_words(sheet, deal.number),
        dealer=sheet.dealer,
        next_dealer=sheet.next_dealer,
        missing=list(sheet.missing),
        next=next_words(sheet),
        ahead=ahead,
        bonuses=dict(sheet.variant.bonuses),
        asks_met=sheet.variant.carry_over_contract,
        undo="" if sheet.last is None else operation_words(sheet.last),
        redo=operation_words(sheet.undone[-1]) if sheet.undone else "",
        players=[
            PlayerWire(
                name=player.name,
                playing=player.playing,
                total=sheet.total(player),
                ahead=player.name in sheet.leaders,
                contract=sheet.contract(deal.number, player).words if own and deal and player.playing else "",
            )
            for player in sheet.players
        ],
        deals=[_deal_wire(sheet, each) for each in sheet.deals],
        said=standing.said,
    )


def _deal_wire(sheet: Sheet, deal: DealRecord) -> DealWire:
    names = {player.number: player.name for player in sheet.players}
    totals = tally(sheet.players, sheet.deals, deal.number + 1).totals
    return DealWire.model_validate(
        {
            "deal": deal.number,
            "state": str(deal.state),
            "dealer": names[deal.dealer],
            "contract": deal_words(sheet, deal.number),
            "joined": {names[number]: points for number, points in joined(sheet, deal.number).items()},
            "scores": [
                _score_wire(names[number], entry, totals[number], deal.state is DealState.VOID)
                for number, entry in deal.entries
            ],
        }
    )


def _score_wire(player: str, entry: Entry, total: int, void: bool) -> ScoreWire:
    return ScoreWire(
        player=player,
        points=entry.points,
        words="void" if void else entry_words(entry),
        cards=None if entry.cards is None else [str(card) for card in entry.cards],
        out=entry.out,
        met=entry.met,
        bonuses=list(entry.bonuses),
        picture=entry.image or None,
        total=total,
    )


def _middle(quad: Quad) -> list[float]:
    return [round(sum(point[axis] for point in quad) / 4, 1) for axis in (0, 1)]


def hand_wire(picture: ReadPicture, seen: HandSeen) -> HandWire:
    """A picture that was read."""
    faces = []
    for face in seen.faces:
        ranked = sorted(face.probabilities.items(), key=lambda item: -item[1])
        guesses = [label for label, _ in ranked][:4] or ([face.label] if face.label else [])
        faces.append(
            FaceWire.model_validate(
                {
                    "kind": face.kind,
                    "label": face.label if face.kind == "card" else None,
                    "guesses": guesses,
                    "corners": [[round(x, 1), round(y, 1)] for x, y in face.corners],
                    "at": _middle(face.indices[0] if face.indices else face.corners),
                }
            )
        )
    return HandWire(
        picture=picture.name,
        url=f"/api/rummy/pictures/{picture.name}.jpg",
        width=picture.reading.width,
        height=picture.reading.height,
        cards=faces,
        troubles=[
            TroubleWire(kind=kind, sentence=sentence[:1].upper() + sentence[1:]) for kind, sentence in seen.troubles
        ],
        ms=round(picture.reading.ms.get("total", 0.0), 1),
    )
