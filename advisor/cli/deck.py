"""``tableside deck``: is the deck that lies there whole?"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli import enrol
from advisor.cli.frames import watching
from advisor.cli.read import add_reader_options, decks_folder, load_reader
from advisor.cli.terminal import FAILED, USAGE, Failure, Progress, coloured, command, count

if TYPE_CHECKING:
    from vision.cards.deck_check import DeckCheck
    from vision.cards.reader import CardReader
    from vision.sightings import Reading

PATIENCE = 30
"""Seconds to look at a camera that never shows a whole deck."""


def register(commands: Any) -> None:
    """Add the sub-command and its own."""
    parser = command(commands, "deck", "look after your deck of cards", "tableside deck check spread.jpg")
    inner = parser.add_subparsers(dest="deck_command", required=True, metavar="COMMAND")
    check = command(
        inner, "check", "say which cards of a spread-out deck are missing or double", "tableside deck check spread.jpg"
    )
    check.add_argument(
        "images", nargs="*", metavar="IMAGE", help="pictures of the spread-out deck, each of other cards"
    )
    check.add_argument("--source", metavar="S", help="look through a camera or stream instead: as in tableside serve")
    check.add_argument("--same", action="store_true", help="all pictures show the same cards, from other sides")
    check.add_argument("--packs", type=count, default=1, metavar="N", help="packs in the deck (default 1)")
    check.add_argument(
        "--seconds",
        type=count,
        default=PATIENCE,
        metavar="N",
        help="how long to look through a camera (default 30)",
    )
    check.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(check)
    check.set_defaults(run=run_check)

    enrol_parser = command(
        inner,
        "enrol",
        "learn your own deck, so that odd faces read as well as standard ones",
        'tableside deck enrol "travel deck" --source 0',
    )
    enrol.add_arguments(enrol_parser)
    add_reader_options(enrol_parser, own_deck=False)
    enrol_parser.set_defaults(run=enrol.run)
    listed = command(inner, "list", "name the decks that were learned", "tableside deck list")
    listed.add_argument("--json", action="store_true", help="print one JSON list")
    listed.set_defaults(run=run_list)
    gone = command(inner, "delete", "forget a deck that was learned", 'tableside deck delete "travel deck"')
    gone.add_argument("name", metavar="NAME", help="the deck to forget")
    gone.set_defaults(run=run_delete)


def run_list(arguments: argparse.Namespace) -> int:
    """Returns 0."""
    from vision.cards.profile import profile_names

    names = profile_names(decks_folder())
    print(json.dumps(names) if arguments.json else "\n".join(names) or "No deck has been learned yet.")
    return 0


def run_delete(arguments: argparse.Namespace) -> int:
    """Returns 0; ends with a sentence if there is no such deck."""
    from vision.cards.profile import ProfileError, delete_profile

    try:
        delete_profile(arguments.name, decks_folder())
    except ProfileError as error:
        raise Failure(str(error)) from error
    print(f"{arguments.name} is forgotten.")
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Returns 0 for a whole deck, 1 for one that is not or that could not be read."""
    if bool(arguments.images) == bool(arguments.source):
        raise Failure("Name either pictures of the spread-out deck or --source with a camera.", USAGE)
    reader = load_reader(arguments)
    if arguments.source:
        found = _through_camera(arguments, reader)
    else:
        from vision.cards.deck_check import check_deck

        found = check_deck(_readings(arguments.images, reader), arguments.packs, arguments.same)
    print(json.dumps(as_object(found)) if arguments.json else "\n".join(in_words(found)), flush=True)
    return 0 if found.complete else FAILED


def _readings(images: list[str], reader: CardReader) -> Iterator[Reading]:
    from vision.pictures import PictureError, load_picture

    progress = Progress(len(images))
    for name in images:
        progress.draw()
        try:
            yield reader.read(load_picture(Path(name)))
        except PictureError as error:
            progress.clear()
            # A deck with a part unread would be called short.
            raise Failure(str(error)) from error
        progress.step()
    progress.clear()


def _through_camera(arguments: argparse.Namespace, reader: CardReader) -> DeckCheck:
    """Look until the deck is whole or the time is over; a card counts once two pictures in a row agree on it."""
    from vision.cards.deck_check import check_deck

    agreed: list[Reading] = []
    before: Reading | None = None
    found: DeckCheck | None = None
    with watching(arguments.source, arguments.seconds) as watch:
        for frame in watch:
            reading = reader.read(frame.image)
            if frame.still:
                agreed.append(reading)
            elif before:
                agreed.append(_in_both(before, reading))
            before = reading
            if agreed:
                found = check_deck(agreed, arguments.packs, same_spread=True)
                _show_progress(found)
                if found.complete:
                    break
        message = watch.message
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    if found is None:
        raise Failure(f"{message} No card was read; check the camera and try again.")
    return found


def _in_both(before: Reading, now: Reading) -> Reading:
    """``now`` with only those cards that ``before`` shows too."""
    left = Counter(s.label for s in before.cards)
    kept = []
    for sighting in now.sightings:
        if sighting.kind == "card":
            if not left[sighting.label]:
                continue
            left[sighting.label] -= 1
        kept.append(sighting)
    return replace(now, sightings=tuple(kept))


def _show_progress(found: DeckCheck) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{found.seen} of {52 * found.packs} cards seen")
        sys.stderr.flush()


def as_object(found: DeckCheck) -> dict[str, Any]:
    """A check as the JSON that programs get."""
    return {
        "complete": found.complete,
        "packs": found.packs,
        "seen": found.seen,
        "missing": list(found.missing),
        "double": list(found.extra),
        "jokers": found.jokers,
        "unsure": found.unsure,
        "backs": found.backs,
    }


def in_words(found: DeckCheck) -> list[str]:
    """The same for a person, a line each."""
    jokers = f", and {found.jokers} joker{'s' * (found.jokers != 1)}" if found.jokers else ""
    lines = [f"{found.seen} of {52 * found.packs} cards read{jokers}."]
    if found.missing:
        # What was not read surely may be any of these.
        which = "Missing, or not read surely" if found.unsure else "Missing"
        lines.append(coloured(f"{which}: {' '.join(found.missing)}", "red"))
    if found.extra:
        lines.append(coloured(f"Too many: {' '.join(found.extra)}", "red"))
    if found.unsure:
        lines.append(coloured(f"Not read surely: {found.unsure}. Push them apart or take the picture closer.", "amber"))
    if found.backs:
        lines.append(coloured(f"Face down: {found.backs}. Turn them over.", "amber"))
    if found.complete:
        lines.append(coloured("The deck is whole.", "green"))
    return lines
