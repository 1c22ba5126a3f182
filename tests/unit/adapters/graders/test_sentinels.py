"""Sentinels fail whatever the solution is, and cannot be told by their names."""

import random
import types
import unittest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.graders.sentinels import COUNT, make_sentinels

IDS = ["test_money.Rounding.test_half_even"]


@given(st.integers(0, 1 << 30), st.sampled_from(["unittest", "pytest"]))
def test_each_one_fails_when_it_runs(seed, runner):
    made = make_sentinels(runner, ["test_money.py"], IDS, random.Random(seed).randrange)
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
    many = [make_sentinels("pytest", [], ["test_zebra.T.test_quagga"], random.Random(n).randrange) for n in range(40)]
    ids = [s.id for made in many for s in made]
    assert len(set(ids)) == len(ids)
    assert any("zebra" in id_ or "quagga" in id_ for id_ in ids)
