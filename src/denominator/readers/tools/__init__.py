"""Tool calls of an attempt in one form, and what repeats in them (METHODS M1: TOOL_LOOP)."""

from denominator.readers.tools.call import Read, ToolCall, ToolCalls, tool_call
from denominator.readers.tools.plain import plain_calls
from denominator.readers.tools.repeats import BLOCK_MAX, facts_of, tool_facts

__all__ = ["BLOCK_MAX", "Read", "ToolCall", "ToolCalls", "facts_of", "plain_calls", "tool_call", "tool_facts"]
