"""Rows of answers: envelopes, errors inside, finish reasons, usage, empty texts."""

from __future__ import annotations

import json
from typing import Any

from e2e.probe_answers import (
    ASK_JSON,
    COUNTED,
    DONE,
    END,
    GOOD_JSON,
    LONG,
    SAID,
    SAY,
    SAY_STREAM,
    START,
    USAGE,
    WHOLE,
    Row,
    answer,
    bad,
    event,
    ok,
    plain,
    stream,
)


def counts(**more: Any) -> dict[str, Any]:
    return {**USAGE, **more}


ANSWER_ROWS: tuple[Row, ...] = (
    bad("choices-null-item", SAY, answer({**plain(), "choices": [None]}), "envelope_error", "no_message"),
    bad(
        "choices-object",
        SAY,
        answer({**plain(), "choices": {"0": plain()["choices"][0]}}),
        "envelope_error",
        "no_choices",
    ),
    bad(
        "message-text",
        SAY,
        answer({**plain(), "choices": [{"index": 0, "message": "OK.", "finish_reason": "stop"}]}),
        "envelope_error",
        "no_message",
    ),
    bad(
        "completions-shape",
        SAY,
        answer(
            {**plain(), "object": "text_completion", "choices": [{"index": 0, "text": "OK.", "finish_reason": "stop"}]}
        ),
        "envelope_error",
        "no_message",
    ),
    bad(
        "ollama-native",
        SAY,
        answer(
            {
                "model": "m",
                "message": {"role": "assistant", "content": "OK."},
                "done": True,
                "done_reason": "stop",
                "eval_count": 3,
            }
        ),
        "envelope_error",
        "no_choices",
    ),
    bad(
        "responses-shape",
        SAY,
        answer(
            {
                "id": "resp_1",
                "object": "response",
                "output": [{"type": "message", "content": [{"type": "output_text", "text": "OK."}]}],
                "usage": {"input_tokens": 3, "output_tokens": 2},
            }
        ),
        "envelope_error",
        "no_choices",
    ),
    bad(
        "messages-shape",
        SAY,
        answer(
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "content": [{"type": "text", "text": "OK."}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 3, "output_tokens": 2},
            }
        ),
        "envelope_error",
        "no_choices",
    ),
    bad(
        "gemini-native",
        SAY,
        answer(
            {
                "candidates": [{"content": {"parts": [{"text": "OK."}]}, "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 1},
            }
        ),
        "envelope_error",
        "no_choices",
    ),
    bad(
        "gemini-error-list",
        SAY,
        answer([{"error": {"code": 400, "message": "x", "status": "INVALID_ARGUMENT"}}], 400),
        "http_error",
        "4xx",
    ),
    bad("text-ok", SAY, answer("OK."), "envelope_error", "not_json"),
    bad("string-body", SAY, answer(json.dumps(json.dumps(plain()))), "envelope_error", "not_an_object"),
    bad("ndjson", SAY, answer(json.dumps(plain()) + "\n" + json.dumps(plain()) + "\n"), "envelope_error", "not_json"),
    bad("trailing-garbage", SAY, answer(json.dumps(plain()) + "}"), "envelope_error", "not_json"),
    bad("raw-newline-in-text", SAY, answer(json.dumps(plain("OK@")).replace("@", "\n")), "envelope_error", "not_json"),
    bad(
        "nan-logprob",
        SAY,
        answer(
            json.dumps(
                {
                    **plain(),
                    "choices": [
                        {
                            **plain()["choices"][0],
                            "logprobs": {
                                "content": [{"token": "OK", "logprob": float("nan"), "bytes": None, "top_logprobs": []}]
                            },
                        }
                    ],
                }
            )
        ),
        "envelope_error",
        "nonstandard_constant",
    ),
    bad("utf16-bom-body", SAY, answer(json.dumps(plain()).encode("utf-16")), "envelope_error", "not_utf8"),
    bad(
        "lone-continuation",
        SAY,
        answer(json.dumps(plain("OK@")).encode().replace(b"@", b"\xed\xa0\x80")),
        "envelope_error",
        "not_utf8",
    ),
    bad("content-object", SAY, answer(plain({"text": "OK."})), "envelope_error", "content_not_string"),
    bad(
        "stream-parts",
        SAY_STREAM,
        stream(START, event({"content": [{"type": "text", "text": "OK."}]}), END, COUNTED, DONE),
        "envelope_error",
        "content_not_string",
    ),
    bad(
        "challenge-page",
        SAY,
        answer(
            "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>",
            200,
            [["content-type", "text/html; charset=UTF-8"], ["cf-mitigated", "challenge"]],
        ),
        "envelope_error",
        "not_json",
    ),
    bad(
        "dup-content",
        SAY,
        answer(json.dumps(plain()).replace('"content": "OK."', '"content": "KO.", "content": "OK."')),
        "envelope_error",
        "duplicate_key",
    ),
    ok("number-beyond-double", SAY, answer(json.dumps({**plain(), "cost": 1}).replace('"cost": 1', '"cost": 1e999'))),
    ok("deep-extra", SAY, answer(json.dumps(plain())[:-1] + ',"x":' + "[" * 40 + "]" * 40 + "}")),
    ok(
        "two-choices-for-one",
        SAY,
        answer({**plain(), "choices": [plain()["choices"][0], {**plain()["choices"][0], "index": 1}]}),
    ),
    ok(
        "choice-without-index",
        SAY,
        answer({**plain(), "choices": [{k: v for k, v in plain()["choices"][0].items() if k != "index"}]}),
    ),
    ok(
        "null-extras",
        SAY,
        answer(
            {
                **plain(
                    "OK.",
                    refusal=None,
                    audio=None,
                    function_call=None,
                    tool_calls=None,
                    annotations=[],
                    reasoning_content=None,
                ),
                "service_tier": None,
                "prompt_logprobs": None,
                "kv_transfer_params": None,
                "system_fingerprint": None,
            }
        ),
    ),
    ok("empty-tool-calls", SAY, answer(plain("OK.", tool_calls=[], reasoning_content=""))),
    ok(
        "no-role",
        SAY,
        answer({**plain(), "choices": [{"index": 0, "message": {"content": "OK."}, "finish_reason": "stop"}]}),
    ),
    ok("role-model", SAY, answer(plain("OK.", role="model"))),
    ok("id-null-created-text", SAY, answer({**plain(), "id": None, "created": "2026-01-01", "object": None})),
    ok(
        "azure-filters",
        SAY,
        answer(
            {
                **plain(),
                "choices": [
                    {
                        **plain()["choices"][0],
                        "content_filter_results": {"hate": {"filtered": False, "severity": "safe"}, "error": None},
                    }
                ],
                "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": {}}],
            }
        ),
    ),
    ok(
        "openrouter-extras",
        SAY,
        answer(
            {
                **plain("OK.", reasoning=None, refusal=None),
                "provider": "X",
                "choices": [{**plain("OK.", reasoning=None)["choices"][0], "native_finish_reason": "end_turn"}],
            }
        ),
    ),
    ok(
        "vllm-stop-reason",
        SAY,
        answer({**plain(), "choices": [{**plain()["choices"][0], "stop_reason": 128009, "token_ids": None}]}),
    ),
    ok(
        "logprobs",
        SAY,
        answer(
            {
                **plain(),
                "choices": [
                    {
                        **plain()["choices"][0],
                        "logprobs": {
                            "content": [
                                {"token": "OK", "logprob": -0.0, "bytes": [79, 75], "top_logprobs": []},
                                {"token": ".", "logprob": -9999.0, "bytes": None, "top_logprobs": []},
                            ],
                            "refusal": None,
                        },
                    }
                ],
            }
        ),
    ),
    ok(
        "reasoning-and-content",
        SAY,
        answer(
            plain(
                "OK.",
                reasoning_content="They want OK.",
                reasoning="x",
                reasoning_details=[{"type": "reasoning.text", "text": "x"}],
            )
        ),
    ),
    ok(
        "groq",
        SAY,
        answer(
            {
                **plain(
                    usage={
                        **USAGE,
                        "queue_time": 0.03,
                        "prompt_time": 0.001,
                        "completion_time": 0.01,
                        "total_time": 0.01,
                    }
                ),
                "x_groq": {"id": "req_1"},
                "usage_breakdown": None,
            }
        ),
    ),
    ok(
        "llamacpp-timings",
        SAY,
        answer(
            {
                **plain(),
                "timings": {"prompt_n": 1, "predicted_per_second": 12.5, "cache_n": 0},
                "__verbose": {"stop": True, "error": "none"},
            }
        ),
    ),
    ok(
        "warnings",
        SAY,
        answer({**plain(), "warnings": [{"message": "x"}], "errors": None, "detail": None, "error": {}}),
    ),
    bad(
        "cf-errors",
        SAY,
        answer({"result": None, "success": False, "errors": [{"code": 1000, "message": "x"}], "messages": []}),
        "inband_error",
        "error_in_200",
    ),
    bad(
        "error-with-choices-empty",
        SAY,
        answer(
            {"id": "x", "choices": [], "error": {"code": 502, "message": "Provider returned error", "metadata": {}}}
        ),
        "inband_error",
        "error_in_200",
    ),
    bad("error-beside-answer", SAY, answer({**plain(), "error": {"message": "x"}}), "inband_error", "error_in_200"),
    bad("error-list", SAY, answer({"error": [{"message": "x"}]}), "inband_error", "error_in_200"),
    bad(
        "messages-error",
        SAY,
        answer({"type": "error", "error": {"type": "overloaded_error", "message": "x"}}),
        "inband_error",
        "error_in_200",
    ),
    bad(
        "base-resp",
        SAY,
        answer({"id": "x", "choices": None, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}),
        "inband_error",
        "error_in_200",
    ),
    bad(
        "choice-error",
        SAY,
        answer(
            {
                **plain(),
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": ""},
                        "finish_reason": "error",
                        "native_finish_reason": "error",
                        "error": {"code": 502, "message": "Upstream idle timeout"},
                    }
                ],
            }
        ),
        "inband_error",
        "error_in_choice",
    ),
    bad(
        "choice-error-text",
        SAY,
        answer({**plain(), "choices": [{**plain()["choices"][0], "error": "x"}]}),
        "inband_error",
        "error_in_choice",
    ),
    bad("finish-error", SAY, answer(plain("OK", "error")), "inband_error", "error_in_choice"),
    bad(
        "stream-openrouter-error",
        SAY_STREAM,
        stream(
            ": OPENROUTER PROCESSING\n\n",
            START,
            event({"content": "O"}),
            'data: {"id":"g","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"code":"server_error","message":"Provider disconnected"}}\n\n',
        ),
        "inband_error",
        "error_in_stream",
    ),
    bad(
        "stream-vllm-old-error",
        SAY_STREAM,
        stream(START, 'data: {"object":"error","message":"x","type":"BadRequestError","code":400}\n\n', DONE),
        "inband_error",
        "error_in_stream",
    ),
    bad(
        "stream-tgi-error",
        SAY_STREAM,
        stream('event:error\ndata:{"error":"Request failed during generation","error_type":"generation"}\n\n'),
        "inband_error",
        "error_in_stream",
    ),
    bad(
        "stream-error-first",
        SAY_STREAM,
        stream('data: {"error":{"message":"x","type":"server_error"}}\n\n'),
        "inband_error",
        "error_in_stream",
    ),
    bad(
        "stream-finish-error",
        SAY_STREAM,
        stream(START, event({"content": "O"}), event({}, "error"), COUNTED, DONE),
        "inband_error",
        "error_in_choice",
    ),
    bad(
        "stream-error-cut",
        SAY_STREAM,
        stream(START, 'data: {"error":{"message":"x"}}\n\n', close="truncate"),
        "transport_error",
        "incomplete_body",
    ),
    ok("error-behind-done", SAY_STREAM, stream(*WHOLE, 'data: {"error":{"message":"x"}}\n\n')),
    ok("error-false", SAY, answer({**plain(), "error": False})),
    ok("error-empty-text", SAY_STREAM, stream(START, event({"content": "OK."}, error=""), END, COUNTED, DONE)),
    bad("finish-calls-no-call", SAY, answer(plain("OK.", "tool_calls")), "tool_call_malformed", "finish_mismatch"),
    bad(
        "finish-in-message",
        SAY,
        answer(
            {
                **plain(),
                "choices": [{"index": 0, "message": {"role": "assistant", "content": "OK.", "finish_reason": "stop"}}],
            }
        ),
        "truncation_ambiguity",
        "null",
    ),
    bad(
        "finish-top-level", SAY, answer({**plain(finish=None), "finish_reason": "stop"}), "truncation_ambiguity", "null"
    ),
    bad(
        "sfinish-top-level",
        SAY_STREAM,
        stream(START, SAID, event(finish_reason="stop"), COUNTED, DONE),
        "truncation_ambiguity",
        "stream_null",
    ),
    bad(
        "sfinish-empty", SAY_STREAM, stream(START, SAID, event({}, ""), COUNTED, DONE), "truncation_ambiguity", "empty"
    ),
    ok(
        "finish-length-early",
        LONG,
        answer(
            plain("HTTP caching stores", "length", {"prompt_tokens": 10, "completion_tokens": 40, "total_tokens": 50})
        ),
    ),
    bad(
        "stop-at-cap",
        LONG,
        answer(
            plain("HTTP caching stores", "stop", {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74})
        ),
        "truncation_ambiguity",
        "stop_at_cap",
    ),
    ok("filter-with-text", SAY, answer(plain("OK.", "content_filter"))),
    ok("finish-twice", SAY_STREAM, stream(START, SAID, END, END, COUNTED, DONE)),
    ok("finish-then-null", SAY_STREAM, stream(START, SAID, END, event({}, None), COUNTED, DONE)),
    bad(
        "x-groq-usage",
        SAY_STREAM,
        stream(START, SAID, event({}, "stop", x_groq={"id": "r", "usage": USAGE}), DONE),
        "accounting_anomaly",
        "usage_missing",
    ),
    ok(
        "x-groq-and-usage",
        SAY_STREAM,
        stream(
            event({"role": "assistant", "content": ""}, x_groq={"id": "r"}),
            SAID,
            event({}, "stop", x_groq={"usage": USAGE}),
            COUNTED,
            DONE,
        ),
    ),
    bad(
        "usage-in-choice",
        SAY_STREAM,
        stream(
            START,
            SAID,
            "data: "
            + json.dumps(
                {
                    "id": "c",
                    "object": "chat.completion.chunk",
                    "model": "conformant",
                    "choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": USAGE}],
                }
            )
            + "\n\n",
            DONE,
        ),
        "accounting_anomaly",
        "usage_missing",
    ),
    bad(
        "usage-in-message",
        SAY,
        answer(
            plain(usage=None)
            | {
                "choices": [
                    {**plain()["choices"][0], "message": {"role": "assistant", "content": "OK.", "usage": USAGE}}
                ]
            }
        ),
        "accounting_anomaly",
        "usage_missing",
    ),
    bad(
        "usage-behind-done", SAY_STREAM, stream(START, SAID, END, DONE, COUNTED), "accounting_anomaly", "usage_missing"
    ),
    ok("usage-before-finish", SAY_STREAM, stream(START, SAID, COUNTED, END, DONE)),
    ok(
        "usage-first-and-last",
        SAY_STREAM,
        stream(
            event(
                {"role": "assistant", "content": ""},
                usage={"prompt_tokens": 10, "completion_tokens": 0, "total_tokens": 10},
            ),
            SAID,
            END,
            COUNTED,
            DONE,
        ),
    ),
    bad(
        "usage-zeros-last",
        SAY_STREAM,
        stream(
            START,
            SAID,
            END,
            COUNTED,
            event(usage={"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}),
            DONE,
        ),
        "accounting_anomaly",
        "completion_zero",
    ),
    ok(
        "usage-chunk-choices-null",
        SAY_STREAM,
        stream(START, SAID, END, event(usage=USAGE).replace('"choices": []', '"choices": null'), DONE),
    ),
    ok(
        "usage-chunk-no-choices",
        SAY_STREAM,
        stream(START, SAID, END, event(usage=USAGE).replace('"choices": [], ', ""), DONE),
    ),
    ok(
        "usage-chunk-with-choice", SAY_STREAM, stream(START, SAID, END, event({"content": ""}, None, usage=USAGE), DONE)
    ),
    bad(
        "usage-snake-other",
        SAY,
        answer(plain(usage={"input_tokens": 3, "output_tokens": 4, "total_tokens": 7})),
        "accounting_anomaly",
        "usage_missing",
    ),
    bad("usage-list", SAY, answer(plain(usage=[USAGE])), "accounting_anomaly", "wrong_type"),
    bad("usage-float-int", SAY, answer(plain(usage=counts(completion_tokens=5.0))), "accounting_anomaly", "wrong_type"),
    bad(
        "usage-prompt-null", SAY, answer(plain(usage=counts(prompt_tokens=None))), "accounting_anomaly", "usage_missing"
    ),
    bad(
        "usage-minus-one",
        SAY,
        answer(plain(usage={"prompt_tokens": -1, "completion_tokens": -1, "total_tokens": -2})),
        "accounting_anomaly",
        "negative",
    ),
    bad("total-text", SAY, answer(plain(usage=counts(total_tokens="15"))), "accounting_anomaly", "wrong_type"),
    bad("total-less", SAY, answer(plain(usage=counts(total_tokens=10))), "accounting_anomaly", "total_mismatch"),
    bad(
        "completion-one-over",
        SAY,
        answer(plain(usage={"prompt_tokens": 10, "completion_tokens": 65, "total_tokens": 75})),
        "accounting_anomaly",
        "completion_gt_max",
    ),
    ok("details-null", SAY, answer(plain(usage=counts(prompt_tokens_details=None, completion_tokens_details=None)))),
    ok(
        "details-empty",
        SAY,
        answer(
            plain(
                usage=counts(
                    prompt_tokens_details={},
                    completion_tokens_details={
                        "reasoning_tokens": None,
                        "audio_tokens": 0,
                        "accepted_prediction_tokens": 0,
                        "rejected_prediction_tokens": 0,
                    },
                )
            )
        ),
    ),
    ok("deepseek-hits", SAY, answer(plain(usage=counts(prompt_cache_hit_tokens=0, prompt_cache_miss_tokens=10)))),
    ok(
        "deepseek-all-hit",
        SAY,
        answer(
            plain(
                usage=counts(
                    prompt_cache_hit_tokens=10, prompt_cache_miss_tokens=0, prompt_tokens_details={"cached_tokens": 10}
                )
            )
        ),
    ),
    bad(
        "deepseek-hits-over",
        SAY,
        answer(plain(usage=counts(prompt_cache_hit_tokens=64, prompt_cache_miss_tokens=0))),
        "accounting_anomaly",
        "cached_gt_prompt",
    ),
    ok(
        "openrouter-cost",
        SAY,
        answer(plain(usage=counts(cost=0.00012, is_byok=False, cost_details={"upstream_inference_cost": None}))),
    ),
    bad(
        "no-content-key",
        SAY,
        answer({**plain(), "choices": [{"index": 0, "message": {"role": "assistant"}, "finish_reason": "stop"}]}),
        "empty_content",
        "no_text",
    ),
    bad("think-only-closed", SAY, answer(plain("<think>Say OK</think>\n\n")), "empty_content", "reasoning_only"),
    bad(
        "think-unclosed-cap",
        SAY,
        answer(plain("<think>hmm hmm", "length", {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74})),
        "empty_content",
        "reasoning_only",
    ),
    bad("reasoning-field", SAY, answer(plain(None, reasoning="OK")), "empty_content", "reasoning_only"),
    bad("reasoning-json", ASK_JSON, answer(plain("", reasoning_content=GOOD_JSON)), "empty_content", "reasoning_only"),
    bad(
        "stream-refusal",
        SAY_STREAM,
        stream(START, event({"refusal": "I can"}), event({"refusal": "not"}), END, COUNTED, DONE),
        "empty_content",
        "refused",
    ),
    bad("stream-no-text", SAY_STREAM, stream(START, END, COUNTED, DONE), "empty_content", "no_text"),
    bad(
        "stream-filtered",
        SAY_STREAM,
        stream(START, event({}, "content_filter"), COUNTED, DONE),
        "empty_content",
        "filtered",
    ),
    ok(
        "usage-running",
        SAY_STREAM,
        stream(
            START,
            *[
                event({"content": x}, usage={"prompt_tokens": 10, "completion_tokens": i + 1, "total_tokens": 11 + i})
                for i, x in enumerate("OK.")
            ],
            event({}, "stop", usage={"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}),
            event(usage={"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}),
            DONE,
        ),
    ),
    bad(
        "usage-missing-one",
        SAY_STREAM,
        stream(START, SAID, END, event(usage={"prompt_tokens": 10, "total_tokens": 15}), DONE),
        "accounting_anomaly",
        "usage_missing",
    ),
    ok(
        "usage-all-null-then",
        SAY_STREAM,
        stream(
            START,
            SAID,
            END,
            event(usage={"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}),
            COUNTED,
            DONE,
        ),
    ),
    bad(
        "reasoning-top",
        SAY,
        answer(plain(usage=counts(reasoning_tokens=90))),
        "accounting_anomaly",
        "reasoning_gt_completion",
    ),
    bad("cached-top", SAY, answer(plain(usage=counts(cached_tokens=90))), "accounting_anomaly", "cached_gt_prompt"),
    bad(
        "cached-negative",
        SAY,
        answer(plain(usage=counts(prompt_tokens_details={"cached_tokens": -1}))),
        "accounting_anomaly",
        "negative",
    ),
    bad(
        "anthropic-beside",
        SAY,
        answer(
            plain(usage=counts(prompt_tokens=3, cache_read_input_tokens=7, total_tokens=8) | {"completion_tokens": 5})
        ),
        "pass",
        "",
    ),
    ok(
        "gemini-thoughts-in-total",
        SAY,
        answer(
            plain(
                usage={
                    "prompt_tokens": 10,
                    "completion_tokens": 5,
                    "total_tokens": 62,
                    "completion_tokens_details": {"reasoning_tokens": 47},
                }
            )
        ),
    ),
    bad(
        "gemini-thoughts-untold",
        SAY,
        answer(plain(usage={"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 62})),
        "accounting_anomaly",
        "total_mismatch",
    ),
    bad(
        "usage-nan",
        SAY,
        answer(json.dumps(plain()).replace('"completion_tokens": 5', '"completion_tokens": NaN')),
        "envelope_error",
        "nonstandard_constant",
    ),
    bad(
        "usage-huge",
        SAY,
        answer(json.dumps(plain()).replace('"completion_tokens": 5', '"completion_tokens": 99999999999999999999999')),
        "accounting_anomaly",
        "wrong_type",
    ),
    bad(
        "fence-and-usage",
        ASK_JSON,
        answer(plain("```json\n" + GOOD_JSON + "\n```", usage=None)),
        "accounting_anomaly",
        "usage_missing",
    ),
    bad(
        "finish-null-and-fence",
        ASK_JSON,
        answer(plain("```json\n" + GOOD_JSON + "\n```", None)),
        "truncation_ambiguity",
        "null",
    ),
    bad(
        "dup-key-and-error",
        SAY,
        answer('{"error":{"message":"a"},"error":{"message":"b"}}'),
        "envelope_error",
        "duplicate_key",
    ),
    bad("no-done-no-usage", SAY_STREAM, stream(START, SAID, END), "stream_incomplete", "no_done"),
    bad(
        "empty-and-usage-zero",
        SAY,
        answer(plain("", usage={"prompt_tokens": 10, "completion_tokens": 0, "total_tokens": 10})),
        "empty_content",
        "no_text",
    ),
    bad(
        "usage-all-zero-empty",
        SAY,
        answer(plain("", usage={"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0})),
        "accounting_anomaly",
        "prompt_zero",
    ),
    bad(
        "content-missing-finish-null",
        SAY,
        answer(
            {
                **plain(),
                "choices": [{"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": None}],
            }
        ),
        "truncation_ambiguity",
        "null",
    ),
    bad(
        "parts-and-null-finish",
        SAY,
        answer(plain([{"type": "text", "text": "OK."}], None)),
        "envelope_error",
        "content_not_string",
    ),
    ok(
        "usage-null-each",
        SAY_STREAM,
        stream(
            event({"role": "assistant", "content": ""}, usage=None),
            event({"content": "OK."}, usage=None),
            event({}, "stop", usage=None),
            COUNTED,
            DONE,
        ),
    ),
    bad(
        "code-message",
        SAY,
        answer({"code": "InvalidApiKey", "message": "x", "request_id": "r"}),
        "inband_error",
        "error_in_200",
    ),
    bad("status-error", SAY, answer({"status": "error", "message": "x"}), "inband_error", "error_in_200"),
    bad("success-false", SAY, answer({"success": False, "msg": "quota"}), "inband_error", "error_in_200"),
    bad(
        "gemini-list-200",
        SAY,
        answer([{"error": {"code": 503, "message": "overloaded"}}]),
        "envelope_error",
        "not_an_object",
    ),
    *(
        bad(f"finish-{at}", SAY, answer(plain("OK.", word)), "truncation_ambiguity", "unknown_value")
        for at, word in enumerate(
            ("STOP", " stop", "max_tokens", "end_turn", "eos_token", "tool_use", "abort", "null", True, 0, [], {})
        )
    ),
    *(
        bad(
            f"stream-finish-{word}",
            SAY_STREAM,
            stream(START, SAID, event({}, word), COUNTED, DONE),
            "truncation_ambiguity",
            "unknown_value",
        )
        for word in ("STOP", "eos_token")
    ),
)
