"""Melds lying on the table: each legal or why not, and whether together they meet a contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.contract import Slot
from advisor.games.rummy.melds import Meld, Verdict, judge, readings
from advisor.games.rummy.sequences import Window, apart
from advisor.games.rummy.variant import Variant


@dataclass(frozen=True, slots=True)
class TableCheck:
    """What the groups on the table are."""

    verdicts: tuple[Verdict, ...]
    """For each group, in the order given."""
    met: bool | None
    """Whether the contract is met; None where no deal was asked about."""
    sentence: str
    """Why the contract is met or not; empty where no deal was asked about."""


def check_table(variant: Variant, groups: Sequence[Sequence[RummyCard]], deal: int | None = None) -> TableCheck:
    """Whether each group is a legal meld, and whether they hold the contract of a deal.

    Cards may have been laid off since: a meld longer than its contract asks still counts for it, and sequences of one
    suit keep apart if some part of them of the size that was asked does. Melds beyond the contract are said, since
    there can be none. Raises `VariantError` for an unknown deal.
    """
    verdicts = tuple(judge(variant, group) for group in groups)
    if deal is None:
        return TableCheck(verdicts, None, "")
    contract = variant.deal(deal).contract
    legal = [group for group, verdict in zip(groups, verdicts, strict=True) if verdict.legal]
    if contract.free:
        met = bool(legal) and len(legal) == len(groups)
        return TableCheck(verdicts, met, "any legal melds will do" if met else "not every group is a legal meld")
    asked = f"deal {deal} asks for {contract.words}"
    ways = [readings(variant, group) for group in legal]
    for slots in variant.slots(deal):
        if any(True for _ in _fillings(variant, list(slots), ways, [], frozenset())):
            if len(groups) > len(slots):
                beyond = len(groups) - len(slots)
                return TableCheck(verdicts, False, f"{asked}; {beyond} more on the table than that")
            return TableCheck(verdicts, True, asked)
    return TableCheck(verdicts, False, f"{asked}; {_lacking(variant, deal, ways)}")


def _fillings(
    variant: Variant,
    slots: list[Slot],
    ways: Sequence[Sequence[Meld]],
    runs: list[tuple[str, Window]],
    used: frozenset[int],
) -> Iterator[frozenset[int]]:
    """The ways to find a meld for every slot."""
    if not slots:
        yield used
        return
    slot, later = slots[0], slots[1:]
    for number, melds in enumerate(ways):
        if number in used:
            continue
        for meld in melds:
            if meld.kind != slot.kind or len(meld.cards) < slot.size:
                continue
            if slot.kind == "set" or variant.same_suit_runs == "free":
                yield from _fillings(variant, later, ways, runs, used | {number})
                continue
            suit = meld.stands[0].suit
            for start in range(len(meld.window) - slot.size + 1):
                part = meld.window[start : start + slot.size]
                if all(suit != other or apart(part, taken, variant.ace) for other, taken in runs):
                    yield from _fillings(variant, later, ways, [*runs, (suit, part)], used | {number})


def _lacking(variant: Variant, deal: int, ways: Sequence[Sequence[Meld]]) -> str:
    """What is missing, in words; the likeliest of several contracts is the one that most melds fill."""
    free = [list(melds) for melds in ways]
    for slots in variant.slots(deal)[:1]:
        missing = []
        for slot in sorted(slots, key=lambda s: -s.size):
            fit = next((m for m in free if any(w.kind == slot.kind and len(w.cards) >= slot.size for w in m)), None)
            if fit is None:
                missing.append(slot.words)
            else:
                free.remove(fit)
        if missing:
            return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return "two sequences of one suit need a gap between them"
