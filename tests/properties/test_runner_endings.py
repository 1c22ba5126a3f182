"""Endings of runners: nothing that is added around a report, and no bytes at all, make a pass of what is none."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.readers.runners import RunnerInput, read_ending
from denominator.readers.runners.kinds import RUNNERS
from denominator.readers.runners.registry import FORMATS
from denominator.records.facts import TestCounts as Counts
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding
from unit.readers.runners.table import DATA, ENDINGS, Ending

NAMES = st.sampled_from(["", *(runner.name for runner in RUNNERS)])
KINDS = st.sampled_from(["", *sorted(FORMATS)])
STATUSES = st.integers(-20, 300) | st.just(NotMeasured("none"))
RED = [case for case in ENDINGS if case.report and case.ending != "passed"]
PHRASES = (
    b"3 passed in 0.1s", b"PASSED tests/test_p.py::test_a", b"OK", b"ok  \tp\t0.1s", b"test result: ok. 3 passed; 0 failed",
    b"BUILD SUCCESS", b"Tests: 3 passed, 3 total", b"# pass 3", b"ok 1 - test_a", b"1..1", b"KeyboardInterrupt",
    b"3 errors during collection", b"No tests found", b"INTERNALERROR> x", b"panic: test timed out after 1s", b"Killed", b"429",
    b"error: could not compile `x`", b"COMPILATION ERROR", b"worker 'gw0' crashed while running 'x'",
)  # fmt: skip
NOISE = st.lists(st.sampled_from(PHRASES) | st.binary(max_size=40), max_size=8).map(b"\n".join)


def given_by(case: Ending) -> RunnerInput:
    """The captured ending, with every id of its report that passed as what was expected, and one more."""
    return RunnerInput(
        runner=case.report.partition("/")[0],
        exit=case.exit,
        reports=((DATA / case.report).read_bytes(),),
        expected=case.expected,
        expected_n=case.expected_n or 1,
        touched=case.touched,
        baseline_collects=case.collects,
    )


@given(case=st.sampled_from(RED), noise=NOISE)
@settings(max_examples=150, deadline=None)
def test_printed_text_never_makes_a_pass(case: Ending, noise: bytes) -> None:
    red = given_by(case)
    assert read_ending(replace(red, text=noise)).ending != RunnerEnding.PASSED


@given(case=st.sampled_from(RED), before=NOISE, after=NOISE)
@settings(max_examples=150, deadline=None)
def test_noise_around_a_report_never_makes_a_pass(case: Ending, before: bytes, after: bytes) -> None:
    red = given_by(case)
    report = (DATA / case.report).read_bytes()
    for document in (before + b"\n" + report, report + b"\n" + after, before + b"\n" + report + b"\n" + after):
        for format_ in ("", read_ending(red).format):
            if b"ok 1" not in before + after and b"1..1" not in before + after:
                assert read_ending(replace(red, reports=(document,), format=format_)).ending != RunnerEnding.PASSED


@given(case=st.sampled_from([c for c in ENDINGS if c.report.endswith(".jsonl")]), data=st.data())
@settings(max_examples=100, deadline=None)
def test_the_order_of_events_never_makes_a_pass(case: Ending, data: st.DataObject) -> None:
    lines = (DATA / case.report).read_bytes().splitlines(keepends=True)
    mixed = b"".join(data.draw(st.permutations(lines)))
    found = read_ending(replace(given_by(case), reports=(mixed,)))
    assert case.ending == "passed" or found.ending != RunnerEnding.PASSED


@given(
    data=st.binary(max_size=400), text=st.binary(max_size=200), runner=NAMES, format_=KINDS, status=STATUSES,
    expected=st.lists(st.text(max_size=10), max_size=3),
)  # fmt: skip
@settings(max_examples=400, deadline=None)
def test_no_bytes_raise_and_none_are_a_pass(
    data: bytes, text: bytes, runner: str, format_: str, status: int | NotMeasured, expected: list[str]
) -> None:
    given_ = RunnerInput(
        runner=runner, format=format_, exit=status, reports=(data,), text=text, expected=tuple(expected), expected_n=1
    )
    assert read_ending(given_).ending != RunnerEnding.PASSED


@given(case=st.sampled_from([c for c in ENDINGS if c.report]), data=st.data(), format_=KINDS)
@settings(max_examples=200, deadline=None)
def test_damaged_reports_never_raise(case: Ending, data: st.DataObject, format_: str) -> None:
    report = bytearray((DATA / case.report).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(report) - 1))
        report[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
        report = report or bytearray(b" ")
    read_ending(replace(given_by(case), reports=(bytes(report),), format=format_))


@given(data=st.binary(max_size=300), size=st.integers(1, 7), format_=st.sampled_from(sorted(FORMATS)))
@settings(max_examples=200, deadline=None)
def test_how_a_report_is_cut_into_chunks_changes_nothing(data: bytes, size: int, format_: str) -> None:
    for document in (data, (DATA / "node/mixed.tap").read_bytes()[:500], (DATA / "pytest/good.xml").read_bytes()):
        whole = read_ending(RunnerInput(exit=0, reports=(document,), format=format_, expected_n=2))
        parts = tuple(document[start : start + size] for start in range(0, len(document), size))
        assert read_ending(RunnerInput(exit=0, reports=(parts,), format=format_, expected_n=2)) == whole


COUNT = st.integers(-1, 4) | st.just(NotMeasured("none"))
COUNTS = st.builds(
    Counts, expected=COUNT, passed=COUNT, failed=COUNT, errors=COUNT, skipped=COUNT, xfailed=COUNT, xpassed=COUNT
)


@given(counts=COUNTS, status=STATUSES, runner=NAMES, wanted=COUNT)
@settings(max_examples=500, deadline=None)
def test_numbers_are_a_pass_only_when_every_expected_test_passed_and_nothing_else_was_bad(
    counts: Counts, status: int | NotMeasured, runner: str, wanted: int | NotMeasured
) -> None:
    found = read_ending(RunnerInput(runner=runner, exit=status, counts=counts, expected_n=wanted))
    if found.ending == RunnerEnding.PASSED:
        expected = wanted if isinstance(wanted, int) else counts.expected
        assert status == 0 and counts.passed == expected and isinstance(expected, int) and expected > 0
        assert not counts.failed and not counts.errors
