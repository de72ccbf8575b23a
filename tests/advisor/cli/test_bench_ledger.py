"""By the ledger's clock the whole table, from film to page, is measured alike on every machine."""

from __future__ import annotations

import statistics
from dataclasses import replace

import pytest

from advisor.cli.bench_table import LiveUnderTest
from advisor.cli.table_bench.judging import events, judged
from advisor.cli.table_bench.ledger import FRAME, ChargedReader, Ledger, cost
from advisor.cli.table_bench.patient import PatientSource
from advisor.cli.table_bench.watching import shot_of, watch_patiently
from advisor.cli.table_films import Staged, stage
from datasets.rounds.film import Conditions
from datasets.rounds.script import Deal
from vision.cards.reader import LIVE, CardReader, Look
from vision.sightings import Reading

pytestmark = pytest.mark.slow


def dealt(cards: int) -> Staged:
    """A round of blackjack's first cards, at a table of one seat."""
    staged = stage("blackjack", 1, 1, 1)
    acts = staged.script.acts
    last = [k for k, act in enumerate(acts) if isinstance(act, Deal)][cards - 1]
    first = replace(staged.rounds[0], told=(), clears=1e9)
    return replace(staged, script=replace(staged.script, acts=acts[: last + 1], least=0.0), rounds=(first,))


def test_a_card_at_rest_is_shown_within_the_time_that_is_asked_for() -> None:
    staged, ledger = dealt(3), Ledger()
    shot = shot_of(staged, Conditions(width=1280, height=720, own_deck=True), 0.0)
    reader = ChargedReader(CardReader.load(settings=LIVE), ledger)
    seen = watch_patiently(staged, shot, lambda film, source: LiveUnderTest(film, source, reader, False), ledger)
    verdicts = [judged(event, seen.moments) for event in events(staged)]
    assert len(verdicts) == 3 and all(it.right for it in verdicts)
    latencies = [it.latency for it in verdicts if it.latency is not None]
    assert statistics.median(latencies) <= 0.3 and max(latencies) <= 0.6
    assert max(seen.ages) <= 0.25, "no queue of frames grows"
    assert seen.busy <= 1.2


def test_only_what_is_charged_takes_time() -> None:
    staged, ledger = dealt(1), Ledger()
    shot = shot_of(staged, Conditions(width=160, height=90, fps=10, own_deck=True), 0.0)
    source = PatientSource(shot, ledger=ledger)
    first = source.newest()
    assert first is not None and source.now == pytest.approx(FRAME)
    ledger.charge(0.33)
    second = source.newest()
    assert second is not None and second.at - first.at == pytest.approx(0.3), "the newest frame by then"
    assert source.ages[-1] == pytest.approx(0.033)
    third = source.newest()
    assert third is not None and third.at - second.at == pytest.approx(0.1), "which is waited for"
    assert source.ages[-1] == 0
    assert source.status().dropped == 2


def test_a_part_of_a_picture_costs_less_than_all_of_it() -> None:
    picture = Reading(1920, 1080)
    whole = cost(Look(picture, ((0, 0, 1920, 1080),), (448, 1280), (), ()))
    part = cost(Look(picture, ((900, 500, 1000, 640),), (448, 1280), (), ()))
    assert 0.01 < part < 0.03 < 0.06 < whole < 0.1


def test_while_the_table_rests_frames_come_seldom_and_a_slower_machine_is_charged_more() -> None:
    staged, ledger = dealt(1), Ledger(slower=3)
    shot = shot_of(staged, Conditions(width=160, height=90, fps=30, own_deck=True), 0.0)
    source = PatientSource(shot, ledger=ledger)
    first = source.newest()
    source.rest(True)
    second = source.newest()
    assert first is not None and second is not None and second.at - first.at == pytest.approx(0.1)
    source.rest(False)
    third = source.newest()
    assert third is not None and third.at - second.at == pytest.approx(1 / 30)
    before = ledger()
    ledger.charge(0.1)
    assert ledger() - before == pytest.approx(0.3)
