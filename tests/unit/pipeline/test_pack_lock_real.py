"""Locking with the real sandbox and grader: a small pack, its gold, and a twin that is green already."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from denominator.adapters.box import SystemBox
from denominator.adapters.clock import SystemClock
from denominator.adapters.graders.clean_tree import CleanTree
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.errors import BlockedError
from denominator.packs import load_pack, verify_lock
from denominator.pipeline.baselines import DEFAULT_TERMS, Bench
from denominator.pipeline.packs import lock_pack, verify_pack
from unit.packs.making import add_task, edit, make_pack, write

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(not os.access("/usr/bin/python3", os.X_OK), reason="no toolchain for the sandbox"),
]

TEST = """\
import unittest

import sut


class {name}(unittest.TestCase):
    def {test}(self):
        self.assertEqual(sut.call("adder.core:add", 2, 2), {want})
"""
HIDDEN = {
    "hidden/test_sum_even.py": TEST.format(name="SumTest", test="test_big_numbers", want=4),
    "hidden/test_opposite.py": TEST.format(name="OppositeTest", test="test_wrong_sum", want=5),
}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    root = make_pack(tmp_path / "tiny")
    write(root / "tasks/sums", HIDDEN)
    return root


def lock(root: Path):
    sandbox = Bubblewrap()
    try:
        facts = sandbox.facts(DEFAULT_TERMS)
        if not facts.usable:
            pytest.skip(facts.why_not)
        bench = Bench(grader=CleanTree(), sandbox=sandbox, clock=SystemClock())
        return lock_pack(root, bench, box=SystemBox().read(root, "/usr/bin/python3"), concurrency=2)
    finally:
        sandbox.close()


def test_a_sound_pack_is_locked(pack):
    locked = lock(pack)
    assert verify_lock(load_pack(pack)).holds
    assert {(run.on, run.grade) for run in locked.lock.baseline.runs} == {("base", "red"), ("gold", "green")}
    assert len(locked.lock.baseline.runs) == 6


def test_green_already_and_red_gold_are_named(pack):
    green = add_task(pack, "green")
    write(green, HIDDEN)
    write(green, {"repo/adder/core.py": "def add(left, right):\n    return left + right\n"})
    write(green, {"gold.patch": "--- a/adder/core.py\n+++ b/adder/core.py\n@@ -1,2 +1,2 @@\n def add(left, right):\n"
                                "-    return left + right\n+    return left + right + 1\n"})  # fmt: skip
    with pytest.raises(BlockedError) as caught:
        lock(pack)
    (problem,) = caught.value.problems
    assert (
        "PL008" in problem.what
        and "green" in problem.what
        and "base green" in problem.what
        and "gold red" in problem.what
    )
    assert not (pack / "pack.lock").exists()


RANDOM = """\
import os
import unittest

import sut


class SumTest(unittest.TestCase):
    def test_big_numbers(self):
        self.assertEqual(sut.call("adder.core:add", 2, 2), 4 if os.urandom(1)[0] % 2 else 5)
"""


def test_a_test_that_throws_a_coin_is_flaky_and_its_pack_does_not_hold(pack):
    write(pack / "tasks/sums", {"hidden/test_sum_even.py": RANDOM})
    sandbox = Bubblewrap()
    try:
        bench = Bench(grader=CleanTree(), sandbox=sandbox, clock=SystemClock())
        if not sandbox.facts(DEFAULT_TERMS).usable:
            pytest.skip(sandbox.facts(DEFAULT_TERMS).why_not)
        box = SystemBox().read(pack, "/usr/bin/python3")
        # Never both results in 20 gradings: once in half a million times.
        check = verify_pack(load_pack(pack), bench, box=box, repeats=20, concurrency=4)
    finally:
        sandbox.close()
    (task,) = check.tasks
    assert (check.holds, task.verdict) == (False, "FLAKY_TEST")
    assert {tree.on: (tree.red == 20, bool(tree.unstable)) for tree in task.trees} == {
        "base": (True, False),
        "gold": (False, True),
    }


def test_a_counter_test_that_gold_passes_keeps_a_pack_from_being_locked(pack):
    edit(pack / "tasks/sums/task.toml", '"G2"', '"G3"')
    write(pack / "tasks/sums", {"hidden/test_opposite.py": HIDDEN["hidden/test_opposite.py"].replace("5)", "4)")})
    with pytest.raises(BlockedError) as caught:
        lock(pack)
    assert "gold tampered" in caught.value.problems[0].what
    assert "and so did 1 test" in str(caught.value.problems[0])


@pytest.mark.e2e
def test_generated_counter_tests_are_checked_on_gold(pack):
    edit(pack / "tasks/sums/task.toml", '"G2"', '"G3"\ngenerated_counter_tests = true')
    assert lock(pack).lock.baseline.runs[-1].grade == "green"
    tests = HIDDEN["hidden/test_sum_even.py"].replace("unittest.TestCase):", f"unittest.TestCase):\n{BLIND}")
    write(pack / "tasks/sums", {"hidden/test_sum_even.py": tests})
    edit(pack / "pack.toml", "1.0.0", "1.0.1")
    with pytest.raises(BlockedError) as caught:
        lock(pack)
    assert "gold tampered" in caught.value.problems[0].what


# A check of the pack's own that never fails: what is made from it shows that.
BLIND = "    def assertEqual(self, one, other):\n        sut.call('adder.core:add', 1, 1)\n"
