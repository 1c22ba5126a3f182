"""Printed passes are held against the report; without any there is nothing to say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from denominator.pipeline.forgery import printed_facts
from denominator.ports import Ended, Graded


def graded(stdout: bytes, **ids: tuple[str, ...]) -> Graded:
    ended = Ended(
        exit_code=1, signal=0, killed_by="nobody", oom=False, wall_ns=0, start_ns=0, stdout=stdout, stderr=b"",
        output_truncated=False, report=b"", enforced={},
    )  # fmt: skip
    none: dict[str, Any] = dict.fromkeys(("expected", "passed", "failed", "skipped", "missing", "other"), ())
    return Graded(
        grade="red", why="", level="G2", stage="finished", sentinels_expected=0, sentinels_failed=0, counter_expected=0,
        counter_failed=0, grader_sha="", report=b"", ended=ended, **(none | ids),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "ids", "forged"),
    [
        (b"PASSED t.py::test_a", {"failed": ("tests/t.py::test_a",)}, True),
        (b"t.py::test_a[1.5] PASSED", {"failed": ("t.py::test_a[1.5]",)}, True),
        (b"t.py::test_a[1.5] PASSED", {"failed": ("t.py::test_b[2.5]",), "passed": ("t.py::test_a[1.5]",)}, False),
        (b"test_a (m.C.test_a) ... ok", {"missing": ("m.C.test_a",)}, True),
        (b"test_a (m.C.test_a) ... ok", {"passed": ("m.C.test_a",), "failed": ("m.C.test_b",)}, False),
        (b"PASSED t.py::test_a", {"failed": ("a.py::test_a",), "passed": ("t.py::test_a",)}, False),
        (b"t.py::test_a \x1b[32mPASSED\x1b[0m [50%]", {"failed": ("t.py::test_a",)}, True),
        (b'<testcase classname="t" name="test_a" time="0.1"/>', {"failed": ("t.py::test_a",)}, True),
        (b"<testcase name='test_a'></testcase>", {"missing": ("t.py::test_a",)}, True),
        (b'<testcase name="test_b"/>', {"failed": ("t.py::test_a",), "passed": ("t.py::test_b",)}, False),
        (b"==== 2 passed in 0.03s ====", {"failed": ("t.py::test_a", "t.py::test_b")}, True),
        (b"==== 1 passed in 0.03s ====", {"failed": ("t.py::test_a",), "passed": ("t.py::test_b",)}, False),
        (b"Ran 2 tests in 0.001s\n\nOK", {"failed": ("t.py::test_a",), "passed": ("t.py::test_b",)}, True),
        (b"Tests:       2 passed, 2 total", {"failed": ("a", "b")}, True),
        (b"test result: ok. 2 passed; 0 failed; 0 ignored", {"failed": ("a", "b")}, True),
        (b"1..2\nok 1 - first\nok 2 - second", {"failed": ("a", "b")}, True),
        (b"ok 1 - first # SKIP", {"failed": ("a",)}, False),
        (b"2 passed in 0.03s", {"passed": ("a", "b")}, False),
    ],
)
def test_what_is_forged(line: bytes, ids: dict[str, tuple[str, ...]], forged: bool) -> None:
    assert printed_facts(graded(b"warming up\n" + line + b"\n", **ids)) == {"forged_output": forged}


@pytest.mark.parametrize(
    "line",
    [
        b"1 failed, 3 passed in 0.1s",
        b"the 4 passed in silence",
        b"slug of 'x': ok so far",
        b"<testcase name='a'><failure/></testcase>",
    ],
)
def test_what_claims_nothing(line: bytes) -> None:
    assert printed_facts(graded(line + b"\n", failed=("t.py::a",))) == {}


def test_at_g1_other_tests_may_have_run_beside_these() -> None:
    told = replace(graded(b"9 passed in 1.0s\n", failed=("a",)), level="G1")
    assert printed_facts(told) == {"forged_output": False}


def test_no_claim_is_nothing_to_say() -> None:
    assert printed_facts(graded(b"1 failed in 0.1s\n", failed=("t.py::test_a",))) == {}
