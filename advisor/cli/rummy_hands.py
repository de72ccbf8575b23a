"""Where ``tableside rummy`` gets its cards from: text, or a picture read and, where a card is unsure, asked about."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.batch import Refused
from advisor.cli.terminal import say

if TYPE_CHECKING:
    from advisor.games.rummy import RummyCard, Variant
    from vision.cards.reader import CardReader
    from vision.sightings import CardSighting


@dataclass(frozen=True)
class Seen:
    """The cards of one picture, or those given as text (then ``image`` is None)."""

    cards: tuple[RummyCard, ...]
    groups: tuple[tuple[RummyCard, ...], ...] = ()
    """The same cards as they lie together, where melds were asked for."""
    image: str | None = None
    unsure: tuple[CardSighting, ...] = ()
    notes: tuple[str, ...] = ()
    """What may be wrong with the picture: a card not read between two, one read twice, blur."""


@contextmanager
def part(name: str) -> Iterator[None]:
    """Card text that cannot be read becomes a refusal that names its part."""
    from advisor.games.cards import AmbiguousCard, CardError

    try:
        yield
    except AmbiguousCard as error:
        raise Refused("ambiguous", name, f"{name}: {error}") from error
    except CardError as error:
        raise Refused("malformed", name, f"{name}: {error}, or JOKER") from error


def from_text(name: str, text: object) -> Seen:
    """The cards of a text, or of a list such as the answers hold; raises `Refused`."""
    from advisor.games.rummy import parse_rummy_cards

    if isinstance(text, list) and all(isinstance(card, str) for card in text):
        text = " ".join(text)
    if not isinstance(text, str):
        raise Refused("malformed", name, f'{name}: give the cards as text, such as "10H 9S JOKER"')
    with part(name):
        return Seen(parse_rummy_cards(text))


def melds_from_text(name: str, text: object) -> Seen:
    """The melds of a text, parted by "/", or of a list of melds, each as text or as a list; raises `Refused`."""
    if isinstance(text, str):
        text = text.split("/")
    if not isinstance(text, list):
        raise Refused("malformed", name, f'{name}: give the melds as text, such as "9S 9D JOKER / 4H 5H 6H 7H"')
    groups = tuple(group for each in text if (group := from_text(name, each).cards))
    if not groups:
        raise Refused("malformed", name, f'{name}: no card is named; write them as "9S 9D JOKER / 4H 5H 6H 7H"')
    return Seen(tuple(card for group in groups for card in group), groups)


def from_picture(name: str, reader: CardReader, ask: bool, melds: bool) -> Seen:
    """The cards of a picture, each unsure one asked about where ``ask``; ``melds`` keeps cards that lie together so.

    Raises `Refused` for a picture that cannot be read, shows no card, or (unless ``melds``) shows two hands.
    """
    from advisor.games.rummy import parse_rummy_card
    from advisor.table.hand_seen import Trouble, hand_seen
    from advisor.table.melds import meld_groups
    from vision.cards.glare import burnt_ends
    from vision.cards.sharpness import index_edges
    from vision.pictures import PictureError, load_picture

    try:
        image = load_picture(Path(name))
        reading = reader.read(image)
        seen = hand_seen(reading, index_edges(image, reading), burnt_ends(image, reading))
    except PictureError as error:
        raise Refused("unreadable", name, str(error)) from error
    except Exception as error:  # one bad picture among many must not end the run
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise Refused(
            "unreadable", name, f"{name}: it could not be read ({reason}); save it again, smaller."
        ) from error
    notes: list[str] = []
    for trouble, sentence in seen.troubles:
        match trouble:
            case Trouble.NO_CARDS:
                raise Refused("unreadable", name, f"{name}: {sentence}")
            case Trouble.SEVERAL_HANDS if not melds:
                raise Refused("impossible", name, f"{name}: {sentence}")
            case Trouble.BLURRED | Trouble.SMALL | Trouble.GAP | Trouble.TWICE | Trouble.BURNT:
                notes.append(sentence)
            case Trouble.FACE_DOWN if not melds:
                notes.append(sentence)
    if reading.mirrored:
        say(f"{name}: the picture is mirrored, as selfie cameras take it; it was turned back to be read.")
    for sentence in notes:
        say(f"{name}: {sentence}")
    groups = meld_groups(seen.faces) if melds else (seen.faces,)
    answers = _asked(name, [s for group in groups for s in group]) if ask and reading.unsure else {}
    labels = {id(s): s.label for s in reading.cards} | answers
    named = tuple(
        tuple(parse_rummy_card(label) for s in group if (label := labels.get(id(s))) is not None) for group in groups
    )
    left = tuple(s for s in reading.unsure if id(s) not in answers)
    cards = tuple(card for group in named for card in group)
    return Seen(cards, tuple(group for group in named if group), name, left, tuple(notes))


def _asked(name: str, faces: Sequence[CardSighting]) -> dict[int, str | None]:
    """What a person says the unsure cards are, one question each; unsure cards that stay so are not in it."""
    from advisor.cli.read import guesses
    from advisor.games.cards import CardError
    from advisor.games.rummy import parse_rummy_card

    found: dict[int, str | None] = {}
    for number, sighting in enumerate(faces, 1):
        if sighting.kind != "unsure":
            continue
        maybe = " or ".join(list(guesses(sighting))[:3]) or "any card"
        while True:
            sys.stderr.write(
                f"{name}: card {number} of {len(faces)}, as they lie, may be {maybe}. Which is it? "
                "(Enter leaves it out, - says it is no card) "
            )
            sys.stderr.flush()
            line = sys.stdin.readline()
            text = line.strip()
            if text in ("", "-"):
                if text == "-":
                    found[id(sighting)] = None
                break
            try:
                found[id(sighting)] = str(parse_rummy_card(text))
                break
            except CardError as error:
                say(f"{error}, or JOKER.")
    return found


def unsure_objects(seen: Seen) -> list[dict[str, Any]]:
    """The cards that nobody could name, as the JSON that programs get: what they may be, and where."""
    from advisor.cli.read import corners, guesses

    return [{"guesses": guesses(s), "corners": corners(s)} for s in seen.unsure]


def noted(seen: Seen) -> dict[str, Any]:
    """What may be wrong with the picture, where anything may, as the JSON that programs get."""
    return {"notes": list(seen.notes)} if seen.notes else {}


def check_hand(variant: Variant, seen: Seen, deal: int | None, players: int | None) -> None:
    """Raises `Refused` for cards that the packs or the deal cannot have given."""
    from advisor.games.rummy import VariantError, hand_problems

    where = seen.image or "cards"
    try:
        problems = hand_problems(variant, seen.cards, deal, players)
    except VariantError as error:
        raise Refused("impossible", "deal" if "deal" in str(error) else "players", f"{error}") from error
    if problems:
        raise Refused("impossible", where, f"{where}: {'; '.join(problems)}")
