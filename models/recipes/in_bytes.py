"""Networks reckoned in bytes: more goes through a processor at once, and the file is a quarter as long.

Only layers that end in a plain ReLU gain: whatever else follows (SiLU, softmax) is reckoned in floats, and going there
and back costs more than it saves (`EXPERIMENTS.md`, row 21). Weights keep seven bits: with eight, processors without
VNNI saturate and answer otherwise.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.recipes.packed import packed, unpacked

SHARE = 99.99
"""Per cent of a layer's figures that its range takes in; what lies beyond is cut off."""
IN_BYTES = ("Add", "Concat", "Conv", "MaxPool", "Relu", "Reshape", "Resize", "Slice", "Split", "Transpose")
"""What is reckoned in bytes: the convolutions, and all that stands between them, or figures would go there and back."""


def in_bytes(
    weights: Path, target: Path, batches: Sequence[dict[str, Any]], leave: Sequence[str] = (), share: float = SHARE
) -> Path:
    """Write the network at ``weights`` to ``target`` with its convolutions in bytes, and return ``target``.

    ``batches`` are inputs such as it is used on, by name and all of one shape: the layers' ranges are measured on
    them, all at once (some 100 MB for a picture of the detector's). Nodes named in ``leave`` stay in floats. The first
    layer is packed (:mod:`models.recipes.packed`).
    """
    import onnx
    from onnxruntime.quantization import (
        CalibrationDataReader,
        CalibrationMethod,
        QuantFormat,
        QuantType,
        quantize_static,
    )
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Given(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left = list(batches)

        def get_next(self) -> dict[str, Any] | None:
            return self.left.pop() if self.left else None

    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.onnx"
        quant_pre_process(str(weights), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready),
            str(target),
            Given(),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(IN_BYTES),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=list(leave),
            calibrate_method=CalibrationMethod.Percentile,
            extra_options={"CalibPercentile": share},
        )
    onnx.save(packed(onnx.load(str(target))), str(target))
    return target


def in_floats(weights: Path) -> Any:
    """The ONNX model at ``weights`` with what `in_bytes` did undone, but for the figures' lost digits: to learn on."""
    import onnx
    from onnx import numpy_helper

    model = unpacked(onnx.load(str(weights)))
    graph = model.graph
    stored = {it.name: numpy_helper.to_array(it) for it in graph.initializer}
    whole: dict[str, np.ndarray] = {}
    called: dict[str, str] = {}
    kept = []
    for node in graph.node:
        if node.op_type == "QuantizeLinear" and not stored[node.input[2]].any():
            # Bytes that begin at nought cut off what is below: this is what was left of a ReLU.
            source = called.get(node.input[0], node.input[0])
            kept.append(onnx.helper.make_node("Relu", [source], [node.output[0]], name=f"{node.output[0]}/Relu"))
        elif node.op_type == "QuantizeLinear":
            called[node.output[0]] = called.get(node.input[0], node.input[0])
        elif node.op_type == "DequantizeLinear" and node.input[0] in stored:
            raw, step, zero = (stored[name] for name in node.input)
            name = node.input[0].removesuffix("_quantized")
            along = (-1, *[1] * (raw.ndim - 1)) if step.ndim else ()
            whole[name] = ((raw.astype(np.float32) - zero.reshape(along)) * step.reshape(along)).astype(np.float32)
            called[node.output[0]] = name
        elif node.op_type == "DequantizeLinear":
            called[node.output[0]] = called.get(node.input[0], node.input[0])
        else:
            node.input[:] = [called.get(name, name) for name in node.input]
            kept.append(node)
    ends = {it.name for it in graph.output}
    for node in kept:  # an end that was reckoned in bytes is called as it was
        node.output[:] = [next((end for end in ends if called.get(end) == name), name) for name in node.output]
    used = {name for node in kept for name in node.input}
    rest = [it for it in graph.initializer if it.name in used and it.name not in whole]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(kept)
    graph.initializer.extend([*rest, *(numpy_helper.from_array(value, name) for name, value in whole.items())])
    return model
