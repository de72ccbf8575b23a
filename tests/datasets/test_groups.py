"""The hard situations: each picture holds what its group promises, and the manifest can be scored."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import pytest

from datasets.bench import load_manifest
from datasets.cli import run_groups
from datasets.drawn import BUILT_IN_FONT
from datasets.groups import GROUPS, readable, scene_of
from vision.sightings import JOKER

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("group", "least", "most"),
    [("fan-of-13", 12, 13), ("ribbon-of-52", 40, 52), ("two-packs", 13, 14), ("jokers", 9, 11), ("jumbo", 11, 12)],
)
def test_a_picture_shows_the_cards_of_its_group(
    group: str, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A wide face's corners may be covered in a close ribbon: not with whatever fonts a machine has.
    monkeypatch.setattr("datasets.groups.card_fonts", lambda: (BUILT_IN_FONT,))
    monkeypatch.setattr("datasets.groups.suit_fonts", lambda: (BUILT_IN_FONT,))
    cards = Counter(readable(scene_of(group, 0)))
    assert least <= cards.total() <= most
    assert max(cards.values()) <= (3 if group == "jokers" else 2 if group == "two-packs" else 1)
    assert (cards[JOKER] >= 2) == (group == "jokers")
    assert group != "two-packs" or sum(n == 2 for n in cards.values()) >= 4


def test_the_same_number_gives_the_same_picture() -> None:
    first, again = scene_of("jumbo", 3), scene_of("jumbo", 3)
    assert (first.image == again.image).all()
    assert readable(first) != readable(scene_of("jumbo", 4))


def test_the_command_writes_a_manifest_that_bench_cards_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_groups(argparse.Namespace(folder=tmp_path, pictures=1)) == 0
    items = load_manifest(Path(capsys.readouterr().out.strip()))
    assert [i.source for i in items] == list(GROUPS) and all(i.image.exists() and i.cards for i in items)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert run_groups(argparse.Namespace(folder=tmp_path / "file", pictures=1)) == 1
    assert "could not be written" in capsys.readouterr().err
