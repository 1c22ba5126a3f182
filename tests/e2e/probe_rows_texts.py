"""Rows of texts: forms of JSON, values under a schema, code points."""

from __future__ import annotations

import json
from typing import Any

from e2e.probe_answers import (
    ASK_JSON,
    COUNTED,
    DONE,
    END,
    EXACT,
    GOOD_JSON,
    START,
    USAGE,
    Row,
    answer,
    bad,
    event,
    ok,
    plain,
    stream,
)

EXACT_TEXT = "café / 第二行 / end"
EMOJI = {"malformed": False, "stream": True, "tools": False, "prompt": "👩"}
EMOJI_TEXT = "👩\u200d💻 👍🏽 🏳️\u200d🌈 🇳🇴 ❤️ done"
HALVES = [
    chr(int.from_bytes(EMOJI_TEXT.encode("utf-16-be")[at : at + 2], "big"))
    for at in range(0, len(EMOJI_TEXT.encode("utf-16-be")), 2)
]
MOOD = {"malformed": False, "stream": False, "tools": False, "json": True, "prompt": "review"}


def form(name: str, text: str, cls: str, reason: str, finish: str = "stop", usage: Any = USAGE) -> Row:
    """A text where JSON was asked for."""
    return name, ASK_JSON, answer(plain(text, finish, usage)), cls, reason


def exact(name: str, text: str, cls: str, reason: str) -> Row:
    """A text that was to be repeated."""
    return name, EXACT, answer(plain(text)), cls, reason


def mood(name: str, text: str, cls: str, reason: str) -> Row:
    """A value under a schema with an enum."""
    return name, MOOD, answer(plain(text)), cls, reason


def ascii_event(text: str) -> str:
    """An event with every character beyond ASCII as an escape."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return "data: " + json.dumps({"id": "c", "model": "conformant", "choices": [choice]}) + "\n\n"


TEXT_ROWS: tuple[Row, ...] = (
    form("j-label", "JSON:\n" + GOOD_JSON, "format_drift", "prose_around"),
    form("j-fence-json5", "```json5\n" + GOOD_JSON + "\n```", "format_drift", "code_fence"),
    form("j-inline-tick", "`" + GOOD_JSON + "`", "format_drift", "prose_around"),
    form("j-python", '{"ok": True, "count": 2}', "format_drift", "not_json"),
    form("j-unquoted", "{ok: true, count: 2}", "format_drift", "not_json"),
    form("j-bom", "\ufeff" + GOOD_JSON, "format_drift", "prose_around"),
    form("j-nul", GOOD_JSON + "\0", "format_drift", "prose_around"),
    form("j-exp", '{"ok": true, "count": 0.2e1}', "pass", ""),
    form("j-half", '{"ok": true, "count": 2.5}', "content_miss", "wrong_value"),
    form("j-null-count", '{"ok": true, "count": null}', "schema_miss", "wrong_type"),
    form("j-list", "[" + GOOD_JSON + "]", "schema_miss", "wrong_type"),
    form("j-key-case", '{"OK": true, "count": 2}', "schema_miss", "extra_key"),
    form("j-ok-false", '{"ok": false, "count": 2}', "content_miss", "wrong_value"),
    form("j-true", "true", "schema_miss", "wrong_type"),
    form("j-think", "<think>2</think>" + GOOD_JSON, "format_drift", "reasoning_inline"),
    form("j-think-empty", "<think>\n\n</think>\n\n" + GOOD_JSON, "format_drift", "reasoning_inline"),
    form("j-eot", GOOD_JSON + "<|eot_id|>", "format_drift", "special_token"),
    form("j-box", "<|begin_of_box|>" + GOOD_JSON + "<|end_of_box|>", "format_drift", "special_token"),
    form("j-harmony", "<|channel|>final<|message|>" + GOOD_JSON, "format_drift", "special_token"),
    form("j-inst", "[/INST] " + GOOD_JSON, "format_drift", "special_token"),
    form("j-turn", GOOD_JSON + "<end_of_turn>", "format_drift", "special_token"),
    form("j-xml", "<json>" + GOOD_JSON + "</json>", "format_drift", "prose_around"),
    form("j-boxed", "\\boxed{" + GOOD_JSON + "}", "format_drift", "prose_around"),
    form("j-cut-length-early", '{"ok": true, "cou', "format_drift", "cut_by_cap", "length"),
    form("j-whole-length", GOOD_JSON, "pass", "", "length"),
    form(
        "j-white-to-cap",
        "\n" * 60,
        "format_drift",
        "cut_by_cap",
        "length",
        {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74},
    ),
    form("j-refusal-words", "I'm sorry, I can't do that.", "format_drift", "not_json"),
    form("j-dup", '{"ok": false, "ok": true, "count": 2}', "schema_miss", "duplicate_key"),
    form("j-jsonl", '{"ok": true}\n{"count": 2}', "format_drift", "several_values"),
    form("j-crlf", '\r\n{"ok":true,\r\n"count":2}\r\n\t', "pass", ""),
    exact("u-quoted", "“" + EXACT_TEXT + "”", "content_miss", "text_differs"),
    exact("u-leading-space", " " + EXACT_TEXT, "content_miss", "text_differs"),
    exact("u-plain-e", EXACT_TEXT.replace("é", "e"), "content_miss", "unicode_loss"),
    exact(
        "u-escape",
        EXACT_TEXT.replace("é", "\\u00e9").replace("第二行", "\\u7b2c\\u4e8c\\u884c"),
        "content_miss",
        "unicode_loss",
    ),
    exact("u-replaced", EXACT_TEXT.replace("第", "\ufffd"), "content_miss", "unicode_loss"),
    exact("u-dropped", EXACT_TEXT.replace("第二行", ""), "content_miss", "unicode_loss"),
    exact("u-nfd", __import__("unicodedata").normalize("NFD", EXACT_TEXT), "content_miss", "unicode_normalised"),
    exact("u-translated", "coffee / second line / end", "content_miss", "text_differs"),
    exact("u-think", "<think>x</think>" + EXACT_TEXT, "format_drift", "reasoning_inline"),
    ok(
        "u-exact-at-cap",
        EXACT,
        answer(plain(EXACT_TEXT, "stop", {"prompt_tokens": 10, "completion_tokens": 64, "total_tokens": 74})),
    ),
    ok(
        "u-half-surrogates",
        EMOJI,
        stream(
            START,
            *[ascii_event(x) for x in HALVES],
            END,
            event(usage={"prompt_tokens": 13, "completion_tokens": 6, "total_tokens": 19}),
            DONE,
        ),
    ),
    bad(
        "u-lone-half",
        EMOJI,
        stream(START, ascii_event("".join(HALVES[1:])), END, COUNTED, DONE),
        "content_miss",
        "unicode_loss",
    ),
    bad(
        "u-no-joiner",
        EMOJI,
        stream(START, event({"content": EMOJI_TEXT.replace("\u200d", "")}), END, COUNTED, DONE),
        "content_miss",
        "unicode_loss",
    ),
    bad(
        "u-no-selector",
        EMOJI,
        stream(START, event({"content": EMOJI_TEXT.replace("\ufe0f", "")}), END, COUNTED, DONE),
        "content_miss",
        "unicode_loss",
    ),
    form("j-nested-fence", "Here:\n```json\n" + GOOD_JSON + "\n```\nDone.", "format_drift", "code_fence"),
    form("j-quote-html", "{&quot;ok&quot;: true, &quot;count&quot;: 2}", "format_drift", "not_json"),
    form("j-smart-quotes", "{“ok”: true, “count”: 2}", "format_drift", "not_json"),
    form("j-yaml", "ok: true\ncount: 2", "format_drift", "not_json"),
    form("j-semicolon", GOOD_JSON + ";", "format_drift", "prose_around"),
    form("j-leading-comma", "," + GOOD_JSON, "format_drift", "prose_around"),
    form("j-zwsp", "\u200b" + GOOD_JSON, "format_drift", "prose_around"),
    form("j-leading-zero", '{"ok": true, "count": 02}', "format_drift", "not_json"),
    form("j-plus", '{"ok": true, "count": +2}', "format_drift", "not_json"),
    form("j-undefined", '{"ok": true, "count": undefined}', "format_drift", "not_json"),
    form("j-raw-newline", '{"ok": true, "co\nunt": 2}', "format_drift", "not_json"),
    form("j-missing-brace", '{"ok": true, "count": 2', "format_drift", "not_json"),
    form("j-extra-brace", GOOD_JSON + "}", "format_drift", "prose_around"),
    form("j-two-diff", GOOD_JSON + '{"ok": false}', "format_drift", "several_values"),
    form("j-two-commas", GOOD_JSON + "," + GOOD_JSON, "format_drift", "several_values"),
    form("j-magistral", "[THINK]x[/THINK]" + GOOD_JSON, "format_drift", "reasoning_inline"),
    form("j-kimi", "◁think▷x◁/think▷" + GOOD_JSON, "format_drift", "reasoning_inline"),
    form("j-pad", GOOD_JSON + "<pad><pad>", "format_drift", "special_token"),
    form("j-endoftext", GOOD_JSON + "<|endoftext|>", "format_drift", "special_token"),
    form("j-assistant-word", "assistant\n" + GOOD_JSON, "format_drift", "prose_around"),
    form("j-deepseek-think-json-inside", '<think>{"ok": 1}</think>', "empty_content", "reasoning_only"),
    form("j-neg-zero", '{"ok": true, "count": -0}', "content_miss", "wrong_value"),
    form("j-order", '{"count": 2, "ok": true}', "pass", ""),
    form("j-null", "null", "schema_miss", "wrong_type"),
    form("j-string", '"ok"', "schema_miss", "wrong_type"),
    form("j-lone-surrogate-value", '{"ok": true, "count": 2, "x": "\\ud800"}', "schema_miss", "extra_key"),
    mood("s-other-enum", '{"mood": "happy"}', "schema_miss", "value_not_allowed"),
    mood("s-wrong-enum", '{"mood": "negative"}', "content_miss", "wrong_value"),
    mood("s-null", '{"mood": null}', "schema_miss", "wrong_type"),
    mood("s-schema-echo", '{"type": "object", "properties": {"mood": {"type": "string"}}}', "schema_miss", "extra_key"),
    mood("s-good", '{"mood":"positive"}', "pass", ""),
    mood("s-free", "The mood is positive.", "format_drift", "not_json"),
)
