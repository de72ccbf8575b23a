"""Mixing two trainings of one network: every floating number goes its share of the way, and what differs is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from models.recipes.mixed import main, mixed  # noqa: E402


def network(weights: list[list[float]], op: str = "MatMul", kind: int = TensorProto.FLOAT) -> object:
    """One layer of ``weights``, and a shape that no mixing may touch."""
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    numbers = [numpy_helper.from_array(np.array(weights, dtype), "w"), numpy_helper.from_array(np.array([1, -1]), "n")]
    ends = [helper.make_tensor_value_info(name, kind, None) for name in ("x", "y")]
    nodes = [helper.make_node(op, ["x", "w"], ["h"]), helper.make_node("Reshape", ["h", "n"], ["y"])]
    return helper.make_model(helper.make_graph(nodes, "one", ends[:1], ends[1:], numbers))


def numbers(model: object) -> list[object]:
    return [numpy_helper.to_array(it).tolist() for it in model.graph.initializer]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("share", "want"), [(0.0, [[1, 2]]), (0.25, [[2, 1]]), (1.0, [[5, -2]])])
def test_every_number_goes_its_share_of_the_way_and_shapes_stay(share: float, want: list[list[float]]) -> None:
    first = network([[1, 2]])
    assert numbers(mixed(first, network([[5, -2]]), share)) == [want, [1, -1]]
    assert numbers(first) == [[[1, 2]], [1, -1]], "what was mixed is left as it was"


def swapped() -> object:
    """Its numbers are given to the other layer."""
    model = network([[1, 2]])
    nodes = model.graph.node  # type: ignore[attr-defined]
    nodes[0].input[1], nodes[1].input[1] = nodes[1].input[1], nodes[0].input[1]
    return model


@pytest.mark.parametrize("other", [network([[1, 2], [3, 4]]), network([[1, 2]], op="Add"), swapped()])
def test_networks_of_other_layers_are_refused(other: object) -> None:
    with pytest.raises(ValueError, match="their layers differ"):
        mixed(network([[1, 2]]), other, 0.5)


def test_networks_in_bytes_are_refused() -> None:
    in_bytes = network([[1, 2]], kind=TensorProto.INT8)
    with pytest.raises(ValueError, match="in bytes"):
        mixed(in_bytes, in_bytes, 0.5)


def test_the_command_writes_the_mixed_file_and_says_what_cannot_be_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(tmp_path / name) for name in ("a.onnx", "b.onnx", "odd.onnx", "out.onnx")]
    for model, file in zip((network([[0]]), network([[4]]), network([[0]], op="Add")), files, strict=False):
        onnx.save(model, file)
    monkeypatch.setattr(sys, "argv", ["mixed", files[0], files[1], "--share", "0.5", "--out", files[3]])
    main()
    assert numbers(onnx.load(files[3]))[0] == [[2]]
    monkeypatch.setattr(sys, "argv", ["mixed", files[0], files[2], "--out", files[3]])
    with pytest.raises(SystemExit):
        main()
    assert "their layers differ" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["mixed", files[0], files[1], "--share", "1.5", "--out", files[3]])
    with pytest.raises(SystemExit):
        main()
    assert "--share 1.5: from 0" in capsys.readouterr().err
