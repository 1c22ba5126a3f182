"""The essence of a row: only what can move a label. Rows of equal essence are judged alike, so one is judged for all.

Rules see nothing else, so no label can depend on a digest, a name, a time or a place in a log: those come back as evidence,
quoted from the row itself. The essence is made from the signature, so equal signatures are equal essences.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from operator import attrgetter
from typing import Any

from denominator.labels.parts import PARTS, Part
from denominator.records.facts import Repetition, ToolFacts
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured

Signature = tuple[Hashable, ...]

PLAIN = (
    "slice", "control", "closed", "stop_reason", "killed_by", "agent_exit", "agent_signal", "oom", "after_cap",
    "run_cap_cut", "grade", "grade_stage", "verify_exit", "verify_signal", "tests_hidden", "tests_written_by_agent",
    "asked", "abstained", "canary_searched", "green_without_agent", "agent_started", "runner_ending",
    "runner_blames_patch", "baseline_collects", "test_counts", "gold_now", "regraded", "workspace_reused",
    "sentinel_changed", "tampering", "forged_output", "canary_echo", "patch_made_by", "apply_exit", "already_applied",
    "weak_tests",
)  # fmt: skip
"""Fields whose whole value can move a label."""

TOGETHER = ("key", "paused_ms", "working_ms", "tools")
"""Fields whose essence needs the terms or each other."""

signature_fields: frozenset[str] = frozenset((*PLAIN, *PARTS, *TOGETHER))
"""The names of all fields of a row that any label can depend on. Why one of them is unknown moves no label."""

UNKNOWN = NotMeasured("not known")
UNKNOWN_KEY = ("?",)
"""Stands for a value that is not known; no word of a source is equal to it."""
QUICK = frozenset((str, bool, int))
_plain = attrgetter(*PLAIN)
_parts = attrgetter(*PARTS)
_KEYS = tuple(part.key for part in PARTS.values())


def signature(row: AttemptRow, terms: Terms, imported: Mapping[str, Label] | None = None) -> Signature:
    """Equal signatures under the same terms give the same labels, apart from key and evidence. Hashable, quick to make."""
    said = tuple(sorted((at, one.axis, one.value, one.by) for at, one in imported.items())) if imported else ()
    parts = map(_part_key, _KEYS, _parts(row))
    return (*map(_hashable, _plain(row)), *parts, _task(row, terms), *_pauses(row), _tools(row, terms), said)


def essence(row: AttemptRow, terms: Terms) -> AttemptRow:
    """The row with nothing but what can move a label; fields that no rule reads have their defaults."""
    plain = zip(PLAIN, _plain(row), strict=True)
    parts = zip(PARTS.items(), _parts(row), strict=True)
    paused, working = _pauses(row)
    tools = _tools(row, terms)
    fields: dict[str, Any] = {name: UNKNOWN if one.__class__ is NotMeasured else one for name, one in plain}
    fields |= {name: _part(part, value) for (name, part), value in parts}
    fields |= {"key": AttemptKey("", _task(row, terms)), "paused_ms": paused, "working_ms": working}
    return AttemptRow(
        **fields, tools=UNKNOWN if isinstance(tools, NotMeasured) else _tool_facts(*tools, terms.tool_loop_n)
    )


def _part_key(key: Callable[[Any], Hashable], value: Any) -> Hashable:
    if value.__class__ is NotMeasured:
        return UNKNOWN_KEY
    try:
        return key(value)
    except (TypeError, AttributeError):
        return ("odd", repr(value))


def _part(part: Part, value: Any) -> Any:
    """A value that is not of its type is kept as it is: the rules that read it crash, and say so."""
    if value.__class__ is NotMeasured:
        return UNKNOWN
    try:
        return part.build(part.key(value))
    except (TypeError, AttributeError):
        return value


def _hashable(value: Any) -> Hashable:
    kind = value.__class__
    if kind in QUICK:
        return value  # type: ignore[no-any-return]
    return UNKNOWN_KEY if kind is NotMeasured else repr(value)


def _task(row: AttemptRow, terms: Terms) -> str:
    """Which task it is matters only where the terms name it."""
    task = row.key.task_id
    named = task in terms.flaky_tasks or task in terms.bad_tasks or task in terms.expired_tasks
    return task if named else ""


def _pauses(row: AttemptRow) -> tuple[int | NotMeasured, int | NotMeasured]:
    """Only whether the provider's pauses took more of the clock than the agent did."""
    if isinstance(row.paused_ms, NotMeasured) or isinstance(row.working_ms, NotMeasured):
        return UNKNOWN, UNKNOWN
    return (2 if row.paused_ms > row.working_ms else 0), 1


def _tools(row: AttemptRow, terms: Terms) -> tuple[bool, bool] | NotMeasured:
    """Whether the log is complete, and whether something in it repeats often enough to be a loop."""
    tools = row.tools
    if isinstance(tools, NotMeasured):
        return UNKNOWN
    return tools.complete, any(one.times >= terms.tool_loop_n for one in tools.repeats)


def _tool_facts(complete: bool, loops: bool, times: int) -> ToolFacts:
    repeats = (Repetition(block=1, times=times, first=0),) if loops else ()
    return ToolFacts(source="", calls=0, with_results=0, complete=complete, repeats=repeats)
