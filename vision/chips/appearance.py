"""Naming a chip's colour, from what the counter's network says of its rows.

The network was taught twelve colours under warm, cold, dim and harsh light, so its word is already relative to the
light and to what lies around. Without a set of one's own the likeliest of the twelve is taken. A set of one's own keeps
what the network said of each of its chips when it was shown, and names whatever is nearest: so two reds, or a colour
that has no name of its own, stay apart as far as the network's word differs at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import Floats
from vision.chips.values import COLOURS

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")
COLOUR_NAME = re.compile(r"[a-z][a-z0-9_-]{0,29}")
RARE = -2.5
"""How unusual a colour is that is not expected on a table, as a logarithm."""
USUAL = tuple(c for c in COLOURS if c not in ("orange", "pink", "light-blue", "brown", "grey"))
"""The colours that are expected where nobody said which chips are played with."""
STANDARD_WEIGHT = 0.5
"""How much the network's word on one of its own twelve colours counts, as a logarithm of chances; all is too much."""
SHARPNESS = 0.5
"""How much nearness weighs between the chips of a set: chances are proportional to exp(-SHARPNESS x distance²)."""
STRANGER = 3.2
"""A chip that lies further than this from every chip of the set is none of it."""


class ChipSetError(ValueError):
    """A set of chips cannot be used; the text says which, why, and what to do."""


@dataclass(frozen=True, eq=False)
class Appearance:
    """What the chips of one set look like: ``names`` and, for each, ``looks`` (N x 12: the network's word)."""

    names: tuple[str, ...]
    looks: Floats

    def __post_init__(self) -> None:
        if self.looks.ndim != 2 or self.looks.shape != (len(self.names), len(COLOURS)) or not self.names:
            raise ChipSetError(
                f"a set of chips needs one row of {len(COLOURS)} numbers a name, got {self.looks.shape} for "
                f"{len(self.names)} names"
            )
        for name in self.names:
            if not COLOUR_NAME.fullmatch(name):
                raise ChipSetError(f"{name!r} is no name for a chip: use small letters, such as red or light-blue")

    def chances(self, words: Floats) -> tuple[tuple[str, ...], Floats, NDArray[np.bool_]]:
        """Distinct names, each chip's chances of them (N x names), and which chips are none of the set.

        ``words`` N x 12 are the network's words of the chips.
        """
        distinct = tuple(dict.fromkeys(self.names))
        apart = np.linalg.norm(described(words)[:, None] - self.looks[None], axis=2)
        nearest = np.stack([apart[:, [n == d for n in self.names]].min(1) for d in distinct], 1)
        weights = np.exp(-SHARPNESS * (nearest**2 - nearest.min(1, keepdims=True) ** 2))
        return distinct, np.asarray(weights / weights.sum(1, keepdims=True), np.float32), nearest.min(1) > STRANGER


def described(words: Floats) -> Floats:
    """The network's words (N x 12 logits) on one footing: their mean taken out, far-off colours not told apart."""
    top = words.max(1, keepdims=True)
    clipped = np.maximum(words, top - 6)
    return np.asarray(clipped - clipped.mean(1, keepdims=True), np.float32)


def standard(words: Floats, usual: Collection[str] = USUAL) -> tuple[tuple[str, ...], Floats]:
    """The twelve colours and each chip's chances of them; ``usual`` are those that are expected."""
    rare = np.array([0.0 if c in usual else RARE for c in COLOURS], np.float32)
    logits = STANDARD_WEIGHT * words + rare
    weights = np.exp(logits - logits.max(1, keepdims=True))
    return COLOURS, np.asarray(weights / weights.sum(1, keepdims=True), np.float32)


def save_appearance(name: str, appearance: Appearance, extra: dict[str, Any], folder: Path) -> Path:
    """Write a set into ``folder`` in place of one of its name; ``extra`` is kept beside it. `ChipSetError`."""
    if not NAME.fullmatch(name):
        raise ChipSetError(f"{name!r} is no name for a set of chips; use letters, digits, spaces, - and _, at most 40.")
    path = folder / f"{name}.json"
    looks = [{"name": n, "look": [round(float(v), 4) for v in row]} for n, row in zip(
        appearance.names, appearance.looks, strict=True)]  # fmt: skip
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        draft.write_text(json.dumps({"looks": looks, **extra}, indent=1), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise ChipSetError(f"{path}: it could not be written ({error.strerror}); check the folder.") from error
    return path


def load_appearance(name: str, folder: Path) -> tuple[Appearance, dict[str, Any]]:
    """The set ``name`` in ``folder`` and what was kept beside it. Raises `ChipSetError`."""
    path = folder / f"{name}.json"
    if not NAME.fullmatch(name) or not path.is_file():
        known = ", ".join(appearance_names(folder)) or "none yet"
        raise ChipSetError(
            f"There is no set of chips called {name!r} (enrolled: {known}); see tableside chipset enrol --help."
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        looks = content.pop("looks")
        names = tuple(str(row["name"]) for row in looks)
        return Appearance(names, np.array([row["look"] for row in looks], np.float32)), content
    except ChipSetError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ChipSetError(f"{path}: the file is damaged; enrol the set again.") from error


def appearance_names(folder: Path) -> list[str]:
    """The sets enrolled in ``folder``, by name."""
    return sorted(p.stem for p in folder.glob("*.json") if NAME.fullmatch(p.stem))


def delete_appearance(name: str, folder: Path) -> None:
    """Remove a set. Raises `ChipSetError` if there is none or it cannot be removed."""
    if name not in appearance_names(folder):
        raise ChipSetError(f"There is no set of chips called {name!r}; tableside chipset list names them.")
    try:
        (folder / f"{name}.json").unlink()
    except OSError as error:
        raise ChipSetError(f"{folder / name}.json: it could not be deleted ({error.strerror}).") from error
