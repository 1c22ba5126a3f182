"""The body of an answer is larger than what is read.

Why it matters: a client that reads what comes runs out of memory on one broken answer; so does one that unpacks what
comes.

Bad: a body of 96 MiB for a request of 64 tokens; a small gzip body that unpacks to as much. Good: a body that is exactly
as large as the cap.
Fix: none on the client's side but a cap; raise `body_bytes_max` only where answers are meant to be so large.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls


def find(answer: Answer) -> Iterator[Fault]:
    """The cap was reached."""
    if answer.arrival.over:
        note = f"more than {answer.terms.body_bytes_max} bytes"
        yield Fault(cls=Cls.OVERSIZE_BODY, reason="body_cap", note=note)


CHECK = Check(page("PC002", Cls.OVERSIZE_BODY, __doc__), Cls.OVERSIZE_BODY, find, lambda _: True)
