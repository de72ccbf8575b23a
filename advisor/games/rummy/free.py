"""The best melding where any number of melds will do: plain rummy, and gin's deadwood."""

from __future__ import annotations

from advisor.games.rummy.contract import Slot
from advisor.games.rummy.laying import Chosen, lay
from advisor.games.rummy.melds import Meld
from advisor.games.rummy.pieces import ONE, RING, WIDTH, Hand, Piece, fits, sequence_pieces, set_pieces
from advisor.games.rummy.variant import NO_LIMIT


def free_melds(hand: Hand, least: int) -> tuple[int, list[Meld]] | None:
    """The melds that weigh most together, if more than ``least``, with their weight; None where there is none.

    Exact: the lowest card of what is left lies in one of the melds that hold it, or in none.
    """
    pieces = _pieces(hand)
    holding: list[list[tuple[Slot, Piece]]] = [[] for _ in ONE]
    for slot, piece in pieces:
        if piece.cards:
            holding[_lowest(piece.cards)].append((slot, piece))
    known: dict[tuple[int, int], tuple[int, Chosen]] = {}

    def best(held: int, wilds: int) -> tuple[int, Chosen]:
        """The most that natural cards and melds can weigh; wild cards are weighed by how many are used in all."""
        key = (held, wilds)
        if key not in known:
            known[key] = _try(held, wilds)
        return known[key]

    def _try(held: int, wilds: int) -> tuple[int, Chosen]:
        if not held:
            return _wild_alone(hand, wilds)
        low = _lowest(held)
        found = best(held - ONE[low], wilds)
        for slot, piece in holding[low]:
            if piece.wilds <= wilds and fits(held, piece.cards):
                weight, rest = best(held - piece.cards, wilds - piece.wilds)
                used = hand.worth[hand.wilds - wilds + piece.wilds] - hand.worth[hand.wilds - wilds]
                if weight + piece.weight + used > found[0]:
                    found = (weight + piece.weight + used, [(slot, piece), *rest])
        return found

    weight, chosen = best(hand.held, hand.wilds)
    return (weight, lay(hand, _joined(hand, chosen))) if chosen and weight > least else None


def _lowest(cards: int) -> int:
    return ((cards & -cards).bit_length() - 1) // WIDTH


def _slots(hand: Hand) -> list[Slot]:
    """Melds of every length that is not two melds laid together.

    Where wild cards must be fewer than natural ones, cutting a meld in two could make a part illegal: then all lengths.
    """
    variant, most = hand.variant, sum(hand.counts) + hand.wilds
    found = []
    for kind, least, top in (("set", variant.set_min, most), ("sequence", variant.run_min, variant.longest_run)):
        longest = top if hand.limited else min(top, 2 * least - 1)
        found += [Slot(kind, size) for size in range(least, min(longest, most) + 1)]  # type: ignore[arg-type]
    return found


def _pieces(hand: Hand) -> list[tuple[Slot, Piece]]:
    found = []
    for slot in _slots(hand):
        if slot.kind == "set":
            found += [(slot, piece) for piece in set_pieces(hand, slot, False)]
        else:
            for suit in range(4):
                found += [(slot, piece) for piece in sequence_pieces(hand, slot, suit, False, False)]
    return found


def _wild_alone(hand: Hand, wilds: int) -> tuple[int, Chosen]:
    """As many of the last wild cards as can be melds of nothing else."""
    variant = hand.variant
    size = variant.set_min
    if wilds < size or variant.naturals_majority or variant.wild_limit("set", size) < size:
        return 0, []
    if variant.wild_limit("set", wilds) < wilds:
        return 0, []
    weight = hand.worth[hand.wilds] - hand.worth[hand.wilds - wilds]
    return weight, [(Slot("set", wilds), Piece(0, wilds, 0, -1, (), ()))]


def _joined(hand: Hand, chosen: Chosen) -> Chosen:
    """Sequences that follow on from each other laid together, and so are sets of one rank."""
    if hand.limited or hand.variant.wild_limit("sequence", RING) < NO_LIMIT:
        return chosen
    joined: Chosen = []
    for slot, piece in sorted(chosen, key=lambda each: each[1].window or (99,)):
        for k, (_, other) in enumerate(joined):
            window = other.window + piece.window
            same = piece.window and other.suit == piece.suit and other.window[-1] + 1 == piece.window[0]
            if same and len(window) <= hand.variant.longest_run:
                natural = other.natural + piece.natural
                total = Piece(
                    other.weight + piece.weight, other.wilds + piece.wilds, other.cards + piece.cards, piece.suit,
                    window, natural,
                )  # fmt: skip
                joined[k] = (Slot("sequence", len(window)), total)
                break
        else:
            joined.append((slot, piece))
    return joined
