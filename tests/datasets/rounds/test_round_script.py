"""Scripts: what they may say, what they refuse and with which words, and that a file keeps them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rounds_scripts import SCRIPT

from datasets.rounds.script import (
    Act,
    Clear,
    Deal,
    Pause,
    PickUp,
    PutChips,
    RestHand,
    Script,
    ScriptError,
    Split,
    Turn,
    seconds,
)
from datasets.rounds.script_file import as_data, from_data, load_script, save_script
from vision.sightings import CARDS


def test_a_file_keeps_a_script(tmp_path: Path) -> None:
    path = tmp_path / "every-act.json"
    save_script(SCRIPT, path)
    assert load_script(path) == SCRIPT
    assert path.read_text().count("\n") == len(SCRIPT.acts) + 2, "an act a line"


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ((Deal(1, 4, "8S"),), "there is no seat 4: seats are 1 to 3, and 0 is the house."),
        ((Deal(1, 1, "1S"),), "'1S' is no card: write a rank and a suit, such as 10H."),
        ((Deal(1, 1, "8S", 2),), "hand 2 of seat 1 cannot be dealt to: the seat has no hand 1."),
        ((Deal(1, 1, "8S"), Deal(1.5, 2, "9S")), "begins before act 1 (deal at 1.00 s) is over: start it at 1.95 s"),
        ((Deal(2, 1, "8S"), Pause(1, 1)), "comes after one that begins at 2.00 s: put the acts in order of time."),
        ((Deal(1, 0, "8S"), Turn(2, 0, 1)), "card 1 of hand 1 of the house lies face up already."),
        ((Deal(1, 0, "8S"), Turn(2, 0, 2)), "card 2 of hand 1 of the house cannot be turned: 1 lie there."),
        ((Deal(1, 1, "8S"), Split(2, 1)), "hand 1 of seat 1 cannot be split: 1 cards lie there, not 2."),
        ((PickUp(1, 1),), "hand 1 of seat 1 has no cards."),
        ((Deal(1, 1, "8S"), PickUp(2, 1), Deal(4, 1, "9S")), "hand 1 of seat 1 was picked up."),
        ((Clear(1),), "there are no cards to clear."),
        ((PutChips(1, 1, ("pink",)),), "'pink' is no chip: use white, red, blue"),  # type: ignore[arg-type]
        ((PutChips(1, 0, ("red",)),), "only seats have chips"),
        ((Deal(1, 1, "8S"), RestHand(2, 1, -1.0)), "-1.0 seconds cannot be: write a number above 0."),
        ((Deal(float("nan"), 1, "8S"),), "cannot begin at nan: write a second from 0 to 3600."),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(acts: tuple[Act, ...], said: str) -> None:
    with pytest.raises(ScriptError) as refused:
        Script(acts, 3)
    assert said in str(refused.value)
    assert str(refused.value).startswith("script: Act ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "It must be an object"),
        ({"version": 2, "acts": []}, "Its version is 2; this program films version 1."),
        ({"version": 1}, 'Its "acts" must be a list.'),
        ({"version": 1, "acts": [{"act": "shout", "at": 1}]}, 'Act 1 needs an "act" that is one of deal, turn'),
        ({"version": 1, "acts": [{"act": "deal", "at": 1, "seat": 1}]}, "Act 1 (deal) needs 'card'."),
        ({"version": 1, "acts": [{"act": "clear", "at": "x"}]}, "Act 1 (clear): at must be a number, not 'x'."),
        ({"version": 1, "acts": [{"act": "clear", "at": 1, "by": 2}]}, "Act 1 (clear) has no field 'by'"),
        ({"version": 1, "acts": [], "seats": True}, "Its seats must be a whole number"),
        (
            {"version": 1, "acts": [{"act": "take-chips", "at": 1, "seat": 1, "by": "cat"}]},
            "by cannot be 'cat': use player or dealer.",
        ),
    ],
)
def test_a_file_that_is_no_script_is_refused_with_a_sentence(data: Any, said: str) -> None:
    with pytest.raises(ScriptError, match=r"film\.json: ") as refused:
        from_data(data, "film.json")
    assert said in str(refused.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"none\.json: It could not be read \(No such file"):
        load_script(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(ScriptError, match=r"bad\.json: It is not JSON"):
        load_script(tmp_path / "bad.json")


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(CARDS), st.booleans()), max_size=8), st.floats(0, 2))
def test_any_deal_keeps_its_acts_through_json(cards: list[tuple[int, str, bool]], gap: float) -> None:
    acts: list[Deal] = []
    for seat, card, up in cards:
        at = acts[-1].at + seconds(acts[-1]) + gap if acts else gap
        acts.append(Deal(at, seat, card, up=up))
    script = Script(tuple(acts), 3)
    assert from_data(as_data(script)) == script
    assert script.length >= sum(seconds(act) for act in acts)
