"""Every player's points and contracts, added up deal by deal, with what those who join late begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.games.rummy.sheet.operations import Opening
from advisor.games.rummy.sheet.values import DealRecord, DealState, Player


@dataclass(frozen=True)
class Tally:
    """What has added up, by the players' numbers."""

    totals: Mapping[int, int]
    scores: Mapping[int, int]
    """How many scores that count."""
    met: Mapping[int, int]
    """How many contracts were met; who joins late is as far as the last of the others then."""
    openings: Mapping[tuple[int, int], int]
    """By player and deal: what a player who joined in that deal began with, on top of the total from before."""


def tally(
    players: Sequence[Player], deals: Sequence[DealRecord], before: int | None = None, joins: bool = False
) -> Tally:
    """The sums over the deals before that one, or over all; `joins` adds what those who join in that one begin with."""
    totals = {player.number: 0 for player in players}
    scores, met = dict(totals), dict(totals)
    openings: dict[tuple[int, int], int] = {}
    # Somebody may have joined for a deal that was then never played.
    last = len(deals) + 1 if before is None else before if joins else before - 1
    for number in range(1, last + 1):
        began = {
            player.number: stint
            for player in players
            for stint in player.stints
            if stint.first == number and stint.holds(number) and stint.others
        }
        points, contracts = dict(totals), dict(met)
        for player, stint in began.items():
            if stint.opening is Opening.HIGHEST:
                highest = max(points[other] for other in stint.others)
                # Who comes back never gets a better total than the one from before.
                came_back = any(other.stints[0].first < number for other in players if other.number == player)
                openings[player, number] = (max(highest, points[player]) if came_back else highest) - points[player]
                totals[player] += openings[player, number]
            met[player] = max(met[player], min(contracts[other] for other in stint.others))
        if number in (before, len(deals) + 1) or deals[number - 1].state is DealState.VOID:
            continue
        for player, entry in deals[number - 1].entries:
            totals[player] += entry.points
            scores[player] += 1
            met[player] += entry.met is True
    return Tally(totals, scores, met, openings)
