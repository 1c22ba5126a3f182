"""Status 200 with an error inside.

Why it matters: monitoring by status counts it as a success, and the text before it, if any, looks like a short answer.

Bad: `{"error": ...}` with status 200; a choice whose finish reason is `error`; an event that carries an error after half
of the text. Good: `"error": null` beside an answer.
Fix: look for an error in every document and event before using the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.pieces import Form
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls


def find(answer: Answer) -> Iterator[Fault]:
    """Where the error stands. One in a stream is told though the stream broke off behind it."""
    if not answer.good or not (answer.ended or answer.streamed):
        return
    if answer.said.errors:
        reason = "error_in_stream" if answer.streamed else "error_in_200"
        note = "after text had begun" if answer.said.first_at else ""
        yield Fault(cls=Cls.INBAND_ERROR, reason=reason, note=note)
    if answer.said.choice_errors:
        yield Fault(cls=Cls.INBAND_ERROR, reason="error_in_choice")


def seen(answer: Answer) -> bool:
    """Of every whole answer that could be read."""
    return answer.good and answer.ended and answer.body.form in (Form.DOCUMENT, Form.EVENTS)


CHECK = Check(page("PC007", Cls.INBAND_ERROR, __doc__), Cls.INBAND_ERROR, find, seen)
