"""Labelled patches for the reader, cut from rendered scenes with the misplacement a detector really has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.deck import Floats
from datasets.scene import Scene
from datasets.scene_shards import write_cut
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, Image, cut_patch, pyramid
from vision.sightings import FACES

NONE = len(FACES)
"""Class number of "not a readable index"; faces come before it in the order of ``FACES``."""
READABLE_SHOWS, READABLE_HEIGHT = 0.8, 9.0


@dataclass
class Patches:
    """``images`` N x H x W x 3 BGR; ``labels`` N; ``corners`` N x 4 x 2 patch pixels (NaN where there is no index)."""

    images: Image
    labels: np.ndarray
    corners: Floats


def misplaced(quad: Floats, rng: Rng, amount: float) -> Floats:
    """The quad as a detector would give it: moved, scaled, turned and each corner off by itself."""
    width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    height = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    centre = quad.mean(0)
    axes = np.stack([(quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2])
    angle = rng.normal(0, 0.13) * amount
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    scale = np.exp(rng.normal(0, 0.11, 2) * amount)
    local = (quad - centre) @ np.linalg.pinv(axes)
    out = (local * scale) @ axes @ turn.T + centre
    out += (rng.normal(0, 0.09, 2) * amount) @ axes
    noise = rng.normal(0, 0.06, (4, 2)) * amount * min(width, height) * 1.3
    return np.asarray(out + noise, np.float32)


def _wrong_quads(scene: Scene, rng: Rng, count: int) -> list[Floats]:
    """Places that are no index: pips, courts, clutter, half an index, an index upside down."""
    out: list[Floats] = []
    quads = [i.quad for c in scene.cards for i in c.indices if i.visible > 0.5]
    h, w = scene.image.shape[:2]
    for _ in range(count):
        kind = rng.random()
        if quads and kind < 0.15:
            # The rank on its side, with whatever lies beside it in the suit's place.
            q = quads[int(rng.integers(len(quads)))]
            out.append(misplaced(_quarter_turned(q, rng), rng, 0.7))
            continue
        if quads and kind < 0.35:
            q = quads[int(rng.integers(len(quads)))]
            out.append(misplaced(np.roll(q, 2, axis=0), rng, 0.5))
            continue
        if quads and kind < 0.57:
            q = quads[int(rng.integers(len(quads)))]
            shift = rng.choice([-1, 1], 2) * rng.uniform(0.55, 1.1, 2)
            shift[int(rng.integers(2))] *= rng.uniform(0, 1)
            axes = np.stack([q[1] - q[0], q[3] - q[0]])
            moved = q + shift @ axes
            if rng.random() < 0.4:  # rank alone or suit alone
                top = rng.random() < 0.5
                half = (q[3] - q[0]) * 0.5
                moved = (
                    np.stack([q[0], q[1], q[1] + half, q[0] + half])
                    if top
                    else np.stack([q[0] + half, q[1] + half, q[2], q[3]])
                )
            out.append(misplaced(moved.astype(np.float32), rng, 0.6))
            continue
        faces = [c for c in scene.cards if c.indices]
        if faces and kind < 0.85:
            card = faces[int(rng.integers(len(faces)))]
            size = rng.uniform(0.12, 0.3)
            u, v = rng.uniform(0.25, 0.6), rng.uniform(0.1, 0.75)
            square = np.array([[[u, v], [u + size, v], [u + size, v + size], [u, v + size]]], np.float32)
            m = cv2.getPerspectiveTransform(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), card.corners)
            out.append(misplaced(np.asarray(cv2.perspectiveTransform(square, m)[0], np.float32), rng, 0.6))
            continue
        size = float(np.exp(rng.uniform(np.log(12), np.log(min(h, w) / 4))))
        angle = rng.uniform(-np.pi, np.pi)
        c, s = np.cos(angle), np.sin(angle)
        box = np.array([[-0.3, -0.5], [0.3, -0.5], [0.3, 0.5], [-0.3, 0.5]]) * size
        out.append((box @ np.array([[c, s], [-s, c]]) + rng.uniform(0, 1, 2) * [w, h]).astype(np.float32))
    true = np.array([q.mean(0) for q in quads]).reshape(-1, 2)
    sides = np.array([np.linalg.norm(q[2] - q[0]) for q in quads])
    kept = []
    for q in out:
        near = len(true) and ((np.linalg.norm(true - q.mean(0), axis=1) < 0.3 * sides).any())
        upright = near and any(
            np.linalg.norm(t.mean(0) - q.mean(0)) < 0.3 * np.linalg.norm(t[2] - t[0])
            and float((t[0] - t[3]) @ (q[0] - q[3])) > 0
            for t in quads
        )
        if not upright:
            kept.append(q)
    return kept


def _quarter_turned(quad: Floats, rng: Rng) -> Floats:
    """An index-shaped place that takes the rank for its upper half and looks sideways from there."""
    right, down = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    wide, tall = float(np.linalg.norm(right)), float(np.linalg.norm(down))
    rank = quad.mean(0) - down * 0.22
    side = right / max(wide, 1e-6) * (1.0 if rng.random() < 0.5 else -1.0)
    length, breadth = tall * rng.uniform(0.9, 2.2), tall * rng.uniform(0.5, 1.1)
    across = down / max(tall, 1e-6) * (1.0 if rng.random() < 0.5 else -1.0)
    start = rank - side * wide * rng.uniform(0.5, 0.7)
    a, b = start - across * breadth / 2, start + across * breadth / 2
    # Half a turn apart only in which way "up" is: from the rank outwards.
    turned = np.stack([a, b, b + side * length, a + side * length])
    if np.linalg.det(turned[[1, 3]] - turned[0]) < 0:
        turned = turned[[1, 0, 3, 2]]
    return np.asarray(turned, np.float32)


def patches_of(scene: Scene, rng: Rng, copies: int = 3) -> Patches:
    """Every readable index ``copies`` times, misplaced anew each time, and some places that are none."""
    levels = pyramid(scene.image)
    images, labels, corners = [], [], []
    for card in scene.cards:
        for index in card.indices:
            if index.visible < READABLE_SHOWS or np.linalg.norm(index.quad[3] - index.quad[0]) < READABLE_HEIGHT:
                continue
            for _ in range(copies):
                amount = float(rng.choice([0.35, 1.0, 1.6], p=[0.4, 0.4, 0.2]))
                patch, m = cut_patch(levels, misplaced(index.quad, rng, amount))
                images.append(patch)
                labels.append(FACES.index(card.label))
                corners.append(index.quad @ m[:, :2].T + m[:, 2])
    for quad in _wrong_quads(scene, rng, max(1, len(images) // 4)):
        patch, _ = cut_patch(levels, quad)
        images.append(patch)
        labels.append(NONE)
        corners.append(np.full((4, 2), np.nan))
    shape = (0, PATCH_HEIGHT, PATCH_WIDTH, 3)
    return Patches(
        np.stack(images) if images else np.zeros(shape, np.uint8),
        np.array(labels, np.int64),
        np.array(corners, np.float32).reshape(-1, 4, 2),
    )


def write_patches(
    folder: Path,
    seeds: Iterable[int],
    size: int,
    card_px: tuple[float, float],
    workers: int,
    done: Callable[[int], None] | None = None,
) -> None:
    """Render scenes and keep their patches as .npz shards; ``done`` gets the number of scenes finished."""
    write_cut(patches_of, 5, folder, seeds, size, card_px, workers, done)


def load_patches(folder: Path) -> Patches:
    """All shards of a folder together."""
    shards = [np.load(p) for p in sorted(folder.glob("*.npz"))]
    return joined([Patches(s["images"], s["labels"], s["corners"]) for s in shards])


def joined(parts: Sequence[Patches]) -> Patches:
    """Several sets as one."""
    return Patches(
        np.concatenate([p.images for p in parts]),
        np.concatenate([p.labels for p in parts]),
        np.concatenate([p.corners for p in parts]),
    )
