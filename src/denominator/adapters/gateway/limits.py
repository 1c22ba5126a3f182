"""What one attempt may do to the relay."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayLimits:
    """Bytes, seconds, counts. `read_s` is the longest silence of the provider, `idle_s` that of the agent.

    `held_bytes` bounds the request bodies that one attempt has in memory at a time, over all its connections.
    """

    request_bytes: int = 16 * 1024 * 1024
    response_bytes: int = 64 * 1024 * 1024
    connect_s: float = 10.0
    read_s: float = 600.0
    idle_s: float = 600.0
    held_bytes: int = 256 * 1024 * 1024
    connections: int = 512
    calls: int = 10_000
