"""A blackjack hand: its total, whether an ace still counts eleven, and its words."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.games.blackjack.values import ACE, count_values, value_index
from advisor.games.cards import Card, parse_cards


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards held together, in the order dealt; the first card of a hand from a split is the one that was split.

    A hand `from_split` is never a blackjack: its ace and ten are an ordinary 21 (rules/blackjack.md).
    """

    cards: tuple[Card, ...]
    from_split: bool = False

    @classmethod
    def of(cls, text: str, *, from_split: bool = False) -> Hand:
        """The hand written as card text, such as "10H 6S"; raises `CardError` on text that is no card."""
        return cls(parse_cards(text), from_split)

    @property
    def hard_total(self) -> int:
        """The total with every ace as one."""
        return sum(value_index(card) + 1 for card in self.cards)

    @property
    def soft(self) -> bool:
        """Whether an ace counts eleven without passing 21."""
        return self.hard_total <= 11 and any(value_index(card) == ACE for card in self.cards)

    @property
    def total(self) -> int:
        """The best total: one ace as eleven where that does not pass 21."""
        return self.hard_total + 10 if self.soft else self.hard_total

    @property
    def bust(self) -> bool:
        """Whether the total passes 21."""
        return self.hard_total > 21

    @property
    def blackjack(self) -> bool:
        """Ace and ten-value in the first two cards of an unsplit hand."""
        return len(self.cards) == 2 and self.total == 21 and not self.from_split

    @property
    def pair(self) -> bool:
        """Two cards of one value; a king and a ten are a pair in value, though not of one rank."""
        return len(self.cards) == 2 and max(count_values(self.cards)) == 2

    @property
    def same_rank(self) -> bool:
        """Two cards of one rank; a king and a ten are not."""
        return len(self.cards) == 2 and self.cards[0].rank == self.cards[1].rank

    @property
    def text(self) -> str:
        """The hand in words: "soft 17", "hard 16", "blackjack", "bust 23"."""
        if self.blackjack:
            return "blackjack"
        if self.bust:
            return f"bust {self.total}"
        return f"{'soft' if self.soft else 'hard'} {self.total}"

    def __str__(self) -> str:
        return self.text
