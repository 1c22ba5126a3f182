"""Where a value is inside a document, as people read it: `arm[0].model.id`."""

from __future__ import annotations

import re
from collections.abc import Iterable

Path = tuple["Path", "str | int"] | None
"""A linked path, cheap to extend while reading; None is the whole document."""

SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


def steps(path: Path) -> tuple[str | int, ...]:
    """The path from the outside in."""
    found: list[str | int] = []
    while path is not None:
        path, step = path
        found.append(step)
    return tuple(reversed(found))


def dotted(parts: Iterable[str | int]) -> str:
    """The path as text; keys that are no plain names are quoted."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif SIMPLE.match(part):
            text += f".{part}" if text else part
        else:
            text += f"[{part!r}]"
    return text
