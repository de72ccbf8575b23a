"""The score sheet's printed page: all of it fits on the paper, however long the names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from advisor.games.rummy import shipped_variant
from advisor.games.rummy.sheet import StartGame, html, replay

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAPER = 1031
"""A4 across, less its margins, in CSS pixels."""
NAMES = (
    "Bartholomew-Maximilian", "Wilhelmina Featherstone", "Alexandrina Quillington", "Christopher Robinson-Smythe",
    "Konstantinopolitana", "Donaudampfschiffer", "Evangelina Montgomery", "Zacharias Butterworth",
)  # fmt: skip


def test_eight_long_names_fit_on_the_paper(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": PAPER, "height": 700})
    try:
        page.emulate_media(media="print")
        page.set_content(html(replay([StartGame(shipped_variant("contract-b"), NAMES, NAMES[0])]), "friday"))
        assert page.evaluate("document.documentElement.scrollWidth") <= PAPER
        assert page.locator("th.name").count() == len(NAMES)
    finally:
        page.close()
