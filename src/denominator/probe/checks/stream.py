"""A stream ended, and not with its final event.

Why it matters: without `[DONE]` a short text and a cut one look alike, and the count of tokens that comes last is lost.

Bad: a clean close in the middle of an event, or without `[DONE]`; `[DONE]` and nothing before it; a whole document for a
streamed request. Good: comments, empty first chunks, and whatever comes behind `[DONE]`.
Fix: treat a stream without its final event as failed; check that the server honours `stream`.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.shape import Check, ignored, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls


def find(answer: Answer) -> Iterator[Fault]:
    """At most one reason: behind an error nothing more is owed."""
    if not (answer.asked.stream and answer.good and answer.ended) or answer.failed:
        return
    if not answer.streamed:
        if answer.said.begun:
            yield Fault(cls=Cls.STREAM_INCOMPLETE, reason="stream_ignored", note="one document instead of events")
            yield ignored("stream")
        return
    reason = _reason(answer)
    if reason:
        yield Fault(cls=Cls.STREAM_INCOMPLETE, reason=reason)


def _reason(answer: Answer) -> str:
    if answer.body.open is not None:
        return "cut_event"
    if not answer.said.chosen and not answer.body.lost:
        return "no_content"
    return "" if answer.done else "no_done"


def seen(answer: Answer) -> bool:
    """Of every whole answer to a streamed request."""
    return answer.asked.stream and answer.good and answer.ended and not answer.failed


CHECK = Check(page("PC008", Cls.STREAM_INCOMPLETE, __doc__), Cls.STREAM_INCOMPLETE, find, seen)
