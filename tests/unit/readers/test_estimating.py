"""The bundled estimator: what it counts, what it leaves out, and that a streamed answer counts like a whole one."""

from __future__ import annotations

import json

import pytest

from denominator.readers.estimating import answer_tokens, request_tokens, tokens_of
from denominator.wire.providers import Api


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("word", 1), ("a" * 70, 10), ("123456", 2), ("\n", 1), ("日本", 2), ("one two three", 3)],
)
def test_pieces(text: str, tokens: int) -> None:
    assert tokens_of(text) == tokens


def body(value: object) -> bytes:
    return json.dumps(value).encode()


def test_a_request_is_its_texts_and_tools_and_no_pictures() -> None:
    said = {"messages": [{"role": "user", "content": "fix the rounding of totals"}]}
    plain = request_tokens(body(said))
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 9000}}
    seen = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "fix the rounding of totals"}, picture]}]
    }
    assert plain is not None
    assert request_tokens(body(seen)) == plain
    tools = {**said, "tools": [{"type": "function", "function": {"name": "shell", "parameters": {"command": "text"}}}]}
    assert (request_tokens(body(tools)) or 0) > plain


def events(*datas: object) -> bytes:
    return b"".join(b"data: " + body(data) + b"\n\n" for data in datas) + b"data: [DONE]\n\n"


TEXT = "The total is rounded once, at the end."
CHAT = {"choices": [{"message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}]}
MESSAGES = {"role": "assistant", "content": [{"type": "text", "text": TEXT}], "stop_reason": "end_turn"}
RESPONSES = {"output": [{"type": "message", "content": [{"type": "output_text", "text": TEXT}]}]}
HALVES = (TEXT[:9], TEXT[9:])


@pytest.mark.parametrize(
    ("api", "whole", "stream"),
    [
        (Api.CHAT, CHAT, events(*({"choices": [{"delta": {"content": part}}]} for part in HALVES))),
        (
            Api.MESSAGES,
            MESSAGES,
            events(*({"type": "content_block_delta", "delta": {"type": "text_delta", "text": p}} for p in HALVES)),
        ),
        (
            Api.RESPONSES,
            RESPONSES,
            events(
                *({"type": "response.output_text.delta", "delta": part} for part in HALVES),
                {"type": "response.completed", "response": RESPONSES},
            ),
        ),
    ],
)
def test_a_stream_counts_like_the_whole_answer(api: Api, whole: object, stream: bytes) -> None:
    assert answer_tokens(body(whole), api) == answer_tokens(stream, api) == tokens_of(TEXT)


def test_a_stream_that_only_tells_its_end_is_read_from_there() -> None:
    assert answer_tokens(events({"type": "response.completed", "response": RESPONSES}), Api.RESPONSES) == tokens_of(
        TEXT
    )


@pytest.mark.parametrize("junk", [b"", b"\x00\xff", b"[]", b"not json"])
def test_what_cannot_be_read_has_no_estimate(junk: bytes) -> None:
    assert request_tokens(junk) is None
    assert answer_tokens(junk, Api.CHAT) is None
