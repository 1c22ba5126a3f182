"""Grades a small solution with small hidden tests, for real."""

import secrets
from pathlib import Path

from denominator.adapters.graders.clean_tree import CleanTree
from denominator.ports import GradeOrder, Limits
from denominator.records.packs import Task, Verify

LIMITS = Limits(
    wall_s=40,
    memory_bytes=256 << 20,
    processes=64,
    disk_bytes=64 << 20,
    file_bytes=16 << 20,
    open_files=256,
    output_bytes=1 << 20,
)
PYTEST_TESTS = "from sol import f\n\n\ndef test_f():\n    assert f(1) == 2\n\n\ndef test_g():\n    assert f(2) == 3\n"
UNITTEST_TESTS = """import unittest

from sol import f


class T(unittest.TestCase):
    def test_f(self):
        self.assertEqual(f(1), 2)

    def test_g(self):
        self.assertEqual(f(2), 3)
"""
TESTS = {"pytest": PYTEST_TESTS, "unittest": UNITTEST_TESTS}
IDS = {"pytest": ("test_a.py::test_f", "test_a.py::test_g"), "unittest": ("test_a.T.test_f", "test_a.T.test_g")}
RIGHT = "def f(x):\n    return x + 1\n"


def write(folder: Path, files) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


class Bench:
    """Grades one solution after another; `verify` overrides what the task says."""

    def __init__(self, sandbox, site, folder: Path, runner: str, pick=secrets.randbelow) -> None:
        self.sandbox, self.site, self.folder, self.runner, self.number, self.pick = (
            sandbox,
            site,
            folder,
            runner,
            0,
            pick,
        )

    def grade(self, solution: str | dict, hidden=None, timeout_s=30, **verify):
        self.number += 1
        here = self.folder / f"{self.runner}-{self.number}"
        files = solution if isinstance(solution, dict) else {"sol.py": solution}
        known = {"runner": self.runner, "level": "G2", "expected_tests": IDS.get(self.runner, ())}
        task = Task(
            id="t",
            title="",
            slice="solvable",
            expected="pass",
            reason="",
            license="",
            allowed=("**",),
            verify=Verify(**{**known, "timeout_s": timeout_s, **verify}),
        )
        order = GradeOrder(
            task=task,
            tree=write(here / "tree", files),
            hidden=write(here / "hidden", hidden or {"test_a.py": TESTS[self.runner]}),
            limits=LIMITS,
            python="/usr/bin/python3",
            site=str(self.site),
        )
        return CleanTree(self.pick).grade(order, self.sandbox)
