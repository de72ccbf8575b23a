"""What a camera and a room do to a picture: light, lens, sensor and file. All take and give BGR uint8, H x W x 3."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.deck import Image

Rng = np.random.Generator


def smooth_field(rng: Rng, height: int, width: int, cells: int) -> NDArray[np.float32]:
    """A smooth random field with values in 0..1, about ``cells`` bumps across."""
    small = rng.random((cells + 1, cells + 1)).astype(np.float32)
    field = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(np.asarray(field, np.float32), 0, 1)


def lit(image: Image, rng: Rng) -> Image:
    """Light of one colour from one side, with soft and hard shadows and glare."""
    h, w = image.shape[:2]
    out = image.astype(np.float32)
    # Colour of the light: from candle-warm to sky-blue, in linear gains for blue, green and red.
    warm = rng.normal(0.08, 0.09)
    out *= np.array([1 - warm, 1 + rng.normal(0, 0.025), 1 + warm], np.float32)
    gradient = smooth_field(rng, h, w, int(rng.integers(1, 4)))
    depth = rng.uniform(0.0, 0.55)
    out *= (1 - depth + depth * gradient)[..., None]
    if rng.random() < 0.3:  # a hard-edged shadow: somebody's arm, the lamp's shade
        mask = np.ones((h, w), np.float32)
        points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [w, h]
        cv2.fillPoly(mask, [points.astype(np.int32)], float(rng.uniform(0.35, 0.8)))
        soft = rng.uniform(0.002, 0.05) * w
        out *= cv2.GaussianBlur(mask, (0, 0), soft)[..., None]
    if rng.random() < 0.25:  # a lamp's reflection
        glow = np.zeros((h, w), np.float32)
        centre = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
        axes = (int(w * rng.uniform(0.03, 0.25)), int(w * rng.uniform(0.02, 0.12)))
        cv2.ellipse(glow, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        out += cv2.GaussianBlur(glow, (0, 0), w * rng.uniform(0.01, 0.06))[..., None] * rng.uniform(30, 170)
    exposure = float(np.exp(rng.normal(0.07, 0.28)))
    curve = np.float32(rng.uniform(0.75, 1.35))
    out = np.asarray(np.clip(out * exposure / 255, 0, 1.6) ** curve * 255, np.float32)
    if rng.random() < 0.08:  # a lamp that flickers while the sensor reads its rows
        rows = np.sin(np.arange(h, dtype=np.float32) * (2 * np.pi * rng.uniform(2, 9) / h) + rng.uniform(0, 6.3))
        out = out * (1 + np.float32(rng.uniform(0.03, 0.16)) * rows)[:, None, None]
    if rng.random() < 0.12:  # washed out, or printed flat
        low = np.float32(rng.uniform(0, 70))
        out = low + out * (255 - low) / np.float32(255)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def motion_blurred(image: Image, length: float, angle: float) -> Image:
    """Blur along ``angle`` radians over ``length`` pixels."""
    n = max(3, int(length) | 1)
    kernel = np.zeros((n, n), np.float32)
    c = n // 2
    d = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    cv2.line(kernel, (round(c - d[0]), round(c - d[1])), (round(c + d[0]), round(c + d[1])), 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def seen_by_camera(image: Image, rng: Rng, blur: float = 1.0) -> Image:
    """Lens blur, chromatic fringes, noise, sharpening and compression; ``blur`` scales defocus and motion."""
    h, w = image.shape[:2]
    if rng.random() < 0.35:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.3, float(rng.gamma(1.6, 0.55)) * blur)), np.uint8)
    if rng.random() < 0.1:
        image = motion_blurred(image, rng.uniform(2, 7) * blur, rng.uniform(0, np.pi))
    if rng.random() < 0.2:  # the lens focuses colours at slightly different sizes
        k = 1 + rng.normal(0, 0.0018)
        m = np.array([[k, 0, (1 - k) * w / 2], [0, k, (1 - k) * h / 2]], np.float32)
        image = image.copy()
        image[..., 0] = cv2.warpAffine(image[..., 0], m, (w, h), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.25:  # a cheap sensor with fewer pixels, scaled up
        f = rng.uniform(0.45, 0.95)
        small = cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.6:
        sigma = float(rng.gamma(1.5, 3.0))
        noise = rng.standard_normal((h, w, 3), dtype=np.float32) * sigma
        if rng.random() < 0.5:
            noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.7), np.float32) * 1.5
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2).astype(np.float32)
        image = np.clip(image + rng.uniform(0.3, 1.4) * (image - soft), 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.35, 1.5), 0, 255).astype(np.uint8)
        image = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
    if rng.random() < 0.12:  # a video call: colours at a quarter of the pixels, blocks, then sharpened
        image = _streamed(image, rng)
    if rng.random() < 0.6:
        quality = int(rng.integers(25, 95))
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image


def _streamed(image: Image, rng: Rng) -> Image:
    """What a video stream of few bits leaves of a picture."""
    h, w = image.shape[:2]
    f = float(rng.uniform(0.5, 1.0))
    small = np.asarray(
        cv2.resize(image, (max(16, int(w * f)), max(16, int(h * f))), interpolation=cv2.INTER_AREA), np.uint8
    )
    ycc = cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb)
    for channel in (1, 2):
        rough = cv2.resize(ycc[..., channel], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        ycc[..., channel] = cv2.resize(rough, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR)
    _, data = cv2.imencode(
        ".jpg", cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(12, 45))]
    )
    blocks = cv2.medianBlur(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), 3)
    out = cv2.resize(blocks, (w, h), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return np.clip(out + 0.6 * (out - cv2.GaussianBlur(out, (0, 0), 1.0)), 0, 255).astype(np.uint8)
