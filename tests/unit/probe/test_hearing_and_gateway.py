"""What a probe reads of an answer is what the gateway reads of it: usage, finish reason, whether anything was said."""

from __future__ import annotations

import json

import pytest

from denominator.adapters.gateway.reading import Passing
from denominator.probe.answers.answer import read_answer
from denominator.probe.asking import request_body
from denominator.probe.hearing import hear
from denominator.records.probe_words import Cls
from denominator.wire.providers import Api, as_asked, read_request, within_cap
from unit.probe.hearing_lab import (
    CASES,
    MODEL,
    TERMS,
    call,
    called,
    chunk,
    counts,
    document,
    dumps,
    events,
    exchange,
    http,
    last,
    spoken,
    word,
)

CACHED = {"prompt_tokens_details": {"cached_tokens": 10_880}}
INSIDE = {"prompt_tokens": 12_929, "completion_tokens": 29, "total_tokens": 12_958} | CACHED
BESIDE = {"prompt_tokens": 2_049, "completion_tokens": 29, "total_tokens": 12_958} | CACHED
THOUGHT = {"completion_tokens_details": {"reasoning_tokens": 60}}
PASS = "pass"


def with_usage(usage, content="OK."):
    return document(content, usage=usage)


def odd(**more):
    return with_usage({"prompt_tokens": 40, "completion_tokens": 5} | more)


PLAIN = {
    "077 cached inside": (with_usage(INSIDE), PASS),
    "077 cached beside": (with_usage(BESIDE), PASS),
    "078 no usage": (with_usage(None), "accounting_anomaly:usage_missing"),
    "078 zeros": (with_usage(counts((0, 0))), "accounting_anomaly:completion_zero"),
    "078 zeros in a usage of nulls": (with_usage({"prompt_tokens": None}), "accounting_anomaly:usage_missing"),
    "082 over the cap": (odd(completion_tokens=900), "accounting_anomaly:completion_gt_max"),
    "082 true": (odd(prompt_tokens=True), "accounting_anomaly:wrong_type"),
    "082 negative": (odd(prompt_tokens=-7), "accounting_anomaly:negative"),
    "082 text": (odd(prompt_tokens="1e3"), "accounting_anomaly:wrong_type"),
    "082 sound": (odd(), PASS),
    "022 text for 0 tokens beside reasoning": (
        with_usage({"prompt_tokens": 21, "completion_tokens": 0, "total_tokens": 81} | THOUGHT),
        "accounting_anomaly:completion_zero",
    ),
    "reasoning beside": (with_usage({"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 85} | THOUGHT), PASS),
    "error": ({"error": {"message": "busy"}}, "inband_error:error_in_200"),
    "error in the choice": (document("", "error"), "inband_error:error_in_choice"),
    "empty": (document(""), "empty_content:no_text"),
    "empty and null": (document(None), "empty_content:no_text"),
    "empty, no tokens": (document("", usage=(12, 0)), "empty_content:no_text"),
    "empty, thought": (document("", message={"reasoning_content": "OK."}), "empty_content:reasoning_only"),
    "empty, thought in parts": (
        document("", message={"reasoning_details": [{"text": "OK"}]}),
        "empty_content:reasoning_only",
    ),
    "empty, thought, no tokens": (
        document("", message={"reasoning": "OK."}, usage=(12, 0)),
        "accounting_anomaly:completion_zero",
    ),
    "empty, cut": (document("", "length", (12, 64)), "empty_content:cut_before_text"),
    "empty, filtered": (document("", "content_filter"), "empty_content:filtered"),
    "empty, refused": (document(None, message={"refusal": "no"}), "empty_content:refused"),
    "a call": (called(call()), PASS),
    "finish null": (document(finish=None), "truncation_ambiguity:null"),
    "finish empty": (document(finish=""), "truncation_ambiguity:empty"),
    "another model": (document() | {"model": "other"}, PASS),
    "not JSON": (b"<html>", "envelope_error:not_json"),
    "no bytes": (b"", "envelope_error:empty_body"),
    "parts": (document([{"type": "text", "text": "OK."}]), "envelope_error:content_not_string"),
}
STREAMS = {
    "077 cached beside": (spoken("OK.", usage=BESIDE), PASS),
    "078 asked for and absent": (spoken("OK.", usage=None), "accounting_anomaly:usage_missing"),
    "078 zeros": (spoken("OK.", usage=(0, 0)), "accounting_anomaly:completion_zero"),
    "078 zeros first, counts last": (events(chunk({"content": "OK."}, "stop", usage=counts((0, 0))), last()), PASS),
    "running counts": (
        events(
            *(
                chunk({"content": text}, end, usage=counts((12, at)))
                for at, (text, end) in enumerate((("O", None), ("K", "stop")), 1)
            )
        ),
        PASS,
    ),
    "098 error in the middle": (
        events(chunk({"content": "O"}), b'event: error\ndata: {"error": {"type": "overloaded_error"}}\n\n', done=False),
        "inband_error:error_in_stream",
    ),
    "098 error behind counts": (
        events(chunk({"content": "O"}, usage=counts((12, 1))), {"error": {"code": 529}}, done=False),
        "inband_error:error_in_stream",
    ),
    "no final event, finish seen": (spoken("OK.", done=False), "stream_incomplete:no_done"),
    "no final event, no finish": (
        events(chunk({"content": "O"}, usage=counts((12, 1))), done=False),
        "stream_incomplete:no_done",
    ),
    "empty": (spoken(""), "empty_content:no_text"),
    "empty, thought": (events(chunk({"reasoning": "OK"}), chunk({}, "stop"), last()), "empty_content:reasoning_only"),
    "empty, cut": (events(chunk({"role": "assistant"}), chunk({}, "length"), last()), "empty_content:cut_before_text"),
    "empty, filtered": (events(chunk({}, "content_filter"), last()), "empty_content:filtered"),
    "empty, refused": (events(chunk({"refusal": "no"}), chunk({}, "stop"), last()), "empty_content:refused"),
    "finish never": (events(chunk({"content": "OK."}), last()), "truncation_ambiguity:stream_null"),
    "finish twice": (events(chunk({"content": "OK."}, ""), chunk({}, "stop"), chunk({}, ""), last()), PASS),
    "only the end": (events(), "stream_incomplete:no_content"),
}


def gateway(body: bytes, case, mode: str, pieces: int):
    """The gateway's reading of the same bytes as they arrive."""
    reading = Passing(Api.CHAT, "", "", streamed=mode == "stream", bytes_max=10**6)
    for at in range(0, len(body), pieces):
        reading.feed(body[at : at + pieces])
    reading.flush()
    asked = read_request(request_body(case, mode, MODEL))
    return as_asked(within_cap(reading.reply(), asked.output_cap, asked.choices), asked.usage_on_stream)


def both(body: bytes, mode: str):
    case = CASES["call" if b"tool_calls" in body else "answer"]
    headers = {"content-type": "text/event-stream"} if mode == "stream" else {}
    made = exchange(http(body, headers=headers), mode=mode)
    return hear(case, made, MODEL, TERMS), read_answer(case, made, MODEL, TERMS), gateway(body, case, mode, 7)


def agree(body: bytes, mode: str, wanted: str) -> None:
    heard, answer, reply = both(body, mode)
    assert word(heard) == wanted, heard.faults
    assert heard.usage == reply.usage and heard.usage_convention == reply.usage_convention
    assert (heard.finish, heard.model) == (reply.finish, reply.model)
    counted = isinstance(reply.usage.prompt, int) and isinstance(reply.usage.completion, int)
    impossible = any(one.cls == Cls.ACCOUNTING_ANOMALY for one in heard.faults)
    assert not (counted and impossible), (reply.usage, heard.faults)
    if heard.judgements["accounting"] == "pass":
        assert counted
    said = answer.said
    assert (said.finish or None) == (reply.finish if isinstance(reply.finish, str) else None)
    assert (
        bool(said.text or said.thinking or said.calls.made or said.refusal or said.odd_content) == reply.content_begun
    )
    if "empty_content" in wanted:
        assert answer.said.text == "" and not answer.said.calls.made
        assert reply.refused == (wanted.endswith((":refused", ":filtered")))


@pytest.mark.parametrize("name", PLAIN)
def test_a_document_is_read_alike(name):
    body, wanted = PLAIN[name]
    agree(body if isinstance(body, bytes) else dumps(body), "plain", wanted)


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_read_alike(name):
    agree(*STREAMS[name][:1], "stream", STREAMS[name][1])


def test_numbers_of_the_two_conventions_are_those_of_the_public_case():
    for usage in (INSIDE, BESIDE):
        heard, _, reply = both(json.dumps(with_usage(usage)).encode(), "plain")
        assert (heard.usage.prompt, heard.usage.completion, heard.usage.cached_read) == (12_929, 29, 10_880)
        assert reply.usage == heard.usage


def test_usage_that_nobody_asked_for_is_told_as_that():
    heard, _, reply = both(spoken("OK.", usage=None), "stream")
    assert heard.usage.prompt == reply.usage.prompt and not heard.usage.prompt
