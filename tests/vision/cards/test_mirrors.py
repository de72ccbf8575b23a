"""A mirror's picture is turned back before its cards are named; one that tells nothing is left as it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from laid_cards import reading

from datasets.backgrounds import felt
from datasets.drawn import Style, drawn_deck
from datasets.layouts import Place
from datasets.scene import SeenCard, camera_view, compose
from vision.cards.detector import overlap_of
from vision.cards.enrolment import look_at
from vision.cards.indices import IndexReading
from vision.cards.look import Look
from vision.cards.mirrors import OPEN, SAYS, in_all
from vision.cards.patches import Image
from vision.cards.reader import LIVE, CardReader, Settings
from vision.sightings import Reading

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader.load()


def table(labels: list[str]) -> tuple[Image, tuple[SeenCard, ...]]:
    """Cards in a row on felt, seen from above at 1280 x 720."""
    deck = drawn_deck(Style(rank_height=0.1, suit_height=0.08))
    view = camera_view(1280, 720, 170, np.radians(75), -np.pi / 2, 0.0, np.radians(50))
    places = [Place(100.0 * (k - (len(labels) - 1) / 2), 4.0 * (k % 2), 0.06 * (k % 3)) for k in range(len(labels))]
    rng = np.random.default_rng(5)
    cards = [(place, deck, label) for place, label in zip(places, labels, strict=True)]
    return compose(felt(rng, 720, 1280), view, cards, rng, clutter=False)


def mirrored(image: Image) -> Image:
    return np.ascontiguousarray(image[:, ::-1])


def named(reading: Reading) -> Counter[str]:
    return Counter(s.label or "" for s in reading.cards)


def test_cards_in_a_mirror_are_read_rightly_and_where_the_picture_shows_them(reader: CardReader) -> None:
    labels = ["10H", "6S", "9C", "QD", "4C"]
    image, truth = table(labels)
    upright, turned = reader.read(image), reader.read(mirrored(image))
    assert (upright.mirrored, turned.mirrored) == (False, True)
    assert named(upright) == named(turned) == Counter(labels)
    for card in truth:
        seen = next(s for s in turned.cards if s.label == card.label)
        there = np.array(card.corners, np.float32) * [-1, 1] + [image.shape[1] - 1, 0]
        assert overlap_of(np.array(seen.corners, np.float32), there[[1, 0, 3, 2]].astype(np.float32)) > 0.75
    assert len(turned.outlines) == len(upright.outlines)


def test_both_ways_say_the_opposite_and_no_index_says_much(reader: CardReader) -> None:
    image, _ = table(["2H", "3S", "7C", "JD", "5C"])
    there, here = reader.look(image), reader.look(mirrored(image))
    assert (
        there.mirror_odds < 2 * Settings().upright
        and here.mirror_odds > OPEN
        and here.may_be_mirrored
        and not there.may_be_mirrored
    )
    assert reader.turned_back(image, there) is None
    turned = reader.turned_back(mirrored(image), here)
    assert turned is not None and turned.reading.cards == there.reading.cards
    assert all(abs(r.mirror_odds) <= SAYS[0] for look in (there, here) for r in look.named)


def test_what_looks_the_same_in_a_mirror_is_left_as_it_is(reader: CardReader) -> None:
    image, _ = table(["8S"])
    for picture in (image, mirrored(image)):
        seen = reader.read(picture)
        assert not seen.mirrored and named(seen) == Counter(["8S"])


def test_one_card_that_tells_plainly_turns_a_photograph_and_a_camera(reader: CardReader) -> None:
    image, _ = table(["7H"])
    assert reader.read(mirrored(image)).mirrored and not reader.read(image).mirrored
    live = reader.with_settings(LIVE)
    assert live.turned_back(mirrored(image), live.look(mirrored(image))) is not None
    assert live.turned_back(image, live.look(image)) is None


def test_letters_of_one_name_are_one_witness() -> None:
    def says(label: str, mirror: float) -> IndexReading:
        return replace(reading(label, np.zeros((4, 2), np.float32)), mirror_odds=mirror)

    assert in_all([says("7H", SAYS[0])] * 4) == SAYS[1]
    assert in_all([says("7H", -SAYS[0])] * 4 + [says("4C", 1.0)] * 2) == 2.0 - SAYS[1]
    assert in_all([]) == 0


def test_what_is_kept_of_a_look_before_still_counts(reader: CardReader) -> None:
    image, _ = table(["2H", "3S", "7C"])
    before: Look = reader.look(mirrored(image))
    after = reader.look(mirrored(image), before, [(0, 0, 40, 40)])
    assert after.mirror_odds == pytest.approx(before.mirror_odds)


def test_a_deck_is_learned_from_a_mirror_as_it_looks(reader: CardReader) -> None:
    image, _ = table(["4S", "7H", "JC"])
    one, other = (
        {look.sighting.label: look.features for look in look_at(reader, it)} for it in (image, mirrored(image))
    )
    assert set(one) == set(other) == {"4S", "7H", "JC"}
    for label, features in one.items():
        alike = (features[:, None] * other[label][None]).sum(2).max(1)
        assert alike.min() > 0.9, "nearly the same features, and not those of letters that no card has"


def test_other_networks_may_come_without_it(tmp_path: Path, reader: CardReader) -> None:
    from vision.cards.reader import DETECTOR_FILE, READER_FILE
    from vision.cards.runtime import SHIPPED

    for name in (DETECTOR_FILE, READER_FILE):
        (tmp_path / name).write_bytes((SHIPPED / name).read_bytes())
    image, _ = table(["2H", "3S", "7C"])
    assert not CardReader.load(tmp_path).read(mirrored(image)).mirrored
