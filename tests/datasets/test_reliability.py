"""Reliability: claims are matched to the cards on the table, and calibrated claims show no error."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from datasets.reliability import bins_of, calibration_error, claims_of, reliability_svg, reliability_table
from vision.sightings import CardSighting, Kind, Reading

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def reading(*cards: tuple[Kind, str | None, float]) -> Reading:
    return Reading(10, 10, tuple(CardSighting(kind, QUAD, label, c) for kind, label, c in cards))


def test_the_surer_of_two_equal_claims_takes_the_card_and_unsure_ones_count_too() -> None:
    seen = reading(("unsure", "9H", 0.6), ("card", "9H", 0.98), ("unsure", "2C", 0.4), ("back", None, 0.0))
    assert claims_of(seen, Counter({"9H": 1, "2C": 1})) == [(0.98, True), (0.6, False), (0.4, True)]


def test_every_claim_is_in_one_bin() -> None:
    claims = [(0.0, False), (0.2, True), (0.5, True), (0.9, False), (1.0, True), (1.0, True)]
    bins = bins_of(claims)
    assert sum(b.claims for b in bins) == len(claims) and sum(b.right for b in bins) == 4
    assert (bins[-1].claims, bins[-1].right) == (2, 2)


def test_calibration_error_is_the_distance_of_claim_and_truth() -> None:
    calibrated = [(0.75, k < 75) for k in range(100)]
    assert calibration_error(bins_of(calibrated)) == pytest.approx(0)
    assert calibration_error(bins_of([(0.9, False)] * 10)) == pytest.approx(0.9)
    assert calibration_error([]) == 0


def test_table_and_drawing_show_every_bin() -> None:
    bins = bins_of([(0.3, True), (0.95, True), (0.97, False)])
    assert len(reliability_table(bins).splitlines()) == len(bins) + 2
    drawn = ET.fromstring(reliability_svg(bins, "Confidence"))
    assert len(drawn.findall("{http://www.w3.org/2000/svg}circle")) == len(bins)
