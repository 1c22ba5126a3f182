"""What a request asks for: the facts of its intent, its worst case, and its body as it is sent."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.records.rows import Count
from denominator.records.values import NotMeasured
from denominator.wire.providers import Api, Asked, Earlier, read_request, reserved, with_output_cap

_OWN_CAP = NotMeasured("the request names its own output cap, or none is sealed")


@dataclass(frozen=True, slots=True)
class Asking:
    """`asked` is of the body as sent. `fields` are fields of the call's row."""

    body: bytes
    asked: Asked
    fields: Mapping[str, Any]


def asking(body: bytes, api: Api, cap: int, earlier: Iterable[Earlier] = ()) -> Asking:
    """Reads a request and puts the sealed output cap into one that names none."""
    sent = with_output_cap(body, api, cap)
    injected: Count = _OWN_CAP if sent == body else cap
    asked = read_request(sent, api)
    return Asking(
        sent,
        asked,
        {
            "purpose": "listing" if api is Api.OTHER else "solve",
            "asked_model": asked.model,
            "streamed": asked.stream,
            "request_bytes": len(sent),
            "request_sha256": hashlib.sha256(sent).hexdigest(),
            "decoding_asked": asked.decoding,
            "prompt_sha256": asked.prompt_sha256,
            "tools_sha256": asked.tools_sha256,
            "thread": asked.thread,
            "reserved_tokens": reserved(asked, cap, earlier),
            "cap_injected": injected,
        },
    )
