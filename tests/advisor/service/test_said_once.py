"""What goes on failing is said once, and again when it fails otherwise or anew."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pytest
from service_stand_ins import live_table, put_picture, table_of, until

from advisor.service import live
from advisor.service.said_once import SaidOnce
from advisor.service.store import StoreError
from advisor.service.store.values import Actor
from advisor.service.table_log import MemoryLog
from advisor.table import Change, TableState


def test_a_warning_is_said_again_only_when_it_changes_or_the_thing_went_well_meanwhile(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = SaidOnce(logging.getLogger("test"))
    for what, why in (("a", "x"), ("a", "x"), ("b", "x"), ("a", "x"), ("a", "y"), ("a", "x")):
        said.warn(what, why)
    assert caplog.messages == ["a: x", "b: x", "a: y", "a: x"]
    said.well("a", "c")
    said.warn("a", "x")
    said.warn("b", "x")
    assert caplog.messages[4:] == ["a: x"]


class Refusing(MemoryLog):
    """Keeps nothing while it has a reason not to, and counts how often it was asked."""

    why = "Another Tableside keeps this evening too."
    asked = 0

    def apply(self, changes: Sequence[Change], actor: Actor) -> TableState:
        self.asked += 1
        if self.why:
            raise StoreError(self.why)
        return super().apply(changes, actor)


def test_cards_that_cannot_be_kept_are_tried_again_and_again_and_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live.LiveTable._try_again, "__defaults__", (0.05,))
    picture, log = tmp_path / "table.png", Refusing(table_of())
    put_picture(picture, 80)
    table = live_table(str(picture), log)

    def warnings() -> list[str]:
        return [it for it in caplog.messages if it.startswith(live.NOT_KEPT)]

    table.start()
    try:
        assert until(lambda: log.asked >= 6)
        assert warnings() == [f"{live.NOT_KEPT}: {log.why}"]
        log.why = "The disk is full."
        asked = log.asked
        assert until(lambda: log.asked >= asked + 4)
        assert len(warnings()) == 2 and warnings()[1].endswith("The disk is full.")
        log.why = ""
        assert until(lambda: len(log.state.cards) == 4)
        assert len(warnings()) == 2
    finally:
        table.stop()
