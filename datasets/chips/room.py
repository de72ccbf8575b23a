"""What stays the same from picture to picture of one table: the room's light and the webcam. Only its noise differs."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng, smooth_field
from datasets.deck import Image


@dataclass(frozen=True, eq=False)
class Room:
    """A room's light: ``field`` H x W (1: as it is) over the picture, ``tones`` 256 x 3, what becomes of each value."""

    field: NDArray[np.float32]
    tones: NDArray[np.uint8]

    def lights(self, scene: NDArray[np.float32]) -> Image:
        """The scene (H x W x 3, BGR, 0 to 255) in this light."""
        lit = np.clip(scene * self.field[..., None], 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(lit, self.tones[None]), np.uint8)


def random_room(rng: Rng, scene: Image) -> Room:
    """From a warm lamp in the evening to cold light by day; at times somebody's shadow lies over the table.

    The exposure is what a camera makes of ``scene``: neither dark nor bright on the whole.
    """
    height, width = scene.shape[:2]
    depth = np.float32(rng.uniform(0.0, 0.4))
    field = 1 - depth + depth * smooth_field(rng, height, width, int(rng.integers(1, 4)))
    if rng.random() < 0.25:
        mask = np.ones((height // 4, width // 4), np.float32)
        corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [width / 4, height / 4]
        cv2.fillPoly(mask, [corners.astype(np.int32)], float(rng.uniform(0.45, 0.8)))
        soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.004, 0.04)) * width / 4)
        field = field * cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
    warm, green = rng.normal(0.05, 0.08), rng.normal(0, 0.02)
    exposure = float(np.clip(rng.uniform(62, 105) / max(float(scene.mean()) * float(field.mean()), 1.0), 0.7, 2.6))
    gains = np.array([1 - warm, 1 + green, 1 + warm]) * exposure
    tones = np.clip(np.arange(256)[:, None] / 255 * gains, 0, 1.6) ** rng.uniform(0.8, 1.2) * 255
    return Room(np.asarray(field, np.float32), np.clip(tones, 0, 255).astype(np.uint8))


@dataclass(frozen=True)
class Webcam:
    """A 1080p webcam that stands still: ``soft`` and ``grain`` are blurs in pixels, ``noise`` is in grey levels.

    ``sharp`` is how much it sharpens, ``vivid`` what it makes of saturation, ``quality`` its JPEG's.
    """

    soft: float
    noise: float
    grain: float
    sharp: float
    vivid: float
    quality: int

    def takes(self, scene: Image, rng: Rng) -> Image:
        """A picture of what is before it (H x W x 3, BGR); ``rng`` is for noise and exposure alone."""
        seen = np.asarray(cv2.GaussianBlur(scene, (0, 0), self.soft), np.float32)
        noise = rng.standard_normal(seen.shape, dtype=np.float32)
        # Blurred noise is weaker: so much that its spread stays what it should be.
        grain = np.asarray(cv2.GaussianBlur(noise, (0, 0), self.grain), np.float32)
        exposure = 1 + float(rng.normal(0, 0.008))  # it breathes a little
        out = _mixed(seen, exposure, grain, self.noise / max(float(grain[::8, ::8].std()), 1e-3))
        if self.sharp:
            smooth = np.asarray(cv2.GaussianBlur(out, (0, 0), 1.2), np.float32)
            out = _mixed(out, 1 + self.sharp, smooth, -self.sharp)
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        image = np.clip(_mixed(out, self.vivid, np.asarray(grey, np.float32), 1 - self.vivid), 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _mixed(one: NDArray[np.float32], share: float, other: NDArray[np.float32], of_other: float) -> NDArray[np.float32]:
    return np.asarray(cv2.addWeighted(one, share, other, of_other, 0.0), np.float32)


def random_webcam(rng: Rng) -> Webcam:
    """From a good one by day to a cheap one by a lamp; none so bad that people would not use it."""
    return Webcam(
        soft=float(rng.uniform(0.35, 0.9)),
        noise=float(np.clip(rng.gamma(2.0, 1.2), 0.5, 4.5)),
        grain=float(rng.uniform(0.3, 0.7)),
        sharp=float(rng.uniform(0.2, 0.9)) if rng.random() < 0.6 else 0.0,
        vivid=float(rng.uniform(0.75, 1.2)),
        quality=int(rng.integers(70, 96)),
    )
