"""The bets of punto banco, and what each comes to when the coup is over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from advisor.games.punto_banco.rules import SPECIAL_TOTAL, PuntoBancoRules
from advisor.games.punto_banco.tableau import Coup, Result, Side
from advisor.games.rule_fields import ratio


class Bet(StrEnum):
    """What can be bet on."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    PLAYER_PAIR = "player_pair"
    BANKER_PAIR = "banker_pair"

    @property
    def words(self) -> str:
        """The bet in a sentence, such as "the Player pair"."""
        if self is Bet.TIE:
            return "the tie"
        side, _, pair = self.value.partition("_")
        return f"the {side.capitalize()} pair" if pair else side.capitalize()


class Outcome(StrEnum):
    """How a bet ended."""

    WIN = "win"
    BANKER_SIX = "banker six"
    """A win of Banker with 6, where that has odds of its own."""
    PUSH = "push"
    """A tie leaves bets on Player and Banker where they are."""
    LOSE = "lose"
    CALLED_OFF = "called off"


class UnfinishedCoup(ValueError):  # noqa: N818 - it names what is the matter, as the callers say it
    """A bet cannot be settled yet: cards are still to come."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a bet ended and what it comes to."""

    outcome: Outcome
    amount: Fraction
    """What moves now: positive what the seat is paid, negative what is collected, 0 where nothing moves."""
    commission: Fraction = Fraction(0)
    """What the seat owes of it later."""


def winning_odds(rules: PuntoBancoRules, bet: Bet, banker_total: int) -> Fraction:
    """What the bet pays when it wins, before commission, as a multiple of it."""
    match bet:
        case Bet.PLAYER:
            return ratio(rules.player_pays)
        case Bet.BANKER:
            return rules.banker_odds(banker_total)
        case Bet.TIE:
            return ratio(rules.tie_pays)
        case Bet.PLAYER_PAIR | Bet.BANKER_PAIR:
            return ratio(rules.pair_pays)


def settle_bet(rules: PuntoBancoRules, bet: Bet, amount: Fraction, coup: Coup) -> Settlement:
    """What a bet comes to; raises `UnfinishedCoup` while cards are still to come."""
    result = coup.result
    if result is None:
        raise UnfinishedCoup("the coup is not finished: a card is still to come")
    if bet in (Bet.PLAYER, Bet.BANKER):
        if result is Result.TIE:
            return Settlement(Outcome.PUSH, Fraction(0))
        won = result.value == bet.value
    elif bet is Bet.TIE:
        won = result is Result.TIE
    else:
        won = coup.pair(Side.PLAYER if bet is Bet.PLAYER_PAIR else Side.BANKER)
    if not won:
        return Settlement(Outcome.LOSE, -amount)
    winnings = amount * winning_odds(rules, bet, coup.banker_total)
    if bet is not Bet.BANKER:
        return Settlement(Outcome.WIN, winnings)
    special = coup.banker_total == SPECIAL_TOTAL and rules.banker_six_pays != rules.banker_pays
    outcome = Outcome.BANKER_SIX if special else Outcome.WIN
    commission = winnings * rules.commission_rate
    if rules.commission_taken == "at-once":
        return Settlement(outcome, winnings - commission)
    return Settlement(outcome, winnings, commission)
