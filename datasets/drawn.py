"""The project's own drawn deck, and endless variations of it.

Every face is drawn from letters, suit shapes and a :class:`Style`; the default style is the project's own deck, and
:func:`random_style` varies everything that decks in the wild vary: index size (standard, large, jumbo), letters
(English, German, French), colours (two or four), two or four indices, pips, frames and backs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from datasets.deck import TEXTURE_WIDTH, Deck, Face, Floats, Image, box_quad, rounded_alpha, turned
from datasets.fonts import font_face
from vision.sightings import CARDS, JOKER

BUILT_IN_FONT = "sans"
SUIT_GLYPHS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
LETTERS = {
    "english": {"A": "A", "J": "J", "Q": "Q", "K": "K"},
    "german": {"A": "A", "J": "B", "Q": "D", "K": "K"},
    "french": {"A": "A", "J": "V", "Q": "D", "K": "R"},
    "french-one": {"A": "1", "J": "V", "Q": "D", "K": "R"},
}
# Pip places as fractions of the pip area; those below the middle stand on their heads.
_LEFT, _MID, _RIGHT = 0.0, 0.5, 1.0
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((_MID, 0), (_MID, 1)),
    "3": ((_MID, 0), (_MID, 0.5), (_MID, 1)),
    "4": ((_LEFT, 0), (_RIGHT, 0), (_LEFT, 1), (_RIGHT, 1)),
    "5": ((_LEFT, 0), (_RIGHT, 0), (_MID, 0.5), (_LEFT, 1), (_RIGHT, 1)),
    "6": ((_LEFT, 0), (_RIGHT, 0), (_LEFT, 0.5), (_RIGHT, 0.5), (_LEFT, 1), (_RIGHT, 1)),
    "7": ((_LEFT, 0), (_RIGHT, 0), (_MID, 0.25), (_LEFT, 0.5), (_RIGHT, 0.5), (_LEFT, 1), (_RIGHT, 1)),
    "8": ((_LEFT, 0), (_RIGHT, 0), (_MID, 0.25), (_LEFT, 0.5), (_RIGHT, 0.5), (_MID, 0.75), (_LEFT, 1), (_RIGHT, 1)),
    "9": (*((x, y / 3) for y in range(4) for x in (_LEFT, _RIGHT)), (_MID, 0.5)),
    "10": (*((x, y / 3) for y in range(4) for x in (_LEFT, _RIGHT)), (_MID, 1 / 6), (_MID, 5 / 6)),
}
Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""


@dataclass(frozen=True)
class Style:
    """How a deck looks. Lengths are fractions of the card's height unless said otherwise."""

    name: str = "tableside"
    font: str = BUILT_IN_FONT
    weight: int = 600
    suit_font: str = "shapes"
    aspect: float = 63.5 / 88.9
    radius: float = 0.035
    rank_height: float = 0.085
    suit_height: float = 0.065
    rank_squeeze: float = 0.8
    gap: float = 0.012
    margin_x: float = 0.04
    margin_y: float = 0.04
    letters: str = "english"
    ten: str = "10"
    four_indices: bool = False
    one_line: bool = False
    paper: Colour = (250, 252, 252)
    colours: dict[str, Colour] = field(
        default_factory=lambda: {"C": (35, 30, 30), "S": (35, 30, 30), "D": (45, 35, 200), "H": (45, 35, 200)}
    )
    pip_height: float = 0.14
    pips: str = "standard"
    frame: bool = True
    border: int = 0
    court_seed: int = 0
    courts: tuple[Image, ...] = ()
    back_seed: int = 7


@lru_cache(maxsize=4096)
def glyph(font: str, text: str, weight: int) -> Image:
    """Tight opacity mask of ``text`` about 150 pixels high; an empty array where the font lacks the glyph."""
    face = font_face(font)
    canvas = np.full((340, 200 + 160 * len(text), 3), 255, np.uint8)
    cv2.putText(canvas, text, (60, 240), (0, 0, 0), face, 150, weight)
    mask = np.asarray(255 - canvas[..., 0], np.uint8)
    x, y, w, h = cv2.boundingRect((mask > 60).astype(np.uint8))
    return mask[y : y + h, x : x + w]


@lru_cache(maxsize=512)
def suit_shape(suit: str, variant: int) -> Image:
    """A suit symbol from curves, 160 x 160 before cropping; ``variant`` changes its build a little."""
    rng = np.random.default_rng(variant)
    n = 640
    m = np.zeros((n, n), np.uint8)
    wide = 0.85 + 0.3 * rng.random()
    if suit == "D":
        t = np.linspace(0, 2 * np.pi, 200)
        power = 1.0 + 0.35 * rng.random()
        x = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** (2 / 2 * power) * 200 * wide * 0.85
        y = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** (2 / 2 * power) * 260
        sharp = np.abs(np.cos(t)) ** 2 * 200 * wide * 0.85 * np.sign(np.cos(t))
        x = 0.5 * x + 0.5 * sharp
        y = 0.5 * y + 0.5 * np.sign(np.sin(t)) * np.abs(np.sin(t)) ** 2 * 260
        cv2.fillPoly(m, [np.stack([x + n / 2, y + n / 2], 1).astype(np.int32)], 255)
    elif suit in "HS":
        t = np.linspace(0, 2 * np.pi, 300)
        x = 16 * np.sin(t) ** 3
        y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
        x, y = x * 14 * wide, -y * (14 + 3 * rng.random())
        if suit == "S":
            y = -y - 40
        cv2.fillPoly(m, [np.stack([x + n / 2, y + n / 2], 1).astype(np.int32)], 255)
    else:
        r = int(100 + 25 * rng.random())
        spread = int(r * (0.95 + 0.2 * rng.random()))
        for cx, cy in ((0, -spread), (-int(spread * 1.05), 40), (int(spread * 1.05), 40)):
            cv2.circle(m, (n // 2 + cx, n // 2 - 30 + cy), r, 255, -1)
        cv2.circle(m, (n // 2, n // 2 - 20), r // 2, 255, -1)
    if suit in "CS":
        foot = int(50 + 60 * rng.random())
        stem = np.array(
            [
                [n / 2 - 14, n / 2 + 20],
                [n / 2 + 14, n / 2 + 20],
                [n / 2 + foot, n / 2 + 250],
                [n / 2 - foot, n / 2 + 250],
            ]
        )
        cv2.fillPoly(m, [stem.astype(np.int32)], 255)
    x0, y0, w, h = cv2.boundingRect(m)
    return np.asarray(
        cv2.resize(m[y0 : y0 + h, x0 : x0 + w], None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA), np.uint8
    )


def suit_mask(style: Style, suit: str) -> Image:
    """The style's symbol for ``suit``: a font's glyph, or the project's own shapes."""
    if style.suit_font.startswith("shapes"):
        return suit_shape(suit, int(style.suit_font[6:] or 0))
    return glyph(style.suit_font, SUIT_GLYPHS[suit], style.weight)


def stamp(
    canvas: Image, mask: Image, x: float, y: float, w: float, h: float, colour: Colour, flip: bool = False
) -> None:
    """Lay ``mask`` in ``colour`` over ``canvas`` at box (x, y, w, h) pixels; parts outside are cut."""
    w_px, h_px = max(1, round(w)), max(1, round(h))
    small = cv2.resize(mask, (w_px, h_px), interpolation=cv2.INTER_AREA)
    if flip:
        small = small[::-1, ::-1]
    x0, y0 = round(x), round(y)
    cx0, cy0 = max(x0, 0), max(y0, 0)
    cx1, cy1 = min(x0 + w_px, canvas.shape[1]), min(y0 + h_px, canvas.shape[0])
    if cx1 <= cx0 or cy1 <= cy0:
        return
    a = small[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0, None].astype(np.float32) / 255
    region = canvas[cy0:cy1, cx0:cx1, :3]
    region[:] = (region * (1 - a) + np.array(colour, np.float32) * a).astype(np.uint8)


def draw_index(canvas: Image, style: Style, label: str) -> Floats:
    """Draw the top-left index and return its tight quad in pixels."""
    height = canvas.shape[0]
    x0, y0 = style.margin_x * canvas.shape[1], style.margin_y * height
    if label == JOKER:
        return _draw_joker_index(canvas, style, x0, y0)
    rank, suit = label[:-1], label[-1]
    text = style.ten if rank == "10" else LETTERS[style.letters].get(rank, rank)
    rank_mask, pip = glyph(style.font, text, style.weight), suit_mask(style, suit)
    rh, sh = style.rank_height * height, style.suit_height * height
    # Q and J dip below the line in many fonts: keep the stroke height, let the tail hang.
    rw = rh * rank_mask.shape[1] / rank_mask.shape[0] * style.rank_squeeze
    limit = 0.95 * rh if text == "10" else 0.85 * rh
    rw = min(rw, limit)
    sw = sh * pip.shape[1] / pip.shape[0]
    colour = style.colours[suit]
    if style.one_line:
        stamp(canvas, rank_mask, x0, y0, rw, rh, colour)
        stamp(canvas, pip, x0 + rw + style.gap * height, y0 + (rh - sh) / 2, sw, sh, colour)
        return box_quad(x0, y0, x0 + rw + style.gap * height + sw, y0 + max(rh, sh))
    column = max(rw, sw)
    stamp(canvas, rank_mask, x0 + (column - rw) / 2, y0, rw, rh, colour)
    top = y0 + rh + style.gap * height
    stamp(canvas, pip, x0 + (column - sw) / 2, top, sw, sh, colour)
    return box_quad(x0, y0, x0 + column, top + sh)


def _draw_joker_index(canvas: Image, style: Style, x0: float, y0: float) -> Floats:
    """A word down the edge, or a star: both are found in print."""
    height = canvas.shape[0]
    colour = style.colours["H" if style.court_seed % 2 else "S"]
    letter = style.rank_height * height * 0.6
    if style.court_seed % 3 == 0:
        star = glyph(style.font, "*", style.weight)
        stamp(canvas, star, x0, y0, letter * 1.4, letter * 1.4, colour)
        stamp(canvas, glyph(style.font, "J", style.weight), x0, y0 + letter * 1.6, letter, letter * 1.3, colour)
        return box_quad(x0, y0, x0 + letter * 1.4, y0 + letter * 2.9)
    y, right = y0, x0
    for char in "JOKER":
        mask = glyph(style.font, char, style.weight)
        w = min(letter * mask.shape[1] / mask.shape[0], letter)
        stamp(canvas, mask, x0, y, w, letter, colour)
        y, right = y + letter * 1.12, max(right, x0 + w)
    return box_quad(x0, y0, right, y - 0.12 * letter)


def _index_width(style: Style) -> float:
    """About how far the index reaches into the card, as a fraction of the card's width."""
    return style.margin_x + 0.85 * max(style.rank_height * 0.85, style.suit_height) / style.aspect


def _draw_pips(canvas: Image, style: Style, rank: str, suit: str) -> None:
    h, w = canvas.shape[:2]
    mask, colour = suit_mask(style, suit), style.colours[suit]
    if rank == "A" or style.pips == "one":
        size = h * (0.22 if rank != "A" or style.pips == "standard" else 0.4)
        ph, pw = size, size * mask.shape[1] / mask.shape[0]
        if rank == "A" and suit == "S" and style.court_seed % 2:
            centre = (w // 2, h // 2)
            for k in range(3):
                cv2.circle(canvas, centre, round(h * (0.17 + 0.02 * k)), (*colour, 255), 1 + k % 2, cv2.LINE_AA)
        stamp(canvas, mask, w / 2 - pw / 2, h / 2 - ph / 2, pw, ph, colour)
        return
    ph = style.pip_height * h * (1.0 if rank not in ("9", "10") else 0.9)
    pw = ph * mask.shape[1] / mask.shape[0]
    left = max(0.3, _index_width(style) + 0.03 + pw / w / 2)
    if left > 0.36:
        ph, pw = ph * 0.75, pw * 0.75
        left = min(0.4, _index_width(style) + 0.02 + pw / w / 2)
    for fx, fy in PIPS[rank]:
        x, y = w * (left + (1 - 2 * left) * fx), h * (0.17 + 0.66 * fy)
        stamp(canvas, mask, x - pw / 2, y - ph / 2, pw, ph, colour, flip=fy > 0.5)


def _draw_court(canvas: Image, style: Style, label: str) -> None:
    """A framed, double-headed figure: shared art where given, else our own simple one made of bands and a crown."""
    h, w = canvas.shape[:2]
    side = min(0.38, max(0.18, _index_width(style) + 0.01))
    x0, y0, x1, y1 = round(w * side), round(h * 0.1), round(w * (1 - side)), round(h * 0.9)
    if style.courts:
        art = style.courts[(sum(map(ord, label)) + style.court_seed) % len(style.courts)]
        fit = cv2.resize(art, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
        canvas[y0:y1, x0:x1, :3] = fit[..., :3]
    else:
        rng = np.random.default_rng(sum(map(ord, label)) * 977 + style.court_seed)
        palette: list[Colour] = [(40, 40, 200), (30, 30, 30), (60, 190, 230), (170, 90, 30), (235, 240, 245)]
        half = np.full(((y1 - y0) // 2, x1 - x0, 3), 245, np.uint8)
        hh, hw = half.shape[:2]
        for k in range(9):
            a, b = rng.integers(0, hw, 2), rng.integers(hh // 3, hh, 2)
            colour = palette[k % len(palette)]
            points = [
                [int(a[0]), hh],
                [hw // 2, int(b[0] * 0.6)],
                [int(a[1]), hh],
                [hw // 2 + int(a[0] - a[1]) // 3, int(b[1])],
            ]
            cv2.fillPoly(half, [np.array(points, np.int32)], colour)
        cv2.ellipse(half, (hw // 2, int(hh * 0.42)), (hw // 7, hh // 7), 0, 0, 360, (190, 215, 240), -1, cv2.LINE_AA)
        crown = np.array([[0.34, 0.3], [0.32, 0.08], [0.42, 0.2], [0.5, 0.05], [0.58, 0.2], [0.68, 0.08], [0.66, 0.3]])
        cv2.fillPoly(half, [(crown * [hw, hh]).astype(np.int32)], palette[2], cv2.LINE_AA)
        canvas[y0 : y0 + hh, x0:x1, :3] = half
        canvas[y1 - hh : y1, x0:x1, :3] = half[::-1, ::-1]
    if style.frame:
        cv2.rectangle(canvas, (x0, y0), (x1, y1), (60, 40, 30, 255), 2, cv2.LINE_AA)
    suit = label[-1]
    mask, ph = suit_mask(style, suit), style.pip_height * h
    pw = ph * mask.shape[1] / mask.shape[0]
    stamp(canvas, mask, x0 + 4, y0 + 4, pw, ph, style.colours[suit])
    stamp(canvas, mask, x1 - 4 - pw, y1 - 4 - ph, pw, ph, style.colours[suit], flip=True)


def draw_face(style: Style, label: str) -> Face:
    """Draw one face of the deck: label, e.g. ``10H`` or ``JOKER``."""
    w, h = TEXTURE_WIDTH, round(TEXTURE_WIDTH / style.aspect)
    canvas = np.zeros((h, w, 4), np.uint8)
    canvas[..., :3] = style.paper
    if label == JOKER:
        _draw_court(canvas, style, "JS")
        cv2.rectangle(canvas, (w // 3, h // 3), (2 * w // 3, 2 * h // 3), (*style.colours["D"], 255), 3)
    elif label[:-1] in "JQK":
        _draw_court(canvas, style, label)
    else:
        _draw_pips(canvas, style, label[:-1], label[-1])
    quad = draw_index(canvas, style, label)
    x1, y1 = int(quad[2, 0]) + 1, int(quad[2, 1]) + 1
    quads = [quad, turned(quad, w, h)]
    # The opposite index is the first one turned round, laid over whatever pips or frame are there.
    corner = canvas[:y1, :x1, :3].copy()
    canvas[h - y1 :, w - x1 :, :3] = corner[::-1, ::-1]
    if style.four_indices:
        shift = np.array([w - quad[0, 0] - quad[1, 0], 0], np.float32)
        canvas[:y1, w - x1 :, :3] = style.paper
        draw = canvas[:, :, :]
        x0 = int(quad[0, 0])
        draw[:y1, w - x1 : w - x0, :3] = corner[:, x0:x1]
        quads += [quad + shift, turned(quad + shift, w, h)]
        draw[h - y1 :, x0:x1, :3] = corner[::-1, ::-1][:, : x1 - x0]
    if style.border:
        cv2.rectangle(canvas, (0, 0), (w - 1, h - 1), (120, 120, 120, 255), style.border)
    canvas[..., 3] = rounded_alpha(w, h, style.radius * h)
    return Face.make(canvas, np.stack(quads))


def draw_back(style: Style) -> Face:
    """A patterned back, with or without a white rim."""
    rng = np.random.default_rng(style.back_seed)
    w, h = TEXTURE_WIDTH, round(TEXTURE_WIDTH / style.aspect)
    canvas = np.zeros((h, w, 4), np.uint8)
    canvas[..., :3] = style.paper
    base = [int(v) for v in rng.integers(20, 220, 3)]
    base[int(rng.integers(3))] = int(rng.integers(0, 60))
    rim = round(w * float(rng.choice([0.0, 0.04, 0.07, 0.1])))
    inner = np.full((h - 2 * rim, w - 2 * rim, 3), base, np.uint8)
    line = tuple(int(v) for v in np.clip(np.array(base) + rng.integers(60, 200), 0, 255))
    step, kind = int(rng.integers(14, 60)), int(rng.integers(5))
    ih, iw = inner.shape[:2]
    if kind <= 1:
        for k in range(-ih, iw + ih, step):
            cv2.line(inner, (k, 0), (k + ih, ih), line, 1 + step // 12, cv2.LINE_AA)
            cv2.line(inner, (k + ih, 0), (k, ih), line, 1 + step // 12, cv2.LINE_AA)
    elif kind == 2:
        for y in range(0, ih, step):
            for x in range(0, iw, step):
                cv2.circle(inner, (x, y), step // 3, line, 2, cv2.LINE_AA)
    elif kind == 3:
        for k in range(6, min(ih, iw) // 2, step // 2 + 4):
            cv2.rectangle(inner, (k, k), (iw - k, ih - k), line, 2)
        for k in range(4):
            cv2.ellipse(inner, (iw // 2, ih // 2), (iw // (3 + k), ih // (4 + k)), 45 * k, 0, 360, line, 3, cv2.LINE_AA)
    else:
        cells = rng.normal(0, 50, (ih // 24 + 1, iw // 24 + 1, 3)).astype(np.float32)
        marbled = np.asarray(cv2.resize(cells, (iw, ih), interpolation=cv2.INTER_CUBIC))
        inner = np.clip(inner + (marbled + marbled[::-1, ::-1]) / 2, 0, 255).astype(np.uint8)
    canvas[rim : h - rim, rim : w - rim, :3] = inner
    canvas[..., 3] = rounded_alpha(w, h, style.radius * h)
    return Face.make(canvas)


def drawn_deck(style: Style | None = None) -> Deck:
    """The deck drawn in ``style`` (default: the project's own)."""
    style = style or Style()

    @lru_cache(maxsize=64)
    def face(label: str) -> Face:
        return draw_face(style, label)

    @lru_cache(maxsize=1)
    def back() -> Face:
        return draw_back(style)

    return Deck(style.name, style.aspect, face, back, (*CARDS, JOKER))


def random_style(
    rng: np.random.Generator, fonts: Sequence[str], suit_fonts: Sequence[str], courts: tuple[Image, ...] = ()
) -> Style:
    """A style as decks in shops differ; ``fonts`` are font files (or the built-in name) that have the letters."""
    size = rng.choice(["standard", "standard", "standard", "large", "jumbo"])
    rank_h = {"standard": rng.uniform(0.065, 0.1), "large": rng.uniform(0.1, 0.15), "jumbo": rng.uniform(0.15, 0.26)}[
        str(size)
    ]
    suit_h = rank_h * rng.uniform(0.55, 1.0)
    red = (int(rng.integers(10, 70)), int(rng.integers(5, 70)), int(rng.integers(150, 245)))
    shade = int(rng.integers(5, 70))
    black = (shade + int(rng.integers(0, 25)), shade, shade)
    colours: dict[str, Colour] = {"C": black, "S": black, "D": red, "H": red}
    if rng.random() < 0.15:
        green = (int(rng.integers(20, 90)), int(rng.integers(90, 160)), int(rng.integers(0, 60)))
        blue = (int(rng.integers(150, 230)), int(rng.integers(50, 140)), int(rng.integers(0, 60)))
        orange = (int(rng.integers(0, 50)), int(rng.integers(110, 170)), int(rng.integers(200, 250)))
        colours = {"C": green, "S": black, "D": blue if rng.random() < 0.7 else orange, "H": red}
    paper = int(rng.integers(232, 256))
    tint = int(rng.integers(0, 14))
    return Style(
        name="drawn",
        font=str(rng.choice(list(fonts))),
        weight=int(rng.choice([400, 500, 600, 700, 800])),
        suit_font=f"shapes{rng.integers(0, 60)}" if rng.random() < 0.5 else str(rng.choice(list(suit_fonts))),
        aspect=float(rng.choice([63.5, 63.5, 57.2, 60.0]) / 88.9),
        radius=float(rng.uniform(0.02, 0.06)),
        rank_height=float(rank_h),
        suit_height=float(suit_h),
        rank_squeeze=float(rng.uniform(0.6, 1.05)),
        gap=float(rng.uniform(0.004, 0.028)),
        margin_x=float(rng.uniform(0.025, 0.07)),
        margin_y=float(rng.uniform(0.02, 0.06)),
        letters=str(rng.choice(["english"] * 12 + ["german", "french", "french-one"])),
        ten="10" if rng.random() < 0.96 else "T",
        four_indices=bool(rng.random() < 0.2),
        one_line=False,
        paper=(paper - tint, paper - tint // 3, paper),
        colours=colours,
        pip_height=float(rng.uniform(0.1, 0.19)),
        # With small indices hardly any deck prints one pip on every number: more would teach that an ace is any card.
        pips="one" if rng.random() < (0.7 if size == "jumbo" else 0.01) else "standard",
        frame=bool(rng.random() < 0.75),
        border=int(rng.choice([0, 0, 0, 1, 2])),
        court_seed=int(rng.integers(1 << 30)),
        courts=courts if rng.random() < 0.8 else (),
        back_seed=int(rng.integers(1 << 30)),
    )
