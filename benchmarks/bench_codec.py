"""Strict JSON Lines: the fast path (msgspec) against the plain path (stdlib), over the same bytes in one run.

The plain path is the limit to beat: it makes every check with the standard library alone. Run
`python benchmarks/bench_codec.py`; it exits 1 when the fast path is not at least twice as fast.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, TestIds
from denominator.wire.canonical import canonical
from denominator.wire.strict import SLOW, fast, plain

ROWS = 2000
ROUNDS = 11
RATIO_MIN = 2.0


def rows() -> list[bytes]:
    """Ledger rows with some test ids, as a run writes them."""
    ids = tuple(f"tests/test_module.py::TestCase::test_behaviour_{n}" for n in range(20))
    return [
        canonical(
            AttemptRow(
                key=AttemptKey("run-1", f"task-{n}"),
                slice="solvable",
                wall_ms=n,
                tests=TestIds(expected=ids, passed=ids[n % 20 :], failed=ids[: n % 20]),
                notes=('a "quoted" \\ note', "été"),
            )
        )
        for n in range(ROWS)
    ]


def cpu_s(read: Callable[[bytes], Any], lines: list[bytes]) -> float:
    """Processor seconds for all rows; other programs on the machine do not count."""
    start = time.process_time()
    for line in lines:
        read(line)
    return time.process_time() - start


def fast_row(line: bytes) -> Any:
    """One row by the fast path, which must not give up."""
    value = fast(line, "decimal")
    if value is SLOW:
        raise SystemExit("the fast path refused a row; is msgspec installed?")
    return value


def plain_row(line: bytes) -> Any:
    """One row by the plain path."""
    return plain(line, "decimal")[0]


def main() -> int:
    """Measure, print, compare."""
    lines = rows()
    megabytes = sum(map(len, lines)) / 1e6
    if any(fast_row(line) != plain_row(line) for line in lines):
        raise SystemExit("the two paths differ")
    rounds = [(cpu_s(fast_row, lines), cpu_s(plain_row, lines)) for _ in range(ROUNDS)]
    quick, slow = (statistics.median(times) for times in zip(*rounds, strict=True))
    ratio = statistics.median(slow / quick for quick, slow in rounds)
    print(f"rows {len(lines)}, {megabytes:.1f} MB, median of {ROUNDS} rounds, the paths in turn")
    print(f"fast  {quick * 1e3:8.1f} ms {megabytes / quick:7.1f} MB/s")
    print(f"plain {slow * 1e3:8.1f} ms {megabytes / slow:7.1f} MB/s")
    print(f"ratio {ratio:.2f} (at least {RATIO_MIN})")
    return 0 if ratio >= RATIO_MIN else 1


if __name__ == "__main__":
    sys.exit(main())
