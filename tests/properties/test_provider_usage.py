"""Usage of every provider ends in the same parts, streamed or not, and nothing unknown becomes a number."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured
from denominator.wire.providers import Api, BodyReader, StreamReader, normalise, sum_usage

_n = st.integers(0, 10**6)


@given(_n, _n, _n, _n)
def test_openai_keeps_cached_inside_prompt(fresh, cached, visible, reasoning):
    raw = {
        "prompt_tokens": fresh + cached,
        "completion_tokens": visible + reasoning,
        "total_tokens": fresh + cached + visible + reasoning,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }
    usage, convention = normalise(Api.CHAT, raw)
    assert (usage.prompt, usage.completion) == (fresh + cached, visible + reasoning)
    assert (usage.cached_read, usage.reasoning) == (cached, reasoning)
    assert convention == "openai_chat"


@given(_n, _n, st.integers(1, 10**6))
def test_reasoning_beside_completion_is_added_once(prompt, visible, reasoning):
    raw = {
        "input_tokens": prompt,
        "output_tokens": visible,
        "total_tokens": prompt + visible + reasoning,
        "output_tokens_details": {"reasoning_tokens": reasoning},
    }
    usage, convention = normalise(Api.RESPONSES, raw)
    assert usage.completion == visible + reasoning
    assert convention == "openai_responses+reasoning_beside"


@given(_n, _n, _n, _n)
def test_anthropic_cache_is_added_to_the_prompt(fresh, read, written, out):
    raw = {
        "input_tokens": fresh,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
        "output_tokens": out,
    }
    usage, _ = normalise(Api.MESSAGES, raw)
    assert (usage.prompt, usage.cached_read, usage.cache_write) == (fresh + read + written, read, written)
    assert isinstance(usage.reasoning, NotMeasured)


_odd = st.one_of(st.none(), st.booleans(), st.sampled_from(["", "1", "x", -1, -5, [1], {}]))
_field = st.sampled_from(["prompt_tokens", "completion_tokens", "input_tokens", "output_tokens"])


@given(st.sampled_from([Api.CHAT, Api.RESPONSES, Api.MESSAGES]), st.dictionaries(_field, _odd))
def test_nonsense_is_not_measured_and_never_zero(api, raw):
    usage, _ = normalise(api, raw)
    assert isinstance(usage.prompt, NotMeasured)
    assert isinstance(usage.completion, NotMeasured)


@given(_n, st.integers(1, 10**6), _n)
def test_cached_that_exceeds_prompt_makes_both_sides_unknown(prompt, more, out):
    raw = {
        "prompt_tokens": prompt,
        "completion_tokens": out,
        "prompt_tokens_details": {"cached_tokens": prompt + more},
    }
    usage, _ = normalise(Api.CHAT, raw)
    assert isinstance(usage.prompt, NotMeasured) and "exceed" in usage.prompt.not_measured


def test_a_total_that_does_not_add_up_is_unknown():
    usage, _ = normalise(Api.CHAT, {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 31})
    assert isinstance(usage.completion, NotMeasured)


def _events(*documents: object) -> bytes:
    return b"".join(b"data: " + json.dumps(d).encode() + b"\n\n" for d in documents)


@given(_n, _n, st.integers(1, 40))
def test_streamed_and_whole_chat_usage_are_equal(prompt, out, step):
    usage = {"prompt_tokens": prompt, "completion_tokens": out, "total_tokens": prompt + out}
    whole = BodyReader(Api.CHAT)
    choice = {"message": {"content": "x"}, "finish_reason": "stop"}
    whole.feed(json.dumps({"model": "m", "choices": [choice], "usage": usage}).encode())
    raw = _events(
        {"model": "m", "choices": [{"delta": {"content": "x"}}], "usage": None},
        {"model": "m", "choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1}},
        {"model": "m", "choices": [], "usage": usage},
        {"model": "m", "choices": [], "usage": None},
    )
    stream = StreamReader(Api.CHAT)
    for at in range(0, len(raw), step):
        stream.feed(raw[at : at + step])
    stream.feed(b"data: [DONE]\n\n")
    left, right = whole.reply(), stream.reply()
    assert left.usage == right.usage
    assert left.usage_raw == right.usage_raw
    assert (left.finish, right.finish, right.final_event) == ("stop", "stop", True)
    assert (left.usage_source, right.usage_source) == ("provider", "provider_stream_last")


@given(st.integers(1, 10**6), _n, st.integers(0, 10**5))
def test_anthropic_stream_takes_the_last_word_of_each_count(prompt, read, out):
    stream = StreamReader(Api.MESSAGES)
    start = {"input_tokens": prompt, "cache_read_input_tokens": read, "output_tokens": 1}
    stream.feed(
        _events(
            {"type": "message_start", "message": {"model": "m-1", "usage": start}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": out}},
            {"type": "message_stop"},
        )
    )
    reply = stream.reply()
    assert (reply.usage.prompt, reply.usage.completion) == (prompt + read, out)
    assert (reply.model, reply.finish, reply.final_event) == ("m-1", "end_turn", True)


def test_responses_stream_ends_with_its_own_event():
    stream = StreamReader(Api.RESPONSES)
    usage = {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12}
    stream.feed(
        _events(
            {"type": "response.created", "response": {"status": "in_progress", "model": "m", "usage": None}},
            {"type": "response.completed", "response": {"status": "completed", "model": "m", "usage": usage}},
        )
    )
    reply = stream.reply()
    assert (reply.usage.prompt, reply.usage.completion, reply.finish, reply.final_event) == (5, 7, "completed", True)


def test_a_stream_without_usage_says_so():
    stream = StreamReader(Api.CHAT)
    stream.feed(_events({"model": "m", "choices": [{"delta": {"content": "x"}}]}))
    reply = stream.reply()
    assert reply.usage.prompt == NotMeasured("no usage in the stream")
    assert reply.final_event is False


def test_an_error_in_the_middle_of_a_stream_is_named():
    stream = StreamReader(Api.MESSAGES)
    stream.feed(b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n')
    assert stream.reply().error == "overloaded_error"


@given(st.sampled_from(list(Api)), st.binary(max_size=120), st.booleans())
def test_no_body_raises(api, raw, streamed):
    reader = StreamReader(api) if streamed else BodyReader(api)
    reader.feed(b"data: " + raw if streamed else raw)
    reader.reply()


def _call(seq: int, **fields) -> CallRow:
    return CallRow(key=AttemptKey("r", "t"), seq=seq, **fields)


def test_one_call_without_usage_makes_the_sum_unknown():
    full = Usage(prompt=10, completion=5, cached_read=0, cache_write=0, reasoning=0)
    good = _call(1, sent=True, status=200, outcome="ok", usage=full)
    refused = _call(2, sent=False, status=401)
    limited = _call(3, sent=True, status=429)
    total = sum_usage([good, refused, limited])
    assert (total.prompt, total.completion, total.calls, total.complete) == (10, 5, 2, True)
    for lost in (_call(4), _call(4, sent=True, status=503), _call(4, sent=True, status=200)):
        total = sum_usage([good, lost])
        assert total.prompt == NotMeasured("usage unknown for call 4")
        assert total.complete is False


def test_an_attempt_without_calls_spent_nothing():
    total = sum_usage([])
    assert (total.prompt, total.calls, total.complete) == (0, 0, True)
