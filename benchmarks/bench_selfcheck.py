"""What `selfcheck --quick` costs: processor time, against `python -c "import click"` on the same machine.

It shall be done in ten seconds of one idle core; because machines differ and others may be busy, what is asserted is the
processor time as a multiple of the peer's, runs alternating. The load of the machine stands beside the figures. Run
`python benchmarks/bench_selfcheck.py`, with `--full` also the whole check (no limit: it waits for sandboxes); it exits 1
when the quick one costs more than 250 times the peer (ten seconds where the peer takes 40 ms).
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time

ROUNDS = 3
RATIO_MAX = 250
PEER = ("-c", "import click")
QUICK = ("-m", "denominator", "selfcheck", "--quick", "--json")
FULL = ("-m", "denominator", "selfcheck", "--json")


def cost(args: tuple[str, ...]) -> tuple[float, float]:
    """Processor seconds (user and system) and wall seconds of one process."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.monotonic() - began


def main() -> int:
    """Print the medians; 1 when the quick check is too slow for what the peer costs here."""
    cost(PEER)
    pairs = [(cost(PEER), cost(QUICK)) for _ in range(ROUNDS)]
    peer = statistics.median(one[0][0] for one in pairs)
    used, wall = (statistics.median(one[1][at] for one in pairs) for at in (0, 1))
    load = os.getloadavg()[0]
    print(
        f"selfcheck --quick: {used:.1f} s of a core, {wall:.1f} s of wall, {used / peer:.0f} x click, load {load:.1f}"
    )
    if "--full" in sys.argv:
        used_full, wall_full = cost(FULL)
        print(f"selfcheck: {used_full:.1f} s of a core, {wall_full:.1f} s of wall, load {os.getloadavg()[0]:.1f}")
    print(f"median of {ROUNDS}; limit {RATIO_MAX} x click: {'exceeded' if used / peer > RATIO_MAX else 'kept'}")
    return 1 if used / peer > RATIO_MAX else 0


if __name__ == "__main__":
    sys.exit(main())
