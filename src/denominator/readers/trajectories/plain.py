"""Small steps that every trajectory reader takes over values of foreign JSON, none of which can be trusted to be there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from denominator.records.events import Json
from denominator.records.values import NotMeasured
from denominator.wire.arguments import arguments_text
from denominator.wire.strict import read

DEEP = 24
INT_MAX = 2**63 - 1
STEPS_MAX = 100_000

Object = Mapping[str, Any]


def word(value: Any) -> str | None:
    """A text that says something, or None."""
    return value if isinstance(value, str) and value else None


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing where there is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def inner(value: Any, *names: str) -> Any:
    """A value inside objects, None where the way ends."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def document(data: bytes) -> Any:
    """One JSON document, or None."""
    value, refusal = read(data, "decimal")
    return value if refusal is None else None


def events(data: bytes) -> Iterator[dict[str, Any]]:
    """The objects of JSON lines; a line that is none (a warning between them, a cut end) is passed over."""
    for number, line in enumerate(data.splitlines()):
        if number >= STEPS_MAX:
            return
        if line.lstrip().startswith(b"{") and isinstance(value := document(line), dict):
            yield value


def text(value: Any) -> str:
    """A message as text: a text, the texts of parts, or JSON of what it is; nothing is the empty text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, dict | str) for part in value):
        return "\n".join(part if isinstance(part, str) else _part(part) for part in value)
    return _json(value)


def _part(part: Object) -> str:
    for name in ("text", "thinking", "content"):
        if isinstance(part.get(name), str):
            return str(part[name])
    return _json(part)


def _json(value: Any) -> str:
    return json.dumps(plain(value), ensure_ascii=False, sort_keys=True)


def plain(value: Any, deep: int = 0) -> Json:
    """JSON that we may write: numbers with a fraction and huge ones become text, and so does what is nested too deeply."""
    if deep > DEEP and isinstance(value, dict | list):
        found = arguments_text(value)
        return found if isinstance(found, str) else ""
    if isinstance(value, dict):
        return {str(key): plain(item, deep + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item, deep + 1) for item in value]
    if isinstance(value, Decimal):
        return decimal(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > INT_MAX:
        return str(value) if abs(value) < 10**100 else "a huge number"
    return value if isinstance(value, str | bool | int) or value is None else str(value)


def decimal(value: Decimal) -> str:
    """A decimal as text without an exponent where it is short, else as it is."""
    return format(value, "f") if value.is_finite() and abs(value.adjusted()) < 40 else str(value)


def arguments(value: Any) -> dict[str, Json]:
    """Arguments of a tool call as an object; a text that holds an object is read, anything else stands under `value`."""
    if isinstance(value, str):
        found = document(value.encode("utf-8", "replace"))
        value = found if isinstance(found, dict) else {"value": value} if value.strip() else {}
    read_ = plain({} if value is None else value)
    return read_ if isinstance(read_, dict) else {"value": read_}


def arguments_exact(value: Any) -> dict[str, Any]:
    """The same with every number as it was: what is written of it has the digest that the call has."""
    if isinstance(value, str):
        found = document(value.encode("utf-8", "replace"))
        value = found if isinstance(found, dict) else {"value": value} if value.strip() else {}
    return value if isinstance(value, dict) else {} if value is None else {"value": value}


def number(value: Any) -> int | None:
    """A count of tokens or calls, or None where there is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= INT_MAX else None


def total(values: Iterable[int | None], what: str) -> int | NotMeasured:
    """The sum; not measured where one of them is missing or there is none."""
    found = list(values)
    missing = sum(one is None for one in found)
    if not found or missing:
        return NotMeasured(
            f"{what}: no usage is told" if not found else f"{what}: missing in {missing} of {len(found)}"
        )
    return sum(one for one in found if one is not None)


def dollars(value: Any) -> str | NotMeasured:
    """A cost as decimal text. Agents write 0 where they know no price, so zero says nothing."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return NotMeasured("the agent tells no cost")
    found = Decimal(value) if not isinstance(value, int) or abs(value) <= INT_MAX else Decimal("NaN")
    if not found.is_finite() or found < 0:
        return NotMeasured("the agent's cost is no amount")
    return decimal(found) if found else NotMeasured("the agent counts 0 dollars: it knows no price")


def stamp(seconds: Any) -> str | None:
    """Seconds since 1970 as UTC ISO 8601 with milliseconds; a text is passed on."""
    if isinstance(seconds, str):
        return word(seconds)
    if isinstance(seconds, bool) or not isinstance(seconds, int | Decimal) or not 0 <= seconds < 10**11:
        return None
    return datetime.fromtimestamp(float(seconds), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
