"""The kind of a row: the row without its place, its numbers, and whatever else nothing judges by.

A kind keeps what labels, metrics and gate rules may read: whether a number is known and whether it is above 0, whether a
list holds something, which hints came first, on which date the row started. Rows of one kind are judged alike, so one is
judged for all. Numbers that a metric reads one by one (`NUMBERS`) stand beside the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from denominator.labels.parts import PARTS
from denominator.records.draws import ELSEWHERE, LARGEST, NUMBERS, reader
from denominator.records.facts import Repetition, SurfaceFacts, ToolFacts
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, Count, PatchFacts, Usage
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured

T = TypeVar("T")
SOME = ("some",)
WORD = "some"
DATE = len("2026-11-30")
TIMES = ("queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "time_to_first_green_ms")
TOKENS = ("prompt", "completion", "cached_read", "cache_write", "reasoning", "calls")
_read = tuple(reader(name) for name in NUMBERS)


def numbers_of(row: AttemptRow) -> tuple[int, ...]:
    """The numbers that stand beside the kind, in the order of `NUMBERS`."""
    return tuple(value if isinstance(value := read(row), int) and _plain(value) else ELSEWHERE for read in _read)


def named_tasks(terms: Terms) -> frozenset[str]:
    """Tasks that the terms speak of in a way that can move a label: their rows are a kind of their own."""
    return frozenset((*terms.flaky_tasks, *terms.bad_tasks, *terms.expired_tasks))


def kind_of(row: AttemptRow, named: frozenset[str], loop_n: int) -> AttemptRow:
    """The row that stands for its kind."""
    key, failure = row.key, row.first_unrecovered
    paused, working = _pauses(row)
    return replace(
        row,
        key=AttemptKey(key.run_id, key.task_id if key.task_id in named else "", 0, key.attempt),
        source=replace(row.source, line=_class(row.source.line), sha256=_word(row.source.sha256)),
        started_at=row.started_at if isinstance(row.started_at, NotMeasured) else row.started_at[:DATE],
        report_sha=_word(row.report_sha),
        **{name: _class(getattr(row, name)) for name in TIMES},
        paused_ms=paused,
        working_ms=working,
        first_unrecovered=None if failure is None else replace(failure, seq=_class(failure.seq)),
        tests=_known(row.tests, lambda tests: PARTS["tests"].build(PARTS["tests"].key(tests))),
        patch=_known(row.patch, _patch),
        usage=_usage(row.usage),
        tools=_known(row.tools, lambda tools: _tools(tools, loop_n)),
        surfaces=_known(row.surfaces, _surfaces),
        hints=PARTS["hints"].build(PARTS["hints"].key(row.hints)),
        words=(),
        notes=(),
    )


def _plain(value: int) -> bool:
    return 0 <= value < LARGEST


def _class(value: Any) -> Any:
    """0 or above 0; what is unknown, negative or larger than anything measured stays as it is."""
    return int(value > 0) if isinstance(value, int) and _plain(value) else value


def _pauses(row: AttemptRow) -> tuple[Count, Count]:
    """Above 0 or not, and which of the two is the longer one; what stays as it is, is so without more."""
    paused, working = row.paused_ms, row.working_ms
    longer = (
        isinstance(paused, int) and isinstance(working, int) and _plain(paused) and _plain(working) and paused > working
    )
    return 2 if longer else _class(paused), _class(working)


def _word(value: Any) -> Any:
    """Empty or not; what is unknown stays so."""
    return value if isinstance(value, NotMeasured) or not value else WORD


def _some(values: tuple[str, ...]) -> tuple[str, ...]:
    return SOME if values else ()


def _known(value: Any, shown: Callable[[Any], T]) -> T | NotMeasured:
    return value if isinstance(value, NotMeasured) else shown(value)


def _patch(patch: PatchFacts) -> PatchFacts:
    same = bool(patch.base_tree) and patch.base_tree == patch.final_tree
    return PatchFacts(
        sha256=_word(patch.sha256),
        bytes=_class(patch.bytes),
        touched=_some(patch.touched),
        outside=_some(patch.outside),
        forbidden=_some(patch.forbidden),
        refused=_some(patch.refused),
        base_tree="same" if same else patch.base_tree and "base",
        final_tree="same" if same else patch.final_tree and "final",
        applied_tree=_word(patch.applied_tree),
    )


def _usage(usage: Usage) -> Usage:
    return replace(usage, **{name: _class(getattr(usage, name)) for name in TOKENS})


def _tools(tools: ToolFacts, loop_n: int) -> ToolFacts:
    loops = any(one.times >= loop_n for one in tools.repeats)
    repeats = (Repetition(block=1, times=loop_n, first=0),) if loops else ()
    return replace(tools, calls=_class(tools.calls), with_results=_class(tools.with_results), repeats=repeats)


def _surfaces(found: SurfaceFacts) -> SurfaceFacts:
    return replace(found, used=_class(found.used), invented=_some(found.invented), unchecked=_some(found.unchecked))
