"""One instance: what its folder, its lists and its prediction say -> its ending, the facts of its row, what is odd about it."""

from __future__ import annotations

from denominator.importers.swebench import endings
from denominator.importers.swebench.cases import Case, Found, Said
from denominator.importers.swebench.folders import Folder
from denominator.importers.swebench.marks import by_mark
from denominator.importers.swebench.predictions import digest_of
from denominator.importers.swebench.reports import agree, by_report, hints_of, known_text
from denominator.records.rows import PatchFacts

__all__ = ["Case", "Found", "Said", "conflicts", "found_of"]

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


def found_of(case: Case) -> Found | None:
    """The ending of an instance; nothing: it has no row, for nobody began with it."""
    found = _by_folder(case, case.folder) if case.folder is not None else _by_lists(case)
    if found is None:
        return None
    if (patch := _patch(case)) is not None and patch.bytes and found.ending is endings.EMPTY:
        case.say("contradiction", "counted as an empty patch, and a patch was handed in")
    elif patch is not None:
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
        return by_report(case, folder)
    if (found := _unread(case, folder)) is not None:
        return found
    if folder.log.resolved is not None:
        return Found(endings.SAID_RESOLVED if folder.log.resolved else endings.SAID_UNRESOLVED)
    return Found(endings.ERROR)


def _unread(case: Case, folder: Folder) -> Found | None:
    """Without a report: a mark of the harness, a marker in its logs, a broken file, one of its errors, a list; in this order."""
    if (found := by_mark(case, tests=False)) is not None:
        return found
    if folder.log.applied is False:
        return Found(endings.BAD_PATCH)
    if folder.log.stopped or (folder.output is not None and folder.output.cut):
        return Found(endings.TIMED_OUT)
    known = known_text(folder)
    if known and case.said.state not in ("resolved", "empty"):
        if case.said.state == "unresolved":
            what = (
                f"unresolved in the run report, and its own log has no verdict but an error ({known}): nobody graded it"
            )
            case.say("ungraded_failure", what, blocks=False)
        return Found(endings.TEXTS[known], {"hints": hints_of(folder)})
    if folder.fault:
        case.say("broken_report", f"report.json {folder.fault}", blocks=False)
        return Found(endings.BROKEN_REPORT)
    if case.said.state and case.said.state not in ("completed", "submitted", "incomplete"):
        agree(case, folder.log.resolved)
        return _by_lists(case)
    return None


def _by_lists(case: Case) -> Found | None:
    state = case.said.state
    if state in ("error", "failed", "unresolved", "completed") and (found := by_mark(case, tests=False)) is not None:
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
