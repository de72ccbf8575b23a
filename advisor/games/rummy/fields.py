"""A variant's fields from plain data: what a TOML file holds, or text from a command line; and back again.

Lists of tables have a short text form too, so that every field can be given in one word or sentence:
``packs = "3-4: 2+1; 5-8: 3+2"`` (players: packs of 52 + jokers) and ``deals = "10: S3 S3; 10: S3 R4"`` (cards dealt:
contract).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Final

from advisor.games.cards import RANKS
from advisor.games.rummy.contract import ContractError, parse_contract
from advisor.games.rummy.variant import (
    CHOICES,
    FIELDS,
    NO_LIMIT,
    Deal,
    Packs,
    Points,
    Range,
    Variant,
    VariantError,
    error,
)

OPTIONAL: Final = frozenset({"note", "uncertain", "bonuses"})
"""Fields that a file may leave out: there is nothing to tell then."""
POINT_FIELDS: Final = tuple(f.name for f in fields(Points) if f.name != "ranks")
_NONE_WORDS: Final = frozenset({"any", "none", "no limit", "unlimited"})
_WILD_WORDS: Final = {"jokers": "joker", "deuces": "2", "twos": "2", "deuce": "2"}
NAMED: Final = 5
"""So many missing fields are named."""
_BOOL_WORDS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def from_data(name: str, data: Mapping[str, Any]) -> Variant:
    """The variant that a file's content describes; every field but `OPTIONAL` must be there.

    Raises `VariantError` naming the field that is unknown, missing or wrong.
    """
    _known("variant", data, tuple(f for f in FIELDS if f != "name"))
    missing = [f for f in FIELDS if f not in data and f not in OPTIONAL and f != "name"]
    if missing:
        named = " and no ".join(missing[:NAMED])
        more = f", and {len(missing) - NAMED} fields more are not there" if len(missing) > NAMED else ""
        raise VariantError(
            f"the variant has no {named}{more}: give every field, or start from a variant that comes with tableside "
            '(variant = "contract-a") and give what differs'
        )
    if isinstance(data["points"], Mapping):
        lacking = [f for f in POINT_FIELDS if f not in data["points"]]
        if lacking:
            raise VariantError(f"the variant has no points.{' and no points.'.join(lacking)}: give what they count")
    return Variant(name=name, **{f: _READ[f](f, value) for f, value in data.items()})


def with_values(variant: Variant, values: Mapping[str, Any]) -> Variant:
    """The variant with some fields replaced: ``{"points.joker": "15", "meld_size": "at_least"}``.

    A dot names a part of points, bonuses or max_wilds_per_meld. Raises `VariantError`.
    """
    changed: dict[str, Any] = {}
    for path, value in values.items():
        name, dot, part = path.partition(".")
        if name not in FIELDS or name == "name":
            raise VariantError(f"unknown variant field {path!r}: the fields are {', '.join(f for f in FIELDS[1:])}")
        if not dot:
            changed[name] = _READ[name](name, value)
            continue
        base = as_data(replace(variant, **changed))[name]
        if not isinstance(base, dict) and name not in ("max_wilds_per_meld",):
            raise VariantError(f"variant field {name} has no part {part!r}: give it as a whole")
        parts = {**base} if isinstance(base, dict) else {}
        changed[name] = _READ[name](name, {**parts, part: value})
    return replace(variant, **changed)


def as_data(variant: Variant) -> dict[str, Any]:
    """The variant as plain data, as a file would hold it; `from_data` reads it back (``name`` is left out)."""
    data: dict[str, Any] = {f: getattr(variant, f) for f in FIELDS if f != "name"}
    data["players"] = _range_text(variant.players)
    data["uncertain"], data["wild"] = list(variant.uncertain), list(variant.wild)
    data["packs"] = []
    for packs in variant.packs:
        row: dict[str, Any] = {"players": _range_text(packs.players), "decks": packs.decks, "jokers": packs.jokers}
        data["packs"].append(row | ({"jokers_elsewhere": packs.jokers_elsewhere} if packs.jokers_elsewhere else {}))
    data["deals"] = []
    for deal in variant.deals:
        cards: int | str = ", ".join(f"{_range_text(span)}: {number}" for span, number in deal.cards)
        if len(deal.cards) == 1 and deal.cards[0][0] == EVERY:
            cards = deal.cards[0][1]
        row = {"cards": cards, "contract": str(deal.contract)}
        data["deals"].append(row | ({} if deal.buys is None else {"buys": _unlimited(deal.buys)}))
    data["points"] = {f: getattr(variant.points, f) for f in POINT_FIELDS} | dict(variant.points.ranks)
    limit = variant.max_wilds_per_meld
    data["max_wilds_per_meld"] = _unlimited(limit) if isinstance(limit, int) else dict(limit)
    data["buys_per_deal"] = _unlimited(variant.buys_per_deal)
    data["bonuses"] = dict(variant.bonuses)
    return data


EVERY: Final[Range] = (1, 12)
"""Any number of players."""


def _unlimited(number: int) -> int | str:
    return "any" if number == NO_LIMIT else number


def _range_text(span: Range) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]}-{span[1]}"


def _known(where: str, data: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    for name in data:
        if name not in allowed:
            raise VariantError(f"unknown field {name!r} in the {where}: the fields are {', '.join(allowed)}")


def _number(name: str, value: Any) -> int:
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,4}", value.strip()):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 9999:
        raise error(name, value, "a whole number")
    return value


def _points_number(name: str, value: Any) -> int:
    number = _number(name, value)
    if not 0 <= number <= 1000:
        raise error(name, value, "a whole number from 0 to 1000")
    return number


def _words(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise error(name, value, "words")
    return value.strip()


def _choice(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value  # the variant checks it
    text = value.strip().lower().replace("-", "_").replace(" ", "_")
    return _BOOL_WORDS.get(text, value) if isinstance(CHOICES[name][0], bool) else text


def _range(name: str, value: Any) -> Range:
    if isinstance(value, int) and not isinstance(value, bool):
        return (value, value)
    match = re.fullmatch(r"(\d{1,2})(?:\s*[-–]\s*(\d{1,2}))?", value.strip()) if isinstance(value, str) else None
    if match is None:
        raise error(name, value, 'a number of players, or a range such as "3-8"')
    return (int(match[1]), int(match[2] or match[1]))


def _list(name: str, value: Any) -> list[Any]:
    if isinstance(value, str):
        return [part for part in re.split(r"[\s,]+", value.strip()) if part]
    if not isinstance(value, list | tuple):
        raise error(name, value, "a list")
    return list(value)


def _wild(name: str, value: Any) -> tuple[str, ...]:
    found = []
    for each in _list(name, value):
        text = str(each).strip().lower()
        if text not in _NONE_WORDS:
            found.append("joker" if text == "joker" else _WILD_WORDS.get(text, text.upper()))
    return tuple(dict.fromkeys(found))


def _packs(name: str, value: Any) -> tuple[Packs, ...]:
    rows = []
    for row in value.split(";") if isinstance(value, str) else _list(name, value):
        if isinstance(row, str):
            match = re.fullmatch(r"\s*([\d\s–-]+):\s*(\d+)\s*(?:\+\s*(\d+))?\s*", row)
            if match is None:
                raise error(name, row, 'players: packs + jokers, such as "3-4: 2+1; 5-8: 3+2"')
            row = {"players": match[1].strip(), "decks": int(match[2]), "jokers": int(match[3] or 0)}
        if not isinstance(row, Mapping):
            raise error(name, row, "a table with players, decks and jokers")
        _known("packs", row, ("players", "decks", "jokers", "jokers_elsewhere"))
        for key in ("players", "decks", "jokers"):
            if key not in row:
                raise VariantError(f"a line of the variant's packs has no {key}: give players, decks and jokers")
        numbers = {k: _number(f"packs.{k}", v) for k, v in row.items() if k != "players"}
        rows.append(Packs(players=_range("packs.players", row["players"]), **numbers))
    return tuple(rows)


def _deals(name: str, value: Any) -> tuple[Deal, ...]:
    rows: list[Any] = []
    for row in value.split(";") if isinstance(value, str) else _list(name, value):
        if isinstance(row, str):
            cards, colon, contract = row.partition(":")
            if not colon:
                raise error(name, row, 'cards: contract, such as "10: S3 S3; 10: S3 R4"')
            row = {"cards": cards.strip(), "contract": contract}
        rows.append(row)
    return tuple(_deal(f"{name}.{number}", row) for number, row in enumerate(rows, 1))


def _deal(name: str, row: Any) -> Deal:
    if not isinstance(row, Mapping):
        raise error(name, row, "a table with cards and contract")
    _known(name, row, ("cards", "contract", "buys"))
    for key in ("cards", "contract"):
        if key not in row:
            raise VariantError(f"the variant's {name} has no {key}: give cards and contract")
    cards, by_players = row["cards"], []
    if isinstance(cards, str) and ":" in cards:
        for part in cards.split(","):
            span, _, number = part.partition(":")
            by_players.append((_range(f"{name}.cards", span), _number(f"{name}.cards", number.strip())))
    else:
        by_players.append((EVERY, _number(f"{name}.cards", cards)))
    try:
        contract = parse_contract(_words(f"{name}.contract", row["contract"]))
    except ContractError as wrong:
        raise VariantError(f"the variant's {name}: {wrong}") from wrong
    buys = _limit(f"{name}.buys", row["buys"]) if "buys" in row else None
    return Deal(cards=tuple(by_players), contract=contract, buys=buys)


def _points(name: str, value: Any) -> Points:
    if not isinstance(value, Mapping):
        raise error(name, value, f"a table with {', '.join(POINT_FIELDS)}; set one with points.joker=15")
    _known("points", value, (*POINT_FIELDS, *RANKS))
    found: dict[str, Any] = {}
    ranks = []
    for key, given in value.items():
        word = {"number": "pip", "wild": "joker"}.get(key)
        if word is not None and isinstance(given, str) and given.strip().lower() == word:
            found[key] = word
        elif key in RANKS:
            ranks.append((key, _points_number(f"points.{key}", given)))
        else:
            found[key] = _points_number(f"points.{key}", given)
    return Points(ranks=tuple(sorted(ranks)), **found)


def _limit(name: str, value: Any) -> int:
    if isinstance(value, str) and value.strip().lower() in _NONE_WORDS:
        return NO_LIMIT
    return _number(name, value)


def _max_wilds(name: str, value: Any) -> int | tuple[tuple[str, int], ...]:
    if isinstance(value, str) and ":" in value:
        value = {k.strip(): v.strip() for k, _, v in (part.partition(":") for part in value.split(","))}
    if isinstance(value, Mapping):
        return tuple((str(k).strip().upper(), _limit(f"{name}.{k}", v)) for k, v in value.items())
    return _limit(name, value)


def _bonuses(name: str, value: Any) -> Mapping[str, int]:
    if not isinstance(value, Mapping):
        raise error(name, value, "a table of points by what earns them")
    return MappingProxyType({str(k): _number(f"{name}.{k}", v) for k, v in value.items()})


_READ: Final[Mapping[str, Callable[[str, Any], Any]]] = MappingProxyType(
    {
        **dict.fromkeys(("title", "source", "note"), _words),
        **dict.fromkeys(CHOICES, _choice),
        **dict.fromkeys(("set_min", "run_min", "buy_penalty"), _number),
        "uncertain": lambda name, value: tuple(map(str, _list(name, value))),
        "players": _range,
        "packs": _packs,
        "deals": _deals,
        "wild": _wild,
        "points": _points,
        "max_wilds_per_meld": _max_wilds,
        "buys_per_deal": _limit,
        "bonuses": _bonuses,
    }
)
