"""Bets at the places of a table and what a dealer makes of them, rightly or wrongly, from a seed; with the truth.

What lies there is what was laid down here, chip by chip. What is owed comes from how a dealer pays each bet
(`advisor.money.outcomes`), not from the check of a spot, which is what is measured. Outcomes are each spot's own: no
round need end like this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import hypot, radians
from typing import Final, Literal

import cv2
import numpy as np

from advisor.games.blackjack import HouseRules
from advisor.money import Chips, ChipSet, Ended, MoneyError, Outcome, Verdict, breakdown, outcome_plan, parse_ended
from datasets.camera import Rng
from datasets.chips.orders import bet_order
from datasets.chips.tables import ChipTable, Laid
from vision.felt import Zone
from vision.sightings import Point

Deed = Literal["right", "coloured up", "short", "over", "wrong colour", "not paid", "not taken", "touched"]
"""What the dealer did: all but the first two are mistakes, if what then lies there is worth something else."""

SEED: Final = 63_000_000
RULES: Final = HouseRules(surrender="late", minimum=Fraction(1, 2), maximum=Fraction(100_000), unit=Fraction(1, 2))
"""Any bet of the standard chips is allowed, so that nothing but the reading gives cause for a warning."""
COLUMN: Final = 20
TRIES: Final = 8
"""So often chips are laid down anew, until none of them lies on the rail."""
RIGHT: Final = 0.5
"""Share of the spots that the dealer settles as he should."""
INSURED: Final = 0.2
"""Share of the bets that are insured."""
MOST_INSURED: Final = 10
"""Chips of an insurance bet."""

_WIN, _LOSE, _PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH
_ENDINGS: Final[Mapping[str, tuple[int, tuple[Outcome | None, ...]]]] = {
    "win": (5, (_WIN,)),
    "blackjack": (4, (Outcome.BLACKJACK,)),
    "lose": (3, (_LOSE,)),
    "push": (3, (_PUSH,)),
    "surrender": (2, (Outcome.SURRENDER,)),
    "double-win": (2, (_WIN, _WIN)),
    "double-lose": (1, (_LOSE, _LOSE)),
    "double-push": (1, (_PUSH, _PUSH)),
    "win,win": (1, (_WIN, _WIN)),
    "win,lose": (1, (_WIN, _LOSE)),
    "push,lose": (1, (_PUSH, _LOSE)),
    "colour-up": (2, (None,)),
}
"""How often each comes, and what becomes of each of the spot's stacks; a doubled bet is two. None is a colour-up."""
_INSURANCE: Final[Mapping[str, tuple[int, tuple[Outcome | None, ...]]]] = {
    "insurance": (1, (Outcome.INSURANCE,)),
    "insurance-lose": (1, (_LOSE,)),
}
_PAYING: Final[tuple[Deed, ...]] = ("coloured up", "short", "over", "wrong colour", "not paid")
_GIVING: Final[tuple[Deed, ...]] = ("short", "over", "wrong colour", "not taken")
_DEEDS: Final[Mapping[Outcome | None, tuple[Deed, ...]]] = {
    _WIN: _PAYING,
    Outcome.BLACKJACK: _PAYING,
    Outcome.INSURANCE: _PAYING,
    _LOSE: ("not taken",),
    _PUSH: ("touched",),
    Outcome.SURRENDER: _GIVING,
    None: _GIVING,
}


@dataclass(frozen=True)
class SettledSpot:
    """One place before and after, in exact money; ``expected`` has to lie there after, ``lies`` does."""

    zone: Zone
    ended: tuple[Ended, ...]
    deed: Deed
    before: tuple[Laid, ...]
    after: tuple[Laid, ...]
    bet: Fraction
    expected: Fraction
    lies: Fraction

    @property
    def verdict(self) -> Verdict:
        """What has to be said of it."""
        if self.lies == self.expected:
            return Verdict.CORRECT
        return Verdict.SHORT if self.lies < self.expected else Verdict.OVER

    @property
    def difference(self) -> Fraction:
        """By how much it is short or over."""
        return abs(self.expected - self.lies)


@dataclass(frozen=True)
class _Stack:
    """What becomes of one stack of a bet: ``kept`` of it lies where it lay, ``paid`` is put down beside it."""

    kept: tuple[str, ...]
    paid: tuple[str, ...]
    net: Fraction


def settled_table(table: ChipTable, chipset: ChipSet) -> tuple[ChipTable, tuple[SettledSpot, ...]]:
    """The table once its round was played, with cards, and all its bets with what the dealer made of them."""
    rng = np.random.default_rng([SEED, table.number])
    places = [zone for zone in table.layout.zones if zone.kind == "seat-bet"]
    chosen = rng.choice(len(places), int(rng.integers((len(places) + 1) // 2, len(places) + 1)), replace=False)
    seats = {places[int(k)].seat for k in chosen}
    spots: list[SettledSpot] = []
    for k, zone in enumerate(table.layout.zones):
        if zone.seat not in seats:
            continue
        if zone.kind == "seat-bet":
            spots.append(_settled_spot(table, zone, 100 * k, _ENDINGS, chipset, rng))
        elif zone.kind == "insurance" and rng.random() < INSURED:
            spots.append(_settled_spot(table, zone, 100 * k, _INSURANCE, chipset, rng))
    hands = tuple(
        (spot.zone.seat, len(spot.ended)) for spot in spots if spot.zone.kind == "seat-bet" and spot.zone.seat
    )
    return replace(table, hands=hands), tuple(spots)


def _settled_spot(
    table: ChipTable,
    zone: Zone,
    number: int,
    endings: Mapping[str, tuple[int, tuple[Outcome | None, ...]]],
    chipset: ChipSet,
    rng: Rng,
) -> SettledSpot:
    """Draws until it is a bet that these chips can pay."""
    names = list(endings)
    weights = np.array([endings[name][0] for name in names], np.float64)
    while True:
        name = str(rng.choice(names, p=weights / weights.sum()))
        order = bet_order(rng, chipset.colours, COLUMN if zone.kind == "seat-bet" else MOST_INSURED)
        outcomes = endings[name][1]
        try:
            right = [_as_owed(outcome, order, chipset) for outcome in outcomes]
        except MoneyError:  # half of such a bet cannot be made of these chips, or there is nothing to colour up
            continue
        deed: Deed = "right"
        done = list(right)
        if rng.random() >= RIGHT:
            k = int(rng.integers(len(outcomes)))
            deed = str(rng.choice(_DEEDS[outcomes[k]]))  # type: ignore[assignment]
            done[k] = _done(deed, right[k], order, chipset, rng)
        ended = parse_ended(name)
        bet = _worth(order, chipset) * len(outcomes)
        lies = sum((_worth((*it.kept, *it.paid), chipset) for it in done), Fraction(0))
        expected = bet + sum((it.net for it in right), Fraction(0))
        if lies != expected and _ambiguous(ended, bet, lies):
            continue
        for _ in range(TRIES):
            before, after = _laid(table, zone, number, order, done, rng)
            if all(_on_felt(table, it.at) for it in (*before, *after)):
                return SettledSpot(zone, ended, deed, before, after, bet, expected, lies)


def _as_owed(outcome: Outcome | None, order: tuple[str, ...], chipset: ChipSet) -> _Stack:
    """What should become of a stack; raises `MoneyError` where that cannot be."""
    bet = Chips(Counter(order))
    total = bet.total(chipset)
    if outcome is None:
        fewest = breakdown(total, chipset)
        if fewest == bet:
            raise MoneyError("there is nothing to colour up")
        return _Stack((), fewest.stack(chipset), Fraction(0))
    plan = outcome_plan(outcome, bet, RULES, chipset)
    if outcome is _LOSE:
        return _Stack((), (), -total)
    if outcome is Outcome.SURRENDER:
        return _Stack((), plan.order, plan.owed - total)
    return _Stack(order, plan.order, plan.owed)


def _done(deed: Deed, right: _Stack, order: tuple[str, ...], chipset: ChipSet, rng: Rng) -> _Stack:
    """What the dealer makes of the stack ``order`` in place of what is ``right``."""
    at = int(rng.integers(max(len(right.paid), 1)))
    paid = right.paid
    match deed:
        case "coloured up":
            return replace(right, paid=breakdown(_worth(paid, chipset), chipset).stack(chipset))
        case "short":
            return replace(right, paid=paid[:at] + paid[at + 1 :])
        case "over":
            return replace(right, paid=paid[:at] + paid[at : at + 1] * 2 + paid[at + 1 :])
        case "wrong colour":
            other = str(rng.choice([colour for colour in chipset.colours if colour != paid[at]]))
            return replace(right, paid=Chips(Counter((*paid[:at], other, *paid[at + 1 :]))).stack(chipset))
        case "not paid":
            return replace(right, paid=())
        case "not taken":
            return replace(right, kept=order, paid=())
        case "touched":
            return replace(right, kept=order[:-1] if rng.random() < 0.5 else (*order, order[-1]))
        case _:
            return right


def _ambiguous(ended: Sequence[Ended], bet: Fraction, lies: Fraction) -> bool:
    """Whether nobody who sees only the chips could say what is wrong.

    Nothing lies there, so that the player may have picked all up; or it would be right had ``bet`` been the first bet.
    """
    return not lies or lies == bet * sum((it.share * (1 + it.gain(RULES)) for it in ended), Fraction(0))


def _laid(
    table: ChipTable, zone: Zone, number: int, order: tuple[str, ...], done: Sequence[_Stack], rng: Rng
) -> tuple[tuple[Laid, ...], tuple[Laid, ...]]:
    """All stacks before and after, in a row with payouts at its ends.

    It runs about across the picture, as one lays chips down that a camera is to count: so none hides another.
    """
    x, y = zone.shape.centre
    slope = table.camera.slope(np.array([x, y, 0.0]))[:, :2]
    turn = radians(rng.normal(0, 8))
    across = np.linalg.solve(slope, [np.cos(turn), np.sin(turn) / 2])
    across = across / hypot(across[0], across[1])
    away = np.array([-across[1], across[0]])
    step = 2 * table.family.radius + float(rng.uniform(1.5, 9))
    middle = np.array([x, y]) + rng.uniform(-10, 10, 2)
    sides = [float(rng.choice([-1, 1]))] if len(done) == 1 else [-1.0, 1.0]
    starts = [0.0] if len(done) == 1 else [side * (step / 2 + float(rng.uniform(0, 6))) for side in sides]

    def at(place: float) -> Point:
        px, py = middle + across * place + away * rng.normal(0, 2.5)
        return float(px), float(py)

    before, after = [], []
    for k, (it, side, start) in enumerate(zip(done, sides, starts, strict=True)):
        bet = Laid(number + k, at(start), order)
        before.append(bet)
        if it.kept:
            after.append(replace(bet, order=it.kept))
        columns = [it.paid[begin : begin + COLUMN] for begin in range(0, len(it.paid), COLUMN)]
        for j, column in enumerate(columns):
            place = start + side * step * (j + bool(it.kept))
            after.append(Laid(number + 10 * (k + 1) + j, at(place), column))
    return tuple(before), tuple(after)


def _on_felt(table: ChipTable, at: Point) -> bool:
    """Whether a chip there lies flat: the rail is near some places."""
    return cv2.pointPolygonTest(table.layout.felt.outline, at, True) >= table.family.radius


def _worth(order: Sequence[str], chipset: ChipSet) -> Fraction:
    return sum((chipset.value(colour) for colour in order), Fraction(0))
