"""What all tests share: how many examples are drawn, and that a slow one on a busy machine is no failure.

The same examples are drawn each time, so that a change is judged by what it changes. ``TABLESIDE_THOROUGH=1 pytest``
draws new ones, and ten times as many wherever a test does not say how many: that is how rare faults are looked for.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=40, derandomize=True, **COMMON)
settings.register_profile("thorough", max_examples=400, **COMMON)
settings.load_profile("thorough" if os.environ.get("TABLESIDE_THOROUGH") else "quick")
