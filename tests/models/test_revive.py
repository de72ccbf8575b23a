"""A committed network read back answers as it did, and can learn again. Needs the training extra; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks are trained with the training extra alone")
onnx = pytest.importorskip("onnx")

import onnxruntime as ort  # noqa: E402

from models.recipes.chips_company_layers import CompanyNetwork  # noqa: E402
from models.recipes.chips_naming_layers import NamingNetwork  # noqa: E402
from models.recipes.chips_readers import counter_network, placer_network  # noqa: E402
from models.recipes.in_bytes import in_floats  # noqa: E402
from models.recipes.reader import network as reader_network  # noqa: E402
from models.recipes.revive import begun, refilled, revived  # noqa: E402

WEIGHTS = Path(__file__).parents[2] / "models" / "weights"


def noise(*shape: int) -> Any:
    return np.random.default_rng(3).normal(0, 1, shape).astype(np.float32)


def answers(weights: Path, **given: Any) -> list[Any]:
    """What the file's network says, in floats."""
    return list(ort.InferenceSession(in_floats(weights).SerializeToString()).run(None, given))


def test_a_chip_network_read_back_answers_as_before_and_normalises_again() -> None:
    cuts = noise(4, 3, 256, 64)
    network = refilled(counter_network(), WEIGHTS / "chips_counter.onnx", [cuts])
    with torch.no_grad():
        said = network(torch.from_numpy(cuts))
    for ours, theirs in zip(said, answers(WEIGHTS / "chips_counter.onnx", cuts=cuts), strict=True):
        assert np.allclose(ours.numpy(), theirs, atol=1e-4)
    norms = [it for it in network.modules() if isinstance(it, torch.nn.BatchNorm2d)]
    assert norms and all(float(it.running_var.std()) > 0 for it in norms), "measured, not as they were made"


PORTRAITS = {
    "pictures": noise(5, 3, 20, 48), "faces": np.array([0, 1, 0, 0, 1], np.float32), "words": noise(5, 12),
    "labels": noise(5, 12), "shown": np.array([1, 1, 0, 0, 0], np.float32), "usual": np.ones(12, np.float32),
    "before": np.array([5, 5, 5, 2, 3]), "after": np.array([5, 5, 3, 4, 5]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "network", "given"),
    [
        ("company", CompanyNetwork(66), {"looks": noise(7, 3, 96, 96), "facts": noise(7, 59), "places": noise(7, 7)}),
        ("naming", NamingNetwork(), PORTRAITS),
    ],
)
def test_networks_of_several_inputs_that_compare_them_answer_as_before(
    name: str, network: Any, given: dict[str, Any]
) -> None:
    """Their products have lost their names in the file as well."""
    weights = WEIGHTS / f"chips_{name}.onnx"
    inputs = tuple(given.values())
    again = refilled(network, weights, [inputs])
    with torch.no_grad():
        said = again(*map(torch.from_numpy, inputs))
    said = said if isinstance(said, tuple) else (said,)
    for ours, theirs in zip(said, answers(weights, **given), strict=True):
        assert np.abs(theirs).max() > 0.1 and np.allclose(ours.numpy(), theirs, atol=1e-3)


def test_a_plan_begins_anew_from_a_checkpoint_or_from_a_committed_file(tmp_path: Path) -> None:
    patches = noise(4, 3, 96, 64)

    def named(network: Any) -> Any:
        with torch.no_grad():
            return network.eval()(torch.from_numpy(patches))[0].numpy()

    committed = begun(reader_network(), WEIGHTS / "reader.onnx", lambda: patches)
    logits = answers(WEIGHTS / "reader.onnx", patches=patches)[0]
    assert np.allclose(named(committed), logits, atol=1e-3)
    torch.save(committed.state_dict(), tmp_path / "reader.pt")
    assert np.allclose(named(begun(reader_network(), tmp_path / "reader.pt", lambda: patches)), logits, atol=1e-3)
    assert not np.allclose(named(begun(reader_network(), None, lambda: patches)), logits, atol=1e-3)


def test_another_networks_file_is_refused() -> None:
    with pytest.raises(ValueError, match="does not hold this network"):
        refilled(placer_network(), WEIGHTS / "chips_counter.onnx", [noise(2, 3, 96, 96)])


def test_a_file_that_lacks_a_layer_is_refused_by_its_name(tmp_path: Path) -> None:
    model = onnx.load(WEIGHTS / "chips_company.onnx")
    kept = [it for it in model.graph.initializer if it.name != "seen.bias"]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    onnx.save(model, tmp_path / "less.onnx")
    with pytest.raises(ValueError, match=r"it lacks seen\.bias"):
        refilled(CompanyNetwork(66), tmp_path / "less.onnx", [(noise(2, 3, 96, 96), noise(2, 59), noise(2, 7))])


def test_the_detector_read_back_finds_as_before() -> None:
    pytest.importorskip("ultralytics")
    picture = np.random.default_rng(5).integers(0, 255, (320, 416, 3), np.uint8)
    network = revived(WEIGHTS / "detector.onnx", [picture])
    with torch.no_grad():
        shown = torch.from_numpy(picture[..., ::-1].copy()).permute(2, 0, 1)[None].float() / 255
        _, said = network(shown)
    scores, points = answers(WEIGHTS / "detector.onnx", picture=picture[None])
    assert np.allclose(said["scores"].numpy(), scores, atol=1e-3)
    assert np.allclose(said["kpts"].numpy(), points, atol=1e-3)
