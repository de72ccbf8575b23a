"""``tableside chipset``: learn the look and the value of a person's own chips, list and forget such sets."""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.chip_sets import joined, kept_set, set_names, sets_folder
from advisor.cli.chips import add_reader_options, load_reader, money
from advisor.cli.frames import watching
from advisor.cli.terminal import FAILED, USAGE, Failure, command, count, say

if TYPE_CHECKING:
    from advisor.money import ChipSet
    from vision.chips.appearance import Appearance, Shown
    from vision.chips.crops import Image
    from vision.chips.reader import ChipReader
    from vision.chips.values import Box, ChipSize

RESTS = 0.06
"""A chip rests when its box moves less than this share of its width between two frames."""
EMPTY = 1.5
"""Seconds at first in which nothing should be shown."""


def register(commands: Any) -> None:
    """Add the sub-command and its own."""
    parser = command(
        commands, "chipset", "look after your own chips: their look and their values", "tableside chipset list"
    )
    inner = parser.add_subparsers(dest="chipset_command", required=True, metavar="COMMAND")
    enrol = command(
        inner,
        "enrol",
        "learn your own chips: show one of each and name its value",
        'tableside chipset enrol home --image red.jpg=red:5 --image blue.jpg=blue:10 (or --source 0 --chip "red:5")',
    )
    enrol.add_argument("name", metavar="NAME", help="what to call the set")
    enrol.add_argument(
        "--image",
        action="append",
        default=[],
        metavar="FILE=COLOUR:VALUE",
        help="a picture of one chip or stack of this colour, worth so much; several pictures of one colour help",
    )
    enrol.add_argument("--source", metavar="S", help="a webcam number or stream to show the chips to, in turn")
    enrol.add_argument(
        "--chip",
        action="append",
        default=[],
        metavar="COLOUR:VALUE",
        help="with --source: the chips in the order in which they will be shown",
    )
    enrol.add_argument(
        "--size",
        metavar="WxH/N",
        help="how large they are, by a ruler, in millimetres: 39x66/20 where they are 39 wide and twenty stacked are "
        "66 high; on a calibrated felt stacks are then counted better",
    )
    enrol.add_argument(
        "--add",
        action="store_true",
        help="keep the other colours of the set: these come to it, or take the place of those of the same name "
        "(default: what is shown now is all that the set has)",
    )
    enrol.add_argument("--seconds", type=count, default=120, metavar="N", help="how long to watch (default 120)")
    enrol.add_argument("--json", action="store_true", help="print one JSON object at the end")
    add_reader_options(enrol, own_set=False)
    enrol.set_defaults(run=run_enrol)
    listed = command(inner, "list", "name the sets that were learned, with their values", "tableside chipset list")
    listed.add_argument("--json", action="store_true", help="print one JSON object")
    listed.set_defaults(run=run_list)
    gone = command(inner, "delete", "forget a set that was learned", "tableside chipset delete home")
    gone.add_argument("name", metavar="NAME", help="the set to forget")
    gone.add_argument("--json", action="store_true", help="print one JSON object")
    gone.set_defaults(run=run_delete)


def run_enrol(arguments: argparse.Namespace) -> int:
    """Returns 0; ends with a sentence where a chip was not seen or the values cannot be."""
    from advisor.money import ChipSet, MoneyError
    from vision.chips.appearance import NAME, Appearance, ChipSetError, save_appearance

    if not NAME.fullmatch(arguments.name):
        raise Failure(f"{arguments.name!r} is no name for a set; use letters, digits, spaces, - and _.", USAGE)
    if bool(arguments.image) == bool(arguments.source) or bool(arguments.source) != bool(arguments.chip):
        raise Failure("Give either --image for each chip, or --source and a --chip for each.", USAGE)
    pictures = [_parted(text) for text in arguments.image]
    wanted = [_colour_value(text) for text in arguments.chip] or [(c, v) for _, c, v in pictures]
    values: dict[str, str] = {}
    for colour, value in wanted:
        if values.setdefault(colour, value) != value:
            raise Failure(f"{colour} is given two values, {values[colour]} and {value}: name one.", USAGE)
    before, known = _known(arguments)
    dropped = [] if arguments.add else [colour for colour in known if colour not in values]
    values = {**known, **values} if arguments.add else values
    try:
        chipset = ChipSet(values)
    except MoneyError as error:
        raise Failure(f"{error}.", USAGE) from error
    size = _size(arguments.size) if arguments.size is not None else None if before is None else before.size
    reader, _ = load_reader(arguments)
    if pictures:
        learned = [(colour, _from_picture(path, reader)) for path, colour, _ in pictures]
    else:
        learned = _from_camera(arguments, [colour for colour, _ in wanted], reader)
    try:
        appearance = Appearance.learned(learned, size)
        if arguments.add and before is not None:
            appearance = joined(before, appearance)
        kept = save_appearance(arguments.name, appearance, {"values": values}, sets_folder())
    except ChipSetError as error:
        raise Failure(str(error)) from error
    alike = appearance.pairs_alike()
    if arguments.json:
        said = {"set": arguments.name, "values": values, "alike": [list(pair) for pair in alike], "file": str(kept)}
        print(json.dumps({**said, "size": _as_list(size), "dropped": dropped}))
        return 0
    print(f"{arguments.name}: {_values_in_words(chipset)}{_in_mm(size)}. Use it with --set {arguments.name!r}.")
    if dropped:
        print(
            f"Dropped, since they were not shown again: {', '.join(dropped)}. With --add a set keeps its other colours."
        )
    for one, other in alike:
        print(f"{one} and {other} look much alike here: show both again in better light, or expect 'unsure'.")
    return 0


def _known(arguments: argparse.Namespace) -> tuple[Appearance | None, dict[str, str]]:
    """What the set of that name looked like until now, if there is one, and its values.

    To a set that is not there or damaged nothing can be added: that ends the command with a sentence.
    """
    from advisor.money import format_amount
    from vision.chips.appearance import ChipSetError

    try:
        appearance, chipset = kept_set(arguments.name)
    except ChipSetError as error:
        if not arguments.add:
            return None, {}
        if arguments.name in set_names():
            raise Failure(str(error)) from error
        raise Failure(f"There is no set called {arguments.name!r} to add to: leave out --add to begin one.") from error
    return appearance, {colour: format_amount(value) for colour, value in chipset.values}


def _parted(text: str) -> tuple[Path, str, str]:
    name, sign, rest = text.rpartition("=")
    if not sign or not name:
        raise Failure(f"--image {text!r}: write FILE=COLOUR:VALUE, such as red.jpg=red:5.", USAGE)
    return (Path(name).expanduser(), *_colour_value(rest))


def _colour_value(text: str) -> tuple[str, str]:
    colour, sign, value = text.partition(":")
    if not sign or not re.fullmatch(r"[a-z][a-z0-9_-]{0,29}", colour):
        raise Failure(f"{text!r}: write COLOUR:VALUE in small letters, such as red:5 or light-blue:0.50.", USAGE)
    return colour, value


def _size(text: str) -> ChipSize:
    from vision.chips.values import ChipSize

    number = r"([0-9]{1,4}(?:\.[0-9]{1,3})?)"
    told = re.fullmatch(rf"{number}[x×]{number}(?:/([1-9][0-9]?))?", re.sub(r"\s", "", text.lower().replace(",", ".")))
    if not told:
        raise Failure(
            f"--size {text!r}: write WIDTHxHEIGHT/CHIPS in mm, such as 39x66/20 for twenty stacked.",
            USAGE,
        )
    width, high, stacked = told.groups()
    try:
        return ChipSize(float(width), float(high) / int(stacked or 1), int(stacked or 1))
    except ValueError as error:
        raise Failure(f"--size {text!r}: {error}; twenty stacked, 66 high, are written 39x66/20.", USAGE) from error


def _in_mm(size: ChipSize | None) -> str:
    return "" if size is None else f" ({size.width:g} mm wide, {size.thick:g} mm thick)"


def _as_list(size: ChipSize | None) -> list[float] | None:
    """For programs: width, thickness, and how many were stacked to measure it."""
    return None if size is None else [size.width, size.thick, size.stacked]


def _from_picture(path: Path, reader: ChipReader) -> Shown:
    from vision.chips.colourless import NO_COLOUR, colourless
    from vision.pictures import PictureError, load_picture

    try:
        image = load_picture(path)
    except PictureError as error:
        raise Failure(str(error)) from error
    if colourless(image):
        raise Failure(f"{path}: {NO_COLOUR}; colours are learned from pictures that show them.")
    shown = reader.shown(image)
    if not shown:
        raise Failure(f"{path}: no chip was found in it; take the picture closer, on a plain table.")
    several = _of_several_colours(shown)
    if several:
        places = " and ".join(_at(it.box) for it in several)
        raise Failure(f"{path}: chips of several colours seem to be in it (at {places}); show one colour alone.")
    return shown[0]


def _of_several_colours(shown: Sequence[Shown]) -> list[Shown]:
    """The largest, with those that are of another colour; nothing where all of it is of one."""
    others = [it for it in shown[1:] if it.unlike(shown[0])]
    return [shown[0], *others] if others or shown[0].mixed else []


def _at(box: Box) -> str:
    """The middle of a box, as ``tableside chips`` tells where a stack is."""
    return f"{round((box[0] + box[2]) / 2)},{round((box[1] + box[3]) / 2)}"


def _from_camera(arguments: argparse.Namespace, colours: list[str], reader: ChipReader) -> list[tuple[str, Shown]]:
    """Each chip in turn, alone, once the largest one in sight rests for a second; the next when another lies there.

    What is round on the table before the first chip is shown (a printed circle, a cup) is not taken for one, as long as
    it stays.
    """
    from vision.chips.colourless import NO_COLOUR, colourless

    learned: list[tuple[str, Shown]] = []
    there: list[Box] = []
    empty: Image | None = None
    before: Box | None = None
    began: float | None = None
    since = time.monotonic()
    asked, gone = False, True
    told: set[str] = set()

    def once(words: str) -> None:
        if words not in told:
            say(words)
            told.add(words)

    with watching(arguments.source, arguments.seconds) as watch:
        for frame in watch:
            if began is None:
                began = time.monotonic()
                say("Show nothing for a moment.")
            if colourless(frame.image):
                once(f"Colours cannot be learned now: {NO_COLOUR}. Make it lighter.")
                continue
            if not asked:
                there, empty = there + reader.round_things(frame.image), frame.image
                asked = time.monotonic() - began >= EMPTY
                if asked:
                    say(f"Show {colours[0]}, alone, and keep it still.")
                continue
            shown = reader.shown(frame.image, there, empty)
            box = shown[0].box if shown else None
            if box is None or before is None or abs(box[0] - before[0]) > RESTS * (box[2] - box[0]):
                since = time.monotonic()
                gone = gone or box is None
            elif gone and time.monotonic() - since > 1 and _of_several_colours(shown):
                once(f"Chips of several colours are in view: show {colours[len(learned)]} alone.")
            elif gone and time.monotonic() - since > 1:
                learned.append((colours[len(learned)], shown[0]))
                gone = False
                if len(learned) == len(colours):
                    break
                say(f"{learned[-1][0]} learned. Take it away and show {colours[len(learned)]}.")
            before = box
        message = watch.message
    if len(learned) < len(colours):
        if began is None:
            raise Failure(f"{message} No picture came, and nothing was kept.")
        missing = ", ".join(colours[len(learned) :])
        raise Failure(f"{message} Not shown: {missing}. Nothing was kept; hold the chips closer and still.")
    return learned


def _values_in_words(chipset: ChipSet) -> str:
    return ", ".join(f"{colour} {money(value)}" for colour, value in chipset.values)


def run_list(arguments: argparse.Namespace) -> int:
    """Returns 0; 1 where a set is damaged, which is said, and the others are listed all the same."""
    from advisor.money import format_amount
    from vision.chips.appearance import ChipSetError

    sets: dict[str, dict[str, Any]] = {}
    lines, damaged = [], False
    for name in set_names():
        try:
            appearance, chipset = kept_set(name)
        except ChipSetError as error:
            sets[name], damaged = {"error": str(error)}, True
            say(str(error))
            continue
        values = {colour: format_amount(value) for colour, value in chipset.values}
        sets[name] = {"values": values, "size": _as_list(appearance.size)}
        lines.append(f"{name}: {_values_in_words(chipset)}{_in_mm(appearance.size)}")
    if arguments.json:
        print(json.dumps(sets))
    elif lines or not damaged:
        print("\n".join(lines) or "No set of chips has been learned yet.")
    return FAILED if damaged else 0


def run_delete(arguments: argparse.Namespace) -> int:
    """Returns 0; ends with a sentence if there is no such set."""
    from vision.chips.appearance import ChipSetError, delete_appearance

    try:
        delete_appearance(arguments.name, sets_folder())
    except ChipSetError as error:
        raise Failure(str(error)) from error
    print(json.dumps({"deleted": arguments.name}) if arguments.json else f"{arguments.name} is forgotten.")
    return 0
