"""Tokens were billed and there is no text.

Why it matters: an empty answer is scored as a wrong one, though the model may have been cut while it thought, or a filter
took its words; each cause wants another remedy.

Bad: content "" with the answer in `reasoning_content`; all of the cap spent before the first word. Good: no content beside
a tool call.
Fix: a larger cap where the finish reason is `length` (`cut_before_text`, and `reasoning_only` with the flag `cut_by_cap`);
else the server's parser put the answer in the wrong field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, Kind

THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)


def find(answer: Answer) -> Iterator[Fault]:
    """Why there is no text."""
    if seen(answer) and not answer.said.calls.made and (reason := cause(answer)):
        note = "cut by the cap while it thought" if reason == "reasoning_only" and answer.cut else ""
        yield Fault(cls=Cls.EMPTY_CONTENT, reason=reason, note=note)


def cause(answer: Answer) -> str:
    """Why an answer has no text; "" where it has some. White space that pads JSON up to the cap is a cut answer."""
    said, text = answer.said, answer.said.text
    if text.strip() and THOUGHT.sub("", text).strip():
        return ""
    if answer.case.kind == Kind.JSON and text and not text.strip() and answer.cut:
        return ""
    if said.refusal:
        return "refused"
    if said.finish == "content_filter":
        return "filtered"
    if said.thinking or text.strip() or answer.reply.usage.reasoning:
        return "reasoning_only"
    return "cut_before_text" if answer.cut else "no_text"


def seen(answer: Answer) -> bool:
    """Of every answer that is known word for word."""
    return answer.clear


CHECK = Check(page("PC013", Cls.EMPTY_CONTENT, __doc__), Cls.EMPTY_CONTENT, find, seen)
