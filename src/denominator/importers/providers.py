"""A structured error of a model provider in a foreign row, as the one reader of provider errors takes it."""

from __future__ import annotations

from denominator.importers.columns import Cells
from denominator.readers import provider
from denominator.readers.provider import ProviderError

WORDS = ("error_code", "code", "type", "class", "stream_error")


def provider_error(cells: Cells) -> ProviderError:
    """The error that the row states."""
    told = cells.table("provider_error")
    status = told.get("status", told.get("last_status", told.get("http_status")))
    message = told.get("message")
    return ProviderError(
        status=status if isinstance(status, int) else 0,
        words=tuple(str(told[word]) for word in WORDS if isinstance(told.get(word), str)),
        message=message if isinstance(message, str) else "",
        stream_broke=bool(told.get("stream_error")) or told.get("final_event") is False,
        no_retry_after="retry_after" in told and told["retry_after"] is None,
    )


def provider_failed(cells: Cells) -> bool:
    """Did the provider end the row? A summary of calls that were answered in the end is no error."""
    told = cells.table("provider_error")
    error = provider_error(cells)
    if not told or told.get("gave_up") is False or told.get("recovered") is True:
        return False
    return (
        told.get("gave_up") is True or error.status >= 400 or error.stream_broke or bool(error.words or error.message)
    )


def provider_cause(cells: Cells) -> str:
    """The cause, as the cause table knows it."""
    return provider.cause_of(provider_error(cells))


def overflowed(cells: Cells) -> bool:
    """Did the request not fit the served window?"""
    return provider.overflowed(provider_error(cells))
