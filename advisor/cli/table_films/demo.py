"""The demo's rounds: one of each game, with cards and choices that show what tableside does.

`python -m advisor.cli.table_films.demo` writes them again into `advisor/demo`, where they are shipped as scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Final

from advisor.cli.table_films import blackjack, pontoon, punto_banco
from advisor.cli.table_films.staging import Staged
from advisor.cli.table_films.timing import Pace
from advisor.games.blackjack import PRESETS as BLACKJACK
from advisor.games.blackjack.round import Operation, Step, StepKind
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import Card, parse_cards
from advisor.games.pontoon import PRESETS as PONTOON
from advisor.games.punto_banco import PRESETS as PUNTO_BANCO
from advisor.games.punto_banco import Bet
from datasets.rounds.script import Script
from datasets.rounds.script_file import load_script, save_script

SEATS: Final = 3


def home_blackjack() -> Staged:
    """A split, a double whose card lies face down, a bust; the dealer draws to 20. The home table's rules."""
    rules, pace = BLACKJACK["home"], Pace(Random(7))
    shoe = _shoe("8S 6C 10H 9S  8D 5D 6S 7D  3C KH 9H  9C  QD  4H")
    answers = iter(("split", "hit", "stand", "double", "hit"))

    def choose(dealer: blackjack.FilmDealer, step: Step) -> Operation:
        if step.kind is not StepKind.DECIDE:
            return ops.CloseInsurance()
        seat, hand = step.seat or 0, step.hand or 1
        dealer.pace.think()
        match next(answers):
            case "split":
                return ops.Split(seat, hand)
            case "double":
                return ops.Double(seat, dealer.bet(dealer.state, seat), hand)
            case "hit":
                return ops.Hit(seat, dealer.draw(), hand)
            case _:
                return ops.Stand(seat, hand)

    bets = {1: Fraction(10), 2: Fraction(15), 3: Fraction(5)}
    done, _ = blackjack.play(pace, rules, bets, shoe, choose, pays=True)
    return Staged("blackjack", "home", rules, 7, pace.script(SEATS, "The demo's round of blackjack"), (done,))


def two_coups() -> Staged:
    """A natural, then a coup in which both sides draw."""
    rules, pace = PUNTO_BANCO["eight-deck"], Pace(Random(8))
    shoe = _shoe("4H KD 4S 6C  2D 9H 3C 5S 6H 3D")
    first = [(1, Bet.PLAYER, Fraction(10)), (2, Bet.BANKER, Fraction(25)), (3, Bet.PLAYER, Fraction(5))]
    second = [(1, Bet.BANKER, Fraction(10)), (2, Bet.BANKER, Fraction(25)), (3, Bet.PLAYER, Fraction(5))]
    one, before = punto_banco.play(pace, rules, first, shoe, pays=True)
    pace.wait(0.6)
    other, _ = punto_banco.play(pace, rules, second, shoe, before, pays=True)
    script = pace.script(SEATS, "The demo's two coups of punto banco")
    return Staged("punto-banco", "eight-deck", rules, 8, script, (one, other), house_hands=2)


def one_deal() -> Staged:
    """A pontoon, a card bought, and a banker who stays on 17."""
    rules, pace = PONTOON["home"], Pace(Random(9))
    shoe = _shoe("AS 7H 9D KC  QH 6C 10D 7S  5H")
    answers = iter(("2", "3", "1", "buy 3", "stick", "stick", "stay"))
    done, _ = pontoon.play(pace, rules, (1, 2, 3), shoe, lambda *_: next(answers), pays=True)
    return Staged("pontoon", "home", rules, 9, pace.script(SEATS, "The demo's deal of pontoon"), (done,))


DEMOS: Final[dict[str, Callable[[], Staged]]] = {
    "blackjack": home_blackjack,
    "punto-banco": two_coups,
    "pontoon": one_deal,
}
"""Each game's round, staged."""


def script_path(game: str) -> Path:
    """Where a game's script is shipped."""
    return Path(str(files("advisor") / "demo" / f"{game}.json"))


def demo_script(game: str) -> Script:
    """A game's script as it is shipped; raises `KeyError` for a game without one, `ScriptError` for a damaged file."""
    if game not in DEMOS:
        raise KeyError(game)
    return load_script(script_path(game))


def _shoe(cards: str) -> Callable[[], Card]:
    left = iter(parse_cards(cards))
    return lambda: next(left)


if __name__ == "__main__":
    for name, make in DEMOS.items():
        save_script(make().script, script_path(name))
