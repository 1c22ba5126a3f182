"""Strict JSON reading: what is refused, and how well the error says where."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import pytest

from denominator.errors import InputError
from denominator.wire.codec import loads
from denominator.wire.strict import SLOW, fast


def refused(data: bytes | str, floats="refuse") -> list[str]:
    with pytest.raises(InputError) as caught:
        loads(data, "f.json", floats=floats)
    return [f"{problem.where}: {problem.what}" for problem in caught.value.problems]


def test_all_defects_of_a_document_are_named_with_line_column_and_key():
    text = '{"a": 1,\n "b": {"c": 1, "\\u0063": 2},\n "x": [NaN, 1e999, "\\ud800", -Infinity]}'
    assert refused(text) == [
        "f.json:2:16 b.c: the key is written twice",
        "f.json:3:8 x[0]: NaN is no JSON number",
        "f.json:3:13 x[1]: 1e999 is outside the range of numbers",
        "f.json:3:20 x[2]: half of a surrogate pair is no character",
        "f.json:3:30 x[3]: -Infinity is no JSON number",
    ]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\xef\xbb\xbf{}", "f.json:1:1: a byte order mark"),
        (b'{"a": "\xff"}', "f.json:1:8 a: invalid UTF-8"),
        (b'{"a": 1}{"b": 2}', "f.json:1:9: two objects follow each other"),
        (b'{"a": 1} x', "f.json:1:10: something follows the JSON value"),
        (b'{"a": {"b" 1}}', "f.json:1:12 a.b: Expecting ':' delimiter"),
        (b"", "f.json:1:1: Expecting value"),
        (b"1" * 4301, "f.json:1:1: an integer with too many digits"),
        (b'["\\ud83d"]', "f.json:1:2 [0]: half of a surrogate pair is no character"),
        ('["\ud800"]', "f.json:1:2 [0]: half of a surrogate pair is no character"),
        (b"[1.5]", "f.json:1:2 [0]: 1.5 is no integer"),
        (b"[" * 10**6, "f.json:1:65 [0][0][0][0][0][0][0][0]: nested more than 64 deep"),
    ],
)
def test_a_refusal_says_what_and_where(data, what):
    assert refused(data) == [what]


def test_a_document_with_endless_defects_lists_only_the_first_ones():
    assert len(refused("[" + "NaN," * 1000 + "1]")) == 20


def test_fractions_are_exact_decimals_when_asked_for():
    assert loads("[1.50, 1e5, 0e999, -0.0]", floats="decimal") == [Decimal("1.50"), Decimal(100000), 0, 0]
    assert str(loads("1.50", floats="decimal")) == "1.50"
    for text in ("1e999", "-1e999", "1e-999", "1e99999999999999999999", "NaN"):
        assert refused(text, "decimal")


def test_integers_of_any_size_are_exact():
    assert loads(str(10**4000)) == 10**4000
    assert loads(str(2**64 + 1)) == 2**64 + 1


def test_the_fast_path_is_taken_for_ordinary_documents():
    assert fast(b'{"a": [1, {"b": "x:y"}], "b": "\\u00e9"}', "refuse") is not SLOW


def test_the_reader_works_without_msgspec_and_imports_it_only_when_it_reads():
    code = """
import sys
import denominator.wire.codec, denominator.wire.jsonl, denominator.wire.toml, denominator.wire.schema
assert "msgspec" not in sys.modules
sys.modules["msgspec"] = None
from denominator.wire.codec import loads
assert loads('{"a": [1, "\\\\u00e9"]}') == {"a": [1, "\\u00e9"]}
try:
    loads('{"a": 1, "a": 2}')
except ValueError:
    raise
except Exception as error:
    print(error.problems[0].what)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "the key is written twice\n"
