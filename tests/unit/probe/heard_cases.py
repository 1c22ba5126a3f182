"""Every reason by an example of its own, beside the honest neighbour that keeps its promise.

A line is (class:reason, the answer that shows it, its neighbours, which pass). Both are made anew by each call.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace

from denominator.records.probe_results import Heard
from denominator.records.probes import Case
from denominator.records.values import NotMeasured
from unit.probe.hearing_lab import (
    CASES,
    MODEL,
    TERMS,
    TEXT,
    TOOL,
    call,
    called,
    chunk,
    chunked,
    counts,
    document,
    dumps,
    events,
    exchange,
    hear,
    http,
    last,
    plain,
    spoken,
    stream,
)

Made = Callable[[], Heard]
Example = tuple[str, Made, tuple[Made, ...]]
GOOD = '{"ok": true, "count": 2}'
LONG = "HTTP caching stores responses so that later requests need not ask again. " * 8


def ended(end: str, wire: bytes = b"", mode: str = "plain", case: str = "answer", **more) -> Made:
    """An exchange that ended so."""
    return lambda: hear(CASES[case], exchange(wire, end, mode, **more), MODEL, TERMS)


def said(content, case: str = "answer", finish="stop", **more) -> Made:
    return lambda: plain(case, document(content, finish, **more))


def json_said(content, finish="stop", **more) -> Made:
    return said(content, "json", finish, **more)


def doc(body, case="answer", **more) -> Made:
    return lambda: plain(case, body, **more)


def told(body: bytes, case="answer", **more) -> Made:
    return lambda: stream(case, body, **more)


def with_usage(case="answer", content="OK.", **counts_) -> Made:
    usage = {"prompt_tokens": 12, "completion_tokens": 9, "total_tokens": 21} | counts_
    return said(content, case, usage={name: value for name, value in usage.items() if value is not ...})


def tool_stream(*deltas, finish="tool_calls", case="call", usage=(12, 9)) -> Made:
    parts = [chunk({"role": "assistant", "content": None}), *(chunk({"tool_calls": list(one)}) for one in deltas)]
    return told(events(*parts, chunk({}, finish), last(usage)), case)


def piece(arguments="", index=..., **more) -> dict:
    made = {"index": index, "function": {"arguments": arguments} | more.pop("function", {})} | more
    return {name: value for name, value in made.items() if value is not ...}


def head_of(index=0, id_="call_a", name="get_weather", arguments="") -> dict:
    return piece(arguments, index, id=id_, type="function", function={"name": name, "arguments": arguments})


def named(content: str) -> Made:
    """An object with a name beyond ASCII."""
    case = replace(CASES["json"], expect={"value": {"name": "Zürich", "n": 2}})
    return lambda: plain(case, document(content))


def control(status=400, body=b'{"error": {"message": "no"}}', end="complete", **more) -> Made:
    return lambda: hear(CASES["malformed"], exchange(http(body, status, **more), end), MODEL, TERMS)


def asked(kind: str = "call", **request) -> Case:
    return replace(CASES[kind], request={**CASES[kind].request, **request})


WHOLE = http(dumps(document()))
HEAD = http(b"", headers={"content-length": "50"})
SSE = {"content-type": "text/event-stream"}
CAP = counts((12, 64))
SPLIT = '{"city": "Oslo",', ' "days": 3}'
SMALL = replace(TERMS, body_bytes_max=2_000)
DEEP = b'{"a":' * 70 + b"1" + b"}" * 70
NAMED = {"type": "function", "function": {"name": "get_weather"}}
LEGACY = replace(
    CASES["call"],
    request={"functions": [TOOL["function"]], "function_call": "auto", "tools": [TOOL]},
)


TRANSPORT: tuple[Example, ...] = (
    ("transport_error:refused", ended("refused", at=(), connected_us=NotMeasured("no")), (ended("complete", WHOLE),)),
    ("transport_error:name_unknown", ended("name_unknown"), (ended("complete", WHOLE),)),
    ("transport_error:certificate_refused", ended("certificate_refused"), (ended("complete", WHOLE),)),
    ("transport_error:reset", ended("reset", WHOLE[:-5]), (ended("reset", WHOLE),)),
    ("transport_error:reset", ended("reset"), ()),
    (
        "transport_error:reset",
        lambda: hear(CASES["answer"], exchange(cut_chunks(spoken("O", done=False)), "reset", "stream"), MODEL, TERMS),
        (lambda: hear(CASES["answer"], exchange(cut_chunks(spoken("OK.")), "reset", "stream"), MODEL, TERMS),),
    ),
    ("transport_error:empty_reply", ended("fin"), (ended("fin", WHOLE),)),
    ("transport_error:incomplete_body", ended("fin", WHOLE[:-1]), (ended("fin", WHOLE),)),
    (
        "transport_error:incomplete_body",
        ended("fin", WHOLE[:30]),
        (ended("complete", http(dumps(document()), framing="eof")),),
    ),
    (
        "transport_error:incomplete_body",
        lambda: hear(CASES["answer"], exchange(cut_chunks(spoken("OK.", done=False)), "fin", "stream"), MODEL, TERMS),
        (lambda: hear(CASES["answer"], exchange(cut_chunks(spoken("OK.")), "fin", "stream"), MODEL, TERMS),),
    ),
    (
        "transport_error:bad_encoding",
        doc(dumps(document()), headers={"content-encoding": "br"}),
        (doc(dumps(document()), headers={"content-encoding": "identity"}),),
    ),
    (
        "transport_error:bad_encoding",
        doc(gzip.compress(dumps(document()))[:-6], headers={"content-encoding": "gzip"}),
        (
            doc(gzip.compress(dumps(document())), headers={"content-encoding": "x-gzip"}),
            doc(zlib.compress(dumps(document())), headers={"content-encoding": "deflate"}),
            told(gzip.compress(spoken("OK.")), headers=SSE | {"content-encoding": "gzip"}),
        ),
    ),
    ("transport_error:bad_framing", ended("illegal", b"SSH-2.0-OpenSSH_9.2\r\n"), (ended("complete", WHOLE),)),
    (
        "transport_error:bad_framing",
        ended("illegal", http(b"zz\r\nxx\r\n", headers={"transfer-encoding": "chunked"}, framing="")),
        (ended("complete", http(dumps(document()), framing="chunked")),),
    ),
    ("transport_error:send_failed", ended("send_failed"), (ended("send_failed", WHOLE),)),
    (
        "oversize_body:body_cap",
        lambda: plain("answer", dumps(document()) + b" " * 2_000, "cap", SMALL),
        (lambda: plain("answer", dumps(document()).ljust(2_000), terms=SMALL),),
    ),
    (
        "oversize_body:body_cap",
        lambda: plain(
            "answer",
            gzip.compress(dumps(document()) + b" " * 9_000),
            terms=SMALL,
            headers={"content-encoding": "gzip"},
        ),
        (lambda: plain("answer", gzip.compress(dumps(document())), terms=SMALL, headers={"content-encoding": "gzip"}),),
    ),
    (
        "timeout:not_connected",
        ended("deadline", connected_us=NotMeasured("no connection")),
        (ended("deadline", WHOLE),),
    ),
    ("timeout:no_first_byte", ended("deadline"), (ended("deadline", WHOLE),)),
    ("timeout:total_deadline", ended("deadline", WHOLE[:-3]), (ended("deadline", WHOLE),)),
    ("timeout:total_deadline", ended("deadline", b"HTTP/1.1 200 OK\r\ncontent-t"), ()),
    (
        "timeout:total_deadline",
        told(
            events(chunk({"content": "O"}), done=False),
            end="deadline",
            headers=SSE | {"content-length": "9999"},
            framing="",
        ),
        (told(spoken("OK."), end="deadline"),),
    ),
    (
        "timeout:keepalive_only",
        told(b": ping\n\n" * 5, end="deadline", headers=SSE | {"content-length": "9999"}, framing=""),
        (told(b": ping\n\n" * 5 + spoken("OK.")),),
    ),
    (
        "stream_hang:stalled",
        told(
            events(chunk({"content": "O"}), done=False), end="gap", headers=SSE | {"content-length": "9999"}, framing=""
        ),
        (told(spoken("OK."), end="done", headers=SSE | {"content-length": "9999"}, framing=""),),
    ),
    ("stream_hang:stalled", ended("gap", http(b": x\n\n", headers=SSE | {"content-length": "99"}), "stream"), ()),
    (
        "stream_hang:no_final_event",
        told(spoken("OK.", done=False), end="gap", headers=SSE | {"content-length": "9999"}, framing=""),
        (told(spoken("OK."), end="gap", headers=SSE | {"content-length": "9999"}, framing=""),),
    ),
    ("http_error:rate_limited", doc(b"", status=429), (doc(document(), status=200),)),
    ("http_error:4xx", doc(b"404 page not found", status=404), (doc(document()),)),
    ("http_error:5xx", doc(b"<html>", status=529), (doc(document()),)),
    ("http_error:redirect", doc(b"", status=308, headers={"location": "/x"}), (doc(document()),)),
    ("http_error:other_status", doc(document(), status=202), (doc(document()),)),
    ("http_error:other_status", doc(b"", status=204, framing=""), ()),
)


def cut_chunks(body: bytes) -> bytes:
    """A chunked stream without its last chunk."""
    return http(b"", headers=SSE | {"transfer-encoding": "chunked"}, framing="") + chunked(body, last=False)


def lone(text: str) -> bytes:
    """A document whose content is written with escapes as they are."""
    return dumps(document("@")).replace(b'"@"', b'"' + text.encode() + b'"')


ENVELOPE: tuple[Example, ...] = (
    ("envelope_error:not_json", doc(b"<!doctype html><title>Sign in</title>"), (doc(dumps(document()) + b"\n"),)),
    ("envelope_error:not_json", doc(dumps(document()) * 2), (doc(b"\r\n\t " + dumps(document())),)),
    ("envelope_error:not_json", doc(dumps(document()).replace(b"}}", b"},}")), ()),
    ("envelope_error:not_json", told(b"<html>\n<body>busy</body>\n"), ()),
    ("envelope_error:no_choices", doc(document() | {"choices": []}), (doc(document() | {"error": None}),)),
    ("envelope_error:no_choices", doc({"id": "x", "usage": counts((1, 1))}), ()),
    ("envelope_error:no_choices", doc(document() | {"choices": None}), ()),
    ("envelope_error:empty_body", doc(b""), (doc(b"\n" + dumps(document())),)),
    ("envelope_error:empty_body", doc(b" \n \n"), ()),
    ("envelope_error:empty_body", told(b""), ()),
    (
        "envelope_error:content_not_string",
        said([{"type": "text", "text": "OK."}]),
        (said(None, "call", "tool_calls", message={"tool_calls": [call()]}),),
    ),
    ("envelope_error:content_not_string", said({"text": "OK."}), ()),
    (
        "envelope_error:content_not_string",
        told(events(chunk({"content": ["OK."]}), chunk({}, "stop"), last())),
        (told(events(chunk({"content": None}), chunk({"content": "OK."}), chunk({}, "stop"), last())),),
    ),
    ("envelope_error:not_utf8", doc(dumps(document("caf@")).replace(b"@", b"\xe9")), (said("OK. café"),)),
    (
        "envelope_error:not_utf8",
        told(spoken("OK. @").replace(b"@", b"\xff")),
        (told(b": caf\xe9\n\n" + spoken("OK. é")),),
    ),
    ("envelope_error:bom", doc(b"\xef\xbb\xbf" + dumps(document())), (told(b"\xef\xbb\xbf" + spoken("OK.")),)),
    (
        "envelope_error:nonstandard_constant",
        doc(dumps(document(x="@")).replace(b'"@"', b"-Infinity")),
        (doc(dumps(document(x="@")).replace(b'"@"', b"-1e999")), doc(document(x=-1.5e-300))),
    ),
    (
        "envelope_error:nonstandard_constant",
        told(events(b'data: {"choices": [], "p": NaN}\n\n') + spoken("OK.")[: -len(b"data: [DONE]\n\n")]),
        (told(b'data: {"choices": [], "p": 123e-7}\n\n' + spoken("OK.")),),
    ),
    (
        "envelope_error:duplicate_key",
        doc(dumps(document()).replace(b'"id": "x"', b'"id": "x", "id": "x"')),
        (doc(document() | {"ID": "y"}), doc(lone("OK. \\ud83d"))),
    ),
    (
        "envelope_error:too_deep",
        doc(DEEP),
        (doc(document(x=json.loads(DEEP.replace(b'{"a":' * 40, b"").replace(b"}" * 40, b"")))),),
    ),
    ("envelope_error:not_an_object", doc([document()]), (doc(document(service_tier=None)),)),
    (
        "envelope_error:not_an_object",
        told(b'data: "hello"\n\n' + spoken("OK.")),
        (told(b"data:\n\n" + spoken("OK.")), told(b"event: ping\ndata: {}\n\n" + spoken("OK."))),
    ),
    (
        "envelope_error:no_message",
        doc(document() | {"choices": [{"index": 0, "finish_reason": "stop"}]}),
        (doc(document()),),
    ),
    ("envelope_error:no_message", doc(document() | {"choices": [{"message": None, "text": "OK."}]}), ()),
    (
        "envelope_error:no_message",
        told(events({"choices": [{"index": 0, "message": {"content": "OK."}, "finish_reason": "stop"}]}, last())),
        (told(events({"choices": [{"index": 0, "finish_reason": None}]}, chunk({"content": "OK."}, "stop"), last())),),
    ),
    (
        "envelope_error:sse_unrequested",
        doc(spoken("OK."), headers=SSE, framing="chunked"),
        (doc(document(), headers=SSE),),
    ),
    ("envelope_error:sse_unrequested", doc(spoken("OK.")), ()),
    (
        "envelope_error:event_not_json",
        told(b"data: : OPENROUTER PROCESSING\n\n" + spoken("OK.")),
        (told(b": OPENROUTER PROCESSING\n\n" + spoken("OK.")), told(spoken("OK.").replace(b"data: ", b"data:"))),
    ),
    ("envelope_error:event_not_json", told(b"data: [ERROR] busy\n\n" + spoken("OK.")), ()),
    ("envelope_error:event_not_json", told(spoken("OK.", done=False) + b"data: DONE\n\n"), ()),
    ("envelope_error:event_not_json", told(spoken("OK.").replace(b"}\n\ndata: {", b"}\ndata: {", 1)), ()),
    (
        "inband_error:error_in_200",
        doc({"error": {"message": "busy"}}),
        (doc(document(error=None)), doc(document(error={}))),
    ),
    ("inband_error:error_in_200", doc({"message": "no key", "code": 401}), (doc(document(code=0) | {"message": "x"}),)),
    ("inband_error:error_in_200", doc({"error": "busy"}), (doc(document(errors=[])),)),
    ("inband_error:error_in_200", doc({"object": "error", "message": "busy", "code": 500}), ()),
    ("inband_error:error_in_200", doc(document() | {"error": {"code": 502}}), ()),
    ("inband_error:error_in_200", told(dumps({"error": {"code": 502}}), framing="length"), ()),
    ("inband_error:error_in_200", doc({"detail": "Internal Server Error"}), (doc(document(detail=None)),)),
    (
        "inband_error:error_in_choice",
        doc(document("", "error", error=None)),
        (doc(document("OK. error", "stop")),),
    ),
    (
        "inband_error:error_in_choice",
        doc(document() | {"choices": [document()["choices"][0] | {"error": {"code": 502}}]}),
        (doc(document() | {"choices": [document()["choices"][0] | {"error": None}]}),),
    ),
    ("inband_error:error_in_choice", told(events(chunk({"content": "O"}), chunk({"content": ""}, "error"))), ()),
    (
        "inband_error:error_in_stream",
        told(events(chunk({"content": "O"}), {"error": {"code": 502}})),
        (told(spoken("OK.")),),
    ),
    ("inband_error:error_in_stream", told(events(chunk({"content": "O"}), b"event: error\ndata: overloaded\n\n")), ()),
    ("inband_error:error_in_stream", told(events(b'event: error\ndata: {"code": 1}\n\n', done=False)), ()),
    (
        "inband_error:error_in_stream",
        told(events(chunk({"content": "OK."}, "stop"), last(), {"error": {"code": 1}}, done=False)),
        (told(events(chunk({"content": "OK."}, "stop"), last() | {"error": None})),),
    ),
    (
        "inband_error:error_in_stream",
        told(events(chunk({"content": "O"}), b'error: {"code": 500}\n\n', done=False)),
        (),
    ),
    (
        "timeout:keepalive_only",
        told(b"data:\n\n\n" * 5, end="deadline", headers=SSE | {"content-length": "9999"}, framing=""),
        (told(b"data:\n\n" * 5 + spoken("OK.")),),
    ),
    (
        "timeout:keepalive_only",
        told(b"\n" * 5, end="deadline", headers=SSE | {"content-length": "9999"}, framing=""),
        (told(b"\n" * 5 + spoken("OK.")),),
    ),
    ("timeout:total_deadline", doc(b"\n" * 5, end="deadline", headers={"content-length": "9999"}, framing=""), ()),
    ("stream_incomplete:no_done", told(spoken("OK.", done=False)), (told(spoken("OK.")),)),
    ("stream_incomplete:no_done", told(events(chunk({"content": "O"}), done=False)), ()),
    ("stream_incomplete:no_content", told(b"data: [DONE]\n\n"), (told(b": x\n\n" + spoken("OK.")),)),
    ("stream_incomplete:no_content", told(b": ping\n\n" * 3), ()),
    ("stream_incomplete:no_content", told(events(last())), ()),
    (
        "stream_incomplete:cut_event",
        told(spoken("OK.", done=False) + b'data: {"choices"'),
        (told(spoken("OK.")[:-1]), told(spoken("OK.")[:-2]), told(spoken("OK.").replace(b"\n", b"\r"))),
    ),
    (
        "stream_incomplete:cut_event",
        told(spoken("OK.", done=False)[:-1]),
        (told(spoken("OK.").replace(b"\n", b"\r\n")),),
    ),
    (
        "stream_incomplete:cut_event",
        told(spoken("OK.", done=False) + b"data: [DON"),
        (told(spoken("OK.") + b"data: x"),),
    ),
    ("stream_incomplete:stream_ignored", told(dumps(document()), framing="length"), (told(spoken("OK."), headers={}),)),
)

FINISH: tuple[Example, ...] = (
    ("truncation_ambiguity:null", said("OK.", finish=None), (said("OK."),)),
    ("truncation_ambiguity:null", said("OK.", finish=...), ()),
    (
        "truncation_ambiguity:empty",
        said("OK.", finish=""),
        (told(events(chunk({"content": "OK."}, ""), chunk({}, "stop"), last())),),
    ),
    ("truncation_ambiguity:empty", told(events(chunk({"content": "OK."}, ""), chunk({}, ""), last())), ()),
    ("truncation_ambiguity:unknown_value", said("OK.", finish="eos"), (said("OK.", finish="length"),)),
    ("truncation_ambiguity:unknown_value", said("OK.", finish="STOP"), (said("OK.", finish="content_filter"),)),
    ("truncation_ambiguity:unknown_value", said("OK.", finish=1), ()),
    ("truncation_ambiguity:unknown_value", told(spoken("OK.", finish="end_turn")), ()),
    (
        "truncation_ambiguity:stop_at_cap",
        said("HTTP caching stores", "cap", usage=CAP),
        (
            said("HTTP caching stores", "cap", "length", usage=CAP),
            said("HTTP caching stores", "cap", "stop", usage=(12, 63)),
            said("HTTP caching stores", "cap", "length", usage=(12, 30)),
            json_said(GOOD, usage=CAP),
            said(TEXT, "text", usage=CAP),
        ),
    ),
    ("truncation_ambiguity:stop_at_cap", json_said('{"ok": true, "cou', usage=CAP), ()),
    (
        "truncation_ambiguity:stop_at_cap",
        told(spoken(TEXT[:6], usage=(12, 64)), "text"),
        (told(spoken(TEXT, usage=(12, 64)), "text"),),
    ),
    (
        "truncation_ambiguity:tool_calls_at_cap",
        doc(called(call('{"city": "Os'), usage=CAP), "call"),
        (doc(called(call(), usage=CAP), "call"),),
    ),
    (
        "truncation_ambiguity:stream_null",
        told(events(chunk({"content": "OK."}), last())),
        (told(events(chunk({"content": "OK."}, "stop"), chunk({}), last())),),
    ),
)

TOOLS: tuple[Example, ...] = (
    (
        "tool_call_malformed:args_not_json",
        doc(called(call("{'city': 'Oslo'}")), "call"),
        (doc(called(call()), "call"),),
    ),
    ("tool_call_malformed:args_not_json", doc(called(call('{"city": "Oslo", "days": NaN}')), "call"), ()),
    ("tool_call_malformed:args_not_json", doc(called(call("")), "call"), ()),
    ("tool_call_malformed:args_not_json", doc(called(call('{"city": "Os'), finish="length"), "call"), ()),
    (
        "tool_call_malformed:args_not_json",
        tool_stream([head_of()], [piece(SPLIT[0], 0)]),
        (tool_stream([head_of()], [piece(SPLIT[0], 0)], [piece(SPLIT[1], 0)]),),
    ),
    (
        "tool_call_malformed:args_not_string",
        doc(called(call({"city": "Oslo", "days": 3})), "call"),
        (doc(called(call(' {"days": 3, "city": "Oslo"}\n')), "call"),),
    ),
    ("tool_call_malformed:args_not_string", doc(called(call(None)), "call"), ()),
    ("tool_call_malformed:args_not_string", tool_stream([head_of(arguments={"city": "Oslo", "days": 3})]), ()),
    (
        "tool_call_malformed:index_missing",
        tool_stream([head_of(...)], [piece(SPLIT[0])], [piece(SPLIT[1])]),
        (
            tool_stream(
                [head_of(), piece(SPLIT[0], 0)], [piece(SPLIT[1], 0, function={"name": "", "arguments": SPLIT[1]})]
            ),
        ),
    ),
    ("tool_call_malformed:index_missing", tool_stream([head_of("0", arguments="".join(SPLIT))]), ()),
    ("tool_call_malformed:index_missing", tool_stream([head_of(None, arguments="".join(SPLIT))]), ()),
    (
        "tool_call_malformed:index_collision",
        tool_stream([head_of(0, "a", arguments="".join(SPLIT))], [head_of(0, "b", arguments="".join(SPLIT))]),
        (
            tool_stream([head_of(0, "a", arguments="".join(SPLIT))], [head_of(1, "b", arguments="".join(SPLIT))]),
            tool_stream([head_of(0, "a", arguments=SPLIT[0])], [head_of(0, "a", arguments=SPLIT[1])]),
            tool_stream([head_of(0, "a", arguments="".join(SPLIT))], [head_of(0, "a")], [head_of(0, ...)]),
        ),
    ),
    (
        "tool_call_malformed:index_collision",
        tool_stream([head_of(0, "", arguments="".join(SPLIT))], [head_of(0, "", arguments="".join(SPLIT))]),
        (tool_stream([head_of(1, "a", arguments="".join(SPLIT))]),),
    ),
    (
        "tool_call_malformed:duplicate_id",
        doc(called(call(), call()), "call"),
        (doc(called(call(), call(id_="call_2")), "call"),),
    ),
    (
        "tool_call_malformed:duplicate_id",
        tool_stream([head_of(0, "a", arguments="".join(SPLIT))], [head_of(1, "a", arguments="".join(SPLIT))]),
        (),
    ),
    ("tool_call_malformed:id_missing", doc(called(call(id_=...)), "call"), (doc(called(call(id_="0")), "call"),)),
    ("tool_call_malformed:id_missing", doc(called(call(id_="")), "call"), ()),
    ("tool_call_malformed:id_missing", tool_stream([head_of(0, ..., arguments="".join(SPLIT))]), ()),
    (
        "tool_call_malformed:id_missing",
        said(None, "call", "function_call", message={"function_call": call()["function"]}),
        (lambda: plain(LEGACY, document(None, "function_call", message={"function_call": call()["function"]})),),
    ),
    ("tool_call_malformed:name_unknown", doc(called(call(name="get_wether")), "call"), (doc(called(call()), "call"),)),
    (
        "tool_call_malformed:name_unknown",
        doc(called(call(name="")), "call"),
        (
            tool_stream(
                [head_of(0, "a", "get_")],
                [piece("".join(SPLIT), 0, function={"name": "weather", "arguments": "".join(SPLIT)})],
            ),
        ),
    ),
    ("tool_call_malformed:name_unknown", doc(called("get_weather"), "call"), ()),
    (
        "tool_call_malformed:finish_mismatch",
        doc(called(call(), finish="stop"), "call"),
        (
            lambda: plain(asked(tool_choice=NAMED), called(call(), finish="stop")),
            lambda: plain(asked(tool_choice=NAMED), called(call(), finish="tool_calls")),
            doc(called(call(), finish="length"), "call"),
        ),
    ),
    ("tool_call_malformed:finish_mismatch", doc(called(call(), finish="function_call"), "call"), ()),
    ("tool_call_malformed:finish_mismatch", said("OK.", finish="tool_calls"), (said("OK.", finish="stop"),)),
    (
        "tool_call_miss:tool_choice_ignored",
        said("It is sunny in Oslo.", "call"),
        (said("I look it up.", "call", "tool_calls", message={"tool_calls": [call()]}),),
    ),
    ("tool_call_miss:tool_choice_ignored", said("It is sunny.", "call", message={"tool_calls": []}), ()),
    ("tool_call_miss:tool_choice_ignored", said("", "call"), ()),
    (
        "tool_call_miss:call_in_text",
        said(f"<tool_call>{json.dumps(call()['function'])}</tool_call>", "call"),
        (doc(called(call()), "call"),),
    ),
    ("tool_call_miss:call_in_text", said('```json\n{"name": "get_weather", "parameters": {}}\n```', "call"), ()),
    ("tool_call_miss:call_in_text", said('[TOOL_CALLS][{"name": "get_weather"}]', "call"), ()),
    ("tool_call_miss:call_in_text", said('get_weather(city="Oslo", days=3)', "call"), ()),
    ("tool_call_miss:call_in_text", said("".join(SPLIT), "call"), ()),
    ("tool_call_miss:call_in_text", said("<function=get_weather><parameter=city>Oslo", "call"), ()),
    ("tool_call_miss:call_in_text", said("<｜tool▁calls▁begin｜>function", "call"), ()),
)

ACCOUNTING: tuple[Example, ...] = (
    ("accounting_anomaly:usage_missing", said("OK.", usage=...), (said("OK."),)),
    ("accounting_anomaly:usage_missing", said("OK.", usage=None), ()),
    ("accounting_anomaly:usage_missing", said("OK.", usage={}), ()),
    ("accounting_anomaly:usage_missing", said("OK.", usage={"input_tokens": 12, "output_tokens": 9}), ()),
    ("accounting_anomaly:usage_missing", with_usage(completion_tokens=...), (with_usage(total_tokens=...),)),
    ("accounting_anomaly:usage_missing", with_usage(prompt_tokens=None), (with_usage(prompt_tokens_details=None),)),
    (
        "accounting_anomaly:usage_missing",
        told(spoken("OK.", usage=None)),
        (
            lambda: stream(replace(CASES["answer"], stream_usage=False), spoken("OK.", usage=None)),
            told(events(chunk({"content": "OK."}, "stop", usage=counts((12, 9))), last() | {"usage": None})),
            told(events(chunk({"content": "OK."}, "stop"), last(), chunk({}) | {"usage": None})),
        ),
    ),
    ("accounting_anomaly:wrong_type", with_usage(prompt_tokens="12"), (with_usage(),)),
    ("accounting_anomaly:wrong_type", with_usage(prompt_tokens=12.0), ()),
    ("accounting_anomaly:wrong_type", with_usage(completion_tokens=True), ()),
    ("accounting_anomaly:wrong_type", with_usage(total_tokens="21"), ()),
    ("accounting_anomaly:wrong_type", with_usage(completion_tokens={"text": 9}), ()),
    ("accounting_anomaly:wrong_type", said("OK.", usage="21"), ()),
    ("accounting_anomaly:wrong_type", said("OK.", usage=[12, 9]), ()),
    ("accounting_anomaly:wrong_type", with_usage(completion_tokens_details={"reasoning_tokens": "3"}), ()),
    ("accounting_anomaly:wrong_type", with_usage(prompt_tokens=10**16, total_tokens=10**16 + 9), ()),
    ("accounting_anomaly:negative", with_usage(prompt_tokens=-12, total_tokens=-3), (with_usage(),)),
    ("accounting_anomaly:negative", with_usage(completion_tokens=-1), ()),
    ("accounting_anomaly:negative", with_usage(prompt_tokens_details={"cached_tokens": -1}), ()),
    (
        "accounting_anomaly:prompt_zero",
        with_usage(prompt_tokens=0, total_tokens=9),
        (with_usage(prompt_tokens=1, total_tokens=10),),
    ),
    (
        "accounting_anomaly:completion_zero",
        with_usage(completion_tokens=0, total_tokens=12),
        (with_usage(completion_tokens=1, total_tokens=13),),
    ),
    (
        "accounting_anomaly:completion_zero",
        told(events(chunk({"content": "OK."}, "stop", usage=counts((12, 0))))),
        (told(events(chunk({"content": "OK."}, "stop", usage=counts((12, 0))), last())),),
    ),
    ("accounting_anomaly:completion_zero", doc(called(call(), usage=(12, 0)), "call"), ()),
    (
        "accounting_anomaly:completion_gt_max",
        said(LONG, "cap", usage=(12, 65)),
        (
            said(LONG, "cap", "length", usage=(12, 64)),
            lambda: plain(replace(CASES["cap"], max_tokens=65), document(LONG, "length", (12, 65))),
        ),
    ),
    (
        "accounting_anomaly:reasoning_gt_completion",
        with_usage(completion_tokens_details={"reasoning_tokens": 10}),
        (
            with_usage(completion_tokens_details={"reasoning_tokens": 9}),
            with_usage(total_tokens=31, completion_tokens_details={"reasoning_tokens": 10}),
        ),
    ),
    (
        "accounting_anomaly:cached_gt_prompt",
        with_usage(prompt_tokens_details={"cached_tokens": 13}),
        (
            with_usage(prompt_tokens_details={"cached_tokens": 12}),
            with_usage(total_tokens=71, prompt_tokens_details={"cached_tokens": 50}),
        ),
    ),
    (
        "accounting_anomaly:total_mismatch",
        with_usage(total_tokens=623),
        (
            with_usage(total_tokens=623, completion_tokens_details={"reasoning_tokens": 602}),
            with_usage(
                total_tokens=78,
                prompt_tokens_details={"cached_tokens": 50},
                completion_tokens_details={"reasoning_tokens": 7},
            ),
        ),
    ),
    ("accounting_anomaly:total_mismatch", with_usage(total_tokens=0), ()),
    (
        "accounting_anomaly:total_mismatch",
        with_usage(total_tokens=20, completion_tokens_details={"reasoning_tokens": 5}),
        (),
    ),
)

CONTENT: tuple[Example, ...] = (
    (
        "empty_content:reasoning_only",
        said("", message={"reasoning_content": "OK."}),
        (said("OK.", message={"reasoning_content": "hm"}),),
    ),
    ("empty_content:reasoning_only", said(None, message={"reasoning": "OK."}), ()),
    ("empty_content:reasoning_only", said(..., message={"thinking": "OK."}), ()),
    ("empty_content:reasoning_only", said("<think>OK.</think>\n"), ()),
    ("empty_content:reasoning_only", with_usage(content="", completion_tokens_details={"reasoning_tokens": 9}), ()),
    ("empty_content:reasoning_only", told(events(chunk({"reasoning": "OK."}), chunk({}, "stop"), last())), ()),
    (
        "empty_content:cut_before_text",
        said("", finish="length"),
        (said("O", "cap", "length"),),
    ),
    ("empty_content:cut_before_text", said("", "call", "length"), ()),
    ("empty_content:cut_before_text", said(None, "cap", "length", usage=CAP), ()),
    ("empty_content:reasoning_only", said("", finish="length", message={"reasoning": "hm"}), ()),
    ("empty_content:reasoning_only", said("<think>hm", finish="length"), ()),
    ("empty_content:reasoning_only", said("", "call", "length", message={"reasoning": "hm"}), ()),
    ("empty_content:filtered", said("", finish="content_filter"), (said("OK.", finish="content_filter"),)),
    ("empty_content:refused", said(None, message={"refusal": "no"}), (said("OK.", message={"refusal": None}),)),
    ("empty_content:refused", said(None, "call", message={"refusal": "no"}), ()),
    ("empty_content:no_text", said(""), (said("OK."),)),
    ("empty_content:no_text", said(None), ()),
    ("empty_content:no_text", said(" \n"), ()),
    ("empty_content:no_text", told(spoken("")), ()),
    ("format_drift:code_fence", json_said(f"```json\n{GOOD}\n```"), (json_said(f"\n {GOOD}\r\n"),)),
    ("format_drift:code_fence", json_said(f"Sure:\n```\n{GOOD}\n```"), ()),
    ("format_drift:prose_around", json_said(f"Sure! {GOOD}"), (json_said('{"count": 2, "ok": true}'),)),
    ("format_drift:prose_around", json_said(f"{GOOD} Hope that helps."), ()),
    ("format_drift:prose_around", json_said(f"{GOOD}\nsee", "length"), ()),
    ("format_drift:special_token", json_said(f"{GOOD}<|im_end|>"), (said("OK. <b>|</b>"),)),
    ("format_drift:special_token", json_said(f"<s> {GOOD}</s>"), ()),
    ("format_drift:special_token", said("OK.<|eot_id|>"), ()),
    ("format_drift:special_token", said("OK.<｜end▁of▁sentence｜>"), ()),
    ("format_drift:reasoning_inline", json_said(f"<think>two</think>{GOOD}"), (said("I think OK."),)),
    ("format_drift:reasoning_inline", json_said(f"two</think>\n\n{GOOD}"), ()),
    ("format_drift:reasoning_inline", said("<think>hm</think>OK."), ()),
    (
        "format_drift:nonstandard_constant",
        json_said('{"ok": true, "count": Infinity}'),
        (json_said('{"ok": true, "count": 2e0}'),),
    ),
    ("format_drift:several_values", json_said(f"{GOOD}\n{GOOD}"), (json_said(GOOD),)),
    ("format_drift:several_values", json_said(f"{GOOD},{GOOD}"), ()),
    (
        "format_drift:cut_by_cap",
        json_said('{"ok": true, "cou', "length", usage=CAP),
        (json_said(f"{GOOD}{' ' * 40}", "length", usage=CAP),),
    ),
    ("format_drift:cut_by_cap", json_said('{"ok":      \n\n\n   ', "length", usage=CAP), ()),
    ("format_drift:cut_by_cap", json_said("   \n\n ", "length", usage=CAP), ()),
    ("format_drift:cut_by_cap", json_said('```json\n{"ok": tr', "length"), ()),
    ("format_drift:not_json", json_said("The count is two."), (json_said(GOOD),)),
    ("format_drift:not_json", json_said("{'ok': True, 'count': 2}"), ()),
    ("format_drift:not_json", json_said('{"ok": true, "count": 2,}'), ()),
    ("format_drift:not_json", json_said('{"ok": true, "count": 2'), ()),
    ("format_drift:not_json", json_said('{"ok": true, "count": [1, 2],}'), ()),
    ("format_drift:prose_around", json_said(f"\ufeff{GOOD}"), ()),
    ("format_drift:prose_around", json_said(f"\u00a0{GOOD}\u00a0"), ()),
    ("transport_error:bad_framing", ended("fin", b"SSH-2.0-OpenSSH_9.2\r\n"), (ended("fin", WHOLE),)),
    ("schema_miss:duplicate_key", json_said('{"ok": true, "count": 1, "count": 2}'), (json_said(GOOD),)),
    ("schema_miss:duplicate_key", json_said('{"ok": true, "count": 2, "c\\u006funt": 2}'), ()),
    (
        "schema_miss:extra_key",
        json_said('{"ok": true, "count": 2, "why": "two"}'),
        (json_said('{"count": 2.0, "ok": true}'),),
    ),
    (
        "schema_miss:extra_key",
        said('{"ok": true, "count": 7, "why": 1}', "schema"),
        (said('{"ok": true, "count": 7}', "schema"),),
    ),
    ("schema_miss:missing_key", json_said('{"ok": true}'), (said('{"ok": false, "count": -7}', "schema"),)),
    ("schema_miss:wrong_type", json_said('{"ok": true, "count": "2"}'), (json_said(GOOD),)),
    ("schema_miss:wrong_type", json_said(json.dumps(GOOD)), ()),
    ("schema_miss:wrong_type", json_said("[1]"), ()),
    ("schema_miss:wrong_type", json_said('{"ok": 1, "count": 2}'), ()),
    (
        "schema_miss:wrong_type",
        said('{"ok": true, "count": 2.5}', "schema"),
        (said('{"ok": true, "count": 2.0}', "schema"),),
    ),
    (
        "schema_miss:value_not_allowed",
        lambda: plain(replace(CASES["schema"], expect={"schema": {"enum": ["a", "b"]}}), document('"c"')),
        (lambda: plain(replace(CASES["schema"], expect={"schema": {"enum": ["a", "b"]}}), document('"b"')),),
    ),
    (
        "schema_miss:tool_args",
        doc(called(call('{"city": "Oslo", "days": 9}')), "call"),
        (doc(called(call('{"city": "", "days": 5}')), "call"),),
    ),
    ("schema_miss:tool_args", doc(called(call("[1]")), "call"), ()),
    ("schema_miss:tool_args", doc(called(call('{"city": "Oslo"}')), "call"), ()),
    ("content_miss:wrong_value", json_said('{"ok": true, "count": 3}'), (json_said(GOOD),)),
    ("content_miss:wrong_value", named('{"name": "Zürich", "n": 3}'), (named('{"n": 2, "name": "Z\\u00fcrich"}'),)),
    ("content_miss:wrong_value", named('{"name": "Genf", "n": 2}'), ()),
    ("content_miss:unicode_loss", named('{"name": "Z\ufffdrich", "n": 2}'), ()),
    ("content_miss:unicode_loss", named('{"name": "ZÃ¼rich", "n": 2}'), ()),
    (
        "content_miss:unicode_normalised",
        named('{"name": "Zu\u0308rich", "n": 2}'),
        (named('{"name": "Zürich", "n": 2}'),),
    ),
    ("content_miss:wrong_value", said("No."), (said("It is OK."),)),
    ("content_miss:unicode_loss", said("caf\ufffd / 第二行 / end", "text"), (said(TEXT, "text"),)),
    ("content_miss:unicode_loss", said(TEXT.encode().decode("latin-1"), "text"), ()),
    ("content_miss:unicode_loss", said("caf? / ??? / end", "text"), ()),
    ("content_miss:unicode_loss", said("caf / / end".replace("/ /", "/  /"), "text"), ()),
    ("content_miss:unicode_loss", said("cafe / 第二行 / end", "text"), ()),
    ("content_miss:unicode_loss", said("caf\\u00e9 / \\u7b2c\\u4e8c\\u884c / end", "text"), ()),
    ("content_miss:unicode_loss", said("caf&eacute; / 第二行 / end", "text"), ()),
    ("content_miss:unicode_loss", said("caf%C3%A9 / 第二行 / end", "text"), ()),
    ("content_miss:unicode_loss", said("caf\\xc3\\xa9 / 第二行 / end", "text"), ()),
    ("content_miss:unicode_loss", doc(lone("caf\\ud83d / end"), "text"), ()),
    ("content_miss:unicode_normalised", said("cafe\u0301 / 第二行 / end", "text"), ()),
    ("content_miss:text_differs", said(f"{TEXT}\n", "text"), (told(spoken(*TEXT), "text"),)),
    ("content_miss:text_differs", said("café / 第三行 / end", "text"), ()),
    ("content_miss:text_differs", said("Café / 第二行 / end", "text"), ()),
    ("content_miss:text_differs", said("café / 第二", "text", "length"), ()),
)

CONTROLS: tuple[Example, ...] = (
    ("error_contract:accepted", control(200, dumps(document())), (control(400),)),
    ("error_contract:accepted", control(200, b'{"error": {"message": "no"}}'), (control(422, b'{"detail": "no"}'),)),
    ("error_contract:accepted", control(202, b""), ()),
    ("error_contract:accepted", control(200, events({"error": {"message": "no"}}), headers=SSE, framing="chunked"), ()),
    ("error_contract:server_error", control(500), (control(404),)),
    ("error_contract:server_error", control(503, b""), ()),
    ("error_contract:unstructured", control(400, b""), (control(400, b'{"error": "no"}'),)),
    ("error_contract:unstructured", control(400, b"<html>no</html>"), (control(413, b'{"message": "no"}'),)),
    ("error_contract:unstructured", control(400, b'"no"'), ()),
    ("error_contract:unstructured", control(400, b'[{"error": 1}]'), ()),
    ("error_contract:unstructured", control(400, b"null"), ()),
    ("error_contract:unstructured", control(400, b'{"error": {"message": "no"}', "fin"), ()),
    ("error_contract:redirected", control(302, b"", headers={"location": "/login"}), (control(401),)),
    ("error_contract:no_response", ended("fin", case="malformed"), (control(400),)),
    ("error_contract:no_response", ended("deadline", case="malformed"), ()),
    ("error_contract:no_response", ended("reset", case="malformed"), ()),
    ("error_contract:no_response", ended("send_failed", case="malformed"), (control(400, end="send_failed"),)),
    ("error_contract:no_response", ended("illegal", b"\x15\x03\x01\x00\x02", case="malformed"), ()),
    ("http_error:rate_limited", control(429), ()),
    ("transport_error:refused", ended("refused", case="malformed"), ()),
    ("timeout:not_connected", ended("deadline", case="malformed", connected_us=NotMeasured("no")), ()),
)
EXAMPLES = (*TRANSPORT, *ENVELOPE, *FINISH, *TOOLS, *ACCOUNTING, *CONTENT, *CONTROLS)
