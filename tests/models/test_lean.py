"""The detector's lean twin: what it is shown, what it is held against, and that it can be taught and used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks are trained with the training extra alone")
pytest.importorskip("ultralytics")

import onnxruntime as ort  # noqa: E402

from models.recipes.lean import SIDE, Plan, apart, shown, train  # noqa: E402

WEIGHTS = Path(__file__).parents[2] / "models" / "weights"


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    folder = tmp_path / "pictures"
    folder.mkdir()
    for k, (h, w) in enumerate(((SIDE, SIDE), (300, 500), (1100, 900), (SIDE, SIDE))):
        cv2.imwrite(str(folder / f"{k}.jpg"), cv2.resize(rng.integers(0, 255, (12, 16, 3), np.uint8), (w, h)))
    return folder


def test_whatever_the_picture_the_twin_is_shown_one_size(pictures: Path) -> None:
    rng, paths = np.random.default_rng(1), sorted(pictures.glob("*.jpg"))
    seen = [shown(paths, rng)[0] for _ in range(40)]
    assert {it.shape for it in seen} == {(SIDE, SIDE, 3)} and {it.dtype for it in seen} == {np.dtype(np.uint8)}
    assert len({it.tobytes() for it in seen}) > 20


def test_only_what_differs_counts_and_corners_only_where_something_was_found() -> None:
    def answers(score: float, off: float) -> Any:
        return (
            [torch.randn(1, 2, 4, 4, generator=torch.manual_seed(2))],
            torch.full((1, 3, 5), score),
            torch.full((1, 12, 5), off),
        )

    assert float(apart(answers(2.0, 0.0), answers(2.0, 0.0))) == pytest.approx(0)
    assert float(apart(answers(2.0, 0.5), answers(2.0, 0.0))) > 0.1
    assert float(apart(answers(-9.0, 0.5), answers(-9.0, 0.0))) == pytest.approx(0, abs=1e-3)
    assert float(apart(answers(-2.0, 0.0), answers(2.0, 0.0))) > 1


def test_a_taught_twin_can_be_used_and_goes_on_where_it_stopped(pictures: Path, tmp_path: Path) -> None:
    plan = Plan(WEIGHTS / "detector.onnx", (pictures,), tmp_path / "out", steps=2, batch=2, threads=1)
    made = train(plan)
    picture = np.zeros((1, 64, 96, 3), np.uint8)
    scores, points = ort.InferenceSession(str(made)).run(None, {"picture": picture})
    assert scores.shape == (1, 3, 12 * 8 + 6 * 4 + 3 * 2) and points.shape == (1, 12, scores.shape[2])
    assert torch.load(tmp_path / "out" / "lean.pt", weights_only=True)["step"] == 2
    train(plan)


def test_a_twin_that_was_taught_before_is_gone_on_with(pictures: Path, tmp_path: Path) -> None:
    weights = WEIGHTS / "detector.onnx"
    plan = Plan(weights, (pictures,), tmp_path / "out", steps=1, batch=2, threads=1, twin=weights)
    assert ort.InferenceSession(str(train(plan))).get_inputs()[0].name == "picture"


def test_an_empty_folder_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No pictures"):
        train(Plan(WEIGHTS / "detector.onnx", (tmp_path,), tmp_path / "out"))
