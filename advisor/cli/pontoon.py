"""``tableside pontoon advise``: what a punter, or the banker, does best at pontoon, and why."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from advisor.cli.game_rules import add_rules_options, chosen_rules
from advisor.cli.terminal import USAGE, Failure, coloured, command

if TYPE_CHECKING:
    from advisor.games.cards import Card
    from advisor.games.pontoon import OpenHand, PontoonRules

USUAL_RULES = "home"


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser: argparse.ArgumentParser = commands.add_parser("pontoon", help="pontoon: advice for punters and the banker")
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    advise = command(
        what,
        "advise",
        "the best thing to do with a pontoon hand, and why",
        'tableside pontoon advise --hand "AH 6S" --stakes 2; '
        'for the banker: tableside pontoon advise --banker "10H 7S" --open "2: 2" --open "6: 2 KD"',
    )
    who = advise.add_mutually_exclusive_group(required=True)
    who.add_argument("--hand", metavar="CARDS", help="a punter's own cards, in the order dealt")
    who.add_argument("--banker", metavar="CARDS", help="the banker's cards, face up")
    advise.add_argument(
        "--stakes",
        metavar="AMOUNTS",
        help='with --hand: the first stake, then each buy, such as "2 2"; cards beyond those were twisted (default: '
        "the minimum)",
    )
    advise.add_argument("--hands", type=int, metavar="N", help="with --hand: hands after splits (default 1)")
    advise.add_argument(
        "--banker-stays-on",
        type=int,
        metavar="TOTAL",
        help="with --hand: the total on which the banker is taken to stay (default: the one that serves him best)",
    )
    advise.add_argument(
        "--open",
        action="append",
        metavar="HAND",
        help='with --banker: an open hand as "STAKE: HIDDEN [CARDS]", such as "6: 2 KD" for 6 staked on two cards '
        "face down and the king of diamonds face up; once for each",
    )
    advise.add_argument("--seen", metavar="CARDS", default="", help="other cards seen since the last shuffle")
    add_rules_options(advise, USUAL_RULES, "split=aces")
    advise.add_argument("--json", action="store_true", help="print one JSON object")
    advise.set_defaults(run=run_advise)


def run_advise(arguments: argparse.Namespace) -> int:
    """Answer one question."""
    from advisor.games.pontoon import ImpossiblePosition, load_rules

    rules = chosen_rules(load_rules, arguments.rules, arguments.overrides)
    _check(arguments)
    seen = _cards("--seen", arguments.seen)
    try:
        if arguments.hand is not None:
            found, lines = _punter(arguments, rules, seen)
        else:
            found, lines = _banker(arguments, rules, seen)
    except ImpossiblePosition as wrong:
        raise Failure(f"impossible position: {wrong}.", USAGE) from wrong
    if arguments.json:
        print(json.dumps(found))
        return 0
    print(coloured(lines[0], "bold"))
    for line in (*lines[1:], *found["why"]):
        print(line)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """That no option is given that belongs to the other side."""
    punters = {
        "--stakes": arguments.stakes,
        "--hands": arguments.hands,
        "--banker-stays-on": arguments.banker_stays_on,
    }
    strange = {"--open": arguments.open} if arguments.hand is not None else punters
    for name, value in strange.items():
        if value is not None:
            other = "--banker" if arguments.hand is not None else "--hand"
            raise Failure(f"{name} goes with {other}: leave it out here.", USAGE)
    if arguments.banker is not None and not arguments.open:
        raise Failure('--banker needs the open hands: give --open "STAKE: HIDDEN [CARDS]" for each.', USAGE)


def _punter(
    arguments: argparse.Namespace, rules: PontoonRules, seen: Sequence[Card]
) -> tuple[dict[str, Any], list[str]]:
    from advisor.games.pontoon import advise_punter, pool_after
    from advisor.money import format_amount

    own = _cards("--hand", arguments.hand)
    stakes = _amounts(arguments.stakes) if arguments.stakes is not None else [rules.minimum]
    hands = 1 if arguments.hands is None else arguments.hands
    pool = pool_after(rules, (*own, *seen))
    advice = advise_punter(rules, own, stakes, pool, hands=hands, stays_on=arguments.banker_stays_on)
    values = []
    for option in advice.options:
        amount = {} if option.amount is None else {"amount": format_amount(option.amount)}
        values.append({"action": str(option.action), **amount, "value": option.value})
    said = [f"{it['action']}{' for ' + str(it['amount']) if 'amount' in it else ''}" for it in values]
    lines = [f"{said[0].capitalize()}  ({advice.hand})"]
    lines += [f"  {name:20s} {option.value:+.4f}" for name, option in zip(said, advice.options, strict=True)]
    found = {
        "side": "punter",
        "best": values[0]["action"],
        "amount": values[0].get("amount"),
        "values": values,
        "hand": advice.hand,
        "banker_stays_on": advice.stays_on,
        "why": list(advice.reasons),
    }
    return found, lines


def _banker(
    arguments: argparse.Namespace, rules: PontoonRules, seen: Sequence[Card]
) -> tuple[dict[str, Any], list[str]]:
    from advisor.games.pontoon import advise_banker, pool_after

    own = _cards("--banker", arguments.banker)
    hands: list[OpenHand] = []
    shown: list[Card] = []
    for text in arguments.open:
        hand, cards = _open_hand(text)
        hands.append(hand)
        shown += cards
    advice = advise_banker(rules, own, hands, pool_after(rules, (*own, *shown, *seen)))
    values = {"draw": advice.draw, "stay": advice.stay}
    ordered = dict(sorted(values.items(), key=lambda item: item[0] != advice.best))
    lines = [f"{advice.best.capitalize()}  ({advice.hand})"]
    lines += [f"  {name:20s} {value:+.4f}" for name, value in ordered.items()]
    found = {
        "side": "banker",
        "best": str(advice.best),
        "values": ordered,
        "exact": advice.exact,
        "hand": advice.hand,
        "why": list(advice.reasons),
    }
    return found, lines


def _open_hand(text: str) -> tuple[OpenHand, tuple[Card, ...]]:
    """An open hand as "STAKE: HIDDEN [CARDS]"."""
    from advisor.games.pontoon import OpenHand
    from advisor.games.pontoon.hand import count_values

    stake, colon, rest = text.partition(":")
    hidden, _, cards = rest.strip().partition(" ")
    if not colon or not (hidden.isascii() and hidden.isdigit()) or len(hidden) > 2:
        raise Failure(f'--open {text!r} is not "STAKE: HIDDEN [CARDS]", such as "6: 2 KD".', USAGE)
    up = _cards("--open", cards)
    return OpenHand(_amounts(stake)[0], int(hidden), count_values(up)), up


def _cards(name: str, text: str) -> tuple[Card, ...]:
    from advisor.games.cards import CardError, parse_cards

    try:
        return parse_cards(text)
    except CardError as error:
        raise Failure(f"{name}: {error}.", USAGE) from error


def _amounts(text: str) -> list[Fraction]:
    from advisor.money import MoneyError, parse_amount

    try:
        found = [parse_amount(part) for part in text.replace(",", " ").split()]
    except MoneyError as error:
        raise Failure(f"{error}.", USAGE) from error
    if not found:
        raise Failure("give the stakes as amounts, such as 2.", USAGE)
    return found
