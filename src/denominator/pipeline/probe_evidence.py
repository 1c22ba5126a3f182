"""A stored probe as attempts that were heard: bytes are judged by today's checks, redacted ones as they were heard then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from denominator.records.probe_results import Exchange, Heard
from denominator.records.probes import Fixture, ProbeSeal, Window


class Stored(Protocol):
    """A probe's folder, open for reading. Every method raises InputError for what is not as it was sealed."""

    @property
    def seal_sha256(self) -> str: ...
    def seal(self) -> ProbeSeal: ...
    def fixture(self) -> Fixture: ...
    def windows(self) -> Sequence[Window]: ...
    def exchanges(self, window: int) -> Iterator[Exchange | Heard]: ...


def opened(folder: Path) -> Stored:
    """The folder of a probe."""
    from denominator.pipeline.probe_folder import ProbeFolder

    return ProbeFolder(folder)


def heard_of(stored: Stored, one: Exchange | Heard) -> Heard:
    """What one attempt says by itself."""
    from denominator.probe.hearing import hear

    if isinstance(one, Heard):
        return one
    envelope = stored.seal().envelope
    case = stored.fixture().case(one.ask.case_id)
    return hear(case, one, envelope.endpoint.model, envelope.run)
