"""Operations as plain data, and the sheet as JSON, as a table and as a page."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from advisor.games.rummy import parse_rummy_cards, shipped_variant, variant_names, with_values
from advisor.games.rummy.sheet import (
    OPERATIONS,
    JoinPlayer,
    MalformedOperation,
    Opening,
    RecordHand,
    RenamePlayer,
    Sheet,
    Source,
    StartGame,
    Undo,
    WentOut,
    as_csv,
    as_dict,
    as_json,
    as_text,
    html,
    operation_from_dict,
    operation_words,
)
from advisor.games.rummy.variant import Variant

B = shipped_variant("contract-b")


def test_operations_are_short_plain_data() -> None:
    hand = RecordHand("Ann", 3, parse_rummy_cards("10H JOKER"), source=Source.PHOTO, image="a.jpg", met=False)
    assert as_dict(hand) == {
        "op": "record-hand",
        "player": "Ann",
        "deal": 3,
        "cards": "10H JOKER",
        "source": "photo",
        "image": "a.jpg",
        "met": "no",
    }
    assert as_dict(WentOut("Ann", 3, ("gin",))) == {"op": "went-out", "player": "Ann", "deal": 3, "bonuses": ["gin"]}
    assert as_dict(JoinPlayer("Dan", 2, Opening.ZERO)) == {
        "op": "join-player",
        "player": "Dan",
        "deal": 2,
        "opening": "zero",
    }
    assert as_dict(Undo()) == {"op": "undo"}


@pytest.mark.parametrize("name", variant_names())
def test_the_start_carries_every_rule_so_that_a_sheet_is_counted_by_them(name: str) -> None:
    own = with_values(shipped_variant(name), {"points.ace": "11", "note": "ours"})
    for variant in (
        shipped_variant(name),
        own,
        Variant(**{f: getattr(own, f) for f in own.__slots__} | {"name": "mine"}),
    ):
        start = StartGame(variant, ("Ann", "Bob"), "Bob", deals=4)
        data = json.loads(json.dumps(as_dict(start)))
        assert data["variant"] == variant.name and data["overrides"]["points"]["ace"] == variant.points.ace
        assert operation_from_dict(data) == start


def test_a_start_may_name_a_variant_and_only_what_differs() -> None:
    data = {"op": "start-game", "variant": "contract-b", "players": ["Ann", "Bob", "Cy"], "dealer": "Ann"}
    assert operation_from_dict(data) == StartGame(B, ("Ann", "Bob", "Cy"), "Ann")
    changed = operation_from_dict(data | {"overrides": {"points.joker": 25}})
    assert isinstance(changed, StartGame) and changed.variant.points.joker == 25


START: dict[str, Any] = {"op": "start-game", "variant": "contract-b", "players": ["Ann", "Bob"], "dealer": "Ann"}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("undo", "is not an operation: a dictionary"),
        ({}, "None is not an operation: use one of start-game, record-hand"),
        ({"op": ["undo"]}, "is not an operation: use one of"),
        ({"op": "undo", "deal": 1}, "undo has no field 'deal': its fields are none"),
        ({"op": "end-deal"}, "end-deal needs the field 'deal'"),
        ({"op": "end-deal", "deal": True}, "end-deal: deal cannot be True: a whole number is expected"),
        ({"op": "went-out", "player": 3, "deal": 1}, "went-out: player cannot be 3: text is expected"),
        ({"op": "went-out", "player": "A", "deal": 1, "bonuses": "gin"}, "bonuses cannot be 'gin': a list of names"),
        ({"op": "record-hand", "player": "A", "deal": 1, "cards": "1X"}, "record-hand: cards: "),
        ({"op": "record-hand", "player": "A", "deal": 1, "cards": ["9S"]}, 'text such as "10H JOKER" is expected'),
        ({"op": "record-hand", "player": "A", "deal": 1, "met": True}, "met cannot be True: yes or no is expected"),
        ({"op": "record-hand", "player": "A", "deal": 1, "source": "x"}, "source cannot be 'x': photo or typed"),
        ({"op": "join-player", "player": "A", "deal": 1, "opening": []}, "highest or zero is expected"),
        (START | {"variant": "nonesuch"}, "start-game: variant: unknown variant 'nonesuch'"),
        (START | {"overrides": {"jokers": 3}}, "unknown variant field 'jokers'"),
        (START | {"overrides": {"points": {"joker": 3}}}, "start-game: variant: "),
        (START | {"overrides": [1]}, "its overrides cannot be [1]"),
        (START | {"players": "Ann,Bob"}, "players cannot be 'Ann,Bob': a list of names is expected"),
    ],
)
def test_what_cannot_be_read_names_the_field(data: Any, says: str) -> None:
    with pytest.raises(MalformedOperation, match=re.escape(says)):
        operation_from_dict(data)


def test_every_operation_has_words() -> None:
    values = {"player": "Ann", "deal": 2, "to": "Anna", "opening": Opening.ZERO, "points": 3}
    for kind in OPERATIONS:
        known = kind.__dataclass_fields__
        more = {"variant": B, "players": ("Ann",), "dealer": "Ann"} if kind is StartGame else {}
        operation = kind(**{name: value for name, value in values.items() if name in known}, **more)
        assert operation_words(operation)


def sheet() -> Sheet:
    begun = Sheet.start(StartGame(B, ("Ann", "<b>&", "=Cy"), "<b>&"))
    return begun.after(RecordHand("Ann", 1, parse_rummy_cards("10H JOKER"), source=Source.PHOTO, image="a.jpg"))


def test_json_has_what_stands_and_may_have_the_log() -> None:
    data = as_json(sheet(), operations=True)
    assert data["deals"] == [
        {
            "deal": 1,
            "state": "playing",
            "dealer": "<b>&",
            "contract": "S3 S3",
            "joined": {},
            "scores": [
                {
                    "player": "Ann",
                    "points": 25,
                    "hand": 25,
                    "bonus": 0,
                    "bonuses": [],
                    "cards": ["10H", "JOKER"],
                    "out": False,
                    "met": None,
                    "source": "photo",
                    "image": "a.jpg",
                    "total": 25,
                }
            ],
        }
    ]
    assert data["missing"] == ["<b>&", "=Cy"] and data["can_undo"] and not data["can_redo"] and not data["over"]
    assert data["players"][0] == {"name": "Ann", "playing": True, "total": 25}
    assert [each["op"] for each in data["operations"]] == ["start-game", "record-hand"]
    assert json.loads(json.dumps(data)) == data and "operations" not in as_json(sheet())


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    assert as_csv(sheet()) == (
        "deal,state,contract,dealer,Ann,<b>&,'=Cy\r\n1,playing,2 sets of 3,<b>&,25,,\r\ntotal,,,,25,0,0\r\n"
    )


def test_the_page_needs_nothing_from_elsewhere_and_has_lines_for_the_deals_to_come() -> None:
    page = html(sheet(), "friday")
    assert "<b>&" not in page.replace("&lt;b&gt;&amp;", "") and "&lt;b&gt;&amp;" in page
    assert not re.search(r"https?:|src=|href=|<script|@import|url\(", page) and "@media print" in page
    assert page.count("3 sequences of 4") == 1 and "25<small>25 📷</small>" in page


def test_plain_text_lines_up() -> None:
    renamed = sheet().after(RenamePlayer("<b>&", "Bob")).after(WentOut("Bob", 1))
    assert as_text(renamed) == (
        "Contract rummy, source B (contract-b)\n\n"
        "   contract     dealer  Ann  Bob  =Cy\n"
        "1  2 sets of 3  Bob      25  out    -\n"
        "   total                 25    0    0\n\n"
        "Deal 1: Bob deals, 2 sets of 3. No score yet: =Cy.\n"
    )
