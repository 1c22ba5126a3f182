"""A stored probe as attempts that were heard: bytes are judged by today's checks, redacted ones as they were heard then.

Before anything is judged it must be what was sealed: the fixture by its digest, the seal by the windows that began under
it, the bytes of every answer by their name, and every request by the bytes that its case gives today.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from denominator.errors import InputError, Problem
from denominator.pipeline.probe_folder import ProbeFolder
from denominator.probe.asking import request_body
from denominator.probe.attempts import told
from denominator.probe.hearing import hear
from denominator.records.probe_results import Exchange, Heard, StoredAttempt
from denominator.records.probes import Ask, Case, Endpoint, Fixture, ProbeSeal, Window

RESTORE = "restore the folder as it was written, or ask again as a new probe"


class Stored(Protocol):
    """A probe's folder, open for reading. Every method raises InputError for what is not as it was sealed."""

    @property
    def seal_sha256(self) -> str: ...
    def seal(self) -> ProbeSeal: ...
    def fixture(self) -> Fixture: ...
    def windows(self) -> Sequence[Window]: ...
    def attempts(self, window: int) -> Iterator[StoredAttempt]: ...
    def exchanges(self, window: int) -> Iterator[Exchange | Heard]: ...
    def blob(self, digest: str) -> bytes: ...


def opened(folder: Path) -> Stored:
    """The folder of a probe."""
    return ProbeFolder(folder)


def all_heard(stored: Stored) -> tuple[Heard, ...]:
    """What every stored attempt says by itself, warm-ups among them. InputError names every attempt that cannot be judged."""
    problems = list(_not_as_sealed(stored))
    if problems:
        raise InputError("some attempts cannot be judged", problems=problems, fix=RESTORE)
    cases = {case.id: case for case in stored.fixture().cases}
    return tuple(
        _heard(stored, cases[one.ask.case_id], one)
        for window in stored.windows()
        for one in stored.exchanges(window.number)
    )


def _heard(stored: Stored, case: Case, one: Exchange | Heard) -> Heard:
    envelope = stored.seal().envelope
    return one if isinstance(one, Heard) else hear(case, one, envelope.endpoint.model, envelope.run)


def _not_as_sealed(stored: Stored) -> Iterator[Problem]:
    """Attempts whose case is unknown, whose request was another one, or whose bytes are gone or changed."""
    cases = {case.id: case for case in stored.fixture().cases}
    to = stored.seal().envelope.endpoint
    for window in stored.windows():
        for line in stored.attempts(window.number):
            where, case = _told(window.number, line.ask), cases.get(line.ask.case_id)
            if case is None:
                yield Problem(where, "the fixture has no such case")
            elif line.request_sha256 and line.request_sha256 != _request(case, line.ask, to):
                yield Problem(where, "another request was sent than this case gives")
            if isinstance(line.wire_sha256, str) and line.heard is None:
                try:
                    stored.blob(line.wire_sha256)
                except InputError as error:
                    yield Problem(where, f"{error.where} {error.what}", error.fix)


def _request(case: Case, ask: Ask, to: Endpoint) -> str:
    return sha256(request_body(case, ask.mode, to.model, to.cap_field)).hexdigest()


def _told(window: int, ask: Ask) -> str:
    return told((window, ask.case_id, ask.mode, ask.attempt))
