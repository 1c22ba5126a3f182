"""What agents did, for export: the same traces with a word in the place of every secret."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.exports import AttemptTrace
from denominator.records.values import NotMeasured
from denominator.wire.secrets import Secrets


def covered_traces(run: OpenRun, traces: Iterable[AttemptTrace]) -> Iterator[AttemptTrace]:
    """Each trace; one in which nothing looks like a secret is the same to the byte."""
    for one in traces:
        own = one.own if isinstance(one.own, NotMeasured) else _covered_own(run.secrets, one.own)
        prompt = one.prompt if isinstance(one.prompt, NotMeasured) else run.secrets.covered(one.prompt)
        yield replace(
            one,
            prompt=prompt,
            own=own,
            log=b"\n".join(_covered(run.secrets, line) for line in one.log.split(b"\n")),
            bodies=_bodies(run.secrets, one.bodies),
        )


def _covered_own(secrets: Secrets, own: Mapping[str, Json]) -> dict[str, Json]:
    return {name: secrets.covered_json(value) for name, value in own.items()}


def _bodies(secrets: Secrets, bodies: Callable[[str], bytes]) -> Callable[[str], bytes]:
    return lambda sha256: _covered(secrets, bodies(sha256))


def _covered(secrets: Secrets, data: bytes) -> bytes:
    """A JSON document by its texts, other text as it stands, bytes that are no text (compressed ones) untouched."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    if secrets.covered(text) == text and "\\u" not in text:
        return data
    try:
        document = json.loads(text)
        made = secrets.covered_json(document)
    except (ValueError, RecursionError):
        return secrets.covered(text).encode()
    return data if made == document else json.dumps(made, ensure_ascii=False).encode("utf-8", "surrogatepass")
