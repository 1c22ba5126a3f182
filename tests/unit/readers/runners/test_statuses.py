"""Exit statuses beside a harness's own numbers, beside nothing, and beside what the front end printed."""

from __future__ import annotations

import pytest

from denominator.readers.runners import RunnerInput, read_ending
from denominator.readers.runners.kinds import RUNNERS, runner_of
from denominator.records.facts import TestCounts as Counts
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding as E


def counted(runner: str, status: int, expected: int = 3, text: bytes = b"", **numbers: int) -> E:
    counts = Counts(**numbers)
    given = RunnerInput(runner=runner, exit=status, counts=counts, expected_n=expected, text=text)
    return read_ending(given).ending


PYTEST = [
    (0, {"passed": 3, "failed": 0, "errors": 0}, E.PASSED),
    (0, {"passed": 2, "failed": 0, "errors": 0}, E.INCOMPLETE),
    (0, {"passed": 4, "failed": 0, "errors": 0}, E.INCOMPLETE),
    (0, {"passed": 2, "skipped": 1}, E.INCOMPLETE),
    (0, {"passed": 2, "xpassed": 1}, E.INCOMPLETE),
    (0, {"xpassed": 3}, E.INCOMPLETE),
    (0, {"passed": 2, "failed": 1}, E.DISAGREES),
    (0, {"passed": 2, "errors": 1}, E.DISAGREES),
    (0, {"passed": 0, "failed": 0, "errors": 0}, E.NOTHING_RAN),
    (0, {"skipped": 3}, E.ALL_SKIPPED),
    (0, {"skipped": 1, "xfailed": 2}, E.ALL_SKIPPED),
    (0, {"xfailed": 3}, E.ALL_XFAILED),
    (1, {"passed": 2, "failed": 1}, E.ASSERTION_FAILED),
    (1, {"passed": 0, "failed": 1, "errors": 2}, E.ASSERTION_FAILED),
    (1, {"passed": 0, "failed": 0, "errors": 3}, E.ERRORS_ONLY),
    (1, {"passed": 3, "failed": 0}, E.DISAGREES),
    (2, {"passed": 0, "failed": 0, "errors": 1}, E.COLLECTION_ERROR),
    (2, {"passed": 2, "failed": 0, "errors": 0}, E.INCOMPLETE),
    (3, {"passed": 0, "failed": 0, "errors": 0}, E.INTERNAL_ERROR),
    (3, {"passed": 3, "failed": 0, "errors": 0}, E.INTERNAL_ERROR),
    (4, {"passed": 0, "failed": 0, "errors": 0}, E.USAGE_ERROR),
    (4, {"passed": 3}, E.DISAGREES),
    (5, {"passed": 0, "failed": 0, "errors": 0}, E.NOTHING_RAN),
    (5, {"passed": 3}, E.DISAGREES),
    (0, {"passed": -3}, E.INCOMPLETE),
]


@pytest.mark.parametrize(("status", "numbers", "ending"), PYTEST)
def test_pytest_by_its_numbers(status: int, numbers: dict[str, int], ending: E) -> None:
    assert counted("pytest", status, **numbers) == ending


@pytest.mark.parametrize("status", [0, 1, 2, 5])
@pytest.mark.parametrize("runner", [runner.name for runner in RUNNERS])
def test_no_test_is_never_a_pass(runner: str, status: int) -> None:
    assert counted(runner, status, expected=0, passed=0, failed=0) != E.PASSED
    assert counted(runner, status, expected=0) != E.PASSED


ALONE = [
    ("pytest", 0, b"", E.UNKNOWN),
    ("pytest", 0, b"3 passed in 0.1s", E.UNKNOWN),
    ("pytest", 1, b"", E.INCOMPLETE),
    ("pytest", 2, b"", E.COLLECTION_ERROR),
    ("pytest", 2, b"!!!!!!!!!! KeyboardInterrupt !!!!!!!!!!", E.INCOMPLETE),
    ("pytest", 3, b"", E.INTERNAL_ERROR),
    ("pytest", 4, b"", E.USAGE_ERROR),
    ("pytest", 5, b"", E.NOTHING_RAN),
    ("pytest", 1, b"worker 'gw1' crashed while running 'a.py::b'", E.WORKER_CRASHED),
    ("unittest", 0, b"Ran 0 tests in 0.000s\n\nOK", E.NOTHING_RAN),
    ("unittest", 1, b"ImportError: Failed to import test module: test_a", E.COLLECTION_ERROR),
    ("unittest", 5, b"", E.NOTHING_RAN),
    ("node", 9, b"node: bad option: --tset", E.USAGE_ERROR),
    ("go", 0, b"?   \texample.test/a\t[no test files]", E.NOTHING_RAN),
    ("go", 1, b"FAIL\texample.test/a [build failed]", E.BUILD_FAILED),
    ("go", 1, b"panic: test timed out after 10m0s", E.TEST_TIMEOUT),
    ("go", 2, b"flag provided but not defined: -josn", E.USAGE_ERROR),
    ("cargo", 101, b"", E.INCOMPLETE),
    ("cargo", 101, b"error: could not compile `a` (lib)", E.BUILD_FAILED),
    ("cargo", 101, b"error: no matching package named `b` found", E.INCOMPLETE),
    ("cargo-nextest", 4, b"", E.NOTHING_RAN),
    ("cargo-nextest", 101, b"", E.BUILD_FAILED),
    ("cargo-nextest", 102, b"", E.USAGE_ERROR),
    ("cargo-nextest", 104, b"", E.INTERNAL_ERROR),
    ("cargo-nextest", 105, b"", E.INTERNAL_ERROR),
    ("jest", 1, b"No tests found, exiting with code 1", E.NOTHING_RAN),
    ("vitest", 1, b"No test files found, exiting with code 1", E.NOTHING_RAN),
    ("maven", 1, b"[ERROR] COMPILATION ERROR : ", E.BUILD_FAILED),
    ("maven", 1, b"[ERROR] Could not resolve dependencies for project a", E.INCOMPLETE),
    ("maven", 1, b"[ERROR] The forked VM terminated without saying goodbye", E.WORKER_CRASHED),
    ("maven", 1, b"[ERROR] No tests were executed!", E.NOTHING_RAN),
    ("maven", 1, b"[ERROR] There are test failures.", E.INCOMPLETE),
    ("gradle", 1, b"Execution failed for task ':compileJava'.", E.BUILD_FAILED),
    ("command", 0, b"", E.UNKNOWN),
    ("command", 1, b"", E.UNKNOWN),
    ("something-new", 1, b"", E.UNKNOWN),
    ("pytest", 126, b"", E.COMMAND_MISSING),
    ("command", 127, b"", E.COMMAND_MISSING),
    ("pytest", 124, b"", E.INCOMPLETE),
    *((runner, status, b"", E.SIGNAL) for runner in ("pytest", "go", "command")
      for status in (130, 134, 136, 137, 139, 141, 143, 152, -9, -11, -15)),
]  # fmt: skip


@pytest.mark.parametrize(("runner", "status", "text", "ending"), ALONE)
def test_a_status_without_a_report(runner: str, status: int, text: bytes, ending: E) -> None:
    found = read_ending(RunnerInput(runner=runner, exit=status, text=text, expected_n=3))
    assert found.ending == ending, found.why


def test_a_text_counts_only_beside_its_status() -> None:
    said = b"error: could not compile `a` (lib)\nFAIL\ta [build failed]\n3 errors during collection\nINTERNALERROR> x"
    for runner in RUNNERS:
        plain = read_ending(RunnerInput(runner=runner.name, exit=77)).ending
        assert read_ending(RunnerInput(runner=runner.name, exit=77, text=said)).ending == plain
        assert read_ending(RunnerInput(runner=runner.name, text=said)).ending == E.UNKNOWN


def test_nothing_known_is_unknown() -> None:
    found = read_ending(RunnerInput())
    assert found.ending == E.UNKNOWN and isinstance(found.blames_patch, NotMeasured)
    assert found.ids.passed == () and isinstance(found.counts.passed, NotMeasured)


def test_a_told_signal_wins_over_a_whole_report() -> None:
    counts = Counts(passed=3, failed=0)
    found = read_ending(RunnerInput(runner="pytest", exit=0, signal=9, counts=counts, expected_n=3))
    assert found.ending == E.SIGNAL and "KILL" in found.why


def test_124_after_tests_is_a_timeout_of_the_tests() -> None:
    assert counted("pytest", 124, passed=2) == E.TEST_TIMEOUT


def test_a_crash_with_a_healthy_baseline_points_at_the_patch() -> None:
    def blames(status: int, collects: bool | NotMeasured) -> object:
        given = RunnerInput(runner="pytest", exit=status, touched=("src/a.py",), baseline_collects=collects)
        return read_ending(given).blames_patch

    assert blames(139, True) is True and blames(134, True) is True and blames(-11, True) is True
    assert isinstance(blames(137, True), NotMeasured) and isinstance(blames(139, False), NotMeasured)


def test_harness_numbers_must_not_deny_the_report() -> None:
    report = b'<testsuite><testcase name="a"/><testcase name="b"/></testsuite>'
    red = RunnerInput(exit=1, reports=(report.replace(b'"b"/>', b'"b"><failure/></testcase>'),))
    assert read_ending(RunnerInput(exit=0, reports=(report,), counts=Counts(passed=2), expected_n=2)).ending == E.PASSED
    assert (
        read_ending(RunnerInput(exit=0, reports=(report,), counts=Counts(passed=0, failed=2), expected_n=2)).ending
        == E.DISAGREES
    )
    assert read_ending(red).ending == E.ASSERTION_FAILED
    assert (
        read_ending(RunnerInput(exit=1, reports=red.reports, counts=Counts(passed=2, failed=0), expected_n=2)).ending
        == E.DISAGREES
    )


def test_names_and_aliases_are_unique_and_known() -> None:
    names = [name for runner in RUNNERS for name in (runner.name, *runner.aliases)]
    assert len(names) == len(set(names)) and all(name == name.lower() for name in names)
    assert runner_of("Python -m pytest").name == "pytest" and runner_of("who knows").name == "command"


def test_every_sign_means_something() -> None:
    from denominator.readers.runners.conclude import BY_KIND

    for runner in RUNNERS:
        for sign in runner.signs:
            assert sign.kind in BY_KIND or sign.kind in set(E), (runner.name, sign)
