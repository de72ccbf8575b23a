"""``tableside payout``: what a bet is owed, in which chips, and how the dealer puts them down."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from advisor.cli import payout_verify
from advisor.cli.rules import add_rules_options, chosen_rules
from advisor.cli.terminal import FAILED, USAGE, Failure, coloured, command

if TYPE_CHECKING:
    from advisor.money import Chips, ChipSet, Rack

OUTCOMES = ("win", "blackjack", "push", "lose", "insurance", "surrender", "even-money", "charlie", "6-7-8", "7-7-7")
"""The outcomes of `advisor.money.Outcome`, listed here so that ``--help`` need not load them."""


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = command(
        commands,
        "payout",
        "say what a bet is owed, in which chips and how to pay it",
        'tableside payout --bet "red:1" --outcome blackjack --rules home',
    )
    payout_verify.register(parser.add_subparsers(dest="payout_command", metavar="[verify]"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--bet",
        metavar="CHIPS",
        help='the bet as chips, such as "red:1 green:2", or as an amount, such as 15; for insurance, the insurance bet',
    )
    what.add_argument("--colour-up", metavar="CHIPS", help="a leaving player's chips, for the fewest of the same total")
    what.add_argument("--change", metavar="CHIPS", help="chips, or an amount in cash, to be changed")
    what.add_argument(
        "--before-deal", action="store_true", help="say which bets these rules and chips could not pay exactly"
    )
    parser.add_argument("--into", metavar="CHIPS", help="what --change is for: a colour, or chips of the same total")
    parser.add_argument("--outcome", choices=OUTCOMES, help="how the bet ended")
    parser.add_argument("--doubled", action="store_true", help="the bet was doubled: --bet names its first stack")
    parser.add_argument("--chips", metavar="FILE.toml", help="the table's own chips and rack (default: standard)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_rules_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Say how the bet is settled, or how the chips are coloured up."""
    from advisor.money import DEFAULT_CHIPS, UNLIMITED, MoneyError, load_chips

    if arguments.bet is None and arguments.colour_up is None and arguments.change is None and not arguments.before_deal:
        raise Failure("give one of --bet, --colour-up, --change and --before-deal, or say payout verify.", USAGE)
    rules = chosen_rules(arguments)
    try:
        chipset, rack = load_chips(arguments.chips) if arguments.chips else (DEFAULT_CHIPS, UNLIMITED)
        if arguments.into and arguments.change is None:
            raise Failure("--into goes with --change.", USAGE)
        if arguments.bet is None and (arguments.outcome or arguments.doubled):
            raise Failure("--outcome and --doubled go with --bet.", USAGE)
        if arguments.before_deal:
            return _before_deal(rules, chipset, rack, as_json=arguments.json)
        if arguments.colour_up is not None:
            said, words = _colour_up(arguments.colour_up, chipset, rack)
        elif arguments.change is not None:
            said, words = _change(arguments.change, arguments.into, chipset, rack)
        else:
            if arguments.outcome is None:
                raise Failure(f"--bet needs --outcome: one of {', '.join(OUTCOMES)}.", USAGE)
            said, words = _payout(arguments, rules, chipset, rack)
    except MoneyError as error:
        raise Failure(f"{error}.", USAGE) from error
    if arguments.json:
        print(json.dumps(said))
    else:
        print(coloured(words[0], "bold"))
        for line in words[1:]:
            print(line)
    return 0


def _payout(
    arguments: argparse.Namespace, rules: Any, chipset: ChipSet, rack: Rack
) -> tuple[dict[str, Any], tuple[str, ...]]:
    from advisor.money import Outcome, format_amount, outcome_plan

    outcome = Outcome(arguments.outcome)
    bet = _bet(arguments.bet, rules, chipset, needs_unit=outcome is not Outcome.INSURANCE)
    plan = outcome_plan(outcome, bet, rules, chipset, rack, doubled=arguments.doubled)
    stake = format_amount(plan.bet.total(chipset))
    chips = plan.chips.text(chipset)
    first = f"{stake} {outcome}: owed {format_amount(plan.owed)}{f', {chips}' if chips else ''} ({plan.method})"
    said = {
        "bet": stake,
        "owed": format_amount(plan.owed),
        "method": str(plan.method),
        "chips": plan.chips.ordered(chipset),
        "order": list(plan.order),
        "words": list(plan.words),
    }
    return said, (first, *plan.words)


def _bet(text: str, rules: Any, chipset: ChipSet, *, needs_unit: bool) -> Chips:
    """The bet's chips: as written, or an amount broken into the fewest."""
    from advisor.money import Chips, breakdown, check_bet, parse_amount

    if ":" in text or any(character.isalpha() for character in text):
        return Chips.parse(text, chipset)
    amount = parse_amount(text)
    if needs_unit or amount <= 0:
        check_bet(amount, rules)
    return breakdown(amount, chipset)


def _colour_up(text: str, chipset: ChipSet, rack: Rack) -> tuple[dict[str, Any], tuple[str, ...]]:
    from advisor.money import Chips, colour_up, format_amount

    done = colour_up(Chips.parse(text, chipset), chipset, rack)
    total = format_amount(done.total)
    said = {
        "total": total,
        "handed_in": done.handed_in.ordered(chipset),
        "given": done.given.ordered(chipset),
        "stays": done.stays.ordered(chipset),
        "chips": done.leaves_with.ordered(chipset),
        "words": list(done.words),
    }
    return said, (f"{total}: {done.leaves_with.text(chipset)}", *done.words)


def _change(text: str, into: str | None, chipset: ChipSet, rack: Rack) -> tuple[dict[str, Any], tuple[str, ...]]:
    from advisor.money import Chips, change, format_amount, parse_amount

    named = ":" in text or any(character.isalpha() for character in text)
    wanted = Chips.parse(into, chipset) if into and ":" in into else into
    done = change(Chips.parse(text, chipset) if named else parse_amount(text), wanted, chipset, rack)
    total = format_amount(done.amount)
    said = {
        "total": total,
        "incoming": None if done.incoming is None else done.incoming.ordered(chipset),
        "chips": done.outgoing.ordered(chipset),
        "announcement": done.announcement,
        "words": list(done.words),
    }
    return said, (f"{total}: {done.outgoing.text(chipset)}", *done.words)


def _before_deal(rules: Any, chipset: ChipSet, rack: Rack, *, as_json: bool) -> int:
    """What could not be paid exactly; returns 0 where all can, 1 where some bet cannot."""
    from advisor.money import format_amount, unpayable

    found = unpayable(rules, chipset, rack)
    if as_json:
        problems = [
            {
                "what": each.what,
                "bet": format_amount(each.bet),
                "owed": format_amount(each.owed),
                "bets_in_multiples_of": None if each.step is None else format_amount(each.step),
                "sentence": each.sentence,
            }
            for each in found
        ]
        print(json.dumps({"payable": not found, "problems": problems}))
    elif not found:
        print("Every allowed bet can be paid exactly.")
    for each in () if as_json else found:
        print(coloured(f"{each.sentence[:1].upper()}{each.sentence[1:]}.", "amber"))
    return FAILED if found else 0
