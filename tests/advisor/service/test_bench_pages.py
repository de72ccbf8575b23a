"""Pages that the benchmark opens beside a table are real ones: served, told every change, and alike at the end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from service_stand_ins import live_table, put_picture, until

from advisor.cli.table_bench.pages import OpenPages, Sent, saw

pytestmark = pytest.mark.slow


def test_open_pages_are_sent_what_the_table_publishes(tmp_path: Path) -> None:
    picture = tmp_path / "table.png"
    put_picture(picture, 40)
    table = live_table(str(picture))
    told: list[int] = []
    pages = OpenPages(table, 4)
    pages.start(lambda: told.append(1))
    put_picture(picture, 80)
    assert until(lambda: len(table.state("dealer").sightings) == 4)
    time.sleep(1.0)  # pages that are closed at once may not have been sent it yet on a busy machine
    shown = pages.stop()
    assert shown.pages == 4 and shown.alike and told
    assert len(shown.delays) >= 4 and all(delay >= 0 for delay in shown.delays)


def test_delays_count_from_the_last_publication_and_not_what_a_new_page_gets() -> None:
    sent = [Sent((1.0, 2.25, 3.5, 4.5), 7), Sent((1.1, 3.75), 8)]
    shown = saw(sent, [2.0, 3.0])
    assert shown.delays == (0.25, 0.5, 0.75), "what came at 4.5 s tells of no publication"
    assert not shown.alike
    assert saw([Sent((1.0, 1.5), 7)], [2.0]).delays == (), "sent before anything was published"


def test_pages_need_real_time(capsys: pytest.CaptureFixture[str]) -> None:
    from advisor.cli import main

    assert main(["bench", "table", "--rounds", "1", "--virtual", "--pages", "2"]) == 2
    assert "--pages: pages are opened in real time only" in capsys.readouterr().err
