"""A run of another harness -> ledger, terms and report -> judgement. START HERE for `import FORMAT` and `audit`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.errors import InputError
from denominator.importers import Report
from denominator.importers.baselines import Baseline
from denominator.importers.declared import size_defects
from denominator.importers.foreign import Importer
from denominator.importers.manifest import read_documents
from denominator.importers.planned import Planned, narrowed, planned
from denominator.importers.provenance import of_documents
from denominator.importers.report import FileUse
from denominator.importers.stated import Stated
from denominator.importers.stating import RECORDED
from denominator.importers.terms import Observed, terms_of_observed
from denominator.pipeline.declaring import unlisted_of
from denominator.pipeline.foreign_declared import Declaring
from denominator.pipeline.foreign_file import rows_file
from denominator.pipeline.foreign_rows import MOST_HELD, Kept, keep_rows
from denominator.pipeline.results import Result, judge_ledger, save_imported
from denominator.records.declarations import Declaration
from denominator.records.foreign import ForeignRun
from denominator.records.rows import Defect, Ledger
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured, counted
from denominator.wire.sources import Source, digest_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """One foreign run, read and judged. Its rows are spent; `endings` says how many of them ended in each way."""

    importer: Importer
    run: ForeignRun
    report: Report
    result: Result
    endings: Counter[str]


def import_foreign(
    importer: Importer,
    files: Source,
    part: str = "",
    declaring: Declaring | None = None,
    out: Path | None = None,
    why: str = "",
    most: int = MOST_HELD,
) -> Foreign:
    """Read one run, judge it, and keep it in the new folder `out`. InputError: unreadable, several runs, or `out` in use.

    More than `most` rows are written down as they come and judged by kind, with the same result.
    """
    if out is not None and out.exists():
        raise InputError("the folder is in use", where=str(out), fix="name a new one; nothing was written")
    run = importer.read(files, part)
    stated = _stated(importer, run, declaring)
    plan = _plan(importer, run, stated, declaring)
    subset = declaring.subset if declaring else None
    observed = Observed(ids=bool(stated.strata or stated.ids_digest))
    with rows_file(out) as file:
        kept = keep_rows(run.rows, plan, file, subset.ids if subset else None, observed, most)
        declaration = replace(
            plan.declaration,
            run_id=plan.declaration.run_id or run.name,
            shape=f"{importer.name}/{run.version}" if run.version else importer.name,
            defects=_defects(importer, run, stated, kept),
        )
        terms = _terms(importer, files, run, stated, observed, declaring)
        report = report_of(importer, run, plan, why)
        if kept.file is not None:
            result = kept.file.judge(declaration, terms, report.notes)
        else:
            result = _in_memory(declaration, plan, kept, terms, report.notes, out)
    return Foreign(importer=importer, run=run, report=report, result=result, endings=kept.endings)


def _in_memory(
    declaration: Declaration, plan: Planned, kept: Kept, terms: Terms, notes: tuple[str, ...], out: Path | None
) -> Result:
    """Few rows: one document."""
    ledger = Ledger(
        run_id=declaration.run_id,
        source="import",
        declared=plan.declared if declaration.tasks else unlisted_of(declaration),
        declared_n=declaration.declared_n,
        rows=kept.rows,
        labels=kept.labels,
        defects=declaration.defects,
        shape=declaration.shape,
    )
    result = judge_ledger(ledger, terms, notes=notes)
    if out is not None:
        save_imported(out, ledger, terms, result.card)
    return result


def _plan(importer: Importer, run: ForeignRun, stated: Stated, declaring: Declaring | None) -> Planned:
    """What was scheduled. A subset is a data set of its own, with the plan that the format has for its ids."""
    where = declaring.name if declaring else importer.name
    found, subset = run.declared, declaring.subset if declaring else None
    if subset is not None:
        found = narrowed(found, subset.ids, stated, where)
        stated.task_ids, stated.task_count = tuple(sorted(subset.ids)), None
        if not found.tasks:
            found = replace(found, declared_n=NotMeasured("the subset was chosen afterwards"))
    return planned(found, stated, where)


def _stated(importer: Importer, run: ForeignRun, declaring: Declaring | None) -> Stated:
    """What the format records and what a person declares, as one."""
    documents = [(importer.name, RECORDED, run.document)] if run.document else []
    if declaring is not None:
        documents.append((declaring.name, "declared", declaring.document))
    return read_documents(documents)


def _defects(importer: Importer, run: ForeignRun, stated: Stated, kept: Kept) -> tuple[Defect, ...]:
    aside = f"{counted(kept.aside, 'row')} of ids outside of the subset put aside: the ids were chosen after the run"
    chosen = (Defect(kind="subset", where=importer.name, what=aside, blocks=False),) if kept.chosen else ()
    return (*run.told.defects, *stated.defects, *size_defects(stated, kept.observed.tasks), *chosen)


def _terms(
    importer: Importer,
    files: Source,
    run: ForeignRun,
    stated: Stated,
    observed: Observed,
    declaring: Declaring | None,
) -> Terms:
    """What the gate must know beside the rows; what nobody stated is missing, each field with its reason."""
    digests = {name: digest_of(files, name) for name in _read(files, run)} | dict(
        declaring.digests if declaring else {}
    )
    unknown: Mapping[str, str] = {**importer.cannot_tell, **run.unknown}
    terms = terms_of_observed(stated, run.name, observed, digests, Baseline(), unknown)
    documents = [run.document, *([declaring.document] if declaring else [])]
    terms = of_documents(terms, documents, run.name)
    if declaring is not None and declaring.subset is not None:
        terms = replace(terms, name=declaring.subset.title, selection=declaring.subset.why)
    return replace(terms, arm=run.arm or terms.arm)


def _read(files: Source, run: ForeignRun) -> Iterable[str]:
    """The members that were read; all of them where the importer does not say."""
    names = files.names()
    return [one for one in names if one in run.told.files] or names


def report_of(importer: Importer, run: ForeignRun, plan: Planned, why: str) -> Report:
    """How the run was read."""
    return Report(
        shape=importer.name,
        method=importer.title,
        why=why or "this format was named",
        files=tuple(FileUse(name=name, role=role, why=importer.name) for name, role in sorted(run.told.files.items())),
        notes=(*_chosen(plan), *run.told.notes),
    )


def _chosen(plan: Planned) -> Iterable[str]:
    n = plan.declaration.declared_n
    if isinstance(n, NotMeasured):
        yield f"declared: unknown: {n.not_measured}"
    elif not plan.declaration.tasks:
        draws = "1 draw" if n == 1 else f"{n} draws"
        yield f"declared: {draws}, by number only: {plan.unlisted.not_measured}"
