"""The basic strategy chart as a picture: one self-contained page in the colours that players know."""

from __future__ import annotations

from html import escape
from textwrap import wrap
from types import MappingProxyType
from typing import Final

from advisor.games.blackjack.chart import CODES, UPCARDS, Chart
from advisor.games.blackjack.rules import FIELDS, HouseRules
from advisor.games.blackjack.values import VALUES

COLOURS: Final = MappingProxyType({"S": "#f4d35e", "H": "#f7f7f2", "D": "#7fb685", "P": "#8fb8de", "R": "#e58f8f"})
"""By a code's first letter: stand yellow, hit white, double green, split blue, surrender red."""

_CELL_W, _CELL_H, _LEFT, _TOP = 46, 26, 108, 40
_LINE, _LETTERS = 17, 86
"""A line of the rules: its height in pixels, and how many letters it holds."""
_GROUPS: Final = ("Hard totals", "Soft hands", "Pairs")
_TEXT: Final = 'font-family="system-ui, sans-serif" fill="#1c1c1c"'


def svg(chart: Chart) -> str:
    """The chart as an SVG picture with its key and the rules that it is for."""
    rules = wrap(rules_text(chart.rules), _LETTERS)
    parts = [_text(8, _TOP + 6 + _LINE * line, words, 12) for line, words in enumerate(rules)]
    y = _TOP + _LINE * len(rules) + 12
    groups = _grouped(chart)
    for title, rows in groups:
        parts.append(_text(8, y + 17, title, 15, "bold"))
        for column, upcard in enumerate(UPCARDS):
            parts.append(_text(_LEFT + (column + 0.5) * _CELL_W, y + 17, VALUES[upcard], 14, "bold", "middle"))
        y += _CELL_H
        for row in rows:
            parts.append(_text(_LEFT - 10, y + 18, row, 14, "normal", "end"))
            for column, code in enumerate(chart.rows[row]):
                x = _LEFT + column * _CELL_W
                colour = COLOURS[code[0]]
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{_CELL_W}" height="{_CELL_H}" fill="{colour}" stroke="#8a8a85">'
                    f"<title>{escape(f'{row} against {VALUES[UPCARDS[column]]}: {CODES[code]}')}</title></rect>"
                )
                parts.append(_text(x + _CELL_W / 2, y + 18, code, 14, "normal", "middle"))
            y += _CELL_H
        y += 12
    for code, words in CODES.items():
        if any(code in codes for codes in chart.rows.values()):
            parts.append(f'<rect x="8" y="{y}" width="34" height="18" fill="{COLOURS[code[0]]}" stroke="#8a8a85"/>')
            parts.append(_text(25, y + 14, code, 13, "normal", "middle"))
            parts.append(_text(50, y + 14, words, 13))
            y += 24
    width, height = _LEFT + len(UPCARDS) * _CELL_W + 12, y + 8
    head = _text(8, 24, "Basic strategy", 19, "bold")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="Basic strategy chart: {escape(rules_text(chart.rules))}">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>{head}{"".join(parts)}</svg>'
    )


def html(chart: Chart) -> str:
    """The picture as a page that prints on one sheet."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Basic strategy</title>'
        "<style>body{margin:1rem;display:grid;justify-content:center;background:#fff}"
        "svg{max-width:100%;height:auto}</style></head>"
        f"<body>{svg(chart)}</body></html>\n"
    )


def as_json(chart: Chart) -> dict[str, object]:
    """The chart as plain data: rules, rows by name with a code for each upcard, and what the codes mean."""
    return {
        "rules": rules_text(chart.rules),
        "rows": {
            row: {VALUES[upcard]: code for upcard, code in zip(UPCARDS, codes, strict=True)}
            for row, codes in chart.rows.items()
        },
        "codes": dict(CODES),
    }


def rules_text(rules: HouseRules) -> str:
    """The rules in a few words: decks, soft 17, and what differs from the usual table."""
    usual = HouseRules()
    shown = {"decks", "dealer_soft_17"}
    other = [
        f"{field.replace('_', ' ')} {_word(getattr(rules, field))}"
        for field in FIELDS
        if field not in shown | {"minimum", "maximum", "unit"} and getattr(rules, field) != getattr(usual, field)
    ]
    decks = "1 deck" if rules.decks == 1 else f"{rules.decks} decks"
    return ", ".join([decks, f"dealer {rules.dealer_soft_17}s on soft 17", *other])


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _grouped(chart: Chart) -> list[tuple[str, list[str]]]:
    """The chart's rows under their headings; a pair of aces is a pair, not a soft hand."""
    kinds: dict[str, list[str]] = {title: [] for title in _GROUPS}
    for row in chart.rows:
        first, _, second = row.partition(",")
        title = "Pairs" if first == second else "Soft hands" if first == "A" else "Hard totals"
        kinds[title].append(row)
    return list(kinds.items())


def _text(x: float, y: float, words: str, size: int, weight: str = "normal", anchor: str = "start") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" {_TEXT}>'
        f"{escape(words)}</text>"
    )
