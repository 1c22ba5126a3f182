"""The worst case of a call, before it is made: what is reserved for it, and the output cap that bounds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from denominator.records.rows import Count
from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.history import Link
from denominator.wire.providers.loose import loads_loose
from denominator.wire.providers.members import with_member
from denominator.wire.providers.request import CAPS, Asked, cap_of

_NEW_NAME = ("gpt-", "chatgpt", "codex", "o1", "o3", "o4")
"""Beginnings of model names whose own provider takes `max_completion_tokens` only; every other server knows `max_tokens`."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """An answered call of the same attempt: where its request ended, and how many prompt tokens the provider counted."""

    end: Link
    prompt_tokens: int


def earlier_of(asked: Asked, prompt: Count) -> Earlier | None:
    """What later calls of a thread can be measured against, where the provider counted the prompt."""
    if not asked.chain or asked.hidden or not isinstance(prompt, int):
        return None
    return Earlier(asked.chain[-1], prompt)


def reserved(asked: Asked, cap: int, earlier: Iterable[Earlier] = ()) -> Count:
    """The most tokens that a call can take: prompt + output cap x choices.

    A prompt has no more tokens than its body has bytes. Where an earlier request is the beginning of this one its
    counted prompt tokens and the bytes that were added bound it more closely; the longest such request counts. `cap`
    is the sealed output cap (0: none), for a request that names none itself. What only the provider has, and an output
    without a cap, cannot be bounded.
    """
    if asked.hidden:
        return NotMeasured(f"the prompt holds {asked.hidden}")
    output = asked.output_cap if isinstance(asked.output_cap, int) else cap
    if output <= 0:
        return NotMeasured("neither the request nor the seal caps the output")
    return _prompt(asked, earlier) + output * asked.choices


def _prompt(asked: Asked, earlier: Iterable[Earlier]) -> int:
    whole = asked.prompt_bytes + asked.binary_tokens
    ends = {link.sha256 for link in asked.chain}
    last = asked.chain[-1].bytes if asked.chain else 0
    known = [one for one in earlier if one.end.sha256 in ends]
    # An answer that was called with fewer bytes leaves a looser bound: the longest beginning is the closest.
    nearest = max(known, key=lambda one: one.end.bytes, default=None)
    if nearest is None or asked.binary_tokens:
        return whole
    return min(whole, nearest.prompt_tokens + last - nearest.end.bytes)


def with_output_cap(body: bytes, api: Api, cap: int) -> bytes:
    """The body with the sealed output cap, where it names none itself; no other byte of the document changes.

    A name that is there without saying anything (null, 0, -1) gets the cap as its value. What is no JSON object, and
    what makes no text (listings), is left alone. Usage on a stream is not asked for in the agent's place: the chunk that
    carries it has no choices, and clients that look at the first choice of every chunk fail on it.
    """
    if cap <= 0 or api is Api.OTHER:
        return body
    data = loads_loose(body)
    if not isinstance(data, dict) or isinstance(cap_of(data, api), int):
        return body
    there = next((name for name in CAPS[api] if name in data), "")
    return with_member(body, there or _name(data, api), str(cap).encode())


def _name(data: dict[str, object], api: Api) -> str:
    if api is Api.RESPONSES:
        return "max_output_tokens"
    model = data.get("model")
    own = str(model).rpartition("/")[2].lower() if isinstance(model, str) else ""
    new = api is Api.CHAT and "messages" in data and own.startswith(_NEW_NAME) and not own.startswith("gpt-oss")
    return "max_completion_tokens" if new else "max_tokens"
