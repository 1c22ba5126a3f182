"""A bench of few cases against a scripted server, without files of its owner."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.upstream import read_upstream
from denominator.adapters.probe import ProbeClient
from denominator.pipeline.probing import Bench
from denominator.probe.fixture import read_fixture
from denominator.records.probe_words import CLASSIFIER, CLIENT
from denominator.records.probes import Endpoint, ProbeEnvelope, ProbeSeal, Terms


class Quiet:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.lines, self.exchanges, self.expected = [], [], -1

    def expect(self, attempts: int) -> None:
        self.expected = attempts

    def line(self, text: str) -> None:
        self.lines.append(text)

    def ended(self, exchange) -> None:
        self.exchanges.append(exchange)


def cases(number: int = 4, mode: str = "both") -> bytes:
    """A fixture of plain questions."""
    lines = (
        {
            "id": f"say-{place}",
            "group": "accounting",
            "kind": "answer",
            "prompt": f"Say OK number {place}.",
            "mode": mode,
            "expect": {},
        }
        for place in range(number)
    )
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def bench(
    root: Path,
    url: str,
    *,
    fixture: bytes | None = None,
    redact=False,
    clock=None,
    stop=None,
    told=None,
    anyway=False,
    **terms,
) -> Bench:
    data = fixture if fixture is not None else cases()
    read = read_fixture(data, "fixture.jsonl")
    envelope = ProbeEnvelope(
        schema_version=1,
        name="bench",
        fixture="fixture.jsonl",
        fixture_sha256=read.sha256,
        endpoint=Endpoint(url=url, model="m"),
        run=Terms(**{"attempts": 2, "deadline_ms": 5000, "gap_ms": 2000, **terms}),
        redact_bodies=redact,
    )
    seal = ProbeSeal(
        schema_version=1,
        envelope=envelope,
        cases=len(read.cases),
        client=CLIENT,
        classifier=CLASSIFIER,
        made_at="2026-01-02T03:04:05.000Z",
    )
    the_clock = clock or SystemClock()
    return Bench(
        root=root,
        seal=seal,
        fixture=read,
        fixture_bytes=data,
        client=ProbeClient(read_upstream(url, "", {}), envelope.run, the_clock),
        clock=the_clock,
        stop=stop or threading.Event(),
        told=told or Quiet(),
        anyway=anyway,
    )
