"""When is a line of a ledger like one that was judged already? Decided on plain JSON, without making it a record.

Equal keys promise: both lines are rows of the same types, and every label of both is the same. So a key holds all that
`labels/essence.py` keeps of a row, coarser only where that is coarser too, and the types of everything else, so that a
line which is no row is never taken for one. A property test holds the key to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from denominator.labels import signature_fields


def coarse_key(value: Mapping[str, Any], named: frozenset[str], loop: int) -> str:
    """`named` are tasks that the terms speak of, `loop` is how many repetitions make a loop."""
    place = value.get("key")
    task = place.get("task_id") if isinstance(place, dict) else ""
    return repr((
        [*value],
        [_types(one) if type(one) is list and one else _kinds(one) if type(one) is dict else type(one) for one in value.values()],
        _kinds(place),
        task if type(task) is str and task in named else "",
        [value.get(name) for name in PLAIN],
        [reduce(value.get(name)) for name, reduce in REDUCED.items()],
        _pauses(value.get("paused_ms"), value.get("working_ms")),
        _tools(value.get("tools"), loop),
    ))  # fmt: skip


def _kinds(value: Any) -> Any:
    """The names and types in a flat table."""
    return [*value, *[type(one) for one in value.values()]] if isinstance(value, dict) else value


def _types(value: Any) -> Any:
    """The names and types in a table or a list of plain values, and in the tables inside it."""
    if isinstance(value, dict):
        return [(name, _kinds(one) if type(one) is dict else type(one)) for name, one in value.items()]
    return [_kinds(one) if type(one) is dict else type(one) for one in value] if type(value) is list else type(value)


def _pauses(paused: Any, working: Any) -> Any:
    """Which of two durations is the longer one."""
    return paused > working if type(paused) is int and type(working) is int else (type(paused), type(working))


def _tools(value: Any, loop: int) -> Any:
    """Whether the log is complete and holds a loop."""
    if not isinstance(value, dict) or not isinstance(value.get("repeats"), list):
        return value
    times = [one.get("times") if isinstance(one, dict) else one for one in value["repeats"]]
    loops = [one >= loop for one in times if type(one) is int]
    if len(loops) < len(times):
        return value
    return (_types(value), _types(value["repeats"]), value.get("complete"), any(loops))


def _some(value: Any) -> Any:
    """Whether a list of names holds any, as long as it is one."""
    if type(value) is not list or not value:
        return value
    return SOME if set(map(type, value)) == {str} else value


def _listed(names: tuple[str, ...]) -> Callable[[Any], Any]:
    """A table of which only these lists count, and of those whether they hold any."""

    def reduce(value: Any) -> Any:
        if not isinstance(value, dict) or "not_measured" in value:
            return value
        return (_kinds(value), [_some(value.get(name)) for name in names])

    return reduce


def _few(most: int) -> Callable[[Any], Any]:
    return lambda value: min(value, most) if type(value) is int else value


def _patch(value: Any) -> Any:
    if not isinstance(value, dict) or "not_measured" in value:
        return value
    size, base = value.get("bytes"), value.get("base_tree")
    return (_PATHS(value), _few(1)(size), bool(base) and base == value.get("final_tree"))


def _tests(value: Any) -> Any:
    if not isinstance(value, dict) or "not_measured" in value:
        return value
    expected, passed = value.get("expected"), value.get("passed")
    ids = _IDS(value)
    same = expected == passed
    if not same and ids[1][0] == ids[1][1] == SOME:
        same = set(expected or ()) == set(passed or ())
    return (ids, same)


def _failure(value: Any) -> Any:
    """A failure without the event's number."""
    if not isinstance(value, dict):
        return value
    return [(name, type(one) if name == "seq" else one) for name, one in value.items()]


def _hints(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [(_kinds(one), [one.get(n) for n in HINT]) if isinstance(one, dict) else one for one in value]


SOME = "some"
HINT = ("cause", "family", "writer", "stream")
_PATHS = _listed(("touched", "outside", "forbidden", "refused"))
_IDS = _listed(("expected", "passed", "failed", "skipped", "missing", "other"))
REDUCED: Mapping[str, Callable[[Any], Any]] = {
    "source": lambda value: (_kinds(value), value.get("kind")) if isinstance(value, dict) else value,
    "patch": _patch,
    "tests": _tests,
    "first_unrecovered": _failure,
    "hints": _hints,
    "surfaces": _listed(("invented", "unchecked")),
    "incarnations": _few(2),
    "provider_retries": _few(1),
    "canary_hits": _some,
    "leaks_read": _some,
    "required_missing": _some,
    "usage": _types,
    "limits_enforced": _types,
    "invalid_calls": _types,
    "extra": _types,
    "served_models": _types,
    "notes": _types,
}
"""Fields whose value is made coarser; those that no label reads count with their types alone."""
APART = frozenset(("key", "paused_ms", "working_ms", "tools"))
PLAIN = tuple(sorted((signature_fields | {"started", "schema_version"}) - REDUCED.keys() - APART))
"""Fields that count as they are."""
