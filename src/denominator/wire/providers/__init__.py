"""What model providers are asked and what they say about a call, in one shape.

Conventions. The name is stored on every call, because arms that mix them cannot be compared:

- `openai_chat`: cached tokens inside `prompt_tokens`, reasoning tokens inside `completion_tokens`.
- `openai_responses`: the same with `input_tokens` and `output_tokens`.
- `+cached_beside`, `+reasoning_beside` behind either: `total_tokens` is prompt + completion + that part, so the server
  counts it apart; we add it.
- `anthropic_messages`: cache reads and writes beside `input_tokens`; we add both to prompt. Reasoning is inside
  `output_tokens` and not told apart.

A record's `prompt` always contains cached tokens and `completion` always contains reasoning tokens. What a provider did
not say, or said in a way that cannot be true, is `NotMeasured` with the reason, never 0.
"""

from denominator.wire.providers.api import API_BY_PATH, Api, api_of
from denominator.wire.providers.believed import as_asked, claimed, within_cap
from denominator.wire.providers.reply import NO_REPLY, Reply
from denominator.wire.providers.request import Asked, read_request
from denominator.wire.providers.response import BodyReader, StreamReader
from denominator.wire.providers.said import with_headers
from denominator.wire.providers.sums import is_free, sum_usage
from denominator.wire.providers.usage import normalise
from denominator.wire.providers.worst import Earlier, earlier_of, reserved, with_output_cap

__all__ = [
    "API_BY_PATH",
    "NO_REPLY",
    "Api",
    "Asked",
    "BodyReader",
    "Earlier",
    "Reply",
    "StreamReader",
    "api_of",
    "as_asked",
    "claimed",
    "earlier_of",
    "is_free",
    "normalise",
    "read_request",
    "reserved",
    "sum_usage",
    "with_headers",
    "with_output_cap",
    "within_cap",
]
