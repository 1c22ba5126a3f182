"""A new probe: the fixture and the envelope that `probe init` writes, checked before anything is written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.probe.envelope import read_probe_envelope
from denominator.probe.fixture import read_fixture, refuse_key
from denominator.probe.linting import lint
from denominator.probe.template import probe_template
from denominator.records.probes import Endpoint, Fixture
from denominator.records.probes import Path as Way
from denominator.wire.bounded import read_bytes

BASIC = "basic.jsonl"
ENVELOPE, FIXTURE = "probe.toml", "fixture.jsonl"
KEY_CHARS_MIN = 8
"""What is shorter cannot be told from other text, and is refused as a key when requests are made."""


@dataclass(frozen=True, slots=True)
class NewProbe:
    """The two files of a new probe, what its fixture is warned about, and what of the envelope is still to be filled in."""

    fixture: Fixture
    fixture_bytes: bytes
    envelope: str
    warnings: tuple[Problem, ...]
    open: tuple[str, ...]


def new_probe(name: str, endpoint: Endpoint, way: Way, own: Path | None, key: str = "") -> NewProbe:
    """Both files as text. `own` is a fixture of one's own; `key` the endpoint's key, so that none of it is written down."""
    data = basic_fixture() if own is None else read_bytes(own)
    if len(key) >= KEY_CHARS_MIN:
        refuse_key(data, key, str(own or BASIC))
    fixture = read_fixture(data, str(own or BASIC))
    text = probe_template(name, FIXTURE, fixture.sha256, endpoint, way)
    filled = Endpoint(url=endpoint.url or "http://localhost", model=endpoint.model or "m", key_env=endpoint.key_env)
    read_probe_envelope(probe_template(name, FIXTURE, fixture.sha256, filled, way), ENVELOPE)
    missing = tuple(f"endpoint.{field}" for field in ("url", "model") if not getattr(endpoint, field))
    return NewProbe(fixture, data, text, lint(fixture), missing)


def basic_fixture() -> bytes:
    """The fixture that is built in."""
    return files("denominator").joinpath("data").joinpath("probe").joinpath(BASIC).read_bytes()


def write_probe(folder: Path, probe: NewProbe) -> None:
    """Write both files into a folder that holds neither."""
    places = (folder / FIXTURE, folder / ENVELOPE)
    there = [str(place) for place in places if os.path.lexists(place)]
    if there:
        what = f"{' and '.join(there)} exist and were left as they are" if there[1:] else "exists and was left as it is"
        raise InputError(what, where=str(folder) if there[1:] else there[0], fix="choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for place, data in zip(places, (probe.fixture_bytes, probe.envelope.encode()), strict=True):
        with place.open("xb") as out:
            out.write(data)
