"""The words of a provider's error object: the most telling one, and whether a message says that a window was too small."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

CONTEXT_WORD = "context_length_exceeded"
_OVERFLOW = re.compile(
    r"maximum context length is \d+|\d+ tokens? > \d+|prompt is too long: \d+|exceeds? (the )?(available )?context "
    r"(size|window|length)|exceeds the maximum number of tokens|context window of \d+|exceeds? (the )?context limit"
    r"|input is too long for (the )?requested model|reduce the length of the (messages|prompt|input)",
    re.IGNORECASE,
)
_NO_MONEY = re.compile(
    r"credit balance is too low|insufficient (account )?(balance|credits|funds|quota)|exceeded your current quota"
    r"|payment required|(spend(ing)?|usage|billing) (hard )?limit (has been |was )?(reached|exceeded)",
    re.IGNORECASE,
)
_OVERFLOW_WORDS = frozenset(
    ("contextwindowexceedederror", "context_length_exceeded", "context_window_exceeded", "exceed_context_size_error")
)


def says_overflow(message: str) -> bool:
    """Does this message of a provider say that the request did not fit its window? It comes under any status."""
    return _OVERFLOW.search(message[:4096]) is not None


def says_spent(message: str) -> bool:
    """Does this message of a provider say that the account has no money or quota left? It comes under 400, 402, 403, 429."""
    return _NO_MONEY.search(message[:4096]) is not None


def is_overflow(word: str) -> bool:
    """Is this the name of the same error?"""
    return word.lower() in _OVERFLOW_WORDS


def error_words(error: Mapping[str, Any]) -> tuple[str, ...]:
    """Words of an error object, the most telling first: a window that was too small, then `code`, then `type`."""
    told = tuple(word for name in ("code", "type") if isinstance(word := error.get(name), str) and word)
    message = error.get("message")
    small = isinstance(message, str) and says_overflow(message)
    return (CONTEXT_WORD, *told) if small and not any(is_overflow(word) for word in told) else told
