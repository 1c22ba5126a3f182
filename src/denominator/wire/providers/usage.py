"""Token counts of a provider -> our parts: cached inside prompt, reasoning inside completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from denominator.records.rows import Count, Usage
from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.loose import as_dict

_COUNT_MAX = 10**15
_FAITH = NotMeasured("the provider does not tell them apart")


@dataclass(frozen=True, slots=True)
class _Names:
    prompt: str
    completion: str

    @property
    def prompt_parts(self) -> str:
        return f"{self.prompt}_details"

    @property
    def completion_parts(self) -> str:
        return f"{self.completion}_details"


_CHAT, _RESPONSES = _Names("prompt_tokens", "completion_tokens"), _Names("input_tokens", "output_tokens")


def normalise(api: Api, raw: Mapping[str, Any], *, checked: bool = True) -> tuple[Usage, str]:
    """The usage object of one call in our parts, and the name of the convention by which it was read.

    Counts that contradict each other are unknown, unless they are wanted as they were claimed (not `checked`).
    """
    if api is Api.MESSAGES:
        return _beside(raw), Api.MESSAGES.value
    return _inside(raw, _RESPONSES if api is Api.RESPONSES else _CHAT, api, checked)


def says_something(raw: Mapping[str, Any]) -> bool:
    """Does a usage object hold a value at all? Some servers send one of nulls before, or after, the counts."""
    return any(value is not None for value in raw.values())


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


def _inside(raw: Mapping[str, Any], names: _Names, api: Api, checked: bool) -> tuple[Usage, str]:
    parts = as_dict(raw.get(names.prompt_parts))
    prompt, completion = _count(raw, names.prompt), _count(raw, names.completion)
    cached = _count({**raw, **parts}, "cached_tokens", "prompt_cache_hit_tokens")
    written = _count(parts, "cache_write_tokens")
    # Where the parts do not tell of it, one server writes it beside the sums.
    told = as_dict(raw.get(names.completion_parts))
    reasoning = _count(told if told.get("reasoning_tokens") is not None else raw, "reasoning_tokens")
    cache = sum(part for part in (cached, written) if isinstance(part, int))
    convention = api.value
    # Only the total gives it away that a server counts a part beside what others count it inside.
    for beside, thought in ((0, reasoning), (cache, 0), (cache, reasoning)):
        if _is_total(raw, (prompt, completion), beside, thought):
            prompt, convention = (
                (_plus(prompt, beside), f"{convention}+cached_beside") if beside else (prompt, convention)
            )
            if thought:
                completion, convention = _plus(completion, thought), f"{convention}+reasoning_beside"
            break
    odd = _contradiction(raw, prompt, completion, cached, written, reasoning) if checked else ""
    if odd:
        prompt = completion = NotMeasured(odd)
    usage = Usage(prompt=prompt, completion=completion, cached_read=cached, cache_write=written, reasoning=reasoning)
    return usage, convention


def _is_total(raw: Mapping[str, Any], both: tuple[Count, Count], beside: int, thought: Count) -> bool:
    """Is the total what these two parts add to prompt and completion?"""
    total = _count(raw, "total_tokens")
    return bool(beside or thought) and isinstance(total, int) and total == _plus(*both, beside, thought)


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
