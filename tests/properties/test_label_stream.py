"""The stream of labels: a row that is remembered gets what it would have got alone, and no bad line passes for a row."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.labels import label_row, signature
from denominator.pipeline.label_stream import OF_ONE_ROW, stream_labels
from denominator.pipeline.row_kinds import kind_of, named_tasks, numbers_of
from denominator.pipeline.row_reading import RowReader
from denominator.publish.labelled import labelled
from denominator.records.rows import PatchFacts
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.codec import loads, to_json
from denominator.wire.jsonl import RawLine
from judging_data import key, own, terms
from properties.test_label_order import ROWS, TERMS


def lines(rows) -> bytes:
    return b"".join(canonical(row) + b"\n" for row in rows)


def alone(row, given_terms) -> dict:
    return to_json(labelled(row, label_row(row, given_terms)))


@settings(max_examples=60)
@given(st.lists(ROWS, max_size=6), TERMS)
def test_a_stream_says_of_every_row_what_the_row_alone_says(rows, given_terms):
    rows = [replace(row, key=key(f"t{at}")) for at, row in enumerate(rows)] * 2
    found = [json.loads(line) for line in stream_labels(io.BytesIO(lines(rows)), "l", given_terms)]
    assert len(found) == len(rows)
    for row, one in zip(rows, found, strict=True):
        whole = alone(row, given_terms)
        assert one["task_id"] == row.key.task_id
        assert one == {name: value for name, value in whole.items() if name in one}
        assert set(whole) - set(one) <= OF_ONE_ROW


DIGEST = st.sampled_from(["a" * 64, "b" * 64, "", "b"])
MASKED = st.fixed_dictionaries({
    "bytes": st.sampled_from([0, 1, 977, NotMeasured("only its digest is recorded")]), "base_tree": DIGEST, "final_tree": DIGEST,
    "sha256": DIGEST,
})  # fmt: skip
TIMES = st.sampled_from(
    [0, 5, 900, 10**15 - 1, 10**15, 10**18, -7, NotMeasured("no clock"), NotMeasured('a "clock", {no')]
)


def raw(row) -> RawLine:
    return RawLine(1, 0, canonical(row), ended=True)


def kind(row, given_terms):
    return kind_of(row, named_tasks(given_terms), given_terms.tool_loop_n)


@settings(max_examples=150)
@given(ROWS, TERMS, st.lists(st.tuples(MASKED, TIMES, TIMES, st.sampled_from(["t", "u"])), min_size=2, max_size=3))
def test_a_row_that_is_told_by_its_bytes_is_told_as_one_that_is_read(row, given_terms, hidden):
    """Rows that differ in what a pattern leaves open, in one reader after each other."""
    reader = RowReader(given_terms)
    for patch, paused, working, task in hidden * 2:
        one = replace(row, key=key(task), paused_ms=paused, working_ms=working, patch=PatchFacts(**patch))
        read = reader.read(raw(one))
        assert reader.kinds[read.kinds[0]] == kind(one, given_terms)
        numbers = tuple(column[0] for column in read.numbers)
        assert (read.tasks[0].decode(), read.repeats[0], numbers) == (task, 1, numbers_of(one))


@settings(max_examples=100)
@given(ROWS, TERMS)
def test_the_row_that_stands_for_a_kind_is_judged_as_every_row_of_it(row, given_terms):
    stands = kind(row, given_terms)
    assert signature(stands, given_terms) == signature(row, given_terms)
    assert kind(stands, given_terms) == stands


def test_rows_that_differ_only_where_nothing_judges_are_of_one_kind_and_read_once(monkeypatch):
    row = own("t1", wall_ms=5, agent_ms=7)
    other = replace(row, key=key("t2", 3), wall_ms=9_999, agent_ms=1)
    reader = RowReader(terms())
    reader.read(raw(row))
    monkeypatch.setattr("denominator.pipeline.row_reading._whole", None)
    assert list(reader.read(raw(other)).kinds) == [0]


@settings(max_examples=120)
@given(st.data())
def test_a_line_with_one_wrong_value_is_never_taken_for_the_row_before_it(data):
    good = loads(canonical(own("t1")))
    name = data.draw(st.sampled_from(sorted(good)))
    bad = good | {name: data.draw(st.sampled_from([[1], {"a": 1}, 1.5, "x" * 3, None]))}
    text = as_written(good) + as_written(bad)
    first, *rest = _read(text)
    try:
        expected = _read(as_written(bad))
    except InputError:
        expected = None
    if expected is None:
        assert rest == ["refused"]
    else:
        assert rest == expected
    assert json.loads(first)["outcome"] == "pass"


FORMS = {
    "a number of 19 digits": ('"wall_ms":5', '"wall_ms":1234567890123456789'), "minus zero": ('"wall_ms":5', '"wall_ms":-0'),
    "an exponent": ('"wall_ms":5', '"wall_ms":1e3'), "a fraction": ('"wall_ms":5', '"wall_ms":5.0'),
    "a zero in front": ('"wall_ms":5', '"wall_ms":05'), "no number": ('"wall_ms":5', '"wall_ms":'),
    "digits of another script": ('"wall_ms":5', '"wall_ms":\u0665'), "an underscore": ('"wall_ms":5', '"wall_ms":1_0'),
    "a space": ('"wall_ms":5', '"wall_ms": 5'), "a key twice": ('"wall_ms":5', '"wall_ms":5,"wall_ms":5'),
    "a key twice, open": ('"wall_ms":5', '"wall_ms":5,"agent_ms":7'), "an unknown key": ('"wall_ms":5', '"wall_m":5'),
    "a missing key": ('"wall_ms":5,', ""), "reordered keys": ('{"abstained":', '{"wall_ms":6,"abstained":'),
    "an escaped task": ('"task_id":"t1"', '"task_id":"t\\u0031"'), "a quote in the task": ('"task_id":"t1"', '"task_id":"t\\"1"'),
    "a tab in the task": ('"task_id":"t1"', '"task_id":"t\t1"'), "a line in the task": ('"task_id":"t1"', '"task_id":"t\\n1"'),
    "another script": ('"task_id":"t1"', '"task_id":"t\u00e9"'), "no repeat": ('"repeat":1', '"repeat":0'),
    "a large repeat": ('"repeat":1', '"repeat":9999999999'), "a repeat as text": ('"repeat":1', '"repeat":"1"'),
    "a tab in a test id": ('["t::a"],"failed"', '["t::\t"],"failed"'), "a bracket in a test id": ('["t::a"],"failed"', '["t[a]"],"failed"'),
    "a number for a test id": ('["t::a"],"failed"', '["t::a",1],"failed"'), "no end of a list": ('["t::a"],"failed"', '["t::a","failed"'),
    "a list in a list": ('["t::a"],"failed"', '["t::a",["b"]],"failed"'), "a comma too many": ('["t::a"],"failed"', '["t::a",],"failed"'),
    "an escape in a digest": ('"base_tree":"b"', '"base_tree":"\\u0062"'), "a tab in a digest": ('"base_tree":"b"', '"base_tree":"\t"'),
    "a number for a digest": ('"base_tree":"b"', '"base_tree":3'), "a key elsewhere": ('"invalid_calls":{}', '"invalid_calls":{"repeat":1}'),
    "keys of a key elsewhere": ('"limits_enforced":{}', '"limits_enforced":{"key":"{\\"repeat\\":1,"}'),
    "notes elsewhere": ('"limits_enforced":{}', '"limits_enforced":{"notes":"[]"}'), "null": ('"hints":[]', '"hints":null'),
    "hints in another order": ('"hints":[]', '"hints":[{"writer":"w","cause":"c"}]'), "a note": ('"notes":[]', '"notes":["a, \\"b\\""]'),
    "a return": ('"schema_version":1', '"schema_version":1\r'), "something behind": ('"workspace_reused"', '"x":1},{"workspace_reused"'),
}  # fmt: skip
"""What may stand in a line that was seen, in another form."""


@pytest.mark.parametrize("name", FORMS)
def test_a_line_in_another_form_is_read_as_it_is_read_alone(name):
    """Behind two lines that differ in nothing, so that the reader knows their skeleton; then once more behind itself."""
    row = own("t1", wall_ms=5, agent_ms=7)
    good = canonical(row).decode()
    old, new = FORMS[name]
    assert old in good
    bad = good.replace(old, new, 1).encode()
    reader, found = RowReader(terms()), []
    reader.read(raw(row)), reader.read(raw(row))
    for made in (reader, reader, RowReader(terms())):
        read = made.read(RawLine(1, 0, bad, ended=True))
        if read.bad:
            ((_, error),) = read.bad
            found.append([(one.where, one.what) for one in error.problems] or error.what)
        else:
            found.append(
                (made.kinds[read.kinds[0]], list(read.tasks), list(read.repeats), list(map(list, read.numbers)))
            )
    assert found[0] == found[1] == found[2]


def as_written(value) -> str:
    """A line in the form in which ledgers are written, which is the one that masks know."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"


def _read(text: str) -> list[str]:
    """The lines of a stream; a refusal at its end is the last of them, as a word."""
    found: list[str] = []
    try:
        for line in stream_labels(io.BytesIO(text.encode()), "l", terms(origin="seal")):
            found.append(line)
    except InputError:
        if not found:
            raise
        found.append("refused")
    return found


def test_bad_lines_are_named_and_every_other_line_is_labelled():
    good = canonical(own("t1"))
    data = good + b"\n" + b'{"key": 3}\n' + b"\n" + good + b"\n" + b"not json\n" + good[:40]
    found = []
    with pytest.raises(InputError) as caught:
        for line in stream_labels(io.BytesIO(data), "ledger.jsonl", terms(origin="seal")):
            found.append(json.loads(line)["task_id"])
    assert found == ["t1", "t1"]
    where = [problem.where for problem in caught.value.problems]
    assert where == [f"ledger.jsonl:{number}" for number in (2, 3, 5, 6)]
    assert "4 lines" in caught.value.what
