"""Conditions of a run as Every Eval Ever keeps them: fields where it has some, texts for all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from denominator.records.conditions import condition
from denominator.records.exports import Export
from denominator.records.values import NotMeasured, is_placeholder
from denominator.wire.numbers import decimal_of

LIMITS = {"time_limit": "wall_cap_s", "token_limit": "budget_tokens_per_task"}
"""Fields of `eval_limits` and the conditions that they are: seconds and tokens of one attempt."""
PLAN = ("agent_version", "prompt_id", "retry_policy", "repeats")
TOOLS = ("agent_id", "tool_list_digest", "tool_call_cap", "tool_timeout_s")
"""Conditions of what an agent works with."""


def known(run: Export, name: str) -> Any:
    """The value of a condition, or None where nobody stated it."""
    text = condition(run.terms.conditions, name)
    if isinstance(text, NotMeasured):
        return None
    value = json.loads(text)
    return None if is_placeholder(value) or value == "none" else value


def generation(run: Export) -> dict[str, Any]:
    """Decoding, limits, box and plan, as far as they are known; every condition with how it is known beside them."""
    numbers = {
        name: number for name, of in LIMITS.items() if isinstance(number := _number(run, of), int) and number > 0
    }
    plan = {name: str(value) for name in PLAN if (value := known(run, name))}
    named = {"name": str(agent)} if (agent := known(run, "agent_id")) else {}
    longest = _number(run, "max_output_tokens")
    args: dict[str, Any] = {
        "temperature": _number(run, "temperature"),
        "max_tokens": longest if isinstance(longest, int) and longest > 0 else None,
        "agentic_eval_config": _agentic(run) or None,
        "eval_limits": numbers or None,
        "eval_plan": {**named, "config": plan} if named or plan else None,
        "sandbox": {"type": box} if isinstance(box := known(run, "sandbox"), str) else None,
        "max_attempts": run.terms.attempts if run.terms.retry_declared and run.terms.attempts < 1000 else None,
    }
    return {
        "generation_args": {name: value for name, value in args.items() if value is not None},
        "additional_details": dict(_conditions(run)),
    }


def _number(run: Export, name: str) -> int | float | None:
    """A condition that is a number, or the decimal text of one."""
    value = known(run, name)
    found = decimal_of(value) if isinstance(value, str) else value
    if isinstance(found, bool) or not isinstance(found, int | float | Decimal):
        return None
    return int(found) if found == int(found) else float(found)


def _agentic(run: Export) -> dict[str, Any]:
    """Tools that were called, so that they were there; limits and digests of tools that have no field of their own."""
    called = sorted({told.rpartition(":")[0] for call in run.ledger.calls for told in call.tool_calls} - {"", "?"})
    beside = {name: str(value) for name in TOOLS if (value := known(run, name))}
    sent = sorted({call.tools_sha256 for call in run.ledger.calls if isinstance(call.tools_sha256, str)})
    if called:
        beside["available_tools"] = "those that were called"
    if len(sent) == 1:
        beside["tools_sha256"] = sent[0]
    return ({"available_tools": [{"name": name} for name in called]} if called else {}) | (
        {"additional_details": beside} if beside else {}
    )


def _conditions(run: Export) -> Iterator[tuple[str, str]]:
    for one in run.terms.conditions:
        known = not isinstance(one.value, NotMeasured)
        yield one.name, f"{one.value} ({one.by})" if known else str(one.value)
