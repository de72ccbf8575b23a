"""Punto banco as this table deals it: the cards of Player and Banker seen, bets told."""

from advisor.games.punto_banco.table.game import GAME

__all__ = ["GAME"]
