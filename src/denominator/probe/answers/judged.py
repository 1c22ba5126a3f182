"""Answers against what a case expects: the value in a text, the calls that count, whether an answer proves itself whole."""

from __future__ import annotations

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.calls import Call
from denominator.records.probe_words import Kind
from denominator.wire.lawful import NONSTANDARD_CONSTANT, Lawful, read_lawful


def value_of(answer: Answer) -> Lawful:
    """The content as JSON; spaces around it are part of the grammar."""
    return read_lawful(answer.said.text)


def is_clean(found: Lawful) -> bool:
    """Is it exactly one value of JSON? A key that is there twice is a matter of its schema."""
    return found.known and NONSTANDARD_CONSTANT not in found.wrong


def arguments_of(call: Call) -> Lawful:
    """The arguments of a call as JSON."""
    return Lawful() if call.odd else read_lawful(call.arguments)


def wanted_calls(answer: Answer) -> list[Call]:
    """The calls of the tool that the case expects."""
    return [call for call in answer.said.calls.made if call.name == answer.case.expect.get("name")]


def proves_whole(answer: Answer) -> bool:
    """Does the answer itself show that nothing is missing, whatever its finish reason says?"""
    calls = answer.said.calls.made
    if calls:
        return all(is_clean(found) and isinstance(found.value, dict) for found in map(arguments_of, calls))
    if answer.case.kind == Kind.JSON:
        found = value_of(answer)
        # A number may be the beginning of a longer one; what has brackets or quotes is closed by them.
        return is_clean(found) and isinstance(found.value, dict | list | str)
    return answer.case.kind == Kind.TEXT and answer.said.text == answer.case.expect.get("text")
