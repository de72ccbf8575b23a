"""Who deals to whom in a story, from which pack, and the deal as far as the story carries it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

from advisor.games.contract.driving import Said, move_to, take_out
from advisor.games.contract.played import Choice, Fault
from advisor.games.contract.story import HOUSE, Lying, Place, Story
from advisor.games.operations import IllegalMove
from advisor.games.pontoon.bank import Bank, BankSale
from advisor.games.pontoon.round import Operation, Round, Step
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.table.core import OtherPack
from advisor.games.pontoon.table.deal import Deal
from advisor.games.pontoon.table.dealt import as_dealt
from advisor.games.pontoon.table.piles import Heap, heaps, in_order
from advisor.games.pontoon.table.start import DEALER, MOST_SEATS, Start, place_of, read_start
from advisor.games.pontoon.table.told import TOLD, NameBanker, SellBank, ToldOperation

Hand = tuple[int, int]
"""A seat and the number of a hand in it, as the round numbers them."""


@dataclass(frozen=True, slots=True)
class Driven:
    """A deal as far as its story carries it."""

    start: Start
    """What the deal began with: a shuffled pack where the cards show that it was, and who holds the bank."""
    round: Round | None
    """None while there is nobody to deal to."""
    step: Step | None
    piles: Mapping[Hand, tuple[Lying, ...]]
    """The cards of each hand of the round."""
    banker: tuple[Lying, ...]
    left_out: tuple[Lying, ...] = ()
    """Cards that lie there and are no part of the deal."""
    assumed: frozenset[tuple[int, int, int]] = frozenset()
    """Seat, hand and number of the amounts that nobody said; 0 is the stake, 1 the first buy."""
    awaits: bool = False
    """Whether the next card is that of a punter who said what he does."""
    promised: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    """Stakes said before their time, by seat."""
    operations: tuple[Operation, ...] = ()
    faults: tuple[Fault, ...] = ()
    notices: tuple[str, ...] = ()
    sale: BankSale | None = None
    impossible: bool = False
    """Whether a card came that the pack cannot hold."""


def drive(rules: PontoonRules, story: Story) -> Driven:
    """The deal that a story tells."""
    table = _Table(rules, story, read_start(rules, story.carried))
    table.lay_out()
    try:
        return table.driven(table.start)
    except OtherPack as error:
        notice = f"{error} So the pack is taken as freshly shuffled."
    driven = table.driven(table.start.shuffled(rules))
    if driven.impossible:  # the cards contradict one another, so the pack is not to blame
        return table.driven(replace(table.start, fresh=True))
    return replace(driven, notices=(notice, *driven.notices))


@dataclass(slots=True)
class _Table:
    """What is the same whichever pack is dealt from: the bank, the seats, what does not belong."""

    rules: PontoonRules
    story: Story
    start: Start
    sale: BankSale | None = None
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        said = Said(TOLD, self.story)
        for _, operation in said.each(NameBanker, SellBank):
            if isinstance(operation, NameBanker):
                self.name_banker(operation.seat)
            elif isinstance(operation, SellBank):
                self.sell(operation)

    def lay_out(self) -> None:
        """Takes each card once, where it was dealt."""
        self.story = as_dealt(self.story, Said(TOLD, self.story), place_of(self.start.bank.holder))

    def name_banker(self, seat: int) -> None:
        if not HOUSE <= seat <= MOST_SEATS:
            self.faults.append(Fault(f"Seat {seat} cannot hold the bank: the seats are 1 to {MOST_SEATS}."))
        elif (holder := seat or DEALER) != self.start.bank.holder:
            self.start = replace(self.start, bank=Bank(holder))

    def sell(self, operation: SellBank) -> None:
        seats = (*range(1, MOST_SEATS + 1), DEALER)
        try:
            bank, self.sale = self.start.bank.sell(self.rules, seats, operation.seat or DEALER, operation.amount)
        except IllegalMove as error:
            self.faults.append(Fault(str(error)))
        else:
            self.start = replace(self.start, bank=bank)

    def driven(self, start: Start) -> Driven:
        """The deal from this pack."""
        said = Said(TOLD, self.story)
        for told, _ in said.each(NameBanker, SellBank):
            said.use(told)
        bank, faults = self.bank_cards()
        seats = self.seats(said, bank)
        common = [*self.faults, *faults, *self.nowhere()]
        if not seats:
            unused = [Fault("Nobody is dealt in yet: deal the first cards.") for _ in said.waiting]
            return Driven(
                start,
                None,
                None,
                {},
                tuple(self.story.cards[it] for it in bank),
                tuple(it for it in self.story.cards if it.place.seat != HOUSE),
                faults=(*common, *said.faults, *unused),
                sale=self.sale,
            )
        round_ = Round.start(self.rules, [*seats, start.bank.holder], start.bank.holder, start.pack)
        groups = {seat: [heaps(self.story, seat)] for seat in seats}
        deal = Deal(self.story, round_, said, groups, bank, start.fresh)
        deal.run()
        lying = {
            (seat, number): deal.cards(in_order(group))
            for seat, hands in deal.groups.items()
            for number, group in enumerate(hands, 1)
        }
        counted = {*deal.bank, *(it for hands in deal.groups.values() for group in hands for it in in_order(group))}
        return Driven(
            start,
            deal.round,
            deal.step,
            MappingProxyType(lying),
            deal.cards(deal.bank),
            deal.cards(it for it in range(len(self.story.cards)) if it not in counted),
            frozenset(deal.assumed),
            deal.awaited is not None,
            MappingProxyType(deal.promised()),
            tuple(deal.operations),
            (*common, *_once(deal.faults)),
            tuple(deal.notices),
            self.sale,
            deal.impossible,
        )

    def bank_cards(self) -> tuple[Heap, list[Fault]]:
        """The banker's cards: those at the house's place; where none lie there, those at his own seat."""
        holder = self.start.bank.holder
        house = in_order(heaps(self.story, HOUSE))
        own = in_order(heaps(self.story, holder)) if holder != DEALER else []
        if not house or not own:
            return house or own, []
        lying = self.story.cards[own[0]]
        stays = Choice("The bank is at the house's place", TOLD.as_dict(NameBanker(HOUSE)), Place(holder))
        moves = move_to(lying, Place(HOUSE), "The card is the banker's")
        said = f"Seat {holder} holds the bank, and the banker's cards lie at the house's place already."
        return house, [Fault(said, lying.place, lying.card, (stays, moves, take_out(lying)))]

    def seats(self, said: Said[ToldOperation], bank: Heap) -> tuple[int, ...]:
        """Who is dealt in: all with cards; until the second cards come, those of the last deal and who staked too."""
        places = [it for it in range(1, MOST_SEATS + 1) if it != self.start.bank.holder]
        cards = {seat: len(in_order(heaps(self.story, seat))) for seat in places}
        expected: set[int] = set()
        if max([len(bank), *cards.values()]) < 2 and not self.story.cleared:
            expected = {it.seat for _, it in said.each(ops.Stake) if isinstance(it, ops.Stake)}
            expected |= set(self.start.seats) if bank or any(cards.values()) else set()
        return tuple(seat for seat in places if cards[seat] or seat in expected)

    def nowhere(self) -> list[Fault]:
        """The cards that lie where there is no seat."""
        return [
            Fault(f"There is no seat {it.place.seat} at this table.", it.place, it.card, (take_out(it),))
            for it in self.story.cards
            if not HOUSE <= it.place.seat <= MOST_SEATS
        ]


def _once(faults: Iterable[Fault]) -> Iterable[Fault]:
    """The faults without those said already."""
    return {(it.words, it.place, it.card): it for it in faults}.values()
