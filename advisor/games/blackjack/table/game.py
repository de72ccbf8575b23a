"""The contract, kept for blackjack."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.games.blackjack.count import shoe_count
from advisor.games.blackjack.loader import load_rules
from advisor.games.blackjack.presets import PRESETS
from advisor.games.blackjack.round import SEATS, Round, StepKind
from advisor.games.blackjack.round.log import LOG
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import full_shoe, left_of, shoe_problems
from advisor.games.blackjack.table import saying, views
from advisor.games.blackjack.table.core import place_of
from advisor.games.blackjack.table.drive import drive
from advisor.games.cards import Card, CardError, cards_text, parse_cards
from advisor.games.contract import Carried, Fact, Phase, Played, Story, TableGame
from advisor.games.contract.standard import StandardGame

_PHASES: Final[Mapping[StepKind, Phase]] = MappingProxyType(
    {
        **dict.fromkeys((StepKind.TAKE_BETS, StepKind.SWEEP_BETS), "bets"),
        **dict.fromkeys((StepKind.BURN, StepKind.DEAL, StepKind.DEAL_DEALER, StepKind.TURN_UPCARD), "deal"),
        **dict.fromkeys((StepKind.REVEAL, StepKind.DRAW), "house"),
        **dict.fromkeys((StepKind.CLEAR_CARDS,), "clear"),
        **dict.fromkeys((StepKind.OVER,), "over"),
        **dict.fromkeys(
            (
                StepKind.SETTLE_SIDE_BETS,
                StepKind.OFFER_INSURANCE,
                StepKind.CHECK_INSURANCE,
                StepKind.OFFER_SURRENDER,
                StepKind.PEEK,
                StepKind.COLLECT_INSURANCE,
                StepKind.DECIDE,
                StepKind.OUT_OF_CARDS,
            ),
            "play",
        ),
    }
)


def summary(rules: HouseRules) -> str:
    """The rules in one line."""
    decks = "1 deck" if rules.decks == 1 else f"{rules.decks} decks"
    soft = "stands on" if rules.dealer_soft_17 == "stand" else "hits"
    hole = "" if rules.hole_card == "peek" else ", no hole card"
    return f"{decks}, dealer {soft} soft 17, blackjack pays {rules.blackjack_pays}{hole}"


def play(rules: HouseRules, story: Story) -> Played:
    """The round that the story tells."""
    seen, shuffled = _seen(rules, story.carried)
    driven = drive(rules, story, seen, shuffled)
    state, step = driven.state, driven.step
    phase = _PHASES.get(step.kind, "settle")
    if phase == "settle" and _players_turn(state):
        phase = "play"
    if story.cleared:
        phase = "over"
    return Played(
        phase=phase,
        step=step.words,
        step_place=place_of(step),
        house=(views.dealer_hand(driven),),
        hands=views.player_hands(driven),
        choices=saying.choices(state, step),
        faults=tuple(driven.faults),
        notices=tuple(driven.notices),
        facts=_facts(state),
        net=MappingProxyType({seat.number: state.net(seat.number) for seat in state.seats}),
        operations=tuple(driven.operations),
        carried=MappingProxyType(
            {"seen": cards_text(state.known_cards), "hidden": _hidden(state), "shuffled": state.cut_card}
        ),
    )


def _players_turn(state: Round) -> bool:
    return state.dealer.hole is None and not state.dealer.drawn and state.dealer_blackjack is not True


def _hidden(state: Round) -> int:
    """Cards that left the shoe unseen."""
    return state.burned.count(None) + state.dealer.face_down + sum(hand.face_down for _, _, hand in state.hands())


def _seen(rules: HouseRules, carried: Carried) -> tuple[tuple[Card, ...], bool]:
    """The cards gone from the shoe, and whether it was shuffled; what cannot be read, or cannot be, is forgotten."""
    if carried.get("shuffled"):
        return (), True
    try:
        seen = parse_cards(str(carried.get("seen", "")))
    except CardError:
        return (), False
    return (() if shoe_problems(rules.decks, seen) else seen), False


def _facts(state: Round) -> tuple[Fact, ...]:
    whole = full_shoe(state.rules.decks)
    count = shoe_count(whole, left_of(whole, state.known_cards))
    true = round(float(count.true), 1)
    return (
        Fact("cards-left", "Cards in the shoe", str(max(state.cards_left, 0)), count=True),
        Fact("running-count", "Running count", f"{count.running:+d}", private=True, count=True),
        Fact("true-count", "True count", f"{true:+.1f}", private=True, count=True),
        Fact("tens-left", "Tens", f"{float(count.tens):.0%}", private=True, count=True),
    )


USUAL: Final = "six-deck-s17"
"""The house rules used when none are named."""

GAME: Final[TableGame] = StandardGame(
    name="blackjack",
    title="Blackjack",
    seats=len(SEATS),
    house=("Dealer",),
    seats_hold_cards=True,
    named=MappingProxyType({USUAL: PRESETS[USUAL], **PRESETS}),
    reading=load_rules,
    told=LOG,
    in_words=summary,
    playing=play,
    bets=saying.bets,
)
