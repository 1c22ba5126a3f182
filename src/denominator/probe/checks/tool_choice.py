"""A tool call was asked for and none came, or one came that was forbidden.

Why it matters: a loop that waits for a call ends, or takes the text for the answer; a server that writes the call into the
text has parsed the model's output wrongly.

Bad: `tool_choice: required` answered with prose; `<tool_call>{...}</tool_call>` as content; a call under
`tool_choice: none`. Good: an answer that was cut before the call and says so; a refusal that is told as one.
Fix: check that the server's chat template and tool parser fit the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.judged import value_of, wanted_calls
from denominator.probe.checks.empty import cause
from denominator.probe.checks.shape import Check, ignored, page
from denominator.probe.expects import tool_parameters
from denominator.probe.schema import check
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, Kind
from denominator.wire.lawful import read_lawful

MARKS = re.compile(
    r"<(\||｜)?\s*/?\s*(start_)?(tool|function)[_▁ ]?(call|calls|use|sep|request)|<function\s*=|<(\w+:)?(invoke|tool_call)\b"
    r"|\[/?(TOOL|FUNCTION)_(CALLS?|REQUEST)\]|<\|python_tag\|>|<\|(tool|action_start|plugin|call\b)|<[|｜]DSML[|｜]|✿FUNCTION✿"
    r"|<tool_code>|```tool_(call|code)|functions\.[A-Za-z_]\w*:\d|\bto=functions\.|^Action:.*\n+Action Input:",
    re.IGNORECASE | re.MULTILINE,
)
"""How chat templates write calls into text."""
FENCED = re.compile(r"\s*(```|~~~)\w*\n(.*?)\n?\1\s*", re.DOTALL)
TEXT_MAX = 200_000


def find(answer: Answer) -> Iterator[Fault]:
    """A call that stands in the text is another fault than none at all."""
    if seen(answer) and answer.asked.forbidden:
        yield from _none(answer, "a call came where none was allowed") if answer.said.calls.made else ()
        return
    if not seen(answer) or wanted_calls(answer):
        return
    if answer.said.calls.made:
        if any(call.name in answer.asked.tools for call in answer.said.calls.made):
            yield from _none(answer, "another tool was called")
    elif _in_text(answer, answer.said.text) or (not answer.said.text and MARKS.search(answer.said.thought[:TEXT_MAX])):
        yield Fault(cls=Cls.TOOL_CALL_MISS, reason="call_in_text", note="the call stands in the text")
    elif not answer.said.calls.unreadable and not _excused(answer):
        yield from _none(answer, "no call came")


def _excused(answer: Answer) -> bool:
    """Is there nothing at all, and a reason for that beside which no call could come?"""
    reason = cause(answer)
    return reason in ("filtered", "refused") or (bool(reason) and answer.cut)


def _none(answer: Answer, note: str) -> Iterator[Fault]:
    yield Fault(cls=Cls.TOOL_CALL_MISS, reason="tool_choice_ignored", note=note)
    if answer.asked.forced or answer.asked.forbidden:
        yield ignored("tool_choice")


def _in_text(answer: Answer, text: str) -> bool:
    """A mark of a template, the tool's name with arguments behind it, or nothing but arguments that fit it."""
    text = text[:TEXT_MAX]
    if MARKS.search(text):
        return True
    for name in answer.asked.tools:
        quoted = re.escape(name)
        if re.search(rf'"(name|function|tool|tool_name)"\s*:\s*"{quoted}"|\b{quoted}\s*\(|"{quoted}"\s*:\s*\{{', text):
            return True
    fence = FENCED.fullmatch(text)
    found = read_lawful(fence[2]) if fence else value_of(answer)
    return isinstance(found.value, dict) and bool(found.value) and not check(found.value, tool_parameters(answer.case))


def seen(answer: Answer) -> bool:
    """Of answers that were to hold a call, or were not to hold one."""
    return answer.clear and (answer.case.kind == Kind.CALL or answer.asked.forbidden)


CHECK = Check(page("PC011", Cls.TOOL_CALL_MISS, __doc__), Cls.TOOL_CALL_MISS, find, seen)
