"""Exit 0 when the task is done once: `check.py TASK`."""

import os
import sys

lines = open("ledger.txt").read().splitlines() if os.path.exists("ledger.txt") else []
sys.exit(0 if lines == ["effect " + sys.argv[1]] else 1)
