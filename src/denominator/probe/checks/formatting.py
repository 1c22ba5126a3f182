"""The answer is there, wrapped in what nobody asked for.

Why it matters: the program that reads the answer fails on three backticks; one that strips them hides how often they come,
and the next model wraps otherwise.

Bad: a Markdown fence around JSON; `Sure! Here is ...`; `<think>` or `<|im_end|>` in the text; NaN; two values; a value that
the cap cut off. Good: white space around the value, keys in any order, a value that is closed though white space fills the
rest of the cap.
Fix: the server's structured output; for `cut_by_cap` a larger cap, because the model did write JSON.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.judged import is_clean, value_of
from denominator.probe.answers.markup import drift, holds_value, template_words, wants_list
from denominator.probe.checks.empty import cause
from denominator.probe.checks.shape import Check, ignored, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, Kind

CUT = "cut_by_cap"
NOT_JSON = "not_json"


def find(answer: Answer) -> Iterator[Fault]:
    """At most one reason."""
    reason = _reason(answer) if readable(answer) else ""
    if reason:
        yield Fault(cls=Cls.FORMAT_DRIFT, reason=reason)
    if reason == NOT_JSON and answer.asked.json_mode and not answer.said.text.lstrip().startswith(("{", "[", '"')):
        yield ignored("response_format")


def _reason(answer: Answer) -> str:
    text = answer.said.text
    if answer.case.kind != Kind.JSON:
        expected = set(template_words(str(answer.case.expect.get("text", ""))))
        return next((word for word in template_words(text) if word not in expected), "")
    found = value_of(answer)
    if found.known:
        return "" if is_clean(found) else "nonstandard_constant"
    if answer.cut and (found.cut or _nothing_whole(answer)):
        return CUT
    return drift(text, wants_list(answer.case.expect))


def _nothing_whole(answer: Answer) -> bool:
    """Was it cut before any value was closed? Then nobody knows what would have come."""
    return not holds_value(answer.said.text, wants_list(answer.case.expect))


def readable(answer: Answer) -> bool:
    """Is there text that is known word for word?"""
    return answer.clear and bool(answer.said.text) and not cause(answer)


def seen(answer: Answer) -> bool:
    """Of answers with text; of one that the cap cut in the middle of its value nothing is said."""
    return readable(answer) and _reason(answer) != CUT


CHECK = Check(page("PC014", Cls.FORMAT_DRIFT, __doc__), Cls.FORMAT_DRIFT, find, seen)
