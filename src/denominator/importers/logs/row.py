"""A row with what its run folder says beside it: collected facts, the log's events and hints, the structured report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from denominator.importers.columns import Cells
from denominator.importers.logs.failures import first_failure, out_of_memory
from denominator.importers.logs.grading import forged, grade_fields, tampered
from denominator.importers.logs.limits import enforced, limits_of
from denominator.importers.logs.told import Told
from denominator.importers.verifier import counts_of
from denominator.readers.logs import hints_of, words_of
from denominator.readers.runners import RunnerInput, RunnerReading, read_ending
from denominator.records.facts import TestCounts
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from denominator.records.words import Grade, KilledBy, RunnerEnding, StopReason

VERDICTS = (Grade.GREEN, Grade.RED)


def with_run(row: AttemptRow, cells: Cells, told: Told, network: str) -> AttemptRow:
    """The row made whole. What has no folder of its own stays as it was."""
    log, report = cells.raw.log, reading_of(cells)
    if told.empty and log is None and report is None and not cells.table("gold"):
        return row
    row = replace(row, **_fields(grade_fields(row, told, cells.table("gold"))))
    row = replace(row, **_fields(_by_report(row, cells, report)))
    graded = row.grade in VERDICTS
    limit = limits_of(cells, told, graded=graded)
    failure = first_failure(cells, told, limit, row.first_unrecovered, graded=graded)
    fields = {**limit.fields, **_started(told), "first_unrecovered": failure}
    if told.story.calls.overflow_turn and failure is None:
        fields.update(stop_reason=StopReason.BUDGET, killed_by=KilledBy.BUDGET_TOKENS)
    if (oom := out_of_memory(told)) is not None:
        fields["oom"] = oom
    if limits := enforced(told):
        fields["limits_enforced"] = {**limits, **row.limits_enforced}
    row = tampered(replace(row, **_fields(fields)), told)
    if (lie := forged(row, log, report)) is not None:
        row = replace(row, forged_output=lie)
    return row if log is None else replace(row, hints=hints_of(log, network), words=words_of(log))


def _fields(found: Mapping[str, object]) -> dict[str, Any]:
    return dict(found)


def _started(told: Told) -> dict[str, object]:
    started = told.flag("agent_started")
    if started is None and (told.story.facts.get("agent_exit") is not None or "agent_done" in told.story.at):
        started = True
    return {} if started is None else {"agent_started": started}


def reading_of(cells: Cells) -> RunnerReading | None:
    """The structured report beside the row, as the one reader of runner endings takes it."""
    if cells.raw.report is None:
        return None
    status, counts = cells.number("exit_code"), counts_of(cells)
    expected = NotMeasured("not stated") if counts is None else counts.expected
    given = RunnerInput(exit=NotMeasured("not stated") if status is None else status, reports=(cells.raw.report,))
    found = read_ending(replace(given, expected_n=expected))
    if isinstance(expected, int) or found.ending != RunnerEnding.INCOMPLETE:
        return found
    # Where nobody states how many tests there must be, a whole report is held against itself alone.
    whole = read_ending(replace(given, expected_n=_reported(found.counts)))
    return replace(found, ending=whole.ending, why=whole.why)


def _reported(counts: TestCounts) -> int:
    numbers = (counts.passed, counts.failed, counts.errors, counts.skipped, counts.xfailed, counts.xpassed)
    return sum(one for one in numbers if isinstance(one, int))


def _by_report(row: AttemptRow, cells: Cells, report: RunnerReading | None) -> dict[str, object]:
    """What a report says where no counts were collected; a report that denies the collected counts is a problem."""
    if report is None:
        return {}
    counts = counts_of(cells)
    if counts is None:
        found: dict[str, object] = {"runner_ending": str(report.ending), "test_counts": report.counts}
        if row.grade == Grade.NONE and report.ending in (RunnerEnding.PASSED, RunnerEnding.ASSERTION_FAILED):
            found["grade"] = Grade.GREEN if report.ending == RunnerEnding.PASSED else Grade.RED
        return found
    for name in ("passed", "failed"):
        told, seen = getattr(counts, name), getattr(report.counts, name)
        if isinstance(told, int) and isinstance(seen, int) and (told == 0) != (seen == 0):
            cells.problems.append(f"verify_report.{name}: says {told}, the report beside it says {seen}")
    return {}
