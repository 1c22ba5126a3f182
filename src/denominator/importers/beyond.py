"""Looks beyond the task in the calls of foreign rows: only places that are known by themselves, for nobody knows their folders."""

from __future__ import annotations

import json
from collections.abc import Iterable

from denominator.importers.columns import Cells
from denominator.importers.toolcalls import calls_of
from denominator.readers.beyond import Places, looked_beyond
from denominator.readers.tools.call import Read
from denominator.records.values import NotMeasured

NOTHING_KNOWN = Places()


def beyond_in_cells(cells: Cells) -> tuple[str, ...]:
    """`kind: what was named` of a row's column of tool calls."""
    return beyond_in(calls_of(cells))


def beyond_in_read(read: Read) -> tuple[str, ...]:
    """The same of calls that a reader gave."""
    if isinstance(read, NotMeasured):
        return ()
    given = ((call.tool, call.arguments) for call in read.calls if isinstance(call.arguments, str))
    return looked_beyond(given, NOTHING_KNOWN)


def beyond_in(calls: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """The same of tools with their arguments as they stand in a file."""
    return looked_beyond(((tool, _text(given)) for tool, given in calls), NOTHING_KNOWN)


def _text(given: object) -> str:
    """Arguments as JSON text; numbers of any kind as text. What cannot be written says nothing."""
    if isinstance(given, str) and given.lstrip()[:1] in ("{", "["):
        return given
    try:
        return json.dumps(given, default=str)
    except (ValueError, TypeError, RecursionError):
        return ""
