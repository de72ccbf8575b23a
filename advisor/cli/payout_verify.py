"""``tableside payout verify``: two pictures of a betting spot, before and after paying, against what the round owes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.chips import add_reader_options, load_reader
from advisor.cli.payout_pictures import Pictured, pictured
from advisor.cli.rules import add_rules_options, chosen_rules
from advisor.cli.terminal import FAILED, USAGE, Failure, coloured, command

if TYPE_CHECKING:
    from advisor.money import ChipSet, Ended, SpotCheck, SpotSeen
    from vision.chips.values import Box
    from vision.felt import Layout, Zone

ENDINGS = (
    *("win", "blackjack", "push", "lose", "insurance", "surrender", "even-money", "charlie", "6-7-8", "7-7-7"),
    *("double-win", "double-push", "double-lose", "insurance-lose", "colour-up"),
)
"""The names of `advisor.money.ENDINGS`, listed here so that ``--help`` need not load them."""
ALMOST_SURE = 0.9
"""A likely verdict that it was paid right counts as one for scripts from this chance on."""
SWAPPED = "It would be correct if the two pictures were swapped: does --before show the spot before it was paid?"
COLOURS = {"correct": "green", "short": "red", "over": "red", "unsure": "amber"}


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = command(
        commands,
        "verify",
        "compare pictures of a betting spot before and after paying with what the round owes",
        "tableside payout verify --before bet.jpg --after paid.jpg --outcome blackjack --rules home",
    )
    parser.add_argument("--before", required=True, type=Path, metavar="IMAGE", help="all chips at stake, not paid yet")
    parser.add_argument(
        "--after", required=True, type=Path, metavar="IMAGE", help="all chips at the spot once it was paid"
    )
    parser.add_argument(
        "--outcome",
        required=True,
        metavar="NAMES",
        help=f"how the bet ended: {', '.join(ENDINGS)}; several bets at one spot with commas, such as win,double-lose, "
        "and with =AMOUNT what lay on one, such as win=10,lose=15",
    )
    parser.add_argument(
        "--first-bet", action="store_true", help="--before shows the bet at the deal, before it was doubled or split"
    )
    parser.add_argument(
        "--spot",
        metavar="SPOT",
        help="look only there: a rectangle X0,Y0,X1,Y1 in pixels of both pictures, or with --layout a seat's number, "
        "or insurance-SEAT (default: every chip in the pictures)",
    )
    parser.add_argument(
        "--layout", metavar="NAME", help="the felt whose printed markers both pictures show, to find --spot by"
    )
    parser.add_argument("--chips", metavar="FILE.toml", help="the table's own chips and rack (default: standard)")
    parser.add_argument("--chipset", metavar="NAME", help="your own chips, learned by tableside chipset enrol")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(parser, own_set=False)
    add_rules_options(parser)
    for action in parser._actions:
        # What stands before the word verify was read by its parent; a default here would take its place unseen.
        if action.dest in ("rules", "overrides", "chips", "json"):
            action.default = argparse.SUPPRESS
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Say whether the spot was paid rightly. Returns 0 where it was, 1 where it was not or nobody can be sure.

    A verdict that hangs on chips that were not read surely counts from `ALMOST_SURE` on.
    """
    from advisor.money import UNLIMITED, MoneyError, load_chips, parse_ended, verify_spot

    for name in ("bet", "colour_up", "change", "before_deal", "into", "doubled"):
        if getattr(arguments, name):
            raise Failure(f"--{name.replace('_', '-')} does not go with payout verify.", USAGE)
    rules = chosen_rules(arguments)
    where = _where(arguments.spot, arguments.layout)
    if arguments.chipset is not None and arguments.chips is not None:
        raise Failure("--chipset brings its own values: leave out --chips.", USAGE)
    try:
        ended = parse_ended(arguments.outcome)
        for it in ended:
            it.gain(rules)  # what cannot be paid is said before the pictures are read
        rack = load_chips(arguments.chips)[1] if arguments.chips else UNLIMITED
    except MoneyError as error:
        raise Failure(f"{error}.", USAGE) from error
    wanted = {name: getattr(arguments, name) for name in ("chips", "weights", "threads")}
    reader, chipset = load_reader(argparse.Namespace(**wanted, set=arguments.chipset), played=True)
    shown = pictured(arguments.before, arguments.after, reader, where)

    def judged(before: SpotSeen, after: SpotSeen) -> SpotCheck:
        try:
            return verify_spot(before, after, ended, rules, chipset, rack, first_bet=arguments.first_bet)
        except MoneyError as error:
            raise Failure(f"{error}.", USAGE) from error

    found = judged(shown.before, shown.after)
    swapped = not _right(found) and _right(judged(shown.after, shown.before))
    found = replace(found, notices=(*found.notices, *shown.notices, *(SWAPPED,) * swapped))
    if arguments.json:
        print(json.dumps(as_object(found, shown, arguments, chipset)))
    else:
        first, *rest = found.words
        print(coloured(first, COLOURS["unsure" if found.chance is not None else found.verdict]))
        for line in rest:
            print(line)
        for line in found.notices:
            print(coloured(line, "amber"))
        for doubt in shown.doubted:
            print(f"  {doubt.words}")
        hint = _hint(found, shown, ended, arguments)
        if hint:
            print(hint)
    return 0 if _right(found) else FAILED


def _right(found: SpotCheck) -> bool:
    """Whether it was paid rightly, for sure or as good as."""
    return found.verdict == "correct" and (found.chance is None or found.chance >= ALMOST_SURE)


def _hint(found: SpotCheck, shown: Pictured, ended: Sequence[Ended], arguments: argparse.Namespace) -> str:
    """What may help where nobody can be sure."""
    if not found.reason:
        return ""
    for path, spot in ((arguments.before, shown.before), (arguments.after, shown.after)):
        if not spot.stacks:
            return f"{path} shows no chips{' there' if arguments.spot else ''}: is it the right picture?"
    if found.bet is not None and found.seen is not None:
        return _other_words(arguments.first_bet, any(it.bet is not None for it in ended))
    if not arguments.spot and len(shown.before.stacks) + len(shown.after.stacks) > 2:
        return "Every chip in the pictures counts: name the spot with --spot if others lie there too."
    return ""


def _other_words(first_bet: bool, amounts: bool) -> str:
    """What else could be said of bets that are not what was seen; ``amounts`` is whether --outcome has any."""
    if amounts:
        return f"Look at the amounts in --outcome again, or {'leave out' if first_bet else 'say'} --first-bet."
    such = "what lay on each bet, such as --outcome win=10,lose=15."
    return f"Leave out --first-bet, or say {such}" if first_bet else f"Say --first-bet, or {such}"


def as_object(found: SpotCheck, shown: Pictured, arguments: argparse.Namespace, chipset: ChipSet) -> dict[str, Any]:
    """The verdict as the JSON that programs get: amounts as text, null where they are not known for sure."""
    return {
        "before": str(arguments.before),
        "after": str(arguments.after),
        "outcome": arguments.outcome,
        "verdict": str(found.verdict),
        "by": _text(found.difference),
        "bet": _text(found.bet),
        "owed": _text(found.owed),
        "should_lie": _text(found.expected),
        "lies": _text(found.seen),
        "chance": None if found.chance is None else round(found.chance, 2),
        "add": found.add.ordered(chipset),
        "take_back": found.take_back.ordered(chipset),
        "reason": found.reason,
        "words": list(found.words),
        "notices": list(found.notices),
        "doubts": [
            {
                "image": str(it.picture),
                "box": [round(v, 1) for v in it.box],
                "reason": it.doubt,
                "guess": {"count": len(it.order), "colours": it.colours},
            }
            for it in shown.doubted
        ],
    }


def _text(amount: Fraction | None) -> str | None:
    from advisor.money import format_amount

    return None if amount is None else format_amount(amount)


def _where(spot: str | None, layout: str | None) -> Box | tuple[Layout, Zone] | None:
    """Where to look; what cannot be ends the command with a sentence."""
    if layout is None:
        return None if spot is None else _area(spot)
    from advisor.cli.layout import load

    felt = load(layout)
    if spot is None:
        raise Failure("--layout needs --spot: a seat's number, such as --spot 3.", USAGE)
    kind, _, seat = spot.rpartition("-")
    zone = None
    if kind in ("", "insurance") and seat.isdecimal():
        zone = felt.zone("insurance" if kind else "seat-bet", int(seat))
    if zone is None:
        raise Failure(
            f"--spot {spot!r} is no place of layout {felt.name}: {_places(felt)}.",
            USAGE,
        )
    return felt, zone


def _places(felt: Layout) -> str:
    """What --spot may name on a felt, in words."""
    seats = [str(number) for number in felt.seats if felt.zone("seat-bet", number) is not None]
    if not seats:
        return "no place on it can be named; give a rectangle in pixels, without --layout"
    insured = [f"insurance-{number}" for number in felt.seats if felt.zone("insurance", number) is not None]
    beside = f", its insurance places {', '.join(insured)}" if insured else ""
    return f"its seats are {', '.join(seats)}{beside}"


def _area(text: str) -> Box:
    """The rectangle; a bad one ends the command with a sentence."""
    try:
        x0, y0, x1, y1 = (float(part) for part in text.split(","))
    except ValueError:
        raise Failure(
            f"--spot {text!r} is no rectangle: write X0,Y0,X1,Y1 in pixels, or give --layout for a seat's number.",
            USAGE,
        ) from None
    if not (x0 < x1 and y0 < y1):  # not a number is neither
        raise Failure(f"--spot {text!r} is empty: X0 must be less than X1, and Y0 less than Y1.", USAGE)
    return x0, y0, x1, y1
