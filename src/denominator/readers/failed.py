"""Calls that somebody else than the agent failed: their spend may stay unknown, and that is not what the agent asked for."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.readers.provider import (
    BEFORE_SENDING,
    INJECTED,
    KEY_ECHOED,
    OUR_OWN,
    Broken,
    cause_of,
    error_of,
    unrecovered,
    was_cut,
)
from denominator.records.cassettes import NOT_PLAYED
from denominator.records.rows import CallRow
from denominator.records.words import Reason

PROVIDERS_OWN = frozenset(
    (
        str(Reason.PROVIDER_RATE_LIMIT),
        str(Reason.QUOTA_EXHAUSTED),
        str(Reason.PROVIDER_ERROR),
        str(Reason.PROVIDER_STREAM_ERROR),
        str(Reason.PROVIDER_EMPTY),
    )
)
NOT_THE_AGENTS = PROVIDERS_OWN | {INJECTED, OUR_OWN}
"""Causes that no agent brings about: a request that was wrong, too long or forbidden is its own."""


def failed_cause(call: CallRow) -> str:
    """The cause word of a call that the provider (or the harness in its place) failed, "" of every other one.

    What the agent cut itself is its own, unless the provider had refused by then: the status was there before it left.
    What a budget or a recording refused, and what never left for another reason than a closed door, nobody failed.
    """
    if call.outcome in ("ok", "open") or call.cap_state:
        return ""
    word = call.error if isinstance(call.error, str) else ""
    if word in NOT_PLAYED or was_cut(call, KEY_ECHOED):
        return ""
    if call.sent is False and word not in BEFORE_SENDING and not call.injected:
        return ""
    cause = INJECTED if call.injected else str(cause_of(error_of(call)))
    return cause if cause in NOT_THE_AGENTS else ""


def in_the_way(calls: Iterable[CallRow]) -> Broken | None:
    """The failed call that speaks for an attempt whose budget was held by failed calls: the earliest without an answer after it.

    Where later calls were answered, what is still held is the earliest failed call's.
    """
    in_order = sorted(calls, key=lambda one: one.seq)
    failed = [call for call in in_order if failed_cause(call)]
    ended = unrecovered(in_order)
    if ended is not None and any(call.seq == ended.call.seq for call in failed):
        return ended
    if not failed:
        return None
    first = failed[0]
    return Broken(call=first, cause=failed_cause(first), first=first.seq == in_order[0].seq)
