"""Compares what a table published with what truly happened: every card, every round's money, and how long it took."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from advisor.cli.table_bench.watching import Hand, Moment, Watched
from advisor.cli.table_films import Staged, StagedRound
from advisor.games.contract import HOUSE
from advisor.money import format_amount
from advisor.table.state import RoundResult
from datasets.rounds.moves import Rest, course
from datasets.rounds.spots import Spots, layout_for

Kind = Literal["dealt", "turned", "moved"]
EARLY: Final = 0.6
"""Seconds before a card rests from which on its being shown is counted for it: hands slow down as they arrive."""
GRACE: Final = 2.5
"""Seconds that a table has at least, even where the card is covered or moved again sooner."""


@dataclass(frozen=True)
class Event:
    """Something that a table should come to show."""

    kind: Kind
    rest: Rest
    until: float
    """The second by which it must be shown."""
    alike: int
    """How many cards of this hand then show the same."""


@dataclass(frozen=True)
class Verdict:
    """What became of an event; `latency` in seconds where it was shown."""

    event: Event
    latency: float | None
    shown: Hand = ()
    """What was shown at its place when its time was up, where it was not shown."""

    @property
    def right(self) -> bool:
        """Whether it was shown, at the right place and with the right name."""
        return self.latency is not None


@dataclass(frozen=True)
class RoundVerdict:
    """Whether a round's money came out right; where not, whether the table had said that something was wrong."""

    right: bool
    warned: bool
    words: str = ""


def events(staged: Staged) -> tuple[Event, ...]:
    """What the film shows, in order of time."""
    spots = Spots(layout_for(staged.script.seats), staged.house_hands)
    rests = course(staged.script, spots, staged.seed).rests
    before: dict[int, Rest] = {}
    found = []
    for rest in rests:
        last = before.get(rest.card)
        before[rest.card] = rest
        kind: Kind = "dealt"
        if last is not None:
            if last.up == rest.up and last.hand == rest.hand:
                continue  # pushed aside, with nothing new to tell
            kind = "turned" if last.up != rest.up else "moved"
        same = [it for it in rests if (it.seat, it.hand) == (rest.seat, rest.hand) and face(it) == face(rest)]
        alike = sum(it.start <= rest.start < it.end for it in same)
        clears = next(it.clears for it in staged.rounds if rest.start < it.clears)
        found.append(Event(kind, rest, min(max(rest.end, rest.start + GRACE), clears), alike))
    return tuple(found)


def face(rest: Rest) -> tuple[str, str]:
    """How a card is shown: its label and that it lies up, or that it lies down."""
    return (rest.label, "up") if rest.up else ("", "down")


def judged(event: Event, moments: Sequence[Moment]) -> Verdict:
    """Whether and when the event was shown."""
    rest = event.rest
    first = max(0, bisect_right(moments, rest.start - EARLY, key=lambda it: it.at) - 1)
    there: Hand = ()
    for moment in moments[first:]:
        if moment.at > event.until:
            break
        there = moment.hands.get((rest.seat, rest.hand), ())
        if shows(there, face(rest)) >= event.alike:
            return Verdict(event, max(0.0, moment.at - rest.start))
    return Verdict(event, None, there)


def shows(hand: Hand, wanted: tuple[str, str]) -> int:
    """How many cards of a hand are shown so; of one face down no name is asked."""
    return sum(lies == wanted[1] and (lies == "down" or label == wanted[0]) for label, lies in hand)


def settled(staged: Staged, watched: Watched) -> tuple[RoundVerdict, ...]:
    """The money of each round."""
    return tuple(_settled(truth, watched.moments, watched.results) for truth in staged.rounds)


def _settled(truth: StagedRound, moments: Sequence[Moment], results: Sequence[RoundResult]) -> RoundVerdict:
    at = bisect_right(moments, truth.clears, key=lambda it: it.at) - 1
    if at < 0:
        return RoundVerdict(False, False, "nothing was shown")
    shown = moments[at]
    result = next((it for it in results if it.number == shown.round), None)
    if result is None:
        return RoundVerdict(False, shown.warned, "the round was never ended")
    net = {seat: amount for seat, amount in result.net.items() if seat != HOUSE and amount}
    wanted = {seat: amount for seat, amount in truth.net.items() if amount}
    warned = shown.warned or bool(result.faults)
    if net == wanted:
        return RoundVerdict(True, warned)
    return RoundVerdict(False, warned, f"{_words(net)} instead of {_words(wanted)}")


def _words(net: Mapping[int, Fraction]) -> str:
    return ", ".join(f"seat {s} {format_amount(a)}" for s, a in sorted(net.items())) or "nothing"


def share(values: Sequence[float], part: float) -> float:
    """The value that so large a part of the values does not exceed; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
