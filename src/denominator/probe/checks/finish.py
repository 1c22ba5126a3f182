"""One cannot tell whether the answer is complete or cut.

Why it matters: a cut text that says `stop` is taken for the whole one, and a report is built on half of a document.

Bad: `finish_reason` null, empty or a word of the server's own; `stop` with exactly as many tokens as were allowed; a tool
call whose arguments break off under `tool_calls`. Good: `length` at the cap; `stop` at the cap where the answer proves
itself whole (a closed JSON value, the exact text that was asked for); empty words in the middle of a stream.
Fix: compare the finish reason with the cap and with the usage, every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.judged import proves_whole
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls
from denominator.wire.providers.loose import clean

CALLS = ("tool_calls", "function_call")
WORDS = ("stop", "length", "content_filter", *CALLS)
"""Finish reasons of the interface."""


def find(answer: Answer) -> Iterator[Fault]:
    """At most one reason."""
    if answer.told:
        reason, note = _reason(answer, answer.said.finish)
        if reason:
            yield Fault(cls=Cls.TRUNCATION_AMBIGUITY, reason=reason, note=note)


def _reason(answer: Answer, finish: Any) -> tuple[str, str]:
    if finish is None:
        return ("stream_null", "no finish reason in the stream") if answer.streamed else ("null", "")
    if finish == "":
        return "empty", ""
    if finish not in WORDS:
        return "unknown_value", clean(finish) if isinstance(finish, str) else "no text"
    if _at_cap(answer) and answer.clear and not proves_whole(answer):
        note = f"{answer.asked.cap} of {answer.asked.cap} tokens, finish {finish}"
        if finish == "stop":
            return "stop_at_cap", note
        if finish in CALLS:
            return "tool_calls_at_cap", note
    return "", ""


def _at_cap(answer: Answer) -> bool:
    """Are there exactly as many tokens as were allowed? More than that is a fault of the count."""
    return answer.asked.choices == 1 and answer.completion is not None and answer.completion == answer.asked.cap


def seen(answer: Answer) -> bool:
    """Of every answer whose end was seen."""
    return answer.told


CHECK = Check(page("PC009", Cls.TRUNCATION_AMBIGUITY, __doc__), Cls.TRUNCATION_AMBIGUITY, find, seen)
