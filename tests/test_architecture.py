"""The walls between the rooms: what ARCHITECTURE.md says must never be imported, is not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("vision", "advisor", "datasets", "models")
NEVER = {
    "vision": ("advisor", "datasets", "models", "fastapi", "uvicorn"),
    "advisor/money": (
        *("vision", "datasets", "models", "fastapi", "uvicorn", "cv2"),
        *("advisor.games", "advisor.table", "advisor.service", "advisor.display", "advisor.cli"),
    ),
    "advisor/games": (
        *("vision", "datasets", "models", "fastapi", "uvicorn", "cv2"),
        *("advisor.table", "advisor.service", "advisor.display", "advisor.cli"),
    ),
    "advisor/table": ("advisor.service", "advisor.cli", "datasets", "models", "vision.cards", "fastapi", "uvicorn"),
    "advisor/service": ("advisor.cli", "datasets", "models"),
    "datasets": ("advisor",),
    "models": ("advisor",),
}
"""Room: modules that nothing in it may import."""
GAMES = re.compile(r"blackjack|rummy|poker|pontoon|baccarat|dealer|payout", re.IGNORECASE)
PAYING = re.compile(r"payout|bankroll|winnings|3\s*/\s*2|3:2|1\.5\s*\*|\*\s*1\.5", re.IGNORECASE)
TRAINING = ("torch", "torchvision", "ultralytics", "onnx")


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that ``path`` imports, wherever in it, by full name; of ``from a import b`` both a and a.b."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base]).strip(".")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def breaches(room: str, never: tuple[str, ...]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(room)
        for name in imports(path)
        if any(name == barred or name.startswith(f"{barred}.") for barred in never)
    ]


@pytest.mark.parametrize("room", NEVER)
def test_a_room_knows_only_what_lies_before_it(room: str) -> None:
    assert modules(room), f"{room} is empty: has it moved?"
    assert breaches(room, NEVER[room]) == []


def test_games_touch_no_file_clock_or_chance() -> None:
    """One loader of rules files in each game excepted, the games are pure."""
    barred = ("time", "datetime", "random", "secrets", "socket", "os", "pathlib", "sqlite3", "logging", "threading")
    games = ("blackjack", "pontoon", "punto_banco", "rummy")
    loaders = ("advisor/games/rules_file.py", *(f"advisor/games/{game}/loader.py" for game in games))
    found = [b for b in breaches("advisor/games", barred) if not b.startswith(loaders)]
    assert found == []


def test_what_runs_needs_no_training_library() -> None:
    assert [b for room in ("vision", "advisor") for b in breaches(room, TRAINING)] == []


def test_vision_names_no_game() -> None:
    """Names in vision's code (comments and sentences are free to explain)."""
    found = []
    for path in modules("vision"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
            if isinstance(name, str) and GAMES.search(name):
                found.append(f"{path.relative_to(ROOT)}: {name}")
    assert found == []


def test_the_display_computes_no_payout_and_fetches_nothing_from_outside() -> None:
    pages = [p for p in (ROOT / "advisor" / "display").rglob("*") if p.suffix in (".js", ".html", ".css")]
    assert pages
    for page in pages:
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(ROOT)
        assert not PAYING.search(text), f"{name} seems to compute what is paid"
        outside = [a for a in re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"')]*", text) if "www.w3.org" not in a]
        assert outside == [], f"{name} names an address outside"


def test_no_module_is_too_long_to_read_in_one_sitting() -> None:
    """Under 400 lines is the aim; this is the limit."""
    lengths = {p.relative_to(ROOT): p.read_text(encoding="utf-8").count("\n") for r in ROOMS for p in modules(r)}
    assert {p: n for p, n in lengths.items() if n > 450} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import advisor.games", ["advisor.games"]),
        ("def f():\n    from advisor import games", ["advisor", "advisor.games"]),
        ("from . import x", ["vision.cards", "vision.cards.x"]),
        ("from ..watch import y", ["vision.watch", "vision.watch.y"]),
    ],
)
def test_the_walls_see_every_way_to_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, found: list[str]
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / "vision" / "cards" / "one.py"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert list(imports(path)) == found
