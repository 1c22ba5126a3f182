"""Is the evidence of a run still what was written? Its chain, its seal, its baseline, its blobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from denominator.errors import InputError, Problem, UnknownStateError
from denominator.pipeline.world import OpenRun
from denominator.records.packs import Baseline

SHOWN = 5


def broken_chain(run: OpenRun) -> list[str]:
    """Breaks of the journal's chain, in words: somebody changed what was written."""
    return run.journal.verify()


def other_seals(run: OpenRun) -> list[str]:
    """Starts of the run under another seal than the one that lies there now."""
    started = {str(e.payload.get("seal")) for e in run.journal.standing().of_run if e.kind == "run.started"}
    return [f"the run was started under seal {one[:12]}" for one in sorted(started - {run.seal_digest})]


def changed_evidence(run: OpenRun, baseline: Baseline | None, chain: Sequence[str]) -> Iterator[str]:
    """What the gate must know: sealed or chained bytes that are not what they were. `chain` are the journal's breaks."""
    yield from (f"the journal: {one}" for one in chain[:SHOWN])
    if len(chain) > SHOWN:
        yield f"the journal: {len(chain) - SHOWN} breaks more"
    yield from (f"the seal: {one}" for one in other_seals(run))
    if baseline is None:
        yield f"the baseline: sealed {run.seal.baseline_digest[:12]}, its file is gone"


def missing_blobs(run: OpenRun) -> list[str]:
    """Digests that the journal names and the folder no longer has: verdicts stand, their evidence cannot be shown."""
    return sorted({e.blob for e in run.journal.events() if e.blob and not run.blobs.has(e.blob)})


def require_sound(run: OpenRun) -> None:
    """Refuse to go on with a run whose journal or seal was changed; nothing was touched."""
    where = str(run.folder.root)
    if chain := broken_chain(run):
        problems = [Problem("journal.db", one) for one in chain[:SHOWN]]
        raise UnknownStateError(
            "the journal was changed", where=where, problems=problems, fix="restore it from a copy, or start a new run"
        )
    if others := other_seals(run):
        raise InputError(f"seal.json is another one: {'; '.join(others)}", where=where, fix="put the seal back")
