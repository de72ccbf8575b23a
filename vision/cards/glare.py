"""Where a lamp burns the picture out just where a hand goes on: what lies there cannot be read, nor be missed."""

from __future__ import annotations

import numpy as np

from vision.cards.gaps import beyond
from vision.cards.geometry import on_any
from vision.cards.hardly_found import marks_of, shows_both_ends
from vision.cards.naming import as_quad
from vision.cards.patches import Image, cut_patch, pyramid
from vision.sightings import Quad, Reading

WHITE = 248
"""From this level on in all channels a pixel shows nothing any more."""
BURNT = 0.88
"""So much of the place where the next index would stand is white. In 510 rendered fans a covered end was lost without a
word in two, both above .9; a white card's or a table's own light comes to .86."""
OVERALL = 0.3
"""With more of the picture white it is a white table, or all is too bright, and no lamp shines on the cards."""


def burnt_ends(image: Image, reading: Reading) -> tuple[Quad, ...]:
    """The places (pixels, clockwise from the top left) beyond a row of cards where one index more would stand, could
    anything be seen there; ``image`` (H x W x 3, BGR) is the picture that was read.

    Nothing is said of what lies beyond the picture. Where the uppermost card shows both its ends nothing is hidden.
    What is missing between two others is found by :mod:`vision.cards.gaps`.
    """
    cards = [s for s in reading.sightings if s.kind != "back" and s.indices]
    marks, wide = marks_of(cards)
    whole = [np.array(s.corners, np.float32) for s in cards if shows_both_ends(s)]
    high, broad = image.shape[:2]
    places = [
        place
        for place in beyond(marks, wide)
        if (place >= 0).all() and (place < (broad, high)).all() and not on_any(place.mean(0), whole)
    ]
    if not places or float((image[::4, ::4].min(axis=2) >= WHITE).mean()) > OVERALL:
        return ()
    levels = pyramid(image)
    burnt = [place for place in places if float((cut_patch(levels, place)[0].min(axis=2) >= WHITE).mean()) > BURNT]
    return tuple(as_quad(place) for place in burnt)
