"""Where a lamp burns the picture out just where a hand goes on: what lies there cannot be read, nor be missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.cards.gaps import beyond
from vision.cards.geometry import on_any
from vision.cards.hardly_found import marks_of, shows_both_ends
from vision.cards.naming import as_quad
from vision.cards.patches import Image, cut_patch, pyramid
from vision.sightings import JOKER, CardSighting, Quad, Reading

WHITE = 248
"""From this level on in all channels a pixel shows nothing any more."""
BURNT = 0.88
"""So much of the place where the next index would stand is white. In 510 rendered fans a covered end was lost without a
word in two, both above .9; a white card's or a table's own light comes to .86."""
OVERALL = 0.3
"""With more of the picture white it is a white table, or all is too bright, and no lamp shines on the cards."""

INKLESS, DARKEST = 185, 0.03
"""A joker's word has ink: of 501 in rendered fans the darkest three hundredths of the place are 149 at most, in the
lowest channel, however much of it is white. Of a burnt-out jack's letter, which was surely a joker, they were 224."""


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


def with_inkless_jokers_open(levels: Sequence[Image], seen: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings, those surely named jokers unsure of whose word a lamp leaves no ink: any letter's rest may look
    like it. ``levels`` is the picture's pyramid.
    """
    return [
        replace(s, kind="unsure")
        if s.kind == "card" and s.label == JOKER and s.indices and all(_inkless(levels, q) for q in s.indices)
        else s
        for s in seen
    ]


def _inkless(levels: Sequence[Image], place: Quad) -> bool:
    patch = cut_patch(levels, np.array(place, np.float32))[0].min(axis=2)
    high, wide = patch.shape
    inner = patch[high // 6 : high - high // 8, wide // 8 : wide - wide // 8]
    return float(np.quantile(inner, DARKEST)) > INKLESS
