"""Opening a network file, with a sentence when it is missing or damaged."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

SHIPPED: Final = Path(str(files("models") / "weights"))
"""The folder of the networks that come with the package."""


class ModelError(RuntimeError):
    """A network file cannot be used; the text says which, why, and what to do."""


def fingerprint(path: Path) -> str:
    """By which what was made with one network is told from what was made with another."""
    return sha256(path.read_bytes()).hexdigest()[:12]


def open_network(path: Path, threads: int) -> Any:
    """An ONNX Runtime session on ``threads`` threads. Raises :class:`ModelError`."""
    if not path.is_file():
        raise ModelError(f"The network file {path.name} is missing from {path.parent}; {_repair(path)}.")
    import onnxruntime as ort

    ort.set_default_logger_severity(4)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Its threads spin for a while after each run, waiting for the next, on the cores that the other networks and OpenCV
    # need by then: on two cores that doubled both the time and the work of reading a picture (EXPERIMENTS, row 146).
    options.add_session_config_entry("session.force_spinning_stop", "1")
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(f"The network file {path.name} in {path.parent} is damaged; {_repair(path)}.") from error


def _repair(path: Path) -> str:
    return (
        "install tableside again" if path.parent == SHIPPED else "name the folder that holds it, or leave --weights out"
    )
