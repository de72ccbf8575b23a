"""Blackjack's side bets: priced exactly for the cards still unseen, and settled by paytables that are data."""

from advisor.games.blackjack.side_bets.bets import BETS, Draw, SideBet
from advisor.games.blackjack.side_bets.paytable import (
    Paytable,
    PaytableError,
    default_paytable,
    paytables,
    read_paytables,
)
from advisor.games.blackjack.side_bets.price import OutcomePrice, Price, ShoeTooSmall, price
from advisor.games.blackjack.side_bets.settle import MissingCards, Settlement, settle
from advisor.games.blackjack.side_bets.shoe import FaceShoe

__all__ = [
    "BETS",
    "Draw",
    "FaceShoe",
    "MissingCards",
    "OutcomePrice",
    "Paytable",
    "PaytableError",
    "Price",
    "Settlement",
    "ShoeTooSmall",
    "SideBet",
    "default_paytable",
    "paytables",
    "price",
    "read_paytables",
    "settle",
]
