"""Followed cards where a test wants them, and a table that takes in what is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.games.catalogue import game as game_named
from advisor.games.contract import Place, Played
from advisor.table import SeeingMemory, Table, TableState, begin, fold, played, see
from advisor.table.changes import Change
from vision.sightings import CardSighting, Quad

WIDTH, HEIGHT = 1280, 720


@dataclass(frozen=True)
class Card:
    """A card as vision follows it, 60 x 84 pixels; `face` is "10H", "?10H", "?~10H", "?" or "back"."""

    card: int
    face: str
    x: float
    y: float
    across: bool = False
    given_up: bool = False

    @property
    def label(self) -> str | None:
        return None if self.face == "back" else self.face.lstrip("?~") or None

    @property
    def sure(self) -> bool:
        return not self.face.startswith("?")

    @property
    def rank_sure(self) -> bool:
        return self.sure or self.face.startswith("?~")

    @property
    def up(self) -> bool:
        return self.face != "back"

    @property
    def sighting(self) -> CardSighting:
        w, h = (42, 30) if self.across else (30, 42)
        x, y = self.x, self.y
        corners: Quad = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
        if not self.up:
            return CardSighting("back", corners)
        return CardSighting("card" if self.sure else "unsure", corners, self.label, 0.9)


class Watched:
    """A table in memory that sees cards come and go."""

    def __init__(self, game: str = "blackjack", rules: str = "six-deck-s17", table: Table | None = None) -> None:
        found = game_named(game)
        self.table = table or Table(
            WIDTH,
            HEIGHT,
            house_hands=len(found.house),
            seats_hold_cards=found.seats_hold_cards,
            face_down=found.cards_face_down,
        )
        self.state: TableState = begin(game, found.load(rules), rules)
        self.memory = SeeingMemory()
        self.log: list[Change] = []

    def see(self, *cards: Card) -> Sequence[Change]:
        self.memory, changes = see(self.memory, cards, self.state, self.table)
        for change in changes:
            self.make(change)
        return changes

    def make(self, change: Change) -> None:
        self.state = fold(self.state, change)
        self.log.append(change)

    def deal(self, *cards: Card) -> None:
        """The cards come one at a time, each staying."""
        for number in range(1, len(cards) + 1):
            self.see(*cards[:number])

    @property
    def played(self) -> Played:
        return played(self.state)

    def places(self) -> dict[int, Place]:
        return {card.card: card.place for card in self.state.cards}

    def lies(self) -> dict[str, tuple[int, int]]:
        """Seat and hand of every card that is there, by its face."""
        return {c.face: (c.place.seat, c.place.hand) for c in self.state.cards if not c.gone}
