"""Whatever one side says, the other hears the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.gateway.messages import Ask, Close, Done, Grant, read_message, write_message
from denominator.errors import InputError
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured

COUNTS = st.integers(0, 2**40) | st.text(max_size=8).map(NotMeasured)
ROWS = st.builds(
    CallRow,
    key=st.builds(AttemptKey, st.text(max_size=4), st.text(max_size=4), st.integers(0, 3), st.integers(0, 3)),
    seq=st.integers(0, 9),
    outcome=st.sampled_from(["open", "ok", "retry", "gave_up"]),
    status=COUNTS,
    error=st.text(max_size=9) | st.just(NotMeasured("not recorded")),
    usage=st.builds(Usage, prompt=COUNTS, completion=COUNTS),
    tool_calls=st.lists(st.text(max_size=5), max_size=3).map(tuple),
    decoding=st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
    sent=st.booleans() | st.just(NotMeasured("not recorded")),
)


@given(ROWS, st.integers(0, 99))
def test_a_row_arrives_as_it_was_said(row: CallRow, number: int) -> None:
    for message in (Ask(lease=number, ask=number, row=row), Done(lease=number, row=row)):
        line = write_message(message)
        assert line.count(b"\n") == 1 and line.endswith(b"\n")
        assert read_message(line[:-1]) == message


@given(st.integers(0, 9), st.text(max_size=20))
def test_other_messages_arrive_too(number: int, said: str) -> None:
    for message in (Grant(lease=number, ask=1, seq=2, status=400, word="w", said=said), Close(lease=number)):
        assert read_message(write_message(message)) == message


@pytest.mark.parametrize(
    "line", [b"{}", b"[]", b'{"kind":"other","message":{}}', b'{"kind":"done","message":{}}', b"x"]
)
def test_what_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(InputError):
        read_message(line)
