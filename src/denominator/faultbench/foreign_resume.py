"""What a resume of a foreign result would do: which draws have a verdict, which have none, and what the declared policy says.

Whether a draw is done needs its ids and its ending only: other versions, unknown keys and unknown kinds of events are kept and
never fatal. A line that cannot be read may be any row, so then there is no plan (a torn last line is not done, and is said).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from denominator.errors import InputError, Problem
from denominator.importers.report import Report
from denominator.pipeline.importing import import_paths
from denominator.records.draws import JudgedDraw
from denominator.records.durability import ResumePlan, ResumeRow
from denominator.records.judgements import NEVER_STARTED, SCORED, Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Origin, Reason
from denominator.wire.bounded import read_bytes

Object = dict[str, Any]
MAX_BYTES = 1 << 30
TABLES = (".jsonl", ".ndjson", ".csv", ".json")
POLICY_KEYS = ("resume_policy", "rerun_policy", "retry_policy")
ARTIFACTS = ("artifacts", "artefacts", "evidence")
SAME_AGAIN = (Reason.BAD_TASK, Reason.PACK_EXPIRED)
"""Reasons that lie in the task itself: no re-run lifts them."""
LOST_WORDS = ("infra", "error", "unscoreable", "censored", "harness", "fail to score", "lost")
NEVER_WORDS = ("never", "none", "no rerun", "no re-run", "only missing", "missing only")
BAD_KINDS = ("bad_line", "refused_id")


def holds_outcomes(paths: Sequence[Path]) -> bool:
    """Are these rows of outcomes, and no journal of checkpoints?"""
    found = [_first_objects(path) for path in _tables(paths)]
    return any(_is_outcomes(rows) for rows in found) and not any(_is_journal(rows) for rows in found)


def _is_outcomes(rows: Iterable[Object]) -> bool:
    return any({"outcome", "resolved", "passed"} & set(row) for row in rows)


def _is_journal(rows: Iterable[Object]) -> bool:
    return any("checkpoint" in row for row in rows)


def _tables(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from (path.glob("*.jsonl") if path.is_dir() else [path] if path.suffix in TABLES[:2] else [])


def _first_objects(path: Path) -> list[Object]:
    return list(_objects(path, 50))


def plan_foreign(paths: Sequence[Path]) -> ResumePlan:
    """The plan. InputError where a line cannot be read, and where a finished result of another manifest has the run id."""
    documents = list(_documents(paths))
    _refuse_other_manifest(documents)
    journals = [path for path in _tables(paths) if _is_journal(_first_objects(path))]
    report, result = import_paths(_rows_of(paths, journals), None, (), None)
    sheet = result.judged.sheet
    _refuse_unreadable(sheet)
    policy = next((str(doc[key]) for _, doc in documents for key in POLICY_KEYS if doc.get(key)), "")
    epoch = 1 + max((_epoch(value) for path in _tables(paths) for value in _objects(path)), default=1)
    resume, left = _sorted(sheet, policy)
    kept = tuple(_name(draw) for draw in sheet.draws if draw.exit in SCORED)
    beside = _artifacts(paths)
    resume += _begun({draw.draw.task_id for draw in sheet.draws}, journals, beside or ())
    declared = sheet.declared_n
    notes = [*report.notes, *_gone(kept, beside), *_wrong(sheet)]
    if isinstance(declared, NotMeasured):
        notes.append("which tasks have no row is not known: the manifest names none")
    return ResumePlan(
        schema_version=1,
        source=", ".join(str(path) for path in paths),
        policy=policy,
        epoch=epoch,
        declared=declared,
        resume=tuple(resume),
        kept=kept,
        left=tuple(left),
        unnamed=sheet.unnamed,
        torn=tuple(_torn(report)),
        notes=tuple(notes),
    )


def _rows_of(paths: Sequence[Path], journals: Sequence[Path]) -> tuple[Path, ...]:
    """What holds the rows of outcomes: without a journal of checkpoints and artifacts beside them."""
    if not journals and _artifacts(paths) is None:
        return tuple(paths)
    files = [one for path in paths for one in (sorted(path.iterdir()) if path.is_dir() else [path])]
    return tuple(one for one in files if one.is_file() and one not in journals and one.name != "case.json")


def _artifacts(paths: Sequence[Path]) -> tuple[str, ...] | None:
    """The tasks that have a folder of artifacts, if such folders are kept beside the rows."""
    kept = [path / name for path in paths for name in ARTIFACTS if (path / name).is_dir()]
    return tuple(sorted(one.name for folder in kept for one in folder.iterdir() if one.is_dir())) if kept else None


def _begun(known: set[str], journals: Iterable[Path], beside: Iterable[str]) -> Iterator[ResumeRow]:
    """Tasks without a row that a journal or a folder of artifacts names: a file that lies there is no verdict."""
    reached: dict[str, int] = {}
    for row in (value for path in journals for value in _objects(path)):
        task, attempt = row.get("task_id"), row.get("attempt", 1)
        if isinstance(task, str) and isinstance(attempt, int):
            reached[task] = max(reached.get(task, 1), attempt)
    for task in sorted({*reached, *beside} - known):
        why = "the journal has it begun, and there is no verdict" if task in reached else NO_VERDICT
        yield ResumeRow(task_id=task, repeat=1, attempt=reached.get(task, 1), why=why)


NO_VERDICT = "there are artifacts of it and no verdict: a file that lies there proves nothing"


def _gone(kept: Iterable[str], beside: tuple[str, ...] | None) -> Iterator[str]:
    for name in kept if beside is not None else ():
        if name.partition(" r")[0] not in (beside or ()):
            yield f"{name}: its verdict is kept; its artifacts are gone, so it is not quotable"


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
    place = f" ({last.source.file}:{last.source.line})" if last.source.file else ""
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


def _refuse_other_manifest(documents: Iterable[tuple[str, Object]]) -> None:
    """A run id belongs to one manifest: a second run under it would write over the first."""
    seen: dict[str, tuple[str, str]] = {}
    for name, document in documents:
        run, sha = document.get("run_id"), document.get("manifest_sha")
        if not isinstance(run, str) or not isinstance(sha, str):
            continue
        other, before = seen.setdefault(run, (sha, name))
        if other != sha:
            raise InputError(
                f"run id {run!r} is in use: {before} has manifest {other}, {name} has {sha}",
                where=name,
                fix="take a new run id, or resume it under the manifest that it was started with; nothing was written",
            )


def _documents(paths: Sequence[Path]) -> Iterator[tuple[str, Object]]:
    """JSON documents beside the rows and one folder below, which state the policy and the run id."""
    for path in paths:
        for file in sorted((*path.glob("*.json"), *path.glob("*/*.json"))) if path.is_dir() else [path]:
            if file.suffix != ".json" or file.name == "case.json":
                continue
            try:
                value = json.loads(read_bytes(file, MAX_BYTES))
            except ValueError:
                continue
            if isinstance(value, dict):
                yield (file.relative_to(path).as_posix() if path.is_dir() else file.name), value


def _objects(path: Path, most: int | None = None) -> Iterator[Object]:
    """The objects of a file of rows, as far as they can be read: only to know what the file is of."""
    for line in read_bytes(path, MAX_BYTES).splitlines()[:most]:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def _epoch(value: Object) -> int:
    found = value.get("epoch")
    return found if isinstance(found, int) and not isinstance(found, bool) else 1
