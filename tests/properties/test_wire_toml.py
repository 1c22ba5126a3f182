"""TOML: what is written is read, lines are right, and no text gives anything but a record or an `InputError`."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.records.envelopes import Envelope
from denominator.records.packs import Task
from denominator.wire.toml import read_toml, toml_values
from denominator.wire.toml_lines import lines_of

NAMES = st.sampled_from(["a", "b-c", "x_1", "with space", "dot.ted", "é", '"', "#", "[", "="])
LEAVES = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.sampled_from(["", "plain", 'a "quoted" # text', "]", "line\nbreak", "[x]\ny = 1\n", "é", "'''"]),
)
TABLES = st.recursive(
    st.dictionaries(NAMES, LEAVES | st.lists(LEAVES, max_size=3), max_size=3),
    lambda inner: st.dictionaries(NAMES, inner | st.lists(inner, min_size=1, max_size=3) | LEAVES, max_size=3),
    max_leaves=6,
)


def key_text(name: str) -> str:
    """A key, quoted where it must be."""
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else json.dumps(name, ensure_ascii=False)


def leaf_text(value: Any, draw: st.DrawFn) -> str:
    """A value in one of its spellings; a text with newlines may span lines."""
    if isinstance(value, list):
        parts = [leaf_text(each, draw) for each in value]
        return "[ # note ]\n" + ",\n".join(parts) + "\n]" if draw(st.booleans()) else "[" + ", ".join(parts) + "]"
    if isinstance(value, str) and draw(st.booleans()):
        return '"""\n' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""'
    return json.dumps(value, ensure_ascii=False)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[str, Any], dict[tuple[str | int, ...], int]]:
    """TOML text, its values, and the line on which each key and table header was put."""
    tree = draw(TABLES)
    lines: list[str] = []
    places: dict[tuple[str | int, ...], int] = {}

    def put(text: str) -> int:
        if draw(st.booleans()):
            lines.append("# a comment [with] \"marks\" = '''")
        lines.extend(text.split("\n"))
        return len(lines) - text.count("\n")

    def table(node: dict[str, Any], path: tuple[str | int, ...], header: str) -> None:
        for name, value in node.items():
            if not is_table(value):
                places[(*path, name)] = put(f"{key_text(name)} = {leaf_text(value, draw)}")
        for name, value in node.items():
            under = f"{header}.{key_text(name)}" if header else key_text(name)
            if isinstance(value, dict):
                places[(*path, name)] = put(f"  [ {under} ] # note")
                table(value, (*path, name), under)
            elif is_table(value):
                for index, each in enumerate(value):
                    places[(*path, name, index)] = put(f"[[{under}]]")
                    table(each, (*path, name, index), under)

    table(tree, (), "")
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"])), tree, places


def is_table(value: Any) -> bool:
    """Is this written with a header?"""
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


@settings(max_examples=400, deadline=None)
@given(documents(), st.booleans())
def test_values_and_lines_are_those_written(document, windows):
    text, tree, places = document
    text = text.replace("\n", "\r\n") if windows else text
    assert toml_values(text, "f.toml") == tree
    found = lines_of(text)
    assert {path: found.get(path) for path in places} == places


ENVELOPE = """schema_version = 1
question = "does it"
[budget]
wall_s = 600 # seconds
[ceilings]
invalid_rate = 0.10
[[arm]]
label = "a"
env = { A = "1" }
[arm.model]
temperature = 0
[[arm]]
label = 'b'
command = [ "x",
  "y" ]
[terms]
read_on = 2026-10-18
"""
PIECES = st.sampled_from(
    ["", "[", "]", "[[", "]]", "=", '"', "'", '"""', "#", "\n", ".", ",", "{", "}", "\\", "é", "\x00", "\x7f", "\ud800"]
)
MORE = st.sampled_from(
    [
        "1.5",
        "1e999999999",
        "nan",
        "-inf",
        "true",
        "2026-13-01",
        "07:32:00",
        "0x_f",
        "9" * 5000,
        "[" * 3000,
        "\r",
        "\ufeff",
    ]
)


@settings(max_examples=600, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(ENVELOPE)), PIECES | MORE, st.integers(0, 6)), min_size=1, max_size=4))
def test_mutated_text_gives_a_record_or_an_input_error_with_places(edits):
    text = ENVELOPE
    for at, piece, cut in edits:
        text = text[:at] + piece + text[at + cut :]
    for cls in (Envelope, Task):
        try:
            assert isinstance(read_toml(cls, text, "e.toml"), cls)
        except InputError as error:
            assert error.problems
            assert all(problem.where.startswith("e.toml") for problem in error.problems)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_a_record_or_an_input_error(text):
    try:
        read_toml(Envelope, text, "e.toml")
    except InputError as error:
        assert error.problems
