"""Text of the agent never becomes a hint; chunks, order and damage change nothing that they should not."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.importers import import_rows
from denominator.judge import judge
from denominator.readers.logs import SIGNATURES, hints_of, read_log

PHRASES = tuple(text for one in SIGNATURES for text in (*one.examples, *one.misses))
HEADS = tuple(
    f"10:0{n}:00.000 {phase}/{stream}| ".encode()
    for n, (phase, stream) in enumerate((p, s) for p in ("setup", "agent", "verify", "harness") for s in ("out", "err"))
)
OF_AGENT = tuple(head for head in HEADS if b"agent/" in head or b"verify/out" in head)
NOISE = st.lists(
    st.tuples(st.sampled_from(OF_AGENT), st.lists(st.sampled_from(PHRASES) | st.binary(max_size=12), max_size=4)),
    max_size=12,
).map(
    lambda lines: b"".join(head + b" ".join(one.replace(b"\n", b"") for one in parts) + b"\n" for head, parts in lines)
)
ANY = st.lists(
    st.sampled_from((*HEADS, b"10:09:00.000 harness/evt| ", b"\n", b"\r", b"\x1b[31m", b"\x00", b"\xff"))
    | st.sampled_from(PHRASES)
    | st.binary(max_size=8),
    max_size=30,
).map(b"".join)


def facts(data: bytes) -> tuple[object, ...]:
    log = read_log("x", [data])
    return log.hits, log.events


@settings(max_examples=150, deadline=None)
@given(NOISE)
def test_no_phrase_in_a_stream_of_the_agent_is_a_hint(noise: bytes) -> None:
    assert hints_of(read_log("x", [noise])) == ()


@settings(max_examples=150, deadline=None)
@given(ANY, st.integers(1, 40))
def test_the_sizes_of_chunks_change_nothing(data: bytes, size: int) -> None:
    assert read_log("x", [data]) == read_log("x", [data[at : at + size] for at in range(0, len(data), size)])


@settings(max_examples=150, deadline=None)
@given(ANY)
def test_hits_quote_the_bytes_at_their_offset_in_an_owned_stream(data: bytes) -> None:
    log = read_log("x", [data])
    assert log.head + log.tail == data
    for hit in log.hits:
        assert 0 < hit.length <= len(data) - hit.offset
        assert f"{hit.phase}/{hit.stream}" not in ("agent/out", "agent/err", "verify/out")
        before = data[: hit.offset]
        heads = re.findall(rb"(?:^|\n)(?:\xef\xbb\xbf)?\d\d:\d\d:\d\d\.\d{3} (\w+)/(\w+)\|", before)
        assert heads[-1] == (hit.phase.encode(), hit.stream.encode())


@settings(max_examples=60, deadline=None)
@given(NOISE, st.sampled_from([True, False, None]))
def test_noise_of_the_agent_moves_no_label(noise: bytes, after: bool | None) -> None:
    def labels(log: bytes) -> list[tuple[object, ...]]:
        meta = {"run_id": "r", "task_id": "t", "tests_without_agent_pass": False, "tests_after_pass": after}
        rows = [("meta.json", json.dumps(meta).encode()), ("combined.log", log)]
        found = import_rows(rows)
        return [(d.exit, d.origin, d.reason, d.mix, d.tags) for d in judge(found.ledger, found.terms).sheet.draws]

    assert labels(noise) == labels(b"10:00:00.000 agent/out| nothing\n")


@settings(max_examples=100, deadline=None)
@given(ANY)
def test_any_log_is_read_beside_a_row(data: bytes) -> None:
    meta = b'{"run_id": "r", "task_id": "t", "tests_without_agent_pass": false, "tests_after_pass": null}'
    found = import_rows([("meta.json", meta), ("combined.log", data)])
    assert len(found.ledger.rows) == 1
    judge(found.ledger, found.terms)
