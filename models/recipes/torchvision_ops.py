"""Makes ``import torchvision`` work beside a CPU build of torch. Training only.

The registry's torchvision is a CUDA build: beside CPU torch its import stops with "operator torchvision::nms does not
exist". Declaring the operators first lets the import pass, and Ultralytics' own NMS then stands in for the missing
kernel. Where torchvision is healthy this does nothing.
"""

from __future__ import annotations

from typing import Any

_library: Any = None


def mend() -> None:
    """Call before the first import of torchvision or ultralytics."""
    global _library
    import torch

    try:
        import torchvision

        return
    except RuntimeError as error:
        if "torchvision::nms" not in str(error):
            raise
    import sys

    for name in [m for m in sys.modules if m == "torchvision" or m.startswith("torchvision.")]:
        del sys.modules[name]
    _library = torch.library.Library("torchvision", "FRAGMENT")
    _library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import torchvision
    from ultralytics.utils.nms import TorchNMS

    torchvision.ops.nms = TorchNMS.nms
    torchvision.ops.boxes.nms = TorchNMS.nms
