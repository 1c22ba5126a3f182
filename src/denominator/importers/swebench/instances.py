"""One instance: what its folder, its lists and its prediction say -> its ending, the facts of its row, what is odd about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.importers.swebench import endings
from denominator.importers.swebench.folders import Folder
from denominator.importers.swebench.predictions import Prediction, digest_of
from denominator.records.foreign import Ending, Told
from denominator.records.rows import PatchFacts, TestIds
from denominator.records.words import Grade

MUST_PASS = ("FAIL_TO_PASS", "PASS_TO_PASS")
SHOWN = 3
OF_STATES = {
    "resolved": endings.SAID_RESOLVED,
    "unresolved": endings.SAID_UNRESOLVED,
    "empty": endings.EMPTY,
    "error": endings.ERROR,
    "failed": endings.ERROR,
    "pending": endings.UNGRADED,
    "no_generation": endings.EMPTY,
    "no_logs": endings.NO_LOGS,
    "install_fail": endings.INSTALL_FAILED,
    "reset_failed": endings.RESET_FAILED,
    "no_apply": endings.BAD_PATCH,
    "test_timeout": endings.TIMED_OUT,
    "test_errored": endings.TESTS_ERRORED,
}
"""Lists that give an ending by themselves; the last seven are of older submissions."""
NOTHING_TO_GRADE = (endings.NO_LOGS, endings.UNGRADED)
OTHERS = frozenset(("first_unrecovered", "killed_by", "apply_exit"))
"""Facts of an ending that is not the agent's silence, even where nothing was handed in."""


@dataclass(slots=True)
class Said:
    """What the lists of a run say of an instance: its state, the harness's mark (infra, ambiguous) and its reason."""

    state: str = ""
    tier: str = ""
    reason: str = ""


@dataclass(slots=True)
class Found:
    """How an instance ended, the facts of its row and what a reader may want; `ending` None: nobody knows how."""

    ending: Ending | None
    fields: dict[str, object] = field(default_factory=dict)
    extra: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Case:
    """All that is known of one instance. `told` takes what contradicts itself."""

    task: str
    told: Told
    said: Said = field(default_factory=Said)
    folder: Folder | None = None
    prediction: Prediction | None = None

    def say(self, kind: str, what: str, *, blocks: bool = True) -> None:
        """Something odd about it."""
        where = self.folder.where if self.folder is not None else ""
        self.told.say(kind, where, f"{self.task}: {what}", self.task, blocks=blocks)


def found_of(case: Case) -> Found | None:
    """The ending of an instance; nothing: it has no row, for nobody began with it."""
    found = _by_folder(case, case.folder) if case.folder is not None else _by_lists(case)
    if found is None:
        return None
    if (patch := _patch(case)) is not None:
        found.fields.setdefault("patch", patch)
        if patch.bytes == 0:
            _empty(case, found)
    folder = case.folder
    if folder is not None and folder.log.grade_ms is not None:
        found.fields.setdefault("grade_ms", folder.log.grade_ms)
    if case.said.reason:
        found.extra["failure_reason"] = case.said.reason
    return found


def _empty(case: Case, found: Found) -> None:
    """An empty patch is no answer, whatever the tests of the untouched tree say; where they say green, that blocks."""
    ending = found.ending
    if ending in (endings.RESOLVED, endings.DENIED, endings.SAID_RESOLVED):
        case.say("contradiction", "resolved, and nothing was handed in")
    elif ending is not None and (ending in NOTHING_TO_GRADE or OTHERS.isdisjoint(ending.facts)):
        found.ending = endings.EMPTY


def _by_folder(case: Case, folder: Folder) -> Found | None:
    if folder.report:
        return _by_report(case, folder)
    if (found := _unread(case, folder)) is not None:
        return found
    if folder.log.resolved is not None:
        return Found(endings.SAID_RESOLVED if folder.log.resolved else endings.SAID_UNRESOLVED)
    return Found(endings.ERROR)


def _unread(case: Case, folder: Folder) -> Found | None:
    """Without a report: a mark of the harness, a marker in its logs, a broken file, one of its errors, a list; in this order."""
    if (found := _by_mark(case, tests=False)) is not None:
        return found
    if folder.log.applied is False:
        return Found(endings.BAD_PATCH)
    if folder.log.stopped or (folder.output is not None and folder.output.cut):
        return Found(endings.TIMED_OUT)
    hints = folder.log.hints
    known = next((one.cause for one in hints if one.cause in endings.TEXTS), "")
    if known and case.said.state not in ("resolved", "unresolved", "empty"):
        return Found(endings.TEXTS[known], {"hints": tuple(one for one in hints if one.cause in endings.TEXTS)})
    if folder.fault:
        case.say("broken_report", f"report.json {folder.fault}", blocks=False)
        return Found(endings.BROKEN_REPORT)
    if case.said.state and case.said.state not in ("completed", "submitted", "incomplete"):
        _agree(case, folder.log.resolved)
        return _by_lists(case)
    return None


def _by_report(case: Case, folder: Folder) -> Found:
    report = folder.report
    resolved, tests = report.get("resolved"), _tests(case, folder)
    mark = report.get("infra_failure_reason")
    if isinstance(mark, str) and mark and not case.said.reason:
        case.said.reason = mark
    if report.get("infra_failure") is True:
        case.said.tier = "infra"
    elif case.said.reason and not case.said.tier:
        case.said.tier = "ambiguous"
    extra: dict[str, object] = {
        key: report[key] for key in ("patch_exists", "patch_successfully_applied") if isinstance(report.get(key), bool)
    }
    _agree(case, resolved)
    if not isinstance(resolved, bool):
        case.say("unknown_ending", f"resolved is {str(resolved)[:40]!r}, neither true nor false")
        return Found(None, extra=extra)
    if tests is None and report.get("tests_status") is not None:
        return Found(endings.BROKEN_REPORT, extra=extra)
    fields: dict[str, object] = {} if tests is None else {"tests": tests}
    if resolved:
        return Found(_resolved(case, tests), fields, extra)
    if (found := _by_mark(case, tests=tests is not None)) is not None:
        return Found(found.ending, {**fields, **found.fields}, extra)
    if tests is None:
        return Found(_untold(folder), fields, extra)
    ending = _red(case, folder, tests)
    return Found(ending, {**fields, "grade": Grade.RED}, extra)


def _resolved(case: Case, tests: TestIds | None) -> Ending:
    if case.said.tier:
        case.say("contradiction", f"resolved, and marked as a failure of kind {case.said.tier}")
    if tests is None or not tests.expected:
        case.say("no_tests", "resolved, and no test is named that passed", blocks=tests is not None)
        return endings.SAID_RESOLVED
    if tests.failed or tests.skipped:
        names = ", ".join((*tests.failed, *tests.skipped)[:SHOWN])
        case.say("contradiction", f"resolved, and tests that must pass did not: {names}")
        return endings.DENIED
    return endings.RESOLVED


def _untold(folder: Folder) -> Ending:
    """Resolved false and no test named: the logs say whether the tests came to their end."""
    if folder.log.applied is False:
        return endings.BAD_PATCH
    if folder.log.stopped or (folder.output is not None and folder.output.cut):
        return endings.TIMED_OUT
    if folder.output is not None and not folder.output.ended:
        return endings.NO_OUTPUT
    return endings.NO_TESTS


def _red(case: Case, folder: Folder, tests: TestIds) -> Ending:
    first = _names(folder, "FAIL_TO_PASS", "failure", "skipped")
    if not tests.failed and not tests.skipped:
        case.say("contradiction", "not resolved, and every test that must pass passed")
    return endings.NOT_FIXED if first or not tests.failed else endings.REGRESSION


def _agree(case: Case, resolved: object) -> None:
    """Lists, log and report of one instance must say the same."""
    listed = {"resolved": True, "unresolved": False}.get(case.said.state)
    if listed is not None and isinstance(resolved, bool) and listed is not resolved:
        case.say("contradiction", f"{case.said.state} in the run report, resolved {str(resolved).lower()} in its own")
    if listed is None and resolved is True and case.said.state not in ("", "completed"):
        case.say("contradiction", f"{case.said.state} in the run report, resolved true in its own")
    log = case.folder.log.resolved if case.folder is not None else None
    if log is not None and isinstance(resolved, bool) and log is not resolved:
        case.say("contradiction", "its log and its report say opposite things")


def _by_mark(case: Case, *, tests: bool) -> Found | None:
    """What the harness read in logs: the environment's failures always, mere signs only where no test is named."""
    tier, reason = case.said.tier, case.said.reason
    if tier == "infra":
        if reason and reason not in endings.ENVIRONMENT:
            case.say("unknown_ending", f"failure reason {reason[:60]!r} is in no table")
            return Found(None)
        return Found(endings.ENVIRONMENT.get(reason, endings.ENVIRONMENT_UNNAMED))
    if tier == "ambiguous" and not tests:
        if reason in endings.AMBIGUOUS:
            return Found(endings.AMBIGUOUS[reason])
        if reason:
            case.say("unknown_ending", f"failure reason {reason[:60]!r} is in no table")
            return Found(None)
    return None


def _by_lists(case: Case) -> Found | None:
    state = case.said.state
    if state in ("error", "failed", "unresolved", "completed") and (found := _by_mark(case, tests=False)) is not None:
        return found
    if state == "completed":
        return Found(None)
    if (ending := OF_STATES.get(state)) is not None:
        return Found(ending)
    if state == "submitted" or case.prediction is None:
        return None
    if case.prediction.size == 0:
        return Found(endings.EMPTY)
    return Found(endings.UNGRADED)


def _tests(case: Case, folder: Folder) -> TestIds | None:
    """The tests that must pass, and how they ended; nothing where the table is not what it should be."""
    table = folder.tests
    if table is None:
        if folder.report.get("tests_status") is not None:
            case.say("broken_report", "tests_status is no table", blocks=False)
        return None
    groups = [table.get(name, {}) for name in MUST_PASS]
    for group in groups:
        if not isinstance(group, dict) or not all(
            _texts(group.get(key, [])) for key in ("success", "failure", "skipped")
        ):
            case.say("broken_report", "tests_status holds no lists of test ids", blocks=False)
            return None
    passed, failed, skipped = (_names(folder, None, key) for key in ("success", "failure", "skipped"))
    if both := sorted(set(passed) & {*failed, *skipped}):
        case.say("contradiction", f"{len(both)} tests passed and did not: {', '.join(both[:SHOWN])}")
    expected = tuple(dict.fromkeys((*passed, *failed, *skipped)))
    return TestIds(expected=expected, passed=passed, failed=failed, skipped=skipped)


def _names(folder: Folder, group: str | None, *keys: str) -> tuple[str, ...]:
    table = folder.tests or {}
    found: list[str] = []
    for name in (group,) if group else MUST_PASS:
        part = table.get(name)
        for key in keys:
            found += part.get(key) or [] if isinstance(part, dict) else []
    return tuple(dict.fromkeys(found))


def _texts(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))


def _patch(case: Case) -> PatchFacts | None:
    """The patch that was graded, or else the one that was handed in."""
    folder = case.folder
    if folder is not None and folder.patch is not None:
        return PatchFacts(sha256=digest_of(folder.patch), bytes=len(folder.patch))
    if folder is not None and folder.report.get("patch_is_None") is True:
        return endings.NO_PATCH
    if case.prediction is not None:
        return PatchFacts(sha256=case.prediction.sha256, bytes=case.prediction.size)
    return None


def conflicts(case: Case) -> bool:
    """Was another patch graded than the one that was handed in? A cached report is returned whatever the patch is."""
    if case.prediction is None or case.folder is None or case.folder.patch is None:
        return False
    return digest_of(case.folder.patch.strip()) != case.prediction.stripped
