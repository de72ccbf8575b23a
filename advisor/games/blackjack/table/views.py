"""A driven round as the display shows it: each hand with its advice, its bets and what it is owed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from advisor.games.blackjack.advice import Action, Advice, ImpossiblePosition, advise
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.round import Outcome, Round, Seat, Settlement, StepKind, UnfinishedDealer
from advisor.games.blackjack.round.hands import owed
from advisor.games.blackjack.round.state import PlayerHand
from advisor.games.blackjack.rules import HouseRules, dealer_draws
from advisor.games.blackjack.table.core import Driven
from advisor.games.contract import HOUSE, BetView, HandView, Lying, Payment, Place
from advisor.games.contract.driving import card_view, hinders
from advisor.money.amounts import odds_text

_WORDS: Final = MappingProxyType(
    {
        Outcome.DEALER_BUST: "wins: the dealer is bust",
        Outcome.WIN: "wins",
        Outcome.LOSE: "loses",
        Outcome.DEALER_BLACKJACK: "loses to a blackjack",
        Outcome.BOTH_BLACKJACK: "push: both have a blackjack",
        Outcome.RETURNED: "bet returned",
        Outcome.SURRENDER: "surrendered",
        Outcome.CALLED_OFF: "called off",
    }
)


def player_hands(driven: Driven) -> tuple[HandView, ...]:
    """Every seat's hands, those whose cards the round has not come to yet among them."""
    state = driven.state
    waiting: dict[Place, list[Lying]] = {}
    for card in (*driven.refused, *driven.waiting):
        waiting.setdefault(card.place, []).append(card)
    shown = []
    for seat, number, held in state.hands():
        lies = list(driven.lies.get((seat.number, number), ()))
        # A card that the round refused, or is not at yet, still lies before the players.
        place = lies[0].place if lies else Place(seat.number, number)
        lies += waiting.pop(place, [])
        shown.append(_player(driven, seat, number, held, lies))
    for place, cards in sorted(waiting.items()):
        if place.seat != HOUSE:
            shown.append(HandView(place, _title(place, several=place.hand > 1), tuple(map(card_view, cards))))
    return tuple(sorted(shown, key=lambda view: view.place))


def dealer_hand(driven: Driven) -> HandView:
    """The dealer's hand, with what he does."""
    state = driven.state
    lies = [*driven.house, *(it for it in (*driven.refused, *driven.waiting) if it.place.seat == HOUSE)]
    known = [it.face for it in lies if it.face is not None]
    hand = Hand(tuple(known))
    hidden = any(not it.up for it in lies)
    total = "" if not known else str(hand.total) if len(known) == 1 else hand.text
    active = driven.step.kind in (StepKind.REVEAL, StepKind.DRAW, StepKind.PEEK, StepKind.DEAL_DEALER)
    why = () if hidden or len(known) < 2 else (_dealer_does(hand, state.rules),)
    return HandView(
        Place(HOUSE),
        "Dealer",
        tuple(map(card_view, lies)),
        total,
        active=active,
        why=why,
        problems=unsure_words(lies),
    )


def _dealer_does(hand: Hand, rules: HouseRules) -> str:
    if hand.bust:
        return "Bust: every hand that still stands is paid."
    if hand.blackjack:
        return "Blackjack."
    return f"{'Draws to' if dealer_draws(hand.total, hand.soft, rules.dealer_soft_17) else 'Stands on'} {hand.text}."


def unsure_words(cards: Iterable[Lying]) -> tuple[str, ...]:
    """What to look at before anything here may be trusted."""
    said = []
    for card in cards:
        if not card.up or card.gone or (card.sure and card.face is not None):
            continue
        if card.label is None:
            said.append("A card could not be read: say what it is.")
        elif card.face is None:
            said.append("A joker lies here: take it out of the pack.")
        elif card.suit_open:
            said.append(f"Check the suit of what looks like the {card.face.name}.")
        else:
            said.append(f"Check what looks like the {card.face.name}.")
    return tuple(said)


def _title(place: Place, several: bool) -> str:
    return f"Seat {place.seat}, hand {place.hand}" if several else f"Seat {place.seat}"


def _player(driven: Driven, seat: Seat, number: int, held: PlayerHand, lies: list[Lying]) -> HandView:
    step = driven.step
    place = Place(seat.number, number)
    bets = [BetView("bet", held.bet, seat.number in driven.assumed)]
    bets += [BetView("double", held.added)] if held.added else []
    if number == 1:
        bets += [BetView(name, amount) for name, amount in _side_bets(seat) if amount]
    problems = unsure_words(lies)
    total = "" if not held.cards else str(held.hand.total) if len(held.cards) == 1 else _whole(held, lies).text
    payment = _payment(driven, seat, number, held)
    active = (step.seat, step.hand or 1) == (seat.number, number)
    hindered = any(hinders(it) for it in lies if not it.gone)
    advice = None if hindered or payment is not None else _advice(driven, seat, held)
    view = HandView(
        place,
        _title(place, len(seat.hands) > 1),
        tuple(map(card_view, lies)),
        total,
        active=active,
        bets=tuple(bets),
        payment=payment,
        problems=problems,
    )
    if isinstance(advice, Advice):
        return _advised(view, advice)
    return _said(view, advice)


def _whole(held: PlayerHand, lies: Sequence[Lying]) -> Hand:
    """The hand with its doubled card, where that shows its face before the round has come to turning it."""
    faces = tuple(it.face for it in lies if it.face is not None)
    shows = held.face_down and len(faces) == len(lies) == len(held.cards) + 1
    return Hand(faces) if shows else held.hand


def _side_bets(seat: Seat) -> tuple[tuple[str, Fraction], ...]:
    open_ = seat.side_bets
    return (
        ("insurance", seat.insurance if seat.insured else Fraction(0)),
        ("over 13", seat.over if open_ else Fraction(0)),
        ("under 13", seat.under if open_ else Fraction(0)),
    )


def _said(view: HandView, words: str | tuple[str, ...] | None) -> HandView:
    if isinstance(words, tuple):
        return replace(view, problems=(*view.problems, *words))
    return replace(view, why=(words,) if words else ())


def _advised(view: HandView, advice: Advice) -> HandView:
    offer = None
    if advice.even_money_value is not None:
        offer = "Take even money." if advice.take_even_money else "Refuse even money."
    elif advice.insurance_value is not None and advice.action is not Action.DONE:
        gain = f"{abs(advice.insurance_value):.1%} of the insurance bet"
        offer = f"Insurance gains {gain}: take it." if advice.take_insurance else f"Insurance loses {gain}: refuse it."
    values = MappingProxyType({str(action): round(value, 6) for action, value in advice.values.items()})
    return replace(
        view,
        action=str(advice.action),
        values=values,
        margin=round(advice.margin, 6),
        why=advice.reasons,
        offer=offer,
    )


def _advice(driven: Driven, seat: Seat, held: PlayerHand) -> Advice | str | tuple[str, ...] | None:
    """Advice, or why there is none: words where nothing is wrong, a tuple of problems where something is."""
    state = driven.state
    upcard = state.dealer.upcard
    if held.added is not None:
        return "Doubled: this hand is done."
    if held.surrendered or held.even_money:
        return "Surrendered." if held.surrendered else "Has taken even money."
    if held.stood:
        return "Stands."
    if len(held.cards) < 2 or upcard is None:
        return None
    if not _before_dealer(state) and state.dealer_blackjack is None:
        return None
    others = list(state.known_cards)
    for card in (*held.cards, upcard):
        others.remove(card)
    try:
        return advise(
            state.rules, held.cards, upcard, others, from_split=held.from_split, hands_in_seat=len(seat.hands)
        )
    except ImpossiblePosition as wrong:
        return tuple(problem[:1].upper() + problem[1:] + "." for problem in wrong.problems)


def _before_dealer(state: Round) -> bool:
    """Whether the dealer's own turn has not begun."""
    return state.dealer.hole is None and not state.dealer.drawn


def _payment(driven: Driven, seat: Seat, number: int, held: PlayerHand) -> Payment | None:
    """What has been paid, or what will be once the dealer's hand decides it."""
    if held.settlement is not None:
        return Payment(held.settlement.amount, _outcome(held, held.settlement), done=True)
    state, step = driven.state, driven.step
    its_own = step.amount is not None and (step.seat, step.hand) == (seat.number, number)
    if not (its_own or step.kind in _PAYING or (held.hand.bust and not held.face_down)):
        return None
    if held.face_down or len(held.cards) < 2:
        return None
    try:
        settled = owed(state, seat, number)
    except UnfinishedDealer:
        return None
    return Payment(settled.amount, _outcome(held, settled))


_PAYING: Final = (
    StepKind.PAY,
    StepKind.COLLECT,
    StepKind.PUSH,
    StepKind.RETURN,
    StepKind.PAY_BLACKJACK,
    StepKind.PAY_CHARLIE,
    StepKind.PAY_BONUS,
    StepKind.COLLECT_SURRENDER,
    StepKind.COLLECT_BUST,
    StepKind.PAY_INSURANCE,
    StepKind.GIVE_BACK,
    StepKind.CLEAR_CARDS,
    StepKind.TURN_DOUBLED,
)


def _outcome(held: PlayerHand, settled: Settlement) -> str:
    if settled.outcome in (Outcome.BLACKJACK, Outcome.CHARLIE, Outcome.BONUS):
        return f"{settled.outcome} pays {odds_text(settled.amount / held.bet)}"
    return _WORDS.get(settled.outcome, str(settled.outcome))
