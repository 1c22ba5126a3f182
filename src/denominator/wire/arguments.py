"""Arguments of tool calls as one canonical text: key order, spaces outside of texts and 1 or 1.0 make no difference."""

from __future__ import annotations

import hashlib
import json
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from typing import Any

from denominator.records.rows import Text
from denominator.records.values import NotMeasured
from denominator.wire.strict import read

PLAIN_DIGITS = 40
PLAIN = 10**PLAIN_DIGITS
EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_TOO_DEEP = NotMeasured("the arguments are nested too deeply")


def arguments_text(value: Any) -> Text:
    """Canonical JSON of arguments as they came.

    A text that is itself a JSON object or array is read first, because some providers send arguments as JSON text. Any
    other text (a shell command, a patch) is exact: every space counts. Nothing at all is an empty object.
    """
    if isinstance(value, str):
        value = _unpacked(value)
    try:
        return json.dumps(plain_json({} if value is None else value), sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return _TOO_DEEP


def _unpacked(text: str) -> Any:
    if not text.strip():
        return {}
    inner, refusal = read(text, "decimal")
    return inner if refusal is None and isinstance(inner, dict | list) else text


def plain_json(value: Any) -> Any:
    """A value with every number in one form and every key a text, so that `json.dumps` writes it in one way."""
    match value:
        case bool() | None | str():
            return value
        case dict():
            return {str(key): plain_json(item) for key, item in value.items()}
        case list() | tuple():
            return [plain_json(item) for item in value]
        case int():
            return value if -PLAIN < value < PLAIN else _number(Decimal(value))
        case Decimal():
            return _number(value)
        case float():
            return _number(Decimal(repr(value)))
        case _:
            return f"{type(value).__name__} {value}"


def _number(value: Decimal) -> int | dict[str, str]:
    """A whole number of moderate size as itself; any other as its shortest digits, in a form that no text can pass for."""
    if value.is_finite():
        if not value:
            return 0
        if value.adjusted() < PLAIN_DIGITS and value == value.to_integral_value():
            return int(value)
        value = value.normalize(EXACT)
    return {"\0number": str(value)}


def arguments_sha256(value: Any) -> Text:
    """The digest of that text, or why there is none."""
    text = arguments_text(value)
    return hashlib.sha256(text.encode()).hexdigest() if isinstance(text, str) else text
