"""What repeats in a sequence of tool calls. How often is too often is not decided here (`Terms.tool_loop_n`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from denominator.readers.tools.call import Read, ToolCall
from denominator.records.facts import Repetition, ToolFacts
from denominator.records.values import NotMeasured

BLOCK_MAX = 5

Mark = tuple[str, str, str, int | None, int] | None
"""What makes two calls the same: tool, arguments, result, exit code, thread. None: cannot be told, so equal to nothing."""


def facts_of(read: Read, source: str) -> ToolFacts | NotMeasured:
    """The facts of what a reader found, or its reason. `source`: wire, tool_log, trajectory or import."""
    return read if isinstance(read, NotMeasured) else tool_facts(read.calls, source, read.gaps)


def tool_facts(calls: Iterable[ToolCall], source: str, gaps: tuple[str, ...] = ()) -> ToolFacts:
    """For every block length 1 to 5 the longest repetition, the earliest of equals.

    A block counts under the shortest length that describes it: four equal calls are four blocks of 1, not two of 2. Calls
    are the same when tool, canonical arguments, result digest and exit code are; a call without a result digest is the
    same as no other. Looks at each call once and keeps five of them.
    """
    total = known = 0
    runs = [_Run(length) for length in range(1, BLOCK_MAX + 1)]
    window: deque[Mark] = deque(maxlen=BLOCK_MAX)
    for call in calls:
        mark = _mark(call)
        for run in runs:
            run.take(total, mark, window)
        window.append(mark)
        total, known = total + 1, known + (mark is not None)
    return ToolFacts(
        source=source,
        calls=total,
        with_results=known,
        complete=known == total and not gaps,
        repeats=tuple(run.best for run in runs if run.best is not None),
        gaps=gaps,
    )


def _mark(call: ToolCall) -> Mark:
    if isinstance(call.arguments_sha256, NotMeasured) or isinstance(call.result_sha256, NotMeasured):
        return None
    code = call.exit if isinstance(call.exit, int) else None
    return call.tool, call.arguments_sha256, call.result_sha256, code, call.thread


@dataclass(slots=True)
class _Run:
    """How far back the present calls equal those `length` earlier, and the longest repetition so far."""

    length: int
    matched: int = 0
    best: Repetition | None = None

    def take(self, at: int, mark: Mark, window: deque[Mark]) -> None:
        """One more call; `window` holds the calls before it."""
        same = mark is not None and len(window) >= self.length and window[-self.length] == mark
        self.matched = self.matched + 1 if same else 0
        if self.matched == 0 or self.matched % self.length:
            return
        # Here the last `length` calls are the block as it stands at the beginning of the repetition.
        block = [*window, mark][-self.length :]
        times = self.matched // self.length + 1
        if (self.best is not None and times <= self.best.times) or _has_period(block):
            return
        tools = tuple(one[0] for one in block if one is not None)
        self.best = Repetition(block=self.length, times=times, first=at + 1 - times * self.length, tools=tools)


def _has_period(block: list[Mark]) -> bool:
    """Is the block itself a shorter block, repeated?"""
    size = len(block)
    return any(size % part == 0 and block == block[:part] * (size // part) for part in range(1, size))
