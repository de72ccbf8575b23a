"""A punter's stake and his turn: what he said, the cards that came to him, and what shows that his turn is past."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.games.cards import Card
from advisor.games.contract.driving import said_of
from advisor.games.contract.played import Fault
from advisor.games.contract.story import Place, Told
from advisor.games.operations import IllegalMove
from advisor.games.pontoon.hand import TWENTY_ONE, Kind, count_values, hard_total, kind
from advisor.games.pontoon.round import PunterHand, Step, StepKind, actions
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.round.steps import spot
from advisor.games.pontoon.table.core import Core, OtherPack
from advisor.games.pontoon.table.piles import Group, faces, in_order, parted, split
from advisor.games.pontoon.table.told import CLOSING, PLAYING, AskTwist, ToldOperation
from advisor.games.pontoon.turns import Action
from advisor.money.amounts import format_amount


@dataclass(slots=True)
class Punting(Core):
    """The steps that are the punters'."""

    def stake(self, step: Step) -> bool:
        seat, _, _ = self.held(step)
        told = list(self.said.each(ops.Stake, seat=seat))
        for said, operation in reversed(told):
            assert isinstance(operation, ops.Stake)
            self.say(said, operation)
            if self.round.next_step != step:
                for earlier, _ in told:
                    self.said.use(earlier)
                return True
        piles = [self.bank, *(in_order(it) for groups in self.groups.values() for it in groups)]
        if not self.over and all(len(it) < 2 for it in piles):
            return False
        usual = self.story.usual_bets.get(seat)
        self.assumed.add((seat, 1, 0))
        amount = self.round.rules.minimum
        if usual is not None:
            try:
                amount = actions.stake(self.round, seat, usual).amount
            except IllegalMove as error:
                self.faults.append(Fault(str(error), Place(seat)))
        return self.do(ops.Stake(seat, amount))

    def decide(self, step: Step) -> bool:
        """A punter's turn: his next card, what he said, or what shows that his turn is past."""
        seat, hand, held = self.held(step)
        pile = self.pile(seat, hand)
        known, following = faces(self.cards(pile[: len(held.held)])), pile[len(held.held) :]
        told = self.said.first(*PLAYING, seat=seat, hand=hand)
        past = self.over or self.past(seat, hand)
        if known is not None and hard_total(count_values(known)) > TWENTY_ONE:
            return self.bust(step, known, past or bool(following) or self.gone(pile))
        if known is not None and len(known) == 2 and self.opened(step, held, known, bool(following), past):
            return True
        closed = told is not None and isinstance(told[1], CLOSING) and (not following or told[0].after <= following[0])
        if following and not closed:
            return self.card(step, following[0], told, past)
        if told is not None:
            return self.word(step, *told, past)
        return past and self.do(ops.Stick(seat, hand))

    def bust(self, step: Step, cards: tuple[Card, ...], past: bool) -> bool:
        """A hand that lies open and is over 21: it is collected before anything else."""
        seat, hand, held = self.held(step)
        told = self.said.first(ops.GoBust, ops.GiveUp, seat=seat, hand=hand)
        if told is not None:
            self.said.use(told[0])
        if (told is not None or past) and self.do(ops.GoBust(seat, cards, hand)):
            return True
        place, lost = spot(self.round, seat, hand), format_amount(held.total_stake)
        said = f"{place} is bust: collect {lost}, and the cards go to the bottom of the pack."
        self.step = replace(step, kind=StepKind.COLLECT_BUST, words=said, actions=(Action.BUST,))
        return False

    def opened(self, step: Step, held: PunterHand, pair: tuple[Card, ...], more: bool, past: bool) -> bool:
        """Two cards turned up: a pontoon, or a pair taken apart."""
        seat, hand, _ = self.held(step)
        found = kind(self.round.rules, count_values(pair), held.from_split)
        if found is Kind.PONTOON and not more and Action.PONTOON in step.actions:
            return self.do(ops.ShowPontoon(seat, pair, hand))
        group = self.groups[seat][hand - 1]
        if pair[0].rank != pair[1].rank or not parted(group) or Action.SPLIT not in step.actions:
            return False
        halves = split(group)
        # A pair that merely lies apart when everything is turned up has no card added to its halves.
        if past and any(len(in_order(it)) < 2 for it in halves):
            return False
        return self.do(ops.Split(seat, self.halves(halves), hand))

    def halves(self, groups: tuple[Group, Group]) -> tuple[Card, ...]:
        """The two cards of a split pair, left and right."""
        return tuple(it for group in groups for it in (self.cards(in_order(group)[:1])[0].face,) if it is not None)

    def card(self, step: Step, place: int, told: tuple[Told, ToldOperation] | None, past: bool) -> bool:
        """A card that came to a punter on his turn: bought face down, or twisted face up."""
        if self.no_card(place):
            return True
        if not (self.round.pack.cards or self.fresh):
            raise OtherPack("The pack would be empty.")
        seat, hand, _ = self.held(step)
        lying, said = self.story.cards[place], None if told is None else told[1]
        asked, bought = isinstance(said, AskTwist), isinstance(said, ops.Buy)
        if asked or (lying.up and not bought and not (lying.turned and Action.BUY in step.actions)):
            if lying.face is None:
                unread = "cannot be read: name it" if lying.up else "was twisted: turn it up"
                words = f"{spot(self.round, seat, hand)}: a card {unread}."
                return self.skip(place, words) if past else self.wait(words, told[0] if asked and told else None)
            if asked and told is not None:
                self.said.use(told[0])
            return self.do(ops.Twist(seat, lying.face, hand)) or self.skip(place, self.refusal)
        if told is not None and isinstance(said, ops.Buy):
            return self.say(told[0], replace(said, card=None))
        self.assumed.add((seat, hand, self.buys(step) + 1))
        amount = self.round.rules.minimum if step.least is None else step.least
        return self.do(ops.Buy(seat, amount, None, hand)) or self.skip(place, self.refusal)

    def buys(self, step: Step) -> int:
        return len(self.held(step)[2].buys)

    def word(self, step: Step, told: Told, operation: ToldOperation, past: bool) -> bool:
        """What a punter said, where no card has come to him since."""
        seat, hand, _ = self.held(step)
        place = spot(self.round, seat, hand)
        if isinstance(operation, ops.Split):
            pair = self.halves(split(self.groups[seat][hand - 1]))
            return self.say(told, ops.Split(seat, pair if len(pair) == 2 else operation.cards, hand))
        if isinstance(operation, ops.Buy | AskTwist) and len(list(self.said.each(*PLAYING, seat=seat, hand=hand))) > 1:
            self.said.use(told)  # he thought better of it before the card came
            return True
        if isinstance(operation, ops.Buy):
            if past or not actions.can_buy(self.round, seat, operation.amount, None, hand):
                return self.say_no(told, operation, f"{place} was to buy a card, and none came.")
            return self.wait(f"{place} buys for {format_amount(operation.amount)}: deal a card face down.", told)
        if isinstance(operation, AskTwist):
            if past or Action.TWIST not in step.actions:
                return self.say_no(told, operation, f"{place} was to be twisted a card, and none came.")
            return self.wait(f"{place} twists: deal a card face up.", told)
        assert isinstance(operation, CLOSING)
        return self.say(told, operation)

    def say_no(self, told: Told, operation: ToldOperation, otherwise: str) -> bool:
        """What was said comes to nothing, for the round's reason where it has one."""
        self.said.use(told)
        self.faults.append(Fault(self.why_not(operation) or otherwise, said_of(operation)))
        return True

    def past(self, seat: int, hand: int) -> bool:
        """Whether something lies there, or was said, that can only have come after this hand's turn."""
        if self.banker_turned() or self.said.first(ops.TurnBanker, ops.Stay) is not None:
            return True
        hands = [(it.number, number) for it, number, _ in self.round.hands()]
        for later in hands[hands.index((seat, hand)) + 1 :]:
            pile = self.pile(*later)
            told = self.said.first(*PLAYING, seat=later[0], hand=later[1])
            if len(pile) > 2 or self.gone(pile) or told is not None:
                return True
        return False
