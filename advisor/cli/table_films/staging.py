"""Rounds of any game for a film, from a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Final

from advisor.cli.table_films import blackjack, pontoon, punto_banco
from advisor.cli.table_films.timing import Pace, StagedRound, shuffled
from advisor.games.blackjack import PRESETS as BLACKJACK
from advisor.games.blackjack import HouseRules
from advisor.games.cards import FULL_PACK, Card
from advisor.games.pontoon import PRESETS as PONTOON
from advisor.games.pontoon import PontoonRules
from advisor.games.punto_banco import PRESETS as PUNTO_BANCO
from advisor.games.punto_banco import Bet, PuntoBancoRules
from advisor.money import format_amount
from datasets.rounds.script import Script

BETWEEN: Final = 1.2
"""Seconds between two rounds."""
BLACKJACK_RULES: Final = ("home", "six-deck-s17", "six-deck-h17", "british", "vegas-strip")


@dataclass(frozen=True)
class Staged:
    """A film's script, and the rounds in it with what a table should come to know."""

    game: str
    rules_name: str
    rules: Any
    seed: int
    script: Script
    rounds: tuple[StagedRound, ...]
    house_hands: int = 1

    def as_data(self) -> dict[str, Any]:
        """What is kept beside the film: the game, its rules and each round, amounts as exact text."""
        return {
            "game": self.game,
            "rules": self.rules_name,
            "rounds": [
                {
                    "begins": round(it.begins, 2),
                    "decided": round(it.decided, 2),
                    "clears": round(it.clears, 2),
                    "told": [{"at": at, "operation": dict(told)} for at, told in it.told],
                    "operations": [dict(operation) for operation in it.operations],
                    "net": {str(seat): format_amount(amount) for seat, amount in it.net.items()},
                }
                for it in self.rounds
            ],
        }


def stage(game: str, seed: int, rounds: int = 2, seats: int = 3, *, chips: bool = True, pays: bool = False) -> Staged:
    """So many rounds at a table with so many seats, from one shoe. Raises `ValueError` for an unknown game."""
    if game not in _STAGES:
        raise ValueError(f"{game!r} is no game that can be filmed: use one of {', '.join(_STAGES)}.")
    random = Random(f"{game} {seed}")
    pace = Pace(random, chips)
    return _STAGES[game](random, pace, seed, rounds, seats, pays)


def _stage_blackjack(random: Random, pace: Pace, seed: int, rounds: int, seats: int, pays: bool) -> Staged:
    name = BLACKJACK_RULES[seed % len(BLACKJACK_RULES)]
    rules: HouseRules = BLACKJACK[name]
    shoe: list[Card] = []
    seen: tuple[Card, ...] = ()
    staged: list[StagedRound] = []
    for _ in range(rounds):
        # A shoe too short for the round is shuffled before it, as at any table.
        if len(shoe) < 6 * (seats + 1):
            shoe, seen = shuffled(FULL_PACK * rules.decks, random), ()
        sitting = sorted(random.sample(range(1, seats + 1), random.randint(max(1, seats - 2), seats)))
        bets = {seat: rules.minimum * random.choice((1, 1, 2, 3, 5)) for seat in sitting}
        chooser = blackjack.Anybody(random, seats)
        done, state = blackjack.play(pace, rules, bets, shoe.pop, chooser, seen, pays)
        staged.append(done)
        seen = state.known_cards
        pace.wait(BETWEEN)
    return Staged("blackjack", name, rules, seed, pace.script(seats, f"blackjack {seed}"), tuple(staged))


def _stage_punto_banco(random: Random, pace: Pace, seed: int, rounds: int, seats: int, pays: bool) -> Staged:
    name = sorted(PUNTO_BANCO)[seed % len(PUNTO_BANCO)]
    rules: PuntoBancoRules = PUNTO_BANCO[name]
    shoe = shuffled(FULL_PACK * rules.decks, random)
    staged: list[StagedRound] = []
    before = None
    for _ in range(rounds):
        bets: list[tuple[int, Bet, Fraction]] = []
        for seat in range(1, seats + 1):
            bets.append((seat, random.choice((Bet.PLAYER, Bet.BANKER)), rules.minimum * random.choice((1, 2, 4))))
            if random.random() < 0.25:
                bets.append((seat, random.choice((Bet.TIE, Bet.PLAYER_PAIR, Bet.BANKER_PAIR)), rules.minimum))
        done, before = punto_banco.play(pace, rules, bets, shoe.pop, before, pays)
        staged.append(done)
        pace.wait(BETWEEN)
    script = pace.script(seats, f"punto banco {seed}")
    return Staged("punto-banco", name, rules, seed, script, tuple(staged), house_hands=2)


def _stage_pontoon(random: Random, pace: Pace, seed: int, rounds: int, seats: int, pays: bool) -> Staged:
    name = sorted(PONTOON)[seed % len(PONTOON)]
    rules: PontoonRules = PONTOON[name]
    staged: list[StagedRound] = []
    for _ in range(rounds):
        # Every deal from a shuffled pack: where the dealer shuffles, nothing needs to be known of the last.
        shoe = shuffled(FULL_PACK * rules.decks, random)
        sitting = sorted(random.sample(range(1, seats + 1), random.randint(max(1, seats - 2), seats)))
        chooser = pontoon.Anybody(random, 2 if seats > blackjack.ROOM else 3)
        if staged:
            pace.tell({"op": "shuffled"})
        done, _ = pontoon.play(pace, rules, sitting, shoe.pop, chooser, None, pays)
        staged.append(done)
        pace.wait(BETWEEN)
    return Staged("pontoon", name, rules, seed, pace.script(seats, f"pontoon {seed}"), tuple(staged))


_STAGES: Final[Mapping[str, Callable[[Random, Pace, int, int, int, bool], Staged]]] = {
    "blackjack": _stage_blackjack,
    "punto-banco": _stage_punto_banco,
    "pontoon": _stage_pontoon,
}
GAMES: Final = tuple(_STAGES)
"""The games that can be staged."""
