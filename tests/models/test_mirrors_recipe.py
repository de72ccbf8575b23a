"""The mirror's witness favours neither way, whatever it has learned. Needs the training extra; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks are trained with the training extra alone")
pytest.importorskip("onnx")

import onnxruntime as ort  # noqa: E402

from models.recipes.mirrors import export, network  # noqa: E402


def patches(count: int) -> Any:
    return torch.from_numpy(np.random.default_rng(3).normal(0, 1, (count, 3, 96, 64)).astype(np.float32))


@pytest.mark.parametrize("training", [True, False])
def test_what_it_says_of_a_patch_is_the_opposite_of_what_it_says_of_its_mirror_image(training: bool) -> None:
    torch.manual_seed(2)
    model = network().train(training)
    for layer in model.modules():
        if isinstance(layer, torch.nn.Dropout):
            layer.p = 0.0  # else it is another network at each pass
    said, mirrored = model(patches(4)), model(patches(4).flip(3))
    assert torch.allclose(said, -mirrored, atol=1e-5) and float(said.abs().max()) > 1e-4


def test_the_file_says_what_the_network_says_of_one_patch_and_of_many(tmp_path: Path) -> None:
    torch.manual_seed(2)
    model = network()
    session = ort.InferenceSession(str(export(model, tmp_path / "mirrors.onnx")))
    for count in (1, 5):
        (said,) = session.run(None, {"patches": patches(count).numpy()})
        with torch.inference_mode():
            assert np.allclose(said, model(patches(count)).numpy(), atol=1e-4) and said.shape == (count,)
