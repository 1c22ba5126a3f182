"""Reading one field of an event's payload: absent is unknown with a reason, never a default that looks measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from denominator.records.events import Json
from denominator.records.facts import TestCounts
from denominator.records.rows import Tally
from denominator.records.values import NotMeasured

Payload = Mapping[str, Json]


def count(payload: Payload, name: str) -> int | NotMeasured:
    """A count or a duration."""
    value = payload.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return _unknown(value, name)


def flag(payload: Payload, name: str) -> bool | NotMeasured:
    """A truth value."""
    value = payload.get(name)
    return value if isinstance(value, bool) else _unknown(value, name)


def word(payload: Payload, name: str) -> str | NotMeasured:
    """A word; an empty one is unknown."""
    value = payload.get(name)
    return value if isinstance(value, str) and value else _unknown(value, name)


def text(payload: Payload, name: str) -> str:
    """A text that may be empty."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def names(payload: Payload, name: str) -> tuple[str, ...]:
    """A list of names."""
    value = payload.get(name)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def tally(payload: Payload, name: str) -> Tally | NotMeasured:
    """`NAME_expected` and `NAME_failed` as a tally."""
    expected, failed = count(payload, f"{name}_expected"), count(payload, f"{name}_failed")
    if isinstance(expected, NotMeasured) or isinstance(failed, NotMeasured):
        return NotMeasured(f"no {name} recorded")
    return Tally(expected=expected, failed=failed)


def counts(payload: Payload, name: str) -> TestCounts | NotMeasured:
    """Numbers of tests by status."""
    value = payload.get(name)
    if not isinstance(value, dict):
        return _unknown(value, name)
    return TestCounts(**{one.name: count(value, one.name) for one in fields(TestCounts)})


def _unknown(value: Json, name: str) -> NotMeasured:
    if isinstance(value, dict) and isinstance(value.get("not_measured"), str):
        return NotMeasured(str(value["not_measured"]))
    return NotMeasured(f"{name} not recorded")
