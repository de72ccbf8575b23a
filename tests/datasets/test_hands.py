"""Rendered hands: every card shows, what is dealt can be dealt, and a number gives the same picture again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets import hands
from datasets.bench import load_manifest
from datasets.deck import Face
from datasets.drawn import Style
from datasets.hands import FEWEST, KINDS, MOST, SHOWS, dealt, dealt_melds, picture_of, write_hands
from datasets.jokers import DESIGNS, deck_with_joker, joker_face
from datasets.layouts import CARD_HEIGHT
from vision.sightings import JOKER, RANKS


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pictures in the built-in letters: what is tested here does not depend on either."""
    monkeypatch.setattr(hands, "LONG", 504)
    monkeypatch.setattr(hands, "SHORT", 378)
    monkeypatch.setattr(hands, "card_fonts", lambda: ("sans",))
    monkeypatch.setattr(hands, "suit_fonts", lambda: ("sans",))


@pytest.mark.parametrize("kind", KINDS)
def test_every_card_of_a_picture_shows_an_index(kind: str) -> None:
    picture = picture_of(kind, 1)
    assert picture.name == f"{kind}-001" and [c.label for c in picture.seen] == list(picture.cards)
    assert all(any(i.visible >= SHOWS for i in card.indices) for card in picture.seen)
    assert len(picture.groups) == 1 if kind in ("fan", "ribbon") else len(picture.groups) > 1
    if kind != "melds":
        assert FEWEST <= len(picture.cards) <= MOST


def test_a_number_gives_the_same_picture_again_and_another_another() -> None:
    one, again, other = picture_of("fan", 2), picture_of("fan", 2), picture_of("fan", 3)
    assert (one.image == again.image).all() and one.groups == again.groups
    assert one.groups != other.groups


@given(seed=st.integers(0, 10**6), count=st.integers(FEWEST, MOST))
def test_two_packs_can_deal_every_hand(seed: int, count: int) -> None:
    hand = Counter(dealt(np.random.default_rng(seed), count))
    assert hand.total() == count and max(hand.values()) <= 2


@given(seed=st.integers(0, 10**6))
def test_melds_are_sets_and_sequences_of_two_packs(seed: int) -> None:
    groups = dealt_melds(np.random.default_rng(seed))
    cards = Counter(card for group in groups for card in group)
    assert 2 <= len(groups) <= 4 and all(n <= 2 for card, n in cards.items() if card != JOKER)
    for group in groups:
        natural = [card for card in group if card != JOKER]
        ranks, suits = {card[:-1] for card in natural}, {card[-1] for card in natural}
        places = sorted(RANKS.index(rank) for rank in ranks)
        run = len(suits) == 1 and places[-1] - places[0] < len(group)
        assert len(group) - len(natural) <= 1 and (len(ranks) == 1 or run)


@pytest.mark.parametrize("kind", ["heaps", "melds"])
def test_groups_lie_apart_as_their_kind_says(kind: str) -> None:
    """Melds are more than two centimetres apart; heaps of one hand nearer than two hands would be."""
    picture = picture_of(kind, 4)
    scale = np.median([np.linalg.norm(c.corners[3] - c.corners[0]) for c in picture.seen]) / CARD_HEIGHT
    corners, first = [], 0
    for group in picture.groups:
        corners.append(np.concatenate([c.corners for c in picture.seen[first : first + len(group)]]))
        first += len(group)
    nearest = [min(np.linalg.norm(a[:, None] - b[None], axis=2).min() for b in corners if b is not a) for a in corners]
    assert max(nearest) / scale < 2 * CARD_HEIGHT
    if kind == "melds":
        assert min(nearest) / scale > 15


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("height", [0.07, 0.25])
def test_every_joker_has_its_index_in_both_corners(design: str, height: float) -> None:
    style = Style(rank_height=height, suit_height=0.6 * height)
    has_its_index_in_both_corners(joker_face(DESIGNS[design], style, red=True), style)


def has_its_index_in_both_corners(face: Face, style: Style) -> None:
    tall, wide = face.texture.shape[:2]
    assert len(face.indices) == 2
    upper, lower = face.indices
    assert (upper.min(0) >= 0).all() and (upper.max(0) <= [wide / 2, tall / 2]).all()
    assert np.allclose(lower, [wide, tall] - upper)
    (x0, y0), (x1, y1) = upper[0].astype(int), upper[2].astype(int)
    ink = np.abs(face.texture[y0:y1, x0:x1, :3].astype(int) - style.paper).max(2) > 60
    assert 0.05 < ink.mean() < 0.9, "something is printed there"


def test_a_deck_takes_another_joker_and_keeps_its_cards() -> None:
    deck = deck_with_joker(Style(), DESIGNS["star"], red=False)
    assert (deck.face(JOKER).texture == joker_face(DESIGNS["star"], Style(), red=False).texture).all()
    assert deck.face("10H").indices.shape == (2, 4, 2) and JOKER in deck.labels


def test_the_manifest_is_one_that_the_benchmark_takes(tmp_path: Path) -> None:
    *pictures, manifest = write_hands(tmp_path, 1, ["heaps"])
    items = load_manifest(manifest)
    assert [item.image for item in items] == pictures and items[0].source == "heaps"
    groups = json.loads(manifest.read_text())["items"][0]["groups"]
    assert Counter(card for group in groups for card in group) == items[0].cards
