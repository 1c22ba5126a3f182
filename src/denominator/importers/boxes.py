"""The box that a row got against the box that the manifest promises: less memory makes an exhausted one the harness's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from denominator.errors import InputError
from denominator.records.rows import AttemptRow
from denominator.wire.codec import loads

MEMORY = ("memory_mb", "memory_limit_mb", "mem_mb", "limit_mb")
PLACES = ("", "env.", "envelope.", "sandbox.")
SOLUTION = "solution_memory"
TOO_SMALL = "sandbox_config"


def with_promised_memory(row: AttemptRow, environment: Mapping[str, str]) -> AttemptRow:
    """Texts about memory speak of the sandbox where it had less than was promised, and the row says so."""
    got, promised = _megabytes([row.limits_enforced.get("memory_mb")]), promised_memory(environment)
    if got is None or promised is None or got >= promised:
        return row
    hints = tuple(replace(one, cause=TOO_SMALL) if one.cause == SOLUTION else one for one in row.hints)
    note = f"the box had {got} MB of memory, the manifest promises {promised} MB"
    return replace(row, hints=hints, notes=(*row.notes, note))


def promised_memory(environment: Mapping[str, str]) -> Decimal | None:
    """Megabytes of memory that the manifest states, alone or among its limits; None where it states none."""
    plain = [environment.get(f"{place}{name}") for place in PLACES for name in MEMORY]
    tables = [_table(environment.get(f"{place}limits", "")) for place in PLACES]
    return _megabytes([*plain, *(table.get(name) for table in tables for name in MEMORY)])


def _table(text: str) -> Mapping[str, object]:
    try:
        found = loads(text, "limits") if text.startswith("{") else {}
    except InputError:
        return {}
    return found if isinstance(found, dict) else {}


def _megabytes(values: Iterable[object]) -> Decimal | None:
    for value in values:
        try:
            exact = Decimal(str(value))
        except InvalidOperation:
            continue
        if exact.is_finite() and exact > 0:
            return exact
    return None
