"""The answer was not whole when the time for all of it was over, whatever trickled in.

Why it matters: a limit on each read never fires while a byte comes now and then, so that a job hangs for as long as the
server likes; only a limit on the whole ends it.

Bad: no byte at all; a space every 300 ms; nothing but keep-alive comments. Good: an answer that is whole just before the
deadline.
Fix: a deadline that the use can bear, and a fallback; comments that keep a connection open are no progress.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, End
from denominator.wire.http_reply import State


def find(answer: Answer) -> Iterator[Fault]:
    """What had come by then."""
    arrival = answer.arrival
    if arrival.exchange.end != End.DEADLINE or answer.ended or arrival.over or arrival.http.state is State.ILLEGAL:
        return
    if arrival.http.whole:
        return
    yield Fault(cls=Cls.TIMEOUT, reason=_reason(answer), note=f"after {answer.terms.deadline_ms} ms")


def _reason(answer: Answer) -> str:
    exchange = answer.arrival.exchange
    if not isinstance(exchange.connected_us, int):
        return "not_connected"
    if not exchange.wire:
        return "no_first_byte"
    return "keepalive_only" if answer.body.silent else "total_deadline"


CHECK = Check(page("PC003", Cls.TIMEOUT, __doc__), Cls.TIMEOUT, find, lambda _: True)
