"""What a kept promise looks like, kind by kind: which keys `expect` has, and whether they say something that can be checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from denominator.probe.schema import check
from denominator.probe.schema_terms import Wrong, schema_problems
from denominator.records.events import Json
from denominator.records.probe_words import Kind
from denominator.records.probes import Case
from denominator.wire.paths import Path
from denominator.wire.reading import nearest

EXPECT: Path = (None, "expect")
TOOLS: Path = ((None, "request"), "tools")


def expect_problems(case: Case) -> Wrong:
    """Everything that is wrong with what a case expects. Its kind must be a known one."""
    known, rule = KINDS[Kind(case.kind)]
    for name in case.expect:
        if name not in known:
            hint = nearest(name, known) or "this kind expects nothing: leave it out"
            yield (EXPECT, name), f"is nothing that a case of kind {case.kind} expects", hint
    yield from rule(case)


def tool_parameters(case: Case) -> Json:
    """The schema of the arguments of the tool that a call is expected of; true where the tool states none."""
    found = [one for one in _functions(case.request.get("tools")) if one.get("name") == case.expect.get("name")]
    return found[0].get("parameters", True) if found else True


def _functions(tools: object) -> list[Mapping[str, Json]]:
    """The functions among a request's tools; what is none is left out."""
    listed = tools if isinstance(tools, Sequence) and not isinstance(tools, str) else ()
    functions = [one.get("function") for one in listed if isinstance(one, Mapping)]
    return [one for one in functions if isinstance(one, Mapping)]


def _json(case: Case) -> Wrong:
    if not {"value", "schema"} & set(case.expect):
        yield EXPECT, "says neither a value nor a schema", "give value, schema, or both"
    if "schema" in case.expect:
        wrong = list(schema_problems(case.expect["schema"], (EXPECT, "schema")))
        yield from wrong
        if not wrong and "value" in case.expect and check(case.expect["value"], case.expect["schema"]):
            yield (EXPECT, "value"), "does not satisfy the schema beside it", "no answer could be right"


def _text(case: Case) -> Wrong:
    text = case.expect.get("text")
    if not isinstance(text, str) or not text:
        yield (EXPECT, "text"), "expected the exact text of the answer", ""


def _answer(case: Case) -> Wrong:
    part = case.expect.get("contains", "x")
    if not isinstance(part, str) or not part:
        yield (EXPECT, "contains"), "expected text that the answer holds", "leave it out where any text is right"


def _call(case: Case) -> Wrong:
    name, functions = case.expect.get("name"), _functions(case.request.get("tools"))
    names = [one.get("name") for one in functions]
    if not isinstance(name, str) or not name:
        yield (EXPECT, "name"), "expected the name of the tool to be called", ""
    elif names.count(name) != 1:
        what = "is in request.tools more than once" if name in names else "is no tool of request.tools"
        yield (EXPECT, "name"), what, "tools are written as OpenAI's: {type, function: {name, parameters}}"
    else:
        at = names.index(name)
        yield from schema_problems(functions[at].get("parameters", True), (((TOOLS, at), "function"), "parameters"))
    if case.request.get("tool_choice") == "none":
        yield ((None, "request"), "tool_choice"), "forbids the call that is expected", ""


def _nothing(_case: Case) -> Wrong:
    yield from ()


KINDS: Mapping[Kind, tuple[tuple[str, ...], Callable[[Case], Wrong]]] = {
    Kind.JSON: (("value", "schema"), _json),
    Kind.TEXT: (("text",), _text),
    Kind.ANSWER: (("contains",), _answer),
    Kind.CAP: ((), _nothing),
    Kind.CALL: (("name",), _call),
    Kind.MALFORMED: ((), _nothing),
}
