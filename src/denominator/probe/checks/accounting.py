"""The usage is absent, or cannot be true of the answer beside it.

Why it matters: budgets, prices and tokens per solved task are sums of these numbers; one impossible count makes the sum
worthless, and 0 hides best of all.

Bad: no usage where it was asked for; counts as text; 0 completion tokens for a text; 900 under a cap of 64; a total that
is not the sum. Good: running counts on every event, of which the last holds; a total that is larger by exactly the cached
or the reasoning tokens, which that server counts beside the others.
Fix: take the last usage that is not null, never a sum; leave such calls out of every rate and say how many.

The usage is read by what reads a run's calls (`wire.providers`); text is never tokenised again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from denominator.probe.answers.answer import Answer, is_count
from denominator.probe.checks.shape import Check, ignored, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls
from denominator.wire.providers import Api, normalise
from denominator.wire.providers.loose import as_dict

BESIDE = "+reasoning_beside"
COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
PARTS = (
    ("prompt_tokens_details", "cached_tokens"),
    ("completion_tokens_details", "reasoning_tokens"),
    ("", "prompt_cache_hit_tokens"),
    ("", "cached_tokens"),
    ("", "reasoning_tokens"),
)
COUNT_MAX = 10**15


def find(answer: Answer) -> Iterator[Fault]:
    """Each reason once: what is there and of which type, then what contradicts the answer, then what contradicts itself."""
    if not answer.told:
        return
    usage = answer.said.usage
    found = list(_absent(answer) if usage is None else _wrong(answer, usage))
    for reason, note in found:
        yield Fault(cls=Cls.ACCOUNTING_ANOMALY, reason=reason, note=note)
    if any(reason == "completion_gt_max" for reason, _ in found) and _is_in_text(answer):
        yield ignored("max_tokens")


def _absent(answer: Answer) -> Iterator[tuple[str, str]]:
    if is_owed(answer):
        yield "usage_missing", "asked for on the stream" if answer.streamed else ""


def is_owed(answer: Answer) -> bool:
    """A document always counts; a stream where it was asked to, in its last event."""
    return not answer.streamed or (answer.asked.stream and answer.asked.usage and answer.done)


def _wrong(answer: Answer, usage: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(usage, dict):
        yield "wrong_type", "the usage is no object"
        return
    lacking = [name for name in COUNTS[:2] if usage.get(name) is None]
    if lacking:
        yield "usage_missing", f"no {lacking[0]}"
    odd, below = _types(usage)
    if odd:
        yield "wrong_type", f"{odd} is no integer"
    if below:
        yield "negative", below
    if not (lacking or odd or below):
        yield from _against_answer(answer, usage)
        yield from _against_itself(usage)


def _types(usage: Mapping[str, Any]) -> tuple[str, str]:
    """The first count that is no integer, and the first below 0."""
    named = [(name, usage.get(name)) for name in COUNTS]
    named += [(name, (as_dict(usage.get(above)) if above else usage).get(name)) for above, name in PARTS]
    odd = next((name for name, value in named if value is not None and not _is_integer(value)), "")
    below = next((name for name, value in named if isinstance(value, int) and _is_integer(value) and value < 0), "")
    return odd, below


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value <= COUNT_MAX


def _against_answer(answer: Answer, usage: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Reasoning that a server counts beside its completion tokens does not pay for text."""
    completion, cap = usage["completion_tokens"], answer.asked.cap
    beside = normalise(Api.CHAT, usage)[1].endswith(BESIDE)
    made = bool(answer.said.text or answer.said.calls.made) if beside else answer.reply.content_begun
    if completion == 0 and made:
        yield "completion_zero", "0 tokens for an answer that is not empty"
    if usage["prompt_tokens"] == 0:
        yield "prompt_zero", "0 tokens for a request"
    if isinstance(cap, int) and completion > cap * answer.asked.choices:
        yield "completion_gt_max", f"{completion} of at most {cap * answer.asked.choices}"


def _against_itself(usage: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """By the convention under which the counts fit together, if there is one."""
    read, _ = normalise(Api.CHAT, usage, checked=False)
    prompt, completion = read.prompt, read.completion
    if isinstance(read.reasoning, int) and isinstance(completion, int) and read.reasoning > completion:
        yield "reasoning_gt_completion", f"{read.reasoning} of {completion}"
    cached = sum(part for part in (read.cached_read, read.cache_write) if isinstance(part, int))
    if isinstance(prompt, int) and cached > prompt:
        yield "cached_gt_prompt", f"{cached} of {prompt}"
    total = usage.get("total_tokens")
    if is_count(total) and isinstance(prompt, int) and isinstance(completion, int) and total != prompt + completion:
        yield "total_mismatch", f"{prompt} + {completion} is not {total}"


def _is_in_text(answer: Answer) -> bool:
    """Can the text be as long as the count says? No token is less than a byte."""
    said = answer.said
    texts = [said.text, said.thought, *(call.arguments for call in said.calls.made)]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    thought = normalise(Api.CHAT, as_dict(said.usage))[0].reasoning
    completion = answer.completion
    return isinstance(completion, int) and size + (thought if isinstance(thought, int) else 0) >= completion


def seen(answer: Answer) -> bool:
    """Of every answer that counts, or owed a count."""
    return answer.told and (answer.said.usage is not None or is_owed(answer))


CHECK = Check(page("PC012", Cls.ACCOUNTING_ANOMALY, __doc__), Cls.ACCOUNTING_ANOMALY, find, seen)
