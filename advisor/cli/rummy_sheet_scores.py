"""Scores for ``tableside rummy sheet``: hands from text, points or a picture, going out, corrections."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.cli.batch import Refused
from advisor.cli.read import load_reader
from advisor.cli.rummy_hands import from_picture, from_text
from advisor.cli.rummy_sheet_kept import done, kept_sheet, last_deal, sentences
from advisor.cli.terminal import USAGE, Failure

if TYPE_CHECKING:
    from advisor.games.rummy import RummyCard
    from advisor.games.rummy.sheet import Scoring, Sheet, Source

NO_BONUS = "none"
"""What takes a score's bonuses away again."""


@dataclass(frozen=True)
class _Hand:
    """What the command gives of a hand."""

    cards: tuple[RummyCard, ...] | None
    points: int | None
    source: Source
    image: str = ""


def _hand(arguments: argparse.Namespace, check: Callable[[], None]) -> _Hand:
    """The hand; ``check`` may refuse before a picture is read and asked about. Raises `Refused`."""
    from advisor.games.rummy.sheet import LONGEST_IMAGE, Source

    if arguments.cards is not None:
        return _Hand(from_text("cards", arguments.cards).cards, None, Source.TYPED)
    if arguments.image is None:
        return _Hand(None, arguments.points, Source.TYPED)
    check()
    ask = not arguments.json and sys.stdin.isatty() and sys.stderr.isatty()
    seen = from_picture(arguments.image, load_reader(arguments), ask, False)
    if seen.unsure:
        number = len(seen.unsure)
        sure = f"sure are {' '.join(map(str, seen.cards))}" if seen.cards else "none was read for sure"
        raise Refused(
            "ambiguous",
            arguments.image,
            f"{arguments.image}: {number} card{' is' if number == 1 else 's are'} not certain ({sure}), and nothing "
            "was recorded; take the picture again, or give all the cards with --cards",
        )
    name = Path(arguments.image).name
    return _Hand(seen.cards, None, Source.PHOTO, name if name.isprintable() and len(name) <= LONGEST_IMAGE else "")


def _check_one(arguments: argparse.Namespace, also: str = "", others: int = 0) -> None:
    given = sum(each is not None for each in (arguments.cards, arguments.points, arguments.image)) + others
    if given != 1:
        raise Failure(f'give one of these: --cards "10H 9S JOKER", --points 43{also}, or a picture.', USAGE)


def _met(arguments: argparse.Namespace) -> bool | None:
    return None if arguments.met is None else arguments.met == "yes"


def _scored(arguments: argparse.Namespace, operation: Scoring) -> int:
    """Add an operation that gives a score, and say the score."""
    from advisor.games.rummy.sheet import entry_words

    def words(_: Sheet, sheet: Sheet) -> str:
        player = sheet.find(operation.player)
        assert player is not None
        entry = sheet.deals[operation.deal - 1].entry(player)
        assert entry is not None
        return f"{player.name}, deal {operation.deal}: {entry_words(entry)}; total {sheet.total(player)}."

    return done(arguments, lambda _: operation, words)


def run_add(arguments: argparse.Namespace) -> int:
    """Record a hand."""
    from advisor.games.rummy.sheet import RecordHand, actions

    _check_one(arguments)
    with sentences():
        # The deal is the one that the person who types sees: should another end it meanwhile, this is refused.
        sheet = kept_sheet(arguments)
        player, deal = arguments.player, last_deal(sheet)
        bonuses, met = tuple(arguments.bonus or ()), _met(arguments)

        def check() -> None:
            actions.verify_record_hand(sheet, player, deal, points=0, bonuses=bonuses, met=met)

        hand = _hand(arguments, check)
    return _scored(arguments, RecordHand(player, deal, hand.cards, hand.points, hand.source, hand.image, bonuses, met))


def run_out(arguments: argparse.Namespace) -> int:
    """A player went out."""
    from advisor.games.rummy.sheet import WentOut

    with sentences():
        deal = last_deal(kept_sheet(arguments))
    return _scored(arguments, WentOut(arguments.player, deal, tuple(arguments.bonus or ())))


def run_correct(arguments: argparse.Namespace) -> int:
    """Correct a score; what the command does not give stays: bonuses, and whether the contract was met."""
    from advisor.games.rummy.sheet import GOING_OUT, CorrectScore

    _check_one(arguments, ", --out", int(arguments.out))
    with sentences():
        sheet = kept_sheet(arguments)
        deal = arguments.deal or last_deal(sheet)
        record, player = sheet.record(deal), sheet.find(arguments.player)
        stands = record.entry(player) if record is not None and player is not None else None
        bonuses, met = tuple(arguments.bonus or ()), _met(arguments)
        if stands is not None:
            if arguments.bonus is None:
                bonuses = tuple(name for name in stands.bonuses if name != GOING_OUT)
            if met is None and not stands.out:
                met = stands.met
        bonuses = tuple(name for name in bonuses if name != NO_BONUS)
        if arguments.out:
            return _scored(arguments, CorrectScore(arguments.player, deal, out=True, bonuses=bonuses))
        hand = _hand(arguments, lambda: None)
    return _scored(
        arguments,
        CorrectScore(arguments.player, deal, hand.cards, hand.points, False, hand.source, hand.image, bonuses, met),
    )


def run_take_back(arguments: argparse.Namespace) -> int:
    """A score of this deal was not this player's."""
    from advisor.games.rummy.sheet import TakeBackScore

    return done(arguments, lambda sheet: TakeBackScore(arguments.player, last_deal(sheet)))
