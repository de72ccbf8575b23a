"""Networks in bytes answer as they did, nearly, and can be read back. Needs the training extra; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="networks are made with the training extra alone")
pytest.importorskip("onnx")

import onnxruntime as ort

from models.recipes.in_bytes import in_bytes, in_floats

WEIGHTS = Path(__file__).parents[2] / "models" / "weights"


def cuts(seed: int) -> Any:
    return np.random.default_rng(seed).normal(0, 1, (6, 3, 96, 96)).astype(np.float32)


def said(network: Any, given: Any) -> Any:
    return ort.InferenceSession(network).run(None, {"cuts": given})[0]


def test_a_network_in_bytes_answers_nearly_as_before_and_its_file_is_shorter(tmp_path: Path) -> None:
    whole = WEIGHTS / "chips_placer.onnx"
    made = in_bytes(whole, tmp_path / "placer.onnx", [{"cuts": cuts(k)} for k in range(3)])
    before, after = said(str(whole), cuts(9)), said(str(made), cuts(9))
    assert 0 < np.abs(after - before).mean() < 0.08 * before.std()
    assert made.stat().st_size < 0.75 * whole.stat().st_size


def test_read_back_into_floats_it_keeps_what_the_bytes_said(tmp_path: Path) -> None:
    whole = WEIGHTS / "chips_placer.onnx"
    made = in_bytes(whole, tmp_path / "placer.onnx", [{"cuts": cuts(k)} for k in range(3)])
    model = in_floats(made)
    assert not {n.op_type for n in model.graph.node} & {"QuantizeLinear", "DequantizeLinear"}
    again = said(model.SerializeToString(), cuts(9))
    assert np.abs(again - said(str(made), cuts(9))).mean() < 0.08 * again.std()


def test_a_network_in_floats_is_read_as_it_is() -> None:
    whole = WEIGHTS / "chips_placer.onnx"
    assert np.array_equal(said(in_floats(whole).SerializeToString(), cuts(1)), said(str(whole), cuts(1)))
