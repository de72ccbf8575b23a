"""The renderer: the same seed gives the same picture, and labels lie where they say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.bend import Bend
from datasets.deck import Floats
from datasets.demo_clip import ROUND
from datasets.drawn import Style, drawn_deck, random_style
from datasets.layouts import Place
from datasets.patches import NONE, misplaced, patches_of
from datasets.scene import BACK, Scene, camera_view, compose, random_scene
from datasets.yolo import label_lines, upright
from vision.sightings import CARDS, FACES

pytestmark = pytest.mark.slow

DECK = drawn_deck()


def contains(outer: Floats, inner: Floats) -> bool:
    return all(cv2.pointPolygonTest(outer, (float(x), float(y)), True) > -2 for x, y in inner)


def scenes(count: int = 6) -> list[Scene]:
    return [random_scene(seed, 256, 256, (60, 300), (DECK,)) for seed in range(count)]


def test_every_face_of_the_own_deck_is_drawn_with_its_indices() -> None:
    assert set(DECK.labels) == set(FACES)
    for label in DECK.labels:
        face = DECK.face(label)
        assert len(face.indices) == 2
        h, w = face.texture.shape[:2]
        assert np.allclose(face.indices[0] + face.indices[1], [w, h], atol=1), (
            "the second index is the first turned round"
        )
    pictures = {DECK.face(label).texture.tobytes() for label in CARDS}
    assert len(pictures) == 52, "no two faces look alike"


def test_an_index_box_holds_all_of_its_ink_and_nothing_else() -> None:
    for label in ("10H", "QS", "AC", "7D"):
        face = DECK.face(label)
        x0, y0 = np.floor(face.indices[0].min(0)).astype(int)
        x1, y1 = np.ceil(face.indices[0].max(0)).astype(int)
        paper = face.texture[2 + y0 // 2, 2 + x0 // 2, :3].astype(int)
        ink = np.abs(face.texture[..., :3].astype(int) - paper).max(2) > 80
        rows, columns = np.nonzero(ink[y0 - 3 : y1 + 3, x0 - 3 : x1 + 3])
        assert rows.min() >= 1 and columns.min() >= 1
        assert abs(rows.max() - (y1 - y0 + 3)) <= 3 and abs(columns.max() - (x1 - x0 + 3)) <= 3


def test_a_seed_gives_the_same_scene_again() -> None:
    one, two = (random_scene(41, 200, 260, (60, 300), (DECK,)) for _ in range(2))
    assert np.array_equal(one.image, two.image)
    assert [c.label for c in one.cards] == [c.label for c in two.cards]
    other = random_scene(42, 200, 260, (60, 300), (DECK,))
    assert not np.array_equal(one.image, other.image)


def test_indices_lie_on_their_cards_and_cards_are_not_mirrored() -> None:
    for scene in scenes():
        for card in scene.cards:
            assert 0 <= card.visible <= 1.001
            assert cv2.contourArea(card.corners, True) > 0, "corners run clockwise as seen: a mirrored card is wrong"
            for index in card.indices:
                assert contains(card.corners, index.quad)


def test_a_covered_index_is_not_labelled() -> None:
    view = camera_view(400, 400, 200, np.pi / 2 - 0.01, -np.pi / 2, 0.0, np.radians(40))
    table = np.full((400, 400, 3), 90, np.uint8)
    lower, upper = (Place(0, 0, 0.0), DECK, "KH"), (Place(0, 0, 0.0), DECK, "2C")
    _, cards = compose(table, view, [lower, upper], np.random.default_rng(0), clutter=False)
    assert [i.visible for i in cards[0].indices] == [0.0, 0.0]
    assert min(i.visible for i in cards[1].indices) > 0.95
    scene = Scene(table, cards)
    assert sum(line.startswith("0 ") for line in label_lines(scene)) == 2


def test_whole_cards_are_listed_from_the_end_that_lies_higher() -> None:
    quad = np.array([[0, 0], [60, 5], [55, 95], [-5, 90]], np.float32)
    assert np.array_equal(upright(quad), quad)
    assert np.array_equal(upright(np.roll(quad, 2, axis=0)), quad)


def test_labels_are_shares_of_the_picture() -> None:
    for scene in scenes():
        for line in label_lines(scene):
            numbers = [float(v) for v in line.split()]
            assert len(numbers) == 17 and numbers[0] in (0, 1, 2)
            assert all(0 <= v <= 1.0001 for v in numbers[1:5])


def test_patches_carry_the_cards_name_and_the_index_place() -> None:
    rng = np.random.default_rng(3)
    patches = patches_of(random_scene(7, 320, 320, (200, 300), (DECK,)), rng)
    real = patches.labels != NONE
    assert real.any() and (~real).any()
    assert np.isfinite(patches.corners[real]).all() and np.isnan(patches.corners[~real]).all()


def test_misplacing_keeps_the_index_in_reach() -> None:
    rng = np.random.default_rng(0)
    quad = np.array([[100, 100], [130, 100], [130, 150], [100, 150]], np.float32)
    moved = np.stack([misplaced(quad, rng, 1.0) for _ in range(200)])
    assert np.linalg.norm(moved.mean(1) - quad.mean(0), axis=1).mean() < 12
    assert moved.std() > 1


def test_random_styles_differ_and_all_draw() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        deck = drawn_deck(random_style(rng, ["sans"], ["sans"]))
        for label in ("10D", "KC", "AS", "JOKER"):
            assert len(deck.face(label).indices) in (2, 4)
        assert deck.back().texture.shape[2] == 4


def test_the_demo_round_is_one_pack_and_honest_blackjack() -> None:
    labels = [m.label for m in ROUND if m.label != BACK]
    assert len(set(labels)) == len(labels)
    assert sum(m.turns is not None for m in ROUND) == 1


@pytest.mark.parametrize("bad", [0.02, 5.0])
def test_style_sizes_stay_on_the_card(bad: float) -> None:
    face = drawn_deck(Style(rank_height=min(bad, 0.3))).face("10S")
    h, w = face.texture.shape[:2]
    assert (face.indices >= -1).all() and (face.indices <= [w + 1, h + 1]).all()


@pytest.mark.parametrize("bend", [Bend(6.0), Bend(6.0, arched=False), Bend(6.0, along=True), Bend(6.0, False, True)])
def test_on_a_bent_card_the_labelled_index_is_where_the_ink_is(bend: Bend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.scene.random_bend", lambda rng: bend)
    view = camera_view(900, 900, 700, np.radians(40), -np.pi / 2 + 0.3, 0.0, np.radians(40))
    table = np.full((900, 900, 3), 90, np.uint8)
    card = (Place(0, 0, 0.3), DECK, "7S")
    (flat,) = compose(table, view, [card], np.random.default_rng(0), clutter=False)[1]
    image, (bent,) = compose(table, view, [card], np.random.default_rng(0), clutter=False, worn=True)
    assert max(np.abs(flat.indices[0].quad - bent.indices[0].quad).max(), np.abs(flat.corners - bent.corners).max()) > 4
    face = DECK.face("7S")
    target = np.array([[0, 0], [40, 0], [40, 80], [0, 80]], np.float32)
    for seen, drawn in zip(bent.indices, face.indices, strict=True):
        here = cv2.warpPerspective(image, cv2.getPerspectiveTransform(seen.quad, target), (40, 80)).min(2)
        there = cv2.warpPerspective(face.texture[..., :3], cv2.getPerspectiveTransform(drawn, target), (40, 80)).min(2)
        assert np.corrcoef(here.ravel(), there.ravel())[0, 1] > 0.8


def test_a_flat_card_is_drawn_the_same_with_and_without_the_third_dimension() -> None:
    view = camera_view(300, 300, 200, np.radians(50), 0.4, 0.1, np.radians(40))
    points = np.array([[10.0, 5.0], [-20.0, 40.0]])
    assert np.allclose(view.project(points), view.project_lifted(points, np.zeros(2)), atol=1e-3)
    higher = view.project_lifted(points, np.full(2, 30.0))
    assert not np.allclose(view.project(points), higher, atol=2), "what stands off the table is seen elsewhere"
