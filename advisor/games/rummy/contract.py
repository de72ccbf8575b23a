"""Contracts: which melds a deal asks for, as values and as text such as "S3 S3 R4"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["set", "sequence"]
"""set: cards of one rank; sequence: consecutive cards of one suit."""

_SLOT: Final = re.compile(r"([SR])(\d{1,2})(\+?)", re.IGNORECASE)
FREE_WORD: Final = "any"
MOST_MELDS: Final = 6
LONGEST: Final = 14
"""The longest meld that a contract can ask for: a sequence from ace to ace."""


class ContractError(ValueError):
    """Text that is no contract; the message gives the text and what is allowed."""


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """One meld that a contract asks for."""

    kind: Kind
    size: int
    """How many cards."""
    open: bool = False
    """Whether it may hold more cards than that, whatever the variant's ``meld_size`` (text: a plus behind it)."""

    def __str__(self) -> str:
        return f"{'S' if self.kind == 'set' else 'R'}{self.size}{'+' if self.open else ''}"

    @property
    def words(self) -> str:
        """Such as "a set of 3" or "a sequence of 4 or more"."""
        return f"a {self.kind} of {self.size}{' or more' if self.open else ''}"


@dataclass(frozen=True, slots=True)
class Contract:
    """What must be laid down at once: one of several lists of melds (nearly always there is one list).

    ``free``: any number of legal melds will do, as in plain rummy and gin; it then has no lists.
    """

    choices: tuple[tuple[Slot, ...], ...] = ()
    free: bool = False

    def __post_init__(self) -> None:
        if self.free == bool(self.choices):
            raise ContractError("a contract lists its melds, or is free; it cannot be both or neither")
        for choice in self.choices:
            if not 1 <= len(choice) <= MOST_MELDS:
                raise ContractError(f"a contract of {len(choice)} melds: it must ask for 1 to {MOST_MELDS}")
            for slot in choice:
                if not 2 <= slot.size <= LONGEST:
                    raise ContractError(f"{slot} in a contract: a meld has 2 to {LONGEST} cards")

    def __str__(self) -> str:
        return FREE_WORD if self.free else " / ".join(" ".join(map(str, choice)) for choice in self.choices)

    @property
    def words(self) -> str:
        """Such as "2 sets of 3 + 1 sequence of 4"."""
        return "any melds" if self.free else ", or ".join(_in_words(choice) for choice in self.choices)


def parse_slot(text: str) -> Slot:
    """Read "S3" (a set of 3), "R4" (a sequence, or run, of 4) or "R4+" (of 4 or more); raises `ContractError`."""
    match = _SLOT.fullmatch(text.strip())
    if match is None:
        raise ContractError(f"{text!r} is no meld of a contract: write S3 for a set of 3, R4 for a sequence of 4")
    return Slot("set" if match[1].upper() == "S" else "sequence", int(match[2]), bool(match[3]))


def parse_contract(text: str) -> Contract:
    """Read "S3 S3 R4", several of them parted by "/" where the player may choose, or "any"; raises `ContractError`."""
    if text.strip().lower() == FREE_WORD:
        return Contract(free=True)
    return Contract(tuple(tuple(parse_slot(part) for part in choice.split()) for choice in text.split("/")))


def _in_words(choice: tuple[Slot, ...]) -> str:
    parts = []
    for slot in dict.fromkeys(choice):
        number = choice.count(slot)
        parts.append(f"{number} {slot.kind}{'s' if number > 1 else ''} of {slot.size}{' or more' if slot.open else ''}")
    return " + ".join(parts)
