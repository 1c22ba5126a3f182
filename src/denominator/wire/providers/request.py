"""What a request asked for."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.rows import Text
from denominator.records.values import NotMeasured
from denominator.wire.providers.loose import as_dict, loads_loose, text_of

_NO_MODEL = NotMeasured("the request names no model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The asked model, whether a stream was asked for, and whether usage was asked for on it."""

    model: Text = _NO_MODEL
    stream: bool = False
    usage_on_stream: bool = True


def read_request(body: bytes) -> Asked:
    """Reads a request body; one that is not JSON asked for nothing."""
    data = as_dict(loads_loose(body))
    options = as_dict(data.get("stream_options"))
    return Asked(
        model=text_of(data.get("model"), "the request names no model"),
        stream=data.get("stream") is True,
        usage_on_stream=options.get("include_usage") is True,
    )
