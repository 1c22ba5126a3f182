"""What METHODS M11 and M13 ask of a bundle beside the evidence: rate, labels of each row, provenance, failure classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from denominator.bundles.layout import CLASSES, PROVENANCE, RATE, ROW_LABELS
from denominator.bundles.readme import UNKNOWN
from denominator.exporters.m13 import ship_set
from denominator.pipeline.bundle_judging import Again, Evidence
from denominator.pipeline.contract_rates import Locked, locked_of, rate_of_run, rate_of_seal
from denominator.records.contracts import Rate
from denominator.wire.canonical import canonical
from denominator.wire.contracts import word
from denominator.wire.provenance import Removed, provenance_toml


def shipped_files(evidence: Evidence, again: Again, contract: bytes = b"") -> dict[str, bytes]:
    """These files by name. Where a violated control hides how many passed, no file is there that tells it row by row."""
    locked = locked_of(contract, "contract") if contract else None
    told = provenance_toml(evidence.seal, evidence.run_id, evidence.seal_sha, _removed(locked))
    found = {RATE: canonical(_rate(evidence, again, locked)) + b"\n", PROVENANCE: told}
    if not again.judged.split_hidden:
        found[ROW_LABELS] = lines_of(again.judged.labels)
        found |= {CLASSES + name: data for name, data in ship_set(again.judged, again.card, told)}
    return found


def _rate(evidence: Evidence, again: Again, locked: Locked | None) -> Rate:
    if locked is None:
        return rate_of_seal(evidence.seal, evidence.seal_sha, again.judged, evidence.run_id)
    return rate_of_run(locked, again.judged, f"run {evidence.run_id}")


def _removed(locked: Locked | None) -> tuple[Removed, ...]:
    return tuple(_dropped(locked)) if locked is not None else ()


def _dropped(locked: Locked) -> Iterator[Removed]:
    """Tasks that forks of the contract took out, each with its reason."""
    stated = locked.contract.document.get("dropped")
    for one in stated if isinstance(stated, list) else ():
        if isinstance(one, dict):
            ids = one.get("task_ids")
            named = tuple(str(task) for task in ids) if isinstance(ids, list) else ()
            yield Removed(task_ids=named, why=word(one.get("why")), origin=word(one.get("from")))


def contamination_of(contract: bytes) -> str:
    """What is known of these tasks in training data: what the contract states, else unknown."""
    if not contract:
        return UNKNOWN
    return word(locked_of(contract, "contract").contract.document.get("contamination")) or UNKNOWN


def lines_of(records: Iterable[object]) -> bytes:
    """JSON Lines, canonical."""
    return b"".join(canonical(one) + b"\n" for one in records)
