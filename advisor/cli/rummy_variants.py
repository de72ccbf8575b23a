"""``tableside rummy variants``, and the variant that the other rummy commands are asked to use."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from advisor.cli.terminal import USAGE, Failure, coloured

if TYPE_CHECKING:
    from advisor.games.rummy import Variant

DEFAULT_VARIANT = "contract-b"


def chosen_variant(name: str, overrides: list[str]) -> Variant:
    """The variant that ``--variant`` and ``--set`` ask for; a bad name or value ends the command with a sentence."""
    from advisor.games.rummy import VariantError, load_variant, with_values

    values: dict[str, str] = {}
    for override in overrides:
        field, equals, value = override.partition("=")
        if not equals or not field.strip():
            raise Failure(f"--set {override!r} is not FIELD=VALUE: write for example --set points.joker=15.", USAGE)
        values[field.strip()] = value.strip()
    try:
        return with_values(load_variant(name), values)
    except VariantError as error:
        raise Failure(f"{error}.", USAGE) from error


def run_variants(arguments: argparse.Namespace) -> int:
    """List the variants, or explain one."""
    from advisor.games.rummy import as_data, shipped_variant, variant_names

    if arguments.name:
        chosen = {arguments.name: chosen_variant(arguments.name, [])}
    else:
        chosen = {name: shipped_variant(name) for name in variant_names()}
    if arguments.json:
        print(json.dumps({name: as_data(variant) for name, variant in chosen.items()}))
        return 0
    for name, variant in chosen.items():
        if arguments.name:
            for line in variant_words(variant):
                print(line)
            return 0
        players = "-".join(str(n) for n in dict.fromkeys(variant.players))
        deals = f"{len(variant.deals)} deal{'s' if len(variant.deals) > 1 else ''}"
        mark = coloured(" (used when none is named)", "green") if name == DEFAULT_VARIANT else ""
        doubt = f", not certain: {', '.join(variant.uncertain)}" if variant.uncertain else ""
        print(f"{coloured(name, 'bold')}{mark}: {variant.title}, {players} players, {deals}{doubt}")
    print("\nExplain one with tableside rummy variants NAME; use one with --variant NAME, or FILE.toml for your own.")
    return 0


def variant_words(variant: Variant) -> Iterator[str]:
    """Every field of a variant for a person, with a mark at those that are not certain."""
    from advisor.games.rummy import as_data

    data = as_data(variant)
    yield coloured(data.pop("title"), "bold")
    yield f"source: {data.pop('source')}"
    note = data.pop("note").strip()
    if note:
        yield note
    doubtful = set(data.pop("uncertain"))
    doubt = coloured("  ? not certain", "amber")
    yield ""
    for number, deal in enumerate(variant.deals, 1):
        cards = data["deals"][number - 1]["cards"]
        buys = f", {data['deals'][number - 1]['buys']} buys" if deal.buys is not None else ""
        yield f"deal {number}: {cards} cards, {deal.contract.words}{buys}{doubt if 'deals' in doubtful else ''}"
    data.pop("deals")
    for name, value in data.items():
        for part, text in _flat(name, value):
            yield f"{part:28s} {text}{doubt if doubtful & {name, part} else ''}"


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for part, each in value.items():
            yield from _flat(f"{name}.{part}", each)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for each in value:
            yield name, ", ".join(f"{part} {x}" for part, x in each.items())
    else:
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        yield name, str(value).lower() if isinstance(value, bool) else text or "none"
