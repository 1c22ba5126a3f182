"""What one case of a fixture must be, so that its answer can be judged."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Mapping
from decimal import Decimal

from denominator.probe.asking import DECIMAL, RAW
from denominator.probe.expects import expect_problems
from denominator.probe.schema_terms import Wrong
from denominator.records.probe_words import Group, Kind
from denominator.records.probes import Case
from denominator.wire.reading import nearest

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\Z")
FRACTION = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,12})?\Z")
FRACTIONS = ("top_p", "min_p", "typical_p", "frequency_penalty", "presence_penalty", "repetition_penalty")
"""Fields of sampling that are numbers everywhere, so that text is a mistake."""
CAP_MAX = 1_000_000
MODES = ("plain", "stream", "both")
OWN: Mapping[str, str] = {
    "model": "use the field model",
    "messages": "use prompt and system",
    "stream": "use the field mode",
    "stream_options": "a streamed request asks for usage, unless stream_usage is false",
    "max_tokens": "use the field max_tokens",
    "max_completion_tokens": "use the field max_tokens",
    "temperature": "use the field temperature",
    "n": "one answer is judged",
}
"""Fields of a body that a case sets otherwise."""
KINDS_OF: Mapping[str, tuple[Kind, ...]] = {
    Group.STRICT_JSON: (Kind.JSON,),
    Group.SCHEMA: (Kind.JSON,),
    Group.TRUNCATION: (Kind.CAP, Kind.JSON, Kind.CALL, Kind.ANSWER),
    Group.ACCOUNTING: (Kind.ANSWER, Kind.TEXT, Kind.JSON, Kind.CALL, Kind.CAP),
    Group.UNICODE: (Kind.TEXT, Kind.JSON),
    Group.TOOLS: (Kind.CALL, Kind.ANSWER),
    Group.STREAMING: (Kind.ANSWER, Kind.TEXT, Kind.JSON, Kind.CALL, Kind.CAP),
    Group.MALFORMED: (Kind.MALFORMED,),
}
BLANK = Case(id="", group=Group.MALFORMED, kind=Kind.MALFORMED)


def case_problems(case: Case) -> Wrong:
    """Everything for which a case cannot be used, each with its key."""
    if not ID.match(case.id):
        yield (None, "id"), "is no id: letters, digits, `.`, `_` and `-`, at most 80", ""
    closed = [
        *_word("group", case.group, tuple(Group)),
        *_word("kind", case.kind, tuple(Kind)),
        *_word("mode", case.mode, MODES),
    ]
    yield from closed
    if not closed:
        yield from _grouped(case)
        yield from expect_problems(case)
    yield from _control(case) if case.control else _good(case)
    yield from _numbers(case)


def _word(name: str, word: str, words: Iterable[str]) -> Wrong:
    if word not in words:
        yield (None, name), "is no word of this format", nearest(word, map(str, words))


def _grouped(case: Case) -> Wrong:
    kinds = KINDS_OF[case.group]
    if case.kind not in kinds:
        yield (None, "kind"), f"does not belong in group {case.group}", f"one of {', '.join(kinds)}"
    if case.group == Group.STREAMING and case.mode == "plain":
        yield (None, "mode"), "of group streaming is stream or both", ""


def _good(case: Case) -> Wrong:
    """A request that is meant to be answered."""
    if not case.prompt.strip():
        yield (None, "prompt"), "is empty", "say what is asked"
    if case.body is not None:
        yield (None, "body"), "is of malformed controls alone", "use prompt and request"
    for name in case.request:
        if name in OWN:
            yield ((None, "request"), name), "is set otherwise", OWN[name]
    yield from _decimals(case)


def _decimals(case: Case) -> Wrong:
    """Fractions are written as text, as fields of `request` alone: schemas and tools are read with whole numbers."""
    for name, value in case.request.items():
        if name in FRACTIONS and isinstance(value, str):
            yield ((None, "request"), name), "is sent as text", f'a number with a fraction: {{"{DECIMAL}": "0.9"}}'
        elif isinstance(value, Mapping) and DECIMAL in value:
            text = value[DECIMAL]
            if set(value) != {DECIMAL} or not (isinstance(text, str) and FRACTION.match(text)):
                yield ((None, "request"), name), "expected decimal text, and no other key beside it", '"0.9"'
        elif _within(value):
            yield ((None, "request"), name), f"holds {DECIMAL} further in", "it stands for a field of request alone"


def _within(value: object) -> bool:
    """Does a value hold one further in?"""
    if isinstance(value, Mapping):
        return DECIMAL in value or any(map(_within, value.values()))
    return isinstance(value, list | tuple) and any(map(_within, value))


def _control(case: Case) -> Wrong:
    """A request that is wrong on purpose: its body, and nothing that would go unsent."""
    for name in ("prompt", "system", "mode", "max_tokens", "temperature", "request", "stream_usage"):
        if getattr(case, name) != getattr(BLANK, name):
            yield (None, name), "is not sent by a malformed control", "write it into body"
    body = case.body
    if isinstance(body, Mapping) and RAW in body:
        if set(body) != {RAW} or not _is_base64(body[RAW]):
            yield ((None, "body"), RAW), "expected base64 text, and no other key beside it", ""
    elif not isinstance(body, str | Mapping):
        yield (None, "body"), "expected the body to send: text or an object", 'a list is written as text: "[]"'


def _is_base64(text: object) -> bool:
    try:
        b64decode(str(text), validate=True)
    except ValueError:
        return False
    return isinstance(text, str)


def _numbers(case: Case) -> Wrong:
    if not 1 <= case.max_tokens <= CAP_MAX:
        yield (None, "max_tokens"), f"is outside 1 to {CAP_MAX}", ""
    if case.temperature and not 0 <= Decimal(case.temperature) <= 2:
        yield (None, "temperature"), "is outside 0 to 2", 'leave it out of the request with ""'
    if any(not char.isprintable() for char in case.model):
        yield (None, "model"), "holds a control character", ""
