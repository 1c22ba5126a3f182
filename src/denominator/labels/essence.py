"""The essence of a row: only what can move a label. Rows of equal essence are judged alike, so one is judged for all.

Rules see nothing else, so no label can depend on a digest, a name, a time or a place in a log: those come back as evidence,
quoted from the row itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

from denominator.labels.hints import phase_of
from denominator.records.facts import Hint, Repetition, SurfaceFacts, ToolFacts
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Failure, PatchFacts, Source, Tally, TestIds
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured

Signature = tuple[Hashable, ...]
SOME = ("some",)


def _same(value: Any) -> Any:
    return value


def _any(value: tuple[str, ...]) -> tuple[str, ...]:
    return SOME if value else ()


def _up_to(most: int) -> Callable[[Any], Any]:
    return lambda value: value if isinstance(value, NotMeasured) else min(value, most)


def _failure(value: Failure | None) -> Failure | None:
    return None if value is None else replace(value, seq=0)


def _tests(value: TestIds | NotMeasured) -> TestIds | NotMeasured:
    """Whether the ids agree and which kinds there are; not which ids."""
    if isinstance(value, NotMeasured):
        return value
    expected = _any(value.expected)
    agree = set(value.expected) == set(value.passed)
    return TestIds(
        expected=expected,
        passed=expected if agree else ("another",) * bool(value.passed),
        failed=_any(value.failed),
        skipped=_any(value.skipped),
        missing=_any(value.missing),
        other=_any(value.other),
    )


def _tally(value: Tally | NotMeasured) -> Tally | NotMeasured:
    if isinstance(value, NotMeasured):
        return value
    return Tally(expected=1, failed=0) if value.failed < value.expected else Tally()


def _patch(value: PatchFacts | NotMeasured) -> PatchFacts | NotMeasured:
    if isinstance(value, NotMeasured):
        return value
    same = bool(value.base_tree) and value.base_tree == value.final_tree
    return PatchFacts(
        sha256="",
        bytes=_up_to(1)(value.bytes),
        touched=_any(value.touched),
        outside=_any(value.outside),
        forbidden=_any(value.forbidden),
        refused=_any(value.refused),
        base_tree="same" if same else "",
        final_tree="same" if same else "",
    )


def _surfaces(value: SurfaceFacts | NotMeasured) -> SurfaceFacts | NotMeasured:
    if isinstance(value, NotMeasured):
        return value
    return SurfaceFacts(source="", used=0, invented=_any(value.invented), unchecked=_any(value.unchecked))


def _hints(value: tuple[Hint, ...]) -> tuple[Hint, ...]:
    """The first hint of each cause, family, writer and phase, in order."""
    bare = [
        Hint(cause=h.cause, family=h.family, writer=h.writer, stream=phase_of(h), offset=0, length=0) for h in value
    ]
    return tuple(dict.fromkeys(bare))


NORMAL: Mapping[str, Callable[[Any], Any]] = {
    "slice": _same,
    "control": _same,
    "source": lambda value: Source(kind=value.kind),
    "closed": _same,
    "incarnations": _up_to(2),
    "stop_reason": _same,
    "killed_by": _same,
    "agent_exit": _same,
    "agent_signal": _same,
    "oom": _same,
    "after_cap": _same,
    "run_cap_cut": _same,
    "first_unrecovered": _failure,
    "grade": _same,
    "grade_stage": _same,
    "verify_exit": _same,
    "verify_signal": _same,
    "tests": _tests,
    "sentinels": _tally,
    "counter_tests": _tally,
    "tests_hidden": _same,
    "tests_written_by_agent": _same,
    "patch": _patch,
    "provider_retries": _up_to(1),
    "asked": _same,
    "abstained": _same,
    "required_missing": _any,
    "canary_hits": _any,
    "canary_searched": _same,
    "green_without_agent": _same,
    "agent_started": _same,
    "runner_ending": _same,
    "runner_blames_patch": _same,
    "baseline_collects": _same,
    "test_counts": _same,
    "gold_now": _same,
    "regraded": _same,
    "workspace_reused": _same,
    "sentinel_changed": _same,
    "tampering": _same,
    "forged_output": _same,
    "leaks_read": _any,
    "canary_echo": _same,
    "patch_made_by": _same,
    "apply_exit": _same,
    "already_applied": _same,
    "weak_tests": _same,
    "surfaces": _surfaces,
    "hints": _hints,
}
"""Field of a row -> what of its value can move a label."""

TOGETHER = frozenset(("key", "paused_ms", "working_ms", "tools"))
"""Fields whose essence needs the terms or each other."""

signature_fields: frozenset[str] = frozenset(NORMAL) | TOGETHER
"""The names of all fields of a row that any label can depend on."""


def essence(row: AttemptRow, terms: Terms) -> AttemptRow:
    """The row with nothing but what can move a label; fields that no rule reads have their defaults."""
    paused, working = _pauses(row)
    fields = {name: _normal(normal, getattr(row, name)) for name, normal in NORMAL.items()}
    return AttemptRow(
        key=_key(row.key, terms),
        paused_ms=paused,
        working_ms=working,
        tools=_tools(row.tools, terms.tool_loop_n),
        **fields,
    )


def _normal(normal: Callable[[Any], Any], value: Any) -> Any:
    """A value that is not of its type is kept as it is: the rules that read it crash, and say so."""
    try:
        return normal(value)
    except (TypeError, AttributeError):
        return value


def signature(row: AttemptRow, terms: Terms, imported: Mapping[str, Label] | None = None) -> Signature:
    """Equal signatures under the same terms give the same labels, apart from key and evidence."""
    bare = essence(row, terms)
    said = tuple(sorted((axis, label.axis, label.value, label.by) for axis, label in (imported or {}).items()))
    return (*(getattr(bare, name) for name in sorted(signature_fields)), said)


def _key(key: AttemptKey, terms: Terms) -> AttemptKey:
    """Which task it is matters only where the terms name it."""
    named = any(key.task_id in tasks for tasks in (terms.flaky_tasks, terms.bad_tasks, terms.expired_tasks))
    return AttemptKey("", key.task_id if named else "")


def _pauses(row: AttemptRow) -> tuple[int | NotMeasured, int | NotMeasured]:
    """Only whether the provider's pauses took more of the clock than the agent did."""
    if isinstance(row.paused_ms, NotMeasured) or isinstance(row.working_ms, NotMeasured):
        return _up_to(0)(row.paused_ms), _up_to(0)(row.working_ms)
    return (2 if row.paused_ms > row.working_ms else 0), 1


def _tools(value: ToolFacts | NotMeasured, loop: int) -> ToolFacts | NotMeasured:
    """Whether the log is complete and whether something in it repeats often enough to be a loop."""
    if isinstance(value, NotMeasured):
        return value
    loops = any(one.times >= loop for one in value.repeats)
    repeats = (Repetition(block=1, times=loop, first=0),) if loops else ()
    return ToolFacts(source="", calls=0, with_results=0, complete=value.complete, repeats=repeats)
