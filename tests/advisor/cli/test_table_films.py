"""Filmed rounds: what is staged is a whole legal round, its script shows its cards, and the money is the game's own."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import datasets.cli
from advisor.cli import dataset_rounds, demo_clips
from advisor.cli.table_films import GAMES, Staged, stage
from advisor.cli.table_films.demo import DEMOS, demo_script
from advisor.cli.terminal import Failure
from advisor.games.blackjack.round import operation_from_dict
from advisor.games.blackjack.round import replay as replay_blackjack
from advisor.games.pontoon.round import LOG as PONTOON
from advisor.games.pontoon.round import replay as replay_pontoon
from advisor.games.punto_banco.round import LOG as PUNTO_BANCO
from advisor.games.punto_banco.round import replay as replay_punto_banco
from datasets.rounds.film import Conditions
from datasets.rounds.moves import course
from datasets.rounds.script import Clear, Deal, PickUp, Split, Turn
from datasets.rounds.script_file import load_script
from datasets.rounds.spots import Spots, layout_for

pytestmark = pytest.mark.slow

SEEDS = range(4)


@cache
def films() -> list[Staged]:
    return [stage(game, seed, 2, seats) for game in GAMES for seed in SEEDS for seats in (1, 3, 7)]


def nets(staged: Staged) -> list[dict[int, Fraction]]:
    """What each round's own log comes to."""
    found, seen = [], ()
    for one in staged.rounds:
        if staged.game == "blackjack":
            state = replay_blackjack(staged.rules, [operation_from_dict(it) for it in one.operations])
            found.append({seat.number: state.net(seat.number) for seat in state.seats})
        elif staged.game == "punto-banco":
            log = [PUNTO_BANCO.from_dict(it) for it in one.operations]
            coup = replay_punto_banco(staged.rules, log, seen=seen)
            found.append({seat: coup.net(seat) for seat in one.net})
        else:
            seats = [*one.net, 12]
            deal = replay_pontoon(staged.rules, seats, 12, [PONTOON.from_dict(it) for it in one.operations])
            found.append({seat: deal.net(seat) for seat in one.net})
    return found


def test_a_seed_stages_the_same_rounds_again() -> None:
    for game in GAMES:
        assert stage(game, 3, 2, 5) == stage(game, 3, 2, 5)
        assert stage(game, 3, 2, 5).script != stage(game, 4, 2, 5).script


def test_every_rounds_log_replays_to_the_money_that_is_told() -> None:
    for staged in films():
        assert nets(staged) == [dict(one.net) for one in staged.rounds]


def test_the_script_deals_the_cards_that_the_log_names() -> None:
    for staged in films():
        begins = 0.0
        for one in staged.rounds:
            dealt = Counter(a.card for a in staged.script.acts if isinstance(a, Deal) and begins <= a.at < one.clears)
            named = Counter(
                card
                for operation in one.operations
                for name in ("card", "cards")
                for card in str(operation.get(name, "back")).split()
                if operation["op"] in ("deal", "deal-dealer", "hit", "draw-dealer", "draw", "draw-banker", "twist")
                and card != "back"
            )
            assert not named - dealt, "every card that the log names face up was dealt"
            begins = one.clears


def test_rounds_follow_one_another_and_nothing_is_said_after_they_are_decided() -> None:
    for staged in films():
        assert [one.clears for one in staged.rounds] == [a.at for a in staged.script.acts if isinstance(a, Clear)]
        for one, following in zip(staged.rounds, staged.rounds[1:], strict=False):
            assert one.begins < one.decided < one.clears < following.begins
            assert all(at <= one.decided for at, _ in one.told)


def test_at_the_end_the_cards_lie_as_the_round_says() -> None:
    staged = next(it for it in (stage("blackjack", seed, 1, 3) for seed in range(50)) if _split(it))
    (one,) = staged.rounds
    state = replay_blackjack(staged.rules, [operation_from_dict(it) for it in one.operations])
    lying = course(staged.script, Spots(layout_for(3)), 0).lying(one.clears)
    gone = {(a.seat, a.hand) for a in staged.script.acts if isinstance(a, PickUp)}
    for seat, number, hand in state.hands():
        shown = [rest.label for rest in lying if (rest.seat, rest.hand) == (seat.number, number)]
        assert shown == ([] if (seat.number, number) in gone else [str(card) for card in hand.cards])
    assert [rest.label for rest in lying if rest.seat == 0] == [str(card) for card in state.dealer.cards]


def _split(staged: Staged) -> bool:
    return any(isinstance(act, Split) for act in staged.script.acts)


def test_everything_that_a_table_must_follow_is_staged() -> None:
    done = Counter(
        str(op["op"])
        for seed in range(20, 27)
        for one in stage("blackjack", seed, 2, 7).rounds
        for op in one.operations
    )
    assert {"split", "double", "insure", "surrender", "turn-doubled"} <= set(done)
    done = Counter(
        str(op["op"]) for seed in range(12) for one in stage("pontoon", seed, 2, 5).rounds for op in one.operations
    )
    assert {"buy", "twist", "split", "go-bust", "show-pontoon", "stay"} <= set(done)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(ValueError, match="'whist' is no game that can be filmed: use one of blackjack"):
        stage("whist", 1)


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_script_is_the_one_that_the_demo_stages(game: str) -> None:
    assert demo_script(game) == DEMOS[game]().script
    assert demo_script(game).length <= 41


def test_the_demos_show_what_they_are_for() -> None:
    acts = demo_script("blackjack").acts
    assert any(isinstance(it, Split) for it in acts) and any(isinstance(it, PickUp) for it in acts)
    doubled = [it for it in acts if isinstance(it, Deal) and not it.up and it.seat]
    assert len(doubled) == 1, "the home rules' doubled card lies face down"
    assert sum(isinstance(it, Clear) for it in demo_script("punto-banco").acts) == 2
    dealt = [it for it in demo_script("pontoon").acts if isinstance(it, Deal)]
    assert not any(it.up for it in dealt)
    assert sum(isinstance(it, Turn) for it in demo_script("pontoon").acts) == len(dealt)


def test_a_demo_clip_is_rendered_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_clips, "conditions", lambda game: Conditions(width=160, height=90, fps=1, own_deck=True))
    clip = demo_clips.demo_clip("pontoon", tmp_path)
    made = clip.stat().st_mtime_ns
    assert demo_clips.demo_clip("pontoon", tmp_path) == clip and clip.stat().st_mtime_ns == made
    monkeypatch.setattr(demo_clips, "conditions", lambda game: Conditions(width=192, height=108, fps=1, own_deck=True))
    assert demo_clips.demo_clip("pontoon", tmp_path) != clip, "another look is another clip"


def test_a_demo_that_cannot_be_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="the demo has no clip of whist: use one of blackjack"):
        demo_clips.demo_clip("whist", tmp_path)


def dataset(*words: str) -> int:
    parser = argparse.ArgumentParser()
    dataset_rounds.register(datasets.cli.register(parser.add_subparsers()))
    arguments = parser.parse_args(["dataset", *words])
    return int(arguments.run(arguments))


def test_dataset_rounds_writes_clips_with_their_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ("--size", "360p", "--fps", "2", "--seats", "1", "--count", "1", "--workers", "1")
    assert dataset("rounds", str(tmp_path), "--game", "punto-banco", "--seed", "7", *small) == 0
    assert capsys.readouterr().out == f"1 films in {tmp_path}\n"
    told = json.loads((tmp_path / "punto-banco-0007.json").read_text())
    assert (tmp_path / "punto-banco-0007.mp4").stat().st_size > 10_000
    assert told["game"]["game"] == "punto-banco"
    assert told["game"]["rounds"][0]["operations"][-1] == {"op": "clear-cards"}
    labels = [it["label"] for it in told["rests"] if it["hand"] == 1][:2]
    dealt = [op["card"] for op in told["game"]["rounds"][0]["operations"] if op.get("side") == "player"]
    assert labels == dealt[:2]


def test_scripts_alone_are_written_without_filming(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dataset("rounds", str(tmp_path), "--scripts", "--game", "pontoon", "--count", "2", "--seats", "3") == 0
    assert capsys.readouterr().out == f"2 scripts in {tmp_path}\n"
    assert load_script(tmp_path / "pontoon-0001.json") == stage("pontoon", 1, 1, 3).script
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pontoon-0000.json", "pontoon-0001.json"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--game", "whist"), "--game whist: use one of"),
        (("--seats", "9"), "1 to 7 seats"),
        (("--seed", "-1"), "0 or more"),
    ],
)
def test_dataset_rounds_refuses_with_a_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(Failure, match=said):
        dataset("rounds", str(tmp_path), *words)


@pytest.mark.parametrize("game", GAMES)
def test_a_demo_is_filmed_on_the_felt_and_by_the_rules_that_are_said(game: str) -> None:
    staged = DEMOS[game]()
    assert demo_clips.RULES[game] == staged.rules_name
    assert layout_for(staged.script.seats).name == demo_clips.LAYOUT
