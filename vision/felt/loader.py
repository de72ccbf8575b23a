"""Layouts by name or from a TOML file: the one place in vision that reads layout files.

A file says what is wrong with it completely: unknown fields, malformed numbers and everything in `checks`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import cos, isfinite, pi, sin
from pathlib import Path
from typing import Any, Final

from vision.felt.checks import problems
from vision.felt.layout import KINDS, Kind, Layout, Marker, Zone
from vision.felt.shapes import Circle, Polygon, Shape, ShapeError, box
from vision.sightings import Point

ARC: Final = 48
"""Corners that the rounded side of a half-round felt is drawn with."""
USUAL_MARKER: Final = 80.0
"""Millimetres."""


class LayoutError(ValueError):
    """A layout that cannot be used; ``problems`` holds a sentence for each thing that is wrong."""

    def __init__(self, where: str, wrong: Sequence[str]) -> None:
        self.where, self.problems = where, tuple(wrong)
        super().__init__(f"{where}: {'; '.join(self.problems)}")


@cache
def layout_names() -> tuple[str, ...]:
    """The layouts that come with tableside, the one with the most seats first; those of several bets a seat later."""
    names = [entry.name.removesuffix(".toml") for entry in _folder().iterdir() if entry.name.endswith(".toml")]
    found = {name: load_layout(name) for name in sorted(names)}
    several = {name: any(zone.bet for zone in layout.zones) for name, layout in found.items()}
    return tuple(sorted(found, key=lambda name: (name == "kitchen-table", several[name], -len(found[name].seats))))


def load_layout(name_or_path: str | Path) -> Layout:
    """A layout that comes with tableside, or the one in a TOML file.

    Raises `LayoutError` for an unknown name, an unreadable file, and for everything wrong in it.
    """
    name = str(name_or_path)
    path = Path(name_or_path)
    own = path.suffix.lower() == ".toml" or _is_file(path)
    where = f"layout file {name!r}" if own else f"layout {name!r}"
    try:
        text = path.read_text(encoding="utf-8") if own else (_folder() / f"{name}.toml").read_text(encoding="utf-8")
    except (OSError, ValueError) as trouble:
        if isinstance(trouble, UnicodeDecodeError):
            raise LayoutError(where, [f"it is not a text file ({trouble.reason})"]) from trouble
        gone = isinstance(trouble, FileNotFoundError | ValueError)
        why = f"there is no such {'file' if own else 'layout'}" if gone else getattr(trouble, "strerror", trouble)
        choice = f"use one of {', '.join(layout_names())}, or the path of a TOML file"
        raise LayoutError(where, [f"{why}: {choice}"]) from trouble
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as trouble:
        raise LayoutError(where, [f"it is not valid TOML: {trouble}"]) from trouble
    return layout_from_data(path.stem if own else name, data, where)


def layout_from_data(name: str, data: Mapping[str, Any], where: str = "layout") -> Layout:
    """The layout that a file's contents describe; raises `LayoutError` with everything that is wrong."""
    reader = _Reader()
    layout = reader.layout(name, data)
    found = () if layout is None else problems(layout, complete=not reader.wrong)
    if layout is None or reader.wrong or found:
        raise LayoutError(where, [*reader.wrong, *found])
    return layout


class _Reader:
    """Reads fields and collects what is wrong with them."""

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def layout(self, name: str, data: Mapping[str, Any]) -> Layout | None:
        self.known(data, "the file", "title", "note", "felt", "zones", "markers")
        title = self.text(data, "title", "the file") or name
        felt = self.felt(data.get("felt"))
        zones = tuple(z for k, one in self.tables(data, "zones") if (z := self.zone(one, f"zone {k}")) is not None)
        markers = self.markers(data.get("markers", {}))
        note = self.text(data, "note", "the file").strip()
        return None if felt is None else Layout(name, title, felt, zones, markers, note)

    def felt(self, data: Any) -> Polygon | None:
        where = "[felt]"
        if not isinstance(data, Mapping):
            self.wrong.append('the file has no [felt] table: write size = [1200, 800] and shape = "rectangle" under it')
            return None
        self.known(data, where, "size", "shape", "outline")
        if "outline" in data:
            if len(data) > 1:
                self.wrong.append(f"{where} gives an outline and also size or shape: keep one of them")
            points = self.points(data["outline"], f"{where} outline")
            shape = None if points is None else self.made(where, lambda: Polygon(points))
            return shape if isinstance(shape, Polygon) else None
        size, form = self.pair(data, "size", where), data.get("shape", "rectangle")
        if form not in ("rectangle", "half-round"):
            self.wrong.append(f'{where} shape cannot be {form!r}: it must be "rectangle" or "half-round"')
        if size is None or form not in ("rectangle", "half-round"):
            return None
        if min(size) <= 0:
            self.wrong.append(f"{where} size cannot be {list(size)!r}: both numbers must be above 0")
            return None
        return _rectangle(size) if form == "rectangle" else _half_round(size)

    def zone(self, data: Mapping[str, Any], where: str) -> Zone | None:
        kind, seat = data.get("kind"), data.get("seat")
        where += f" ({kind}{'' if seat is None else f', seat {seat}'})" if isinstance(kind, str) else ""
        self.known(data, where, "kind", "seat", "bet", "circle", "box", "polygon")
        right = True
        if kind not in KINDS:
            self.wrong.append(f"{where}: kind cannot be {kind!r}: it must be one of {', '.join(KINDS)}")
            right = False
        if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int)):
            self.wrong.append(f"{where}: seat cannot be {seat!r}: it must be a whole number")
            right = False
        bet, shape = self.text(data, "bet", where), self.shape(data, where)
        known: dict[Any, Kind] = {k: k for k in KINDS}
        return Zone(known[kind], shape, seat, bet) if right and shape is not None else None

    def shape(self, data: Mapping[str, Any], where: str) -> Shape | None:
        given = [key for key in ("circle", "box", "polygon") if key in data]
        if len(given) != 1:
            said = " and ".join(given) or "no shape"
            self.wrong.append(f"{where} has {said}: give one of circle, box or polygon")
            return None
        key = given[0]
        value, at = data[key], f"{where} {key}"
        if key == "polygon":
            points = self.points(value, at)
            return None if points is None else self.made(at, lambda: Polygon(points))
        if not isinstance(value, Mapping):
            example = (
                "{ centre = [0, 500], radius = 80 }" if key == "circle" else "{ centre = [0, 500], size = [90, 60] }"
            )
            self.wrong.append(f"{at} cannot be {value!r}: write for example {key} = {example}")
            return None
        centre = self.pair(value, "centre", at)
        if key == "circle":
            self.known(value, at, "centre", "radius")
            radius = self.number(value, "radius", at)
            return None if centre is None or radius is None else self.made(at, lambda: Circle(centre, radius))
        self.known(value, at, "centre", "size", "turn")
        size, turn = self.pair(value, "size", at), self.number(value, "turn", at, 0.0)
        if centre is None or size is None or turn is None:
            return None
        return self.made(at, lambda: box(centre, size, turn))

    def markers(self, data: Any) -> tuple[Marker, ...]:
        where = "[markers]"
        if not isinstance(data, Mapping):
            self.wrong.append(
                f"{where} cannot be {data!r}: write size = 80 and at = [{{ id = 60, centre = [x, y] }}, …]"
            )
            return ()
        self.known(data, where, "size", "at")
        size = self.number(data, "size", where, USUAL_MARKER)
        found = []
        for k, one in self.tables(data, "at", where):
            at = f"marker {k} of the list"
            self.known(one, at, "id", "centre", "turn", "size")
            number = one.get("id")
            if isinstance(number, bool) or not isinstance(number, int):
                self.wrong.append(f"{at}: id cannot be {number!r}: it must be a whole number")
            centre, turn = self.pair(one, "centre", at), self.number(one, "turn", at, 0.0)
            own = self.number(one, "size", at, size or USUAL_MARKER)
            if isinstance(number, int) and centre is not None and turn is not None and own is not None:
                if own > 0:
                    found.append(Marker(number, centre, own, turn))
                else:
                    self.wrong.append(f"{at}: size cannot be {own:g}: it must be above 0")
        return tuple(found)

    def made(self, where: str, make: Callable[[], Shape]) -> Shape | None:
        try:
            return make()
        except ShapeError as trouble:
            self.wrong.append(f"{where}: {trouble}")
            return None

    def known(self, data: Mapping[str, Any], where: str, *names: str) -> None:
        for name in data:
            if name not in names:
                self.wrong.append(f"{where} has an unknown field {name!r}: the fields are {', '.join(names)}")

    def text(self, data: Mapping[str, Any], name: str, where: str) -> str:
        value = data.get(name, "")
        if not isinstance(value, str):
            self.wrong.append(f"{where}: {name} cannot be {value!r}: it must be text")
            return ""
        return value

    def tables(
        self, data: Mapping[str, Any], name: str, where: str = "the file"
    ) -> list[tuple[int, Mapping[str, Any]]]:
        value = data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
            self.wrong.append(f"{where}: {name} cannot be {value!r}: it must be a list of tables")
            return []
        return list(enumerate(value, 1))

    def number(self, data: Mapping[str, Any], name: str, where: str, usual: float | None = None) -> float | None:
        value = data.get(name, usual)
        if _is_number(value):
            return float(value)
        self.wrong.append(
            f"{where} has no {name}: give a number of millimetres"
            if value is None
            else f"{where}: {name} cannot be {value!r}: it must be a number"
        )
        return None

    def pair(self, data: Mapping[str, Any], name: str, where: str) -> Point | None:
        value = data.get(name)
        if isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)):
            return (float(value[0]), float(value[1]))
        self.wrong.append(
            f"{where} has no {name}: give two numbers of millimetres, such as [300, 400]"
            if value is None
            else f"{where}: {name} cannot be {value!r}: it must be two numbers of millimetres, such as [300, 400]"
        )
        return None

    def points(self, value: Any, where: str) -> tuple[Point, ...] | None:
        good = isinstance(value, list) and len(value) >= 3
        if good and all(isinstance(p, list) and len(p) == 2 and all(map(_is_number, p)) for p in value):
            return tuple((float(x), float(y)) for x, y in value)
        self.wrong.append(
            f"{where} cannot be {value!r}: it must be three or more corners, such as [[0, 0], [90, 0], …]"
        )
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and abs(value) < 1e6


def _rectangle(size: Point) -> Polygon:
    half, depth = size[0] / 2, size[1]
    return Polygon(((-half, 0.0), (half, 0.0), (half, depth), (-half, depth)))


def _half_round(size: Point) -> Polygon:
    """Straight before the dealer, half an ellipse towards the players."""
    arc = [(pi * k / ARC) for k in range(ARC + 1)]
    return Polygon(tuple((round(cos(t) * size[0] / 2, 3), round(sin(t) * size[1], 3)) for t in arc))


def _folder() -> Any:
    return files("vision.felt") / "layouts"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system would take
        return False
