"""Usage of one sample: tokens by our words, whatever the provider counted in or beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from denominator.importers.measured import cost_or
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured

ByModel = Mapping[str, Mapping[str, Any]] | None

NONE = NotMeasured("the sample names no usage of a model")
ODD = NotMeasured("the total is not the sum of its parts, so nobody knows what input_tokens counts")
MOST = 1 << 53
NOT_SAID = NotMeasured("the provider did not say")
NOT_ALL = NotMeasured("only the last try of a sample is counted, with its graders")


def usage_of(usage: ByModel, calls: int | None) -> Usage:
    """Sums over all models of the sample's last try. input_tokens may hold cached ones or not: the total tells."""
    made = NotMeasured("the log keeps no events of this sample") if calls is None else calls
    if not usage:
        return Usage(prompt=NONE, completion=NONE, cached_read=NONE, cache_write=NONE, reasoning=NONE, calls=made)
    pairs = [_pair(one) for one in usage.values()]
    whole = [one for one in pairs if one is not None]
    odd = len(whole) < len(pairs)
    return Usage(
        prompt=ODD if odd else sum(prompt for prompt, _ in whole),
        completion=ODD if odd else sum(completion for _, completion in whole),
        cached_read=_sum(usage, "input_tokens_cache_read"),
        cache_write=_sum(usage, "input_tokens_cache_write"),
        reasoning=_sum(usage, "reasoning_tokens"),
        calls=made,
        complete=NOT_ALL,
    )


def _pair(one: Mapping[str, Any]) -> tuple[int, int] | None:
    """Prompt and completion, or None where the parts do not make the total."""
    sent, got, total = (_count(one, name) for name in ("input_tokens", "output_tokens", "total_tokens"))
    if sent is None or got is None or total is None:
        return None
    cached = (_count(one, "input_tokens_cache_read") or 0) + (_count(one, "input_tokens_cache_write") or 0)
    thought = _count(one, "reasoning_tokens") or 0
    for prompt in (sent, sent + cached):
        for completion in (got, got + thought):
            if prompt + completion == total:
                return prompt, completion
    return None


def _count(one: Mapping[str, Any], name: str) -> int | None:
    """A count of tokens; what is no whole number from 0 is none that was counted."""
    found = one.get(name)
    return found if type(found) is int and 0 <= found < MOST else None


def _sum(usage: Mapping[str, Mapping[str, Any]], name: str) -> int | NotMeasured:
    found = [_count(one, name) for one in usage.values()]
    known = [one for one in found if one is not None]
    return sum(known) if known and len(known) == len(found) else NOT_SAID


def tokens_of(usage: ByModel) -> int:
    """All tokens, as the log counts them."""
    return sum(_count(one, "total_tokens") or 0 for one in (usage or {}).values())


def cost_of(usage: ByModel) -> str | NotMeasured:
    """The price of a sample of one model; 0 says that no price is known."""
    costs = [one.get("total_cost") for one in (usage or {}).values()]
    return cost_or(costs[0], "the log names no price") if len(costs) == 1 else NotMeasured("of several models, or none")
