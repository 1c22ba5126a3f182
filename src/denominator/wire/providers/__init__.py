"""What model providers say about a call, in one shape: usage, finish reason, served model, error.

Conventions. The name is stored on every call, because arms that mix them cannot be compared:

- `openai_chat`: cached tokens inside `prompt_tokens`, reasoning tokens inside `completion_tokens`.
- `openai_responses`: the same with `input_tokens` and `output_tokens`.
- `openai_chat+reasoning_beside`, `openai_responses+reasoning_beside`: `total_tokens` is prompt + completion +
  reasoning, so the server counts reasoning apart; we add it.
- `anthropic_messages`: cache reads and writes beside `input_tokens`; we add both to prompt. Reasoning is inside
  `output_tokens` and not told apart.

A record's `prompt` always contains cached tokens and `completion` always contains reasoning tokens. What a provider did
not say, or said in a way that contradicts itself, is `NotMeasured` with the reason, never 0.
"""

from denominator.wire.providers.api import API_BY_PATH, Api, api_of
from denominator.wire.providers.reply import NO_REPLY, Reply
from denominator.wire.providers.request import Asked, read_request
from denominator.wire.providers.response import BodyReader, StreamReader
from denominator.wire.providers.sums import is_free, sum_usage
from denominator.wire.providers.usage import normalise

__all__ = [
    "API_BY_PATH",
    "NO_REPLY",
    "Api",
    "Asked",
    "BodyReader",
    "Reply",
    "StreamReader",
    "api_of",
    "is_free",
    "normalise",
    "read_request",
    "sum_usage",
]
