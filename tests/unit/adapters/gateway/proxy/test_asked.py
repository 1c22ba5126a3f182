"""What is asked before a call and told after it: worst case, the sealed cap, facts of the answer, never the key."""

from __future__ import annotations

import hashlib
import json

import pytest

from denominator.records.values import NotMeasured
from unit.adapters.gateway.worlds import KEY, STREAM_HEAD, chat, chunk, document, sends, world

SILENT = "no usage in the response"


def test_the_sealed_cap_goes_into_a_request_without_one(tmp_path):
    with world(sends(document(chat())), tmp_path, output_cap=64) as w:
        w.post(b'{"model":"m-1","messages":[]}')
        w.post(b'{"model":"m-1","messages":[],"max_tokens":9}')
        one, other = w.lease.close()
        sent = [body for _, body in w.provider.requests]
    assert json.loads(sent[0]) == {"model": "m-1", "messages": [], "max_tokens": 64}
    assert json.loads(sent[1])["max_tokens"] == 9
    assert (one.cap_injected, one.request_sha256) == (64, hashlib.sha256(sent[0]).hexdigest())
    assert one.reserved_tokens == len(sent[0]) + 64
    assert isinstance(other.cap_injected, NotMeasured)
    assert other.reserved_tokens == len(sent[1]) + 9


def test_a_longer_request_of_the_same_thread_is_bounded_by_what_the_shorter_one_counted(tmp_path):
    first = [{"role": "user", "content": "x" * 5000}]
    with world(sends(document(chat(prompt=1200))), tmp_path, output_cap=64) as w:
        w.post(json.dumps({"model": "m", "messages": first}).encode())
        while len(w.seen) < 2:
            pass
        w.post(json.dumps({"model": "m", "messages": [*first, {"role": "user", "content": "go"}]}).encode())
        one, other = w.lease.close()
    assert one.reserved_tokens > 5000
    assert 1200 + 64 < other.reserved_tokens < 1200 + 64 + 100


def test_who_answered_and_what_it_cost_is_told_without_the_key(tmp_path):
    said = json.loads(chat())
    said |= {"provider": f"host-{KEY}", "usage": {**said["usage"], "cost": 0.25}}
    said["choices"][0]["message"]["tool_calls"] = [{"function": {"name": f"f-{KEY}", "arguments": "{}"}}]
    with world(sends(document(json.dumps(said).encode())), tmp_path) as w:
        w.post(b'{"model":"m-1","messages":[],"temperature":0.5}')
        (row,) = w.lease.close()
    assert row.host == "host-" + "*" * len(KEY)
    assert row.tool_calls[0].startswith("f-***")
    assert (row.provider_cost, row.provider_cost_unit, row.decoding_asked) == (
        "0.25",
        "credits",
        {"temperature": "0.5"},
    )
    assert 0 <= row.first_byte_ms <= row.first_content_ms <= row.last_byte_ms
    assert KEY not in repr(w.seen)


@pytest.mark.parametrize(
    ("options", "counted", "why"),
    [
        ({}, False, "the stream was not asked for usage"),
        ({"stream_options": {"include_usage": False}}, False, "the stream was not asked for usage"),
        ({"stream_options": {"include_usage": True}}, False, "no usage in the stream"),
        ({}, True, ""),
    ],
)
def test_a_stream_without_usage_says_whether_it_was_asked_for(tmp_path, options, counted, why):
    last = {"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}
    if counted:
        last["usage"] = {"prompt_tokens": 11, "completion_tokens": 7}
    events = chunk(b"data: %b\n\n" % json.dumps(last).encode()) + chunk(b"data: [DONE]\n\n")
    with world(sends(STREAM_HEAD + events + b"0\r\n\r\n"), tmp_path) as w:
        w.post(json.dumps({"model": "m", "messages": [], "stream": True, **options}).encode())
        (row,) = w.lease.close()
    assert row.outcome == "ok"
    if counted:
        assert (row.usage.prompt, row.usage.completion, row.usage_source) == (11, 7, "provider_stream_last")
    else:
        assert row.usage.prompt == row.usage.completion == NotMeasured(why)
        assert row.usage_source == NotMeasured(
            why if options != {"stream_options": {"include_usage": True}} else SILENT
        )
