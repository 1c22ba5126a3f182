"""What a structured error of a model provider means: who must do something about it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.records.words import Reason

SPENT = ("spend_limit_reached", "insufficient_quota", "quota_exceeded", "billing_hard_limit_reached")
OVERFLOW = ("ContextWindowExceededError", "context_length_exceeded")
OVERFLOW_TEXT = re.compile(r"maximum context length is \d+|\d+ tokens > \d+", re.IGNORECASE)
WORDS = ("error_code", "code", "type", "class")


def provider_cause(cells: Cells) -> str:
    """The cause, as the cause table knows it. A spent account is no rate limit: retrying cannot help."""
    told = cells.table("provider_error")
    status = told.get("status", told.get("last_status", told.get("http_status")))
    if overflowed(cells):
        return "context_window"
    if status == 402 or any(told.get(word) in SPENT for word in WORDS):
        return Reason.QUOTA_EXHAUSTED
    if status == 429:
        return Reason.PROVIDER_RATE_LIMIT
    if told.get("stream_error") or told.get("final_event") is False:
        return Reason.PROVIDER_STREAM_ERROR
    refused = isinstance(status, int) and 400 <= status < 500 and status != 408
    return "provider_refused" if refused else Reason.PROVIDER_ERROR


def overflowed(cells: Cells) -> bool:
    """Did the request not fit the served window? The provider's own error says so, whatever status it came with."""
    told: Mapping[str, object] = cells.table("provider_error")
    message = told.get("message")
    named = any(told.get(word) in OVERFLOW for word in WORDS)
    return named or (isinstance(message, str) and OVERFLOW_TEXT.search(message) is not None)
