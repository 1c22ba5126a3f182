"""A run of the harness as its files tell it: the report, the folders of instances, the predictions; rows, plan, conflicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from denominator.importers.foreign import at, foreign_row, undeclared
from denominator.importers.swebench import endings
from denominator.importers.swebench.agents import by_status
from denominator.importers.swebench.cases import Case, Found, Said
from denominator.importers.swebench.folders import FolderReader
from denominator.importers.swebench.instances import conflicts, found_of
from denominator.importers.swebench.lists import RunReport
from denominator.importers.swebench.predictions import Predictions
from denominator.importers.swebench.trees import Tree
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.foreign import ForeignRow, Told
from denominator.records.rows import Source as Place
from denominator.records.values import counted
from denominator.wire.names import id_problem
from denominator.wire.sources import Source

SHOWN = 20
ODD = {
    "cut_test_names": "names of tests are cut inside their brackets and stand for several tests: a verdict may be another's",
    "spaced_test_names": "failed tests whose names hold odd spaces: the printed name may be the same but for these",
}
JUDGED = (endings.SAID_RESOLVED, endings.SAID_UNRESOLVED)
NO_PLAN = "no file says what was to be evaluated: there are results, and no predictions and no run report"


@dataclass(slots=True)
class Run:
    """What was found of one run. `size` is the number of the dataset where a file or its name states it.

    `agent` says how the agent itself ended, by id, where its files lie beside.
    """

    name: str
    importer: str
    files: Source
    told: Told
    report: RunReport | None = None
    tree: Tree | None = None
    predictions: Predictions | None = None
    said: Mapping[str, Said] = field(default_factory=dict)
    ids: Sequence[str] = ()
    size: int | None = None
    fields: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    extra: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)
    agent: Mapping[str, str] = field(default_factory=dict)

    def said_of(self, task: str) -> Said:
        """What the lists say of an instance."""
        if task in self.said:
            return self.said[task]
        report = self.report
        if report is None:
            return Said()
        reason = report.reasons.get(task, "")
        tier = next((name for name in ("infra", "ambiguous") if report.has(name, task)), "")
        if reason and not tier:
            tier = "infra" if reason in endings.ENVIRONMENT else "ambiguous"
        return Said(report.state(task), tier, reason)

    def handed_in(self) -> set[str]:
        """Every id of the plan: predictions, submitted_ids, the dataset; nothing where there is none."""
        found = set(self.ids)
        found |= set(self.predictions.of) if self.predictions is not None else set()
        return found | set(self.report.ids.get("submitted", ()) if self.report is not None else ())

    def every(self) -> list[str]:
        """Every id of it, sorted."""
        known = {*self.said, *self.ids}
        known |= set(self.report.every()) if self.report is not None else set()
        known |= set(self.tree.of) if self.tree is not None else set()
        known |= set(self.predictions.of) if self.predictions is not None else set()
        return sorted(known)


def rows_of(run: Run) -> Iterator[ForeignRow]:
    """One row for each instance that somebody began with, in the order of ids."""
    reader = FolderReader(run.files, run.tree, run.told) if run.tree is not None else None
    known, ungraded, strangers = run.handed_in(), list[str](), list[str]()
    odd: dict[str, list[str]] = {name: [] for name in ODD}
    silent = 0
    for task in run.every():
        if why := id_problem(task):
            run.told.say("refused_id", run.name, f"task id {task[:80]!r} {why}")
            continue
        case = Case(task, run.told, run.said_of(task))
        if run.predictions is not None:
            case.prediction = run.predictions.of.get(task)
        if reader is not None and run.tree is not None and task in run.tree.of:
            case.folder = reader.folder(task)
        if (found := found_of(case)) is None:
            continue
        if found.ending is endings.EMPTY:
            silent += _by_agent(run, task, found)
        if found.ending is endings.UNGRADED and case.said.state != "pending":
            ungraded.append(task)
        if known and task not in known and case.folder is None and found.ending in JUDGED:
            strangers.append(task)
            found.ending = None
        if conflicts(case):
            _conflict(case)
        for name in odd.keys() & found.extra.keys():
            odd[name].append(task)
        yield _row(run, case, found)
    if strangers:
        what = f"{len(strangers)} ids have a verdict, and nobody handed in anything for them"
        run.told.say("not_handed_in", run.name, what, *strangers[:SHOWN])
    if silent:
        what = "no file here says whether the agent gave up, met a limit, or broke"
        run.told.notes.append(f"{counted(silent, 'empty patch', 'empty patches')}: {what}")
    for name, tasks in odd.items():
        if tasks:
            run.told.say(name, run.name, f"{counted(len(tasks), 'id')}: {ODD[name]}", *tasks[:SHOWN], blocks=False)
    if ungraded:
        what = f"{len(ungraded)} predictions of which no file says what became of them"
        where = run.predictions.file if run.predictions is not None else run.name
        run.told.say("not_evaluated", where, what, *ungraded[:SHOWN])


def _by_agent(run: Run, task: str, found: Found) -> bool:
    """An empty patch by what the agent's own files say; true where they say nothing."""
    status = run.agent.get(task)
    if status is None:
        return True
    found.extra["exit_status"] = status[:80]
    if (ending := by_status(status)) is not None:
        found.ending = ending
        found.fields["patch"] = endings.NO_PATCH
    return False


def _conflict(case: Case) -> None:
    what = (
        "another patch was graded than the one that was handed in; the harness keeps a report of a run whatever is new"
    )
    case.say("patch_conflict", what)


def _row(run: Run, case: Case, found: Found) -> ForeignRow:
    extra = {**found.extra, **run.extra.get(case.task, {})}
    if run.report is not None and (lists := run.report.lists_of(case.task)):
        extra["lists"] = list(lists)
    elif case.said.state:
        extra["lists"] = [case.said.state]
    if found.ending is endings.REGRESSION:
        extra["regression"] = True
    fields: dict[str, Any] = {**found.fields, **run.fields.get(case.task, {})}
    return foreign_row(
        run.name, found.ending, case.task, importer=run.importer, source=_source(run, case), numbered=False, extra=extra,
        **fields,
    )  # fmt: skip


def _source(run: Run, case: Case) -> Place:
    """Where a row stands: its own report, else the list that ends it, else the prediction."""
    if case.folder is not None:
        run.told.files.setdefault(case.folder.where, "an instance")
        return at(case.folder.where, element=case.folder.report or {"instance_id": case.task})
    if case.task in run.places:
        return run.places[case.task]
    if run.report is not None and (place := run.report.place(case.task)):
        return at(run.report.file, place, element=case.task)
    one = run.predictions.of[case.task] if run.predictions is not None else None
    if run.predictions is None or one is None:
        return at(run.name, element=case.task)
    return at(one.file, one.place, one.line, one.sha256)


def plan_of(run: Run) -> Declaration:
    """What was promised: the predictions that were handed in, every id of the lists, and the number of the dataset."""
    named: set[str] = set(run.ids)
    if run.report is not None:
        named |= set(run.report.every())
    if run.predictions is not None:
        named |= set(run.predictions.of)
    tasks = tuple(sorted(task for task in named if not id_problem(task)))
    if run.report is not None and "total_instances" in run.report.counts:
        return _held(run, tasks, run.report.counts["total_instances"])
    if run.size is not None:
        return _held(run, tasks, run.size)
    if not tasks:
        return undeclared(run.name, NO_PLAN)
    return Declaration(run_id=run.name, declared_n=len(tasks), tasks=(DeclaredTasks(tasks=tasks),))


def _held(run: Run, tasks: tuple[str, ...], total: int) -> Declaration:
    """The ids against the number of the dataset: fewer ids leave some unnamed, more of them contradict it."""
    foreign = len(run.report.foreign()) if run.report is not None else 0
    if tasks and total <= len(tasks):
        if total < len(tasks) - foreign:
            what = f"{len(tasks)} ids are known, and the dataset is said to hold {total}"
            run.told.say("dataset_size_mismatch", run.report.file if run.report is not None else run.name, what)
        return Declaration(run_id=run.name, declared_n=len(tasks), tasks=(DeclaredTasks(tasks=tasks),))
    what = f"the dataset holds {total} instances, and the plan names {len(tasks)} of them"
    run.told.say("unnamed_ids", run.name, what, blocks=False)
    return Declaration(run_id=run.name, declared_n=total)
