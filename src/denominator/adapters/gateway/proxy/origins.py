"""Who answers: the provider or a recording, behind the faults that the terms declare."""

from __future__ import annotations

from pathlib import Path

from denominator.adapters.gateway.proxy.answers import Origin
from denominator.adapters.gateway.proxy.cassette import CassetteOrigin
from denominator.adapters.gateway.proxy.faults import FaultyOrigin
from denominator.adapters.gateway.proxy.origin import HttpOrigin
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.upstream import Upstream


def origin_of(settings: Settings, upstream: Upstream) -> Origin:
    """The origin of a run; `settings.terms.cassette` is an absolute folder here.

    Where a recording answers, nothing is ever connected to. Raises InputError for a cassette that cannot be read.
    """
    terms = settings.terms
    answers: Origin = HttpOrigin(upstream, settings.limits.connect_s)
    if terms.cassette:
        answers = CassetteOrigin(Path(terms.cassette), "", terms.volatile)
    return FaultyOrigin(answers, terms.fault) if terms.fault else answers
