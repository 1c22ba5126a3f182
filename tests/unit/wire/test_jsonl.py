"""JSON Lines: the pinned cases of torn, bad and blank lines."""

from __future__ import annotations

import hashlib
import io
from decimal import Decimal

import pytest

from denominator.wire import jsonl
from denominator.wire.jsonl import BadLine, Line, Torn, iter_jsonl, read_jsonl


def test_rows_carry_line_offset_and_digest():
    lines = read_jsonl(b'{"a":1}\r\n\n{"b":0.50}\n', "f")
    assert lines.rows == (
        Line(1, 0, {"a": 1}, hashlib.sha256(b'{"a":1}\r').hexdigest()),
        Line(3, 10, {"b": Decimal("0.50")}, hashlib.sha256(b'{"b":0.50}').hexdigest()),
    )
    assert (lines.bad, lines.blank, lines.torn) == ((), (2,), None)


def test_a_last_line_that_breaks_off_is_torn_and_kept():
    lines = read_jsonl(b'{"a":1}\n{"b":"x', "f")
    assert lines.torn == Torn(2, 8, 7, b'{"b":"x')
    assert not lines.bad
    assert read_jsonl(b'{"a":"\xc3', "f").torn == Torn(1, 0, 7, b'{"a":"\xc3')


def test_the_same_bytes_before_a_newline_are_a_bad_line():
    lines = read_jsonl(b'{"b":"x\n{"a":1}\n', "f")
    assert [bad.number for bad in lines.bad] == [1]
    assert lines.torn is None and len(lines.rows) == 1


@pytest.mark.parametrize("last", [b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":1}{"b":2}', b"[1]", b'{"a":"\xff"}'])
def test_a_complete_last_line_that_is_wrong_is_bad_and_not_torn(last):
    lines = read_jsonl(b"{}\n" + last, "f")
    assert lines.torn is None
    assert [bad.number for bad in lines.bad] == [2]


def test_a_complete_last_line_without_newline_is_a_row():
    assert [row.value for row in read_jsonl(b'{"a":1}\n{"b":2}', "f").rows] == [{"a": 1}, {"b": 2}]


def test_two_writers_on_one_line_are_called_that():
    bad = read_jsonl(b'{"a":1}{"b":2}\n', "f").bad[0]
    assert (bad.number, bad.offset, bad.column, bad.what) == (1, 0, 8, "two objects follow each other")
    assert "two writers" in bad.fix


def test_a_bad_line_names_its_key():
    bad = read_jsonl(b'{}\n{"u":{"wall_s":NaN}}\n[1]\n', "f").bad
    assert bad[0] == BadLine(2, 3, "u.wall_s", "NaN is no JSON number", 16, "an unmeasured value is left out or null")
    assert bad[1].what == "expected an object, got a list of 1"


def test_an_overlong_line_is_bad_in_memory_and_from_a_file(monkeypatch):
    monkeypatch.setattr(jsonl, "LINE_BYTES_MAX", 100)
    for length, sound in ((100, True), (101, False), (5000, False)):
        data = b'{"a":1}\n{"b":"' + b"x" * (length - 8) + b'"}\n{"c":3}\n'
        whole, items = read_jsonl(data, "f"), list(iter_jsonl(io.BytesIO(data)))
        assert len(whole.bad) == (0 if sound else 1)
        assert [(each.number, each.offset) for each in items] == [(1, 0), (2, 8), (3, 9 + length)]
        assert [each for each in items if isinstance(each, Line)] == list(whole.rows)
