"""Who answers: the provider or a recording, behind the faults that the terms declare."""

from __future__ import annotations

from denominator.adapters.gateway.proxy.answers import Origin
from denominator.adapters.gateway.proxy.origin import HttpOrigin
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.upstream import Upstream


def origin_of(settings: Settings, upstream: Upstream) -> Origin:
    """The origin of a run."""
    return HttpOrigin(upstream, settings.limits.connect_s)
