"""``tableside rummy``: score a hand, find its lay-down, check melds on the table, list the variants."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from advisor.cli import rummy_page, rummy_sheet
from advisor.cli.batch import Refused, answer_lines
from advisor.cli.read import add_reader_options, load_reader
from advisor.cli.rummy_hands import (
    Seen,
    check_hand,
    from_picture,
    from_text,
    melds_from_text,
    noted,
    unsure_objects,
)
from advisor.cli.rummy_variants import DEFAULT_VARIANT, chosen_variant, run_variants
from advisor.cli.terminal import USAGE, Failure, coloured, command, count, say

if TYPE_CHECKING:
    from advisor.games.rummy import LayOffs, Meld, Swap, Variant

Question = Mapping[str, Any]
"""Deal and players, as options or a line of a batch give them."""


def register(commands: Any) -> None:
    """Add the sub-commands."""
    parser = command(
        commands,
        "rummy",
        "score a rummy hand, find its lay-down, check melds, from pictures or text",
        "tableside rummy score hand.jpg --variant contract-b --deal 3",
    )
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    variants = command(what, "variants", "list the variants, or explain one", "tableside rummy variants shanghai")
    variants.add_argument("name", nargs="?", help="explain this variant, or the one in a TOML file")
    variants.add_argument("--json", action="store_true", help="print JSON")
    variants.set_defaults(run=run_variants)

    score = command(what, "score", "the points left in a hand", 'tableside rummy score --cards "10H 9S JOKER"')
    _add_options(score, "cards", "the hand as text in place of pictures, such as")
    score.set_defaults(run=lambda arguments: _run(arguments, "cards", score_answer, score_words))

    lay = command(
        what,
        "laydown",
        "the lay-down that meets a deal's contract and leaves the fewest points",
        'tableside rummy laydown --deal 1 --cards "9S 9D JOKER 4C 4D 4H KS QH 2C 7D"',
    )
    _add_options(lay, "cards", "the hand as text in place of pictures, such as")
    lay.add_argument("--discard", action="store_true", help="also say which card to discard to go out soonest")
    lay.set_defaults(run=lambda arguments: _run(arguments, "cards", lay_down_answer, lay_down_words))

    check = command(
        what,
        "check",
        "whether melds on the table are legal, and the contract met",
        'tableside rummy check --melds "9S 9D JOKER / 4H 5H 6H 7H" --deal 2',
    )
    _add_options(check, "melds", 'the melds as text in place of pictures, parted by "/", such as')
    check.add_argument("--hand", metavar="CARDS", help="also say which cards of this hand can be laid off, or swapped")
    check.set_defaults(run=lambda arguments: _run(arguments, "melds", check_answer, check_words))
    rummy_sheet.register(what)
    rummy_page.register(what)


def _add_options(parser: argparse.ArgumentParser, text: str, help: str) -> None:
    example = "10H 9S JOKER" if text == "cards" else "9S 9D JOKER / 4H 5H 6H 7H"
    parser.add_argument("images", nargs="*", metavar="IMAGE", help="a picture: JPEG, PNG, WebP, HEIC, BMP or TIFF")
    parser.add_argument(f"--{text}", metavar="TEXT", help=f'{help} "{example}"')
    parser.add_argument(
        "--batch", metavar="FILE", help=f'answer JSON lines {{"{text}": "{example}", "deal": 2}}; - is stdin'
    )
    parser.add_argument(
        "--variant",
        default=DEFAULT_VARIANT,
        metavar="NAME",
        help=f"a variant's name or a TOML file (default {DEFAULT_VARIANT}; see tableside rummy variants)",
    )
    parser.add_argument("--deal", type=count, metavar="N", help="which deal of the game it is, from 1")
    parser.add_argument("--players", type=count, metavar="N", help="how many play; it decides how many packs there are")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="FIELD=VALUE",
        help="change one field of the variant, such as points.joker=15; may be given more than once",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    add_reader_options(parser)


Answer = Callable[["Variant", Seen, Question, argparse.Namespace], dict[str, Any]]
Words = Callable[["Variant", dict[str, Any], Question], Iterator[str]]


def _run(arguments: argparse.Namespace, text: str, answer: Answer, words: Words) -> int:
    """Answer about the text, each picture, or each line of a batch."""
    variant = chosen_variant(arguments.variant, arguments.overrides)
    given = getattr(arguments, text)
    if sum((bool(arguments.images), given is not None, arguments.batch is not None)) != 1:
        raise Failure(f"give one of these: pictures, --{text}, or --batch FILE.", USAGE)
    if arguments.batch is not None:
        return _batch(variant, text, answer, arguments)
    question = {"deal": arguments.deal, "players": arguments.players}
    if given is not None:
        try:
            seen = from_text(text, given) if text == "cards" else melds_from_text(text, given)
            found = answer(variant, seen, question, arguments)
        except Refused as refused:
            raise Failure(f"{refused.sentence.rstrip('.')}.", refused.code) from refused
        _show(arguments, variant, found, question, words)
        return 0
    return _pictures(variant, text, answer, words, arguments)


def _pictures(variant: Variant, text: str, answer: Answer, words: Words, arguments: argparse.Namespace) -> int:
    """Each picture by itself; one that gets no answer is said, and the others go on."""
    reader = load_reader(arguments)
    ask = not arguments.json and sys.stdin.isatty() and sys.stderr.isatty()
    question = {"deal": arguments.deal, "players": arguments.players}
    worst = 0
    for name in arguments.images:
        try:
            seen = from_picture(name, reader, ask, text == "melds")
            found = answer(variant, seen, question, arguments)
        except Refused as refused:
            worst = max(worst, refused.code)
            say(f"{refused.sentence.rstrip('.')}.")
            if arguments.json:
                print(json.dumps({"image": name, **refused.as_object}), flush=True)
            continue
        _show(arguments, variant, found, question, words)
    return worst


def _show(
    arguments: argparse.Namespace, variant: Variant, found: dict[str, Any], question: Question, words: Words
) -> None:
    if arguments.json:
        print(json.dumps(found), flush=True)
        return
    for line in words(variant, found, question):
        print(line, flush=True)


def _batch(variant: Variant, text: str, answer: Answer, arguments: argparse.Namespace) -> int:
    variants = {arguments.variant: variant}

    def one(asked: dict[str, Any]) -> dict[str, Any]:
        question = {"deal": _whole(asked, "deal", arguments), "players": _whole(asked, "players", arguments)}
        seen = (from_text if text == "cards" else melds_from_text)(text, asked.get(text))
        name, own = asked.get("variant", arguments.variant), arguments
        if not isinstance(name, str):
            raise Refused("malformed", "variant", "variant: give a variant's name")
        if name not in variants:
            try:
                variants[name] = chosen_variant(name, arguments.overrides)
            except Failure as failure:
                raise Refused("malformed", "variant", f"{failure}") from failure
        if text == "melds" and "hand" in asked:
            own = argparse.Namespace(**{**vars(arguments), "hand": asked["hand"]})
        return answer(variants[name], seen, question, own)

    return answer_lines(arguments.batch, f"{text} and deal", one)


def _whole(asked: dict[str, Any], name: str, arguments: argparse.Namespace) -> int | None:
    value = asked.get(name)
    if value is None:
        value = getattr(arguments, name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise Refused("malformed", name, f"{name}: give a whole number from 1")
    return value


def score_answer(variant: Variant, seen: Seen, question: Question, _: argparse.Namespace) -> dict[str, Any]:
    """A hand's points as plain data; raises `Refused`."""
    from advisor.games.rummy import score

    check_hand(variant, seen, question["deal"], question["players"])
    found = score(variant, seen.cards, question["deal"] or 1)
    return {
        "image": seen.image,
        "cards": [str(card) for card in seen.cards],
        "unsure": unsure_objects(seen),
        "points": found.points,
        "by_card": {str(card): points for card, points in found.by_card.items()},
        **noted(seen),
    }


def score_words(variant: Variant, found: dict[str, Any], question: Question) -> Iterator[str]:
    """The score for a person."""
    name = f"{found['image']}: " if found["image"] else ""
    yield f"{name}{coloured(_points(found['points']), 'bold')}: {' '.join(found['cards']) or 'no cards'}"
    yield from unsure_words(found, "not counted")


def unsure_words(found: dict[str, Any], what: str) -> Iterator[str]:
    """One line about the cards that nobody could name."""
    if found.get("unsure"):
        maybe = " · ".join("/".join(list(each["guesses"])[:3]) or "?" for each in found["unsure"])
        yield coloured(f"  unsure, {what}: {maybe}", "amber")


def lay_down_answer(variant: Variant, seen: Seen, question: Question, arguments: argparse.Namespace) -> dict[str, Any]:
    """The best lay-down as plain data; raises `Refused`."""
    from advisor.games.rummy import discards, lay_down

    deal = _deal(variant, question["deal"])
    check_hand(variant, seen, deal, question["players"])
    best = lay_down(variant, seen.cards, deal)
    found: dict[str, Any] = {} if seen.image is None else {"image": seen.image, "unsure": unsure_objects(seen)}
    found |= {
        "possible": best.possible,
        "melds": [meld_object(meld) for meld in best.melds],
        "left": [str(card) for card in best.left],
        "points_left": best.points_left,
        **noted(seen),
    }
    if arguments.discard and seen.cards:
        found["discards"] = [
            {
                "card": str(each.card),
                "useful": each.useful,
                "unseen": each.unseen,
                "chance": float(each.chance),
                "short": each.short,
                "points_left": each.points_left,
            }
            for each in discards(variant, seen.cards, deal, question["players"])
        ]
    return found


def meld_object(meld: Meld) -> dict[str, Any]:
    """A meld as the JSON that programs get."""
    return {"kind": meld.kind, "cards": [str(card) for card in meld.cards], "wilds": dict(meld.wilds)}


def _deal(variant: Variant, deal: int | None) -> int:
    if deal is None and len(variant.deals) > 1:
        raise Refused("malformed", "deal", f"deal: say which of the {len(variant.deals)} deals it is, such as --deal 3")
    return deal or 1


def lay_down_words(variant: Variant, found: dict[str, Any], question: Question) -> Iterator[str]:
    """The lay-down for a person."""
    deal = question["deal"] or 1
    contract = variant.deal(deal).contract
    name = f"{found['image']}: " if found.get("image") else ""
    can = "can be laid down" if found["possible"] else "cannot be laid down yet"
    which = contract.words if contract.free else f"deal {deal} of {variant.name}, {contract.words}"
    yield coloured(f"{name}{which}: {can}", "bold")
    for meld in found["melds"]:
        yield f"  {meld['kind']:9s} {meld_words(meld)}"
    yield f"  left in hand: {' '.join(found['left']) or 'nothing'}, {_points(found['points_left'])}"
    last = deal == len(variant.deals) and variant.discard_to_go_out == "not_in_last_deal"
    if found["possible"] and not found["left"] and variant.discard_to_go_out != "never" and not last:
        yield coloured("  nothing is left to discard, and here a turn must end with a discard", "amber")
    yield from unsure_words(found, "left out")
    for each in found.get("discards", [])[:3]:
        lacking = f"{each['short']} short of it" if each["short"] else "the contract is met"
        yield f"  discard {each['card']}: {lacking}, {each['useful']} of {each['unseen']} unseen cards help"


def meld_words(meld: dict[str, Any]) -> str:
    """The cards of a meld, and what its wild cards stand for."""
    stands = ", ".join(f"{wild.partition('#')[0]} for {card}" for wild, card in meld["wilds"].items())
    return " ".join(meld["cards"]) + (f"  ({stands})" if stands else "")


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def check_answer(variant: Variant, seen: Seen, question: Question, arguments: argparse.Namespace) -> dict[str, Any]:
    """What melds on the table are, as plain data; raises `Refused`."""
    from advisor.games.rummy import VariantError, check_table, lay_offs, lay_offs_with_swap, swaps

    hand = from_text("hand", arguments.hand) if arguments.hand is not None else Seen(())
    everything = Seen((*seen.cards, *hand.cards), (), seen.image)
    check_packs(variant, everything, question["players"])
    try:
        table = check_table(variant, seen.groups, question["deal"])
    except VariantError as error:
        raise Refused("impossible", "deal", f"{error}") from error
    found: dict[str, Any] = {"image": seen.image, "melds": []}
    for group, verdict in zip(seen.groups, table.verdicts, strict=True):
        meld = meld_object(verdict.meld) if verdict.meld else {"kind": None, "cards": [], "wilds": {}}
        meld["cards"] = meld["cards"] or [str(card) for card in group]
        why = {"why": verdict.why and str(verdict.why), "sentence": verdict.sentence}
        found["melds"].append({**meld, "legal": verdict.legal, **why})
    asked = question["deal"]
    found["contract"] = None if asked is None else {"deal": asked, "met": table.met, "sentence": table.sentence}
    found["unsure"] = unsure_objects(seen)
    found |= noted(seen)
    if arguments.hand is not None:
        legal = [verdict.meld for verdict in table.verdicts if verdict.meld]
        places = [number for number, verdict in enumerate(table.verdicts, 1) if verdict.meld]
        found |= _laid_off(lay_offs(variant, hand.cards, legal), places)
        found["swaps"] = [_swapped(each, places) for each in swaps(variant, hand.cards, legal)]
        swap, off = lay_offs_with_swap(variant, hand.cards, legal)
        if swap is not None:
            found["best"] = {"swap": _swapped(swap, places), **_laid_off(off, places)}
    return found


def _laid_off(off: LayOffs, places: Sequence[int]) -> dict[str, Any]:
    cards = [{"card": str(each.card), "stands": str(each.stands), "meld": places[each.meld]} for each in off.cards]
    return {"lay_offs": cards, "left": [str(card) for card in off.left], "points_left": off.points_left}


def _swapped(swap: Swap, places: Sequence[int]) -> dict[str, Any]:
    return {"card": str(swap.card), "for": str(swap.wild), "meld": places[swap.meld]}


def check_packs(variant: Variant, seen: Seen, players: int | None) -> None:
    """Raises `Refused` for cards that the packs cannot hold; melds of all players may be many cards."""
    from advisor.games.rummy import VariantError, pack_problems

    try:
        problems = pack_problems(variant, seen.cards, players)
    except VariantError as error:
        raise Refused("impossible", "players", f"{error}") from error
    if problems:
        raise Refused("impossible", seen.image or "melds", f"{seen.image or 'melds'}: {'; '.join(problems)}")


def check_words(variant: Variant, found: dict[str, Any], question: Question) -> Iterator[str]:
    """The table for a person."""
    if found["image"]:
        yield coloured(f"{found['image']}:", "bold")
    for number, meld in enumerate(found["melds"], 1):
        if meld["legal"]:
            yield f"  {number}. {meld['kind']}: {meld_words(meld)}"
        else:
            yield coloured(f"  {number}. no meld: {meld['sentence']}", "red")
    if found["contract"]:
        met = "met" if found["contract"]["met"] else "not met"
        yield f"  contract {met}: {found['contract']['sentence']}"
    yield from unsure_words(found, "left out")
    yield from _off_words(found)
    for each in found.get("swaps", []):
        yield f"  swap {each['card']} for the {each['for']} in {each['meld']}"
    if "left" in found:
        yield f"  left in hand after laying off: {_left(found)}"
    if best := found.get("best"):
        swap = best["swap"]
        yield f"  better: swap {swap['card']} for the {swap['for']} in {swap['meld']}, then"
        for line in _off_words(best):
            yield f"  {line}"
        yield f"    left in hand: {_left(best)}"


def _off_words(found: dict[str, Any]) -> Iterator[str]:
    for each in found.get("lay_offs", []):
        stands = "" if each["card"] == each["stands"] else f" for {each['stands']}"
        yield f"  lay off {each['card']}{stands} on {each['meld']}"


def _left(found: dict[str, Any]) -> str:
    return f"{' '.join(found['left']) or 'nothing'}, {_points(found['points_left'])}"
