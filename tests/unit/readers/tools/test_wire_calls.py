"""Tool calls from what the gateway kept, and what the agent's own log is worth beside them."""

from __future__ import annotations

import gzip
import hashlib
import json

import pytest

from denominator.readers.tools import NO_LOG, ToolCalls, tool_call
from denominator.readers.tools.wire_calls import chosen, conversations, difference, wire_calls
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured

KEY = AttemptKey("r", "t", 1, 1)
PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}


class Kept:
    """Bodies by digest, as the store would hold them."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    def put(self, body: bytes) -> str:
        sha = hashlib.sha256(body).hexdigest()
        self.held[sha] = body
        return sha

    def __call__(self, sha: str) -> bytes:
        return self.held[sha]


def _turn(api, number, result="same"):
    arguments, id_ = json.dumps({"cmd": "make"}), f"c{number}"
    if api == "chat":
        call = {"id": id_, "type": "function", "function": {"name": "sh", "arguments": arguments}}
        asked = {"role": "assistant", "tool_calls": [call]}
        return [asked, {"role": "tool", "tool_call_id": id_, "content": result}]
    if api == "messages":
        use = {"type": "tool_use", "id": id_, "name": "sh", "input": {"cmd": "make"}}
        back = {"type": "tool_result", "tool_use_id": id_, "content": result}
        return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [back]}]
    item = {"type": "function_call", "call_id": id_, "name": "sh", "arguments": arguments}
    return [item, {"type": "function_call_output", "call_id": id_, "output": result}]


def _request(api, turns):
    first = {"role": "user", "content": "go"}
    told = [first, *(part for number in range(turns) for part in _turn(api, number))]
    return {
        "model": "m",
        "tools": [{"type": "function", "name": "sh"}],
        "input" if api == "responses" else "messages": told,
    }


def _call(seq, kept, document, api="chat", **fields):
    sha = kept.put(json.dumps(document).encode())
    told = {"sent": True, "status": 200, "outcome": "ok", "bodies_kept": True, "thread": "t1", "request_sha256": sha}
    return CallRow(key=KEY, seq=seq, method="POST", path=PATHS[api], **{**told, **fields})


@pytest.mark.parametrize("api", PATHS)
def test_calls_and_results_come_from_later_requests(api):
    kept = Kept()
    calls = [_call(n + 1, kept, _request(api, n), api) for n in range(4)]
    read = wire_calls(calls, kept)
    assert isinstance(read, ToolCalls) and [one.tool for one in read.calls] == ["sh"] * 3
    assert read.gaps == () and all(isinstance(one.result_sha256, str) for one in read.calls)


def test_a_history_at_the_provider_is_read_from_packed_answers():
    kept = Kept()
    item = _turn("responses", 0)[0]
    answer = gzip.compress(json.dumps({"id": "r1", "object": "response", "output": [item]}).encode())
    first = _call(
        1, kept, _request("responses", 0), "responses", response_sha256=kept.put(answer), content_encoding="gzip"
    )
    later = {"model": "m", "previous_response_id": "r1", "input": [_turn("responses", 0)[1]]}
    read = wire_calls([first, _call(2, kept, later, "responses")], kept)
    assert isinstance(read, ToolCalls) and len(read.calls) == 1 and read.gaps == ()


def test_a_body_that_was_not_kept_leaves_a_gap_unless_a_later_one_tells_it_again():
    kept = Kept()
    calls = [_call(n + 1, kept, _request("chat", n)) for n in range(3)]
    lost = CallRow(key=KEY, seq=9, method="POST", path=PATHS["chat"], sent=True, bodies_kept=False, thread="t1")
    read = wire_calls([*calls, lost], kept)
    assert isinstance(read, ToolCalls) and read.gaps == ("the bodies of call 9 were not kept",)
    assert wire_calls([calls[0], lost, _call(10, kept, _request("chat", 2))], kept).gaps == ()
    del kept.held[calls[2].request_sha256]
    assert wire_calls(calls, kept).gaps == ("the bodies of call 3 were not kept",)


def test_what_the_gateway_refused_leaves_no_gap():
    kept = Kept()
    calls = [_call(n + 1, kept, _request("chat", n)) for n in range(2)]
    refused = CallRow(key=KEY, seq=3, method="POST", path=PATHS["chat"], sent=False, cap_state="tokens")
    assert wire_calls([*calls, refused], kept) == wire_calls(calls, kept)


def test_digests_alone_tell_nothing():
    call = CallRow(key=KEY, seq=1, method="POST", path=PATHS["chat"], sent=True, bodies_kept=False)
    assert wire_calls([call], Kept()) == NotMeasured("the bodies of model calls were not kept")
    listing = CallRow(key=KEY, seq=1, method="GET", path="/v1/models", purpose="listing")
    assert wire_calls([listing], Kept()) == NotMeasured("no call to a model was made")


def test_sub_agents_are_conversations_of_their_own():
    kept = Kept()
    calls = [_call(1, kept, _request("chat", 0)), _call(2, kept, _request("chat", 1), thread="t2")]
    assert conversations(calls) == 2


WIRE = ToolCalls(calls=(tool_call(0, "sh", {}),))
LOG = ToolCalls(calls=(tool_call(0, "sh", {}), tool_call(1, "sh", {})))
SILENT = NotMeasured("no request declares tools: what the agent did is not in the traffic")


def test_the_wire_counts_and_the_log_is_a_cross_check():
    assert chosen(WIRE, LOG) == (WIRE, "wire")
    assert difference(WIRE, LOG) == "the agent's own log has 2 tool calls, the wire shows 1"
    assert difference(LOG, LOG) == ""


def test_an_agent_that_calls_in_plain_text_has_its_own_log_only():
    assert chosen(SILENT, LOG) == (LOG, "tool_log")
    assert chosen(ToolCalls(), LOG) == (LOG, "tool_log")
    assert difference(SILENT, LOG) == ""


def test_neither_says_both_reasons():
    read, _ = chosen(SILENT, NO_LOG)
    assert isinstance(read, NotMeasured)
    assert NO_LOG.not_measured in read.not_measured and SILENT.not_measured in read.not_measured
