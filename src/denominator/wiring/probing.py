"""`probe run` wired: a probe.toml or the folder of a probe, the real client, the real clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from denominator.adapters.clock import clock_from_environment
from denominator.adapters.gateway.upstream import Upstream, read_upstream
from denominator.adapters.probe import ProbeClient
from denominator.errors import InputError
from denominator.pipeline.probe_folder import FIXTURE, ProbeFolder, is_probe
from denominator.pipeline.probe_pacing import bound_ms
from denominator.pipeline.probe_writing import taken
from denominator.pipeline.probing import Bench, Told, WindowRun, run_window
from denominator.ports import Clock, Stop
from denominator.probe.envelope import client_version, read_probe_envelope, seal_probe
from denominator.probe.fixture import read_fixture, refuse_key
from denominator.records.probe_words import CLASSIFIER
from denominator.records.probes import Endpoint, Fixture, ProbeEnvelope, ProbeSeal, Use, Window
from denominator.records.values import NotMeasured, counted, is_placeholder
from denominator.wire.bounded import read_bytes, read_text
from denominator.wire.canonical import canonical

ANOTHER = "what is asked differently is a new probe: name another folder with -o"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line says. `window` 0: the open one, or the first."""

    source: Path
    out: Path | None = None
    window: int = 0
    redact: bool = False
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a probe asks, read and checked: from its folder, or about to be sealed."""

    root: Path
    seal: ProbeSeal
    fixture: Fixture
    data: bytes
    windows: tuple[Window, ...]


def run_probe(asked: Asked, environ: Mapping[str, str], stop: Stop, told: Told) -> tuple[Path, WindowRun]:
    """Make the attempts of a window that are missing; the folder, and how far the window is. Raises DenominatorError."""
    clock = clock_from_environment(environ)
    sealed = _stored(asked) if is_probe(asked.source) else _written(asked, clock)
    number = _number(sealed, asked.window)
    endpoint = sealed.seal.envelope.endpoint
    to = _upstream(endpoint, environ)
    refuse_key(sealed.data, to.key, sealed.fixture.name)
    bench = Bench(
        root=sealed.root,
        seal=sealed.seal,
        fixture=sealed.fixture,
        fixture_bytes=sealed.data,
        client=ProbeClient(to, sealed.seal.envelope.run, clock),
        clock=clock,
        stop=stop,
        told=told,
        anyway=asked.anyway,
    )
    if not _ended(sealed.windows, number):
        told.line(before(sealed, number))
        if not sealed.windows and (names := undeclared(sealed.seal.envelope.use)):
            told.line(
                f"not declared under [use]: {', '.join(names)}; probe gate asks for it, and it is sealed with this window"
            )
    return sealed.root, run_window(bench, number)


def _upstream(endpoint: Endpoint, environ: Mapping[str, str]) -> Upstream:
    try:
        return read_upstream(endpoint.url, endpoint.key_env, environ)
    except InputError as error:
        # Told in the words of probe.toml, not in those of an envelope.
        error.where = {"model.key_env": "endpoint.key_env", "model.endpoint": "endpoint.url"}.get(
            error.where, error.where
        )
        raise


def before(sealed: Sealed, number: int) -> str:
    """What is about to be asked, and how long it may take at most."""
    envelope, terms = sealed.seal.envelope, sealed.seal.envelope.run
    planned = terms.attempts * sum(len(case.modes) for case in sealed.fixture.cases)
    there = sum(1 for _ in ProbeFolder(sealed.root).attempts(number)) if sealed.windows else 0
    pace = f"{terms.rate} a second, {terms.in_flight} open at most" if terms.rate else "one after the other"
    left = max(planned + terms.warmups - there, 0)
    most = clock_text(bound_ms(replace(terms, warmups=0), left) // 1000)
    warm = f" and {counted(terms.warmups, 'warm-up')}" if terms.warmups else ""
    some = f", {left} of them left" if there else ""
    return (
        f"window {number}: {counted(planned, 'attempt')}{warm}{some} at {envelope.endpoint.url} ({envelope.path.told}), {pace}; "
        f"at most {most}, for each ends after {clock_text(terms.deadline_ms // 1000)}"
    )


def undeclared(use: Use) -> tuple[str, ...]:
    """What only the owner knows and has not said."""
    values = {one.name: getattr(use, one.name) for one in fields(use)}
    return tuple(
        name
        for name, value in values.items()
        if isinstance(value, NotMeasured) or (isinstance(value, str) and is_placeholder(value))
    )


def clock_text(seconds: int) -> str:
    """Hours, minutes and seconds."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _stored(asked: Asked) -> Sealed:
    """A probe that was sealed before: it is asked as it was sealed, by the client that it was sealed for."""
    folder = ProbeFolder(asked.source)
    if asked.out is not None and asked.out.resolve() != asked.source.resolve():
        raise InputError("a probe is asked in its own folder", where="-o", fix="leave out -o, or name a probe.toml")
    seal = folder.seal()
    if asked.redact and not seal.envelope.redact_bodies:
        raise InputError(
            "this probe keeps bodies", where=str(asked.source), fix=f"leave out --redact-bodies; {ANOTHER}"
        )
    _same_program(seal, asked.source)
    fixture, windows = folder.fixture(), folder.windows()
    for window in windows:
        # What was damaged since is said before anything is asked on top of it.
        deque(folder.attempts(window.number), maxlen=0)
    return Sealed(asked.source, seal, fixture, read_bytes(asked.source / FIXTURE), windows)


def _written(asked: Asked, clock: Clock) -> Sealed:
    """A probe.toml: a new folder, or the one that it made before."""
    if asked.source.is_dir():
        inside = asked.source / "probe.toml"
        fix = f"denominator probe run {inside} -o FOLDER" if inside.is_file() else "name a probe.toml"
        raise InputError("holds no probe", where=str(asked.source), fix=fix)
    if asked.out is None:
        raise InputError("where the answers are kept is not said", where="-o", fix="name a new folder with -o FOLDER")
    envelope = read_probe_envelope(read_text(asked.source), str(asked.source))
    envelope = replace(envelope, redact_bodies=envelope.redact_bodies or asked.redact)
    data = read_bytes(asked.source.parent / envelope.fixture, fix="fixture names it, beside probe.toml")
    fixture = read_fixture(data, envelope.fixture)
    seal = seal_probe(envelope, fixture, clock.wall(), str(asked.source))
    if is_probe(asked.out):
        return _again(replace(asked, source=asked.out, out=None, redact=False), envelope)
    if asked.out.exists():
        raise taken(asked.out)
    return Sealed(asked.out, seal, fixture, data, ())


def _again(asked: Asked, envelope: ProbeEnvelope) -> Sealed:
    sealed = _stored(asked)
    # Bodies that are redacted already stay so, whoever leaves the word out the second time.
    envelope = replace(envelope, redact_bodies=envelope.redact_bodies or sealed.seal.envelope.redact_bodies)
    if changed := list(_differing(sealed.seal.envelope, envelope)):
        raise InputError(f"was sealed with another {', '.join(changed)}", where=str(sealed.root), fix=ANOTHER)
    return sealed


def _differing(sealed: Any, given: Any, at: str = "") -> Iterable[str]:
    """Fields in which two envelopes differ, one level deep."""
    for field in fields(sealed):
        one, other = getattr(sealed, field.name), getattr(given, field.name)
        if canonical(one) == canonical(other):
            continue
        if at or not hasattr(one, "__dataclass_fields__"):
            yield at + field.name
        else:
            yield from _differing(one, other, f"{field.name}.")


def _same_program(seal: ProbeSeal, where: Path) -> None:
    if seal.client != client_version():
        raise InputError(
            f"was sealed for client {seal.client}, this is {client_version()}", where=str(where), fix=ANOTHER
        )
    if seal.envelope.redact_bodies and seal.classifier != CLASSIFIER:
        # Its bytes are not kept, so what was heard by another classifier cannot be heard again by this one.
        raise InputError(
            f"was heard by classifier {seal.classifier}, this is {CLASSIFIER}", where=str(where), fix=ANOTHER
        )


def _number(sealed: Sealed, wanted: int) -> int:
    """The window to ask: the one that is named, else the open one, else the last that there is."""
    open_ = [window.number for window in sealed.windows if not window.ended_at]
    last = len(sealed.windows)
    if not wanted:
        return min(open_, default=max(last, 1))
    if wanted > last + 1:
        raise InputError(f"window {last + 1} comes first", where="--window", fix=f"--window {last + 1}")
    if earlier := [number for number in open_ if number < wanted]:
        fix = f"denominator probe run {sealed.root} asks what is missing"
        raise InputError(f"window {earlier[0]} has attempts that are not made", where="--window", fix=fix)
    return wanted


def _ended(windows: Iterable[Window], number: int) -> bool:
    return any(window.number == number and bool(window.ended_at) for window in windows)
