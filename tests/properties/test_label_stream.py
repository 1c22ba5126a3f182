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
from denominator.pipeline.label_keys import coarse_key
from denominator.pipeline.label_stream import OF_ONE_ROW, stream_labels
from denominator.publish.labelled import labelled
from denominator.wire.canonical import canonical
from denominator.wire.codec import loads, to_json
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


@settings(max_examples=150)
@given(ROWS, ROWS, TERMS)
def test_equal_keys_mean_equal_signatures(row, other, given_terms):
    named = frozenset((*given_terms.flaky_tasks, *given_terms.bad_tasks, *given_terms.expired_tasks))
    keys = [coarse_key(loads(canonical(one)), named, given_terms.tool_loop_n) for one in (row, other)]
    if keys[0] == keys[1]:
        assert signature(row, given_terms) == signature(other, given_terms)


def test_rows_that_differ_only_where_no_label_looks_share_a_key():
    row = own("t1", wall_ms=5, seed=7)
    other = replace(row, key=key("t2", 3), wall_ms=9_999, seed=11, agent_ms=row.agent_ms)
    keys = {coarse_key(loads(canonical(one)), frozenset(), 3) for one in (row, other)}
    assert len(keys) == 1


@settings(max_examples=120)
@given(st.data())
def test_a_line_with_one_wrong_value_is_never_taken_for_the_row_before_it(data):
    good = loads(canonical(own("t1")))
    name = data.draw(st.sampled_from(sorted(good)))
    bad = good | {name: data.draw(st.sampled_from([[1], {"a": 1}, 1.5, "x" * 3, None]))}
    text = json.dumps(good) + "\n" + json.dumps(bad) + "\n"
    first, *rest = _read(text)
    try:
        expected = _read(json.dumps(bad) + "\n")
    except InputError:
        expected = None
    if expected is None:
        assert rest == ["refused"]
    else:
        assert rest == expected
    assert json.loads(first)["outcome"] == "pass"


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
