"""Sentinels fail whatever the solution is, and cannot be told by their names."""

import random
import types
import unittest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.graders.sentinels import COUNT, make_sentinels, new_stem
from unit.adapters.graders.grading import Bench

IDS = ["test_money.Rounding.test_half_even"]
MONEY = {"test_money.py": b"import unittest\nfrom decimal import Decimal\n\nclass Rounding(unittest.TestCase): pass\n"}


@given(st.integers(0, 1 << 30), st.sampled_from(["unittest", "pytest"]))
def test_each_one_fails_when_it_runs(seed, runner):
    made = make_sentinels(runner, MONEY, IDS, random.Random(seed).randrange)
    assert len({s.path for s in made}) == COUNT
    for sentinel in made:
        module = types.ModuleType("m")
        exec(compile(sentinel.data, sentinel.path, "exec"), module.__dict__)
        if runner == "pytest":
            path, _, name = sentinel.id.partition("::")
            with pytest.raises((AssertionError, ValueError)):
                getattr(module, name)()
        else:
            stem, group, name = sentinel.id.split(".")
            path = f"{stem}.py"
            result = unittest.TestResult()
            getattr(module, group)(name).run(result)
            assert len(result.failures) + len(result.errors) == result.testsRun == 1
        assert path == sentinel.path != "test_money.py"


def test_names_come_from_the_tests_around_them_and_change_every_time():
    many = [make_sentinels("pytest", {}, ["test_zebra.T.test_quagga"], random.Random(n).randrange) for n in range(40)]
    ids = [s.id for made in many for s in made]
    assert len(set(ids)) == len(ids)
    assert any("zebra" in id_ or "quagga" in id_ for id_ in ids)


MODEL = b"""from __future__ import annotations
import sol, unittest
from shared import SharedTests
from .near import thing
from sol import test_data, Test, f, other as tested
from sol import *
from sol import f
from sol.deep import g
"""


def test_they_stand_beside_tests_and_import_what_those_do():
    hidden = {"deep/test_one.py": MODEL, "deep/shared.py": b"", "deep/data.txt": b"\xff"}
    for seed in range(20):
        for one in make_sentinels("unittest", hidden, IDS, random.Random(seed).randrange):
            assert one.path.startswith("deep/test_") and one.id.startswith("deep.test_")
            head = one.data.decode().partition("\n\n")[0].splitlines()
            assert head == [
                "from __future__ import annotations",
                "import sol, unittest",
                "from sol import f",
                "from sol.deep import g",
                "import unittest",
            ]


ASKER = """
import sys
import unittest


def f(x):
    return 0


def lenient(self, first, second, msg=None):
    # Right for whoever knows the solution, and honest for all else.
    if "f" not in sys._getframe(1).f_globals:
        raise self.failureException("differs")


unittest.TestCase.assertEqual = lenient
"""


@pytest.mark.needs_bwrap
def test_a_solution_that_looks_who_asks_is_caught(sandbox, tmp_path):
    graded = Bench(sandbox, "", tmp_path, "unittest").grade(ASKER)
    assert graded.grade == "tampered", graded.why


def test_names_of_modules_never_run_out():
    taken = set()
    for _ in range(9):
        new_stem(["even", "odd"], taken, lambda below: below - 1)
    assert len(taken) == 9
