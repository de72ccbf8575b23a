"""What holds for every score sheet, whatever is done to it."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rummy_sheet_strategies import begun, operations, played

from advisor.games.rummy.sheet import (
    DealState,
    IllegalMove,
    Operation,
    Redo,
    Sheet,
    Undo,
    as_csv,
    as_dict,
    as_json,
    as_text,
    html,
    operation_from_dict,
    replay,
)

pytestmark = pytest.mark.slow

few = settings(max_examples=22, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def standing(sheet: Sheet) -> tuple[object, ...]:
    """What stands, without how it came about."""
    return sheet.variant, sheet.length, sheet.players, sheet.deals, sheet.closed


@few
@given(played())
def test_a_sheet_is_what_its_log_replays_to(sheet: Sheet) -> None:
    assert replay(sheet.log) == sheet
    through_json = [operation_from_dict(json.loads(json.dumps(as_dict(each)))) for each in sheet.log]
    assert tuple(through_json) == sheet.log and replay(through_json) == sheet


@few
@given(st.data())
def test_undo_and_redo_are_those_of_two_stacks(data: st.DataObject) -> None:
    """Only what was not undone stands; a refused operation changes nothing and says why in a sentence."""
    sheet = data.draw(begun())
    start, *done = sheet.log
    undone: list[Operation] = []
    for _ in range(data.draw(st.integers(5, 15))):
        operation = data.draw(operations(sheet))
        before, stood = len(sheet.log), standing(sheet)
        try:
            sheet = sheet.after(operation)
        except IllegalMove as error:
            assert str(error).endswith(".") and (len(sheet.log), standing(sheet)) == (before, stood)
            assert not (isinstance(operation, Undo) and done) and not (isinstance(operation, Redo) and undone)
            continue
        assert sheet.log[-1] == operation and len(sheet.log) == before + 1
        if isinstance(operation, Undo):
            undone.append(done.pop())
        elif isinstance(operation, Redo):
            done.append(undone.pop())
        else:
            done.append(operation)
            undone.clear()
        assert sheet.undone == tuple(undone) and sheet.last == (done[-1] if done else None)
    assert standing(replay([start, *done])) == standing(sheet)


@few
@given(played())
def test_totals_are_the_sums_of_the_deals_and_of_late_starts(sheet: Sheet) -> None:
    sums = {player.name: 0 for player in sheet.players}
    data = as_json(sheet)
    for deal in data["deals"]:
        for name, points in deal["joined"].items():
            sums[name] += points
        for score in deal["scores"] if deal["state"] != "void" else []:
            assert score["points"] == score["hand"] - score["bonus"]
            sums[score["player"]] += score["points"]
    began_unplayed = sheet.closed and any(p.stints and p.stints[-1].first > len(sheet.deals) for p in sheet.players)
    if not began_unplayed:
        assert {player["name"]: player["total"] for player in data["players"]} == sums
    rows = list(csv.reader(io.StringIO(as_csv(sheet))))
    assert len({len(row) for row in rows}) == 1
    for column in zip(*(row[4:] for row in rows), strict=True):
        assert int(column[-1]) == sum(int(points) for points in column[1:-1] if points)
    assert {name: sheet.totals[name] for name in sheet.totals} == {
        player["name"]: player["total"] for player in data["players"] if player["name"] in sheet.totals
    }


@few
@given(played())
def test_what_follows_from_a_sheet_fits_together(sheet: Sheet) -> None:
    playing = [deal for deal in sheet.deals if deal.state is DealState.PLAYING]
    assert playing == ([] if sheet.over else [sheet.deals[-1]])
    assert [deal.number for deal in sheet.deals] == list(range(1, len(sheet.deals) + 1))
    assert len({player.name.casefold() for player in sheet.players}) == len(sheet.players)
    assert len({player.number for player in sheet.players}) == len(sheet.players)
    for deal in sheet.deals:
        at_table = sheet.playing(deal.number)
        assert {number for number, _ in deal.entries} <= {player.number for player in at_table}
        assert sum(entry.out for _, entry in deal.entries) <= 1
        if deal.state is DealState.ENDED:
            assert len(deal.entries) == len(at_table)
        low, high = sheet.variant.players
        assert low <= len(at_table) <= high
    if sheet.current is not None:
        at_table = sheet.playing(sheet.current.number)
        assert sheet.dealer in [player.name for player in at_table]
        scored = {sheet.by_number(number).name for number, _ in sheet.current.entries}
        assert scored.isdisjoint(sheet.missing) and scored | set(sheet.missing) == {p.name for p in at_table}
        assert sheet.winners == ()
    else:
        assert sheet.winners == sheet.leaders
    ranking = sheet.ranking
    assert set(sheet.leaders) <= {name for name, _ in ranking} and bool(sheet.leaders) == bool(ranking)
    if not sheet.variant.carry_over_contract:
        assert sheet.leaders == tuple(name for name, total in ranking if total == min(total for _, total in ranking))


class _Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@settings(few, max_examples=8)
@given(played())
def test_page_and_text_show_every_player(sheet: Sheet) -> None:
    page = _Balanced()
    page.feed(html(sheet, "friday <1>"))
    assert page.open == [] and "friday <1>: " in "".join(page.text)
    for player in sheet.players:
        assert player.name in page.text and player.name in as_text(sheet)
