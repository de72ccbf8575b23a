"""From successive readings to state: a pure step from what was remembered and what is seen now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from advisor.games.blackjack import Action, Hand, HouseRules, ImpossiblePosition, advise, shoe_problems
from advisor.games.cards import Card, parse_card
from advisor.table.nearness import centre_of, clusters, shorter_side
from advisor.table.state import CardShown, DealerSide, DealerState, HandState, TableState
from vision.sightings import JOKER, CardSighting, Point, Reading

Cluster = tuple[CardSighting, ...]


@dataclass(frozen=True)
class TableMemory:
    """What one picture cannot tell: where the dealer's hand lies, and which of its cards came first face up."""

    dealer_at: Point | None = None
    upcard: str | None = None


def fold(
    memory: TableMemory, reading: Reading, rules: HouseRules, dealer_side: DealerSide = "top"
) -> tuple[TableMemory, TableState]:
    """The next memory and the state that this reading shows under these rules. Pure; never raises on table faults."""
    hands = clusters(reading.sightings)
    if not hands:
        return TableMemory(), TableState()
    dealer = _dealer_cluster(hands, memory, reading, dealer_side)
    players = [h for h in hands if h is not dealer]
    upcard = _upcard(dealer, memory) if dealer else None
    state_dealer = _dealer_state(dealer, upcard, rules) if dealer else None
    everything = [c for h in hands for c in h]
    shown = tuple(
        _hand_state(number, hand, dealer, upcard, everything, rules)
        for number, hand in enumerate(_left_to_right(players, dealer_side), 1)
    )
    sure = [c for c in (_card(s) for s in everything) if c is not None]
    problems = shoe_problems(rules.decks, sure)
    known = TableMemory(centre_of(dealer), upcard) if dealer else TableMemory()
    return known, TableState(state_dealer, shown, problems)


def _dealer_cluster(
    hands: Sequence[Cluster], memory: TableMemory, reading: Reading, side: DealerSide
) -> Cluster | None:
    """The hand with a face-down card; else the one where the dealer's was; else the one at the dealer's side."""
    with_hole = [h for h in hands if any(c.kind == "back" for c in h) and any(c.kind != "back" for c in h)]
    if with_hole:
        return max(with_hole, key=lambda h: _towards(centre_of(h), side))
    if memory.dealer_at is not None:
        x, y = memory.dealer_at
        near = min(hands, key=lambda h: (centre_of(h)[0] - x) ** 2 + (centre_of(h)[1] - y) ** 2)
        cx, cy = centre_of(near)
        reach = 3 * max(shorter_side(c) for c in near)
        if (cx - x) ** 2 + (cy - y) ** 2 < reach**2:
            return near
    best = max(hands, key=lambda h: _towards(centre_of(h), side))
    if len(hands) > 1:
        return best
    # A lone hand is the dealer's only if it lies in the dealer's half of the picture.
    half = {
        "top": -reading.height / 2,
        "bottom": reading.height / 2,
        "left": -reading.width / 2,
        "right": reading.width / 2,
    }
    return best if _towards(centre_of(best), side) > half[side] else None


def _towards(point: Point, side: DealerSide) -> float:
    return {"top": -point[1], "bottom": point[1], "left": -point[0], "right": point[0]}[side]


def _left_to_right(hands: Sequence[Cluster], side: DealerSide) -> list[Cluster]:
    """In the order of the seats as the picture shows them."""
    axis = 0 if side in ("top", "bottom") else 1
    return sorted(hands, key=lambda h: centre_of(h)[axis])


def _upcard(dealer: Cluster, memory: TableMemory) -> str | None:
    faces = [c for c in dealer if c.kind == "card"]
    labels = [c.label for c in faces]
    if memory.upcard in labels and len(labels) > 1:
        return memory.upcard
    if any(c.kind == "unsure" for c in dealer):
        return memory.upcard if memory.upcard in labels else None
    return labels[0] if labels else None


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
    unsure = sum(c.kind == "unsure" for c in hand)
    if unsure:
        out.append(f"{_count(unsure, 'card')} here could not be read surely: check the hand.")
    if any(c.kind == "card" and c.label == JOKER for c in hand):
        out.append("A joker lies here: take it out of the pack.")
    return out


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
    if hand.total < 17 or (hand.total == 17 and hand.soft and rules.dealer_soft_17 == "hit"):
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
    if any(c.kind == "back" for c in hand):
        faults.append("A card of this hand lies face down.")
    blank = HandState(f"hand-{number}", _shown(hand), total, bool(cards) and held.soft, centre_of(hand))
    if faults:
        return _without_advice(blank, faults)
    if len(cards) < 2:
        return _without_advice(blank, [], "Waiting for the second card.")
    if held.bust or held.blackjack or held.total == 21:
        return _advised(blank, hand, cards, upcard, everything, rules) if upcard else _finished(blank, held)
    if dealer is None or upcard is None:
        return _without_advice(blank, ["The dealer's upcard has not been read yet."])
    if sum(c.kind == "card" for c in dealer) > 1 and not any(c.kind == "back" for c in dealer):
        return _without_advice(blank, [], "The dealer is playing.")
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
