"""A file of the patch that does not parse, by the grammar of the sandbox's Python."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.unbuilt import broken_file
from denominator.records.trees import Change

HERE = f"3.{sys.version_info.minor}.2"


def broken(source: bytes, path: str = "bill.py", op: str = "modify", kind: str = "file", python: str = HERE) -> str:
    change = Change(path=path, op=op, kind=kind, mode=0o644, size=len(source), blob="b")
    return broken_file([change], {"b": source}.__getitem__, python)


@pytest.mark.parametrize(
    "source", [b"def broken(\n", b"x = 1\n  y = 2\n", b"if True:\n", "é = '".encode(), b"x = 1\n\x00", b"print 'old'\n"]
)
def test_what_does_not_parse_is_named_with_its_line(source: bytes) -> None:
    said = broken(source)
    assert said.startswith("bill.py, line ") or b"\x00" in source


@pytest.mark.parametrize("source", [b"", b"x = 1\n", b"raise SyntaxError('no')\n", b"import gone\n", b"1/0\n"])
def test_what_parses_is_no_broken_build_whatever_it_does(source: bytes) -> None:
    assert broken(source) == ""


@pytest.mark.parametrize(
    "other",
    [
        {"path": "bill.txt"},
        {"op": "delete"},
        {"op": "chmod"},
        {"kind": "link"},
        {"python": f"3.{sys.version_info.minor + 1}.0"},
        {"python": "4.0.0"},
        {"python": "2.7.18"},
        {"python": ""},
        {"python": "unknown"},
    ],
)
def test_nothing_is_said_of_what_is_no_python_or_of_a_newer_grammar(other: dict[str, str]) -> None:
    assert broken(b"def broken(\n", **other) == ""


def test_too_large_and_too_deep_files_are_left_open() -> None:
    assert broken(b"(" * 1_000_001) == ""
    assert isinstance(broken(b"-" * 200_000 + b"1"), str)


def test_a_newer_form_is_broken_for_an_older_sandbox() -> None:
    assert broken(b"match x:\n    case 1: pass\n", python="3.9.2")
    assert broken(b"match x:\n    case 1: pass\n", python="3.11.2") == ""


@given(st.binary(max_size=200))
def test_any_bytes_are_read(source: bytes) -> None:
    assert broken(source).startswith("bill.py") or broken(source) == ""
