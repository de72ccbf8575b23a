"""Pontoon's side of the table contract."""

from __future__ import annotations

from typing import Any, Final

from advisor.games.contract.driving import is_over
from advisor.games.contract.game import TableGame
from advisor.games.contract.played import Phase, Played
from advisor.games.contract.standard import StandardGame
from advisor.games.contract.story import HOUSE, Story
from advisor.games.operations import IllegalMove
from advisor.games.pontoon.bank import Bank
from advisor.games.pontoon.loader import load_rules
from advisor.games.pontoon.round import LOG, Round, StepKind, actions
from advisor.games.pontoon.rules import PRESETS, PontoonRules
from advisor.games.pontoon.table.choices import betting, choices
from advisor.games.pontoon.table.drive import Driven, drive
from advisor.games.pontoon.table.start import DEALER, MOST_SEATS, as_carried, place_of
from advisor.games.pontoon.table.told import TOLD
from advisor.games.pontoon.table.views import facts, hand_views, house_hand, nets, place_at, turn_words
from advisor.money.amounts import format_amount

_PHASES: Final[dict[StepKind, Phase]] = {
    StepKind.DEAL: "deal",
    StepKind.OUT_OF_CARDS: "deal",
    StepKind.TAKE_STAKE: "bets",
    StepKind.DECIDE: "play",
    StepKind.COLLECT_BUST: "play",
    StepKind.TURN_BANKER: "house",
    StepKind.BANKER_DECIDES: "house",
    StepKind.SHOW: "settle",
    StepKind.PAY: "settle",
    StepKind.COLLECT: "settle",
    StepKind.CLEAR_CARDS: "clear",
    StepKind.OVER: "over",
}
_FIRST: Final = "Deal each player a card, face down, from the banker's left; the banker's comes last."


def play(rules: PontoonRules, story: Story) -> Played:
    """The deal so far."""
    driven = drive(rules, story)
    step, over = driven.step, is_over(story)
    notices, carried = _afterwards(driven)
    phase: Phase = "deal" if step is None else _PHASES[step.kind]
    if step is not None and step.kind is StepKind.DEAL and driven.round is not None and _underway(driven.round):
        phase = "play"
    return Played(
        phase="over" if over else phase,
        step=_step_words(driven, over),
        step_place=None if step is None else place_at(driven, step.seat, step.hand),
        house=(house_hand(driven),),
        hands=hand_views(driven, story),
        choices=choices(rules, driven, story),
        faults=driven.faults,
        notices=(*driven.notices, *notices),
        facts=facts(driven),
        net=nets(driven),
        operations=tuple(LOG.as_dict(it) for it in driven.operations),
        carried=carried,
    )


def summary(rules: PontoonRules) -> str:
    """The rules in one line."""
    packs = f"{rules.decks} pack{'s' if rules.decks > 1 else ''}"
    extras = [f"pontoon pays {rules.pontoon_pays}"]
    extras += [f"five-card trick {rules.five_card_pays}"] if rules.five_card_trick else []
    extras += [f"7-7-7 {rules.royal_pays}"] if rules.royal_pontoon else []
    splits = {"none": "no splits", "aces": "aces split", "not-aces": "pairs but aces split", "any": "pairs split"}
    passes = {
        "after-deals": f"the bank passes after {rules.bank_deals} deal{'s' if rules.bank_deals > 1 else ''}",
        "first-pontoon": "the first pontoon wins the bank",
        "sale": "the bank is sold",
    }
    limits = f"stakes {format_amount(rules.minimum)} to {format_amount(rules.maximum)}"
    parts = (packs, f"stick on {rules.stick_at}", *extras, splits[rules.split], passes[rules.bank_passes], limits)
    return ", ".join(parts)


def _underway(state: Round) -> bool:
    """Whether all have their two cards, so that a card to deal is that of a split hand."""
    return len(state.banker_held) >= 2


def _step_words(driven: Driven, over: bool) -> str:
    state, step = driven.round, driven.step
    if state is None or step is None:
        return "The deal is over." if over else _FIRST
    first = step.kind is StepKind.DEAL and not state.banker_held
    if first and step.seat == state.banker and not driven.start.seats:
        return "Deal the next player a first card, face down; the banker's comes last."
    return turn_words(driven, state, step) if step.kind is StepKind.DECIDE else step.words


def _afterwards(driven: Driven) -> tuple[tuple[str, ...], dict[str, Any]]:
    """What to know at the end, and what the next deal is given, were this one over now."""
    bank, state = driven.start.bank, driven.round
    if state is None:
        return (), as_carried(bank, driven.start.pack, driven.start.seats)
    if not state.finished:
        if actions.can_call_off(state):
            state = state.after(actions.call_off(state))
        try:
            state = state.after(actions.clear_cards(state))
        except IllegalMove:  # cannot be: cards can be cleared after a deal is called off
            return (), as_carried(bank, driven.start.pack, driven.start.seats)
        after = bank
    else:
        after = state.bank_after(bank)
    seats = tuple(sorted(place for it in (*state.order,) if (place := place_of(it)) != HOUSE and place <= MOST_SEATS))
    return _bank_words(bank, after), as_carried(after, state.next_pack, seats)


def _bank_words(before: Bank, after: Bank) -> tuple[str, ...]:
    if before.holder == after.holder:
        return ()
    holder = place_of(after.holder)
    passes = f"The bank passes to {f'seat {holder}' if holder else 'the dealer'}."
    # The dealer's cards as a punter need a place of their own: the house's is the banker's.
    return (passes, "The dealer plays on from a seat.") if before.holder == DEALER else (passes,)


GAME: Final[TableGame] = StandardGame(
    name="pontoon",
    title="Pontoon",
    seats=MOST_SEATS,
    house=("Banker",),
    seats_hold_cards=True,
    cards_face_down=True,
    named=PRESETS,
    reading=load_rules,
    told=TOLD,
    in_words=summary,
    playing=play,
    bets=betting,
)
