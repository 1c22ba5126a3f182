"""What stands in a text beside the value that was asked for: fences, prose, tokens of a template, thoughts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from denominator.wire.lawful import is_deep

TEXT_MAX = 200_000
"""Characters of a text that are searched."""
STARTS_MAX = 50
BLANK = " \t\r\n"
"""White space of JSON; any other space is something around it."""
FENCE = re.compile(r"```|~~~")
THINKING = re.compile(
    r"</?\s*(think|thinking|thought|thoughts|reasoning|reflection|seed:think)\s*>|\[/?THINK\]|◁/?think▷", re.IGNORECASE
)
SPECIAL = re.compile(
    r"<\|[^<>|\s][^<>|\n]{0,60}\|>|<｜[^<>｜\n]{1,60}｜>|</?s>|<(bos|eos|pad|unk|mask|cls|sep)>|<(start|end)_of_turn>"
    r"|\[/?INST\]|<<?/?SYS>>?|<0x[0-9A-Fa-f]{2}>|\[(PAD|UNK|CLS|SEP|MASK|EOS|BOS)[0-9]*\]|<extra_id_[0-9]+>|<unused[0-9]+>"
    r"|<\|[a-z_]{2,30}>|<[a-z_]{2,30}\|>"
)
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)


def drift(text: str, wants_list: bool) -> str:
    """Why a text that is no JSON value is none: a reason of format_drift. The outermost wrapping is told."""
    text = text[:TEXT_MAX].strip(BLANK)
    if THINKING.search(text):
        return "reasoning_inline"
    if SPECIAL.search(text):
        return "special_token"
    if FENCE.search(text):
        return "code_fence"
    if text.startswith(("{", "[")):
        return _bracketed(text)
    return "prose_around" if holds_value(text, wants_list) else "not_json"


def _bracketed(text: str) -> str:
    """It begins as JSON: are there several values, words behind one, or no value at all?"""
    end = _value_end(text, 0)
    if not end:
        return "not_json"
    found = 0
    while end:
        found += 1
        rest = text[end:].lstrip(" \t\r\n,;\x1e")
        if not rest:
            return "several_values" if found > 1 else "prose_around"
        at = len(text) - len(rest)
        end = _value_end(text, at) if rest[0] in '{["' else 0
    return "prose_around"


def holds_value(text: str, wants_list: bool) -> bool:
    """Is there a whole object (or a list, where one was wanted) somewhere in a text?"""
    text = text[:TEXT_MAX]
    starts = (found.start() for found in re.finditer(r"[\[{]" if wants_list else r"\{", text))
    return any(_value_end(text, at) for at, _ in zip(starts, range(STARTS_MAX), strict=False))


def _value_end(text: str, at: int) -> int:
    """Where the value that begins there ends; 0 where none does."""
    if is_deep(text[at:]):
        return 0
    try:
        return int(_DECODER.raw_decode(text, at)[1])
    except (ValueError, RecursionError):
        return 0


def template_words(text: str) -> Iterator[str]:
    """Reasons for text of any kind: what a chat template or a parser should have taken out."""
    text = text[:TEXT_MAX]
    if THINKING.search(text):
        yield "reasoning_inline"
    if SPECIAL.search(text):
        yield "special_token"


def wants_list(expect: Any) -> bool:
    """Is the value that a case expects a list?"""
    schema = expect.get("schema")
    kind = schema.get("type") if isinstance(schema, dict) else None
    return isinstance(expect.get("value"), list) or kind == "array"
