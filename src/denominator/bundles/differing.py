"""Where two JSON documents differ, by path. Values are not shown: one of them may be a number that is withheld."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

_ABSENT = object()
NAMES = ("metric", "name", "code", "task_id")


def differing(stored: Any, again: Any, path: str = "") -> Iterator[str]:
    """Paths such as `verdict.sentence` or `estimates[headline].numerator`."""
    if isinstance(stored, dict) and isinstance(again, dict):
        for key in sorted({*stored, *again}):
            yield from differing(stored.get(key, _ABSENT), again.get(key, _ABSENT), f"{path}.{key}" if path else key)
    elif isinstance(stored, list) and isinstance(again, list):
        for number, (one, two) in enumerate(zip_longest(stored, again, fillvalue=_ABSENT)):
            yield from differing(one, two, f"{path}[{_name(two) or _name(one) or number}]")
    elif type(stored) is not type(again) or stored != again:
        yield path or "the whole document"


def _name(value: Any) -> str:
    found = next((value[name] for name in NAMES if isinstance(value, dict) and isinstance(value.get(name), str)), "")
    return found[:60]
