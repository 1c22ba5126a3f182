"""Text is not paid for by reasoning that is counted beside it."""

from __future__ import annotations

import json

from denominator.records.values import NotMeasured
from denominator.wire.providers import Api, BodyReader

ZERO = NotMeasured("0 completion tokens for an answer that is not empty")
BESIDE = {
    "prompt_tokens": 21,
    "completion_tokens": 0,
    "total_tokens": 81,
    "completion_tokens_details": {"reasoning_tokens": 60},
}


def _completion(message):
    reader = BodyReader(Api.CHAT)
    choice = {"message": {"role": "assistant"} | message, "finish_reason": "stop"}
    reader.feed(json.dumps({"choices": [choice], "usage": BESIDE}).encode())
    return reader.reply().usage.completion


def test_text_or_a_call_for_0_tokens_is_unknown_though_reasoning_was_counted():
    assert _completion({"content": "OK."}) == ZERO
    assert _completion({"reasoning_content": "hm", "content": "OK."}) == ZERO
    assert _completion({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}) == ZERO


def test_reasoning_alone_is_what_was_counted():
    assert _completion({"content": "", "reasoning_content": "hm"}) == 60
    assert _completion({"content": ""}) == 60
