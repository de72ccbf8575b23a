"""Pontoon as this table deals it: cards face down are counted, those turned up are read, stakes are told."""

from advisor.games.pontoon.table.game import GAME

__all__ = ["GAME"]
