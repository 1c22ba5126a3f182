"""What a foreign run was to hold: the format's own plan, or what a person declares beside it. Never the rows that survived."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from denominator.importers.companions import places as places_of
from denominator.importers.declared import NO_IDS, Place, stratum_of
from denominator.importers.stated import Stated
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.keys import DrawKey
from denominator.records.rows import AttemptRow, Declared, Defect
from denominator.records.values import NotMeasured, counted
from denominator.records.words import Slice

MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Planned:
    """What was scheduled, and where its tasks belong."""

    declaration: Declaration
    places: Mapping[str, Place]
    strata: Mapping[str, int]

    @property
    def declared(self) -> tuple[Declared, ...] | NotMeasured:
        """The draws one by one; without their ids, the reason why."""
        if not self.declaration.tasks:
            return self.unlisted
        return tuple(
            Declared(draw=DrawKey(task, repeat), slice=one.slice, control=one.control, stratum=one.stratum)
            for one in self.declaration.tasks
            for task in one.tasks
            for repeat in range(1, one.repeats + 1)
        )

    @property
    def unlisted(self) -> NotMeasured:
        """Why there are no ids."""
        n = self.declaration.declared_n
        return n if isinstance(n, NotMeasured) else NO_IDS

    def placed(self, row: AttemptRow) -> AttemptRow:
        """The row where its task belongs: as control and in the stratum that was declared for it."""
        place = self.places.get(row.key.task_id)
        if place is None:
            stratum = row.stratum or stratum_of(row.key.task_id, self.strata)[0]
            return row if stratum == row.stratum else replace(row, stratum=stratum)
        return replace(row, slice=place.slice, control=place.control, stratum=place.stratum or row.stratum)


def planned(found: Declaration, stated: Stated, where: str) -> Planned:
    """The plan of a format with what its documents and a person state. Contradictions are said in `stated`, and block."""
    controls = places_of(stated, {})
    if found.tasks:
        _held_against(found, stated, where)
        declaration = _with_controls(found, stated, controls)
        stated.task_ids = stated.task_ids or _ids(found)
    elif stated.task_ids is not None:
        declaration = _of_stated(found, stated, controls)
        _same_number(found, declaration.declared_n, stated, where)
    else:
        declaration = replace(found, declared_n=_number(found, stated, where))
    groups = [(Place(one.slice, one.control, one.stratum), one.tasks) for one in declaration.tasks]
    places = {task: place for place, tasks in groups for task in tasks} or controls
    return Planned(declaration, places, stated.strata)


def narrowed(found: Declaration, ids: frozenset[str], stated: Stated, where: str) -> Declaration:
    """The plan of a format for some of its ids; ids that it does not have are said in `stated`, and block."""
    if not found.tasks:
        return found
    if other := tuple(sorted(ids - set(_ids(found)))):
        what = (
            f"{counted(len(other), 'id')} of the subset stand in no plan of the format: {', '.join(other[:MOST_NAMED])}"
        )
        stated.defects.append(Defect(kind="manifest_conflict", where=where, what=what, keys=other))
    groups = (replace(one, tasks=tuple(task for task in one.tasks if task in ids)) for one in found.tasks)
    kept = tuple(one for one in groups if one.tasks)
    return replace(found, tasks=kept, declared_n=sum(len(one.tasks) * one.repeats for one in kept))


def _ids(found: Declaration) -> tuple[str, ...]:
    return tuple(dict.fromkeys(task for one in found.tasks for task in one.tasks))


def _held_against(found: Declaration, stated: Stated, where: str) -> None:
    """A person may say what the format says already, and nothing else."""
    plan = set(_ids(found))
    if stated.task_ids is not None and (other := tuple(sorted(plan ^ set(stated.task_ids)))):
        what = f"the plan of the format and the declared ids differ in {counted(len(other), 'id')}: {', '.join(other[:MOST_NAMED])}"
        stated.defects.append(Defect(kind="manifest_conflict", where=where, what=what, keys=other))
    if stated.task_count is not None and stated.task_count not in (len(plan), found.declared_n):
        stated.say(
            where,
            "task_count",
            f"is {stated.task_count}, the plan of the format has {len(plan)} tasks",
            "manifest_conflict",
        )
    repeats = {one.repeats for one in found.tasks if one.slice == Slice.SOLVABLE}
    if stated.repeats is not None and repeats and repeats != {stated.repeats}:
        told = ", ".join(map(str, sorted(repeats)))
        stated.say(where, "repeats", f"is {stated.repeats}, the plan of the format has {told}", "manifest_conflict")


def _with_controls(found: Declaration, stated: Stated, controls: Mapping[str, Place]) -> Declaration:
    """The format's plan, with the tasks that a person calls controls in their own slice."""
    draws = [
        (task, one.repeats, controls.get(task) or Place(one.slice, one.control, one.stratum))
        for one in found.tasks
        for task in one.tasks
    ]
    known = {task for task, _, _ in draws}
    draws += [(task, 1, place) for task, place in controls.items() if task not in known]
    return _grouped(found, ((task, many, _in_stratum(task, place, stated)) for task, many, place in draws))


def _of_stated(found: Declaration, stated: Stated, controls: Mapping[str, Place]) -> Declaration:
    """The ids that a person or a document names."""
    tasks = dict.fromkeys((*(stated.task_ids or ()), *stated.listed_controls))
    repeats = stated.repeats or 1
    return _grouped(
        found,
        (
            (task, stated.draws.get(task, repeats), _in_stratum(task, controls.get(task) or Place(), stated))
            for task in tasks
        ),
    )


def _in_stratum(task: str, place: Place, stated: Stated) -> Place:
    return place if place.stratum else replace(place, stratum=stratum_of(task, stated.strata)[0])


def _grouped(found: Declaration, draws: Iterable[tuple[str, int, Place]]) -> Declaration:
    """Tasks that are declared alike stand together."""
    listed = sorted(draws, key=lambda one: (one[2].slice, one[2].control, one[2].stratum, one[1], one[0]))
    groups = tuple(
        DeclaredTasks(
            tasks=tuple(task for task, _, _ in some),
            repeats=many,
            slice=place.slice,
            control=place.control,
            stratum=place.stratum,
        )
        for (many, place), some in groupby(listed, key=lambda one: (one[1], one[2]))
    )
    return replace(found, tasks=groups, declared_n=sum(len(one.tasks) * one.repeats for one in groups))


def _same_number(found: Declaration, n: int | NotMeasured, stated: Stated, where: str) -> None:
    """Ids that a person names are as many as the format says there were."""
    if isinstance(found.declared_n, int) and found.declared_n != n:
        what = f"{n} draws are declared, the format states {found.declared_n}"
        stated.say(where, "task_ids", what, "manifest_conflict")


def _number(found: Declaration, stated: Stated, where: str) -> int | NotMeasured:
    """Only how many; a person's number must be the format's, where it has one."""
    if stated.task_count is None:
        return found.declared_n
    n = stated.task_count * (stated.repeats or 1)
    _same_number(found, n, stated, where)
    return n if isinstance(found.declared_n, NotMeasured) else found.declared_n
