"""Cards that count although they are not seen any more: asked about, for such a card may never have been there."""

from __future__ import annotations

from advisor.games.contract import Choice, Fault
from advisor.games.contract.driving import card_name, take_out
from advisor.table import changes as ch
from advisor.table.state import TableState, lying, went_alone, went_late
from advisor.table.words import sentence


def missed(state: TableState) -> tuple[Fault, ...]:
    """A fault for each card that counts and went while the rest of its hand stayed; none for what somebody has named,
    moved or taken out since."""
    told = {it.change.card for it in state.sayings if isinstance(it.change, ch.NameCard | ch.RemoveCard | ch.MoveCard)}
    alone = {it.card for it in (*went_alone(state.cards), *went_late(state.cards))} - told
    found = []
    for card in lying(state):
        if card.card not in alone or not card.up or card.label is None:
            continue
        where = f"seat {card.place.seat}" if card.place.seat else "the house"
        words = sentence(f"{where}: {card_name(card)} counts but is not seen any more, and the cards beside it are")
        stays = Choice("It lies there", {"op": "name-card", "card": card.card, "label": card.label}, card.place)
        found.append(Fault(words, card.place, card.card, (take_out(card, "It was never there"), stays)))
    return tuple(found)
