"""``python -m advisor.cli``: the same as ``tableside``."""

import sys

from advisor.cli import main

sys.exit(main())
