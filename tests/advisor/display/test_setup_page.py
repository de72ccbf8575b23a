"""The chooser at its own address, with a whole server: it opens on what is played, and keeps what is not changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from service_stand_ins import ABSENT, TWO_SEATS, live_table, table_of, until
from serving import served

from advisor.service.app import create_app
from advisor.service.table_log import MemoryLog
from advisor.table import begin
from advisor.table.state import TableState

pytest.importorskip("playwright")
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.slow

PATIENCE = 15_000


@contextmanager
def chooser(browser: Browser, log: MemoryLog) -> Iterator[tuple[Page, Locator]]:
    with served(create_app(live_table(ABSENT, log)), "setup") as address:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address)
        sheet = page.get_by_test_id("setup")
        expect(sheet.get_by_test_id("setup-save")).to_be_visible()
        yield page, sheet
        page.close()
        assert faults == []


def played_by(state: TableState) -> tuple[Any, ...]:
    return state.game, state.rules, state.rules_name, state.layout, state.seats


@pytest.mark.parametrize(("game", "rules"), [("pontoon", "plain"), ("blackjack", "single-deck")])
def test_the_chooser_at_its_own_address_shows_what_the_table_plays(browser: Browser, game: str, rules: str) -> None:
    log = MemoryLog(table_of(game, rules, "three-seats", 3))
    with chooser(browser, log) as (_, sheet):
        expect(sheet.get_by_role("radio", name=game.capitalize())).to_be_checked()
        expect(sheet.get_by_test_id("setup-preset")).to_have_value(rules)
        expect(sheet.get_by_test_id("setup-layout")).to_have_value("three-seats")
        expect(sheet.get_by_test_id("setup-seats")).to_have_value("3")
        for rule in ("decks", "minimum", "maximum", "unit"):
            value = str(getattr(log.state.rules, rule))
            expect(sheet.locator(f'[data-rule="{rule}"]')).to_have_value(value)


def test_play_this_with_nothing_changed_leaves_the_round_as_it_is(browser: Browser) -> None:
    log = MemoryLog(table_of("blackjack", "single-deck", "three-seats", 3))
    log.apply(TWO_SEATS, "camera")
    before = log.state
    with chooser(browser, log) as (_, sheet):
        expect(sheet.get_by_test_id("setup-preset")).to_have_value("single-deck")
        sheet.get_by_test_id("setup-save").click()
        expect(sheet).to_have_count(0)
    assert log.state is before


def test_what_is_changed_is_changed_alone(browser: Browser) -> None:
    rules = table_of("pontoon", "plain").rules.with_values({"minimum": "2"})
    log = MemoryLog(begin("pontoon", rules, "plain, changed", "three-seats", 3))
    before = played_by(log.state)
    with chooser(browser, log) as (_, sheet):
        expect(sheet.get_by_test_id("setup-preset")).to_have_value("plain, changed")
        sheet.get_by_test_id("setup-seats").fill("2")
        sheet.get_by_test_id("setup-save").click()
        expect(sheet).to_have_count(0)
        assert until(lambda: log.state.seats == 2)
    assert played_by(log.state) == (*before[:-1], 2)
