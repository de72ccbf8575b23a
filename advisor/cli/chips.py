"""``tableside chips``: which chips stand in pictures, how many of each colour, and what they are worth."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from advisor.cli.chip_sets import kept_set
from advisor.cli.pictures import each_picture, read_picture
from advisor.cli.terminal import USAGE, Failure, coloured, command, count

if TYPE_CHECKING:
    from advisor.money import ChipSet
    from vision.chips.reader import ChipReader
    from vision.chips.values import ChipReading, ChipStack


PLAINLY = 0.5
"""What was found more faintly than so may be no chips at all."""


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = command(
        commands, "chips", "count the chips in each picture and say what they are worth", "tableside chips pile.jpg"
    )
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a picture: JPEG, PNG, WebP, HEIC, BMP or TIFF")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--chips", metavar="FILE.toml", help="what the colours are worth (default: the standard set)")
    add_reader_options(parser)
    parser.set_defaults(run=run)


def add_reader_options(parser: argparse.ArgumentParser, own_set: bool = True) -> None:
    """The options of every command that reads chips; ``own_set`` adds the choice of an enrolled set."""
    parser.add_argument("--threads", type=count, default=2, help="processor threads for the networks (default 2)")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="networks to use in place of those shipped")
    if own_set:
        parser.add_argument("--set", metavar="NAME", help="your own chips, learned by tableside chipset enrol")


def load_reader(arguments: argparse.Namespace, played: bool = False) -> tuple[ChipReader, ChipSet]:
    """The reader and the values that the options ask for; what is wrong with them ends the command with a sentence.

    Where the chips are ``played`` with, other colours than those that have a value are not expected.
    """
    from advisor.money import DEFAULT_CHIPS, MoneyError, load_chips
    from vision.chips.appearance import USUAL, ChipSetError
    from vision.chips.reader import ChipReader, ModelError

    name, file = getattr(arguments, "set", None), getattr(arguments, "chips", None)
    if name is not None and file is not None:
        raise Failure("--set brings its own values: leave out --chips.", USAGE)
    appearance, chipset = None, DEFAULT_CHIPS
    try:
        if name is not None:
            appearance, chipset = kept_set(name)
        elif file is not None:
            chipset, _ = load_chips(file)
        usual = chipset.colours if played or file is not None else USUAL
        return ChipReader.load(arguments.weights, arguments.threads, appearance=appearance, usual=usual), chipset
    except MoneyError as error:
        raise Failure(f"{error}.", USAGE) from error
    except (ModelError, ChipSetError) as error:
        raise Failure(str(error)) from error


def run(arguments: argparse.Namespace) -> int:
    """Read every picture. Returns 0, or 1 if some picture could not be read."""
    reader, chipset = load_reader(arguments)
    return each_picture(arguments.images, arguments.json, lambda name: _read_one(name, reader, chipset, arguments.json))


def _read_one(name: str, reader: ChipReader, chipset: ChipSet, as_json: bool) -> str:
    reading, opened = read_picture(name, reader.read)
    if as_json:
        return json.dumps(as_object(name, reading, chipset, opened))
    return in_words(name, reading, chipset)


def as_object(name: str, reading: ChipReading, chipset: ChipSet, opened_ms: float) -> dict[str, Any]:
    """A reading as the JSON that programs get.

    ``total`` is the worth of the stacks listed, to be taken as ``total_is`` says, ``sure_total`` that of the sure
    ones. Of those listed a likely one is not ``sure``, and one whose colour has no value counts for nothing: both are
    named again under ``unsure``.
    """
    unsure: list[dict[str, Any]] = [
        {"box": _box(s), "reason": _why(s, chipset), "guess": {"count": s.count, "colours": dict(s.colours)}}
        for s in reading.unsure
    ]
    unsure += [{"box": _box(s), "reason": f"no value is known for {_unvalued(s, chipset)}"} for s in reading.sure
               if _unvalued(s, chipset)]  # fmt: skip
    return {
        "image": name,
        "width": reading.width,
        "height": reading.height,
        "stacks": [
            {
                "box": _box(s),
                "shape": "row" if s.shape == "tube" else s.shape,
                "count": s.count,
                "colours": dict(s.colours),
                "order": list(s.order),
                "confidence": round(s.confidence, 4),
                "sure": s.sure,
            }
            for s in reading.listed
        ],
        "total": money(worth(reading.listed, chipset)),
        "total_is": total_is(reading, chipset),
        "sure_total": money(worth(reading.sure, chipset)),
        "unsure": unsure,
        "ms": {"open": round(opened_ms, 1), **{step: round(ms, 1) for step, ms in reading.ms.items()}},
    }


def _box(stack: ChipStack) -> list[float]:
    return [round(v, 1) for v in stack.box]


def _unvalued(stack: ChipStack, chipset: ChipSet) -> str:
    """The stack's colours that the set gives no value, in words."""
    return ", ".join(colour for colour in stack.colours if colour not in chipset)


def _why(stack: ChipStack, chipset: ChipSet) -> str:
    """What is doubtful about a stack, its colours' worth included where it is listed."""
    unvalued = _unvalued(stack, chipset) if stack.likely else ""
    return f"{stack.reason}; no value is known for {unvalued}" if unvalued else stack.reason


def total_is(reading: ChipReading, chipset: ChipSet) -> Literal["exact", "about", "at least"]:
    """How the worth of the stacks listed is to be taken: ``about`` so much where not all of them are sure, and
    ``at least`` so much where something that is plainly chips is not in it.
    """
    if len(reading.sure) < len(reading.listed):
        return "about"
    missing = any(_plainly_chips(s) for s in reading.unsure) or any(_unvalued(s, chipset) for s in reading.sure)
    return "at least" if missing else "exact"


def _plainly_chips(stack: ChipStack) -> bool:
    """Whether it is chips for all that is doubtful about it."""
    from vision.chips.judging import A_COIN, NO_CHIP, NO_STACK

    none = stack.shape == "other" or stack.reason in (A_COIN, NO_CHIP, NO_STACK)
    return bool(stack.order) and not none and stack.found >= PLAINLY


def worth(stacks: tuple[ChipStack, ...], chipset: ChipSet) -> Fraction:
    """What the stacks are worth, chips without a value left out."""
    everything = [chipset.value(colour) for s in stacks for colour in s.order if colour in chipset]
    return sum(everything, Fraction(0))


def money(amount: Fraction) -> str:
    """The amount with two places where that is exact, such as 35.00; else as exactly as it can be written."""
    from advisor.money import format_amount

    cents = amount * 100
    return f"{cents // 100}.{int(cents % 100):02d}" if cents.denominator == 1 else format_amount(amount)


def in_words(name: str, reading: ChipReading, chipset: ChipSet) -> str:
    """The same for a person: a line a colour, the total, and what somebody should look at."""
    totals, doubted = (
        Counter(colour for stack in stacks for colour in stack.order)
        for stacks in (reading.listed, [s for s in reading.listed if not s.sure])
    )
    lines = [f"{name}: {_headline(reading, chipset)}"]
    ranked = sorted(totals, key=lambda c: (c not in chipset, -chipset.value(c) if c in chipset else 0, c))
    for colour in ranked:
        amount = money(chipset.value(colour) * totals[colour]) if colour in chipset else "no value known"
        lines.append(f"  {totals[colour]:4d} {colour}: {amount}{_in_doubt(doubted[colour])}")
    rows = [_chips(stack) for stack in reading.listed if stack.shape == "tube"]
    if rows:
        lines.append(f"  in a rack, row by row: {'; '.join(rows)}")
    for stack in reading.unsure:
        x, y = (round(v) for v in stack.centre)
        if stack.shape == "other":
            lines.append(coloured(f"  at {x},{y}: {stack.reason}", "dim"))
            continue
        guess = _chips(stack)
        guess = f", {'probably' if stack.likely else 'perhaps'} {guess}" if guess else ""
        lines.append(coloured(f"  unsure at {x},{y}{guess}: {stack.reason}", "amber"))
    return "\n".join(lines)


def _headline(reading: ChipReading, chipset: ChipSet) -> str:
    if not reading.listed:
        return "no chips read surely"
    if not any(colour in chipset for stack in reading.listed for colour in stack.order):
        return "no value known"
    taken = total_is(reading, chipset)
    return f"{'' if taken == 'exact' else f'{taken} '}{money(worth(reading.listed, chipset))}"


def _chips(stack: ChipStack) -> str:
    """Such as "2 red, 1 black"."""
    return ", ".join(f"{n} {c}" for c, n in stack.colours.items())


def _in_doubt(chips: int) -> str:
    return f" ({chips} of them not sure)" if chips else ""
