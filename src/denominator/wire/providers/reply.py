"""What one response said."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.rows import Flag, Text, Usage
from denominator.records.values import NotMeasured

_SILENT = NotMeasured("the response does not say")
_NO_USAGE = NotMeasured("no usage in the response")
_UNKNOWN_USAGE = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Facts read from a response. `usage_source` is provider or provider_stream_last; `error` is the provider's."""

    model: Text = _SILENT
    finish: Text = _SILENT
    fingerprint: Text = _SILENT
    final_event: Flag = _SILENT
    usage: Usage = _UNKNOWN_USAGE
    usage_raw: Text = _NO_USAGE
    usage_convention: Text = _NO_USAGE
    usage_source: Text = _NO_USAGE
    error: Text = _SILENT


NO_REPLY = Reply()
