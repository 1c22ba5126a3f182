"""Exact laws of a paired difference against the bootstrap that people write: 2,000 tasks, standard library only.

The peer resamples 10,000 times in plain Python, one draw at a time, and sorts; it runs for `SHARE` of its draws and is
scaled. A second peer uses `random.choices`, the quickest the standard library has; its ratio is printed, not asserted.
Ours gives the interval of the bootstrap's own law *and* the exact test, without a draw. Run
`python benchmarks/bench_exact.py`; it exits 1 when a ratio is below its claim.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

from denominator.stats import bootstrap, mcnemar, sign_counts, sign_flip

TASKS, DRAWS, SHARE = 2000, 10_000, 20
ROUNDS = 5
RATIO_MIN = {1: 1000.0, 5: 100.0}


def pack(repeats: int) -> list[int]:
    """Passes of A less passes of B, task by task, with p = 0.6 and 0.5."""
    rng = random.Random(repeats)

    def passes(p: float) -> int:
        return sum(rng.random() < p for _ in range(repeats))

    return [passes(0.6) - passes(0.5) for _ in range(TASKS)]


def loop(diffs: list[int], repeats: int) -> tuple[float, float]:
    """Percentile bootstrap, one draw at a time."""
    rng, n = random.Random(7), len(diffs)
    means = sorted(sum(diffs[rng.randrange(n)] for _ in range(n)) / n / repeats for _ in range(DRAWS // SHARE))
    return means[len(means) * 25 // 1000], means[len(means) * 975 // 1000]


def choices(diffs: list[int], repeats: int) -> tuple[float, float]:
    """The same with `random.choices`."""
    rng, n = random.Random(7), len(diffs)
    means = sorted(sum(rng.choices(diffs, k=n)) / n / repeats for _ in range(DRAWS // SHARE))
    return means[len(means) * 25 // 1000], means[len(means) * 975 // 1000]


def exact(diffs: list[int], repeats: int) -> tuple[float, float]:
    """Interval of the exact bootstrap law and the exact test: McNemar for one draw a task, else sign-flip."""
    if repeats == 1:
        mcnemar(*sign_counts(diffs))
    else:
        sign_flip(diffs)
    interval = bootstrap(diffs, repeats)
    return interval.lo, interval.hi


def cpu_s(work: Callable[[], object], times: int) -> float:
    """Best processor seconds of some times; other programs on the machine do not count."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def measure(repeats: int) -> bool:
    """Print one row; True when the claim holds and both ways tell the same interval."""
    diffs = pack(repeats)
    rounds = []
    for _ in range(ROUNDS):
        slow, quick = (cpu_s(lambda peer=peer: peer(diffs, repeats), 1) * SHARE for peer in (loop, choices))
        rounds.append((cpu_s(lambda: exact(diffs, repeats), 9), slow, quick))
    ours, slow, quick = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio, least = statistics.median(slow / ours for ours, slow, _ in rounds), RATIO_MIN[repeats]
    print(f"K={repeats} N={TASKS}, median of {ROUNDS} rounds in turn: interval and test exactly {ours * 1e3:.2f} ms")
    print(f"     {DRAWS} draws, a plain loop  {slow * 1e3:7.0f} ms, ratio {ratio:5.0f} (at least {least:.0f})")
    print(f"     {DRAWS} draws, random.choices{quick * 1e3:7.0f} ms, ratio {quick / ours:5.0f}")
    apart = max(abs(a - b) for a, b in zip(exact(diffs, repeats), loop(diffs, repeats), strict=True))
    print(f"     largest gap between the ends {apart:.4f}, the sampling error of {DRAWS // SHARE} draws")
    return ratio >= RATIO_MIN[repeats] and apart < 0.006


def main() -> int:
    """Measure, print, compare."""
    held = [measure(repeats) for repeats in RATIO_MIN]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
