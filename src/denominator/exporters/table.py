"""CSV: one line an attempt, its facts and its labels, for a spreadsheet or a data frame.

Columns are always the same and in one order, whatever a run holds. An unknown value is an empty cell; the column `unknown` says
why, as a JSON object, for each that has another reason than that it was not recorded. Draws that never started have no attempt
and no line: the denominator is `declared` on the card, never the number of lines. Text that a spreadsheet would take for a
formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import get_type_hints

from denominator.exporters.shape import refuse_hidden_split
from denominator.records.exports import Export
from denominator.records.labelled import LabelledRow
from denominator.records.rows import UNREAD, AttemptRow, Failure, PatchFacts, Source, TestIds, Usage
from denominator.records.values import NotMeasured

KEY = ("run_id", "task_id", "repeat", "attempt")
LABELS = ("outcome", "origin", "reason", "failure_class", "mix", "tags", "control_state", "confidence")
RULE = "rule"
"""The rule that decided outcome, origin and reason."""
PARTS: Mapping[str, tuple[type, tuple[str, ...]]] = {
    "source": (Source, ("kind", "file", "line", "sha256")),
    "first_unrecovered": (Failure, ("cause", "writer", "phase")),
    "patch": (PatchFacts, ("bytes", "sha256")),
    "usage": (Usage, ("prompt", "completion", "cached_read", "cache_write", "reasoning", "calls", "complete")),
    "tests": (TestIds, ("expected", "passed", "failed", "skipped", "missing", "other")),
}
"""Fields of a row that hold more than one value, and which of them are columns; of lists their length."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _scalars() -> tuple[str, ...]:
    hints = get_type_hints(AttemptRow)
    plain = (str, int, bool)
    return tuple(
        one.name
        for one in fields(AttemptRow)
        if hints[one.name] in plain or any(hints[one.name] == kind | NotMeasured for kind in plain)
    )


class Table:
    """One line an attempt."""

    name = "csv"
    title = "CSV: one line an attempt, facts and labels in fixed columns"
    ending = "csv"
    cannot_say = (
        "a draw that never started has no line: no denominator can be made of the lines",
        "ids of tests and paths of patches are given by number, and texts that labels quote are left out",
        "no interval, no rule of the gate and no control of the whole run has a place",
    )

    def write(self, run: Export) -> bytes:
        """The table, in UTF-8, with a line of names; lines end in CR LF as RFC 4180 says."""
        refuse_hidden_split(run, self.name)
        made = io.StringIO()
        names = columns()
        writer = csv.writer(made)
        writer.writerow(names)
        for row, labelled in zip(run.ledger.rows, run.rows, strict=True):
            writer.writerow(_cells(names, dict(_values(row, labelled))))
        return made.getvalue().encode("utf-8", "backslashreplace")


def columns() -> tuple[str, ...]:
    """The names of the columns, in order."""
    parts = tuple(f"{name}_{part}" for name, (_, inner) in PARTS.items() for part in inner)
    return (*KEY, *LABELS, RULE, *_scalars(), *parts, "unknown")


def _values(row: AttemptRow, labelled: LabelledRow) -> Iterator[tuple[str, object]]:
    yield from ((name, getattr(row.key, name)) for name in KEY)
    yield from ((name, getattr(labelled, name)) for name in LABELS)
    yield RULE, labelled.by
    yield from ((name, getattr(row, name)) for name in _scalars())
    for name, (kind, inner) in PARTS.items():
        whole = getattr(row, name)
        for part in inner:
            yield f"{name}_{part}", getattr(whole, part) if isinstance(whole, kind) else whole


def _cells(names: tuple[str, ...], values: Mapping[str, object]) -> Iterator[str]:
    unknown = {name: one.not_measured for name, one in values.items() if isinstance(one, NotMeasured) and one != UNREAD}
    yield from (_cell(name, values[name]) for name in names[:-1])
    yield json.dumps(unknown, sort_keys=True, ensure_ascii=False) if unknown else ""


def _cell(name: str, value: object) -> str:
    if value is None or isinstance(value, NotMeasured):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return ";".join(value) if name == "tags" else str(len(value))
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


EXPORTER = Table()
