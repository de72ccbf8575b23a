"""Blackjack as the table deals it: `GAME` keeps the contract of `advisor.games.contract`."""

from advisor.games.blackjack.table.game import GAME

__all__ = ["GAME"]
