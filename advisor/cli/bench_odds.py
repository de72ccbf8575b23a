"""``tableside bench odds``: how fast the exact odds are, on this machine, in one thread."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from advisor.cli.rules import add_rules_options, chosen_rules
from advisor.cli.terminal import Progress, command, count

if TYPE_CHECKING:
    from advisor.games.blackjack import HouseRules
    from advisor.games.cards import Card

SEED = 8
FIRST = "from advisor.cli import main; main(['advise', '--player', '10H 6S', '--dealer', '10C', '--json'])"


def register(what: Any) -> None:
    """Add ``odds`` to the benchmarks."""
    odds = command(what, "odds", "time of whole games, of live decisions, and to the first", "tableside bench odds")
    odds.add_argument("--decisions", type=count, default=400, help="random live decisions (default 400)")
    odds.add_argument("--rounds", type=count, default=9, help="whole games, and starts (default 9)")
    odds.add_argument("--json", action="store_true", help="print one JSON object")
    add_rules_options(odds)
    odds.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    from advisor.games.blackjack import advise
    from advisor.games.blackjack.game import column, game_value
    from advisor.games.blackjack.shoe import full_shoe

    rules = chosen_rules(arguments)
    others = _other_tables()
    progress = Progress((2 + len(others)) * arguments.rounds + arguments.decisions)
    game_value(rules)  # compiled code is loaded, and what every shoe shares is listed
    games, decisions, starts = [], [], []
    for _ in range(arguments.rounds):
        began = time.perf_counter()
        for upcard in range(10):
            column(rules, upcard, full_shoe(rules.decks))
        games.append(1000 * (time.perf_counter() - began))
        progress.step()
    first, *positions = _positions(rules, arguments.decisions + 1)
    advise(rules, *first)
    for position in positions:
        began = time.perf_counter()
        advise(rules, *position)
        decisions.append(1000 * (time.perf_counter() - began))
        progress.step()
    for _ in range(arguments.rounds):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", FIRST], check=True, stdout=subprocess.DEVNULL)
        starts.append(1000 * (time.perf_counter() - began))
        progress.step()
    others_took: dict[str, list[float]] = {name: [] for name in others}
    for ask in others.values():
        ask()  # what all positions share is listed once
    for _ in range(arguments.rounds):
        for name, ask in others.items():
            began = time.perf_counter()
            ask()
            others_took[name].append(1000 * (time.perf_counter() - began))
            progress.step()
    progress.clear()
    figures = {
        "whole_game_ms": {"median": statistics.median(games), "worst": max(games)},
        "live_decision_ms": {"median": statistics.median(decisions), "worst": max(decisions)},
        "start_to_first_decision_ms": {"median": statistics.median(starts), "worst": max(starts)},
        **{name: {"median": statistics.median(took), "worst": max(took)} for name, took in others_took.items()},
    }
    if arguments.json:
        print(json.dumps(figures))
        return 0
    for name, figure in figures.items():
        words = name.removesuffix("_ms").replace("_", " ")
        print(f"{words:28s} median {figure['median']:8.2f} ms   worst {figure['worst']:8.2f} ms")
    return 0


def _other_tables() -> dict[str, Callable[[], object]]:
    """Decisions of pontoon, a whole shoe of punto banco and the dearest side bet, nothing of them remembered."""
    from advisor.games.blackjack.side_bets import BETS, FaceShoe, default_paytable, price
    from advisor.games.cards import parse_cards
    from advisor.games.pontoon import OpenHand, PontoonRules, advise_banker, advise_punter, pool_after
    from advisor.games.pontoon.banker import banker_worth
    from advisor.games.pontoon.punter import banker_stays_on, worth
    from advisor.games.punto_banco import Shoe
    from advisor.games.punto_banco.odds import chances

    home, own, six = PontoonRules(), parse_cards("AH AS"), FaceShoe.of(6)
    hands = tuple(OpenHand(Fraction(2), hidden) for hidden in (2, 2, 3, 3, 4))

    def forgotten(ask: Callable[[], object]) -> Callable[[], object]:
        def first() -> object:
            for cache in (banker_stays_on, worth, banker_worth):
                cache.cache_clear()
            return ask()

        return first

    return {
        "pontoon_punter_ms": forgotten(lambda: advise_punter(home, own, [Fraction(2)], pool_after(home, own))),
        "pontoon_banker_ms": forgotten(
            lambda: advise_banker(home, parse_cards("10H 4S"), hands, pool_after(home, own)),
        ),
        "punto_banco_shoe_ms": lambda: chances.__wrapped__(Shoe.full(8)),
        "all_side_bets_ms": lambda: [price(bet, default_paytable(bet), six) for bet in BETS],
    }


def _positions(rules: HouseRules, number: int) -> list[tuple[list[Card], Card, list[Card]]]:
    """Random hands of two to four cards with up to three quarters of the shoe gone; every second one is a pair."""
    from advisor.games.blackjack import status
    from advisor.games.cards import FULL_PACK

    chance = random.Random(SEED)
    found: list[tuple[list[Card], Card, list[Card]]] = []
    while len(found) < number:
        cards = [card for card in FULL_PACK for _ in range(rules.decks)]
        chance.shuffle(cards)
        held = 2 if len(found) % 2 else chance.choice([2, 2, 3, 4])
        if len(found) % 2:
            twin = next(place for place, card in enumerate(cards) if place and card.rank == cards[0].rank)
            cards[1], cards[twin] = cards[twin], cards[1]
        gone = chance.randrange(held + 1, len(cards) * 3 // 4)
        position = cards[:held], cards[held], cards[held + 1 : gone]
        if not status(rules, *position):
            found.append(position)
    return found
