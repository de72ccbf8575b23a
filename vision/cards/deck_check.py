"""Whether a deck is all there: what is missing and what lies there more often than it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vision.sightings import CARDS, JOKER, Reading


@dataclass(frozen=True)
class DeckCheck:
    """A deck of ``packs`` packs against what was read.

    ``missing`` and ``extra`` list labels in the order of a new pack, one entry for each copy; ``jokers`` counts those
    seen, ``unsure`` the faces that could not be named and ``backs`` the cards that lie face down.
    """

    packs: int
    seen: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    jokers: int
    unsure: int
    backs: int = 0

    @property
    def complete(self) -> bool:
        """Every card is there as often as it should be, and nothing is left to look at."""
        return not (self.missing or self.extra or self.unsure or self.backs)


def check_deck(readings: Iterable[Reading], packs: int = 1, same_spread: bool = False) -> DeckCheck:
    """Compare what was read with ``packs`` whole packs of 52.

    Each reading shows a part of the deck of its own, or, with ``same_spread``, all show the same cards: then a card
    counts as often as the picture that shows it most often. Raises ``ValueError`` for less than one pack.
    """
    if packs < 1:
        raise ValueError(f"a deck has at least one pack, got {packs}")
    shown = list(readings)
    counts = [Counter(s.label for s in r.cards if s.label) for r in shown]
    doubts, downs = [len(r.unsure) for r in shown], [len(r.backs) for r in shown]
    faces: Counter[str] = Counter()
    for here in counts:
        faces = faces | here if same_spread else faces + here
    # What one picture of a spread leaves open another may have read: the clearest decides.
    together = (lambda n: min(n, default=0)) if same_spread else sum
    unsure, backs = together(doubts), together(downs)
    whole = Counter(dict.fromkeys(CARDS, packs))
    ordinary = Counter({card: n for card, n in faces.items() if card != JOKER})
    return DeckCheck(
        packs,
        sum(ordinary.values()),
        _listed(whole - ordinary),
        _listed(ordinary - whole),
        faces[JOKER],
        unsure,
        backs,
    )


def _listed(cards: Counter[str]) -> tuple[str, ...]:
    return tuple(card for card in CARDS for _ in range(cards[card]))
