"""Drives a round by what a story says: the round asks for its next step, and the evidence answers or leaves it open.

A camera sees cards and not a dealer's intentions, so steps that leave no trace (sweeping the bets, peeking, a player
who stands) are taken as done once something lies there that can only have come after them. The order in which cards
came is relied on within a seat only: several may be seen at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from advisor.games.blackjack.round import StepKind
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.steps import SETTLES
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.table import ending, opening, turns
from advisor.games.blackjack.table.core import Answer, Drive, Driven
from advisor.games.cards import Card
from advisor.games.contract import Story

_MOST_STEPS: Final = 500
"""A round of seven seats, all split to four hands, takes about 300."""

_ANSWERS: Final[Mapping[StepKind, Answer]] = MappingProxyType(
    {
        StepKind.TAKE_BETS: opening.take_bets,
        StepKind.SWEEP_BETS: opening.sweep_bets,
        StepKind.BURN: opening.burn,
        StepKind.DEAL: opening.deal,
        StepKind.DEAL_DEALER: opening.deal_dealer,
        StepKind.TURN_UPCARD: opening.turn_upcard,
        StepKind.SETTLE_SIDE_BETS: opening.settle_side_bets,
        StepKind.OFFER_INSURANCE: opening.insurance,
        StepKind.CHECK_INSURANCE: opening.insurance,
        StepKind.OFFER_SURRENDER: opening.surrender,
        StepKind.PEEK: opening.peek,
        StepKind.COLLECT_INSURANCE: ending.settle_insurance,
        StepKind.PAY_INSURANCE: ending.settle_insurance,
        StepKind.DECIDE: turns.decide,
        StepKind.REVEAL: ending.reveal,
        StepKind.DRAW: ending.draw,
        StepKind.TURN_DOUBLED: ending.turn_doubled,
        StepKind.GIVE_BACK: ending.give_back,
        StepKind.CLEAR_CARDS: ending.clear,
        **dict.fromkeys(SETTLES.values(), ending.settle),
    }
)


def _from_another_shoe(decks: int, seen: Sequence[Card], faces: Sequence[Card]) -> bool:
    """Whether some face has gone from the shoe already; what these faces alone hold too often was misread."""
    now, gone = Counter(faces), Counter(seen)
    return any(count <= decks < count + gone[card] for card, count in now.items())


def drive(rules: HouseRules, story: Story, seen: tuple[Card, ...] = (), new_shuffle: bool = False) -> Driven:
    """The round that the story tells, as far as it goes. `seen` are cards gone from the shoe before it."""
    faces = [it.face for it in story.cards if it.face is not None and it.sure]
    shuffled = _from_another_shoe(rules.decks, seen, faces)
    driving = Drive(rules, story, () if shuffled else seen, new_shuffle)
    if shuffled:
        driving.out.notices.append("These cards cannot all come from the same shoe: it is taken as shuffled.")
    for _ in range(_MOST_STEPS):
        if driving.state.swept and (cut := driving.evidence.said(ops.CutCard)) is not None:
            driving.said(cut)
        driving.out.step = driving.state.next_step
        answer = _ANSWERS.get(driving.out.step.kind)
        if answer is not None and answer(driving, driving.out.step):
            continue
        # Cards that lie there are taken in before a round is called off, for they are gone from the shoe.
        if driving.evidence.last_said(ops.CallOff) is None or not driving.state.seats:
            break
        driving.said(ops.CallOff())
    ending.close(driving)
    return driving.out
