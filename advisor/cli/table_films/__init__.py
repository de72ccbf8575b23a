"""Rounds dealt by the games' own rules, written down as scripts for the film renderer, with what truly happened.

`stage` deals them from a seed: the cards, the players' choices and the pace are drawn by chance, the procedure and the
money are the games' own.
"""

from advisor.cli.table_films.staging import GAMES, Staged, stage
from advisor.cli.table_films.timing import StagedRound

__all__ = ["GAMES", "Staged", "StagedRound", "stage"]
