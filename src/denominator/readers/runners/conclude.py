"""The decision over one ending, pure: structured report first, exit status second, and both must agree."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.readers.runners.kinds.shape import OK, RED, Runner
from denominator.readers.runners.said import also, first_line, hints, worker_said
from denominator.readers.runners.shape import (
    FAILED,
    PASSED,
    SKIPPED,
    XFAILED,
    XPASSED,
    Report,
    ReportedIds,
    RunnerInput,
    Trouble,
)
from denominator.readers.runners.signals import NAMES, NOT_STARTED, TIMEOUT_STATUS
from denominator.readers.runners.weighing import bad_in, cases_in, errors_in, expected_n, kinds_of, only_flaky, unproved
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding as E

BY_KIND = {
    "worker": E.WORKER_CRASHED,
    "timeout": E.TEST_TIMEOUT,
    "build": E.BUILD_FAILED,
    "internal": E.INTERNAL_ERROR,
    "dependency": E.INCOMPLETE,
    "collection": E.COLLECTION_ERROR,
    "setup": E.ERRORS_ONLY,
}
"""What troubles alone make of a run, the most telling first."""
GENUINE = ("assertion", "raised")


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The ending, the sentence, the troubles that it rests on, and the signal (0: none)."""

    ending: E
    why: str
    troubles: tuple[Trouble, ...] = ()
    signal: int = 0


def conclude(given: RunnerInput, runner: Runner, report: Report | None, ids: ReportedIds, signal: int) -> Conclusion:
    """The first of: who ended it, what could not start, what the report and the status say together."""
    if signal:
        return _by_signal(given, runner, report, signal)
    status = given.exit
    cases = cases_in(report)
    if isinstance(status, int) and status in NOT_STARTED and not cases:
        return Conclusion(E.COMMAND_MISSING, f"exit status {status}: {NOT_STARTED[status]}")
    if status == TIMEOUT_STATUS and not runner.meaning(TIMEOUT_STATUS):
        ending = E.TEST_TIMEOUT if cases else E.INCOMPLETE
        where = f"after {cases} tests were reported" if cases else "before any test was reported"
        return Conclusion(ending, f"exit status 124: a time limit ended the runner {where}")
    if report is None:
        return _without_report(given, runner)
    if report.exit is not None and isinstance(status, int) and report.exit != status:
        return Conclusion(E.DISAGREES, f"the report ends with status {report.exit}, the runner left with {status}")
    return _with_report(given, runner, report, ids)


def _by_signal(given: RunnerInput, runner: Runner, report: Report | None, signal: int) -> Conclusion:
    name = NAMES.get(signal, "")
    what = f"signal {signal}{f' ({name})' if name else ''} ended the runner"
    how = f"{what} with {cases_in(report)} tests reported" if report is not None else f"{what}; no report is there"
    troubles = (*(report.troubles if report else ()), *hints(given, runner))
    return Conclusion(E.SIGNAL, how, troubles, signal)


def _without_report(given: RunnerInput, runner: Runner) -> Conclusion:
    """Only a status, with what the front end printed beside it: never a pass."""
    status = given.exit
    if isinstance(status, NotMeasured):
        return Conclusion(E.UNKNOWN, "neither a report nor an exit status is known")
    said = hints(given, runner)
    meaning = runner.meaning(status)
    sign = next((hint for hint in said if hint.kind), None)
    if meaning == OK:
        if sign is not None and sign.kind == E.NOTHING_RAN:
            return Conclusion(E.NOTHING_RAN, f"exit status 0, and {runner.name} said that nothing ran", said)
        return Conclusion(E.UNKNOWN, "exit status 0 without a report proves no pass", said)
    if meaning not in ("", RED):
        ending = E(meaning)
        if sign is not None and sign.kind == E.INCOMPLETE:
            return Conclusion(E.INCOMPLETE, f"exit status {status}: {runner.name} was interrupted", said)
        return Conclusion(ending, f"exit status {status} of {runner.name} without a report{also(said)}", said)
    if sign is not None:
        ending = BY_KIND.get(sign.kind) or E(sign.kind)
        return Conclusion(ending, f"exit status {status}, and {runner.name} said: {first_line(sign.text)}", said)
    ending = E.INCOMPLETE if runner.name != "command" else E.UNKNOWN
    return Conclusion(ending, f"exit status {status}, and no report says what ran", said)


def _with_report(given: RunnerInput, runner: Runner, report: Report, ids: ReportedIds) -> Conclusion:
    status = given.exit
    bad = bad_in(report)
    meaning = "" if isinstance(status, NotMeasured) else runner.meaning(status)
    if meaning not in ("", OK, RED):
        return _by_status(given, runner, report, E(meaning))
    if status == 0:
        if bad and only_flaky(report):
            why = f"{report.flaky[0][:300]} failed, and passed on another try"
            return Conclusion(E.INCOMPLETE, why, report.troubles)
        if bad:
            return Conclusion(
                E.DISAGREES, f"the report shows {bad} bad results, yet the exit status is 0", report.troubles
            )
        return _clean(given, report, ids)
    if isinstance(status, NotMeasured) and not bad:
        short = _clean(given, report, ids)
        return short if short.ending != E.PASSED else Conclusion(E.INCOMPLETE, "no exit status is known to agree")
    if bad:
        return _red(given, runner, report, ids)
    return _red_without_cause(given, runner, report)


def _by_status(given: RunnerInput, runner: Runner, report: Report, ending: E) -> Conclusion:
    """A status with one meaning: the report may narrow it down, or give it the lie."""
    status, said = given.exit, (*report.troubles, *hints(given, runner))
    ran = report.numbers.get(PASSED, 0) + report.numbers.get(FAILED, 0)
    if ending == E.COLLECTION_ERROR and ran and not errors_in(report):
        return Conclusion(
            E.INCOMPLETE, f"exit status {status} after {ran} tests and no collection error: interrupted", said
        )
    if ending == E.COLLECTION_ERROR and any(one.kind == E.INCOMPLETE for one in said) and not errors_in(report):
        return Conclusion(E.INCOMPLETE, f"exit status {status}: {runner.name} was interrupted", said)
    if ending in (E.USAGE_ERROR, E.NOTHING_RAN) and ran:
        return Conclusion(
            E.DISAGREES, f"exit status {status} says that nothing ran, the report shows {ran} tests", said
        )
    return Conclusion(ending, f"exit status {status} of {runner.name}{also(said)}", said)


def _clean(given: RunnerInput, report: Report, ids: ReportedIds) -> Conclusion:
    """Nothing bad and status 0: passed only when every expected test is shown to have passed."""
    numbers = report.numbers
    if report.defect:
        return Conclusion(E.INCOMPLETE, report.defect)
    if not cases_in(report):
        return Conclusion(E.NOTHING_RAN, "no test is reported")
    passed = numbers.get(PASSED, 0)
    if not passed and not numbers.get(XPASSED, 0):
        if numbers.get(SKIPPED, 0):
            return Conclusion(E.ALL_SKIPPED, f"all {cases_in(report)} tests were skipped or expected to fail")
        return Conclusion(E.ALL_XFAILED, f"all {numbers.get(XFAILED, 0)} tests were expected to fail, and did")
    if why := unproved(given, report, ids):
        return Conclusion(E.INCOMPLETE, why)
    return Conclusion(E.PASSED, f"all {expected_n(given)} expected tests passed and the exit status agrees")


def _red(given: RunnerInput, runner: Runner, report: Report, ids: ReportedIds) -> Conclusion:
    """Bad results and a status that agrees: a verdict if a test failed by itself, else what the troubles are."""
    kinds, count = kinds_of(report, runner), sum(report.kinds.values())
    if report.defect:
        if worker := worker_said(given, runner):
            return Conclusion(
                E.WORKER_CRASHED, f"{report.defect}; {runner.name} said: {first_line(worker.text)}", (worker,)
            )
        return Conclusion(E.INCOMPLETE, f"{report.defect}; {count} bad results until there", report.troubles)
    genuine = sum(kinds.get(kind, 0) for kind in GENUINE)
    if genuine:
        if given.expected and not report.counts_only and ids.missing and not (ids.failed or ids.error):
            why = (
                f"{genuine} tests failed, but {len(ids.missing)} expected ones are not reported, {ids.missing[0]} first"
            )
            return Conclusion(E.INCOMPLETE, why, report.troubles)
        return Conclusion(E.ASSERTION_FAILED, f"{genuine} tests ran and failed{also(report.troubles)}", report.troubles)
    for kind, ending in BY_KIND.items():
        if kinds.get(kind):
            why = f"no test failed by itself; {kinds[kind]} of kind {kind}{also(report.troubles)}"
            of_kind = tuple(one for one in report.troubles if one.kind in (kind, "unsaid"))
            return Conclusion(ending, why, (*of_kind, *hints(given, runner)))
    return Conclusion(E.ERRORS_ONLY, f"{count} errors and no failed test", report.troubles)


def _red_without_cause(given: RunnerInput, runner: Runner, report: Report) -> Conclusion:
    """A bad status beside a report that shows nothing bad."""
    said = hints(given, runner)
    sign = next((hint for hint in said if hint.kind), None)
    if report.defect:
        if worker := worker_said(given, runner):
            return Conclusion(
                E.WORKER_CRASHED, f"{report.defect}; {runner.name} said: {first_line(worker.text)}", (worker,)
            )
        return Conclusion(E.INCOMPLETE, report.defect, said)
    if cases_in(report):
        return Conclusion(E.DISAGREES, f"the report shows nothing bad, yet the exit status is {given.exit}", said)
    if sign is not None:
        ending = BY_KIND.get(sign.kind) or E(sign.kind)
        return Conclusion(ending, f"exit status {given.exit}, no test, and {runner.name} said so", said)
    return Conclusion(E.NOTHING_RAN, f"no test is reported, and the exit status is {given.exit}", said)
