"""Facts of requests and answers hold for any cut, any order of keys, any mixture of pieces, and for garbage."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from denominator.records.values import NotMeasured
from denominator.wire.arguments import arguments_sha256
from denominator.wire.providers import (
    Api,
    BodyReader,
    StreamReader,
    earlier_of,
    read_request,
    reserved,
    with_headers,
    with_output_cap,
)

_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_names = st.sampled_from(["sh", "edit", "read_file"])
_arguments = st.dictionaries(st.text(max_size=6), st.integers() | st.text(max_size=6), max_size=3)
_calls = st.lists(st.tuples(_names, _arguments), min_size=1, max_size=4)
_usage = st.tuples(st.integers(1, 10**6), st.integers(1, 10**6))


def _whole(api, document):
    reader = BodyReader(api)
    reader.feed(json.dumps(document).encode())
    return reader.reply()


def _streamed(api, events, step, *, done=False):
    body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    body += b"data: [DONE]\n\n" if done else b""
    reader = StreamReader(api)
    for at in range(0, len(body), step):
        reader.feed(body[at : at + step])
    return reader.reply()


def _facts(reply):
    return (
        reply.model, reply.finish, reply.fingerprint, reply.host, reply.usage, reply.usage_raw, reply.usage_convention,
        reply.decoding, reply.tool_calls, reply.content_begun, reply.refused, reply.provider_cost, reply.error,
    )  # fmt: skip


def _told(calls):
    return tuple(f"{name}:{arguments_sha256(json.dumps(arguments))}" for name, arguments in calls)


def _pieces(draw, text):
    cut = draw(st.integers(0, len(text)))
    return [text[:cut], text[cut:]]


@given(st.data(), _calls, _usage, st.integers(1, 50))
def test_chat_streamed_is_chat_whole_however_deltas_interleave(data, calls, usage, step):
    counts = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage), "cost": 0.25}
    head = {"model": "m-1", "system_fingerprint": "fp", "provider": "H"}
    asked = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for n, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": asked}
    whole = head | {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}], "usage": counts}
    begun = [
        {"index": n, "id": f"c{n}", "function": {"name": name, "arguments": ""}} for n, (name, _) in enumerate(calls)
    ]
    queues = [
        [{"index": n, "function": {"arguments": piece}} for piece in _pieces(data.draw, json.dumps(arguments))]
        for n, (_, arguments) in enumerate(calls)
    ]
    order = data.draw(st.permutations([n for n in range(len(calls)) for _ in range(2)]))
    deltas = [*([one] for one in begun), *([queues[n].pop(0)] for n in order)]
    events = [head | {"choices": [{"index": 0, "delta": {"tool_calls": delta}}]} for delta in deltas]
    events.append(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    events.append(head | {"choices": [], "usage": counts})
    assert _facts(_streamed(Api.CHAT, events, step, done=True)) == _facts(_whole(Api.CHAT, whole))
    assert _whole(Api.CHAT, whole).tool_calls == _told(calls)


@given(st.data(), _calls, _usage, st.integers(1, 50))
def test_anthropic_streamed_is_anthropic_whole(data, calls, usage, step):
    counts = {"input_tokens": usage[0], "output_tokens": usage[1]}
    blocks = [
        {"type": "tool_use", "id": f"c{n}", "name": name, "input": arguments}
        for n, (name, arguments) in enumerate(calls)
    ]
    whole = {"type": "message", "model": "m-1", "content": blocks, "stop_reason": "tool_use", "usage": counts}
    start = {
        "model": "m-1",
        "content": [],
        "stop_reason": None,
        "usage": {"input_tokens": usage[0], "output_tokens": 1},
    }
    events: list[object] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for n, (name, arguments) in enumerate(calls):
        block = {"type": "tool_use", "id": f"c{n}", "name": name, "input": {}}
        events.append({"type": "content_block_start", "index": n, "content_block": block})
        for piece in _pieces(data.draw, json.dumps(arguments)):
            delta = {"type": "input_json_delta", "partial_json": piece}
            events.append({"type": "content_block_delta", "index": n, "delta": delta})
    stop = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": usage[1]}}
    events += [stop, {"type": "message_stop"}]
    assert _facts(_streamed(Api.MESSAGES, events, step)) == _facts(_whole(Api.MESSAGES, whole))
    assert _whole(Api.MESSAGES, whole).tool_calls == _told(calls)


@given(_calls, _usage, st.integers(1, 50))
def test_responses_streamed_are_responses_whole(calls, usage, step):
    counts = {"input_tokens": usage[0], "output_tokens": usage[1], "total_tokens": sum(usage)}
    items = [
        {"type": "function_call", "call_id": f"c{n}", "name": name, "arguments": json.dumps(arguments)}
        for n, (name, arguments) in enumerate(calls)
    ]
    told = {"model": "m-1", "temperature": 0.5, "reasoning": {"effort": "low"}}
    whole = told | {"object": "response", "status": "completed", "output": items, "usage": counts}
    begun = told | {"status": "in_progress", "output": [], "usage": None}
    events: list[object] = [{"type": "response.created", "response": begun}]
    for n, item in enumerate(items):
        fresh = item | {"arguments": ""}
        events.append({"type": "response.output_item.added", "output_index": n, "item": fresh})
        delta = {"type": "response.function_call_arguments.delta", "output_index": n, "delta": item["arguments"]}
        events += [delta, {"type": "response.output_item.done", "output_index": n, "item": item}]
    events.append({"type": "response.completed", "response": whole})
    reply = _streamed(Api.RESPONSES, events, step)
    assert _facts(reply) == _facts(_whole(Api.RESPONSES, whole))
    assert reply.decoding == {"reasoning.effort": "low", "temperature": "0.5"}
    assert reply.tool_calls == _told(calls)


_outer = ["choices", "usage", "message", "delta", "model", "error", "type", "content", "tool_calls", "response"]
_inner = ["output", "input", "messages", "system", "tools", "stream", "max_tokens", "index", "item", "content_block"]
_keys = st.sampled_from([*_outer, *_inner, "provider"])
_odd = st.recursive(_json, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_keys, inner, max_size=4))


@given(st.sampled_from(list(Api)), st.dictionaries(_keys, _odd), st.booleans())
def test_odd_shapes_never_raise_and_make_no_number(api, document, streamed):
    reply = _streamed(api, [document], 7) if streamed else _whole(api, document)
    counts = document.get("usage") if isinstance(document.get("usage"), dict) else {}
    inner = [document.get("response"), document.get("message")]
    if not counts and not any(isinstance(one, dict) and "usage" in one for one in inner):
        assert not isinstance(reply.usage.prompt, int)
    with_headers(reply, [("x-litellm-response-cost", str(document))])
    asked = read_request(json.dumps(document).encode(), api)
    assert isinstance(reserved(asked, 5), int | NotMeasured)


@given(st.sampled_from(list(Api)), st.binary(max_size=80))
def test_garbage_asks_for_nothing_and_passes_as_it_is(api, body):
    asked = read_request(body, api)
    assert asked.prompt_bytes == len(body)
    if not body.lstrip().startswith(b"{"):
        assert with_output_cap(body, api, 9) == body


_indent = st.sampled_from([None, 0, 2])


@given(
    st.dictionaries(st.text(max_size=6) | st.sampled_from(["max_tokens", "messages", "model"]), _json, max_size=5),
    st.sampled_from([Api.CHAT, Api.RESPONSES, Api.MESSAGES]),
    st.integers(1, 10**6),
    _indent,
    st.booleans(),
)
def test_a_cap_changes_one_member_and_nothing_else(document, api, cap, indent, ascii_only):
    body = json.dumps(document, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    made = with_output_cap(body, api, cap)
    asked = read_request(body, api)
    if isinstance(asked.output_cap, int):
        assert made == body
        return
    after = json.loads(made)
    (name,) = [name for name, value in after.items() if name not in document or document[name] != value]
    assert after[name] == cap
    assert {k: v for k, v in after.items() if k != name} == {k: v for k, v in document.items() if k != name}
    if name not in document:
        assert made.replace(f'"{name}":{cap}'.encode() + (b"," if document else b""), b"", 1) == body


@given(_json, st.permutations(["model", "messages", "tools", "temperature", "stream"]))
def test_the_order_of_keys_changes_no_digest(content, order):
    document = {
        "model": "m",
        "messages": [{"role": "user", "content": content}],
        "tools": [{"name": "sh"}],
        "temperature": 0.5,
        "stream": True,
    }
    one = read_request(json.dumps(document).encode())
    assert read_request(json.dumps({name: document[name] for name in order}).encode()) == one


_message = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": st.text(max_size=20)})


@given(st.lists(_message, min_size=1, max_size=6), st.integers(1, 6), st.integers(1, 100), st.integers(1, 100))
def test_a_closer_bound_never_exceeds_the_whole_and_never_undercuts_what_is_known(messages, upto, prompt, cap):
    whole = read_request(json.dumps({"model": "m", "messages": messages}).encode())
    begun = read_request(json.dumps({"model": "m", "messages": messages[:upto]}).encode())
    known = earlier_of(begun, prompt)
    assert known is not None
    found = reserved(whole, cap, [known])
    assert isinstance(found, int) and found <= whole.prompt_bytes + cap
    added = sum(len(m["content"].encode("utf-8", "surrogatepass")) for m in messages[upto:])
    assert found >= min(prompt + added, whole.prompt_bytes) + cap
