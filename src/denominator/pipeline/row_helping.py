"""The program of a process that reads one range of a ledger file for another one."""

from __future__ import annotations

import sys

from denominator.pipeline.row_helpers import help_out

if __name__ == "__main__":
    help_out(sys.argv[1:])
