"""Jokers of several designs: what stands in the corner and what is in the middle differ from deck to deck.

A joker has no pip and no agreed index. Found in print: the word down the edge or turned along it, the word across,
short words, a star with or without a letter, a fool's cap, a crown, a small coloured figure; in the middle a figure, a
cap, a large star, a wheel or nothing but the word. All are drawn here from letters and shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from datasets.deck import TEXTURE_WIDTH, Deck, Face, Floats, Image, box_quad, rounded_alpha, turned
from datasets.drawn import Colour, Style, draw_face, drawn_deck, glyph, stamp
from vision.sightings import JOKER

Corner = Callable[[Image, Style, Colour], Floats]
Middle = Callable[[Image, Style, Colour], None]
Design = tuple[Corner, Middle]
"""What stands in the corner, which is the joker's index, and what in the middle."""


def star_mask(size: int = 160) -> Image:
    """A five-pointed star as an opacity mask."""
    mask = np.zeros((size, size), np.uint8)
    turns = np.pi * np.arange(10) / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2, 0.2, 0.5) * size
    points = np.stack([np.cos(turns) * reach, np.sin(turns) * reach], 1) + size / 2
    cv2.fillPoly(mask, [points.round().astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def cap_mask(size: int = 160) -> Image:
    """A fool's cap with three points and a bell on each."""
    mask = np.zeros((size, size), np.uint8)
    points = np.array([[0.2, 0.85], [0.06, 0.3], [0.36, 0.48], [0.5, 0.1], [0.64, 0.48], [0.94, 0.3], [0.8, 0.85]])
    cv2.fillPoly(mask, [(points * size).round().astype(np.int32)], 255, cv2.LINE_AA)
    for x, y in ((0.08, 0.28), (0.5, 0.09), (0.92, 0.28)):
        cv2.circle(mask, (round(x * size), round(y * size)), round(0.08 * size), 255, -1, cv2.LINE_AA)
    cv2.line(mask, (round(0.2 * size), round(0.74 * size)), (round(0.8 * size), round(0.74 * size)), 0, size // 30)
    return mask


def crown_mask(size: int = 160) -> Image:
    """A crown with three points."""
    mask = np.zeros((size, size), np.uint8)
    points = np.array([[0.12, 0.85], [0.04, 0.25], [0.3, 0.55], [0.5, 0.12], [0.7, 0.55], [0.96, 0.25], [0.88, 0.85]])
    cv2.fillPoly(mask, [(points * size).round().astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def bell_mask(size: int = 160) -> Image:
    """A round bell with its slit."""
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (size // 2, round(0.56 * size)), round(0.4 * size), 255, -1, cv2.LINE_AA)
    cv2.circle(mask, (size // 2, round(0.12 * size)), round(0.1 * size), 255, size // 20, cv2.LINE_AA)
    cv2.line(mask, (size // 2, round(0.6 * size)), (size // 2, round(0.95 * size)), 0, size // 16)
    cv2.circle(mask, (size // 2, round(0.6 * size)), round(0.07 * size), 0, -1, cv2.LINE_AA)
    return mask


def turned_word(word: str) -> Corner:
    """The word turned to run down along the edge."""

    def draw(canvas: Image, style: Style, colour: Colour) -> Floats:
        height = canvas.shape[0]
        x0, y0 = style.margin_x * canvas.shape[1], style.margin_y * height
        mask = np.asarray(np.rot90(glyph(style.font, word, style.weight), 3), np.uint8)
        long = min(style.rank_height * 2.4, 0.4) * height
        wide = long * mask.shape[1] / mask.shape[0]
        stamp(canvas, mask, x0, y0, wide, long, colour)
        return box_quad(x0, y0, x0 + wide, y0 + long)

    return draw


def letter_over(mask: Image) -> Corner:
    """A J with a shape where the pip would be."""

    def draw(canvas: Image, style: Style, colour: Colour) -> Floats:
        height = canvas.shape[0]
        x0, y0 = style.margin_x * canvas.shape[1], style.margin_y * height
        letter = glyph(style.font, "J", style.weight)
        tall = min(style.rank_height, 0.2) * height
        wide = min(tall * letter.shape[1] / letter.shape[0], tall)
        size = 0.85 * tall
        column = max(wide, size)
        stamp(canvas, letter, x0 + (column - wide) / 2, y0, wide, tall, colour)
        stamp(canvas, mask, x0 + (column - size) / 2, y0 + 1.1 * tall, size, size, colour)
        return box_quad(x0, y0, x0 + column, y0 + 1.1 * tall + size)

    return draw


def _little_figure(canvas: Image, style: Style, colour: Colour) -> Floats:
    """A small coloured fool: cap, face, collar; no two decks' alike."""
    rng = np.random.default_rng([style.court_seed, 31])
    height = canvas.shape[0]
    x0, y0 = style.margin_x * canvas.shape[1], style.margin_y * height
    size = min(style.rank_height * float(rng.uniform(1.2, 1.9)), 0.28) * height
    inks = [colour, style.colours["H"], *(tuple(int(v) for v in rng.integers(0, 230, 3)) for _ in range(3))]

    def ink() -> Colour:
        b, g, r = inks[int(rng.integers(len(inks)))]
        return b, g, r

    blob = np.zeros((120, 120), np.uint8)
    cv2.circle(blob, (60, 60), 56, 255, -1, cv2.LINE_AA)
    stamp(canvas, cap_mask() if rng.random() < 0.7 else crown_mask(), x0, y0, size, 0.6 * size, ink())
    stamp(canvas, blob, x0 + 0.22 * size, y0 + 0.45 * size, 0.56 * size, 0.6 * size, ink())
    for k in range(int(rng.integers(2, 6))):
        at = x0 + float(rng.uniform(0.25, 0.6)) * size, y0 + (0.5 + 0.1 * k) * size
        stamp(canvas, blob, *at, 0.16 * size, 0.14 * size, ink())
    stamp(canvas, star_mask(), x0, y0 + 0.95 * size, size, 0.5 * size, ink())
    return box_quad(x0, y0, x0 + size, y0 + 1.45 * size)


def down(word: str, share: float) -> Corner:
    """A word down the edge, each letter so large a share of the deck's own rank."""

    def draw(canvas: Image, style: Style, colour: Colour) -> Floats:
        height = canvas.shape[0]
        x0, y0 = style.margin_x * canvas.shape[1], style.margin_y * height
        # The whole word stays in the upper half, whatever the deck's ranks are.
        letter = min(style.rank_height * height * share, 0.42 * height / (1.12 * len(word)))
        y, right = y0, x0
        for char in word:
            mask = glyph(style.font, char, style.weight)
            wide = min(letter * mask.shape[1] / mask.shape[0], letter)
            stamp(canvas, mask, x0, y, wide, letter, colour)
            y, right = y + letter * 1.12, max(right, x0 + wide)
        return box_quad(x0, y0, right, y - 0.12 * letter)

    return draw


def symbol(mask: Image, letter: str, share: float = 1.0) -> Corner:
    """A shape where the rank stands, so large a share of it, with a letter below it or none."""

    def draw(canvas: Image, style: Style, colour: Colour) -> Floats:
        height = canvas.shape[0]
        x0, y0 = style.margin_x * canvas.shape[1], style.margin_y * height
        size = min(style.rank_height, 0.16) * share * height
        stamp(canvas, mask, x0, y0, size, size, colour)
        if not letter:
            return box_quad(x0, y0, x0 + size, y0 + size)
        below = glyph(style.font, letter, style.weight)
        tall = size * 0.8
        wide = min(tall * below.shape[1] / below.shape[0], size)
        stamp(canvas, below, x0 + (size - wide) / 2, y0 + 1.12 * size, wide, tall, colour)
        return box_quad(x0, y0, x0 + size, y0 + 1.12 * size + tall)

    return draw


def _word_across(canvas: Image, style: Style, colour: Colour) -> None:
    mask = glyph(style.font, "JOKER", style.weight)
    h, w = canvas.shape[:2]
    wide = 0.5 * w
    tall = wide * mask.shape[0] / mask.shape[1]
    stamp(canvas, mask, 0.25 * w, (h - tall) / 2, wide, tall, colour)


def _large(mask: Image) -> Middle:
    def draw(canvas: Image, style: Style, colour: Colour) -> None:
        h, w = canvas.shape[:2]
        stamp(canvas, mask, 0.28 * w, h / 2 - 0.22 * w, 0.44 * w, 0.44 * w, colour)

    return draw


def _wheel(canvas: Image, style: Style, colour: Colour) -> None:
    h, w = canvas.shape[:2]
    other = style.colours["H"] if colour != style.colours["H"] else style.colours["S"]
    for k in range(5):
        cv2.circle(canvas, (w // 2, h // 2), round(w * (0.22 - 0.04 * k)), (*(other if k % 2 else colour), 255), -1)


def _figure(canvas: Image, style: Style, colour: Colour) -> None:
    """The middle of one of the deck's own courts."""
    h, w = canvas.shape[:2]
    court = draw_face(style, "JS").texture
    side = 0.3
    x0, x1, y0, y1 = round(w * side), round(w * (1 - side)), round(h * 0.2), round(h * 0.8)
    canvas[y0:y1, x0:x1, :3] = court[y0:y1, x0:x1, :3]


DESIGNS: dict[str, Design] = {
    "word-down": (down("JOKER", 0.6), _figure),
    "word-down-small": (down("JOKER", 0.45), _large(cap_mask())),
    "short-word": (down("JKR", 0.7), _large(star_mask())),
    "star": (symbol(star_mask(), ""), _word_across),
    "star-letter": (symbol(star_mask(), "J"), _wheel),
    "cap": (symbol(cap_mask(), "J"), _large(cap_mask())),
    "crown": (symbol(crown_mask(), ""), _figure),
    "bell": (symbol(bell_mask(), "J"), _word_across),
    "letter-bell": (letter_over(bell_mask()), _figure),
    "letter-crown": (letter_over(crown_mask()), _large(cap_mask())),
    "word-turned": (turned_word("JOKER"), _figure),
    "word-turned-small": (turned_word("Joker"), _large(bell_mask())),
    "little-figure": (_little_figure, _figure),
}
"""By name."""


def joker_face(design: Design, style: Style, red: bool) -> Face:
    """A joker for the deck drawn in ``style``, in its red or its black."""
    corner, middle = design
    colour = style.colours["H" if red else "S"]
    w, h = TEXTURE_WIDTH, round(TEXTURE_WIDTH / style.aspect)
    canvas = np.zeros((h, w, 4), np.uint8)
    canvas[..., :3] = style.paper
    middle(canvas, style, colour)
    quad = corner(canvas, style, colour)
    x1, y1 = int(quad[2, 0]) + 1, int(quad[2, 1]) + 1
    canvas[h - y1 :, w - x1 :, :3] = canvas[:y1, :x1, :3][::-1, ::-1]
    canvas[..., 3] = rounded_alpha(w, h, style.radius * h)
    return Face.make(canvas, np.stack([quad, turned(quad, w, h)]))


def deck_with_joker(style: Style, design: Design, red: bool) -> Deck:
    """The deck drawn in ``style`` with a joker of that design in place of its own."""
    deck = drawn_deck(style)
    joker: list[Face] = []

    def face(label: str) -> Face:
        if label != JOKER:
            return deck.face(label)
        if not joker:
            joker.append(joker_face(design, style, red))
        return joker[0]

    return replace(deck, face=face)
