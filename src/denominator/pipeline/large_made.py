"""What a long file of foreign rows comes to, beside its rows: declared draws, terms, defects, report. As of a short one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from denominator.importers import Report
from denominator.importers.attempts import Built
from denominator.importers.baselines import Baseline
from denominator.importers.columns import Cells
from denominator.importers.complete import missing_companions
from denominator.importers.declared import Place, declare, size_defects, stratum_of
from denominator.importers.intake import DOCUMENTS, Intake
from denominator.importers.provenance import left_open, limit_defects, of_documents
from denominator.importers.raw import RawRow
from denominator.importers.reporting import report_of
from denominator.importers.terms import Observed, terms_of_observed
from denominator.pipeline.declaring import Promised, promised_of
from denominator.pipeline.large_rows import LargeRows
from denominator.pipeline.large_single import UnusualError
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.rows import Defect, Ledger
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True)
class Made:
    """Terms and declared draws of an import. `unlisted` says why no draws are listed, where none are."""

    terms: Terms
    declaration: Declaration
    unlisted: NotMeasured | None

    @property
    def promised(self) -> Promised:
        """The declared draws, ready for judging."""
        found = promised_of(self.declaration)
        return found if self.unlisted is None else replace(found, unlisted=self.unlisted)

    def report(self, intake: Intake, rows: LargeRows, where: Mapping[str, str], notes: tuple[str, ...]) -> Report:
        """How the files were read."""
        name = rows.singles.name
        uses = [replace(one, rows=rows.read_rows) if one.name == name else one for one in intake.roles.uses]
        parsed = replace(intake.roles.rows[0], rows=(), physical_lines=rows.seen)
        ledger = Ledger(
            run_id=intake.run_id,
            source="import",
            declared=() if self.unlisted is None else self.unlisted,
            declared_n=self.declaration.declared_n,
            rows=(),
            defects=self.declaration.defects,
        )
        columns = Cells(RawRow(name, 0, "", {}), extra=dict.fromkeys(sorted(rows.singles.keys), ""))
        whole = replace(intake, roles=replace(intake.roles, uses=uses, rows=[parsed]))
        return report_of(whole, ledger, Built(intake.run_id, cells=[columns]), where, notes)


def made_of(intake: Intake, rows: LargeRows, beside: Iterable[tuple[str, str]]) -> Made:
    """Terms and declared draws; `beside` are the digests of the other files."""
    names = rows.placed.names
    places = {**_places(rows, names), **rows.singles.reading.places}
    tasks, number, unlisted = _declared(intake, places, names)
    sizes = size_defects(intake.stated, names)
    defects: tuple[Defect, ...] = (*rows.singles.defects, *intake.stated.defects, *sizes)
    defects += (*missing_companions(intake), *limit_defects(intake))
    declaration = Declaration(
        run_id=intake.run_id, declared_n=number, tasks=tasks, shape=f"rows/{intake.shape.name}", defects=defects
    )
    return Made(_terms(intake, rows, names, dict(beside)), declaration, unlisted)


def _places(rows: LargeRows, names: Sequence[str]) -> dict[str, Place]:
    """Slice and control of each task as its rows say, its first one or the one that makes it a control."""
    of = [Place(one.slice, one.control, one.stratum) for one in rows.singles.kinds.rows]
    if len(set(of)) == 1:
        return dict.fromkeys(names, of[0])
    found: dict[int, Place] = {}
    for task, number in zip(rows.placed.table.task, rows.placed.table.kind, strict=True):
        before = found.setdefault(task, of[number])
        if of[number].control and not before.control:
            found[task] = of[number]
    return {names[task]: place for task, place in found.items()}


def _declared(
    intake: Intake, places: Mapping[str, Place], names: Sequence[str]
) -> tuple[tuple[DeclaredTasks, ...], int | NotMeasured, NotMeasured | None]:
    stated = intake.stated
    if stated.task_ids is None:
        listed, number = declare(stated, places, names)
        return (), number, listed if isinstance(listed, NotMeasured) else None
    alike: dict[tuple[int, Place], list[str]] = {}
    for task in dict.fromkeys((*stated.task_ids, *stated.listed_controls)):
        place = places.get(task) or Place(stratum=stratum_of(task, stated.strata)[0])
        alike.setdefault((stated.draws.get(task, stated.repeats or 1), place), []).append(task)
    if not alike:
        raise UnusualError("no task is declared")
    blocks = tuple(
        DeclaredTasks(
            tasks=tuple(tasks), repeats=repeats, slice=place.slice, control=place.control, stratum=place.stratum
        )
        for (repeats, place), tasks in alike.items()
    )
    return blocks, sum(len(one.tasks) * one.repeats for one in blocks), None


def _terms(intake: Intake, rows: LargeRows, names: Sequence[str], beside: Mapping[str, str]) -> Terms:
    documents = [one.document for role in DOCUMENTS for one in intake.roles.of(role)]
    observed = Observed(ids=False, repeats=max(rows.placed.table.repeat, default=1))
    for row in rows.singles.kinds.rows:
        observed.take(row)
    ignored = {use.name for use in intake.roles.uses if use.role == "ignored"}
    digests = {name: sha for name, sha in {**beside, rows.singles.name: rows.content()}.items() if name not in ignored}
    terms = terms_of_observed(intake.stated, intake.run_id, observed, digests, Baseline())
    terms = of_documents(terms, documents, intake.run_id)
    fields = left_open(documents)
    return replace(terms, unpinned=tuple((task, name) for task in sorted(names) for name in fields))
