"""Variants: every difference between games of the rummy family as a field of one frozen, self-checking object.

The fields and the values seen in print are those of rules/contract-rummy.md and rules/rummy-variants.json; the code
that scores and solves hands holds no rule of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_type_hints

from advisor.games.cards import FULL_PACK, RANKS, Card
from advisor.games.rummy.cards import Joker, RummyCard
from advisor.games.rummy.contract import LONGEST, Contract, ContractError, Kind, Slot, parse_slot

Ace = Literal["low", "high", "both", "both_ends", "wrap"]
MeldSize = Literal["exact", "at_least"]
SameSuitRuns = Literal["gap", "free"]
LayOff = Literal["same_turn", "next_turn", "none"]
Discard = Literal["always", "not_in_last_deal", "never"]
JokerSwap = Literal["in_turn", "any_time", "others_only", "none"]
JokerTaken = Literal["kept", "at_once"]
HandMelds = Literal["counted", "free"]
Range = tuple[int, int]
"""From and to, both included."""

NO_LIMIT: Final = 99
"""In place of a number of wild cards or buys: as many as you like."""
WILD_JOKER: Final = "joker"


class VariantError(ValueError):
    """A variant that cannot be: the message names the field, its value and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packs:
    """What is shuffled together for some numbers of players."""

    players: Range
    decks: int
    """Packs of 52, 1 to 6."""
    jokers: int
    """Jokers in all."""
    jokers_elsewhere: int = 0
    """The most jokers that another printing of the same game puts in: where the number of players is not known, a
    hand is refused only if no printing could hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One deal: how many cards each player gets, and the contract."""

    cards: tuple[tuple[Range, int], ...]
    """Cards dealt, by number of players."""
    contract: Contract
    buys: int | None = None
    """How often a player may buy, where it is not the variant's ``buys_per_deal``."""

    def dealt(self, players: int | None) -> int:
        """Cards dealt to each; the most that any number of players gets where it is not known."""
        held = [number for span, number in self.cards if players is None or span[0] <= players <= span[1]]
        return max(held or [number for _, number in self.cards])


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """What a card left in hand counts."""

    joker: int
    wild: int | Literal["joker"] = "joker"
    """Wild cards other than jokers; "joker" where they count as one."""
    ace: int
    number: int | Literal["pip"] = "pip"
    """The cards 2 to 9: their pips, or so many each."""
    ten: int = 10
    court: int = 10
    """Jack, queen and king."""
    ranks: tuple[tuple[str, int], ...] = ()
    """Single ranks that count something else, such as (("7", 5),)."""

    def of_rank(self, rank: str) -> int:
        """What a natural card of that rank counts."""
        special = dict(self.ranks)
        if rank in special:
            return special[rank]
        if rank == "A":
            return self.ace
        if rank in "JQK":
            return self.court
        if rank == "10":
            return self.ten
        return int(rank) if self.number == "pip" else self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The rules of one game of the family. Raises `VariantError`, also where fields do not fit together."""

    name: str
    title: str
    source: str
    """Where the rules come from, in words."""
    note: str = ""
    uncertain: tuple[str, ...] = ()
    """Fields that the source does not state, or on which sources differ: what stands there is a default to check."""
    players: Range
    packs: tuple[Packs, ...]
    deals: tuple[Deal, ...]
    wild: tuple[str, ...]
    """"joker", ranks ("2") and single cards ("2C") that stand for any card. A wild card that lies in its own place
    counts as natural."""
    points: Points
    ace: Ace
    """In sequences. low: A-2-3; high: Q-K-A; both: either; both_ends: either, and one sequence of 14 may hold an ace at
    each end; wrap: round the corner too, K-A-2."""
    set_min: int
    run_min: int
    """The fewest cards of a set and of a sequence."""
    meld_size: MeldSize
    """Whether the melds of the contract must have exactly the sizes that it names, or at least those."""
    same_suit_runs: SameSuitRuns
    """gap: two sequences of one suit, laid down together, need a rank between them that neither has."""
    max_wilds_per_meld: int | tuple[tuple[str, int], ...] = NO_LIMIT
    """One number for every meld, or one for each meld of the contracts (("S3", 1), ("R4", 1)); a longer meld goes by
    the longest one named that it reaches."""
    naturals_majority: bool = False
    """Whether a meld needs more natural cards than wild ones."""
    wilds_may_touch: bool = True
    """Whether two wild cards may lie side by side in a sequence."""
    hand_melds: HandMelds = "counted"
    """free: melds still in hand at the end count nothing, only the rest does (gin's deadwood)."""
    buys_per_deal: int = NO_LIMIT
    """How often in a deal a player may take the upcard out of turn."""
    buy_penalty: int = 1
    """Cards from the stock that come with a bought one."""
    lay_off: LayOff
    """From when cards may be added to melds on the table: the turn of laying down, the one after, or not at all."""
    discard_to_go_out: Discard
    joker_swap: JokerSwap
    """Who may put the natural card in a joker's place: the player in turn, anybody, only from others' melds, nobody."""
    joker_taken: JokerTaken = "kept"
    """Whether a joker taken so may be kept in hand."""
    carry_over_contract: bool = False
    """Whether a contract not met stays for the next deal."""
    reshuffle_keeps_top: bool = False
    """Whether the top discard stays when the discards become the new stock."""
    bonuses: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """Points taken off the score (positive numbers), by what earns them."""

    def __post_init__(self) -> None:
        for name in ("name", "title", "source"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name).strip():
                raise error(name, getattr(self, name), "words")
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if type(value) is not type(allowed[0]) or value not in allowed:
                raise error(name, value, one_of(allowed))
        for name, low, high in (("set_min", 2, 8), ("run_min", 2, 13), ("buys_per_deal", 0, 99), ("buy_penalty", 0, 9)):
            whole(name, getattr(self, name), low, high)
        self._check_packs()
        self._check_wild()
        for number, deal in enumerate(self.deals, 1):
            self._check_deal(f"deals.{number}", deal)
        if not self.deals:
            raise error("deals", self.deals, "one deal or more")
        for name in self.uncertain:
            if name.split(".")[0] not in FIELDS:
                raise error("uncertain", name, f"a field: {', '.join(FIELDS)}")
        object.__setattr__(self, "bonuses", MappingProxyType(dict(self.bonuses)))

    def _check_packs(self) -> None:
        low, high = self.players
        whole("players", low, 1, 12)
        whole("players", high, low, 12)
        if not self.packs:
            raise error("packs", self.packs, "one line or more")
        for packs in self.packs:
            whole("packs.decks", packs.decks, 1, 6)
            whole("packs.jokers", packs.jokers, 0, 24)
            whole("packs.jokers_elsewhere", packs.jokers_elsewhere, 0, 24)
        for players in range(low, high + 1):
            if not any(p.players[0] <= players <= p.players[1] for p in self.packs):
                raise VariantError(
                    f"variant field packs says nothing for {players} players: give packs for all of {low} to {high}"
                )

    def _check_wild(self) -> None:
        cards = {str(card) for card in FULL_PACK}
        for name in self.wild:
            if name != WILD_JOKER and name not in RANKS and name not in cards:
                raise error("wild", name, "joker, a rank such as 2, or a card such as 2C")
        if isinstance(self.max_wilds_per_meld, int):
            whole("max_wilds_per_meld", self.max_wilds_per_meld, 0, NO_LIMIT)
            return
        for name, number in self.max_wilds_per_meld:
            try:
                parse_slot(name)
            except ContractError as wrong:
                raise VariantError(f"variant field max_wilds_per_meld: {wrong}") from wrong
            whole(f"max_wilds_per_meld.{name}", number, 0, NO_LIMIT)

    def _check_deal(self, name: str, deal: Deal) -> None:
        for _, number in deal.cards:
            whole(f"{name}.cards", number, 1, 20)
        if deal.buys is not None:
            whole(f"{name}.buys", deal.buys, 0, NO_LIMIT)
        if deal.contract.free and self.same_suit_runs == "gap":
            raise error("same_suit_runs", "gap", "free where the contract is any melds")
        for slot in (slot for choice in deal.contract.choices for slot in choice):
            least = self.set_min if slot.kind == "set" else self.run_min
            most = LONGEST if slot.kind == "set" else self.longest_run
            if not least <= slot.size <= most:
                raise error(f"{name}.contract", str(slot), f"a {slot.kind} of {least} to {most} cards here")

    @property
    def longest_run(self) -> int:
        """The most cards that a sequence can have."""
        return LONGEST if self.ace == "both_ends" else len(RANKS)

    def is_wild(self, card: RummyCard) -> bool:
        """Whether the card may stand for any other."""
        if isinstance(card, Joker):
            return WILD_JOKER in self.wild
        return card.rank in self.wild or str(card) in self.wild

    def points_of(self, card: RummyCard) -> int:
        """What the card counts when it is left in hand."""
        if isinstance(card, Joker):
            return self.points.joker
        if self.is_wild(card):
            return self.points.joker if self.points.wild == "joker" else self.points.wild
        return self.points.of_rank(card.rank)

    def wild_limit(self, kind: Kind, length: int) -> int:
        """The most wild cards in a meld of that kind and length, without regard to ``naturals_majority``."""
        if isinstance(self.max_wilds_per_meld, int):
            return self.max_wilds_per_meld
        named = sorted(
            (s.size, n) for s, n in ((parse_slot(t), n) for t, n in self.max_wilds_per_meld) if s.kind == kind
        )
        if not named:
            return NO_LIMIT
        return next((number for size, number in reversed(named) if size <= length), named[0][1])

    @property
    def limits_wilds(self) -> bool:
        """Whether a meld may be refused for its wild cards."""
        return self.max_wilds_per_meld != NO_LIMIT or self.naturals_majority or not self.wilds_may_touch

    def deal(self, number: int) -> Deal:
        """The deal of that number, from 1; raises `VariantError` where there is none."""
        if not 1 <= number <= len(self.deals):
            raise VariantError(f"{self.name} has no deal {number}: its deals are 1 to {len(self.deals)}")
        return self.deals[number - 1]

    def slots(self, number: int) -> tuple[tuple[Slot, ...], ...]:
        """The choices of melds that a deal's contract asks for, with ``meld_size`` worked in; none where it is free."""
        widened = self.meld_size == "at_least"
        return tuple(
            tuple(Slot(slot.kind, slot.size, slot.open or widened) for slot in choice)
            for choice in self.deal(number).contract.choices
        )

    def most_of(self, card: RummyCard, players: int | None = None) -> int:
        """How often the packs can hold that card, for so many players or, where not known, for any number."""
        rows = [p for p in self.packs if players is None or p.players[0] <= players <= p.players[1]]
        if isinstance(card, Card):
            return max((p.decks for p in rows), default=0)
        return max((max(p.jokers, p.jokers_elsewhere if players is None else 0) for p in rows), default=0)


FIELDS: Final = tuple(f.name for f in fields(Variant))
"""The names of a variant's fields, in order."""


def _choices() -> Mapping[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for name, hint in get_type_hints(Variant).items():
        allowed = (True, False) if hint is bool else get_args(hint)
        if allowed and all(isinstance(value, str | bool) for value in allowed):
            found[name] = allowed
    return MappingProxyType(found)


def one_of(allowed: tuple[Any, ...]) -> str:
    """The values in words: "low, high or both"."""
    words = [str(value).lower() if isinstance(value, bool) else str(value) for value in allowed]
    return f"{', '.join(words[:-1])} or {words[-1]}"


def error(name: str, value: object, allowed: str) -> VariantError:
    """The sentence for a field that cannot have that value."""
    return VariantError(f"variant field {name} cannot be {value!r}: it must be {allowed}")


def whole(name: str, value: object, low: int, high: int) -> int:
    """The value, where it is a whole number within bounds; raises `VariantError`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise error(name, value, f"a whole number from {low} to {high}")
    return value


CHOICES: Final = _choices()
"""The fields with listed values, and those values."""
