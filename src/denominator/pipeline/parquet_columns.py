"""The columns of a ledger in Parquet: one for every scalar of a row, by its path; what is a list or a mapping is JSON text.

`wall_ms` is a column, `wall_ms.not_measured` says why it is null. A record inside a row is spread over columns
(`usage.prompt`); where it may be unknown as a whole, `patch.not_measured` says why all its columns are null.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from denominator.errors import InputError
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads, to_json

SCALARS = {str: "text", int: "int64", bool: "bool"}
JSON, RECORD, REASON = "json", "record", "not_measured"
Cells = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Node:
    """One field of a record: a scalar, a JSON text, or a record with fields of its own. `unknown`: may it be NotMeasured?"""

    name: str
    path: str
    kind: str
    unknown: bool
    inner: tuple[Node, ...] = ()

    @property
    def reason(self) -> str:
        """The column that says why the field is unknown."""
        return f"{self.path}.{REASON}"

    def columns(self) -> Iterator[tuple[str, str]]:
        """Name and type of each of its columns."""
        if self.kind != RECORD:
            yield self.path, self.kind
        for one in self.inner:
            yield from one.columns()
        if self.unknown:
            yield self.reason, "text"


@cache
def nodes(record: type = AttemptRow, prefix: str = "") -> tuple[Node, ...]:
    """The fields of a record."""
    hints = get_type_hints(record)
    return tuple(_node(one.name, prefix + one.name, hints[one.name]) for one in dataclasses.fields(record))


def _node(name: str, path: str, hint: Any) -> Node:
    several = get_origin(hint) in (Union, types.UnionType)
    kinds = [one for one in (get_args(hint) if several else (hint,)) if one is not NotMeasured]
    unknown = several and NotMeasured in get_args(hint)
    if len(kinds) == 1 and isinstance(kinds[0], type) and dataclasses.is_dataclass(kinds[0]):
        return Node(name, path, RECORD, unknown, nodes(kinds[0], f"{path}."))
    if len(kinds) == 1 and kinds[0] in SCALARS:
        return Node(name, path, SCALARS[kinds[0]], unknown)
    return Node(name, path, JSON, unknown)


def columns() -> dict[str, str]:
    """Every column of a row, in order, with its type: text, int64, bool or json (a text)."""
    return {name: kind for node in nodes() for name, kind in node.columns()}


def cells_of(row: AttemptRow) -> Cells:
    """A row as cells; a column that is not in it is null. Raises InputError for a number that no column can hold."""
    cells: Cells = {}
    value: Any = to_json(row)
    for node in nodes():
        _flatten(node, value[node.name], cells)
    return cells


def _flatten(node: Node, value: Any, cells: Cells) -> None:
    if node.unknown and isinstance(value, dict) and value.keys() == {REASON}:
        cells[node.reason] = value[REASON]
    elif node.kind == RECORD:
        for one in node.inner:
            _flatten(one, value[one.name], cells)
    elif node.kind == JSON:
        cells[node.path] = canonical(value).decode()
    else:
        if isinstance(value, int) and abs(value) >= 2**63:
            raise InputError(
                f"{node.path} needs more than eight bytes", where="row", fix="keep this ledger as JSON lines"
            )
        cells[node.path] = value


def row_of(cells: Mapping[str, Any], where: str) -> AttemptRow:
    """The row of some cells, with every check of a row that is read from JSON. Raises InputError."""
    found: AttemptRow = from_json(AttemptRow, {one.name: _value(one, cells, where) for one in nodes()}, where)
    return found


def _value(node: Node, cells: Mapping[str, Any], where: str) -> Any:
    reason = cells[node.reason] if node.unknown else None
    if reason is not None:
        if any(cells[name] is not None for name, _ in node.columns() if name != node.reason):
            raise InputError(f"{node.path} has a value and a reason why it has none", where=where)
        return {REASON: reason}
    if node.kind == RECORD:
        return {one.name: _value(one, cells, where) for one in node.inner}
    value = cells[node.path]
    return loads(value.encode(), f"{where}, {node.path}") if node.kind == JSON and value is not None else value
