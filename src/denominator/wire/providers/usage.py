"""Token counts of a provider -> our parts: cached inside prompt, reasoning inside completion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from denominator.records.rows import Count, Usage
from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.loose import as_dict

_COUNT_MAX = 10**15
_FAITH = NotMeasured("the provider does not tell them apart")


def normalise(api: Api, raw: Mapping[str, Any]) -> tuple[Usage, str]:
    """The usage object of one call in our parts, and the name of the convention by which it was read."""
    if api is Api.MESSAGES:
        return _beside(raw), Api.MESSAGES.value
    if api is Api.RESPONSES:
        return _inside(raw, "input_tokens", "output_tokens", "input_tokens_details", "output_tokens_details", api)
    return _inside(raw, "prompt_tokens", "completion_tokens", "prompt_tokens_details", "completion_tokens_details", api)


def _count(raw: Mapping[str, Any], *names: str) -> Count:
    """The first of `names` that holds a count."""
    for name in names:
        value = raw.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _COUNT_MAX:
            return NotMeasured(f"{name} is not a count")
        return value
    return NotMeasured(f"no {names[0]} in the usage")


def _inside(
    raw: Mapping[str, Any], prompt_name: str, completion_name: str, prompt_parts: str, completion_parts: str, api: Api
) -> tuple[Usage, str]:
    parts = as_dict(raw.get(prompt_parts))
    prompt, completion = _count(raw, prompt_name), _count(raw, completion_name)
    cached = _count({**raw, **parts}, "cached_tokens", "prompt_cache_hit_tokens")
    written = _count(parts, "cache_write_tokens")
    reasoning = _count(as_dict(raw.get(completion_parts)), "reasoning_tokens")
    convention = api.value
    if _is_beside(raw, prompt, completion, reasoning):
        completion, convention = _plus(completion, reasoning), f"{api.value}+reasoning_beside"
    odd = _contradiction(raw, prompt, completion, cached, written, reasoning)
    if odd:
        prompt = completion = NotMeasured(odd)
    usage = Usage(prompt=prompt, completion=completion, cached_read=cached, cache_write=written, reasoning=reasoning)
    return usage, convention


def _is_beside(raw: Mapping[str, Any], prompt: Count, completion: Count, reasoning: Count) -> bool:
    """Some servers count reasoning beside completion; only their total gives it away."""
    total = _count(raw, "total_tokens")
    return bool(reasoning) and isinstance(total, int) and total == _plus(prompt, completion, reasoning)


def _contradiction(
    raw: Mapping[str, Any], prompt: Count, completion: Count, cached: Count, written: Count, reasoning: Count
) -> str:
    """Why these counts cannot all be true, or ""."""
    total = _count(raw, "total_tokens")
    both = _plus(prompt, completion)
    if isinstance(total, int) and isinstance(both, int) and total != both:
        return f"total_tokens {total} is not prompt + completion {both}"
    inside = sum(part for part in (cached, written) if isinstance(part, int))
    if isinstance(prompt, int) and inside > prompt:
        return f"cached tokens {inside} exceed prompt tokens {prompt}"
    if isinstance(completion, int) and isinstance(reasoning, int) and reasoning > completion:
        return f"reasoning tokens {reasoning} exceed completion tokens {completion}"
    return ""


def _beside(raw: Mapping[str, Any]) -> Usage:
    fresh = _count(raw, "input_tokens")
    read = _count(raw, "cache_read_input_tokens")
    written = _count(raw, "cache_creation_input_tokens")
    # A server that knows no cache leaves the cache fields out; one that sends nonsense there makes the prompt unknown.
    named = [name for name in ("cache_read_input_tokens", "cache_creation_input_tokens") if raw.get(name) is not None]
    parts = [fresh] + [_count(raw, name) for name in named]
    return Usage(
        prompt=_plus(*parts),
        completion=_count(raw, "output_tokens"),
        cached_read=read,
        cache_write=written,
        reasoning=_FAITH,
    )


def _plus(*counts: Count) -> Count:
    """The sum, or the first reason why there is none."""
    total = 0
    for count in counts:
        if isinstance(count, NotMeasured):
            return count
        total += count
    return total
