"""The table's benchmark judges what was shown, not what was meant, and its camera keeps real time."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from advisor.cli import main
from advisor.cli.bench_table import REQUIRED, WARM_S, Tally, _films, _required
from advisor.cli.table_bench import watching
from advisor.cli.table_bench.judging import events, judged, settled
from advisor.cli.table_bench.patient import PatientSource
from advisor.cli.table_bench.watching import SAMPLED_S, Moment, Watched, hands_of, kept, shot_of, warned, watch
from advisor.cli.table_films import Staged, stage
from advisor.games.contract import Fault, HandView, Place, Played
from advisor.games.contract.played import CardView
from advisor.table.state import RoundResult
from datasets.rounds.film import Conditions
from datasets.rounds.moves import course
from datasets.rounds.spots import Spots, layout_for
from vision.sources import Source

pytestmark = pytest.mark.slow

STAGED = stage("blackjack", 2, 2, 3)


def perfect(staged: Staged, delay: float = 0.2) -> list[Moment]:
    """What a table without a fault shows: everything, so many seconds after it happens."""
    whole = course(staged.script, Spots(layout_for(staged.script.seats), staged.house_hands), staged.seed)
    moments = []
    for t in sorted({rest.start for rest in whole.rests} | {rest.end for rest in whole.rests}):
        hands: dict[tuple[int, int], tuple[tuple[str, str], ...]] = {}
        for rest in whole.lying(t):
            face = (rest.label, "up") if rest.up else ("", "down")
            hands[rest.seat, rest.hand] = (*hands.get((rest.seat, rest.hand), ()), face)
        number = 1 + sum(one.clears + 1 < t for one in staged.rounds)
        moments.append(Moment(t + delay, number, hands, False))
    return moments


def results(staged: Staged) -> tuple[RoundResult, ...]:
    return tuple(RoundResult(n, staged.game, one.net) for n, one in enumerate(staged.rounds, 1))


def test_a_table_without_a_fault_gets_everything_right_with_its_delay() -> None:
    verdicts = [judged(event, perfect(STAGED)) for event in events(STAGED)]
    assert len(verdicts) > 15
    assert all(it.right for it in verdicts)
    assert {round(it.latency or 0.0, 3) for it in verdicts} == {0.2}
    kinds = {it.event.kind for it in verdicts}
    assert {"dealt", "turned"} <= kinds


def test_a_split_card_must_be_shown_at_its_new_hand() -> None:
    split = next(it for it in (stage("blackjack", seed, 1, 3) for seed in range(50)) if "moved" in _kinds(it))
    shown = perfect(split)
    assert all(judged(event, shown).right for event in events(split))
    together = [
        replace(
            m,
            hands={(s, 1): tuple(c for (t, _), cards in m.hands.items() if t == s for c in cards) for s, _ in m.hands},
        )
        for m in shown
    ]
    assert [e.kind for e in events(split) if not judged(e, together).right and e.rest.hand > 1]


def _kinds(staged: Staged) -> set[str]:
    return {event.kind for event in events(staged)}


@pytest.mark.parametrize(
    "wrong",
    [
        ("10H", "unsure"),  # a guess is no name
        ("", "down"),
    ],
)
def test_a_card_shown_otherwise_is_wrong(wrong: tuple[str, str]) -> None:
    event = next(it for it in events(STAGED) if it.rest.up)
    shown = [
        replace(
            m, hands={p: tuple(wrong if c == (event.rest.label, "up") else c for c in h) for p, h in m.hands.items()}
        )
        for m in perfect(STAGED)
    ]
    verdict = judged(event, shown)
    assert not verdict.right
    assert wrong in verdict.shown


def test_what_is_shown_too_late_is_wrong() -> None:
    event = events(STAGED)[0]
    assert judged(event, perfect(STAGED, 1.5)).right
    assert not judged(event, perfect(STAGED, event.until - event.rest.start + 0.1)).right


def test_money_is_right_only_to_the_last_chip_and_a_wrong_round_may_have_warned() -> None:
    whole = Watched(moments=perfect(STAGED), results=results(STAGED))
    assert [it.right for it in settled(STAGED, whole)] == [True, True]
    first = STAGED.rounds[0]
    seat, amount = next(iter(first.net.items()))
    spoilt = replace(results(STAGED)[0], net={**first.net, seat: amount + 1})
    verdict = settled(STAGED, replace(whole, results=(spoilt, results(STAGED)[1])))[0]
    assert (verdict.right, verdict.warned) == (False, False)
    verdict = settled(STAGED, replace(whole, results=(replace(spoilt, faults=("no",)),)))[0]
    assert (verdict.right, verdict.warned) == (False, True)
    assert settled(STAGED, replace(whole, results=()))[0].words == "the round was never ended"


def test_hands_are_read_from_the_contract_without_what_was_picked_up() -> None:
    cards = (CardView(1, "10H", "up"), CardView(2, None, "down"), CardView(3, "2C", "up", gone=True))
    seen = Played("play", "", house=(HandView(Place(0), "Dealer", cards),), hands=(HandView(Place(1), "Seat 1"),))
    assert hands_of(seen) == {(0, 1): (("10H", "up"), ("", "down"))}
    assert not warned(seen)
    assert warned(replace(seen, faults=(Fault("no"),)))
    assert warned(replace(seen, hands=(HandView(Place(1), "Seat 1", problems=("unsure",)),)))


class Blind:
    """A table that takes frames and shows nothing."""

    def __init__(self, source: Source) -> None:
        self.source, self.said, self.published = source, [], 0

    def start(self, published: Callable[[], None]) -> None:
        self.source.start()
        assert self.source.newest(0, 20.0) is not None
        published()

    def tell(self, operation: Mapping[str, Any]) -> str:
        self.said.append(operation)
        return ""

    def played(self) -> tuple[int, Played]:
        return 1, Played("bets", "")

    def results(self) -> Sequence[RoundResult]:
        return (RoundResult(1, "blackjack", {1: Fraction(5)}),)

    def reads(self) -> int:
        return 0

    def stop(self) -> None:
        self.source.close()


def test_the_films_camera_keeps_real_time_and_says_what_it_could_not_film() -> None:
    staged = stage("punto-banco", 1, 1, 1)
    short = replace(staged, script=replace(staged.script, acts=staged.script.acts[:1], least=0.0), rounds=())
    tables: list[Blind] = []

    def make(_: Staged, source: Source) -> Blind:
        tables.append(Blind(source))
        return tables[-1]

    seen = watch(short, shot_of(short, Conditions(width=160, height=90, fps=10, own_deck=True), 0.5), make)
    length = short.script.length + 2.5 + 0.5
    assert 0.3 * length * 10 < seen.frames <= length * 10 + 1
    assert abs(seen.frames + seen.late - length * 10) < 0.3 * length * 10
    assert 0 <= seen.idle < 2
    assert len(seen.moments) == 1
    assert seen.ages


def test_a_patient_camera_counts_time_by_the_tables_own_work() -> None:
    staged = stage("punto-banco", 1, 1, 1)
    short = replace(staged, script=replace(staged.script, acts=staged.script.acts[:1], least=0.0), rounds=())
    said: list[float] = []
    source = PatientSource(
        shot_of(short, Conditions(width=160, height=90, fps=10, own_deck=True), 0.5),
        [(0.5, lambda: said.append(source.now))],
    )
    first, second = source.newest(), source.newest()
    assert first is not None and second is not None
    assert second.at - first.at == pytest.approx(0.1), "work that is done within a frame's time costs no frame"
    began = time.process_time()
    while time.process_time() - began < 0.45:
        pass
    third = source.newest()
    assert third is not None and third.at - second.at >= 0.4 - 1e-6, "while the table works, the film goes on"
    assert len(said) == 1 and said[0] >= 0.5
    while source.newest() is not None:
        pass
    assert source.over.is_set() and source.newest() is None
    assert source.status().dropped >= 3
    assert source.share(0.0, 3.0) > 0.1


def test_memory_is_watched_within_a_long_film_and_from_film_to_film_otherwise() -> None:
    warm = int(WARM_S / SAMPLED_S)
    long = Tally(watched=[Watched(memory=[*[50.0] * warm, 200.0, 201.0, 210.0])], memory=[215.0])
    assert long.memories() == [200.0, 201.0, 210.0], "the first minutes are not counted"
    short = Tally(watched=[Watched(memory=[100.0, 120.0])], memory=[130.0])
    assert short.memories() == [130.0]
    several = Tally(watched=[Watched(memory=[90.0] * 99), Watched(memory=[95.0] * 99)], memory=[100.0, 101.0])
    assert several.memories() == [100.0, 101.0]


def test_what_was_not_measured_is_not_called_missed() -> None:
    figures = dict.fromkeys((name for name, _, _, _ in REQUIRED), 0.0)
    figures |= {"latency_ms": {"median": 200, "p95": 700}, "frame_age_ms": {"worst": 30}, "memory_growth": None}
    met = {row["figure"]: row["met"] for row in _required(figures)}
    assert met.keys() == {name for name, _, _, _ in REQUIRED} - {"memory_growth"}
    assert met["latency_ms.median"] and not met["latency_ms.p95"] and not met["events_right"]


def test_a_table_under_test_notes_its_memory_as_time_goes_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "SAMPLED_S", 0.2)
    memory: list[float] = []
    began = time.monotonic()
    sampler = watching._Sampler(memory)
    sampler.sleep_until(began + 0.03)
    assert not memory
    sampler.sleep_until(began + 0.9)
    # A busy machine may wake it late: no more often than the time that passed allows.
    assert 2 <= len(memory) <= (time.monotonic() - began) / 0.2 and all(value > 10 for value in memory)


def test_rounds_that_a_table_no_longer_remembers_are_judged_too() -> None:
    first, second, mended = (RoundResult(n, "blackjack", {1: Fraction(net)}) for n, net in ((1, 5), (2, -5), (2, 10)))
    assert kept((first, second), (mended,)) == (first, mended)
    assert kept((), (first,)) == (first,)


def test_one_film_is_of_all_rounds_and_in_real_time_alone(capsys: pytest.CaptureFixture[str]) -> None:
    asked = argparse.Namespace(
        rounds=5, seed=1, seats=1, game="blackjack", camera="above", size="720p", nearness=False, calm=True
    )
    staged = [film for film, _ in _films(argparse.Namespace(**vars(asked), one_film=True))]
    assert [len(it.rounds) for it in staged] == [5]
    assert [len(it.rounds) for it, _ in _films(argparse.Namespace(**vars(asked), one_film=False))] == [2, 2, 1]
    assert main(["bench", "table", "--one-film", "--virtual"]) == 2
    assert "--one-film" in capsys.readouterr().err
