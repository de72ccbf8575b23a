"""``tableside serve`` and ``tableside demo``: watch a table and show the right move on a page."""

from __future__ import annotations

import argparse
from typing import Any


def register(commands: Any) -> None:
    """Add the sub-commands."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    return 0
