"""From `probe.toml` and its fixture on disk to a seal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.probe.envelope import read_probe_envelope, seal_probe
from denominator.probe.fixture import read_fixture
from denominator.records.probes import Fixture, ProbeSeal
from denominator.wire.bounded import read_bytes, read_text

ENVELOPE, FIXTURE = "probe.toml", "fixture.jsonl"


@dataclass(frozen=True, slots=True)
class OpenedProbe:
    """A sound probe, not yet run. `fixture_bytes` are the file as it was frozen."""

    seal: ProbeSeal
    fixture: Fixture
    fixture_bytes: bytes


def open_probe(path: Path, made_at: str) -> OpenedProbe:
    """The probe of an envelope file, or of the folder in which `probe init` wrote one. `made_at` is UTC."""
    file = path / ENVELOPE if path.is_dir() else path
    envelope = read_probe_envelope(read_text(file, fix=f"denominator probe init {file.parent}"), str(file))
    place = file.parent / envelope.fixture
    if not place.resolve().is_relative_to(file.parent.resolve()):
        raise InputError("leaves the folder of the envelope", where=f"{file} fixture", fix="put the fixture beside it")
    data = read_bytes(place, fix="restore it: the envelope names it")
    fixture = read_fixture(data, envelope.fixture)
    return OpenedProbe(seal_probe(envelope, fixture, made_at, str(file)), fixture, data)
