"""The strict codec: records <-> JSON values, by their type hints alone.

Writing puts every field down, defaults included. Reading takes a field with a default as absent, refuses unknown keys
and wrong types, and reports every mistake of a document in one `InputError`. A document's digest is of its bytes as
stored, never of what comes out when it is read and written again: a later version may write more fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, cast

from denominator.errors import InputError, Problem
from denominator.records.events import Json
from denominator.wire.decode import read_record
from denominator.wire.encode import record_encoder
from denominator.wire.reading import BAD, Reading, plain_place, version_problem
from denominator.wire.strict import loads

__all__ = ["check_version", "from_json", "loads", "to_json"]

R = TypeVar("R")


def to_json(record: Any) -> Json:
    """A record as plain JSON values. `InternalError` for a field whose value does not fit its type."""
    return record_encoder(cast(Any, type(record)))(record, None)


def from_json(cls: type[R], data: Any, where: str = "") -> R:
    """JSON values (as `loads` gives them) as a record; `InputError` lists every problem with its key."""
    reading = Reading(plain_place(where))
    record = read_record(cls, data, reading)
    if record is BAD:
        raise InputError(f"{cls.__name__} cannot be read", where=where, problems=reading.problems)
    return cast(R, record)


def check_version(data: Any, known: Iterable[int], where: str = "") -> int:
    """The format version of a document of ours; a missing or unknown one is refused, never taken for the latest."""
    value = data.get("schema_version") if isinstance(data, dict) else None
    what = "schema_version is missing" if value is None else version_problem(value, known)
    if what is not None:
        problem = Problem(plain_place(where)(("schema_version",)), what, "use the program version that wrote it")
        raise InputError("unknown format version", where=where, problems=[problem])
    return int(cast(int, value))
