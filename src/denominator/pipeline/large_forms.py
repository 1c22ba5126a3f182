"""The keys that lines hold, what each is for, and as what it is decoded: many lines at a time, by one typed call each.

A form is made of lines that were read strictly, and grows with them. Whatever it does not take is read by itself; whatever it
takes is a row whose keys each stand once: then a line has as many quotation marks as its keys and its texts need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType, defstruct
from msgspec.json import Decoder

from denominator.pipeline.large_columns import Open, Plan
from denominator.pipeline.large_values import type_of

KEY = re.compile(r'[^"\\\x00-\x1f]{1,100}')
MOST_KEYS = 200
TASK, REPEAT, KIND, OPEN, FREE = "task", "repeat", "kind", "open", "free"
TEXT, FLAG, COUNT, SCALAR, BYTES = "text", "flag", "count", "scalar", "bytes"
TYPES: Mapping[str, Any] = {
    TEXT: str | None,
    FLAG: bool | None,
    COUNT: int | None,
    SCALAR: str | int | float | bool | None,
    BYTES: Raw,
}
"""As what a value is decoded: equal values of one type are the same value in the line. Anything else stays bytes."""
QUOTE = b'"'


@dataclass(frozen=True, slots=True)
class Column:
    """A key: its part in a row, as what it is decoded, whether some rows have it not; of an open one how its values are read, and
    its place among the numbers."""

    key: str
    part: str
    type: str
    optional: bool = False
    read: Open | None = None
    which: int = -1

    @property
    def hint(self) -> Any:
        """As what msgspec decodes it."""
        if self.part in (TASK, REPEAT):
            hint: Any = str if self.part == TASK else int
        else:
            hint = TYPES[self.type] if self.read is None else type_of(self.read)
        return hint | UnsetType if self.optional else hint


@dataclass(frozen=True)
class Form:
    """Lines with these keys. A key of `columns[i]` is the attribute `c<i>` of a decoded line."""

    columns: Mapping[str, Column] = field(default_factory=dict)

    def grown(self, plan: Plan, value: Mapping[str, Any]) -> Form | None:
        """A form that takes this row too, which is read by this plan; none where the row cannot be taken."""
        new = _columns(plan, value) if not plan.alone and plan.task and all(map(KEY.fullmatch, value)) else {}
        found = dict(self.columns)
        for key, one in new.items():
            known = found.get(key)
            if known is None:
                found[key] = _with(one, _type(one, None, value[key]), optional=bool(self.columns))
            elif (known.part, known.which) != (one.part, one.which):
                return None
            else:
                found[key] = _with(known, _type(known, known.type, value[key]), optional=known.optional)
        for key in found.keys() - new.keys():
            found[key] = _with(found[key], found[key].type, optional=True)
        several = any([one.part for one in found.values()].count(part) > 1 for part in (TASK, REPEAT))
        if not new or several or len(found) > MOST_KEYS:
            return None
        return self if found == self.columns else Form(found)

    def of(self, *parts: str) -> Sequence[tuple[Column, Callable[[Struct], Any]]]:
        """The columns with these parts, and how to get one of a decoded line."""
        return [(one, attrgetter(f"c{at}")) for at, one in enumerate(self.columns.values()) if one.part in parts]

    @cached_property
    def decode(self) -> Callable[[bytes], Struct]:
        """One line. Raises ValueError or RecursionError."""
        hints = [(f"c{at}", one.hint, one.optional) for at, one in enumerate(self.columns.values())]
        fields = [(name, hint, UNSET) if optional else (name, hint) for name, hint, optional in hints]
        names = {f"c{at}": key for at, key in enumerate(self.columns)}
        made = defstruct("Line", fields, rename=names, forbid_unknown_fields=True, gc=False, kw_only=True)
        return Decoder(made).decode

    @cached_property
    def kind(self) -> Callable[[Struct], Any]:
        """What of a line is its kind and no bytes."""
        names = [f"c{at}" for at, one in enumerate(self.columns.values()) if one.part == KIND and one.type != BYTES]
        return attrgetter(*names) if names else lambda _: ()

    def quotes(self, line: Struct) -> int:
        """How many quotation marks a decoded line has, where no key stands in it twice."""
        many = 0
        for at in range(len(self.columns)):
            value = getattr(line, f"c{at}")
            if value is UNSET:
                continue
            many += 2
            if value.__class__ is str:
                many += 2
            elif value.__class__ is Raw:
                many += quotes_in(bytes(value))
        return many


def quotes_in(text: bytes) -> int:
    """The quotation marks that begin or end a text."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return text.count(QUOTE)


def _columns(plan: Plan, keys: Mapping[str, Any]) -> dict[str, Column]:
    opened = {key: (which, read) for key, which, read in plan.opened}
    found = {}
    for key in keys:
        if key in opened:
            which, read = opened[key]
            found[key] = Column(key, OPEN, TEXT, read=read, which=which)
        else:
            part = TASK if key == plan.task else REPEAT if key == plan.repeat else FREE if key in plan.beside else KIND
            found[key] = Column(key, part, SCALAR if part == FREE else TEXT)
    return found


def _with(one: Column, type_: str, *, optional: bool) -> Column:
    return Column(one.key, one.part, type_, optional, one.read, one.which)


def _type(one: Column, known: str | None, value: object) -> str:
    """As what a column is decoded that holds this value too."""
    if one.part not in (KIND, FREE):
        return one.type
    if one.part == FREE:
        found = BYTES if isinstance(value, list | dict) else SCALAR
        return found if known in (None, SCALAR) else BYTES
    if value is None:
        return known or TEXT
    simple = {str: TEXT, bool: FLAG, int: COUNT}.get(type(value), BYTES)
    return simple if known in (None, simple) else BYTES
