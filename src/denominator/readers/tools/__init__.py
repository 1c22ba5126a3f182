"""Tool calls of an attempt in one form, and what repeats in them (METHODS M1: TOOL_LOOP)."""

from denominator.readers.tools.call import Read, ToolCall, ToolCalls, tool_call
from denominator.readers.tools.log import NO_LOG, read_tool_log
from denominator.readers.tools.messages import history_calls
from denominator.readers.tools.plain import plain_calls
from denominator.readers.tools.repeats import BLOCK_MAX, facts_of, tool_facts
from denominator.readers.tools.traffic import Exchange, traffic_calls
from denominator.readers.tools.trajectory import read_trajectory, trajectory_calls

__all__ = [
    "BLOCK_MAX",
    "NO_LOG",
    "Exchange",
    "Read",
    "ToolCall",
    "ToolCalls",
    "facts_of",
    "history_calls",
    "plain_calls",
    "read_tool_log",
    "read_trajectory",
    "tool_call",
    "tool_facts",
    "traffic_calls",
    "trajectory_calls",
]
