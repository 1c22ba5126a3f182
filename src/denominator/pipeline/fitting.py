"""Is what was measured elsewhere of this run? Every field that says otherwise, and an unknown one is no agreement."""

from __future__ import annotations

import json
from collections.abc import Iterator

from denominator.bundles.differing import differing
from denominator.pipeline.results import Result
from denominator.records.companions import BenchFound
from denominator.records.conditions import condition
from denominator.records.probe_results import ProbeScore
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.wire.canonical import digest
from denominator.wire.codec import to_json

OUR_RUNNER = "denominator"
FIELDS = 6
"""Fields of two seals that a message names at most."""


def bench_misfits(found: BenchFound, result: Result, seal: Seal | None) -> Iterator[str]:
    """Fields by which a fault bench is of another harness or of other tasks than the run."""
    card = found.card
    if seal is None:
        yield from _unlike("harness_name", stated(result, "harness_name"), card.runner)
        if odd := sorted({*found.tasks} - set(_tasks(result))):
            yield f"task_ids: the bench has {', '.join(odd[:FIELDS])}, which the rows do not"
        return
    yield from _unlike("runner", OUR_RUNNER, card.runner)
    yield from _unlike("version", seal.version, found.version)
    yield from _unlike("pack_id", seal.pack_id, card.pack)
    if card.pack == seal.pack_id:
        tasks = digest({"pack": seal.pack_digest, "tasks": list(found.tasks)})
        yield from _unlike("taskset_digest", tasks[:12], card.taskset_digest[:12])


def probe_misfits(score: ProbeScore, result: Result) -> Iterator[str]:
    """Fields by which a probe is of another endpoint than rows of another harness state."""
    yield from _unlike("model_id", stated(result, "model_id"), score.model)
    host = stated(result, "endpoint_host")
    if isinstance(host, str) and host not in score.url:
        yield f"endpoint_host: the run states {host}, the probe asked {score.url}"


def seal_misfits(first: Seal, other: Seal) -> str:
    """By which fields two seals differ: what people declare first, then the box and the time."""
    fields = sorted(differing(to_json(first), to_json(other)), key=lambda one: one.startswith(("box.", "sealed_at")))
    more = f" and {len(fields) - FIELDS} more" if len(fields) > FIELDS else ""
    return f"{', '.join(fields[:FIELDS])}{more}"


def stated(result: Result, name: str) -> str | NotMeasured:
    """A condition as text."""
    found = condition(result.terms.conditions, name)
    if isinstance(found, NotMeasured):
        return found
    try:
        read = json.loads(found)
    except ValueError:
        return found
    return read if isinstance(read, str) else found


def _tasks(result: Result) -> Iterator[str]:
    declared = result.ledger.declared
    yield from (one.draw.task_id for one in (() if isinstance(declared, NotMeasured) else declared))
    yield from (row.key.task_id for row in result.ledger.rows)


def _unlike(field: str, run: str | NotMeasured, other: str) -> Iterator[str]:
    if isinstance(run, NotMeasured) or not other or run != other:
        told = f"not stated ({run.not_measured})" if isinstance(run, NotMeasured) else run or "not stated"
        yield f"{field}: the run has {told}, this has {other or 'none'}"
