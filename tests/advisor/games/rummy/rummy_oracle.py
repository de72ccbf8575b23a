"""The rules of the rummy family by brute force: every way to share a small hand out over the melds of a contract.

Written apart from the package, from the rules alone: no shared code but cards and the variant's fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

from advisor.games.cards import RANKS, Card
from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.contract import Slot
from advisor.games.rummy.variant import Variant

Place = tuple[int, ...]
"""A sequence's places: 1 the low ace, 2 the deuce, ..., 13 the king, 14 the high ace."""


def points_left(variant: Variant, cards: Sequence[RummyCard], slots: Sequence[Slot]) -> int | None:
    """The fewest points left in hand after laying down the slots, or None where they cannot be laid down."""
    best: int | None = None
    for used in lay_downs(variant, cards, list(slots), [], frozenset()):
        left = sum(variant.points_of(card) for k, card in enumerate(cards) if k not in used)
        best = left if best is None else min(best, left)
    return best


def free_points_left(variant: Variant, cards: Sequence[RummyCard]) -> int:
    """The fewest points left in hand with any number of melds."""
    if not cards:
        return 0
    first, rest = cards[0], cards[1:]
    best = variant.points_of(first) + free_points_left(variant, rest)
    for size in range(min(variant.set_min, variant.run_min) - 1, len(rest) + 1):
        for others in combinations(range(len(rest)), size):
            meld = [first, *(rest[k] for k in others)]
            if is_set(variant, meld) or any(True for _ in sequences(variant, meld)):
                best = min(best, free_points_left(variant, [c for k, c in enumerate(rest) if k not in others]))
    return best


def lay_downs(
    variant: Variant, cards: Sequence[RummyCard], slots: list[Slot], runs: list[tuple[str, Place]], used: frozenset[int]
) -> Iterator[frozenset[int]]:
    """The places of the cards used, for every way to lay down the slots."""
    if not slots:
        yield used
        return
    slot, later = slots[0], slots[1:]
    free = [k for k in range(len(cards)) if k not in used]
    room = len(free) - sum(each.size for each in later)
    for size in range(slot.size, (room if slot.open else slot.size) + 1):
        for chosen in combinations(free, size):
            meld = [cards[k] for k in chosen]
            if slot.kind == "set":
                if is_set(variant, meld):
                    yield from lay_downs(variant, cards, later, runs, used | set(chosen))
                continue
            for suit, place in sequences(variant, meld):
                if variant.same_suit_runs == "free" or all(
                    suit != other or gap_between(variant, place, taken) for other, taken in runs
                ):
                    yield from lay_downs(variant, cards, later, [*runs, (suit, place)], used | set(chosen))


def gap_between(variant: Variant, one: Place, other: Place) -> bool:
    """Whether a rank that neither has lies between them; round the corner, on both sides."""
    if variant.ace == "wrap":
        ring = [(p - 1) % 13 for p in one]
        near = {(p + d) % 13 for p in ring for d in (-1, 0, 1)}
        return not near & {(p - 1) % 13 for p in other}
    return min(one) > max(other) + 1 or min(other) > max(one) + 1


def is_set(variant: Variant, meld: Sequence[RummyCard]) -> bool:
    return len(meld) >= variant.set_min and any(
        wilds_allowed(variant, "set", [not own for own in as_rank])
        for rank in RANKS
        if (as_rank := stands(variant, meld, rank)) is not None
    )


def stands(variant: Variant, meld: Sequence[RummyCard], rank: str) -> list[bool] | None:
    """For each card whether it is naturally of that rank; None where some card cannot be."""
    found = []
    for card in meld:
        natural = isinstance(card, Card) and card.rank == rank
        if not natural and not variant.is_wild(card):
            return None
        found.append(natural)
    return found


def wilds_allowed(variant: Variant, kind: str, wild: Sequence[bool]) -> bool:
    number = sum(wild)
    limit = variant.max_wilds_per_meld
    if not isinstance(limit, int):
        sizes = {int(name[1:]): most for name, most in limit if (name[0] == "S") == (kind == "set")}
        reached = [size for size in sizes if size <= len(wild)]
        limit = 99 if not sizes else sizes[max(reached)] if reached else sizes[min(sizes)]
    if number > limit or (variant.naturals_majority and number >= len(wild) - number):
        return False
    return kind == "set" or variant.wilds_may_touch or not any(a and b for a, b in pairwise(wild))


def sequences(variant: Variant, meld: Sequence[RummyCard]) -> Iterator[tuple[str, Place]]:
    """Every place where these cards can lie as a legal sequence."""
    size = len(meld)
    if size < variant.run_min:
        return
    for suit in "CDHS":
        for start in range(1, 15):
            place = tuple(range(start, start + size))
            if variant.ace == "wrap":
                if start > 13 or size > 13:
                    continue
            elif place[0] < {"high": 2}.get(variant.ace, 1) or place[-1] > {"low": 13}.get(variant.ace, 14):
                continue
            if variant.ace == "both" and size > 13:
                continue
            if lies(variant, list(meld), [Card(RANKS[(p - 1) % 13], suit) for p in place]):
                yield suit, place


def lies(variant: Variant, meld: list[RummyCard], wanted: list[Card]) -> bool:
    """Whether the cards can be put so that each is what is wanted or wild, within the limits on wild cards."""
    own = [k for k, card in enumerate(meld) if card in wanted]
    if any(not variant.is_wild(card) for k, card in enumerate(meld) if k not in own):
        return False
    for natural in product((True, False), repeat=len(own)):
        naturally = [meld[k] for k, yes in zip(own, natural, strict=True) if yes]
        if any(not variant.is_wild(meld[k]) for k, yes in zip(own, natural, strict=True) if not yes):
            continue
        for spots in placings(naturally, wanted):
            if wilds_allowed(variant, "sequence", [k not in spots for k in range(len(wanted))]):
                return True
    return False


def placings(cards: Sequence[RummyCard], wanted: Sequence[Card]) -> Iterator[frozenset[int]]:
    """Every way to give each card a spot of its own that wants just it."""
    if not cards:
        yield frozenset()
        return
    for spots in placings(cards[1:], wanted):
        yield from (spots | {k} for k, want in enumerate(wanted) if want == cards[0] and k not in spots)
