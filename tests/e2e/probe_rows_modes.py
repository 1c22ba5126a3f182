"""Rows of the same faults in the other mode: streamed JSON and code points, counts at the cap, ends of streams, models."""

from __future__ import annotations

import gzip
from typing import Any

from e2e.probe_answers import (
    COUNTED,
    DONE,
    END,
    GOOD_JSON,
    LONG,
    SAID,
    SAY,
    SAY_STREAM,
    SSE,
    START,
    STREAMED,
    USAGE,
    WHOLE,
    Row,
    answer,
    bad,
    chunked,
    event,
    heads,
    ok,
    plain,
    stream,
    wire,
)

HEAD = heads(*STREAMED)
JSON_STREAM = {"malformed": False, "stream": True, "tools": False, "prompt": "JSON object"}
EXACT_STREAM = {"malformed": False, "stream": True, "tools": False, "prompt": "exact text: café / 第"}
COUNT_STREAM = {"malformed": False, "stream": True, "tools": False, "prompt": "Count from 1"}
EXACT_TEXT = "café / 第二行 / end"
RAW = event({"content": EXACT_TEXT}).encode()
INSIDE = RAW.index("é".encode()) + 1


def told(*parts: str, fin: str = "stop", usage: Any = USAGE) -> dict[str, Any]:
    """A streamed text in these parts."""
    return stream(START, *[event({"content": one}) for one in parts], event({}, fin), event(usage=usage), DONE)


def counted(text: str, fin: str, completion: int) -> dict[str, Any]:
    """A streamed text that is said to have so many tokens."""
    usage = {"prompt_tokens": 10, "completion_tokens": completion, "total_tokens": 10 + completion}
    return told(text, fin=fin, usage=usage)


MODE_ROWS: tuple[Row, ...] = (
    ok("sj-pieces", JSON_STREAM, told('{"o', 'k": tr', 'ue, "count"', ": 2}")),
    bad("sj-fence", JSON_STREAM, told("```", "json\n", GOOD_JSON, "\n", "```"), "format_drift", "code_fence"),
    bad("sj-think", JSON_STREAM, told("<", "think", ">2</think>", GOOD_JSON), "format_drift", "reasoning_inline"),
    bad("sj-eos", JSON_STREAM, told(GOOD_JSON, "<|im", "_end|>"), "format_drift", "special_token"),
    bad("sj-twice", JSON_STREAM, told(GOOD_JSON, GOOD_JSON), "format_drift", "several_values"),
    bad(
        "sj-cut",
        JSON_STREAM,
        told('{"ok": true, ', fin="length", usage={"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74}),
        "format_drift",
        "cut_by_cap",
    ),
    bad("sj-dropped-piece", JSON_STREAM, told('{"ok": true, ', '": 2}'), "format_drift", "not_json"),
    bad("sj-wrong", JSON_STREAM, told('{"ok": true, "count": 3}'), "content_miss", "wrong_value"),
    bad(
        "sj-stop-at-cap",
        JSON_STREAM,
        told('{"ok": true, "cou', usage={"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74}),
        "truncation_ambiguity",
        "stop_at_cap",
    ),
    bad(
        "sj-repeat-last",
        JSON_STREAM,
        stream(START, event({"content": GOOD_JSON}), event({"content": GOOD_JSON}, "stop"), COUNTED, DONE),
        "format_drift",
        "several_values",
    ),
    ok("su-chars", EXACT_STREAM, told(*EXACT_TEXT)),
    bad(
        "su-split-bytes-replaced",
        EXACT_STREAM,
        told("caf", "\ufffd", "\ufffd", " / 第二行 / end"),
        "content_miss",
        "unicode_loss",
    ),
    bad("su-latin", EXACT_STREAM, told(EXACT_TEXT.encode().decode("latin-1")), "content_miss", "unicode_loss"),
    bad("su-lost-space", EXACT_STREAM, told(EXACT_TEXT.replace(" ", "")), "content_miss", "text_differs"),
    bad("su-dropped-first", EXACT_STREAM, told(EXACT_TEXT[1:]), "content_miss", "text_differs"),
    bad("su-dup-chunk", EXACT_STREAM, told("café ", "café ", "/ 第二行 / end"), "content_miss", "text_differs"),
    ok("su-bytes-across-chunks", EXACT_STREAM, stream(START, RAW[:INSIDE], RAW[INSIDE:], END, COUNTED, DONE)),
    bad(
        "su-raw-latin1",
        EXACT_STREAM,
        stream(START, RAW.replace("é".encode(), b"\xe9"), END, COUNTED, DONE),
        "envelope_error",
        "not_utf8",
    ),
    bad(
        "su-overlong",
        EXACT_STREAM,
        stream(START, RAW.replace(b"/", b"\xc0\xaf"), END, COUNTED, DONE),
        "envelope_error",
        "not_utf8",
    ),
    bad(
        "su-cesu",
        EXACT_STREAM,
        stream(START, RAW.replace("第".encode(), b"\xed\xa0\xbd\xed\xb8\x80"), END, COUNTED, DONE),
        "envelope_error",
        "not_utf8",
    ),
    ok("model-missing", SAY, answer({k: v for k, v in plain().items() if k != "model"})),
    bad("ls-stop-at-cap", COUNT_STREAM, counted("1 2 3", "stop", 256), "truncation_ambiguity", "stop_at_cap"),
    ok("ls-length-at-cap", COUNT_STREAM, counted("1 2 3", "length", 256)),
    bad("ls-over", COUNT_STREAM, counted("1 2 3", "length", 257), "accounting_anomaly", "completion_gt_max"),
    bad(
        "ls-null",
        COUNT_STREAM,
        stream(START, event({"content": "1 2"}), event({}, None), event(usage=USAGE), DONE),
        "truncation_ambiguity",
        "stream_null",
    ),
    bad(
        "ls-repeat-usage-sum",
        COUNT_STREAM,
        stream(
            START,
            *[
                event({"content": "1 "}, usage={"prompt_tokens": 10, "completion_tokens": i, "total_tokens": 10 + i})
                for i in (100, 200, 300)
            ],
            END,
            DONE,
        ),
        "accounting_anomaly",
        "completion_gt_max",
    ),
    bad(
        "cap-empty",
        LONG,
        answer(plain("", "length", {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74})),
        "empty_content",
        "cut_before_text",
    ),
    bad(
        "cap-stop-over",
        LONG,
        answer(plain("x " * 300, "stop", {"prompt_tokens": 10, "completion_tokens": 300, "total_tokens": 310})),
        "accounting_anomaly",
        "completion_gt_max",
    ),
    bad(
        "cap-filter-null",
        LONG,
        answer(plain("HTTP", "", {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74})),
        "truncation_ambiguity",
        "empty",
    ),
    bad("cap-no-usage", LONG, answer(plain("HTTP caching", "length", None)), "accounting_anomaly", "usage_missing"),
    ok(
        "cap-reasoning-in-cap",
        LONG,
        answer(
            plain(
                "HTTP",
                "length",
                {
                    "prompt_tokens": 10,
                    "completion_tokens": 64,
                    "total_tokens": 74,
                    "completion_tokens_details": {"reasoning_tokens": 60},
                },
            )
        ),
    ),
    bad(
        "cap-all-reasoning",
        LONG,
        answer(
            plain(
                None,
                "length",
                {
                    "prompt_tokens": 10,
                    "completion_tokens": 64,
                    "total_tokens": 74,
                    "completion_tokens_details": {"reasoning_tokens": 64},
                },
            )
        ),
        "empty_content",
        "reasoning_only",
    ),
    ok(
        "cap-think",
        LONG,
        answer(
            plain(
                "Here is HTTP caching.",
                "stop",
                {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30},
                reasoning_content="x",
            )
        ),
    ),
    bad(
        "stream-bad-chunk-mid",
        SAY_STREAM,
        wire(HEAD + chunked(*WHOLE[:2], last="") + b"xyz\r\n" + chunked(*WHOLE[2:])),
        "transport_error",
        "bad_framing",
    ),
    ok("stream-bad-chunk-after-done", SAY_STREAM, wire(HEAD + chunked(*WHOLE, last="") + b"xyz\r\n")),
    bad(
        "stream-gzip-cut",
        SAY_STREAM,
        stream(gzip.compress("".join(WHOLE).encode())[:60], headers=[*SSE, ["content-encoding", "gzip"]]),
        "transport_error",
        "bad_encoding",
    ),
    bad(
        "stream-gzip-lie",
        SAY_STREAM,
        stream(*WHOLE, headers=[*SSE, ["content-encoding", "gzip"]]),
        "transport_error",
        "bad_encoding",
    ),
    bad(
        "stream-length-short",
        SAY_STREAM,
        wire(heads("Content-Type: text/event-stream", "Content-Length: 99999") + "".join(WHOLE[:3]).encode()),
        "transport_error",
        "incomplete_body",
    ),
    ok(
        "stream-length-long-done",
        SAY_STREAM,
        wire(heads("Content-Type: text/event-stream", "Content-Length: 99999") + "".join(WHOLE).encode()),
    ),
    ok(
        "stream-http10",
        SAY_STREAM,
        wire(heads("Content-Type: text/event-stream", first="HTTP/1.0 200 OK") + "".join(WHOLE).encode()),
    ),
    bad(
        "stream-http10-no-done",
        SAY_STREAM,
        wire(heads("Content-Type: text/event-stream", first="HTTP/1.0 200 OK") + "".join(WHOLE[:4]).encode()),
        "stream_incomplete",
        "no_done",
    ),
    bad(
        "stream-504-mid-html",
        SAY_STREAM,
        stream(*WHOLE[:2], "<html><body>504 Gateway Time-out</body></html>"),
        "stream_incomplete",
        "cut_event",
    ),
    bad("stream-text-error", SAY_STREAM, stream(*WHOLE[:2], "Internal Server Error"), "stream_incomplete", "cut_event"),
    bad("stream-reset-first", SAY_STREAM, wire(HEAD, (60, b""), close="reset"), "transport_error", "reset"),
    bad("stream-fin-after-head", SAY_STREAM, wire(HEAD), "transport_error", "incomplete_body"),
    bad(
        "stream-eof-after-head",
        SAY_STREAM,
        wire(heads("Content-Type: text/event-stream")),
        "envelope_error",
        "empty_body",
    ),
    bad("stream-204", SAY_STREAM, answer("", 204), "http_error", "other_status"),
    bad("stream-html-200-cf", SAY_STREAM, answer("<!DOCTYPE html><title>524</title>", 524), "http_error", "5xx"),
    ok("stream-trailing-comment", SAY_STREAM, stream(*WHOLE, ": bye\n\n")),
    ok("stream-retry-only", SAY_STREAM, stream("retry: 1000\n\n", *WHOLE)),
    ok("stream-event-open", SAY_STREAM, stream("event: open\n\n", *WHOLE)),
    ok("stream-id-only", SAY_STREAM, stream("id: 1\n\n", *WHOLE)),
    bad(
        "stream-anthropic",
        SAY_STREAM,
        stream(
            'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":3}}}\n\n',
            'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"OK."}}\n\n',
            'event: message_stop\ndata: {"type":"message_stop"}\n\n',
        ),
        "stream_incomplete",
        "no_content",
    ),
    bad(
        "stream-responses",
        SAY_STREAM,
        stream(
            'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"OK."}\n\n', DONE
        ),
        "stream_incomplete",
        "no_content",
    ),
    bad(
        "stream-dup-key",
        SAY_STREAM,
        stream(
            START,
            event({"content": "OK."}).replace('"content": "OK."', '"content": "K", "content": "OK."'),
            END,
            COUNTED,
            DONE,
        ),
        "envelope_error",
        "duplicate_key",
    ),
    bad(
        "stream-bom-each",
        SAY_STREAM,
        stream(*[x.replace("data: ", "data: \ufeff") for x in WHOLE]),
        "envelope_error",
        "event_not_json",
    ),
    ok("stream-nul-in-text", SAY_STREAM, stream(START, event({"content": "OK\0."}), END, COUNTED, DONE)),
    bad(
        "stream-nul-line",
        SAY_STREAM,
        stream(START, 'data: {"a": "\0"}\n\n', SAID, END, COUNTED, DONE),
        "envelope_error",
        "event_not_json",
    ),
    bad(
        "stream-deep",
        SAY_STREAM,
        stream(START, "data: " + "[" * 3000 + "]" * 3000 + "\n\n", SAID, END, COUNTED, DONE),
        "envelope_error",
        "too_deep",
    ),
    bad(
        "stream-choices-null-only",
        SAY_STREAM,
        stream('data: {"id":"c","choices":null}\n\n', DONE),
        "stream_incomplete",
        "no_content",
    ),
    bad(
        "stream-delta-text",
        SAY_STREAM,
        stream(
            'data: {"id":"c","choices":[{"index":0,"delta":"OK.","finish_reason":null}]}\n\n',
            END.replace('"delta": {}', '"delta": "."'),
            COUNTED,
            DONE,
        ),
        "envelope_error",
        "no_message",
    ),
    bad(
        "stream-content-number",
        SAY_STREAM,
        stream(START, event({"content": 1}), END, COUNTED, DONE),
        "envelope_error",
        "content_not_string",
    ),
    *(
        ok(f"model-{name}", SAY, answer({**plain(), "model": model}))
        for name, model in {"null": None, "empty": "", "path": "/models/x.gguf", "int": 3, "list": []}.items()
    ),
)
