"""What earlier deals left: who holds the bank, the running pack and who was dealt in, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from advisor.games.cards import FULL_PACK
from advisor.games.contract.driving import carried_cards, carried_number, carried_texts
from advisor.games.contract.story import HOUSE, Carried
from advisor.games.operations import FACE_DOWN
from advisor.games.pontoon.bank import Bank
from advisor.games.pontoon.pack import NotInPack, RunningPack
from advisor.games.pontoon.round import SEATS
from advisor.games.pontoon.rules import PontoonRules

MOST_SEATS: Final = 7
"""Seats that the table has."""
DEALER: Final = SEATS[-1]
"""How the round numbers the dealer at the house's place where he holds the bank: beyond every seat, so that the
dealing begins at seat 1."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the table stands before a deal."""

    bank: Bank
    pack: RunningPack
    seats: tuple[int, ...] = ()
    """Who was dealt in the last time."""
    fresh: bool = False
    """Whether the pack is known to be just shuffled."""

    def shuffled(self, rules: PontoonRules) -> Start:
        """The same with a pack just shuffled."""
        return replace(self, pack=RunningPack.shuffled(rules.decks), fresh=True)


def read_start(rules: PontoonRules, carried: Carried) -> Start:
    """What `carried` says; what cannot be read, or cannot be, is taken as the dealer's bank and a shuffled pack.

    So is a pack that the table says was shuffled: "shuffled" is true.
    """
    holder = carried_number(carried, "bank", HOUSE, MOST_SEATS)
    deals = carried_number(carried, "deals", 0, 10**6) if holder is not None else None
    seats = carried_texts(carried, "seats")
    known = tuple(seat for seat in range(1, MOST_SEATS + 1) if str(seat) in seats)
    pack = None if carried.get("shuffled") else _pack(rules, carried)
    fresh = RunningPack.shuffled(rules.decks)
    return Start(Bank(holder or DEALER, deals or 0), pack or fresh, known, pack in (None, fresh))


def as_carried(bank: Bank, pack: RunningPack, seats: tuple[int, ...]) -> dict[str, Any]:
    """The table as plain data, which `read_start` reads back."""
    return {
        "bank": place_of(bank.holder),
        "deals": bank.deals,
        "seats": [str(seat) for seat in seats],
        "decks": pack.decks,
        "top": pack.top,
        "under": [FACE_DOWN if card is None else str(card) for card in pack.under],
        "seen": [str(card) for card in pack.seen],
    }


def place_of(holder: int) -> int:
    """The seat that the table knows the holder by: the dealer is the house."""
    return HOUSE if holder == DEALER else holder


def _pack(rules: PontoonRules, carried: Carried) -> RunningPack | None:
    full = len(FULL_PACK) * rules.decks
    top, seen = carried_number(carried, "top", 0, full), carried_cards(carried, "seen")
    under_texts = carried_texts(carried, "under")
    faces = carried_cards({"up": [it for it in under_texts if it != FACE_DOWN]}, "up")
    if carried_number(carried, "decks", rules.decks, rules.decks) is None or top is None:
        return None
    if seen is None or faces is None or top + len(under_texts) > full:
        return None
    pack = RunningPack(rules.decks, top)
    try:
        for card in seen:
            pack = pack.revealed(card)
    except NotInPack:
        return None
    left = iter(faces)
    return replace(pack, under=tuple(None if it == FACE_DOWN else next(left) for it in under_texts))
