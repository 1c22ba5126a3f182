"""Counts that cannot be true of the answer beside them: they are unknown, with the reason, never a number."""

from __future__ import annotations

import json
from dataclasses import replace

from denominator.records.rows import CallRow, Count, Usage
from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.loose import as_dict
from denominator.wire.providers.reply import Reply
from denominator.wire.providers.usage import normalise

_BESIDE = "+reasoning_beside"
NOT_ASKED = NotMeasured("the stream was not asked for usage")


def believed(usage: Usage, *, content_begun: bool, whole: bool, unpaid: bool = False) -> Usage:
    """The usage as far as the answer that came with it allows it.

    Counts of a stream that was cut were not its last ones. No request is of 0 tokens, and no answer that holds text or
    a tool call is: servers write 0 where they did not count. `unpaid`: 0 was written for the text or the call itself,
    whatever was counted beside it for reasoning.
    """
    if not whole:
        return _unknown(usage, "the stream ended before its last count")
    if usage.prompt == 0 and isinstance(usage.prompt, int):
        return _unknown(usage, "0 prompt tokens for a request")
    if unpaid or (content_begun and isinstance(usage.completion, int) and usage.completion == 0):
        return _unknown(usage, "0 completion tokens for an answer that is not empty")
    return usage


def within_cap(reply: Reply, cap: Count, choices: int = 1) -> Reply:
    """The reply, its usage unknown where it counts more output than the request allowed (`cap` tokens a choice)."""
    usage, convention = reply.usage, reply.usage_convention
    if not isinstance(cap, int) or cap <= 0 or not isinstance(usage.completion, int):
        return reply
    out = usage.completion
    if isinstance(convention, str) and convention.endswith(_BESIDE) and isinstance(usage.reasoning, int):
        out -= usage.reasoning
    if out <= cap * choices:
        return reply
    reason = f"completion tokens {out} exceed the output cap {cap * choices}"
    return replace(reply, usage=_unknown(usage, reason))


def as_asked(reply: Reply, usage_on_stream: bool) -> Reply:
    """The reply, which says why a stream without usage has none where the request did not ask for it."""
    streamed, silent = isinstance(reply.final_event, bool), isinstance(reply.usage_raw, NotMeasured)
    if usage_on_stream or not streamed or not silent:
        return reply
    told = _unknown(reply.usage, NOT_ASKED.not_measured)
    return replace(reply, usage=told, usage_raw=NOT_ASKED, usage_convention=NOT_ASKED, usage_source=NOT_ASKED)


def claimed(row: CallRow) -> int:
    """Tokens that a call's own usage claims, believed or not: a budget counts the larger of this and its reservation."""
    if not isinstance(row.usage_raw, str) or not isinstance(row.usage_convention, str):
        return 0
    api = next((one for one in Api if row.usage_convention.partition("+")[0] == one.value), Api.OTHER)
    try:
        raw = as_dict(json.loads(row.usage_raw))
    except ValueError:
        return 0
    usage = normalise(api, raw, checked=False)[0]
    return sum(part for part in (usage.prompt, usage.completion) if isinstance(part, int))


def _unknown(usage: Usage, reason: str) -> Usage:
    """Prompt and completion are read together, so both go."""
    why = NotMeasured(reason)
    return replace(usage, prompt=why, completion=why, cached_read=why, cache_write=why, reasoning=why)
