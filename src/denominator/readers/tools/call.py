"""A tool call in one form, wherever it was read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured
from denominator.wire.arguments import arguments_text

NO_RESULT = NotMeasured("no result is recorded")
NO_EXIT = NotMeasured("no exit code is recorded")
NO_TURN = NotMeasured("turns are not recorded")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call. `arguments` is canonical JSON and `arguments_sha256` its digest; `result_sha256` names the exact result.

    `index` counts from 0. `turn` is the step of the agent in which the call was made. `thread` tells sequences apart
    that ran beside each other (sub-agents): what repeats is looked for inside one thread.
    """

    index: int
    tool: str
    arguments: Text
    arguments_sha256: Text
    result_sha256: Text = NO_RESULT
    exit: Count = NO_EXIT
    turn: Count = NO_TURN
    thread: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalls:
    """The calls of one attempt in order. `gaps` says in words what is missing from them; empty: nothing is."""

    calls: tuple[ToolCall, ...] = ()
    gaps: tuple[str, ...] = ()


Read = ToolCalls | NotMeasured
"""What a reader makes of bytes: the calls, or why there are none to judge."""


def tool_call(
    index: int,
    tool: str,
    arguments: Any,
    result_sha256: Text = NO_RESULT,
    *,
    exit_code: Count = NO_EXIT,
    turn: Count = NO_TURN,
    thread: int = 0,
) -> ToolCall:
    """A call from arguments as they came: any JSON value, or a text."""
    text = arguments_text(arguments)
    return ToolCall(
        index=index,
        tool=tool,
        arguments=text,
        arguments_sha256=hashlib.sha256(text.encode()).hexdigest() if isinstance(text, str) else text,
        result_sha256=result_sha256,
        exit=exit_code,
        turn=turn,
        thread=thread,
    )
