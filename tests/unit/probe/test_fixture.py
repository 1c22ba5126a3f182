"""Reading a fixture: every mistake of every line in one pass, and nothing private in any message."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from denominator.errors import InputError
from denominator.probe.fixture import read_fixture, refuse_key
from denominator.probe.linting import lint
from denominator.records.probe_words import Group, Kind
from denominator.records.probes import Case

KEY = "sk-canary-0123456789abcdef"
OK: dict[str, Any] = {"id": "a", "group": "accounting", "kind": "answer", "prompt": "Say OK."}
JSON: dict[str, Any] = {"id": "j", "group": "schema", "kind": "json", "prompt": "?", "expect": {"value": {"a": 1}}}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
CALL: dict[str, Any] = {
    "id": "c",
    "group": "tools",
    "kind": "call",
    "prompt": "?",
    "request": {"tools": [TOOL]},
    "expect": {"name": "f"},
}
BAD: dict[str, Any] = {"id": "b", "group": "malformed", "kind": "malformed", "body": "{"}


def lines(*rows: object) -> bytes:
    """Rows as a file; text stands as it is."""
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows).encode()


def problems(*rows: object) -> list[str]:
    """What is wrong with a file of these rows."""
    with pytest.raises(InputError) as caught:
        read_fixture(lines(*rows), "f")
    return [str(problem) for problem in caught.value.problems]


def test_a_case_may_say_little() -> None:
    """What is left out has its default; the digest is of the bytes."""
    fixture = read_fixture(lines(OK, JSON, CALL, BAD), "f")
    assert fixture.case("a") == Case(id="a", group="accounting", kind="answer", prompt="Say OK.")
    assert [case.control for case in fixture.cases] == [False, False, False, True]
    assert fixture.sha256 != read_fixture(lines(OK, JSON, CALL), "f").sha256


def test_every_mistake_of_every_line_in_one_pass() -> None:
    """Lines that are no JSON, blank lines, unknown keys and words, wrong types, an id twice: all are told at once."""
    found = problems(
        {**OK, "max_token": "x", "max_tokens": "64"},
        "",
        '{"id": "x", "id": "y"}',
        {**OK, "group": "acounting", "kind": "anwser"},
        OK,
        {**OK, "id": "A"},
        {**OK, "id": "z", "temperature": "3", "max_tokens": 0, "mode": "streamed"},
        '{"id": ',
    )
    assert [one.split(":")[1].split(" ")[0] for one in found] == ["1", "1", "2", "3", "4", "4", "6", "7", "7", "7", "8"]
    assert any("f:1 max_tokens: expected an integer" in one for one in found)
    assert any("f:1 max_token: unknown key" in one for one in found)
    assert any("f:2: is blank" in one for one in found)
    assert any("written twice" in one for one in found)
    assert any("f:4 group" in one and "accounting" in one for one in found)
    assert any("f:6 id: is the id of an earlier line" in one for one in found)


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ({**OK, "id": ""}, "id"),
        ({**OK, "id": "a b"}, "id"),
        ({**OK, "id": "../a"}, "id"),
        ({**OK, "id": "a" * 81}, "id"),
        ({**OK, "prompt": "  "}, "prompt"),
        ({**OK, "body": "x"}, "body"),
        ({**OK, "mode": "stream", "group": "schema"}, "kind"),
        ({**OK, "group": "streaming"}, "mode"),
        ({**OK, "group": "malformed"}, "kind"),
        ({**OK, "temperature": "hot"}, "temperature"),
        ({**OK, "temperature": 0}, "temperature"),
        ({**OK, "max_tokens": True}, "max_tokens"),
        ({**OK, "model": "a\nb"}, "model"),
        ({**OK, "expect": {"text": "x"}}, "expect.text"),
        ({**OK, "expect": {"contains": ""}}, "expect.contains"),
        ({**OK, "expect": {"contains": 1}}, "expect.contains"),
        ({**OK, "request": {"top_p": 0.5}}, "request.top_p"),
        *(({**OK, "request": {name: 1}}, f"request.{name}") for name in ("model", "messages", "stream", "n")),
        *(
            ({**OK, "request": {name: 1}}, f"request.{name}")
            for name in ("stream_options", "max_tokens", "temperature")
        ),
        ({**OK, "kind": "cap", "expect": {"contains": "x"}}, "expect.contains"),
        ({**OK, "kind": "text"}, "expect.text"),
        ({**OK, "kind": "text", "expect": {"text": ""}}, "expect.text"),
        ({**JSON, "expect": {}}, "expect"),
        ({**JSON, "expect": {"schema": {"pattern": "x"}}}, "expect.schema.pattern"),
        ({**JSON, "expect": {"schema": {"properties": {"a": {"oneOf": []}}}}}, "expect.schema.properties.a.oneOf"),
        ({**JSON, "expect": {"schema": {"type": "array"}, "value": {}}}, "expect.value"),
        ({**CALL, "expect": {}}, "expect.name"),
        ({**CALL, "expect": {"name": "g"}}, "expect.name"),
        ({**CALL, "request": {}}, "expect.name"),
        ({**CALL, "request": {"tools": "f"}}, "expect.name"),
        ({**CALL, "request": {"tools": [TOOL, TOOL]}}, "expect.name"),
        ({**CALL, "request": {"tools": [TOOL], "tool_choice": "none"}}, "request.tool_choice"),
        (
            {**CALL, "request": {"tools": [{"function": {"name": "f", "parameters": {"type": "x"}}}]}},
            "request.tools[0].function.parameters.type",
        ),
        ({**BAD, "group": "schema"}, "kind"),
        ({**BAD, "body": None}, "body"),
        ({**BAD, "body": []}, "body"),
        ({**BAD, "body": {"$base64": "%%"}}, "body['$base64']"),
        ({**BAD, "body": {"$base64": "", "more": 1}}, "body['$base64']"),
        ({**BAD, "prompt": "x"}, "prompt"),
        ({**BAD, "mode": "stream"}, "mode"),
        ({**BAD, "request": {"a": 1}}, "request"),
        ({**BAD, "max_tokens": 5}, "max_tokens"),
        ({**BAD, "expect": {"text": "x"}}, "expect.text"),
    ],
)
def test_a_mistake_is_named_by_line_and_key(row: dict[str, Any], key: str) -> None:
    """One mistake gives one problem, at its key."""
    found = problems(OK | {"id": "first"}, row)
    assert [one.split(": ")[0] for one in found] == [f"f:2 {key}"]


def test_no_cases_is_a_mistake() -> None:
    """An empty file, and one of other JSON."""
    assert problems() == ["f: holds no case (one JSON object a line)"]
    assert "expected an object" in problems("[1]")[0]
    with pytest.raises(InputError, match="breaks off"):
        read_fixture(b'{"id": "a", "gro', "f")


PRIVATE = [
    KEY,
    "Bearer abcdefghijklmnopqrstuvwx",
    "ghp_abcdefghijklmnop1234",
    "AKIAABCDEFGHIJKL1234",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "-----BEGIN RSA PRIVATE KEY-----",
    "https://me:hunter22@host.test/x",
    "passwd=hunter2222",
    "aws_secret_access_key: hunter2222",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "sk-ant-api03-abcdefgh",
    "call 555-123-4567 today",
    "4f9d2c8e7b6a5f4e3d2c1b0a9f8e7d6c",
    "write to jo.doe@company.io please",
    "call +49 151 2345 6789 today",
    "call (212) 867-5309 today",
    "see /home/jo/notes",
    "see /Users/jo/notes",
    r"see C:\Users\jo",
    "078-05-1120",
    "4111 1111 1111 1111",
    "GB82 WEST 1234 5698 7654 32",
]


@pytest.mark.parametrize("text", PRIVATE)
@pytest.mark.parametrize("place", ["prompt", "key", "value", "body", "bytes", "word", "broken"])
def test_private_text_is_refused_and_not_repeated(text: str, place: str) -> None:
    """Wherever it stands, the message names line, key and kind, and holds no part of it."""
    row: object = {
        "prompt": {**OK, "prompt": f"Repeat: {text}"},
        "key": {**OK, "request": {"metadata": {text: 1}}},
        "value": {**JSON, "expect": {"value": {"a": [text]}}},
        "body": {**BAD, "body": {"messages": [{"content": text}]}},
        "bytes": {**BAD, "body": {"$base64": base64.b64encode(f"{{{text} \xe9".encode("latin-1")).decode()}},
        "word": {**OK, "group": text, "max_tokens": text, text: text},
        "broken": '{"id": "' + text.replace("\\", "\\\\") + '" "x"}',
    }[place]
    with pytest.raises(InputError) as caught:
        read_fixture(lines(OK | {"id": "first"}, row), "f")
    told = str(caught.value)
    assert "f:2" in told
    assert text not in told
    assert not any(part in told for part in text.split() if len(part) > 7)


@pytest.mark.parametrize(
    "text",
    [
        "write to jo@example.org or jo@mail.example",
        "call 555-0100 or (212) 555-0134 or +1 212 555 0134",
        "see usr/lib/python3/dist-packages/numpy2024/core/include",
        "com/example/ImageAnnotatorClient/BatchAnnotateRequest/v1",
        "550e8400-e29b-41d4-a716-446655440000",
        "the api_key field is named in OPENAI_API_KEY",
        "on 2026-11-30 at 17:31:06, 1234567 of 89 1000",
        "sk-learn and pk-values of /usr/share/home and a/home/page",
        "the secret of a token is its keyword; the password is short",
        "4111 1111 1111 1112",
        "café / 第二行 / end",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
        "0.1234567890123 + 3.14159265358979",
        "supercalifragilisticexpialidocious_and_other_words_joined",
    ],
)
def test_ordinary_text_passes(text: str) -> None:
    """Reserved addresses and numbers, dates, words that only begin like keys."""
    assert read_fixture(lines({**OK, "prompt": text}), "f").cases[0].prompt == text


def test_a_field_that_is_named_as_a_secret() -> None:
    """Its value is a secret whatever it looks like; a schema may still describe such a field."""
    assert "f:1 request.api_key: looks like a secret" in problems({**OK, "request": {"api_key": "hunter2"}})[0]
    schema = {"type": "object", "properties": {"password": {"type": "string"}}, "required": ["password"]}
    assert read_fixture(lines({**JSON, "expect": {"schema": schema}}), "f").cases


def test_the_key_itself_is_found_in_other_clothes() -> None:
    """A fixture with the endpoint's own key is refused, also when the key is encoded."""
    refuse_key(lines(OK), KEY, "f")
    refuse_key(lines(OK), "", "f")
    for data in (KEY.encode(), base64.b64encode(KEY.encode()), KEY[::-1].encode(), KEY.encode().hex().encode()):
        with pytest.raises(InputError) as caught:
            refuse_key(b"x" + data + b"x", KEY, "f")
        assert KEY not in str(caught.value)


def warned(*rows: object) -> list[str]:
    """The warnings of a fixture."""
    return [f"{one.where}: {one.what}" for one in lint(read_fixture(lines(*rows), "f"))]


def test_what_is_worth_a_word() -> None:
    """Few cases, groups without one, no control, no pair, small caps, an unsaid text, a question asked twice."""
    small = {**JSON, "max_tokens": 8}
    text = {"id": "t", "group": "unicode", "kind": "text", "prompt": "say it", "expect": {"text": "é"}}
    found = warned(small, text, OK, {**OK, "id": "again"})
    assert "f: 4 cases: fewer than 20 carry no decision of a team" in found
    assert "f: no malformed control: the error contract stays untested" in found
    assert "f: no case of group tools: it stays untested" in found
    assert any(one.startswith("f: no case of mode both") for one in found)
    assert any(one.startswith("j: max_tokens 8 leaves little room") for one in found)
    assert "t: the exact text is not in the prompt" in found
    assert "again: asks what a asks" in found


def test_enough_of_everything_is_no_warning() -> None:
    """Twenty cases over all groups, with a pair and a control."""
    groups = ("strict_json", "schema")
    rows: list[object] = [
        *({**JSON, "id": f"j{n}", "prompt": f"{n}?", "group": groups[n % 2]} for n in range(14)),
        CALL,
        BAD,
        {**OK, "mode": "both"},
        {**OK, "id": "s", "group": "streaming", "mode": "stream", "prompt": "Count."},
        {**OK, "id": "k", "group": "truncation", "kind": "cap", "prompt": "Much."},
        {"id": "t", "group": "unicode", "kind": "text", "prompt": "say é", "expect": {"text": "é"}},
    ]
    assert warned(*rows) == []


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"top_p": 0.9}, '{"$decimal": "0.9"}'),
        ({"top_p": "0.9"}, "is sent as text"),
        ({"top_p": {"$decimal": 0.9}}, "got the number 0.9"),
        ({"top_p": {"$decimal": "x"}}, "expected decimal text"),
        ({"top_p": {"$decimal": "1e9"}}, "expected decimal text"),
        ({"top_p": {"$decimal": "0.9", "b": 1}}, "no other key beside it"),
        ({"logit": {"a": [{"$decimal": "0.9"}]}}, "further in"),
    ],
)
def test_a_fraction_is_written_as_decimal_text(request_: dict[str, Any], told: str) -> None:
    """Each mistake names the field; the right form is read, whole numbers need none."""
    (problem,) = problems({**OK, "request": request_})
    assert told in problem and f"request.{next(iter(request_))}" in problem
    right = {"top_p": {"$decimal": "0.9"}, "frequency_penalty": {"$decimal": "-0.5"}, "seed": 3}
    assert read_fixture(lines({**OK, "request": right}), "f").case("a").request == right


def test_the_words_of_a_case_stand_in_its_schema() -> None:
    """`schema probe-case` shows text fields: what may stand in them is in the description."""
    described = Case.__doc__ or ""
    assert all(word in described for word in (*Group, *Kind, "plain", "stream", "both"))
