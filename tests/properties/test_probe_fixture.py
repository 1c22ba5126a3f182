"""Any bytes give a fixture or an `InputError`, and what was read can be asked."""

from __future__ import annotations

import json
from importlib.resources import files

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.probe.asking import request_body
from denominator.probe.fixture import read_fixture
from denominator.probe.linting import lint
from denominator.probe.order import asks
from denominator.records.probes import Fixture, Terms
from denominator.wire.canonical import sha256_bytes
from denominator.wire.strict import loads

BASIC = files("denominator").joinpath("data/probe/basic.jsonl").read_bytes()
ROWS = [json.loads(line) for line in BASIC.splitlines()]
ODD = st.recursive(
    st.sampled_from([None, True, -1, 0, 10**30, 0.5, "", "json", "call", "tools", "both", "$base64", "=", "9"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["name", "schema", "type"]), inner),
    max_leaves=4,
)


def asked(data: bytes) -> Fixture | None:
    """What any bytes give; every request of it can be made, and a good one is strict JSON."""
    try:
        fixture = read_fixture(data, "f")
    except InputError as error:
        assert error.problems
        return None
    lint(fixture)
    for ask in asks(fixture, Terms(attempts=1), 1):
        case = fixture.case(ask.case_id)
        body = request_body(case, ask.mode, "m")
        assert case.control or loads(body, floats="decimal")["max_tokens"] == case.max_tokens
    assert fixture.sha256 == sha256_bytes(data)
    return fixture


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    """No other error than ours."""
    asked(data)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(BASIC) - 1), st.binary(max_size=3), st.integers(0, 3))
def test_the_built_in_fixture_with_a_few_bytes_changed(at: int, put: bytes, cut: int) -> None:
    """Read, or refused with a place."""
    asked(BASIC[:at] + put + BASIC[at + cut :])


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ROWS), st.data())
def test_a_case_with_a_field_changed(row: dict[str, object], data: st.DataObject) -> None:
    """Any value in any field is taken or refused, and what is taken can be asked."""
    name = data.draw(st.sampled_from([*row, "model", "body", "request", "expect", "stream_usage", "temperature"]))
    asked(json.dumps({**row, name: data.draw(ODD)}).encode() + b"\n")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(ROWS), unique_by=lambda row: row["id"]), st.booleans())
def test_lines_of_a_fixture_make_a_fixture(rows: list[dict[str, object]], ended: bool) -> None:
    """In any order and number, with or without a newline at the end; none is no fixture."""
    text = "\n".join(json.dumps(row) for row in rows) + ("\n" if ended and rows else "")
    fixture = asked(text.encode())
    assert (fixture is None) == (not rows)
    if fixture is not None:
        assert [case.id for case in fixture.cases] == [row["id"] for row in rows]
