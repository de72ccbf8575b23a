"""A score sheet as plain data, as a table for a spreadsheet, and as a table in plain text."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from advisor.games.rummy.sheet.log import as_dict
from advisor.games.rummy.sheet.play import Sheet
from advisor.games.rummy.sheet.tally import tally
from advisor.games.rummy.sheet.values import DealRecord, DealState, Entry, Player
from advisor.games.rummy.sheet.words import deal_words, listed, next_words, points_words

_FORMULA = ("=", "+", "-", "@")


def as_json(sheet: Sheet, *, operations: bool = False) -> dict[str, Any]:
    """Everything on the sheet as plain data, with `operations` also the log that it comes from."""
    deal = sheet.current
    data: dict[str, Any] = {
        "variant": sheet.variant.name,
        "title": sheet.variant.title,
        "over": sheet.over,
        "winners": list(sheet.winners),
        "ahead": list(sheet.leaders),
        "deal": None if deal is None else deal.number,
        "dealer": sheet.dealer,
        "next_dealer": sheet.next_dealer,
        "contract": None if deal is None else _contract(sheet, deal),
        "missing": list(sheet.missing),
        "next": next_words(sheet),
        "can_undo": sheet.last is not None,
        "can_redo": bool(sheet.undone),
        "players": [_player_json(sheet, player) for player in sheet.players],
        "deals": [_deal_json(sheet, each) for each in sheet.deals],
    }
    return data | ({"operations": [as_dict(each) for each in sheet.log]} if operations else {})


def _player_json(sheet: Sheet, player: Player) -> dict[str, Any]:
    found = {"name": player.name, "playing": player.playing, "total": sheet.total(player)}
    if sheet.variant.carry_over_contract:
        found["contracts_met"] = sheet.met(player)
    return found


def _contract(sheet: Sheet, deal: DealRecord) -> str | dict[str, str]:
    """The deal's contract, or, where each player may be on another, everybody's by name."""
    if not sheet.variant.carry_over_contract:
        return str(sheet.contract(deal.number))
    return {player.name: str(sheet.contract(deal.number, player)) for player in sheet.playing(deal.number)}


def _deal_json(sheet: Sheet, deal: DealRecord) -> dict[str, Any]:
    names = {player.number: player.name for player in sheet.players}
    totals = tally(sheet.players, sheet.deals, deal.number + 1).totals
    return {
        "deal": deal.number,
        "state": str(deal.state),
        "dealer": names[deal.dealer],
        "contract": _contract(sheet, deal),
        "joined": {names[number]: points for number, points in joined(sheet, deal.number).items()},
        "scores": [
            {"player": names[number], **_entry_json(entry), "total": totals[number]} for number, entry in deal.entries
        ],
    }


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {
        "points": entry.points,
        "hand": entry.hand,
        "bonus": entry.bonus,
        "bonuses": list(entry.bonuses),
        "cards": None if entry.cards is None else [str(card) for card in entry.cards],
        "out": entry.out,
        "met": entry.met,
        "source": str(entry.source),
        "image": entry.image or None,
    }


def joined(sheet: Sheet, deal: int) -> Mapping[int, int]:
    """What those who joined in that deal began with, by their numbers."""
    openings = tally(sheet.players, sheet.deals).openings
    return {number: points for (number, began), points in openings.items() if began == deal}


def as_csv(sheet: Sheet) -> str:
    """A table for a spreadsheet: a line for each deal, a column for each player, the totals last.

    The numbers of a column add up to its total: a line "joined" has what a late start began with, and a void deal has
    no numbers.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["deal", "state", "contract", "dealer", *(_safe(player.name) for player in sheet.players)])
    for number in range(1, len(sheet.deals) + 2):
        begun = joined(sheet, number)
        if begun:
            writer.writerow([number, "joined", "", "", *(begun.get(player.number, "") for player in sheet.players)])
        deal = sheet.record(number)
        if deal is not None:
            points: list[int | str] = [_number(deal, player) for player in sheet.players]
            dealer = _safe(sheet.by_number(deal.dealer).name)
            writer.writerow([number, str(deal.state), deal_words(sheet, number), dealer, *points])
    writer.writerow(["total", "", "", "", *(sheet.total(player) for player in sheet.players)])
    return out.getvalue()


def _safe(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{name}" if name.startswith(_FORMULA) else name


def _number(deal: DealRecord, player: Player) -> int | str:
    entry = deal.entry(player)
    return "" if entry is None or deal.state is DealState.VOID else entry.points


def cell(deal: DealRecord, player: Player) -> str:
    """A score in the fewest letters: "43", "out", "out -25", "void"; "-" where it is missing, nothing elsewhere."""
    entry = deal.entry(player)
    if deal.state is DealState.VOID:
        return "void" if player.plays(deal.number) else ""
    if entry is None:
        return "-" if player.plays(deal.number) else ""
    if entry.out:
        return f"out {entry.points}" if entry.points else "out"
    return str(entry.points)


def as_text(sheet: Sheet) -> str:
    """The sheet as a table in plain text, and in sentences who is ahead and what comes next."""
    rows = [["", "contract", "dealer", *(player.name for player in sheet.players)]]
    for number in range(1, len(sheet.deals) + 2):
        begun = joined(sheet, number)
        if begun:
            rows.append(["", "joined with", "", *(str(begun.get(p.number, "")) for p in sheet.players)])
        deal = sheet.record(number)
        if deal is not None:
            dealer = sheet.by_number(deal.dealer).name
            cells = (cell(deal, player) for player in sheet.players)
            rows.append([str(number), deal_words(sheet, number), dealer, *cells])
    rows.append(["", "total", "", *(str(sheet.total(player)) for player in sheet.players)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [f"{sheet.variant.title} ({sheet.variant.name})", ""]
    for row in rows:
        words = [text.ljust(width) for text, width in zip(row[:3], widths, strict=False)]
        numbers = [text.rjust(width) for text, width in zip(row[3:], widths[3:], strict=True)]
        lines.append("  ".join([*words, *numbers]).rstrip())
    gone = [player.name for player in sheet.players if not player.playing]
    lines += ["", *([f"Not playing: {listed(gone)}."] if gone else [])]
    if sheet.leaders and not sheet.over:
        lines.append(f"Ahead: {listed(sheet.leaders)} with {points_words(sheet.ranking[0][1])}.")
    return "\n".join([*lines, next_words(sheet)]) + "\n"
