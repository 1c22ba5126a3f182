"""Tokens of a text without a tokenizer: one bundled estimator, `pieces@1`, for arms whose provider does not count.

A text is cut into pieces: runs of letters, of digits, of other signs, of white space. A run of ASCII letters is one token
and one more for every 7 letters beyond the first 7; digits are one token for 3; other ASCII signs one for 2; white space is
one where it is a line end or longer than one sign; letters and signs beyond ASCII one token for 3 bytes of UTF-8. The sum is
taken times 12/13, rounded up.

Measured against the vocabulary cl100k_base: docs/formats/spend.md has the table. It is an estimate of what a provider would
count, never mixed with what one did count. Bytes over 4 was measured beside it and is off by a third on JSON and logs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from denominator.wire.providers import Api
from denominator.wire.sse import SseReader
from denominator.wire.strict import read

NAME = "pieces@1"
PER_MESSAGE = 4
"""What a chat format adds around each message, about."""
_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]+|_+|\s+")
_LETTERS, _DIGITS, _SIGNS, _BYTES = 7, 3, 2, 3
_UP, _DOWN = 12, 13
_ASKED = ("messages", "input", "system", "instructions", "prompt")
_NOT_TEXT = frozenset(
    ("type", "role", "id", "call_id", "tool_call_id", "tool_use_id", "image_url", "data", "cache_control", "signature",
     "encrypted_content", "status", "model", "object", "finish_reason", "stop_reason", "fingerprint", "usage", "phase")
)  # fmt: skip


def tokens_of(text: str) -> int:
    """About how many tokens a text has."""
    return -(-sum(map(_piece, _PIECE.findall(text))) * _UP // _DOWN)


def _piece(piece: str) -> int:
    first, plain = piece[0], piece.isascii()
    if first.isspace():
        return int(len(piece) > 1 or first == "\n")
    if first.isdigit():
        return -(-len(piece) // _DIGITS)
    if not plain:
        return -(-len(piece.encode("utf-8", "surrogatepass")) // _BYTES)
    if first.isalpha():
        return 1 + (len(piece) - 1) // _LETTERS
    return -(-len(piece) // _SIGNS)


def request_tokens(body: bytes) -> int | None:
    """About how many tokens a request sends; None where it is no JSON object. Pictures and other data are left out."""
    document, refusal = read(body, "decimal")
    if refusal is not None or not isinstance(document, dict):
        return None
    texts = [text for name in _ASKED for text in _strings(document.get(name))]
    texts += list(_keys_and_strings(document.get("tools")))
    messages = sum(len(found) for name in _ASKED if isinstance(found := document.get(name), list))
    return tokens_of(" ".join(texts)) + PER_MESSAGE * messages


def answer_tokens(body: bytes, api: Api) -> int | None:
    """About how many tokens an answer has, whole or streamed; None where nothing of one can be read."""
    document, refusal = read(body, "decimal")
    if refusal is None:
        return tokens_of(" ".join(_said(document))) if isinstance(document, dict) else None
    events = list(_events(body))
    if not events:
        return None
    deltas = [text for event in events for text in _delta(event, api)]
    whole = [text for event in events for text in _said(event.get("response"))] if not deltas else []
    return tokens_of("".join(deltas) or " ".join(whole))


def _events(body: bytes) -> Iterator[dict[str, Any]]:
    for event in SseReader().feed(body, last=True):
        data, refusal = read(event.data, "decimal")
        if refusal is None and isinstance(data, dict):
            yield data


def _delta(event: Mapping[str, Any], api: Api) -> Iterator[str]:
    """The text that one event adds."""
    if api is Api.CHAT:
        for choice in event.get("choices") or ():
            if isinstance(choice, dict):
                yield from _strings(choice.get("delta"))
                yield from _strings(choice.get("text"))
    elif api is Api.MESSAGES:
        yield from _strings(event.get("delta") if event.get("type") == "content_block_delta" else None)
        block = event.get("content_block")
        yield from _strings({"name": block.get("name")} if isinstance(block, dict) else None)
    elif isinstance(event.get("delta"), str):
        yield event["delta"]


def _said(document: Any) -> Iterator[str]:
    """The texts of a whole answer of any of the interfaces."""
    if isinstance(document, dict):
        for name in ("choices", "content", "output"):
            yield from _strings(document.get(name))


def _strings(value: Any) -> Iterator[str]:
    """Every text below a value, in order, but for names of kinds and ids."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in _NOT_TEXT:
                yield from _strings(one)


def _keys_and_strings(value: Any) -> Iterator[str]:
    """Tool descriptions are sent with the names of their parameters."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _keys_and_strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _keys_and_strings(one)
    elif isinstance(value, str):
        yield value
