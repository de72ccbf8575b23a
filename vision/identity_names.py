"""A card's name over many readings: the first sure one stands until another clearly outweighs it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.sightings import JOKER, CardSighting, akin

FIRST, MOST = 2, 5
"""What one sure reading weighs, and the most that any number of them weigh together."""
RANK_CLEAR = 0.97
"""How likely an unsure reading must find its guess's rank, whatever the suit, for the rank to be taken as read."""
RANK_READINGS = 2
"""So many such readings of one rank, one after the other, make the rank sure."""
REPEATED = 3
"""So many sure readings of one other name, with none of the held one between, before it can take over."""
STANDS, OFTEN = 0.5, 2
"""A name that was found so likely in the whole card, so often, is not changed by its corner alone."""
DOUBTED = 3
"""A name that the whole card gave is given up where so many later looks at it, with none between that bears it out,
leave it possible and no name likely: then the corner is read as before, and pips or court speak against it."""
OPEN = 0.7
"""A whole card none of whose names is as likely leaves its name open."""
POSSIBLE = 0.1
"""How likely an unsure reading must find a held name for it to be that card's, carried here."""


@dataclass(frozen=True)
class Name:
    """The held name, and the case against it.

    A sure reading of the held name adds one to its ``weight`` (``FIRST`` at first, ``MOST`` at most) and clears its
    ``rival``; a sure reading of another takes one away. Below zero, and after ``REPEATED`` sure readings of the same
    rival in a row, the rival takes over: a name read once yields to three others, one read often to six. This is
    Boyer and Moore's majority vote with a bound, so that what was true long ago can still be outvoted. Unsure
    readings never change a sure name; without one, the likeliest guess so far is held.
    """

    label: str | None = None
    sure: bool = False
    confidence: float = 0.0
    weight: int = 0
    readings: int = 0
    """Sure readings of the held name."""
    rival: str | None = None
    rival_readings: int = 0
    clear_rank: str = ""
    """The rank that unsure readings were clear about, and how many of them, with none for another rank between."""
    clear_readings: int = 0
    whole: int = 0
    """Readings of the whole card that gave the held name, as likely as ``STANDS`` or more."""
    open_whole: int = 0
    """Readings of the whole card that left its name ``OPEN``, since one last bore a sure name out."""
    torn: int = 0
    """Those of them that left a sure name possible, beside others."""
    given_up: bool = False
    """Whether a name that was sure is not any more: looks at the whole card left it open."""

    @property
    def rank_sure(self) -> bool:
        """Whether at least the rank may be trusted."""
        told = self.label is not None and self.clear_rank == self.label[:-1] and self.clear_readings >= RANK_READINGS
        return self.sure or told

    @property
    def contested(self) -> bool:
        """Whether a corner alone is sure of what a first look at the whole card left open: another look will tell."""
        return self.sure and self.whole == 0 < self.open_whole

    def may_be(self, seen: CardSighting) -> bool:
        """Whether an unsure reading leaves the held name open."""
        if self.label is None or seen.label is None:
            return False
        return seen.label == self.label or seen.probabilities.get(self.label, 0.0) >= POSSIBLE

    def heard(self, seen: CardSighting, whole: bool = True) -> Name:
        """The name after one more settled reading of the card's face.

        Of a card that others cover in part (not ``whole``) the corner alone is read, and read alike each time; what
        was read ``OFTEN`` of it with pips or court beside it stands, and may only be borne out; once is enough where
        the corner, no more surely, has another suit of that colour. What they left open as often stays open: where a
        corner alone is sure of what the whole card was not, pips or court spoke against it. That holds as well for a
        corner that was sure before the whole card was looked at.
        """
        often = 1 if akin(seen.label, self.label) and seen.confidence <= self.confidence else OFTEN
        stands = not whole and self.whole >= often and seen.label != self.label
        left_open = not whole and not self.sure and self.open_whole >= OFTEN and seen.kind == "card"
        if seen.kind == "back" or stands or left_open:
            return self
        after = self._heard(seen)
        before = self.whole if after.label == self.label else 0
        told = whole and seen.label == after.label and seen.confidence >= STANDS
        guessed = whole and seen.kind == "unsure" and seen.label is not None
        if not after.sure:
            opened = self.open_whole + (guessed and seen.confidence < OPEN)
            return replace(after, whole=before + told, open_whole=opened)
        opened = 0 if told else self.open_whole + guessed
        torn = 0 if told else self.torn + (guessed and seen.confidence < OPEN and self.may_be(seen))
        if (before + told == 0 and opened >= OFTEN) or torn >= DOUBTED:
            return Name(seen.label, False, seen.confidence, open_whole=opened, given_up=True)
        return replace(after, whole=before + told, open_whole=opened, torn=torn)

    def _heard(self, seen: CardSighting) -> Name:
        if seen.kind == "unsure":
            if self.sure or seen.label is None:
                return self
            heard = self._rank_heard(_clear_rank(seen), seen.label)
            if self.label is not None and seen.confidence <= self.confidence:
                return heard
            return replace(heard, label=seen.label, confidence=seen.confidence)
        if not self.sure:
            return self._named(seen, FIRST, 1)
        if seen.label == self.label:
            confidence = max(self.confidence, seen.confidence)
            weight = min(self.weight + 1, MOST)
            return replace(self._named(seen, weight, self.readings + 1), confidence=confidence)
        against = self.rival_readings + 1 if seen.label == self.rival else 1
        if self.weight <= 0 and against >= REPEATED:
            return self._named(seen, FIRST, against)
        return replace(self, weight=max(self.weight - 1, 0), rival=seen.label, rival_readings=against)

    def _named(self, seen: CardSighting, weight: int, readings: int) -> Name:
        return Name(seen.label, True, seen.confidence, weight, readings)

    def _rank_heard(self, rank: str, label: str) -> Name:
        """A reading that is clear about no rank changes nothing, unless its guess is of another."""
        if rank and rank == self.clear_rank:
            return replace(self, clear_readings=self.clear_readings + 1)
        if rank or label[:-1] != self.clear_rank:
            return replace(self, clear_rank=rank, clear_readings=int(bool(rank)))
        return self


def _clear_rank(seen: CardSighting) -> str:
    """The rank of an unsure reading's guess where only its suit is open; else nothing."""
    if seen.label is None or seen.label == JOKER:
        return ""
    rank = seen.label[:-1]
    likely = sum(chance for label, chance in seen.probabilities.items() if label != JOKER and label[:-1] == rank)
    return rank if likely >= RANK_CLEAR else ""
