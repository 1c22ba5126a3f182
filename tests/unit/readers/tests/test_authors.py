"""Whose tests passed: by the files of the ids, by what the command names, by all files of tests."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.tests import VisibleTests, written_by_agent
from denominator.records.values import NotMeasured

BASE = ("bill.py", "tests/__init__.py", "tests/test_old.py")
MINE = ("bill.py", "tests/test_new.py")


def wrote(**changed: Any) -> bool | NotMeasured:
    return written_by_agent(VisibleTests(**{"base": BASE, "written": MINE, **changed}))


@pytest.mark.parametrize(
    ("ids", "mine"),
    [
        (("tests/test_new.py::test_a",), True),
        (("tests.test_new.BillTest.test_a",), True),
        (("tests.test_new.BillTest::test_a",), True),
        (("test_new.BillTest.test_a", "tests.test_new.BillTest.test_b"), True),
        (("tests/test_old.py::test_a",), False),
        (("tests.test_new.T.test_a", "tests.test_old.T.test_a"), False),
    ],
)
def test_ids_are_held_against_the_files_that_hold_them(ids: tuple[str, ...], mine: bool) -> None:
    assert wrote(ids=ids) is mine
    assert wrote(ids=ids, command="python3 -m unittest tests.test_old") is mine, "ids outrank the command"


@pytest.mark.parametrize("one", ["does it round?", "tests.test_newer.T.test_a", "other/test_new.py::a", "test"])
def test_an_id_of_no_known_file_leaves_it_open(one: str) -> None:
    assert isinstance(wrote(ids=("tests.test_new.T.a", one)), NotMeasured)


def test_two_files_that_may_hold_an_id_must_both_be_the_agents() -> None:
    twice = (*BASE, "more/test_new.py")
    assert wrote(base=twice, ids=("test_new.T.a",)) is False
    assert wrote(base=twice, ids=("tests.test_new.T.a",)) is True


@pytest.mark.parametrize(
    ("command", "mine"),
    [
        ("/usr/bin/python3 -B -m unittest tests.test_new", True),
        ("pytest -q ./tests/test_new.py", True),
        ("pytest tests/test_new.py::test_a", True),
        ("python3 -m unittest tests.test_new.BillTest.test_a", True),
        ("python3 -m unittest tests.test_new tests.test_old", False),
        ("python3 -m unittest tests.test_newest", False),
        ("python3 -m unittest discover -s tests", False),
        ("make test", False),
        ("", False),
    ],
)
def test_without_ids_the_command_says_what_ran(command: str, mine: bool) -> None:
    assert wrote(command=command) is mine


def test_a_script_of_the_repository_is_its_authors() -> None:
    assert wrote(base=(*BASE, "check.sh"), command="sh check.sh") is False
    assert wrote(base=(*BASE, "check.sh"), written=("check.sh",), command="sh check.sh") is True


def test_a_test_file_that_was_rewritten_is_the_agents_and_one_that_is_gone_is_nobodys() -> None:
    assert wrote(written=("tests/test_old.py",)) is True
    assert wrote(removed=("tests/test_old.py",)) is True
    assert isinstance(wrote(written=("bill.py",), removed=("tests/test_old.py",)), NotMeasured)
    assert isinstance(wrote(base=("bill.py",), written=("bill.py",)), NotMeasured)


NAMES = st.sampled_from(("tests/test_a.py", "tests/test_b.py", "a_test.py", "src/a.py", "tests/util.py", "x.test.ts"))


@given(st.frozensets(NAMES), st.frozensets(NAMES), st.frozensets(NAMES), st.text(max_size=40))
def test_it_is_never_said_of_an_agent_that_wrote_nothing(
    base: frozenset[str], written: frozenset[str], removed: frozenset[str], command: str
) -> None:
    assert written_by_agent(VisibleTests(base=base, written=(), removed=removed, command=command)) is not True
    said = written_by_agent(VisibleTests(base=base, written=written, removed=removed, command=command))
    if said is True:
        more = VisibleTests(base={*base, "tests/test_c.py"} - removed, written=written, removed=removed, command="")
        assert written_by_agent(more) is False, "a test that was there before"
