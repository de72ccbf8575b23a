"""A deck's profile: it speaks up for what it knows, stays silent otherwise, and survives the disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.profile import (
    NONE,
    DeckProfile,
    ProfileError,
    delete_profile,
    load_profile,
    profile_names,
    save_profile,
)
from vision.sightings import FACES


def directions(count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    v = rng.standard_normal((count, 64)).astype(np.float32)
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def even(count: int) -> np.ndarray:
    return np.full((count, NONE + 1), 1 / (NONE + 1), np.float32)


DECK = DeckProfile("mine", directions(len(FACES)), np.arange(len(FACES)), "one")


@given(st.integers(0, NONE - 1))
def test_an_enrolled_index_is_named_though_the_network_is_sure_of_another(face: int) -> None:
    chances = np.full((1, NONE + 1), 1e-4, np.float32)
    chances[0, (face + 7) % NONE] = 1 - NONE * 1e-4
    judged = DECK.judged(chances, DECK.features[face : face + 1])
    assert judged[0].argmax() == face


def test_an_index_like_nothing_enrolled_keeps_the_networks_word() -> None:
    chances = np.random.default_rng(1).dirichlet(np.ones(NONE + 1), 5).astype(np.float32)
    judged = DECK.judged(chances, directions(5, seed=9))
    assert np.abs(judged - chances).max() < 0.01


def test_an_enrolled_index_is_never_none() -> None:
    chances = np.zeros((1, NONE + 1), np.float32)
    chances[0, NONE] = 1
    judged = DECK.judged(chances, DECK.features[:1])
    assert judged[0, NONE] < 0.05 and judged[0].argmax() == 0


@given(st.integers(0, 2**32 - 1))
def test_chances_sum_to_one(seed: int) -> None:
    chances = np.random.default_rng(seed).dirichlet(np.ones(NONE + 1), 4).astype(np.float32)
    judged = DECK.judged(chances, directions(4, seed))
    assert judged.sum(1) == pytest.approx(np.ones(4), abs=1e-4) and (judged >= 0).all()


def test_a_deck_that_names_few_cards_says_nothing_of_the_others() -> None:
    one = DeckProfile("one", DECK.features[:1], np.array([0]), "one")
    assert one.judged(even(1), DECK.features[:1])[0].argmax() == 0
    assert np.abs(one.judged(even(1), DECK.features[5:6]) - even(1)).max() < 0.01
    assert one.faces == {FACES[0]}


def test_saved_listed_loaded_and_deleted_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "decks"
    assert profile_names(folder) == []
    save_profile(DECK, folder)
    save_profile(DECK, folder)
    assert profile_names(folder) == ["mine"] and len(list(folder.iterdir())) == 1
    again = load_profile("mine", folder)
    assert again.faces == set(FACES) and again.network == "one" and np.abs(again.features - DECK.features).max() < 1e-3
    delete_profile("mine", folder)
    assert profile_names(folder) == []
    for use in (load_profile, delete_profile):
        with pytest.raises(ProfileError, match="no deck called 'mine'"):
            use("mine", folder)


@pytest.mark.parametrize("damage", [b"", b"no archive", b"PK\x03\x04 cut"])
def test_a_damaged_file_is_said(tmp_path: Path, damage: bytes) -> None:
    save_profile(DECK, tmp_path)
    (tmp_path / "mine.npz").write_bytes(damage)
    with pytest.raises(ProfileError, match="damaged; enrol the deck again"):
        load_profile("mine", tmp_path)


@pytest.mark.parametrize("name", ["", "../etc", "a/b", "x" * 41, " lead"])
def test_names_that_are_no_file_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="no name for a deck"):
        DeckProfile(name, DECK.features, DECK.labels, "one")
    with pytest.raises(ProfileError, match="no deck called"):
        load_profile(name, tmp_path)
