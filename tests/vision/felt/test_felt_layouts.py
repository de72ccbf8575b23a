"""Layouts: the shipped ones can be used, places find their zones, and a wrong file is told all that is wrong."""

from __future__ import annotations

import tomllib
from math import hypot, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.felt import Circle, Layout, LayoutError, Polygon, Zone, layout_from_data, layout_names, load_layout
from vision.felt.drawing import as_png, as_svg
from vision.felt.shapes import ShapeError, box, common, gap, shared_area
from vision.sightings import Quad

NAMES = layout_names()
LAYOUTS = {name: load_layout(name) for name in NAMES}
FOLDER = Path("vision/felt/layouts")
Data = dict[str, Any]


def small() -> Data:
    """A good layout of one seat, to spoil."""
    return {
        "title": "Small",
        "felt": {"size": [800, 600], "shape": "rectangle"},
        "zones": [
            {"kind": "house", "box": {"centre": [0, 100], "size": [300, 120]}},
            {"kind": "seat-cards", "seat": 1, "box": {"centre": [0, 350], "size": [200, 150]}},
            {"kind": "seat-bet", "seat": 1, "circle": {"centre": [0, 510], "radius": 70}},
            {"kind": "discards", "polygon": [[-390, 10], [-250, 10], [-250, 150], [-390, 150]]},
        ],
        "markers": {"size": 60, "at": [{"id": 60, "centre": [300, 60]}, {"id": 61, "centre": [300, 500]}]},
    }


def card(x: float, y: float, turn: float = 0.0) -> Quad:
    a, b, c, d = box((x, y), (63.5, 88.9), turn).points
    return (a, b, c, d)


def wrong_with(data: Data) -> tuple[str, ...]:
    with pytest.raises(LayoutError) as refused:
        layout_from_data("spoiled", data)
    return refused.value.problems


def seat_bet(layout: Layout, seat: int) -> Zone:
    """The first of the places where a seat bets."""
    return next(zone for zone in layout.zones if zone.kind == "seat-bet" and zone.seat == seat)


def test_the_example_in_the_documents_is_a_good_layout() -> None:
    text = Path("docs/felt-layouts.md").read_text(encoding="utf-8")
    layout = layout_from_data("example", tomllib.loads(text.split("```toml")[1].split("```")[0]))
    assert layout.seats == (1,) and len(layout.markers) == 4


def test_all_six_felts_are_shipped_and_can_be_used() -> None:
    assert {name: len(LAYOUTS[name].seats) for name in NAMES} == {
        "seven-seats": 7,
        "five-seats": 5,
        "five-bets": 5,
        "three-seats": 3,
        "one-seat": 1,
        "kitchen-table": 4,
    }


def test_no_two_shipped_felts_share_a_marker() -> None:
    ids = [m.id for name in NAMES for m in LAYOUTS[name].markers]
    assert len(ids) == len(set(ids)) >= 20


@pytest.mark.parametrize("name", NAMES)
def test_seats_run_clockwise_from_the_dealers_left(name: str) -> None:
    layout = LAYOUTS[name]
    centres = [(layout.zone("seat-cards", n) or seat_bet(layout, n)).shape.centre for n in layout.seats]
    turns = [np.arctan2(y, x) for x, y in centres]
    assert turns == sorted(turns)
    assert len(centres) == 1 or (centres[0][0] > 0 > centres[-1][0])


@pytest.mark.parametrize("name", NAMES)
def test_a_place_in_a_zone_finds_it(name: str) -> None:
    layout = LAYOUTS[name]
    for zone in layout.zones:
        assert layout.zone_at(zone.shape.centre) is zone
    assert layout.zone_at((0.0, -50.0)) is None and layout.zone_at((nan, nan)) is None


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_card_within_a_seats_cards_belongs_to_that_seat(name: str, data: st.DataObject) -> None:
    layout = LAYOUTS[name]
    zone = data.draw(st.sampled_from([z for z in layout.zones if z.kind in ("seat-cards", "house")]))
    (x0, y0), (x1, y1) = zone.shape.outline.min(axis=0), zone.shape.outline.max(axis=0)
    x, y = data.draw(st.floats(float(x0), float(x1))), data.draw(st.floats(float(y0), float(y1)))
    outline = card(x, y, data.draw(st.floats(0, 180)))
    shared = common(np.array(outline, np.float32), zone.shape.outline)[0]
    if shared > 0.51 * 63.5 * 88.9:
        assert layout.spot_of(outline) is zone


@settings(max_examples=60, deadline=None)
@given(x=st.floats(-1200, 1200), y=st.floats(-300, 1200), turn=st.floats(0, 360))
def test_a_spot_is_never_farther_than_its_reach(x: float, y: float, turn: float) -> None:
    layout = LAYOUTS["seven-seats"]
    outline = card(x, y, turn)
    spot = layout.spot_of(outline, reach=40.0)
    nearest = min(
        gap(np.array(outline, np.float32), z.shape.outline) for z in layout.zones if z.kind in ("seat-cards", "house")
    )
    if spot is None:
        assert nearest > 40.0
    elif spot.kind in ("shoe", "discards"):
        assert common(np.array(outline, np.float32), spot.shape.outline)[0] > 0.49 * 63.5 * 88.9


def test_a_card_off_every_area_belongs_to_the_nearest_within_reach() -> None:
    layout = LAYOUTS["one-seat"]
    own = layout.zone("seat-cards", 1)
    assert own is not None
    right = float(own.shape.outline[:, 0].max())
    beside = (right + 63.5 / 2 + 30, 390.0)
    assert layout.spot_of(card(*beside)) is own
    assert layout.spot_of(card(*beside), reach=20) is None


def test_a_card_on_a_bet_belongs_to_its_seat_and_half_a_card_on_the_discards_to_them() -> None:
    layout = LAYOUTS["five-seats"]
    bet, discards = layout.zone("seat-bet", 4), layout.zone("discards")
    assert bet and discards
    assert layout.spot_of(card(*bet.shape.centre)) is layout.zone("seat-cards", 4)
    assert layout.spot_of(card(*discards.shape.centre)) is discards
    edge = float(discards.shape.outline[:, 0].max())
    assert layout.spot_of(card(edge - 20, discards.shape.centre[1])) is discards
    assert layout.spot_of(card(edge + 20, discards.shape.centre[1])) is not discards


@pytest.mark.parametrize(
    "outline",
    [[(nan, 0), (1, 0), (1, 1), (0, 1)], [(0, 0), (1, 1)], [(5, 5)] * 4, []],
    ids=["no number", "two points", "one place", "nothing"],
)
def test_an_outline_that_is_no_card_has_no_spot(outline: list[tuple[float, float]]) -> None:
    assert LAYOUTS["one-seat"].spot_of(outline) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_four_handles_span_the_felt_clockwise(name: str) -> None:
    layout = LAYOUTS[name]
    points = [h.point for h in layout.handles]
    area = sum(points[k - 1][0] * p[1] - points[k - 1][1] * p[0] for k, p in enumerate(points)) / 2
    assert area > 0.3 * layout.felt.area
    assert points[0][0] < 0 < points[1][0] and points[0][1] == points[1][1] == 0
    assert len({h.name for h in layout.handles}) == 4


def test_the_good_layout_is_good() -> None:
    layout = layout_from_data("small", small())
    assert layout.seats == (1,) and len(layout.markers) == 2 and layout.size == (800, 600)


SPOILED: list[tuple[str, list[tuple[str | int, ...]], Any, list[str]]] = [
    ("overlap", [("zones", 0, "box", "centre")], [0, 250], ["the house and the cards of seat 1 overlap at (0, 292)"]),
    ("outside", [("zones", 2, "circle", "centre")], [0, 560], ["the bet of seat 1 lies 30 mm outside the felt"]),
    ("seat twice", [("zones", 3)], small()["zones"][1], ["the cards of seat 1 is there 2 times, at (0, 350)"]),
    ("seat 8", [("zones", 1, "seat")], 8, ["seat cannot be 8", "seat 1 has a seat-bet zone but no seat-cards"]),
    ("gap", [("zones", 1, "seat"), ("zones", 2, "seat")], 3, ["seat 1, 2 is missing"]),
    ("seat as text", [("zones", 1, "seat")], "1", ["zone 2 (seat-cards, seat 1): seat cannot be '1'"]),
    ("no seat", [("zones", 1, "seat")], None, ["a seat-cards zone at (0, 350) has no seat"]),
    ("house with seat", [("zones", 0, "seat")], 1, ["the house of seat 1 cannot be"]),
    ("unknown field", [("zones", 0, "colour")], "red", ["zone 1 (house) has an unknown field 'colour'"]),
    ("unknown kind", [("zones", 0, "kind")], "bar", ["kind cannot be 'bar': it must be one of seat-cards"]),
    (
        "number as text",
        [("zones", 0, "box", "size")],
        ["300", 120],
        ["zone 1 (house) box: size cannot be ['300', 120]"],
    ),
    ("three numbers", [("zones", 0, "box", "centre")], [0, 1, 2], ["centre cannot be [0, 1, 2]"]),
    ("infinite", [("zones", 2, "circle", "radius")], float("inf"), ["radius cannot be inf"]),
    ("negative", [("zones", 2, "circle", "radius")], -5, ["a radius above 0"]),
    ("bent in", [("zones", 3, "polygon")], [[-390, 10], [-250, 10], [-370, 30], [-390, 150]], ["it bends inwards"]),
    ("two shapes", [("zones", 0, "circle")], {"centre": [0, 0], "radius": 5}, ["has circle and box: give one of"]),
    ("no felt", [("felt",)], None, ["the file has no [felt] table"]),
    ("tiny felt", [("felt", "size")], [80, 60], ["the felt is 80 mm wide", "the felt is 60 mm deep"]),
    ("shape", [("felt", "shape")], "oval", ["[felt] shape cannot be 'oval'"]),
    ("marker twice", [("markers", "at", 1, "id")], 60, ["marker 60 is there 2 times, at (300, 60) and (300, 500)"]),
    ("marker id", [("markers", "at", 1, "id")], 100, ["a marker's id cannot be 100: it must be 0 to 99"]),
    ("marker on zone", [("markers", "at", 1, "centre")], [0, 350], ["the cards of seat 1 and marker 61"]),
    ("marker size", [("markers", "size")], 5, ["marker 60 is 5 mm wide"]),
    ("zones a table", [("zones",)], {"kind": "house"}, ["zones cannot be"]),
    ("title", [("title",)], 7, ["title cannot be 7: it must be text"]),
    ("bet of cards", [("zones", 1, "bet")], "tie", ["the cards of seat 1 on tie cannot be: only a seat-bet zone"]),
    ("bet in words", [("zones", 2, "bet")], "Player pair", ["bet cannot be 'Player pair': write small letters"]),
    ("bet as number", [("zones", 2, "bet")], 8, ["bet cannot be 8: it must be text"]),
]


@pytest.mark.parametrize(("paths", "value", "said"), [s[1:] for s in SPOILED], ids=[s[0] for s in SPOILED])
def test_what_is_wrong_is_said_with_its_place(paths: list[tuple[str | int, ...]], value: Any, said: list[str]) -> None:
    data = small()
    for path in paths:
        inner: Any = data
        for step in path[:-1]:
            inner = inner[step]
        if value is None:
            del inner[path[-1]]
        else:
            inner[path[-1]] = value
    problems = wrong_with(data)
    for sentence in said:
        assert any(sentence in problem for problem in problems), problems


def test_everything_wrong_is_said_at_once() -> None:
    data = small()
    data["zones"][0]["box"]["centre"] = [0, 250]
    data["zones"][2]["circle"]["centre"] = [0, 560]
    data["zones"][1]["colour"] = "red"
    data["markers"]["at"][0]["id"] = 61
    problems = wrong_with(data)
    for word in ("overlap", "outside the felt", "unknown field 'colour'", "marker 61 is there 2 times"):
        assert any(word in problem for problem in problems), problems


@pytest.mark.parametrize(("name", "seats"), [("three-seats", 3), ("five-bets", 5)])
def test_seats_against_the_clock_are_refused(name: str, seats: int) -> None:
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    for zone in data["zones"]:
        if "seat" in zone:
            zone["seat"] = seats + 1 - zone["seat"]
    assert any("numbered clockwise" in problem for problem in wrong_with(data))


def test_a_seat_may_have_a_place_for_each_of_its_bets_and_none_for_cards() -> None:
    layout = LAYOUTS["five-bets"]
    named = {zone.bet: zone.name for zone in layout.zones if zone.seat == 2}
    assert set(named) == {"tie", "player", "banker", "player-pair", "banker-pair"}
    assert named["tie"] == "the bet of seat 2 on tie" and layout.seats == (1, 2, 3, 4, 5)
    tie = layout.zone("seat-bet", 2, "tie")
    assert tie is not None and tie.shape.centre == (270, 350)
    assert layout.zone("seat-bet", 2) is None and layout.zone("seat-bet", 2, "lucky") is None
    data = tomllib.loads((FOLDER / "five-bets.toml").read_text())
    next(zone for zone in data["zones"] if zone.get("bet") == "player")["bet"] = "tie"
    assert any("the bet of seat 1 on tie is there 2 times" in problem for problem in wrong_with(data))


def test_chips_of_one_bet_are_never_as_near_to_another_bet_s_place() -> None:
    """Half a chip and more lies between two places, so that a stack on one is nobody else's."""
    places = [zone for zone in LAYOUTS["five-bets"].zones if zone.kind == "seat-bet"]
    gaps = [gap(one.shape.outline, other.shape.outline) for k, one in enumerate(places) for other in places[k + 1 :]]
    assert min(gaps) >= 39 / 2


def test_a_felt_that_does_not_start_at_the_dealer_is_refused() -> None:
    data = {"felt": {"outline": [[0, 100], [800, 100], [800, 700], [0, 700]]}}
    assert any("must lie at y = 0" in problem for problem in wrong_with(data))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("no-such", None, "there is no such layout: use one of seven-seats"),
        ("gone.toml", None, "there is no such file: use one of seven-seats"),
        ("bad.toml", b"[felt\n", "is not valid TOML"),
        ("binary.toml", b"\xff\xfe\x00", "not a text file"),
        ("nul\0.toml", None, "there is no such file"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path, name: str, text: bytes | None, said: str) -> None:
    where = tmp_path / name if name.endswith(".toml") and "\0" not in name else Path(name)
    if text is not None:
        where.write_bytes(text)
    with pytest.raises(LayoutError, match=said):
        load_layout(where)


def test_ones_own_file_works_as_the_shipped_ones_do(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((FOLDER / "one-seat.toml").read_text())
    mine, shipped = load_layout(path), LAYOUTS["one-seat"]
    assert isinstance(mine, Layout) and mine.name == "mine"
    assert (mine.zones, mine.markers) == (shipped.zones, shipped.markers)


@pytest.mark.parametrize("name", NAMES)
def test_the_drawing_names_every_seat_and_marker(name: str) -> None:
    layout = LAYOUTS[name]
    drawn = as_svg(layout)
    assert all(f">seat {n}<" in drawn or f">{seat_bet(layout, n).bet} {n}<" in drawn for n in layout.seats)
    assert all(f">{m.id}<" in drawn for m in layout.markers)
    assert as_png(layout).startswith(b"\x89PNG")


@settings(max_examples=60, deadline=None)
@given(
    centre=st.tuples(st.floats(-500, 500), st.floats(-500, 500)),
    size=st.tuples(st.floats(5, 400), st.floats(5, 400)),
    turn=st.floats(-360, 360),
)
def test_a_box_keeps_its_size_however_it_is_turned(
    centre: tuple[float, float], size: tuple[float, float], turn: float
) -> None:
    shape = box(centre, size, turn)
    assert shape.area == pytest.approx(size[0] * size[1], rel=1e-6)
    assert hypot(shape.centre[0] - centre[0], shape.centre[1] - centre[1]) < 1e-6 * max(1, *map(abs, centre), *size)
    assert shape.contains(shape.centre)


def test_a_circles_outline_is_true_to_it() -> None:
    circle = Circle((10.0, 20.0), 80.0)
    assert Polygon(tuple((float(x), float(y)) for x, y in circle.outline)).area == pytest.approx(circle.area, rel=0.002)
    with pytest.raises(ShapeError):
        Circle((0.0, 0.0), 0.0)


@settings(max_examples=60, deadline=None)
@given(x=st.floats(-150, 150), y=st.floats(-150, 150), turn=st.sampled_from([0, 90, 180, 270]))
def test_what_two_boxes_share_is_their_common_rectangle(x: float, y: float, turn: float) -> None:
    one, other = box((0.0, 0.0), (100, 60)).outline, box((x, y), (80, 40), turn).outline
    width, depth = (80, 40) if turn % 180 == 0 else (40, 80)
    across = min(50, x + width / 2) - max(-50, x - width / 2)
    down = min(30, y + depth / 2) - max(-30, y - depth / 2)
    assert shared_area(one, other) == pytest.approx(max(0, across) * max(0, down), abs=1.0)
    away = hypot(max(0, -across), max(0, -down))
    assert gap(one, other) == pytest.approx(away, abs=0.05)
