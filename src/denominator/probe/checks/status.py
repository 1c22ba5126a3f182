"""A good request was answered with another status than 200.

Why it matters: the reasons want different reactions. `rate_limited` is a quota and no word about the endpoint's promises:
it is counted on its own line and no rate is given above the envelope's ceiling.

Bad: 502 with a page of a proxy; 404 in plain text; a redirect of a POST. Good: 200.
Fix: read the status before the body; never follow a redirect with a key in the request.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import OK, Answer
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls

RATE_LIMITED = 429


def find(answer: Answer) -> Iterator[Fault]:
    """By the status alone; of a malformed control only a quota is told here."""
    status = answer.status
    if isinstance(status, int) and (status == RATE_LIMITED or (status != OK and not answer.case.control)):
        yield Fault(cls=Cls.HTTP_ERROR, reason=_reason(status), note=f"status {status}")


def _reason(status: int) -> str:
    if status == RATE_LIMITED:
        return "rate_limited"
    return {3: "redirect", 4: "4xx", 5: "5xx"}.get(status // 100, "other_status")


def seen(answer: Answer) -> bool:
    """Of every good request with a head to its answer."""
    return isinstance(answer.status, int) and not answer.case.control


CHECK = Check(page("PC005", Cls.HTTP_ERROR, __doc__), Cls.HTTP_ERROR, find, seen)
