"""``tableside simulate``: whole rounds dealt at random and played by the advice, beside the exact value."""

from __future__ import annotations

import argparse
import json
import os
import random
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import reduce
from multiprocessing import get_context
from operator import add
from typing import TYPE_CHECKING, Any

from advisor.cli.prepare import explained_wait
from advisor.cli.rules import add_rules_options, chosen_rules
from advisor.cli.terminal import FAILED, Progress, command, count

if TYPE_CHECKING:
    from advisor.games.blackjack import HouseRules
    from advisor.games.blackjack.simulate import Tally

BLOCK = 500
"""Rounds with one seed of their own, so that the result does not depend on how many cores there are."""
TOO_FAR = 4.0
"""Standard errors beyond which simulation and odds disagree."""


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = command(
        commands,
        "simulate",
        "play random rounds by the advice and compare with the exact odds",
        "tableside simulate --rules six-deck-s17 --rounds 20000 --seed 7",
    )
    parser.add_argument("--rounds", type=count, default=20_000, help="rounds to play (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same rounds (default 1)")
    parser.add_argument("--workers", type=count, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_rules_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, and say whether it agrees."""
    from advisor.games.blackjack.game import game_value

    rules = chosen_rules(arguments)
    with explained_wait():
        exact = game_value(rules)
    tally = _play(rules, arguments.rounds, arguments.seed, arguments.workers)
    error = tally.standard_error
    apart = abs(tally.mean - exact) / error if error else 0.0
    agrees = apart <= TOO_FAR
    if arguments.json:
        found = {
            "rounds": tally.rounds,
            "mean": tally.mean,
            "standard_error": error,
            "exact": exact,
            "standard_errors_apart": apart,
            "agrees": agrees,
        }
        print(json.dumps(found))
    else:
        mean = f"{100 * tally.mean:+.3f} % of the first bet a round"
        print(f"{tally.rounds} rounds: {mean}, give or take {100 * error:.3f}.")
        verdict = "they agree" if agrees else "they do not agree: please report this with the command"
        print(f"Exact value: {100 * exact:+.3f} %, {apart:.1f} standard errors apart: {verdict}.")
    return 0 if agrees else FAILED


def _play(rules: HouseRules, rounds: int, seed: int, workers: int) -> Tally:
    blocks = [min(BLOCK, rounds - start) for start in range(0, rounds, BLOCK)]
    jobs = [(rules, size, f"{seed}/{number}") for number, size in enumerate(blocks)]
    progress = Progress(len(jobs))
    progress.draw()
    tallies = {}
    if workers == 1 or len(jobs) == 1:
        for number, job in enumerate(jobs):
            tallies[number] = _block(*job)
            progress.step()
    else:
        # Spawned, since compiled loops and their locks do not survive a fork.
        with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=get_context("spawn")) as pool:
            waiting = {pool.submit(_block, *job): number for number, job in enumerate(jobs)}
            for done in as_completed(waiting):
                tallies[waiting[done]] = done.result()
                progress.step()
    progress.clear()
    return reduce(add, tallies.values())


def _block(rules: HouseRules, rounds: int, seed: str) -> Tally:
    from advisor.games.blackjack.simulate import simulate

    return simulate(rules, rounds, random.Random(seed))
