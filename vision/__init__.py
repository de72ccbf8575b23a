"""Pixels in, typed sightings out. Knows no game and no money; imports nothing of ``advisor``."""

import os

# Nothing leaves this machine: the networks' runtime would tell its maker of its use (on Linux from version 1.29 on),
# unless this is set before it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
