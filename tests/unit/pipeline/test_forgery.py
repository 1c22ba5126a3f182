"""Printed passes are held against the report; without any there is nothing to say."""

from __future__ import annotations

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
    ],
)
def test_what_is_forged(line: bytes, ids: dict[str, tuple[str, ...]], forged: bool) -> None:
    assert printed_facts(graded(b"warming up\n" + line + b"\n", **ids)) == {"forged_output": forged}


def test_no_claim_is_nothing_to_say() -> None:
    assert printed_facts(graded(b"1 failed in 0.1s\n", failed=("t.py::test_a",))) == {}
