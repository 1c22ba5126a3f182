"""A malformed request was not refused as the interface says: with 4xx and an object that tells why.

Why it matters: a client tells its own mistake from the server's by this alone. It is counted apart, because a control is
no request that anybody wants to pass.

Bad: 200 for a temperature of "hot"; 500 for a missing list; 400 with an empty body or a page; no answer at all. Good: 4xx
with an object, in whatever shape (`{"detail": ...}` is flagged, no more).
Fix: note that a gateway on the way may answer such requests itself: then it is the gateway that was tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.shape import Check, page
from denominator.probe.checks.status import RATE_LIMITED
from denominator.probe.checks.transport import NEVER_REACHED
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls
from denominator.wire.lawful import read_lawful

REASON_OF = {2: "accepted", 3: "redirected", 5: "server_error"}


def find(answer: Answer) -> Iterator[Fault]:
    """At most one reason."""
    if seen(answer):
        reason, note = _reason(answer)
        if reason:
            yield Fault(cls=Cls.ERROR_CONTRACT, reason=reason, note=note)


def _reason(answer: Answer) -> tuple[str, str]:
    status = answer.status
    if not isinstance(status, int):
        return "no_response", f"ended by {answer.arrival.exchange.end}"
    if status // 100 != 4:
        return REASON_OF.get(status // 100, "server_error"), f"status {status}"
    return (
        ("", "") if error_object(answer) is not None else ("unstructured", f"status {status}, {answer.arrival.label}")
    )


def error_object(answer: Answer) -> Mapping[str, Any] | None:
    """The object in the body of a refusal, where there is one and it is whole."""
    found = read_lawful(answer.arrival.body) if answer.arrival.whole else None
    return found.value if found and not found.wrong and isinstance(found.value, dict) else None


def is_standard(body: Mapping[str, Any]) -> bool:
    """Is it `{"error": {"message": text, ...}}`?"""
    error = body.get("error")
    return isinstance(error, dict) and isinstance(error.get("message"), str)


def seen(answer: Answer) -> bool:
    """Of controls that reached somebody and met no quota."""
    reached = answer.arrival.exchange.end not in NEVER_REACHED and not _unconnected(answer)
    return answer.case.control and reached and answer.status != RATE_LIMITED


def _unconnected(answer: Answer) -> bool:
    exchange = answer.arrival.exchange
    return exchange.end == "deadline" and not exchange.wire and not isinstance(exchange.connected_us, int)


CHECK = Check(page("PC017", Cls.ERROR_CONTRACT, __doc__), Cls.ERROR_CONTRACT, find, seen)
