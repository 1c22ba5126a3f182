"""Which columns of foreign rows stand beside a kind: place and plain numbers. Every other one is part of it, or free text.

A column is free where nothing knows it: then its values move no label. A number is open where no rule of reading compares it
with another value; whether it is 0 stays part of the kind. What is neither belongs to the kind, value by value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from denominator.importers.columns import BY_NAME
from denominator.importers.files import HEADS
from denominator.importers.logs import READERS
from denominator.importers.provenance import PINS
from denominator.importers.shapes.before_after import LIFTED
from denominator.importers.stamps import wall_ms, when
from denominator.importers.usage import ANSWERS
from denominator.importers.values import MAX_SECONDS, BadValueError, millis, seconds
from denominator.pipeline.foreign_columns import READ_BY_RULES
from denominator.records.draws import LARGEST, NUMBERS

Open = Callable[[object], int | str | None]
"""The number (or, of a time stamp, the date) that a value is; None where only a reading of the whole row can tell."""
READ_ELSEWHERE = frozenset(
    (
        *("arm", "agent", "facts", "run_id", "task_id", "task", "id", "status", "seed", "attempt", "repeat", "header"),
        *HEADS, *READERS, *LIFTED, *ANSWERS, *READ_BY_RULES, *(name for names in PINS.values() for name in names),
    )
)  # fmt: skip
"""Names that something reads although they are no known column."""
USAGE = frozenset(
    (
        *("usage", "usage_convention", "cached_tokens", "cache_write_tokens", "reasoning_tokens", "total_tokens"),
        *("max_tokens", "own_prompt_tokens", "own_completion_tokens", "own_cached_tokens", "own_calls"),
    )
)
"""Columns that counts of tokens are compared with."""
CLOCKS = frozenset(
    ("paused_s", "paused_ms", "working_s", "working_ms", "mono_start", "mono_end", "wall_cap", "failure_mode")
)
"""Columns that wall time is compared with."""
STAMPS = ("start", "end", "stamp")
WALLS = ("wall_s", "wall_ms")


def counted(value: object) -> int | None:
    """A plain count."""
    return value if type(value) is int and 0 <= value < LARGEST else None


def in_seconds(value: object) -> int | None:
    """Milliseconds, as `seconds` reads them; those of most clocks are whole."""
    if isinstance(value, Decimal) and 0 <= value <= MAX_SECONDS:
        exact = value * 1000
        if exact == (whole := int(exact)):
            return counted(whole)
    return _rounded(value)


def _time(read: Callable[[object], int]) -> Callable[[object], int | None]:
    def found(value: object) -> int | None:
        try:
            return counted(read(value))
        except BadValueError:
            return None

    return found


def dated(value: object) -> str | None:
    """The UTC date of a stamp."""
    try:
        return when(wall_ms(value))[:10]
    except (BadValueError, OverflowError):
        return None


_rounded = _time(seconds)
in_milliseconds = _time(millis)
NUMBER_OF: Mapping[str, tuple[str, Open]] = {
    "prompt_tokens": ("usage.prompt", counted),
    "completion_tokens": ("usage.completion", counted),
    "calls": ("usage.calls", counted),
    "wall_s": ("wall_ms", in_seconds),
    "wall_ms": ("wall_ms", in_milliseconds),
    "agent_wall_s": ("agent_ms", in_seconds),
    "queue_wait_ms": ("queue_wait_ms", in_milliseconds),
}
"""Columns that are a number of their own, which it is, and how it is read."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows with the same keys are read: keys of task and repeat ("": none), of the kind, and of what stands beside it.

    `opened` are keys with their place among `NUMBERS` (-1: the date of a stamp). `alone`: no row of these can stand for another.
    """

    task: str
    repeat: str
    kind: tuple[str, ...]
    opened: tuple[tuple[str, int, Open], ...]
    beside: frozenset[str]
    names: frozenset[str]
    alone: bool = False


def plan_of(
    keys: tuple[str, ...], renames: Mapping[str, str], only: frozenset[str] | None, asked: frozenset[str]
) -> Plan:
    """The plan for rows with these keys. `asked` are keys that somebody looks at whatever they are called."""
    of = {key: _column(key, renames, only) for key in keys}
    names = [name for name in of.values() if name]
    alone = len(set(names)) < len(names)
    keyed = {name: key for key, name in of.items() if name}
    looked = READ_ELSEWHERE | asked
    place = {keyed.get("task_id", ""), keyed.get("repeat", "")} - {""}
    told = bool(READERS.keys() & {*keys})
    opened = tuple(
        (key, *_opening(name))
        for key, name in of.items()
        if name and key not in asked and key not in READ_BY_RULES and _is_open(name, {*names}, told)
    )
    free = {key for key, name in of.items() if not name and key not in looked}
    beside = frozenset(place | {one[0] for one in opened} | free)
    kind = tuple(key for key in keys if key not in beside)
    return Plan(
        keyed.get("task_id", ""),
        keyed.get("repeat", ""),
        kind,
        opened,
        beside,
        frozenset(names),
        alone or bool(place & asked),
    )


def _column(key: str, renames: Mapping[str, str], only: frozenset[str] | None) -> str:
    """The known column that a key is read as; "" where it is none."""
    column = BY_NAME.get(renames.get(key, key))
    if column is None or (only is not None and key not in renames and column.name not in only):
        return ""
    return column.name


def _is_open(name: str, names: set[str], told: bool) -> bool:
    """Is this column a number, or a stamp, that nothing else in such a row is compared with? `told`: facts stand in it too."""
    if name in STAMPS:
        return len(names & {*STAMPS}) == 1
    if name in WALLS:
        return not told and not names & CLOCKS and len(names & {*WALLS}) == 1 and not {"start", "end"} <= names
    if name in ("prompt_tokens", "completion_tokens", "calls"):
        return not names & USAGE
    return name == "queue_wait_ms" or (name == "agent_wall_s" and not told and not names & CLOCKS)


def _opening(name: str) -> tuple[int, Open]:
    if name in STAMPS:
        return -1, dated
    number, read = NUMBER_OF[name]
    return NUMBERS.index(number), read
