"""A row as its one line, quickly: fields that hold their default are text that was made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from denominator.records.rows import AttemptRow
from denominator.wire.canonical import canonical

NOTHING: Mapping[str, Any] = {}


def row_line(row: AttemptRow, instead: Mapping[str, Any] = NOTHING) -> bytes:
    """As `canonical`, with a newline; `instead` gives other values for some fields."""
    parts = []
    for name, default, text in _defaults():
        value = instead[name] if name in instead else getattr(row, name)
        parts.append(text if value is default else b'"%s":%s' % (name.encode(), canonical(value)))
    return b"{%s}\n" % b",".join(parts)


@cache
def _defaults() -> tuple[tuple[str, Any, bytes], ...]:
    """Every field in the order of canonical JSON with its default, and that default as text."""
    found = []
    for one in sorted(fields(AttemptRow), key=lambda field: field.name):
        text = b"" if one.default is MISSING else b'"%s":%s' % (one.name.encode(), canonical(one.default))
        found.append((one.name, one.default, text))
    return tuple(found)
