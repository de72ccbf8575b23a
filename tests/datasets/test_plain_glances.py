"""The glances at single indices that the baseline begins with."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.patches import NONE, Patches
from datasets.plain_glances import HARDEST, LARGEST, SIDE, cards_of, glances
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, TARGET
from vision.sightings import CARDS, FACES, JOKER


def marked(labels: list[int]) -> Patches:
    """Grey patches whose index is one white block; those that are no index are grey all over."""
    images = np.full((len(labels), PATCH_HEIGHT, PATCH_WIDTH, 3), 90, np.uint8)
    corners = np.full((len(labels), 4, 2), np.nan, np.float32)
    for k, label in enumerate(labels):
        if label != NONE:
            corners[k] = TARGET
            (x0, y0), (x1, y1) = TARGET.min(0).astype(int), TARGET.max(0).astype(int)
            images[k, y0:y1, x0:x1] = 255
    return Patches(images, np.array(labels), corners)


def test_only_the_52_cards_have_a_number() -> None:
    patches = marked([NONE, FACES.index(JOKER), FACES.index("9D"), FACES.index("AS")])
    assert cards_of(patches).tolist() == [-1, -1, CARDS.index("9D"), CARDS.index("AS")]
    patches.corners[2, 1] = np.nan
    assert cards_of(patches).tolist()[2] == -1, "nobody knows where it lies"


@pytest.mark.parametrize("hard", [0.0, 1.0])
def test_the_index_lies_where_it_is_said_to_and_is_as_large_as_it_may_be(hard: float) -> None:
    patches = marked([FACES.index("AS")])
    pictures, middles = glances(patches, [0] * 40, np.random.default_rng(3), hard)
    assert pictures.shape == (40, SIDE, SIDE, 3) and pictures.min() >= 0 and pictures.max() <= 255
    shape = float(np.ptp(TARGET[:, 0]) / np.ptp(TARGET[:, 1]))
    for picture, middle in zip(pictures, middles, strict=True):
        grey = picture.mean(2)
        white = grey > (grey.min() + grey.max()) / 2
        ys, xs = np.nonzero(white)
        assert np.hypot(xs.mean() - middle[0], ys.mean() - middle[1]) < 3
        high = np.sqrt(white.sum() / shape)
        assert 0.8 * HARDEST < high < 1.15 * LARGEST
    upright = [np.ptp(np.nonzero(p.mean(2) > 170)[0]) for p in pictures]
    assert hard == 1.0 or min(upright) > 25, "large and upright where it is easy"
