"""The client of the endpoint bench: one request on a connection of its own, every byte of the answer and when it came."""

from denominator.adapters.probe.client import ProbeClient

__all__ = ["ProbeClient"]
