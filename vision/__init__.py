"""Pixels in, typed sightings out. Knows no game and no money; imports nothing of ``advisor``."""

import os

# What is seen stays on this machine: the runtime of the networks would tell its maker about its use, from version 1.29 on
# Linux as well, unless this stands there before it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
