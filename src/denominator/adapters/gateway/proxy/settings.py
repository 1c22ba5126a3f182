"""What the gateway process is told when it starts: the first line on its descriptor. The key is named, never told."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from denominator.adapters.gateway.limits import RelayLimits
from denominator.errors import InputError
from denominator.records.envelopes import GatewayTerms
from denominator.wire.codec import from_json, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One run's gateway. `blobs` is the folder for bodies ("": none are kept), `output_cap` the sealed one (0: none)."""

    endpoint: str
    key_env: str = ""
    blobs: str = ""
    output_cap: int = 0
    terms: GatewayTerms = field(default_factory=GatewayTerms)
    limits: RelayLimits = field(default_factory=RelayLimits)


def write_settings(settings: Settings) -> bytes:
    """One line with its end."""
    told = {
        "endpoint": settings.endpoint,
        "key_env": settings.key_env,
        "blobs": settings.blobs,
        "output_cap": settings.output_cap,
        "terms": to_json(settings.terms),
        "limits": asdict(settings.limits),
    }
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def read_settings(line: bytes) -> Settings:
    """One line. Raises `InputError` for what are no settings."""
    try:
        told = json.loads(line)
        terms = from_json(GatewayTerms, told.pop("terms"), "gateway")
        return Settings(terms=terms, limits=RelayLimits(**told.pop("limits")), **told)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError("these are no settings of the gateway", where="gateway") from None
