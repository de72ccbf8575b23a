"""What a round changes at one spot: each bet that lay there with how it ended, as a dealer says it, made one amount."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from advisor.money.amounts import MoneyError, format_amount, odds_text, parse_amount
from advisor.money.outcomes import DOUBLES, Outcome, PayingRules, outcome_odds

COLOUR_UP: Final = "colour-up"
"""Chips changed for higher ones: nothing is won or lost, the worth must stay the same."""
INSURANCE_LOST: Final = "insurance-lose"
MOST_STACKS: Final = 12
"""More stacks and loose chips at one spot than these are not told apart into bets."""


@dataclass(frozen=True, slots=True)
class _Ending:
    outcome: Outcome | None
    """None for a colour-up, which is no outcome of a bet."""
    share: Fraction = Fraction(1)
    """How large it is, taking the spot's first bet as 1."""


_ENDINGS: Final[Mapping[str, _Ending]] = MappingProxyType(
    {
        **{str(it): _Ending(it, Fraction(1, 2) if it is Outcome.INSURANCE else Fraction(1)) for it in Outcome},
        **{f"double-{it}": _Ending(it, Fraction(2)) for it in Outcome if it in DOUBLES},
        INSURANCE_LOST: _Ending(Outcome.LOSE, Fraction(1, 2)),
        COLOUR_UP: _Ending(None),
    }
)
ENDINGS: Final = tuple(_ENDINGS)
"""The names by which a bet's end is called: every `Outcome`, doubled ones, a lost insurance, a colour-up."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How one bet ended; ``bet`` is all that lay on it, None where that is to be worked out from the chips."""

    name: str
    bet: Fraction | None = None

    def __post_init__(self) -> None:
        if self.name not in _ENDINGS:
            raise MoneyError(f"no bet ends with {self.name[:40]!r}: say one of {', '.join(ENDINGS)}")
        if self.bet is not None and self.bet <= 0:
            raise MoneyError(f"{self.name}={format_amount(self.bet)} cannot be: a bet is more than 0")

    @property
    def stacks(self) -> int:
        """How many stacks it is made of at least, where bets are put down as they should be."""
        return 2 if self.share == 2 else 1

    @property
    def share(self) -> Fraction:
        """How large it is, taking the spot's first bet as 1."""
        return _ENDINGS[self.name].share

    def gain(self, rules: PayingRules) -> Fraction:
        """What it brings its player, as a multiple of the bet; -1 where it is lost.

        Raises `MoneyError` for an outcome that the rules do not have.
        """
        outcome = _ENDINGS[self.name].outcome
        if self.name == INSURANCE_LOST:
            outcome_odds(Outcome.INSURANCE, rules)
        match outcome:
            case None:
                return Fraction(0)
            case Outcome.LOSE:
                return Fraction(-1)
            case Outcome.SURRENDER:
                outcome_odds(outcome, rules)
                return Fraction(-1, 2)
            case _:
                return outcome_odds(outcome, rules)

    def words(self, bet: Fraction, rules: PayingRules) -> str:
        """What it owes, such as "blackjack on 5 pays 7.50 at 3:2"."""
        gain, on = self.gain(rules), f"{self.name} on {format_amount(bet)}"
        if self.name == COLOUR_UP:
            return f"{on} stays {format_amount(bet)}"
        if gain == -1:
            return f"{on} goes to the rack"
        if gain < 0:
            return f"{on} gives {format_amount(bet + bet * gain)} back"
        return f"{on} pays {format_amount(bet * gain)} at {odds_text(gain)}" if gain else f"{on} pays nothing"


def parse_ended(text: str) -> tuple[Ended, ...]:
    """How the bets of a spot ended: "blackjack", "win,double-lose", "win=10,lose=15". Raises `MoneyError`."""
    found = []
    for part in text.split(","):
        name, named, amount = part.strip().partition("=")
        found.append(Ended(name.strip().lower(), parse_amount(amount) if named else None))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Settling:
    """What a round changes at a spot."""

    bets: tuple[Fraction, ...]
    """What lay on each, in order."""
    gains: tuple[Fraction, ...]
    """What each brings, as a multiple of its bet."""
    firsts: tuple[Fraction, ...]
    """What each began with, a doubled one's first stack; insurance and colour-up left out. For the limits of bets."""
    added: Fraction
    """What the player put down beside the chips that were counted."""
    words: tuple[str, ...]
    doubt: str = ""
    """Why the bets cannot be told from the chips counted; the amounts are then a guess."""
    coloured_up: bool = False
    """Whether chips were to be changed for others of the same worth."""

    @property
    def net(self) -> Fraction:
        """What the player wins or loses in all."""
        return sum((bet * gain for bet, gain in zip(self.bets, self.gains, strict=True)), Fraction(0))

    @property
    def pays(self) -> bool:
        """Whether anything is paid out."""
        return any(gain > 0 for gain in self.gains)

    @property
    def only_adds(self) -> bool:
        """Whether all chips of the bets stay, so that what is paid is what came to them."""
        return not self.added and all(gain >= 0 for gain in self.gains)


def settle(
    counted: Fraction,
    ended: Sequence[Ended],
    rules: PayingRules,
    *,
    stacks: Sequence[Fraction] | None = None,
    first_bet: bool = False,
) -> Settling:
    """How the bets at a spot are settled on which chips worth ``counted`` lay.

    The chips are all that is at stake just before paying, doubled and split bets included; with ``first_bet`` they are
    the one bet as it lay at the deal. Bets of which nobody says how large they are, are shares of one first bet: a
    doubled one is two, insurance a half. ``stacks`` is what each stack is worth, where that is known: bets that they
    do not show are a doubt. Raises `MoneyError` for no bets, no chips, and outcomes that the rules do not have.
    """
    if not ended:
        raise MoneyError(f"how the bets ended is missing: say one of {', '.join(ENDINGS)}")
    if counted <= 0:
        raise MoneyError("there is no bet to settle: it has no chips")
    gains = tuple(it.gain(rules) for it in ended)
    named = sum((it.bet for it in ended if it.bet is not None), Fraction(0))
    shares = sum((it.share for it in ended if it.bet is None), Fraction(0))
    left = counted - named
    share = left / shares if shares and left > 0 else Fraction(0)
    first = counted if first_bet else share
    bets = tuple(first * it.share if it.bet is None else it.bet for it in ended)
    stake = sum(bets, Fraction(0))
    firsts = tuple(
        bet / it.share if it.share > 1 else bet
        for it, bet in zip(ended, bets, strict=True)
        if it.share >= 1 and it.name != COLOUR_UP
    )
    doubt = ""
    if not all(bets):
        doubt = (
            f"the bets named come to {format_amount(named)}, and of {format_amount(counted)} nothing is left for others"
        )
    elif stake < counted if first_bet else stake != counted:
        doubt = f"the bets named come to {format_amount(stake)}, and {format_amount(counted)} is seen"
    elif shares and not first_bet:
        doubt = _not_shown(ended, first, gains, stacks if not named else None)
        if not doubt and len(set(gains)) > 1 and any(bet % rules.unit for bet in firsts):
            doubt = (
                f"{format_amount(counted)} does not come apart into such bets of whole units of "
                f"{format_amount(rules.unit)}: name what lay on each bet"
            )
    words = tuple(it.words(bet, rules) for it, bet in zip(ended, bets, strict=True))
    coloured_up = any(it.name == COLOUR_UP for it in ended)
    return Settling(bets, gains, firsts, stake - counted, words, doubt, coloured_up)


def _not_shown(
    ended: Sequence[Ended], first: Fraction, gains: Sequence[Fraction], stacks: Sequence[Fraction] | None
) -> str:
    """Why the stacks are not the bets that are shares of ``first``; empty where they may well be."""
    parts = [first * it.share / it.stacks for it in ended for _ in range(it.stacks)]
    if stacks is None or len(parts) == 1:
        return ""
    called = ", ".join(it.name for it in ended)
    to_do = "name what lay on each bet, or say that the picture shows the first bet only"
    if len(stacks) < len(parts):
        count = "one is" if len(stacks) == 1 else f"{len(stacks)} are"
        return f"at least {len(parts)} stacks are expected before paying ({called}) and {count} seen: {to_do}"
    if len(set(gains)) > 1 and not _made_of(parts, stacks):
        worths = ", ".join(format_amount(worth) for worth in stacks)
        return f"the stacks seen before paying ({worths}) are not the bets of {called}: {to_do}"
    return ""


def _made_of(parts: Sequence[Fraction], stacks: Sequence[Fraction]) -> bool:
    """Whether the stacks, each whole, can be laid together so that they make the parts; no, where they are many."""
    if len(stacks) > MOST_STACKS:
        return False
    missing = {tuple(sorted(parts))}
    for worth in sorted(stacks, reverse=True):
        missing = {
            tuple(sorted((*rest[:at], rest[at] - worth, *rest[at + 1 :])))
            for rest in missing
            for at in range(len(rest))
            if rest[at] >= worth
        }
    return any(not any(rest) for rest in missing)
