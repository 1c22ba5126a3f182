"""`audit PATH`: import + gate + report: what was published, what the rows say of it, what is missing, what is allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.errors import Exit, InputError
from denominator.gate import holds_of
from denominator.importers import Report
from denominator.importers.foreign import Importer
from denominator.pipeline.audit_counts import Counted, counted_of
from denominator.pipeline.audit_published import RATE, published_lines
from denominator.pipeline.audit_runs import Of, ids_of, of_run, regraded, run_lines, unread
from denominator.pipeline.foreign import Foreign, import_foreign
from denominator.pipeline.foreign_declared import Declaring, read_declared
from denominator.pipeline.house import judging_rules
from denominator.pipeline.importing import import_paths
from denominator.pipeline.recognising import Recognised, part_of, recognise_one, unknown_format
from denominator.pipeline.results import Result
from denominator.records.audits import Audit, AuditedRun, EndingLine
from denominator.records.foreign import Ending, Published
from denominator.records.judgements import Judged
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.durable import write_file
from denominator.wire.names import safe_name
from denominator.wire.sources import Source, open_source

AUDIT_FILE = "audit.json"
NO_PASS_LINE = "no_pass_line"
"""How importers tell that a score is neither passed nor failed."""
IDS_FILES = ("union.txt", "shared.txt")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asked for: which runs (all where none is named), what is declared beside them, where to keep them."""

    parts: tuple[str, ...] = ()
    declare: Path | None = None
    out: Path | None = None


def audit_path(path: Path, importers: Sequence[Importer], asked: Asked) -> Audit:
    """The audit of what a path holds. InputError: nothing reads it, several formats fit, or `out` is in use."""
    if asked.out is not None and asked.out.exists():
        raise InputError("the folder is in use", where=str(asked.out), fix="name a new one; nothing was written")
    declaring = read_declared(asked.declare)
    files = open_source(path)
    found = recognise_one(files, importers)
    if found is None:
        audit = _of_rows(path, files, importers, asked)
    elif len(parts := _chosen(found, asked.parts, files.name)) == 1:
        audit = _of_run(found, files, parts[0], declaring, asked.out)
    else:
        audit = _of_runs(found, files, parts, declaring, asked.out)
    if asked.out is not None:
        write_file(asked.out / AUDIT_FILE, canonical(audit) + b"\n")
    return audit


def _chosen(found: Recognised, parts: Sequence[str], where: str) -> tuple[str, ...]:
    """The runs that were asked for, each once, or all of them."""
    names = tuple(one.name for one in found.recognition.parts)
    return tuple(part_of(found, one, where) for one in dict.fromkeys(parts)) if parts else names or ("",)


def _of_run(found: Recognised, files: Source, part: str, declaring: Declaring | None, out: Path | None) -> Audit:
    """One run in full."""
    read = import_foreign(found.importer, files, part, declaring, out, found.recognition.why)
    endings = _endings(found.importer.endings, read.endings)
    return _audit(
        files.name, found, read.report, audited(read.result, read.run.name, read.run.told.published, endings), read
    )


def _audit(source: str, found: Recognised, report: Report, run: AuditedRun, read: Foreign) -> Audit:
    return Audit(
        source=source,
        format=found.importer.name,
        title=found.importer.title,
        why=found.recognition.why,
        files={use.name: use.role for use in report.files},
        notes=report.notes,
        run=run,
        exit=int(read.result.exit),
    )


def audited(
    result: Result, name: str, published: Sequence[Published], endings: tuple[EndingLine, ...] = ()
) -> AuditedRun:
    """A judged result beside what its source prints."""
    judged, terms = result.judged, result.terms
    counted = counted_of(judged)
    published = _countable((*published, *_printed(terms.printed_percents)), judged)
    known = {one.name: one.by for one in terms.conditions if not isinstance(one.value, NotMeasured)}
    unknown = {one.name: one.value.not_measured for one in terms.conditions if isinstance(one.value, NotMeasured)}
    return AuditedRun(
        name=name,
        arm=terms.arm,
        run_id=result.ledger.run_id,
        digest=terms.digest,
        passes=counted.passes,
        counts=counted.denominators,
        published=published_lines(published, counted),
        endings=() if judged.split_hidden else endings,
        conditions=known,
        unknown=unknown,
        missing=terms.missing,
        defects=judged.defects,
        verdict=judged.verdict,
    )


def _endings(table: Iterable[Ending], seen: Counter[str]) -> tuple[EndingLine, ...]:
    """The lines of the table that this run shows, in the order of the table; then what no line names."""
    lines = [
        EndingLine(
            word=one.word, n=seen[one.word], outcome=one.outcome, origin=one.origin, reason=one.reason,
            judged=one.judged, why=one.why,
        )
        for one in table
        if seen[one.word]
    ]  # fmt: skip
    named = {one.word for one in lines}
    lines += [
        EndingLine(word=word, n=n, outcome="", origin="", reason="", judged=False, why="no line of the table names it")
        for word, n in sorted(seen.items())
        if word not in named
    ]
    return tuple(lines)


def _of_runs(
    found: Recognised, files: Source, parts: Sequence[str], declaring: Declaring | None, out: Path | None
) -> Audit:
    """A line for each of several runs; one that cannot be read is a line too."""
    told: list[Of] = []
    notes: list[tuple[str, ...]] = []
    for part in parts:
        kept = "" if out is None else safe_name(part)
        try:
            read = import_foreign(found.importer, files, part, declaring, None if out is None else out / kept)
        except InputError as error:
            told.append(unread(part, error.what))
            continue
        told.append(replace(of_result(part, read.result, read.run.told.published), kept=kept))
        notes.append(read.report.notes)
    lines, ids = run_lines(told)
    apart = regraded(told)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        _write_ids(out, told)
    return Audit(
        source=files.name,
        format=found.importer.name,
        title=found.importer.title,
        why=found.recognition.why,
        runs=lines,
        ids=ids,
        notes=_shared(notes),
        regraded=apart,
        exit=int(Exit.worst((*(one.exit for one in lines), *((Exit.BLOCKED,) if apart else ())))),
    )


def _shared(notes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What is noted of every run that could be read."""
    return tuple(one for one in (notes[0] if notes else ()) if all(one in other for other in notes))


def _write_ids(out: Path, told: Sequence[Of]) -> None:
    """The task ids of any run and of all of them, one a line, for `task_ids_file` of `--declare`."""
    for name, ids in zip(IDS_FILES, ids_of(told), strict=True):
        write_file(out / name, "".join(f"{one}\n" for one in sorted(ids)).encode("utf-8", "surrogatepass"))


def of_result(name: str, result: Result, published: Sequence[Published]) -> Of:
    """What a table of several runs needs of one that was judged."""
    judged = result.judged
    counted: Counted = counted_of(judged)
    published = _countable((*published, *_printed(result.terms.printed_percents)), judged)
    lines = published_lines(published, counted)
    return of_run(name, judged, counted, lines, holds_of(judged.findings, judging_rules()), int(result.exit))


def _of_rows(path: Path, files: Source, importers: Sequence[Importer], asked: Asked) -> Audit:
    """No format of ours: rows in one of the shapes of `import rows`, with what their manifest prints."""
    names = [one.name for one in importers]
    if asked.parts or asked.declare:
        raise unknown_format(files, names, "not tried: --run and --declare are for formats")
    try:
        report, result = import_paths((path,), None, (), asked.out)
    except InputError as error:
        raise unknown_format(files, names, error.what) from error
    return Audit(
        source=files.name,
        format="rows",
        title=f"rows of the shape {report.shape}",
        why=report.why,
        files={use.name: use.role for use in report.files},
        notes=report.notes,
        run=audited(result, result.ledger.run_id, ()),
        exit=int(result.exit),
    )


def _countable(published: Sequence[Published], judged: Judged) -> Sequence[Published]:
    """Where some rows have partial credit, and nobody draws a line, no printed rate is a count of rows."""
    if not any(one.kind == NO_PASS_LINE for one in judged.defects):
        return published
    return [replace(one, unit_of="other") if one.role == RATE else one for one in published]


def _printed(percents: Iterable[str]) -> Iterable[Published]:
    """Percentages that a manifest or a person beside the rows says were printed ("43.72% of 730")."""
    for text in percents:
        value, _, rest = text.partition("%")
        of = rest.strip().removeprefix("of").strip()
        yield Published(
            metric="percentage",
            value=value.strip(),
            unit="percent",
            role="rate",
            of=of,
            where="stated",
            unit_of="draws",
        )
