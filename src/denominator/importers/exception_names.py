"""Names of exceptions in foreign results: which one ended an attempt, and whether it is one of a provider's client.

Only the class counts. What a message says is prose, and prose decides nothing.
"""

from __future__ import annotations

import re

from denominator.importers.crashes import CLIENT
from denominator.readers.provider import ProviderError, cause_of

TRACEBACK = "Traceback (most recent call last):"
BETWEEN = (
    "\n\nDuring handling of the above exception, another exception occurred:\n\n",
    "\n\nThe above exception was the direct cause of the following exception:\n\n",
)
NAME = re.compile(r"([A-Za-z_]\w{0,200}(?:\.[A-Za-z_]\w{0,200}){0,12})(?::|\s*\Z)")
CLIENTS = frozenset(("litellm", "openai", "anthropic"))
"""Packages that call models: every class of a client that they have is a provider's."""
ANYWHERE = frozenset(
    (
        *("RateLimitError", "APIConnectionError", "APITimeoutError", "InternalServerError", "ServiceUnavailableError"),
        *("AuthenticationError", "ContextWindowExceededError", "ContentPolicyViolationError", "UnsupportedParamsError"),
        *("APIResponseValidationError", "OverloadedError", "BadGatewayError"),
    )
)
"""Classes that nothing but such a package has, also where only their bare name is kept."""


def last_exception(text: str) -> str:
    """The class of the exception that a traceback ends with, with its package where it is printed; "" where none can be told.

    Of chained tracebacks the last one counts. A text without a traceback is looked at from its first line.
    """
    lines = text[max(_start(text), 0) :].splitlines()
    for line in lines[1:] if lines and lines[0].startswith(TRACEBACK) else lines:
        if line[:1] in ("", " ", "\t"):
            continue
        found = NAME.match(line)
        return found[1] if found else ""
    return ""


def _start(text: str) -> int:
    """Where the last traceback of a chain begins; one inside a message is none."""
    chained = max(text.rfind(between + TRACEBACK) for between in BETWEEN)
    return chained if chained < 0 else text.index(TRACEBACK, chained)


def provider_cause(name: str) -> str:
    """The cause, as the cause table knows it, of an exception that a provider's client raises; "" for every other class."""
    package, _, bare = name.rpartition(".")
    known = CLIENT if package.partition(".")[0] in CLIENTS else ANYWHERE
    return str(cause_of(ProviderError(words=(bare,)))) if bare in known else ""
