"""The whole face speaks where the index leaves a name open, and only where all of it shows."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from datasets.drawn import Style, drawn_deck
from datasets.faces import NONE, faces_of, load_faces, misplaced, write_faces
from datasets.pool import decks_for
from datasets.scene import random_scene
from vision.cards.faces import FACE_HEIGHT, FACE_WIDTH, LEAST, TARGET, FaceReader, cut_face, ruled_out, torn, weighed
from vision.cards.patches import pyramid
from vision.cards.reader import LIVE, CardReader
from vision.sightings import FACES

WEIGHTS = Path(str(files("models") / "weights" / "faces.onnx"))
SHARES = arrays(np.float64, len(FACES) + 1, elements=st.floats(0.001, 1.0))


@pytest.fixture(scope="module")
def witness() -> FaceReader:
    return FaceReader(WEIGHTS, 1)


def table_with(label: str, high: float, turn: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A picture of one drawn card on green, and its corners."""
    deck = drawn_deck(Style())
    face = deck.face(label)
    texture = face.texture
    th, tw = texture.shape[:2]
    half = np.array([high * tw / th, high]) / 2
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]]) + 150
    m = cv2.getPerspectiveTransform(
        np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32), corners.astype(np.float32)
    )
    drawn = cv2.warpPerspective(texture, m, (300, 300), flags=cv2.INTER_AREA).astype(np.float32)
    share = drawn[..., 3:] / 255
    picture = np.full((300, 300, 3), (60, 110, 40), np.float32) * (1 - share) + drawn[..., :3] * share
    return picture.astype(np.uint8), corners.astype(np.float32)


def test_a_card_is_cut_out_upright_with_a_little_around_it() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    corners = np.array([[150, 50], [150, 110], [60, 110], [60, 50]], np.float32)  # on its side
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (255, 255, 255))
    cut = cut_face([picture], corners)
    assert cut.shape == (FACE_HEIGHT, FACE_WIDTH, 3)
    (left, top), (right, low) = np.ceil(TARGET[0] + 1).astype(int), np.floor(TARGET[2] - 1).astype(int)
    assert cut[top:low, left:right].min() > 200 and cut[0].max() < 100 and cut[:, -1].max() < 100


@given(SHARES, SHARES)
def test_what_a_face_says_settles_and_raises_doubts_and_overrules_nothing(index: np.ndarray, face: np.ndarray) -> None:
    index, face = index / index.sum(), (face / face.sum()).astype(np.float32)
    out = weighed(index, face, 0.3)
    assert out.sum() == pytest.approx(1.0)
    ratio = out[:NONE] / index[:NONE]
    assert ratio.max() / ratio.min() <= 1.0001 / LEAST, "no more than one in a thousand either way"
    numbers = [[FACES.index(f"{rank}{suit}") for rank in range(2, 11)] for suit in "CDHS"]
    pictures = sorted(set(range(NONE)) - {k for suit in numbers for k in suit})
    for alike in (*numbers, pictures):  # of one suit's numbers each may be printed with one pip
        gained = ratio[alike][np.argsort(face[alike])]
        assert (np.diff(gained) >= -1e-9 * gained.max()).all(), "the likelier face gains"


def test_what_is_no_whole_card_says_nothing() -> None:
    index = np.full(len(FACES) + 1, 1 / (len(FACES) + 1))
    face = np.zeros(len(FACES) + 1, np.float32)
    face[NONE] = 1.0
    assert (weighed(index, face, 0.15) == index).all()


@pytest.mark.parametrize("label", ["7S", "7C", "QH", "QD", "AC", "AS", "10D", "4H"])
@pytest.mark.parametrize("turn", [0.2, 3.3])
def test_the_pips_tell_the_suit_of_a_card_as_small_as_a_webcam_shows_it(
    witness: FaceReader, label: str, turn: float
) -> None:
    picture, corners = table_with(label, 90.0, turn)
    chances = witness.read(pyramid(picture), [corners])[0]
    suits = {suit: sum(float(chances[k]) for k, face in enumerate(FACES) if face[-1] == suit) for suit in "CDHS"}
    assert suits[label[-1]] > 0.8, suits


def test_a_card_half_under_another_is_no_whole_card(witness: FaceReader) -> None:
    under, corners = table_with("7S", 110.0)
    over, _ = table_with("QH", 110.0)
    picture = under.copy()
    picture[150:, :] = over[110:260, :]
    picture[150:, :][(over[110:260] == (60, 110, 40)).all(2)] = under[150:][(over[110:260] == (60, 110, 40)).all(2)]
    whole, partly = (witness.read(pyramid(it), [corners])[0][NONE] for it in (under, picture))
    assert whole < 0.2 and partly > 0.5


def test_nothing_to_read_is_nothing_said(witness: FaceReader) -> None:
    assert witness.read(pyramid(np.zeros((50, 50, 3), np.uint8)), []).shape == (0, len(FACES) + 1)


def test_scenes_give_whole_faces_with_their_names_and_covered_ones_without() -> None:
    decks = decks_for(44_000_000)
    scene = random_scene(44_000_001, 320, 320, (60.0, 200.0), decks, decks)
    faces = faces_of(scene, np.random.default_rng(3))
    names = {FACES.index(card.label) for card in scene.cards if card.label in FACES and card.visible > 0.93}
    assert set(faces.labels.tolist()) - {NONE} <= names
    assert faces.images.shape[1:] == (FACE_HEIGHT, FACE_WIDTH, 3) and len(faces.images) == len(faces.labels)
    quad = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
    off = np.stack([misplaced(quad, np.random.default_rng(k), 1.0) for k in range(200)]) - quad
    assert 0.5 < off.std() < 6 and abs(off.mean()) < 1


def test_faces_are_kept_in_shards_and_found_again(tmp_path: Path) -> None:
    counted: list[int] = []
    write_faces(tmp_path / "cards", range(44_000_000, 44_000_003), 240, (70.0, 160.0), 1, counted.append)
    kept = load_faces(tmp_path / "cards")
    assert sum(counted) == 3 and len(kept.images) == len(kept.labels) > 0
    assert kept.images.shape[1:] == (FACE_HEIGHT, FACE_WIDTH, 3) and kept.labels.max() <= NONE


@pytest.mark.parametrize(
    "says", [{"AS": 0.99, "KS": 0.01}, {"8S": 0.25, "3S": 0.25, "5S": 0.25, "2S": 0.2, "AS": 0.05}]
)
def test_one_large_pip_rules_out_no_number_of_its_suit(says: dict[str, float]) -> None:
    face = np.zeros(NONE + 1, np.float32)
    for label, share in says.items():
        face[FACES.index(label)] = share
    assert not ruled_out(face, FACES.index("7S"), 0.3)
    assert ruled_out(face, FACES.index("7C"), 0.3) and ruled_out(face, FACES.index("QS"), 0.3)


def test_one_pip_beside_a_small_index_is_an_ace_s() -> None:
    face = np.zeros(NONE + 1, np.float32)
    face[[FACES.index("AC"), FACES.index("KC")]] = 0.99, 0.01
    assert ruled_out(face, FACES.index("8C"), 0.15) and not ruled_out(face, FACES.index("AC"), 0.15)
    heard = np.zeros(NONE + 1)
    heard[[FACES.index("8C"), FACES.index("AC")]] = 0.97, 0.03
    assert FACES[int(weighed(heard, face, 0.15).argmax())] == "AC"
    assert FACES[int(weighed(heard, face, 0.3).argmax())] == "8C"


def test_pips_that_are_counted_rule_the_other_numbers_out() -> None:
    face = np.zeros(NONE + 1, np.float32)
    face[[FACES.index("9S"), FACES.index("8S")]] = 0.97, 0.03
    assert ruled_out(face, FACES.index("4S"), 0.15) and not ruled_out(face, FACES.index("8S"), 0.15)


@pytest.mark.parametrize(
    ("shown", "named", "high", "out"),
    [("A", "8", 0.15, True), ("9", "K", 0.15, True), ("9", "7", 0.15, False), ("A", "8", 0.3, False)],
    ids=["far more pips", "a court", "miscounted by two", "a deck of one pip"],
)
def test_plain_pips_leave_no_letter_sure_that_names_far_more_of_them_or_a_court(
    shown: str, named: str, high: float, out: bool
) -> None:
    face = np.zeros(NONE + 1, np.float32)
    face[[FACES.index(f"{shown}S"), FACES.index(f"{named}S"), FACES.index("2C")]] = 0.88, 0.06, 0.06
    assert ruled_out(face, FACES.index(f"{named}S"), high) is out


@pytest.mark.parametrize(
    ("courts", "named", "out"),
    [(0.72, "7S", True), (0.5, "7S", False), (0.72, "QS", False)],
    ids=["a seven", "hardly courts", "another court"],
)
def test_courts_together_leave_no_number_sure_that_has_little_of_the_face_s_word(
    courts: float, named: str, out: bool
) -> None:
    face = np.zeros(NONE + 1, np.float32)
    for label, share in {"JS": 0.6, "JC": 0.25, "KS": 0.15}.items():
        face[FACES.index(label)] = share * courts
    face[FACES.index("3H")] = 1 - courts - 0.03
    face[FACES.index(named)] = 0.03
    assert ruled_out(face, FACES.index(named), 0.19) is out


@pytest.mark.parametrize(
    ("says", "whole", "out"),
    [({"QS": 0.5, "JS": 0.3, "KS": 0.2}, 0.95, True), ({"QS": 0.9, "2S": 0.1}, 0.95, False), ({"QS": 1.0}, 0.5, False)],
)
def test_a_name_is_ruled_out_where_a_whole_face_gives_it_next_to_nothing(
    says: dict[str, float], whole: float, out: bool
) -> None:
    face = np.zeros(NONE + 1, np.float32)
    for label, share in says.items():
        face[FACES.index(label)] = share * whole
    face[NONE] = 1 - whole
    assert ruled_out(face, FACES.index("2S"), 0.15) is out


@pytest.mark.parametrize(("index", "pips"), [("8C", "AC"), ("8D", "AD"), ("3H", "KH")])
def test_a_card_whose_index_and_pips_differ_is_not_sure(index: str, pips: str) -> None:
    deck = drawn_deck(Style())
    said, shown = (deck.face(label).texture for label in (index, pips))
    high, wide = round(said.shape[0] * 0.26), round(said.shape[1] * 0.17)
    mixed = shown.copy()
    mixed[:high, :wide], mixed[-high:, -wide:] = said[:high, :wide], said[-high:, -wide:]
    reader = CardReader.load(threads=1, settings=LIVE)
    for texture, name in ((said, index), (shown, pips), (mixed, "")):
        picture = np.full((640, 640, 3), (60, 110, 40), np.uint8)
        card = cv2.resize(texture, (71, 100), interpolation=cv2.INTER_AREA).astype(np.float32)
        share = card[..., 3:] / 255
        picture[270:370, 280:351] = picture[270:370, 280:351] * (1 - share) + card[..., :3] * share
        seen = reader.read(picture).sightings
        assert [s.label for s in seen if s.kind == "card"] == ([name] if name else [])
        offered = {guess for s in seen for guess in s.probabilities}
        alike = {f"{rank}{pips[-1]}" for rank in ("JQK" if pips[0] == "K" else pips[0])}  # courts are all drawn alike
        assert name or (index in offered and alike & offered), "both are offered"


def test_no_picture_rules_a_joker_out() -> None:
    face = np.zeros(NONE + 1, np.float32)
    face[[FACES.index("QS"), FACES.index("KS")]] = 0.7, 0.3
    assert not ruled_out(face, FACES.index("JOKER"), 0.15) and ruled_out(face, FACES.index("2S"), 0.15)


def test_where_index_and_face_differ_the_name_that_both_leave_likely_is_guessed_and_none_is_sure() -> None:
    index, face = np.full(NONE + 1, 1e-6), np.full(NONE + 1, 1e-5, np.float32)
    index[[FACES.index("3S"), FACES.index("JS")]] = 0.99, 0.002
    face[[FACES.index("KS"), FACES.index("JS"), FACES.index("QS")]] = 0.5, 0.3, 0.2
    out = torn(index, face)
    assert out.sum() == pytest.approx(1.0) and out[NONE] == 0
    assert [FACES[int(k)] for k in np.argsort(-out)[:2]] == ["JS", "3S"] and out.max() < 0.7


@given(SHARES, SHARES)
def test_a_card_torn_between_two_names_is_never_sure_of_one_that_its_face_denies(
    index: np.ndarray, face: np.ndarray
) -> None:
    index, face = index / index.sum(), (face / face.sum()).astype(np.float32)
    denied = int(index[:NONE].argmax())
    face[denied] = 0.0
    assert torn(index, face)[denied] <= 0.25 + 1e-6


@pytest.mark.parametrize(("index", "pips"), [("KC", "7C"), ("AH", "3H"), ("9S", "8S"), ("5S", "5C")])
def test_plain_pips_outweigh_a_small_index(index: str, pips: str) -> None:
    """Letters eight pixels high, slanted and hollow, and pips that anybody can count."""
    read = np.full(NONE + 1, 1e-4)
    read[FACES.index(index)] = 0.999
    face = np.full(NONE + 1, 0.001, np.float32)
    face[FACES.index(pips)] = 0.96
    out = weighed(read / read.sum(), face / face.sum(), 0.13)
    assert FACES[int(out[:NONE].argmax())] == pips and out.max() > 0.9
    large = weighed(read / read.sum(), face / face.sum(), 0.3)
    assert FACES[int(large[:NONE].argmax())] != pips or large.max() < 0.9, "beside large indices pips say less"
    doubtful = face.copy()
    doubtful[NONE] = 0.4
    assert weighed(read / read.sum(), doubtful / doubtful.sum(), 0.13)[FACES.index(pips)] < 0.9, "half covered"


def test_courts_and_one_pip_leave_the_index_its_word() -> None:
    read = np.full(NONE + 1, 1e-4)
    read[FACES.index("JD")] = 0.999
    for shown in ("KD", "AD"):
        face = np.full(NONE + 1, 0.001, np.float32)
        face[FACES.index(shown)] = 0.94
        assert weighed(read / read.sum(), face / face.sum(), 0.13)[FACES.index(shown)] < 0.9
