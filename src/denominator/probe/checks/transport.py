"""The bytes of an answer could not be had.

Why it matters: nothing that a server computed reaches anybody when the connection breaks, and a client that retries
silently hides how often that happens.

Bad: the connection is reset in the middle of a body; a chunked body ends without its last chunk; a body is labelled gzip
and is not. Good: an answer that is whole by its own framing, though the connection is cut behind it.
Fix: look at proxies and idle timeouts on the way; the reason says which end gave up and when.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, End
from denominator.wire.http_reply import State

REASON_OF = {
    End.REFUSED: "refused",
    End.NAME_UNKNOWN: "name_unknown",
    End.CERTIFICATE: "certificate_refused",
    End.RESET: "reset",
    End.SEND_FAILED: "send_failed",
}
"""Ends that are reasons by themselves."""
BY_US = (End.DEADLINE, End.GAP, End.CAP)
"""Ends at a limit of ours: other classes tell of them."""
HTTP = b"HTTP/"
NEVER_REACHED = (End.REFUSED, End.NAME_UNKNOWN, End.CERTIFICATE)


def find(answer: Answer) -> Iterator[Fault]:
    """At most one: what became of the bytes."""
    reason, note = _reason(answer)
    if reason:
        yield Fault(cls=Cls.TRANSPORT_ERROR, reason=reason, note=note)


def _reason(answer: Answer) -> tuple[str, str]:
    arrival, end = answer.arrival, answer.arrival.exchange.end
    if arrival.over or answer.ended:
        return "", ""
    if arrival.http.whole:
        return "bad_encoding", "the body is not in the content coding that its label names"
    if arrival.http.state is State.ILLEGAL or end == End.ILLEGAL or _is_foreign(answer):
        return "bad_framing", "the bytes are no HTTP answer"
    if end in BY_US:
        return "", ""
    if end in REASON_OF:
        return REASON_OF[End(end)], _so_far(answer) if end == End.RESET else ""
    if not arrival.exchange.wire:
        return "empty_reply", "closed before the first byte"
    return "incomplete_body", _so_far(answer)


def _is_foreign(answer: Answer) -> bool:
    """Do the bytes begin as no HTTP answer does?"""
    wire = answer.arrival.exchange.wire[: len(HTTP)]
    return bool(wire) and not isinstance(answer.status, int) and not HTTP.startswith(wire)


def _so_far(answer: Answer) -> str:
    http = answer.arrival.http
    if not isinstance(http.status, int):
        return "before the head was whole" if answer.arrival.exchange.wire else "before the first byte"
    return f"after {len(http.body)} bytes of the body"


CHECK = Check(page("PC001", Cls.TRANSPORT_ERROR, __doc__), Cls.TRANSPORT_ERROR, find, lambda _: True)
