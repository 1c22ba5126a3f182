"""`probe.toml` -> `ProbeEnvelope`, and the seal that freezes it. Every mistake in one pass; a key is refused unread."""

from __future__ import annotations

import re

from denominator._version import __version__
from denominator.errors import InputError, Problem
from denominator.probe.terms import envelope_problems
from denominator.records.probe_words import CLASSIFIER, CLIENT
from denominator.records.probes import Fixture, ProbeEnvelope, ProbeSeal
from denominator.wire.paths import dotted, steps
from denominator.wire.private import secret_kinds
from denominator.wire.toml import read_toml
from denominator.wire.toml_lines import lines_of

KEY = re.compile(r"\s*([A-Za-z0-9_.-]+)\s*=")
FROZEN = re.compile(r"(fixture_sha256\s*=\s*\")[0-9a-f]{64}(?=\")")


def read_probe_envelope(text: str, where: str) -> ProbeEnvelope:
    """The envelope that the text is, complete and sound. `InputError` lists everything else, each with line and key."""
    _refuse_secrets(text, where)
    envelope = read_toml(ProbeEnvelope, text, where, given={"schema_version": 1})
    lines = lines_of(text)
    problems = []
    for path, what, fix in envelope_problems(envelope):
        known = steps(path)
        while known and known not in lines:
            known = known[:-1]
        line = f":{lines[known]}" if known else ""
        problems.append(Problem(f"{where}{line} {dotted(steps(path))}", what, fix))
    if problems:
        raise InputError("this probe cannot be run", where=where, problems=problems)
    return envelope


def _refuse_secrets(text: str, where: str) -> None:
    """Before anything else is read: no other message may repeat a key. Comments count, for the file is shown to others."""
    problems = []
    for number, line in enumerate(FROZEN.sub(r"\1", text).split("\n"), 1):
        for kind in secret_kinds(line)[:1]:
            named = KEY.match(line)
            key = f" {named[1]}" if named and not secret_kinds(named[1]) else ""
            fix = "put the key into an environment variable, and its name into endpoint.key_env"
            problems.append(Problem(f"{where}:{number}{key}", f"looks like {kind}", fix))
    if problems:
        raise InputError("holds what looks like a secret", where=where, problems=problems)


def seal_probe(envelope: ProbeEnvelope, fixture: Fixture, made_at: str, where: str = "probe.toml") -> ProbeSeal:
    """Freeze an envelope with the fixture that it names. `made_at` is UTC. `InputError`: the fixture is another one."""
    if fixture.sha256 != envelope.fixture_sha256:
        raise InputError(
            f"{envelope.fixture} is not the fixture that was frozen ({fixture.sha256[:12]}, "
            f"not {envelope.fixture_sha256[:12]})",
            where=f"{where} fixture_sha256",
            fix=f'restore the file; to freeze these cases as another probe: fixture_sha256 = "{fixture.sha256}"',
        )
    return ProbeSeal(
        schema_version=1,
        envelope=envelope,
        cases=len(fixture.cases),
        client=client_version(),
        classifier=CLASSIFIER,
        made_at=made_at,
    )


def client_version() -> str:
    """The version of the product and of how it asks."""
    return f"{__version__}+{CLIENT}"
