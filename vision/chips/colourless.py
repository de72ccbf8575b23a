"""Pictures without colour: black-and-white ones, and what a camera shows by infrared light once it is dark.

Chips can be found and counted in them, but which colour one has is a guess that looks like any other reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.chips.crops import Image
from vision.chips.values import ChipStack

NO_COLOUR: Final = "the picture has no colour: it is black-and-white, or made by infrared light"
GREY: Final = 8
"""So many levels of 255 the channels of a grey pixel differ at most: compression leaves a few."""
SHARE: Final = 0.001
"""So few pixels of a picture without colour are not grey. Of 482 photographs of chips none has fewer than .06."""
EVERY: Final = 8
"""Every so many pixels one is looked at, across and down."""


def colourless(image: Image) -> bool:
    """Whether ``image`` (H x W x 3, BGR) shows hardly any colour."""
    some = image[::EVERY, ::EVERY].astype(np.int16)
    return bool((np.ptp(some, axis=2) > GREY).mean() <= SHARE)


def unnamed(stacks: Sequence[ChipStack]) -> list[ChipStack]:
    """The stacks of a picture without colour: of none is it sure, or likely, what it is."""
    return [
        replace(it, reason=NO_COLOUR, likely=False, open=False, readings=()) if it.sure or it.likely or it.open else it
        for it in stacks
    ]
