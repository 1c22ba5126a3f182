"""A structured error of a model provider in a foreign row, as the one reader of provider errors takes it."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.readers import provider
from denominator.readers.provider import ProviderError

WORDS = ("error_code", "code", "type", "class", "error", "error_type", "grpc_status", "stream_error")
STATUS = ("status", "last_status", "http_status", "status_code", "code")


def provider_error(cells: Cells) -> ProviderError:
    """The error that the row states."""
    told = _flat(cells.table("provider_error"))
    status = next((told[name] for name in STATUS if isinstance(told.get(name), int)), 0)
    message = told.get("message")
    return ProviderError(
        status=status if isinstance(status, int) else 0,
        words=tuple(str(told[word]) for word in WORDS if isinstance(told.get(word), str)),
        message=message if isinstance(message, str) else "",
        stream_broke=bool(told.get("stream_error")) or told.get("final_event") is False,
        no_retry_after="retry_after" in told and told["retry_after"] is None,
    )


def _flat(told: Mapping[str, object]) -> Mapping[str, object]:
    """The error with what its own inner error object says: providers send one inside the other."""
    inner = told.get("error")
    if not isinstance(inner, dict):
        return told
    named = {"grpc_status": inner["status"]} if isinstance(inner.get("status"), str) else {}
    return {**{key: value for key, value in inner.items() if key != "status"}, **named, **told}


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
