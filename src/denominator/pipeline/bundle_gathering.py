"""Every file of a bundle as bytes, taken from the run and from what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.bundles.layout import (
    BASELINE,
    CALLS,
    CARD,
    CONTRACT,
    EVENTS,
    HEAD,
    LABELS,
    SEAL,
    STATEMENT,
    THIN,
    blob_name,
)
from denominator.errors import (
    InputError,
    InternalError,
    Problem,
)
from denominator.pipeline.bundle_judging import Again, Evidence, judge_again
from denominator.pipeline.bundle_parts import derived_files, head_of, named_artifacts
from denominator.pipeline.bundle_shipping import lines_of
from denominator.pipeline.bundle_slip import slip_parts
from denominator.pipeline.bundle_statement import bundle_statement
from denominator.pipeline.contract_rates import locked_of, unlike
from denominator.pipeline.people import LABELS as LABELS_FILE
from denominator.pipeline.people import read_labels
from denominator.pipeline.replaying import replay_note
from denominator.pipeline.results import Result, read_baseline, stored_digest
from denominator.pipeline.soundness import missing_blobs
from denominator.pipeline.world import OpenRun
from denominator.records.bundles import Artifact, Beside
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical

LEFT_OUT = "left out by the issuer: only its digest travels"
GONE = "gone when the bundle was made: only its digest is known"
DOCUMENT_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a bundle is to hold. `left_out` are digests of patches and reports whose bytes stay at home."""

    thin: bool = False
    left_out: frozenset[str] = frozenset()
    slip: Path | None = None
    key: Path | None = None
    contract: Path | None = None


def gathered(run: OpenRun, result: Result, wish: Wish) -> dict[str, bytes]:
    """Every file of the bundle but its sums."""
    evidence = evidence_of(run, result)
    again = judge_again(evidence)
    if canonical(again.card) != canonical(result.card):
        raise InternalError("the bundle would not give the card of the run", where=run.run_id)
    named = named_artifacts(evidence.events, lambda sha: run.blobs.get(sha) if _why(run, sha, wish) == "" else None)
    if unknown := sorted(wish.left_out - {*named}):
        what = f"nothing that would travel with this run is {', '.join(one[:16] for one in unknown)}"
        raise InputError(what, where="--leave-out", fix="give a whole sha256, as the refusal named it")
    artifacts = [Artifact(sha256=sha, kind=kind, left_out=_why(run, sha, wish)) for sha, kind in named.items()]
    found = _documents(run, evidence, again, artifacts, _contract(evidence, again, wish))
    found |= {blob_name(one.sha256): run.blobs.get(one.sha256) for one in artifacts if not one.left_out}
    if wish.slip is not None:
        found |= slip_parts(wish.slip)
    return found | {STATEMENT: bundle_statement(again.card, found)}


def _contract(evidence: Evidence, again: Again, wish: Wish) -> bytes:
    """The contract that the run was made under. InputError: it is another one's, or nothing pins it."""
    if wish.contract is None:
        return b""
    data, where = read_bytes(wish.contract, fix="name the locked contract: scoring_contract.json"), str(wish.contract)
    if why := [*unlike(locked_of(data, where), evidence.seal, again.judged)]:
        problems = [Problem("contract", one) for one in why]
        raise InputError("the contract is not of this run", where=where, problems=problems, fix="name the one that is")
    return data


def _documents(
    run: OpenRun, evidence: Evidence, again: Again, artifacts: list[Artifact], contract: bytes
) -> dict[str, bytes]:
    found = {
        HEAD: canonical(head_of(evidence, again, artifacts)) + b"\n",
        SEAL: read_bytes(run.folder.seal, DOCUMENT_BYTES),
        BASELINE: read_bytes(run.folder.baseline, DOCUMENT_BYTES),
        EVENTS: lines_of(evidence.events),
        CALLS: lines_of(evidence.calls),
        CARD: canonical(again.card) + b"\n",
        **derived_files(evidence, again, contract),
        **({CONTRACT: contract} if contract else {}),
    }
    if (labels := run.folder.root / LABELS_FILE).exists():
        found[LABELS] = read_bytes(labels, DOCUMENT_BYTES)
    return found


def evidence_of(run: OpenRun, result: Result) -> Evidence:
    """What the card of a run is made of. InputError: its baseline is gone."""
    baseline = read_baseline(run.folder.baseline)
    if baseline is None:
        fix = "put it back as it was: the seal names it by its digest"
        raise InputError("the baseline is gone", where=str(run.folder.baseline), fix=fix)
    note = replay_note(run.folder.root)
    return Evidence(
        run_id=run.run_id,
        version=result.card.version,
        seal=run.seal,
        seal_sha=run.seal_digest,
        baseline=baseline,
        baseline_sha=stored_digest(run.folder.baseline),
        events=tuple(run.journal.events()),
        calls=tuple(run.journal.calls()),
        labels=read_labels(run.folder.root),
        beside=Beside(
            replays=result.terms.replays,
            looks=result.terms.looks,
            siblings=result.terms.siblings,
            missing_blobs=len(missing_blobs(run)),
        ),
        replay_of=note.of if note else "",
    )


def _why(run: OpenRun, sha: str, wish: Wish) -> str:
    if not run.blobs.has(sha):
        return GONE
    return THIN if wish.thin else LEFT_OUT if sha in wish.left_out else ""
