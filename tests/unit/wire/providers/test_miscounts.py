"""What is miscounted in public: one case for each way in which a bill was wrong, with the count that is right."""

from __future__ import annotations

import json

import pytest

from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured
from denominator.wire.providers import Api, BodyReader, StreamReader, claimed, normalise, sum_usage, within_cap

ANSWER = {"message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}


def _whole(usage, api=Api.CHAT, **more):
    reader = BodyReader(api)
    reader.feed(json.dumps({"model": "m", "choices": [ANSWER], "usage": usage} | more).encode())
    return reader.reply()


def _stream(*events, api=Api.CHAT, done=True):
    reader = StreamReader(api)
    reader.feed(b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events))
    reader.feed(b"data: [DONE]\n\n" if done else b"")
    return reader.reply()


def _said(usage):
    parts = usage.prompt, usage.completion, usage.cached_read, usage.reasoning
    return tuple(part if isinstance(part, int) else None for part in parts)


def test_cached_tokens_are_not_billed_twice_and_the_prompt_includes_them():
    usage = {"prompt_tokens": 9126, "completion_tokens": 4864, "prompt_tokens_details": {"cached_tokens": 3197}}
    assert _said(_whole(usage).usage) == (9126, 4864, 3197, None)


def test_two_conventions_of_one_use_are_one_count():
    inside = {"prompt_tokens": 12929, "completion_tokens": 29, "prompt_tokens_details": {"cached_tokens": 10880}}
    beside = {
        "input_tokens": 2049,
        "cache_read_input_tokens": 10880,
        "cache_creation_input_tokens": 0,
        "output_tokens": 29,
    }
    one, other = normalise(Api.CHAT, inside), normalise(Api.MESSAGES, beside)
    assert one[0].prompt == other[0].prompt == 12929
    assert one[0].cached_read == other[0].cached_read == 10880
    assert (one[1], other[1]) == ("openai_chat", "anthropic_messages")


def test_a_server_that_counts_the_cache_beside_is_found_by_its_total():
    usage = {
        "prompt_tokens": 2049,
        "completion_tokens": 29,
        "total_tokens": 12958,
        "prompt_tokens_details": {"cached_tokens": 10880},
    }
    reply = _whole(usage)
    assert (reply.usage.prompt, reply.usage_convention) == (12929, "openai_chat+cached_beside")


def test_a_fully_cached_call_is_one_prompt():
    usage = {"prompt_tokens": 5000, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 5000}}
    assert _said(_whole(usage).usage)[:3] == (5000, 7, 5000)


def test_thoughts_that_only_the_total_shows_are_unknown_and_reasoning_beside_is_added():
    assert _said(_whole({"prompt_tokens": 20, "completion_tokens": 198, "total_tokens": 623}).usage)[:2] == (None, None)
    parts = {"completion_tokens_details": {"reasoning_tokens": 405}}
    reply = _whole({"prompt_tokens": 20, "completion_tokens": 198, "total_tokens": 623} | parts)
    assert (reply.usage.completion, reply.usage_convention) == (603, "openai_chat+reasoning_beside")


@pytest.mark.parametrize("usage", [{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}])
def test_zeros_beside_an_answer_are_unknown(usage):
    for reply in (_whole(usage), _stream({"choices": [{"delta": {"content": "hi"}}]}, {"choices": [], "usage": usage})):
        assert _said(reply.usage) == (None, None, None, None)


def test_a_placeholder_at_the_beginning_of_a_stream_is_not_its_count():
    start = {"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 900, "output_tokens": 1}}}
    text = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}}
    reply = _stream(start, text, api=Api.MESSAGES, done=False)
    assert reply.usage.completion == NotMeasured("the stream ended before its last count")
    last = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 400}}
    assert _said(_stream(start, text, last, api=Api.MESSAGES, done=False).usage)[:2] == (900, 400)


def test_running_counts_of_a_cut_stream_are_not_its_last():
    chunks = [
        {"choices": [{"delta": {"content": "a"}}], "usage": {"prompt_tokens": 9, "completion_tokens": n}}
        for n in (1, 2)
    ]
    assert _said(_stream(*chunks, done=False).usage)[:2] == (None, None)
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 3}}
    assert _said(_stream(*chunks, end).usage)[:2] == (9, 3)


def test_counts_that_come_twice_count_once_and_nulls_do_not_wipe_them():
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    nulls = {"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}
    text = {"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}], "usage": usage}
    for last in (usage, None, {}, nulls):
        assert _said(_stream(text, {"choices": [], "usage": usage}, {"choices": [], "usage": last}).usage)[:2] == (
            10,
            5,
        )


IMPOSSIBLE = [True, -7, "1e3", "5", 4.5, 10**16]


@pytest.mark.parametrize("value", IMPOSSIBLE)
def test_what_is_no_count_is_unknown_on_both_sides_of_the_sum(value):
    reply = _whole({"prompt_tokens": value, "completion_tokens": 5})
    assert isinstance(reply.usage.prompt, NotMeasured)
    row = _row(1, usage=reply.usage)
    assert isinstance(sum_usage([row]).prompt, NotMeasured) and sum_usage([row]).complete is False


def test_more_output_than_was_allowed_is_unknown_and_a_budget_still_hears_the_claim():
    reply = _whole({"prompt_tokens": 40, "completion_tokens": 900})
    judged = within_cap(reply, 64)
    assert judged.usage.completion == NotMeasured("completion tokens 900 exceed the output cap 64")
    assert within_cap(reply, 450, choices=2) == reply == within_cap(reply, NotMeasured("none"))
    row = _row(1, usage=judged.usage, usage_raw=judged.usage_raw, usage_convention=judged.usage_convention)
    assert claimed(row) == 940
    assert claimed(_row(1)) == 0


def test_a_billed_call_whose_answer_nobody_could_use_is_counted():
    usage = _whole({"prompt_tokens": 100, "completion_tokens": 20}).usage
    total = sum_usage([_row(1, usage=usage), _row(2, usage=usage, outcome="gave_up", error="response_not_json")])
    assert (total.prompt, total.completion) == (200, 40)


def test_a_cost_is_what_the_provider_says_in_its_own_unit():
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.00095}
    reply = _whole(usage, provider="Some Host")
    assert (reply.provider_cost, reply.provider_cost_unit, reply.host) == ("0.00095", "credits", "Some Host")
    assert isinstance(_whole({"prompt_tokens": 10, "completion_tokens": 5}).provider_cost, NotMeasured)


def test_no_output_for_an_answer_that_holds_text_is_unknown():
    assert _said(_whole({"prompt_tokens": 10, "completion_tokens": 0}).usage)[:2] == (None, None)


def test_reasoning_that_was_added_is_not_held_against_the_cap():
    parts = {"completion_tokens_details": {"reasoning_tokens": 405}}
    reply = _whole({"prompt_tokens": 20, "completion_tokens": 198, "total_tokens": 623} | parts)
    assert within_cap(reply, 200) == reply
    assert isinstance(within_cap(reply, 100).usage.completion, NotMeasured)


def test_cache_and_reasoning_may_both_stand_beside():
    parts = {"prompt_tokens_details": {"cached_tokens": 50}, "completion_tokens_details": {"reasoning_tokens": 7}}
    reply = _whole({"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 87} | parts)
    assert _said(reply.usage) == (70, 17, 50, 7)
    assert reply.usage_convention == "openai_chat+cached_beside+reasoning_beside"


def test_a_cost_below_zero_is_none():
    assert isinstance(_whole({"prompt_tokens": 10, "completion_tokens": 5, "cost": -1}).provider_cost, NotMeasured)


def test_a_refusal_is_told_by_each_interface():
    assert _whole({}, choices=[{"message": {"refusal": "no"}}]).refused
    assert _whole({}, Api.MESSAGES, stop_reason="refusal").refused
    assert not _whole({}).refused


def _row(seq, **fields):
    return CallRow(key=AttemptKey("r", "t", 1, 1), seq=seq, **{"sent": True, "status": 200, "outcome": "ok", **fields})
