"""Rows of tool calls, and of requests that are wrong on purpose."""

from __future__ import annotations

import json
from typing import Any

from e2e.probe_answers import (
    ARGS,
    COUNTED,
    DONE,
    END,
    JSON,
    SSE,
    START,
    TOOL,
    TOOL_END,
    TOOL_START,
    TOOL_STREAM,
    TYPE,
    USAGE,
    WHOLE,
    WRONG,
    Row,
    answer,
    bad,
    called,
    chunked,
    event,
    heads,
    ok,
    piece,
    plain,
    stream,
    wire,
)

FORBIDDEN = {"malformed": False, "stream": False, "tools": True, "prompt": "Say hello"}
NAMED = {"malformed": False, "stream": False, "tools": True, "prompt": "Switch on"}
IN_TEXT = {
    "lmstudio": f'[TOOL_REQUEST]{{"name": "get_weather", "arguments": {ARGS}}}[END_TOOL_REQUEST]',
    "mistral": "[TOOL_CALLS]get_weather[ARGS]" + ARGS,
    "llama": f'<|python_tag|>{{"name": "get_weather", "parameters": {ARGS}}}',
    "kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>" + ARGS,
    "harmony": "<|channel|>commentary to=functions.get_weather<|message|>" + ARGS,
    "pythonic": '[get_weather(city="Oslo", days=3)]',
    "prefixed-tag": '<minimax:tool_call><invoke name="get_weather"></invoke></minimax:tool_call>',
    "dsml": '<｜DSML｜function_calls><｜DSML｜invoke name="get_weather">',
    "action": "Action: get_weather\nAction Input: " + ARGS,
    "fenced-arguments": f"```json\n{ARGS}\n```",
}


def calls(*made: Any, finish: Any = "tool_calls", content: Any = None) -> dict[str, Any]:
    """An answer with these calls."""
    return answer(plain(content, finish, tool_calls=list(made)))


def call(args: Any = ARGS, id_: Any = "call_1", name: Any = "get_weather", **more: Any) -> dict[str, Any]:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": args}, **more}


def tool_stream(*pieces: str, fin: str = TOOL_END) -> dict[str, Any]:
    """A stream of pieces of calls."""
    return stream(START, *pieces, fin, COUNTED, DONE)


def wrong(name: str, response: dict[str, Any], cls: str, reason: str) -> Row:
    """An answer to a request that is wrong on purpose."""
    return name, WRONG, response, cls, reason


TOOL_ROWS: tuple[Row, ...] = (
    ok("t-parallel", TOOL, calls(call(), call('{"city":"Rome","days":1}', "call_2"))),
    ok("t-spaced-args", TOOL, calls(call('\n{ "city" : "Oslo",\n "days" : 3 }\n'))),
    ok(
        "t-reasoning-beside",
        TOOL,
        answer(plain(None, "tool_calls", tool_calls=[call()], reasoning_content="They want weather")),
    ),
    bad("t-dup-id", TOOL, calls(call(), call('{"city":"Rome","days":1}')), "tool_call_malformed", "duplicate_id"),
    bad("t-empty-id", TOOL, calls(call(id_="")), "tool_call_malformed", "id_missing"),
    bad("t-args-null", TOOL, calls(call(None)), "tool_call_malformed", "args_not_string"),
    bad("t-args-python", TOOL, calls(call("{'city': 'Oslo', 'days': 3}")), "tool_call_malformed", "args_not_json"),
    bad("t-args-twice", TOOL, calls(call(ARGS + ARGS)), "tool_call_malformed", "args_not_json"),
    bad("t-args-braces-first", TOOL, calls(call("{}" + ARGS)), "tool_call_malformed", "args_not_json"),
    bad("t-args-tail", TOOL, calls(call(ARGS + "</tool_call>")), "tool_call_malformed", "args_not_json"),
    bad("t-args-double", TOOL, calls(call(json.dumps(ARGS))), "schema_miss", "tool_args"),
    bad("t-args-dup-key", TOOL, calls(call('{"city":"Rome","city":"Oslo","days":3}')), "schema_miss", "duplicate_key"),
    bad("t-args-empty-object", TOOL, calls(call("{}")), "schema_miss", "tool_args"),
    bad(
        "t-second-unknown", TOOL, calls(call(), call("{}", "call_2", "get_news")), "tool_call_malformed", "name_unknown"
    ),
    bad("t-name-prefixed", TOOL, calls(call(name="functions.get_weather")), "tool_call_malformed", "name_unknown"),
    bad("t-name-null", TOOL, calls(call(name=None)), "tool_call_malformed", "name_unknown"),
    bad(
        "t-flat",
        TOOL,
        calls({"id": "call_1", "type": "function", "name": "get_weather", "arguments": ARGS}),
        "tool_call_malformed",
        "args_not_string",
    ),
    bad("t-finish-stop", TOOL, calls(call(), finish="stop"), "tool_call_malformed", "finish_mismatch"),
    bad("t-finish-singular", TOOL, calls(call(), finish="tool_call"), "truncation_ambiguity", "unknown_value"),
    bad("t-finish-null", TOOL, calls(call(), finish=None), "truncation_ambiguity", "null"),
    bad(
        "t-legacy",
        TOOL,
        answer(plain(None, "function_call", function_call={"name": "get_weather", "arguments": ARGS})),
        "tool_call_malformed",
        "id_missing",
    ),
    bad(
        "t-finish-calls-none",
        TOOL,
        answer(plain("The weather is fine.", "tool_calls")),
        "tool_call_miss",
        "tool_choice_ignored",
    ),
    bad(
        "t-empty-list",
        TOOL,
        answer(plain("", finish="tool_calls", tool_calls=[])),
        "tool_call_miss",
        "tool_choice_ignored",
    ),
    ok(
        "ts-args-null-first",
        TOOL_STREAM,
        tool_stream(
            piece(index=0, id="call_1", type="function", function={"name": "get_weather", "arguments": None}),
            piece(index=0, function={"arguments": ARGS}),
        ),
    ),
    ok(
        "ts-id-each",
        TOOL_STREAM,
        tool_stream(
            *[
                piece(
                    index=0,
                    id="call_1",
                    type="function",
                    function={"name": "get_weather" if i == 0 else None, "arguments": ARGS[i * 6 : (i + 1) * 6]},
                )
                for i in range(5)
            ]
        ),
    ),
    ok(
        "ts-name-each",
        TOOL_STREAM,
        tool_stream(
            *[
                piece(
                    index=0,
                    id="call_1",
                    type="function",
                    function={"name": "get_weather", "arguments": ARGS[i * 6 : (i + 1) * 6]},
                )
                for i in range(5)
            ]
        ),
    ),
    ok(
        "ts-name-split",
        TOOL_STREAM,
        tool_stream(
            piece(index=0, id="call_1", type="function", function={"name": "get_"}),
            piece(index=0, function={"name": "weather"}),
            piece(index=0, function={"arguments": ARGS}),
        ),
    ),
    ok(
        "ts-name-late",
        TOOL_STREAM,
        tool_stream(
            piece(index=0, id="call_1", type="function", function={"arguments": ""}),
            piece(index=0, function={"name": "get_weather"}),
            piece(index=0, function={"arguments": ARGS}),
        ),
    ),
    ok(
        "ts-id-last",
        TOOL_STREAM,
        tool_stream(piece(index=0, function={"name": "get_weather", "arguments": ARGS}), piece(index=0, id="call_1")),
    ),
    ok(
        "ts-id-empty-later",
        TOOL_STREAM,
        tool_stream(TOOL_START, piece(index=0, id="", function={"name": "", "arguments": ARGS})),
    ),
    ok(
        "ts-id-null-later",
        TOOL_STREAM,
        tool_stream(TOOL_START, piece(index=0, id=None, type=None, function={"name": None, "arguments": ARGS})),
    ),
    ok(
        "ts-index-one",
        TOOL_STREAM,
        tool_stream(piece(index=1, id="call_1", type="function", function={"name": "get_weather", "arguments": ARGS})),
    ),
    ok(
        "ts-interleaved",
        TOOL_STREAM,
        tool_stream(
            TOOL_START,
            piece(index=1, id="call_2", type="function", function={"name": "get_weather", "arguments": ""}),
            piece(index=0, function={"arguments": ARGS[:9]}),
            piece(index=1, function={"arguments": ARGS[:5]}),
            piece(index=0, function={"arguments": ARGS[9:]}),
            piece(index=1, function={"arguments": ARGS[5:]}),
        ),
    ),
    ok(
        "ts-finish-with-piece",
        TOOL_STREAM,
        stream(
            START,
            TOOL_START,
            event({"tool_calls": [{"index": 0, "function": {"arguments": ARGS}}]}, "tool_calls"),
            COUNTED,
            DONE,
        ),
    ),
    ok(
        "ts-empty-calls-between",
        TOOL_STREAM,
        stream(
            event({"role": "assistant", "content": "", "tool_calls": []}),
            TOOL_START,
            event({"tool_calls": None}),
            piece(index=0, function={"arguments": ARGS}),
            event({"tool_calls": []}, "tool_calls"),
            COUNTED,
            DONE,
        ),
    ),
    bad(
        "ts-index-null",
        TOOL_STREAM,
        tool_stream(
            piece(index=None, id="call_1", type="function", function={"name": "get_weather", "arguments": ARGS})
        ),
        "tool_call_malformed",
        "index_missing",
    ),
    bad(
        "ts-new-id-each",
        TOOL_STREAM,
        tool_stream(
            *[
                piece(
                    index=0,
                    id=f"call_{i}",
                    type="function",
                    function={"name": "get_weather" if i == 0 else None, "arguments": ARGS[i * 6 : (i + 1) * 6]},
                )
                for i in range(5)
            ]
        ),
        "tool_call_malformed",
        "index_collision",
    ),
    bad(
        "ts-gemini-index-zero",
        TOOL_STREAM,
        tool_stream(
            piece(index=0, id="call_1", type="function", function={"name": "get_weather", "arguments": ARGS}),
            piece(index=0, id="call_2", type="function", function={"name": "get_weather", "arguments": ARGS}),
        ),
        "tool_call_malformed",
        "index_collision",
    ),
    bad(
        "ts-gemini-empty-ids",
        TOOL_STREAM,
        tool_stream(piece(index=0, id="", type="function", function={"name": "get_weather", "arguments": ARGS})),
        "tool_call_malformed",
        "id_missing",
    ),
    bad(
        "ts-braces-then-args",
        TOOL_STREAM,
        tool_stream(
            piece(index=0, id="call_1", type="function", function={"name": "get_weather", "arguments": "{}"}),
            piece(index=0, function={"arguments": ARGS}),
        ),
        "tool_call_malformed",
        "args_not_json",
    ),
    bad(
        "ts-cumulative-args",
        TOOL_STREAM,
        tool_stream(
            TOOL_START, piece(index=0, function={"arguments": ARGS[:9]}), piece(index=0, function={"arguments": ARGS})
        ),
        "tool_call_malformed",
        "args_not_json",
    ),
    bad(
        "ts-finish-stop",
        TOOL_STREAM,
        tool_stream(TOOL_START, piece(index=0, function={"arguments": ARGS}), fin=END),
        "tool_call_malformed",
        "finish_mismatch",
    ),
    bad(
        "ts-args-object",
        TOOL_STREAM,
        tool_stream(
            piece(
                index=0, id="call_1", type="function", function={"name": "get_weather", "arguments": json.loads(ARGS)}
            )
        ),
        "tool_call_malformed",
        "args_not_string",
    ),
    bad(
        "ts-message-not-delta",
        TOOL_STREAM,
        stream("data: " + json.dumps({**called(), "object": "chat.completion.chunk"}) + "\n\n", DONE),
        "envelope_error",
        "no_message",
    ),
    bad(
        "ts-text-call",
        TOOL_STREAM,
        stream(
            START,
            event({"content": "<tool"}),
            event({"content": "_call>"}),
            event({"content": '{"name":"get_weather"}'}),
            END,
            COUNTED,
            DONE,
        ),
        "tool_call_miss",
        "call_in_text",
    ),
    bad(
        "ts-no-done",
        TOOL_STREAM,
        stream(START, TOOL_START, piece(index=0, function={"arguments": ARGS}), TOOL_END, COUNTED),
        "stream_incomplete",
        "no_done",
    ),
    bad(
        "t-forbidden-call",
        FORBIDDEN,
        answer(
            plain(
                None,
                "tool_calls",
                tool_calls=[
                    {"id": "c1", "type": "function", "function": {"name": "get_time", "arguments": '{"city":"Oslo"}'}}
                ],
            )
        ),
        "tool_call_miss",
        "tool_choice_ignored",
    ),
    ok(
        "t-named-stop",
        NAMED,
        answer(
            plain(
                None,
                "stop",
                tool_calls=[
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "set_light", "arguments": '{"room":"kitchen","on":true}'},
                    }
                ],
            )
        ),
    ),
    wrong(
        "w-detail-list",
        answer({"detail": [{"loc": ["body", "messages"], "msg": "field required", "type": "missing"}]}, 422),
        "pass",
        "",
    ),
    wrong(
        "w-message",
        answer({"message": "bad", "type": "BadRequestError", "code": 400, "object": "error"}, 400),
        "pass",
        "",
    ),
    wrong("w-error-string", answer({"error": "bad"}, 400), "pass", ""),
    wrong("w-list", answer([{"error": {"code": 400, "message": "x"}}], 400), "error_contract", "unstructured"),
    wrong("w-sse", answer('data: {"error":{"message":"x"}}\n\n', 400, SSE), "error_contract", "unstructured"),
    wrong("w-empty", answer("", 400), "error_contract", "unstructured"),
    wrong("w-cut-json", answer('{"error": {"message"', 400), "error_contract", "unstructured"),
    wrong("w-204", answer("", 204), "error_contract", "accepted"),
    wrong("w-200-stream", stream(*WHOLE), "error_contract", "accepted"),
    wrong("w-301", answer("", 301, [["location", "/x"]]), "error_contract", "redirected"),
    wrong("w-reset", wire(close="reset"), "error_contract", "no_response"),
    wrong("w-fin", wire(), "error_contract", "no_response"),
    wrong(
        "w-chunked",
        wire(
            heads(TYPE, "Transfer-Encoding: chunked", first="HTTP/1.1 400 Bad Request")
            + chunked(b'{"error":', b'{"message":"x"}}')
        ),
        "pass",
        "",
    ),
    wrong("w-eof", wire(heads(TYPE, first="HTTP/1.0 400 Bad Request") + b'{"error":{"message":"x"}}'), "pass", ""),
    wrong("w-429-empty", answer("", 429, [["retry-after", "1"]]), "http_error", "rate_limited"),
    bad(
        "completion-zero-call",
        TOOL,
        answer(
            called()["choices"]
            and {**called(), "usage": {"prompt_tokens": 10, "completion_tokens": 0, "total_tokens": 10}}
        ),
        "accounting_anomaly",
        "completion_zero",
    ),
    bad("args-bad-and-stop", TOOL, calls(call("{'a'"), finish="stop"), "tool_call_malformed", "args_not_json"),
    bad(
        "call-cut-at-cap-calls",
        TOOL,
        answer({**called('{"city":"Os'), "usage": {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74}}),
        "truncation_ambiguity",
        "tool_calls_at_cap",
    ),
    bad(
        "call-cut-length",
        TOOL,
        answer(
            {
                **called('{"city":"Os', "length"),
                "usage": {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74},
            }
        ),
        "tool_call_malformed",
        "args_not_json",
    ),
    ok(
        "call-whole-at-cap",
        TOOL,
        answer({**called(), "usage": {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74}}),
    ),
    ok(
        "call-whole-length",
        TOOL,
        answer(
            {**called(finish="length"), "usage": {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74}}
        ),
    ),
    bad(
        "text-at-cap-before-call",
        TOOL,
        answer(
            plain("Let me think about", "length", {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74})
        ),
        "tool_call_miss",
        "tool_choice_ignored",
    ),
    bad(
        "nothing-at-cap-before-call",
        TOOL,
        answer(
            plain(
                None,
                "length",
                {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74},
                reasoning_content="hm",
            )
        ),
        "empty_content",
        "reasoning_only",
    ),
    bad(
        "no-index-two",
        TOOL_STREAM,
        tool_stream(
            piece(id="a", type="function", function={"name": "get_weather", "arguments": ARGS}),
            piece(id="b", type="function", function={"name": "get_weather", "arguments": ARGS}),
        ),
        "tool_call_malformed",
        "index_missing",
    ),
    bad(
        "same-id-two-index",
        TOOL_STREAM,
        tool_stream(
            piece(index=0, id="a", type="function", function={"name": "get_weather", "arguments": ARGS}),
            piece(index=1, id="a", type="function", function={"name": "get_weather", "arguments": ARGS}),
        ),
        "tool_call_malformed",
        "duplicate_id",
    ),
    bad(
        "index-negative",
        TOOL_STREAM,
        tool_stream(piece(index=-1, id="a", type="function", function={"name": "get_weather", "arguments": ARGS})),
        "tool_call_malformed",
        "index_missing",
    ),
    bad(
        "two-whole-same-index-no-id",
        TOOL_STREAM,
        tool_stream(
            piece(index=0, function={"name": "get_weather", "arguments": ARGS}),
            piece(index=0, function={"name": "get_weather", "arguments": ARGS}),
        ),
        "tool_call_malformed",
        "index_collision",
    ),
    bad("null-call", TOOL, calls(None), "tool_call_malformed", "name_unknown"),
    bad(
        "type-other",
        TOOL,
        calls({"id": "c", "type": "custom", "custom": {"name": "get_weather", "input": ARGS}}),
        "tool_call_malformed",
        "args_not_string",
    ),
    bad(
        "legacy-stream",
        TOOL_STREAM,
        stream(
            START,
            event({"function_call": {"name": "get_weather", "arguments": ""}}),
            event({"function_call": {"arguments": ARGS}}),
            event({}, "function_call"),
            COUNTED,
            DONE,
        ),
        "tool_call_malformed",
        "id_missing",
    ),
    ok(
        "text-then-call",
        TOOL_STREAM,
        stream(
            START,
            event({"content": "I will check."}),
            TOOL_START,
            piece(index=0, function={"arguments": ARGS}),
            TOOL_END,
            COUNTED,
            DONE,
        ),
    ),
    ok(
        "reasoning-then-call",
        TOOL_STREAM,
        stream(
            START,
            event({"reasoning_content": "hm"}),
            TOOL_START,
            piece(index=0, function={"arguments": ARGS}),
            TOOL_END,
            COUNTED,
            DONE,
        ),
    ),
    ok(
        "content-beside-pieces",
        TOOL_STREAM,
        stream(
            START,
            event(
                {
                    "content": "",
                    "tool_calls": [
                        {
                            "index": 0,
                            "id": "a",
                            "type": "function",
                            "function": {"name": "get_weather", "arguments": ARGS},
                        }
                    ],
                }
            ),
            TOOL_END,
            COUNTED,
            DONE,
        ),
    ),
    ok(
        "usage-in-tool-end",
        TOOL_STREAM,
        stream(
            START, TOOL_START, piece(index=0, function={"arguments": ARGS}), event({}, "tool_calls", usage=USAGE), DONE
        ),
    ),
    ok(
        "no-role-tool",
        TOOL_STREAM,
        stream(TOOL_START, piece(index=0, function={"arguments": ARGS}), TOOL_END, COUNTED, DONE),
    ),
    bad(
        "tool-stream-null-finish",
        TOOL_STREAM,
        stream(START, TOOL_START, piece(index=0, function={"arguments": ARGS}), COUNTED, DONE),
        "truncation_ambiguity",
        "stream_null",
    ),
    bad(
        "tool-stream-cut",
        TOOL_STREAM,
        stream(START, TOOL_START, piece(index=0, function={"arguments": ARGS[:8]}), close="truncate"),
        "transport_error",
        "incomplete_body",
    ),
    bad("args-escaped-twice", TOOL, calls(call(ARGS.replace('"', '\\"'))), "tool_call_malformed", "args_not_json"),
    bad("args-list-text", TOOL, calls(call("[" + ARGS + "]")), "schema_miss", "tool_args"),
    bad("args-days-float", TOOL, calls(call('{"city":"Oslo","days":3.5}')), "schema_miss", "tool_args"),
    bad("args-days-range", TOOL, calls(call('{"city":"Oslo","days":9}')), "schema_miss", "tool_args"),
    bad(
        "tool-calls-dict",
        TOOL,
        answer(plain(None, "tool_calls", tool_calls={"0": call()})),
        "tool_call_malformed",
        "name_unknown",
    ),
    bad(
        "tool-calls-text",
        TOOL,
        answer(plain(None, "tool_calls", tool_calls=json.dumps([call()]))),
        "tool_call_malformed",
        "name_unknown",
    ),
    ok("args-unicode-escape", TOOL, calls(call('{"city":"\\u004fslo","days":3}'))),
    wrong("w-400-html-json-label", answer("<html>", 400, JSON), "error_contract", "unstructured"),
    wrong(
        "w-400-latin1",
        answer('{"error":{"message":"caf\xe9"}}'.encode("latin-1"), 400),
        "error_contract",
        "unstructured",
    ),
    wrong("w-400-nan", answer('{"error":{"message":"x","v":NaN}}', 400), "error_contract", "unstructured"),
    wrong("w-400-bom", answer(b"\xef\xbb\xbf" + b'{"error":{"message":"x"}}', 400), "error_contract", "unstructured"),
    wrong("w-200-answer-err", answer({"error": {"message": "x", "code": 400}}, 200), "error_contract", "accepted"),
    wrong("w-rpc", answer({"code": 3, "message": "invalid", "details": []}, 400), "pass", ""),
    wrong(
        "w-problem",
        answer(
            {"type": "about:blank", "title": "Bad Request", "status": 400},
            400,
            [["content-type", "application/problem+json"]],
        ),
        "pass",
        "",
    ),
    *(
        bad(f"t-text-{name}", TOOL, answer(plain(text)), "tool_call_miss", "call_in_text")
        for name, text in IN_TEXT.items()
    ),
    *(
        wrong(f"w{code}", answer({"error": {"message": "no"}}, code), "pass", "")
        for code in (401, 404, 405, 413, 415, 422)
    ),
    *(
        wrong(f"w{code}", answer({"error": {"message": "no"}}, code), "error_contract", "server_error")
        for code in (501, 504, 520)
    ),
)
