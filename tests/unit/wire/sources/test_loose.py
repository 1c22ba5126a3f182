"""JSON and YAML as other programs write them."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from denominator.errors import InputError
from denominator.wire.sources import loose, loose_json, loose_lines, loose_yaml, open_source


def refused(call: Any, text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        call(text if isinstance(text, bytes) else text.encode(), "a.json")
    assert caught.value.where == "a.json"
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.10", Decimal("1.10")),
        ("0.1", Decimal("0.1")),
        ("1e5", Decimal("1E+5")),
        ("[NaN, Infinity, -Infinity]", [None, None, None]),
        ("[1, NaN, 1.50]", [1, None, Decimal("1.50")]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ("9" * 299, int("9" * 299)),
        ("9" * 300, None),
        ("-" + "9" * 299, -int("9" * 299)),
        ('{"n": ' + "9" * 5000 + "}", {"n": None}),
        ('"' + "7" * 400 + '"', "7" * 400),
        ("1e299", Decimal("1e299")),
        ("1e301", None),
        ("1e-400", None),
        ("0.0", Decimal("0.0")),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ('"\\ud800"', "\ufffd"),
        ('{"\\uD83D": ["\\ude00x", "\\ud83d\\ude00"]}', {"\ufffd": ["\ufffdx", "\U0001f600"]}),
        ("  [] \n", []),
    ],
)
def test_json_values(text: str, value: object) -> None:
    found = loose_json(text.encode(), "a.json")
    assert (repr(found), found) == (repr(value), value)
    assert loose.plain(text.encode(), "a.json") == value


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("{", "is no JSON"),
        ('{"a": 1} {"b": 2}', "is no JSON"),
        ("[1,]", "is no JSON"),
        ('"a\x01"', "is no JSON"),
        (b'"\xff"', "not UTF-8 at byte 1"),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8 at byte 0"),
        ("[" * 201 + "]" * 201, "is nested"),
        ("[" * 100_000 + "]" * 100_000, "is nested"),
        ('{"a":' * 300 + "1" + "}" * 300, "is nested"),
        ("[" * 100_000, "is nested"),
    ],
)
def test_no_json(text: str | bytes, word: str) -> None:
    assert word in refused(loose_json, text)


def test_a_document_of_too_many_values_is_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loose, "VALUES_MAX", 100)
    assert loose_json(b"[" + b'"[,,,,,,,,,,,,,,,{",' * 40 + b'"\\",,,,"]', "a.json")
    assert "holds more than 100 values" in refused(loose_json, "[" + "1," * 200 + "1]")


def test_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1.0}\n\n  \nnot json\n{"a": NaN}\n\xff\n{"a": ')
    found = list(loose_lines(open_source(path), "a.jsonl"))
    assert [(line.number, line.value, bool(line.fault), line.torn) for line in found] == [
        (1, {"a": Decimal("1.0")}, False, False),
        (4, None, True, False),
        (5, {"a": None}, False, False),
        (6, None, True, False),
        (7, None, True, True),
    ]
    assert found[0].sha256 == hashlib.sha256(b'{"a": 1.0}').hexdigest()


YAML = """
whole: 12
zero: 0
percent: 61.10
exact: 1.0e+3
nothing: ~
not_a_number: .nan
infinite: -.INF
yes_or_no: yes
time: 2024-09-25
stamp: 2001-12-14t21:59:43.10-05:00
duration: 1:30:00
hash: 0123456
octal: 0o17
hex: 0x1f
grouped: 1_000
grouped_fraction: 1_000.5
equals: =
merge_as_text: <<
12: number as key
2024-01-01: time as key
shared: &list [1, 2]
again: *list
"""


def test_yaml_values() -> None:
    assert loose_yaml(YAML.encode(), "a.yaml") == {
        "whole": 12, "zero": 0, "percent": Decimal("61.10"), "exact": Decimal("1.0e+3"), "nothing": None,
        "not_a_number": None, "infinite": None, "yes_or_no": True, "time": "2024-09-25",
        "stamp": "2001-12-14t21:59:43.10-05:00", "duration": "1:30:00", "hash": "0123456", "octal": "0o17", "hex": "0x1f",
        "grouped": "1_000", "grouped_fraction": "1_000.5", "equals": "=", "merge_as_text": "<<", "12": "number as key",
        "2024-01-01": "time as key", "shared": [1, 2], "again": [1, 2],
    }  # fmt: skip


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 90))
MERGES = "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n}\n  <<: [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 90))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (LAUGHS, "grows without measure"),
        (MERGES, "grows without measure"),
        ("a: &a [*a]", "inside of itself"),
        ("a: &a {b: *a}", "inside of itself"),
        ("[" + "*a," * 3 + "]", "is no YAML"),
        ("a: &a 1\nb: [" + "*a," * 201 + "]", "more aliases"),
        ("[" * 65 + "]" * 65, "deeper nesting"),
        ("[" * 100_000, "nesting"),
        ("!!python/object/apply:os.system [ls]", "constructor for the tag"),
        ("!!set {a, b}", "constructor for the tag"),
        ("!!binary aGk=", "constructor for the tag"),
        ("a: !mine 3", "constructor for the tag"),
        ("!!bool 3", "is no YAML"),
        ("!!map [1]", "is no YAML"),
        ("? [a]\n: b", "a key that is no plain text"),
        ("<<: {a: 1}", "a key that is no plain text"),
        ("a: 1\na: 2", "the key 'a' stands twice with two values"),
        ("- 1\n---\n- 2", "single document"),
        ("a: [", "is no YAML"),
        (b"a: \xff", "not UTF-8 at byte 3"),
        ("a: \0", "is no YAML"),
    ],
)
def test_yaml_that_is_refused(text: str | bytes, word: str) -> None:
    assert word in refused(loose_yaml, text)


def test_yaml_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("denominator.wire.sources.yaml.YAML_BYTES", 5)
    assert "more than 5 bytes" in refused(loose_yaml, "a: 1.0")


def test_a_doubled_key_is_told_where_somebody_listens() -> None:
    doubled: list[str] = []
    text = b"- a: 1\n  b: 2\n  a: 3\n- {a: 1, a: 1}\n"
    assert loose_yaml(text, "a.yaml", doubled) == [{"a": 3, "b": 2}, {"a": 1}]
    assert doubled == ["line 3: the key 'a' stands twice with two values"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1, "a": 2}', ["a"]),
        ('{"a": 1, "a": 1}', []),
        ('{"a": {"b": 1, "b": [2]}, "c": [{"d": null, "d": 0}]}', ["b", "d"]),
        ('{"a": 1, "\\u0061": 2}', ["a"]),
        ('{"x\\u003a": ":", "b": 1.5, "c": NaN}', []),
        ('{"x:": ":", "y": "\\ud800", "z": 1e999}', []),
        ("[1, 2]", []),
    ],
)
def test_a_doubled_key_of_json_is_told_where_somebody_listens(text: str, told: list[str]) -> None:
    doubled: list[str] = []
    assert loose_json(text.encode(), "a.json", doubled) == loose_json(text.encode(), "a.json")
    assert doubled == [f"the key {name!r} stands twice with two values" for name in told]
