"""A person's own deck: what its indices look like to the reader, so that odd faces read as well as standard ones.

A profile keeps, for every enrolled index, the features that the reader's network describes it by. A new index is
compared with them (cosine of the angle between descriptions); the nearer it is to something enrolled, the more the
profile's word counts beside the network's. Nothing is trained.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from vision.cards.patches import Floats
from vision.sightings import FACES

NONE = len(FACES)
SHARPNESS = 50.0
"""How much a difference in likeness weighs: chances are proportional to exp(SHARPNESS x likeness)."""
KNOWN = 0.95
"""Likeness from which an index counts as one of the deck's own; half-way between the two words. An enrolled index is
seen again at .96 and more (nineteen in twenty); pips and half indices of the same deck reach .94."""
EDGE = 0.015
YIELDS = 0.7
"""How much of the network's own word is given up for an index that is surely of the deck."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")


class ProfileError(ValueError):
    """A deck's profile cannot be used; the text says which, why, and what to do."""


@dataclass(frozen=True, eq=False)
class DeckProfile:
    """``features`` N x D, each of length 1; ``labels`` N face numbers; ``network`` is what described them."""

    name: str
    features: Floats
    labels: NDArray[np.int64]
    network: str

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ProfileError(
                f"{self.name!r} is no name for a deck; use letters, digits, spaces, - and _, at most 40."
            )
        if self.features.ndim != 2 or len(self.features) != len(self.labels) or not len(self.labels):
            raise ProfileError(f"The deck {self.name} holds no indices; enrol it again.")
        if self.labels.min() < 0 or self.labels.max() >= NONE:
            raise ProfileError(f"The deck {self.name} names cards that do not exist; enrol it again.")

    @property
    def faces(self) -> frozenset[str]:
        """The labels that were enrolled."""
        return frozenset(FACES[k] for k in self.labels)

    def judged(self, chances: Floats, features: Floats) -> Floats:
        """The network's ``chances`` (N x faces + none) with this deck's word in them; rows still sum to 1."""
        likeness = features @ self.features.T
        best = np.full((len(features), NONE), -1.0, np.float32)
        np.maximum.at(best.T, self.labels, likeness.T)
        top = best.max(1, keepdims=True)
        # The share of the profile's word: none for an index like nothing enrolled.
        share = 1 / (1 + np.exp(np.minimum((KNOWN - top) / EDGE, 50)))
        network = np.log(np.clip(chances[:, :NONE], 1e-4, 1))
        logs = (1 - YIELDS * share) * network + share * SHARPNESS * (best - top)
        faces = np.exp(logs - logs.max(1, keepdims=True))
        faces /= faces.sum(1, keepdims=True)
        none = chances[:, NONE:] * (1 - share)
        return np.asarray(np.concatenate([faces * (1 - none), none], 1), np.float32)


def save_profile(profile: DeckProfile, folder: Path) -> Path:
    """Write ``profile`` into ``folder`` , in place of one of its name. Raises :class:`ProfileError`."""
    path = folder / f"{profile.name}.npz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        with draft.open("wb") as out:
            np.savez_compressed(
                out,
                features=profile.features.astype(np.float16),
                labels=profile.labels,
                network=np.array(profile.network),
            )
        draft.replace(path)
    except OSError as error:
        raise ProfileError(
            f"{path}: it could not be written ({error.strerror}); check the folder and the disk."
        ) from error
    return path


def load_profile(name: str, folder: Path) -> DeckProfile:
    """The profile ``name`` in ``folder``. Raises :class:`ProfileError`."""
    path = folder / f"{name}.npz"
    if not NAME.fullmatch(name) or not path.is_file():
        known = ", ".join(profile_names(folder)) or "none yet"
        raise ProfileError(f"There is no deck called {name!r} (enrolled: {known}); see tableside deck enrol --help.")
    try:
        with np.load(path, allow_pickle=False) as data:
            network = str(data["network"]) if "network" in data else ""
            return DeckProfile(name, data["features"].astype(np.float32), data["labels"].astype(np.int64), network)
    except ProfileError:
        raise
    except (
        OSError,
        ValueError,
        KeyError,
        EOFError,
        BadZipFile,
        NotImplementedError,
        RuntimeError,
        zlib.error,
    ) as error:
        raise ProfileError(f"{path}: the file is damaged; enrol the deck again.") from error


def profile_names(folder: Path) -> list[str]:
    """The decks enrolled in ``folder``, by name."""
    return sorted(p.stem for p in folder.glob("*.npz") if NAME.fullmatch(p.stem))


def delete_profile(name: str, folder: Path) -> None:
    """Remove a deck. Raises :class:`ProfileError` if there is none or it cannot be removed."""
    path = folder / f"{name}.npz"
    if name not in profile_names(folder):
        raise ProfileError(f"There is no deck called {name!r}; tableside deck list names them.")
    try:
        path.unlink()
    except OSError as error:
        raise ProfileError(f"{path}: it could not be deleted ({error.strerror}).") from error
