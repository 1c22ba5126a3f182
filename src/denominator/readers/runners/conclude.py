"""The decision over one ending, pure: structured report first, exit status second, and both must agree."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from denominator.readers.runners.kinds.shape import OK, RED, Runner
from denominator.readers.runners.shape import (
    ERROR,
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
from denominator.readers.runners.texts import files_in, modules_in, view
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
MATCHES_MAX = 2000
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
    cases = _cases(report)
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
    how = f"{what} with {_cases(report)} tests reported" if report is not None else f"{what}; no report is there"
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
        return Conclusion(ending, f"exit status {status} of {runner.name} without a report{_also(said)}", said)
    if sign is not None:
        ending = BY_KIND.get(sign.kind) or E(sign.kind)
        return Conclusion(ending, f"exit status {status}, and {runner.name} said: {_first_line(sign.text)}", said)
    ending = E.INCOMPLETE if runner.name != "command" else E.UNKNOWN
    return Conclusion(ending, f"exit status {status}, and no report says what ran", said)


def _with_report(given: RunnerInput, runner: Runner, report: Report, ids: ReportedIds) -> Conclusion:
    status = given.exit
    bad = _bad(report)
    meaning = "" if isinstance(status, NotMeasured) else runner.meaning(status)
    if meaning not in ("", OK, RED):
        return _by_status(given, runner, report, E(meaning))
    if status == 0:
        if bad and _only_flaky(report):
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
    if ending == E.COLLECTION_ERROR and ran and not _errors(report):
        return Conclusion(
            E.INCOMPLETE, f"exit status {status} after {ran} tests and no collection error: interrupted", said
        )
    if ending == E.COLLECTION_ERROR and any(one.kind == E.INCOMPLETE for one in said) and not _errors(report):
        return Conclusion(E.INCOMPLETE, f"exit status {status}: {runner.name} was interrupted", said)
    if ending in (E.USAGE_ERROR, E.NOTHING_RAN) and ran:
        return Conclusion(
            E.DISAGREES, f"exit status {status} says that nothing ran, the report shows {ran} tests", said
        )
    return Conclusion(ending, f"exit status {status} of {runner.name}{_also(said)}", said)


def _clean(given: RunnerInput, report: Report, ids: ReportedIds) -> Conclusion:
    """Nothing bad and status 0: passed only when every expected test is shown to have passed."""
    numbers = report.numbers
    if report.defect:
        return Conclusion(E.INCOMPLETE, report.defect)
    if not _cases(report):
        return Conclusion(E.NOTHING_RAN, "no test is reported")
    passed = numbers.get(PASSED, 0)
    if not passed and not numbers.get(XPASSED, 0):
        if numbers.get(SKIPPED, 0):
            return Conclusion(E.ALL_SKIPPED, f"all {_cases(report)} tests were skipped or expected to fail")
        return Conclusion(E.ALL_XFAILED, f"all {numbers.get(XFAILED, 0)} tests were expected to fail, and did")
    if why := unproved(given, report, ids):
        return Conclusion(E.INCOMPLETE, why)
    return Conclusion(E.PASSED, f"all {_expected_n(given)} expected tests passed and the exit status agrees")


def unproved(given: RunnerInput, report: Report, ids: ReportedIds) -> str:
    """Why a clean report does not prove a pass; "" when it does."""
    if report.flaky:
        return f"{len(report.flaky)} tests were run again or reported with several results, {report.flaky[0]} first"
    if given.expected and not report.counts_only:
        short = (*ids.missing, *ids.skipped, *ids.xfailed, *ids.xpassed, *ids.failed, *ids.error)
        if short:
            how = "are not reported" if ids.missing else "did not pass"
            return f"{len(short)} of {len(set(given.expected))} expected tests {how}, {short[0]} first"
        return ""
    wanted = _expected_n(given)
    if isinstance(wanted, NotMeasured):
        return "it is not known which tests were expected"
    passed = report.numbers.get(PASSED, 0)
    if wanted < 1:
        return "no test was expected, so nothing is proved"
    return "" if passed == wanted else f"{passed} tests passed where {wanted} were expected"


def _red(given: RunnerInput, runner: Runner, report: Report, ids: ReportedIds) -> Conclusion:
    """Bad results and a status that agrees: a verdict if a test failed by itself, else what the troubles are."""
    kinds, count = _kinds(report, runner), sum(report.kinds.values())
    if report.defect:
        if worker := _worker(given, runner):
            return Conclusion(
                E.WORKER_CRASHED, f"{report.defect}; {runner.name} said: {_first_line(worker.text)}", (worker,)
            )
        return Conclusion(E.INCOMPLETE, f"{report.defect}; {count} bad results until there", report.troubles)
    genuine = sum(kinds.get(kind, 0) for kind in GENUINE)
    if genuine:
        if given.expected and not report.counts_only and ids.missing and not (ids.failed or ids.error):
            why = (
                f"{genuine} tests failed, but {len(ids.missing)} expected ones are not reported, {ids.missing[0]} first"
            )
            return Conclusion(E.INCOMPLETE, why, report.troubles)
        return Conclusion(
            E.ASSERTION_FAILED, f"{genuine} tests ran and failed{_also(report.troubles)}", report.troubles
        )
    for kind, ending in BY_KIND.items():
        if kinds.get(kind):
            why = f"no test failed by itself; {kinds[kind]} of kind {kind}{_also(report.troubles)}"
            of_kind = tuple(one for one in report.troubles if one.kind in (kind, "unsaid"))
            return Conclusion(ending, why, (*of_kind, *hints(given, runner)))
    return Conclusion(E.ERRORS_ONLY, f"{count} errors and no failed test", report.troubles)


def _red_without_cause(given: RunnerInput, runner: Runner, report: Report) -> Conclusion:
    """A bad status beside a report that shows nothing bad."""
    said = hints(given, runner)
    sign = next((hint for hint in said if hint.kind), None)
    if report.defect:
        if worker := _worker(given, runner):
            return Conclusion(
                E.WORKER_CRASHED, f"{report.defect}; {runner.name} said: {_first_line(worker.text)}", (worker,)
            )
        return Conclusion(E.INCOMPLETE, report.defect, said)
    if _cases(report):
        return Conclusion(E.DISAGREES, f"the report shows nothing bad, yet the exit status is {given.exit}", said)
    if sign is not None:
        ending = BY_KIND.get(sign.kind) or E(sign.kind)
        return Conclusion(ending, f"exit status {given.exit}, no test, and {runner.name} said so", said)
    return Conclusion(E.NOTHING_RAN, f"no test is reported, and the exit status is {given.exit}", said)


def hints(given: RunnerInput, runner: Runner) -> tuple[Trouble, ...]:
    """What the front end printed, for the signs that go with this exit status. Reading stops at the first of each."""
    if not given.text:
        return ()
    text, found = view(given.text), []
    for sign in runner.signs:
        if given.exit not in sign.exits:
            continue
        matches = list(re.finditer(sign.pattern, text))[:MATCHES_MAX]
        if matches:
            said = "\n".join(match[0] for match in matches)
            at = len(text[: matches[0].start()].encode())
            found.append(Trouble(kind=sign.kind, text=said, source="text", offset=at))
    whole = tuple(replace(one, files=files_in(one.text), modules=modules_in(one.text)) for one in found)
    return whole if whole else ()


def _worker(given: RunnerInput, runner: Runner) -> Trouble | None:
    """That a process of the runner died, as its front end said beside this status."""
    return next((hint for hint in hints(given, runner) if hint.kind == "worker"), None)


def _kinds(report: Report, runner: Runner) -> dict[str, int]:
    """Bad cases by kind; what no report explains is what this runner's errors usually are."""
    kinds = dict(report.kinds)
    unsaid = kinds.pop("unsaid", 0)
    if unsaid:
        known = runner.name != "command" and not report.counts_only
        kind = runner.errors_are if known else "setup"
        kinds[kind] = kinds.get(kind, 0) + unsaid
    return kinds


def _only_flaky(report: Report) -> bool:
    """Is every bad result one of an id that also has a good one?"""
    bad = [id_ for id_, word in report.words.items() if word in (FAILED, ERROR)]
    outside = sum(report.kinds.get(kind, 0) for kind in ("build", "internal"))
    return bool(bad) and not outside and set(bad) <= set(report.flaky)


def _bad(report: Report) -> int:
    return sum(report.kinds.values())


def _errors(report: Report) -> int:
    return report.numbers.get(ERROR, 0) + sum(report.kinds.get(kind, 0) for kind in ("collection", "build"))


def _cases(report: Report | None) -> int:
    return (
        0
        if report is None
        else sum(report.numbers.get(w, 0) for w in (PASSED, FAILED, ERROR, SKIPPED, XFAILED, XPASSED))
    )


def _expected_n(given: RunnerInput) -> int | NotMeasured:
    if given.expected:
        return len(set(given.expected))
    if isinstance(given.expected_n, int):
        return given.expected_n
    if not isinstance(given.counts, NotMeasured) and isinstance(given.counts.expected, int):
        return given.counts.expected
    return NotMeasured("not told")


def _also(troubles: tuple[Trouble, ...]) -> str:
    first = next((_last_line(one.text) for one in troubles if one.text.strip()), "")
    return f"; {first}" if first else ""


def _first_line(text: str) -> str:
    return _printable(text.strip().partition("\n")[0])


def _last_line(text: str) -> str:
    return _printable(text.strip().rpartition("\n")[2])


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)[:300]
