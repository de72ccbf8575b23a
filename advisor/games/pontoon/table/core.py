"""A deal as it is carried on over a story: the round, what lies there, what was said, and what every step needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from advisor.games.contract.driving import Said, is_over, no_card, said_of, take_out
from advisor.games.contract.played import Fault
from advisor.games.contract.story import Lying, Story, Told
from advisor.games.operations import IllegalMove
from advisor.games.pontoon.pack import NotInPack
from advisor.games.pontoon.round import Operation, PunterHand, Round, Step
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.table.piles import Group, Heap, in_order, split, without
from advisor.games.pontoon.table.told import AskTwist, ToldOperation


class OtherPack(Exception):  # noqa: N818 - it names what the cards show
    """A card came that the running pack cannot hold; the message is the refusal."""


@dataclass(slots=True)
class Core:
    """One run over a story. It changes as it goes, and is thrown away."""

    story: Story
    round: Round
    said: Said[ToldOperation]
    groups: dict[int, list[Group]]
    """By seat, the cards of each of the round's hands, as places in the story."""
    bank: Heap
    """The banker's cards."""
    fresh: bool
    """Whether the pack is what it is said to be, so that a card that cannot be is misread."""
    step: Step = field(init=False)
    """What is next, in the round's words or in those of what the table waits for."""
    cleared: bool = field(init=False)
    """Whether the cards have been cleared."""
    over: bool = field(init=False)
    """Whether that shows every step to be done."""
    assumed: set[tuple[int, int, int]] = field(default_factory=set)
    """Seat, hand and number of the amounts that nobody said; 0 is the stake, 1 the first buy."""
    operations: list[Operation] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    awaited: Told | None = None
    """What was said and waits for its card."""
    impossible: bool = False
    """Whether a card came that the pack cannot hold."""
    refusal: str = ""
    """Why the round refused what was last tried."""

    def __post_init__(self) -> None:
        # A round that is called off is not taken as settled when its cards are cleared.
        self.step, self.cleared = self.round.next_step, is_over(self.story)
        self.over = self.cleared and self.said.first(ops.CallOff) is None

    def do(self, operation: Operation) -> bool:
        """Carries the deal on; False, with the refusal kept, where the round does not allow it."""
        try:
            self.round = self.round.after(operation)
        except NotInPack as error:
            if not self.fresh:
                raise OtherPack(str(error)) from None
            self.refusal, self.impossible = str(error), True
            return False
        except IllegalMove as error:
            self.refusal = str(error)
            return False
        self.operations.append(operation)
        if isinstance(operation, ops.Split):
            groups = self.groups[operation.seat]
            groups[operation.hand - 1 : operation.hand] = split(groups[operation.hand - 1])
        return True

    def seen(self, operation: Operation) -> bool:
        """Does what the table shows to be done; somebody may have said so too."""
        done = self.do(operation)
        if done:
            self.said.use_like(operation)  # type: ignore[arg-type]
        return done

    def say(self, told: Told, operation: Operation) -> bool:
        """Does what was said; where that is refused it is a fault, and forgotten. True, for something has changed."""
        self.said.use(told)
        if not self.do(operation):
            self.faults.append(Fault(self.refusal, said_of(operation)))
        return True

    def wait(self, words: str, told: Told | None = None) -> bool:
        """Shows what the table waits for in place of the round's words."""
        self.step, self.awaited = replace(self.step, words=words), told
        return False

    def skip(self, place: int, said: str) -> bool:
        """Leaves a card out of the deal, as a fault."""
        lying = self.story.cards[place]
        self.faults.append(Fault(said, lying.place, lying.card, (take_out(lying),)))
        self.leave_out(place)
        return True

    def leave_out(self, place: int) -> None:
        self.bank = [it for it in self.bank if it != place]
        self.groups = {seat: [without(it, place) for it in groups] for seat, groups in self.groups.items()}

    def no_card(self, place: int) -> bool:
        """Leaves a joker and the like out."""
        lying = self.story.cards[place]
        if not lying.up or lying.label is None or lying.face is not None:
            return False
        self.faults.append(no_card(lying))
        self.leave_out(place)
        return True

    def pile(self, seat: int, hand: int) -> Heap:
        """The cards of a hand, or of the banker, in the order in which they came."""
        return self.bank if seat == self.round.banker else in_order(self.groups[seat][hand - 1])

    def cards(self, places: Iterable[int]) -> tuple[Lying, ...]:
        return tuple(self.story.cards[it] for it in places)

    def held(self, step: Step) -> tuple[int, int, PunterHand]:
        """The seat, the number and the hand that a punter's step is about."""
        seat = self.round.seat(step.seat or 0)
        assert seat is not None and step.hand is not None
        return seat.number, step.hand, seat.hands[step.hand - 1]

    def banker_turned(self) -> bool:
        return len(self.bank) > 2 or (len(self.bank) == 2 and all(it.up for it in self.cards(self.bank)))

    def gone(self, pile: Heap) -> bool:
        """Whether a hand has been taken away: its cards lay face up. One face down is only being looked at."""
        return not self.cleared and bool(pile) and all(it.gone and it.up for it in self.cards(pile))

    def why_not(self, operation: ToldOperation) -> str:
        """Why what was said is not done."""
        if isinstance(operation, AskTwist):
            return f"Seat {operation.seat} cannot twist now. Next: {self.step.words}"
        try:
            self.round.after(operation)  # type: ignore[arg-type]
        except IllegalMove as error:
            return str(error)
        return ""
