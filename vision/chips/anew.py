"""What a picture shows that an earlier one of the same view did not: where a chip was put down."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import Image
from vision.chips.values import Box

NEW = 16
"""By so many levels of 255, in any channel, a pixel differs that shows something else than before."""
CHANGED = 0.4
"""The least share of such pixels in the box of a chip that was not there before: its corners are the table's."""
ALL_NEW = 0.75
"""With more of them it is what is shown, even if it looks like no chip that the networks know."""


def shown_anew(image: Image, empty: Image) -> NDArray[np.bool_]:
    """Where ``image`` shows something else than ``empty`` did (H x W); a few pixels are averaged against noise."""
    apart = cv2.absdiff(cv2.blur(image, (5, 5)), cv2.blur(empty, (5, 5)))
    return np.asarray(apart.max(axis=2) > NEW)


def share_in(mask: NDArray[np.bool_], box: Box) -> float:
    """How much of the box is in the mask."""
    x0, y0, x1, y1 = (max(0, round(v)) for v in box)
    inside = mask[y0 : y1 + 1, x0 : x1 + 1]
    return float(inside.mean()) if inside.size else 0.0
