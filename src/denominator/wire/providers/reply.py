"""What one response said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.rows import Flag, Text, Usage
from denominator.records.values import NotMeasured

_SILENT = NotMeasured("the response does not say")
_NO_USAGE = NotMeasured("no usage in the response")
_UNKNOWN_USAGE = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Facts read from a response. `usage_source` is provider or provider_stream_last; `error` is the provider's.

    `host` and `quantisation` are what a router says about who answered. `decoding` are sampling parameters as returned,
    decimal text. `tool_calls` are "name:digest of the arguments" in the order of the answer. `content_begun`: text,
    reasoning or a tool call has begun (a stream's first event may hold none). `refused`: the model says that it will
    not. `provider_cost` is decimal text in `provider_cost_unit` (credits, usd, usd_ticks).
    """

    model: Text = _SILENT
    finish: Text = _SILENT
    fingerprint: Text = _SILENT
    final_event: Flag = _SILENT
    usage: Usage = _UNKNOWN_USAGE
    usage_raw: Text = _NO_USAGE
    usage_convention: Text = _NO_USAGE
    usage_source: Text = _NO_USAGE
    error: Text = _SILENT
    host: Text = _SILENT
    quantisation: Text = _SILENT
    decoding: Mapping[str, str] = field(default_factory=dict)
    tool_calls: tuple[str, ...] = ()
    content_begun: bool = False
    refused: bool = False
    provider_cost: Text = _SILENT
    provider_cost_unit: Text = _SILENT


NO_REPLY = Reply()
