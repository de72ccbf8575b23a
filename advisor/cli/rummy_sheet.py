"""``tableside rummy sheet``: the score sheet of a game, kept from one command to the next."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from advisor.cli import rummy_sheet_runs as runs
from advisor.cli import rummy_sheet_scores as scores
from advisor.cli.read import add_reader_options
from advisor.cli.rummy_sheet_kept import add_store_option
from advisor.cli.rummy_variants import DEFAULT_VARIANT
from advisor.cli.terminal import command, count

Run = Callable[[argparse.Namespace], int]


class _Mixed(argparse.ArgumentParser):
    """A parser that takes a picture's name behind options too: ``add friday --player Ann photo.jpg``.

    Python's own does so only from 3.12 on.
    """

    _within = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._within:
            return super().parse_known_args(args, namespace)
        self._within = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._within = False


def register(commands: Any) -> None:
    """Add the sub-command and its own."""
    parser = command(
        commands, "sheet", "keep the score sheet of a game", 'tableside rummy sheet new friday --players "Ann,Bob,Cy"'
    )
    what = parser.add_subparsers(dest="sheet", required=True, metavar="WHAT", parser_class=_Mixed)

    new = _command(what, "new", "begin a game", 'new friday --variant contract-b --players "Ann,Bob,Cy"', runs.run_new)
    new.add_argument("--variant", default=DEFAULT_VARIANT, metavar="NAME", help="a variant's name or a TOML file")
    new.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="FIELD=VALUE",
        help="change one field of the variant",
    )
    new.add_argument("--players", required=True, metavar="NAMES", help="in seating order to the left, parted by commas")
    new.add_argument("--dealer", metavar="NAME", help="who deals first (the first of the players)")
    new.add_argument("--playing", metavar="NAMES", default="", help="who of them plays from the first deal (all)")
    new.add_argument("--deals", type=_deals, metavar="N", help='how many deals, or "any" (those of the variant)')

    add = _command(what, "add", "record a hand", 'add friday --player Ann --cards "10H 9S JOKER"', scores.run_add)
    _hand_options(add)
    out = _command(what, "out", "a player went out", "out friday --player Bob", scores.run_out)
    _player(out)
    _bonus(out)
    correct = _command(
        what, "correct", "correct a score", "correct friday --player Ann --points 34", scores.run_correct
    )
    _hand_options(correct)
    correct.add_argument("--out", action="store_true", help="the player went out")
    correct.add_argument("--deal", type=count, metavar="N", help="in which deal (the last one)")
    back = _command(
        what, "take-back", "a score was not this player's", "take-back friday --player Ann", scores.run_take_back
    )
    _player(back)

    _command(what, "end-deal", "all scores are in", "end-deal friday", runs.run_end_deal)
    void = _command(what, "void", "a deal counts for nobody", "void friday --deal 2", runs.run_void)
    void.add_argument("--deal", type=count, metavar="N", help="which deal (the one being played, which is skipped)")
    _command(what, "again", "the deal is dealt again", "again friday", runs.run_again)
    dealer = _command(what, "dealer", "somebody else deals", "dealer friday --player Cy", runs.run_dealer)
    _player(dealer)
    _command(what, "end-game", "end the game before its last deal", "end-game friday", runs.run_end_game)

    rename = _command(what, "rename", "rename a player", "rename friday --player Ann --to Anna", runs.run_rename)
    _player(rename)
    rename.add_argument("--to", required=True, metavar="NAME", help="the new name")
    join = _command(
        what,
        "join",
        "somebody plays from this deal on",
        "join friday --player Dan --with highest --after Bob",
        runs.run_join,
    )
    _player(join)
    join.add_argument(
        "--with", required=True, dest="opening", choices=("highest", "zero"), help="the highest total, or no points"
    )
    join.add_argument("--after", metavar="NAME", help="whose left neighbour a new player is (the last one's)")
    leave = _command(what, "leave", "a player plays no more", "leave friday --player Cy", runs.run_leave)
    _player(leave)
    _command(what, "undo", "undo what was done last", "undo friday", runs.run_undo)
    _command(what, "redo", "bring back what was undone last", "redo friday", runs.run_redo)

    _command(what, "show", "show the sheet", "show friday", runs.run_show)
    page = _command(
        what, "print", "write a page to print", "print friday --out sheet.html", runs.run_print, as_json=False
    )
    page.add_argument("--out", type=Path, metavar="FILE", help="write to this file instead of the terminal")
    export = _command(
        what,
        "export",
        "write the sheet for other programs",
        "export friday --format csv",
        runs.run_export,
        as_json=False,
    )
    export.add_argument("--format", choices=("csv", "json"), default="csv", help="(default csv)")
    export.add_argument("--out", type=Path, metavar="FILE", help="write to this file instead of the terminal")
    delete = _command(what, "delete", "delete a sheet for good", "delete friday --yes", runs.run_delete, as_json=False)
    delete.add_argument("--yes", action="store_true", help="do not ask")
    listed = command(what, "list", "name the sheets", "tableside rummy sheet list")
    listed.add_argument("--json", action="store_true", help="print JSON")
    add_store_option(listed)
    listed.set_defaults(run=runs.run_list)


def _command(what: Any, name: str, help: str, example: str, run: Run, as_json: bool = True) -> argparse.ArgumentParser:
    parser = command(what, name, help, f"tableside rummy sheet {example}")
    parser.add_argument("name", metavar="NAME", help="what the score sheet is called")
    if as_json:
        parser.add_argument("--json", action="store_true", help="print the whole sheet as JSON")
    add_store_option(parser)
    parser.set_defaults(run=run)
    return parser


def _player(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--player", required=True, metavar="NAME", help="which player")


def _bonus(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bonus", action="append", default=None, metavar="NAME", help="a bonus of the variant; may be given again"
    )


def _hand_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("image", nargs="?", metavar="IMAGE", help="a picture of the cards left in hand")
    _player(parser)
    parser.add_argument("--cards", metavar="TEXT", help='those cards as text, such as "10H 9S JOKER"')
    parser.add_argument("--points", type=int, metavar="N", help="their points")
    parser.add_argument(
        "--met", choices=("yes", "no"), help="whether the contract was met, where one not met stays for the next deal"
    )
    _bonus(parser)
    add_reader_options(parser)


def _deals(text: str) -> int:
    """An argparse type: a number of deals from 1, or "any" for as many as are played."""
    return 0 if text == "any" else count(text)
