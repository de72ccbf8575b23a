"""From one view to the next state: a pure function of what was remembered, what is seen, and the house rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.games.blackjack import Advice, Hand, HouseRules, ImpossiblePosition, advise, shoe_problems
from advisor.games.cards import Card, CardError, parse_card
from advisor.table.dealer import Memory, Side, find_dealer
from advisor.table.nearness import Cluster, clusters
from advisor.table.state import HandAdvice, HandState, Phase, Problem, Reason, TableCard, TableState
from vision.sightings import JOKER, CardSighting, TableView

Adviser = Callable[[HouseRules, Sequence[Card], Card, Sequence[Card]], Advice]
"""Gives the advice for a hand against an upcard with other cards seen; :func:`plain_adviser`, or one that remembers."""


@dataclass(frozen=True)
class Options:
    """How this table is seen: the side of the picture at which the dealer sits."""

    dealer_side: Side = "top"


def plain_adviser(rules: HouseRules, hand: Sequence[Card], upcard: Card, seen: Sequence[Card]) -> Advice:
    """Works every advice out afresh."""
    return advise(rules, hand, upcard, seen)


def follow(
    memory: Memory,
    view: TableView,
    rules: HouseRules,
    options: Options | None = None,
    adviser: Adviser = plain_adviser,
) -> tuple[Memory, TableState]:
    """What ``view`` says under ``rules``, given what earlier views of the round left in ``memory``."""
    chosen = options or Options()
    groups = clusters(view.reading.sightings)
    found = find_dealer(memory, view.reading, groups, chosen.dealer_side)
    dealer = _dealer_hand(found.cluster, found.upcard) if found.cluster else None
    upcard = found.upcard.label if found.upcard and found.upcard.kind == "card" else None
    others = [g for g in groups if g is not found.cluster]
    hands = [_hand(g) for g in others if any(s.kind != "back" for s in g.sightings)]
    loose = [_card(s) for g in others if all(s.kind == "back" for s in g.sightings) for s in g.sightings]
    table = _Table(rules, dealer, upcard, _sure(view.reading.sightings), adviser)
    problems = _problems(rules, view.reading.sightings)
    advised = tuple(table.advised(hand) for hand in hands)
    state = TableState(_phase(dealer, upcard, hands), dealer, upcard, advised, tuple(loose), problems)
    return found.memory, state


@dataclass(frozen=True)
class _Table:
    """Everything about the table that the advice on one hand depends on."""

    rules: HouseRules
    dealer: HandState | None
    upcard: str | None
    visible: tuple[Card, ...]
    adviser: Adviser

    def advised(self, hand: HandState) -> HandState:
        """The hand with its advice, or with why there is none."""
        obstacle = self._obstacle(hand)
        if obstacle is not None:
            return _without(hand, *obstacle)
        cards = tuple(parse_card(c.label or "") for c in hand.cards)
        upcard = parse_card(self.upcard or "")
        seen = tuple((Counter(self.visible) - Counter((*cards, upcard))).elements())
        try:
            advice = self.adviser(self.rules, cards, upcard, sorted(seen, key=str))
        except ImpossiblePosition as error:
            return _without(hand, Reason.IMPOSSIBLE, _sentence("; ".join(error.problems)))
        given = HandAdvice(
            advice.action,
            advice.values,
            advice.margin,
            advice.why,
            advice.insurance_value,
            advice.even_money_value,
        )
        return HandState(hand.cards, hand.total, hand.soft, hand.text, hand.complete, given)

    def _obstacle(self, hand: HandState) -> tuple[Reason, str] | None:
        if hand.unsure:
            guessed = next((c.label for c in hand.cards if c.kind == "unsure" and c.label), None)
            which = f"the one that looks like the {card_name(guessed)}" if guessed else "the one marked with a ?"
            count = "One card is" if hand.unsure == 1 else f"{hand.unsure} cards are"
            return Reason.UNSURE, f"{count} not read surely: check {which}."
        if any(c.label == JOKER for c in hand.cards):
            return Reason.NOT_A_GAME_CARD, "A joker lies in this hand: blackjack is played without jokers."
        if self.dealer is not None and _open(self.dealer):
            return Reason.DEALER_PLAYS, "The dealer's cards are turned up: the players are done."
        if hand.face_down:
            doubled = self.rules.doubled_card_face_down and len(hand.cards) == 3
            return Reason.FACE_DOWN, (
                "The doubled card lies face down: this hand is done."
                if doubled
                else "A card of this hand lies face down: turn it up."
            )
        if self.upcard is None:
            if self.dealer is not None and self.dealer.unsure:
                return Reason.UPCARD_UNSURE, "The dealer's upcard is not read surely: check it."
            return Reason.NO_UPCARD, "The dealer's upcard has not been seen."
        if self.upcard == JOKER:
            return Reason.NOT_A_GAME_CARD, "The dealer shows a joker: blackjack is played without jokers."
        if len(hand.cards) < 2:
            return Reason.ONE_CARD, "Waiting for this hand's second card."
        return None


def _without(hand: HandState, reason: Reason, missing: str) -> HandState:
    return HandState(hand.cards, hand.total, hand.soft, hand.text, hand.complete, None, reason, missing)


def _dealer_hand(cluster: Cluster, upcard: CardSighting | None) -> HandState:
    """The dealer's hand with his upcard first."""
    ordered = sorted(cluster.sightings, key=lambda s: s is not upcard)
    return _totalled(tuple(_card(s, s is upcard) for s in ordered))


def _hand(cluster: Cluster) -> HandState:
    return _totalled(tuple(_card(s) for s in cluster.sightings))


def _totalled(cards: tuple[TableCard, ...]) -> HandState:
    sure = tuple(c for c in (_game_card(card) for card in cards) if c is not None)
    if not sure:
        return HandState(cards, complete=False)
    hand = Hand(sure)
    complete = len(sure) == len(cards)
    # Two cards of a hand whose third is unreadable are no blackjack.
    text = hand.text if complete or not hand.blackjack else f"{'soft' if hand.soft else 'hard'} {hand.total}"
    return HandState(cards, hand.total, hand.soft, text, complete)


def _card(sighting: CardSighting, upcard: bool = False) -> TableCard:
    return TableCard(sighting.kind, sighting.label, sighting.corners, sighting.probabilities, upcard)


def _game_card(card: TableCard) -> Card | None:
    if card.kind != "card" or not card.label:
        return None
    try:
        return parse_card(card.label)
    except CardError:
        return None


def _sure(sightings: Sequence[CardSighting]) -> tuple[Card, ...]:
    return tuple(c for c in (_game_card(_card(s)) for s in sightings) if c is not None)


def _open(dealer: HandState) -> bool:
    """Whether the dealer's own play is on: two cards or more, none face down."""
    return len(dealer.cards) > 1 and not dealer.face_down


def _phase(dealer: HandState | None, upcard: str | None, hands: Sequence[HandState]) -> Phase:
    if dealer is None and not hands:
        return Phase.EMPTY
    if dealer is not None and _open(dealer):
        return Phase.DEALER
    if upcard is None or not hands or all(len(h.cards) < 2 for h in hands):
        return Phase.DEALING
    return Phase.PLAYERS


def _problems(rules: HouseRules, sightings: Sequence[CardSighting]) -> tuple[Problem, ...]:
    """What is wrong with the cards as a whole."""
    out = []
    by_label: dict[str, list[CardSighting]] = {}
    for s in sightings:
        if s.kind == "card" and s.label:
            by_label.setdefault(s.label, []).append(s)
    for label, same in sorted(by_label.items()):
        places = tuple(s.corners for s in same)
        if label == JOKER:
            out.append(Problem("joker", "A joker lies on the table: blackjack is played without jokers.", places))
        elif len(same) > rules.decks:
            packs = "one pack" if rules.decks == 1 else f"{rules.decks} packs"
            out.append(
                Problem(
                    "too_many_of_a_card",
                    f"The {card_name(label)} lies on the table {_times(len(same))}, but the game has {packs}.",
                    places,
                )
            )
    known = {p.code for p in out}
    if "too_many_of_a_card" not in known:
        out += [Problem("shoe", _sentence(text)) for text in shoe_problems(rules.decks, _sure(sightings))]
    unsure = [s for s in sightings if s.kind == "unsure"]
    if unsure:
        words = "One card is" if len(unsure) == 1 else f"{len(unsure)} cards are"
        places = tuple(s.corners for s in unsure)
        out.append(Problem("unsure", f"{words} not read surely: look for the amber outline.", places))
    return tuple(out)


def card_name(label: str) -> str:
    """ "10H" in words; anything that is no playing card as it is, in small letters."""
    try:
        return parse_card(label).name
    except CardError:
        return label.lower()


def _times(count: int) -> str:
    return {2: "twice", 3: "three times"}.get(count, f"{count} times")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
