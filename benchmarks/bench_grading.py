"""Grading one small solution at G3 (two sandboxes) beside G2 (one), and both beside the bare command, in turn in one process.

The same cases are asked each time through `sut`, a fresh process for each of 8 sessions: at G3 in a sandbox of its own, at G2
beside the tests. A third side has tests at G2 that import the solution, which starts no process at all; the bare command is
`python -m unittest` of those, no sandbox, nothing checked. The clock is what an attempt waits for; processor time is of all
processes of a side. Run `python benchmarks/bench_grading.py` on a machine with nothing else to do; it exits 1 when the same
tests take more than 1.3 times as long at G3 as at G2, or more than 1.4 times as long as tests that import the solution
(docs/decisions/0018, "Costs", says which part of that cannot go).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from denominator.adapters.graders.clean_tree import CleanTree
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.ports import GradeOrder, Limits
from denominator.records.packs import Task, Verify

ROUNDS = 25
RATIO_MAX = {"G2": 1.3, "G2 in process": 1.4}
PR_SET_CHILD_SUBREAPER = 36
PYTHON = "/usr/bin/python3"
MB = 1 << 20
LIMITS = Limits(
    wall_s=60,
    memory_bytes=256 * MB,
    processes=64,
    disk_bytes=64 * MB,
    file_bytes=16 * MB,
    open_files=256,
    output_bytes=65536,
)
SOLUTION = "def total(values):\n    return sum(values)\n"
TESTS = """import unittest

{head}


class Totals(unittest.TestCase):
    def test_values(self):
        for values, expected in (([], 0), ([1], 1), ([1, 2], 3), ([5, -5], 0), ([7, 8, 9], 24)):
            self.assertEqual({call}values), expected)

    def test_large(self):
        self.assertEqual({call}[10**12] * 3), 3 * 10**12)

    def test_negative(self):
        self.assertEqual({call}[-1, -2]), -3)


class Wrong(unittest.TestCase):
    def test_wrong_on_purpose(self):
        self.assertEqual({call}[2, 2]), 5)
"""
ASKED = ("import sut", 'sut.call("work:total", ')
HEADS = {"G2 in process": ("import work", "work.total("), "G2": ASKED, "G3": ASKED}
Took = tuple[float, float]


def order(folder: Path, side: str) -> GradeOrder:
    """The order of one grading, its files in `folder`."""
    head, call = HEADS[side]
    tree, hidden = folder / "tree", folder / f"hidden-{side}"
    for each in (tree, hidden):
        each.mkdir(exist_ok=True)
    (tree / "work.py").write_text(SOLUTION)
    (hidden / "test_totals.py").write_text(TESTS.format(head=head, call=call))
    verify = Verify(
        runner="unittest",
        timeout_s=60,
        level=side[:2],
        expected_tests=tuple(f"test_totals.Totals.test_{name}" for name in ("values", "large", "negative")),
        counter_tests=("test_totals.Wrong.test_wrong_on_purpose",),
    )
    task = Task(
        id="t", title="", slice="solvable", expected="pass", reason="", license="MIT", allowed=("**",), verify=verify
    )
    return GradeOrder(task=task, tree=tree, hidden=hidden, limits=LIMITS, python=PYTHON, site="")


def graded(box: Bubblewrap, what: GradeOrder) -> None:
    """One grading, which must be green."""
    found = CleanTree().grade(what, box)
    if (found.grade, found.level) != ("green", what.task.verify.level):
        raise SystemExit(f"{found.level}: {found.grade}, {found.why}")


def bare(what: GradeOrder) -> None:
    """The tests without anything around them (the wrong one fails)."""
    env = {"PYTHONPATH": f"{what.tree}:{what.hidden}", "PATH": "/usr/bin:/bin"}
    command = [PYTHON, "-B", "-m", "unittest", "test_totals"]
    done = subprocess.run(command, cwd=what.hidden, env=env, capture_output=True, check=False)
    if done.returncode != 1:
        raise SystemExit("the bare command does not work")


def took(act: Callable[[], None]) -> Took:
    """Milliseconds of the clock, and of the processors for all processes of ours: a sandbox's are ours to reap."""
    used, start = _processor(), time.perf_counter()
    act()
    clock = time.perf_counter() - start
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, 0)[0]:
            pass
    return clock * 1e3, (_processor() - used) * 1e3


def _processor() -> float:
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def main() -> int:
    """Measure, print, compare."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "orphans cannot be reaped")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        orders = {side: order(folder, side) for side in HEADS}
        box = Bubblewrap(python=PYTHON)
        sides: dict[str, Callable[[], None]] = {
            "bare command": lambda: bare(orders["G2 in process"]),
            "G2 in process": lambda: graded(box, orders["G2 in process"]),
            "G2": lambda: graded(box, orders["G2"]),
            "G3": lambda: graded(box, orders["G3"]),
        }
        for act in sides.values():
            act()
        rounds = [{side: took(act) for side, act in sides.items()} for _ in range(ROUNDS)]
        box.close()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {ROUNDS} rounds in turn")
    for side in sides:
        clock, processor = zip(*(each[side] for each in rounds), strict=True)
        line = f"{side}: clock median {statistics.median(clock):6.1f} ms (least {min(clock):.1f})"
        print(f"{line}, processor median {statistics.median(processor):6.1f} ms")
    for side in ("G2 in process", "G2", "G3"):
        ratio(rounds, side, "bare command")
    found = {other: ratio(rounds, "G3", other) for other in RATIO_MAX}
    return 0 if all(found[other] <= most for other, most in RATIO_MAX.items()) else 1


def ratio(rounds: list[dict[str, Took]], one: str, other: str) -> float:
    """The median over the rounds of one side's clock to another's, printed."""
    clock = statistics.median(each[one][0] / each[other][0] for each in rounds)
    processor = statistics.median(each[one][1] / max(each[other][1], 1e-3) for each in rounds)
    print(f"{one} to {other}: {clock:.2f} of the clock, {processor:.2f} of processor time (medians of pairs)")
    return clock


if __name__ == "__main__":
    sys.exit(main())
