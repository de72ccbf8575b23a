"""Rendered pictures laid beside photographs: a page to look at, and figures for what the eye may miss.

The page and its pictures are written where they are asked for, outside the project: photographs stay out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np

from datasets.deck import Floats, Image
from datasets.pool import decks_for
from datasets.scene import random_scene
from vision.pictures import PictureError, load_picture

LONG_SIDE = 640
"""Pixels of the longer side at which everything is compared."""
SEED = 910_000_000
"""Above every seed that the recipes use."""
ENDINGS = (".jpg", ".jpeg", ".png")


def brightness(image: Image) -> float:
    """Mean of all values, 0 to 255."""
    return float(image.mean())


def contrast(image: Image) -> float:
    """Standard deviation of the grey values."""
    return float(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).std())


def saturation(image: Image) -> float:
    """Mean saturation, 0 to 255."""
    return float(cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[..., 1].mean())


def warmth(image: Image) -> float:
    """Red against blue, -1 to 1: over 0 is lamp light, under 0 a window's."""
    blue, _, red = image.reshape(-1, 3).mean(0)
    return float((red - blue) / max(red + blue, 1.0))


def sharpness(image: Image) -> float:
    """Logarithm of the strength of the finest edges."""
    return float(np.log(cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var() + 1e-3))


def noise(image: Image) -> float:
    """Spread of the grey values in the flattest tenth of the picture."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    mean, square = cv2.blur(grey, (7, 7)), cv2.blur(grey * grey, (7, 7))
    return float(np.sqrt(np.percentile(np.maximum(square - mean * mean, 0), 10)))


def glare(image: Image) -> float:
    """Share of pixels that are blown out, in per cent."""
    return float(100 * (image.min(2) >= 250).mean())


FIGURES: Final[Mapping[str, Callable[[Image], float]]] = MappingProxyType(
    {f.__name__: f for f in (brightness, contrast, saturation, warmth, sharpness, noise, glare)}
)


def fitted(image: Image) -> Image:
    """The picture with its longer side brought to `LONG_SIDE`."""
    scale = LONG_SIDE / max(image.shape[:2])
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=mode), np.uint8)


def photographs(folders: Sequence[Path], count: int) -> Iterator[tuple[str, Image]]:
    """So many photographs, evenly from all that lie in the folders; broken files are left out."""
    paths = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix.lower() in ENDINGS)
    step = max(len(paths) // max(count, 1), 1)
    for path in paths[::step][:count]:
        try:
            yield path.name, fitted(load_picture(path))
        except PictureError:
            continue


def rendered(count: int) -> Iterator[tuple[str, Image]]:
    """So many rendered scenes, seen as a camera sees them and scaled as the photographs are."""
    for seed in range(SEED, SEED + count):
        decks = decks_for(seed)
        yield str(seed), fitted(random_scene(seed, 1280, 960, (90, 700), decks, decks).image)


def apart(ours: Floats, theirs: Floats) -> float:
    """The largest gap between two cumulative distributions (Kolmogorov and Smirnov): 0 alike, 1 nothing in common."""
    at = np.concatenate([ours, theirs])
    below = [np.searchsorted(np.sort(side), at, side="right") / max(len(side), 1) for side in (ours, theirs)]
    return float(np.abs(below[0] - below[1]).max())


def figures_table(ours: Sequence[Image], theirs: Sequence[Image]) -> list[tuple[str, list[float], list[float], float]]:
    """For each figure: its 10th, 50th and 90th percentile on rendered pictures, on photographs, and how far apart."""
    table = []
    for name, figure in FIGURES.items():
        sides = [np.array([figure(image) for image in side], np.float32) for side in (ours, theirs)]
        spread = [np.percentile(side, (10, 50, 90)).tolist() for side in sides]
        table.append((name, spread[0], spread[1], apart(*sides)))
    return table


def write_page(folder: Path, photos: Sequence[Path], count: int, done: Callable[[], None] | None = None) -> Path:
    """Write ``index.html`` and its pictures into ``folder``; returns the page. Raises ``OSError``, ``ValueError``."""
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    sides: dict[str, list[Image]] = {"rendered": [], "photograph": []}
    cells: dict[str, list[str]] = {"rendered": [], "photograph": []}
    for side, source in (("rendered", rendered(count)), ("photograph", photographs(photos, count))):
        for number, (name, image) in enumerate(source):
            file = f"pictures/{side}-{number:03d}.jpg"
            if not cv2.imwrite(str(folder / file), image, [cv2.IMWRITE_JPEG_QUALITY, 90]):
                raise OSError(0, "a picture could not be written", str(folder / file))
            sides[side].append(image)
            cells[side].append(f'<td><img src="{file}" alt="{side}" title="{escape(name)}"></td>')
            if done:
                done()
    if not sides["photograph"]:
        raise ValueError("there are no photographs (JPEG or PNG) in the folders given")
    rows = "".join(f"<tr>{a}{b}</tr>" for a, b in zip(cells["rendered"], cells["photograph"], strict=False))
    figures = "".join(
        f"<tr><th>{name}</th>{''.join(f'<td>{v:.2f}</td>' for v in (*ours, *theirs))}<td>{gap:.2f}</td></tr>"
        for name, ours, theirs, gap in figures_table(sides["rendered"], sides["photograph"])
    )
    page = folder / "index.html"
    page.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rendered and real</title>'
        "<style>body{font-family:system-ui,sans-serif;margin:1rem}img{width:100%}td{vertical-align:top}"
        "table.f{border-collapse:collapse}table.f td,table.f th{padding:.2rem .7rem;border:1px solid #aaa}</style>"
        "<h1>Rendered pictures (left) and photographs (right)</h1>"
        '<table class="f"><tr><th></th><th colspan="3">rendered: 10, 50, 90 %</th>'
        f'<th colspan="3">photographs: 10, 50, 90 %</th><th>apart</th></tr>{figures}</table>'
        f"<table>{rows}</table></html>\n",
        encoding="utf-8",
    )
    return page
