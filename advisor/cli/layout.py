"""``tableside layout``: what lies where on the felt; drawings, marker sheets, and a check of one's own file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.terminal import FAILED, USAGE, Failure, coloured, command, say

if TYPE_CHECKING:
    from vision.felt import Layout

DRAWINGS = (".svg", ".png")


def register(commands: Any) -> None:
    """Add the sub-command and its own."""
    parser = command(
        commands, "layout", "show the felts that tableside knows, and print their markers", "tableside layout list"
    )
    inner = parser.add_subparsers(dest="layout_command", required=True, metavar="COMMAND")

    listed = command(inner, "list", "name the layouts that come with tableside", "tableside layout list")
    listed.add_argument("--json", action="store_true", help="print JSON")
    listed.set_defaults(run=run_list)
    shown = command(inner, "show", "describe a layout, or draw it", "tableside layout show seven-seats --out felt.svg")
    _name(shown)
    shown.add_argument("--out", type=Path, metavar="FILE", help="draw it into this file, .svg or .png")
    shown.add_argument("--json", action="store_true", help="print JSON")
    shown.set_defaults(run=run_show)
    printed = command(
        inner, "print", "make sheets of a layout's markers in true size", "tableside layout print seven-seats --pdf"
    )
    _name(printed)
    printed.add_argument(
        "--pdf", nargs="?", type=Path, metavar="OUT", help="the PDF file to write (default NAME-markers.pdf)"
    )
    printed.add_argument("--paper", choices=("a4", "letter"), default="a4", help="the paper's size (default a4)")
    printed.set_defaults(run=run_print)
    checked = command(
        inner, "check", "say everything that is wrong with a layout file of your own", "tableside layout check my.toml"
    )
    checked.add_argument("file", metavar="FILE", help="the TOML file, or a layout's name")
    checked.set_defaults(run=run_check)


def _name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a layout's name, or the path of a TOML file")


def run_list(arguments: argparse.Namespace) -> int:
    """Name the layouts, with sizes and seats."""
    from vision.felt import as_data, layout_names, load_layout

    layouts = [load_layout(name) for name in layout_names()]
    if arguments.json:
        print(json.dumps([as_data(layout) for layout in layouts]))
        return 0
    for layout in layouts:
        width, depth = layout.size
        print(
            f"{coloured(layout.name, 'bold')}: {layout.title}, {width:.0f} x {depth:.0f} mm, "
            f"{_count(len(layout.seats), 'seat')}, {_count(len(layout.markers), 'marker')}"
        )
    print("\nSee one with tableside layout show NAME, or FILE.toml for your own; print its markers with layout print.")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Describe a layout in words or JSON, or draw it."""
    from vision.felt import as_data

    layout = load(arguments.name)
    if arguments.out is not None:
        _write(arguments.out, _drawing(layout, arguments.out))
    if arguments.json:
        print(json.dumps(as_data(layout)))
    elif arguments.out is not None:
        print(f"{arguments.out}: {layout.title}, drawn.")
    else:
        _describe(layout)
    return 0


def run_print(arguments: argparse.Namespace) -> int:
    """Write the marker sheets."""
    from vision.felt.sheets import pdf, sheets

    layout = load(arguments.name)
    path = arguments.pdf or Path(f"{layout.name}-markers.pdf")
    try:
        document = pdf(layout, arguments.paper)
    except ValueError as error:
        raise Failure(f"{error}.", USAGE) from error
    _write(path, document)
    pages = len(sheets(layout, arguments.paper))
    print(
        f"{path}: a plan and {_count(pages, 'page')} with {_count(len(layout.markers), 'marker')}. "
        "Print at 100 %, and check the ruler: it must measure 100 mm."
    )
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Say that a layout can be used, or all that is wrong with it."""
    from vision.felt import LayoutError, load_layout

    try:
        layout = load_layout(arguments.file)
    except LayoutError as error:
        for problem in error.problems:
            say(f"{arguments.file}: {problem}.")
        return FAILED
    print(
        f"{arguments.file}: fine. {_count(len(layout.seats), 'seat')}, {_count(len(layout.zones), 'zone')}, "
        f"{_count(len(layout.markers), 'marker')}."
    )
    return 0


def load(name: str) -> Layout:
    """The layout of that name or file; one that cannot be used ends the command with a sentence."""
    from vision.felt import LayoutError, load_layout

    try:
        return load_layout(name)
    except LayoutError as error:
        more = len(error.problems) - 1
        rest = f" (and {more} more: tableside layout check {name} says all)" if more else ""
        raise Failure(f"{error.where}: {error.problems[0]}{rest}.", USAGE) from error


def _describe(layout: Layout) -> None:
    from vision.felt.sheets import where

    width, depth = layout.size
    print(f"{coloured(layout.title, 'bold')} ({layout.name}), {width:.0f} x {depth:.0f} mm")
    if layout.note:
        print(layout.note)
    print("\nFrom the middle of the dealer's edge, mm: x to the dealer's left, y towards the players.")
    for zone in layout.zones:
        x, y = zone.shape.centre
        print(f"  {zone.name:26s} around ({x:6.0f}, {y:6.0f})  {zone.shape.area / 100:6.0f} cm²")
    for marker in sorted(layout.markers, key=lambda m: m.id):
        print(f"  marker {marker.id:<19d} {marker.size:g} mm wide, {where(marker)}")
    print(f"\nDraw it: tableside layout show {layout.name} --out {layout.name}.svg")


def _drawing(layout: Layout, path: Path) -> bytes:
    from vision.felt.drawing import as_png, as_svg

    kind = path.suffix.lower()
    if kind not in DRAWINGS:
        raise Failure(f"--out {str(path)!r} must end in {' or '.join(DRAWINGS)}.", USAGE)
    return as_svg(layout).encode() if kind == ".svg" else as_png(layout)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Failure(f"{path}: it could not be written ({error.strerror}); check the folder and the disk.") from error


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
