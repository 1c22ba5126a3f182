"""Reports that real runners wrote, with the statuses they left with: each ending must be read as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.readers.runners import RunnerInput, read_ending
from denominator.records.values import NotMeasured
from unit.readers.runners.table import DATA, ENDINGS, UNKNOWN, Ending, reading

NAMES = [f"{number}-{case.name}" for number, case in enumerate(ENDINGS)]
PASSES = [case for case in ENDINGS if case.ending == "passed"]
LAST = {".tap": b"\n1..", "jsonl": b'"passed": 1'}
"""After this, a format holds comments, or further suites without tests: a cut there takes nothing that counts."""


@pytest.mark.parametrize("case", ENDINGS, ids=NAMES)
def test_a_captured_ending_is_read_as_it_was(case: Ending) -> None:
    found = reading(case)
    assert found.ending == case.ending, found
    if case.counts is not None:
        counts = found.counts
        shown = (counts.passed, counts.failed, counts.errors, counts.skipped, counts.xfailed, counts.xpassed)
        assert shown == case.counts
    blames = UNKNOWN if isinstance(found.blames_patch, NotMeasured) else found.blames_patch
    assert blames == case.blames, found
    assert found.why and found.evidence[-1].source == "exit"


@pytest.mark.parametrize("case", [case for case in ENDINGS if case.report], ids=lambda case: case.name)
def test_neither_a_report_nor_a_status_is_a_pass_alone(case: Ending) -> None:
    report = (DATA / case.report).read_bytes()
    given = RunnerInput(reports=(report,), expected_n=case.expected_n, expected=case.expected)
    assert read_ending(given).ending != "passed"
    assert read_ending(replace(given, reports=(), exit=case.exit)).ending != "passed"


@pytest.mark.parametrize("case", PASSES, ids=lambda case: case.name)
def test_a_report_cut_anywhere_is_never_a_pass(case: Ending) -> None:
    data = (DATA / case.report).read_bytes().rstrip()
    expected = reading(case).ids.passed
    mark = LAST.get(case.report[-4:] if case.report.endswith(".tap") else case.report[-5:], b"")
    whole = data.rfind(mark) if mark in data else len(data)
    assert whole > 100
    for end in range(0, whole, max(whole // 60, 1)):
        for status in (0, 1):
            given = RunnerInput(exit=status, reports=(data[:end],), expected=expected, expected_n=case.expected_n)
            assert read_ending(given).ending != "passed", end


@pytest.mark.parametrize("case", PASSES, ids=lambda case: case.name)
def test_any_other_status_denies_a_clean_report(case: Ending) -> None:
    for status in (1, 2, 3, 4, 5, 100, 101, 124, 126, 127, 130, 137, 139, 255, -9, -15):
        assert reading(replace(case, exit=status)).ending != "passed"
