"""``tableside side-bets``: what the side bets are worth on the cards still unseen, exactly."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.terminal import USAGE, Failure, coloured, command

if TYPE_CHECKING:
    from advisor.games.blackjack.side_bets import FaceShoe, Paytable, Price

BOTH_13 = "over-under-13"
"""One name for both bets on 13."""


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = command(
        commands,
        "side-bets",
        "price blackjack's side bets exactly for the cards still unseen",
        'tableside side-bets lucky-ladies --decks 6 --seen "QH 5C"',
    )
    parser.add_argument("name", nargs="?", help="one side bet, with all its paytables and outcomes (default: list all)")
    parser.add_argument(
        "--decks", type=int, choices=range(1, 9), default=6, help="packs in the shoe, 1 to 8 (default 6)"
    )
    parser.add_argument("--seen", default="", metavar="CARDS", help='cards already out of the shoe, such as "QH 10S"')
    parser.add_argument("--table", type=Path, metavar="FILE.toml", help="the table's own paytables")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Price the bets that are asked for and print them."""
    from advisor.games.blackjack.side_bets import ShoeTooSmall, price

    shoe = _shoe(arguments.decks, arguments.seen)
    tables = _tables(arguments.name, arguments.table)
    try:
        prices = [price(table.bet, table, shoe) for table in tables]
    except ShoeTooSmall as error:
        raise Failure(f"{error}.", USAGE) from error
    if arguments.json:
        bets = [_as_json(one) for one in prices]
        print(json.dumps({"decks": arguments.decks, "cards": shoe.size, "bets": bets}))
        return 0
    detailed = arguments.name is not None or arguments.table is not None
    for one in prices:
        _print(one, detailed)
    if not detailed:
        print(
            f"\nHouse edge on {shoe.size} unseen cards. `tableside side-bets NAME` shows outcomes and other paytables."
        )
    return 0


def _shoe(decks: int, seen: str) -> FaceShoe:
    from advisor.games.blackjack import shoe_problems
    from advisor.games.blackjack.side_bets import FaceShoe
    from advisor.games.cards import CardError, parse_cards

    try:
        cards = parse_cards(seen)
    except CardError as error:
        raise Failure(f"--seen: {error}.", USAGE) from error
    problems = shoe_problems(decks, cards)
    if problems:
        raise Failure(f"--seen: {'; '.join(problems)}.", USAGE)
    return FaceShoe.of(decks, cards)


def _tables(name: str | None, path: Path | None) -> list[Paytable]:
    """The paytables to price: of the file, of the named bet, or the usual one of every bet."""
    from advisor.games.blackjack.side_bets import BETS, PaytableError, default_paytable, paytables, read_paytables

    names = list(BETS) if name is None else _names(name)
    if path is None:
        return [default_paytable(bet) for bet in names] if name is None else [t for b in names for t in paytables(b)]
    try:
        tables = read_paytables(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"{path}: it cannot be read ({error.strerror or error}).", USAGE) from error
    except (PaytableError, UnicodeDecodeError) as error:
        raise Failure(f"{path}: {error}.", USAGE) from error
    if tables[0].bet not in names:
        raise Failure(f"{path}: its paytables are for {tables[0].bet}, not for {name}.", USAGE)
    return list(tables)


def _names(name: str) -> list[str]:
    """The bets meant: "King's Bounty" is kings-bounty."""
    from advisor.games.blackjack.side_bets import BETS

    plain = "-".join(name.lower().replace("'", "").replace("’", "").replace("/", " ").replace("_", " ").split())
    if plain == BOTH_13:
        return ["over-13", "under-13"]
    if plain not in BETS:
        raise Failure(f"there is no side bet {name!r}: use one of {', '.join(BETS)}.", USAGE)
    return [plain]


def _print(priced: Price, detailed: bool) -> None:
    from advisor.games.blackjack.side_bets import BETS
    from advisor.money import odds_text

    bet = BETS[priced.bet]
    head = f"{bet.title:14s} {_percent(priced.house_edge):>9s}  {bet.name}, paytable {priced.table.name}"
    if not detailed:
        print(head)
        return
    print(f"{coloured(bet.title, 'bold')}, paytable {priced.table.name} ({priced.table.source})")
    print(f"  house edge {_percent(priced.house_edge)} on {priced.cards} unseen cards; decided by {bet.cards}")
    for outcome in priced.outcomes:
        words = outcome.name.replace("-", " ")
        print(f"  {words:44s} {odds_text(outcome.pays):>7s}  {_percent(outcome.probability, 6):>12s}")


def _percent(share: Fraction, places: int = 4) -> str:
    return f"{float(100 * share):.{places}f} %"


def _as_json(priced: Price) -> dict[str, Any]:
    from advisor.money import odds_text

    return {
        "bet": priced.bet,
        "table": priced.table.name,
        "source": priced.table.source,
        "house_edge": float(priced.house_edge),
        "house_edge_percent": float(100 * priced.house_edge),
        "house_edge_exact": str(priced.house_edge),
        "outcomes": [
            {
                "outcome": outcome.name,
                "pays": odds_text(outcome.pays),
                "probability": float(outcome.probability),
                "probability_exact": str(outcome.probability),
            }
            for outcome in priced.outcomes
        ],
    }
