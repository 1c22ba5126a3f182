"""Both paths of the strict JSON reader: one accept and refuse set, the same values, and never a traceback."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.wire.canonical import canonical
from denominator.wire.codec import loads
from denominator.wire.jsonl import BadLine, Blank, Line, Torn, iter_jsonl, read_jsonl
from denominator.wire.strict import SLOW, fast, plain
from properties.wire_strategies import JSON_VALUES, has_double_key, json_texts, mutated

FLOATS = st.sampled_from(["refuse", "decimal"])


def same_by_both_paths(data: bytes, floats: str) -> bool:
    """Asserts equality of the paths; says whether the document was taken."""
    value, refusal = plain(data, floats)
    quick = fast(data, floats)
    if refusal is not None:
        assert quick is SLOW, f"only the fast path takes {data!r}"
        assert refusal.faults
        return False
    if quick is SLOW:
        assert b"\\u003" in data, f"only the plain path takes {data!r}"
    else:
        assert repr(quick) == repr(value)
    return True


@settings(max_examples=400, deadline=None)
@given(json_texts(), FLOATS)
def test_valid_text_is_refused_exactly_for_double_keys_and_fractions(written, floats):
    text, tree = written
    fraction = any(token in str(tree).replace("'", "") for token in ("1.5", "0.0", "1e5", "1E-3"))
    taken = same_by_both_paths(text.encode(), floats)
    assert taken == (not has_double_key(tree) and not (fraction and floats == "refuse"))


@settings(max_examples=1500, deadline=None)
@given(mutated(), FLOATS)
def test_mutated_bytes_are_judged_alike_by_both_paths(data, floats):
    same_by_both_paths(data, floats)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40), FLOATS)
def test_any_bytes_are_judged_alike_by_both_paths(data, floats):
    same_by_both_paths(data, floats)


@settings(max_examples=300, deadline=None)
@given(mutated())
def test_a_refusal_is_an_input_error_that_names_a_place(data):
    try:
        loads(data, "f.json")
    except InputError as error:
        assert error.problems
        assert all(problem.where.startswith("f.json:") for problem in error.problems)


@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
@pytest.mark.parametrize(("depth", "taken"), [(64, True), (66, False), (500, False), (100_000, False)])
def test_nesting_is_limited_in_both_paths(depth, taken, left, right):
    times = depth // len(right)
    data = (left * times + "1" + right * times).encode()
    assert same_by_both_paths(data, "refuse") is taken


def test_the_deepest_nesting_is_exactly_64():
    assert same_by_both_paths(b"[" * 64 + b"]" * 64, "refuse")
    assert not same_by_both_paths(b"[" * 65 + b"]" * 65, "refuse")
    assert same_by_both_paths(b"[" + b"[]," * 99 + b"[]]", "refuse")


@settings(max_examples=200, deadline=None)
@given(JSON_VALUES)
def test_canonical_is_the_sorted_compact_form_and_reads_back(value):
    data = canonical(value)
    assert data == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert repr(loads(data)) == repr(json.loads(data))


@settings(max_examples=300, deadline=None)
@given(st.lists(mutated() | json_texts().map(lambda pair: pair[0].encode()), max_size=5), st.booleans())
def test_every_physical_line_is_accounted_for(parts, ended):
    data = b"\n".join(parts) + (b"\n" if ended else b"")
    lines = read_jsonl(data, "f.jsonl")
    numbers = [each.number for each in (*lines.rows, *lines.bad)] + list(lines.blank)
    numbers += [lines.torn.number] if lines.torn else []
    physical = data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)
    assert sorted(numbers) == list(range(1, physical + 1))
    split = data.split(b"\n")
    for row in lines.rows:
        assert data[row.offset :].startswith(split[row.number - 1])
    if lines.torn:
        assert data[lines.torn.offset :] == lines.torn.raw and not data.endswith(b"\n")


@settings(max_examples=100, deadline=None)
@given(st.lists(mutated(), max_size=4))
def test_a_file_read_line_by_line_gives_what_the_whole_file_gives(tmp_path_factory, parts):
    data = b"\n".join(parts)
    path = tmp_path_factory.mktemp("lines") / "f.jsonl"
    path.write_bytes(data)
    with path.open("rb") as file:
        items = list(iter_jsonl(file))
    whole = read_jsonl(data, "f")
    assert [item for item in items if isinstance(item, Line)] == list(whole.rows)
    assert [item for item in items if isinstance(item, BadLine)] == list(whole.bad)
    assert [item.number for item in items if isinstance(item, Blank)] == list(whole.blank)
    assert [item for item in items if isinstance(item, Torn)] == ([whole.torn] if whole.torn else [])
