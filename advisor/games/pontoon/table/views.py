"""A deal as the display shows it: hands, what lies open of them, advice from that alone, stakes and what is owed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from advisor.games.cards import Card
from advisor.games.contract.driving import card_view, doubts, hinders
from advisor.games.contract.played import BetView, Fact, HandView, Payment
from advisor.games.contract.story import HOUSE, Lying, Place, Story
from advisor.games.pontoon.advice import advise_banker, advise_punter
from advisor.games.pontoon.banker import OpenHand
from advisor.games.pontoon.chances import ENOUGH, ImpossiblePosition
from advisor.games.pontoon.hand import Counts, count_values, hand_words, total_words
from advisor.games.pontoon.round import PunterHand, Step, StepKind
from advisor.games.pontoon.round.state import RoundState
from advisor.games.pontoon.round.steps import spot
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.settlement import Outcome, Settlement, settle_hand
from advisor.games.pontoon.table.drive import Driven, Hand
from advisor.games.pontoon.table.piles import faces, up_faces
from advisor.games.pontoon.table.start import place_of
from advisor.games.pontoon.turns import Action, actions
from advisor.money.amounts import format_amount, odds_text

SETTLING: Final = (StepKind.SHOW, StepKind.PAY, StepKind.COLLECT, StepKind.CLEAR_CARDS, StepKind.OVER)
"""The steps from which on the banker's hand is finished."""
_WORDS: Final = MappingProxyType(
    {
        Outcome.PONTOON: "pontoon",
        Outcome.ROYAL: "royal pontoon",
        Outcome.FIVE_CARDS: "five-card trick",
        Outcome.WIN: "wins",
        Outcome.BANKER_BUST: "wins: the banker is bust",
        Outcome.LOSE: "loses",
        Outcome.BUST: "bust",
        Outcome.TOO_LOW: "too low to win",
        Outcome.BANKER_PONTOON: "loses to the banker's pontoon",
        Outcome.BANKER_21: "loses to the banker's 21",
        Outcome.GIVEN_UP: "given up",
        Outcome.CALLED_OFF: "called off: given back",
    }
)


def place_at(driven: Driven, seat: int | None, hand: int | None) -> Place | None:
    """The place of the round's seat and hand: the banker's is the house's."""
    if seat is None:
        return None
    if driven.round is not None and seat == driven.round.banker:
        return Place(HOUSE)
    return Place(seat, hand or 1)


def house_hand(driven: Driven) -> HandView:
    """The banker's hand. Its advice is the dealer's aid, and private."""
    cards, step = driven.banker, driven.step
    shown = [card_view(it) for it in (*cards, *_left_at(driven, HOUSE, None))]
    here = step is not None and driven.round is not None and step.seat == driven.round.banker
    view = HandView(
        Place(HOUSE),
        "Banker",
        tuple(shown),
        _total(up_faces(cards), len(cards)),
        here,
        problems=doubts(cards),
        private=True,
    )
    state = driven.round
    if state is None or step is None or step.kind is not StepKind.BANKER_DECIDES or state.called_off:
        return _with(view, action="done") if step is not None and step.kind in SETTLING else view
    open_cards = [*cards, *(it for pile in driven.piles.values() for it in pile)]
    if any(map(hinders, open_cards)):
        return _with(view, problems=doubts(open_cards))
    try:
        found = advise_banker(state.rules, state.banker_cards, _open_hands(driven, state), pool(driven, state))
    except ImpossiblePosition as error:
        return _with(view, problems=(f"No advice: {error}.",))
    values = {"stay": found.stay, "draw": found.draw}
    return _with(view, action=str(found.best), values=values, why=found.reasons)


def hand_views(driven: Driven, story: Story) -> tuple[HandView, ...]:
    """The punters' hands in order of seats."""
    if driven.round is None:
        seats = sorted({it.place.seat for it in driven.left_out} - {HOUSE})
        return tuple(
            HandView(Place(seat), f"Seat {seat}", tuple(map(card_view, _left_at(driven, seat, None)))) for seat in seats
        )
    hands = sorted(driven.round.hands(), key=lambda it: (it[0].number, it[1]))
    return tuple(_hand_view(driven, driven.round, story, (seat.number, number), held) for seat, number, held in hands)


def _hand_view(driven: Driven, state: RoundState, story: Story, at: Hand, held: PunterHand) -> HandView:
    (seat, number), cards, step = at, driven.piles[at], driven.step
    several = max(hand for other, hand in driven.piles if other == seat)
    known = faces(cards)
    left = _left_at(driven, seat, number if number < several else None, beyond=number == several)
    total = _total(up_faces(cards), len(cards))
    if known is not None:
        total = hand_words(state.rules, count_values(known), held.from_split)
    active = step is not None and (step.seat, step.hand) == at and not state.called_off
    view = HandView(
        Place(seat, number),
        f"Seat {seat}, hand {number}" if several > 1 else f"Seat {seat}",
        tuple(card_view(it) for it in (*cards, *left)),
        total,
        active,
        "done" if held.stuck or held.settlement is not None else None,
        bets=_bets(driven, state.rules, story, at, held),
        payment=_payment(driven, state, at, held),
        problems=doubts(cards),
    )
    decides = active and step is not None and step.kind is StepKind.DECIDE and len(cards) == len(held.held)
    if not decides or known is None or any(map(hinders, cards)):
        return view
    there = state.seat(seat)
    try:
        found = advise_punter(
            state.rules,
            known,
            (held.stake, *held.buys),
            pool(driven, state),
            hands=1 if there is None else len(there.hands),
        )
    except ImpossiblePosition as error:
        return _with(view, problems=(f"No advice: {error}.",))
    values = {
        str(it.action) if it.amount is None else f"{it.action} {format_amount(it.amount)}": it.value
        for it in found.options
    }
    return _with(view, action=next(iter(values)), values=values, why=found.reasons)


def _with(view: HandView, **changes: object) -> HandView:
    """The view with these changes; values are put in order, the best first."""
    values = changes.get("values")
    if isinstance(values, Mapping):
        ordered = dict(sorted(values.items(), key=lambda it: -it[1]))
        best = list(ordered.values())
        margin = best[0] - best[1] if len(best) > 1 else 0.0
        changes |= {"values": MappingProxyType(ordered), "margin": margin}
    return replace(view, **changes)  # type: ignore[arg-type]


def _left_at(driven: Driven, seat: int, hand: int | None, beyond: bool = False) -> list[Lying]:
    return [
        it
        for it in driven.left_out
        if it.place.seat == seat and (hand is None or it.place.hand == hand or (beyond and it.place.hand > hand))
    ]


def _total(up: Sequence[Card], cards: int) -> str:
    """What lies open: "17", or "5 and 2 face down"."""
    if not up:
        return ""
    down = cards - len(up)
    return total_words(count_values(up)) + (f" and {down} face down" if down else "")


def _bets(driven: Driven, rules: PontoonRules, story: Story, at: Hand, held: PunterHand) -> tuple[BetView, ...]:
    stake = held.stake
    if not stake:
        stake = driven.promised.get(at[0]) or story.usual_bets.get(at[0], rules.minimum)
        return (BetView("stake", stake, assumed=at[0] not in driven.promised),)
    buys = [BetView("buy", it, (*at, number) in driven.assumed) for number, it in enumerate(held.buys, 1)]
    return (BetView("stake", stake, (at[0], 1, 0) in driven.assumed), *buys)


def _payment(driven: Driven, state: RoundState, at: Hand, held: PunterHand) -> Payment | None:
    settled = held.settlement
    if settled is None:
        step, known = driven.step, faces(driven.piles[at][: len(held.held)])
        if step is None or state.called_off:
            return None
        if step.kind is StepKind.COLLECT_BUST and (step.seat, step.hand) == at:
            settled = Settlement(Outcome.BUST, -held.total_stake)
        elif step.kind not in SETTLING or len(state.banker_cards) < 2:
            return None
        elif state.banker_pontoon:
            settled = Settlement(Outcome.BANKER_PONTOON, -held.total_stake)
        elif known is None:
            return None
        else:
            settled = settle_hand(state.rules, known, held.total_stake, state.banker_cards, from_split=held.from_split)
    words = _WORDS[settled.outcome]
    if settled.outcome in (Outcome.PONTOON, Outcome.ROYAL, Outcome.FIVE_CARDS):
        words = f"{words} pays {odds_text(settled.amount / held.total_stake)}"
    return Payment(settled.amount, words, held.settlement is not None)


def _open_hands(driven: Driven, state: RoundState) -> tuple[OpenHand, ...]:
    """The hands that are not settled, as they lie."""
    found = []
    for seat, number, held in state.hands():
        if held.settlement is None:
            up = up_faces(driven.piles[seat.number, number][: len(held.held)])
            found.append(OpenHand(held.total_stake, len(held.held) - len(up), count_values(up), held.from_split))
    return tuple(found)


def pool(driven: Driven, state: RoundState) -> Counts:
    """The cards by value that lie face up nowhere and have not been seen since the shuffle.

    The round does not know yet the cards that lie open and were dealt face down; they are taken out here. A card that
    came round from under the pack was seen already.
    """
    unseen = list(state.pack.pool(ENOUGH))
    hands = [(held.held, driven.piles[seat.number, number]) for seat, number, held in state.hands()]
    for held, pile in (*hands, (state.banker_held, driven.banker)):
        known = Counter(it.card for it in held if it.card is not None)
        fresh = sum(it.fresh for it in held if it.card is None)
        new = list((Counter(up_faces(pile[: len(held)])) - known).elements())[:fresh]
        unseen = [max(all_ - gone, 0) for all_, gone in zip(unseen, count_values(new), strict=True)]
    return tuple(unseen)


def turn(
    driven: Driven, state: RoundState, step: Step
) -> tuple[PunterHand, tuple[Card, ...] | None, tuple[Action, ...]]:
    """The hand whose turn it is, its cards where all lie open, and what it may do by what lies open."""
    there = state.seat(step.seat or 0)
    assert there is not None and step.hand is not None
    held = there.hands[step.hand - 1]
    known = faces(driven.piles[there.number, step.hand][: len(held.held)])
    if known is None or step.kind is not StepKind.DECIDE:
        return held, known, step.actions
    left, hands = state.pack.cards > 0, len(there.hands)
    may = actions(
        state.rules, len(known), known, twisted=held.twisted, from_split=held.from_split, hands=hands, cards_left=left
    )
    return held, known, may


def turn_words(driven: Driven, state: RoundState, step: Step) -> str:
    """A punter's question: for a hand that lies open, with what it has and only what it may do."""
    held, known, may = turn(driven, state, step)
    if known is None or driven.awaits or len(driven.piles[step.seat or 0, step.hand or 1]) > len(known):
        return step.words
    has = hand_words(state.rules, count_values(known), held.from_split)
    *others, last = map(str, may)
    either = f"{', '.join(others)} or {last}" if others else last
    return f"{spot(state, step.seat or 0, step.hand or 1)} has {has}: {either}?"


def facts(driven: Driven) -> tuple[Fact, ...]:
    """Who holds the bank, and what is left of the pack."""
    holder = place_of(driven.start.bank.holder)
    pack = driven.start.pack if driven.round is None else driven.round.pack
    return (
        Fact("bank", "The bank", f"seat {holder}" if holder else "the dealer"),
        Fact("cards-left", "Cards left in the pack", str(pack.cards), count=True),
        Fact("unseen", "Cards not seen since the shuffle", str(sum(pack.unseen)), count=True),
    )


def nets(driven: Driven) -> dict[int, Fraction]:
    """What each seat has gained, the banker's among them, with what the bank was sold for."""
    found: dict[int, Fraction] = {}
    if driven.round is not None:
        found = {place_of(seat): driven.round.net(seat) for seat in driven.round.order}
    if driven.sale is not None:
        for seat in (driven.sale.seller, driven.sale.buyer):
            place = place_of(seat)
            found[place] = found.get(place, Fraction(0)) + driven.sale.net(seat)
    return found
