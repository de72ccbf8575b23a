"""``tableside advise``, ``odds`` and ``chart``: the exact blackjack core for people and for scripts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli import punto_banco
from advisor.cli.batch import Refused, answer_lines
from advisor.cli.prepare import explained_wait
from advisor.cli.rules import DEFAULT_RULES, add_rules_options, chosen_rules
from advisor.cli.terminal import USAGE, Failure, coloured, command, say

if TYPE_CHECKING:
    from advisor.games.blackjack import Advice, HouseRules

SHOE_HELP = 'the cards before any left it, by value: "A:4,2:4,...,10:16" (default: full packs)'


def register(commands: Any) -> None:
    """Add the sub-commands."""
    advise = command(
        commands,
        "advise",
        "the best move for a blackjack hand, and why",
        'tableside advise --player "10H 6S" --dealer 10C --seen "5C 5D"',
    )
    advise.add_argument("--player", metavar="CARDS", help='the hand, such as "10H 6S"')
    advise.add_argument("--dealer", metavar="CARD", help="the dealer's upcard, such as 10C")
    advise.add_argument("--seen", metavar="CARDS", default="", help="other cards seen from this shoe")
    advise.add_argument("--hands", type=int, default=1, metavar="N", help="hands in the seat after splits (default 1)")
    advise.add_argument(
        "--batch", metavar="FILE", help='answer JSON lines {"player": "10H 6S", "dealer": "10C"}; - is stdin'
    )
    advise.add_argument("--shoe", metavar="COUNTS", help=SHOE_HELP)
    add_rules_options(advise)
    advise.add_argument("--json", action="store_true", help="print one JSON object")
    advise.set_defaults(run=run_advise)
    odds = command(
        commands, "odds", "exact odds of the whole game for these rules and this shoe", "tableside odds --rules home"
    )
    odds.add_argument("--game", choices=["blackjack", punto_banco.GAME], default="blackjack", help="default blackjack")
    odds.add_argument("--shoe", metavar="COUNTS", help=f"{SHOE_HELP}; {punto_banco.SHOE_HELP}")
    add_rules_options(odds)
    odds.add_argument("--json", action="store_true", help="print JSON with every hand, in full precision")
    # Each game has its own usual rules, so that naming none must be told from naming blackjack's.
    odds.set_defaults(run=run_odds, rules=None)
    chart = command(
        commands, "chart", "the basic strategy chart for these rules", "tableside chart --format html --out chart.html"
    )
    add_rules_options(chart)
    chart.add_argument("--format", choices=["text", "json", "html", "svg"], default="text", help="default text")
    chart.add_argument("--out", type=Path, metavar="FILE", help="write to this file instead of the terminal")
    chart.set_defaults(run=run_chart)


@contextmanager
def _part(name: str) -> Iterator[None]:
    """Card text that cannot be read becomes a refusal that names its part."""
    from advisor.games.cards import AmbiguousCard, CardError

    try:
        yield
    except AmbiguousCard as error:
        raise Refused("ambiguous", name, f"{name}: {error}") from error
    except CardError as error:
        raise Refused("malformed", name, f"{name}: {error}") from error


def answer(rules: HouseRules, question: Mapping[str, Any], shoe: tuple[int, ...] | None) -> dict[str, Any]:
    """The advice on one question as plain data; raises `Refused`."""
    from advisor.games.blackjack import ImpossiblePosition, advise
    from advisor.games.blackjack.count import shoe_count
    from advisor.games.blackjack.shoe import full_shoe, left_of
    from advisor.games.cards import parse_cards

    texts = {}
    for name, required in (("player", True), ("dealer", True), ("seen", False)):
        text = question.get(name, None if required else "")
        if not isinstance(text, str):
            raise Refused("malformed", name, f'{name}: give it as text, such as "10H 6S"')
        texts[name] = text
    with _part("player"):
        hand = parse_cards(texts["player"])
    with _part("dealer"):
        shown = parse_cards(texts["dealer"])
    with _part("seen"):
        seen = parse_cards(texts["seen"])
    if len(shown) > 1:
        cards = " and ".join(str(card) for card in shown)
        raise Refused("ambiguous", "dealer", f"dealer: which of {cards} is the upcard? Put the others under seen")
    hands = question.get("hands", 1)
    if not isinstance(hands, int) or isinstance(hands, bool):
        raise Refused("malformed", "hands", "hands: give a whole number of hands in the seat")
    upcard = shown[0] if shown else None
    try:
        advice = advise(rules, hand, upcard, seen, from_split=hands > 1, hands_in_seat=hands, shoe=shoe)
    except ImpossiblePosition as wrong:
        raise Refused("impossible", "position", f"impossible position: {wrong}") from wrong
    whole = full_shoe(rules.decks) if shoe is None else shoe
    count = shoe_count(whole, left_of(whole, (*hand, *shown, *seen)))
    return {
        "best": str(advice.action),
        "values": {str(action): value for action, value in advice.values.items()},
        "margin": advice.margin,
        "dealer": dict(advice.dealer),
        "why": list(advice.reasons),
        "hand": advice.hand,
        "insurance": advice.insurance_value,
        "even_money": advice.even_money_value,
        **_for_less(rules, advice),
        "count": {
            "running": count.running,
            "true": float(count.true),
            "unseen": count.unseen,
            "ten_richness": float(count.ten_richness),
        },
    }


def _for_less(rules: HouseRules, advice: Advice) -> dict[str, float]:
    """Where a double may be for less: what its one card is worth to each unit at stake."""
    from advisor.games.blackjack.decision import double_for_less_value

    one_card = double_for_less_value(advice.values, 0) if rules.double_for_less else None
    return {} if one_card is None else {"one_card": one_card}


def run_advise(arguments: argparse.Namespace) -> int:
    """Answer one question, or a batch of them."""
    rules, shoe = chosen_rules(arguments), _shoe(arguments.shoe)
    if arguments.batch is not None:
        if arguments.player or arguments.dealer or arguments.seen or arguments.hands != 1:
            raise Failure("--batch reads its own hands: leave out --player, --dealer, --seen and --hands.", USAGE)
        return _batch(rules, shoe, arguments.batch)
    if not arguments.player or not arguments.dealer:
        raise Failure('give --player and --dealer, such as --player "10H 6S" --dealer 10C, or --batch FILE.', USAGE)
    question = {name: getattr(arguments, name) for name in ("player", "dealer", "seen", "hands")}
    try:
        with explained_wait():
            found = answer(rules, question, shoe)
    except Refused as refused:
        raise Failure(f"{refused.sentence}.", USAGE) from refused
    if arguments.json:
        print(json.dumps(found))
        return 0
    print(coloured(found["best"].capitalize(), "bold") + f"  ({found['hand']})")
    for action, value in found["values"].items():
        print(f"  {action:10s} {value:+.4f}")
    for sentence in found["why"]:
        print(sentence)
    return 0


def _batch(rules: HouseRules, shoe: tuple[int, ...] | None, name: str) -> int:
    def one(question: dict[str, Any]) -> dict[str, Any]:
        with explained_wait():
            return answer(rules, question, shoe)

    return answer_lines(name, "player and dealer", one)


def _shoe(text: str | None) -> tuple[int, ...] | None:
    from advisor.games.blackjack import ShoeError, parse_shoe

    if text is None:
        return None
    try:
        return parse_shoe(text)
    except ShoeError as error:
        raise Failure(f"--shoe: {error}.", USAGE) from error


def game_odds(rules: HouseRules, shoe: tuple[int, ...]) -> dict[str, Any]:
    """The whole game as plain data: docs/odds.md says what it holds."""
    import numpy as np

    from advisor.games.blackjack.dealer import OUTCOMES, dealer_chances
    from advisor.games.blackjack.game import blackjack_worth, whole_game
    from advisor.games.blackjack.values import ACE, TEN, VALUES

    columns = whole_game(rules, shoe)
    hands: dict[str, dict[str, dict[str, float]]] = {}
    dealer = {}
    for each in columns:
        left = np.array(shoe, dtype=np.float64) - (np.arange(10) == each.upcard)
        chances = dealer_chances(left[None], each.upcard, rules.dealer_soft_17)[0]
        dealer[VALUES[each.upcard]] = dict(zip(OUTCOMES, chances.tolist(), strict=True))
        for pair in each.chances:
            name = f"{VALUES[pair[0]]},{VALUES[pair[1]]}"
            if pair == (ACE, TEN):
                values = {"stand": blackjack_worth(rules, each.upcard, shoe)}
            else:
                values = {str(action): value for action, value in each.hands[pair].items()}
            hands.setdefault(name, {})[VALUES[each.upcard]] = values
    return {
        "ev": sum(each.chance * each.value for each in columns),
        "ev_by_upcard": {VALUES[each.upcard]: each.value for each in columns},
        "dealer": dealer,
        "hands": hands,
    }


def run_odds(arguments: argparse.Namespace) -> int:
    """Print the value of the game, by upcard, with the dealer's results."""
    if arguments.game == punto_banco.GAME:
        return punto_banco.run_odds(arguments)
    from advisor.games.blackjack.shoe import full_shoe

    arguments.rules = arguments.rules or DEFAULT_RULES
    rules = chosen_rules(arguments)
    given = _shoe(arguments.shoe)
    shoe = full_shoe(rules.decks) if given is None else given
    if sum(shoe) < ENOUGH:
        raise Failure(f"--shoe: {sum(shoe)} cards are too few to play a round: give {ENOUGH} or more.", USAGE)
    with explained_wait():
        found = game_odds(rules, shoe)
    if any(sum(chances.values()) < 1 - 1e-9 for chances in found["dealer"].values()):
        say("this shoe may run out before a hand is finished; such hands count as neither won nor lost.")
    if arguments.json:
        print(json.dumps(found))
        return 0
    print(f"The player's expected result with best play: {100 * found['ev']:+.4f} % of the first bet.\n")
    names = list(next(iter(found["dealer"].values())))
    print(f"{'upcard':>6} {'player':>10}  dealer: " + " ".join(f"{name:>9}" for name in names))
    for upcard, value in found["ev_by_upcard"].items():
        chances = " ".join(f"{chance:9.4%}" for chance in found["dealer"][upcard].values())
        print(f"{upcard:>6} {100 * value:+9.3f}%          {chances}")
    print("\nBefore the dealer looks for a blackjack, insurance left out. --json gives every hand.")
    return 0


ENOUGH = 5
"""Cards without which no round can begin: two hands of two, and one to draw."""


def run_chart(arguments: argparse.Namespace) -> int:
    """Print or write the chart."""
    from advisor.games.blackjack import chart_page
    from advisor.games.blackjack.chart import basic_strategy

    rules = chosen_rules(arguments)
    with explained_wait():
        chart = basic_strategy(rules)
    if arguments.format == "text":
        text = chart.text()
    elif arguments.format == "json":
        text = json.dumps(chart_page.as_json(chart))
    else:
        text = chart_page.svg(chart) if arguments.format == "svg" else chart_page.html(chart).rstrip()
    if arguments.out is None:
        print(text)
        return 0
    try:
        arguments.out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Failure(f"{arguments.out}: it could not be written ({error.strerror}).") from error
    print(arguments.out)
    return 0
