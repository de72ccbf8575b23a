"""A score sheet as one page to look at and to print; it needs nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Final

from advisor.games.rummy.sheet.operations import Source
from advisor.games.rummy.sheet.play import Sheet
from advisor.games.rummy.sheet.tally import tally
from advisor.games.rummy.sheet.values import DealRecord, DealState, Player
from advisor.games.rummy.sheet.views import cell, joined
from advisor.games.rummy.sheet.words import deal_words, listed, next_words, points_words

_STYLE: Final = """
:root{color-scheme:light}
body{font:16px/1.4 system-ui,sans-serif;color:#1c1c1c;background:#fff;margin:1.5rem auto;max-width:70rem;padding:0 1rem}
h1{font-size:1.5rem;margin:0}
p{margin:.3rem 0 .8rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
caption{text-align:left;padding:.2rem 0}
th,td{border:1px solid #77776f;padding:.3rem .5rem;text-align:right;vertical-align:top}
thead th,tfoot td,tfoot th{background:#ecebe4}
th.words,td.words{text-align:left;overflow-wrap:break-word}
th.name{overflow-wrap:anywhere;min-width:4.5rem}
.now{background:#fff6d8}
.void td{color:#6b6b66;text-decoration:line-through}
.ahead{font-weight:bold;text-decoration:underline}
small{display:block;color:#55554f;white-space:nowrap}
@media print{
@page{size:A4 landscape;margin:12mm}
body{margin:0;max-width:none;padding:0;font-size:11pt}
.wide{overflow:visible}
th.name{min-width:0}
.now{background:none}
thead{display:table-header-group}
tfoot{display:table-row-group}
tr{break-inside:avoid}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
"""


def html(sheet: Sheet, name: str = "") -> str:
    """The page. Deals still to come have empty lines, to be filled in with a pencil; `name` is the sheet's own."""
    title = f"{name}: {sheet.variant.title}" if name else sheet.variant.title
    heads = "".join(f'<th scope="col" class="name">{_name(sheet, player)}</th>' for player in sheet.players)
    totals = "".join(f"<td>{sheet.total(player)}</td>" for player in sheet.players)
    left = [player.name for player in sheet.players if not player.playing]
    note = f"<p>Not playing: {escape(listed(left))}.</p>" if left else ""
    ahead = ""
    if sheet.leaders and not sheet.over:
        ahead = f" Ahead: {listed(sheet.leaders)} with {points_words(sheet.ranking[0][1])}."
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1><p>{escape(next_words(sheet) + ahead)}</p>{note}"
        '<div class="wide"><table><caption>Points of each deal, and the total after it</caption>'
        '<thead><tr><th scope="col">Deal</th><th scope="col" class="words">Contract</th>'
        f'<th scope="col" class="words">Dealer</th>{heads}</tr></thead><tbody>{_rows(sheet)}</tbody>'
        f'<tfoot><tr><th scope="row" colspan="3" class="words">Total</th>{totals}</tr></tfoot></table></div>'
        "</body></html>\n"
    )


def _name(sheet: Sheet, player: Player) -> str:
    name = escape(player.name)
    return f'<span class="ahead">{name}</span>' if player.name in sheet.leaders else name


def _rows(sheet: Sheet) -> str:
    rows = []
    for number in range(1, len(sheet.deals) + 2):
        begun = joined(sheet, number)
        if begun:
            cells = "".join(f"<td>{begun.get(player.number, '')}</td>" for player in sheet.players)
            rows.append(f'<tr><td></td><td class="words" colspan="2">joined with</td>{cells}</tr>')
        deal = sheet.record(number)
        if deal is not None:
            rows.append(_deal(sheet, deal))
    for number in range(len(sheet.deals) + 1, _length(sheet) + 1):
        contract = escape(sheet.contract(number).words)
        empty = "<td>&nbsp;</td>" * len(sheet.players)
        rows.append(f'<tr><td>{number}</td><td class="words">{contract}</td><td></td>{empty}</tr>')
    return "".join(rows)


def _length(sheet: Sheet) -> int:
    """How many deals the game will have, as far as that is known."""
    if sheet.over or (sheet.length is None and sheet.variant.carry_over_contract):
        return 0
    return len(sheet.variant.deals) if sheet.length is None else sheet.length


def _deal(sheet: Sheet, deal: DealRecord) -> str:
    totals = tally(sheet.players, sheet.deals, deal.number + 1).totals
    kind = {DealState.PLAYING: ' class="now"', DealState.VOID: ' class="void"'}.get(deal.state, "")
    dealer = escape(sheet.by_number(deal.dealer).name)
    cells = []
    for player in sheet.players:
        entry = deal.entry(player)
        small = ""
        if entry is not None and deal.state is not DealState.VOID:
            mark = " 📷" if entry.source is Source.PHOTO else ""
            small = f"<small>{totals[player.number]}{mark}</small>"
        shown = cell(deal, player)
        cells.append(f"<td>{'' if shown == '-' else escape(shown)}{small}</td>")
    contract = escape(deal_words(sheet, deal.number))
    return (
        f'<tr{kind}><td>{deal.number}</td><td class="words">{contract}</td>'
        f'<td class="words">{dealer}</td>{"".join(cells)}</tr>'
    )
