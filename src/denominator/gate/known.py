"""What rows and terms say about where and when a run was made: dates, endpoint, seeds. Helpers of rules and of the sentence."""

from __future__ import annotations

import json

from denominator.records.conditions import condition
from denominator.records.grouped import grouped
from denominator.records.judgements import Sheet
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured, is_placeholder

NO_MODEL = "none"


def stated(terms: Terms, name: str) -> str:
    """A condition as plain text, sealed, recorded or declared by a manifest; empty where nothing states it."""
    beside = dict(terms.environment).get(name, "")
    found = NotMeasured("beside") if beside else condition(terms.conditions, name)
    text = beside if isinstance(found, NotMeasured) else _plain(found)
    return "" if is_placeholder(text) else text


def _plain(canonical: str) -> str:
    """Canonical JSON text as a person writes it: a string without its quotes."""
    try:
        value = json.loads(canonical)
    except ValueError:
        return canonical
    return value if isinstance(value, str) else "" if value is None else canonical


def dates_of(sheet: Sheet) -> tuple[str, ...]:
    """The UTC dates on which rows started; where no row has a stamp, the dates that the manifest states."""
    found = {row.started_at[:10] for row, _ in sheet.rows() if isinstance(row.started_at, str) and row.started}
    return tuple(sorted(found)) or tuple(sorted(set(sheet.terms.dates)))


def one_of_rows(sheet: Sheet, field: str) -> tuple[str, ...]:
    """The distinct texts that rows have in a field, sorted; unknown and empty ones are none."""
    values = {getattr(row, field) for row, _ in sheet.rows()}
    return tuple(sorted(value for value in values if isinstance(value, str) and not is_placeholder(value)))


def seeds_of(sheet: Sheet) -> tuple[int, ...]:
    """The distinct seeds of the rows that count, sorted; a row without one adds none."""
    rows = (draw.row for draw, _ in sheet.alike("solvable"))
    return tuple(sorted({row.seed for row in rows if row is not None and isinstance(row.seed, int)}))


def tasks_of(sheet: Sheet) -> int:
    """Tasks of the solvable slice, those without a row included."""
    return len(grouped(sheet.draws, "solvable").ends) + sheet.unnamed


def calls_no_model(sheet: Sheet) -> bool:
    """Does the run declare that no model is called? Then there is no endpoint to name."""
    return stated(sheet.terms, "model_id") == NO_MODEL or one_of_rows(sheet, "asked_model") == (NO_MODEL,)
