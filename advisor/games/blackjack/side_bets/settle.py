"""What the cards on the table pay on a side bet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from advisor.games.blackjack.side_bets.bets import BETS, Draw, SideBet
from advisor.games.blackjack.side_bets.paytable import Paytable
from advisor.games.cards import Card


class MissingCards(ValueError):  # noqa: N818 - it is a state of the table, not a fault in the program
    """The cards so far do not decide the bet; the message says whose cards are needed."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a side bet ended."""

    outcome: str | None
    """The outcome's name; nothing where the cards make none."""
    pays: Fraction
    """The multiple of the bet paid on top of it; -1 where the bet is lost."""

    @property
    def won(self) -> bool:
        """Whether the bet is paid."""
        return self.pays > 0


def settle(bet: SideBet | str, table: Paytable, player: Sequence[Card], dealer: Sequence[Card] = ()) -> Settlement:
    """What the bet pays on the player's cards in the order dealt and the dealer's, the upcard first.

    Cards beyond those that decide are left out of account. Raises `MissingCards` where cards that decide are not
    there yet, `ValueError` for a paytable of another bet, `KeyError` for no such bet.
    """
    known = BETS[bet] if isinstance(bet, str) else bet
    if table.bet != known.name:
        raise ValueError(f"the paytable {table.name!r} is for {table.bet}, not for {known.name}")
    seen: tuple[Card, ...] = ()
    of_player = of_dealer = 0
    while isinstance(step := known.look(seen), Draw):
        for who, held, needed in (
            ("player", player, of_player + step.player),
            ("dealer", dealer, of_dealer + step.dealer),
        ):
            if len(held) < needed:
                cards = "card" if needed == 1 else f"{needed} cards"
                raise MissingCards(f"{known.title} needs the {who}'s first {cards} to be settled")
        seen += (
            *player[of_player : of_player + step.player],
            *dealer[of_dealer : of_dealer + step.dealer],
        )
        of_player, of_dealer = of_player + step.player, of_dealer + step.dealer
    paid = table.odds(step) if step is not None else Fraction(0)
    return Settlement(step, paid or Fraction(-1))
