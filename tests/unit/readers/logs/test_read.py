"""Logs as bytes: whose words they are, events, offsets, and memory that does not grow with the file."""

from __future__ import annotations

import hashlib
import time
import tracemalloc
from collections.abc import Iterator

import pytest

from denominator.readers.logs import LogRead, hints_of, read_log
from denominator.readers.logs.frames import PIECE

FULL = b"OSError: [Errno 28] No space left on device"
NEEDLE = b"RPC failed; curl 56 recv failure"


def log(*lines: bytes | str) -> LogRead:
    return read_log("x.log", [b"\n".join(one.encode() if isinstance(one, str) else one for one in lines) + b"\n"])


def test_events_are_typed_and_keep_their_order_and_place() -> None:
    found = log(
        "10:00:41.000 harness/evt| provider_call seq=2 status=429 retry_after=2.5 outcome=pause",
        "10:00:42.000 agent/out| provider_call seq=9 status=500",
        '10:45:00.250 harness/evt| wall_cap reached cap_s=2700 signal=TERM why="too \\"slow\\" here" ok=true code=none',
        "10:45:01.000 harness/evt|",
        "10:45:02.000 harness/evt| 429",
    )
    assert [(one.seq, one.name, one.phase, one.at_ms) for one in found.events] == [
        (1, "provider_call", "harness", 36_041_000),
        (2, "wall_cap", "harness", 38_700_250),
    ]
    assert found.events[0].values == {"seq": 2, "status": 429, "retry_after": "2.5", "outcome": "pause"}
    assert found.events[1].words == ("reached",)
    wanted = {"cap_s": 2700, "signal": "TERM", "why": 'too "slow" here', "ok": True, "code": None}
    assert found.events[1].values == wanted
    whole = found.head + found.tail
    for event in found.events:
        assert whole[event.offset :].startswith(event.name.encode())


def test_a_line_without_a_head_goes_on_with_the_stream_before_it() -> None:
    found = log(
        "10:00:00.000 setup/err| cloning",
        b"error: " + NEEDLE,
        "10:00:01.000 agent/out| $ git clone",
        b"error: " + NEEDLE,
    )
    assert [(hit.phase, hit.stream, hit.quote) for hit in found.hits] == [("setup", "err", "error: " + NEEDLE.decode())]
    after_event = log("10:00:00.000 harness/evt| start", b"wall_cap reached cap_s=1", NEEDLE)
    assert [one.name for one in after_event.events] == ["start"]
    assert after_event.hits == ()


@pytest.mark.parametrize(
    "text", [FULL, b"", b"\n\n", b"10:00 setup/err| " + FULL, b"\xff\xfe1\x000\x00", b"setup/err| " + FULL]
)
def test_without_the_format_all_of_it_is_the_agents(text: bytes) -> None:
    found = log(text)
    assert (found.formatted, found.hits, found.events) == (False, (), ())


def test_a_printed_head_inside_a_line_of_the_agent_is_text() -> None:
    forged = "10:00:00.000 agent/out| 10:00:00.000 harness/evt| provider_call status=503 outcome=gave_up"
    assert log(forged, "10:00:01.000 agent/out| \r10:00:02.000 setup/err| " + NEEDLE.decode()).events == ()


def test_hits_are_found_through_colours_and_nuls_and_keep_their_bytes() -> None:
    raw = b"10:00:00.000 verify/err| \x1b[31mOSError: [Errno 28] No sp\x1b[0mace left\x00 on device\x1b[0m\r done"
    found = log("10:00:00.000 agent/out| x", raw)
    hit = next(one for one in found.hits if one.length > 8)
    whole = (found.head + found.tail)[hit.offset : hit.offset + hit.length]
    assert whole == b"No sp\x1b[0mace left\x00 on device"
    assert hit.quote == "OSError: [Errno 28] No space left on device"
    assert hints_of(found)[0].ref == found.sha256


def test_bytes_that_are_no_text_are_shown_with_a_replacement() -> None:
    found = log(b"10:00:00.000 setup/err| caf\xc3( fatal: early EOF \xff")
    assert found.hits[0].quote == "caf�( fatal: early EOF �"


def test_a_byte_order_mark_and_line_ends_of_windows_are_read() -> None:
    data = b"\xef\xbb\xbf10:00:00.000 harness/evt| start\r\n10:00:01.000 setup/err| fatal: early EOF\r\n"
    found = read_log("x", [data])
    assert [one.name for one in found.events] == ["start"]
    assert data[found.hits[0].offset :].startswith(b"fatal: early EOF")
    assert data[found.events[0].offset :].startswith(b"start")


def test_a_clock_that_passes_midnight_goes_on() -> None:
    found = log("23:59:30.000 harness/evt| start", "00:00:30.000 harness/evt| agent_exit code=0")
    assert found.events[1].at_ms - found.events[0].at_ms == 60_000
    assert found.span_ms == 60_000


def test_the_earliest_few_hits_of_a_text_are_kept() -> None:
    found = log(*(b"10:00:00.000 setup/err| " + NEEDLE + b" %d" % n for n in range(50)))
    assert [hit.quote[-1] for hit in found.hits] == ["0", "1", "2", "3"]


def test_claims_of_passed_tests_are_collected_from_the_verifiers_output_only() -> None:
    found = log(
        "10:00:00.000 verify/out| PASSED tests/test_p.py::test_a",
        "10:00:00.000 verify/out| tests/test_p.py::test_b[x y] PASSED   [ 12%]",
        "--- PASS: TestGo (0.00s)",
        "test result_of ... ok",
        "ok 4 - adds numbers",
        "test_sum (pkg.T) ... ok",
        "10:00:00.000 agent/out| PASSED tests/test_p.py::test_c",
        "10:00:00.000 verify/err| PASSED tests/test_p.py::test_d",
        "10:00:00.000 verify/out| 5 passed in 0.1s, all is ok",
    )
    assert found.claims.passed == (
        "tests/test_p.py::test_a", "tests/test_p.py::test_b[x y]", "TestGo", "result_of", "adds numbers", "test_sum (pkg.T)"
    )  # fmt: skip


def giant(megabytes: int) -> Iterator[bytes]:
    """An event at byte 0, one line of most of the size, progress lines, a needle in the middle of a long line of setup."""
    yield b"10:00:05.000 harness/evt| provider_call seq=7 status=429 attempts=6 outcome=gave_up\n"
    yield b"10:00:05.000 setup/err| "
    for _ in range(2 * megabytes):
        yield b"y" * (1 << 19)
    yield b" " + NEEDLE + b" "
    yield b"z" * (3 << 20) + b"\n10:00:06.000 agent/out| "
    for _ in range(4 * megabytes):
        yield b"x" * (1 << 18)
    yield b"\n"
    for step in range(20 * megabytes):
        yield b"10:00:07.000 agent/out| \x1b[32mstep %07d\x1b[0m\r ok \x00 ....\n" % step * 20


def test_a_large_log_is_read_in_bounded_memory_and_nothing_in_it_is_missed() -> None:
    sha, size = hashlib.sha256(), 0
    for chunk in giant(12):
        sha.update(chunk)
        size += len(chunk)
    read_log("warm", giant(1))
    tracemalloc.start()
    found = read_log("big", giant(12))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 28_000_000
    assert peak < 14_000_000
    assert (found.sha256, found.size) == (sha.hexdigest(), size)
    assert [one.name for one in found.events] == ["provider_call"]
    assert [hit.signature for hit in found.hits] == ["git_cut"]
    assert found.hits[0].offset == 84 + 24 + 12 * (1 << 20) + 1
    assert len(found.head) == len(found.tail) == 65_536


@pytest.mark.parametrize("delta", [*range(-60, 60, 9), PIECE // 2])
def test_a_text_across_the_cut_of_a_long_line_is_found_once(delta: int) -> None:
    head = b"10:00:00.000 setup/err| "
    data = head + b"y" * (PIECE + delta - len(head)) + b" " + NEEDLE + b" " + b"z" * PIECE
    found = read_log("x", [data])
    assert [data[hit.offset : hit.offset + hit.length] for hit in found.hits] == [b"RPC failed; curl"]


def test_lines_made_to_keep_the_reader_of_claims_busy_are_soon_read() -> None:
    started = time.monotonic()
    read_log("x.log", [b"10:00:00.000 verify/out| " + b":" * 300 + b" " * 100_000 + b"ok\n"])
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("line", ["tests/a.py::test_b[x y]  PASSED", "a::b::c PASSED  [ 50%]", "a.py::t   - x PASSED"])
def test_claims_before_the_word_passed_are_names(line: str) -> None:
    assert log(f"10:00:00.000 verify/out| {line}").claims.passed == (" ".join(line.partition("PASSED")[0].split()),)
