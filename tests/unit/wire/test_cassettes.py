"""A cassette's two files: what somebody changed, or wrote twice, is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.records.cassettes import Cassette, RecordedCall
from denominator.wire.cassettes import CALLS, HEAD, read_cassette, write_cassette

EMPTY = Cassette(run_id="r", seal="s", calls=0, attempts=0, calls_sha256="")


def call(number: int) -> RecordedCall:
    return RecordedCall(task="t", repeat=1, attempt=1, call=number, method="POST", path="/v1/x", request="q")


def test_what_is_written_is_read_by_its_key(tmp_path: Path) -> None:
    head = write_cassette(tmp_path, EMPTY, [call(2), call(1)])
    tape = read_cassette(tmp_path)
    assert (tape.head, head.calls, head.attempts) == (head, 2, 1)
    assert list(tape.calls) == [("t", 1, 1, 1), ("t", 1, 1, 2)]


def test_a_head_that_was_written_by_hand_is_refused(tmp_path: Path) -> None:
    write_cassette(tmp_path, EMPTY, [call(1)])
    (tmp_path / HEAD).write_bytes((tmp_path / HEAD).read_bytes().replace(b":", b": ", 1))
    with pytest.raises(InputError, match="edited by hand"):
        read_cassette(tmp_path)


def test_calls_that_the_head_does_not_name_are_refused(tmp_path: Path) -> None:
    write_cassette(tmp_path, EMPTY, [call(1)])
    (tmp_path / CALLS).write_bytes((tmp_path / CALLS).read_bytes() * 2)
    with pytest.raises(InputError, match="other calls"):
        read_cassette(tmp_path)


def test_a_call_is_recorded_once(tmp_path: Path) -> None:
    write_cassette(tmp_path, EMPTY, [call(1), call(1)])
    with pytest.raises(InputError, match="second time"):
        read_cassette(tmp_path)
