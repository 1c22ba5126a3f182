"""Further scripted faults and legal oddities, made up here: neighbours of the 87 public ones, each with its right class."""

from __future__ import annotations

import gzip
import json
from typing import Any

from e2e.probe_answers import (
    ARGS,
    ASK_JSON,
    COUNTED,
    DONE,
    END,
    EXACT,
    GOOD_JSON,
    JSON,
    LONG,
    SAY,
    SAY_STREAM,
    START,
    TOOL,
    TOOL_END,
    TOOL_START,
    TOOL_STREAM,
    USAGE,
    WHOLE,
    WRONG,
    Row,
    answer,
    called,
    event,
    piece,
    plain,
    stream,
)
from e2e.probe_rows_answers import ANSWER_ROWS
from e2e.probe_rows_modes import MODE_ROWS
from e2e.probe_rows_streams import STREAM_ROWS
from e2e.probe_rows_texts import TEXT_ROWS
from e2e.probe_rows_tools import TOOL_ROWS
from e2e.probe_rows_wire import WIRE_ROWS

ROWS: tuple[Row, ...] = (
    # strict JSON
    ("fence-tilde", ASK_JSON, answer(plain("~~~json\n" + GOOD_JSON + "\n~~~")), "format_drift", "code_fence"),
    ("fence-no-language", ASK_JSON, answer(plain("```\n" + GOOD_JSON + "\n```")), "format_drift", "code_fence"),
    (
        "prose-behind",
        ASK_JSON,
        answer(plain(GOOD_JSON + "\nLet me know if you need more.")),
        "format_drift",
        "prose_around",
    ),
    ("end-token", ASK_JSON, answer(plain(GOOD_JSON + "<|im_end|>")), "format_drift", "special_token"),
    ("two-values", ASK_JSON, answer(plain(GOOD_JSON + "\n" + GOOD_JSON)), "format_drift", "several_values"),
    ("infinity", ASK_JSON, answer(plain('{"ok": true, "count": Infinity}')), "format_drift", "nonstandard_constant"),
    ("trailing-comma", ASK_JSON, answer(plain('{"ok": true, "count": 2,}')), "format_drift", "not_json"),
    ("single-quotes", ASK_JSON, answer(plain("{'ok': true, 'count': 2}")), "format_drift", "not_json"),
    (
        "cut-by-cap",
        ASK_JSON,
        answer(plain('{"ok": true, "cou' + " " * 40, "length", {**USAGE, "completion_tokens": 64, "total_tokens": 74})),
        "format_drift",
        "cut_by_cap",
    ),
    ("missing-key", ASK_JSON, answer(plain('{"ok": true}')), "schema_miss", "missing_key"),
    ("bool-as-int", ASK_JSON, answer(plain('{"ok": 1, "count": 2}')), "schema_miss", "wrong_type"),
    ("json-in-string", ASK_JSON, answer(plain(json.dumps(GOOD_JSON))), "schema_miss", "wrong_type"),
    ("ok-pretty-printed", ASK_JSON, answer(plain('{\n  "count": 2,\n  "ok": true\n}\n')), "pass", ""),
    ("ok-escaped-keys", ASK_JSON, answer(plain('{"\\u006fk": true, "count": 2}')), "pass", ""),
    # envelope
    ("null-body", SAY, answer("null"), "envelope_error", "not_an_object"),
    ("list-body", SAY, answer("[]"), "envelope_error", "not_an_object"),
    ("cut-body", SAY, answer('{"id": "x", "choices": [{"index": 0'), "envelope_error", "not_json"),
    ("choices-missing", SAY, answer({"id": "x", "usage": USAGE}), "envelope_error", "no_choices"),
    ("choices-null", SAY, answer({"id": "x", "choices": None}), "envelope_error", "no_choices"),
    (
        "message-missing",
        SAY,
        answer({"id": "x", "choices": [{"index": 0, "finish_reason": "stop"}], "usage": USAGE}),
        "envelope_error",
        "no_message",
    ),
    ("content-number", SAY, answer(plain(7)), "envelope_error", "content_not_string"),
    ("twice-choices", SAY, answer(json.dumps(plain())[:-1] + ', "choices": []}'), "envelope_error", "duplicate_key"),
    ("huge-nesting", SAY, answer('{"choices": ' + "[" * 5000 + "]" * 5000 + "}"), "envelope_error", "too_deep"),
    ("utf16-body", SAY, answer(json.dumps(plain()).encode("utf-16-le")), "envelope_error", "not_json"),
    ("ok-error-null", SAY, answer({**plain(), "error": None}), "pass", ""),
    (
        "ok-unknown-fields",
        SAY,
        answer({**plain(), "x_groq": {"id": "r"}, "service_tier": None, "timings": {"p": 1.5e-3}}),
        "pass",
        "",
    ),
    ("ok-white-space-around", SAY, answer("\n\n  " + json.dumps(plain()) + "\r\n"), "pass", ""),
    # in band
    ("error-string", SAY, answer({"error": "model overloaded"}), "inband_error", "error_in_200"),
    (
        "error-object-text",
        SAY,
        answer({"object": "error", "message": "bad", "code": 40001}),
        "inband_error",
        "error_in_200",
    ),
    (
        "stream-error-event",
        SAY_STREAM,
        stream(START, 'event: error\ndata: {"error": {"message": "x", "code": 500}}\n\n'),
        "inband_error",
        "error_in_stream",
    ),
    (
        "stream-error-then-done",
        SAY_STREAM,
        stream(START, event({"content": "O"}), 'data: {"error": "overloaded"}\n\n', DONE),
        "inband_error",
        "error_in_stream",
    ),
    # truncation
    ("finish-unknown", LONG, answer(plain("HTTP caching", "eos")), "truncation_ambiguity", "unknown_value"),
    (
        "finish-missing",
        LONG,
        answer({**plain(), "choices": [{"index": 0, "message": {"role": "assistant", "content": "HTTP caching"}}]}),
        "truncation_ambiguity",
        "null",
    ),
    (
        "ok-length-below-cap-by-one",
        LONG,
        answer(plain("HTTP caching", "length", {**USAGE, "completion_tokens": 63, "total_tokens": 73})),
        "pass",
        "",
    ),
    # accounting
    ("usage-null", SAY, answer({**plain(usage=None), "usage": None}), "accounting_anomaly", "usage_missing"),
    ("usage-empty", SAY, answer(plain(usage={})), "accounting_anomaly", "usage_missing"),
    ("usage-float", SAY, answer(plain(usage={**USAGE, "completion_tokens": 5.5})), "accounting_anomaly", "wrong_type"),
    ("usage-true", SAY, answer(plain(usage={**USAGE, "completion_tokens": True})), "accounting_anomaly", "wrong_type"),
    ("usage-negative", SAY, answer(plain(usage={**USAGE, "completion_tokens": -1})), "accounting_anomaly", "negative"),
    (
        "prompt-zero",
        SAY,
        answer(plain(usage={"prompt_tokens": 0, "completion_tokens": 5, "total_tokens": 5})),
        "accounting_anomaly",
        "prompt_zero",
    ),
    (
        "reasoning-over",
        SAY,
        answer(plain(usage={**USAGE, "completion_tokens_details": {"reasoning_tokens": 9}})),
        "accounting_anomaly",
        "reasoning_gt_completion",
    ),
    (
        "cached-over",
        SAY,
        answer(plain(usage={**USAGE, "prompt_tokens_details": {"cached_tokens": 11}})),
        "accounting_anomaly",
        "cached_gt_prompt",
    ),
    (
        "ok-cached-inside",
        SAY,
        answer(plain(usage={**USAGE, "prompt_tokens_details": {"cached_tokens": 10}})),
        "pass",
        "",
    ),
    (
        "ok-reasoning-beside",
        SAY,
        answer(plain(usage={**USAGE, "total_tokens": 22, "completion_tokens_details": {"reasoning_tokens": 7}})),
        "pass",
        "",
    ),
    ("ok-no-total", SAY, answer(plain(usage={"prompt_tokens": 10, "completion_tokens": 5})), "pass", ""),
    # empty
    ("empty-string", SAY, answer(plain("")), "empty_content", "no_text"),
    ("content-null", SAY, answer(plain(None)), "empty_content", "no_text"),
    ("refusal", SAY, answer(plain(None, refusal="I cannot help with that.")), "empty_content", "refused"),
    ("filtered", SAY, answer(plain("", "content_filter")), "empty_content", "filtered"),
    (
        "thought-to-the-cap",
        SAY,
        answer(plain("", "length", {**USAGE, "completion_tokens": 64, "total_tokens": 74})),
        "empty_content",
        "cut_before_text",
    ),
    (
        "stream-reasoning-only",
        SAY_STREAM,
        stream(START, event({"reasoning_content": "hm"}), END, COUNTED, DONE),
        "empty_content",
        "reasoning_only",
    ),
    # unicode
    ("question-marks", EXACT, answer(plain("caf? / ??? / end")), "content_miss", "unicode_loss"),
    # tools
    ("arguments-empty", TOOL, answer(called("")), "tool_call_malformed", "args_not_json"),
    ("arguments-nan", TOOL, answer(called('{"city":"Oslo","days":NaN}')), "tool_call_malformed", "args_not_json"),
    ("other-name", TOOL, answer(called(name="get_wether")), "tool_call_malformed", "name_unknown"),
    ("no-id", TOOL, answer(called(id=None)), "tool_call_malformed", "id_missing"),
    ("missing-argument", TOOL, answer(called('{"city":"Oslo"}')), "schema_miss", "tool_args"),
    (
        "xml-call",
        TOOL,
        answer(plain('<tool_call>{"name": "get_weather", "arguments": ' + ARGS + "}</tool_call>")),
        "tool_call_miss",
        "call_in_text",
    ),
    ("ok-prose-with-call", TOOL, answer(called(content="I will look that up.")), "pass", ""),
    (
        "ok-call-in-one-event",
        TOOL_STREAM,
        stream(
            START,
            piece(index=0, id="call_1", type="function", function={"name": "get_weather", "arguments": ARGS}),
            TOOL_END,
            COUNTED,
            DONE,
        ),
        "pass",
        "",
    ),
    (
        "stream-cut-arguments",
        TOOL_STREAM,
        stream(START, TOOL_START, piece(index=0, function={"arguments": '{"city":"Os'}), TOOL_END, COUNTED, DONE),
        "tool_call_malformed",
        "args_not_json",
    ),
    # streams
    (
        "done-without-space",
        SAY_STREAM,
        stream(START, event({"content": "OK."}), END, COUNTED, "data:[DONE]\n\n"),
        "pass",
        "",
    ),
    ("lone-cr", SAY_STREAM, stream(*(one.replace("\n", "\r") for one in WHOLE)), "pass", ""),
    ("bom-first", SAY_STREAM, stream(b"\xef\xbb\xbf" + WHOLE[0].encode(), *WHOLE[1:]), "pass", ""),
    ("ids-and-retry", SAY_STREAM, stream("retry: 3000\nid: 1\n", *WHOLE), "pass", ""),
    ("one-byte-chunks", SAY_STREAM, stream(*(bytes([one]) for one in "".join(WHOLE).encode())), "pass", ""),
    (
        "usage-with-finish",
        SAY_STREAM,
        stream(START, event({"content": "OK."}), event({}, "stop", usage=USAGE), DONE),
        "pass",
        "",
    ),
    (
        "usage-null-after-counts",
        SAY_STREAM,
        stream(START, event({"content": "OK."}), event({}, "stop", usage=USAGE), event(usage=None), DONE),
        "pass",
        "",
    ),
    ("only-comments-then-end", SAY_STREAM, stream(": ping\n\n", ": ping\n\n"), "stream_incomplete", "no_content"),
    ("done-inside-text", SAY_STREAM, stream(START, event({"content": "[DONE]"}), END, COUNTED, DONE), "pass", ""),
    (
        "event-not-utf8",
        SAY_STREAM,
        stream(START, b'data: {"choices": [{"delta": {"content": "\xe9"}}]}\n\n', END, COUNTED, DONE),
        "envelope_error",
        "not_utf8",
    ),
    ("plain-error-for-stream", SAY_STREAM, answer({"error": {"message": "x"}}), "inband_error", "error_in_200"),
    (
        "keepalive-only",
        SAY_STREAM,
        {**stream(": keep-alive\n\n", close="drip"), "chunks": [{"bytes": ": keep-alive\n\n", "every_ms": 200}]},
        "timeout",
        "keepalive_only",
    ),
    # status and transport
    ("created", SAY, answer(plain(), 201), "http_error", "other_status"),
    ("no-content", SAY, answer(b"", 204), "http_error", "other_status"),
    ("forbidden", SAY, answer({"error": {"message": "no"}}, 403), "http_error", "4xx"),
    ("overloaded", SAY, answer({"error": {"message": "busy"}}, 529), "http_error", "5xx"),
    ("moved", SAY, answer(b"", 308, [["location", "http://127.0.0.1:9/v1"]]), "http_error", "redirect"),
    (
        "short-length",
        SAY,
        answer(plain(), headers=[*JSON, ["content-length", "99999"]], close="close"),
        "transport_error",
        "incomplete_body",
    ),
    (
        "half-gzip",
        SAY,
        answer(gzip.compress(json.dumps(plain()).encode())[:-9], headers=[*JSON, ["content-encoding", "gzip"]]),
        "transport_error",
        "bad_encoding",
    ),
    (
        "unknown-coding",
        SAY,
        answer(plain(), headers=[*JSON, ["content-encoding", "x-none"]]),
        "transport_error",
        "bad_encoding",
    ),
    # wrong on purpose
    ("wrong-404-object", WRONG, answer({"error": {"message": "no such route"}}, 404), "pass", ""),
    (
        "wrong-400-html",
        WRONG,
        answer("<html>bad</html>", 400, [["content-type", "text/html"]]),
        "error_contract",
        "unstructured",
    ),
    ("wrong-400-string", WRONG, answer(json.dumps("bad request"), 400), "error_contract", "unstructured"),
    ("wrong-redirect", WRONG, answer(b"", 302, [["location", "/login"]]), "error_contract", "redirected"),
    ("wrong-429", WRONG, answer({"error": {"message": "slow down"}}, 429), "http_error", "rate_limited"),
    ("wrong-200-error", WRONG, answer({"error": {"message": "bad"}}), "error_contract", "accepted"),
    ("wrong-503", WRONG, answer({"error": {"message": "busy"}}, 503), "error_contract", "server_error"),
)


def further() -> dict[str, dict[str, Any]]:
    """Behaviours by id, in the form of the public files."""
    found = {}
    for name, when, response, cls, reason in (
        *ROWS,
        *WIRE_ROWS,
        *ANSWER_ROWS,
        *TEXT_ROWS,
        *TOOL_ROWS,
        *STREAM_ROWS,
        *MODE_ROWS,
    ):
        asked = "Return the exact text: café / 第二行 / end" if when.get("prompt") == "exact text" else ""
        wanted = {"messages": [{"role": "user", "content": asked}], "max_tokens": 64}
        if when.get("stream"):
            wanted["stream"] = True
        if when.get("tools"):
            wanted["tools"] = [1]
        found[f"f-{name}"] = {
            "id": f"f-{name}",
            "when": dict(when),
            "request": {"body": wanted},
            "response": response,
            "expect": {"class": cls, "reason": reason},
        }
    return found
