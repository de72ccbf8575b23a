"""A score sheet as it stands, and what follows: totals, dealer, contract, who is missing, ahead or has won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from advisor.games.rummy.contract import Contract
from advisor.games.rummy.sheet.operations import tidy
from advisor.games.rummy.sheet.tally import tally
from advisor.games.rummy.sheet.values import DealRecord, DealState, Player
from advisor.games.rummy.variant import Variant


@dataclass(frozen=True, slots=True)
class SheetState:
    """A score sheet as it stands. Names that its properties give are in seating order."""

    variant: Variant
    length: int | None
    """See `StartGame.deals`."""
    players: tuple[Player, ...]
    """Everybody ever seated, in seating order to the left."""
    deals: tuple[DealRecord, ...] = ()
    """Every deal so far; the last is the one being played unless the game is over."""
    closed: bool = False
    """Whether the game was ended before its last deal."""

    def find(self, name: str) -> Player | None:
        """The player of that name, whatever its case."""
        wanted = tidy(name).casefold()
        return next((player for player in self.players if player.name.casefold() == wanted), None)

    def by_number(self, number: int) -> Player:
        """The player with that number."""
        return next(player for player in self.players if player.number == number)

    def record(self, deal: int) -> DealRecord | None:
        """The deal of that number, if it has been reached."""
        return self.deals[deal - 1] if 1 <= deal <= len(self.deals) else None

    @property
    def current(self) -> DealRecord | None:
        """The deal being played; None once the game is over."""
        last = self.deals[-1] if self.deals else None
        return last if last is not None and last.state is DealState.PLAYING else None

    def playing(self, deal: int) -> tuple[Player, ...]:
        """Who plays in that deal."""
        return tuple(player for player in self.players if player.plays(deal))

    @property
    def missing(self) -> tuple[str, ...]:
        """Who has no score in the deal being played."""
        deal = self.current
        return () if deal is None else tuple(p.name for p in self.playing(deal.number) if deal.entry(p) is None)

    # Contracts

    def contract_number(self, deal: int, player: Player | None = None) -> int:
        """Which contract of the variant, from 1, a deal asks for: of everybody, or of the player.

        The two differ only where a contract not met stays for the next deal.
        """
        if player is not None and self.variant.carry_over_contract:
            return min(self.met(player, deal) + 1, len(self.variant.deals))
        return (deal - 1) % len(self.variant.deals) + 1

    def contract(self, deal: int, player: Player | None = None) -> Contract:
        """The contract itself; see `contract_number`."""
        return self.variant.deal(self.contract_number(deal, player)).contract

    def met(self, player: Player, before: int | None = None) -> int:
        """How many contracts the player had met before that deal, or has met by now.

        Who joins late is as far as the last of the others then.
        """
        return tally(self.players, self.deals, before, joins=True).met[player.number]

    # Totals

    def total(self, player: Player, before: int | None = None) -> int:
        """The player's points in the deals before that one, or in all deals, with what a late start began with."""
        return tally(self.players, self.deals, before).totals[player.number]

    def opening(self, player: Player, deal: int) -> int:
        """What the player, who joined in that deal, began with on top of the total from before; 0 for others."""
        return tally(self.players, self.deals).openings.get((player.number, deal), 0)

    @property
    def totals(self) -> Mapping[str, int]:
        """Everybody's points by name: all scores recorded so far, those of the deal being played among them."""
        totals = tally(self.players, self.deals).totals
        return MappingProxyType({p.name: totals[p.number] for p in self.players if p.stints})

    # Who deals, who is ahead

    @property
    def dealer(self) -> str | None:
        """Who deals the deal being played; None once the game is over."""
        return None if self.current is None else self.by_number(self.current.dealer).name

    @property
    def next_dealer(self) -> str | None:
        """Who deals after that, if there is another deal and nobody comes or goes."""
        deal = self.current
        if deal is None or (self.length is not None and self.length == deal.number):
            return None
        if self.length is None and not self.variant.carry_over_contract and deal.number == len(self.variant.deals):
            return None
        return self.by_number(self.left_of(deal.dealer, deal.number + 1)).name

    def left_of(self, number: int, deal: int) -> int:
        """The number of the first player to that player's left who plays in the deal."""
        seat = next(seat for seat, player in enumerate(self.players) if player.number == number)
        round_the_table = (*self.players[seat + 1 :], *self.players[: seat + 1])
        return next(player.number for player in round_the_table if player.plays(deal))

    @property
    def ranking(self) -> tuple[tuple[str, int], ...]:
        """Who has not left and has a score that counts, over the deals that have ended, and the total, lowest first;
        but where contracts carry over who has met most ("first to complete 12; tie by fewer points", 12-Step)."""
        return tuple((name, total) for name, total, _ in self._standings)

    @property
    def leaders(self) -> tuple[str, ...]:
        """Who is ahead after the deals that have ended: the first of the ranking, or several who share that."""
        standings = self._standings
        return tuple(name for name, total, met in standings if (total, met) == standings[0][1:])

    @property
    def _standings(self) -> list[tuple[str, int, int]]:
        """Name, total, and contracts met where these decide, else 0."""
        now = tally(self.players, self.deals)
        before = None if self.current is None else self.current.number
        held = []
        for player in self.players:
            unfinished = None if self.current is None else self.current.entry(player)
            scores = now.scores[player.number] - (unfinished is not None)
            if player.playing and scores:
                total = now.totals[player.number] - (unfinished.points if unfinished else 0)
                met = self.met(player, before) if self.variant.carry_over_contract else 0
                held.append((player.name, total, met))
        return sorted(held, key=lambda each: (-each[2], each[1]))

    @property
    def finished(self) -> bool:
        """Whether no deal follows those so far, by the length of the game."""
        if self.closed:
            return True
        if self.length is not None:
            return 0 < self.length <= len(self.deals)
        if self.variant.carry_over_contract:
            return any(self.met(player) >= len(self.variant.deals) for player in self.players)
        return len(self.deals) >= len(self.variant.deals)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.current is None

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won: nobody before the end or without a score, several who share the first place."""
        return self.leaders if self.over else ()
