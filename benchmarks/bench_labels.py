"""One million ledger rows labelled in one process, in bounded memory, beside a plain loop that only parses the same JSON.

Rows of one kind are judged once (`pipeline/label_stream.py`); here 200 kinds of rows come in any order, each
with its own key, times and digests. Lines are made while they are read, so no file of gigabytes is needed. Asserted is the
ratio to the parsing loop over the same lines in the same run, and that memory does not grow with the number of rows. Seen:
0.92 of the time of the parsing loop, 38 MB. Run
`python benchmarks/bench_labels.py [ROWS]`; it exits 1 when a limit is passed.
"""

from __future__ import annotations

import io
import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from itertools import islice

from denominator.pipeline.label_stream import stream_labels
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, Failure, PatchFacts, Tally, TestIds
from denominator.records.seals import Terms
from denominator.wire.canonical import canonical

ROWS = 1_000_000
KINDS = 200
RATIO_MAX = 2.0
GROWTH_MB_MAX = 64
AT_ONCE = 64
PLACE = b"task-000000000"
TIME = b"1234567890"


def kinds() -> list[bytes]:
    """Lines of rows that end in different ways; the place and the time in them are replaced later."""
    pick = random.Random(7)
    return [canonical(_row(pick)) + b"\n" for _ in range(KINDS)]


def _row(pick: random.Random) -> AttemptRow:
    grade = pick.choice(["green", "red", "none"])
    ids = ("tests.test_a", "tests.test_b")
    cause = pick.choice(["provider_rate_limit", "disk_full", "grader_error", "oom_sandbox"])
    failed = Failure(seq=pick.randrange(10**6), cause=cause, writer="harness", phase=pick.choice(["agent", "verify"]))
    outside = ("setup.cfg",) if pick.random() < 0.1 else ()
    return AttemptRow(
        key=AttemptKey("run", PLACE.decode(), 1, 1),
        slice="solvable",
        started=True,
        closed=True,
        incarnations=1,
        grade=grade,
        killed_by=pick.choice(["nobody", "nobody", "budget_wall"]),
        agent_exit=pick.choice([0, 0, 1]),
        wall_ms=int(TIME),
        tests_hidden=True,
        tests=TestIds(expected=ids, passed=ids if grade == "green" else ids[:1], failed=ids[1:] * (grade == "red")),
        sentinels=Tally(expected=1, failed=1),
        patch=PatchFacts(
            sha256="a" * 64, bytes=pick.randrange(2) * 900, touched=("src/a.py", *outside), outside=outside
        ),
        first_unrecovered=failed if grade == "none" else None,
    )


class Lines(io.RawIOBase):
    """A ledger that is never held: line after line of some kind, each with its own key and time."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._left, self._begun = made(count), b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]
        """Fill with what comes next; 0 at the end."""
        while len(self._begun) < len(into) and (more := b"".join(islice(self._left, AT_ONCE))):
            self._begun += more
        found, self._begun = self._begun[: len(into)], self._begun[len(into) :]
        into[: len(found)] = found
        return len(found)


def made(count: int) -> Iterator[bytes]:
    """The lines."""
    known, pick = kinds(), random.Random(11)
    for number in range(count):
        line = known[pick.randrange(KINDS)]
        yield line.replace(PLACE, b"task-%09d" % number).replace(TIME, b"%d" % (10**9 + number))


def terms() -> Terms:
    """The terms of a made-up run."""
    return Terms(
        origin="seal", name="bench", digest="", invalid_ceiling="0.10", infra_ceiling="0.10", on_timeout="fail",
        scorer="tests", headline="headline", sentence="", repeats=1, attempts=1, retry_declared=True,
        grading_levels=("G2",), hidden_tests=True, controls_declared=True,
    )  # fmt: skip


def peak_mb() -> int:
    """The highest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(rows: int) -> int:
    """Print rows per second of both loops; 1 when labelling is too slow beside parsing, or memory grows."""
    warm = sum(1 for _ in stream_labels(Lines(rows // 10), "warm-up", terms()))  # type: ignore[arg-type]
    before = peak_mb()
    started = time.perf_counter()
    outcomes: dict[str, int] = {}
    for text in stream_labels(Lines(rows), "bench", terms()):  # type: ignore[arg-type]
        outcome = text[text.index('"outcome":"') + 11 :].split('"', 1)[0]
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    labelling = time.perf_counter() - started
    grown = peak_mb() - before
    started = time.perf_counter()
    parsed = sum(1 for line in islice(made(rows), rows) if json.loads(line))
    parsing = time.perf_counter() - started
    assert sum(outcomes.values()) == parsed == rows
    assert warm == rows // 10
    ratio = labelling / parsing
    print(f"{rows} rows, {KINDS} kinds: {', '.join(f'{name} {n}' for name, n in sorted(outcomes.items()))}")
    print(f"labelled  {labelling:7.1f} s  {rows / labelling:9.0f} rows/s  ({ratio:.2f} x parsing; limit {RATIO_MAX})")
    print(f"parsed    {parsing:7.1f} s  {rows / parsing:9.0f} rows/s")
    print(f"memory    {peak_mb()} MB at most, {grown} MB more than after a tenth of the rows (limit {GROWTH_MB_MAX})")
    return 1 if ratio > RATIO_MAX or grown > GROWTH_MB_MAX else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))
