"""Carries a deal on with what lies on the table and what was said.

Every card dealt face down is dealt to the round unseen, even where it has been turned up since: the round learns it
where the rules have it turned up. That a punter stuck, that the banker stayed and that a hand is paid is taken from
what can only have come later, or from what somebody said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from advisor.games.contract.driving import card_name, said_of, take_out
from advisor.games.contract.played import Fault
from advisor.games.contract.story import Place, Told
from advisor.games.pontoon.hand import TWENTY_ONE, best_total, count_values
from advisor.games.pontoon.round import Step, StepKind
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.round.steps import spot
from advisor.games.pontoon.table.core import OtherPack
from advisor.games.pontoon.table.piles import faces
from advisor.games.pontoon.table.punting import Punting
from advisor.games.pontoon.table.told import ToldOperation


@dataclass(slots=True)
class Deal(Punting):
    """One run over a story. It changes as it goes, and is thrown away."""

    def run(self) -> None:
        """Goes on until nothing more is shown to have happened."""
        while not self.round.finished:
            self.step, self.awaited = self.round.next_step, None
            if not (self.go_on() or self.as_told()):
                break
        else:
            self.step = self.round.next_step
        self.faults += self.said.faults
        unused = [(it, self.why_not(it)) for told, it in self.said.waiting if not self.waits(told, it)]
        if not self.round.called_off:
            self.faults += [Fault(words, said_of(it)) for it, words in unused if words]
            self.faults += self.too_many()

    def waits(self, told: Told, operation: ToldOperation) -> bool:
        """Whether what was said is only said early: for a card to come, or a stake before the first cards."""
        if isinstance(operation, ops.Stake):
            return operation.seat in self.promised()
        return told is self.awaited

    def promised(self) -> dict[int, Fraction]:
        """What seats said they stake whose first card is still to come."""
        without = {seat.number for seat in self.round.seats if not seat.hands[0].stake}
        said = [it for _, it in self.said.each(ops.Stake) if isinstance(it, ops.Stake)]
        return {it.seat: it.amount for it in said if it.seat in without and not self.round.called_off}

    def go_on(self) -> bool:
        """Does the next step where it is shown to be done; False where it is still to do."""
        step = self.step
        match step.kind:
            case StepKind.DEAL | StepKind.OUT_OF_CARDS:
                return self.deal(step)
            case StepKind.TAKE_STAKE:
                return self.stake(step)
            case StepKind.DECIDE | StepKind.COLLECT_BUST:
                return self.decide(step)
            case StepKind.TURN_BANKER:
                return self.turn_banker()
            case StepKind.BANKER_DECIDES:
                return self.banker_decides()
            case StepKind.SHOW:
                return self.show(step)
            case StepKind.PAY | StepKind.COLLECT:
                seat, hand, _ = self.held(step)
                return (self.over or self.gone(self.pile(seat, hand))) and self.seen(ops.Settle(seat, hand))
            case StepKind.CLEAR_CARDS:
                return self.cleared and self.seen(ops.ClearCards())
        return False

    def deal(self, step: Step) -> bool:
        assert step.seat is not None and step.hand is not None
        pile = self.pile(step.seat, step.hand)
        seat = self.round.seat(step.seat)
        dealt = len(self.round.banker_held if seat is None else seat.hands[step.hand - 1].held)
        if len(pile) <= dealt:
            return self.over and self.seen(ops.CallOff())
        if step.kind is StepKind.OUT_OF_CARDS:
            if not self.fresh:
                raise OtherPack("The pack would be empty.")
            return self.skip(pile[dealt], "More cards have come than the pack holds.")
        return self.no_card(pile[dealt]) or self.do(ops.Deal(step.seat, None, step.hand))

    def turn_banker(self) -> bool:
        if any(self.no_card(place) for place in self.bank[:2]):
            return True
        told = self.said.first(ops.TurnBanker)
        if told is not None and isinstance(told[1], ops.TurnBanker):
            return self.say(told[0], told[1])
        cards = self.cards(self.bank[:2])
        known = faces(cards)
        if known is not None and len(known) == 2 and self.do(ops.TurnBanker(known)):
            return True
        if known is not None and len(known) == 2 and not self.over:
            self.faults.append(Fault(self.refusal, cards[0].place, cards[0].card, tuple(map(take_out, cards))))
            return False
        if self.over:
            self.notices.append("The banker's cards were not read, so the stakes are taken as given back.")
            return self.seen(ops.CallOff())
        unread = next((it for it in cards if it.up and it.label is None), None)
        return self.wait("A card of the banker's cannot be read: name it.") if unread is not None else False

    def banker_decides(self) -> bool:
        following, told = self.bank[len(self.round.banker_held) :], self.said.first(ops.Stay)
        if told is not None and (not following or told[0].after <= following[0]):
            return self.say(told[0], ops.Stay())
        if following:
            lying = self.story.cards[following[0]]
            if self.no_card(following[0]):
                return True
            if lying.face is not None:
                return self.do(ops.DrawBanker(lying.face)) or self.skip(following[0], self.refusal)
            if not self.over:
                unread = "cannot be read: name it" if lying.up else "lies face down: turn it up"
                return self.wait(f"A card of the banker's {unread}.")
        done = best_total(count_values(self.round.banker_cards)) == TWENTY_ONE
        return (self.over or done or self.being_shown()) and self.do(ops.Stay())

    def being_shown(self) -> bool:
        """Whether the settling has begun, which comes after the banker's last card.

        It has where a hand was settled, or where all that are open have been turned up: one alone may be turned early.
        """
        if self.said.first(ops.Settle, ops.Show) is not None:
            return True
        hidden = [
            self.cards(self.pile(seat.number, number))
            for seat, number, held in self.round.hands()
            if held.settlement is None and not held.shown
        ]
        turned = [faces(it) is not None and any(card.turned for card in it) for it in hidden]
        return (bool(turned) and all(turned)) or any(it and all(card.gone and card.up for card in it) for it in hidden)

    def show(self, step: Step) -> bool:
        seat, hand, held = self.held(step)
        pile = self.pile(seat, hand)[: len(held.held)]
        cards = self.cards(pile)
        known = faces(cards)
        told = self.said.first(ops.Show, ops.GiveUp, seat=seat, hand=hand)
        if known is not None and len(known) == len(held.held):
            if self.do(ops.Show(seat, known, hand)):
                return True
            self.faults.append(Fault(self.refusal, Place(seat, hand), cards[0].card, tuple(map(take_out, cards))))
        elif told is not None and isinstance(told[1], ops.Show | ops.GiveUp):
            return self.say(*told)  # type: ignore[arg-type]
        elif any(it.up and it.label is None for it in cards) and not self.over:
            return self.wait(f"{spot(self.round, seat, hand)}: a card cannot be read: name it.")
        if self.over:
            place = spot(self.round, seat, hand)
            self.notices.append(f"{place} never turned its cards up, so its stake is taken as lost.")
            return self.do(ops.GiveUp(seat, hand))
        return False

    def as_told(self) -> bool:
        """Does the first thing that was said and is allowed now, those of a punter's turn aside."""
        kinds = (ops.Stake, ops.TurnBanker, ops.Stay, ops.Show, ops.Settle, ops.CallOff, ops.ClearCards)
        for told, operation in self.said.each(*kinds):
            assert isinstance(operation, kinds)
            if self.do(operation):
                self.said.use(told)
                return True
        return False

    # What does not fit

    def too_many(self) -> Iterable[Fault]:
        """The cards that lie at hands that take no more."""
        for seat, number, held in self.round.hands():
            if held.stuck or held.settlement is not None:
                words = f"{spot(self.round, seat.number, number)} takes no more cards."
                yield from self.extra(self.pile(seat.number, number)[len(held.held) :], words)
        ended = (StepKind.SHOW, StepKind.PAY, StepKind.COLLECT, StepKind.CLEAR_CARDS, StepKind.OVER)
        if self.step.kind in ended:
            yield from self.extra(self.bank[len(self.round.banker_held) :], "The banker takes no more cards.")

    def extra(self, places: Iterable[int], words: str) -> Iterable[Fault]:
        for lying in self.cards(places):
            said = f"{words} {card_name(lying).capitalize()} lies there."
            yield Fault(said, Place(lying.place.seat, lying.place.hand), lying.card, (take_out(lying),))
