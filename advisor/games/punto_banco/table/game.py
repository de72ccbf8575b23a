"""Punto banco's side of the table contract."""

from __future__ import annotations

from typing import Final

from advisor.games.contract.driving import is_over
from advisor.games.contract.game import TableGame
from advisor.games.contract.played import Phase, Played
from advisor.games.contract.standard import StandardGame
from advisor.games.contract.story import HOUSE, Place, Story
from advisor.games.punto_banco.loader import load_rules
from advisor.games.punto_banco.round import Step, StepKind
from advisor.games.punto_banco.rules import PRESETS, PuntoBancoRules
from advisor.games.punto_banco.scoreboard import CoupResult
from advisor.games.punto_banco.table.choices import betting, choices
from advisor.games.punto_banco.table.drive import PLACES, TOLD, Driven, drive, logged
from advisor.games.punto_banco.table.start import as_carried
from advisor.games.punto_banco.table.views import bet_hands, bet_place, facts, grids, house_hands
from advisor.money.amounts import format_amount

_PHASES: Final[dict[StepKind, Phase]] = {
    StepKind.TAKE_BETS: "bets",
    StepKind.CLOSE_BETS: "bets",
    StepKind.OUT_OF_CARDS: "bets",
    StepKind.DEAL: "deal",
    StepKind.DRAW: "house",
    StepKind.COLLECT: "settle",
    StepKind.PAY: "settle",
    StepKind.PUSH: "settle",
    StepKind.CLEAR_CARDS: "clear",
    StepKind.OVER: "over",
}


def play(rules: PuntoBancoRules, story: Story) -> Played:
    """The coup so far."""
    driven = drive(rules, story)
    state, step = driven.round, driven.step
    history = _history(driven)
    seats = sorted({it.seat for it in state.bets} | {entry.seat for entry in state.ledger})
    return Played(
        "over" if is_over(story) else _PHASES[step.kind],
        _step_words(driven, step),
        _step_place(step),
        house_hands(driven),
        bet_hands(state, step),
        choices(state),
        driven.faults,
        driven.notices,
        facts(driven),
        grids(history),
        {HOUSE: state.house_net, **{seat: state.net(seat) for seat in seats}},
        logged(driven.operations),
        as_carried(state.known_cards, state.commission, history),
    )


def summary(rules: PuntoBancoRules) -> str:
    """The rules in one line."""
    packs = f"{rules.decks} deck{'s' if rules.decks > 1 else ''}"
    six = f", Banker's 6 pays {rules.banker_six_pays}" if rules.banker_six_pays != rules.banker_pays else ""
    when = "" if rules.commission_taken == "later" else " at once"
    taken = f"{format_amount(rules.commission)} % commission{when}" if rules.commission else "no commission"
    limits = f"bets {format_amount(rules.minimum)} to {format_amount(rules.maximum)}"
    return f"{packs}, {taken}{six}, tie {rules.tie_pays}, pairs {rules.pair_pays}, {limits}"


def _history(driven: Driven) -> tuple[CoupResult, ...]:
    """The scoreboard with this coup, once it is decided."""
    state = driven.round
    if state.coup.result is None or state.called_off:
        return driven.start.history
    return (*driven.start.history, CoupResult.of(state.coup))


def _step_words(driven: Driven, step: Step) -> str:
    if driven.unread is not None and not driven.round.called_off:
        side = next(side for side, place in PLACES.items() if place == driven.unread.place)
        if driven.unread.up:
            return f"A card of {side.words}'s cannot be read: name it."
        return f"Turn {side.words}'s card up."
    return step.words


def _step_place(step: Step) -> Place | None:
    if step.side is not None:
        return PLACES[step.side]
    return bet_place(step.seat, step.bet) if step.seat is not None and step.bet is not None else None


GAME: Final[TableGame] = StandardGame(
    name="punto-banco",
    title="Punto banco",
    seats=14,
    house=("Player", "Banker"),
    seats_hold_cards=False,
    named=PRESETS,
    reading=load_rules,
    told=TOLD,
    in_words=summary,
    playing=play,
    bets=betting,
)
