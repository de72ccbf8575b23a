"""From successive readings to state: a pure step from what was remembered and what is seen now."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from advisor.games.blackjack import Action, Hand, HouseRules, ImpossiblePosition, advise, dealer_draws, shoe_problems
from advisor.games.cards import Card, parse_card
from advisor.table.dealer import TableMemory, find_dealer
from advisor.table.nearness import Cluster, centre_of, clusters
from advisor.table.state import CardShown, DealerSide, DealerState, HandState, TableState
from vision.sightings import JOKER, CardSighting, Reading


def fold(
    memory: TableMemory, reading: Reading, rules: HouseRules, dealer_side: DealerSide = "top"
) -> tuple[TableMemory, TableState]:
    """The next memory and the state that this reading shows under these rules. Pure; never raises on table faults."""
    groups = clusters(reading.sightings)
    if not groups:
        return TableMemory(), TableState()
    found = find_dealer(memory, reading, groups, dealer_side)
    dealer = found.cluster
    # Face-down cards alone are the pack or the discards, nobody's hand.
    players = [g for g in groups if g is not dealer and any(c.kind != "back" for c in g)]
    upcard = found.upcard.label if found.upcard and found.upcard.kind == "card" else None
    state_dealer = _dealer_state(_upcard_first(dealer, found.upcard), upcard, rules) if dealer else None
    everything = [c for g in groups for c in g]
    shown = tuple(
        _hand_state(number, hand, dealer, upcard, everything, rules)
        for number, hand in enumerate(_left_to_right(players, dealer_side), 1)
    )
    sure = [c for c in (_card(s) for s in everything) if c is not None]
    problems = shoe_problems(rules.decks, sure)
    return found.memory, TableState(state_dealer, shown, problems)


def _left_to_right(hands: Sequence[Cluster], side: DealerSide) -> list[Cluster]:
    """In the order of the seats as the picture shows them."""
    axis = 0 if side in ("top", "bottom") else 1
    return sorted(hands, key=lambda h: centre_of(h)[axis])


def _upcard_first(dealer: Cluster, upcard: CardSighting | None) -> Cluster:
    return tuple(sorted(dealer, key=lambda s: s is not upcard))


def _card(sighting: CardSighting) -> Card | None:
    """The card a sure sighting names; None for backs, unsure faces and jokers."""
    if sighting.kind != "card" or sighting.label is None or sighting.label == JOKER:
        return None
    return parse_card(sighting.label)


def _shown(hand: Cluster) -> tuple[CardShown, ...]:
    return tuple(CardShown(c.kind, c.label) for c in hand)


def _faults(hand: Cluster) -> list[str]:
    """Why the cards of a hand cannot be added up."""
    out = []
    unsure = [c for c in hand if c.kind == "unsure"]
    if unsure:
        guess = next((c.label for c in unsure if c.label), None)
        which = f"check what looks like the {_name(guess)}" if guess else "check what is marked with a ?"
        out.append(f"{_count(len(unsure), 'card')} here could not be read surely: {which}.")
    if any(c.kind == "card" and c.label == JOKER for c in hand):
        out.append("A joker lies here: take it out of the pack.")
    return out


def _name(label: str) -> str:
    return "joker" if label == JOKER else parse_card(label).name


def _count(number: int, noun: str) -> str:
    return f"One {noun}" if number == 1 else f"{number} {noun}s"


def _dealer_state(dealer: Cluster, upcard: str | None, rules: HouseRules) -> DealerState:
    cards = [c for c in (_card(s) for s in dealer) if c is not None]
    hole = any(c.kind == "back" for c in dealer)
    faults = _faults(dealer)
    total, step = "", ""
    if cards:
        hand = Hand(tuple(cards))
        total = hand.text if len(cards) > 1 else str(hand.total)
        if faults:
            total, step = f"{total} and an unread card", faults[0]
        elif not hole and len(cards) > 1:
            step = _dealer_step(hand, rules)
    elif faults:
        step = faults[0]
    return DealerState(_shown(dealer), upcard, total, centre_of(dealer), step)


def _dealer_step(hand: Hand, rules: HouseRules) -> str:
    if hand.bust:
        return "The dealer is bust: pay every hand that still stands."
    if hand.blackjack:
        return "The dealer has a blackjack."
    if dealer_draws(hand.total, hand.soft, rules.dealer_soft_17):
        return f"The dealer draws to {hand.text}."
    return f"The dealer stands on {hand.text}."


def _hand_state(
    number: int,
    hand: Cluster,
    dealer: Cluster | None,
    upcard: str | None,
    everything: Sequence[CardSighting],
    rules: HouseRules,
) -> HandState:
    cards = [c for c in (_card(s) for s in hand) if c is not None]
    held = Hand(tuple(cards))
    total = "" if not cards else str(held.total) if len(cards) == 1 else held.text
    faults = _faults(hand)
    backs = sum(c.kind == "back" for c in hand)
    doubled = rules.doubled_card_face_down and backs == 1 and len(hand) == 3
    if backs and not doubled:
        faults.append("A card of this hand lies face down: turn it up.")
    blank = HandState(f"hand-{number}", _shown(hand), total, bool(cards) and held.soft, centre_of(hand))
    if faults:
        return _without_advice(blank, faults)
    if doubled:
        return _without_advice(blank, [], "The doubled card lies face down: this hand is done.")
    if len(cards) < 2:
        return _without_advice(blank, [], "Waiting for the second card.")
    if held.bust or held.blackjack or held.total == 21:
        known = upcard is not None and upcard != JOKER
        return _advised(blank, hand, cards, str(upcard), everything, rules) if known else _finished(blank, held)
    if dealer is not None and len(dealer) > 1 and not any(c.kind == "back" for c in dealer):
        return _without_advice(blank, [], "The dealer is playing.")
    if dealer is None or upcard is None:
        doubtful = dealer is not None and any(c.kind == "unsure" for c in dealer)
        said = "could not be read surely: check it." if doubtful else "has not been read yet."
        return _without_advice(blank, [f"The dealer's upcard {said}"])
    if upcard == JOKER:
        return _without_advice(blank, ["The dealer's upcard is a joker: take it out of the pack and deal another."])
    return _advised(blank, hand, cards, upcard, everything, rules)


def _advised(
    blank: HandState,
    hand: Cluster,
    cards: Sequence[Card],
    upcard: str,
    everything: Sequence[CardSighting],
    rules: HouseRules,
) -> HandState:
    up = parse_card(upcard)
    others = [c for s in everything if all(s is not h for h in hand) and (c := _card(s)) is not None]
    if up in others:
        others.remove(up)
    try:
        advice = advise(rules, cards, up, others)
    except ImpossiblePosition as wrong:
        return _without_advice(blank, [_sentence(p) for p in wrong.problems])
    offer = None
    if advice.even_money_value is not None:
        offer = "Take even money." if advice.take_even_money else "Refuse even money."
    elif advice.insurance_value is not None and advice.action is not Action.DONE:
        gain = f"{abs(advice.insurance_value):.1%} of the insurance bet"
        offer = f"Insurance gains {gain}: take it." if advice.take_insurance else f"Insurance loses {gain}: refuse it."
    return HandState(
        blank.id, blank.cards, blank.total, blank.soft, blank.centre, str(advice.action),
        MappingProxyType({str(a): round(v, 6) for a, v in advice.values.items()}),
        round(advice.margin, 6), advice.why, offer,
    )  # fmt: skip


def _finished(blank: HandState, held: Hand) -> HandState:
    return HandState(
        blank.id,
        blank.cards,
        blank.total,
        blank.soft,
        blank.centre,
        "done",
        why=f"{_sentence(held.text)} No move is left.",
    )


def _without_advice(blank: HandState, problems: Sequence[str], why: str = "") -> HandState:
    return HandState(
        blank.id, blank.cards, blank.total, blank.soft, blank.centre, None, why=why, problems=tuple(problems)
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
