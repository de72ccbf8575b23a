"""The shipped networks read rendered tables, and bad weights get a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from laid_cards import CARD_MM, both, reading, seen

from datasets.backgrounds import felt
from datasets.demo_clip import HEIGHT, ROUND, WIDTH, last_picture
from datasets.drawn import Style, drawn_deck
from datasets.layouts import Place
from datasets.scene import BACK, SeenCard, camera_view, compose
from vision.cards.detector import BACK as DOWN
from vision.cards.detector import CARD, INDEX, Detector, Found, overlap_of
from vision.cards.draw import annotate
from vision.cards.patches import Floats, Image
from vision.cards.profile import NONE
from vision.cards.reader import LIVE, CardReader, ModelError, Settings
from vision.sightings import Reading

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader.load()


def table(labels: list[str], gap: float = 100.0, card_px: float = 170.0) -> tuple[Image, tuple[SeenCard, ...]]:
    """Cards in a row on felt, seen from above at 1280 x 720."""
    deck = drawn_deck(Style(rank_height=0.1, suit_height=0.08))
    view = camera_view(1280, 720, card_px, np.radians(75), -np.pi / 2, 0.0, np.radians(50))
    start = -gap * (len(labels) - 1) / 2
    places = [
        Place(start + gap * k, 5.0 * (k % 2), 0.08 * (k % 3 - 1), label == BACK) for k, label in enumerate(labels)
    ]
    cards = [(place, deck, label) for place, label in zip(places, labels, strict=True)]
    rng = np.random.default_rng(5)
    return compose(felt(rng, 720, 1280), view, cards, rng, clutter=False)


def named(reading: Reading) -> Counter[str]:
    return Counter(s.label or "" for s in reading.cards)


def test_a_row_of_cards_is_read_each_once_in_its_place(reader: CardReader) -> None:
    labels = ["10H", "6S", "9C", "QD", "AC"]
    image, truth = table(labels)
    reading = reader.read(image)
    assert named(reading) == Counter(labels)
    for card in truth:
        seen = next(s for s in reading.cards if s.label == card.label)
        assert overlap_of(np.array(seen.corners, np.float32), card.corners) > 0.75
    assert reading.ms["total"] > 0


class Dim(Detector):
    """The shipped detector, to which the indices of one card are faint at the first look and plain at every other."""

    def __init__(self, inner: Detector, card: SeenCard, faint: float) -> None:
        self.inner, self.card, self.faint = inner, card.corners.astype(np.float32), faint

    def at_scale(self, levels: Sequence[Image], long_side: int, least: float) -> list[Found]:
        def seen(f: Found) -> Found:
            x, y = (float(v) for v in f.centre)
            on_it = f.kind == INDEX and cv2.pointPolygonTest(self.card, (x, y), False) >= 0
            return replace(f, confidence=self.faint) if on_it and long_side == Settings().scales[0] else f

        found = [seen(f) for f in self.inner.at_scale(levels, long_side, least) if f.kind == INDEX]
        return [f for f in found if f.confidence > least]


def test_what_one_look_finds_faintly_is_sure_where_another_finds_it_and_is_read_plainly(reader: CardReader) -> None:
    image, truth = table(["10H", "6S", "9C"], card_px=400.0)
    nine = next(card for card in truth if card.label == "9C")
    doubting = replace(Settings(), sure_in_row=2.0, gaps=False)

    def read(settings: Settings) -> dict[str | None, str]:
        dim = CardReader(Dim(reader._detector, nine, 0.28), reader.indices, settings)
        return {s.label: s.kind for s in dim.read(image).sightings}

    assert read(replace(doubting, again=()))["9C"] == "unsure"
    assert read(doubting)["9C"] == "card"


def test_a_large_index_that_nothing_spoke_for_is_asked_about(reader: CardReader) -> None:
    image, truth = table(["10H", "6S", "9C"], card_px=400.0)
    nine = next(card for card in truth if card.label == "9C")

    def read(settings: Settings) -> dict[str | None, str]:
        dim = CardReader(Dim(reader._detector, nine, 0.1), reader.indices, settings)
        return {s.label: s.kind for s in dim.read(image).sightings}

    alone = replace(Settings(), gaps=False)
    assert "9C" not in read(replace(alone, large=1.0))
    assert read(replace(alone, large=0.0))["9C"] == "unsure"


def test_photographs_are_looked_at_more_closely_by_the_networks_that_watch() -> None:
    image, _ = table(["8S", "JH", "9D"], gap=30.0, card_px=34.0)
    watching = CardReader.load(settings=LIVE)
    photographs = watching.with_settings(Settings())
    assert photographs.indices is watching.indices, "a deck that is chosen is chosen for both"
    large = np.kron(image, np.ones((2, 2, 1), np.uint8))
    assert watching.look(large).scales[-1] == 1280
    assert photographs.look(large).scales[-1] == 1600


def test_a_card_of_a_hand_whose_index_cannot_be_seen_is_asked_about(reader: CardReader) -> None:
    hand = ["8S", "JH", "9D", "AC", "3H", "KS", "6D", "10C", "2H"]
    image, _ = table(hand, gap=24.0)
    first = reader.read(image)
    assert named(first) == Counter(hand)
    hidden = next(s for s in first.cards if s.label == "3H")
    middle = np.mean(hidden.indices[0], 0)
    worn = np.zeros(image.shape[:2], np.uint8)
    for quad in hidden.indices:
        around = (np.array(quad) - np.mean(quad, 0)) * 1.3 + np.mean(quad, 0)
        cv2.fillConvexPoly(worn, np.round(around).astype(np.int32), 255)
    image = np.asarray(cv2.inpaint(image, worn, 3, cv2.INPAINT_TELEA), np.uint8)
    again = reader.read(image)
    (asked,) = again.unsure
    assert named(again) - Counter([asked.label or ""]) == Counter(hand) - Counter(["3H"])
    assert np.linalg.norm(np.array(asked.corners[0]) - middle) < 40, "the index is in the corner"


def test_a_card_that_is_not_there_is_not_read(reader: CardReader) -> None:
    image, _ = table(["10H", "6S", "9C", "QD"])
    assert "AC" not in named(reader.read(image))
    empty, _ = table([])
    assert not reader.read(empty).sightings


def test_face_down_cards_are_backs_and_not_cards(reader: CardReader) -> None:
    image, _ = table(["KH", BACK, "4D"])
    reading = reader.read(image)
    assert named(reading) == Counter(["KH", "4D"])
    assert len(reading.backs) == 1


class Doubling(Detector):
    """The shipped detector, which finds every back faintly and twice, as where a hand hides half of it."""

    def __init__(self, inner: Detector) -> None:
        self.inner = inner

    def at_scale(self, levels: Sequence[Image], long_side: int, least: float) -> list[Found]:
        found = self.inner.at_scale(levels, long_side, least)
        backs = [f for f in found if f.kind == DOWN]
        smaller = [replace(f, confidence=0.4) for f in backs]
        larger = [replace(f, quad=(f.quad - f.centre) * np.float32(1.5) + f.centre, confidence=0.45) for f in backs]
        return [*(f for f in found if f.kind != DOWN), *larger, *smaller]


def test_a_back_that_is_found_twice_in_one_place_is_one(reader: CardReader) -> None:
    image, _ = table(["KH", BACK, "4D"])
    assert len(CardReader(Doubling(reader._detector), reader.indices, LIVE).read(image).backs) == 1


def test_a_card_face_down_over_most_of_a_hand_is_a_back_and_the_hand_stays(reader: CardReader) -> None:
    deck = drawn_deck(Style(rank_height=0.1, suit_height=0.08))
    view = camera_view(1280, 720, 170, np.radians(80), -np.pi / 2, 0.0, np.radians(50))
    stair = [(Place(0, 0, 0.0), "8H"), (Place(16, -20, 0.02), "2H"), (Place(34, -24, 0.0, True), BACK)]
    rng = np.random.default_rng(5)
    image, _ = compose(felt(rng, 720, 1280), view, [(p, deck, label) for p, label in stair], rng, clutter=False)
    reading = reader.read(image)
    assert named(reading) == Counter(["8H", "2H"]) and len(reading.backs) == 1


def test_two_equal_cards_count_twice(reader: CardReader) -> None:
    image, _ = table(["7D", "2S", "7D"])
    assert named(reader.read(image)) == Counter(["7D", "2S", "7D"])


def test_the_demo_rounds_last_picture_holds_its_cards(reader: CardReader) -> None:
    last = last_picture()
    assert last.shape == (HEIGHT, WIDTH, 3)
    dealt = Counter(m.label for m in ROUND if m.label != BACK)
    assert named(reader.read(last)) == dealt


@pytest.mark.parametrize("shape", [(1, 1), (3, 900), (16, 16), (900, 40)])
def test_tiny_and_narrow_pictures_hold_no_cards(reader: CardReader, shape: tuple[int, int]) -> None:
    reading = reader.read(np.full((*shape, 3), 120, np.uint8))
    assert reading.sightings == ()
    assert (reading.height, reading.width) == shape


def test_drawing_leaves_the_picture_alone(reader: CardReader) -> None:
    image, _ = table(["KH", BACK])
    kept = image.copy()
    marked = annotate(image, reader.read(image))
    assert np.array_equal(image, kept) and not np.array_equal(marked, image)


def test_missing_and_damaged_networks_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="missing"):
        CardReader.load(tmp_path)
    (tmp_path / "detector.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelError, match="damaged"):
        CardReader.load(tmp_path)


def test_the_face_of_a_card_on_which_another_lies_has_no_say(
    reader: CardReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a four of diamonds a strip showed; its outline held all of the six of spades that lay on it."""
    asked: list[Floats] = []

    class Says:
        def read(self, levels: object, quads: Sequence[Floats]) -> Floats:
            asked.extend(quads)
            return np.full((len(quads), NONE + 1), 1 / (NONE + 1), np.float32)

    monkeypatch.setattr(reader, "_faces", Says())
    under, top = both("4D", 0.0, 100, 100)[:1], [reading("6S", r.quad, 0.9) for r in both("6S", 0.0, 120, 102)]
    outlines = [Found(CARD, seen(CARD_MM, 0.0, x, y), 0.9) for x, y in ((100, 100), (120, 102))]
    levels = [np.zeros((400, 400, 3), np.uint8)]
    said = reader._faces_of(levels, [(under, outlines[0]), (top, outlines[1])], [])
    assert list(said) == [id(outlines[1])] and len(asked) == 1
    beside = both("6S", 0.0, 240, 102)
    assert len(reader._faces_of(levels, [(under, outlines[0]), (beside, None)], [])) == 1
