"""What a request asks for, the cap that is put into it, and the most that it can cost."""

from __future__ import annotations

import json

import pytest

from denominator.records.values import NotMeasured
from denominator.wire.providers import Api, earlier_of, read_request, reserved, with_headers, with_output_cap
from denominator.wire.providers.reply import Reply

SYSTEM, FIRST = {"role": "system", "content": "be brief"}, {"role": "user", "content": "go"}
CHAT = {"model": "m", "messages": [SYSTEM, FIRST], "max_tokens": 50}


def _asked(document, api=Api.CHAT):
    return read_request(json.dumps(document).encode(), api)


def test_decoding_is_decimal_text_as_sent():
    told = {
        "temperature": 0.70,
        "top_p": 1,
        "seed": 7,
        "reasoning_effort": "low",
        "frequency_penalty": None,
        "top_k": True,
    }
    assert _asked(CHAT | told).decoding == {"reasoning_effort": "low", "seed": "7", "temperature": "0.7", "top_p": "1"}
    assert _asked({"reasoning": {"effort": "high"}}, Api.RESPONSES).decoding == {"reasoning.effort": "high"}
    assert _asked({"thinking": {"type": "enabled", "budget_tokens": 1024}}, Api.MESSAGES).decoding == {
        "thinking.budget_tokens": "1024",
        "thinking.type": "enabled",
    }


CAPS = [
    ({"max_tokens": 50}, Api.CHAT, 50),
    ({"max_tokens": 50, "max_completion_tokens": 60}, Api.CHAT, 60),
    ({"max_output_tokens": 70}, Api.RESPONSES, 70),
    ({"max_tokens": 80}, Api.MESSAGES, 80),
]


@pytest.mark.parametrize(("told", "api", "cap"), CAPS)
def test_caps_are_read_where_each_interface_has_them(told, api, cap):
    assert _asked(told, api).output_cap == cap


@pytest.mark.parametrize("nothing", [None, 0, -1, True, "50", 10**10])
def test_a_word_for_no_cap_is_none(nothing):
    assert isinstance(_asked({"max_tokens": nothing}).output_cap, NotMeasured)


def test_usage_has_to_be_asked_for_on_streamed_chat_only():
    assert _asked({"stream": True}).usage_on_stream is False
    assert _asked({"stream": True, "stream_options": {"include_usage": True}}).usage_on_stream is True
    assert _asked({"stream": True}, Api.RESPONSES).usage_on_stream is True
    assert _asked({}).usage_on_stream is True


SAME_SYSTEM = [
    ({"messages": [SYSTEM, FIRST]}, Api.CHAT),
    ({"messages": [{"role": "developer", "content": [{"type": "text", "text": "be brief"}]}, FIRST]}, Api.CHAT),
    ({"system": "be brief", "messages": [FIRST]}, Api.MESSAGES),
    ({"system": [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}]}, Api.MESSAGES),
    ({"instructions": "be brief", "input": "go"}, Api.RESPONSES),
]


def test_one_system_text_has_one_digest_however_it_is_sent():
    assert len({_asked(*one).prompt_sha256 for one in SAME_SYSTEM}) == 1
    assert isinstance(_asked({"messages": [FIRST]}).prompt_sha256, NotMeasured)


def test_threads_are_told_apart_by_how_they_begin():
    later = CHAT | {"messages": [SYSTEM, FIRST, {"role": "assistant", "content": "x"}], "temperature": 1}
    assert _asked(CHAT).thread == _asked(later).thread
    others = [{"model": "n"}, {"messages": [SYSTEM, {"role": "user", "content": "other"}]}, {"messages": [FIRST]}]
    assert len({_asked(CHAT | other).thread for other in [{}, *others]}) == 4


def test_tools_and_results_are_counted_by_what_they_are():
    tool = {"type": "function", "name": "sh"}
    marked = tool | {"cache_control": {"type": "ephemeral"}}
    assert _asked({"tools": [tool]}).tools_sha256 == _asked({"tools": [marked]}).tools_sha256
    assert isinstance(_asked({"tools": []}).tools_sha256, NotMeasured)
    back = [{"type": "tool_result", "tool_use_id": "a"}, {"type": "tool_result", "tool_use_id": "b"}]
    assert _asked({"messages": [{"role": "user", "content": back}]}, Api.MESSAGES).tool_results == 2
    assert _asked({"messages": [{"role": "tool", "content": "x"}]}).tool_results == 1
    assert _asked({"input": [{"type": "function_call_output", "output": "x"}]}, Api.RESPONSES).tool_results == 1


def test_a_cap_is_put_in_and_no_other_byte_changes():
    body = b' { "model" : "m\\u00e9",\n "messages":[{"content":"a\\"},{"}] }'
    assert with_output_cap(body, Api.CHAT, 99) == b' {"max_tokens":99, ' + body[3:]
    assert with_output_cap(b"{}", Api.MESSAGES, 9) == b'{"max_tokens":9}'
    assert with_output_cap(b'{"input":"x"}', Api.RESPONSES, 9) == b'{"max_output_tokens":9,"input":"x"}'


def test_a_name_without_a_cap_gets_one():
    body = b'{"max_tokens": null, "a": {"max_tokens": null}}'
    assert with_output_cap(body, Api.CHAT, 9) == b'{"max_tokens":9, "a": {"max_tokens": null}}'


NAMES = [("gpt-5", "max_completion_tokens"), ("openai/o3-mini", "max_completion_tokens"), ("gpt-oss-20b", "max_tokens")]


@pytest.mark.parametrize(("model", "name"), [*NAMES, ("qwen3", "max_tokens"), ("mistral-small", "max_tokens")])
def test_the_cap_has_the_name_that_the_models_own_provider_takes(model, name):
    body = json.dumps({"model": model, "messages": []}).encode()
    assert json.loads(with_output_cap(body, Api.CHAT, 9))[name] == 9


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b'"x"', b'\xff{"a":1}', b'{"max_tokens": 5}'])
def test_what_is_no_object_or_has_a_cap_is_left_alone(body):
    assert with_output_cap(body, Api.CHAT, 9) == body
    assert with_output_cap(b"{}", Api.OTHER, 9) == b"{}"
    assert with_output_cap(b"{}", Api.CHAT, 0) == b"{}"


def test_the_worst_case_is_bytes_and_cap_times_choices():
    asked = _asked(CHAT | {"n": 3})
    assert reserved(asked, 1000) == asked.prompt_bytes + 3 * 50
    assert reserved(_asked({"messages": [FIRST]}), 1000) == len(json.dumps({"messages": [FIRST]})) + 1000
    assert isinstance(reserved(_asked({"messages": [FIRST]}), 0), NotMeasured)


def test_an_earlier_beginning_bounds_the_prompt_more_closely():
    asked = _asked(CHAT)
    known = earlier_of(asked, 12)
    assert known is not None
    added = {"role": "assistant", "content": "x"}
    later = _asked(CHAT | {"messages": [SYSTEM, FIRST, added]})
    assert reserved(later, 0, [known]) == 12 + len(json.dumps(added, separators=(",", ":"))) + 50
    other = _asked(CHAT | {"messages": [SYSTEM, {"role": "user", "content": "no"}, added]})
    assert reserved(other, 0, [known]) == other.prompt_bytes + 50
    tools = _asked(CHAT | {"tools": [{"name": "sh"}], "messages": [SYSTEM, FIRST, added]})
    assert reserved(tools, 0, [known]) == tools.prompt_bytes + 50
    assert earlier_of(asked, NotMeasured("no usage")) is None


HIDDEN = [
    {"previous_response_id": "r1"},
    {"conversation": "c"},
    {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "https://x/y.png"}]}]},
    {"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "f"}]}]},
    {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x/y.png"}}]}]},
    {"input": [{"type": "item_reference", "id": "i"}]},
    {"prompt": {"id": "kept"}},
    {"input": [{"type": "function_call_output", "output": [{"type": "input_image", "image_url": "https://x/y.png"}]}]},
]


@pytest.mark.parametrize("told", HIDDEN)
def test_what_only_the_provider_has_cannot_be_bounded(told):
    api = Api.CHAT if "messages" in told else Api.RESPONSES
    assert isinstance(reserved(_asked(told | {"max_tokens": 5, "max_output_tokens": 5}, api), 5), NotMeasured)


def test_a_picture_in_the_request_has_an_allowance_beside_its_bytes():
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    asked = _asked({"messages": [{"role": "user", "content": [part]}], "max_tokens": 5})
    assert reserved(asked, 0) == asked.prompt_bytes + 16384 + 5


def test_what_bounds_a_later_call_is_the_longest_beginning_and_no_picture_nor_another_form():
    words = [FIRST, {"role": "assistant", "content": "x"}, {"role": "user", "content": "y"}]
    asked = [_asked(CHAT | {"messages": words[:n]}) for n in (1, 2, 3)]
    known = [earlier_of(one, prompt) for one, prompt in zip(asked, (30, 12), strict=False)]
    assert reserved(asked[2], 0, known) == 12 + len(json.dumps(words[2], separators=(",", ":"))) + 50
    other = _asked(CHAT | {"messages": words, "response_format": {"type": "json_object"}})
    assert reserved(other, 0, known) == other.prompt_bytes + 50
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    shown = _asked(CHAT | {"messages": [*words, {"role": "user", "content": [part]}]})
    assert reserved(shown, 0, known) == shown.prompt_bytes + shown.binary_tokens + 50
    assert earlier_of(_asked(CHAT | {"previous_response_id": "r"}), 12) is None


def test_headers_say_what_the_body_leaves_out():
    told = [("X-LiteLLM-Response-Cost", "0.0021"), ("x-litellm-model-api-base", "http://10.0.0.1:8000/v1?key=x")]
    reply = with_headers(Reply(), told)
    assert (reply.provider_cost, reply.provider_cost_unit, reply.host) == ("0.0021", "usd", "10.0.0.1")
    assert with_headers(Reply(host="h", provider_cost="1", provider_cost_unit="credits"), told).host == "h"
    nothing = with_headers(Reply(), [("x-litellm-response-cost", "0.0"), ("x-litellm-model-api-base", "http://[")])
    assert isinstance(nothing.provider_cost, NotMeasured) and isinstance(nothing.host, NotMeasured)
