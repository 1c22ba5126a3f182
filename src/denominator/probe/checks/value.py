"""The answer has the right shape and says something else.

Why it matters: this bench asks what any model can copy; when a text that was to be repeated comes back with other code
points, something on the way changed it.

Bad: U+FFFD, `Ã©` or `?` for a letter; letters taken apart (NFD); 3 for 2. Good: 2.0 for 2.
Fix: `unicode_loss` and `unicode_normalised` are the server's text handling; `text_differs` and `wrong_value` may be the
model's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.judged import is_clean, value_of
from denominator.probe.answers.lost import REPLACED, is_lost, is_normalised
from denominator.probe.checks.formatting import find as drifts
from denominator.probe.checks.formatting import readable
from denominator.probe.checks.schema import misses
from denominator.probe.checks.shape import Check, page
from denominator.probe.schema import same_value
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, Kind


def find(answer: Answer) -> Iterator[Fault]:
    """At most one reason."""
    reason, note = _reason(answer) if seen(answer) else ("", "")
    if reason:
        yield Fault(cls=Cls.CONTENT_MISS, reason=reason, note=note)


def _reason(answer: Answer) -> tuple[str, str]:
    text, expect = answer.said.text, answer.case.expect
    if answer.case.kind == Kind.JSON:
        return differs(value_of(answer).value, expect["value"])
    if answer.case.kind == Kind.ANSWER:
        return ("", "") if str(expect["contains"]) in text else ("wrong_value", "the text lacks what it was to hold")
    return compared(text, str(expect["text"]), answer.cut)


def differs(value: Any, expected: Any) -> tuple[str, str]:
    """How a JSON value differs from the one that was wanted: in characters beyond ASCII alone, or in what it says."""
    if same_value(value, expected):
        return "", ""
    found = [compared(left, right) for left, right in _texts(value, expected)]
    of_text = [one for one in found if one[0].startswith("unicode_")]
    if of_text and _masked(value, expected, found):
        return min(of_text, key=lambda one: one[0] != "unicode_loss")
    return "wrong_value", ""


def _masked(value: Any, expected: Any, found: list[tuple[str, str]]) -> bool:
    """Is nothing but texts different, and each of those in characters beyond ASCII alone?"""
    same = same_value(_without_texts(value), _without_texts(expected))
    return same and all(reason == "" or reason.startswith("unicode_") for reason, _ in found)


def _texts(value: Any, expected: Any) -> Iterator[tuple[str, str]]:
    """Texts in the same places of two values."""
    if isinstance(value, str) and isinstance(expected, str):
        yield value, expected
    elif isinstance(value, dict) and isinstance(expected, Mapping):
        for name in value.keys() & expected.keys():
            yield from _texts(value[name], expected[name])
    elif isinstance(value, list) and isinstance(expected, list | tuple):
        for left, right in zip(value, expected, strict=False):
            yield from _texts(left, right)


def _without_texts(value: Any) -> Any:
    if isinstance(value, str):
        return ""
    if isinstance(value, Mapping):
        return {name: _without_texts(each) for name, each in value.items()}
    return [_without_texts(each) for each in value] if isinstance(value, list | tuple) else value


def compared(text: str, expected: str, cut: bool = False) -> tuple[str, str]:
    """How a text differs from the one that was to be repeated: ("", "") where it does not."""
    if text == expected:
        return "", ""
    if is_normalised(text, expected):
        return "unicode_normalised", "the same after normalisation"
    if is_lost(text, expected):
        return "unicode_loss", "U+FFFD stands in it" if REPLACED in text else "only characters beyond ASCII differ"
    if text.strip() == expected.strip():
        return "text_differs", "only white space at the ends differs"
    return "text_differs", "cut by the cap" if cut and expected.startswith(text) else ""


def seen(answer: Answer) -> bool:
    """Of answers in the right form of which something exact is expected."""
    expect, kind = answer.case.expect, answer.case.kind
    if not readable(answer) or any(not one.observed for one in drifts(answer)):
        return False
    if kind == Kind.JSON:
        return "value" in expect and is_clean(value_of(answer)) and not any(misses(answer))
    return (kind == Kind.TEXT and "text" in expect) or (kind == Kind.ANSWER and "contains" in expect)


CHECK = Check(page("PC016", Cls.CONTENT_MISS, __doc__), Cls.CONTENT_MISS, find, seen)
