"""The answer is JSON and not of the shape that was promised.

Why it matters: `json_object` promises JSON only, `json_schema` a shape too; what a program reads by key is gone or is of
another type.

Bad: an extra key under `additionalProperties: false`; "2" for 2; a key that is there twice; arguments of a tool off its
schema. Good: 2.0 for 2; keys in another order.
Fix: strict schemas where the server has them; else validate and count.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.judged import arguments_of, is_clean, value_of, wanted_calls
from denominator.probe.checks.formatting import readable
from denominator.probe.checks.shape import Check, page
from denominator.probe.expects import tool_parameters
from denominator.probe.schema import check, shape_of
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, Kind
from denominator.wire.lawful import DUPLICATE_KEY


def find(answer: Answer) -> Iterator[Fault]:
    """Each reason once, with the first place where it shows."""
    told: set[str] = set()
    for reason, note in misses(answer) if seen(answer) else ():
        if reason not in told:
            told.add(reason)
            yield Fault(cls=Cls.SCHEMA_MISS, reason=reason, note=note)


def misses(answer: Answer) -> Iterator[tuple[str, str]]:
    """Of the value; of a call that came instead of text, its arguments."""
    if answer.case.kind == Kind.CALL:
        yield from _arguments(answer)
        return
    found, expect = value_of(answer), answer.case.expect
    if DUPLICATE_KEY in found.wrong:
        yield DUPLICATE_KEY, ""
    else:
        yield from check(found.value, expect["schema"] if "schema" in expect else shape_of(expect.get("value")))


def _arguments(answer: Answer) -> Iterator[tuple[str, str]]:
    for call in wanted_calls(answer):
        found = arguments_of(call)
        if not is_clean(found):
            continue
        if DUPLICATE_KEY in found.wrong:
            yield DUPLICATE_KEY, "in the arguments"
        elif not isinstance(found.value, dict):
            yield "tool_args", "the arguments are no object"
        else:
            yield from (("tool_args", f"{reason} {place}".strip()) for reason, place in check(found.value, _of(answer)))


def _of(answer: Answer) -> object:
    return tool_parameters(answer.case)


def seen(answer: Answer) -> bool:
    """Of values that were read whole: a text of kind json, or the arguments of the call that was wanted."""
    if answer.case.kind == Kind.CALL:
        return answer.clear and any(is_clean(arguments_of(call)) for call in wanted_calls(answer))
    return answer.case.kind == Kind.JSON and readable(answer) and is_clean(value_of(answer))


CHECK = Check(page("PC015", Cls.SCHEMA_MISS, __doc__), Cls.SCHEMA_MISS, find, seen)
