"""Whatever comes over the wire, an attempt has exactly one class, and the same one however the bytes arrived."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from denominator.probe.classing import classify
from denominator.probe.hearing import hear
from denominator.records.probe_words import FLAGS, PRECEDENCE, REASONS, Cls, Contract, End
from denominator.records.probes import Fixture
from denominator.wire.lawful import read_lawful
from denominator.wire.sse import SseReader
from denominator.wire.sse_text import read_events
from denominator.wire.strict import read
from unit.probe.hearing_lab import (
    CASES,
    MODEL,
    TERMS,
    TEXT,
    call,
    called,
    chunk,
    document,
    dumps,
    events,
    exchange,
    http,
    last,
    spoken,
    word,
)

SSE = {"content-type": "text/event-stream"}
GOOD = '{"ok": true, "count": 2}'
ZIP = {"content-encoding": "gzip"}
CALLS = events(
    chunk({"tool_calls": [{"index": 0, **call("")}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"city": "Oslo", "days": 3}'}}]}),
    chunk({}, "tool_calls"),
    last(),
)
SOUND = (
    ("json", "plain", http(dumps(document(GOOD)))),
    ("text", "plain", http(dumps(document(TEXT)), framing="chunked")),
    ("call", "plain", http(dumps(called(call())), framing="eof")),
    ("answer", "plain", http(gzip.compress(dumps(document())), headers=ZIP)),
    ("malformed", "plain", http(b'{"error": {"message": "no", "type": "x"}}', 400)),
    ("json", "stream", http(spoken(GOOD[:9], GOOD[9:]), headers=SSE, framing="chunked")),
    ("text", "stream", http(spoken(*TEXT), headers=SSE, framing="eof")),
    ("answer", "stream", http(b": ping\r\n\r\n" + spoken("O", "K."), headers=SSE, framing="chunked")),
    ("call", "stream", http(CALLS, headers=SSE, framing="chunked")),
)
WORDS = {f"{cls}:{reason}" for cls, reasons in REASONS.items() for reason in reasons} | {"pass"}
TIMES = {"first_byte_us": 0, "first_content_us": 0, "total_us": 0, "flags": ()}


@st.composite
def damaged(draw):
    """A sound exchange with up to four bytes or runs flipped, cut, put in, written twice or swapped."""
    name, mode, wire = draw(st.sampled_from(SOUND))
    data = bytearray(wire)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        size = draw(st.integers(1, 12))
        how = draw(st.sampled_from(("flip", "cut", "put", "twice", "swap", "end")))
        if how == "flip" and data:
            data[at] ^= draw(st.integers(1, 255))
        elif how == "cut":
            del data[at : at + size]
        elif how == "put":
            data[at:at] = draw(
                st.binary(min_size=1, max_size=12) | st.sampled_from((b"\n\n", b"NaN", b"\x00", b'"', b"}"))
            )
        elif how == "twice":
            data[at:at] = data[at : at + size]
        elif how == "swap":
            data[at : at + 2 * size] = data[at + size : at + 2 * size] + data[at : at + size]
        elif how == "end":
            del data[at:]
    return name, mode, bytes(data), draw(st.sampled_from(list(End)))


@settings(max_examples=2_000, deadline=None)
@given(damaged(), st.lists(st.integers(0, 3_000), max_size=6))
def test_damage_gives_exactly_one_class_and_no_other_when_it_arrives_otherwise(made, cuts):
    name, mode, wire, end = made
    heard = hear(CASES[name], exchange(wire, end, mode), MODEL, TERMS)
    assert word(heard) in WORDS
    assert all(one.word in WORDS for one in heard.faults)
    places = [PRECEDENCE.index(Cls(one.cls)) for one in heard.faults if not one.observed]
    assert places == sorted(places)
    assert set(heard.judgements) == set(Contract) and set(heard.flags) <= set(FLAGS)
    assert heard.complete <= (heard.status == 200)
    split = hear(CASES[name], exchange(wire, end, mode, cuts), MODEL, TERMS)
    assert replace(split, **TIMES) == replace(heard, **TIMES)


@settings(max_examples=300, deadline=None)
@given(damaged())
def test_the_class_is_what_the_score_makes_of_it(made):
    name, mode, wire, end = made
    case = replace(CASES[name], id="c")
    heard = hear(case, exchange(wire, end, mode), MODEL, TERMS)
    (scored,) = classify(Fixture(name="f", sha256="0" * 64, cases=(case,)), MODEL, [heard], {})
    assert (f"{scored.cls}:{scored.reason}" if scored.reason else scored.cls) == word(heard)


@settings(max_examples=1_000, deadline=None)
@given(st.sampled_from(SOUND), st.integers(0, 4_000), st.sampled_from([End.FIN, End.RESET, End.DEADLINE, End.GAP]))
def test_an_answer_that_was_cut_anywhere_never_passes_unless_its_end_had_been_seen(sound, at, end):
    name, mode, wire = sound
    heard = hear(CASES[name], exchange(wire[:at], end, mode), MODEL, TERMS)
    if at >= len(wire):
        assert word(heard) == "pass" or (mode == "plain" and not _has_length(wire))
    elif word(heard) == "pass":
        assert b"[DONE]" in wire[:at]


def _has_length(wire: bytes) -> bool:
    """Does the message itself say where it ends?"""
    return b"content-length" in wire or b"chunked" in wire


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(SOUND), st.lists(st.integers(0, 4_000), max_size=8))
def test_a_sound_answer_passes_however_it_arrives(sound, cuts):
    name, mode, wire = sound
    heard = hear(CASES[name], exchange(wire, End.COMPLETE, mode, cuts), MODEL, TERMS)
    assert word(heard) == "pass", heard.faults
    if mode == "stream":
        assert heard.first_byte_us <= heard.first_content_us <= heard.total_us


LINES = st.sampled_from(
    [b"data: {}", b"data:", b"data", b"data: a:b", b": c", b"event: error", b"id: 1", b"x", b"data: \xff", b"da", b""]
)
TEXTS = st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n", b"\r", b""])), max_size=12)


@settings(max_examples=1_500, deadline=None)
@given(TEXTS, st.booleans())
@example([(b"data: 1", b"\r"), (b"", b"\r")], False)
@example([(b"data: 1", b"\r"), (b"", b"\n"), (b"", b"\n")], False)
def test_a_whole_text_has_the_events_that_arriving_bytes_have(lines, marked):
    text = (b"\xef\xbb\xbf" if marked else b"") + b"".join(line + end for line, end in lines)
    found = read_events(text)
    reader = SseReader()
    arrived = [event for byte in text for event in reader.feed(bytes((byte,)))]
    held = text.endswith(b"\r")
    arrived += reader.feed(b"\n") if held else []
    assert [(one.kind, one.data) for one in found.events] == [(one.kind, one.data) for one in arrived]
    ends = [one.end for one in found.events]
    assert ends == sorted(set(ends)) and all(0 < end <= len(text) for end in ends)
    for one in found.events:
        assert read_events(text[: one.end]).events[-1] == one


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=1_000, deadline=None)
@given(
    st.binary(max_size=40)
    | JSON.map(dumps)
    | st.text(alphabet='{}[]":,\\u0123456789eE+-.truefalsnN ', max_size=30).map(str.encode)
)
def test_what_strict_reading_takes_is_lawful_and_what_is_lawful_and_clean_is_strict_or_out_of_range(data):
    value, refusal = read(data, "decimal")
    found = read_lawful(data)
    if refusal is None:
        assert found.known and not found.wrong and found.value == value
    elif found.known and not found.wrong:
        told = {fault.what.partition(" ")[2] for fault in refusal.faults}
        assert all("range" in what or "surrogate" in what or "digits" in what for what in told), refusal


ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1.5,
        10**20,
        "",
        "x",
        "\ud800",
        [],
        [None],
        [[]],
        {},
        {"": None},
        {"error": 1},
        [{"index": 0}],
        ["x"],
    ]
)
OF_A_PART = ("wrong_type", "negative")
"""Told of a total or of cached tokens too, beside which the counts themselves may be known."""
DOCUMENTS = (
    ("json", "plain", [document(GOOD)]),
    ("call", "plain", [called(call())]),
    ("text", "stream", [chunk({"content": TEXT}), chunk({}, "stop"), last()]),
    ("call", "stream", [chunk({"tool_calls": [{"index": 0, **call()}]}), chunk({}, "tool_calls"), last()]),
)


def _places(value, place=()):
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from _places(each, (*place, key))


def _put(value, place, odd):
    if not place:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = _put(value[place[0]], place[1:], odd)
    return copy


@settings(max_examples=2_000, deadline=None)
@given(st.data(), st.sampled_from(DOCUMENTS))
def test_any_value_in_any_place_gives_one_class_and_the_gateway_counts_the_same(data, made):
    name, mode, parts = made
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(list(_places(parts))[1:]))
        parts = _put(parts, place, data.draw(ODD))
    body = dumps_odd(parts[0]) if mode == "plain" else b"".join(b"data: " + dumps_odd(one) + b"\n\n" for one in parts)
    wire = http(body if mode == "plain" else body + b"data: [DONE]\n\n", headers={} if mode == "plain" else SSE)
    heard = hear(CASES[name], exchange(wire, mode=mode), MODEL, TERMS)
    assert word(heard) in WORDS
    known = isinstance(heard.usage.prompt, int) and isinstance(heard.usage.completion, int)
    if heard.judgements[Contract.ACCOUNTING] == "pass":
        assert known
    if any(one.cls == Cls.ACCOUNTING_ANOMALY and one.reason not in OF_A_PART for one in heard.faults):
        assert not known, (heard.usage, heard.faults)


def dumps_odd(value) -> bytes:
    return json.dumps(value).encode()
