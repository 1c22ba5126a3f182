"""An instance with a readable report of its own: resolved or not, and which tests say so."""

from __future__ import annotations

from denominator.importers.swebench import endings
from denominator.importers.swebench.cases import Case, Found
from denominator.importers.swebench.folders import Folder
from denominator.importers.swebench.marks import by_mark
from denominator.importers.swebench.testids import SHOWN, names_of, odd_names, tests_of
from denominator.records.facts import Hint
from denominator.records.foreign import Ending
from denominator.records.rows import TestIds
from denominator.records.words import Grade


def by_report(case: Case, folder: Folder) -> Found:
    """Its report, held against the lists and the log."""
    report = folder.report
    resolved, tests = report.get("resolved"), tests_of(case, folder)
    _marked(case, folder)
    extra: dict[str, object] = {
        key: report[key] for key in ("patch_exists", "patch_successfully_applied") if isinstance(report.get(key), bool)
    }
    agree(case, resolved)
    if not isinstance(resolved, bool):
        case.say("unknown_ending", f"resolved is {str(resolved)[:40]!r}, neither true nor false")
        return Found(None, extra=extra)
    if tests is None and report.get("tests_status") is not None:
        return Found(endings.BROKEN_REPORT, extra=extra)
    fields: dict[str, object] = {} if tests is None else {"tests": tests}
    extra |= odd_names(tests)
    if resolved:
        return Found(_resolved(case, folder, tests), fields, extra)
    if (found := by_mark(case, tests=tests is not None)) is not None:
        return Found(found.ending, {**fields, **found.fields}, extra)
    if tests is None:
        ending = _untold(folder)
        if "hints" in ending.facts:
            fields["hints"] = hints_of(folder)
        return Found(ending, fields, extra)
    ending = _red(case, folder, tests)
    return Found(ending, {**fields, "grade": Grade.RED}, extra)


def _marked(case: Case, folder: Folder) -> None:
    """The mark of the harness, where the report carries it itself."""
    reason = folder.report.get("infra_failure_reason")
    if isinstance(reason, str) and reason and not case.said.reason:
        case.said.reason = reason
    if folder.report.get("infra_failure") is True:
        case.said.tier = "infra"
    elif case.said.reason and not case.said.tier:
        case.said.tier = "ambiguous"


def _resolved(case: Case, folder: Folder, tests: TestIds | None) -> Ending:
    if case.said.tier:
        case.say("contradiction", f"resolved, and marked as a failure of kind {case.said.tier}")
    if tests is None or not tests.expected:
        case.say("no_tests", "resolved, and no test is named that passed", blocks=tests is not None)
        return endings.SAID_RESOLVED
    if tests.failed or tests.skipped:
        names = ", ".join((*tests.failed, *tests.skipped)[:SHOWN])
        case.say("contradiction", f"resolved, and tests that must pass did not: {names}")
        return endings.DENIED
    if not names_of(folder, "FAIL_TO_PASS", "success"):
        case.say("no_tests", "resolved, and no test of FAIL_TO_PASS is named that passed")
        return endings.NO_FIXED_TEST
    if folder.output is not None and folder.output.denies:
        what = f"resolved, and its test command ended with {folder.output.exit} while no test is called failed"
        case.say("contradiction", what)
        return endings.DENIED_BY_EXIT
    return endings.RESOLVED


def _untold(folder: Folder) -> Ending:
    """Resolved false and no test named: the logs say whether the tests came to their end, or what broke before."""
    if folder.log.applied is False:
        return endings.BAD_PATCH
    if folder.log.stopped or (folder.output is not None and folder.output.cut):
        return endings.TIMED_OUT
    if (known := known_text(folder)) and not (folder.output is not None and folder.output.ended):
        return endings.TEXTS[known]
    if folder.output is not None and not folder.output.ended:
        return endings.NO_OUTPUT
    return endings.NO_TESTS


def hints_of(folder: Folder) -> tuple[Hint, ...]:
    """What the harness's own errors name, as far as it is in the table."""
    return tuple(one for one in folder.log.hints if one.cause in endings.TEXTS)


def known_text(folder: Folder) -> str:
    """The cause that the harness's own errors name, if it is in the table; "" where none is."""
    return next((one.cause for one in hints_of(folder)), "")


def _red(case: Case, folder: Folder, tests: TestIds) -> Ending:
    first = names_of(folder, "FAIL_TO_PASS", "failure", "skipped")
    if not tests.failed and not tests.skipped:
        case.say("contradiction", "not resolved, and every test that must pass passed")
    return endings.NOT_FIXED if first or not tests.failed else endings.REGRESSION


def agree(case: Case, resolved: object) -> None:
    """Lists, log and report of one instance must say the same."""
    listed = {"resolved": True, "unresolved": False}.get(case.said.state)
    if listed is not None and isinstance(resolved, bool) and listed is not resolved:
        case.say("contradiction", f"{case.said.state} in the run report, resolved {str(resolved).lower()} in its own")
    if listed is None and resolved is True and case.said.state not in ("", "completed"):
        case.say("contradiction", f"{case.said.state} in the run report, resolved true in its own")
    log = case.folder.log.resolved if case.folder is not None else None
    if log is not None and isinstance(resolved, bool) and log is not resolved:
        case.say("contradiction", "its log and its report say opposite things")
