"""The calls of one attempt as fields of its row: what was spent, who answered, what was sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from denominator.readers.provider import retried, was_cut
from denominator.records.rows import CallRow, Text, Usage
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.wire.providers import sum_usage

_NO_CALL = NotMeasured("no call to a model was made")
TOLD_MAX = 5


def exchange_fields(calls: Sequence[CallRow], seal: Seal) -> dict[str, Any]:
    """Fields of the row. Nothing is known of an attempt that can reach a model past the gateway."""
    if seal.arm.model.id == "none":
        zero = Usage(prompt=0, completion=0, cached_read=0, cache_write=0, reasoning=0, calls=0, complete=True)
        return {"usage": sum_usage(calls) if calls else zero, "provider_retries": 0}
    if seal.envelope.sandbox.network != "gateway":
        return {}
    asked = _last_incarnation([call for call in calls if call.purpose == "solve"])
    return {
        "usage": sum_usage(calls),
        "provider_retries": retried(calls),
        "invalid_calls": _invalid(calls),
        "served_models": _named(calls, lambda call: call.served_model),
        "served_hosts": _named(calls, lambda call: call.host),
        "quantisations": _named(calls, lambda call: call.quantisation),
        "fingerprints": _named(calls, lambda call: call.fingerprint),
        "decoding": tuple(sorted({f"{name}={value}" for call in calls for name, value in call.decoding.items()})),
        "prompt_sha256": asked[0].prompt_sha256 if asked else _NO_CALL,
        "tools_sha256": asked[0].tools_sha256 if asked else _NO_CALL,
        "notes": tuple(_changes(asked)),
        "played": any(call.cassette for call in calls),
    }


def _invalid(calls: Iterable[CallRow]) -> dict[str, int]:
    """Calls without a valid answer, by status.

    What the gateway refused itself is none, and neither is a try that it repeated, or an answer that was on its way when
    the agent left or its attempt ended.
    """
    invalid: dict[str, int] = {}
    for call in calls:
        if call.outcome not in ("ok", "retry") and call.sent is not False and not call.cap_state and not was_cut(call):
            name = f"http_{call.status}" if isinstance(call.status, int) else "no_answer"
            invalid[name] = invalid.get(name, 0) + 1
    return invalid


def _named(calls: Iterable[CallRow], read: Callable[[CallRow], Text]) -> tuple[str, ...]:
    return tuple(sorted({said for call in calls if isinstance(said := read(call), str)}))


def _last_incarnation(calls: Sequence[CallRow]) -> list[CallRow]:
    """Calls of the incarnation that ended the attempt, in order."""
    last = max((call.incarnation for call in calls), default=1)
    return sorted((call for call in calls if call.incarnation == last), key=lambda call: call.seq)


def _changes(calls: Sequence[CallRow]) -> Iterable[str]:
    """A tool list that changed inside a conversation: the digest of the first call is then not that of every call."""
    first: dict[str, CallRow] = {}
    moved: list[str] = []
    for call in calls:
        if isinstance(call.thread, str):
            before = first.setdefault(call.thread, call)
            if before.tools_sha256 != call.tools_sha256:
                moved.append(f"call {call.seq} sends another tool list than call {before.seq} of its conversation")
    yield from moved[:TOLD_MAX]
    if len(moved) > TOLD_MAX:
        yield f"{len(moved) - TOLD_MAX} further calls do so too"
