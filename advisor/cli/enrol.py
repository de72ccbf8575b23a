"""``tableside deck enrol``: learn the look of a person's own deck, from a camera or from pictures."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.cli.frames import watching
from advisor.cli.read import decks_folder, load_reader
from advisor.cli.terminal import FAILED, USAGE, Failure, Progress, count, say

if TYPE_CHECKING:
    from vision.cards.enrolment import Enrolment, Look
    from vision.cards.reader import CardReader
    from vision.sightings import CardSighting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``deck enrol``."""
    parser.add_argument("name", metavar="NAME", help="what to call the deck")
    parser.add_argument(
        "--source",
        required=True,
        metavar="S",
        help="a webcam number or stream to show the cards to, or a picture or folder; a picture called after a card "
        "(10H.jpg) shows that card, any other a part of the deck spread out",
    )
    parser.add_argument("--seconds", type=count, default=120, metavar="N", help="how long to watch (default 120)")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")


def run(arguments: argparse.Namespace) -> int:
    """Returns 0 when every card of a pack was learned, 1 when some are missing (the others are kept)."""
    from vision.cards.enrolment import Enrolment
    from vision.cards.profile import NAME, ProfileError, profile_names, save_profile

    if not NAME.fullmatch(arguments.name):
        raise Failure(f"{arguments.name!r} is no name for a deck; use letters, digits, spaces, - and _.", USAGE)
    reader = load_reader(arguments)
    enrolment = Enrolment(arguments.name, reader.indices.network)
    pictures = _pictures(arguments.source)
    try:
        if pictures:
            _from_pictures(pictures, reader, enrolment)
        else:
            _from_camera(arguments, reader, enrolment)
        profile = enrolment.profile()
        if arguments.name in profile_names(decks_folder()):
            say(f"What was learned of {arguments.name!r} before is replaced.")
        kept = save_profile(profile, decks_folder())
    except ProfileError as error:
        raise Failure(str(error)) from error
    missing = list(enrolment.missing)
    if arguments.json:
        print(json.dumps({"deck": arguments.name, "learned": 52 - len(missing), "missing": missing, "file": str(kept)}))
    else:
        print(f"{arguments.name}: {52 - len(missing)} of 52 cards learned. Use it with --deck {arguments.name!r}.")
        if missing:
            print(f"Not shown yet, read as any deck's: {' '.join(missing)}")
    return FAILED if missing else 0


def _pictures(source: str) -> list[Path]:
    """The pictures that ``source`` names; none if it is a camera, a stream or a film."""
    from vision.sources.feeds import PICTURES, pictures_in

    path = Path(source).expanduser()
    if path.is_dir():
        found = pictures_in(path)
        if not found:
            raise Failure(f"{path}: the folder holds no pictures; put some there.", USAGE)
        return found
    return [path] if path.suffix.lower() in PICTURES else []


def _from_pictures(pictures: list[Path], reader: CardReader, enrolment: Enrolment) -> None:
    from vision.cards.enrolment import look_at
    from vision.pictures import PictureError, load_picture
    from vision.sightings import FACES

    progress = Progress(len(pictures))
    for path in pictures:
        progress.draw()
        try:
            looks = look_at(reader, load_picture(path))
        except PictureError as error:
            # The other pictures still count: what is missing is said at the end.
            progress.clear()
            say(str(error))
            continue
        progress.clear()
        named = path.stem.upper()
        if named in FACES:
            if looks:
                enrolment.add(named, looks[0])
                seen = looks[0].sighting.label
                if looks[0].sure and seen != named:
                    say(f"{path}: learned as {named}, as it is called, but it looks like {seen}; is the name right?")
            else:
                say(f"{path}: no card was found; take the picture closer.")
        else:
            for look in looks:
                if label := _label_of(look, path.name):
                    enrolment.add(label, look)
        progress.step()
    progress.clear()


def _from_camera(arguments: argparse.Namespace, reader: CardReader, enrolment: Enrolment) -> None:
    """Learn each card that rests before the camera, until the pack is complete or the time is over."""
    from vision.cards.enrolment import look_at, rests

    before: CardSighting | None = None
    last: str | None = None
    came = False
    with watching(arguments.source, arguments.seconds) as watch:
        if not arguments.json:
            print("Show each card for a second, in any order. Ctrl-C ends and keeps what was learned.", flush=True)
        try:
            for frame in watch:
                came = True
                looks = look_at(reader, frame.image)
                here = looks[0].sighting if looks else None
                if here and before and rests(before, here) and here.label != last:
                    with watch.paused():
                        label = _label_of(looks[0], "the camera")
                    if label:
                        enrolment.add(label, looks[0])
                        say(f"{label} learned, {len(enrolment.missing)} to go.")
                    last = here.label
                before = here
                if not enrolment.missing:
                    break
        except KeyboardInterrupt:
            pass
        message = watch.message
    if not came:
        raise Failure(f"{message} No picture came, and nothing was kept.")
    if len(enrolment.missing) == 52:
        raise Failure(f"{message} No card was learned; hold the cards closer and keep them still.")


def _label_of(look: Look, where: str) -> str | None:
    """The card's name: read, if that is sure, or asked for where somebody can answer."""
    sighting = look.sighting
    if look.sure:
        return sighting.label
    if not sys.stdin.isatty():
        return None
    from vision.sightings import FACES

    x, y = (round(v) for v in sighting.centre)
    while True:
        try:
            answer = input(f"{where}, card at {x},{y}: which is it? [{sighting.label}, - to leave it out] ")
        except EOFError:
            return None
        answer = answer.strip().upper()
        if answer == "-":
            return None
        if (chosen := answer or sighting.label) in FACES:
            return chosen
        print("Write it as 10H, AS or JOKER.")
