"""Does a warm-up show that asking on is of no use: nobody there, or nobody who lets us in?"""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.probe_results import Exchange
from denominator.records.probe_words import End
from denominator.records.probes import ProbeEnvelope
from denominator.wire.http_reply import read_reply

ANYWAY = "--anyway asks all the same"
BODY_MAX = 4096
NO_WAY = {
    End.REFUSED: ("nobody takes connections there", "start the endpoint, or put its address right in probe.toml"),
    End.NAME_UNKNOWN: ("no server has that name", "put the address right in probe.toml"),
    End.CERTIFICATE: (
        "the certificate is not vouched for",
        "put the name right, or add the issuer to the trusted ones (SSL_CERT_FILE)",
    ),
    End.DEADLINE: ("no connection came about before the deadline", "see whether this machine may go there"),
    End.ILLEGAL: ("what answers there speaks no TLS", "write http:// in probe.toml, or start it with TLS"),
}
"""Ends without a connection: what they mean, and what to do."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """What is in the way, and what to do."""

    what: str
    fix: str


def unreachable(exchange: Exchange, envelope: ProbeEnvelope) -> Unreachable | None:
    """Why the endpoint cannot be probed; None where it answers, whatever it says."""
    name = envelope.endpoint.key_env
    key = f"see whether {name} holds the key of this endpoint" if name else "name the key's variable: key_env"
    status = read_reply(exchange.wire, BODY_MAX).status
    if status in (401, 403):
        return Unreachable(f"the endpoint refuses the key (status {status})", f"{key}; {ANYWAY}")
    return None if isinstance(exchange.connected_us, int) else no_way(exchange.end)


def no_way(end: str) -> Unreachable | None:
    """Why no connection came about; None for an end that says nothing of that."""
    if end not in NO_WAY:
        return None
    what, fix = NO_WAY[End(end)]
    return Unreachable(what, f"{fix}; {ANYWAY}")
