"""Lines whose form was seen before, told by their bytes: the same keys in the same order, plain values, nothing else between.

What a form does not take (an escape, a character beyond ASCII, a number with an exponent, a list) is read as JSON. What it takes
is JSON by its own pattern: keys that differ from each other, scalars, and the values of a kind are the same where their bytes are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from denominator.pipeline.large_columns import Open, Plan, dated, in_seconds

KEY = re.compile(r"[A-Za-z0-9_ .-]{1,100}")
TEXT = rb'"[ !#-\[\]-~]*"'
NUMBER = rb"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,9})?"
ANY = b"(?:" + TEXT + b"|" + NUMBER + b"|true|false|null)"
COUNT = rb"(?:0|[1-9][0-9]{0,11})"
SECONDS = rb"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,3})?"
ORDINAL = rb"[1-9][0-9]{0,3}"
NAME = rb'"([ !#-\[\]-~]+)"'
TO_MS = (1000, 100, 10, 1)
MOST = 8
"""So many forms are tried for a line."""
Value = Callable[[bytes], int | str | None]


class Form(NamedTuple):
    """A pattern of lines, and which of its groups are task, repeat (-1: none), the kind's values and what stands beside."""

    match: Callable[[bytes], re.Match[bytes] | None]
    task: int
    repeat: int
    kind: Callable[[Sequence[bytes]], object]
    opened: tuple[tuple[int, Value], ...]
    known: dict[object, Any]


def form_of(keys: Sequence[str], plan: Plan, line: bytes) -> Form | None:
    """The form of lines that are written as this one is; none where it cannot be told by its bytes."""
    if plan.alone or not plan.task or not all(map(KEY.fullmatch, keys)):
        return None
    wide = line.startswith(b'{"' + keys[0].encode() + b'": ')
    colon, comma = (b": ", b", ") if wide else (b":", b",")
    opened = {key: read for key, _, read in plan.opened}
    parts, groups = [], []
    for key in keys:
        shown = NAME if key == plan.task else b"(" + _pattern(key, plan, opened) + b")"
        if key in plan.beside and key not in (plan.task, plan.repeat) and key not in opened:
            shown = ANY
        else:
            groups.append(key)
        parts.append(re.escape(b'"' + key.encode() + b'"' + colon) + shown)
    match = re.compile(rb"\{" + re.escape(comma).join(parts) + rb"\}").fullmatch
    if match(line) is None:
        return None
    at = {key: place for place, key in enumerate(groups)}
    places = [at[key] for key in plan.kind]
    kind = itemgetter(*places) if places else lambda _: ()
    values = tuple((at[key], _value(read)) for key, _, read in plan.opened)
    return Form(match, at[plan.task], at.get(plan.repeat, -1), kind, values, {})


def _pattern(key: str, plan: Plan, opened: dict[str, Open]) -> bytes:
    if key == plan.repeat:
        return ORDINAL
    if key not in opened:
        return ANY
    return TEXT if opened[key] is dated else SECONDS if opened[key] is in_seconds else COUNT


def _value(read: Open) -> Value:
    """How the bytes of an open column are read: as its reader would."""
    return _stamp if read is dated else _seconds if read is in_seconds else int


def _stamp(text: bytes) -> str | None:
    return dated(text[1:-1].decode())


def _seconds(text: bytes) -> int:
    whole, _, rest = text.partition(b".")
    return int(whole) * 1000 + (int(rest) * TO_MS[len(rest)] if rest else 0)
