"""What is remembered of the chips from one look to the next, and what follows from a look. Frozen values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from advisor.games.contract import BetView, Choice, Fault, Place, Played, Question
from advisor.money import SpotCheck, SpotSeen
from advisor.table.changes import Tell, UsualBet
from advisor.table.payouts_seen import Payout
from advisor.table.state import TableState
from vision.chips.spots import SpotReading

T = TypeVar("T")
K = TypeVar("K")

HANDS: Final = ""
"""The name of a seat's own place, where all bets on its hands lie together."""
OF_THE_BET: Final = frozenset({"bet", "double", "stake", "buy"})
"""Names of bets whose chips lie together at a seat's own place."""
FIRST: Final = ("bet", "stake")
"""Names of the bet that lies there before the cards."""


class Spot(NamedTuple):
    """A place for chips: the seat, and the bet that has it for itself, such as "insurance" or "tie"; else `HANDS`."""

    seat: int
    bet: str = HANDS


class ReadBet(NamedTuple):
    """A bet that was read from its chips."""

    seat: int
    name: str
    amount: Fraction


@dataclass(frozen=True, slots=True)
class SeenBet(BetView):
    """A bet whose amount nobody said: its chips say it."""

    seen: bool = True


def unsaid(bet: BetView) -> bool:
    """Whether nobody said this bet: it is assumed, or was read."""
    return bet.assumed or isinstance(bet, SeenBet)


class Taken(NamedTuple):
    """A bet that was said because its chips were seen."""

    amount: Fraction
    kept: bool = False
    """Whether the round was seen to have it since: what a store could not keep is said again."""


@dataclass(frozen=True, slots=True)
class Insured:
    """A seat's insurance as the round last told of it."""

    amount: Fraction
    owed: Fraction | None
    """What it brings its player, once that is decided."""
    apart: Fraction
    """What the seat had gained by then beside its hands, so that what came later is the insurance's."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a bet."""

    question: Question
    lies: Fraction | None
    """What surely lies there; None where it could not be read."""
    since: int
    """How many changes of the table there were when it was asked."""
    lay: Mapping[str, Any]
    """The operation that bets there: an answer is one like it, whatever its amount."""


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BetsMemory:
    """What is remembered from one look to the next."""

    round: int = 0
    lying: Mapping[Spot, tuple[object, float]] = field(default_factory=_nothing)
    """What lies there, and since when (seconds)."""
    agreed: Mapping[Spot, SpotSeen] = field(default_factory=_nothing)
    """The bet as it was read last while it might be changed."""
    fitted: Mapping[Spot, SpotSeen] = field(default_factory=_nothing)
    """All that lay at a seat's own place when it was read last after the first card and was right, where that is not
    what was agreed before."""
    closed: Mapping[Spot, SpotReading] = field(default_factory=_nothing)
    """Each seat's own place as it was seen last before the first card."""
    payouts: Mapping[Spot, Payout] = field(default_factory=_nothing)
    """How far each place has been settled."""
    left: Mapping[Spot, Payout] = field(default_factory=_nothing)
    """Wrong payouts of the round before."""
    taken: Mapping[Spot, Taken] = field(default_factory=_nothing)
    """The bets that were said because their chips were seen, as they were said last."""
    insured: Mapping[int, Insured] = field(default_factory=_nothing)
    """By seat."""
    read: frozenset[ReadBet] = frozenset()
    """Bets that their chips have shown."""
    asked: Mapping[Spot, Asked] = field(default_factory=_nothing)
    """What was asked of a bet last, answered or not."""
    before: BetsMemory | None = None
    """The round before, for somebody may take its end back."""


@dataclass(frozen=True, slots=True)
class Warned:
    """A payout that is wrong."""

    spot: Spot
    fault: Fault
    since: int
    """How many changes of the table there were when it was found."""
    last_round: bool = False


@dataclass(frozen=True, slots=True)
class BetsSeen:
    """What follows from a look at the chips."""

    changes: tuple[UsualBet | Tell, ...] = ()
    faults: tuple[Fault, ...] = ()
    """What is surely wrong with the bets."""
    questions: tuple[Question, ...] = ()
    """What somebody should look at, because the camera is not sure."""
    doubts: tuple[Question, ...] = ()
    """Those of them that are no questions about one bet, so that no words answer them."""
    asked: Mapping[Spot, Asked] = field(default_factory=_nothing)
    """What was asked about bets, answered or not."""
    wrong: tuple[Warned, ...] = ()
    """Payouts that are surely wrong. Each stays until it is right, or somebody says that it is fine."""
    checks: Mapping[Spot, SpotCheck] = field(default_factory=_nothing)
    """Whether each place was paid right, as far as that is surely known."""
    read: frozenset[ReadBet] = frozenset()
    """Bets that their chips have shown."""
    laid: Mapping[int, Fraction] = field(default_factory=_nothing)
    """Before the first card: what surely lies at each seat's own place."""


@dataclass(slots=True)
class Look:
    """One look, while what it finds is put together. The round moves on by what the chips say."""

    state: TableState
    shown: Played
    memory: BetsMemory
    dealt: bool = False
    """Whether a card of the round has come."""
    changes: list[UsualBet | Tell] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def blame(self, words: str, place: Place, choices: Sequence[Choice] = ()) -> None:
        """Say what is surely wrong at a place."""
        self.faults.append(Fault(words, place, None, tuple(choices)))

    def wonder(self, words: str, place: Place) -> None:
        """Say what somebody should look at; nothing where there are no words."""
        if words:
            self.questions.append(Question(words, place))


def with_one(mapping: Mapping[K, T], key: K, value: T | None) -> Mapping[K, T]:
    """The mapping with this value; without the key where it is None."""
    others = {it: one for it, one in mapping.items() if it != key}
    return MappingProxyType(others if value is None else {**others, key: value})
