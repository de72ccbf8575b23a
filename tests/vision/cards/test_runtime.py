"""Opening networks: what the runtime does besides."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_the_networks_runtime_keeps_no_record_of_its_use_and_tells_nobody(tmp_path: Path) -> None:
    """From version 1.29 on ONNX Runtime gathers events in a data base among the user's caches and sends them."""
    quiet = {k: v for k, v in os.environ.items() if k not in ("CI", "ORT_RUNNING_UNIT_TESTS", "ORT_DISABLE_TELEMETRY")}
    opened = "from vision.cards.reader import CardReader; CardReader.load(None)"
    env = quiet | {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", opened], env=env, check=True, timeout=120)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
