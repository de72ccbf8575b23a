"""What ``tableside rummy sheet`` does but for scores: games, deals, players, undo, and showing what stands."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.cli.rummy_sheet_kept import done, kept_sheet, last_deal, read_sheet, sheet_store, told
from advisor.cli.rummy_variants import chosen_variant
from advisor.cli.terminal import FAILED, USAGE, Failure, say

if TYPE_CHECKING:
    from advisor.games.rummy.sheet import Sheet


def run_new(arguments: argparse.Namespace) -> int:
    """Begin a sheet."""
    from advisor.games.rummy.sheet import Sheet, StartGame, as_dict, next_words

    variant = chosen_variant(arguments.variant, arguments.overrides)
    players = _names(arguments.players)
    dealer = arguments.dealer or next(iter(players), "")
    with sheet_store(arguments.store) as store:
        start = StartGame(variant, players, dealer, _names(arguments.playing), arguments.deals)
        sheet = Sheet.start(start)
        store.create(arguments.name, as_dict(start))
    told(arguments, sheet, f"{arguments.name}: {variant.title} ({variant.name}).", next_words(sheet))
    return 0


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


# Deals


def run_end_deal(arguments: argparse.Namespace) -> int:
    """End the deal, and show the sheet."""
    from advisor.games.rummy.sheet import EndDeal, as_text

    return done(
        arguments, lambda sheet: EndDeal(last_deal(sheet)), lambda before, sheet: as_text(sheet).rsplit("\n", 2)[0]
    )


def run_void(arguments: argparse.Namespace) -> int:
    """A deal counts for nobody."""
    from advisor.games.rummy.sheet import VoidDeal

    return done(arguments, lambda sheet: VoidDeal(arguments.deal or last_deal(sheet)))


def run_again(arguments: argparse.Namespace) -> int:
    """The deal is dealt again."""
    from advisor.games.rummy.sheet import DealAgain

    return done(arguments, lambda sheet: DealAgain(last_deal(sheet)))


def run_dealer(arguments: argparse.Namespace) -> int:
    """Somebody else deals this deal."""
    from advisor.games.rummy.sheet import SetDealer

    return done(arguments, lambda sheet: SetDealer(arguments.player, last_deal(sheet)))


def run_end_game(arguments: argparse.Namespace) -> int:
    """End the game."""
    from advisor.games.rummy.sheet import EndGame

    return done(arguments, lambda _: EndGame())


# Players


def run_rename(arguments: argparse.Namespace) -> int:
    """Rename a player."""
    from advisor.games.rummy.sheet import RenamePlayer

    return done(arguments, lambda _: RenamePlayer(arguments.player, arguments.to))


def run_join(arguments: argparse.Namespace) -> int:
    """Somebody plays from this deal on."""
    from advisor.games.rummy.sheet import JoinPlayer, Opening

    opening = Opening(arguments.opening)
    return done(arguments, lambda sheet: JoinPlayer(arguments.player, last_deal(sheet), opening, arguments.after))


def run_leave(arguments: argparse.Namespace) -> int:
    """A player plays no more."""
    from advisor.games.rummy.sheet import LeavePlayer

    return done(arguments, lambda sheet: LeavePlayer(arguments.player, last_deal(sheet)))


def run_undo(arguments: argparse.Namespace) -> int:
    """Undo what was done last."""
    from advisor.games.rummy.sheet import Undo, operation_words

    def words(before: Sheet, _: Sheet) -> str:
        assert before.last is not None
        return f"Undone: {operation_words(before.last)}."

    return done(arguments, lambda _: Undo(), words)


def run_redo(arguments: argparse.Namespace) -> int:
    """Bring back what was undone last."""
    from advisor.games.rummy.sheet import Redo, operation_words

    def words(_: Sheet, sheet: Sheet) -> str:
        assert sheet.last is not None
        return f"Redone: {operation_words(sheet.last)}."

    return done(arguments, lambda _: Redo(), words)


# Showing


def run_show(arguments: argparse.Namespace) -> int:
    """Show the sheet."""
    from advisor.games.rummy.sheet import as_text

    sheet = kept_sheet(arguments)
    told(arguments, sheet, as_text(sheet).rstrip("\n"))
    return 0


def run_print(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from advisor.games.rummy.sheet import html

    sheet = kept_sheet(arguments)
    return _written(arguments.out, html(sheet, arguments.name))


def run_export(arguments: argparse.Namespace) -> int:
    """Write the sheet as a table, or as JSON with every operation."""
    from advisor.games.rummy.sheet import as_csv, as_json

    sheet = kept_sheet(arguments)
    if arguments.format == "csv":
        return _written(arguments.out, as_csv(sheet))
    return _written(arguments.out, json.dumps(as_json(sheet, operations=True), indent=2, ensure_ascii=False) + "\n")


def _written(path: Path | None, text: str) -> int:
    if path is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return 0
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise Failure(f"{path}: it could not be written ({error.strerror}).") from error
    print(f"{path} is written.")
    return 0


def run_list(arguments: argparse.Namespace) -> int:
    """Name the sheets and where each stands; one that is damaged is said, and the others go on."""
    from advisor.games.rummy.sheet import as_json, next_words
    from advisor.service.store import StoreError

    found, failed = {}, False
    with sheet_store(arguments.store) as store:
        names = store.names()
        for name in names:
            try:
                found[name] = read_sheet(store, name)
            except StoreError as error:
                failed = True
                say(str(error))
    if arguments.json:
        print(json.dumps([{"name": name, **as_json(sheet)} for name, sheet in found.items()]))
    else:
        for name, sheet in found.items():
            print(f"{name}: {sheet.variant.name}. {next_words(sheet)}")
        if not names:
            say('there are no score sheets; begin one: tableside rummy sheet new friday --players "Ann,Bob,Cy".')
    return FAILED if failed else 0


def run_delete(arguments: argparse.Namespace) -> int:
    """Delete a sheet, once that is meant."""
    with sheet_store(arguments.store) as store:
        # A damaged sheet can be deleted too, so it is not replayed here.
        if not arguments.yes:
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise Failure(f"the score sheet {arguments.name!r} would be deleted for good: say --yes.", USAGE)
            sys.stderr.write(f"Delete the score sheet {arguments.name!r} for good? (yes, Enter keeps it) ")
            sys.stderr.flush()
            if sys.stdin.readline().strip().lower() not in ("y", "yes"):
                print(f"{arguments.name} is kept.")
                return 0
        store.delete(arguments.name)
    print(f"{arguments.name} is deleted.")
    return 0
