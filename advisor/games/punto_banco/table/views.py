"""A coup as the display shows it: the two hands with their reasons, the bets, the chances and the scoreboard."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from advisor.games.contract.driving import card_view, doubts
from advisor.games.contract.played import BetView, Fact, Grid, GridCell, HandView, Payment
from advisor.games.contract.story import Place
from advisor.games.punto_banco.bets import Bet, Outcome, Settlement, settle_bet, winning_odds
from advisor.games.punto_banco.odds import chances, house_edge
from advisor.games.punto_banco.round import PlacedBet, Step, StepKind, result_words
from advisor.games.punto_banco.round.state import RoundState
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.scoreboard import ROWS, CoupResult, bead_plate, big_road
from advisor.games.punto_banco.shoe import COUP, Shoe, remaining
from advisor.games.punto_banco.table.drive import PLACES, Driven, why_not
from advisor.games.punto_banco.table.start import marks
from advisor.games.punto_banco.tableau import Result, Side
from advisor.money.amounts import format_amount, odds_text

BET_NAMES: Final = MappingProxyType(
    {
        Bet.PLAYER: "Player",
        Bet.BANKER: "Banker",
        Bet.TIE: "Tie",
        Bet.PLAYER_PAIR: "Player pair",
        Bet.BANKER_PAIR: "Banker pair",
    }
)
BEADS: Final = 12
"""The least columns of the bead plate: a shoe of eight packs has some 80 coups."""
ROAD: Final = 24
"""The least columns of the big road."""


def bet_place(seat: int, bet: Bet) -> Place:
    """Where a bet is shown: each kind has a number of its own in its seat."""
    return Place(seat, list(Bet).index(bet) + 1)


def house_hands(driven: Driven) -> tuple[HandView, ...]:
    """Player and Banker, with why each draws or stands."""
    return tuple(_house_hand(driven, side) for side in Side)


def _house_hand(driven: Driven, side: Side) -> HandView:
    state, coup = driven.round, driven.round.coup
    cards, awaited = coup.cards(side), coup.next_card
    open_ = not (state.called_off or state.cleared)
    active = open_ and driven.step.kind in (StepKind.DEAL, StepKind.DRAW) and driven.step.side is side
    why: tuple[str, ...] = ()
    if coup.dealt >= 4:
        if awaited is not None and awaited.third and awaited.side is side:
            why = (f"{side.words} draws: {awaited.why}.",)
        elif len(cards) == 2 and (awaited is None or side is Side.PLAYER):
            why = (f"{side.words} stands: {why_not(coup, side)}.",)
        if coup.result is not None:
            why = (*why, f"{result_words(state)}.")
    total = coup.player_total if side is Side.PLAYER else coup.banker_total
    return HandView(
        PLACES[side],
        side.words,
        tuple(card_view(it) for it in driven.piles[side]),
        str(total) if cards else "",
        active,
        "done" if coup.result is not None else None,
        why=why,
        problems=doubts(driven.piles[side]),
    )


def bet_hands(state: RoundState, step: Step) -> tuple[HandView, ...]:
    """Every bet, with what it is owed once the coup is decided."""
    return tuple(_bet_hand(state, step, it) for it in state.bets)


def _bet_hand(state: RoundState, step: Step, placed: PlacedBet) -> HandView:
    settled = placed.settlement
    if settled is None and state.coup.result is not None:
        settled = settle_bet(state.rules, placed.bet, placed.amount, state.coup)
    payment = None
    if settled is not None:
        payment = Payment(settled.amount, _payment_words(state, placed, settled), placed.settlement is not None)
    return HandView(
        bet_place(placed.seat, placed.bet),
        f"Seat {placed.seat}: {BET_NAMES[placed.bet]}",
        active=(step.seat, step.bet) == (placed.seat, placed.bet),
        action="done" if placed.settlement is not None else None,
        bets=(BetView(placed.bet.value.replace("_", "-"), placed.amount),),
        payment=payment,
    )


def _payment_words(state: RoundState, placed: PlacedBet, settled: Settlement) -> str:
    match settled.outcome:
        case Outcome.LOSE:
            return "loses"
        case Outcome.PUSH:
            return "a tie: stays"
        case Outcome.CALLED_OFF:
            return "called off: given back"
    odds = winning_odds(state.rules, placed.bet, state.coup.banker_total)
    said = f"wins {odds_text(odds)}"
    if settled.commission:
        return f"{said}, {format_amount(settled.commission)} commission to mark"
    taken = placed.amount * odds - settled.amount
    return f"{said}, less {format_amount(taken)} commission" if taken else said


def facts(driven: Driven) -> tuple[Fact, ...]:
    """Commission owed, cards left, and the exact chances of this coup, or of the next where it is decided.

    The chances are the dealer's: they rest on every card of the shoe that the table has seen.
    """
    state = driven.round
    owed = [
        Fact(f"commission-{seat}", f"Seat {seat} owes commission", format_amount(amount))
        for seat, amount in state.commission.items()
    ]
    left = Fact("cards-left", "Cards left in the shoe", str(state.cards_left), count=True)
    return (*owed, left, *_chances(driven))


def _chances(driven: Driven) -> tuple[Fact, ...]:
    state = driven.round
    shoe = remaining(state.rules.decks, state.seen if state.coup.result is None else state.known_cards)
    return () if shoe.cards < COUP else _chances_of(state.rules, shoe)


@lru_cache(maxsize=64)
def _chances_of(rules: PuntoBancoRules, shoe: Shoe) -> tuple[Fact, ...]:
    found = chances(shoe)
    wins = {Bet.PLAYER: Result.PLAYER, Bet.BANKER: Result.BANKER, Bet.TIE: Result.TIE}
    shown = []
    for bet, name in BET_NAMES.items():
        chance = found.chance(wins[bet]) if bet in wins else found.pair
        edge = house_edge(rules, found, bet)
        key = bet.value.replace("_", "-")
        if chance is not None and edge is not None:
            shown.append(Fact(f"chance-{key}", f"Chance of {name}", _percent(chance), private=True))
            shown.append(Fact(f"edge-{key}", f"The house keeps of {name}", _percent(edge), private=True))
    return tuple(shown)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.4f} %"


def grids(history: tuple[CoupResult, ...]) -> tuple[Grid, ...]:
    """The bead plate and the big road."""
    beads = tuple(GridCell(it.column, it.row, it.coup.result.value, _coup_words(it.coup), marks(it.coup))
                  for it in bead_plate(history))  # fmt: skip
    road = big_road(history)
    cells = tuple(
        GridCell(
            it.column, it.row, it.coup.result.value, _coup_words(it.coup, it.ties), (*marks(it.coup), *_ties(it.ties))
        )
        for it in road.cells
    )
    if road.leading_ties:
        cells = (GridCell(0, 0, "tie", _coup_words(CoupResult(Result.TIE)), _ties(road.leading_ties)),)
    return (
        Grid("bead-plate", "Bead plate", max([BEADS, *(it.column + 1 for it in beads)]), ROWS, beads),
        Grid("big-road", "Big road", max(ROAD, road.columns), ROWS, cells),
    )


def _ties(count: int) -> tuple[str, ...]:
    return (f"ties-{count}",) if count else ()


def _coup_words(coup: CoupResult, ties: int = 0) -> str:
    said = "Tie" if coup.result is Result.TIE else f"{coup.result.value.capitalize()} wins"
    said += " with a natural" if coup.natural else ""
    pairs = [name for name, pair in (("Player", coup.player_pair), ("Banker", coup.banker_pair)) if pair]
    said += f", pair of {' and '.join(pairs)}" if pairs else ""
    return said + (f", then {ties} tie{'s' if ties > 1 else ''}" if ties else "")
