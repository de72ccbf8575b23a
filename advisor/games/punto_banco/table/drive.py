"""Carries a coup on with what lies on the table and what was said, and finds what cannot be.

Bets count whenever they were said: who tells the table of one after the cards have come corrects it. The cards of each
side are taken in their own order, whichever side's was seen first. That the bets are closed is taken from the first
card, and that all is settled from the clearing of the cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from advisor.games.cards import Card
from advisor.games.contract.driving import (
    Said,
    card_name,
    is_over,
    move_to,
    no_card,
    said_of,
    take_out,
)
from advisor.games.contract.played import Choice, Fault
from advisor.games.contract.story import HOUSE, Lying, Place, Story
from advisor.games.operations import IllegalMove, OperationLog
from advisor.games.punto_banco.round import LOG, Operation, Round, Step, StepKind
from advisor.games.punto_banco.round import operations as ops
from advisor.games.punto_banco.round.steps import SETTLES
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.shoe import shoe_problems
from advisor.games.punto_banco.table.start import Start, read_start
from advisor.games.punto_banco.tableau import POINTS, Coup, Side

ToldOperation = (
    ops.PlaceBet | ops.TakeBackBets | ops.CollectCommission | ops.CloseBets | ops.Settle | ops.CallOff | ops.ClearCards
)
"""What may be said of a coup; its cards are seen, or added to the table."""
TOLD: Final = OperationLog[ToldOperation](
    (
        ops.PlaceBet,
        ops.TakeBackBets,
        ops.CollectCommission,
        ops.CloseBets,
        ops.Settle,
        ops.CallOff,
        ops.ClearCards,
    )
)

PLACES: Final = {Side.PLAYER: Place(HOUSE, 1), Side.BANKER: Place(HOUSE, 2)}
"""Where the two hands lie."""
_FIRST_FOUR: Final = 4


@dataclass(frozen=True, slots=True)
class Driven:
    """A coup as far as its story carries it."""

    round: Round
    start: Start
    """What the coup began with; a fresh shoe where the cards show that it was shuffled."""
    piles: dict[Side, tuple[Lying, ...]]
    """Every card at each side, those that do not belong there among them."""
    unread: Lying | None
    """The card that must be turned or named before the coup can go on."""
    operations: tuple[Operation, ...]
    faults: tuple[Fault, ...]
    notices: tuple[str, ...]
    impossible: bool
    """Whether a card came that the shoe cannot hold."""

    @property
    def step(self) -> Step:
        """What the dealer does next."""
        return self.round.next_step


class _OtherShoe(Exception):  # noqa: N818 - it names what the cards show
    """A card came that this shoe cannot hold any more."""


def drive(rules: PuntoBancoRules, story: Story) -> Driven:
    """The coup that a story tells."""
    start = read_start(rules, story.carried)
    try:
        return _Driver(rules, story, start, (), fresh=not start.seen).run()
    except _OtherShoe as card:
        notices = (f"{card} cannot come again from the last shoe, so this one is taken as freshly shuffled.",)
    driven = _Driver(rules, story, start.new_shoe(), notices, fresh=True).run()
    if driven.impossible:  # the cards contradict one another, so the shoe is not to blame
        return _Driver(rules, story, start, (), fresh=True).run()
    return driven


def why_not(coup: Coup, side: Side) -> str:
    """Why a side takes no card, or no more, as a clause such as "it has 7, and stands on 6 and 7"."""
    if len(coup.cards(side)) >= 3:
        return "it has three cards"
    has = coup.player_total if side is Side.PLAYER else coup.banker_total
    if coup.natural:
        return f"it has {has}, and a natural ends the coup"
    if side is Side.PLAYER:
        return f"it has {has}, and stands on 6 and 7"
    if len(coup.player) < 3:
        return f"it has {has}, and Player stood on {coup.player_total}"
    return f"it has {has}, and Player drew a card of {POINTS[coup.player[2].rank]}"


@dataclass(slots=True)
class _Driver:
    """One run over a story. It changes as it goes, and is thrown away."""

    rules: PuntoBancoRules
    story: Story
    start: Start
    notices: tuple[str, ...]
    fresh: bool
    round: Round = field(init=False)
    said: Said[ToldOperation] = field(init=False)
    piles: dict[Side, list[Lying]] = field(init=False)
    unread: Lying | None = None
    impossible: bool = False
    operations: list[Operation] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.round = Round.start(self.rules, seen=self.start.seen, commission=self.start.commission)
        self.said = Said(TOLD, self.story)
        self.piles = {side: [it for it in self.story.cards if it.place == place] for side, place in PLACES.items()}

    def run(self) -> Driven:
        lying = {side: tuple(pile) for side, pile in self.piles.items()}
        self.bets()
        while (not self.round.finished and self.go_on()) or self.as_told():
            pass
        self.faults += self.said.faults
        self.faults += [Fault(self.refused(it), said_of(it)) for _, it in self.said.waiting]
        if not self.round.called_off:
            self.faults += self.too_many()
        self.faults += [it for card in self.story.cards if (it := _elsewhere(card)) is not None]
        return Driven(
            self.round,
            self.start,
            lying,
            self.unread,
            tuple(self.operations),
            tuple(self.faults),
            self.notices,
            self.impossible,
        )

    def do(self, operation: Operation) -> bool:
        """Carries the coup on; False, and nothing done, where the round refuses."""
        try:
            self.round = self.round.after(operation)
        except IllegalMove:
            return False
        self.operations.append(operation)
        return True

    def seen(self, operation: Operation) -> bool:
        """Does what the table shows to be done; somebody may have said so too."""
        done = self.do(operation)
        if done:
            self.said.use_like(operation)  # type: ignore[arg-type]
        return done

    def refused(self, operation: ToldOperation) -> str:
        """The sentence with which the round refuses what was said."""
        try:
            self.round.after(operation)
        except IllegalMove as error:
            return str(error)
        return ""

    def bets(self) -> None:
        """The bets that were said, in order, and commission collected before the first card."""
        came = any(it.place in PLACES.values() for it in self.story.cards)
        late = set()
        for told, operation in self.said.each(ops.PlaceBet, ops.TakeBackBets, ops.CloseBets, ops.CollectCommission):
            if isinstance(operation, ops.CollectCommission) and told.after > 0:
                continue
            if isinstance(operation, ops.CloseBets) and self.round.closed:
                self.said.use(told)
            elif self.do(operation):
                self.said.use(told)
                if came and told.after > 0 and isinstance(operation, ops.PlaceBet | ops.TakeBackBets):
                    late.add(operation.seat)
        self.notices += tuple(f"Seat {seat}'s bets were said after the first card." for seat in sorted(late))

    def go_on(self) -> bool:
        """Does the next step where it is shown to be done; False where it is still to do."""
        step, cleared = self.round.next_step, is_over(self.story)
        # A coup that is called off is not taken as settled when its cards are cleared.
        over = cleared and self.said.first(ops.CallOff) is None
        match step.kind:
            case StepKind.TAKE_BETS | StepKind.CLOSE_BETS:
                return (over or any(self.piles.values())) and self.seen(ops.CloseBets())
            case StepKind.OUT_OF_CARDS:
                card = next((it for pile in self.piles.values() for it in pile), None)
                if card is not None and not self.fresh:
                    raise _OtherShoe(card_name(card).capitalize())
                return over and self.seen(ops.CallOff())
            case StepKind.DEAL | StepKind.DRAW:
                assert step.side is not None
                return self.take(step, step.side) or (over and self.seen(ops.CallOff()))
            case StepKind.CLEAR_CARDS:
                return cleared and self.seen(ops.ClearCards())
            case _ if step.kind in SETTLES:
                assert step.seat is not None and step.bet is not None
                return over and self.seen(ops.Settle(step.seat, step.bet))
        return False

    def take(self, step: Step, side: Side) -> bool:
        """The side's next card, if it lies there."""
        pile, place = self.piles[side], len(self.round.coup.cards(side))
        if len(pile) <= place:
            return False
        lying = pile[place]
        if not lying.up or lying.label is None:
            self.unread = lying
            return False
        if lying.face is None:
            self.faults.append(no_card(lying))
            del pile[place]
            return True
        if said := self.not_in_shoe(lying.face):
            if not self.fresh:
                raise _OtherShoe(card_name(lying).capitalize())
            self.impossible = True
            self.faults.append(Fault(f"{side.words} cannot have {said}", lying.place, lying.card, (take_out(lying),)))
            del pile[place]
            return True
        make = ops.Deal if step.kind is StepKind.DEAL else ops.Draw
        return self.do(make(side, lying.face))

    def not_in_shoe(self, card: Card) -> str:
        """What is wrong with this card coming now; empty where it may."""
        before = shoe_problems(self.rules.decks, self.round.known_cards)
        after = shoe_problems(self.rules.decks, (*self.round.known_cards, card))
        wrong = [it for it in after if it not in before]
        return f"the {card.name}: {wrong[0]}." if wrong else ""

    def as_told(self) -> bool:
        """Does the first thing that was said and is allowed now."""
        for told, operation in tuple(self.said.waiting):
            if self.do(operation):
                self.said.use(told)
                return True
        return False

    def too_many(self) -> Iterable[Fault]:
        """The cards that the third-card rules do not give to the side where they lie."""
        coup = self.round.coup
        awaited = coup.next_card
        for side, pile in self.piles.items():
            other = Side.BANKER if side is Side.PLAYER else Side.PLAYER
            for lying in pile[len(coup.cards(side)) :]:
                choices: tuple[Choice, ...] = (take_out(lying),)
                if awaited is None:
                    said = f"{side.words} takes no card: {why_not(coup, side)}."
                elif coup.dealt < _FIRST_FOUR or awaited.side is side:
                    continue
                else:
                    said = f"{side.words} has a card too soon: {awaited.side.words} draws first, for {awaited.why}."
                    choices = (move_to(lying, PLACES[other], f"It is {other.words}'s"), *choices)
                yield Fault(said, lying.place, lying.card, choices)


def _elsewhere(lying: Lying) -> Fault | None:
    """The fault of a card that lies neither at Player nor at Banker."""
    if lying.place in PLACES.values():
        return None
    moves = tuple(move_to(lying, place, f"It is {side.words}'s") for side, place in PLACES.items())
    where = f"at seat {lying.place.seat}, where this game deals no cards" if lying.place.seat else "beside both hands"
    said = f"{card_name(lying).capitalize()} lies {where}."
    return Fault(said, lying.place, lying.card, (*moves, take_out(lying)))


def logged(operations: Iterable[Operation]) -> tuple[dict[str, str | int], ...]:
    """The coup as its own log."""
    return tuple(LOG.as_dict(it) for it in operations)
