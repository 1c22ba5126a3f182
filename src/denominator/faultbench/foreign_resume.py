"""What a resume of a foreign result would do: which draws have a verdict, which have none, and what the declared policy says.

Whether a draw is done needs its ids and its ending only: other versions, unknown keys and unknown kinds of events are kept and
never fatal. A line that cannot be read may be any row, so then there is no plan (a torn last line is not done, and is said).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.faultbench.foreign_beside import (
    artifacts,
    begun,
    documents,
    epoch,
    first_objects,
    gone,
    is_journal,
    is_outcomes,
    objects,
    refuse_other_manifest,
    rows_of,
    tables,
)
from denominator.importers.report import Report
from denominator.pipeline.importing import import_paths
from denominator.records.draws import JudgedDraw
from denominator.records.durability import ResumePlan, ResumeRow
from denominator.records.judgements import NEVER_STARTED, SCORED, Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Origin, Reason

POLICY_KEYS = ("resume_policy", "rerun_policy", "retry_policy")
SAME_AGAIN = (Reason.BAD_TASK, Reason.PACK_EXPIRED)
"""Reasons that lie in the task itself: no re-run lifts them."""
LOST_WORDS = ("infra", "error", "unscoreable", "censored", "harness", "fail to score", "lost")
NEVER_WORDS = ("never", "none", "no rerun", "no re-run", "only missing", "missing only")
BAD_KINDS = ("bad_line", "refused_id")


def holds_outcomes(paths: Sequence[Path]) -> bool:
    """Are these rows of outcomes, and no journal of checkpoints?"""
    found = [first_objects(path) for path in tables(paths)]
    return any(is_outcomes(rows) for rows in found) and not any(is_journal(rows) for rows in found)


def plan_foreign(paths: Sequence[Path]) -> ResumePlan:
    """The plan. InputError where a line cannot be read, and where a finished result of another manifest has the run id."""
    stated = list(documents(paths))
    refuse_other_manifest(stated)
    journals = [path for path in tables(paths) if is_journal(first_objects(path))]
    report, result = import_paths(rows_of(paths, journals), None, (), None)
    sheet = result.judged.sheet
    _refuse_unreadable(sheet)
    policy = next((str(doc[key]) for _, doc in stated for key in POLICY_KEYS if doc.get(key)), "")
    last_epoch = max((epoch(value) for path in tables(paths) for value in objects(path)), default=1)
    resume, left = _sorted(sheet, policy)
    kept = tuple(_name(draw) for draw in sheet.draws if draw.exit in SCORED)
    beside = artifacts(paths)
    resume += begun({draw.draw.task_id for draw in sheet.draws}, journals, beside or ())
    declared = sheet.declared_n
    notes = [*report.notes, *gone(kept, beside), *_wrong(sheet)]
    if isinstance(declared, NotMeasured):
        notes.append("which tasks have no row is not known: the manifest names none")
    return ResumePlan(
        schema_version=1,
        source=", ".join(str(path) for path in paths),
        policy=policy,
        epoch=last_epoch + 1,
        declared=declared,
        resume=tuple(resume),
        kept=kept,
        left=tuple(left),
        unnamed=sheet.unnamed,
        torn=tuple(_torn(report)),
        notes=tuple(notes),
    )


def _wrong(sheet: Sheet) -> Iterator[str]:
    """What is wrong with rows that could be read: those of another run are set aside, and said."""
    return (f"{one.kind}: {one.what} [{one.where}]" for one in sheet.defects if one.blocks)


def _sorted(sheet: Sheet, policy: str) -> tuple[list[ResumeRow], list[tuple[str, str]]]:
    """What is started and what stays without a verdict, in the order of the draws."""
    resume, left = [], []
    lost = reruns_lost(policy)
    for draw in sheet.draws:
        if draw.exit in SCORED:
            continue
        if draw.exit == NEVER_STARTED or draw.row is None:
            resume.append(ResumeRow(task_id=draw.draw.task_id, repeat=draw.draw.repeat, attempt=1, why="it has no row"))
        elif (why := _stays(draw, lost)) != "":
            left.append((_name(draw), why))
        else:
            resume.append(_again(draw))
    return resume, left


def reruns_lost(policy: str) -> bool:
    """Does the declared policy re-run rows that somebody lost? Without a policy only missing ones are started."""
    text = policy.lower()
    return any(word in text for word in LOST_WORDS) and not any(word in text for word in NEVER_WORDS)


def _stays(draw: JudgedDraw, lost: bool) -> str:
    """Why a draw without a verdict is not run again; empty when it is."""
    reason = draw.reason or "no reason"
    if draw.origin == Origin.FLAKY_TEST:
        return f"{reason}: its tests are flaky, and no re-run makes them sound"
    if draw.reason in SAME_AGAIN:
        return f"{reason}: it lies in the task"
    return "" if lost else f"{reason}: no declared policy re-runs it"


def _again(draw: JudgedDraw) -> ResumeRow:
    """The next attempt number, and the last row that it supersedes."""
    rows = sorted(draw.tries, key=lambda row: row.key.attempt) or ([draw.row] if draw.row is not None else [])
    last = rows[-1]
    place = f" ({last.source.place})" if last.source.place else ""
    return ResumeRow(
        task_id=draw.draw.task_id,
        repeat=draw.draw.repeat,
        attempt=last.key.attempt + 1,
        why=f"{draw.reason or 'it has no verdict'}, {draw.origin or 'unknown'}",
        supersedes=f"attempt {last.key.attempt}{place}",
    )


def _name(draw: JudgedDraw) -> str:
    return f"{draw.draw.task_id} r{draw.draw.repeat}" if draw.draw.repeat > 1 else draw.draw.task_id


def _torn(report: Report) -> Iterator[str]:
    for one in report.torn:
        place = f"{one.file}: {one.length} bytes from byte {one.offset}"
        yield f"{place}: not done; move them aside or cut them off before anything is appended"


def _refuse_unreadable(sheet: Sheet) -> None:
    """A line in the middle that cannot be read may be the verdict of any task: no plan is made over it."""
    bad = [one for one in sheet.defects if one.kind in BAD_KINDS or (one.kind == "bad_rows" and one.blocks)]
    if bad:
        raise InputError(
            f"{len(bad)} lines cannot be read, so nobody knows what is done",
            where=bad[0].where,
            fix="repair the named lines (keep the old file), then ask again; nothing was started",
            problems=[Problem(one.where, one.what) for one in bad[:40]],
        )
