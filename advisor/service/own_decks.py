"""Teaching the table a deck of one's own from pages: pictures are looked at and forgotten, what was learned is kept.

A deck is written anew after each card, so that a server that stops loses nothing that a page said was learned.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.cards.enrolment import Enrolment, Look, look_at, rests
from vision.cards.patches import Image
from vision.cards.profile import NAME, ProfileError, delete_profile, load_profile, profile_names, save_profile
from vision.cards.reader import CardReader
from vision.sightings import CARDS, FACES

KEPT: Final = 160
"""So many pictures' cards can still be named; the oldest go first."""
SHOWN: Final = 160
"""The longer side of the picture of a card that a person is asked about."""
ROOM: Final = 0.12
"""How much around it is shown, as a share of its longer side."""


@dataclass(frozen=True)
class Known:
    """A deck and the cards that it was taught."""

    name: str
    learned: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards of a pack that it was not shown."""
        return tuple(card for card in CARDS if card not in self.learned)


@dataclass(frozen=True, eq=False)
class Found:
    """A card in a picture: what it was learned as (or, not ``sure``, is guessed to be), and how it looks (JPEG)."""

    number: int
    label: str
    sure: bool
    jpeg: bytes


@dataclass(frozen=True, eq=False)
class Shown:
    """What came of a picture: the deck as it is now, and the cards, which can be named under ``key``."""

    deck: Known
    key: str
    cards: tuple[Found, ...]


@dataclass
class _Shower:
    """What a camera saw last of the cards that are shown to it for one deck."""

    image: Image | None = None
    before: Look | None = None
    taken: bool = False
    """Whether the card that lies there was taken already."""

    def rested(self, looks: Sequence[Look]) -> list[Look]:
        """The largest card, once it lies as it lay in the picture before; not again until it is moved."""
        here, before = (looks[0] if looks else None), self.before
        self.before = here
        lies = here is not None and before is not None and rests(before.sighting, here.sighting)
        again, self.taken = self.taken and lies, lies
        return [here] if here is not None and lies and not again else []


class OwnDecks:
    """The decks in one folder, and which of them the reader goes by; thread-safe.

    ``on_use`` is called when the reader goes by another deck than before: what lies there should be looked at anew.
    """

    def __init__(
        self, folder: Path, reader: CardReader, used: str = "", on_use: Callable[[], None] = lambda: None
    ) -> None:
        self._folder, self._reader, self.used, self._on_use = folder, reader, used, on_use
        self._one = threading.Lock()
        self._growing: dict[str, tuple[tuple[int, int], Enrolment]] = {}
        """Decks as they were written last, with their files' times and sizes then."""
        self._looks: OrderedDict[str, tuple[str, list[Look]]] = OrderedDict()
        self._showers: dict[str, _Shower] = {}

    def known(self) -> list[Known]:
        """Every deck, by name; one whose file is damaged has no cards."""
        out = []
        for name in profile_names(self._folder):
            faces: frozenset[str] = frozenset()
            with contextlib.suppress(ProfileError):
                faces = load_profile(name, self._folder).faces
            out.append(Known(name, tuple(face for face in FACES if face in faces)))
        return out

    def show(self, name: str, image: Image, one_of_many: bool = False) -> Shown:
        """Learn what is read surely in a picture (H x W x 3, BGR); the rest waits to be named.

        Of a camera's pictures, each ``one_of_many``, the largest card alone counts, once it rests. Raises
        `ProfileError`.
        """
        if not NAME.fullmatch(name):
            raise ProfileError(f"{name[:40]!r} is no name for a deck; use letters, digits, spaces, - and _.")
        with self._one:
            name = self._spelt(name)
            deck = self._enrolment(name)
            looks = self._rested(name, image) if one_of_many else look_at(self._reader, image)
            for look in looks:
                if look.sure:
                    deck.add(_label(look), look)
            if any(look.sure for look in looks):
                self._keep(deck)
            key = secrets.token_hex(8)
            if looks:
                self._looks[key] = (name, looks)
            while len(self._looks) > KEPT:
                self._looks.popitem(last=False)
            cards = (Found(k, _label(look), look.sure, _jpeg(image, look)) for k, look in enumerate(looks))
            return Shown(Known(name, tuple(deck.learned)), key, tuple(cards))

    def named(self, name: str, key: str, number: int, label: str) -> Known:
        """A card of a picture is what a person says it is, whatever it was learned as. Raises `ProfileError`."""
        with self._one:
            whose, looks = self._looks.get(key, ("", []))
            if whose.casefold() != name.casefold() or number >= len(looks):
                raise ProfileError("That picture is no longer at hand: take it again.")
            if label not in FACES:
                raise ProfileError(f"{label[:20]!r} is no card: write it as 10H, AS or JOKER.")
            deck = self._enrolment(whose)
            deck.add(label, looks[number])
            self._keep(deck)
            return Known(whose, tuple(deck.learned))

    def use(self, name: str) -> None:
        """Read by this deck from now on; by any deck's faces where ``name`` is empty. Raises `ProfileError`."""
        with self._one:
            self._reader.indices.go_by(load_profile(name, self._folder) if name else None)
            self.used = name
        self._on_use()

    def delete(self, name: str) -> None:
        """Forget a deck. Raises `ProfileError` if there is none or it cannot be deleted."""
        with self._one:
            self._growing.pop(name, None)
            self._showers.pop(name, None)
            self._looks = OrderedDict((key, it) for key, it in self._looks.items() if it[0] != name)
            delete_profile(name, self._folder)
            if name != self.used:
                return
            self._reader.indices.go_by(None)
            self.used = ""
        self._on_use()

    def _spelt(self, name: str) -> str:
        """The name as it is spelt already: phones begin with a capital, and some disks do not tell the two apart."""
        return next((one for one in profile_names(self._folder) if one.casefold() == name.casefold()), name)

    def _rested(self, name: str, image: Image) -> list[Look]:
        shower = self._showers.setdefault(name, _Shower())
        if image is shower.image:  # seen already: it tells nothing of whether its card rests
            return []
        shower.image = image
        return shower.rested(look_at(self._reader, image))

    def _enrolment(self, name: str) -> Enrolment:
        """What is known of the deck: as it was written last, unless somebody else wrote or deleted it since."""
        written, deck = self._growing.get(name, ((0, 0), None))
        now = self._written(name)
        if deck is not None and written == now:
            return deck
        network = self._reader.indices.network
        if now == (0, 0):
            return Enrolment(name, network)
        deck = Enrolment.of(load_profile(name, self._folder))
        if deck.network != network:
            raise ProfileError(
                f"The deck {name} was learned by an earlier version of the reader: delete it, teach it again."
            )
        return deck

    def _keep(self, deck: Enrolment) -> None:
        profile = deck.profile()
        save_profile(profile, self._folder)
        self._growing[deck.name] = (self._written(deck.name), deck)
        if deck.name == self.used:
            self._reader.indices.go_by(profile)

    def _written(self, name: str) -> tuple[int, int]:
        """When the deck's file was written, and its size; zeros where there is none."""
        try:
            found = (self._folder / f"{name}.npz").stat()
        except OSError:
            return 0, 0
        return found.st_mtime_ns, found.st_size


def _label(look: Look) -> str:
    return look.sighting.label or ""


def _jpeg(image: Image, look: Look) -> bytes:
    """The card as it is in the picture, with a little room."""
    corners = np.array(look.sighting.corners)
    (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
    room = ROOM * max(x1 - x0, y1 - y0)
    h, w = image.shape[:2]
    left, top = max(int(x0 - room), 0), max(int(y0 - room), 0)
    piece = image[top : max(min(int(y1 + room), h), top + 1), left : max(min(int(x1 + room), w), left + 1)]
    scale = SHOWN / max(*piece.shape[:2], 1)
    small = cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", small)[1].tobytes()
