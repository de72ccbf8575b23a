"""Melds: whether some cards are a legal set or sequence, what each wild card stands for, and if not, why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from advisor.games.cards import RANK_NAMES, SUIT_NAMES, SUITS, Card
from advisor.games.rummy.cards import RANK_AT, Joker, RummyCard, rummy_text
from advisor.games.rummy.contract import Kind
from advisor.games.rummy.sequences import RING, Window, card_at, windows
from advisor.games.rummy.variant import Variant


class Why(StrEnum):
    """Why cards are no legal meld."""

    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    MIXED = "mixed"
    """Neither of one rank nor of one suit."""
    JOKER = "joker"
    """A joker, in a variant where it stands for nothing."""
    TWICE = "twice"
    """A card comes twice in what would be a sequence."""
    GAP = "gap"
    """A card is missing and no wild card stands for it."""
    ACE = "ace"
    """The ace is not where the variant lets it be."""
    TOO_MANY_WILDS = "too_many_wilds"
    WILDS_NOT_FEWER = "wilds_not_fewer"
    """The variant wants more natural cards than wild ones."""
    WILDS_TOUCH = "wilds_touch"


@dataclass(frozen=True, slots=True)
class Meld:
    """A legal meld as it lies: a sequence from its low end up, a set with its natural cards first."""

    kind: Kind
    cards: tuple[RummyCard, ...]
    stands: tuple[Card, ...]
    """What each card is in the meld: itself, or what it stands for."""
    window: Window = ()
    """Where a sequence lies (see `advisor.games.rummy.sequences`)."""

    @property
    def wild_count(self) -> int:
        """How many of the cards stand for another."""
        return sum(card != stood for card, stood in zip(self.cards, self.stands, strict=True))

    @property
    def wilds(self) -> Mapping[str, str]:
        """Wild card to what it stands for, as text; of several alike the second is "JOKER#2", the third "JOKER#3"."""
        found: dict[str, str] = {}
        seen: Counter[RummyCard] = Counter()
        for card, stood in zip(self.cards, self.stands, strict=True):
            if card != stood:
                seen[card] += 1
                found[str(card) if seen[card] == 1 else f"{card}#{seen[card]}"] = str(stood)
        return found

    def __str__(self) -> str:
        return rummy_text(self.cards)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What some cards are: a legal meld, or ``why`` not with a sentence that says so to a person."""

    meld: Meld | None
    why: Why | None = None
    sentence: str = ""

    @property
    def legal(self) -> bool:
        """Whether they are a meld."""
        return self.meld is not None


def judge(variant: Variant, cards: Sequence[RummyCard]) -> Verdict:
    """Whether the cards are a legal meld by themselves, whatever a contract asks for.

    Where several readings are legal the one in which the cards lie, up or down, is taken; else the lowest sequence.
    """
    found = readings(variant, cards)
    if found:
        order = tuple(cards)
        lies = next((m for m in found if m.cards in (order, order[::-1])), found[0])
        return Verdict(lies)
    why, sentence = _refused(variant, tuple(cards))
    return Verdict(None, why, sentence)


def readings(variant: Variant, cards: Sequence[RummyCard]) -> tuple[Meld, ...]:
    """Every way to read the cards as one legal meld: as a set first, then as sequences, lowest first."""
    return tuple(dict.fromkeys(meld for meld in _ways(variant, cards) if fault(variant, meld) is None))


def fixed_cards(variant: Variant, cards: Sequence[RummyCard]) -> tuple[list[Card], list[RummyCard]]:
    """The cards that can only be themselves, and those that may stand for others."""
    fixed = [card for card in cards if isinstance(card, Card) and not variant.is_wild(card)]
    return fixed, [card for card in cards if variant.is_wild(card)]


def stand_ins(rank: str, natural: Sequence[Card], number: int) -> tuple[Card, ...]:
    """What so many wild cards stand for in a set: the suits it has fewest of, clubs to spades."""
    held = Counter(card.suit for card in natural)
    found = []
    for _ in range(number):
        suit = min(SUITS, key=lambda s: (held[s], SUITS.index(s)))
        held[suit] += 1
        found.append(Card(rank, suit))
    return tuple(found)


def as_set(variant: Variant, cards: Sequence[RummyCard]) -> Meld | None:
    """The cards as a set, whatever the limits on wild cards; None where they are none."""
    fixed, wild = fixed_cards(variant, cards)
    ranks = {card.rank for card in fixed}
    if len(ranks) > 1 or len(cards) < variant.set_min or len(fixed) + len(wild) < len(cards):
        return None
    # Wild cards alone are read as their own rank where they have one, else as kings.
    own = [card.rank for card in wild if isinstance(card, Card)]
    rank = ranks.pop() if ranks else [*own, "K"][0]
    natural = [*fixed, *(card for card in wild if isinstance(card, Card) and card.rank == rank)]
    free = [card for card in wild if not (isinstance(card, Card) and card.rank == rank)]
    return Meld("set", (*natural, *free), (*natural, *stand_ins(rank, natural, len(free))))


def _ways(variant: Variant, cards: Sequence[RummyCard]) -> Iterator[Meld]:
    """Every way to read the cards as a meld, whatever the limits on wild cards."""
    of_a_rank = as_set(variant, cards)
    if of_a_rank is not None:
        yield of_a_rank
    yield from _sequences(variant, cards)


def _sequences(variant: Variant, cards: Sequence[RummyCard]) -> Iterator[Meld]:
    fixed, wild = fixed_cards(variant, cards)
    suits = {card.suit for card in fixed}
    if len(suits) > 1 or len(cards) < variant.run_min or len(fixed) + len(wild) < len(cards):
        return
    own = [card.suit for card in wild if isinstance(card, Card)]
    for suit in suits or dict.fromkeys([*own, *SUITS]):
        for window in windows(variant.ace, len(cards)):
            yield from _laid(window, suit, fixed, wild)


def _laid(window: Window, suit: str, fixed: list[Card], wild: list[RummyCard]) -> Iterator[Meld]:
    """The ways to lay the cards into one window: a single ace of a sequence from ace to ace can lie at either end."""
    wanted = [card_at(place, suit) for place in window]
    if Counter(fixed) - Counter(wanted):
        return
    ends = [0, -1] if wanted[0] == wanted[-1] and len(window) > RING and fixed.count(wanted[0]) == 1 else [0]
    for end in ends:
        places: list[RummyCard | None] = [None] * len(window)
        left, free = list(fixed), list(wild)
        for k in sorted(range(len(window)), key=lambda k: k != end % len(window)):
            for source in (left, free):
                if places[k] is None and wanted[k] in source:
                    source.remove(wanted[k])
                    places[k] = wanted[k]
        cards = [card if card is not None else free.pop(0) for card in places]
        yield Meld("sequence", tuple(cards), tuple(wanted), window)


def fault(variant: Variant, meld: Meld) -> Why | None:
    """What is wrong with the wild cards of a meld that is right in all else."""
    wilds, size = meld.wild_count, len(meld.cards)
    if wilds > variant.wild_limit(meld.kind, size):
        return Why.TOO_MANY_WILDS
    if variant.naturals_majority and 2 * wilds >= size:
        return Why.WILDS_NOT_FEWER
    if meld.kind == "sequence" and not variant.wilds_may_touch:
        stands = [card != stood for card, stood in zip(meld.cards, meld.stands, strict=True)]
        if any(a and b for a, b in pairwise(stands)):
            return Why.WILDS_TOUCH
    return None


def _refused(variant: Variant, cards: tuple[RummyCard, ...]) -> tuple[Why, str]:
    """The reason that helps most, with its sentence."""
    text = rummy_text(cards) or "no cards"
    fixed, _ = fixed_cards(variant, cards)
    ranks, suits = {card.rank for card in fixed}, {card.suit for card in fixed}
    if any(isinstance(card, Joker) and not variant.is_wild(card) for card in cards):
        return Why.JOKER, f"{text}: a joker stands for nothing in {variant.name}"
    least = min(variant.set_min, variant.run_min)
    if len(cards) < least or (len(ranks) > 1 and len(suits) == 1 and len(cards) < variant.run_min):
        return Why.TOO_FEW, (
            f"{text}: too few cards: a set needs {variant.set_min} or more, a sequence {variant.run_min} or more"
        )
    faulty = tuple(_ways(variant, cards))
    if faulty:
        why = fault(variant, faulty[0]) or Why.TOO_MANY_WILDS
        return why, f"{text}: {_wild_words(variant, why, faulty[0])}"
    if len(ranks) > 1 and len(suits) > 1:
        return Why.MIXED, f"{text}: neither of one rank nor of one suit"
    return _broken(variant, cards, fixed)


def _wild_words(variant: Variant, why: Why, meld: Meld) -> str:
    if why is Why.TOO_MANY_WILDS:
        limit = variant.wild_limit(meld.kind, len(meld.cards))
        return f"{meld.wild_count} wild cards, but a {meld.kind} of {len(meld.cards)} may hold {limit}"
    if why is Why.WILDS_NOT_FEWER:
        return "it needs more natural cards than wild ones"
    return "two wild cards may not lie side by side in a sequence"


def _broken(variant: Variant, cards: tuple[RummyCard, ...], fixed: list[Card]) -> tuple[Why, str]:
    """Cards of one suit that are no sequence."""
    text, suit = rummy_text(cards), fixed[0].suit
    for card, number in Counter(fixed).items():
        if number > (2 if card.rank == "A" and variant.ace == "both_ends" else 1):
            return Why.TWICE, f"{text}: {card} comes {number} times, and a sequence has each card once"
    if len(cards) > variant.longest_run:
        return Why.TOO_MANY, f"{text}: {len(cards)} cards, but a sequence has {variant.longest_run} at most"
    for ace in ("both", "both_ends", "wrap"):
        if any(not Counter(fixed) - Counter(card_at(p, suit) for p in w) for w in windows(ace, len(cards))):
            allowed = {"low": "below the deuce only", "high": "above the king only"}.get(
                variant.ace, "below the deuce or above the king, and a sequence does not go round the corner"
            )
            return Why.ACE, f"{text}: the ace lies {allowed}"
    missing = _missing(variant, cards, fixed)
    names = " and ".join(f"the {RANK_NAMES[c.rank]} of {SUIT_NAMES[suit]}" for c in missing)
    return Why.GAP, f"{text}: {names or 'a card'} is missing"


def _missing(variant: Variant, cards: tuple[RummyCard, ...], fixed: list[Card]) -> list[Card]:
    """The cards between the ends that are not there, where a wild card does not stand for them."""
    places = sorted(RANK_AT[card.rank] for card in fixed)
    if places[0] == 0 and len(places) > 1 and variant.ace != "low" and RING - places[-1] < places[1]:
        places = [*places[1:], RING]
    gaps = [p for p in range(places[0], places[-1]) if p not in places]
    wild = len(cards) - len(fixed)
    return [card_at(p, fixed[0].suit) for p in gaps[wild:][:3]]
