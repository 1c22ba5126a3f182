"""The decision over one grading, pure: a pass is proved, not presumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.adapters.graders.frames import Report, read_frames
from denominator.adapters.graders.reports import ReportError, read_report
from denominator.ports import Ended

SIGNS = {
    "budget_wall": "it ran out of time",
    "verify_timeout": "it ran out of time",
    "kernel_oom": "it ran out of memory",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What only the harness knows: ids that must pass, ids that must fail, sentinels of this grading, its secret."""

    expected: tuple[str, ...]
    counter: tuple[str, ...] = ()
    sentinels: tuple[str, ...] = ()
    nonce: str
    level: str
    exit_code_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The grade with its reason, and every id where it belongs."""

    grade: str
    why: str
    stage: str
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    sentinels_failed: int = 0
    counter_failed: int = 0
    solution_caused: bool = False
    broken: str = ""


@dataclass(frozen=True, slots=True)
class _Verdict:
    grade: str
    why: str
    solution_caused: bool = False
    broken: bool = False


def decide(expect: Expectation, ended: Ended, solution: Ended | None = None) -> Decision:
    """Green only if every expected id passed, no other id appeared, the exit status agrees, and every sentinel and
    counter-test failed, in a report that is whole and carries this grading's secret. `solution` is how the solution's
    own sandbox ended (G3): that never makes a grading better, it says why one is red."""
    report = read_frames(ended.report, expect.nonce, expect.level)
    words, unreadable = _words(report)
    verdict = _fallen(_verdict(expect, report, words, ended, unreadable), solution)
    why = "".join(char if char.isprintable() else " " for char in verdict.why)[:1000]
    known = {*expect.expected, *expect.counter, *expect.sentinels}

    def having(word: str) -> tuple[str, ...]:
        return tuple(id_ for id_ in expect.expected if words.get(id_) == word)

    return Decision(
        grade=verdict.grade,
        why=why,
        stage=_stage(report),
        passed=having("passed"),
        failed=having("failed"),
        skipped=having("skipped"),
        missing=tuple(id_ for id_ in expect.expected if id_ not in words),
        other=tuple(sorted(_seen(report, words) - known)),
        sentinels_failed=sum(words.get(id_) == "failed" for id_ in expect.sentinels),
        counter_failed=sum(words.get(id_) == "failed" for id_ in expect.counter),
        solution_caused=verdict.solution_caused,
        broken=why if verdict.broken else "",
    )


def _verdict(expect: Expectation, report: Report, words: Mapping[str, str], ended: Ended, unreadable: str) -> _Verdict:
    """The first clause that applies; the harness's own faults first, then lies, then crashes, then results."""
    for verdict in (
        _harness_fault(expect, report, ended),
        _lie(expect, report, words, ended),
        _crash(report, ended),
        _unreadable(unreadable),
        _not_proved(expect, report, words),
    ):
        if verdict is not None:
            return verdict
    return _Verdict("green", "every expected test passed, every test that must fail failed")


def _harness_fault(expect: Expectation, report: Report, ended: Ended) -> _Verdict | None:
    """Only what happened before the solution could act, or what the harness did itself."""
    why = ""
    if ended.start_error:
        why = f"the sandbox did not start the grader: {ended.start_error}"
    elif ended.killed_by == "harness_stop":
        why = "the harness stopped the grading"
    elif not report.hello:
        why = f"the grader said nothing ({_how(ended)})"
    elif report.broken:
        why = f"the grader cannot run the hidden tests: {report.broken}"
    elif not expect.expected and not expect.exit_code_only:
        why = "the task names no expected test"
    return _Verdict("none", why, broken=True) if why else None


def _lie(expect: Expectation, report: Report, words: Mapping[str, str], ended: Ended) -> _Verdict | None:
    """The report contradicts itself or holds what no honest run reports."""
    strange = sorted(_seen(report, words) - {*expect.expected, *expect.counter, *expect.sentinels})
    must_fail = (*expect.sentinels, *expect.counter)
    cheerful = [id_ for id_ in expect.sentinels if words.get(id_) in ("passed", "skipped")]
    skipped = [id_ for id_ in expect.counter if words.get(id_) == "skipped"]
    all_pass = all(words.get(id_) == "passed" for id_ in expect.expected)
    both = [id_ for id_ in expect.counter if words.get(id_) == "passed"] if all_pass else []
    if report.forged or report.lied:
        why = report.forged or report.lied
    elif strange and not expect.exit_code_only:
        why = f"{len(strange)} tests that nobody expects were reported, {strange[0]} first"
    elif cheerful or skipped:
        why = f"{len(cheerful) + len(skipped)} of {len(must_fail)} tests that must fail did not"
    elif both:
        why = f"all expected tests passed, and so did {len(both)} tests that a right solution must fail"
    elif report.end is not None and ended.signal == 0 and ended.exit_code != report.end:
        why = f"the report ends with status {report.end}, the process with {ended.exit_code}"
    else:
        return None
    return _Verdict("tampered", why)


def _crash(report: Report, ended: Ended) -> _Verdict | None:
    """After hello no ending is the harness's: a missing report is the solution's doing."""
    if report.end is not None and ended.signal == 0 and ended.killed_by in ("nobody", "self"):
        return None
    what = report.crash or (_last_line(report.errors) if not report.results else "")
    return _Verdict(
        "red", f"the grading came to no end: {_how(ended)}{': ' if what else ''}{what}", solution_caused=True
    )


def _unreadable(why: str) -> _Verdict | None:
    return _Verdict("red", why, solution_caused=True) if why else None


def _not_proved(expect: Expectation, report: Report, words: Mapping[str, str]) -> _Verdict | None:
    """What is short of a pass."""
    bad = [id_ for id_ in expect.expected if words.get(id_) != "passed"]
    quiet = [id_ for id_ in (*expect.sentinels, *expect.counter) if words.get(id_) != "failed"]
    clean = not report.errors and all(word == "passed" for word in words.values())
    if bad:
        cause = f"; {_last_line(report.errors)}" if report.errors else ""
        why = f"{len(bad)} of {len(expect.expected)} expected tests did not pass, {bad[0]} first{cause}"
    elif quiet:
        why = f"{len(quiet)} tests that must fail did not run"
    elif expect.exit_code_only and report.end != 0:
        why = f"the command left with status {report.end}"
    elif (report.end == 0) != clean:
        why = f"the runner's exit status {report.end} does not agree with its results"
    else:
        return None
    return _Verdict("red", why)


def _fallen(verdict: _Verdict, solution: Ended | None) -> _Verdict:
    """A solution whose sandbox ended before the tests did (crash, kill, flood, out of memory) has not passed them."""
    if verdict.grade not in ("green", "red") or solution is None or solution.killed_by == "harness_stop":
        return verdict
    fell = solution.signal or solution.exit_code or solution.killed_by not in ("nobody", "self")
    if not fell and not (solution.oom and verdict.grade == "red"):
        return verdict
    how = SIGNS["kernel_oom"] if solution.oom else _how(solution)
    return _Verdict("red", f"{verdict.why}; the solution's sandbox: {how}", solution_caused=True)


def _words(report: Report) -> tuple[Mapping[str, str], str]:
    """One word an id, the worst one seen; and why a report file could not be read."""
    if report.file is not None:
        try:
            return read_report(*report.file), ""
        except ReportError as error:
            return {}, str(error)
    order = ("failed", "skipped", "passed")
    return {id_: next(word for word in order if word in words) for id_, words in report.results.items()}, ""


def _seen(report: Report, words: Mapping[str, str]) -> set[str]:
    return {*words, *(report.collected or ())}


def _last_line(errors: list[str]) -> str:
    """The end of a traceback says what it was."""
    return errors[0].strip().rpartition("\n")[2] if errors else ""


def _stage(report: Report) -> str:
    if report.end is not None:
        return "finished"
    if report.collected is not None:
        return "collected"
    return "runner_started" if report.hello else "not_started"


def _how(ended: Ended) -> str:
    if ended.killed_by in SIGNS:
        return SIGNS[ended.killed_by]
    if ended.killed_by not in ("nobody", "self"):
        return f"killed by {ended.killed_by}"
    return f"signal {ended.signal}" if ended.signal else f"exit status {ended.exit_code}"
