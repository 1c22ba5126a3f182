"""Text of the agent never becomes a hint; chunks, order and damage change nothing that they should not."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.importers import import_rows
from denominator.importers.logs import READERS
from denominator.importers.logs.calls import NAMES as NAMES_OF_CALLS
from denominator.importers.logs.story import FACTS as EVENTS
from denominator.importers.shapes.before_after import LIFTED
from denominator.judge import judge
from denominator.readers.logs import SIGNATURES, hints_of, read_log
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical

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


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6)
    | st.sampled_from(["Evicted", "harness_deadline", "SIGKILL", "10:00:01.000", "manifest unknown"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["status", "error", "oom_killed", "exit", "failed", "reason", "at", "agent_wall_s"]), inner, max_size=4),
    max_leaves=6,
)  # fmt: skip
FACTS = st.dictionaries(st.sampled_from(sorted(READERS)) | st.sampled_from(sorted(LIFTED)), VALUES, max_size=6)
NAMES = sorted({*NAMES_OF_CALLS, *EVENTS, "start", "sandbox_exit", "image_pull", "pod_event"})
KEYS = [
    "seq",
    "status",
    "retry_after",
    "outcome",
    "exit",
    "code",
    "cap_s",
    "attempts",
    "oom_killed",
    "reason",
    "error",
    "signal",
]
WORDS = [
    "0",
    "1",
    "429",
    "200",
    "-1",
    "ok",
    "retry",
    "pause",
    "gave_up",
    "none",
    "true",
    "9" * 18,
    "2.5",
    "é",
    '"a b"',
    "x",
]
EVENT = st.tuples(
    st.integers(0, 86_399),
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(WORDS)), max_size=4),
).map(
    lambda one: (
        f"{one[0] // 3600:02}:{one[0] // 60 % 60:02}:{one[0] % 60:02}.000 harness/evt| {one[1]} "
        + " ".join(f"{key}={value}" for key, value in one[2])
    )
)


@settings(max_examples=300, deadline=None)
@given(FACTS, st.lists(EVENT, max_size=6), st.sampled_from([True, False, None]))
def test_any_facts_and_events_are_read_or_named(
    facts: dict[str, object], events: list[str], after: bool | None
) -> None:
    meta = {"run_id": "r", "task_id": "t", "tests_without_agent_pass": False, "tests_after_pass": after, "facts": facts}
    found = import_rows([("meta.json", json.dumps(meta).encode()), ("combined.log", "\n".join(events).encode())])
    row = found.ledger.rows[0]
    for name in ("wall_ms", "paused_ms", "working_ms", "provider_retries"):
        value = getattr(row, name)
        assert isinstance(value, NotMeasured) or value >= 0
    judge(found.ledger, found.terms)
    canonical(found.ledger)
