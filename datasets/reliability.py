"""Whether confidence means what it says: claims of one confidence against the share of them that is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vision.sightings import Reading

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
Claim = tuple[float, bool]
"""How confident a named card was, and whether it was right."""


@dataclass(frozen=True)
class Bin:
    """Claims with a confidence from ``low`` up to ``high``; ``mean`` of them and how many were right."""

    low: float
    high: float
    claims: int
    right: int
    mean: float


def claims_of(reading: Reading, cards: Counter[str]) -> list[Claim]:
    """Every named sighting, sure or not; of several of one name the most confident take what is on the table."""
    left = Counter(cards)
    out = []
    for sighting in sorted(reading.sightings, key=lambda s: -s.confidence):
        if sighting.label is not None:
            right = left[sighting.label] > 0
            left[sighting.label] -= right
            out.append((sighting.confidence, right))
    return out


def bins_of(claims: Iterable[Claim], edges: Sequence[float] = EDGES) -> list[Bin]:
    """The claims by confidence; bins without any are left out."""
    every, out = list(claims), []
    for low, high in pairwise(edges):
        mine = [c for c in every if low <= c[0] < high or (high == edges[-1] == c[0])]
        if mine:
            out.append(Bin(low, high, len(mine), sum(right for _, right in mine), sum(c for c, _ in mine) / len(mine)))
    return out


def calibration_error(bins: Sequence[Bin]) -> float:
    """The mean distance between confidence and the share that is right, weighted by claims (ECE)."""
    total = sum(b.claims for b in bins)
    return sum(abs(b.mean - b.right / b.claims) * b.claims for b in bins) / max(total, 1)


def reliability_table(bins: Sequence[Bin]) -> str:
    """The bins as lines of text."""
    lines = [f"{'confidence':>15s}  {'claims':>6s}  {'mean':>6s}  {'right':>6s}"]
    for b in bins:
        lines.append(f"{b.low:6.3f} to {b.high:5.3f}  {b.claims:6d}  {b.mean:6.3f}  {b.right / b.claims:6.3f}")
    return "\n".join([*lines, f"calibration error {calibration_error(bins):.4f}"])


def reliability_svg(bins: Sequence[Bin], title: str) -> str:
    """The diagram: what was claimed from left to right, what came true upwards; dots grow with the claims."""
    side, edge = 400, 60
    most = max((b.claims for b in bins), default=1)

    def x(value: float) -> float:
        return edge + value * side

    def y(value: float) -> float:
        return edge + (1 - value) * side

    marks = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        marks.append(f'<text x="{x(tick):.0f}" y="{edge + side + 20}" text-anchor="middle">{tick:g}</text>')
        marks.append(f'<text x="{edge - 8}" y="{y(tick) + 4:.0f}" text-anchor="end">{tick:g}</text>')
    for b in bins:
        share = b.right / b.claims
        radius = 3 + 11 * (b.claims / most) ** 0.5
        marks.append(
            f'<circle cx="{x(b.mean):.1f}" cy="{y(share):.1f}" r="{radius:.1f}" fill="#1f77b4" fill-opacity="0.6">'
            f"<title>{b.claims} claims of {b.mean:.3f}: {share:.3f} right</title></circle>"
        )
    size = side + 2 * edge
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
        'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{size / 2}" y="30" text-anchor="middle" font-size="15">{title}</text>'
        f'<rect x="{edge}" y="{edge}" width="{side}" height="{side}" fill="none" stroke="#999"/>'
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="#999" stroke-dasharray="4"/>'
        + "".join(marks)
        + f'<text x="{size / 2}" y="{size - 15}" text-anchor="middle">confidence claimed</text>'
        f'<text x="18" y="{size / 2}" text-anchor="middle" transform="rotate(-90 18 {size / 2})">share right</text>'
        "</svg>"
    )
