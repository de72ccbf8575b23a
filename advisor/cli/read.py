"""``tableside read``: the cards in pictures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.pictures import each_picture, read_picture
from advisor.cli.terminal import Failure, coloured, command, count

if TYPE_CHECKING:
    from vision.cards.patches import Image
    from vision.cards.reader import CardReader
    from vision.sightings import CardSighting, Reading


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = command(
        commands, "read", "say which cards lie in each picture", "tableside read table.jpg --json --draw drawn/"
    )
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a picture: JPEG, PNG, WebP, HEIC, BMP or TIFF")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--draw", type=Path, metavar="FOLDER", help="write each picture there with what was read on it")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def add_reader_options(parser: argparse.ArgumentParser, own_deck: bool = True) -> None:
    """The options that every command with networks has; ``own_deck`` adds the choice of an enrolled deck."""
    parser.add_argument("--threads", type=count, default=2, help="processor threads for the networks (default 2)")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="networks to use in place of those shipped")
    if own_deck:
        parser.add_argument("--deck", metavar="NAME", help="your own deck, learned by tableside deck enrol")


def load_reader(arguments: argparse.Namespace, live: bool = False) -> CardReader:
    """The card reader that the options ask for, for pictures or for a camera that is watched (``live``); a missing or
    damaged network ends the command with a sentence."""
    from vision.cards.profile import ProfileError, load_profile
    from vision.cards.reader import LIVE, CardReader, ModelError

    try:
        deck = getattr(arguments, "deck", None)
        profile = load_profile(deck, decks_folder()) if deck else None
        return CardReader.load(
            arguments.weights, threads=arguments.threads, settings=LIVE if live else None, profile=profile
        )
    except (ModelError, ProfileError) as error:
        raise Failure(str(error)) from error


def decks_folder() -> Path:
    """Where the person's own decks are kept."""
    from platformdirs import user_data_path

    return user_data_path("tableside", appauthor=False) / "decks"


def run(arguments: argparse.Namespace) -> int:
    """Read every picture. Returns 0, or 1 if some picture could not be read."""
    drawings = _Drawings(arguments.draw, arguments.images) if arguments.draw else None
    reader = load_reader(arguments)
    return each_picture(
        arguments.images, arguments.json, lambda name: _read_one(name, reader, drawings, arguments.json)
    )


def _read_one(name: str, reader: CardReader, drawings: _Drawings | None, as_json: bool) -> str:
    def read(image: Image) -> Reading:
        reading = reader.read(image)
        if drawings:
            drawings.write(Path(name), image, reading)
        return reading

    reading, opened = read_picture(name, read)
    if as_json:
        return json.dumps(as_object(name, reading, opened))
    return _in_words(name, reading)


def as_object(name: str, reading: Reading, opened_ms: float) -> dict[str, Any]:
    """A reading as the JSON that programs get; ``opened_ms`` is what loading the file took."""
    return {
        "image": name,
        "width": reading.width,
        "height": reading.height,
        "mirrored": reading.mirrored,
        "cards": [
            {"card": s.label, "confidence": round(s.confidence, 4), "corners": corners(s)} for s in reading.cards
        ],
        "backs": [{"corners": corners(s)} for s in reading.backs],
        "unsure": [{"guesses": guesses(s), "corners": corners(s)} for s in reading.unsure],
        "ms": {"open": round(opened_ms, 1), **{step: round(ms, 1) for step, ms in reading.ms.items()}},
    }


def corners(sighting: CardSighting) -> list[list[float]]:
    """Four points in pixels, to a tenth."""
    return [[round(x, 1), round(y, 1)] for x, y in sighting.corners]


def guesses(sighting: CardSighting) -> Mapping[str, float]:
    """What an unsure card may be, likeliest first."""
    ranked = sorted(sighting.probabilities.items(), key=lambda item: -item[1])
    if not ranked and sighting.label:
        ranked = [(sighting.label, sighting.confidence)]
    return {label: round(chance, 4) for label, chance in ranked}


def _in_words(name: str, reading: Reading) -> str:
    parts = [" ".join(s.label or "" for s in reading.cards) or "no cards"]
    if reading.backs:
        parts.append(f"{len(reading.backs)} face down")
    if reading.unsure:
        names = " ".join(f"{s.label or ''}?" for s in reading.unsure)
        parts.append(coloured(f"unsure: {names}", "amber"))
    if reading.mirrored:
        parts.append("seen in a mirror")
    return f"{name}: {', '.join(parts)}"


class _Drawings:
    """Writes annotated pictures into a folder, never over one of the pictures that were given."""

    def __init__(self, folder: Path, images: list[str]) -> None:
        self.folder = folder
        self.taken = {Path(name).resolve() for name in images}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"{folder}: the folder could not be made ({error.strerror}); name another.") from error

    def write(self, path: Path, image: Any, reading: Reading) -> None:
        """Write ``path``'s picture with its reading drawn on it."""
        import cv2

        from vision.cards.draw import annotate

        target, number = self.folder / f"{path.stem}.jpg", 1
        while target.resolve() in self.taken:
            number += 1
            target = self.folder / f"{path.stem}-{number}.jpg"
        self.taken.add(target.resolve())
        try:
            done, data = cv2.imencode(".jpg", annotate(image, reading), [cv2.IMWRITE_JPEG_QUALITY, 92])
            if not done:
                raise OSError(0, "it cannot be a JPEG")
            target.write_bytes(data.tobytes())
        except OSError as error:
            raise Failure(
                f"{target}: it could not be written ({error.strerror}); check the folder and the disk."
            ) from error
