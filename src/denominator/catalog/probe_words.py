"""Words of the endpoint bench that are no class: groups, contracts, flags, terms, and each reason in a line."""

from __future__ import annotations

from collections.abc import Mapping

PROBE_WORDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "probe": (
        ("endpoint bench", "probe attempt"),
        "A frozen fixture of cases, asked of one endpoint on one path in one window or more. An attempt of it is one "
        "request with what came back; each ends in exactly one class, or in pass. It counts promises of form and says "
        "nothing of reasoning, facts or code.",
    ),
    "fixture": (
        ("case", "cases", "client", "classifier", "histogram"),
        "Of a probe: the frozen cases, named by the sha256 of their file. A case is a question with what a kept promise "
        "looks like. client: the version of how requests are made and answers received. classifier: the version of how "
        "bytes become classes; with the same bytes and classifier the counts are the same. histogram: how many attempts "
        "of a group ended in each class and reason.",
    ),
    "path": (
        ("direct", "gateway", "through"),
        "Of a probe: the way that requests take, direct or through a gateway that is named with its version. What stands "
        "between is part of what is measured, so two paths to one endpoint are no comparison.",
    ),
    "deadline": (
        ("gap", "body cap", "pause", "rate of requests"),
        "Limits of one attempt of a probe. deadline: for everything from the name lookup to the last byte, whatever "
        "trickles in. gap: the longest silence inside a stream, from its first byte on. body cap: the largest body that "
        "is read.",
    ),
    "group": (
        (
            "groups",
            "strict_json",
            "schema",
            "truncation",
            "accounting",
            "unicode",
            "tools",
            "streaming",
            "malformed",
            "malformed control",
        ),
        "What a case of a probe is about; counts are by group and never over two. strict_json: nothing but JSON. "
        "schema: JSON of a given shape. truncation: a cut answer says so. accounting: usage that can be true, alike "
        "plain and streamed. unicode: the same code points come back. tools: a call that can be run. streaming: a "
        "stream that ends. malformed: requests that are wrong on purpose, a pass being a structured 4xx; counted apart.",
    ),
    "contracts": (
        ("promise", "promises", "kept", "broken", "not_evaluable"),
        "Of a probe: one promise. Every attempt keeps it, breaks it or says nothing of it (not_evaluable), whatever "
        "its class is, so that a fault of usage is not hidden behind one of format. transport: the bytes came. status: "
        "200. envelope: a chat completion. stream: it ends with its final event. finish: cut or done is told. tools: a "
        "call that can be run. accounting: usage. content: some text. format: nothing around it. schema: its shape. "
        "value: what it says. error: a wrong request is refused in words.",
    ),
    "window": (
        ("windows", "window 0", "between windows", "independent"),
        "One pass of a probe over its fixture. Two are independent when they start two hours apart by the wall clock "
        "and by the monotonic clock of one boot; otherwise the page says which of them does not show it. Window 0 in a "
        "score: found between windows, charged to no attempt.",
    ),
    "warm-up": (
        ("warmup", "warm up"),
        "A request before the first counted one. It is kept and stands in no count and no time.",
    ),
    "withheld": (
        ("invalid", "invalid_rate_ceiling"),
        "Of a probe: so many attempts of a window were invalid (a quota answered, or nobody was reached) that its passes "
        "are not counted, in no table and no sentence. The share that is allowed is `use.invalid_rate_ceiling`.",
    ),
    "censored": (
        ("nearest rank", "range check", "service time", "response time", "p95"),
        "Of a draw: unscoreable. Of a probe's times: the exchange did not complete and has no time; it is counted beside "
        "the quantiles, not in them. nearest rank: the ceil(q*n)-th smallest of n. range check: below 59 values the largest "
        "one does not bound p95 at 95 %. service time: one request after the other, which shows no queue. response "
        "time: at a fixed rate, from when a request was due.",
    ),
    "flag": (
        (
            "flags",
            "model_mismatch",
            "fingerprint_changed",
            "usage_repeated",
            "nonstandard_error_shape",
            "gzip_unrequested",
            "slow",
            "sse_comments",
            "open_after_done",
            "bytes_after_end",
            "retry_after_unreadable",
            "key_echoed",
        ),
        "An oddity of an attempt that breaks no promise and changes no class. model_mismatch: another model is named "
        "than was asked for. fingerprint_changed: attempts of a window name several. usage_repeated: counts on more "
        "than one event. nonstandard_error_shape: a refusal is an object of another shape. gzip_unrequested: packed "
        "though nobody asked. slow: the first byte took longer than `run.slow_ms`. sse_comments: comments in a stream. "
        "open_after_done: the connection stays open behind [DONE]. bytes_after_end: more came behind the end. "
        "retry_after_unreadable: the header says no time. key_echoed: the key came back, and was covered. cut_by_cap: "
        "the cap cut the arguments of a call.",
    ),
    "param_ignored": (
        (),
        "An observation beside a class, never one itself: a parameter shows no effect. Of temperature it is told over "
        "the attempts of a case, k distinct texts of n answers at temperature 0; nobody promises that greedy decoding "
        "repeats to the bit.",
    ),
}
"""Each with others that are explained by it."""

REASON_WORDS: Mapping[str, Mapping[str, str]] = {
    "transport_error": {
        "refused": "nobody takes connections there; says nothing of the endpoint's promises",
        "name_unknown": "the host's name is not known; says nothing of the endpoint's promises",
        "certificate_refused": "no certificate that can be trusted; says nothing of the endpoint's promises",
        "reset": "the connection was reset before the answer was whole",
        "empty_reply": "the connection ended without a byte",
        "incomplete_body": "the connection ended before the body was whole by its own framing",
        "bad_encoding": "the body is not what its content coding says",
        "bad_framing": "what came is not HTTP/1.1, or its lengths contradict each other",
        "send_failed": "the connection ended while the request was being sent",
    },
    "oversize_body": {"body_cap": "the body grew past `run.body_bytes_max`; reading stopped"},
    "timeout": {
        "not_connected": "no connection within the deadline; says nothing of the endpoint's promises",
        "no_first_byte": "nothing came before the deadline",
        "total_deadline": "something came, and was not whole at the deadline",
        "keepalive_only": "nothing but comments came before the deadline",
    },
    "stream_hang": {
        "stalled": "a stream fell silent in the middle for longer than `run.gap_ms`",
        "no_final_event": "the finish reason came, the final event did not, and the connection stayed open",
    },
    "http_error": {
        "rate_limited": "429: a quota answered; says nothing of the endpoint's promises",
        "4xx": "a good request was refused",
        "5xx": "the server failed",
        "redirect": "3xx; it is not followed",
        "other_status": "a status that is none of these",
    },
    "envelope_error": {
        "not_json": "the body is no JSON",
        "no_choices": "there is no choice in it",
        "empty_body": "there is no body",
        "content_not_string": "the content is neither text nor null",
        "not_utf8": "the bytes are no UTF-8",
        "bom": "a byte order mark stands first",
        "nonstandard_constant": "NaN or Infinity, which JSON does not have",
        "duplicate_key": "an object has one key twice",
        "too_deep": "nested deeper than is read",
        "not_an_object": "the body is JSON and no object",
        "no_message": "a choice holds no message",
        "sse_unrequested": "a stream came though none was asked for",
        "event_not_json": "the data of an event is no JSON",
    },
    "inband_error": {
        "error_in_200": "status 200 with an error object in place of an answer",
        "error_in_choice": "a choice that carries an error",
        "error_in_stream": "an event that carries an error",
    },
    "stream_incomplete": {
        "no_done": "the stream ended without [DONE]",
        "no_content": "the stream holds no answer",
        "cut_event": "the stream ended in the middle of an event",
        "stream_ignored": "a stream was asked for and one JSON body came",
    },
    "truncation_ambiguity": {
        "null": "the finish reason is null or absent",
        "empty": "the finish reason is empty text",
        "unknown_value": "the finish reason is no word of the interface",
        "stop_at_cap": "as many tokens as were allowed, and the answer says that it stopped by itself",
        "tool_calls_at_cap": "a call was cut at the cap, and the answer says that it is whole",
        "stream_null": "a stream ended without ever giving a finish reason",
    },
    "tool_call_malformed": {
        "args_not_json": "the arguments are no JSON",
        "args_not_string": "the arguments are no text",
        "index_missing": "a streamed piece does not say which call it belongs to",
        "index_collision": "pieces of two calls share an index",
        "duplicate_id": "two calls share an id",
        "id_missing": "a call has no id",
        "name_unknown": "the call names a tool that was not offered",
        "finish_mismatch": "the finish reason does not fit what is there",
    },
    "tool_call_miss": {
        "tool_choice_ignored": "a call was required and none came, or one came that was forbidden",
        "call_in_text": "the call stands in the text",
    },
    "accounting_anomaly": {
        "usage_missing": "no usage where it was owed",
        "wrong_type": "a count is no whole number",
        "negative": "a count is below 0",
        "prompt_zero": "0 prompt tokens for a prompt",
        "completion_zero": "0 completion tokens for a text",
        "completion_gt_max": "more completion tokens than the cap allows",
        "reasoning_gt_completion": "more reasoning tokens than completion tokens",
        "cached_gt_prompt": "more cached tokens than prompt tokens",
        "total_mismatch": "the total is not what its parts give",
        "stream_mismatch": "the same attempt plain and streamed is billed differently; both are charged",
        "prompt_tokens_unstable": "one request has several prompt counts in a window; all that told one are charged",
    },
    "empty_content": {
        "reasoning_only": "tokens went into reasoning, the answer is empty",
        "cut_before_text": "the cap came before the first text",
        "filtered": "a content filter took the answer",
        "refused": "the model refused in a field of its own",
        "no_text": "no text, and nothing that says why",
    },
    "format_drift": {
        "code_fence": "a Markdown fence around the JSON",
        "prose_around": "words before or behind the JSON",
        "special_token": "a token of the template stands in the text",
        "reasoning_inline": "reasoning stands in the text",
        "nonstandard_constant": "NaN or Infinity, which JSON does not have",
        "several_values": "more than one JSON value",
        "cut_by_cap": "the cap cut the JSON, and the answer says so; no word about the model",
        "not_json": "the text is no JSON",
    },
    "schema_miss": {
        "duplicate_key": "an object has one key twice",
        "extra_key": "a key that the schema does not have; the answer's own names are shown as *",
        "missing_key": "a key that the schema requires is absent",
        "wrong_type": "a value of another type",
        "value_not_allowed": "a value that the schema excludes",
        "tool_args": "arguments of a call that do not fit its schema",
    },
    "content_miss": {
        "wrong_value": "another value than was asked for",
        "unicode_loss": "code points were replaced or lost",
        "unicode_normalised": "the text came back in another normal form",
        "text_differs": "another text than was asked for",
    },
    "error_contract": {
        "accepted": "a request that is wrong on purpose got 200",
        "server_error": "it got 5xx",
        "unstructured": "it was refused without a JSON object that says why",
        "redirected": "it was redirected",
        "no_response": "it got no answer",
    },
    "param_ignored": {
        "temperature": "several texts at temperature 0",
        "max_tokens": "more tokens than were allowed",
        "response_format": "the format that was asked for did not come",
        "tool_choice": "the choice of tools had no effect",
        "stream": "a stream was asked for and none came, or the other way round",
    },
}
"""Every reason of every class, in a line."""


def reason_text(word: str) -> str:
    """What a reason means, in each class that has it; "" for what is none."""
    found = [(cls, said[word]) for cls, said in REASON_WORDS.items() if word in said]
    return " ".join(f"{cls} {word}: {text}." for cls, text in found)
