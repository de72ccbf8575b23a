"""Committed networks as a start for more training: their ONNX files read back into networks that can learn.

What is committed has its batch normalisation folded into the convolutions and no box branch. Here every convolution
gets a normalisation again, one that changes nothing over the pictures it was measured on. The box branch stays unmade,
so training goes by boxes round the corners (`boxes_round_corners`), which is all that the product ever uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.recipes.in_bytes import in_floats

Picture = NDArray[np.uint8]
LEAST_SPREAD = 1e-3
"""A channel is normalised by no less than this: one that never varies would be blown up without end."""


def revived(weights: Path, pictures: Sequence[Picture], kinds: int = 3) -> Any:
    """A `PoseModel` that answers as the ONNX file at ``weights`` does, and can be trained.

    ``pictures`` (BGR, one size, sides multiples of 32) are such as the network is used on: the normalisation is
    measured on them. Raises ``ValueError`` where the file is not of this network.
    """
    from models.recipes.torchvision_ops import mend

    mend()
    import torch
    from onnx import numpy_helper
    from torch import nn
    from ultralytics.nn.modules import Conv
    from ultralytics.nn.tasks import PoseModel

    network = PoseModel("yolo11n-pose.yaml", nc=kinds, data_kpt_shape=(4, 3), verbose=False).float().eval()
    graph = in_floats(weights).graph
    stored = {it.name: numpy_helper.to_array(it) for it in graph.initializer}
    if any(node.op_type == "Relu" for node in graph.node):
        rectified(network)
    last = len(network.model) - 1

    def placed(layer: Any, name: str) -> None:
        if f"{name}.weight" not in stored or stored[f"{name}.weight"].shape != tuple(layer.weight.shape):
            raise ValueError(f"{weights.name} has no {name} of this network's size: it is not a detector made here.")
        layer.weight.data = torch.from_numpy(stored[f"{name}.weight"].copy())
        layer.bias = nn.Parameter(torch.from_numpy(stored[f"{name}.bias"].copy()))

    folded = []
    for name, module in network.named_modules():
        _, _, rest = name.partition(".")
        layer, _, inner = rest.partition(".")
        where = f"head.{inner}" if layer == str(last) else f"body.{rest}"
        if where.startswith(("head.cv2", "head.dfl")):
            continue
        if isinstance(module, Conv):
            placed(module.conv, f"{where}.conv")
            folded.append((module.conv, module.bn))
        elif isinstance(module, nn.Conv2d) and not where.endswith(".conv"):
            placed(module, where)
    # The committed one takes bytes, blue first.
    network.model[0].conv.weight.data = network.model[0].conv.weight.data.flip(1) * 255

    def shown() -> None:
        for picture in pictures:
            network(torch.from_numpy(picture[..., ::-1].copy()).permute(2, 0, 1)[None].float() / 255)

    _normalise(folded, shown)
    network.task = "pose"  # or the library takes it for a plain detector, and its corners are not trained
    return network


def rectified(network: Any) -> Any:
    """The network with ReLU wherever it had SiLU: as a lean one is (`lean.py`). In place."""
    from torch import nn

    for module in network.modules():
        if isinstance(getattr(module, "act", None), nn.SiLU):
            module.act = nn.ReLU(inplace=True)
    return network


Given = NDArray[Any] | tuple[NDArray[Any], ...]
"""What a network is called with: an array, or several."""


def refilled(network: Any, weights: Path, batches: Sequence[Given]) -> Any:
    """A small network of these recipes, new from its maker, with what the ONNX file at ``weights`` has learned.

    ``batches`` are inputs such as it is used on. Layers whose normalisation was folded away have lost their names in
    the file; they are told by the order in which they are run, and the factors of products by where these come out.
    Raises ``ValueError`` where the file is of another network.
    """
    import torch
    from onnx import numpy_helper
    from torch import nn

    graph = in_floats(weights).graph
    stored = {it.name: torch.from_numpy(numpy_helper.to_array(it).copy()) for it in graph.initializer}
    nameless = [n.input for n in graph.node if n.op_type == "Conv" and n.input[1].startswith("onnx::")]
    network.eval()
    run: list[Any] = []
    kinds = (nn.Conv2d, nn.BatchNorm2d)
    hooks = [
        it.register_forward_hook(lambda module, *_: run.append(module))
        for it in network.modules()
        if isinstance(it, kinds)
    ]
    with torch.no_grad():
        network(*_tensors(batches[0]))
    for hook in hooks:
        hook.remove()
    folded = [(a, b) for a, b in pairwise(run) if isinstance(a, nn.Conv2d) and isinstance(b, nn.BatchNorm2d)]
    ours = [tuple(conv.weight.shape) for conv, _ in folded]
    if ours != [tuple(stored[names[1]].shape) for names in nameless]:
        raise ValueError(f"{weights.name} does not hold this network.")
    for (conv, _), names in zip(folded, nameless, strict=True):
        conv.weight.data, conv.bias = stored[names[1]], nn.Parameter(stored[names[2]])
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in stored:
            stored[f"{_layer(node.output[0])}.weight"] = stored[node.input[1]].T
    known = {id(it) for pair in folded for module in pair for it in (*module.parameters(), *module.buffers())}
    for name, value in (*network.named_parameters(), *network.named_buffers()):
        # ".1": called as an input of the network is.
        key = next((k for k in (name, f"model.{name}", f"{name}.1") if k in stored), None)
        if key is not None:
            value.data = stored[key].reshape(value.shape)
        elif id(value) not in known:
            raise ValueError(f"{weights.name} does not hold this network: it lacks {name}.")

    def shown() -> None:
        for batch in batches:
            network(*_tensors(batch))

    _normalise(folded, shown)
    return network


def _layer(output: str) -> str:
    """The layer that a product comes out of: ``/layers.0/thought/thought.2/MatMul_output_0`` of layers.0.thought.2."""
    *path, _ = output.strip("/").split("/")
    outer = [a for a, b in pairwise(path) if not b.startswith(f"{a}.")]
    return ".".join([*outer, path[-1]])


def _tensors(given: Given) -> list[Any]:
    import torch

    return [torch.from_numpy(it) for it in (given if isinstance(given, tuple) else (given,))]


def some_of(images: Picture, rng: np.random.Generator, count: int = 2048) -> Picture:
    """So many of the images (N x H x W x 3), or all where they are fewer, in their order."""
    return images[np.sort(rng.choice(len(images), min(count, len(images)), replace=False))]


def begun(network: Any, start_from: Path | None, batch: Callable[[], Given]) -> Any:
    """The network as a plan begins it: new, with a checkpoint's weights, or with a committed ONNX file's.

    On the processor still: measuring and loading come before it is moved to a GPU. ``batch`` gives inputs such as the
    network is used on; it is asked for an ONNX file alone.
    """
    import torch

    if start_from is not None and start_from.suffix == ".onnx":
        return refilled(network, start_from, [batch()])
    if start_from is not None:
        network.load_state_dict(torch.load(start_from, map_location="cpu"))
    return network


def _normalise(folded: Sequence[tuple[Any, Any]], shown: Callable[[], None]) -> None:
    """Move the bias of each of these convolutions into the normalisation after it, which then changes nothing else.

    ``shown`` runs the network over what it is used on.
    """
    import torch

    sums: list[list[Any]] = [[0.0, 0.0, 0] for _ in folded]
    hooks = []
    for (conv, norm), held in zip(folded, sums, strict=True):

        def counted(_module: Any, _given: Any, out: Any, held: list[Any] = held) -> None:
            held[0] = held[0] + out.double().sum((0, 2, 3))
            held[1] = held[1] + out.double().square().sum((0, 2, 3))
            held[2] += out.shape[0] * out.shape[2] * out.shape[3]

        hooks.append(conv.register_forward_hook(counted))
        hooks.append(norm.register_forward_hook(lambda _module, given, _out: given[0]))
    with torch.no_grad():
        shown()
    for hook in hooks:
        hook.remove()
    for (conv, norm), (total, squares, count) in zip(folded, sums, strict=True):
        mean = total / count
        spread = (squares / count - mean.square()).clamp(min=LEAST_SPREAD**2)
        norm.running_var.data, norm.weight.data = spread.float(), (spread + norm.eps).sqrt().float()
        norm.running_mean.data, norm.bias.data = (mean - conv.bias.double()).float(), mean.float()
        conv.bias = None


def boxes_round_corners() -> None:
    """From now on, pose networks are trained by the boxes round their corners; nothing is asked of the box branch."""
    import torch
    from ultralytics.nn.tasks import PoseModel
    from ultralytics.utils.loss import v8PoseLoss
    from ultralytics.utils.tal import make_anchors

    class CornersLoss(v8PoseLoss):  # type: ignore[misc]
        """The library's pose loss without its box part; who answers for what is settled by the corners."""

        def __init__(self, model: Any, *args: Any, **more: Any) -> None:
            super().__init__(model, *args, **more)
            self.bbox_loss = lambda distances, *_rest: (distances.sum() * 0, distances.sum() * 0)

        def bbox_decode(self, anchor_points: Any, pred_dist: Any) -> Any:
            """What `loss` put there: places x 4, in grid cells."""
            return pred_dist

        def loss(self, preds: dict[str, Any], batch: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
            """As the library's."""
            anchors, _ = make_anchors(preds["feats"], self.stride, 0.5)
            corners = preds["kpts"].detach().permute(0, 2, 1)
            corners = self.kpts_decode(anchors, corners.reshape(*corners.shape[:2], *self.kpt_shape))[..., :2]
            boxes = corners.float().flatten(2).unflatten(2, (-1, 2))
            round_ = [boxes.amin(2), boxes.amax(2)]
            boxed = {**preds, "boxes": torch.cat(round_, 2).permute(0, 2, 1)}
            total: tuple[Any, dict[str, Any]] = super().loss(boxed, batch)
            return total

    PoseModel.init_criterion = lambda self: CornersLoss(self)
