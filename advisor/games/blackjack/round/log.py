"""Operations as plain dictionaries of text and whole numbers, for a log in JSON, and back."""

from __future__ import annotations

from typing import Final

from advisor.games.blackjack.round.operations import OPERATIONS, Operation
from advisor.games.operations import OperationLog

LOG: Final[OperationLog[Operation]] = OperationLog(OPERATIONS)
"""Reads and writes any operation of a round."""
as_dict = LOG.as_dict
operation_from_dict = LOG.from_dict
