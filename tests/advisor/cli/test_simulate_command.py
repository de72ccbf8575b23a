"""`tableside simulate` from the command line."""

from __future__ import annotations

import json

import pytest

from advisor.cli import main

pytestmark = pytest.mark.slow


def test_the_result_does_not_depend_on_the_number_of_cores(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for workers in ("1", "2"):
        assert main(["simulate", "--rounds", "600", "--seed", "5", "--workers", workers, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert found[0]["rounds"] == 600 and found[0]["agrees"] and found[0]["standard_errors_apart"] <= 4


def test_it_says_in_words_that_it_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--rounds", "200", "--workers", "1", "--rules", "home"]) == 0
    assert "they agree" in capsys.readouterr().out


def test_rounds_below_one_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--rounds", "0"]) == 2
    assert "give 1 or more" in capsys.readouterr().err
