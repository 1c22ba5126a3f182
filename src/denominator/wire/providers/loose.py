"""Reading what others send: nothing here raises on odd input, and no number becomes a float."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from denominator.records.rows import Text
from denominator.records.values import NotMeasured

TEXT_MAX = 200
USAGE_RAW_MAX = 8192


def loads_loose(data: bytes | str) -> Any:
    """JSON as given, decimal numbers and NaN as text; None when it cannot be read."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        return json.loads(text, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None


def dumps_loose(value: Any) -> str:
    """Canonical text of something read by `loads_loose`; lone surrogates stay escaped, so that it can be stored."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return text[:USAGE_RAW_MAX]


def as_dict(value: Any) -> Mapping[str, Any]:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def first(value: Any) -> Mapping[str, Any]:
    """The first object of a list, or an empty one."""
    return as_dict(value[0]) if isinstance(value, list) and value else {}


def text_of(value: Any, reason: str) -> Text:
    """A short printable text, or why there is none."""
    if not isinstance(value, str) or not value:
        return NotMeasured(reason)
    return clean(value)


def clean(value: str) -> str:
    """Text that is safe to store and to print: no control characters, no lone surrogates, at most 200 characters."""
    return "".join(c if c.isprintable() else "?" for c in value[:TEXT_MAX])
