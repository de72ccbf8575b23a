"""Naming a chip's colour, from what the counter's network says of its rows.

The network was taught twelve colours under warm, cold, dim and harsh light, so its word is already relative to the
light and to what lies around. Without a set of one's own the likeliest of the twelve is taken. A set of one's own keeps
what the network said of each of its chips when it was shown, and some pixels of its edge. A chip is named by both: so
two reds, or a colour that has no name of its own, stay apart as far as anything differs at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import Floats, Image
from vision.chips.likeness import (
    BELONGS,
    LIGHTS,
    NAMED,
    SAME,
    SAMPLES,
    Pixels,
    differences,
    explained,
    under_lights,
    unlike,
)
from vision.chips.portraits import Portrayed, as_data, from_data
from vision.chips.values import COLOURS, Box, ChipSize

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
WORD_WEIGHT, WORD_BELONGS = 0.3, 0.4
"""How much the network's word counts beside the pixels, as a logarithm of chances: for which of the set's chips one is,
and for whether it is any."""
UNEXPLAINED, UNEXPLAINED_ALL = -7.0, -4.5
"""Less well than this (a logarithm) the set explains no chip that is of it, and no stack on average (one in fifty)."""
LEAST = 1e-6
"""No colour is less likely, by the network's word."""
AGREED = 0.1
"""A name that the network was taught is taken at its word where its chip looked like that at least so much."""
NEAR, NEAR_EDGES = 2.0, 3.7
"""Chips nearer to each other than this, by the network's word and by their edges, can hardly be told apart."""
MIXED = 5.5
"""Chips further apart than this, by the network's word, are of two colours: of 117 rendered stacks of several colours
113 have such chips, of 58 of one colour five."""
KEPT = 4
"""So many chips of a stack that was shown are kept."""


class ChipSetError(ValueError):
    """A set of chips cannot be used; the text says which, why, and what to do."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A stack in its ``box``, shown to be learned: the network's ``words`` on its chips (count x 12), from the bottom
    up, pixels of their ``edges`` (count x SAMPLES x 3), and ``pictures`` of them (`portraits.portraits`), if any."""

    box: Box
    words: Floats
    edges: Pixels
    pictures: Image | None = None

    @property
    def mixed(self) -> bool:
        """Whether its chips are of several colours, from some height on."""
        look = described(self.words)
        return any(_far(look[:k], look[k:]) for k in range(1, len(look)))

    def unlike(self, other: Shown) -> bool:
        """Whether these are chips of another colour than the ``other`` ones."""
        return _far(described(self.words), described(other.words))


@dataclass(frozen=True, eq=False)
class Appearance:
    """What the chips of one set look like: ``names`` and, for each, ``looks`` (N x 12: the network's word).

    ``edges`` are pixels of their edges (N x SAMPLES x 3, BGR); None in sets that were learned before these were kept.
    ``size`` is theirs, if somebody measured them. ``shown`` are the stacks that were shown, each of one name; none in
    sets that were learned before their pictures were kept.
    """

    names: tuple[str, ...]
    looks: Floats
    edges: Pixels | None = None
    size: ChipSize | None = None
    shown: tuple[tuple[str, Portrayed], ...] = ()

    def __post_init__(self) -> None:
        if self.looks.ndim != 2 or self.looks.shape != (len(self.names), len(COLOURS)) or not self.names:
            raise ChipSetError(
                f"a set of chips needs one row of {len(COLOURS)} numbers a name, got {self.looks.shape} for "
                f"{len(self.names)} names"
            )
        if self.edges is not None and self.edges.shape != (len(self.names), SAMPLES, 3):
            raise ChipSetError(f"a set of chips needs {SAMPLES} pixels of 3 numbers a name, got {self.edges.shape}")
        for name in self.names:
            if not COLOUR_NAME.fullmatch(name):
                raise ChipSetError(f"{name!r} is no name for a chip: use small letters, such as red or light-blue")

    @classmethod
    def learned(cls, shown: Iterable[tuple[str, Shown]], size: ChipSize | None = None) -> Appearance:
        """The set of the stacks that were shown, each of one colour, with their names; ``size`` if it was measured."""
        names: list[str] = []
        words, edges = [], []
        kept: list[tuple[str, Portrayed]] = []
        for name, it in shown:
            some = sorted({round(v) for v in np.linspace(len(it.words) - 1, 0, min(KEPT, len(it.words)))})
            names += [name] * len(some)
            words += [it.words[k] for k in some]
            edges += [it.edges[k] for k in some]
            if it.pictures is not None:
                kept.append((name, Portrayed(it.words[some], it.pictures[[*some, len(it.words)]])))
        if not names:
            raise ChipSetError("a set of chips needs at least one chip")
        return cls(tuple(names), described(np.stack(words)), np.stack(edges), size, tuple(kept))

    def chances(self, words: Floats, seen: Floats) -> tuple[tuple[str, ...], Floats, NDArray[np.bool_]]:
        """Distinct names, each chip's chances of them (N x names), and which chips are none of the set.

        ``words`` N x 12 are the network's words of the chips, ``seen`` how their edges look (`alike.looks`).
        """
        distinct = tuple(dict.fromkeys(self.names))
        if self._lit is None:
            apart = np.linalg.norm(described(words)[:, None] - self.looks[None], axis=2)
            nearest = self._best_of(apart, distinct)
            weights = np.exp(-SHARPNESS * (nearest**2 - nearest.min(1, keepdims=True) ** 2))
            chances = np.asarray(weights / weights.sum(1, keepdims=True), np.float32)
            return distinct, chances, np.asarray(nearest.min(1) > STRANGER)
        far, said = differences(seen, self._lit), self._said(words, distinct)[:, :, None]
        chances, _ = explained(self._likely(far, WORD_WEIGHT * said, NAMED))
        _, fits = explained(self._likely(far, WORD_BELONGS * said, BELONGS))
        return distinct, chances, np.asarray((fits < UNEXPLAINED) | (fits.mean() < UNEXPLAINED_ALL))

    def likely(self, words: Floats, seen: Floats) -> Floats:
        """How likely each chip is each of the distinct names under each of `likeness.LIGHTS`, as logarithms.

        Raises `ChipSetError` for a set that keeps no edges.
        """
        if self._lit is None:
            raise ChipSetError("a set of chips that keeps no edges cannot be looked at under other lights")
        said = WORD_WEIGHT * self._said(words, tuple(dict.fromkeys(self.names)))[:, :, None]
        return self._likely(differences(seen, self._lit), said, NAMED)

    def _likely(self, far: Floats, said: Floats, costs: tuple[float, float]) -> Floats:
        """From how far they are (`likeness.differences`), and what the network ``said`` of each name."""
        unlike_ = far @ np.array(costs, np.float32)
        return np.asarray(said - self._best_of(unlike_, tuple(dict.fromkeys(self.names))), np.float32)

    def _best_of(self, costs: Floats, distinct: Sequence[str]) -> Floats:
        """The least along the second axis for each name."""
        return np.stack([costs[:, [n == d for n in self.names]].min(1) for d in distinct], 1)

    def _said(self, words: Floats, distinct: Sequence[str]) -> Floats:
        """The network's word on each name, as a logarithm: a name that it was taught means what it was taught."""
        looks = _softmax(self.looks)
        meant = np.stack([looks[[n == d for n in self.names]].mean(0) for d in distinct])
        for name, means in zip(distinct, meant, strict=True):
            number = self.meant(name)
            if number is not None:
                means[:] = np.eye(len(COLOURS))[number]
        return np.asarray(np.log(_softmax(words) @ meant.T + LEAST), np.float32)

    def meant(self, name: str) -> int | None:
        """The number of the colour that a name means: the one it is called, where its chip looks like that at all."""
        if name not in COLOURS:
            return None
        number = COLOURS.index(name)
        likely = _softmax(self.looks)[[n == name for n in self.names]].mean(0)[number]
        return number if likely > AGREED else None

    def pairs_alike(self) -> list[tuple[str, str]]:
        """Pairs of names whose chips can hardly be told apart, by the network's word and by their edges."""
        near = np.linalg.norm(self.looks[:, None] - self.looks[None], axis=2) < NEAR
        if self._lit is not None:
            near &= unlike(self._lit[:, LIGHTS.index(SAME)], self._lit[:, [LIGHTS.index(SAME)]])[..., 0] < NEAR_EDGES
        found = [(self.names[b], self.names[a]) for a in range(len(near)) for b in range(a) if near[a, b]]
        return list(dict.fromkeys(pair for pair in found if pair[0] != pair[1]))

    @cached_property
    def _lit(self) -> Floats | None:
        return None if self.edges is None else under_lights(self.edges)


def _softmax(logits: Floats) -> Floats:
    weights = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(weights / weights.sum(1, keepdims=True), np.float32)


def _far(one: Floats, other: Floats) -> bool:
    return float(np.linalg.norm(one.mean(0) - other.mean(0))) > MIXED


def described(words: Floats) -> Floats:
    """The network's words (N x 12 logits) on one footing: their mean taken out, far-off colours not told apart."""
    top = words.max(1, keepdims=True)
    clipped = np.maximum(words, top - 6)
    return np.asarray(clipped - clipped.mean(1, keepdims=True), np.float32)


def standard(words: Floats, usual: Collection[str] = USUAL) -> tuple[tuple[str, ...], Floats]:
    """The twelve colours and each chip's chances of them; ``usual`` are those that are expected."""
    rare = np.array([0.0 if c in usual else RARE for c in COLOURS], np.float32)
    logits = STANDARD_WEIGHT * words + rare
    return COLOURS, _softmax(logits)


def save_appearance(name: str, appearance: Appearance, extra: dict[str, Any], folder: Path) -> Path:
    """Write a set into ``folder`` in place of one of its name; ``extra`` is kept beside it. `ChipSetError`."""
    if not NAME.fullmatch(name):
        raise ChipSetError(f"{name!r} is no name for a set of chips; use letters, digits, spaces, - and _, at most 40.")
    path = folder / f"{name}.json"
    looks: list[dict[str, Any]] = [
        {"name": n, "look": [round(float(v), 4) for v in row]}
        for n, row in zip(appearance.names, appearance.looks, strict=True)
    ]
    if appearance.edges is not None:
        for look, edge in zip(looks, appearance.edges, strict=True):
            look["edge"] = edge.tolist()
    draft = path.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        size = (
            {}
            if appearance.size is None
            else {"size": [appearance.size.width, appearance.size.thick, appearance.size.stacked]}
        )
        shown = [{"name": n, **as_data(it)} for n, it in appearance.shown]
        draft.write_text(json.dumps({**extra, "looks": looks, "shown": shown, **size}), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
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
        kept = any("edge" in row for row in looks)
        edges = np.array([row["edge"] for row in looks], np.uint8) if kept else None
        size = _size(content.pop("size")) if "size" in content else None
        shown = tuple((str(row["name"]), from_data(row)) for row in content.pop("shown", ()))
        if not {name for name, _ in shown} <= set(names):
            raise ValueError("a stack of no name")
        return Appearance(names, np.array([row["look"] for row in looks], np.float32), edges, size, shown), content
    except ChipSetError as error:
        raise ChipSetError(f"{path}: the file is damaged ({error}); enrol the set again.") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ChipSetError(f"{path}: the file is damaged; enrol the set again.") from error


def _size(told: object) -> ChipSize:
    """Width, thickness, and how many were stacked. Raises `ValueError`."""
    if not isinstance(told, list) or len(told) != 3 or any(isinstance(v, str | bool | None) for v in told):
        raise ValueError("not a size")
    wide, thick, stacked = told
    return ChipSize(float(wide), float(thick), int(stacked))


def appearance_names(folder: Path) -> list[str]:
    """The sets enrolled in ``folder``, by name."""
    return sorted(p.stem for p in folder.glob("*.json") if NAME.fullmatch(p.stem) and p.is_file())


def delete_appearance(name: str, folder: Path) -> None:
    """Remove a set. Raises `ChipSetError` if there is none or it cannot be removed."""
    if name not in appearance_names(folder):
        raise ChipSetError(f"There is no set of chips called {name!r}; tableside chipset list names them.")
    try:
        (folder / f"{name}.json").unlink()
    except OSError as error:
        raise ChipSetError(f"{folder / name}.json: it could not be deleted ({error.strerror}).") from error
