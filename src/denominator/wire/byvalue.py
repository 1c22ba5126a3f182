"""One text for equal values: keys sorted, numbers by value (0 = 0.0 = 0e5). For comparing, never for storing.

Unlike `canonical` it takes fractions, because foreign documents hold them; two texts are equal exactly when two JSON
values are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

PLAIN_DIGITS = 40


def by_value(value: object) -> str:
    """Canonical JSON text of plain JSON values (mappings, lists, texts, numbers, booleans, None).

    Raises `ValueError` for anything else and for a number that is not finite.
    """
    if value is None or isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        pairs = sorted((str(key), by_value(inner)) for key, inner in value.items())
        return "{" + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{inner}" for key, inner in pairs) + "}"
    if isinstance(value, list | tuple):
        if {*map(type, value)} == {str}:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return "[" + ",".join(map(by_value, value)) + "]"
    if isinstance(value, int | float | Decimal):
        return number_text(value if isinstance(value, Decimal) else Decimal(str(value)))
    raise ValueError(f"{type(value).__name__} is no JSON value")


def same_by_value(text: str) -> str:
    """The canonical text of a JSON text; a text that is no JSON stands for itself, in quotes."""
    try:
        return by_value(json.loads(text, parse_float=Decimal, parse_int=Decimal))
    except (ValueError, RecursionError, InvalidOperation):
        return json.dumps(text, ensure_ascii=False)


def number_text(number: Decimal) -> str:
    """The shortest plain digits of a number, exactly; very large and very small ones with an exponent."""
    if not number.is_finite():
        raise ValueError(f"{number} is not a finite number")
    sign, digits, exponent = number.as_tuple()
    whole = "".join(map(str, digits)).lstrip("0")
    kept = whole.rstrip("0")
    if not kept:
        return "0"
    power = int(exponent) + len(whole) - len(kept)
    minus = "-" if sign else ""
    if 0 <= power <= PLAIN_DIGITS:
        return f"{minus}{kept}{'0' * power}"
    if -PLAIN_DIGITS <= power < 0:
        padded = kept.rjust(1 - power, "0")
        return f"{minus}{padded[:power]}.{padded[power:]}"
    return f"{minus}{kept}e{power}"
