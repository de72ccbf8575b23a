"""Two networks of one build mixed: every number so far from the one's to the other's.

    python -m models.recipes.mixed FIRST.onnx SECOND.onnx --share 0.55 --out MIXED.onnx

What goes on learning from other pictures forgets some of what it knew; between the two lie networks that know both
(Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def mixed(first: Any, second: Any, share: float) -> Any:
    """The ONNX model ``first`` with its floating numbers ``share`` (0 to 1) of the way to those of ``second``.

    Raises ``ValueError`` where the two are not of one build.
    """
    from onnx import ModelProto, numpy_helper

    numbers = [[numpy_helper.to_array(it) for it in model.graph.initializer] for model in (first, second)]
    if _wiring(first) != _wiring(second) or [n.shape for n in numbers[0]] != [n.shape for n in numbers[1]]:
        raise ValueError("these are not two trainings of one network: their layers differ")
    if any(n.dtype.itemsize == 1 for n in numbers[0]):
        raise ValueError("these are reckoned in bytes: mix them as they were before that")
    out = ModelProto()
    out.CopyFrom(first)
    for it, a, b in zip(out.graph.initializer, *numbers, strict=True):
        if a.dtype.kind == "f":
            it.CopyFrom(numpy_helper.from_array((a * (1 - share) + b * share).astype(a.dtype), it.name))
    return out


def _wiring(model: Any) -> list[tuple[str, list[str]]]:
    """Each layer's kind and what it is given; what it learned is called by its number, as names may differ."""
    called = {it.name: str(k) for k, it in enumerate(model.graph.initializer)}
    return [(node.op_type, [called.get(name, name) for name in node.input]) for node in model.graph.node]


def main() -> None:
    """Mix two files into a third."""
    import onnx
    from google.protobuf.message import DecodeError

    ask = argparse.ArgumentParser(prog="python -m models.recipes.mixed", description=__doc__.split("\n")[0])
    ask.add_argument("first", type=Path)
    ask.add_argument("second", type=Path)
    ask.add_argument("--share", type=float, default=0.5, help="0: the first; 1: the second (0.5)")
    ask.add_argument("--out", type=Path, required=True)
    a = ask.parse_args()
    if not 0 <= a.share <= 1:
        ask.error(f"--share {a.share:g}: from 0 (the first network) to 1 (the second).")
    try:
        onnx.save(mixed(onnx.load(a.first), onnx.load(a.second), a.share), a.out)
    except (ValueError, OSError, DecodeError) as error:
        ask.error(f"{a.first} and {a.second}: {error}")


if __name__ == "__main__":
    main()
