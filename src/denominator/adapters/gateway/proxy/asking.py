"""What a request asks for: the facts of its intent, and its body as it is sent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from denominator.wire.providers import Api, read_request


@dataclass(frozen=True, slots=True)
class Asking:
    """`fields` are fields of the call's row."""

    body: bytes
    fields: Mapping[str, Any]


def asking(body: bytes, api: Api) -> Asking:
    """Reads a request."""
    asked = read_request(body)
    return Asking(
        body,
        {
            "purpose": "listing" if api is Api.OTHER else "solve",
            "asked_model": asked.model,
            "streamed": asked.stream,
            "request_bytes": len(body),
            "request_sha256": hashlib.sha256(body).hexdigest(),
        },
    )
