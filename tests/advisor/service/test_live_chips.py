"""Chips watched at a served table: a bet that lies there is what the seat bets, and one that is changed is said."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

import cv2
import numpy as np
import pytest
from service_stand_ins import Lying, sighting, table_of, until

from advisor.money import DEFAULT_CHIPS
from advisor.service import chip_view
from advisor.service.felt_view import FeltView
from advisor.service.live import LiveTable
from advisor.service.plain_played import plain_played
from advisor.service.table_log import MemoryLog
from advisor.table import bets_seen
from advisor.table.bets_memory import SeenBet
from advisor.table.changes import Tell
from vision.chips.values import ChipReading, ChipStack
from vision.sightings import Reading
from vision.sources import SourceStatus
from vision.sources.values import Frame

pytestmark = pytest.mark.slow

WIDTH, HEIGHT = 1200, 800
BET, INSURANCE = (600, 640), (600, 325)
"""The middles of seat 2's places, in pixels: the camera looks straight down, a pixel a millimetre."""
DEALT: tuple[Lying, ...] = (("10H", 570, 470), ("6H", 570, 120), ("5S", 590, 455), (None, 650, 120))
SOON = 40.0
"""Seconds: on a machine that has never priced a hand the first round takes its time."""
RNG = np.random.default_rng(4)
FELT = cv2.resize(RNG.integers(0, 90, (16, 24, 3), np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)


class Camera:
    """Shows the felt with cards and magenta chips on it."""

    def __init__(self) -> None:
        self.cards: tuple[Lying, ...] = ()
        self.chips: tuple[tuple[int, int], ...] = ()
        self.sequence = 0
        self.health = SourceStatus("live", "Live.")

    def start(self) -> None: ...

    def newest(self, after: int, timeout: float) -> Frame | None:
        time.sleep(0.03)
        image = FELT.copy()
        for label, x, y in self.cards:
            face = np.random.default_rng(len(str(label)) * ord(str(label)[-1])).integers(120, 190, (6, 4, 3), np.uint8)
            image[y - 42 : y + 42, x - 30 : x + 30] = cv2.resize(face, (60, 84), interpolation=cv2.INTER_NEAREST)
        for at in self.chips:
            cv2.circle(image, at, 19, (255, 0, 255), cv2.FILLED)
        image[0, 0] = len(self.cards)
        self.sequence += 1
        return Frame(self.sequence, time.monotonic(), image)

    def status(self) -> SourceStatus:
        return self.health

    def close(self) -> None: ...

    def read(self, image: np.ndarray, /) -> Reading:
        cards = tuple(sighting(*card) for card in self.cards[: int(image[0, 0, 0])])
        return Reading(WIDTH, HEIGHT, cards, {"total": 1.0})


class MagentaReader:
    """Takes every magenta patch for a red chip."""

    def read(self, image: np.ndarray, /, ground: object = None) -> ChipReading:
        magenta = (image[..., 0] > 240) & (image[..., 1] < 20) & (image[..., 2] > 240)
        _, _, stats, _ = cv2.connectedComponentsWithStats(magenta.astype(np.uint8))
        boxes = [(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h, _ in stats[1:]]
        return ChipReading(image.shape[1], image.shape[0], tuple(ChipStack(box, ("red",), 0.9) for box in boxes))


@pytest.fixture
def camera() -> Camera:
    return Camera()


@pytest.fixture
def table(camera: Camera, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveTable]:
    for module in (chip_view, bets_seen):
        monkeypatch.setattr(module, "REST", 0.1)
    felt = FeltView()
    felt.use("three-seats")
    assert felt.layout is not None
    felt.drag([(x + WIDTH / 2, y) for x, y in (handle.point for handle in felt.layout.handles)], WIDTH, HEIGHT)
    log = MemoryLog(table_of(layout="three-seats", seats=3))
    live = LiveTable(camera, camera, log, felt=felt, chip_reader=MagentaReader())
    live.start()
    try:
        yield live
    finally:
        live.stop()


def faults(table: LiveTable) -> list[str]:
    return [fault.words for fault in table.played().faults]


def test_a_round_is_watched_from_the_bet_to_the_payout(table: LiveTable, camera: Camera) -> None:
    """The bet is taken from the chips, its change is said at once, a double is not, and a payout is judged."""
    one, two = BET, (BET[0] + 45, BET[1])
    camera.chips = (one, two)
    assert until(lambda: dict(table.table.usual_bets) == {2: 10}, SOON)
    assert until(lambda: [hand.place.seat for hand in table.played().hands] == [2], SOON)
    assert table.played().hands[0].bets == (SeenBet("bet", Fraction(10)),)
    assert table.played().step == "Sweep the bets: seat 2 10."
    table.change(Tell(operation={"op": "sweep-bets"}))
    camera.cards = DEALT[:1]
    assert until(lambda: len(table.table.cards) == 1, SOON)
    assert dict(table.table.laid) == {2: 10}
    hand = table.played().hands[0]
    assert (hand.place.seat, [bet.amount for bet in hand.bets]) == (2, [10]) and not hand.active
    camera.chips = (one,)
    assert until(lambda: any("Seat 2: the bet was 10" in it and "put back one red" in it for it in faults(table)), SOON)
    camera.health = SourceStatus("lost", "The camera is gone.")
    (fault,) = table.state().played["faults"]
    assert fault["words"].startswith("As it was seen last: Seat 2: the bet was 10")
    camera.health = SourceStatus("live", "Live.")
    assert table.state().played["faults"][0]["words"].startswith("Seat 2: the bet was 10")
    camera.chips = (one, two)
    assert until(lambda: not faults(table), SOON)
    for count in range(2, len(DEALT) + 1):
        camera.cards = DEALT[:count]
        assert until(lambda n=count: len(table.table.cards) == n, SOON)  # type: ignore[misc]
    assert table.played().hands[0].active
    table.change(Tell(operation={"op": "stand", "seat": 2, "hand": 1}))
    camera.cards = (*DEALT[:3], ("10C", 650, 120))
    assert until(lambda: table.table.cards[-1].face == "10C", SOON)
    camera.cards = (*camera.cards, ("9D", 730, 120))
    assert until(lambda: table.played().hands[0].payment is not None, SOON)
    assert table.played().hands[0].payment.amount == 10  # type: ignore[union-attr]
    camera.chips = (one, two, (BET[0], BET[1] - 60))
    short = "Seat 2: short by 5."
    assert until(lambda: any(short in it and "add one red, and pay again" in it for it in faults(table)), SOON)
    camera.chips = (*camera.chips, (BET[0] + 45, BET[1] - 60))
    assert until(lambda: any(it.startswith("Seat 2: correct.") for it in table.played().notices), SOON)
    assert not faults(table)


def test_insurance_is_watched_from_the_chips_to_what_it_pays(table: LiveTable, camera: Camera) -> None:
    """Chips laid on the insurance are the seat's insurance; a payout that is short is said and stays so when hidden."""
    four = (*((BET[0] + dx, BET[1]) for dx in (-45, 0, 45)), (BET[0], BET[1] - 45))
    camera.chips = four
    assert until(lambda: dict(table.table.usual_bets) == {2: 20}, SOON)
    dealt: tuple[Lying, ...] = (("10H", 570, 470), ("AS", 570, 120), ("8S", 590, 455), (None, 650, 120))
    for count in range(1, len(dealt) + 1):
        camera.cards = dealt[:count]
        assert until(lambda n=count: len(table.table.cards) == n, SOON)  # type: ignore[misc]
    laid = ((INSURANCE[0] - 45, INSURANCE[1]), (INSURANCE[0], INSURANCE[1]))
    camera.chips = (*four, *laid)
    assert until(lambda: [bet.name for bet in table.played().hands[0].bets] == ["bet", "insurance"], SOON)
    bets = plain_played(table.played(), DEFAULT_CHIPS)["hands"][0]["bets"]
    assert [(bet["amount"], bet.get("seen", False)) for bet in bets] == [("20", True), ("10", True)]
    table.change(Tell(operation={"op": "close-insurance"}))
    table.change(Tell(operation={"op": "peek", "blackjack": "yes"}))
    camera.cards = (*dealt[:3], ("KC", 650, 120))
    assert until(lambda: table.played().phase == "settle", SOON)
    # The bet is lost; the insurance is paid half of what it wins.
    camera.chips = (*laid, (INSURANCE[0] + 45, INSURANCE[1]), (INSURANCE[0] + 90, INSURANCE[1]))
    short = "The insurance of seat 2: short by 10."
    assert until(lambda: any(short in it for it in faults(table)), SOON)
    camera.chips = ()
    time.sleep(1.0)
    assert any(short in it for it in faults(table))
    paid = tuple((INSURANCE[0] - 90 + 42 * k, INSURANCE[1]) for k in range(5))
    camera.chips = (*paid, (INSURANCE[0], INSURANCE[1] - 44))
    assert until(lambda: any("insurance of seat 2: correct." in it for it in table.played().notices), SOON)
    assert not faults(table)
