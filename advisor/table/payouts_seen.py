"""Whether a place was paid right, from look to look: what lay there, what lies there now, and what the round owes.

A wrong payout stays wrong until the chips are right: a hand that covers them, or a reading in doubt, changes nothing.
A right one is wrong again when more is laid down; once some of it is gone, the player has taken it, and what comes then
is a bet of the next round. Several hands of a split lie at one place and may be settled one after the other, so amounts
on the way are no error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from advisor.money import Chips, ChipSet, SpotCheck, SpotSeen, Verdict, check_spot, format_amount
from advisor.table.changes import PayoutFine, Tell
from advisor.table.state import Saying

SETTLES: Final = "settle"
"""What operations are called that say that something was paid or collected; some are longer."""


@dataclass(frozen=True, slots=True)
class Due:
    """A hand's bets, or one bet that is settled by itself."""

    stake: Fraction
    """All that lies on it."""
    owed: Fraction | None = None
    """What its player gains, negative where he loses; None while that is open."""
    done: bool = False
    """Whether it was said, or seen by its cards, to be settled."""


@dataclass(frozen=True, slots=True)
class Payout:
    """How far a place has been settled."""

    stake: SpotSeen | None = None
    """All that was at stake there, before anything was settled."""
    looked: bool = False
    """Whether chips were looked for here while nothing was decided yet."""
    gone: frozenset[int] = frozenset()
    """Hands that were settled before the others, and whose chips are gone."""
    moved: bool = False
    """Whether chips have moved since the end of the bets was known."""
    check: SpotCheck | None = None
    """The last verdict that was sure. A right one stands when chips go: the player may take them."""
    right: bool = False
    """Whether it was found right since it is known what is owed."""
    taken: bool = False
    """Whether some of it was gone after it was right: chips that come then are a bet of the next round."""
    wrong: Chips | None = None
    """What lay there when it was found wrong last."""
    since: int = 0
    """How many changes of the table there were when these chips were found wrong."""
    unpaid: bool = False
    """Whether nothing but the bets was seen there after it was said to be paid."""
    disputed: bool = False
    """Whether more than the bets was found there before they were decided: while that lies so, nobody paid."""

    @property
    def is_wrong(self) -> bool:
        """Whether chips must be added or taken back."""
        return self.check is not None and self.check.verdict is not Verdict.CORRECT


def judge(
    payout: Payout, spot: SpotSeen, dues: Mapping[int, Due], number: int, chipset: ChipSet, *, playing: bool = False
) -> tuple[Payout, str]:
    """The place as it stands now, and what somebody should look at (a sentence, or empty).

    ``dues`` are all that lie there, by hand; ``number`` is how many changes of the table there were. While a hand is
    ``playing`` its chips may be laid down before anybody knows what for.
    """
    payout = replace(payout, gone=frozenset(n for n in payout.gone if n in dues and dues[n].owed is not None))
    live = {n: due for n, due in dues.items() if n not in payout.gone}
    decided = {n: due for n, due in live.items() if due.owed is not None}
    right, worth = _sum(due.stake for due in live.values()), spot.worth(chipset)
    if worth == right and (payout.stake is None or payout.stake.worth(chipset) != right or not decided):
        payout = replace(payout, stake=spot)
    if not decided:
        if worth is not None:
            payout = replace(payout, disputed=worth > right, wrong=spot.chips(chipset))
        lies = payout.wrong if payout.disputed else None
        return Payout(payout.stake, True, payout.gone, wrong=lies, disputed=payout.disputed), ""
    over = len(decided) == len(live)
    stays = right - _sum(due.stake for due in decided.values())
    if not over and worth == stays:
        return Payout(spot, True, payout.gone | decided.keys()), ""
    stake = payout.stake
    if stake is None or stake.worth(chipset) != right:
        why = "could not be read surely" if payout.looked else "has not been seen since Tableside was started"
        said = f"{spot.title}: what lay there before paying {why}. Count the payout by hand."
        return payout, said if over else ""
    untouched = worth != right and spot.chips(chipset) in (None, payout.wrong)
    if payout.disputed and payout.wrong is not None and untouched:
        lay, bet = format_amount(payout.wrong.total(chipset)), format_amount(right)
        said = f"{spot.title}: {lay} lay there before anything was paid, and the bet was {bet}. Count it by hand."
        return payout, said if over and not all(due.done for due in decided.values()) else ""
    payout = replace(payout, disputed=False, wrong=None) if payout.disputed else payout
    owed = _sum(due.owed or Fraction(0) for due in decided.values())
    known = payout.check if payout.check is not None and payout.check.owed == owed else None
    payout = replace(payout, check=known, moved=payout.moved or (worth is not None and worth != right))
    if known is None:
        payout = replace(payout, right=False, taken=False)
    elif payout.right and not _uncovered(payout, spot, chipset):
        payout, again = _since_right(payout, known, spot.title, worth)
        if not again:
            return payout, ""
    if not over and (playing or worth is None):
        return payout, ""
    if known is None and worth is not None and _on_the_way(worth - right, decided.values(), payout.moved):
        # Said to be paid, and the chips come a moment later: only what a second look still misses was forgotten.
        unpaid = worth == right and owed > 0 and not payout.moved and all(due.done for due in decided.values())
        if not (unpaid and payout.unpaid and over):
            return replace(payout, unpaid=unpaid), ""
    check = check_spot(stake, spot, owed, chipset)
    if check.verdict is Verdict.UNSURE:
        return payout, "" if known is not None else " ".join(check.words)
    if check.verdict is Verdict.CORRECT:
        # Where nothing should lie, the player has nothing to take: all that comes is his next bet.
        return replace(payout, check=check, right=True, taken=payout.taken or not check.expected), ""
    lies = spot.chips(chipset)
    same = payout.is_wrong and payout.wrong == lies
    return replace(payout, check=check, wrong=lies, since=payout.since if same else number), ""


def was_correct(check: SpotCheck, title: str) -> SpotCheck:
    """The verdict, without saying what lies there now."""
    return replace(check, words=(f"{title}: was correct.",))


def _since_right(payout: Payout, known: SpotCheck, title: str, worth: Fraction | None) -> tuple[Payout, bool]:
    """The payout that was right once, as it stands now, and whether it is to be judged anew."""
    expected = known.expected or Fraction(0)
    if worth is None:
        return payout, False
    if payout.is_wrong:
        if worth == expected or (worth > expected and not payout.taken):
            return payout, True
        by = format_amount(known.difference or 0)
        words = f"{title}: was {known.verdict} by {by}, and since then chips were taken. Count what is owed by hand."
        return replace(payout, check=replace(known, words=(words,)), taken=True), False
    if worth > expected and not payout.taken:
        return payout, True
    if worth != expected:
        known = was_correct(known, title)
    return replace(payout, check=known, taken=payout.taken or worth < expected), False


def _uncovered(payout: Payout, spot: SpotSeen, chipset: ChipSet) -> bool:
    """Whether the very chips that were too many lie there again, so that they were only hidden when it seemed right.

    Chips that were too few look the same again when a player takes some of what he was paid: that says nothing.
    """
    if payout.taken or payout.wrong is None or payout.check is None or payout.check.expected is None:
        return False
    return payout.wrong.total(chipset) > payout.check.expected and spot.chips(chipset) == payout.wrong


def _on_the_way(changed: Fraction, decided: Iterable[Due], moved: bool) -> bool:
    """Whether some of the bets have been settled and the others are still to be: no error yet.

    Where wins and losses come to nothing in all, the same amount is the beginning as well as the end.
    """
    dues = list(decided)
    owed = [due.owed or Fraction(0) for due in dues]
    done = all(due.done for due in dues)
    if changed == 0:
        return any(owed) and (_sum(owed) != 0 or not (moved or done))
    sums = {Fraction(0)}
    for each in owed:
        sums |= {it + each for it in sums}
    return not done and changed != _sum(owed) and changed in sums


def said_fine(sayings: Iterable[Saying], seat: int, bet: str, since: int) -> bool:
    """Whether somebody said, after so many changes, that this was paid or collected, or is fine: then it is so."""
    later = [saying.change for saying in sayings if saying.number > since]
    fine = PayoutFine(seat=seat, bet=bet)
    return any(it == fine or (isinstance(it, Tell) and settles(it.operation, seat, bet)) for it in later)


def settles(operation: Mapping[str, Any], seat: int, bet: str) -> bool:
    """Whether it says that the bet of this name at this seat (empty: one of its hands') was paid or collected."""
    kind = str(operation.get("op", ""))
    named = spelt(operation.get("bet", "")) or kind.removeprefix(SETTLES).removeprefix("-")
    return kind.startswith(SETTLES) and operation.get("seat") == seat and named == bet


def spelt(name: object) -> str:
    """A bet's name as displays and felts write it: "player-pair"."""
    return str(name).replace("_", "-")


def _sum(amounts: Iterable[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0))
