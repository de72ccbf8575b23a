"""States made of the games' own answers, for the display's bench: cards as a camera saw them, and what was said."""

from __future__ import annotations

from typing import Any

import fake_states as states

from advisor.games.catalogue import game as game_named
from advisor.games.contract import Lying, Place, Story, Told
from advisor.money.chips import DEFAULT_CHIPS
from advisor.service.plain_played import plain_played

Seen = tuple[int, str]


def lying(number: int, seat: int, text: str, hand: int) -> Lying:
    """A card from "10H", "?6D" (unsure), "back", with "/" at the end where it lies across."""
    across, text = text.endswith("/"), text.removesuffix("/")
    up, sure = text != "back", not text.startswith("?")
    label = text.removeprefix("?") if up else None
    return Lying(number, Place(seat, hand), label, up=up, sure=sure, crosswise=across)


def of_game(
    name: str,
    preset: str,
    cards: list[tuple[int, str] | tuple[int, str, int]],
    told: list[dict[str, Any]],
    *,
    after: bool = False,
    carried: dict[str, Any] | None = None,
    viewer: bool = False,
) -> states.State:
    """A state of this game: `cards` are (seat, card) or (seat, card, hand) in order; `told` before or after them."""
    game = game_named(name)
    rules = game.presets()[preset]
    lies = tuple(lying(n, it[0], it[1], it[2] if len(it) > 2 else 1) for n, it in enumerate(cards, 1))
    said = tuple(Told(len(lies) + n, it, len(lies) if after else 0) for n, it in enumerate(told, 1))
    played = game.play(rules, Story(lies, said, carried or {}))
    plain = plain_played(played, DEFAULT_CHIPS, viewer=viewer)
    return states.state(
        plain,
        game={"name": game.name, "title": game.title},
        rules={"name": preset, "summary": game.summary(rules)},
        role="viewer" if viewer else "dealer",
    )


def blackjack(**more: Any) -> states.State:
    cards: list[Any] = [(1, "KS"), (2, "8D"), (3, "5C"), (5, "AS"), (0, "6C")]
    cards += [(1, "9H"), (2, "8C"), (3, "?6D"), (5, "KD"), (0, "back")]
    bets = [{"op": "place-bet", "seat": seat, "amount": amount} for seat, amount in ((1, "10"), (2, "25"), (5, "15"))]
    return of_game("blackjack", next(iter(game_named("blackjack").presets())), cards, bets, **more)


def blackjack_paid() -> states.State:
    cards: list[Any] = [(1, "KS"), (2, "8D"), (5, "AS"), (0, "6C"), (1, "9H"), (2, "3C"), (5, "KD"), (0, "10H")]
    cards += [(2, "QD/"), (0, "5H")]
    bets = [{"op": "place-bet", "seat": seat, "amount": amount} for seat, amount in ((1, "10"), (2, "25"), (5, "15"))]
    return of_game("blackjack", next(iter(game_named("blackjack").presets())), cards, bets)


def pontoon(**more: Any) -> states.State:
    cards: list[Any] = [(seat, "back") for _ in range(2) for seat in (1, 2, 4, 0)]
    stakes = [{"op": "stake", "seat": seat, "amount": amount} for seat, amount in ((1, "3"), (2, "5"), (4, "2"))]
    return of_game("pontoon", "home", cards, stakes, **more)


def punto_banco(**more: Any) -> states.State:
    cards: list[Any] = [(0, "2C", 1), (0, "KD", 2), (0, "3H", 1), (0, "6S", 2)]
    bets = [
        {"op": "place-bet", "seat": seat, "bet": bet, "amount": amount}
        for seat, bet, amount in ((1, "player", "10"), (1, "tie", "5"), (4, "banker", "100"), (7, "player_pair", "5"))
    ]
    coups = ["banker", "player", "player pair", "tie", "banker", "banker natural"] * 4
    return of_game(
        "punto-banco", next(iter(game_named("punto-banco").presets())), cards, bets, carried={"coups": coups}, **more
    )


def fourteen_seats() -> states.State:
    """The largest table, taking bets: half of the seats have bet."""
    bets = [{"op": "place-bet", "seat": seat, "bet": "player", "amount": "100"} for seat in range(1, 15, 2)]
    found = of_game("punto-banco", next(iter(game_named("punto-banco").presets())), [], bets)
    found["table"]["seats"] = 14
    return found
