"""A packed first layer answers to the last bit as before, and can be unpacked. Needs the training extra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="networks are made with the training extra alone")

import onnxruntime as ort  # noqa: E402

from models.recipes.packed import packed, unpacked  # noqa: E402

WEIGHTS = Path(__file__).parents[2] / "models" / "weights"
PICTURE = np.random.default_rng(4).integers(0, 256, (1, 96, 160, 3), dtype=np.uint8)
CARDS = np.random.default_rng(5).normal(0, 1, (3, 3, 96, 64)).astype(np.float32)
GIVEN = {"detector": {"picture": PICTURE}, "reader": {"patches": CARDS}, "faces": {"faces": CARDS}}


def said(model: Any, name: str) -> list[Any]:
    return list(ort.InferenceSession(model.SerializeToString()).run(None, GIVEN[name]))


def plain(name: str) -> Any:
    """The committed network, however its first layer is kept."""
    return unpacked(onnx.load(str(WEIGHTS / f"{name}.onnx")))


@pytest.mark.parametrize("name", sorted(GIVEN))
@pytest.mark.parametrize("together", [1, 2, 4])
def test_packing_changes_no_answer_and_can_be_undone(name: str, together: int) -> None:
    before = said(plain(name), name)
    model = packed(plain(name), together)
    onnx.checker.check_model(model)
    assert "packed/into/together" in {node.name for node in model.graph.node}
    for ours, theirs in zip(said(model, name), before, strict=True):
        assert np.array_equal(ours, theirs)
    back = unpacked(model)
    assert not any("packed" in name for node in back.graph.node for name in (*node.input, *node.output, node.name))
    for ours, theirs in zip(said(back, name), before, strict=True):
        assert np.array_equal(ours, theirs)


def test_the_committed_detector_is_packed() -> None:
    model = onnx.load(str(WEIGHTS / "detector.onnx"))
    assert "packed/into/together" in {node.name for node in model.graph.node}


def test_a_network_with_another_first_layer_is_left_as_it_is() -> None:
    whole = onnx.load(str(WEIGHTS / "chips_placer.onnx"))
    before = whole.SerializeToString()
    assert packed(whole).SerializeToString() == before and unpacked(whole).SerializeToString() == before
