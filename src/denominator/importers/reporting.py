"""What an import has to say about itself, and what it read and did not judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from denominator.importers import companions
from denominator.importers.attempts import Built
from denominator.importers.columns import BY_NAME
from denominator.importers.intake import Intake
from denominator.importers.logs import READERS
from denominator.importers.report import Report
from denominator.importers.shapes.before_after import LIFTED
from denominator.records.rows import Ledger
from denominator.records.values import NotMeasured

MOST = 12
USED = frozenset({"agent", "arm", "facts"})


def report_of(
    intake: Intake, ledger: Ledger, built: Built, where: Mapping[str, str], map_notes: tuple[str, ...]
) -> Report:
    """The report of one import."""
    roles, shape = intake.roles, intake.shape
    files = [*roles.rows, *roles.errors, *roles.tasks]
    cards = [row.value.get("id") for one in roles.tasks for row in one.rows]
    ids = [one for one in cards if isinstance(one, str)] or intake.stated.task_ids or ()
    missing = (one for one in ledger.defects if one.kind == "missing_companion")
    return Report(
        shape=shape.name,
        method=shape.method,
        why=f"rows hold {', '.join(sorted(shape.signs))}",
        files=tuple(roles.uses),
        missing=tuple(one.what.removeprefix("missing companion: ") for one in missing),
        deduplicated=len(intake.repeats),
        physical_lines=sum(one.physical_lines for one in roles.rows),
        torn=tuple(torn for one in files for torn in one.torn),
        repairable=tuple(repair for one in files for repair in one.repairs),
        safe_names=companions.safe_names(ids),
        notes=(*_chosen(ledger, where), *intake.notes, *map_notes, *_unjudged(intake, built, mapped=bool(map_notes))),
    )


def _chosen(ledger: Ledger, where: Mapping[str, str]) -> Iterable[str]:
    yield from (f"only rows with {key} = {value}" for key, value in where.items())
    if isinstance(ledger.declared_n, NotMeasured):
        yield f"declared: unknown: {ledger.declared_n.not_measured}"
    elif isinstance(ledger.declared, NotMeasured):
        draws = "1 draw" if ledger.declared_n == 1 else f"{ledger.declared_n} draws"
        yield f"declared: {draws}, by number only: {ledger.declared.not_measured}"


def _unjudged(intake: Intake, built: Built, *, mapped: bool) -> Iterable[str]:
    """What is at hand and moved no label: a reader must not take silence for evaluation."""
    unread = [use.name for use in intake.roles.uses if use.role == "ignored" and use.why.startswith("neither")]
    aside = [use.name for use in intake.roles.uses if use.role == "kept aside"]
    if unread:
        yield f"not read: {_some(unread)}; nothing in them moved a label"
    if aside:
        yield f"kept aside, not judged: {_some(aside)}"
    kept = (
        {key for cells in built.cells for key in cells.extra if key not in BY_NAME} - USED - intake.shape.renames.keys()
    )
    known = READERS.keys() | LIFTED
    kept |= {
        f"facts.{key}" for cells in built.cells for key in _table(cells.raw.value.get("facts")) if key not in known
    }
    if kept and not mapped:
        yield f"columns kept, not judged: {_some(sorted(kept))}"
    if intake.shape.unjudged:
        yield f"not judged: {intake.shape.unjudged}"


def _table(value: object) -> Iterable[str]:
    return sorted(value) if isinstance(value, dict) else ()


def _some(names: list[str]) -> str:
    rest = len(names) - MOST
    return ", ".join(names[:MOST]) + (f" and {rest} more" if rest > 0 else "")
