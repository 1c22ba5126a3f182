"""Counter-tests made from the tests themselves fail on a right solution, and pass only for one that equals everything."""

import ast
import random
import sys
import types
import unittest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.graders.inverted import COUNT_MAX, make_counter_tests, other_value
from unit.adapters.graders.grading import IDS, RIGHT, TESTS, Bench

TEXT = """import unittest
from sol import f
LIMIT = 5

class T(unittest.TestCase):
    def setUp(self):
        self.base = 1
    def test_plain(self):
        self.assertEqual(f(self.base), 2)
        self.assertEqual(f(LIMIT), 6)
    def test_shapes(self):
        with open("/dev/null"):
            self.assertEqual([f(1), {"a": f(2)}], [2, {"a": 3}])
    def test_loop(self):
        for n in (1, 2):
            self.assertEqual(f(n), n + 1)
    def test_branch(self):
        if f(1) == 3:
            self.assertEqual(f(1), 3)
    def test_caught(self):
        with self.assertRaises(ValueError):
            self.assertEqual(f("x"), 2)
    def test_none(self):
        self.assertIsNone(None)
    @unittest.skip("no")
    def test_decorated(self):
        self.assertEqual(f(1), 2)
"""
ALL = [f"test_t.T.test_{name}" for name in ("plain", "shapes", "loop", "branch", "caught", "none", "decorated")]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


MEDIAN = """import unittest
from sol import median

class T(unittest.TestCase):
    def test_even(self):
        self.assertEqual(median([4, 1, 3, 2]), 2.5)
    def test_two(self):
        self.assertEqual(median([2, 1]), 1.5)
"""
PLAUSIBLE = """class Plausible(float):
    def __eq__(self, other):
        return other in self.could
    __hash__ = float.__hash__

def median(xs):
    found = Plausible(sorted(xs)[len(xs) // 2])
    found.could = {*xs, *((a + b) / 2 for a in xs for b in xs)}
    return found
"""


def made_of(text, ids, runner="unittest", seed=1, path="test_t.py"):
    return make_counter_tests(runner, {path: text.encode()}, ids, random.Random(seed).randrange)


def run(test, solution):
    """The results of a made module, its solution being `solution`."""
    sys.modules["sol"] = types.ModuleType("sol")
    exec(solution, sys.modules["sol"].__dict__)
    module = types.ModuleType(test.path.removesuffix(".py"))
    exec(compile(test.data, test.path, "exec"), module.__dict__)
    result = unittest.TestResult()
    unittest.TestLoader().loadTestsFromModule(module).run(result)
    return result


@given(values, st.integers(0, 1 << 30))
def test_another_value_is_never_equal_and_is_a_literal(value, seed):
    other = other_value(value, random.Random(seed).randrange)
    assert other != value
    assert ast.literal_eval(repr(other)) == other


@pytest.mark.parametrize("seed", range(12))
def test_only_lines_that_always_run_are_inverted(seed):
    made = made_of(TEXT, ALL, seed=seed)
    assert len(made) == 2
    assert len({one.id for one in made} | set(ALL)) == 2 + len(ALL)
    for one in made:
        result = run(one, RIGHT)
        assert (result.testsRun, len(result.failures), result.errors) == (1, 1, [])
        lies = run(
            one, "class E(int):\n    __eq__ = lambda s, o: True\n    __hash__ = None\ndef f(x):\n    return E(1)\n"
        )
        assert (lies.testsRun, lies.failures, lies.errors) == (1, [], [])
        assert one.id.partition(".")[0] == one.path.removesuffix(".py") != "test_t"


@pytest.mark.parametrize(
    "text",
    [
        "def load_tests(*a): return None\n" + TEXT,
        TEXT.replace("unittest.TestCase)", "Base)"),
        TEXT + "\nsetattr(T, 'test_more', lambda self: None)\n",
        TEXT + "\nfor n in (1, 2):\n    pass\n",
        "from shared import TestMore\n" + TEXT,
        "from shared import *\n" + TEXT,
        "this is no Python",
    ],
)
def test_a_module_that_may_hold_more_tests_than_one_sees_is_left_alone(text):
    assert made_of(text, ALL) == ()


def test_names_change_and_folders_stay():
    ids = [
        one.id
        for seed in range(30)
        for one in made_of(TEXT, ["deep.test_t.T.test_plain"], seed=seed, path="deep/test_t.py")
    ]
    assert len(set(ids)) == 30 and all(id_.startswith("deep.test_") for id_ in ids)


def test_there_is_an_end_to_them():
    many = "".join(f"def test_{n}():\n    assert len('x') == 1\n" for n in range(40))
    made = made_of(many, [f"test_t.py::test_{n}" for n in range(40)], runner="pytest")
    assert len(made) == COUNT_MAX


EQUAL = "from unittest import mock\n\n\ndef f(x):\n    return mock.ANY\n"


@pytest.mark.needs_bwrap
@pytest.mark.parametrize("runner", ["unittest", "pytest"])
def test_a_real_grading_makes_and_judges_them(sandbox, site, tmp_path, runner):
    bench = Bench(sandbox, site, tmp_path, runner)
    hidden = {"test_a.py": TESTS[runner]}
    right = bench.grade(RIGHT, hidden, generated_counter_tests=True)
    assert (right.grade, right.counter_expected, right.counter_failed) == ("green", 2, 2), right.why
    assert right.expected == IDS[runner]
    lies = bench.grade(EQUAL, hidden, generated_counter_tests=True)
    assert (lies.grade, lies.counter_failed) == ("tampered", 0), lies.why
    assert bench.grade(EQUAL, hidden).grade == "green"  # nothing else of this pack shows it


APART = """import unittest

import sut


class T(unittest.TestCase):
    def test_f(self):
        self.assertEqual(sut.call("sol:f", 1), 2)
"""


@pytest.mark.needs_bwrap
def test_they_are_asked_apart_too(sandbox, tmp_path):
    bench = Bench(sandbox, "", tmp_path, "unittest")
    right = bench.grade(
        RIGHT, {"test_a.py": APART}, level="G3", expected_tests=IDS["unittest"][:1], generated_counter_tests=True
    )
    assert (right.grade, right.counter_expected, right.counter_failed) == ("green", 1, 1), right.why


@pytest.mark.needs_bwrap
def test_a_value_equal_to_all_that_is_plausible_is_equal_to_none(sandbox, tmp_path):
    """It fails every absurd expectation, and so every counter-test that is one; asked about what is near it gives itself away."""
    bench = Bench(sandbox, "", tmp_path, "unittest", pick=lambda below: below - 1)
    ids = ("test_a.T.test_even", "test_a.T.test_two")
    common = {"hidden": {"test_a.py": MEDIAN}, "expected_tests": ids}
    for more in ({}, {"generated_counter_tests": True}):
        found = bench.grade(PLAUSIBLE, **common, **more)
        assert found.grade == "tampered" and "a value of class Plausible" in found.why
