"""Sheets as JSON Lines, for programs: a `ReviewRow` a line; whoever fills it sets `value` and `why`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from denominator.errors import InputError, Problem
from denominator.records.reviews import ReviewRow
from denominator.review.answers import NEEDED, Line
from denominator.wire.canonical import canonical
from denominator.wire.jsonl import read_jsonl


def write_jsonl(rows: Iterable[ReviewRow]) -> bytes:
    """A copy as a file."""
    return b"".join(canonical(row) + b"\n" for row in rows)


def read_answers(data: bytes, where: str) -> tuple[Line, ...]:
    """The lines of a file that came back. Raises InputError with every line that cannot be read."""
    found = read_jsonl(data, where)
    problems = [Problem(f"{where}:{bad.number}", bad.what, bad.fix) for bad in found.bad]
    if found.torn is not None:
        problems.append(Problem(f"{where}:{found.torn.number}", "the last line is cut off"))
    lines = []
    for row in found.rows:
        wrong = [name for name in NEEDED if not isinstance(row.value.get(name), str)]
        if wrong:
            problems.append(Problem(f"{where}:{row.number}", f"{', '.join(wrong)} must be text"))
        else:
            lines.append(_line(row.number, row.value))
    if problems:
        raise InputError("a sheet cannot be read", where=where, problems=problems)
    return tuple(lines)


def _line(number: int, value: Mapping[str, Any]) -> Line:
    key = value.get("key")
    key = key if isinstance(key, dict) else {}
    names = (("task", "task_id"), ("repeat", "repeat"), ("attempt", "attempt"))
    shown = tuple((name, str(key[field])) for name, field in names if field in key)
    return Line(number=number, shown=shown, **{name: value[name].strip() for name in NEEDED})
