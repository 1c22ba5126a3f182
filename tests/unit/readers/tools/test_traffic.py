"""Calls from model traffic: histories that repeat, are compacted, branch, or live at the provider."""

from __future__ import annotations

import json
import time

import pytest

from denominator.readers.tools import Exchange, facts_of, history_calls, traffic_calls
from denominator.records.facts import Repetition
from denominator.records.values import NotMeasured
from denominator.wire.providers import Api


class Chat:
    """An agent that speaks OpenAI chat."""

    api = Api.CHAT

    def turn(self, *calls):
        """One assistant message and what came back: (id, tool, arguments, result) a call."""
        asked = [
            {"id": id_, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
            for id_, tool, arguments, _result in calls
        ]
        answers = [{"role": "tool", "tool_call_id": id_, "content": result} for id_, _t, _a, result in calls]
        return [{"role": "assistant", "content": None, "tool_calls": asked}, *answers]

    def request(self, turns):
        messages = [{"role": "user", "content": "go"}, *(m for turn in turns for m in turn)]
        return {"model": "m", "tools": [{"type": "function"}], "messages": messages}


class Messages(Chat):
    """One that speaks Anthropic messages."""

    api = Api.MESSAGES

    def turn(self, *calls):
        asked = [{"type": "tool_use", "id": i, "name": tool, "input": arguments} for i, tool, arguments, _r in calls]
        answers = [{"type": "tool_result", "tool_use_id": i, "content": r} for i, _t, _a, r in calls]
        return [{"role": "assistant", "content": asked}, {"role": "user", "content": answers}]


class Responses(Chat):
    """One that speaks the Responses interface and sends the whole history."""

    api = Api.RESPONSES

    def turn(self, *calls):
        asked = [
            {"type": "function_call", "call_id": i, "name": tool, "arguments": json.dumps(arguments)}
            for i, tool, arguments, _r in calls
        ]
        return [
            {"type": "reasoning", "id": "r"},
            *asked,
            *({"type": "function_call_output", "call_id": i, "output": r} for i, _t, _a, r in calls),
        ]

    def request(self, turns):
        items = [{"role": "user", "content": "go"}, *(m for turn in turns for m in turn)]
        return {"model": "m", "tools": [{"type": "function"}], "input": items}


SPEAKERS = [Chat(), Messages(), Responses()]


@pytest.fixture(params=SPEAKERS, ids=lambda speaker: speaker.api.value)
def agent(request):
    return request.param


def _exchange(agent, turns, response=b"", **more):
    return Exchange(api=agent.api, request=json.dumps(agent.request(turns) | more).encode(), response=response)


def _growing(agent, turns):
    """One request a turn, each with the whole history."""
    return [_exchange(agent, turns[:n]) for n in range(len(turns) + 1)]


def _turns(agent, count, result="same", ids="id{}"):
    return [agent.turn((ids.format(n), "sh", {"cmd": "make"}, result.format(n))) for n in range(count)]


def _found(exchanges):
    facts = facts_of(traffic_calls(exchanges), "traffic")
    return facts.calls, [(r.block, r.times) for r in facts.repeats], facts.complete


def test_a_call_counts_once_however_often_it_is_told_again(agent):
    assert _found(_growing(agent, _turns(agent, 3))) == (3, [(1, 3)], True)


def test_polling_is_no_repetition(agent):
    assert _found(_growing(agent, _turns(agent, 5, "line {}"))) == (5, [], True)


def test_a_repeated_request_changes_nothing(agent):
    exchanges = _growing(agent, _turns(agent, 3))
    assert _found([e for e in exchanges for _ in range(2)]) == (3, [(1, 3)], True)


def test_blocks_with_parallel_calls(agent):
    turns = [agent.turn((f"a{n}", "ls", {}, "files"), (f"b{n}", "cat", {"path": "x"}, "text")) for n in range(3)]
    read = traffic_calls(_growing(agent, turns))
    assert [call.turn for call in read.calls] == [0, 0, 1, 1, 2, 2]
    assert facts_of(read, "traffic").repeats == (Repetition(block=2, times=3, first=0, tools=("ls", "cat")),)


def test_a_history_that_lost_its_beginning_goes_on(agent):
    turns = _turns(agent, 6)
    exchanges = [_exchange(agent, turns[:3]), _exchange(agent, turns[2:4]), _exchange(agent, turns[2:6])]
    assert _found(exchanges) == (6, [(1, 6)], True)


def test_a_history_that_lost_its_middle_goes_on(agent):
    turns = _turns(agent, 5)
    assert _found([_exchange(agent, turns[:4]), _exchange(agent, [turns[0], turns[3], turns[4]])]) == (
        5,
        [(1, 5)],
        True,
    )


def test_results_that_were_cleared_later_keep_their_first_form(agent):
    turns, cleared = _turns(agent, 3, "line {}"), _turns(agent, 3, "[cleared]")
    assert _found([_exchange(agent, turns[:3]), _exchange(agent, cleared)]) == (3, [], True)


def test_a_history_that_was_replaced_is_another_thread(agent):
    exchanges = [*_growing(agent, _turns(agent, 2)), *_growing(agent, _turns(agent, 2, ids="new{}"))]
    assert _found(exchanges) == (4, [(1, 2)], True)


def test_two_agents_side_by_side_are_two_threads(agent):
    one, other = _turns(agent, 3), _turns(agent, 3, "line {}", ids="sub{}")
    mixed = [e for pair in zip(_growing(agent, one), _growing(agent, other), strict=True) for e in pair]
    read = traffic_calls(mixed)
    assert [call.thread for call in read.calls] == [0, 0, 0, 1, 1, 1]
    assert [r.times for r in facts_of(read, "traffic").repeats] == [3]


def test_ids_used_again_and_again_are_counted_by_place(agent):
    assert _found(_growing(agent, _turns(agent, 4, ids="call_0"))) == (4, [(1, 4)], True)


def test_ids_used_again_and_a_cut_history_leave_a_gap(agent):
    turns = _turns(agent, 4, "line {}", ids="call_0")
    read = traffic_calls([*_growing(agent, turns[:3]), _exchange(agent, turns[2:4])])
    assert "more than once" in read.gaps[0]
    assert facts_of(read, "traffic").complete is False


def test_a_result_that_is_missing_is_unknown():
    agent = Chat()
    turns = _turns(agent, 3)
    turns[1] = turns[1][:1]
    assert _found([_exchange(agent, turns)]) == (3, [], False)


def test_calls_of_the_last_answer_are_not_yet_made(agent):
    asked = agent.turn(("next", "sh", {}, "never seen"))[:-1]
    assert _found([_exchange(agent, _turns(agent, 2), json.dumps({"output": asked}).encode())])[0] == 2


def _stored(id_, *items):
    return json.dumps({"id": id_, "output": list(items)}).encode()


def _streamed(id_, *items):
    events = [{"type": "response.created", "response": {"id": id_, "output": []}}]
    events += [{"type": "response.output_item.done", "item": item} for item in items]
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def _closed(id_, *items):
    event = {"type": "response.completed", "response": {"id": id_, "output": list(items)}}
    return b"event: response.completed\ndata: " + json.dumps(event).encode() + b"\n\n"


@pytest.mark.parametrize("answer", [_stored, _streamed, _closed])
@pytest.mark.parametrize("ids", ["id{}", "call_0"])
def test_a_history_that_the_provider_keeps(answer, ids):
    agent = Responses()
    turns = _turns(agent, 4, ids=ids)
    exchanges = [_exchange(agent, [], answer("resp0", *turns[0][:-1]))]
    for n, turn in enumerate(turns):
        after = turns[n + 1][:-1] if n + 1 < len(turns) else []
        exchanges.append(_exchange(agent, [turn[-1:]], answer(f"resp{n + 1}", *after), previous_response_id=f"resp{n}"))
    assert _found(exchanges) == (4, [(1, 4)], True)
    twice = [e for exchange in exchanges for e in (exchange, exchange)]
    assert _found(twice) == (4, [(1, 4)], True)


def test_a_history_that_nobody_saw_is_a_gap():
    exchange = _exchange(Responses(), [Responses().turn(("a", "sh", {}, "x"))[-1:]], previous_response_id="gone")
    assert len(traffic_calls([exchange]).gaps) == 2
    assert traffic_calls([_exchange(Responses(), [], conversation="conv")]).gaps


def test_other_kinds_of_calls():
    items = [
        {"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "*** Begin"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "done"},
        {"type": "local_shell_call", "call_id": "s", "action": {"command": ["ls"]}},
        {"type": "local_shell_call_output", "id": "s", "output": "x"},
        {"type": "mcp_call", "id": "m", "name": "look", "arguments": "{}", "output": "found"},
        {"type": "web_search_call", "id": "w", "action": {"query": "q"}},
    ]
    body = json.dumps({"input": items}).encode()
    calls = traffic_calls([Exchange(api=Api.RESPONSES, request=body)]).calls
    assert [call.tool for call in calls] == ["patch", "local_shell", "look", "web_search"]
    assert [isinstance(call.result_sha256, str) for call in calls] == [True, True, True, False]
    assert calls[0].arguments == '"*** Begin"'


def test_old_functions_custom_tools_and_calls_without_ids():
    messages = [
        {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "1"},
        {"role": "assistant", "tool_calls": [{"custom": {"name": "g", "input": "text"}}, {"function": {"name": "h"}}]},
        {"role": "tool", "content": "2"},
        {"role": "tool", "content": "3"},
    ]
    calls = history_calls(messages).calls
    assert [call.tool for call in calls] == ["f", "g", "h"]
    assert len({call.result_sha256 for call in calls}) == 3


def test_messages_of_an_inspect_sample():
    messages = [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "a", "function": "bash", "arguments": {"cmd": "x"}}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "", "error": {"type": "timeout", "message": "late"}},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "b", "function": "bash", "arguments": {"cmd": "x"}}],
        },
        {"role": "tool", "tool_call_id": "b", "content": ""},
    ]
    one, other = history_calls(messages).calls
    assert (one.arguments, one.result_sha256 == other.result_sha256) == (other.arguments, False)


def test_tools_that_the_provider_runs_itself():
    content = [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "web_search_result", "url": "u"}]},
    ]
    (call,) = history_calls([{"role": "assistant", "content": content}]).calls
    assert isinstance(call.result_sha256, str)


def test_no_traffic_and_traffic_without_tools_are_no_answer(agent):
    assert isinstance(traffic_calls([]), NotMeasured)
    assert isinstance(traffic_calls([Exchange(api=Api.OTHER, request=b"{}")]), NotMeasured)
    assert isinstance(traffic_calls([_exchange(agent, [], tools=[])]), NotMeasured)
    assert _found([_exchange(agent, [])]) == (0, [], True)


def test_a_request_that_cannot_be_read_is_a_gap(agent):
    turns = _turns(agent, 3)
    exchanges = [*_growing(agent, turns), Exchange(api=agent.api, request=b"{")]
    assert _found(exchanges) == (3, [(1, 3)], False)


def test_histories_made_to_keep_the_reader_busy_are_soon_read():
    chat = Chat()
    turns = [chat.turn(*((f"{n}-{at}", "look", {}, "x") for at in range(8))) for n in range(5_000)]
    made = [Exchange(api=Api.CHAT, request=json.dumps(chat.request([turn])).encode()) for turn in turns]
    started = time.monotonic()
    read = traffic_calls(made)
    assert time.monotonic() - started < 15
    assert len(read.calls) == 40_000
