"""The first layer reckoned for several places of a row at a time, with the same answers to the last bit.

A picture has three channels, too few for a processor's lanes: fetched pixel by pixel, the first layer took a fifth of
the detector's time. Neighbouring pixels of a row lie beside each other in memory, so four of them are one place with
twelve channels without a byte being moved; the layer then gives two places' channels at once, by weights that are the
same ones, twice, with noughts between them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

TOGETHER = 2
"""Places reckoned at a time; four and eight were no faster."""
KERNEL, STEP, PAD = 3, 2, 1
"""What a first layer must be: 3 x 3, every second place, one pixel around."""
INTO, OUT = "packed/into", "packed/out"


def packed(model: Any, together: int = TOGETHER) -> Any:
    """A network that `in_bytes` made, with its first layer packed; in place. Another first layer is left as it is.

    Rows must then be a multiple of ``2 * together`` pixels long.
    """
    from onnx import helper, numpy_helper

    graph = model.graph
    made = {name: node for node in graph.node for name in node.output}
    stored = {it.name: it for it in graph.initializer}
    first = next((node for node in graph.node if node.op_type == "Conv"), None)
    if first is None or not _plain(first) or any(name not in made for name in first.input):
        return model
    from_bytes, weights, bias = (made[name] for name in first.input)
    old = numpy_helper.to_array(stored[weights.input[0]])
    outs, channels = old.shape[:2]
    pixels = STEP * together
    wide = np.zeros((together * outs, pixels * channels, KERNEL, 2), old.dtype)
    for place in range(together):
        for k in range(KERNEL):
            block, pixel = divmod(place * STEP + k - PAD, pixels)
            wide[place * outs : (place + 1) * outs, pixel * channels : (pixel + 1) * channels, :, block + 1] = old[
                ..., k
            ]
    stored[weights.input[0]].CopyFrom(numpy_helper.from_array(wide, weights.input[0]))
    for name in {*weights.input[1:], *bias.input}:
        value = numpy_helper.to_array(stored[name])
        stored[name].CopyFrom(numpy_helper.from_array(np.tile(value, together) if value.ndim else value, name))
    graph.initializer.extend(
        [
            numpy_helper.from_array(np.array([0, 0, -1, pixels * channels]), f"{INTO}/shape"),
            numpy_helper.from_array(np.array([0, 0, -1, outs]), f"{OUT}/shape"),
        ]
    )
    _reshaped(first, (KERNEL, 2), (PAD, 1, PAD, 0), (STEP, 1))
    after = next(node for node in graph.node if first.output[0] in node.input)  # to bytes
    given, ended = _as_given(from_bytes.input[0], made, stored), after.output[0]
    rows = given[-1].input[0] if given else f"{INTO}/0"
    planes = helper.make_node("Transpose", [from_bytes.input[0]], [rows], perm=[0, 2, 3, 1], name=f"{INTO}/rows")
    into = [
        *([] if given else [planes]),
        helper.make_node("Reshape", [rows, f"{INTO}/shape"], [f"{INTO}/1"], name=f"{INTO}/together"),
        helper.make_node("Transpose", [f"{INTO}/1"], [f"{INTO}/2"], perm=[0, 3, 1, 2], name=f"{INTO}/planes"),
    ]
    out = [
        helper.make_node("Transpose", [f"{OUT}/0"], [f"{OUT}/1"], perm=[0, 2, 3, 1], name=f"{OUT}/rows"),
        helper.make_node("Reshape", [f"{OUT}/1", f"{OUT}/shape"], [f"{OUT}/2"], name=f"{OUT}/apart"),
        helper.make_node("Transpose", [f"{OUT}/2"], [ended], perm=[0, 3, 1, 2], name=f"{OUT}/planes"),
    ]
    from_bytes.input[0], after.output[0] = f"{INTO}/2", f"{OUT}/0"
    nodes = [node for node in graph.node if node not in given]
    del graph.node[:], graph.value_info[:]
    for node in nodes:
        graph.node.extend([*(into if node is from_bytes else []), node, *(out if node is after else [])])
    return model


def unpacked(model: Any) -> Any:
    """The network as it was before `packed`; in place. One that was not packed is left as it is."""
    from onnx import TensorProto, helper, numpy_helper

    graph = model.graph
    named = {node.name: node for node in graph.node}
    if f"{INTO}/together" not in named:
        return model
    made = {name: node for node in graph.node for name in node.output}
    stored = {it.name: it for it in graph.initializer}
    first = next(node for node in graph.node if node.op_type == "Conv")
    from_bytes, weights, bias = (made[name] for name in first.input)
    wide = numpy_helper.to_array(stored[weights.input[0]])
    outs = int(numpy_helper.to_array(stored[f"{OUT}/shape"])[-1])
    together = len(wide) // outs
    channels = wide.shape[1] // (STEP * together)
    # The row's first place has one pixel in the block before it, the last of that; the others are its own block's.
    before, own = wide[:outs, -channels:, :, 0], wide[:outs, : 2 * channels, :, 1].reshape(outs, 2, channels, KERNEL)
    old = np.stack([before, own[:, 0], own[:, 1]], -1)
    stored[weights.input[0]].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(old), weights.input[0]))
    for name in {*weights.input[1:], *bias.input}:
        value = numpy_helper.to_array(stored[name])
        stored[name].CopyFrom(numpy_helper.from_array(value[:outs] if value.ndim else value, name))
    _reshaped(first, (KERNEL, KERNEL), (PAD,) * 4, (STEP, STEP))
    into: list[Any] = []
    if f"{INTO}/rows" in named:
        from_bytes.input[0] = named[f"{INTO}/rows"].input[0]
    else:
        rows, (step, zero) = named[f"{INTO}/together"].input[0], from_bytes.input[1:]
        into = [
            helper.make_node("Transpose", [rows], ["planes"], perm=[0, 3, 1, 2], name="planes"),
            helper.make_node("Cast", ["planes"], ["floats"], to=TensorProto.FLOAT, name="floats"),
            helper.make_node("QuantizeLinear", ["floats", step, zero], ["bytes"], name="bytes"),
        ]
        from_bytes.input[0] = "bytes"
    after = next(node for node in graph.node if first.output[0] in node.input)
    after.output[0] = named[f"{OUT}/planes"].output[0]
    kept = [node for node in graph.node if not node.name.startswith((f"{INTO}/", f"{OUT}/"))]
    rest = [it for it in graph.initializer if it.name not in (f"{INTO}/shape", f"{OUT}/shape")]
    del graph.node[:], graph.initializer[:]
    graph.node.extend([*into, *kept])
    graph.initializer.extend(rest)
    return model


def _as_given(name: str, made: dict[str, Any], stored: dict[str, Any]) -> list[Any]:
    """The steps, the last first, by which a picture's bytes, row by row, become these same bytes, plane by plane.

    No steps where they are others, or no bytes to begin with.
    """
    from onnx import numpy_helper

    steps: list[Any] = []
    for kind in ("QuantizeLinear", "Cast", "Transpose"):
        steps.append(made.get(name))
        if steps[-1] is None or steps[-1].op_type != kind:
            return []
        name = steps[-1].input[0]
    step, zero = (numpy_helper.to_array(stored[it]) for it in steps[0].input[1:])
    every = np.arange(256, dtype=np.float32)
    same = not zero.any() and np.array_equal(np.clip(np.round(every / step), 0, 255), every)
    return steps if same else []


def _plain(node: Any) -> bool:
    """Whether the layer is such as can be packed."""
    said = {it.name: list(it.ints) or it.i for it in node.attribute}
    return (
        said.get("kernel_shape") == [KERNEL] * 2
        and said.get("strides") == [STEP] * 2
        and said.get("pads") == [PAD] * 4
        and said.get("group", 1) == 1
    )


def _reshaped(node: Any, kernel: tuple[int, ...], pads: tuple[int, ...], strides: tuple[int, ...]) -> None:
    from onnx import helper

    new = {"kernel_shape": kernel, "pads": pads, "strides": strides}
    rest = [it for it in node.attribute if it.name not in new]
    del node.attribute[:]
    node.attribute.extend([*rest, *(helper.make_attribute(name, list(value)) for name, value in new.items())])
