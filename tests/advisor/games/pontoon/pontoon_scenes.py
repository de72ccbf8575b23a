"""Pontoon laid out for the tests of the table: two cards to each seat, and what has been done so far."""

from __future__ import annotations

from table_scenes import Scene

from advisor.games.contract import HOUSE
from advisor.games.pontoon import PRESETS, PontoonRules
from advisor.games.pontoon.table import GAME

HOME = PRESETS["home"]


def table(*seats: int, rules: PontoonRules = HOME, **stakes: str) -> Scene:
    """Two cards face down to each of these seats and to the banker, the stakes said: s2="3"."""
    scene = Scene(GAME, rules)
    for seat, amount in stakes.items():
        scene.tell({"op": "stake", "seat": int(seat[1:]), "amount": amount})
    for _ in range(2):
        for seat in (*seats, HOUSE):
            scene.deal(seat, "back")
    return scene


def said(scene: Scene) -> list[str]:
    """The operations so far as words without their fields."""
    return [str(it["op"]) for it in scene.played.operations]
