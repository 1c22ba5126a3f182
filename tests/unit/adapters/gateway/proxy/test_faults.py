"""Faults hit the calls that are declared and no other, and are what they say: on the wire and in the marks."""

from __future__ import annotations

import gzip
import json
import time
from itertools import product

import pytest

from denominator.adapters.gateway.proxy.faults import FaultyOrigin, hits
from denominator.readers.provider import ProviderError, cause_of
from denominator.records.envelopes import ProviderFault
from denominator.wire.providers import Api, BodyReader, StreamReader
from unit.adapters.gateway.proxy.tapes import PLAIN, SSE, STREAM, Told, call, got

PIECES = [STREAM[:9], STREAM[9:30], STREAM[30:]]


def faulty(told: Told, **fields) -> FaultyOrigin:
    return FaultyOrigin(told, (ProviderFault(**fields),))


@pytest.mark.parametrize("api", [Api.CHAT, Api.RESPONSES, Api.MESSAGES])
@pytest.mark.parametrize(
    ("kind", "value", "status", "wait", "cause"),
    [
        ("rate_limit", 0, 429, None, "provider_rate_limit"),
        ("rate_limit_wait", 7, 429, "7", "provider_rate_limit"),
        ("rate_limit_wait", 0, 429, "1", "provider_rate_limit"),
        ("server_error", 0, 500, None, "provider_error"),
        ("server_error", 529, 529, None, "provider_error"),
    ],
)
def test_an_answer_in_the_providers_place(api, kind, value, status, wait, cause) -> None:
    told, asked = Told(PIECES), call(api=api)
    head, pieces, word, _ = got(faulty(told, kind=kind, value=value), asked)
    assert (head.status, dict(head.headers).get("retry-after"), word) == (status, wait, "")
    assert len(b"".join(pieces)) == head.length
    assert (asked.marks.injected, asked.marks.sent, told.asked) == (kind, False, [])
    reader = BodyReader(api)
    reader.feed(b"".join(pieces))
    said = reader.reply().error
    assert cause_of(ProviderError(status=status, words=(said,) if isinstance(said, str) else ())) == cause


def test_no_answer_breaks_before_a_head() -> None:
    told, asked = Told(PIECES), call()
    head, _, word, status = got(faulty(told, kind="no_answer"), asked)
    assert (head, word, status, asked.marks.injected, told.asked) == (None, "no_answer", 502, "no_answer", [])


@pytest.mark.parametrize("events", [0, 1, 2, 3])
def test_a_stream_is_cut_behind_so_many_events_however_its_bytes_arrive(events: int) -> None:
    for pieces in (PIECES, [STREAM], [STREAM[at : at + 1] for at in range(len(STREAM))]):
        told, asked = Told(pieces), call()
        _, found, word, _ = got(faulty(told, kind="cut_stream", value=events), asked)
        assert b"".join(found) == b"".join(part + b"\n\n" for part in STREAM.split(b"\n\n")[: events or 1])
        assert (word, asked.marks.injected, asked.marks.sent, told.closed) == ("response_cut", "cut_stream", True, True)


def test_a_whole_body_is_cut_in_its_middle() -> None:
    _, found, word, _ = got(faulty(Told([b"0123456789"], PLAIN), kind="cut_stream"), call())
    assert (found, word) == ([b"01234"], "response_cut")


def test_a_drip_is_slow_and_whole() -> None:
    began = time.monotonic()
    _, found, word, _ = got(faulty(Told([STREAM]), kind="slow_drip", value=20), call())
    assert (b"".join(found), len(found), word) == (STREAM, 3, "")
    assert time.monotonic() - began >= 0.06


@pytest.mark.parametrize(("value", "said"), [(0, "usage"), (7_000_000, "is not prompt + completion 7000004")])
def test_wrong_counts_in_a_stream_and_in_a_document(value: int, said: str) -> None:
    document = json.dumps({"choices": [], "usage": {"prompt_tokens": 4, "completion_tokens": 5, "total_tokens": 9}})
    for told, reader in (
        (Told(PIECES), StreamReader(Api.CHAT)),
        (Told([document.encode()], PLAIN), BodyReader(Api.CHAT)),
    ):
        asked = call()
        _, found, word, _ = got(faulty(told, kind="wrong_usage", value=value), asked)
        reader.feed(b"".join(found))
        usage = reader.reply().usage
        assert (word, asked.marks.injected) == ("", "wrong_usage")
        assert said in str(usage.completion)


def test_wrong_counts_of_messages_and_responses() -> None:
    event = {"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}}
    rest = {"type": "response.completed", "response": {"usage": {"input_tokens": 3, "output_tokens": 1}}}
    for document in (event, rest):
        told = Told([f"event: x\ndata: {json.dumps(document)}\n\n".encode()])
        _, found, _, _ = got(faulty(told, kind="wrong_usage", value=50), call())
        assert b"event: x\n" in found[0]
        assert (
            json.loads(found[0].split(b"data: ")[1])[next(k for k in document if k != "type")]["usage"]["output_tokens"]
            == 50
        )


def test_a_packed_answer_is_unpacked_where_its_events_are_needed() -> None:
    told = Told([gzip.compress(STREAM)], {**SSE, "content-encoding": "gzip"})
    head, found, word, _ = got(faulty(told, kind="cut_stream", value=2), call())
    assert (len(found), word) == (2, "response_cut")
    assert "content-encoding" not in dict(head.headers)
    assert all(name.lower() != "accept-encoding" for name, _ in told.asked[0].headers)


def test_a_body_that_nobody_began_to_read_is_closed() -> None:
    import asyncio

    told = Told(PIECES)

    async def leave() -> None:
        head = await faulty(told, kind="slow_drip").answer(call())
        await head.body.aclose()

    asyncio.run(leave())
    assert told.closed


def test_a_fault_hits_the_calls_that_it_names() -> None:
    for task, attempt, first, times in product(("", "t", "u"), (0, 1, 2), (1, 2), (1, 2)):
        fault = ProviderFault(kind="no_answer", task=task, attempt=attempt, call=first, times=times)
        for seq in (1, 2, 3, 4):
            expected = task in ("", "t") and attempt in (0, 1) and first <= seq < first + times
            assert hits(fault, call(seq=seq)) is expected, (fault, seq)


def test_a_call_that_is_not_named_passes_unmarked() -> None:
    told, asked = Told(PIECES), call(seq=2)
    _, found, _, _ = got(faulty(told, kind="no_answer", call=1), asked)
    assert (found, asked.marks.injected) == (PIECES, "")
    assert told.asked == [asked]
