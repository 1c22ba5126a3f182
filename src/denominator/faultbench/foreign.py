"""Journal and verdicts of another runner as a bench sheet: the same rules and metrics, and no more than was written down.

Such a journal holds digests only. An effect counts as performed twice when one (task, attempt, checkpoint) of the application
has two different digests; the same digest again is a replay without effect; a declared new attempt with another patch is neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.errors import InputError, Problem
from denominator.faultbench.foreign_files import Parts, read_parts
from denominator.faultbench.foreign_rows import Point, declared_checkpoints, points_of
from denominator.faultbench.foreign_states import UNKNOWN, state_of
from denominator.faultbench.foreign_trials import (
    Group,
    Told,
    control_trial,
    is_negative,
    journal_trial,
    plain_trial,
    states_expected,
)
from denominator.records.durability import BenchSheet, BenchTerms, FoundState, JournalFacts
from denominator.records.faults import BenchControl, Trial
from denominator.records.rows import Defect
from denominator.records.trials import is_paired
from denominator.records.values import NotMeasured
from denominator.records.words import Checkpoint

NO_RUNNER = "not stated"


def read_foreign(paths: Sequence[Path]) -> tuple[BenchSheet, tuple[str, ...]]:
    """The sheet of a foreign journal with what lies beside it, and notes. InputError for what cannot be read."""
    parts = read_parts(paths)
    if not any(line.value.get("checkpoint") is not None for line in parts.rows) and not parts.verdicts:
        raise InputError(
            "neither a bench of ours nor a journal of checkpoints",
            where=", ".join(str(path) for path in paths),
            fix="name the folder of a bench (bench.json), or a journal with a checkpoint in each row; for rows of"
            " outcomes: denominator resume --dry-run PATH",
        )
    declared = declared_checkpoints(parts.manifest)
    points = points_of(parts, declared)
    return sheet_of(parts, points, declared), tuple(parts.notes)


def sheet_of(parts: Parts, points: Sequence[Point], declared: Sequence[str]) -> BenchSheet:
    """The sheet of rows that were read; their order does not matter."""
    groups = _groups(points, declared)
    told, paired = _told(parts, parts.verdicts, groups), _told(parts, parts.paired, groups)
    plan = plan_of(parts.manifest)
    trials: list[Trial] = []
    states: list[FoundState] = []
    unscoreable: dict[str, str] = {}
    negative = {key for key, group in groups.items() if is_negative(group, plan) and key not in told}
    for where, workspace in parts.workspaces:
        task = _task_of(workspace, where, groups)
        keys = sorted(key for key in groups if key[0] == task) or [(task, 1)]
        group = groups.get(keys[-1], Group(task, 1, (), tuple(declared)))
        if keys[-1] in negative:
            trials.append(control_trial(group, workspace, where, plan, len(trials) + 1))
            unscoreable[task] = "injected_fault"
        else:
            states.append(state_of(task, group.points, workspace, declared, where, _policy(parts.manifest)))
    for state in states:
        if state.state == UNKNOWN:
            unscoreable[state.task_id] = "missing_artifact"
    for key in negative:
        unscoreable.setdefault(key[0], "injected_fault")
        if not any(one.task_id == key[0] for one in trials):
            trials.append(control_trial(groups[key], {}, "", plan, key[1]))
    for key in sorted({*groups, *told} - negative):
        group = groups.get(key, Group(key[0], key[1], (), tuple(declared)))
        trials.append(journal_trial(group, told.get(key), plan, key[0] in unscoreable, parts.manifest))
    trials += [plain_trial(key, one, parts.manifest) for key, one in sorted(paired.items())]
    trials += [plain_trial(key, one.without, parts.manifest) for key, one in sorted(told.items()) if one.without]
    facts = JournalFacts(
        replayed=tuple(sorted({group.task for group in groups.values() if group.replayed()})),
        redrafted=tuple(sorted({group.task for group in groups.values() if group.redrafted()})),
        unlike=_unlike(groups.values(), plan),
        unscoreable=tuple(sorted(unscoreable.items())),
        unverdicted=_unverdicted(parts, told, {*groups} - negative, frozenset(unscoreable)),
    )
    terms = _terms(parts, declared, plan, trials)
    ordered = tuple(sorted(trials, key=lambda one: (one.task_id, one.repeat, one.fault, one.control, one.note)))
    return BenchSheet(
        terms=terms,
        trials=ordered,
        defects=(*parts.defects, *_words(told), *_words(paired)),
        states=tuple(sorted(states, key=lambda one: (one.task_id, one.where))),
        journal=facts,
    )


def _task_of(workspace: Mapping[str, Any], where: str, groups: Iterable[tuple[str, int]]) -> str:
    """The task of a workspace; one that names none is of the only task that there is."""
    named, tasks = workspace.get("task_id"), {task for task, _ in groups}
    if isinstance(named, str) and named:
        return named
    if named is None and len(tasks) == 1:
        return tasks.pop()
    raise InputError(
        "a workspace of which nobody says the task", where=where, fix="write its task_id beside its digests"
    )


def _groups(points: Iterable[Point], declared: Sequence[str]) -> dict[tuple[str, int], Group]:
    found: dict[tuple[str, int], list[Point]] = {}
    for one in points:
        found.setdefault((one.task, one.repeat), []).append(one)
    return {key: Group(*key, tuple(found[key]), tuple(declared)) for key in sorted(found)}


def _told(
    parts: Parts, verdicts: Iterable[tuple[str, Mapping[str, Any]]], groups: Mapping[tuple[str, int], Group]
) -> dict[tuple[str, int], Told]:
    """Verdicts by (task, repeat). One without a repeat is of the only repeat that there is; two for one trial are refused."""
    found: dict[tuple[str, int], Told] = {}
    problems = []
    for where, value in verdicts:
        task, repeat = value.get("task_id"), value.get("repeat", 1)
        if not isinstance(task, str) or not task or not isinstance(repeat, int) or isinstance(repeat, bool):
            problems.append(Problem(where, "a verdict without a task id, or with a repeat that is no number"))
            continue
        if "repeat" not in value and sum(key[0] == task for key in groups) > 1:
            parts.notes.append(f"{where}: one verdict for several repeats of {task}: it is of repeat 1")
        read = Told.read(value, where, problems)
        if found.setdefault((task, repeat), read) != read:
            problems.append(Problem(where, f"two verdicts for {task} repeat {repeat} that differ"))
    if problems:
        raise InputError("verdicts cannot be read", where="verdicts", fix="one verdict a trial", problems=problems)
    return found


def _words(told: Mapping[tuple[str, int], Told]) -> Iterable[Defect]:
    """A status that no list knows blocks by name: it is neither a pass nor a fail."""
    for (task, _), one in sorted(told.items()):
        if one.strange:
            yield Defect(kind="unknown_outcome", where=one.where, what=f"{task}: status {one.strange!r} is no outcome")


def _unlike(groups: Iterable[Group], plan: Sequence[str]) -> tuple[str, ...]:
    """Tasks whose repeats under one stated plan left other journals behind."""
    found: dict[str, set[tuple[tuple[str, str], ...]]] = {}
    for one in groups if plan else ():
        found.setdefault(one.task, set()).add(one.written())
    return tuple(sorted(task for task, ends in found.items() if len(ends) > 1))


def _unverdicted(
    parts: Parts, told: Mapping[tuple[str, int], Told], seen: set[tuple[str, int]], settled: frozenset[str]
) -> tuple[str, ...]:
    """Tasks without a verdict: they may have been interrupted and never come back."""
    dataset = parts.manifest.get("dataset")
    ids = (dataset if isinstance(dataset, dict) else parts.manifest).get("task_ids", ())
    known = {task for task, _ in told}
    declared = {task for task in ids if isinstance(task, str)} if isinstance(ids, list) else set()
    missing = {task for task, repeat in seen if (task, repeat) not in told} | (declared - known)
    return tuple(sorted(missing - settled))


def plan_of(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """The faults that a manifest plans, as their texts."""
    faults = manifest.get("faults")
    stated = faults.get("plan") if isinstance(faults, dict) else faults
    plan = stated if stated is not None else manifest.get("fault_plan")
    if isinstance(plan, str):
        plan = [plan]
    return tuple(map(_fault, plan)) if isinstance(plan, list) else ()


def _fault(one: object) -> str:
    """A fault as its text; an object names point and kind."""
    if not isinstance(one, Mapping):
        return str(one)
    point = one.get("checkpoint") or one.get("at") or one.get("point")
    return f"{point}:{one.get('kind') or one.get('fault')}"


def _policy(manifest: Mapping[str, Any]) -> str:
    """What the declared policy does about such a state, if it says."""
    stated = str(manifest.get("resume_policy") or manifest.get("on_unknown_state") or "")
    fresh = any(word in stated.lower() for word in ("fresh", "restart", "clean"))
    return f"declared policy {stated!r}: start it again in a fresh tree, as a new attempt" if fresh else ""


def _terms(parts: Parts, declared: Sequence[str], plan: tuple[str, ...], trials: Sequence[Trial]) -> BenchTerms:
    manifest = parts.manifest
    faults = manifest.get("faults")
    repeats = (faults if isinstance(faults, dict) else manifest).get("repeats", 1)
    alone = manifest.get("single_shot")
    tasks = tuple(sorted({one.task_id for one in trials}))
    seen = {point for one in trials if isinstance(one.checkpoints, tuple) for point in one.checkpoints}
    return BenchTerms(
        origin="journal",
        name=str(manifest.get("claim_id") or manifest.get("run_id") or "this journal"),
        digest=parts.manifest_digest,
        runner=str(manifest.get("runner") or "") if isinstance(manifest.get("runner"), str) else "",
        checkpoints=tuple(one for one in declared if one in seen or one != Checkpoint.GRADE_RECORDED),
        tasks=tasks,
        faults=plan or NotMeasured("no plan of faults is stated"),
        repeats=repeats if isinstance(repeats, int) and repeats > 0 else 1,
        single_shot=tuple(map(str, alone)) if isinstance(alone, list) else tasks if alone is True else (),
        controls=_shown(trials, manifest),
    )


def _shown(trials: Sequence[Trial], manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """The controls that such files can show at all. Faults were off where nothing was interrupted, or in a paired run;
    and without a stated expectation a fail violates nothing."""
    real = [one for one in trials if not one.control]
    plain = [one for one in real if one.interrupted is False]
    off = bool(plain) and (len(plain) == len(real) or any(map(is_paired, plain)))
    found = []
    if off and (states_expected(manifest) or all(one.ended == "pass" for one in plain)):
        found.append(str(BenchControl.POSITIVE))
    if any(one.control == BenchControl.NEGATIVE for one in trials):
        found.append(str(BenchControl.NEGATIVE))
    return tuple(found)
