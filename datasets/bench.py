"""How well cards are read in labelled photographs, source by source.

The manifest is JSON: ``{"items": [{"image": "a.jpg", "source": "...", "cards": ["10H", ...]}]}``; a card may also be
``{"card": "10H", ...}``. ``"also": [...]`` names cards that lie there half hidden: read or not, they count for nothing.
A picture's score compares two multisets of cards; cards listed as unsure do not count.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from datasets.reliability import Claim, claims_of
from vision.cards.patches import Image
from vision.pictures import PictureError, load_picture
from vision.sightings import FACES, Reading


class ManifestError(ValueError):
    """The manifest cannot be used; the text says why and where."""


@dataclass(frozen=True)
class Item:
    """One labelled picture."""

    image: Path
    source: str
    cards: Counter[str]
    also: Counter[str] = field(default_factory=Counter)


@dataclass
class Score:
    """Counts over some pictures."""

    pictures: int = 0
    cards: int = 0
    hits: int = 0
    extra: int = 0
    missed: int = 0
    exact: int = 0
    unsure: int = 0
    ms: list[float] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of the named cards that are right."""
        return self.hits / max(self.hits + self.extra, 1)

    @property
    def recall(self) -> float:
        """Share of the labelled cards that were named."""
        return self.hits / max(self.hits + self.missed, 1)

    @property
    def wrong_per_1000(self) -> float:
        """Of a thousand cards listed as sure, how many are wrong."""
        return 1000 * self.extra / max(self.hits + self.extra, 1)

    @property
    def unsure_share(self) -> float:
        """Share of all faces listed, sure or not, that are listed as unsure."""
        return self.unsure / max(self.hits + self.extra + self.unsure, 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        p, r = self.precision, self.recall
        return 2 * p * r / max(p + r, 1e-9)

    def as_dict(self) -> dict[str, float | int]:
        """For programs."""
        return {
            "pictures": self.pictures,
            "cards": self.cards,
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "exact": self.exact,
            "unsure": self.unsure,
            "wrong_per_1000": round(self.wrong_per_1000, 2),
            "unsure_share": round(self.unsure_share, 4),
            "median_ms": round(statistics.median(self.ms), 1) if self.ms else 0.0,
        }


def load_manifest(path: Path, source: str | None = None) -> list[Item]:
    """The pictures of a manifest, those whose source contains ``source`` if given. Raises :class:`ManifestError`."""
    try:
        data = json.loads(path.read_text())
    except OSError as error:
        raise ManifestError(f"{path}: it could not be opened ({error.strerror}); name a manifest.json.") from error
    except ValueError as error:
        raise ManifestError(f"{path}: this is not JSON ({error}); name a manifest.json.") from error
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list):
        raise ManifestError(f'{path}: a manifest is {{"items": [...]}}; this file has no list "items".')
    root = Path(data.get("root") or path.parent)
    out = []
    for number, item in enumerate(items):
        try:
            cards = Counter(_label(c) for c in item["cards"])
            also = Counter(_label(c) for c in item.get("also", ()))
            one = Item(root / item["image"], str(item["source"]), cards, also)
        except (KeyError, TypeError, ValueError) as error:
            raise ManifestError(
                f"{path}: item {number} is not right ({error}); it needs image, source and cards."
            ) from error
        if not source or source.lower() in one.source.lower():
            out.append(one)
    return out


def _label(card: Any) -> str:
    text = str(card["card"] if isinstance(card, dict) else card).upper()
    text = "10" + text[1:] if text.startswith("T") else text
    if text not in FACES:
        raise ValueError(f"{text!r} is no card")
    return text


@dataclass(frozen=True)
class Misread:
    """A picture that was not read exactly."""

    image: Path
    missed: tuple[str, ...]
    extra: tuple[str, ...]
    trouble: str = ""
    """Why it could not be opened, where that was it."""


class Reads(Protocol):
    """Whatever reads the cards of a picture: the product's reader, or a baseline."""

    def read(self, image: Image) -> Reading:
        """Everything seen in ``image`` (H x W x 3, BGR)."""
        ...


def bench_cards(
    items: Iterable[Item], reader: Reads, done: Callable[[], None] | None = None
) -> tuple[dict[str, Score], list[Misread]]:
    """Scores by source and, last, over ``all``; and what went wrong. Unreadable files count as read without cards."""
    scores: dict[str, Score] = {}
    total, wrong = Score(), []
    for item in items:
        trouble = ""
        try:
            reading = reader.read(load_picture(item.image))
            got = Counter(s.label for s in reading.cards if s.label)
            unsure, ms = len(reading.unsure), float(reading.ms["total"])
            claims = claims_of(reading, item.cards + item.also)
        except PictureError as error:
            got, unsure, ms, claims, trouble = Counter(), 0, 0.0, [], str(error)
        got -= (got - item.cards) & item.also
        hits = sum((item.cards & got).values())
        for score in (scores.setdefault(item.source, Score()), total):
            score.pictures += 1
            score.cards += sum(item.cards.values())
            score.hits += hits
            score.extra += sum(got.values()) - hits
            score.missed += sum(item.cards.values()) - hits
            score.exact += got == item.cards
            score.unsure += unsure
            score.ms.append(ms)
            score.claims += claims
        if got != item.cards or trouble:
            missed, extra = tuple((item.cards - got).elements()), tuple((got - item.cards).elements())
            wrong.append(Misread(item.image, missed, extra, trouble))
        if done:
            done()
    scores["all"] = total
    return scores, wrong


def table(scores: dict[str, Score]) -> str:
    """The scores as lines of text."""
    return "\n".join(
        f"{name:24s} pictures {s.pictures:4d}  cards {s.cards:5d}  P {s.precision:.4f}  R {s.recall:.4f}  "
        f"F1 {s.f1:.4f}  exact {s.exact}/{s.pictures}  wrong {s.wrong_per_1000:.1f}/1000  unsure {s.unsure_share:.1%}  "
        f"median {statistics.median(s.ms or [0.0]):.0f} ms"
        for name, s in scores.items()
    )
