"""A stream stayed open and fell silent for longer than the gap limit.

Why it matters: the text is there and the program waits for ever, because most clients return only at the final event.

Bad: silence in the middle of a text; silence after the finish reason, without `[DONE]`. Good: a connection that stays open
after `[DONE]`.
Fix: a limit on silence inside streams; after the finish reason the text may be used.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, End
from denominator.wire.http_reply import State


def find(answer: Answer) -> Iterator[Fault]:
    """Was the end of the text known when the silence began?"""
    arrival = answer.arrival
    if arrival.exchange.end != End.GAP or arrival.http.whole or answer.ended or arrival.http.state is State.ILLEGAL:
        return
    reason = "no_final_event" if answer.said.finish else "stalled"
    yield Fault(cls=Cls.STREAM_HANG, reason=reason, note=f"silent for {answer.terms.gap_ms} ms")


def seen(answer: Answer) -> bool:
    """Of a stream that ended."""
    return answer.asked.stream and answer.good and answer.ended


CHECK = Check(page("PC004", Cls.STREAM_HANG, __doc__), Cls.STREAM_HANG, find, seen)
