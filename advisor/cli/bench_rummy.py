"""``tableside bench rummy-solver``: how fast the exact lay-down is found, on this machine, in one thread."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from typing import TYPE_CHECKING, Any

from advisor.cli import bench_rummy_hands
from advisor.cli.rummy_variants import DEFAULT_VARIANT, chosen_variant
from advisor.cli.terminal import USAGE, Failure, Progress, command, count

if TYPE_CHECKING:
    from advisor.games.rummy import RummyCard, Variant

SEED = 8
HANDS, CARDS, MOST_CARDS = 350, 12, 20


def register(what: Any) -> None:
    """Add ``rummy`` and ``rummy-solver`` to the benchmarks."""
    bench_rummy_hands.register(what)
    parser = command(
        what, "rummy-solver", "time of the best lay-down of random rummy hands", "tableside bench rummy-solver"
    )
    parser.add_argument("--hands", type=count, default=HANDS, help=f"random hands, over all deals (default {HANDS})")
    parser.add_argument("--cards", type=count, default=CARDS, help=f"cards in each (default {CARDS})")
    parser.add_argument(
        "--wild", type=int, default=0, metavar="N", help="jokers put into each hand besides those dealt"
    )
    parser.add_argument("--variant", default=DEFAULT_VARIANT, metavar="NAME", help=f"default {DEFAULT_VARIANT}")
    parser.add_argument("--set", action="append", default=[], dest="overrides", metavar="FIELD=VALUE")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    from advisor.games.rummy import lay_down

    variant = chosen_variant(arguments.variant, arguments.overrides)
    if not 0 <= arguments.wild <= arguments.cards <= MOST_CARDS:
        raise Failure(f"--cards goes to {MOST_CARDS}, and --wild to as many as there are cards.", USAGE)
    progress = Progress(arguments.hands)
    spans: dict[int, list[float]] = {}
    possible = 0
    first, *hands = random_hands(variant, arguments.hands + 1, arguments.cards, arguments.wild)
    lay_down(variant, first)
    for number, hand in enumerate(hands):
        deal = number % len(variant.deals) + 1
        began = time.perf_counter()
        found = lay_down(variant, hand, deal)
        spans.setdefault(deal, []).append(1000 * (time.perf_counter() - began))
        possible += found.possible
        progress.step()
    progress.clear()
    every = [span for each in spans.values() for span in each]
    figures = {
        "hands": len(every),
        "possible": possible,
        "lay_down_ms": _figures(every),
        "by_deal": {str(deal): _figures(each) for deal, each in spans.items()},
    }
    if arguments.json:
        print(json.dumps(figures))
        return 0
    for deal, each in spans.items():
        contract = variant.deal(deal).contract.words
        print(f"deal {deal:2d}   median {statistics.median(each):8.2f} ms   worst {max(each):8.2f} ms   {contract}")
    whole = f"median {statistics.median(every):8.2f} ms   worst {max(every):8.2f} ms"
    print(f"all       {whole}   {len(every)} hands of {arguments.cards} cards, {possible} can be laid down")
    return 0


def _figures(spans: list[float]) -> dict[str, float]:
    return {"median": statistics.median(spans), "worst": max(spans)}


def random_hands(variant: Variant, number: int, cards: int, wild: int) -> list[list[RummyCard]]:
    """Random hands from the variant's smallest packs, with so many jokers put in."""
    from advisor.games.cards import FULL_PACK
    from advisor.games.rummy import JOKER

    chance = random.Random(SEED)
    packs = variant.packs[0]
    whole: list[RummyCard] = [card for card in FULL_PACK for _ in range(packs.decks)]
    whole += [JOKER] * packs.jokers
    put_in: list[RummyCard] = [JOKER] * wild
    return [put_in + chance.sample(whole, cards - wild) for _ in range(number)]
