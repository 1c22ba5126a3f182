"""`import rows`: foreign rows and their companions as a ledger, with what their manifest declares. START HERE."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from denominator.importers import companions
from denominator.importers.attempts import Built, Reading, build
from denominator.importers.baselines import Baseline, baseline_notes, broken_tasks, read_baseline, with_baseline
from denominator.importers.cards import Cards
from denominator.importers.clauses import contract_defects
from denominator.importers.columnmap import ColumnMap, readable, with_where
from denominator.importers.complete import complete, declare_tasks, defects_of, missing_companions
from denominator.importers.contents import content_digest
from denominator.importers.declared import declare, placed_by_rows
from denominator.importers.intake import Intake, take_in
from denominator.importers.leaks import scans_of
from denominator.importers.logs import Beside, beside_of
from denominator.importers.narration import narration_of
from denominator.importers.provenance import limit_defects, with_provenance
from denominator.importers.raw import RawRow
from denominator.importers.report import Imported
from denominator.importers.reporting import report_of
from denominator.importers.sums import digest_defects
from denominator.importers.surfaces import frozen_of
from denominator.importers.terms import terms_of
from denominator.importers.transport import note_patches
from denominator.readers.logs import LogRead
from denominator.records.rows import Defect, Ledger
from denominator.records.seals import Terms


def import_rows(
    files: Sequence[tuple[str, bytes]],
    column_map: ColumnMap | None = None,
    where: Mapping[str, str] | None = None,
    logs: Sequence[LogRead] = (),
) -> Imported:
    """Read foreign result files (name, bytes) as one run; `logs` are text logs that were read beforehand, by chunks.

    `where` keeps only rows whose columns hold these values (an arm, a model). What is ambiguous or unknown is an
    `InputError`; what is wrong inside a known shape is a defect of the ledger, with line and key, and blocks.
    """
    column_map = with_where(column_map, where or {}) if column_map else None
    told = dict(column_map.where if column_map else where or {})
    beside, rest = beside_of(files, logs)
    intake = take_in(rest, column_map, told, beside)
    reading = _reading(intake, column_map)
    built = build(intake.raws, reading, intake.run_id)
    baseline = read_baseline(_lines(intake), intake.stated.environment, built.cells)
    with_baseline(built, baseline)
    intake = replace(intake, notes=(*intake.notes, *note_patches(built, files), *baseline_notes(baseline)))
    digests = _digests(files, beside)
    ledger = _ledger(intake, reading, built, files, digests)
    ledger = replace(ledger, defects=(*ledger.defects, *broken_tasks(baseline, _where(intake)), *limit_defects(intake)))
    terms = with_provenance(
        _terms(intake, ledger, _contents(files, digests), baseline), intake, reading.cards, built.cells
    )
    notes = column_map.notes if column_map else ()
    report = report_of(intake, ledger, built, told, notes)
    return Imported(ledger=ledger, terms=terms, report=report, logs=tuple(beside.logs.values()))


def _reading(intake: Intake, column_map: ColumnMap | None) -> Reading:
    stated, roles = intake.stated, intake.roles
    tasks = companions.read_tasks([row for one in roles.tasks for row in one.rows], stated)
    single, folders = companions.cards_of(roles.of("card"))
    cards = Cards(tasks, single, folders)
    places = companions.places(stated, tasks)
    only = readable(column_map) if column_map else None
    frozen = frozen_of((one.name, one.document) for one in roles.of("spec"))
    scans = scans_of(one.document for one in roles.of("scan"))
    return Reading(intake.shape, stated, places, cards, only, frozen, scans)


def _digests(files: Sequence[tuple[str, bytes]], beside: Beside) -> dict[str, str]:
    """sha256 of every input by name; a log that was read by chunks has its own already."""
    known = {name: log.sha256 for name, log in beside.logs.items()}
    return known | {name: hashlib.sha256(data).hexdigest() for name, data in files if name not in known}


def _contents(files: Sequence[tuple[str, bytes]], digests: Mapping[str, str]) -> dict[str, str]:
    """What names an import: the content of its files, whatever the order of their rows."""
    return {**digests, **{name: content_digest(name, data) for name, data in files}}


def _ledger(
    intake: Intake,
    reading: Reading,
    built: Built,
    files: Sequence[tuple[str, bytes]],
    digests: Mapping[str, str],
) -> Ledger:
    calls = complete(built, reading, intake)
    if intake.roles.tasks:
        declare_tasks(intake.stated, reading.cards.tasks, intake.roles.tasks[0].name)
    narration, probe_defects = narration_of(intake.roles.of("probe"), intake.run_id)
    found = (
        *defects_of(intake, built),
        *missing_companions(intake),
        *digest_defects(files, digests),
        *_leaky(reading, intake),
        *probe_defects,
        *contract_defects(_told(intake), intake.stated, intake.roles.of("probe")),
    )
    places = {**placed_by_rows(built.rows), **reading.places}
    declared, declared_n = declare(intake.stated, places, [row.key.task_id for row in built.rows])
    return Ledger(
        run_id=intake.run_id,
        source="import",
        declared=declared,
        declared_n=declared_n,
        rows=tuple(sorted(built.rows, key=lambda row: row.key)),
        calls=calls,
        labels=(*built.labels, *narration),
        defects=found,
        shape=f"rows/{intake.shape.name}",
    )


def _told(intake: Intake) -> list[RawRow]:
    """The rows as their source wrote them."""
    return [row for one in intake.roles.rows for row in one.rows]


def _leaky(reading: Reading, intake: Intake) -> tuple[Defect, ...]:
    """A pack whose images hold the answer is rejected before a run; what was run on it anyway is no result."""
    where = next((one.name for one in intake.roles.of("scan")), "")
    return tuple(Defect(kind="leaky_pack", where=where, what=f"pack rejected: {one}") for one in reading.scans.findings)


def _lines(intake: Intake) -> list[RawRow]:
    return [row for one in intake.roles.baseline for row in one.rows]


def _where(intake: Intake) -> str:
    return next((one.name for one in intake.roles.baseline), "")


def _terms(intake: Intake, ledger: Ledger, digests: Mapping[str, str], baseline: Baseline) -> Terms:
    ignored = {use.name for use in intake.roles.uses if use.role == "ignored"}
    read = {name: sha for name, sha in digests.items() if name not in ignored}
    return terms_of(intake.stated, ledger, read, baseline)
