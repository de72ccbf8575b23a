"""The best sequences that a hand allows, for each number of wild cards: suit by suit, then all suits together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.games.cards import SUITS
from advisor.games.rummy.contract import Slot
from advisor.games.rummy.pieces import SUIT_MASK, Hand, Piece, fits, sequence_pieces
from advisor.games.rummy.sequences import apart

Best = tuple[int, tuple[tuple[Slot, Piece], ...]]
"""What the natural cards of some sequences weigh, and the sequences with the slots they fill."""
State = tuple[int, ...]
"""How many sequences of each kind of slot there are."""
_Group = tuple[int, int, tuple[tuple[Slot, Piece], ...]]
"""Some sequences of one suit: their weight, their natural cards, themselves."""


class Runs:
    """The sequences of a contract, for a hand and any part of it."""

    def __init__(self, hand: Hand, slots: Sequence[Slot], spare: bool) -> None:
        self.slots = tuple(slots)
        self._hand = hand
        self._kinds = tuple(dict.fromkeys(self.slots))
        self._full: State = tuple(self.slots.count(kind) for kind in self._kinds)
        self._gap = hand.variant.same_suit_runs == "gap" and len(self.slots) > 1
        self._groups = [self._groups_of(suit, spare) for suit in range(len(SUITS))] if self.slots else []
        self._known: dict[int, Mapping[int, Best]] = {}
        self._known_of: dict[tuple[int, int], dict[State, dict[int, Best]]] = {}
        self._mask = sum(mask for mask, groups in zip(SUIT_MASK, self._groups, strict=False) if groups)

    def best(self, held: int) -> Mapping[int, Best]:
        """Wild cards used to the best sequences that fill every slot from the packed cards ``held``.

        Empty where there are none. ``held`` is the hand or a part of it.
        """
        key = held & self._mask
        if key not in self._known:
            self._known[key] = self._all_suits(held)
        return self._known[key]

    def _all_suits(self, held: int) -> Mapping[int, Best]:
        zero: State = (0,) * len(self._kinds)
        totals: dict[State, dict[int, Best]] = {zero: {0: (0, ())}}
        for suit, groups in enumerate(self._groups):
            if not groups:
                continue
            of_suit = self._one_suit(suit, held)
            after = {state: dict(by_wilds) for state, by_wilds in totals.items()}
            for more, additions in of_suit.items():
                for state, by_wilds in totals.items():
                    joint = tuple(a + b for a, b in zip(state, more, strict=True))
                    if all(a <= b for a, b in zip(joint, self._full, strict=True)):
                        self._add(after.setdefault(joint, {}), by_wilds, additions)
            totals = after
        return totals.get(self._full, {})

    def _add(self, to: dict[int, Best], some: Mapping[int, Best], others: Mapping[int, Best]) -> None:
        most = self._hand.wilds
        for wilds, (weight, pieces) in some.items():
            for more, (extra, further) in others.items():
                total = wilds + more
                if total <= most and (total not in to or weight + extra > to[total][0]):
                    to[total] = (weight + extra, pieces + further)

    def _one_suit(self, suit: int, held: int) -> dict[State, dict[int, Best]]:
        part = held & SUIT_MASK[suit]
        found = self._known_of.get((suit, part))
        if found is None:
            found = {}
            for state, by_wilds in self._groups[suit].items():
                for wilds, groups in by_wilds.items():
                    for weight, cards, pieces in groups:
                        if fits(part, cards):
                            found.setdefault(state, {})[wilds] = (weight, pieces)
                            break
            self._known_of[(suit, part)] = found
        return found

    def _groups_of(self, suit: int, spare: bool) -> dict[State, dict[int, list[_Group]]]:
        """Everything that one suit can give: state to wild cards to groups of sequences, heaviest first."""
        hand, held = self._hand, self._hand.held & SUIT_MASK[suit]
        pieces = [
            (kind, piece)
            for kind, slot in enumerate(self._kinds)
            for piece in sequence_pieces(hand, slot, suit, spare, self._gap)
        ]
        table: dict[State, dict[int, dict[int, _Group]]] = {}
        zero: State = (0,) * len(self._kinds)
        frontier: list[tuple[int, State, int, _Group]] = [(0, zero, 0, (0, 0, ()))]
        for _ in self.slots:
            grown: list[tuple[int, State, int, _Group]] = []
            for first, state, wilds, (weight, cards, group) in frontier:
                for number in range(first, len(pieces)):
                    kind, piece = pieces[number]
                    used = wilds + piece.wilds
                    if used > hand.wilds or state[kind] == self._full[kind] or not fits(held, cards + piece.cards):
                        continue
                    if self._gap and not all(apart(p.window, piece.window, hand.variant.ace) for _, p in group):
                        continue
                    joint = (*state[:kind], state[kind] + 1, *state[kind + 1 :])
                    whole = (weight + piece.weight, cards + piece.cards, (*group, (self._kinds[kind], piece)))
                    grown.append((number, joint, used, whole))
                    table.setdefault(joint, {}).setdefault(used, {}).setdefault(whole[1], whole)
            frontier = grown
        return {
            state: {wilds: sorted(groups.values(), key=lambda g: -g[0]) for wilds, groups in by_wilds.items()}
            for state, by_wilds in table.items()
        }
