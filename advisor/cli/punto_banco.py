"""``tableside odds --game punto-banco``: the exact chances of the next coup, and the house edge of every bet."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from advisor.cli.game_rules import chosen_rules
from advisor.cli.terminal import USAGE, Failure, coloured

if TYPE_CHECKING:
    from advisor.games.punto_banco import PuntoBancoRules, Shoe

GAME = "punto-banco"
USUAL_RULES = "eight-deck"
SHOE_HELP = (
    'for punto banco by rank, "A:32,2:32,...,10:32,J:32,Q:32,K:32", or by value, where 10 counts tens and courts and '
    "pairs are left out"
)


def coup_odds(rules: PuntoBancoRules, shoe: Shoe) -> dict[str, Any]:
    """The chances and house edges as plain data; what only ranks would tell is None. Raises `ShoeError`."""
    from advisor.games.punto_banco import Bet, Result, chances, house_edge

    found = chances(shoe)
    edges = {bet: house_edge(rules, found, bet) for bet in Bet}
    return {
        **{str(result): float(found.chance(result)) for result in (Result.BANKER, Result.PLAYER, Result.TIE)},
        "pair": None if found.pair is None else float(found.pair),
        "bets": {str(bet): {"house_edge": None if edge is None else float(edge)} for bet, edge in edges.items()},
        "cards": shoe.cards,
        "combinations": {**{str(result): found.orders(result) for result in Result}, "total": found.total},
    }


def run_odds(arguments: argparse.Namespace) -> int:
    """Print the chances of the next coup and what each bet gives the house."""
    from advisor.games.punto_banco import Bet, Shoe, ShoeError, load_rules, parse_shoe

    rules = chosen_rules(load_rules, arguments.rules or USUAL_RULES, arguments.overrides)
    try:
        shoe = Shoe.full(rules.decks) if arguments.shoe is None else parse_shoe(arguments.shoe)
        found = coup_odds(rules, shoe)
    except ShoeError as error:
        raise Failure(f"--shoe: {error}.", USAGE) from error
    if arguments.json:
        print(json.dumps(found))
        return 0
    print(coloured(f"The next coup from {found['cards']} cards:", "bold"))
    for name in ("banker", "player", "tie"):
        print(f"  {name:10s} {found[name]:9.4%}")
    print("\nWhat the house keeps of a bet on average:")
    for bet in Bet:
        edge = found["bets"][bet]["house_edge"]
        said = "not known: this shoe is given by value, a pair needs ranks" if edge is None else f"{edge:9.4%}"
        print(f"  {bet.words:15s} {said}")
    return 0
